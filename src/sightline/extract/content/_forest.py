"""The decision trees that tell content from the rest: `forest.json`, grown by `python -m bench.content.grow`."""

from functools import lru_cache

from sightline.trees import Forest, load_forest

__all__ = ["the_forest"]


@lru_cache(maxsize=1)
def the_forest() -> Forest:
    """The trees, read when they are first needed."""
    return load_forest("sightline.extract.content", "forest.json")
