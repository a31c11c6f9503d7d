"""The k items that a title promises: from a page's titles to the list that keeps the promise, if any."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from statistics import median

import numpy as np
import numpy.typing as npt

from sightline.arrays import IntArray
from sightline.data import Item, ItemList, Record, Value, joined_origin
from sightline.errors import UsageError
from sightline.extract.lists._find import TopCandidate, TopDecision, TopTrace, caption_of
from sightline.extract.lists._find_regions import regions_of
from sightline.extract.lists._items import address_values, drafts_of, first_link, items_of, picture_node
from sightline.extract.lists._page_signals import PageSignals, readable, with_hidden_shown
from sightline.extract.lists._promise import LEAST, Promise, promises_of
from sightline.extract.lists._region import Region
from sightline.extract.lists._settings import TopSettings
from sightline.extract.lists._span_reader import NodeSpan, SpanReader, read_number, span_boxes, without_numbers
from sightline.extract.lists._title_choices import CHOICE_MEASURES, FRAME, Choices, Ground
from sightline.extract.lists._title_lines import TitleClass, free_titles, names_below, title_classes
from sightline.gc_paused import gc_paused
from sightline.geometry import union, union_of
from sightline.page import Page

MOST_PROMISES = 3  # numbers of a title that are tried
MOST_TRACED = 20  # candidates of each promise that a trace shows
MUCH_MORE = 1.0  # of the logarithm of words: nearly three times as many
MOSTLY_LINKS = 0.8  # of the words of a list that only leads elsewhere
LEAST_DISTINCT = 0.5  # of the titles of a list must differ
LONGEST_TITLE = 25  # words of the median title; anything longer is prose, not a title
NUMBERED = 0.8  # of the items; so many numbers aren't a coincidence
LONGEST_CHAIN = 100  # pages; nobody reads on for longer

Following = Callable[[Page], Page | None]
"""Returns the page that follows a page, or None after the last."""


def find_top(
    page: Page, *, k: int | None = None, settings: TopSettings | None = None, following: Following | None = None
) -> ItemList | None:
    """The items that the title of a page promises, or None if it promises none or does not keep its promise.

    `k` sets how many there should be, whatever the title says. With `following`, a list that continues over several
    pages is read to its end.

    >>> from sightline.testing import list_page
    >>> found = find_top(list_page(["Sirius", "Rigel", "Vega", "Deneb"], title="4 bright stars"))
    >>> [item.title.text for item in found]
    ['Sirius', 'Rigel', 'Vega', 'Deneb']
    """
    with gc_paused():
        trace = _search(page, k, settings or TopSettings(), None)
    if trace.found is None and following is not None:
        return _list_over_pages(page, trace.promises, following)
    return trace.found


def trace_top(page: Page, *, k: int | None = None, settings: TopSettings | None = None) -> TopTrace:
    """Like `find_top`, with every step."""
    return _search(page, k, settings or TopSettings(), [])


def _search(page: Page, k: int | None, settings: TopSettings, traced: list[TopCandidate] | None) -> TopTrace:
    """The search; candidates are only recorded if there is a list for them, since most are of no use to anybody."""
    if k is not None and (not isinstance(k, int) or k < LEAST):
        raise UsageError(f"k is {k!r}, but a list has at least {LEAST} items; pass the number of items to look for.")
    signals = PageSignals(page if "unfading" in settings.without else readable(page))
    promises = [Promise(k, "", 3)] if k is not None else promises_of(signals)[:MOST_PROMISES]
    search = _Search(signals, settings)
    for promise in promises:
        kept = search.kept(promise, traced)
        if kept is None and promise.strength > 1 and "hidden" not in settings.without:
            kept = _find_in_hidden(signals, settings, promise, traced)
        if kept is not None:
            return TopTrace(tuple(promises), tuple(traced or ()), kept)
    return TopTrace(tuple(promises), tuple(traced or ()), None)


def _find_in_hidden(
    signals: PageSignals, settings: TopSettings, promise: Promise, traced: list[TopCandidate] | None
) -> ItemList | None:
    """The list that keeps a promise once hidden content is shown, if there is any."""
    page = with_hidden_shown(signals.page)
    if int((page.visible & page.is_text & ~page.is_blank).sum()) == len(signals.texts):
        return None
    return _Search(PageSignals(page), settings).kept(promise, traced)


@dataclass(frozen=True, eq=False)
class _Choice:
    """One choice of lines from a class, with its score."""

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
    def bare_titles(self) -> tuple[str, ...]:
        """The titles without their numbers, in lower case."""
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
    """One search of one view of a page."""

    signals: PageSignals
    settings: TopSettings

    @cached_property
    def reader(self) -> SpanReader:
        return SpanReader(self.signals)

    @cached_property
    def ground(self) -> Ground:
        return Ground(self.signals)

    def kept(self, promise: Promise, traced: list[TopCandidate] | None) -> ItemList | None:
        """The list that keeps a promise, if any; adds the candidates to the trace."""
        choices = sorted(self.choices(promise.k), key=lambda choice: -choice.score)
        first = self.likeliest(choices[:MOST_TRACED])
        best = _fullest(first, choices) if first and self.keeps(first, promise) else None
        if traced is not None:
            traced.extend(self.candidate(choice, promise, best) for choice in choices[:MOST_TRACED])
        return self.list_of(best, promise) if best else None

    def likeliest(self, choices: list[_Choice]) -> _Choice | None:
        """The best choice from the page's content; once a list counts itself too short, only a fully numbered one."""
        numbered, is_short = list(CHOICE_MEASURES).index("numbered"), False
        for choice in choices:
            if self.is_beside(choice) or _is_prose(choice):
                continue
            if is_short and choice.choices.measures[choice.row, numbered] < 1:
                continue
            if not _is_short(choice):
                return choice
            is_short = True
        return None

    def choices(self, k: int) -> list[_Choice]:
        """The choices of every class."""
        without = self.settings.without
        # Lists whose parts are shorter than k are found by their tag paths.
        groups = title_classes(self.signals, regions_of(self.signals, k, ("inline", "joining")), k, without)
        if not groups:
            return []
        choices = Choices.of(self.ground, self.reader, groups, k, without)
        if not len(choices.members):
            return []
        return [
            _Choice(choices, row, score) for row, score in enumerate(choice_scores(choices.measures, without).tolist())
        ]

    def keeps(self, choice: _Choice, promise: Promise) -> bool:
        """Whether a choice scores enough; a number that hardly counts anything needs a list that is numbered."""
        if choice.score < self.settings.least_score:
            return False
        measures = dict(zip(CHOICE_MEASURES, choice.choices.measures[choice.row].tolist(), strict=True))
        if measures["distinct"] < LEAST_DISTINCT:
            return False
        if promise.strength == 1:
            return promise.k > FEW and measures["numbered"] >= NUMBERED
        return promise.strength > 2 or promise.k > FEW or choice.score >= LEAST_OF_FEW

    def is_beside(self, choice: _Choice) -> bool:
        """Whether a choice is a list of links in a menu, or under a heading such as "Related" or "Read more"."""
        if choice.group.spread:
            return False
        words, linked = self.signals.tallies.words, self.signals.tallies.linked
        first, last = int(choice.choices.start[choice.row, 0]), int(choice.choices.stop[choice.row, -1])
        if linked[last] - linked[first] < MOSTLY_LINKS * (words[last] - words[first]):
            return False
        caption = caption_of(self.signals, first)
        return bool(self.ground.menus[first]) or (caption is not None and caption.casefold().startswith(FRAME))

    def candidate(self, choice: _Choice, promise: Promise, best: _Choice | None) -> TopCandidate:
        decision: TopDecision = "the list" if choice is best else "less likely" if best else "scores too little"
        return TopCandidate(
            how=choice.group.how,
            k=promise.k,
            others=len(choice.group) - promise.k,
            titles=choice.titles,
            evidence=choice_contributions(choice.choices.measures[choice.row], self.settings.without),
            score=choice.score,
            decision=decision,
        )

    def list_of(self, choice: _Choice, promise: Promise) -> ItemList:
        start, stop = choice.choices.start[choice.row], choice.choices.stop[choice.row]
        return ItemList.made_later(
            lambda: {"items": self.items(choice, start, stop)},
            _count=len(start),
            promised=promise.k,
            caption=promise.title or None,
            box=union(span_boxes(self.signals, start, stop)[1]),
            score=choice.score,
            language=self.signals.page.language,
            evidence=tuple(choice_contributions(choice.choices.measures[choice.row], self.settings.without).items()),
        )

    def items(self, choice: _Choice, start: IntArray, stop: IntArray) -> tuple[Item, ...]:
        titles = choice.spans
        if "awards" not in self.settings.without:
            titles = names_below(self.signals, titles, choice.titles, stop.tolist())
        if choice.group.spread:
            return free_standing_items(self.signals, self.reader, titles, _spans(start, stop))
        return record_items(self.signals, self.reader, choice.group.how, titles, start, stop)


def _is_short(choice: _Choice) -> bool:
    """Whether all lines but some at an end count 1, 2, 3: a shorter list, with other lines before or behind it."""
    numbers = [choice.choices.numbers[line][0] for line in choice.choices.members[choice.row].tolist()]
    counted = [number for number in numbers if number is not None]
    ends = numbers[0] is None or numbers[-1] is None
    return ends and len(counted) > len(numbers) / 2 and sorted(counted) == list(range(1, len(counted) + 1))


def _is_prose(choice: _Choice) -> bool:
    """Whether the titles are sentences: the paragraphs of a text."""
    return median(len(title.split()) for title in choice.titles) > LONGEST_TITLE


def _fullest(best: _Choice, choices: list[_Choice]) -> _Choice:
    """The best choice, or another with the same titles and much more text behind them: not a table of contents."""
    body = best.choices.measures[:, list(CHOICE_MEASURES).index("body")]
    fuller = (
        choice
        for choice in choices
        if body[choice.row] > body[best.row] + MUCH_MORE and choice.bare_titles == best.bare_titles
    )
    return next(fuller, best)


def _spans(start: IntArray, stop: IntArray) -> list[NodeSpan]:
    return list(zip(start.tolist(), stop.tolist(), strict=True))


def record_items(
    signals: PageSignals, reader: SpanReader, how: str, titles: list[NodeSpan], start: IntArray, stop: IntArray
) -> tuple[Item, ...]:
    """Items that are records, each with the title found in it."""
    region = Region(
        start, stop, int(signals.page.parent[start[0]]), how, signals.page.strings[signals.page.tag[start[0]]]
    )
    reader.read(titles)
    (draft,) = drafts_of(signals, reader, [region])
    return items_of(signals, reader, draft, titles)


def _list_over_pages(page: Page, promises: Sequence[Promise], following: Following) -> ItemList | None:
    """A numbered list over several pages: each page continues the numbers of the page before it."""
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
                box = union_of(item.text.origin.box for item in items if item.text.origin)
                return ItemList(tuple(items), promise.k, "items", promise.title or None, box, 1.0, page.language)
    return None


def _numbered_part(page: Page, first: int, step: int, k: int) -> tuple[Item, ...]:
    """The items of a page that continue the count from a number, from the class that has the most of them."""
    signals = PageSignals(readable(page))
    reader = SpanReader(signals)
    best: tuple[TitleClass, list[int]] | None = None
    for group in free_titles(signals, k):
        reader.read(group.title)
        row: list[int] = []
        for place, title in enumerate(group.title):
            if len(row) < k and read_number(reader.text(title))[0] == first + step * len(row):
                row.append(place)
        if row and (best is None or len(row) > len(best[1])):
            best = group, row
    if best is None:
        return ()
    group, row = best
    spans = _spans(group.start[row], group.stop[row])
    items = free_standing_items(signals, reader, [group.title[place] for place in row], spans)
    return tuple(_with_own_rank(item) for item in items)


def _with_own_rank(item: Item) -> Item:
    """A single item with its own number, which no other item confirms."""
    if item.rank is not None:
        return item
    rank, name = read_number(item.title.text)
    return replace(item, rank=rank, title=replace(item.title, text=name or item.title.text))


# How well a choice of lines keeps a promise.

# Fitted to 91 pages that keep the promise of their title, so that the right lines come first among all choices of k.
# With five-fold cross-validation by page the titles' F1 is 0.98, as on the fitted pages. The pages show too few menus
# that keep a promise, and no list that stands out by its area alone: `furniture` and `area` are weighted by hand.
TOP_WEIGHTS: dict[str, float] = {
    "numbered": 3.56,
    "body": 0.09,
    "uneven": -1.31,
    "likeness": 2.89,
    "template": 0.57,
    "distinct": 2.83,
    "questions": -1.65,
    "framing": -1.76,
    "framed": 0.51,
    "pattern": 2.71,
    "section": 0.73,
    "crosses": -0.99,
    "inner headings": -1.05,
    "size": 2.35,
    "headings": 0.08,
    "first": -2.69,
    "early": -1.41,
    "main": 0.77,
    "furniture": -1.50,
    "contents": 2.30,
    "area": 0.30,
}
BIAS = -9.0

# Rules of the published algorithm that are measures here.
MEASURE_OF = {"visual area": "area", "numbering": "numbered"}


def _weights(without: tuple[str, ...]) -> npt.NDArray[np.float64]:
    left_out = {name.removeprefix("measure: ") for name in without} | {MEASURE_OF.get(name, "") for name in without}
    return np.array([0.0 if name in left_out else TOP_WEIGHTS[name] for name in CHOICE_MEASURES])


def choice_scores(measures: npt.NDArray[np.float64], without: tuple[str, ...] = ()) -> npt.NDArray[np.float64]:
    """From 0 to 1 for each choice: how certain it is that these are the items."""
    result: npt.NDArray[np.float64] = 1 / (1 + np.exp(-(measures @ _weights(without) + BIAS)))
    return result


def choice_contributions(row: npt.NDArray[np.float64], without: tuple[str, ...] = ()) -> dict[str, float]:
    """What each measure adds to the score of a choice."""
    return dict(zip(CHOICE_MEASURES, (row * _weights(without)).tolist(), strict=True))


# The score from which a choice of few keeps a promise that the title may not make. Almost every page has two or three
# lines that are alike: asked for k items that they never promised, 288 pages had something that scores 0.5 or more for
# k = 2 in 93 of 100 cases, for k = 5 in 82 and for k = 10 in 50; 0.95 or more in 54, 27 and 10; numbered in 16, 11 and
# 3 (`bench/lists/fit_top.py --chance`).
FEW = 3
LEAST_OF_FEW = 0.95


# -- items with free-standing titles in a text: what belongs to each, and its named parts ---------------------------
# Articles about several things of a kind often say the same about each: "Price: $20", or "Pros" above a few lines.
# Labels that occur like this in at least half of the items name their parts.

MOST_WORDS = 4  # of a label
LONGEST_FREE_TITLE = 60  # characters of one
LEAST_SHARE = 0.5  # of the items must have a label
_LABEL = re.compile(r"([^\W\d_][^:\n]{1,40}?)\s?:\s+(?=\S)")


def free_standing_items(
    signals: PageSignals, reader: SpanReader, titles: list[NodeSpan], records: list[NodeSpan]
) -> tuple[Item, ...]:
    """The items behind free-standing titles."""
    lines = [_lines(signals, (title[1], record[1])) for title, record in zip(titles, records, strict=True)]
    spans = [*titles, *records, *(line for item in lines for line in item)]
    reader.read(spans)
    reader.locate(spans)
    ranks, names = without_numbers([_one_line(reader.text(title)) for title in titles])
    labels = _labels(reader, lines)
    heads = [replace(reader.value(title), text=name) for title, name in zip(titles, names, strict=True)]
    links = [_link_node(signals, title, record) for title, record in zip(titles, records, strict=True)]
    fields = zip(
        heads,
        reader.values(records),
        address_values(signals, [picture_node(signals, record) for record in records]),
        address_values(signals, [None if node is None else (node, int(signals.hrefs[node])) for node in links]),
        ranks,
        (_components(signals, reader, head, item, labels) for head, item in zip(heads, lines, strict=True)),
        strict=True,
    )
    return tuple(Item(*row) for row in fields)


def _link_node(signals: PageSignals, title: NodeSpan, record: NodeSpan) -> int | None:
    """The link of a title, or that of an item that has only one: of several in a text, none is the item's."""
    node = first_link(signals, title)
    low, high = (bisect_left(signals.links_in_order, end) for end in record)
    return first_link(signals, record) if node is None and high - low == 1 else node


def _one_line(text: str) -> str:
    return text.replace("\n", " ")


def _lines(signals: PageSignals, span: NodeSpan) -> list[NodeSpan]:
    """The lines of a span of nodes."""
    text, line = signals.text_list, signals.line_list
    low, high = bisect_left(text, span[0]), bisect_left(text, span[1])
    lines: list[NodeSpan] = []
    start = low
    for place in range(low + 1, high + 1):
        if place == high or line[place] != line[start]:
            lines.append((text[start], text[place - 1] + 1))
            start = place
    return lines if high > low else []


def _labels(reader: SpanReader, items: list[list[NodeSpan]]) -> set[str]:
    """The labels in at least half of the items: lines that stand alone, or the start of a line up to a colon."""
    counts: Counter[str] = Counter()
    for lines in items:
        found = {label for line in lines for label in _possible_labels(reader.text(line))}
        counts.update(found)
    least = max(2.0, LEAST_SHARE * len(items))
    return {label for label, count in counts.items() if count >= least}


@lru_cache(maxsize=4096)
def _possible_labels(text: str) -> tuple[str, ...]:
    """The labels that a line may be or begin with."""
    whole = text.strip().rstrip(":").strip()
    found = (
        (whole,)
        if len(whole) <= LONGEST_FREE_TITLE and 0 < len(whole.split()) <= MOST_WORDS and whole[:1].isalpha()
        else ()
    )
    match = _LABEL.match(text)
    return (*found, match[1].strip()) if match and len(match[1].split()) <= MOST_WORDS else found


def _components(
    signals: PageSignals, reader: SpanReader, title: Value, lines: list[NodeSpan], labels: set[str]
) -> Record:
    """The title, the labelled parts, and the rest of the text."""
    parts: dict[str, list[Value]] = {}
    current, make = "text", -1
    named_lines = [[label for label in _possible_labels(reader.text(line)) if label in labels] for line in lines]
    for line, named, behind in zip(lines, named_lines, [*named_lines[1:], [""]], strict=False):
        value, path = reader.value(line), _path(signals, line)
        alone = bool(named) and value.text.strip().rstrip(":").strip() == named[0]
        if alone and not behind:
            current, make = _name(named[0]), -1
            parts.setdefault(current, [])
        elif named and not alone:
            match = _LABEL.match(value.text)
            rest = value.text[match.end() :] if match else value.text
            parts.setdefault(_name(named[-1]), []).append(replace(value, text=rest))
            current = "text"
        else:
            # Everything under a label has one tag path; a label without a line of its own below is ordinary text.
            current = current if make in (-1, path) else "text"
            make = path if current != "text" else -1
            parts.setdefault(current, []).append(value)
    return Record({"title": title, **{name: _join_values(values) for name, values in parts.items()}})


def _path(signals: PageSignals, line: NodeSpan) -> int:
    """The tag path of the element that holds a line."""
    return signals.frame_paths[bisect_left(signals.text_list, line[0])]


def _name(label: str) -> str:
    """A label as a name that isn't an attribute of an item."""
    return {"title": "title text", "link": "link text", "image": "image text", "rank": "number"}.get(
        label.lower(), label
    )


def _join_values(values: list[Value]) -> Value | None:
    if not values:
        return None
    origin = joined_origin(value.origin for value in values if value.origin)
    return Value("\n".join(value.text for value in values), origin=origin)
