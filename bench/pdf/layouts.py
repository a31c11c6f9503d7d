"""Sheets with tables in the layouts that reports have, before anyone sets them: what stands on each, and its truth.

The tables are those of the set `tables`, cell by cell, and tables of numbers as `sheets` makes them. Every layout is a
kind of its own: headings centred over columns of words, blocks of rows side by side, marks in a narrow column, two
tables with a heading between them, leaders, two and three levels of headings, a table in one of two columns of text,
wrapped cells, notes below, totals, rows that name a group, and forms whose labels stand above their values.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.pdf.icdar import Cell
from bench.pdf.sheets import (
    GROUPS,
    HEADS,
    LABELS,
    MOST_WIDTH,
    NUMERIC,
    PARTS,
    SENTENCES,
    Grid,
    is_number,
    is_visible,
    plain_grids,
    value,
    width_of,
)

PARTITIONS = 5  # of the real tables: no two documents of different partitions share one
RULES = ("none", "none", "head", "ends", "book", "rows", "grid")
MARKS = ("•", "•", "-", "*")
SIGNS = ("x", "", "x", "")
LONGEST_WORD = 18  # letters; a longer one would stand across the next column
FORM_LABELS = (
    "Invoice number", "Date", "Due date", "Customer", "Customer no.", "Order", "Your reference", "Contact", "Telephone",
    "Delivery address", "Tax number", "Account", "Bank", "Amount due", "Net amount", "VAT", "Currency", "Terms", "Page",
    "Period", "Name", "Place of birth", "Nationality", "Signature", "Valid until", "Weight", "Packages", "Carrier",
)  # fmt: skip
NAMES = (
    "Smith & Sons", "Anna Kowalska", "Harbour Bank", "J. Okafor", "Quay 4, Whitby", "Northern Freight", "M. Dubois",
)  # fmt: skip
WORDS = ("30 days net", "by road", "EUR", "British", "as agreed", "prepaid", "1 of 2", "see overleaf", "none")
UNSET = "[]{}^~\\"  # letters that one of the setters cannot print as they are


@dataclass(frozen=True)
class Text:
    """A paragraph, a heading or a note."""

    kind: str  # "p", "h", "note"
    text: str


@dataclass(frozen=True)
class Laid:
    """A table as it is to be set: its cells, how columns and headings are aligned, and which lines are drawn."""

    cells: tuple[Cell, ...]
    header_rows: int
    aligns: str  # "l", "r" or "c" for each column
    head: str = ""  # how headings are aligned; as their columns where it is empty
    rules: str = "none"
    bold: bool = False
    leaders: bool = False
    wrap: int = 0  # characters after which cells of words wrap; 0 where they need not
    wide: bool = False  # whether columns share out the width of the sheet
    lined: tuple[int, ...] = ()  # rows that a line is drawn above
    gaps: tuple[int, ...] = ()  # columns with more room before them

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self.aligns)

    @property
    def rows(self) -> list[list[Cell]]:
        """The cells of each row, from left to right."""
        found: list[list[Cell]] = [[] for _ in range(1 + max(cell.bottom for cell in self.cells))]
        for cell in sorted(self.cells, key=lambda cell: cell.left):
            found[cell.top].append(cell)
        return found


@dataclass(frozen=True)
class Columns:
    """Two columns of text."""

    elements: tuple["Text | Laid", ...]


Element = Text | Laid | Columns


@dataclass(frozen=True)
class Layout:
    """What stands on a sheet, and of which kind it is."""

    kind: str
    elements: tuple[Element, ...]

    @property
    def tables(self) -> tuple[Laid, ...]:
        """The tables in their order."""
        inner = [
            one
            for element in self.elements
            for one in (element.elements if isinstance(element, Columns) else [element])
        ]
        return tuple(one for one in inner if isinstance(one, Laid))


def grids_of(truth: Path, partition: int) -> list[Grid]:
    """The real tables of one partition, as plain as every setter needs them."""
    grids = [grid for grid in plain_grids(truth) if is_visible(grid) and width_of(grid) <= MOST_WIDTH]
    plain = [grid for grid in grids if all(_is_set(text) for row in grid for text in row)]
    unlike = [grid for place, grid in enumerate(plain) if grid not in plain[:place]]
    random.Random(PARTITIONS).shuffle(unlike)
    return unlike[partition % PARTITIONS :: PARTITIONS]


def _is_set(text: str) -> bool:
    if any(len(word) > LONGEST_WORD for word in text.split()):
        return False
    return all((sign.isascii() and sign not in UNSET) or sign in "–éèáíóúäöüßñç" for sign in text)


def layout_of(kind: str, chance: random.Random, grids: Sequence[Grid]) -> Layout:
    """A sheet of a kind, with tables drawn by chance."""
    return Layout(kind, tuple(KINDS[kind](chance, grids)))


# ---------------------------------------------------------------------- parts


def _prose(chance: random.Random, sentences: int) -> Text:
    return Text("p", " ".join(chance.choice(SENTENCES) for _ in range(sentences)))


def _around(chance: random.Random, *elements: Element) -> list[Element]:
    return [_prose(chance, chance.randint(2, 5)), *elements, _prose(chance, chance.randint(2, 5))]


def _cells(grid: Grid) -> tuple[Cell, ...]:
    return tuple(Cell(y, y, x, x, text) for y, row in enumerate(grid) for x, text in enumerate(row) if text.strip())


def _aligns(grid: Grid) -> str:
    columns = zip(*grid, strict=True)
    return "".join("r" if sum(map(is_number, column[1:])) > NUMERIC * len(grid) else "l" for column in columns)


def _real(chance: random.Random, grids: Sequence[Grid], *, most: int = 9) -> Laid:
    grid = chance.choice([grid for grid in grids if len(grid[0]) <= most])
    total = sum(max(map(len, column)) + 2 for column in zip(*grid, strict=True))
    wrap = 18 if total > 85 else 0
    return Laid(_cells(grid), 1, _aligns(grid), rules=chance.choice(RULES), bold=chance.random() < 0.5, wrap=wrap)


def _numbers(chance: random.Random, rows: int, columns: int, *, first: str = "Item") -> Grid:
    heads = chance.sample(HEADS, columns)
    labels = chance.sample(LABELS, min(rows, len(LABELS)))
    return [[first, *heads], *([label, *(value(chance) for _ in heads)] for label in labels)]


def _moved(cells: Sequence[Cell], rows: int = 0, columns: int = 0) -> list[Cell]:
    return [
        Cell(cell.top + rows, cell.bottom + rows, cell.left + columns, cell.right + columns, cell.text)
        for cell in cells
    ]


# ---------------------------------------------------------------------- kinds


def _centred(chance: random.Random, grids: Sequence[Grid]) -> list[Element]:
    """Headings centred over columns of words that begin at their left."""
    words = [grid for grid in grids if _aligns(grid).count("l") * 2 >= len(grid[0])]
    table = replace(_real(chance, words or grids), head="c", wide=chance.random() < 0.7)
    table = replace(table, rules=chance.choice(("none", "none", "head", "book")), bold=chance.random() < 0.6)
    return _around(chance, table)


def _blocks(chance: random.Random, _: Sequence[Grid]) -> list[Element]:
    """Rows of a narrow table set as two or three blocks side by side, with or without headings over each."""
    blocks, height = chance.choice((2, 2, 3)), chance.randint(8, 22)
    has_heads = chance.random() < 0.6
    labels = [f"{label} {place}" if chance.random() < 0.2 else label for place, label in enumerate(LABELS * 3)]
    chance.shuffle(labels)
    if blocks == 3:
        labels = [label for label in labels if len(label) < 24] * 2
    cells, aligns, gaps = list[Cell](), "", []
    figures = chance.choice((1, 1, 2))
    heads = chance.sample(HEADS[:14], figures)
    for block in range(blocks):
        left = block * (figures + 1)
        rows = height - (chance.randint(0, 3) if block == blocks - 1 else 0)
        own = [[labels.pop(), *(value(chance) for _ in range(figures))] for _ in range(rows)]
        grid = [["Item", *heads], *own] if has_heads else own
        cells += _moved(_cells(grid), columns=left)
        aligns += "l" + "r" * figures
        gaps += [left] if block else []
    rules = chance.choice(("none", "none", "ends", "head" if has_heads else "none"))
    return _around(chance, Laid(tuple(cells), int(has_heads), aligns, rules=rules, gaps=tuple(gaps)))


def _marks(chance: random.Random, grids: Sequence[Grid]) -> list[Element]:
    """A mark before each row, in a column of its own, or crosses in narrow columns."""
    if chance.random() < 0.5:
        inner = _real(chance, grids, most=6)
        mark = chance.choice(MARKS)
        rows = range(1, len(inner.rows))
        cells = [*_moved(inner.cells, columns=1), *(Cell(row, row, 0, 0, mark) for row in rows)]
        rules = chance.choice(("none", "none", "head", "ends"))
        return _around(chance, replace(inner, cells=tuple(cells), aligns="l" + inner.aligns, rules=rules))
    columns = chance.randint(3, 5)
    grid = [["Item", *chance.sample(HEADS[:18], columns)]]
    grid += [[label, *(chance.choice(SIGNS) for _ in range(columns))] for label in chance.sample(LABELS, 12)]
    grid[1][1:] = ["x"] * columns
    rules = chance.choice(("none", "head", "book"))
    return _around(chance, Laid(_cells(grid), 1, "l" + "c" * columns, rules=rules))


def _two(chance: random.Random, _: Sequence[Grid]) -> list[Element]:
    """Two tables with the same columns, a heading between them."""
    columns = chance.randint(2, 5)
    rules, bold = chance.choice(RULES), chance.random() < 0.5
    first, second = (_numbers(chance, chance.randint(4, 9), columns) for _ in range(2))
    if chance.random() < 0.5:
        second[0] = first[0]
    tables = [Laid(_cells(grid), 1, _aligns(grid), rules=rules, bold=bold, wide=True) for grid in (first, second)]
    heading = Text("h", f"{chance.choice(PARTS)}, {chance.choice(GROUPS)}")
    return _around(chance, Text("h", chance.choice(GROUPS)), tables[0], heading, tables[1])


def _leaders(chance: random.Random, _: Sequence[Grid]) -> list[Element]:
    """Dots from the label to the numbers."""
    grid = _numbers(chance, chance.randint(6, 16), chance.randint(1, 5))
    if chance.random() < 0.3:
        grid[0][0] = ""
    rules = chance.choice(("none", "head", "ends", "book"))
    return _around(chance, Laid(_cells(grid), 1, "l" + "r" * (len(grid[0]) - 1), rules=rules, leaders=True))


def _levels(chance: random.Random, _: Sequence[Grid]) -> list[Element]:
    """Two or three levels of headings over numbers."""
    three = chance.random() < 0.4
    groups, each = (2, 2) if three else (chance.randint(2, 3), chance.randint(2, 3))
    tops = 2 if three else 1
    columns = tops * groups * each if three else groups * each
    depth = 3 if three else 2
    cells = list[Cell]()
    if three:
        for top in range(tops):
            left = 1 + top * groups * each
            cells.append(Cell(0, 0, left, left + groups * each - 1, chance.choice(GROUPS)))
    short = [head for head in HEADS if len(head) < 8]
    for left in range(1, columns, each):
        cells.append(Cell(depth - 2, depth - 2, left, left + each - 1, chance.choice(GROUPS[:4] if three else GROUPS)))
    grid = _numbers(chance, chance.randint(5, 12), columns)
    heads = [chance.choice(short) for _ in range(columns)]
    grid[0] = [chance.choice(("Item", "")), *heads]
    cells += _moved(_cells(grid), rows=depth - 1)
    rules = chance.choice(("none", "head", "book", "spans", "grid"))
    head = chance.choice(("c", "c", "l"))
    wrap = 26 if columns > 5 else 0
    return _around(chance, Laid(tuple(cells), depth, "l" + "r" * columns, head=head, rules=rules, wrap=wrap))


def _columns(chance: random.Random, _: Sequence[Grid]) -> list[Element]:
    """A small table in one of two columns of text."""
    grid = _numbers(chance, chance.randint(5, 10), chance.randint(1, 2))
    grid = [[label if len(label) < 24 else label.split(",")[0][:22].strip(), *rest] for label, *rest in grid]
    heads = [head for head in HEADS if len(head) < 8]
    grid[0][1:] = chance.sample(heads, len(grid[0]) - 1)
    table = Laid(_cells(grid), 1, _aligns(grid), rules=chance.choice(RULES), bold=chance.random() < 0.5)
    texts = [_prose(chance, 6) for _ in range(5)]
    place = chance.randint(1, 4)
    return [Columns((*texts[:place], table, *texts[place:]))]


def _wrapped(chance: random.Random, grids: Sequence[Grid]) -> list[Element]:
    """Cells of several lines."""
    long = sorted(grids, key=lambda grid: -max(len(text) for row in grid for text in row))[: max(len(grids) // 2, 1)]
    table = replace(_real(chance, long, most=6), wrap=chance.choice((12, 16, 22)))
    return _around(chance, table)


def _notes(chance: random.Random, grids: Sequence[Grid]) -> list[Element]:
    """A title above, notes below that stand close to the table."""
    table = _real(chance, grids)
    sentence = chance.choice(SENTENCES)
    notes = [Text("note", f"Source: {chance.choice(GROUPS)}."), Text("note", f"1 {sentence}")]
    return _around(chance, Text("note", f"Table {chance.randint(1, 9)}. {chance.choice(GROUPS)}"), table, *notes)


def _totals(chance: random.Random, _: Sequence[Grid]) -> list[Element]:
    """Groups of rows with their totals, lines drawn above these."""
    columns = chance.randint(2, 6)
    grid = _numbers(chance, 0, columns)
    lined = []
    for _group in range(chance.randint(1, 3)):
        own = _numbers(chance, chance.randint(3, 5), columns)[1:]
        lined.append(len(grid) + len(own))
        grid += [*own, ["Total", *(value(chance) for _ in range(columns))]]
    rules = chance.choice(("none", "head", "book"))
    drawn = tuple(lined) if chance.random() < 0.6 else ()
    return _around(chance, Laid(_cells(grid), 1, "l" + "r" * columns, rules=rules, lined=drawn))


def _groups(chance: random.Random, _: Sequence[Grid]) -> list[Element]:
    """Rows that name the group of those below them: in the first column, or over the whole table."""
    columns = chance.randint(2, 5)
    over = chance.random() < 0.5
    grid = _numbers(chance, 0, columns)
    cells = list(_cells(grid))
    row = 1
    for part in chance.sample(PARTS, chance.randint(2, 3)):
        cells.append(Cell(row, row, 0, columns if over else 0, part))
        own = _numbers(chance, chance.randint(3, 6), columns)[1:]
        cells += _moved(_cells(own), rows=row + 1)
        row += 1 + len(own)
    rules = chance.choice(("none", "head", "book", "rows", "grid"))
    return _around(chance, Laid(tuple(cells), 1, "l" + "r" * columns, rules=rules))


def _form(chance: random.Random, _: Sequence[Grid]) -> list[Element]:
    """Boxes with a label above its value each, some of them left empty; or the same without lines."""
    columns, pairs = chance.randint(2, 4), chance.randint(2, 5)
    labels = chance.sample(FORM_LABELS, columns * pairs)
    grid: Grid = []
    for pair in range(pairs):
        grid.append(labels[pair * columns : (pair + 1) * columns])
        grid.append([_form_value(chance) if chance.random() < 0.85 else "" for _ in range(columns)])
    lined = tuple(range(2, 2 * pairs, 2))
    rules, bold = chance.choice(("boxes", "boxes", "boxes", "ends", "none")), chance.random() < 0.3
    return _around(chance, Laid(_cells(grid), 1 if bold else 0, "l" * columns, rules=rules, bold=bold, lined=lined))


def _form_value(chance: random.Random) -> str:
    day = f"{chance.randint(1, 28):02}.{chance.randint(1, 12):02}.20{chance.randint(10, 29)}"
    amount, number = f"{chance.randint(1, 9999):,}.{chance.randint(0, 99):02}", str(chance.randint(1, 999_999))
    return chance.choice((day, amount, number, f"RE-{number}", chance.choice(NAMES), chance.choice(WORDS)))


KINDS: dict[str, Callable[[random.Random, Sequence[Grid]], list[Element]]] = {
    "centred": _centred,
    "blocks": _blocks,
    "marks": _marks,
    "two tables": _two,
    "leaders": _leaders,
    "levels": _levels,
    "columns": _columns,
    "wrapped": _wrapped,
    "notes": _notes,
    "totals": _totals,
    "groups": _groups,
    "form": _form,
}
