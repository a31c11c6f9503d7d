"""How likely every text of a page is to be content, according to the trees: for checks of other extractors."""

import numpy as np
import numpy.typing as npt

from sightline.extract.content._forest import the_forest
from sightline.extract.content._measures import measure
from sightline.page import Page
from sightline.signals import text_blocks
from sightline.trees import Forest

__all__ = ["likelihoods"]


def likelihoods(page: Page, forest: Forest | None = None) -> npt.NDArray[np.float64]:
    """One number from 0 to 1 for every text node of a page, in order; NaN for those that cannot be read.

    >>> from sightline.testing import list_page
    >>> len(likelihoods(list_page(["one", "two"])))
    2
    """
    by_node = np.full(len(page), np.nan)
    blocks = text_blocks(page)
    if len(blocks):
        trees = forest or the_forest()
        likely = trees.likely(measure(blocks).chosen(trees.names))
        by_node[blocks.nodes] = likely[blocks.block_of]
    found: npt.NDArray[np.float64] = by_node[page.is_text]
    return found
