"""Find what repeats: units of one element that are alike, and what belongs to each.

Records repeat in three ways: units that are records themselves (list items, cards, rows, paragraphs, lines), units
that begin a record which the following units continue (a heading and its text, a term and its descriptions), and
inline elements in one line (a menu of links).
"""

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from operator import itemgetter
from statistics import median

import numpy as np

from sightline.extract.lists._clean_regions import CELLS, RICH, is_row, join_regions, without_unlike
from sightline.extract.lists._page_signals import HEADINGS, ITEMS, PLAIN, PageSignals
from sightline.extract.lists._region import Region

LEAST_RECORDS = 3  # with fewer, nothing visibly repeats
STARTING = frozenset((*HEADINGS, "dt", "summary", "legend"))
# Likeness of units of one tag without a common class; below this they are different kinds.
ALIKE = 0.5
MOST_UNLIKE = 1000  # units of one element; so many that resemble nothing are not records, and comparing them is slow


@dataclass(frozen=True)
class _Row:
    """The units of one element, as lists: their tags, and the group of similar units that each belongs to."""

    start: list[int]
    stop: list[int]
    tag: list[str]
    look: list[tuple[float, bool]]
    group: list[int]
    is_heading: list[bool]
    prominence: list[float]
    parent: int


def regions_of(signals: PageSignals, least: int = LEAST_RECORDS, without: tuple[str, ...] = ()) -> list[Region]:
    """All regions of a page with at least `least` records; they may nest."""
    found: list[Region] = []
    for place in _elements_with_enough_units(signals, least):
        found.extend(_records(_row(signals, place, without), least, without))
    whole = (
        found
        if "joining" in without
        else join_regions(signals, [*found, *_short_regions(signals, found, least, without)])
    )
    lines = [] if "inline" in without else _inline_regions(signals, least)
    regions = [region for region in (*whole, *lines) if len(region) >= least and not is_row(signals, region)]
    return regions if "unlike" in without else without_unlike(signals, regions, least)


def _short_regions(signals: PageSignals, found: list[Region], least: int, without: tuple[str, ...]) -> Iterator[Region]:
    """Regions too short to be lists that may be parts of one: a container with the same path holds enough records."""
    units, path = signals.units, signals.page.path
    paths = {int(path[region.parent]) for region in found if region.how == "units"} | _repeated_list_paths(
        signals, least
    )
    few = np.flatnonzero(np.diff(units.first) < least)
    holders = path[units.parent[few]].tolist()
    for place, holder in zip(few.tolist(), holders, strict=True):
        if holder not in paths:
            continue
        first, last = int(units.first[place]), int(units.first[place + 1])
        if last - first == 1:
            yield from _single_unit(signals, place, first)
        else:
            several = _records(_row(signals, place, without), 1, without)
            yield from (region for region in several if region.how == "units")


def _single_unit(signals: PageSignals, place: int, unit: int) -> Iterator[Region]:
    """What `_records` finds in an element with one unit, which most of these elements have."""
    units, tag = signals.units, signals.unit_lists.tag[unit]
    if tag not in STARTING:
        part = slice(unit, unit + 1)
        yield Region(units.start[part], units.stop[part], int(units.parent[place]), "units", tag)


def _elements_with_enough_units(signals: PageSignals, least: int) -> list[int]:
    """Indexes of the elements that hold enough units of one tag."""
    units = signals.units
    counts = np.diff(units.first)
    row = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    tag = np.where(units.line, len(signals.page.strings), signals.page.tag[units.start])
    cells = np.isin(tag, [signals.page.tag_id(name) for name in CELLS])
    single = signals.leaves.searchsorted(units.stop) - signals.leaves.searchsorted(units.start) < RICH
    countable = ~(cells & single)  # the cells of a data table are not records
    tags = len(signals.page.strings) + 1
    counts_of = Counter((row * tags + tag)[countable].tolist())
    return sorted({key // tags for key, count in counts_of.items() if count >= least})


def _repeated_list_paths(signals: PageSignals, least: int) -> set[int]:
    """Tag paths of `ul` and `ol` lists with a class that occur often enough to be parts of one list."""
    lists = signals.page.with_tag("ul", "ol")
    lists = lists[signals.page.visible[lists] & (signals.classes[lists] >= 0)]
    paths, counts = np.unique(signals.page.path[lists], return_counts=True)
    return set(paths[counts >= least].tolist())


def _row(signals: PageSignals, place: int, without: tuple[str, ...]) -> _Row:
    units, lists = signals.units, signals.unit_lists
    part = slice(int(units.first[place]), int(units.first[place + 1]))
    start, tag, look = lists.start[part], lists.tag[part], lists.look[part]
    row = _Row(
        start=start,
        stop=lists.stop[part],
        tag=tag,
        look=look if "looks" not in without else [(0.0, False)] * len(start),
        group=[-1] * len(start),
        is_heading=lists.is_heading[part],
        prominence=[1.5 * size if bold else size for size, bold in look],
        parent=int(units.parent[place]),
    )
    for number, places in enumerate(_groups(signals, row, without)):
        for member in places:
            row.group[member] = number
    return row


def _groups(signals: PageSignals, row: _Row, without: tuple[str, ...]) -> Iterator[list[int]]:
    """The units of a row, grouped by kind."""
    by_tag: dict[str, list[int]] = {}
    for place, name in enumerate(row.tag):
        by_tag.setdefault(name, []).append(place)
    for name, places in by_tag.items():
        if name in ITEMS or len(places) == 1:
            yield places
        elif name in PLAIN:
            yield from _by_look(row, places)
        else:
            rest = yield from _by_class(signals, row, places)
            yield from [rest] if "make" in without else _by_make(signals, row, rest)


def _by_look(row: _Row, places: list[int]) -> Iterator[list[int]]:
    """Units whose text looks alike."""
    by_look: dict[tuple[float, bool], list[int]] = {}
    for place in places:
        by_look.setdefault(row.look[place], []).append(place)
    yield from by_look.values()


def _by_class(signals: PageSignals, row: _Row, places: list[int]) -> Generator[list[int], None, list[int]]:
    """Groups of units that share a class token, the commonest first; returns the rest."""
    classes = signals.class_list
    values = {place: classes[row.start[place]] for place in places}
    if len(set(values.values())) == 1:  # as in most rows: all share all tokens, or none has any
        if not signals.class_tokens(values[places[0]]):
            return places
        yield places
        return []
    rest = places
    while len(rest) > 1:
        counts = Counter(chain.from_iterable(signals.words_of_class(row.start[place]) for place in rest))
        token, count = max(counts.items(), key=itemgetter(1), default=("", 0))
        if count < 2:
            break
        yield [place for place in rest if token in signals.class_tokens(values[place])]
        rest = [place for place in rest if token not in signals.class_tokens(values[place])]
    return rest


def _by_make(signals: PageSignals, row: _Row, places: list[int]) -> Iterator[list[int]]:
    """Groups of units with a similar structure: each joins the first before it that it resembles."""
    if len(places) < 2:
        yield from [places] if places else []
        return
    starts, stops = [row.start[place] for place in places], [row.stop[place] for place in places]
    rows = signals.profiles.of(np.array(starts), np.array(stops))
    rest = np.arange(len(places))
    while len(rest):
        alike = rows[rest] @ rows[rest[0]] >= ALIKE
        alike[0] = True  # a unit that shows nothing is at least like itself
        yield [places[place] for place in rest[alike].tolist()]
        rest = rest[~alike]
        if len(rest) > MOST_UNLIKE:  # so many that resemble nothing are not records
            return


def _records(row: _Row, least: int, without: tuple[str, ...]) -> Iterator[Region]:
    """The regions among the units of one element."""
    members: dict[int, list[int]] = {}
    for place, number in enumerate(row.group):
        members.setdefault(number, []).append(place)
    forests: list[tuple[float, int, list[int]]] = []
    for number, places in members.items():
        if len(places) < least:
            continue
        parted = _gap_share(places)
        name = row.tag[places[0]]
        if name in STARTING or parted >= 0.5:
            if len(places) > 1 and parted >= 0.5:
                forests.append((_starting_score(row, places), number, places))
            if name in STARTING or name not in PLAIN:
                continue
        for part in [places] if "headings" in without else _cut_at_headings(row, places):
            if len(part) >= least:
                yield _region(row, part, [place + 1 for place in part], "units")
    if "forests" not in without:
        yield from _forests(row, forests)


def _gap_share(places: list[int]) -> float:
    """The share of neighbours that have other units between them."""
    gaps = sum(second - first > 1 for first, second in pairwise(places))
    return gaps / (len(places) - 1) if len(places) > 1 else 0.0


def _starting_score(row: _Row, places: list[int]) -> float:
    """How much the units of a group look as if each began something: headings do, and so does larger or bolder text."""
    name = row.tag[places[0]]
    behind = [row.prominence[place + 1] for place in places if place + 1 < len(row.start)]
    larger = round(median(row.prominence[place] for place in places) - (median(behind) if behind else 0), 1)
    return 2.0 * (name in STARTING) + (larger > 0) - (larger < 0)


def _forests(row: _Row, candidates: list[tuple[float, int, list[int]]]) -> Iterator[Region]:
    """Records of several units: those that begin with the most prominent kind of unit, the earliest first."""
    used: set[int] = set()
    for _, _, places in sorted(candidates, key=lambda candidate: (-candidate[0], candidate[2][0])):
        stops = [*places[1:], _last_stop(row, places)]
        spans = {place for first, last in zip(places, stops, strict=True) for place in range(first, last)}
        if len(spans & used) > 0.5 * len(spans):
            continue
        used |= spans
        yield _region(row, places, stops, "forest")


def _last_stop(row: _Row, places: list[int]) -> int:
    """Where the last record ends: at a kind of unit that no earlier record has, or at the length of the longest."""
    longest = max(second - first for first, second in pairwise(places))
    kinds = {row.group[place] for place in range(places[0], places[-1])}
    stop = places[-1] + 1
    while stop < len(row.start) and stop - places[-1] < longest and row.group[stop] in kinds:
        stop += 1
    return stop


def _cut_at_headings(row: _Row, places: list[int]) -> Iterator[list[int]]:
    """End a run of units where a heading stands between them, unless the units have headings of their own."""
    if row.tag[places[0]] in ITEMS or sum(row.is_heading[place] for place in places) > 0.5 * len(places):
        yield places
        return
    part: list[int] = []
    for place in places:
        between = range(part[-1] + 1, place + 1) if part else range(place, place + 1)
        if any(row.is_heading[other] for other in between):
            yield part
            part = []
        if not row.is_heading[place]:
            part.append(place)
    yield part


def _region(row: _Row, places: Sequence[int], stops: Sequence[int], how: str) -> Region:
    return Region(
        start=np.array([row.start[place] for place in places], dtype=np.int32),
        stop=np.array([row.stop[stop - 1] for stop in stops], dtype=np.int32),
        parent=row.parent,
        how=how,
        tag=row.tag[places[0]],
    )


def _inline_regions(signals: PageSignals, least: int) -> Iterator[Region]:
    """Inline elements of one tag in one line, separated by nothing but punctuation."""
    units, page = signals.units, signals.page
    long = units.line & (units.stop - units.start >= 2 * least)
    for start, stop in zip(units.start[long].tolist(), units.stop[long].tolist(), strict=True):
        nodes: list[int] = []
        node, plain = start, True
        while node < stop:
            if page.is_text[node]:
                plain = plain and (page.is_blank[node] or not any(map(str.isalnum, page.strings[page.text[node]])))
            else:
                nodes.append(node)
            node = int(page.end[node])
        tags = {int(page.tag[inline]) for inline in nodes}
        if plain and len(nodes) >= least and len(tags) == 1:
            array = np.array(nodes, dtype=np.int32)
            yield Region(array, page.end[array], int(page.parent[start]), "inline", page.strings[page.tag[nodes[0]]])
