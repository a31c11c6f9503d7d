"""The texts of records, aligned into columns: texts with the same path in every record are one column."""

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._region import Region

__all__ = ["TextRun", "TextRunColumn", "cell_place", "columns_of", "parts_of"]

# A line with so many words, most of them outside links, is prose: a link in it belongs to the sentence.
PROSE = 12
# Something that occurs several times in a record gets a column for each time only if it occurs equally often in this
# share of the records that have it; otherwise it is one column of lists.
CONSTANT = 0.8
MOST_TIMES = 8
# Words; "by", "in", "Posted by" lead into the link behind them.
CONNECTOR = 2


@dataclass(frozen=True, slots=True)
class TextRun:
    """A text of a record, from its first to its last text node, with its holder, the holder's path, and its link."""

    first: int
    last: int
    holder: int
    path: int
    link: int


@dataclass(frozen=True)
class TextRunColumn:
    """Texts of one kind: the parts of each record, in order, possibly none; `many` marks a column of lists."""

    cells: list[tuple[TextRun, ...]]
    many: bool

    @cached_property
    def parts(self) -> list[TextRun]:
        """All parts, record by record."""
        return [part for cell in self.cells for part in cell]


def parts_of(signals: PageSignals, region: Region, *, cut: bool = True) -> list[list[TextRun]]:
    """The parts of each record: its lines, cut into pieces where records have several lines."""
    first = signals.texts.searchsorted(region.start).tolist()
    last = signals.texts.searchsorted(region.stop).tolist()
    lines = [_run_starts(signals.line_list, low, high) for low, high in zip(first, last, strict=True)]
    is_rich = cut and bool(lines) and median(map(len, lines)) >= 2
    return [list(_parts(signals, begins, high, cut=is_rich)) for begins, high in zip(lines, last, strict=True)]


def _run_starts(number: list[int], low: int, high: int) -> list[int]:
    """Where each run of equal numbers begins, from index `low` up to `high`."""
    if high <= low:
        return []
    return [low, *(place for place in range(low + 1, high) if number[place] != number[place - 1])]


def _parts(signals: PageSignals, begins: list[int], stop: int, *, cut: bool) -> Iterator[TextRun]:
    text, holder, path, link = signals.text_list, signals.holder_list, signals.holder_paths, signals.link_list
    frame, frame_path = signals.frame_list, signals.frame_paths
    for low, high in zip(begins, [*begins[1:], stop], strict=False):
        inner = [low]
        if cut and high - low > 1 and not _is_prose(signals, low, high):
            inner = _join_connectors(signals, _run_starts(signals.piece_list, low, high))
        if len(inner) == 1:  # a line gets the same column whether or not all of it is a link
            yield TextRun(text[low], text[high - 1], frame[low], frame_path[low], link[low])
            continue
        for start, end in zip(inner, [*inner[1:], high], strict=True):
            yield TextRun(text[start], text[end - 1], holder[start], path[start], link[start])


def _join_connectors(signals: PageSignals, begins: list[int]) -> list[int]:
    """Where pieces begin once words such as "by" are joined to the link that follows them."""
    link = signals.link_list
    kept = begins[:1]
    for before, begin in pairwise(begins):
        leads = link[before] < 0 <= link[begin] and begin - before == 1 and _is_connector(signals, before)
        if not leads:
            kept.append(begin)
    return kept


def _is_connector(signals: PageSignals, place: int) -> bool:
    text = signals.page.strings[signals.page.text[signals.text_list[place]]].strip()
    return len(text.split()) <= CONNECTOR and text.replace(" ", "").isalpha()


def _is_prose(signals: PageSignals, low: int, high: int) -> bool:
    first, last = signals.text_list[low], signals.text_list[high - 1] + 1
    words = int(signals.tallies.words[last] - signals.tallies.words[first])
    linked = int(signals.tallies.linked[last] - signals.tallies.linked[first])
    return words >= PROSE and linked < words / 2


def columns_of(signals: PageSignals, region: Region, records: list[list[TextRun]]) -> list[TextRunColumn]:
    """The columns of some records, in reading order."""
    classes = signals.class_list
    keys = _column_keys(signals, region, records)
    times = _occurrences(keys)
    often = {key for key, counts in times.items() if max(counts) > 1}
    if often:
        # Where parts with one path occur several times in a record, classes may tell them apart.
        keys = [
            [
                (key, classes[part.holder]) if key in often else key
                for key, part in zip(record_keys, record, strict=True)
            ]
            for record_keys, record in zip(keys, records, strict=True)
        ]
        times = _occurrences(keys)
    several = {key for key, counts in times.items() if _varies(counts)}
    return _columns([_number_repeats(record, several) for record in keys], records)


def _column_keys(signals: PageSignals, region: Region, records: list[list[TextRun]]) -> list[list[Hashable]]:
    """For each part the key of its column: the path of its holder.

    In the rows of a table the key includes the place of the cell. In a thread records are at different depths, so
    the key is the part's depth within its record, and its holder's tag and class.
    """
    if region.tag == "tr":
        return [[(cell_place(signals, part), part.path) for part in record] for record in records]
    if region.level is None:
        return [[part.path for part in record] for record in records]
    return [
        [_place_in(signals, start, part.holder) for part in record]
        for start, record in zip(region.start.tolist(), records, strict=True)
    ]


def _place_in(signals: PageSignals, start: int, node: int) -> Hashable:
    """A node's depth in a record, and its tag and class; the record itself may have a class for its own depth."""
    depth = signals.page.depth
    return (
        int(depth[node] - depth[start]),
        int(signals.page.tag[node]),
        signals.class_list[node] if node != start else -1,
    )


def cell_place(signals: PageSignals, part: TextRun) -> int:
    """The place in its row of the cell that holds a part; 0 outside cells."""
    cell = signals.cells[part.holder]
    return signals.cell_places[cell] if cell >= 0 else 0


def _occurrences(keys: list[list[Hashable]]) -> dict[Hashable, list[int]]:
    """How many times each key occurs in the records that have it."""
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
    """Whether something occurs a varying number of times in a record."""
    if max(counts) == 1:
        return False
    usual, records = Counter(counts).most_common(1)[0]
    return records < CONSTANT * len(counts) or usual > MOST_TIMES


Key = tuple[Hashable, int]


def _number_repeats(record: list[Hashable], several: set[Hashable]) -> list[Key]:
    """Each key with the number of its earlier occurrences; -1 for keys whose column holds lists."""
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
    for row, (record_keys, record) in enumerate(zip(keys, records, strict=True)):
        for key, part in zip(record_keys, record, strict=True):
            column = cells.get(key)
            if column is None:
                column = cells[key] = [[] for _ in records]
            column[row].append(part)
    return [TextRunColumn([tuple(cell) for cell in cells[key]], many=key[1] < 0) for key in _in_order(keys)]


def _in_order(records: list[list[Key]]) -> list[Key]:
    """All keys, each behind the one that it first occurred behind."""
    order: list[Key] = []
    ordered: set[Key] = set()
    for record in records:
        if ordered.issuperset(record):
            continue
        place = 0
        for key in record:
            if key in ordered:
                place = order.index(key) + 1
            else:
                order.insert(place, key)
                ordered.add(key)
                place += 1
    return order
