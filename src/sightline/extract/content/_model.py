"""What tells content from the rest: the decision trees in `forest.json`, and those in `kinds.json` that judge pages.

Both are grown by `python -m bench.content.grow`; docs/content.md has a card of the model.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any

import numpy as np
import orjson

from sightline.arrays import FloatArray
from sightline.extract.content._measures import Measured
from sightline.extract.content._page_kind import PageKinds
from sightline.trees import Forest, load_forest, read_forest

__all__ = ["ContentModel", "read_kinds", "the_model"]

PACKAGE = "sightline.extract.content"


@dataclass(frozen=True, eq=False)
class ContentModel:
    """Trees that say how likely a block is content, and trees that say of which kind a page is."""

    forest: Forest
    kinds: PageKinds

    def likely(self, measured: Measured) -> FloatArray:
        """How likely each of the measured blocks is to be content."""
        return self.forest.likely_by_columns(measured.chosen(self.forest.names).astype(np.float32))

    @cached_property
    def asked(self) -> frozenset[str]:
        """The measures of blocks that any tree asks for."""
        return frozenset([*self.forest.names, *self.kinds.columns])


def read_kinds(document: Mapping[str, Any]) -> PageKinds:
    """The trees of the kinds of pages, from plain values: those of all kinds in a row, and how many each has."""
    forest = read_forest(tuple(document["measures"]), "\n".join(document["trees"]), 0.0)
    return PageKinds(forest, document["sizes"])


@lru_cache(maxsize=1)
def the_model() -> ContentModel:
    """The model that comes with the package, read when it is first needed."""
    kinds = orjson.loads(resources.files(PACKAGE).joinpath("kinds.json").read_bytes())
    return ContentModel(load_forest(PACKAGE, "forest.json"), read_kinds(kinds))
