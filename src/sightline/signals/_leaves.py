"""The visible leaves of the tree: texts and pictures."""

from sightline.arrays import BoolArray
from sightline.page import Page, frozen
from sightline.signals._tallies import PICTURES

__all__ = ["leaves_of", "texts_of"]


def texts_of(page: Page) -> BoolArray:
    """Which nodes are readable texts.

    >>> from sightline.testing import list_page
    >>> texts_of(list_page(["one", "two"])).nonzero()[0].tolist()
    [4, 6]
    """
    return page.kept(_texts)


def leaves_of(page: Page) -> BoolArray:
    """Which nodes are readable texts or visible pictures."""
    return page.kept(_leaves)


def _texts(page: Page) -> BoolArray:
    return frozen(page.is_text & ~page.is_blank & page.visible)


def _leaves(page: Page) -> BoolArray:
    return frozen(texts_of(page) | (page.mask(*PICTURES) & page.visible))
