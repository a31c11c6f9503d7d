"""From a page to its lists: find regions, score them, build their items."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Literal, TypeAlias, TypeVar

import numpy as np

from sightline.arrays import FloatArray, IntArray, prefix_sum
from sightline.data import Item, ItemList, TraceStep
from sightline.extract.lists._clean_regions import flatten_threads
from sightline.extract.lists._find_regions import regions_of
from sightline.extract.lists._items import drafts_of, items_of
from sightline.extract.lists._measures import contributions, is_navigation, measure_regions, scores
from sightline.extract.lists._page_signals import PageSignals, readable
from sightline.extract.lists._promise import Promise
from sightline.extract.lists._region import Enclosing, Region, enclosing
from sightline.extract.lists._settings import ListSettings
from sightline.extract.lists._span_reader import SpanReader, span_boxes
from sightline.gc_paused import gc_paused
from sightline.geometry import Box, union
from sightline.page import Page

# -- every step of the searches, kept to be printed and drawn -------------------------------------------------------

ListDecision: TypeAlias = Literal[
    "list", "navigation", "scores too little", "part of a record", "holds a whole list", "menu left out"
]
TopDecision: TypeAlias = Literal["the list", "less likely", "scores too little"]


@dataclass(frozen=True)
class ListCandidate:
    """A repeated region: how it was found, how many records it has, and the evidence for and against it."""

    how: str
    tag: str
    records: int
    box: Box | None
    example: str
    evidence: dict[str, float]
    score: float
    decision: ListDecision


@dataclass(frozen=True)
class ListTrace:
    """What was considered on the way to the lists."""

    found: tuple[ItemList, ...]
    candidates: tuple[ListCandidate, ...] = ()

    def steps(self) -> tuple[TraceStep, ...]:
        """Every region that repeats, with what became of it."""
        boxes = tuple(candidate.box for candidate in self.candidates if candidate.box)
        rows = tuple(asdict(candidate) for candidate in self.candidates)
        return (TraceStep("regions", "what repeats, what spoke for and against it, and the decision", rows, boxes),)


@dataclass(frozen=True)
class TopCandidate:
    """A choice of k similar lines; `others` counts the lines of the same kind that it leaves out."""

    how: str
    k: int
    others: int
    titles: tuple[str, ...]
    evidence: dict[str, float]
    score: float
    decision: TopDecision


@dataclass(frozen=True)
class TopTrace:
    """What the titles promise, the candidates that might keep it, and the list that does."""

    promises: tuple[Promise, ...]
    candidates: tuple[TopCandidate, ...] = ()
    found: ItemList | None = None

    def steps(self) -> tuple[TraceStep, ...]:
        """What the titles promise, then every choice of lines that might keep it."""
        promises = tuple(
            {"k": promise.k, "title": promise.title, "strength": promise.strength} for promise in self.promises
        )
        choices = tuple(asdict(candidate) for candidate in self.candidates)
        return (
            TraceStep("promises", "numbers of items that the titles promise", promises),
            TraceStep("choices", "lines that might be the titles of the items, and the decision", choices),
        )


# -- from a page to its lists: find regions, score them, build their items ------------------------------------------

Key = TypeVar("Key", bound=Hashable)

# A region is part of another's records if this share of them holds a region of its kind, and if it makes up less than
# this share of a record's words: a section that is a heading and a list exists for the list.
MOST_RECORDS = 0.5
MOST_WORDS = 0.5
MANY = 4  # records; with so many alike, a region inside one of them is part of it, however much of it that is
MOSTLY = 0.8  # of the words in the rows that are also in the records of the list split into them
SMALL = 30  # words; the tags of a card, the links below a result; anything longer is a list in its own right
EXAMPLE = 60  # characters of a record shown in a trace


def find_lists(page: Page, *, settings: ListSettings | None = None) -> list[ItemList]:
    """Every repeated region of a page as a list of records, the most important first; menus are marked as such.

    >>> from sightline.testing import list_page
    >>> [[item.text.text for item in found] for found in find_lists(list_page(["one", "two", "three"]))]
    [['one', 'two', 'three']]
    """
    with gc_paused():
        return list(_search(page, settings).lists)


def trace_lists(page: Page, *, settings: ListSettings | None = None) -> ListTrace:
    """Like `find_lists`, with every step."""
    search = _search(page, settings)
    order = sorted(range(len(search.regions)), key=lambda number: -search.scores[number])
    return ListTrace(search.lists, tuple(search.candidate(number) for number in order))


@dataclass(frozen=True, eq=False)
class RankedRegion:
    """A repeated region, its score, and what became of it in the search for lists."""

    region: Region
    score: float
    decision: ListDecision


def rank_regions(page: Page, *, settings: ListSettings | None = None) -> list[RankedRegion]:
    """Every repeated region of a page, the best first; no items are built, so this is much cheaper than the lists.

    >>> from sightline.testing import list_page
    >>> [(len(ranked.region), ranked.decision) for ranked in rank_regions(list_page(["one", "two", "three"]))]
    [(3, 'list')]
    """
    search = _search(page, settings)
    found = map(RankedRegion, search.regions, search.scores, search.decisions)
    return sorted(found, key=lambda ranked: -ranked.score)


def _search(page: Page, settings: ListSettings | None) -> "_Search":
    settings = settings or ListSettings()
    return _Search(PageSignals(page if "unfading" in settings.without else readable(page)), settings)


@dataclass(frozen=True, eq=False)
class _Search:
    """One search; each step runs once, on first use."""

    signals: PageSignals
    settings: ListSettings

    @cached_property
    def regions(self) -> list[Region]:
        regions = regions_of(self.signals, self.settings.least_records, self.settings.without)
        return regions if "threads" in self.settings.without else flatten_threads(self.signals, regions)

    @cached_property
    def around(self) -> Enclosing:
        return enclosing(self.regions)

    @cached_property
    def measures(self) -> FloatArray:
        return measure_regions(self.signals, self.regions, self.around)

    @cached_property
    def evidence(self) -> list[dict[str, float]]:
        return contributions(self.measures, self.settings.without)

    @cached_property
    def scores(self) -> list[float]:
        return scores(self.evidence)

    @cached_property
    def decisions(self) -> list[ListDecision]:
        without, regions = self.settings.without, self.regions
        inner = set() if "nested" in without else _nested_regions(self.signals, regions, self.scores, self.around)
        rows = set() if "joining" in without else _row_regions(self.signals, regions)
        return [self._decision(number, number in inner, number in rows) for number in range(len(regions))]

    def _decision(self, number: int, is_inner: bool, is_rows: bool) -> ListDecision:  # noqa: FBT001 (facts, not switches)
        if is_inner or is_rows:
            return "part of a record" if is_inner else "holds a whole list"
        if is_navigation(self.measures[number]):
            return "navigation" if self.settings.navigation else "menu left out"
        return "list" if self.scores[number] >= self.settings.least_score else "scores too little"

    @cached_property
    def lists(self) -> tuple[ItemList, ...]:
        """The lists, the best first; their items are made when they are asked for, which menus hardly ever are."""
        returned = [number for number, decision in enumerate(self.decisions) if decision in ("list", "navigation")]
        returned.sort(key=lambda number: -self.scores[number])
        if "doubles" not in self.settings.without:
            returned = self._without_doubles(returned)
        regions, reader = [self.regions[number] for number in returned], SpanReader(self.signals)
        captions = captions_of(self.signals, [int(region.start[0]) for region in regions])
        facts = zip(returned, captions, _region_boxes(self.signals, regions), strict=True)
        return tuple(self._list(number, reader, caption, box) for number, caption, box in facts)

    def _without_doubles(self, numbers: list[int]) -> list[int]:
        """Drop lists with the same text, such as copies for small and for large screens."""
        alike = _repeated({number: len(self.regions[number]) for number in numbers})
        first = _record_texts(self.signals.page, [self.regions[number] for number in alike], most=1)
        # Hardly any lists begin with the same text, so hardly any need to be read for this.
        same = _repeated({number: (alike[number], text) for number, text in zip(alike, first, strict=True)})
        texts = _record_texts(self.signals.page, [self.regions[number] for number in same])
        known: dict[tuple[str, ...], int] = {}
        doubles = {number for number, text in zip(same, texts, strict=True) if known.setdefault(text, number) != number}
        return [number for number in numbers if number not in doubles]

    def _list(self, number: int, reader: SpanReader, caption: str | None, box: Box | None) -> ItemList:
        signals, region, without = self.signals, self.regions[number], self.settings.without
        return ItemList.made_later(
            partial(_late_items, signals, reader, region, without),
            _count=len(region),
            kind="navigation" if self.decisions[number] == "navigation" else "items",
            caption=caption,
            box=box,
            score=self.scores[number],
            language=signals.page.language,
            evidence=tuple(self.evidence[number].items()),
        )

    def candidate(self, number: int) -> ListCandidate:
        region = self.regions[number]
        text = self.signals.page.texts_between(region.start[:1], region.stop[:1])[0]
        return ListCandidate(
            how=region.how,
            tag=region.tag,
            records=len(region),
            box=self._box(region),
            example=text.replace("\n", " ")[:EXAMPLE],
            evidence=self.evidence[number],
            score=self.scores[number],
            decision=self.decisions[number],
        )

    def _box(self, region: Region) -> Box | None:
        leaves = self.signals.leaves
        low, high = np.searchsorted(leaves, [region.start[0], region.stop[-1]])
        return union(self.signals.page.box[leaves[low:high]])


def _late_items(
    signals: PageSignals, reader: SpanReader, region: Region, without: tuple[str, ...]
) -> dict[str, tuple[Item, ...]]:
    with gc_paused():
        signals.page.read_texts  # noqa: B018 - all of them at once: other lists will be asked for, too
        (draft,) = drafts_of(signals, reader, [region], without)
        return {"items": items_of(signals, reader, draft)}


def _repeated(keys: dict[int, Key]) -> dict[int, Key]:
    """Those that share their key with another."""
    often = Counter(keys.values())
    return {number: key for number, key in keys.items() if often[key] > 1}


def _record_texts(page: Page, regions: list[Region], most: int | None = None) -> list[tuple[str, ...]]:
    """The texts of the records of some regions, or of the first so many."""
    if not regions:
        return []
    starts, stops = [region.start[:most] for region in regions], [region.stop[:most] for region in regions]
    texts = iter(page.texts_between(np.concatenate(starts), np.concatenate(stops)))
    return [tuple(islice(texts, len(several))) for several in starts]


def _region_boxes(signals: PageSignals, regions: list[Region]) -> list[Box | None]:
    """The box around the records of each region."""
    if not regions:
        return []
    start, stop = (np.concatenate([getattr(region, side) for region in regions]) for side in ("start", "stop"))
    begins = prefix_sum([len(region) for region in regions])[:-1]
    _, box = span_boxes(signals, start, stop)
    around = np.concatenate([np.fmin.reduceat(box[:, :2], begins), np.fmax.reduceat(box[:, 2:], begins)], axis=1)
    return [None if x0 != x0 else (x0, y0, x1, y1) for x0, y0, x1, y1 in around.tolist()]


def _nested_regions(signals: PageSignals, regions: list[Region], scores: list[float], around: Enclosing) -> set[int]:
    """Regions inside single records of a better-scoring region, with their like in most of its records: its parts."""
    words = signals.tallies.words
    make = [(region.how, region.tag, int(signals.page.path[region.parent])) for region in regions]
    records: dict[tuple[int, tuple[str, str, int]], set[int]] = {}
    for number, outer_records in enumerate(around):
        for outer, place in outer_records:
            records.setdefault((outer, make[number]), set()).add(place)
    inner: set[int] = set()
    for number, outer_records in enumerate(around):
        inner_words = int(words[regions[number].stop[-1]] - words[regions[number].start[0]])
        for outer, place in outer_records:
            region = regions[outer]
            often = len(records[outer, make[number]]) >= MOST_RECORDS * len(region)
            record_words = int(words[region.stop[place]] - words[region.start[place]])
            many = len(region) >= MANY
            most = SMALL if many else min(SMALL, MOST_WORDS * record_words)
            if (often or many) and scores[number] < scores[outer] and inner_words < most:
                inner.add(number)
    return inner


def _row_regions(signals: PageSignals, regions: list[Region]) -> set[int]:
    """Regions whose records are just the rows that a joined list was split into, its records side by side."""
    words = signals.tallies.words
    found: set[int] = set()
    for whole in (region for region in regions if region.parents):
        list_words = int((words[whole.stop] - words[whole.start]).sum())
        for number, region in enumerate(regions):
            if len(region) >= len(whole) or region.start[0] > whole.start[0] or region.stop[-1] < whole.stop[-1]:
                continue
            place = (np.searchsorted(region.start, whole.start, side="right") - 1).astype(np.int32)
            row_words = int((words[region.stop] - words[region.start]).sum())
            if (
                len(np.unique(place)) == len(region)
                and list_words >= MOSTLY * row_words
                and _are_beside(signals, whole, place)
            ):
                found.add(number)
    return found


def _are_beside(signals: PageSignals, whole: Region, row: IntArray) -> bool:
    """Whether the records of each row overlap vertically on the page."""
    top, bottom = signals.page.box[whole.start, 1], signals.page.box[whole.start, 3]
    if np.isnan(top).any():
        return False
    begins = np.flatnonzero(np.diff(row, prepend=-1))
    return bool((np.maximum.reduceat(top, begins) < np.minimum.reduceat(bottom, begins)).all())


# -- captions of lists: the heading or bold line above a list that is about it --------------------------------------

FAR = 4  # steps up from a heading to an element that also holds the list
LONGEST = 200  # characters


def caption_of(signals: PageSignals, start: int) -> str | None:
    """The caption of the list that begins at a node, or None if nothing above it could name it."""
    return captions_of(signals, [start])[0]


def captions_of(signals: PageSignals, starts: list[int]) -> list[str | None]:
    """The captions of the lists that begin at some nodes, read all at once."""
    heads = [head_of(signals, start) for start in starts]
    known = [head for head in heads if head is not None]
    texts = dict(zip(known, signals.page.texts_of(known) if known else (), strict=True))
    return [None if head is None else texts[head].replace("\n", " ")[:LONGEST] or None for head in heads]


def head_of(signals: PageSignals, start: int) -> int | None:
    """The bold line right above a node, or the last heading before it if an element a few steps up holds both."""
    start = _table_around(signals, start)
    place = bisect_left(signals.leaf_list, start)
    above = signals.leaf_list[place - 1] if place else None
    if above is not None and signals.bold_list[above] and not signals.heading_list[above]:
        return int(signals.page.parent[above])
    before = int(signals.heading_nodes.searchsorted(start)) - 1
    if before < 0:
        return None
    heading = int(signals.heading_nodes[before])
    node = heading
    for _ in range(FAR):
        node = int(signals.page.parent[node])
        if node < 0:
            return None
        if signals.page.end[node] > start:
            return heading
    return None


def _table_around(signals: PageSignals, start: int) -> int:
    """The table of a row, above which its caption stands; any other node itself."""
    page = signals.page
    if page.strings[page.tag[start]] != "tr":
        return start
    node = start
    while node >= 0 and page.strings[page.tag[node]] != "table":
        node = int(page.parent[node])
    return node if node >= 0 else start
