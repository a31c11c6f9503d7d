"""The records of a grid: the rows and columns of values, and the section of each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sightline.data._cell import Cell, Grid
from sightline.data._flatten import joined
from sightline.data._value import Value

__all__ = ["TableBody", "body_of", "repeated_rows", "totals_of"]

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
