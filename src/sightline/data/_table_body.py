"""The records of a grid: the rows and columns of values, and the section of each."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sightline.data._cell import Cell, Grid
from sightline.data._column import read_title, unique_names
from sightline.data._exports import jsonable
from sightline.data._flatten import joined
from sightline.data._record import Record
from sightline.data._result import Plain, XPath
from sightline.data._value import Value
from sightline.errors import UsageError

_Line: TypeAlias = Sequence[Cell]
_Sections: TypeAlias = tuple[Value | None, ...]

_JOINER = " / "


@dataclass(frozen=True, slots=True)
class TableBody:
    """The rows that are records with their sections, and the columns that are fields; `over` has one for each column.

    A section is a row as a rule. Where a table is turned it is a column, and heads the columns behind it.
    """

    lines: tuple[_Line, ...]
    sections: _Sections
    fields: tuple[int, ...]
    over: _Sections
    totals: frozenset[int] = frozenset()
    """Which of the rows hold totals and no other values."""


def body_of(grid: Grid, header_rows: int) -> TableBody:
    """Sort the rows below the headings into records and sections, and the columns likewise.

    >>> grid = ((Cell(0, 0, value=Value("North"), role="section"),), (Cell(1, 0, value=Value("5")),))
    >>> body = body_of(grid, 0)
    >>> [line[0].text for line in body.lines], [section.text for section in body.sections]
    (['5'], ['North'])
    """
    rows = [line for line in grid[header_rows:] if _is_value(line) or not (_is_repeated_head(line) or _is_note(line))]
    records = [(line, section) for line, section in zip(rows, _sections(rows), strict=True) if not _is_section(line)]
    lines = tuple(line for line, _ in records)
    columns = _turned([*grid[:header_rows], *lines], len(grid[0]) if grid else 0)
    fields = tuple(place for place, column in enumerate(columns) if not _is_section(column))
    totals = frozenset(place for place, line in enumerate(lines) if not _is_plain(line) and _is_total(line))
    return TableBody(lines, tuple(section for _, section in records), fields, _sections(columns), totals)


def totals_of(grid: Grid, header_rows: int) -> tuple[int, ...]:
    """The rows of totals: those with a total in them and no other value."""
    return tuple(row for row, line in enumerate(grid) if row >= header_rows and _is_total(line))


def repeated_rows(rows: Sequence[Sequence[str]], header_rows: int) -> frozenset[int]:
    """The rows of a grid of texts below the headings that repeat the last of these, as long tables do.

    >>> repeated_rows([["a", "b"], ["1", "2"], ["a", "b"]], 1)
    frozenset({2})
    """
    if not header_rows:
        return frozenset()
    last = rows[header_rows - 1]
    return frozenset(row for row in range(header_rows, len(rows)) if rows[row] == last)


def _turned(lines: Sequence[_Line], width: int) -> Sequence[_Line]:
    return list(zip(*lines, strict=True)) if lines else [()] * width


def _sections(lines: Iterable[_Line]) -> _Sections:
    """For each row or column the section that it is in; one that is a section itself is in none."""
    found: list[Value | None] = []
    current: Value | None = None
    for line in lines:
        if _is_section(line):
            current = _text_of(line)
            found.append(None)
        else:
            found.append(current)
    return tuple(found)


def _text_of(line: _Line) -> Value | None:
    cells = {id(cell): cell.value for cell in line if cell.role == "section" and cell.text.strip()}
    return joined(list(cells.values()), _JOINER)


def _is_value(line: _Line) -> bool:
    """Whether the first cell of a row tells already that it is a record: nearly all of a long table are."""
    return bool(line) and line[0].role in ("data", "row header")


def _is_plain(line: _Line) -> bool:
    """Whether the last cell of a row tells already that it holds no totals: nearly all of a long table do."""
    return bool(line) and line[-1].role == "data" and bool(line[-1].text)


def _is_repeated_head(line: _Line) -> bool:
    """Whether a body row only repeats headings, as long tables do."""
    return all(cell.role in ("column header", "corner") for cell in line)


def _is_note(line: _Line) -> bool:
    """Whether a row is a remark below or between the others."""
    return all(cell.role in ("note", "hole") for cell in line) and any(cell.role == "note" for cell in line)


def _is_section(line: _Line) -> bool:
    """Whether a row or column holds nothing but sections."""
    if _is_value(line):
        return False
    return all(cell.role in ("section", "hole") for cell in line) and any(cell.role == "section" for cell in line)


def _is_total(line: _Line) -> bool:
    return any(cell.role == "total" for cell in line) and not any(
        cell.role == "data" and cell.text.strip() for cell in line
    )


# The statements of a table: one triple for every value.

_VALUES = ("data", "total")
_NAMING = 3  # columns from the left in which to look for a name
_RANK = re.compile(r"[^\w]*+(?:\d{1,4}[^\w]*+)?")  # nothing is tried twice, however long a cell is


@dataclass(frozen=True, slots=True)
class Triple:
    """A value of a table in the words of its headings: subject, predicate, and the value with its origin.

    >>> Triple("EOS 5D", "Price", Value("$1,200")).object.text
    '$1,200'
    """

    subject: str
    predicate: str
    object: Value

    def to_json(self, *, origins: bool = False, xpath: XPath | None = None) -> dict[str, Any]:
        """The triple as a plain dict; with origins its object has text, value, XPath and box.

        >>> Triple("EOS 5D", "Price", Value("$1,200")).to_json()
        {'subject': 'EOS 5D', 'predicate': 'Price', 'object': '$1,200'}
        """
        told = Plain(origins=origins, xpath=xpath).of(self.object)
        return dict(jsonable({"subject": self.subject, "predicate": self.predicate, "object": told}))


def triples_of(body: TableBody, names: Sequence[str], header_columns: int, about: str | None = None) -> list[Triple]:
    """A triple for every value that is not empty, row by row; `about` names the record where there is only one.

    Without headings on the left, the first column names the rows; if that leaves no other columns, or is empty, a row
    is named by its number.
    """
    beside = _naming(body, header_columns) if about is None else ()
    fields = [place for place in body.fields if place not in beside]
    predicates = [names[place] for place in fields]
    triples: list[Triple] = []
    for subject, line in zip(_subjects(body, beside, about), body.lines, strict=True):
        for predicate, place in zip(predicates, fields, strict=True):
            cell = line[place]
            value = cell.value
            if cell.role in _VALUES and value.text and not value.text.isspace():
                triples.append(Triple(subject, predicate, value))
    return triples


def _naming(body: TableBody, header_columns: int) -> tuple[int, ...]:
    """The columns that name the rows: headings beside them, else the first, or the next if that only ranks them."""
    fields = body.fields
    beside = tuple(place for place in fields if place < header_columns)
    if beside or len(fields) < 2:
        return beside
    columns = {place: [line[place].text.strip() for line in body.lines] for place in fields[:_NAMING]}
    if not _ranks(columns[fields[0]]):
        return fields[:1]
    named = tuple(place for place, texts in columns.items() if any(texts) and not _ranks(texts))
    return named[:1] or fields[:1]


def _ranks(texts: Sequence[str]) -> bool:
    """Whether a column holds short numbers and nothing else."""
    return any(texts) and all(_RANK.fullmatch(text) for text in texts)


def _subjects(body: TableBody, beside: Sequence[int], about: str | None) -> Iterator[str]:
    for number, (line, section) in enumerate(zip(body.lines, body.sections, strict=True), start=1):
        path = heading_path(line[place] for place in beside) or [about or str(number)]
        yield _JOINER.join([*heading_path((), section), *path])


# A table as one record: labels with their values, as an infobox has them.

TITLE = "title"
TEXT = "text"  # what stands neither beside a label nor over a part: the caption of a picture, for instance
LABEL_ENDS = " :\u00a0"

_Pairs: TypeAlias = dict[str, list[Value | None]]


def record_of(grid: Grid, caption: str | None = None) -> Record:
    """The labels of a grid with their values; texts over its whole width are its title and the names of its parts.

    >>> record_of(((Cell(0, 0, value=Value("Weight:")), Cell(0, 1, value=Value("5 kg"))),)).to_dict()
    {'Weight': '5 kg'}
    """
    parts = list(_parts(grid))
    if not any(pairs for _, pairs in parts):
        raise UsageError("This table has no labels with values beside them, so it isn't a record; use its rows.")
    title = Value(caption) if caption else None
    fields: dict[str, object] = {}
    for heading, pairs in parts:
        if not pairs:
            if title is None:
                title = heading
            elif heading is not None:
                _put(fields, TEXT, heading)
            continue
        if heading is None or (title is None and not fields):
            title = title or heading
            _add(fields, pairs)
        else:
            own: dict[str, object] = {}
            _add(own, pairs)
            _put(fields, heading.text, Record(own))
    if title is None:
        return Record(fields)
    named: dict[str, object] = {TITLE: title}
    for name, value in fields.items():
        for one in value if isinstance(value, list) else [value]:
            _put(named, name, one)
    return Record(named)


def _parts(grid: Grid) -> Iterator[tuple[Value | None, _Pairs]]:
    """The text over the whole width, if any, and the labels with values below it, part by part."""
    name: Value | None = None
    pairs: _Pairs = {}
    for line in grid:
        cells = [cell for cell in dict.fromkeys(line) if cell.text.strip()]
        if _is_whole(line):
            yield name, pairs
            name, pairs = line[0].value, {}
        elif cells:
            label, values = _label_and_values(line, cells)
            pairs.setdefault(label, []).extend(values)
    yield name, pairs


def _label_and_values(line: Sequence[Cell], cells: Sequence[Cell]) -> tuple[str, list[Value | None]]:
    """The label of a row and what stands beside it; a label alone has no value, and a text alone is a text."""
    if cells[0] is not line[0]:
        return TEXT, [cell.value for cell in cells]
    label, *values = cells
    return label.text.strip(LABEL_ENDS), [cell.value for cell in values] or [None]


def _is_whole(line: Sequence[Cell]) -> bool:
    return bool(line) and bool(line[0].text.strip()) and all(cell is line[0] for cell in line)


def _add(fields: dict[str, object], pairs: _Pairs) -> None:
    for label, values in pairs.items():
        for value in values:
            _put(fields, label, value)


def _put(fields: dict[str, object], name: str, value: object) -> None:
    """A field more; one that is there already becomes a list."""
    if name not in fields:
        fields[name] = value
    else:
        before = fields[name]
        fields[name] = [*before, value] if isinstance(before, list) else [before, value]


# Headings of several levels: the tree, and one flat name a column.


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading over the columns from `start` up to, not including, `stop`, with those below it."""

    text: str
    start: int
    stop: int
    children: tuple["Heading", ...] = ()


def heading_tree(head: Grid) -> tuple[Heading, ...]:
    """The headings of the head rows as a tree; a cell that spans rows stands once."""
    width = len(head[0]) if head else 0
    return _level(head, 0, width, None)


def _level(head: Sequence[Sequence[Cell]], start: int, stop: int, above: Cell | None) -> tuple[Heading, ...]:
    if not head:
        return ()
    first, below = head[0], head[1:]
    if above is not None and all(first[column] is above for column in range(start, stop)):
        return _level(below, start, stop, above)
    headings = []
    while start < stop:
        cell, end = first[start], start + 1
        while end < stop and first[end] is cell:
            end += 1
        headings.append(Heading(cell.text, start, end, _level(below, start, end, cell)))
        start = end
    return tuple(headings)


def flat_names(head: Grid, sections: Sequence[Value | None], joiner: str = " / ") -> tuple[str, ...]:
    """One name a column: its section and its headings from top to bottom, each once; all different.

    There is one section, or None, for each column. A title over all columns, with headings below it, is in no name
    unless it has a unit.
    """
    named = _without_titles(head)
    columns = zip(*named, strict=True) if named else ((),) * len(sections)
    pairs = zip(sections, columns, strict=True)
    return unique_names(joiner.join(heading_path(cells, section)) for section, cells in pairs)


def _without_titles(head: Grid) -> Grid:
    """The head rows without the titles above those that tell columns apart; one with a unit says what values are."""
    several = [row for row, line in enumerate(head) if any(cell is not line[0] for cell in line)]
    if not several or not any(cell.text.strip() for cell in head[-1]):
        return head
    return tuple(line for row, line in enumerate(head) if row >= several[0] or read_title(line[0].text).unit)


def heading_path(cells: Iterable[Cell], section: Value | None = None) -> list[str]:
    """The texts of headings from the outermost to the innermost, without the empty and the repeated ones.

    >>> heading_path([Cell(0, 0, value=Value("2024")), Cell(1, 0), Cell(2, 0, value=Value("Q1"))], Value("North"))
    ['North', '2024', 'Q1']
    """
    texts = [" ".join(section.text.split())] if section and section.text.strip() else []
    for text in (" ".join(cell.text.split()) for cell in cells):
        if text and (not texts or texts[-1] != text):
            texts.append(text)
    return texts
