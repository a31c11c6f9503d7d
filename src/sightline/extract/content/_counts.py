"""What several measures of text blocks need: their words, links and letters, and sums of them over every subtree."""

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyInts, BoolArray, FloatArray, IntArray, number_rows
from sightline.extract.content._lines import JoinedLines
from sightline.geometry import is_box
from sightline.page import ABSENT
from sightline.signals import TextBlocks, bold_nodes, font_sizes, within

MeasureColumns: TypeAlias = dict[str, FloatArray]

# Boilerpipe's own bounds (Kohlschütter et al. 2010): a block with at least so many words, and so few of them in links,
# reads like text. The trees also use the plain numbers, so little depends on these.
TEXT_WORDS = 10
FEW_LINKS = 1 / 3
LONG_WORDS = 30
FARTHEST_AROUND = 20  # blocks before and after one that are summed up
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
NO_HEADING = 9.0  # the level of blocks that are not headings


class BlockCounts:
    """What several measures need: words of blocks, and sums of them over every subtree."""

    def __init__(self, blocks: TextBlocks, asked: Collection[str] | None = None) -> None:
        self.blocks: TextBlocks = blocks
        self._asked = asked
        page = blocks.page
        self.lines: JoinedLines = JoinedLines(blocks.texts)
        tokens = np.array([len(tokens) for tokens in blocks.tokens], dtype=np.float64)
        self.words: FloatArray = np.maximum(tokens, self.lines.unspaced_words())
        self.total: float = max(1.0, float(self.words.sum()))
        self.characters: FloatArray = self.lines.lengths.astype(np.float64)
        self._sizes = np.array([len(page.strings[text]) for text in page.text[blocks.nodes].tolist()], dtype=np.float64)
        self._letters = np.bincount(blocks.block_of, weights=self._sizes, minlength=len(blocks))
        self.links: FloatArray = self.share_in("a", "button")
        self.reads: BoolArray = (self.words >= TEXT_WORDS) & (self.links < FEW_LINKS)
        self.long: BoolArray = (self.words >= LONG_WORDS) & (self.links < FEW_LINKS)

    def share_in(self, *tags: str) -> FloatArray:
        """The share of the letters of each block that are inside of such elements."""
        page, blocks = self.blocks.page, self.blocks
        inside = within(blocks.nodes, page.with_tag(*tags), page.end)
        letters = np.bincount(blocks.block_of, weights=self._sizes * inside, minlength=len(blocks))
        found: FloatArray = letters / np.maximum(self._letters, 1)
        return found

    def asks(self, name: str) -> bool:
        """Whether a measure is asked for."""
        return self._asked is None or name in self._asked

    @cached_property
    def level(self) -> FloatArray:
        """The level of the heading that each block is; of headings inside one another that of the lowest."""
        page = self.blocks.page
        level = np.full(len(self.blocks), NO_HEADING)
        headings = page.with_tag(*HEADINGS)
        low, high = self.blocks.start.searchsorted(np.stack([headings, page.end[headings]])).tolist()
        own = [HEADINGS.index(page.strings[tag]) + 1 for tag in page.tag[headings].tolist()]
        for number, begin, end in sorted(zip(own, low, high, strict=True)):
            level[begin:end] = number
        return level

    @cached_property
    def around(self) -> "AroundSums":
        """Words, words in links, and words that read like text, of the blocks around each."""
        return AroundSums(self.words, self.words * self.links, self.words * self.reads)

    @cached_property
    def sums(self) -> FloatArray:
        """For every node of the page, what is in the blocks that begin in it.

        The rows are words, words in links, words of blocks that read like text, and blocks.
        """
        page, start = self.blocks.page, self.blocks.start
        amounts = (self.words, self.words * self.links, self.words * self.reads, None)
        at = [np.bincount(start, weights=amount, minlength=len(page)) for amount in amounts]
        running = np.zeros((len(amounts), len(page) + 1))
        np.cumsum(at, axis=1, out=running[:, 1:])
        found: FloatArray = running.take(page.end, axis=1) - running[:, :-1]
        return found

    @property
    def all_words(self) -> FloatArray:
        """Words in every subtree."""
        words: FloatArray = self.sums[0]
        return words

    @property
    def linked_words(self) -> FloatArray:
        """Words in links, in every subtree."""
        words: FloatArray = self.sums[1]
        return words

    @property
    def read_words(self) -> FloatArray:
        """Words of blocks that read like text, in every subtree."""
        words: FloatArray = self.sums[2]
        return words

    @property
    def blocks_below(self) -> FloatArray:
        """Blocks in every subtree."""
        blocks: FloatArray = self.sums[3]
        return blocks

    @cached_property
    def holders(self) -> npt.NDArray[np.intp]:
        """The nodes that contain a block, in order: only part of the page."""
        return np.flatnonzero(self.blocks_below > 0)

    @cached_property
    def class_of(self) -> IntArray:
        """The class attribute of every node."""
        return self.blocks.page.attribute("class")


class AroundSums:
    """Sums of some amounts over the blocks around each."""

    def __init__(self, *amounts: FloatArray) -> None:
        self._count = len(amounts[0])
        # Running sums, which go on as they begin and end, so that every sum around is one difference.
        self._running = np.zeros((len(amounts), self._count + 2 * FARTHEST_AROUND + 1))
        inner = self._running[:, FARTHEST_AROUND + 1 : FARTHEST_AROUND + 1 + self._count]
        np.cumsum(amounts, axis=1, out=inner)
        self._running[:, FARTHEST_AROUND + 1 + self._count :] = inner[:, -1:]

    def within(self, reach: int) -> FloatArray:
        """A row for each amount: its sum over every block and those up to `reach` places before and after it.

        >>> AroundSums(np.array([1.0, 2, 4, 8])).within(1).tolist()
        [[3.0, 7.0, 14.0, 12.0]]
        """
        low, high = FARTHEST_AROUND - reach, FARTHEST_AROUND + reach + 1
        found: FloatArray = self._running[:, high : high + self._count] - self._running[:, low : low + self._count]
        return found


def before_sum(values: FloatArray) -> FloatArray:
    """The sum over the blocks before each.

    >>> before_sum(np.array([1.0, 2, 4])).tolist()
    [0.0, 1.0, 3.0]
    """
    found: FloatArray = np.cumsum(values) - values
    return found


# How each text block looks: its place, its column and its type. All of it is NaN without layout.

COLUMN = 8.0  # pixels; lines that begin within so many share an edge
QUARTERS = 4  # of a pixel; font sizes that differ by less are one
PLACED = {"fixed": ("fixed", "sticky"), "placed": ("absolute",)}
NOWHERE = -1e9  # stands for NaN, which is unequal to itself


def of_looks(blocks: TextBlocks, counts: BlockCounts) -> Iterator[tuple[str, FloatArray]]:
    """Place, column and type of each block."""
    page, box = blocks.page, blocks.boxes
    has_layout = bool(np.isfinite(box).any())
    wide, high = (float(np.nanmax(box[:, side], initial=1.0)) if has_layout else 1.0 for side in (2, 3))
    view = float(page.viewport[0] or wide)
    left, top, right, bottom = box.T
    width = right - left
    yield "left", left / view
    yield "middle", (left + right) / 2 / view
    yield "width", width / view
    yield "height", bottom - top
    yield "top", top
    yield "down", top / high
    yield "letters an area", counts.characters / np.maximum(width * (bottom - top), 1)
    weight = counts.words * np.isfinite(left)
    if counts.asks("edge"):
        yield "edge", _share_alike(np.round(left / COLUMN), weight)
    column = _column(left, right, weight * counts.reads)
    yield "in column", _overlap(left, right, column) if column else np.full(len(blocks), np.nan)
    yield "column width", np.full(len(blocks), (column[1] - column[0]) / view if column else np.nan)
    yield from _of_fonts(blocks, counts, weight)
    for name, values in PLACED.items():
        if counts.asks(name):
            yield name, _placed(blocks, *values)
    owner = page.box[blocks.owner]
    yield "block width", np.where(is_box(owner), owner[:, 2] - owner[:, 0], np.nan) / view


def _share_alike(values: FloatArray, weight: FloatArray) -> FloatArray:
    """The share of the page's words that have the same value as each block."""
    is_known = np.isfinite(values)
    if not is_known.any():
        return np.full(len(values), np.nan)
    group = np.unique(np.where(is_known, values, NOWHERE), return_inverse=True)[1]
    return np.where(is_known, _share_of_group(group, weight), np.nan)


def _share_of_group(group: AnyInts, weight: FloatArray) -> FloatArray:
    """The share of the page's words in the group of each block."""
    shares: FloatArray = (np.bincount(group, weights=weight) / max(1.0, weight.sum()))[group]
    return shares


def _column(left: FloatArray, right: FloatArray, weight: FloatArray) -> tuple[float, float] | None:
    """The column of the text: the weighted median of its edges."""
    return (_median(left, weight), _median(right, weight)) if weight.sum() else None


def _median(values: FloatArray, weight: FloatArray) -> float:
    """The weighted median of the known values."""
    known = np.flatnonzero(np.isfinite(values) & (weight > 0))
    order = known[np.argsort(values[known])]
    half = weight[order].sum() / 2
    return float(values[order[np.searchsorted(np.cumsum(weight[order]), half)]])


def _overlap(left: FloatArray, right: FloatArray, column: tuple[float, float]) -> FloatArray:
    """How much of the narrower of block and column is in the other, from 1 down to -1 far beside it."""
    shared = np.minimum(right, column[1]) - np.maximum(left, column[0])
    return np.clip(shared / np.maximum(np.minimum(right - left, column[1] - column[0]), 1), -1, 1)


def _of_fonts(blocks: TextBlocks, counts: BlockCounts, weight: FloatArray) -> Iterator[tuple[str, FloatArray]]:
    """Size, weight and colour of the type of each block."""
    page, nodes = blocks.page, blocks.start
    if not page.style_names:
        for name in ("font size", "font ratio", "bold", "look", "colour"):
            yield name, np.full(len(blocks), np.nan)
        return
    size = font_sizes(page)[nodes].astype(np.float64)
    reads = weight * counts.reads
    yield "font size", size
    yield "font ratio", size / (_median(size, reads) if reads.sum() else np.nan)
    bold = bold_nodes(page)[nodes]
    yield "bold", bold.astype(np.float64)
    colour = page.style_column("color")[nodes]
    yield (
        "look",
        _share_of_group(number_rows(np.round(size * QUARTERS).astype(np.int64), bold.astype(np.int64), colour), weight),
    )
    yield "colour", _share_of_group(colour - ABSENT, weight)


def _placed(blocks: TextBlocks, *values: str) -> FloatArray:
    """Which blocks are inside an element with one of these positions."""
    page = blocks.page
    ids = [number for value in values if (number := page.style_id(value)) >= 0]
    placed = np.flatnonzero(np.isin(page.style_column("position"), ids))
    return blocks.inside(placed).astype(np.float64)
