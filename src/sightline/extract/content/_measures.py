"""Measures of each text block: its text, its markup, its neighbours, its containers, and how it looks.

Every measure is a named column, so that a decision can be explained in words. Without layout the last group is NaN.
If you change a measure, grow the trees again, see `bench/content/grow.py`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, FloatArray, IntArray, LongArray, around_sum, number_rows, shifted
from sightline.extract.content._block_looks import of_looks
from sightline.extract.content._counts import (
    BlockCounts,
    MeasureColumns,
    before_sum,
    count_matches,
    shares_in,
    shares_of,
)
from sightline.extract.content._vocabulary import CREDITS, MARK_TAGS, MARKS, NOTICES, TURNS, marks_in, turn_of
from sightline.page import nearest
from sightline.signals import TextBlocks

__all__ = ["Measured", "measure"]

MeasureGroup = Iterator[tuple[str, FloatArray]]

# How far around, how many levels up and so on: set by hand, several of each, so that the trees can choose the best.
# They use about 180 of all measures; the others are there for the next time trees are grown.
AROUND = (3, 8, 20)  # blocks to both sides
NOTICES_AROUND = (5, 15)
STEPS = (1, 2, 3)  # neighbours that are considered one by one
LEVELS_UP = 4  # containers around a block
PARTS = (0.5, 0.7, 0.9)  # of the words that read like text, in one element

# Patterns and bounds of single measures.
SENTENCE_END = re.compile(r"[.!?…:;。！？][\"'”’»)\]]*(?:\s|$)")
CLOSING = '.!?…"”)。:'
BARS = re.compile(r"[|•·›»]")
WORD = re.compile(r"\w+")
HEAD = 60  # characters of a text in which digits and capitals are counted
NOTICED = 300  # characters in which notices and the words of the title are looked for
VARIED = 2_000  # characters in which distinct words are counted; in longer texts words recur anyway
LONGEST_TURN = 4  # words; longer lines begin another part of the page only if they are headings
LONGEST_HEADING = 10
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
NO_HEADING = 9.0  # the level of blocks that are not headings
OWNERS = ("p", "li", "td", "th", "dt", "dd", "div", "pre", "figcaption", "br")
COUNTED_TAGS = ("p", "article", "form", "table", "h1", "li", "img", "pre")
REPEATED = 3  # similar siblings make a list
SAME_WORDS = 6  # most nested elements with the same words that are passed on the way up

# Stands for "there is none" where a distance is measured: far more than what is near.
NO_HEADING_BEFORE, NO_TURN_BEFORE, NO_TURN_WORDS = 300, 500, 1e5
FARTHEST = 200

# Marks of elements.
MARK_ATTRIBUTES = ("class", "id", "role", "itemprop", "aria-label", "data-testid")
LONGEST_NAME = 200  # characters of a class that are read
# The name of an element that contains nearly all of a page means nothing: `body class="has-sidebar"`.
NEARLY_ALL = 0.95
ALL_MARKS = (*MARKS, *MARK_TAGS)
NEGATIVE = (
    *("navigation", "footer", "sidebar", "advert", "share", "related", "subscribe", "overlay"),
    *("in nav", "in footer"),
)
POSITIVE = ("main", "article", "in main", "in article", "product", "message")

# What a page claims to be, by the types in its JSON-LD and Open Graph data.
CLAIMED_TYPES = {
    "article": re.compile(r"article|posting(?!\w*forum)|report", re.IGNORECASE),
    "product": re.compile(r"product|offer", re.IGNORECASE),
    "forum": re.compile(r"forum|qapage|question|answer", re.IGNORECASE),
    "list": re.compile(r"itemlist|collection|searchresult", re.IGNORECASE),
    "website": re.compile(r"website|webpage|organization|business|service", re.IGNORECASE),
}
JSON_TYPE = re.compile(r'"@type"\s*:\s*"(\w+)"')


@dataclass(frozen=True, eq=False)
class Measured:
    """The measures of all blocks, one column each."""

    counts: BlockCounts
    columns: MeasureColumns

    @property
    def matrix(self) -> npt.NDArray[np.float32]:
        """All columns side by side: a row for each block."""
        return self.chosen(tuple(self.columns)).T

    def chosen(self, names: tuple[str, ...]) -> npt.NDArray[np.float32]:
        """Some columns one below the other: a row for each measure."""
        every = np.concatenate([self.columns[name] for name in names], dtype=np.float32, casting="same_kind")
        return every.reshape(len(names), -1)


def measure(blocks: TextBlocks) -> Measured:
    """Measure the blocks of a page.

    >>> from sightline.signals._text_blocks import text_blocks
    >>> from sightline.testing import list_page
    >>> measure(text_blocks(list_page(["one two", "three"]))).columns["words"].tolist()
    [2.0, 1.0]
    """
    counts = BlockCounts(blocks)
    columns: MeasureColumns = {}
    for group in (_of_text, _of_turns, _of_markup, _of_neighbours, _of_containers, _of_repetition, _of_page, of_looks):
        columns.update(group(blocks, counts))
    return Measured(counts, columns)


# ---------------------------------------------------------------------- text


def _of_text(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    texts, words = blocks.texts, np.maximum(counts.words, 1)
    yield "words", counts.words
    yield "word length", counts.characters / words
    yield "links", counts.links
    ends = count_matches(SENTENCE_END, texts)
    yield "sentences", ends
    yield "sentence length", counts.words / np.maximum(ends, 1)
    yield "closed", np.array([text[-1:] in CLOSING for text in texts], dtype=np.float64)
    yield "commas", np.array([text.count(",") for text in texts]) / words
    digits, capitals = shares_of([text[:HEAD] for text in texts], str.isdigit, str.isupper)
    yield "digits", digits
    yield "capitals", capitals
    yield "bars", count_matches(BARS, texts)
    heads = [text[:NOTICED].lower() for text in texts]
    short = [head if len(text) <= NOTICED else "" for text, head in zip(texts, heads, strict=True)]
    notices = count_matches(NOTICES, heads)
    yield "notices", notices
    yield "notices a word", notices / words
    yield "credits", count_matches(CREDITS, short)
    yield "other words", np.array([_variety(text, tokens) for text, tokens in zip(texts, blocks.tokens, strict=True)])
    for reach in NOTICES_AROUND:
        yield f"notices around {reach}", around_sum(notices, reach) / np.maximum(around_sum(counts.words, reach), 1)
    title = set(WORD.findall(blocks.page.title.lower()))
    yield "in title", shares_in(short, title)


def _variety(text: str, words: list[str]) -> float:
    """The share of distinct words in a text."""
    counted_words = words if len(text) <= VARIED else text[:VARIED].split()
    return len(set(counted_words)) / len(counted_words)


def _of_turns(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    """How far a block is behind lines that begin another part of the page, and behind a heading."""
    place = np.arange(len(blocks))
    heading = blocks.inside(blocks.page.with_tag(*HEADINGS))
    short = counts.words <= np.where(heading, LONGEST_HEADING, LONGEST_TURN)
    turns = np.full(len(blocks), -1)
    for row in np.flatnonzero(short).tolist():
        turns[row] = turn_of(blocks.texts[row])
    last = _last_marked(heading)
    yield "since heading", np.where(last >= 0, place - last, NO_HEADING_BEFORE).astype(np.float64)
    yield "heading turn", np.where(last >= 0, turns[last], -1).astype(np.float64)
    words = np.cumsum(counts.words)
    for number, name in enumerate(TURNS):
        behind = _last_marked(turns == number)
        yield f"since {name}", np.where(behind >= 0, words - words[behind], NO_TURN_WORDS)
    behind = _last_marked((turns >= 0) & heading)
    yield "since turn", np.where(behind >= 0, place - behind, NO_TURN_BEFORE).astype(np.float64)


def _last_marked(marked: BoolArray) -> npt.NDArray[np.intp]:
    """For each block the last marked one, itself or before it; -1 if there is none."""
    return np.maximum.accumulate(np.where(marked, np.arange(len(marked)), -1))


# ---------------------------------------------------------------------- markup


def _of_markup(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    page, owner = blocks.page, blocks.owner
    yield "heading", _levels(blocks)
    tags = page.tag[owner]
    for name in OWNERS:
        yield f"is {name}", (tags == page.string_id(name)).astype(np.float64)
    yield "depth", page.depth[owner].astype(np.float64)
    yield "texts", np.diff(blocks.first).astype(np.float64)
    yield "visible", blocks.visible.astype(np.float64)
    yield from _Marks(blocks, counts).columns()


def _levels(blocks: TextBlocks) -> FloatArray:
    """The level of the heading that each block is."""
    levels = np.full(len(blocks), NO_HEADING)
    for level, name in enumerate(HEADINGS, 1):
        nodes = blocks.page.with_tag(name)
        if len(nodes):
            levels[blocks.inside(nodes)] = level
    return levels


class _Marks:
    """The marks of all elements around blocks, as bits: by their names, and by their tags."""

    def __init__(self, blocks: TextBlocks, counts: BlockCounts) -> None:
        page, holders = blocks.page, counts.holders
        rank = np.zeros(len(page), dtype=np.int64)  # the position of a node among those that contain a block
        rank[holders] = np.arange(len(holders))
        self.bits = _own_marks(blocks, counts)
        self.parent = rank[np.maximum(page.parent[holders], 0)]
        self.owner = rank[blocks.owner]
        depth = page.depth[holders]
        order = np.argsort(depth, kind="stable")
        bounds = np.cumsum(np.bincount(depth))
        self.levels = [order[low:high] for low, high in pairwise(bounds.tolist())]  # without that of the root

    def columns(self) -> MeasureGroup:
        """Which marks are anywhere around, which are near, and how many are for and against."""
        around = self.bits.copy()
        for level in self.levels:
            around[level] |= around[self.parent[level]]
        for number, name in enumerate(ALL_MARKS):
            yield name, ((around[self.owner] >> number) & 1).astype(np.float64)
        near = self.bits[self.owner] | self.bits[self.parent[self.owner]]
        for number, name in enumerate(MARKS):
            yield f"near {name}", ((near >> number) & 1).astype(np.float64)
        yield "marks against", self._levels_with(NEGATIVE)
        yield "marks for", self._levels_with(POSITIVE)

    def _levels_with(self, wanted: tuple[str, ...]) -> FloatArray:
        """How many elements around each block have one of these marks."""
        bits = sum(1 << number for number, name in enumerate(ALL_MARKS) if name in wanted)
        count = ((self.bits & bits) != 0).astype(np.float64)
        for level in self.levels:
            count[level] += count[self.parent[level]]
        found: FloatArray = count[self.owner]
        return found


def _own_marks(blocks: TextBlocks, counts: BlockCounts) -> LongArray:
    """The marks of every node that contains a block."""
    page, holders = blocks.page, counts.holders
    names = [number for name in MARK_ATTRIBUTES if (number := page.string_id(name)) >= 0]
    rows = np.flatnonzero(np.isin(page.attributes.name, names))
    nodes = np.searchsorted(page.attributes.start, rows, side="right") - 1
    wanted = counts.blocks_below[nodes] > 0
    nodes, values = nodes[wanted], page.attributes.value[rows[wanted]]
    used, place = np.unique(values, return_inverse=True)
    marks = np.array([marks_in(page.strings[value][:LONGEST_NAME]) for value in used.tolist()], dtype=np.int64)
    bits = np.zeros(len(holders), dtype=np.int64)
    np.bitwise_or.at(bits, np.searchsorted(holders, nodes), marks[place])
    bits[counts.all_words[holders] >= NEARLY_ALL * counts.total] = 0
    tags = np.zeros(len(page.strings) + 1, dtype=np.int64)
    for number, tags_of in enumerate(MARK_TAGS.values(), len(MARKS)):
        tags[[page.string_id(name) for name in tags_of]] |= 1 << number
    tags[-1] = 0
    marked: LongArray = bits | tags[page.tag[holders]]
    return marked


# ---------------------------------------------------------------------- neighbours and containers


def _of_neighbours(_blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    for name, values, outside in (("words", counts.words, 0.0), ("links", counts.links, 1.0)):
        for step in STEPS:
            yield f"{name} {step} before", shifted(values, step, outside)
            yield f"{name} {step} after", shifted(values, -step, outside)
    for reach in AROUND:
        words, linked = around_sum(counts.words, reach), around_sum(counts.words * counts.links, reach)
        yield f"words around {reach}", words / (2 * reach + 1)
        yield f"links around {reach}", linked / np.maximum(words, 1)
        yield f"text around {reach}", around_sum(counts.words * counts.reads, reach) / np.maximum(words, 1)
    before, after = _distances(counts.long)
    yield "long before", before
    yield "long after", after
    text = counts.words * counts.reads
    yield "text before", before_sum(text) / max(1.0, text.sum())
    yield "words before", before_sum(counts.words) / counts.total


def _distances(marked: BoolArray) -> tuple[FloatArray, FloatArray]:
    """The number of blocks to the nearest marked one before, and after."""
    place = np.arange(len(marked), dtype=np.float64)
    before = place - np.maximum.accumulate(np.where(marked, place, -np.inf))
    after = np.minimum.accumulate(np.where(marked, place, np.inf)[::-1])[::-1] - place
    return np.minimum(before, FARTHEST), np.minimum(after, FARTHEST)


def _of_containers(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    page = blocks.page
    around = blocks.owner
    for up in range(LEVELS_UP + 1):
        words = counts.all_words[around]
        yield f"words {up} up", words
        yield f"share {up} up", words / counts.total
        yield f"links {up} up", counts.linked_words[around] / np.maximum(words, 1)
        yield f"text {up} up", counts.read_words[around] / np.maximum(words, 1)
        yield f"blocks {up} up", counts.blocks_below[around]
        around = _wider(page.parent, counts.all_words, around)
    best = _best_container(blocks, counts)
    inside = blocks.inside(np.array([best]))
    yield "in best", inside.astype(np.float64)
    yield "of best", np.full(len(blocks), counts.all_words[best] / counts.total)
    yield "off best", _distance_outside(inside)
    text = counts.read_words
    for share in PARTS:
        deepest = np.flatnonzero(text >= share * text[0])[-1] if text[0] > 0 else 0
        inside = blocks.inside(np.array([deepest]))
        yield f"in {share:.0%} of text", inside.astype(np.float64)
        yield f"off {share:.0%} of text", _distance_outside(inside)


def _wider(parent: IntArray, words: FloatArray, nodes: IntArray) -> IntArray:
    """The next element around each that contains more words."""
    around = np.maximum(parent[nodes], 0)
    for _ in range(SAME_WORDS):
        same = (words[around] <= words[nodes]) & (around > 0)
        if not same.any():
            break
        around = np.where(same, np.maximum(parent[around], 0), around)
    return around


def _best_container(blocks: TextBlocks, counts: BlockCounts) -> int:
    """The element around the most text; each block counts for its two nearest containers (as in Readability)."""
    page = blocks.page
    worth = np.where(counts.reads, 1 + np.minimum(counts.words / 20, 3) * (1 - counts.links), 0)
    parent = page.parent[blocks.owner]
    above = np.where(parent >= 0, page.parent[parent], -1)
    score = np.bincount(
        np.concatenate([parent, above]) + 1, weights=np.concatenate([worth, worth / 2]), minlength=len(page) + 1
    )
    return int(np.argmax(score[1:]))  # without what is above the root


def _distance_outside(inside: BoolArray) -> FloatArray:
    """How far a block is before (negative) or after something, as a share of the page; 0 inside it."""
    place = np.arange(len(inside), dtype=np.float64)
    rows = np.flatnonzero(inside)
    if not len(rows):
        return np.zeros(len(inside))
    off: FloatArray = (np.minimum(place - rows[0], 0) + np.maximum(place - rows[-1], 0)) / len(inside)
    return off


# ---------------------------------------------------------------------- repetition


def _of_repetition(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    group = number_rows(blocks.page.tag[blocks.owner], counts.class_of[blocks.owner])
    amount = np.bincount(group).astype(np.float64)
    words = np.bincount(group, weights=counts.words)
    linked = np.bincount(group, weights=counts.words * counts.links)
    yield "alike", amount[group]
    yield "words of alike", words[group] / counts.total
    yield "words each of alike", (words / amount)[group]
    yield "links of alike", (linked / np.maximum(words, 1))[group]
    number: dict[str, int] = {}
    texts = np.array([number.setdefault(text, len(number)) for text in blocks.texts], dtype=np.int64)
    yield "said", np.bincount(texts)[texts].astype(np.float64)
    yield "said first", np.diff(np.maximum.accumulate(texts), prepend=-1).astype(np.float64)
    yield from _of_siblings(blocks, counts)


def _of_siblings(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    """The nearest element around with similar siblings: how many there are, and how much they contain."""
    page, holders = blocks.page, counts.holders
    kind = np.zeros(len(page), dtype=np.intp)
    kind[holders] = number_rows(page.parent[holders], page.tag[holders], counts.class_of[holders])
    number = np.bincount(kind[holders]).astype(np.float64)
    words = np.bincount(kind[holders], weights=counts.all_words[holders])
    linked = np.bincount(kind[holders], weights=counts.linked_words[holders])
    repeated = np.zeros(len(page), dtype=bool)
    repeated[holders] = number[kind[holders]] >= REPEATED
    item = nearest(page.parent, repeated & ~page.is_text)[blocks.owner]
    has, item = item >= 0, np.maximum(item, 0)
    item_kind = kind[item]
    yield "siblings", np.where(has, number[item_kind], 0)
    yield "item words", np.where(has, counts.all_words[item], 0)
    yield "words an item", np.where(has, words[item_kind] / np.maximum(number[item_kind], 1), 0)
    yield "links of items", np.where(has, linked[item_kind] / np.maximum(words[item_kind], 1), 0)
    yield "words of items", np.where(has, words[item_kind] / counts.total, 0)


# ---------------------------------------------------------------------- the page as a whole


def _of_page(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    page, size = blocks.page, len(blocks)
    place = np.arange(size, dtype=np.float64)
    yield "place", place / max(1, size)
    whole = {
        "words": counts.total,
        "blocks": size,
        "links": (counts.words * counts.links).sum() / counts.total,
        "text": (counts.words * counts.reads).sum() / counts.total,
        "long": counts.long.sum(),
        "hidden": (counts.words * ~blocks.visible).sum() / counts.total,
    }
    tags = np.bincount(page.tag, minlength=len(page.strings))
    whole |= {name: tags[number] if (number := page.string_id(name)) >= 0 else 0 for name in COUNTED_TAGS}
    for name, value in whole.items():
        yield f"page {name}", np.full(size, value, dtype=np.float64)
    headings = page.with_tag("h1")
    first = np.searchsorted(blocks.start, headings[0]) if len(headings) else np.nan
    yield "after h1", place - first
    claimed = _claimed_types(blocks)
    for name in CLAIMED_TYPES:
        yield f"says {name}", np.full(size, float(name in claimed))


def _claimed_types(blocks: TextBlocks) -> set[str]:
    """What the page claims to be, in its JSON-LD and Open Graph data."""
    page = blocks.page
    kind, prop, content = page.attribute("type"), page.attribute("property"), page.attribute("content")
    scripts = np.flatnonzero((kind >= 0) & (kind == page.string_id("application/ld+json")))
    scripts_text = [page.strings[page.text[node + 1]] for node in scripts.tolist() if page.end[node] > node + 1]
    types = [name for text in scripts_text for name in JSON_TYPE.findall(text)]
    meta = np.flatnonzero((prop >= 0) & (prop == page.string_id("og:type")) & (content >= 0))
    types += [page.strings[content[node]] for node in meta.tolist()]
    return {name for name, pattern in CLAIMED_TYPES.items() if any(map(pattern.match, types))}
