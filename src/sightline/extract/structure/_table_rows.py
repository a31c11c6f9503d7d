"""Step 7d: the rows of a table, from its bands and, inside a band, from its rows of text."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from sightline.extract.structure._column_span import Spans
from sightline.extract.structure._found_table import TableKind
from sightline.extract.structure._line_rows import LineRow, rows_of
from sightline.extract.structure._placed_lines import PlacedLines, beside_first
from sightline.extract.structure._printed_line import PrintedLine
from sightline.extract.structure._wrapped_cells import leading_of, wrapped

__all__ = ["TableRow", "table_rows"]

DEEP = 3  # lines of text in the fullest cell of a band, on average, up to which drawn lines seem to part all rows
FEWEST_BANDS = 3  # bands with text from which on drawn lines seem to part all rows
FULL = 0.7  # share of the columns that a band fills: rows of text with so many cells are full
MOSTLY_FULL = 0.6  # share of the rows of text that are full, for a band of several rows of numbers
NUMBERS = 0.5  # share of the pieces beside the first column that are numbers in such a band
VALUES = 0.6  # share of the lower row of a box in a form that has digits


@dataclass(frozen=True, eq=False)
class TableRow:
    """The lines of a row of the table, and the band that it stands in."""

    band: int
    lines: list[PrintedLine]


def table_rows(placed: PlacedLines, kind: TableKind) -> list[TableRow]:
    """The rows of the table, from top to bottom; a row between drawn lines may have several lines of text."""
    bands = _bands(placed)
    filled = [band for band in bands if band]
    body = next((number for number, band in enumerate(bands) if band and _has_numbers(band, placed.spans)), 0)
    ruled = _is_ruled(placed, filled, kind)
    leading = _leading(placed)
    found: list[TableRow] = []
    for number, band in enumerate(bands):
        if not band:
            continue
        inner = _is_between_lines(placed, number)
        heading = None if not inner else True if number < body else False if any(bands[:number]) else None
        parts = _parts(placed, band, ruled=ruled and inner, heading=heading, leading=leading)
        found += [TableRow(number, lines) for lines in parts]
    return found


def _bands(placed: PlacedLines) -> list[list[PrintedLine]]:
    bands: list[list[PrintedLine]] = [[] for _ in range(placed.grid.bands)]
    for line in placed.lines:
        bands[placed.bands[line]].append(line)
    return bands


def _leading(placed: PlacedLines) -> float:
    """The distance up to which lines belong to one cell, where rows have more room between them."""
    steps = [after.middle - before.middle for before, after in pairwise(placed.rows)]
    return leading_of(steps, median(line.size for line in placed.lines))


def _is_between_lines(placed: PlacedLines, band: int) -> bool:
    """Whether lines are drawn above and below a band."""
    above, below = placed.grid.closed
    return (band > 0 or above) and (band + 1 < placed.grid.bands or below)


def _is_ruled(placed: PlacedLines, bands: Sequence[list[PrintedLine]], kind: TableKind) -> bool:
    """Whether each band seems to be one row: there are several, and they are shallow or framed on all sides."""
    if len(bands) < FEWEST_BANDS:
        return False
    shallow = sum(_depth(band, placed.spans) for band in bands) <= DEEP * len(bands)
    return shallow or (kind == "lattice" and any(placed.grid.drawn))


def _depth(band: Sequence[PrintedLine], spans: Spans) -> int:
    """How many lines the fullest cell of a band has."""
    counts: dict[int, int] = {}
    for line in band:
        counts[spans[line][0]] = counts.get(spans[line][0], 0) + 1
    return max(counts.values())


def _has_numbers(band: Sequence[PrintedLine], spans: Spans) -> bool:
    """Whether most of what stands beside the first column is numbers."""
    beside = beside_first(band, spans)
    return 2 * sum(line.is_number for line in beside) >= len(beside) > 0


def _parts(
    placed: PlacedLines, band: list[PrintedLine], *, ruled: bool, heading: bool | None, leading: float
) -> list[list[PrintedLine]]:
    """The lines of each row of the table in a band."""
    rows = placed.rows if len(band) == len(placed.lines) else rows_of(band)
    if len(rows) == 1:
        return [band]
    columns = [_columns(row, placed.spans) for row in rows]
    if placed.grid.bands > 1 and sum(len(held) > 1 for held in columns) <= 1 and not heading:
        return [band]
    if ruled and (heading or not _has_several_rows(rows, columns, placed.spans)):
        return [band]
    return wrapped(rows, placed.spans, placed.grid.columns, heading=heading, leading=leading)


def _columns(row: LineRow, spans: Spans) -> set[int]:
    return {column for line in row.lines for column in range(spans[line][0], spans[line][1] + 1)}


def _has_several_rows(rows: Sequence[LineRow], columns: Sequence[set[int]], spans: Spans) -> bool:
    """Whether a band between drawn lines holds several rows all the same: all full, and mostly numbers."""
    filled: set[int] = set().union(*columns)
    if len(filled) == 1:
        return False
    full = sum(len(held) >= FULL * len(filled) for held in columns) / len(rows)
    beside = [line for row in rows for line in beside_first(row.lines, spans)]
    numbers = sum(line.is_number for line in beside) / max(len(beside), 1)
    if full == 1 and (len(rows) > 2 or _is_label_above_value(rows)):
        return True
    return full >= MOSTLY_FULL and numbers >= NUMBERS


def _is_label_above_value(rows: Sequence[LineRow]) -> bool:
    """Whether words stand above texts with digits, as in the boxes of a form."""
    digits = [sum(any(c.isdigit() for c in line.text) for line in row.lines) / len(row.lines) for row in rows]
    return len(rows) == 2 and digits[0] == 0 and digits[1] >= VALUES
