"""The texts of records, aligned into columns: texts with the same path in every record are one column."""

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._region import Region
from sightline.extract.lists._span_reader import NodeSpan, are_counting, read_number

# A line with so many words, most of them outside links, is prose: a link in it belongs to the sentence.
PROSE = 12
# Something that occurs several times in a record gets a column for each time only if it occurs equally often in this
# share of the records that have it; otherwise it is one column of lists.
CONSTANT = 0.8
MOST_TIMES = 8
# Words; "by", "in", "Posted by" lead into the link behind them, also behind a dash: "– in".
CONNECTOR = 2
DASHES = "-–—|·• "
# Records of one line are cut like others if they look like "Title (2009)", with a link for a title: so many begin with
# a link, and so many go on behind it. A link within an ingredient or a sentence is not where a record has its parts.
LED = 0.8
FOLLOWED = 0.5
# Letters of scripts that put no spaces between words (Thai to Khmer, kana, Chinese); so many are about a word.
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
LETTERS = 2


@dataclass(frozen=True, slots=True)
class TextRun:
    """A text of a record, from its first to its last text node, with its holder, the holder's path, and its link."""

    first: int
    last: int
    holder: int
    path: int
    link: int

    @property
    def span(self) -> NodeSpan:
        """The nodes of the text."""
        return self.first, self.last + 1


@dataclass(frozen=True)
class TextRunColumn:
    """Texts of one kind: the parts of each record, in order, possibly none; `many` marks a column of lists."""

    cells: list[tuple[TextRun, ...]]
    many: bool

    @cached_property
    def parts(self) -> list[TextRun]:
        """All parts, record by record."""
        return [part for cell in self.cells for part in cell]


def parts_of(signals: PageSignals, region: Region, without: Collection[str] = ()) -> list[list[TextRun]]:
    """The parts of each record: its lines, cut into pieces where there is more than one thing in a record."""
    first = signals.texts.searchsorted(region.start).tolist()
    last = signals.texts.searchsorted(region.stop).tolist()
    lines = [
        line_starts(signals, start, low, high, join="breaks" not in without)
        for start, low, high in zip(region.start.tolist(), first, last, strict=True)
    ]
    if "pieces" in without or not (_are_rich(lines) or _begin_with_links(signals, first, last)):
        cuts = _after_numbers(signals, first, last)
        return [list(_whole_lines(signals, begins, high, cuts)) for begins, high in zip(lines, last, strict=True)]
    is_nested = region.level is not None  # records in records: elements cannot be counted by record
    fields = {} if "inline parts" in without or is_nested else signals.inline_fields(region)
    cut = [
        _cut_lines(signals, start, begins, high, fields)
        for start, begins, high in zip(region.start.tolist(), lines, last, strict=True)
    ]
    known = {_paths(signals, low) for record in cut for starts in record if len(starts) > 2 for low in starts[:-1]}
    return [[part for starts in record for part in _parts(signals, starts, known)] for record in cut]


def _are_rich(lines: list[list[int]]) -> bool:
    """Whether most records have several lines."""
    return bool(lines) and median(map(len, lines)) >= 2


def _begin_with_links(signals: PageSignals, first: list[int], last: list[int]) -> bool:
    """Whether nearly all records begin with a link, and something else follows it in most."""
    link = signals.link_list
    ends = [(link[low], link[high - 1]) for low, high in zip(first, last, strict=True) if low < high]
    led = sum(begin >= 0 for begin, _ in ends)
    followed = sum(begin >= 0 and begin != end for begin, end in ends)
    return led >= LED * len(first) and followed >= FOLLOWED * len(first)


def _after_numbers(signals: PageSignals, first: list[int], last: list[int]) -> frozenset[int]:
    """The places behind numbers that count the records and have an element of their own."""
    holder = signals.holder_list
    behind = [low + 1 for low, high in zip(first, last, strict=True) if low + 1 < high]
    if len(behind) < 2 or holder[behind[0]] == holder[behind[0] - 1]:
        return frozenset()
    read = [read_number(text_at(signals, place - 1)) for place in behind]
    numbers = [None if rest else number for number, rest in read]
    return frozenset(behind) if are_counting([*numbers, *[None] * (len(first) - len(behind))]) else frozenset()


def _whole_lines(signals: PageSignals, begins: list[int], stop: int, cuts: frozenset[int]) -> Iterator[TextRun]:
    for low, high in zip(begins, [*begins[1:], stop], strict=False):
        if low + 1 in cuts and low + 1 < high:
            yield _piece(signals, low, low + 1)
            yield _line(signals, low + 1, high)
        else:
            yield _line(signals, low, high)


def _cut_lines(
    signals: PageSignals, start: int, begins: list[int], stop: int, fields: Mapping[int, int]
) -> list[list[int]]:
    """For each line of the record at node `start` where its pieces begin, and where it ends."""
    value = signals.property_list
    return [
        [low, high]
        if high - low == 1 or start <= value[low] == value[high - 1]  # the value of one property
        else [*_piece_starts(signals, low, high, fields), high]
        for low, high in zip(begins, [*begins[1:], stop], strict=False)
    ]


def _paths(signals: PageSignals, place: int) -> tuple[int, int]:
    return signals.frame_paths[place], signals.holder_paths[place]


def _parts(signals: PageSignals, starts: list[int], known: Collection[tuple[int, int]]) -> Iterator[TextRun]:
    """The parts of one line. All of a line may be what is only a piece of it in other records: a title alone."""
    holder, low, last = signals.holder_list, starts[0], starts[-1] - 1
    if len(starts) > 2 or (holder[low] == holder[last] and _paths(signals, low) in known):
        yield from (_piece(signals, low, high) for low, high in pairwise(starts))
    else:
        yield _line(signals, starts[0], starts[1])


def _line(signals: PageSignals, low: int, high: int) -> TextRun:
    """A whole line: it gets the same column whether or not all of it is a link."""
    text = signals.text_list
    return TextRun(text[low], text[high - 1], signals.frame_list[low], signals.frame_paths[low], signals.link_list[low])


def _piece(signals: PageSignals, low: int, high: int) -> TextRun:
    text = signals.text_list
    return TextRun(
        text[low], text[high - 1], signals.holder_list[low], signals.holder_paths[low], signals.link_list[low]
    )


def _piece_starts(signals: PageSignals, low: int, high: int, fields: Mapping[int, int]) -> list[int]:
    """Where the pieces of a line begin: at links and gaps, unless it is prose, and at inline parts."""
    line, begins = signals.line_list, {low}
    if not _is_prose(signals, low, high):
        starts = run_starts(signals.piece_list, low, high)
        begins.update(place for place in starts[1:] if line[place] == line[place - 1])  # the others were joined
    if fields:
        begins.update(place for place in range(low + 1, high) if fields.get(place) != fields.get(place - 1))
    return _join_pieces(signals, sorted(begins), fields) if len(begins) > 1 else [low]


def _join_pieces(signals: PageSignals, begins: list[int], fields: Mapping[int, int]) -> list[int]:
    """Where pieces begin once "by" is joined to the link behind it."""
    link = signals.link_list
    kept = begins[:1]
    for before, begin in pairwise(begins):
        is_one = fields.get(before) == fields.get(begin)
        leads = begin - before == 1 and link[before] < 0 and (link[begin] >= 0 or begin in fields)
        leads = leads and (is_one or before not in fields) and _is_connector(signals, before)
        if not leads:
            kept.append(begin)
    return kept


def _is_connector(signals: PageSignals, place: int) -> bool:
    text = text_at(signals, place).lstrip(DASHES)
    return len(text.split()) <= CONNECTOR and text.replace(" ", "").isalpha()


def _is_prose(signals: PageSignals, low: int, high: int) -> bool:
    first, last = signals.text_list[low], signals.text_list[high - 1] + 1
    words = int(signals.tallies.words[last] - signals.tallies.words[first])
    linked = int(signals.tallies.linked[last] - signals.tallies.linked[first])
    if words < PROSE:
        for place in range(low, high):
            text = text_at(signals, place)
            if not text.isascii():
                more = len(UNSPACED.findall(text)) // LETTERS
                words += more
                linked += more if signals.link_list[place] >= 0 else 0
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


# The lines of records, without the line breaks that part nothing.
#
# A line ends at a block, a cell or a break. But the value of a microdata property is all text in its element, a link
# over two lines is one link, and some pages break the lines of a sentence by hand.

# Words; a shorter line that ends without a full stop is complete all the same, such as a line of an address. Any number
# from 1 to 8 gives the same figures, so this is the careful end.
WRAPPED = 8
SENTENCE_ENDS = (".", "!", "?", ":")


def line_starts(signals: PageSignals, start: int, low: int, high: int, *, join: bool) -> list[int]:
    """Where the lines of the record at node `start` begin, from the text at place `low` up to `high`."""
    begins = run_starts(signals.line_list, low, high)
    if not join or len(begins) < 2:
        return begins
    kept = begins[:1]
    for begin in begins[1:]:
        if not _goes_on(signals, start, kept[-1], begin):
            kept.append(begin)
    return kept


def run_starts(number: list[int], low: int, high: int) -> list[int]:
    """Where each run of equal numbers begins, from index `low` up to `high`."""
    if high <= low:
        return []
    return [low, *(after for before, after in pairwise(range(low, high)) if number[after] != number[before])]


def text_at(signals: PageSignals, place: int) -> str:
    """The text at a place, without white space at its ends."""
    page = signals.page
    return str(page.strings[page.text[signals.text_list[place]]]).strip()


def _goes_on(signals: PageSignals, start: int, begin: int, place: int) -> bool:
    """Whether the line that began at `begin` goes on at `place`."""
    value, link, holder = signals.property_list, signals.link_list, signals.holder_list
    before = place - 1
    if value[place] >= start and value[place] == value[before]:
        return True
    same = (signals.frame_list, link, holder)
    if any(number[place] != number[before] for number in same):
        return False
    # A record that is a link as a whole has lines like any other.
    return link[place] > start or _is_wrapped(signals, begin, place)


def _is_wrapped(signals: PageSignals, begin: int, place: int) -> bool:
    """Whether a sentence goes on at `place`."""
    words = signals.tallies.words
    if words[signals.text_list[place]] - words[signals.text_list[begin]] < WRAPPED:
        return False
    text = text_at(signals, place - 1)
    has_ended = text.endswith(SENTENCE_ENDS) and not text.endswith("...")
    return not has_ended and text_at(signals, place)[:1].islower()
