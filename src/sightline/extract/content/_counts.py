"""What several measures of text blocks need: their words, links and letters, and sums of them over every subtree."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import FloatArray, IntArray, prefix_sum
from sightline.signals import TextBlocks, within

__all__ = [
    "BlockCounts",
    "MeasureColumns",
    "before_sum",
    "count_matches",
    "shares_in",
    "shares_of",
]

MeasureColumns: TypeAlias = dict[str, FloatArray]

# Boilerpipe's own bounds (Kohlschütter et al. 2010): a block with at least so many words, and so few of them in links,
# reads like text. The trees also use the plain numbers, so little depends on these.
TEXT_WORDS = 10
FEW_LINKS = 1 / 3
LONG_WORDS = 30


class BlockCounts:
    """What several measures need: words of blocks, and sums of them over every subtree."""

    def __init__(self, blocks: TextBlocks) -> None:
        self.blocks = blocks
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

    def below(self, amount: FloatArray) -> FloatArray:
        """For every node of the page, the amount in the blocks that begin in it."""
        page = self.blocks.page
        at = np.bincount(self.blocks.start, weights=amount, minlength=len(page))
        running = prefix_sum(at)
        amounts: FloatArray = running[page.end] - running[:-1]
        return amounts

    @cached_property
    def all_words(self) -> FloatArray:
        """Words in every subtree."""
        return self.below(self.words)

    @cached_property
    def linked_words(self) -> FloatArray:
        """Words in links, in every subtree."""
        return self.below(self.words * self.links)

    @cached_property
    def read_words(self) -> FloatArray:
        """Words of blocks that read like text, in every subtree."""
        return self.below(self.words * self.reads)

    @cached_property
    def blocks_below(self) -> FloatArray:
        """Blocks in every subtree."""
        return self.below(np.ones(len(self.blocks)))

    @cached_property
    def holders(self) -> npt.NDArray[np.intp]:
        """The nodes that contain a block, in order: only part of the page."""
        return np.flatnonzero(self.blocks_below > 0)

    @cached_property
    def class_of(self) -> IntArray:
        """The class attribute of every node."""
        return self.blocks.page.attribute("class")


def before_sum(values: FloatArray) -> FloatArray:
    """The sum over the blocks before each.

    >>> before_sum(np.array([1.0, 2, 4])).tolist()
    [0.0, 1.0, 3.0]
    """
    found: FloatArray = np.cumsum(values) - values
    return found


def count_matches(pattern: re.Pattern[str], texts: Sequence[str]) -> FloatArray:
    """How often a pattern that never crosses lines is found in each text; all texts are searched in one go.

    >>> count_matches(re.compile("o"), ["two", "one too", "three"]).tolist()
    [1.0, 3.0, 0.0]
    """
    stops = np.cumsum([len(text) + 1 for text in texts])
    places = [found.start() for found in pattern.finditer("\n".join(texts))]
    rows = np.searchsorted(stops, places, side="right")
    return np.bincount(rows, minlength=len(texts)).astype(np.float64)


def shares_of(texts: Sequence[str], *tests: Callable[[str], bool]) -> list[FloatArray]:
    """For each test, the share of the characters of each text that pass it.

    >>> [one.tolist() for one in shares_of(["A1", "abcd"], str.isdigit, str.isupper)]
    [[0.5, 0.0], [0.5, 0.0]]
    """
    joined = "".join(texts)
    signs = set(joined)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    lengths = np.array([len(text) for text in texts])
    bounds = prefix_sum(lengths)
    shares = []
    for test in tests:
        passes = np.zeros(int(codes.max(initial=0)) + 1, dtype=bool)
        passes[[ord(sign) for sign in signs if test(sign)]] = True
        running = prefix_sum(passes[codes])
        shares.append(np.diff(running[bounds]) / np.maximum(lengths, 1))
    return shares


def shares_in(texts: Sequence[str], words: Collection[str]) -> FloatArray:
    """The share of some words that each text contains.

    >>> shares_in(["the bees dance", "a beehive", "bees"], {"bees", "the"}).tolist()
    [1.0, 0.0, 0.5]
    """
    joined = "\n".join(texts)
    stops = np.cumsum([len(text) + 1 for text in texts])
    has = np.zeros(len(texts))
    for word in words:
        rows = np.searchsorted(stops, list(_places(word, joined)), side="right")
        has[np.unique(rows)] += 1
    return has / max(1, len(words))


def _places(word: str, text: str) -> Iterator[int]:
    """Where a word occurs in a text, except as part of another word."""
    place = text.find(word)
    while place >= 0:
        end = place + len(word)
        if not (_in_word(text[place - 1 : place]) or _in_word(text[end : end + 1])):
            yield place
        place = text.find(word, end)


def _in_word(sign: str) -> bool:
    """Whether a character can be part of a word."""
    return sign.isalnum() or sign == "_"
