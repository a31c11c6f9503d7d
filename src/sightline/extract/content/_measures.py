"""Measures of each text block: its text, its markup, its neighbours, its containers, and how it looks.

Every measure is a named column, so that a decision can be explained in words. Without layout the last group is NaN.
If you change a measure, grow the trees again, see `bench/content/grow.py`.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyInts, BoolArray, FloatArray, IndexArray, LongArray, number_rows
from sightline.extract.content._counts import (
    NO_HEADING,
    AroundSums,
    BlockCounts,
    MeasureColumns,
    before_sum,
    of_looks,
)
from sightline.extract.content._lines import (
    BAR,
    BLANK,
    CAPITAL,
    CLOSER,
    CLOSERS,
    CLOSING,
    COMMA,
    CREDIT_STARTS,
    CREDITS,
    DIGIT,
    ENDING,
    ENDINGS,
    MARK_TAGS,
    MARKS,
    NOTICE_STARTS,
    NOTICES,
    STOP,
    STOPS,
    TURNS,
    JoinedLines,
    StartFilter,
    marks_of,
    turn_of,
)
from sightline.page import Page, nearest
from sightline.signals import TextBlocks

MeasureGroup = Iterator[tuple[str, FloatArray]]

# How far around, how many levels up and so on: set by hand, several of each, so that the trees can choose the best.
# They use about 180 of all measures; the others are there for the next time trees are grown.
AROUND = (3, 8, 20)  # blocks to both sides
NOTICES_AROUND = (5, 15)
STEPS = (1, 2, 3)  # neighbours that are considered one by one
LEVELS_UP = 4  # containers around a block
PARTS = (0.5, 0.7, 0.9)  # of the words that read like text, in one element

# Patterns and bounds of single measures.
SENTENCE_END = re.compile(rf"[{STOPS}]|[{ENDINGS}][{re.escape(CLOSERS)}]*(?:\s|$)")
NOTICE_FILTER = StartFilter(NOTICES, NOTICE_STARTS, ("©",))
CREDIT_FILTER = StartFilter(CREDITS, CREDIT_STARTS, ("©", "(c)"))
WORD = re.compile(r"\w+")
HEAD = 60  # characters of a text in which digits and capitals are counted
NOTICED = 300  # characters in which notices and the words of the title are looked for
VARIED = 2_000  # characters in which distinct words are counted; in longer texts words recur anyway
LONGEST_TURN = 4  # words; longer lines begin another part of the page only if they are headings
LONGEST_HEADING = 10
OWNERS = ("p", "li", "td", "th", "dt", "dd", "div", "pre", "figcaption", "br")
PICTURES = ("img", "picture", "video", "iframe", "svg")
COUNTED_TAGS = ("p", "article", "form", "table", "h1", "li", "img", "pre")
TINY = 1e-9  # words that each block counts for where none reads like text
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
POSITIVE = ("main", "article", "body", "in main", "in article", "product", "message")
TAG_BITS = {tag: 1 << number for number, tags in enumerate(MARK_TAGS.values(), len(MARKS)) for tag in tags}
AGAINST, FOR = (
    sum(1 << number for number, name in enumerate(ALL_MARKS) if name in wanted) for wanted in (NEGATIVE, POSITIVE)
)
FOR_COUNT = 32  # bits of a number that counts two things: marks against, and above these bits marks for

# Names of columns that are made all at once.
SINCE_TURNS = tuple(f"since {name}" for name in TURNS)
IS_OWNERS = tuple(f"is {name}" for name in OWNERS)
NEAR_MARKS = tuple(f"near {name}" for name in MARKS)

# What a page claims to be, by the types in its JSON-LD and Open Graph data.
CLAIMED_TYPES = {
    "article": re.compile(r"article|posting(?!\w*forum)|report", re.IGNORECASE),
    "product": re.compile(r"product|offer", re.IGNORECASE),
    "forum": re.compile(r"forum|qapage|question|answer", re.IGNORECASE),
    "list": re.compile(r"itemlist|collection|searchresult", re.IGNORECASE),
    "website": re.compile(r"website|webpage|organization|business|service", re.IGNORECASE),
}
# Where a page has its text, or the beginning of it, for machines.
DESCRIPTIONS = (("property", "og:description"), ("name", "description"))
OWN_TEXT = re.compile(r'"articleBody"\s*:\s*"((?:[^"\\]|\\.)*+)"')
UNWRITTEN = re.compile(r"\\[nrtbf]|<[^>]*>|&\w+;")
LEAST_OWN_TEXT, PROBE, LEAST_PROBE = 100, 50, 8  # letters: of such a text, and of what is looked for in it
JSON_TYPE = re.compile(r'"@type"\s*:\s*"(\w+)"')


@dataclass(frozen=True, eq=False)
class Measured:
    """The measures of all blocks, one column each."""

    counts: BlockCounts
    columns: MeasureColumns

    @property
    def matrix(self) -> npt.NDArray[np.float32]:
        """All columns side by side: a row for each block."""
        return self.table.T.astype(np.float32)

    @cached_property
    def table(self) -> FloatArray:
        """All columns one below the other: a row for each measure."""
        return np.concatenate(list(self.columns.values())).reshape(len(self.columns), -1)

    def chosen(self, names: Sequence[str]) -> FloatArray:
        """Some rows of the table."""
        rows: FloatArray = self.table.take([self._place[name] for name in names], axis=0)
        return rows

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.columns)}


def measure(blocks: TextBlocks, asked: Collection[str] | None = None) -> Measured:
    """Measure the blocks of a page; of what takes time and was not asked for, nothing.

    >>> from sightline.signals._text_blocks import text_blocks
    >>> from sightline.testing import list_page
    >>> measure(text_blocks(list_page(["one two", "three"]))).columns["words"].tolist()
    [2.0, 1.0]
    """
    counts = BlockCounts(blocks, asked)
    columns: MeasureColumns = {}
    for group in (_of_text, _of_turns, _of_markup, _of_neighbours, _of_containers, _of_repetition, _of_page, of_looks):
        columns.update(group(blocks, counts))
    return Measured(counts, columns)


# ---------------------------------------------------------------------- text


def _of_text(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    words = np.maximum(counts.words, 1)
    lines = counts.lines
    yield "words", counts.words
    yield "word length", counts.characters / words
    yield "links", counts.links
    ends = _sentence_ends(lines)
    yield "sentences", ends
    yield "sentence length", counts.words / np.maximum(ends, 1)
    yield "closed", ((lines.nature[lines.starts[1:] - 2] & CLOSING) != 0).astype(np.float64)
    yield "commas", lines.count(lines.places(COMMA)) / words
    yield "digits", lines.shares(DIGIT, HEAD)
    yield "capitals", lines.shares(CAPITAL, HEAD)
    yield "bars", lines.count(lines.places(BAR))
    heads = lines.small(NOTICED)
    is_short = counts.characters <= NOTICED
    notices = NOTICE_FILTER.count(heads)
    yield "notices", notices
    yield "notices a word", notices / words
    yield "credits", CREDIT_FILTER.count(heads) * is_short
    yield "other words", _variety(blocks)
    notices_around = AroundSums(notices)
    for reach in NOTICES_AROUND:
        yield f"notices around {reach}", notices_around.within(reach)[0] / np.maximum(counts.around.within(reach)[0], 1)
    title = frozenset(WORD.findall(blocks.page.title.lower()))
    yield "in title", heads.with_words(title) * is_short / max(1, len(title))
    told = frozenset(WORD.findall(_description(blocks.page).lower()))
    yield "of description", heads.with_words(told) / len(told) if told else np.full(len(blocks), np.nan)
    yield "in own text", _in_own_text(blocks)


def _description(page: Page) -> str:
    """How the page describes its text in a line or two, often the words with which it begins."""
    contents = page.attribute("content")
    for key, name in DESCRIPTIONS:
        if (called := page.value_id(key, name)) >= 0:
            told = np.flatnonzero((page.attribute(key) == called) & (contents >= 0))
            if len(told):
                described: str = page.strings[contents[told[0]]]
                return described
    return ""


def _in_own_text(blocks: TextBlocks) -> FloatArray:
    """How much of each block, of its beginning and its end, is in the text that the page has in its JSON-LD."""
    own = [text for script in _linked_data(blocks.page) for text in OWN_TEXT.findall(script)]
    whole = _letters_of(UNWRITTEN.sub(" ", max(own, key=len))) if own else ""
    if len(whole) < LEAST_OWN_TEXT:
        return np.full(len(blocks), np.nan)
    found = np.zeros(len(blocks))
    for row, text in enumerate(blocks.texts):
        begin, end = _letters_of(text[:PROBE]), _letters_of(text[-PROBE:])
        found[row] = ((begin in whole) + (end in whole)) / 2 if len(begin) >= LEAST_PROBE else np.nan
    return found


def _letters_of(text: str) -> str:
    """The letters and digits of a text, in small letters."""
    return "".join(WORD.findall(text.lower()))


def _sentence_ends(lines: JoinedLines) -> FloatArray:
    """How many sentences end in each line."""
    marks = lines.places(ENDING)
    behind = lines.nature[marks + 1]
    ends = marks[((behind & BLANK) | (lines.nature[marks] & STOP)) != 0].tolist()
    quoted = marks[((behind & CLOSER) != 0) & ((lines.nature[marks] & STOP) == 0)].tolist()
    return lines.count([*ends, *(place for place in quoted if SENTENCE_END.match(lines.text, place))])


def _variety(blocks: TextBlocks) -> FloatArray:
    """The share of distinct words in each text."""
    shares = [len(set(words)) / len(words) if len(words) > 1 else 1.0 for words in blocks.tokens]
    for row, text in enumerate(blocks.texts):
        if len(text) > VARIED:
            words = text[:VARIED].split()
            shares[row] = len(set(words)) / len(words)
    return np.array(shares)


def _of_turns(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    """How far a block is behind lines that begin another part of the page, and behind a heading."""
    place, heading = np.arange(len(blocks)), counts.level < NO_HEADING
    short = counts.words <= np.where(heading, LONGEST_HEADING, LONGEST_TURN)
    turns = np.full(len(blocks), -1)
    turns[short] = [turn_of(blocks.texts[row]) for row in np.flatnonzero(short).tolist()]
    kinds = np.arange(len(TURNS))[:, None]
    last = _last_marked(np.concatenate([[heading, (turns >= 0) & heading], turns == kinds]))
    behind, words = last >= 0, np.cumsum(counts.words)
    yield "since heading", np.where(behind[0], place - last[0], NO_HEADING_BEFORE).astype(np.float64)
    yield "heading turn", np.where(behind[0], turns[last[0]], -1).astype(np.float64)
    yield from zip(SINCE_TURNS, np.where(behind[2:], words - words.take(last[2:]), NO_TURN_WORDS), strict=True)
    yield "since turn", np.where(behind[1], place - last[1], NO_TURN_BEFORE).astype(np.float64)


def _last_marked(marked: BoolArray) -> npt.NDArray[np.intp]:
    """In each row, for each block the last marked one, itself or before it; -1 if there is none."""
    return np.maximum.accumulate(np.where(marked, np.arange(marked.shape[1]), -1), axis=1)


# ---------------------------------------------------------------------- markup


def _of_markup(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    page, owner = blocks.page, blocks.owner
    yield "heading", counts.level
    names = np.array([page.tag_id(name) for name in OWNERS])[:, None]
    yield from zip(IS_OWNERS, (page.tag[owner] == names).astype(np.float64), strict=True)
    yield "depth", page.depth[owner].astype(np.float64)
    yield "texts", np.diff(blocks.first).astype(np.float64)
    yield "visible", blocks.visible.astype(np.float64)
    yield "strong", counts.share_in("b", "strong")
    yield "slanted", counts.share_in("em", "i", "cite")
    yield from _of_pictures(blocks)
    yield from _of_marks(blocks, counts)


def _of_pictures(blocks: TextBlocks) -> MeasureGroup:
    """How many pictures and frames stand right before and after each block; captions are beside them."""
    places = blocks.page.with_tag(*PICTURES)
    seen = places.searchsorted(np.append(blocks.start, len(blocks.page))).astype(np.float64)
    between = np.diff(seen)
    yield "pictures before", np.append(seen[0], between[:-1])
    yield "pictures after", between


def _of_marks(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    """Which marks are anywhere around, which are near, and how many elements have marks for and against.

    The marks of an element are bits: by its names, and by its tags.
    """
    page, holders = blocks.page, counts.holders
    rank = np.full(len(page) + 1, len(holders))  # the position of a node among those that contain a block
    rank[holders] = np.arange(len(holders))
    parent, owner = np.append(rank[page.parent[holders]], len(holders)), rank[blocks.owner]
    bits = np.append(_own_marks(blocks, counts), 0)  # the last row is above the root
    # For and against are counted in one number, far from each other.
    levels = ((bits & AGAINST) != 0) + (((bits & FOR) != 0).astype(np.int64) << FOR_COUNT)
    around, above = bits.copy(), parent
    while (above < len(holders)).any():
        around |= around.take(above)
        levels += levels.take(above)
        above = above.take(above)
    yield from zip(ALL_MARKS, _bits_of(around[owner], len(ALL_MARKS)), strict=True)
    yield from zip(NEAR_MARKS, _bits_of((bits | bits[parent])[owner], len(MARKS)), strict=True)
    yield "marks against", (levels[owner] & ((1 << FOR_COUNT) - 1)).astype(np.float64)
    yield "marks for", (levels[owner] >> FOR_COUNT).astype(np.float64)


def _bits_of(marks: LongArray, count: int) -> FloatArray:
    """A row for each of the lowest bits, whether it is set."""
    return ((marks >> np.arange(count)[:, None]) & 1).astype(np.float64)


def _own_marks(blocks: TextBlocks, counts: BlockCounts) -> LongArray:
    """The marks of every node that contains a block."""
    page, holders = blocks.page, counts.holders
    is_naming = np.zeros(len(page.strings) + 1, dtype=bool)
    is_naming[[page.attribute_id(name) for name in MARK_ATTRIBUTES]] = True
    is_naming[-1] = False
    rows = np.flatnonzero(is_naming[page.attributes.name])
    nodes = page.attributes.start.searchsorted(rows, side="right") - 1
    wanted = counts.blocks_below[nodes] > 0
    nodes, values = nodes[wanted], page.attributes.value[rows[wanted]].tolist()
    called = {value: page.strings[value][:LONGEST_NAME] for value in set(values)}
    marks = marks_of(called.values())
    bits = np.zeros(len(page), dtype=np.int64)
    np.bitwise_or.at(bits, nodes, np.array([marks[called[value]] for value in values], dtype=np.int64))
    bits = bits[holders]
    bits[counts.all_words[holders] >= NEARLY_ALL * counts.total] = 0
    tags = np.zeros(len(page.strings), dtype=np.int64)
    for name, marked_as in TAG_BITS.items():
        if (number := page.tag_id(name)) >= 0:
            tags[number] = marked_as
    marked: LongArray = bits | tags[page.tag[holders]]
    return marked


# ---------------------------------------------------------------------- neighbours and containers


def _of_neighbours(_blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    for name, values, outside in (("words", counts.words, 0.0), ("links", counts.links, 1.0)):
        beyond = np.full(max(STEPS), outside)
        padded = np.concatenate([beyond, values, beyond])
        for step in STEPS:
            for side, begin in (("before", len(beyond) - step), ("after", len(beyond) + step)):
                yield f"{name} {step} {side}", padded[begin : begin + len(values)]
    for reach in AROUND:
        words, linked, text = counts.around.within(reach)
        several = np.maximum(words, 1)
        yield f"words around {reach}", words / (2 * reach + 1)
        yield f"links around {reach}", linked / several
        yield f"text around {reach}", text / several
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
    containers: list[AnyInts] = [blocks.owner]
    wider = _wider_containers(blocks.page, counts.all_words)
    for _ in range(LEVELS_UP):
        containers.append(wider[containers[-1]])
    words, linked, text, amount = counts.sums.take(np.stack(containers), axis=1)
    several = np.maximum(words, 1)
    columns = (words, words / counts.total, linked / several, text / several, amount)
    for up, rows in enumerate(zip(*columns, strict=True)):
        for name, values in zip(("words", "share", "links", "text", "blocks"), rows, strict=True):
            yield f"{name} {up} up", values
    yield from _of_company(blocks, counts)
    best = _best_container(blocks, counts)
    inside, off = _in_and_off(blocks, best)
    yield "in best", inside
    yield "of best", np.full(len(blocks), counts.all_words[best] / counts.total)
    yield "off best", off
    of_text = counts.read_words
    for share in PARTS:
        deepest = np.flatnonzero(of_text >= share * of_text[0])[-1] if of_text[0] > 0 else 0
        inside, off = _in_and_off(blocks, int(deepest))
        yield f"in {share:.0%} of text", inside
        yield f"off {share:.0%} of text", off


def _of_company(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    """Words that read like text in the very element around each block, without what is in boxes of their own.

    The paragraphs of a text stand beside each other; what is put between them stands alone, and deeper.
    """
    page, owner = blocks.page, blocks.owner
    text = counts.words * counts.reads
    beside = np.bincount(page.parent[owner] + 1, weights=text, minlength=len(page) + 1)
    yield "text beside", beside[page.parent[owner] + 1] / max(1.0, text.sum())
    yield "of most beside", beside[page.parent[owner] + 1] / max(1.0, beside.max())
    depth = page.depth[owner]
    yield "depth off", (depth - np.bincount(depth, weights=text + TINY).argmax()).astype(np.float64)


def _in_and_off(blocks: TextBlocks, element: int) -> tuple[FloatArray, FloatArray]:
    """Which blocks are in an element, and how far each is before it (negative) or after it, as a share of the page."""
    size = len(blocks)
    first, stop = blocks.start.searchsorted([element, blocks.page.end[element]]).tolist()
    inside, off = np.zeros(size), np.zeros(size)
    inside[first:stop] = 1
    if first < stop:
        off[:first] = np.arange(-first, 0) / size
        off[stop:] = np.arange(1, size - stop + 1) / size
    return inside, off


def _wider_containers(page: Page, words: FloatArray) -> IndexArray:
    """For each node the next element around it that contains more words."""
    parent = np.maximum(page.parent, 0).astype(np.intp)
    above = np.where((words.take(parent) <= words) & (parent > 0), parent, np.arange(len(page)))
    outermost = above
    for _ in range(SAME_WORDS - 1):
        outermost = above.take(outermost)
    return parent.take(outermost)


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
    said = np.maximum.accumulate(texts)
    said[1:] -= said[:-1].copy()
    said[0] = 1
    yield "said first", said.astype(np.float64)
    yield from _of_siblings(blocks, counts)


def _of_siblings(blocks: TextBlocks, counts: BlockCounts) -> MeasureGroup:
    """The nearest element around with similar siblings: how many there are, and how much they contain."""
    page, holders = blocks.page, counts.holders
    own = number_rows(page.parent[holders], page.tag[holders], counts.class_of[holders])
    kind = np.zeros(len(page), dtype=np.intp)
    kind[holders] = own
    number = np.bincount(own).astype(np.float64)
    words = np.bincount(own, weights=counts.all_words[holders])
    linked = np.bincount(own, weights=counts.linked_words[holders])
    repeated = np.zeros(len(page), dtype=bool)
    repeated[holders] = number[own] >= REPEATED
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
    whole |= {name: tags[number] if (number := page.tag_id(name)) >= 0 else 0 for name in COUNTED_TAGS}
    yield from _same_for_all(size, {f"page {name}": value for name, value in whole.items()})
    headings = page.with_tag("h1")
    first = np.searchsorted(blocks.start, headings[0]) if len(headings) else np.nan
    yield "after h1", place - first
    claimed = _claimed_types(page)
    yield from _same_for_all(size, {f"says {name}": name in claimed for name in CLAIMED_TYPES})


def _same_for_all(size: int, values: Mapping[str, float]) -> MeasureGroup:
    """Columns in which all blocks are alike."""
    every = np.array(list(values.values()), dtype=np.float64)[:, None]
    yield from zip(values, np.broadcast_to(every, (len(values), size)), strict=True)


def _linked_data(page: Page) -> list[str]:
    """The texts of the JSON-LD of a page."""
    if (linked_data := page.value_id("type", "application/ld+json")) < 0:
        return []
    scripts = np.flatnonzero(page.attribute("type") == linked_data)
    return [page.strings[page.text[node + 1]] for node in scripts.tolist() if page.end[node] > node + 1]


def _claimed_types(page: Page) -> set[str]:
    """What the page claims to be, in its JSON-LD and Open Graph data."""
    types = [name for text in _linked_data(page) for name in JSON_TYPE.findall(text)]
    if (graph := page.value_id("property", "og:type")) >= 0:
        content = page.attribute("content")
        meta = np.flatnonzero((page.attribute("property") == graph) & (content >= 0))
        types += [page.strings[content[node]] for node in meta.tolist()]
    return {name for name, pattern in CLAIMED_TYPES.items() if any(map(pattern.match, types))}
