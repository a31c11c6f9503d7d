"""The decision trees that tell content from the rest."""

from functools import lru_cache

from sightline.trees import Forest, read_forest

__all__ = ["Forest", "read_forest", "the_forest"]


@lru_cache(maxsize=1)
def the_forest() -> Forest:
    """The trees grown on the pages of the benchmark, see `bench/content/grow.py`."""
    from sightline.extract.content import _grown  # a long table, read when it is needed

    return read_forest(_grown.MEASURES, _grown.TREES, _grown.BIAS)
