"""The visible leaves of the tree: texts and pictures."""

from sightline.arrays import BoolArray
from sightline.page import Page
from sightline.signals._tallies import PICTURES

__all__ = ["leaves_of", "texts_of"]


def texts_of(page: Page) -> BoolArray:
    """Which nodes are readable texts.

    >>> from sightline.testing import list_page
    >>> texts_of(list_page(["one", "two"])).nonzero()[0].tolist()
    [4, 6]
    """
    texts: BoolArray = page.is_text & ~page.is_blank & page.visible
    return texts


def leaves_of(page: Page) -> BoolArray:
    """Which nodes are readable texts or visible pictures."""
    leaves = texts_of(page)
    pictures = page.with_tag(*PICTURES)
    leaves[pictures] = page.visible[pictures]
    return leaves
