"""From a draft to the cells of a table, with values, places and roles."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from sightline.arrays import BoolArray, IntArray
from sightline.data import Cell, Origin, cells_at, origins_at, values_at
from sightline.data import Role as CellRole
from sightline.extract.tables._draft import GridView, PageTexts, TableDraft
from sightline.extract.tables._headings import header_count
from sightline.geometry import Box
from sightline.page import DOUBTFUL, Page
from sightline.signals import TextKind, is_total

# -- the roles of the rows and columns of a draft: headings above and beside, sections, totals ----------------------
# How many rows are headings is decided in `_headings.py`. Headings beside are recognised by tags if there are any,
# else by their looks: bold among plain, a background of their own.

PAIR = 2
MOST_HEADER_COLUMNS = 3
MAJORITY = 0.5
MOSTLY, SELDOM = 0.6, 0.4  # shares of a row or column; between them it is neither
SECTION_WORDS = 20
TOTAL_COLUMNS = 3  # from the left, in which the word for a total is looked for


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
    named = [cell for cell in near if is_total(draft.texts[cell])]
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


# -- from a draft to the cells of a table, with values, places and roles --------------------------------------------


def cells_of(page: Page, draft: TableDraft, roles: Roles) -> tuple[Cell, ...]:
    """The cells of a draft, read by its roles."""
    grid = draft.grid
    row, column = grid.row.tolist(), grid.column.tolist()
    beside, inside = _roles_by_row(roles)
    edge = roles.header_columns
    cell_roles = [beside[line] if place < edge else inside[line] for line, place in zip(row, column, strict=True)]
    values = values_at(draft.texts, _origins(page, draft))
    return cells_at(row, column, grid.row_span.tolist(), grid.column_span.tolist(), values, cell_roles)


def language_of(page_texts: PageTexts, draft: TableDraft) -> str | None:
    """The language that the nearest element around the first cell declares."""
    page, declared = page_texts.page, page_texts.languages
    node = draft.nodes[0][0] if draft.nodes else 0
    while node >= 0 and declared[node] < 0:
        node = int(page.parent[node])
    return page.strings[declared[node]] or None if node >= 0 else page.language


def _origins(page: Page, draft: TableDraft) -> list[Origin]:
    return origins_at(page, draft.nodes, list(map(_place, draft.grid.box.tolist())) if draft.grid.bounds else None)


def _place(box: list[float]) -> Box | None:
    """The box of a cell; a cell that is empty on paper has none."""
    return None if box[0] != box[0] else (box[0], box[1], box[2], box[3])


def _roles_by_row(roles: Roles) -> tuple[list[CellRole], list[CellRole]]:
    """The role of a cell of each row in the heading columns, and its role elsewhere."""
    beside: list[CellRole] = []
    inside: list[CellRole] = []
    for row in range(len(roles.sections)):
        if row < roles.header_rows or roles.repeated[row]:
            pair: tuple[CellRole, CellRole] = ("corner", "column header")
        elif roles.sections[row] or roles.notes[row]:
            pair = ("section", "section") if roles.sections[row] else ("note", "note")
        else:
            pair = ("row header", "total" if roles.totals[row] else "data")
        beside.append(pair[0])
        inside.append(pair[1])
    return beside, inside


# Whether a table is one record: a title, a picture, and labels with their values, as an infobox has them.

FEWEST_PAIRS = 2
PAIRS = 0.8  # share of the rows, without those of one cell over all columns, that are a label and a value
UNLIKE = 0.9  # share of the labels that no other is like
LABEL_WORDS = 8  # labels are short
WORDS = 0.7  # share of the labels that are words: years and ranks are values, each of a row of its own
MOST_NAMED = 1  # rows of headings that may be a label and its value after all
MARKED = 0.6  # share of the labels that are headings by their tags or their looks, or end in a colon


def is_record(draft: TableDraft, roles: Roles) -> bool:
    """Whether nearly all rows are a label and its value, with nothing over the columns but a title."""
    grid = draft.grid
    width = grid.shape[1]
    filled = draft.words > 0
    whole = (grid.column_span == width) | (width < 2)
    whole_rows = set(grid.row[whole].tolist())
    named = [row for row in range(roles.header_rows) if row not in whole_rows]
    if len(named) > MOST_NAMED:
        return False
    cells: dict[int, list[int]] = {}
    single = np.flatnonzero(filled & ~whole)
    for cell, row in zip(single.tolist(), grid.row[single].tolist(), strict=True):
        cells.setdefault(row, []).append(cell)
    pairs = [held for held in cells.values() if len(held) == 2 and grid.column[held[0]] == 0]
    if len(pairs) < FEWEST_PAIRS or len(pairs) < PAIRS * len(cells):
        return False
    labels = [held[0] for held in pairs]
    texts = [draft.texts[cell].strip().casefold() for cell in labels]
    if len(set(texts)) < UNLIKE * len(texts) or max(draft.words[labels].tolist()) > LABEL_WORDS:
        return False
    titled = bool(whole_rows) or bool(draft.pictures.any())
    if named and (not titled or _is_headed(draft, named)):
        return False  # headings name columns
    wordy = np.isin(draft.kinds[labels], (TextKind.WORDS, TextKind.PROSE))
    return wordy.mean() >= WORDS and _are_labels(draft, pairs, texts, titled=titled)


def roles_of_record(draft: TableDraft) -> Roles:
    """The roles of a record: no row of it names columns, whatever its texts are."""
    return roles_of(replace(draft, header_rows=0))


def _is_headed(draft: TableDraft, rows: list[int]) -> bool:
    """Whether what stands beside the first column in some rows is set as headings."""
    beside = np.isin(draft.grid.row, rows) & (draft.grid.column > 0)
    return bool((draft.marked[beside] | draft.bold[beside]).any())


def _are_labels(draft: TableDraft, pairs: list[list[int]], texts: list[str], *, titled: bool) -> bool:
    """Whether the first cells of most rows name what stands beside them, by their tags or a colon.

    Below a title, or with a picture, it is enough that they are bold or painted: without these they may be the names
    of things with a description beside each.
    """
    labels, values = [held[0] for held in pairs], [held[1] for held in pairs]
    named = draft.marked[labels] & ~draft.marked[values]
    named |= np.array([text.endswith(":") for text in texts])
    if titled:
        named |= draft.bold[labels] & ~draft.bold[values]
        named |= draft.background[labels] != draft.background[values]
    return float(named.mean()) >= MARKED


# Rows of a printed table that may be several: numbers do not wrap, so a cell with several lines of them is several.
#
# Where no rules are drawn between the items of an invoice, lines of different items may end up in one row. What was
# read is all there then, but not in its rows, and nothing else about the table looks wrong. Of 79 tables of PDFs of the
# benchmark (invoices, reports, papers), one is doubted, and rightly so.

# A number as it is printed in a table: with signs, separators, a currency or a unit of few letters.
_NUMBER = re.compile(r"[-+(]?\s?[€$£¥]?\s?\d[\d.,' ]*\s?(?:%|[€$£¥]|[A-Za-z]{1,3}\.?)?\)?")
LEAST_LINES = 2
SAME_LINE = 0.5  # of the lower word's height: words that share more are on one line
MOST_ROWS_NAMED = 3


def merged_rows_doubt(page: Page, cells: Sequence[Cell]) -> str | None:
    """What to say of rows that may be several; None if there are none, or nothing is printed."""
    if page.kind != "pdf":
        return None
    lines = _lines_of(page, cells)
    found = []
    for row, counts in _counts_by_row(cells, lines):
        numbers = [count for count, all_numbers in counts if all_numbers]
        for count in numbers:
            if sum(other == count for other, _ in counts) > 1:
                found.append((row, count))
                break
    if not found:
        return None
    named = ", ".join(f"row {row + 1} may hold {count}" for row, count in found[:MOST_ROWS_NAMED])
    more = f", and {len(found) - MOST_ROWS_NAMED} more" if len(found) > MOST_ROWS_NAMED else ""
    return f"lines of several rows may have been joined: {named}{more}; compare them with the page"


def recognised_doubt(page: Page, cells: Sequence[Cell]) -> str | None:
    """What to say of cells whose text was recognised in a picture with little confidence."""
    said = page.attribute("data-confidence")
    if page.kind != "pdf" or int(said.max(initial=-1)) < 0:
        return None
    found = []
    for cell in cells:
        nodes = cell.value.origin.nodes if cell.value is not None and cell.value.origin is not None else ()
        known = [int(page.strings[said[node]]) for node in nodes if said[node] >= 0]
        if known and min(known) < DOUBTFUL:
            found.append((min(known), f"“{cell.text}” in row {cell.row + 1} ({min(known)} %)"))
    if not found:
        return None
    named = ", ".join(text for _, text in sorted(found)[:MOST_ROWS_NAMED])
    more = f", and {len(found) - MOST_ROWS_NAMED} more" if len(found) > MOST_ROWS_NAMED else ""
    return f"text was recognised with little confidence: {named}{more}; compare it with the picture"


def _counts_by_row(
    cells: Sequence[Cell], lines: Sequence[Sequence[str]]
) -> Iterator[tuple[int, list[tuple[int, bool]]]]:
    """For every row, the number of lines of each of its cells with several, and whether all of them are numbers."""
    single = [(cell.row, lines[place]) for place, cell in enumerate(cells) if cell.row_span == 1]
    for row, group in groupby(sorted(single, key=lambda one: one[0]), key=lambda one: one[0]):
        several = [texts for _, texts in group if len(texts) >= LEAST_LINES]
        yield row, [(len(texts), all(_NUMBER.fullmatch(text.strip()) for text in texts)) for texts in several]


def _lines_of(page: Page, cells: Sequence[Cell]) -> list[list[str]]:
    """The texts of the lines of each cell, from the boxes of its words."""
    owner = np.full(len(page), -1, dtype=np.int64)
    for place, cell in enumerate(cells):
        for node in cell.value.origin.nodes if cell.value is not None and cell.value.origin is not None else ():
            owner[node : page.end[node]] = place
    of_cell = owner[page.words.node]
    found: list[list[str]] = [[] for _ in cells]
    for place in np.unique(of_cell[of_cell >= 0]).tolist():
        found[place] = list(_lines(page, np.flatnonzero(of_cell == place).tolist()))
    return found


def _lines(page: Page, words: Iterable[int]) -> Iterator[str]:
    line: list[str] = []
    bottom = -np.inf
    for word in words:
        _, top, _, end = page.words.box[word].tolist()
        if line and top > bottom - SAME_LINE * (end - top):
            yield " ".join(line)
            line = []
        text = page.strings[int(page.text[page.words.node[word]])]
        line.append(text[int(page.words.start[word]) : int(page.words.end[word])])
        bottom = max(bottom, end) if line[1:] else end
    if line:
        yield " ".join(line)
