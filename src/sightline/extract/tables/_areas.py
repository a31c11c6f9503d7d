"""Where on a page words alone may form a table: blocks of text with dashes, bars or wide gaps on several lines."""

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray
from sightline.extract.tables._words import WIDE
from sightline.page import Page, nearest
from sightline.signals import LayoutBlocks

__all__ = ["word_areas"]

FEWEST_LINES = 3
SHORT = 4  # words a line; texts in columns with more are prose


def word_areas(page: Page, blocks: LayoutBlocks) -> list[IntArray]:
    """The words of every block that may contain a table of words."""
    shown = np.flatnonzero(page.visible[page.words.node]).astype(np.int32)
    if not len(shown) or not len(blocks):
        return []
    owner = _owners(page, blocks)[page.words.node[shown]]
    order = np.argsort(owner, kind="stable")
    shown, owner = shown[order], owner[order]
    chosen = np.flatnonzero(_is_promising(page, shown, owner, len(blocks)))
    first, last = np.searchsorted(owner, chosen), np.searchsorted(owner, chosen, side="right")
    return [shown[start:stop] for start, stop in zip(first.tolist(), last.tolist(), strict=True)]


def _is_promising(page: Page, shown: IntArray, owner: IntArray, count: int) -> BoolArray:
    """Which blocks have several lines, and something drawn on them, wide gaps, or short texts in columns."""
    box = page.words.box[shown]
    middle, height = (box[:, 1] + box[:, 3]) / 2, box[:, 3] - box[:, 1]
    same_block = owner[1:] == owner[:-1]
    same_line = same_block & (np.abs(np.diff(middle)) < height[1:] / 2)
    gap = same_line & (box[1:, 0] - box[:-1, 2] > WIDE * height[1:])
    line = np.cumsum(np.concatenate([[True], ~same_line]))
    first_gap = np.concatenate([[False], gap])
    first_gap[1:] &= ~(np.maximum.accumulate(np.where(first_gap, line, 0))[:-1] == line[1:])
    lines = _counts(owner, np.concatenate([[True], ~same_line]), count)
    several = lines >= FEWEST_LINES
    if not several.any():
        return several
    # A text that starts again higher up is laid out in columns.
    jumps = _counts(owner, np.concatenate([[False], same_block & (np.diff(middle) < -height[1:])]), count)
    short = _counts(owner, np.ones(len(owner), dtype=bool), count) <= SHORT * lines
    worth = _counts(owner, _drawn(page, page.text[page.words.node[shown]], np.append(several, False)[owner]), count) > 0
    promising: BoolArray = several & (
        worth | (_counts(owner, first_gap, count) >= FEWEST_LINES) | ((jumps > 0) & short)
    )
    return promising


def _counts(owner: IntArray, chosen: BoolArray, count: int) -> npt.NDArray[np.int64]:
    return np.bincount(owner[chosen], minlength=count + 1)[:count]


def _owners(page: Page, blocks: LayoutBlocks) -> IntArray:
    """The number of the block that contains each node; the number of blocks for nodes outside all of them."""
    marked = np.zeros(len(page), dtype=bool)
    marked[blocks.node] = True
    place = np.full(len(page) + 1, len(blocks), dtype=np.int32)
    place[blocks.node] = np.arange(len(blocks), dtype=np.int32)
    return place[nearest(page.parent, marked)[:-1]]


def _drawn(page: Page, text: IntArray, asked: BoolArray) -> BoolArray:
    """Which of the requested words are in a text with something drawn in characters."""
    texts = np.zeros(len(page.strings) + 1, dtype=bool)
    texts[text[asked]] = True
    for number in np.flatnonzero(texts).tolist():
        string = page.strings[number]
        texts[number] = (
            "---" in string or "===" in string or " | " in string or "──" in string or "━━" in string or "══" in string
        )
    return texts[text]
