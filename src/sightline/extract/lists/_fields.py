"""The texts of records, aligned into columns: what has one make in every record is one column."""

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._region import Region

__all__ = ["TextRun", "TextRunColumn", "cell_place", "columns_of", "parts_of"]

# A line with so many words, most of them in no link, is prose: a link in it belongs to the sentence.
PROSE = 12
# In so many of the records that have it, a thing that stands there several times must stand there equally often
# to get a column for each time; else all of it is one list.
CONSTANT = 0.8
MOST_TIMES = 8
# Words; "by", "in", "Posted by" lead to what is behind them.
CONNECTOR = 2


@dataclass(frozen=True, slots=True)
class TextRun:
    """A text of a record, from one text node to another, the element that holds it, that one's path, and the link."""

    first: int
    last: int
    holder: int
    path: int
    link: int


@dataclass(frozen=True)
class TextRunColumn:
    """The texts of one make: for each record its parts, in order, none where it has none; `many` holds lists."""

    cells: list[tuple[TextRun, ...]]
    many: bool

    @cached_property
    def parts(self) -> list[TextRun]:
        """All parts, record by record."""
        return [part for cell in self.cells for part in cell]


def parts_of(seen: PageSignals, region: Region, *, cut: bool = True) -> list[list[TextRun]]:
    """The parts of each record: lines where records have one line each, else lines cut into their pieces."""
    first = seen.texts.searchsorted(region.start).tolist()
    last = seen.texts.searchsorted(region.stop).tolist()
    lines = [_begins(seen.line_list, low, high) for low, high in zip(first, last, strict=True)]
    is_rich = cut and bool(lines) and median(map(len, lines)) >= 2
    return [list(_parts(seen, begins, high, cut=is_rich)) for begins, high in zip(lines, last, strict=True)]


def _begins(number: list[int], low: int, high: int) -> list[int]:
    """Where each run of one number begins, from one place up to another."""
    if high <= low:
        return []
    return [low, *(place for place in range(low + 1, high) if number[place] != number[place - 1])]


def _parts(seen: PageSignals, begins: list[int], stop: int, *, cut: bool) -> Iterator[TextRun]:
    text, holder, path, link = seen.text_list, seen.holder_list, seen.holder_paths, seen.link_list
    frame, frame_path = seen.frame_list, seen.frame_paths
    for low, high in zip(begins, [*begins[1:], stop], strict=False):
        inner = [low]
        if cut and high - low > 1 and not _is_prose(seen, low, high):
            inner = _attached(seen, _begins(seen.piece_list, low, high))
        if len(inner) == 1:  # a line is the same whether or not all of it is a link
            yield TextRun(text[low], text[high - 1], frame[low], frame_path[low], link[low])
            continue
        for start, end in zip(inner, [*inner[1:], high], strict=True):
            yield TextRun(text[start], text[end - 1], holder[start], path[start], link[start])


def _attached(seen: PageSignals, begins: list[int]) -> list[int]:
    """Where pieces begin once words such as "by" are given to the link that they lead to."""
    link = seen.link_list
    kept = begins[:1]
    for before, begin in pairwise(begins):
        leads = link[before] < 0 <= link[begin] and begin - before == 1 and _is_connector(seen, before)
        if not leads:
            kept.append(begin)
    return kept


def _is_connector(seen: PageSignals, place: int) -> bool:
    text = seen.page.strings[seen.page.text[seen.text_list[place]]].strip()
    return len(text.split()) <= CONNECTOR and text.replace(" ", "").isalpha()


def _is_prose(seen: PageSignals, low: int, high: int) -> bool:
    first, last = seen.text_list[low], seen.text_list[high - 1] + 1
    words = int(seen.tallies.words[last] - seen.tallies.words[first])
    linked = int(seen.tallies.linked[last] - seen.tallies.linked[first])
    return words >= PROSE and linked < words / 2


def columns_of(seen: PageSignals, region: Region, records: list[list[TextRun]]) -> list[TextRunColumn]:
    """Columns in the order in which they are read."""
    classes = seen.class_list
    keys = _keys(seen, region, records)
    times = _times(keys)
    often = {key for key, counts in times.items() if max(counts) > 1}
    if often:
        # Where one make stands several times in a record, classes may tell which is which.
        keys = [
            [(key, classes[part.holder]) if key in often else key for key, part in zip(own, record, strict=True)]
            for own, record in zip(keys, records, strict=True)
        ]
        times = _times(keys)
    several = {key for key, counts in times.items() if _varies(counts)}
    return _columns([_counted(record, several) for record in keys], records)


def _keys(seen: PageSignals, region: Region, records: list[list[TextRun]]) -> list[list[Hashable]]:
    """What tells for each part in which column it belongs: the path of what holds it.

    In the rows of a table it is the place of its cell as well. In a thread records stand at different depths, so it is
    how deep the part stands in its record, and what holds it.
    """
    if region.tag == "tr":
        return [[(cell_place(seen, part), part.path) for part in record] for record in records]
    if region.level is None:
        return [[part.path for part in record] for record in records]
    return [
        [_place_in(seen, start, part.holder) for part in record]
        for start, record in zip(region.start.tolist(), records, strict=True)
    ]


def _place_in(seen: PageSignals, start: int, node: int) -> Hashable:
    """How deep a node stands in a record, and what it is; the record itself may have a class for its own depth."""
    depth = seen.page.depth
    return int(depth[node] - depth[start]), int(seen.page.tag[node]), seen.class_list[node] if node != start else -1


def cell_place(seen: PageSignals, part: TextRun) -> int:
    """The place of the cell that a part is in, in its row; 0 for what is in no cell."""
    cell = seen.cells[part.holder]
    return seen.cell_places[cell] if cell >= 0 else 0


def _times(keys: list[list[Hashable]]) -> dict[Hashable, list[int]]:
    """How many times each make stands in the records that have it."""
    times: dict[Hashable, list[int]] = {}
    for record in keys:
        if len(set(record)) == len(record):
            for key in record:
                times.setdefault(key, []).append(1)
        else:
            for key, count in Counter(record).items():
                times.setdefault(key, []).append(count)
    return times


def _varies(counts: list[int]) -> bool:
    """Whether something stands a varying number of times in a record."""
    if max(counts) == 1:
        return False
    usual, records = Counter(counts).most_common(1)[0]
    return records < CONSTANT * len(counts) or usual > MOST_TIMES


Key = tuple[Hashable, int]


def _counted(record: list[Hashable], several: set[Hashable]) -> list[Key]:
    """Each key with how many times it was there before; lists have no such number."""
    if len(set(record)) == len(record):
        return [(key, -1 if key in several else 0) for key in record]
    before: Counter[Hashable] = Counter()
    result = []
    for key in record:
        result.append((key, -1 if key in several else before[key]))
        before[key] += 1
    return result


def _columns(keys: list[list[Key]], records: list[list[TextRun]]) -> list[TextRunColumn]:
    cells: dict[Key, list[list[TextRun]]] = {}
    for row, (own, record) in enumerate(zip(keys, records, strict=True)):
        for key, part in zip(own, record, strict=True):
            column = cells.get(key)
            if column is None:
                column = cells[key] = [[] for _ in records]
            column[row].append(part)
    return [TextRunColumn([tuple(cell) for cell in cells[key]], many=key[1] < 0) for key in _in_order(keys)]


def _in_order(records: list[list[Key]]) -> list[Key]:
    """All keys, each behind the one that it first stood behind."""
    order: list[Key] = []
    known: set[Key] = set()
    for record in records:
        if known.issuperset(record):
            continue
        place = 0
        for key in record:
            if key in known:
                place = order.index(key) + 1
            else:
                order.insert(place, key)
                known.add(key)
                place += 1
    return order
