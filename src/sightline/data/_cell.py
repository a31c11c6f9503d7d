"""A cell of a table, and how cells become a grid."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from sightline.data._value import Origin, Value, filled
from sightline.errors import UsageError

Role: TypeAlias = Literal["data", "column header", "row header", "corner", "section", "total", "note", "hole"]
"""The role of a cell: data; a heading over columns; a heading beside rows; the corner where both meet (its text names
the row headings); a section, a heading between rows for those below it; a cell of a totals row; a note, a
remark across all columns that is not a row of data; or a hole, where the page shows no cell at all."""

ROLES = frozenset(get_args(Role))

# A grid holds every position, so wild spans cost memory: HTML allows 1,000 columns by 65,534 rows for one cell.
MOST_POSITIONS = 5_000_000

Grid: TypeAlias = tuple[tuple["Cell", ...], ...]


_EMPTY = Value("")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell at its upper left position, with its spans, and the marks of footnotes that stand in it.

    >>> Cell(0, 0, value=Value("2024"), column_span=2, role="column header").text
    '2024'
    """

    row: int
    column: int
    row_span: int = 1
    column_span: int = 1
    value: Value = _EMPTY
    role: Role = "data"
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Reject negative positions, spans below one, and unknown roles."""
        if self.row < 0 or self.column < 0 or self.row_span < 1 or self.column_span < 1:
            raise UsageError(f"A cell needs a position from 0 and spans from 1, unlike {self._where}.")
        if self.role not in ROLES:
            raise UsageError(f"{self.role!r} is not a role of a cell; use one of {', '.join(get_args(Role))}.")

    @property
    def text(self) -> str:
        """The text as displayed."""
        return self.value.text

    @property
    def origin(self) -> Origin | None:
        """Where it was seen."""
        return self.value.origin

    @property
    def _where(self) -> str:
        return f"row {self.row} (span {self.row_span}), column {self.column} (span {self.column_span})"


def cells_at(
    row: Sequence[int],
    column: Sequence[int],
    row_span: Sequence[int],
    column_span: Sequence[int],
    values: Sequence[Value],
    roles: Sequence[Role],
) -> tuple[Cell, ...]:
    """Many cells at once, with the checks that each makes for itself.

    >>> cells_at([0], [0], [1], [2], [Value("2024")], ["column header"])
    (Cell(row=0, column=0, row_span=1, column_span=2, value=Value(text='2024', ...), role='column header', notes=()),)
    """
    places = {"row": row, "column": column, "row_span": row_span, "column_span": column_span}
    if any(min(place, default=1) < least for place, least in zip(places.values(), (0, 0, 1, 1), strict=True)):
        raise UsageError("Cells need positions from 0 and spans from 1.")
    if not ROLES.issuperset(roles):
        raise UsageError(f"A role of a cell is one of {', '.join(get_args(Role))}, not {', '.join({*roles} - ROLES)}.")
    return tuple(filled(Cell, {**places, "value": values, "role": roles}, notes=()))


def build_grid(anchors: Iterable[Cell]) -> Grid:
    """Every position of a table: a spanning cell fills all its places; holes get an empty cell of that role.

    >>> grid = build_grid([Cell(0, 0, column_span=2, value=Value("a")), Cell(1, 0, value=Value("b"))])
    >>> [[cell.text for cell in row] for row in grid]
    [['a', 'a'], ['b', '']]
    """
    cells = list(anchors)
    height = max((cell.row + cell.row_span for cell in cells), default=0)
    width = max((cell.column + cell.column_span for cell in cells), default=0)
    if height * width > MOST_POSITIONS:
        raise UsageError(f"A table of {height} by {width} is larger than {MOST_POSITIONS:,} positions; cut its spans.")
    grid: list[list[Cell | None]] = [[None] * width for _ in range(height)]
    for cell in cells:
        if cell.row_span == 1 and cell.column_span == 1 and grid[cell.row][cell.column] is None:
            grid[cell.row][cell.column] = cell  # as nearly all are
        else:
            _place(cell, grid)
    return tuple(tuple(_with_holes(line, row)) for row, line in enumerate(grid))


def _with_holes(line: list[Cell | None], row: int) -> Iterable[Cell]:
    return (cell or Cell(row, column, role="hole") for column, cell in enumerate(line))


def _place(cell: Cell, grid: list[list[Cell | None]]) -> None:
    for row in range(cell.row, cell.row + cell.row_span):
        line = grid[row]
        for column in range(cell.column, cell.column + cell.column_span):
            other = line[column]
            if other is not None:
                raise UsageError(f"Two cells overlap: the one at {cell._where} and the one at {other._where}.")
            line[column] = cell


def without_rows(anchors: Iterable[Cell], rows: Sequence[int]) -> tuple[Cell, ...]:
    """The cells without these rows, given in order: cells below move up, cells across become shorter.

    >>> tall = Cell(0, 0, row_span=3)
    >>> without_rows([tall, Cell(3, 0)], [1])
    (Cell(row=0, column=0, row_span=2, ...), Cell(row=2, column=0, row_span=1, ...))
    """
    return tuple(_cut(anchors, rows))


def _cut(anchors: Iterable[Cell], rows: Sequence[int]) -> Iterator[Cell]:
    for cell in anchors:
        before = bisect_left(rows, cell.row)
        span = cell.row_span - (bisect_left(rows, cell.row + cell.row_span) - before)
        if span:
            yield replace(cell, row=cell.row - before, row_span=span)
