"""How much of something each subtree of a page contains: one running sum per page, two look-ups per node."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyInts, BoolArray, IntArray, LongArray, prefix_sum
from sightline.page import Page, frozen

__all__ = ["PICTURES", "TagProfiles", "Tallies", "leaves_of", "texts_of"]

PICTURES = ("img", "svg", "canvas", "video", "picture")
CONTROLS = ("input", "select", "textarea", "button")


@dataclass(frozen=True, eq=False)
class Tallies:
    """Counts of what is visible below nodes: words, words in links, pictures, controls.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one", "two words"])
    >>> tallies = Tallies(page)
    >>> tallies.below(page.with_tag("li"), tallies.words).tolist()
    [1, 2]
    """

    page: Page

    def below(self, nodes: IntArray, sums: LongArray) -> IntArray:
        """How much of something each of some nodes contains."""
        return (sums[self.page.end[nodes]] - sums[nodes]).astype(np.int32)

    @cached_property
    def words(self) -> LongArray:
        """Running sum of visible words."""
        return self.page.cached(_word_sums)

    @cached_property
    def linked(self) -> LongArray:
        """Running sum of visible words in links."""
        return self.page.cached(_linked_word_sums)

    @cached_property
    def links(self) -> LongArray:
        """Running sum of links."""
        return self.page.cached(_link_sums)

    @cached_property
    def pictures(self) -> LongArray:
        """Running sum of pictures."""
        return self.page.cached(_picture_sums)

    @cached_property
    def controls(self) -> LongArray:
        """Running sum of what can be filled in or pressed."""
        return self.page.cached(_control_sums)


def _word_sums(page: Page) -> LongArray:
    return prefix_sum(page.cached(_words))


def _linked_word_sums(page: Page) -> LongArray:
    links = page.with_tag("a")
    change = np.bincount(links, minlength=len(page) + 1) - np.bincount(page.end[links], minlength=len(page) + 1)
    return prefix_sum(np.where(np.cumsum(change[:-1]) > 0, page.cached(_words), 0))


def _link_sums(page: Page) -> LongArray:
    return _tagged_sums(page, ("a",))


def _picture_sums(page: Page) -> LongArray:
    return _tagged_sums(page, PICTURES)


def _control_sums(page: Page) -> LongArray:
    return _tagged_sums(page, CONTROLS)


def _tagged_sums(page: Page, names: tuple[str, ...]) -> LongArray:
    return prefix_sum(page.mask(*names) & page.visible, np.int64)


def _words(page: Page) -> LongArray:
    """How many visible words each text has."""
    if len(page.words):
        return np.where(page.visible, np.bincount(page.words.node, minlength=len(page)), 0)
    # Without layout the words have not been separated yet.
    counts = np.zeros(len(page.strings) + 1, dtype=np.int64)
    texts = np.flatnonzero(page.visible & page.is_text & ~page.is_blank)
    used = np.unique(page.text[texts]).tolist()
    counts[used] = [len(page.strings[number].split()) for number in used]
    amount = np.zeros(len(page), dtype=np.int64)
    amount[texts] = counts[page.text[texts]]
    return amount


# The visible leaves of the tree: texts and pictures.


def texts_of(page: Page) -> BoolArray:
    """Which nodes are readable texts.

    >>> from sightline.testing import list_page
    >>> texts_of(list_page(["one", "two"])).nonzero()[0].tolist()
    [4, 6]
    """
    return page.cached(_texts)


def leaves_of(page: Page) -> BoolArray:
    """Which nodes are readable texts or visible pictures."""
    return page.cached(_leaves)


def _texts(page: Page) -> BoolArray:
    return frozen(page.is_text & ~page.is_blank & page.visible)


def _leaves(page: Page) -> BoolArray:
    return frozen(texts_of(page) | (page.mask(*PICTURES) & page.visible))


# How similar the structure of two parts of a page is: the tag paths of what is visible in them, counted and compared.
#
# The tag paths of two siblings' contents are equal exactly when the paths inside them are, so one table of counts,
# summed up over the page, tells the make of every range of nodes by one subtraction.

# Columns shared by the paths. Parts of a page have some dozens of paths; with 64 columns two of them rarely collide.
COLUMNS = 64
SPREAD = 2654435761  # Knuth's multiplier, which puts neighbouring numbers far apart

PathCounts = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class TagProfiles:
    """Counts of tag paths below any range of nodes.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one", "two"])
    >>> profiles = TagProfiles(page)
    >>> one, two = profiles.of(page.with_tag("li"), page.end[page.with_tag("li")])
    >>> bool((one == two).all())
    True
    """

    page: Page

    def of(self, starts: AnyInts, stops: AnyInts) -> PathCounts:
        """The profile of each range, as a row of length 1; paths count by the square root of their number."""
        leaves, sums = self._sums
        counts = np.sqrt(sums[leaves.searchsorted(stops)] - sums[leaves.searchsorted(starts)])
        length = np.sqrt(np.add.reduce(counts * counts, axis=1, keepdims=True))
        rows: PathCounts = counts / np.maximum(length, 1e-9)
        return rows

    @cached_property
    def _sums(self) -> tuple[IntArray, PathCounts]:
        page = self.page
        nodes = np.flatnonzero(leaves_of(page)).astype(np.int32)
        column = (page.path[nodes].astype(np.int64) * SPREAD >> 12) % COLUMNS
        sums = np.zeros((len(nodes) + 1, COLUMNS), dtype=np.float32)
        sums[np.arange(1, len(nodes) + 1), column] = 1
        return nodes, np.cumsum(sums, axis=0, out=sums)
