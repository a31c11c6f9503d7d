"""The roles of the rows and columns of a draft: headings above and beside, sections, totals.

How many rows are headings is decided in `_headings.py`. Headings beside are recognised by tags if there are any, else
by their looks: bold among plain, a background of their own.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from sightline.arrays import BoolArray, IntArray
from sightline.extract.tables._draft import GridView, TableDraft
from sightline.extract.tables._headings import header_count
from sightline.signals import TextKind

__all__ = ["Roles", "roles_of"]

PAIR = 2
MOST_HEADER_COLUMNS = 3
MAJORITY = 0.5
MOSTLY, SELDOM = 0.6, 0.4  # shares of a row or column; between them it is neither
SECTION_WORDS = 20
TOTAL_COLUMNS = 3  # from the left, in which the word for a total is looked for

# What a totals row is called, in the languages of the pages seen so far; for more languages, add more words. It must be
# the whole of its first text: “Total Energies” is a company.
TOTAL = re.compile(
    r"(?:(?:grand|sub|overall)[ -]?)?totals?|sum|overall|averages?|mean"
    r"|gesamt|summe|insgesamt|durchschnitt|somme|ensemble|moyenne|suma|promedio|totale|totaal|razem|celkem|összesen"
    r"|итого|всего|المجموع|合計|总计|合计",
    re.IGNORECASE,
)
AROUND_TOTALS = " \t\n:.–—-*†()"


@dataclass(frozen=True, eq=False)
class Roles:
    """How many rows and columns are headings, and which rows repeat them, are sections, totals or notes."""

    header_rows: int
    header_columns: int
    repeated: BoolArray
    sections: BoolArray
    totals: BoolArray
    notes: BoolArray
    doubt: str | None = None  # about the number of header rows


def roles_of(draft: TableDraft, without: Collection[str] = ()) -> Roles:
    """The roles of a draft's rows and columns."""
    view = GridView.of(draft)
    count = header_count(draft, view, without)
    rows = count.rows
    columns = _header_columns(draft, view, rows, without)
    repeated = _repeated(draft, view, rows)
    sections, notes = _sections_and_notes(draft, rows)
    totals = _totals(draft, view, rows) & ~sections & ~notes & ~repeated
    return Roles(rows, columns, repeated, sections, totals, notes, count.doubt)


# ------------------------------------------------------------------ headings


def _leading(view: GridView, most: int) -> int:
    """How many lines at the start look different from those further on."""
    height = len(view.cell)
    weight = view.bold.sum(axis=1) / np.maximum(view.held.sum(axis=1), 1)
    ground = _usual_background(view)
    count = 0
    while count < min(most, height - 1):
        rest = slice(max(count + 1, (height + 1) // 2), None)
        bolder = weight[count] >= MOSTLY and (weight[rest] <= SELDOM).mean() >= MAJORITY
        # Rows that are each painted in a colour of their own (winners, categories) are not headings.
        painted = ground[count] >= 0 and ground[count] == ground[0] and not (ground[rest] == ground[count]).any()
        painted = painted and _is_painted(view, count, ground)
        if not (bolder or painted) or not view.held[count].any():
            break
        count += 1
    return count


def _usual_background(view: GridView) -> IntArray:
    """The background that most places of a line have."""
    usual: IntArray = view.background[:, 0].copy()
    mixed = (view.background == usual[:, None]).mean(axis=1) < MAJORITY
    for line in np.flatnonzero(mixed).tolist():
        usual[line] = np.bincount(view.background[line] + 1).argmax() - 1
    return usual


def _is_painted(view: GridView, line: int, ground: IntArray) -> bool:
    return bool((view.background[line] == ground[line]).mean() >= MOSTLY)


def _header_columns(draft: TableDraft, view: GridView, header_rows: int, without: Collection[str]) -> int:
    if header_rows >= len(view.cell):
        return 0
    below = view.turned(header_rows)
    if "markup" not in without and draft.marked.any():
        marked = (below.cell < 0) | draft.marked[below.cell]
        plain = marked.mean(axis=1) < MOSTLY
        return min(int(np.argmax(plain)) if plain.any() else 0, MOST_HEADER_COLUMNS)
    found = _leading(below, MOST_HEADER_COLUMNS) if "looks" not in without else 0
    return found or int(header_rows == 0 and _names_values(draft, below))


def _names_values(draft: TableDraft, below: GridView) -> bool:
    """Two columns, of which the first names what is in the second: most names end in a colon."""
    if len(below.cell) != PAIR:
        return False
    texts: list[str] = [draft.texts[cell] for cell in below.cell[0].tolist() if cell >= 0]
    named = sum(text.rstrip().endswith(":") for text in texts)
    return named > MOSTLY * len(texts)


# ------------------------------------------------------------------ rows of other kinds


def _repeated(draft: TableDraft, view: GridView, header_rows: int) -> BoolArray:
    """Rows that repeat the last row of the headings, as in long tables."""
    repeated = np.zeros(len(view.cell), dtype=bool)
    if not header_rows:
        return repeated
    lines = view.cell.tolist()
    head = _texts(draft, lines[header_rows - 1])
    for row in range(header_rows, len(lines)):
        # The last cell tells nearly all rows from the headings.
        repeated[row] = _texts(draft, lines[row][-1:]) == head[-1:] and _texts(draft, lines[row]) == head
    return repeated


def _texts(draft: TableDraft, cells: list[int]) -> list[str]:
    return [draft.texts[cell] if cell >= 0 else "" for cell in cells]


def _sections_and_notes(draft: TableDraft, header_rows: int) -> tuple[BoolArray, BoolArray]:
    """Rows of one text over all columns: sections if short and with other rows below them, else notes."""
    grid, (height, width) = draft.grid, draft.grid.shape
    whole = (grid.column_span == width) & (grid.row_span == 1) & (grid.row >= header_rows) & (draft.words > 0)
    section, note = np.zeros(height, dtype=bool), np.zeros(height, dtype=bool)
    section[grid.row[whole & (draft.words <= SECTION_WORDS)]] = True
    note[grid.row[whole & (draft.words > SECTION_WORDS)]] = True
    others = np.flatnonzero(~section & ~note)
    end = int(others[-1]) + 1 if len(others) else 0
    note[end:] |= section[end:]
    section[end:] = False
    return section, note


def _totals(draft: TableDraft, view: GridView, header_rows: int) -> BoolArray:
    """Rows below the headings with the name of a total and numbers, after other rows or looking different."""
    grid, height = draft.grid, draft.grid.shape[0]
    totals = np.zeros(height, dtype=bool)
    # The names of totals have no digits, so columns of numbers need not be read.
    wordy = (draft.kinds == TextKind.WORDS) | (draft.kinds == TextKind.PROSE)
    near = np.flatnonzero((grid.column < TOTAL_COLUMNS) & wordy).tolist()
    named = [cell for cell in near if TOTAL.fullmatch(draft.texts[cell].strip(AROUND_TOTALS))]
    if not named or header_rows >= height:
        return totals
    weight = view.bold.sum(axis=1) / np.maximum(view.held.sum(axis=1), 1)
    usual = float(np.median(weight[header_rows:]))
    first = np.full(height, grid.shape[1])  # the first column of each row with words in it
    np.minimum.at(first, grid.row[draft.words > 0], grid.column[draft.words > 0])
    with_numbers = np.zeros(height, dtype=bool)
    with_numbers[grid.row[(draft.kinds == TextKind.NUMBER) | (draft.kinds == TextKind.DIGITS)]] = True
    for cell in named:
        row = int(grid.row[cell])
        last = row == height - 1 or int((view.cell[row + 1] != view.cell[row + 1, 0]).sum()) == 0
        stands_out = last or weight[row] > usual
        totals[row] |= row >= header_rows and stands_out and first[row] >= grid.column[cell] and with_numbers[row]
    return totals
