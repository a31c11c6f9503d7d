"""The images that belong to a main text."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sightline.arrays import BoolArray, IntArray, LongArray, prefix_sum
from sightline.page import Page, full_address

__all__ = ["PageImage", "images_of"]

# CSS pixels; what is smaller is an icon, an emoticon or a pixel that counts visitors.
SMALLEST = 32
# Of the letters around an image; it belongs to the text if at least so many do.
SHARE = 0.5
# Where pages put the address of an image that is loaded when it comes into view.
ADDRESSES = ("src", "data-src", "data-original", "data-lazy-src")


@dataclass(frozen=True)
class PageImage:
    """An image of a page: its node, address, and the text that stands for it."""

    node: int
    address: str
    text: str


def images_of(page: Page, base: str, kept: BoolArray) -> list[PageImage]:
    """The images whose surroundings are mostly main text, each address once.

    >>> from sightline.testing import element, page_of
    >>> page = page_of(element("p", "Bees", element("img", src="bee.png", alt="A bee")))
    >>> [image.text for image in images_of(page, "https://example.org/", page.is_text)]
    ['A bee']
    """
    nodes = page.with_tag("img")
    if not len(nodes):
        return []
    texts = np.flatnonzero(page.is_text & ~page.is_blank)
    sizes = np.zeros(len(page), dtype=np.int64)
    sizes[texts] = [len(page.strings[text]) for text in page.text[texts].tolist()]
    among, all_of = prefix_sum(sizes * kept), prefix_sum(sizes)
    low = _surroundings(page, nodes, all_of)
    high = page.end[low]
    letters = all_of[high] - all_of[low]
    found: dict[str, PageImage] = {}
    for node in nodes[(letters > 0) & (among[high] - among[low] >= SHARE * letters)].tolist():
        attributes = page.node(node).attributes
        address = _address(attributes, base)
        if address and address not in found and not _is_small(page, node, attributes):
            found[address] = PageImage(node, address, " ".join(attributes.get("alt", "").split()))
    return list(found.values())


def _address(attributes: Mapping[str, str], base: str) -> str:
    """The address of an image; what is only a place for it to load has none."""
    return next(filter(None, (full_address(base, attributes.get(name, "")) for name in ADDRESSES)), "")


def _surroundings(page: Page, nodes: IntArray, letters: LongArray) -> IntArray:
    """The nearest element around each node that has text; the root if none has."""
    around = page.parent[nodes]
    while (bare := (page.parent[around] >= 0) & (letters[page.end[around]] == letters[around])).any():
        around = np.where(bare, page.parent[around], around)
    return around


def _is_small(page: Page, node: int, attributes: Mapping[str, str]) -> bool:
    """Whether an image is an icon, by its box or else by its attributes."""
    box = page.node(node).box
    if box:
        return min(box[2] - box[0], box[3] - box[1]) < SMALLEST
    said = (attributes.get(name, "").strip().removesuffix("px") for name in ("width", "height"))
    return any(text.isascii() and text.isdigit() and int(text) < SMALLEST for text in said)
