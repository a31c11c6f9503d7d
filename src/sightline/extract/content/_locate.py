"""Which text nodes of a page a text consists of: the way back from the output of another extractor.

Both are compared as sequences of letters and digits, in lower case and with nothing between them, so that it does not
matter how white space, inline elements or bullets were written. Runs that occur once in the text and once on the page
are anchors, as in a patience diff; the heaviest chain of them in order is kept. Between two anchors the same is done
with shorter runs: what is ambiguous on the whole page is not between its neighbours. A round needs only one sort.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray, LongArray, prefix_sum
from sightline.page import Page, below

Hashes = npt.NDArray[np.uint64]
MatchingRun = tuple[int, int, int]  # where it begins in the text, where on the page, and its length
Chain = tuple[int, int]  # the letters of a chain of runs, and its last run

# Share of the letters of a text node; it decides about nodes that were cut, or share words with the text by chance.
# With 0.3 and 0.7 the F1 of what is located of three peers' texts on the set `content` is within 0.001 of this one's.
SHARE = 0.5
# Texts in these are code, or markup that was read as text.
UNREAD = ("head", "script", "style", "template", "iframe", "noembed", "noframes")
APART = "\0"  # separates two text nodes; no text contains it
BETWEEN = re.compile(rf"[^\w{APART}]+")
ONE_BY_ONE = 0x2E80  # from here on scripts write no spaces: every letter may begin a word
# Which runs of the text are paired with which of the page between two anchors: those that occur once; those that occur
# equally often, in order; finally each from the nearer anchor. And their length in letters, round by round.
# On the set `content` the first three rounds find 97.7 % of trafilatura's text, the first seven 99.95 %; the last ones
# are for short nodes, such as prices and names.
ONCE, EQUALLY, NEARER = range(3)
ROUNDS = (
    *((32, ONCE), (16, ONCE), (8, ONCE), (16, EQUALLY), (8, EQUALLY)),
    *((16, NEARER), (8, NEARER), (4, ONCE), (4, NEARER), (2, EQUALLY), (1, EQUALLY)),
)
# Shorter runs occur by chance: they are only looked for between anchors that are near each other, in letters. From 100
# to 2,000 letters no F1 of what is located on the set `content` moves by more than 0.0002.
SAFE, NEAR = 8, 400
# A run out of order (comments put at the end, a box that was moved) must be about half a line; with 16 letters no F1
# there moves by more than 0.0001.
LONGEST = MOVED = 32
MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)
HALF = np.uint64(32)
ALL_BITS, FIRST_BITS = np.uint64(64), np.uint64(18)  # a quarter of a megabyte, which fits the processor's cache
FEW = 64


def locate_text(page: Page, text: str, *, hidden: bool = True) -> IntArray:
    """The text nodes of the page that the text consists of, in document order.

    A node counts if at least half of its letters and digits are in the text; one without any, such as a full stop after
    a link, if the texts beside it on its line count. Visible nodes are searched first. The rest of the text is looked
    for in the others, since extractors that read HTML do not know what a style sheet hides; with `hidden=False` it is
    not.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one apple", "two pears", "three plums"])
    >>> [page.node(number).text for number in locate_text(page, "Two pears, three plums!")]
    ['two pears', 'three plums']
    """
    return _search(page, text, hidden=hidden)[0]


def located_share(page: Page, text: str, *, hidden: bool = True) -> float:
    """The share of the letters of a text found on the page; 1 for a text without any.

    >>> from sightline.testing import list_page
    >>> located_share(list_page(["one apple"]), "One apple, unseen")
    0.5714285714285714
    """
    place = _search(page, text, hidden=hidden)[1]
    return float((place >= 0).mean()) if len(place) else 1.0


@dataclass(frozen=True)
class Letters:
    """The letters and digits of texts in sequence: their codes, which of them begin a word, and their owners."""

    codes: Hashes
    begins: BoolArray
    owner: LongArray

    def __len__(self) -> int:
        return len(self.codes)

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Letters":
        """The letters of some texts, each owned by its number."""
        joined = APART.join(text.replace(APART, " ") for text in texts)
        small = BETWEEN.sub(" ", unicodedata.normalize("NFKC", joined).casefold())
        codes = np.frombuffer(small.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        letter = (codes != ord(APART)) & (codes != ord(" "))
        begins = letter & (np.concatenate([[True], ~letter[:-1]]) | (codes >= ONE_BY_ONE))
        owner = np.cumsum(codes == ord(APART))
        return cls(codes[letter].astype(np.uint64), begins[letter], owner[letter])

    def only(self, which: BoolArray) -> "Letters":
        """Some of them, as if nothing were between."""
        return Letters(self.codes[which], self.begins[which], self.owner[which])

    @cached_property
    def borders(self) -> BoolArray:
        """Before which letters, and after the last, a run may begin or end."""
        return np.append(self.begins, True)

    @cached_property
    def hashes(self) -> dict[int, Hashes]:
        """By size, a power of two: a hash of the run of so many letters from each letter, as far as there are."""
        hashes = self.codes * MIX[0]
        found = {1: hashes}
        step = 1
        while step < LONGEST:
            hashes = hashes ^ (hashes >> HALF)
            hashes = hashes[:-step] * MIX[1] + hashes[step:]
            step *= 2
            found[step] = hashes
        return found


def _search(page: Page, text: str, *, hidden: bool) -> tuple[IntArray, LongArray]:
    """The nodes, and for every letter of the text whether it was found."""
    nodes = np.flatnonzero(page.is_text & ~page.is_blank & ~_without_text(page))
    written = Letters.of([page.strings[number] for number in page.text[nodes].tolist()])
    wanted = Letters.of([text])
    place = np.full(len(wanted), -1, dtype=np.int64)
    found = np.zeros(len(nodes), dtype=np.int64)
    for shown in (True, False) if hidden else (True,):
        left = place < 0
        stream = written.only((page.visible[nodes] == shown)[written.owner])
        aligned = _align(wanted.only(left), stream)
        place[left] = aligned
        found += np.bincount(stream.owner[aligned[aligned >= 0]], minlength=len(nodes))
    size = np.bincount(written.owner, minlength=len(nodes))
    is_located = (found >= SHARE * size) & (size > 0)
    return nodes[_with_marks(page, nodes, is_located, size > 0)].astype(np.int32), place


def _without_text(page: Page) -> BoolArray:
    """Nodes inside elements without text; `noscript` is one of them if its content is a single text."""
    marked = page.mask(*UNREAD)
    plain = page.with_tag("noscript")
    marked[plain[page.end[plain] - plain <= 2]] = True
    return below(marked, page.end)


def _with_marks(page: Page, nodes: LongArray, taken: BoolArray, lettered: BoolArray) -> BoolArray:
    """The chosen nodes, and nodes of mere punctuation between them on one line."""
    line = page.borders[0][nodes]
    rows = np.flatnonzero(lettered)
    marks = np.flatnonzero(~lettered)
    if not len(rows) or not len(marks):
        return taken
    behind = np.searchsorted(rows, marks)
    sides = rows[np.maximum(behind - 1, 0)], rows[np.minimum(behind, len(rows) - 1)]
    beside = [line[side] == line[marks] for side in sides]
    agrees = [taken[side] | ~near for side, near in zip(sides, beside, strict=True)]
    both = taken.copy()
    both[marks] = (beside[0] | beside[1]) & agrees[0] & agrees[1]
    return both


def _align(text: Letters, page: Letters) -> LongArray:
    """For every letter of the text, its place in the sequence of the page, or -1."""
    runs: list[MatchingRun] = []
    place = np.full(len(text), -1, dtype=np.int64)
    free = np.ones(len(page), dtype=bool)
    for size, way in ROUNDS:
        if (place >= 0).all():
            return place
        search = Round(text, page, place, free, runs, size)
        for run in _fit(_chain(_runs(search.pairs(way), size)), runs, text, page):
            _settle(run, place, free)
    moved = Round(text, page, place, free, [], MOVED)
    for run in _runs(moved.pairs(ONCE), MOVED):
        _settle(_whole_words(run, text, page), place, free)
    return place


def _settle(run: MatchingRun, place: LongArray, free: BoolArray) -> None:
    start, at, size = run
    place[start : start + size] = np.arange(at, at + size)
    free[at : at + size] = False


@dataclass(frozen=True)
class Round:
    """The search for runs of one size, of letters that are still free, each between the same two anchors."""

    text: Letters
    page: Letters
    place: LongArray
    free: BoolArray
    anchors: Sequence[MatchingRun]
    size: int

    def pairs(self, way: int) -> tuple[LongArray, LongArray]:
        """Where runs begin in the text, in order, and where on the page."""
        text, text_gap = self._windows(self.place < 0, self.text, [run[0] for run in self.anchors])
        page, page_gap = self._windows(self.free, self.page, [run[1] for run in self.anchors])
        if self.size < SAFE:
            text, text_gap = self._near(text, text_gap)
        text_key = self.text.hashes[self.size][text] + text_gap.astype(np.uint64) * MIX[2]
        page_key = self.page.hashes[self.size][page] + page_gap.astype(np.uint64) * MIX[2]
        # Most runs of a page are not in the text, and need not be sorted.
        candidates = _may_be_among(text_key, page_key)
        text, text_gap, text_key = text[candidates], text_gap[candidates], text_key[candidates]
        candidates = _may_be_among(page_key, text_key)
        page, page_key = page[candidates], page_key[candidates]
        if not len(text) or not len(page):
            return text[:0], page[:0]
        later = self._is_later(text, text_gap)
        in_text, on_page = _pair(np.concatenate([text_key, page_key]), len(text), way, later)
        return text[in_text], page[on_page]

    def _windows(self, free: BoolArray, letters: Letters, starts: Sequence[int]) -> tuple[LongArray, LongArray]:
        """The words with which runs of free letters begin, and how many anchors precede each."""
        if len(free) < self.size:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        taken = prefix_sum(~free)
        windows = np.flatnonzero(
            (taken[self.size :] == taken[: -self.size]) & letters.begins[: len(free) - self.size + 1]
        )
        return windows, np.searchsorted(np.array(starts, dtype=np.int64), windows)

    def _near(self, text: LongArray, gap: LongArray) -> tuple[LongArray, LongArray]:
        """Those between anchors that are near each other on the page."""
        begins = np.array([0, *(at + size for _, at, size in self.anchors)])
        ends = np.array([*(at for _, at, _ in self.anchors), len(self.page)])
        near = (ends - begins <= NEAR)[gap]
        return text[near], gap[near]

    def _is_later(self, text: LongArray, gap: LongArray) -> BoolArray:
        """Which runs are nearer to the anchor after them; before the first all are, after the last none."""
        far = 2 * len(self.text)
        begins = np.array([-far, *(start + size for start, _, size in self.anchors)])
        ends = np.array([*(start for start, _, _ in self.anchors), 2 * far])
        later: BoolArray = ends[gap] - text < text - begins[gap]
        return later


def _may_be_among(keys: Hashes, others: Hashes) -> BoolArray:
    """Which keys share their first bits with one of the others."""
    occurs = np.zeros(1 << int(FIRST_BITS), dtype=bool)
    occurs[others >> (ALL_BITS - FIRST_BITS)] = True
    among: BoolArray = occurs[keys >> (ALL_BITS - FIRST_BITS)]
    return among


def _pair(keys: Hashes, texts: int, way: int, later: BoolArray) -> tuple[LongArray, LongArray]:
    """For each run of the text (the first so many keys), the run of the page with the same key it is paired with."""
    order, first = _group(keys)
    group = np.cumsum(first) - 1
    start = np.flatnonzero(first)
    size = np.diff(np.append(start, len(keys)))
    of_text = np.add.reduceat((order < texts).astype(np.int64), start)
    text_places = np.flatnonzero(order < texts)
    group = group[text_places]
    here, there = of_text[group], (size - of_text)[group]
    rank = text_places - start[group]
    if way == NEARER:
        rank = np.where(later[order[text_places]], there - here + rank, rank)
        paired = (rank >= 0) & (rank < there)
    else:
        paired = (here == there) & ((here == 1) | (way == EQUALLY))
    partner = np.full(texts, -1, dtype=np.int64)
    partner[order[text_places[paired]]] = order[(start[group] + here + rank)[paired]]
    paired_runs = np.flatnonzero(partner >= 0)
    paired_runs = paired_runs[keys[paired_runs] == keys[partner[paired_runs]]]
    return paired_runs, partner[paired_runs] - texts


def _group(keys: Hashes) -> tuple[LongArray, BoolArray]:
    """The places of equal keys together, in order, and which of them begin a group.

    The place is put into the last bits of the key, since sorting values is several times faster than sorting places.
    Keys that differ only in these bits fall into one group: it happens on no page, and pairing checks them again.
    """
    bits = np.uint64(len(keys).bit_length())
    packed: Hashes = np.sort((keys >> bits << bits) + np.arange(len(keys), dtype=np.uint64))
    group = packed >> bits
    order = (packed - (group << bits)).astype(np.int64)
    return order, np.concatenate([[True], group[1:] != group[:-1]])


def _runs(pairs: tuple[LongArray, LongArray], size: int) -> list[MatchingRun]:
    """Pairs that overlap or touch, and are equally far apart in the text and on the page, belong to one run."""
    text, page = pairs
    if not len(text):
        return []
    step = np.diff(text)
    breaks = np.flatnonzero((step > size) | (step != np.diff(page)))
    starts, lasts = np.concatenate([[0], breaks + 1]), np.append(breaks, len(text) - 1)
    lengths = text[lasts] - text[starts] + size
    return list(zip(text[starts].tolist(), page[starts].tolist(), lengths.tolist(), strict=True))


def _chain(runs: Sequence[MatchingRun]) -> list[MatchingRun]:
    """Of runs in text order, those that are also in page order and have the most letters together."""
    if all(run[1] < following[1] for run, following in pairwise(runs)):
        return list(runs)
    rank = {at: number + 1 for number, at in enumerate(sorted({run[1] for run in runs}))}
    tree = [(0, -1)] * (len(rank) + 1)
    before = []
    for number, (_, at, size) in enumerate(runs):
        weight, last = _heaviest(tree, rank[at] - 1)
        before.append(last)
        _add(tree, rank[at], (weight + size, number))
    chain = []
    number = _heaviest(tree, len(rank))[1]
    while number >= 0:
        chain.append(runs[number])
        number = before[number]
    return chain[::-1]


def _heaviest(tree: Sequence[Chain], place: int) -> Chain:
    """The heaviest chain that ends at or before a place (a Fenwick tree of maxima)."""
    found = (0, -1)
    while place > 0:
        found = max(found, tree[place])
        place -= place & -place
    return found


def _add(tree: list[Chain], place: int, chain: Chain) -> None:
    while place < len(tree):
        tree[place] = max(tree[place], chain)
        place += place & -place


def _fit(new: Sequence[MatchingRun], anchors: list[MatchingRun], text: Letters, page: Letters) -> list[MatchingRun]:
    """The new runs, in whole words, as far as they fit between their neighbours; they become anchors."""
    fitted = []
    behind = (0, 0)
    every = sorted([*((*run, False) for run in anchors), *((*run, True) for run in new)])
    for number, (start, at, size, is_new) in enumerate(every):
        end = start + size, at + size
        if is_new:
            ahead = every[number + 1][:2] if number + 1 < len(every) else (len(text), len(page))
            run = _whole_words(_extend((start, at, size), behind, ahead, text, page), text, page)
            if not run[2]:
                continue
            fitted.append(run)
            end = run[0] + run[2], run[1] + run[2]
        behind = end
    anchors += fitted
    anchors.sort()
    return fitted


def _extend(
    run: MatchingRun, behind: tuple[int, int], ahead: tuple[int, int], text: Letters, page: Letters
) -> MatchingRun:
    """The run cut to the room between its neighbours, and extended as long as the letters there are the same."""
    start, at, size = run
    cut = max(0, behind[0] - start, behind[1] - at)
    size = min(size, ahead[0] - start, ahead[1] - at) - cut
    if size <= 0:
        return start, at, 0
    start, at = start + cut, at + cut
    room = min(start - behind[0], at - behind[1])
    before = _common_prefix(text.codes[start - room : start][::-1], page.codes[at - room : at][::-1])
    start, at, size = start - before, at - before, size + before
    room = min(ahead[0] - start, ahead[1] - at) - size
    begin, other = start + size, at + size
    return start, at, size + _common_prefix(text.codes[begin : begin + room], page.codes[other : other + room])


def _common_prefix(first: Hashes, other: Hashes) -> int:
    """The number of equal elements at the start."""
    for begin in range(0, len(first), FEW):  # nearly always the first few differ
        differ = np.flatnonzero(first[begin : begin + FEW] != other[begin : begin + FEW])
        if len(differ):
            return begin + int(differ[0])
    return len(first)


def _whole_words(run: MatchingRun, text: Letters, page: Letters) -> MatchingRun:
    """The run from the first to the last place where words begin or end in both."""
    start, at, size = run
    borders = np.flatnonzero(text.borders[start : start + size + 1] & page.borders[at : at + size + 1])
    if len(borders) < 2:
        return start, at, 0
    first, last = int(borders[0]), int(borders[-1])
    return start + first, at + first, last - first
