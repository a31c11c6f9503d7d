"""What several measures of text blocks need: their words, links and letters, and sums of them over every subtree."""

from collections.abc import Collection
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import FloatArray, IntArray
from sightline.signals import TextBlocks, within

__all__ = ["NO_HEADING", "AroundSums", "BlockCounts", "MeasureColumns", "before_sum"]

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
        self.blocks, self._asked = blocks, asked
        page = blocks.page
        self.words = np.array([len(tokens) for tokens in blocks.tokens], dtype=np.float64)
        self.total = max(1.0, float(self.words.sum()))
        self.characters = np.array([len(text) for text in blocks.texts], dtype=np.float64)
        inside = within(blocks.nodes, page.with_tag("a", "button"), page.end)
        sizes = np.array([len(page.strings[text]) for text in page.text[blocks.nodes].tolist()], dtype=np.float64)
        total = np.bincount(blocks.block_of, weights=sizes, minlength=len(blocks))
        in_links = np.bincount(blocks.block_of, weights=sizes * inside, minlength=len(blocks))
        self.links = in_links / np.maximum(total, 1)
        self.reads = (self.words >= TEXT_WORDS) & (self.links < FEW_LINKS)
        self.long = (self.words >= LONG_WORDS) & (self.links < FEW_LINKS)

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
