"""Where something repeats: among the units of each element, those that are alike, and what goes with each.

Three ways to repeat are looked for: units that are records themselves (list items, cards, rows, paragraphs, lines),
units that begin a record which the units behind them continue (a heading and its text, a term and its descriptions),
and inline elements in one line (a menu of links).
"""

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from operator import itemgetter
from statistics import median

import numpy as np

from sightline.extract.lists._clean_regions import CELLS, RICH, are_cells, is_row, without_unlike
from sightline.extract.lists._join_regions import joined
from sightline.extract.lists._page_signals import HEADINGS, ITEMS, PLAIN, PageSignals
from sightline.extract.lists._region import Region

__all__ = ["LEAST_RECORDS", "regions_of"]

LEAST_RECORDS = 3  # with fewer there is nothing to see that repeats
STARTING = frozenset((*HEADINGS, "dt", "summary", "legend"))
# Of the units of one tag without a common class; below it they are made differently.
ALIKE = 0.5
MOST_UNLIKE = 1000  # units of one element; so many that resemble nothing are no records, and would take their time


@dataclass(frozen=True)
class _Row:
    """The units of one element, as lists: what each is called, and in which group of its like it is."""

    start: list[int]
    stop: list[int]
    tag: list[str]
    look: list[tuple[float, bool]]
    group: list[int]
    is_heading: list[bool]
    prominence: list[float]
    parent: int


def regions_of(seen: PageSignals, least: int = LEAST_RECORDS, without: tuple[str, ...] = ()) -> list[Region]:
    """All regions of a page with at least so many records; they may lie in each other."""
    found: list[Region] = []
    for place in _promising(seen, least):
        found.extend(_records(_row(seen, place, without), least, without))
    whole = found if "joining" in without else joined(seen, [*found, *_short_ones(seen, found, least, without)])
    lines = [] if "inline" in without else _inline(seen, least)
    regions = [region for region in (*whole, *lines) if len(region) >= least and not is_row(seen, region)]
    if "cells" not in without:
        regions = [region for region in regions if not are_cells(seen, region)]
    return regions if "unlike" in without else without_unlike(seen, regions, least)


def _short_ones(seen: PageSignals, found: list[Region], least: int, without: tuple[str, ...]) -> Iterator[Region]:
    """What may be parts of a list and is too short to be one: where one element holds enough, its like need not."""
    units, path = seen.units, seen.page.path
    paths = {int(path[region.parent]) for region in found if region.how == "units"} | _repeated(seen, least)
    few = (np.diff(units.first) < least) & np.isin(path[units.parent], list(paths))
    for place in np.flatnonzero(few).tolist():
        yield from (region for region in _records(_row(seen, place, without), 1, without) if region.how == "units")


def _promising(seen: PageSignals, least: int) -> list[int]:
    """The elements, by their place, that hold enough units of one tag."""
    units = seen.units
    counts = np.diff(units.first)
    row = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    tag = np.where(units.line, len(seen.page.strings), seen.page.tag[units.start])
    cells = np.isin(tag, [seen.page.string_id(name) for name in CELLS])
    single = seen.leaves.searchsorted(units.stop) - seen.leaves.searchsorted(units.start) < RICH
    known = ~(cells & single)  # the cells of a data table are no records
    keys, count = np.unique((row * (len(seen.page.strings) + 1) + tag)[known], return_counts=True)
    rows = np.unique(keys[count >= least] // (len(seen.page.strings) + 1))
    promising: list[int] = rows.tolist()
    return promising


def _repeated(seen: PageSignals, least: int) -> set[int]:
    """The paths of lists by their tag, with a class, of which there are enough to be the parts of one."""
    lists = seen.page.with_tag("ul", "ol")
    lists = lists[seen.page.visible[lists] & (seen.classes[lists] >= 0)]
    paths, counts = np.unique(seen.page.path[lists], return_counts=True)
    return set(paths[counts >= least].tolist())


def _row(seen: PageSignals, place: int, without: tuple[str, ...]) -> _Row:
    units, lists = seen.units, seen.unit_lists
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
    for number, places in enumerate(_groups(seen, row, without)):
        for member in places:
            row.group[member] = number
    return row


def _groups(seen: PageSignals, row: _Row, without: tuple[str, ...]) -> Iterator[list[int]]:
    """The units of a row, those of one kind together."""
    by_tag: dict[str, list[int]] = {}
    for place, name in enumerate(row.tag):
        by_tag.setdefault(name, []).append(place)
    for name, places in by_tag.items():
        if name in ITEMS or len(places) == 1:
            yield places
        elif name in PLAIN:
            yield from _by_look(row, places)
        else:
            rest = yield from _by_class(seen, row, places)
            yield from [rest] if "make" in without else _by_make(seen, row, rest)


def _by_look(row: _Row, places: list[int]) -> Iterator[list[int]]:
    """Units whose text looks alike."""
    by_look: dict[tuple[float, bool], list[int]] = {}
    for place in places:
        by_look.setdefault(row.look[place], []).append(place)
    yield from by_look.values()


def _by_class(seen: PageSignals, row: _Row, places: list[int]) -> Generator[list[int], None, list[int]]:
    """Units that share a word of their classes, the commonest first; what is left is returned."""
    tokens = {place: seen.tokens(row.start[place]) for place in places}
    rest = places
    while len(rest) > 1:
        counts = Counter(chain.from_iterable(seen.words_of_class(row.start[place]) for place in rest))
        token, count = max(counts.items(), key=itemgetter(1), default=("", 0))
        if count < 2:
            break
        yield [place for place in rest if token in tokens[place]]
        rest = [place for place in rest if token not in tokens[place]]
    return rest


def _by_make(seen: PageSignals, row: _Row, places: list[int]) -> Iterator[list[int]]:
    """Units that are made alike: each joins the first before it that it resembles."""
    if len(places) < 2:
        yield from [places] if places else []
        return
    starts, stops = [row.start[place] for place in places], [row.stop[place] for place in places]
    rows = seen.profiles.of(np.array(starts), np.array(stops))
    rest = np.arange(len(places))
    while len(rest):
        alike = rows[rest] @ rows[rest[0]] >= ALIKE
        alike[0] = True  # what shows nothing is like itself at least
        yield [places[place] for place in rest[alike].tolist()]
        rest = rest[~alike]
        if len(rest) > MOST_UNLIKE:  # so many that are alike nothing are no records
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
        parted = _parted(places)
        name = row.tag[places[0]]
        if name in STARTING or parted >= 0.5:
            if len(places) > 1 and parted >= 0.5:
                forests.append((_starting(row, places), number, places))
            if name in STARTING or name not in PLAIN:
                continue
        for part in [places] if "headings" in without else _cut_at_headings(row, places):
            if len(part) >= least:
                yield _region(row, part, [place + 1 for place in part], "units")
    if "forests" not in without:
        yield from _forests(row, forests)


def _parted(places: list[int]) -> float:
    """How many neighbours of some places have others between them, as a share."""
    gaps = sum(second - first > 1 for first, second in pairwise(places))
    return gaps / (len(places) - 1) if len(places) > 1 else 0.0


def _starting(row: _Row, places: list[int]) -> float:
    """How much a group of units looks as if each began something: headings do, larger and bolder text does."""
    name = row.tag[places[0]]
    behind = [row.prominence[place + 1] for place in places if place + 1 < len(row.start)]
    larger = round(median(row.prominence[place] for place in places) - (median(behind) if behind else 0), 1)
    return 2.0 * (name in STARTING) + (larger > 0) - (larger < 0)


def _forests(row: _Row, candidates: list[tuple[float, int, list[int]]]) -> Iterator[Region]:
    """Records of several units: those that begin with the most prominent kind of unit, and the first of them."""
    taken: set[int] = set()
    for _, _, places in sorted(candidates, key=lambda one: (-one[0], one[2][0])):
        stops = [*places[1:], _last_stop(row, places)]
        spans = {place for first, last in zip(places, stops, strict=True) for place in range(first, last)}
        if len(spans & taken) > 0.5 * len(spans):
            continue
        taken |= spans
        yield _region(row, places, stops, "forest")


def _last_stop(row: _Row, places: list[int]) -> int:
    """Where the last record ends: at a kind of unit that no record before it has, or when it is longer than any."""
    longest = max(second - first for first, second in pairwise(places))
    known = {row.group[place] for place in range(places[0], places[-1])}
    stop = places[-1] + 1
    while stop < len(row.start) and stop - places[-1] < longest and row.group[stop] in known:
        stop += 1
    return stop


def _cut_at_headings(row: _Row, places: list[int]) -> Iterator[list[int]]:
    """A run of units ends where a heading stands between them, unless they are headed units themselves."""
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


def _inline(seen: PageSignals, least: int) -> Iterator[Region]:
    """Inline elements of one tag in one line, with nothing but marks between them."""
    units, page = seen.units, seen.page
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
        tags = {int(page.tag[one]) for one in nodes}
        if plain and len(nodes) >= least and len(tags) == 1:
            array = np.array(nodes, dtype=np.int32)
            yield Region(array, page.end[array], int(page.parent[start]), "inline", page.strings[page.tag[nodes[0]]])
