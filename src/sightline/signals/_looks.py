"""How nodes look, as numbers: computed styles decoded once per distinct style and mapped to the nodes."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray
from sightline.page import Page

__all__ = ["CLEAR", "Looks", "bold_nodes", "first_texts", "font_sizes", "is_bold", "looks_of", "pixels"]

CLEAR = -1  # no background of its own
BOLD = 600
TRANSPARENT = re.compile(r"transparent|rgba\([^)]*,\s*0\)|.*/\s*0\)")
_SIDES = ("top", "right", "bottom", "left")


@dataclass(frozen=True, eq=False)
class Looks:
    """One row per node: weight, slant, background (as an id), size, and whether it has visible borders."""

    bold: BoolArray
    italic: BoolArray
    background: IntArray
    size: npt.NDArray[np.float32]
    lined: BoolArray


def looks_of(page: Page) -> Looks:
    """The looks of every node; on a page without styles all look the same."""
    return page.kept(_looks)


def bold_nodes(page: Page) -> BoolArray:
    """The `bold` of the looks alone, for those who need nothing else."""
    return page.kept(_bold)


def font_sizes(page: Page) -> npt.NDArray[np.float32]:
    """The `size` of the looks alone."""
    return page.kept(_sizes)


def _looks(page: Page) -> Looks:
    of = page.style_of
    return Looks(
        bold=bold_nodes(page),
        italic=_decoded(page, "font-style", lambda value: value != "normal", 0).astype(bool)[of],
        background=_backgrounds(page)[of],
        size=font_sizes(page),
        lined=_lined(page)[of],
    )


def _bold(page: Page) -> BoolArray:
    return _decoded(page, "font-weight", is_bold, 0).astype(bool)[page.style_of]


def _sizes(page: Page) -> npt.NDArray[np.float32]:
    return _decoded(page, "font-size", pixels, 0)[page.style_of]


def first_texts(page: Page, nodes: IntArray) -> IntArray:
    """The text with the first word of each node, which stands for the node's look; or the node itself.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one"])
    >>> page.node(first_texts(page, page.with_tag("li"))[0])
    <Node 4 #text>
    """
    if not len(page.words):
        return nodes
    place = np.minimum(np.searchsorted(page.words.node, nodes), len(page.words) - 1)
    first = page.words.node[place]
    return np.where((first >= nodes) & (first < page.end[nodes]), first, nodes).astype(np.int32)


def _decoded(page: Page, name: str, decode: Callable[[str], float], absent: float) -> npt.NDArray[np.float32]:
    """A property as a number for each distinct style."""
    decoded: dict[int, float] = {-1: absent}
    values = _ids(page, name).tolist()
    for value in values:
        if value not in decoded:
            decoded[value] = decode(page.strings[value])
    return np.array([decoded[value] for value in values], dtype=np.float32)


def _ids(page: Page, name: str) -> IntArray:
    if name not in page.style_names:
        return np.full(len(page.styles), -1, dtype=np.int32)
    return page.styles[:, page.style_names.index(name)]


def is_bold(weight: str) -> bool:
    """Whether a `font-weight` is that of bold letters."""
    return weight == "bold" or (weight.isdigit() and int(weight) >= BOLD)


def pixels(length: str) -> float:
    """A computed length in pixels as a number; 0 for any other."""
    number = length.removesuffix("px")
    return float(number) if re.fullmatch(r"-?\d+(\.\d+)?", number) else 0.0


def _backgrounds(page: Page) -> IntArray:
    values, place = np.unique(_ids(page, "background-color"), return_inverse=True)
    backgrounds = [
        CLEAR if value < 0 or TRANSPARENT.fullmatch(page.strings[value]) else value for value in values.tolist()
    ]
    return np.array(backgrounds, dtype=np.int32)[place]


def _lined(page: Page) -> BoolArray:
    """Which nodes have a visible border on some side."""
    lined = np.zeros(len(page.styles), dtype=bool)
    none, hidden, nothing = (page.style_id(value) for value in ("none", "hidden", "0px"))
    for side in _SIDES:
        style, width = _ids(page, f"border-{side}-style"), _ids(page, f"border-{side}-width")
        drawn = (style >= 0) & (style != none) & (style != hidden)
        lined |= drawn & (width >= 0) & (width != nothing)
    return lined
