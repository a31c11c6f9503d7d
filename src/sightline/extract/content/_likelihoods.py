"""How likely every text of a page is to be content, according to the model: for checks of other extractors."""

import numpy as np
import numpy.typing as npt

from sightline.extract.content._measures import measure
from sightline.extract.content._model import ContentModel, the_model
from sightline.page import Page
from sightline.signals import text_blocks

__all__ = ["likelihoods"]


def likelihoods(page: Page, model: ContentModel | None = None) -> npt.NDArray[np.float64]:
    """One number from 0 to 1 for every text node of a page, in order; NaN for those that cannot be read.

    >>> from sightline.testing import list_page
    >>> len(likelihoods(list_page(["one", "two"])))
    2
    """
    by_node = np.full(len(page), np.nan)
    blocks = text_blocks(page)
    if len(blocks):
        model = model or the_model()
        likely = model.likely(measure(blocks, model.asked))
        by_node[blocks.nodes] = likely[blocks.block_of]
    found: npt.NDArray[np.float64] = by_node[page.is_text]
    return found
