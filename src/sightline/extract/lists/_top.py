"""The k items that a title promises: from the titles of a page to the list that keeps the promise, or none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

from sightline.arrays import IntArray
from sightline.data import Item, ItemList
from sightline.errors import UsageError
from sightline.extract.lists._captions import caption_of
from sightline.extract.lists._find_regions import regions_of
from sightline.extract.lists._free_titles import spread_items
from sightline.extract.lists._items import drafts_of, items_of
from sightline.extract.lists._numbering import read_number
from sightline.extract.lists._page_signals import PageSignals, readable, shown
from sightline.extract.lists._promise import LEAST, Promise, promises_of
from sightline.extract.lists._region import Region
from sightline.extract.lists._settings import TopSettings
from sightline.extract.lists._span_reader import NodeSpan, SpanReader
from sightline.extract.lists._title_choices import CHOICE_MEASURES, FRAME, Choices, Ground
from sightline.extract.lists._title_lines import TitleClass, free_titles, title_classes
from sightline.extract.lists._top_rank import LEAST_ALONE, scored, weighed_choice
from sightline.extract.lists._trace import TopCandidate, TopDecision, TopTrace
from sightline.geometry import union_of
from sightline.page import Page

__all__ = ["Following", "find_top", "trace_top"]

MOST_PROMISES = 3  # numbers of a title that are tried
MOST_TRACED = 20  # candidates of each promise that a trace tells
MUCH_MORE = 1.0  # of the logarithm of words: nearly three times as many
MOSTLY_LINKS = 0.8  # of the words of a list that only leads elsewhere
LEAST_DISTINCT = 0.5  # of the titles of a list must differ
LONGEST_TITLE = 25  # words of the middle title; what is longer is told, not called
NUMBERED = 0.8  # of the items; so many numbers are no chance
LONGEST_CHAIN = 100  # pages; nobody reads on for longer

Following = Callable[[Page], Page | None]
"""Gives the page behind a page, or None behind the last."""


def find_top(
    page: Page, *, k: int | None = None, settings: TopSettings | None = None, following: Following | None = None
) -> ItemList | None:
    """The items that the title of a page promises, or None where it promises none or does not keep it.

    `k` says how many there should be, whatever the title says. With `following` a list that goes on over several
    pages is read to its end.

    >>> from sightline.testing import list_page
    >>> found = find_top(list_page(["Sirius", "Rigel", "Vega", "Deneb"], title="4 bright stars"))
    >>> [item.title.text for item in found]
    ['Sirius', 'Rigel', 'Vega', 'Deneb']
    """
    trace = _traced(page, k, settings or TopSettings(), None)
    if trace.found is None and following is not None:
        return _chained(page, trace.promises, following)
    return trace.found


def trace_top(page: Page, *, k: int | None = None, settings: TopSettings | None = None) -> TopTrace:
    """As `find_top`, with every step."""
    return _traced(page, k, settings or TopSettings(), [])


def _traced(page: Page, k: int | None, settings: TopSettings, traced: list[TopCandidate] | None) -> TopTrace:
    """The search; candidates are told only to whoever brings a list for them, for most are of no use to anybody."""
    if k is not None and (not isinstance(k, int) or k < LEAST):
        raise UsageError(
            f"A list has at least {LEAST} items, so k cannot be {k!r}; give the number of items to look for."
        )
    seen = PageSignals(page if "unfading" in settings.without else readable(page))
    promises = [Promise(k, "", 3)] if k is not None else promises_of(seen)[:MOST_PROMISES]
    search = _Search(seen, settings)
    for promise in promises:
        kept = search.kept(promise, traced)
        if kept is None and promise.strength > 1 and "hidden" not in settings.without:
            kept = _kept_by_hidden(seen, settings, promise, traced)
        if kept is not None:
            return TopTrace(tuple(promises), tuple(traced or ()), kept)
    return TopTrace(tuple(promises), tuple(traced or ()), None)


def _kept_by_hidden(
    seen: PageSignals, settings: TopSettings, promise: Promise, traced: list[TopCandidate] | None
) -> ItemList | None:
    """The list that keeps a promise with what is hidden, if anything is."""
    page = shown(seen.page)
    if int((page.visible & page.is_text & ~page.is_blank).sum()) == len(seen.texts):
        return None
    return _Search(PageSignals(page), settings).kept(promise, traced)


@dataclass(frozen=True, eq=False)
class _Choice:
    """One choice of lines of a class, with its score."""

    choices: Choices
    row: int
    score: float

    @property
    def group(self) -> TitleClass:
        return self.choices.group(self.row)

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(self.choices.texts[line] for line in self.choices.members[self.row].tolist())

    @property
    def said(self) -> tuple[str, ...]:
        """What the titles say without their numbers, in small letters."""
        numbers, texts = self.choices.numbers, self.choices.texts
        lines = self.choices.members[self.row].tolist()
        return tuple((texts[line] if numbers[line][0] is None else numbers[line][1]).casefold() for line in lines)

    @property
    def spans(self) -> list[NodeSpan]:
        """Where the titles are."""
        titles = self.choices.titles
        return [titles[line] for line in self.choices.members[self.row].tolist()]


@dataclass(frozen=True, eq=False)
class _Search:
    """One search on one view of a page."""

    seen: PageSignals
    settings: TopSettings

    @cached_property
    def reader(self) -> SpanReader:
        return SpanReader(self.seen)

    @cached_property
    def ground(self) -> Ground:
        return Ground(self.seen)

    def kept(self, promise: Promise, traced: list[TopCandidate] | None) -> ItemList | None:
        """The list that keeps a promise, if any does; what was looked at is added to the trace."""
        choices = sorted(self.choices(promise.k), key=lambda choice: -choice.score)
        first = self.likeliest(choices[:MOST_TRACED])
        best = _fullest(first, choices) if first and self.keeps(first, promise) else None
        if traced is not None:
            traced.extend(self.candidate(choice, promise, best) for choice in choices[:MOST_TRACED])
        return self.list_of(best, promise) if best else None

    def likeliest(self, choices: list[_Choice]) -> _Choice | None:
        """The best choice that is what the page tells; behind a list that counts itself too short only a whole one."""
        numbered, is_short = list(CHOICE_MEASURES).index("numbered"), False
        for choice in choices:
            if self.is_beside(choice) or (is_short and choice.choices.measures[choice.row, numbered] < 1):
                continue
            if not _is_short(choice):
                return choice
            is_short = True
        return None

    def choices(self, k: int) -> list[_Choice]:
        """The choices of every class."""
        without = self.settings.without
        # Lists whose parts are shorter than k are found by their paths.
        groups = title_classes(self.seen, regions_of(self.seen, k, ("inline", "joining")), k, without)
        if not groups:
            return []
        choices = Choices.of(self.ground, self.reader, groups, k, without)
        if not len(choices.members):
            return []
        return [_Choice(choices, row, score) for row, score in enumerate(scored(choices.measures, without).tolist())]

    def keeps(self, choice: _Choice, promise: Promise) -> bool:
        """Whether a choice scores enough; a number that hardly counts anything needs a list that counts itself."""
        if choice.score < self.settings.least_score:
            return False
        measures = dict(zip(CHOICE_MEASURES, choice.choices.measures[choice.row].tolist(), strict=True))
        if measures["distinct"] < LEAST_DISTINCT or _is_told(choice):
            return False
        if promise.strength > 1 or measures["numbered"] >= NUMBERED:
            return True
        return measures["section"] == 1 and choice.score >= LEAST_ALONE

    def is_beside(self, choice: _Choice) -> bool:
        """Whether a choice is a list of links in a menu, or under a heading such as "Related" or "Read more"."""
        if choice.group.spread:
            return False
        words, linked = self.seen.tallies.words, self.seen.tallies.linked
        first, last = int(choice.choices.start[choice.row, 0]), int(choice.choices.stop[choice.row, -1])
        if linked[last] - linked[first] < MOSTLY_LINKS * (words[last] - words[first]):
            return False
        caption = caption_of(self.seen, self.reader, first)
        return bool(self.ground.menus[first]) or (caption is not None and caption.casefold().startswith(FRAME))

    def candidate(self, choice: _Choice, promise: Promise, best: _Choice | None) -> TopCandidate:
        decision: TopDecision = "the list" if choice is best else "less likely" if best else "scores too little"
        return TopCandidate(
            how=choice.group.how,
            k=promise.k,
            others=len(choice.group) - promise.k,
            titles=choice.titles,
            evidence=weighed_choice(choice.choices.measures[choice.row], self.settings.without),
            score=choice.score,
            decision=decision,
        )

    def list_of(self, choice: _Choice, promise: Promise) -> ItemList:
        start, stop = choice.choices.start[choice.row], choice.choices.stop[choice.row]
        items = (
            spread_items(self.seen, self.reader, choice.spans, _spans(start, stop))
            if choice.group.spread
            else record_items(self.seen, self.reader, choice.group.how, choice.spans, start, stop)
        )
        evidence = tuple(weighed_choice(choice.choices.measures[choice.row], self.settings.without).items())
        return _list(self.seen, items, promise, choice.score, evidence)


def _is_short(choice: _Choice) -> bool:
    """Whether all lines but those at an end count 1, 2, 3: a shorter list, and what stands before or behind it."""
    numbers = [choice.choices.numbers[line][0] for line in choice.choices.members[choice.row].tolist()]
    counted = [number for number in numbers if number is not None]
    ends = numbers[0] is None or numbers[-1] is None
    return ends and len(counted) > len(numbers) / 2 and sorted(counted) == list(range(1, len(counted) + 1))


def _is_told(choice: _Choice) -> bool:
    """Whether the titles are sentences: the paragraphs of a text."""
    return median(len(title.split()) for title in choice.titles) > LONGEST_TITLE


def _fullest(best: _Choice, choices: list[_Choice]) -> _Choice:
    """The best choice, or another with the same titles that has much more behind them: not a table of contents."""
    body = best.choices.measures[:, list(CHOICE_MEASURES).index("body")]
    fuller = (one for one in choices if body[one.row] > body[best.row] + MUCH_MORE and one.said == best.said)
    return next(fuller, best)


def _spans(start: IntArray, stop: IntArray) -> list[NodeSpan]:
    return list(zip(start.tolist(), stop.tolist(), strict=True))


def record_items(
    seen: PageSignals, reader: SpanReader, how: str, titles: list[NodeSpan], start: IntArray, stop: IntArray
) -> tuple[Item, ...]:
    """Items that are records, each with the title that was found in it."""
    region = Region(start, stop, int(seen.page.parent[start[0]]), how, seen.page.strings[seen.page.tag[start[0]]])
    reader.read_later(titles)
    (draft,) = drafts_of(seen, reader, [region])
    return items_of(seen, reader, draft, titles)


def _list(
    seen: PageSignals, items: tuple[Item, ...], promise: Promise, score: float, evidence: tuple[tuple[str, float], ...]
) -> ItemList:
    box = union_of(item.text.origin.box for item in items if item.text.origin)
    return ItemList(items, promise.k, "items", promise.title or None, box, score, seen.page.language, evidence=evidence)


def _chained(page: Page, promises: Sequence[Promise], following: Following) -> ItemList | None:
    """A numbered list that goes on over several pages: each page has the numbers that the page before it lacks."""
    for promise in promises:
        for step in (1, -1):
            wanted = 1 if step > 0 else promise.k
            items: list[Item] = []
            current: Page | None = page
            for _ in range(LONGEST_CHAIN):
                found = _numbered_part(current, wanted + step * len(items), step, promise.k) if current else ()
                items.extend(found)
                if not found or current is None or len(items) >= promise.k:
                    break
                current = following(current)
            if len(items) == promise.k:
                return _list(PageSignals(page), tuple(items), promise, 1.0, ())
    return None


def _numbered_part(page: Page, first: int, step: int, k: int) -> tuple[Item, ...]:
    """The items of a page that count on from a number, of the class that has the most of them."""
    seen = PageSignals(readable(page))
    reader = SpanReader(seen)
    best: tuple[TitleClass, list[int]] | None = None
    for group in free_titles(seen, k):
        reader.read(group.title)
        row: list[int] = []
        for place, title in enumerate(group.title):
            if len(row) < k and read_number(reader.value(title).text)[0] == first + step * len(row):
                row.append(place)
        if row and (best is None or len(row) > len(best[1])):
            best = group, row
    if best is None:
        return ()
    group, row = best
    spans = _spans(group.start[row], group.stop[row])
    items = spread_items(seen, reader, [group.title[place] for place in row], spans)
    return tuple(_ranked(item) for item in items)


def _ranked(item: Item) -> Item:
    """A single item, whose number no other confirms, with its number."""
    if item.rank is not None:
        return item
    rank, name = read_number(item.title.text)
    return replace(item, rank=rank, title=replace(item.title, text=name or item.title.text))
