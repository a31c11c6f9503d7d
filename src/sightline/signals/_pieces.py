"""The texts of a page as people take them in: lines, and the pieces of a line that lead to different places.

A line goes on until a block, a cell or a break parts it. A piece of it is one link, or what stands
between links or wide gaps.
What only makes letters bold or slanted parts nothing. Columns of records are made of pieces that have one make.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyInts, BoolArray, IntArray, LongArray, prefix_sum
from sightline.page import Page, frozen, nearest, subtree_counts

# Tags that change how a text looks but not what it is.
DECORATION = (
    *("b", "strong", "em", "i", "mark", "u", "small", "big", "font", "wbr", "sup", "sub", "nobr", "code", "ins"),
    *("abbr", "cite", "q", "tt", "kbd", "samp", "var", "bdi", "bdo", "center"),
)
# Of the height of a line. A space is about a quarter of it wide; at twice that people see two things.
GAP = 0.5


@dataclass(frozen=True, eq=False)
class Pieces:
    """The texts that can be read, in order, and for each the line and the piece that it is in, and where it hangs.

    >>> from sightline.testing import list_page
    >>> pieces = Pieces(list_page(["one", "two"]))
    >>> pieces.text.tolist(), (pieces.line - pieces.line[0]).tolist()
    ([4, 6], [0, 2])
    """

    page: Page

    @cached_property
    def text(self) -> IntArray:
        """The readable text nodes."""
        return np.flatnonzero(texts_of(self.page)).astype(np.int32)

    @cached_property
    def line(self) -> IntArray:
        """A number for the line of each text."""
        return borders_of(self.page)[self.text]

    @cached_property
    def link(self) -> IntArray:
        """The link that each text is in, or -1."""
        return nearest(self.page.parent, self._tagged("a"))[self.text].astype(np.int32)

    @cached_property
    def piece(self) -> IntArray:
        """A number for the piece of each text."""
        changes = (np.diff(self.line) != 0) | (np.diff(self.link) != 0) | (np.diff(self._struck) != 0) | self._apart
        return prefix_sum(changes)[: len(self.text)].astype(np.int32)

    @cached_property
    def _struck(self) -> IntArray:
        """The element that strikes out each text, or -1: an old price is not part of the new one."""
        return nearest(self.page.parent, self._tagged("s", "del", "strike"))[self.text].astype(np.int32)

    @cached_property
    def _apart(self) -> BoolArray:
        """Where two neighbouring texts of different elements are further apart on their line than words are."""
        words = self.page.words
        if len(self.text) < 2 or not len(words):
            return np.zeros(max(0, len(self.text) - 1), dtype=bool)
        first = np.minimum(np.searchsorted(words.node, self.text), len(words) - 1)
        last = np.searchsorted(words.node, self.text, side="right") - 1
        before, after = words.box[last[:-1]], words.box[first[1:]]
        height = np.minimum(before[:, 3] - before[:, 1], after[:, 3] - after[:, 1])
        apart: BoolArray = (after[:, 0] - before[:, 2] > GAP * height) & (np.diff(self.holder) != 0)
        return apart

    @cached_property
    def holder(self) -> IntArray:
        """The element that makes each text what it is: the nearest that does more than decorate it."""
        holds = ~(self.page.is_text | self._tagged(*DECORATION))
        return nearest(self.page.parent, holds)[self.text].astype(np.int32)

    def _tagged(self, *names: str) -> BoolArray:
        return self.page.mask(*names)


# What stands one after another inside each element: its blocks, and the lines of text between them.
#
# Repetition is looked for among these. A line is a run of texts and inline elements that no block parts, so that a word
# in bold isn't an unit of its own; a break (`<br>`) begins a new line.


@dataclass(frozen=True, eq=False)
class Units:
    """All units, those of one element together and in order: from node `start` up to `stop`.

    `line` tells lines of text from blocks, `first` is where the units of each of the `parent`s begin.
    """

    start: IntArray
    stop: IntArray
    line: BoolArray
    parent: IntArray
    first: IntArray

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def of(self) -> dict[int, int]:
        """The index of each parent's units in `first`."""
        return {parent: place for place, parent in enumerate(self.parent.tolist())}


def units_of(page: Page) -> Units:
    """The units of a page.

    >>> from sightline.testing import list_page
    >>> units = units_of(list_page(["one", "two"]))
    >>> units.start.tolist(), units.parent.tolist()
    ([1, 2, 3, 5, 4, 6], [0, 1, 2, 3, 5])
    """
    inked = subtree_counts(leaves_of(page), page.end) > 0
    child = np.flatnonzero(inked & (page.parent >= 0))
    child = child[np.argsort(page.parent[child], kind="stable")]
    parent = page.parent[child]
    blocks = page.is_block | page.is_cell
    line = subtree_counts(blocks, page.end)[child] == 0
    borders = borders_of(page)
    same = (parent[1:] == parent[:-1]) & line[1:] & line[:-1] & (borders[child[1:]] == borders[child[:-1]])
    begins = np.concatenate([[True], ~same])[: len(child)]
    head = np.flatnonzero(begins)
    last = np.append(head[1:], len(child))[: len(head)] - 1
    holder = parent[head]
    first = np.flatnonzero(np.concatenate([[True], holder[1:] != holder[:-1]])[: len(holder)])
    return Units(
        start=child[head].astype(np.int32),
        stop=page.end[child[last]],
        line=line[head],
        parent=holder[first].astype(np.int32),
        first=np.append(first, len(head)).astype(np.int32),
    )


def borders_of(page: Page) -> IntArray:
    """How many blocks and cells have begun or ended up to each node; texts with one number are read as one line."""
    blocks, cells = page.borders
    return blocks + cells


# How much of something each subtree of a page contains: one running sum per page, two look-ups per node.

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
