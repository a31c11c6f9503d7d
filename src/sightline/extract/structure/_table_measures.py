"""Step 7g: whether the rows of an area are a table: what is measured of them, and the trees that judge by it.

Rows may be those of a table, a listing of a program, a list of terms, equations or running text in columns. The trees
in `tables.json` were grown by `python -m bench.pdf.grow_tables` from the PDF editions of manuals, whose HTML editions
tell which of their rows are tables. What they tell is how much of an area and of a table are likely the same.

Distances are in multiples of the size of the type, so that they mean the same in every document.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, pairwise
from statistics import fmean, median, pstdev

import numpy as np

from sightline.extract.structure._cells import TableArea
from sightline.extract.structure._layout import Edges, PrintedWords, SheetLines
from sightline.extract.structure._pieces import TABLE_TAG
from sightline.extract.structure._placed_lines import PrintedGrid
from sightline.extract.structure._printed_line import FoundTable, LineRow, PrintedLine, hull_of, lines_of
from sightline.extract.structure._white_runs import EVEN, PrintedColumn, columns_of, nearly_even
from sightline.geometry import Box
from sightline.trees import Forest, load_forest

# The least chance by which rows are a table. Out of fold, tables of `twins` have F1 0.884 with 0.25, 0.876 with 0.3 and
# 0.867 with 0.35; no other set changes by more than 0.002 but docbank, whose tables gain 0.008 with 0.25.
LEAST_LIKELY = 0.25

AREA_MEASURES: dict[str, str] = {
    "rows": "how many rows of text there are",
    "lines a row": "how many pieces a row has on average",
    "several": "share of the rows with several pieces",
    "step": "the usual distance from one row to the next",
    "even steps": "share of these distances that are about the usual one",
    "aligned": "share of the pieces that begin, end or have their middle where most of their column does",
    "aligned left": "share of the pieces that begin there",
    "aligned right": "share of the pieces that end there",
    "aligned middle": "share of the pieces that have their middle there",
    "least gutter": "the narrowest white between two columns",
    "most gutter": "the widest white between two columns",
    "median gap": "the usual white between two pieces of a row",
    "least gap": "the narrowest white between two pieces of a row",
    "gap spread": "how much these differ",
    "full": "share of the places that are filled",
    "most words": "words a cell, in the column with the most",
    "first words": "words a cell, in the first column",
    "first letters": "characters a cell, in the first column",
    "first numbers": "share of the rows that begin with a number",
    "first ends": "share of the cells of the first column that end in a full stop or a colon",
    "numbers beside": "share of the pieces beside the first that are numbers",
    "flows": "share of the cells that go on in the cell below",
    "flowing columns": "share of the columns of which most cells do, as in running text side by side",
    "short words": "share of the words with hardly any letters, of which sentences are full",
    "letters": "share of the characters that are letters of words",
    "digits": "share of the characters that are digits",
    "code": "share of the characters that programs are full of",
    "spaced": "share of the rows in which the file has a blank between the first two pieces",
    "one width": "share of the words whose letters are as wide as everywhere: typewriter type",
    "one width first": "the same, of the first pieces of the rows",
    "one width beside": "the same, of all other pieces",
    "bold": "share of the pieces that are bold",
    "bold first row": "the same, of the first row",
    "bold first column": "share of the words of the first column that are bold",
    "formula": "share of the characters that are set in a font for formulas",
    "prose": "share of the pieces that belong to blocks of long lines",
    "tagged": "share of the pieces that stand in a table by the tag tree",
    "share of sheet": "share of the lines of the sheet",
    "room above": "how far the text above is",
    "room below": "how far the text below is",
    "steps above": "the same, in steps from row to row",
    "steps below": "the same, in steps from row to row",
    "indent": "how far from the left edge of the text the rows begin",
    "short of right": "how far from the right edge of the text they end",
    "width": "share of the width of the sheet",
    "figure": "share of the rows that a figure is drawn over",
    "uprights": "share of the borders between columns that are drawn",
    "bands": "share of the rows of text that drawn lines part from the next",
    "lines across": "how many lines are drawn across, above, in and below them",
}

FAR = 8.0  # where nothing is above or below
MOST_INDENT, MOST_SHORT = 20.0, 40.0
MOST_ROWS, MOST_LINES = 40, 10
SHORT = 3  # letters
FEWEST_PAIRS = 3  # of cells below each other, from which on it can be told whether a column flows
FLOWING = 0.4  # share of these that do
LONG_ENOUGH = 3  # characters by which the width of letters can be told
SAME_WIDTH = 0.03  # share of the usual width of a letter by which others may differ from it in typewriter type
UNTOLD = 0.5  # the share of typewriter type where no word is long enough to tell
CLOSE = 6.0  # CSS pixels: how far above the first and below the last row a line is drawn that belongs to them
MOSTLY = 0.5  # share of the width of the rows that such a line covers
EVEN_STEP = 0.15  # of the usual step
CODE = re.compile(r"[(){};=<>#$\\/\"_*&|\[\]@]")
WORD = re.compile(r"[^\W\d_]+")
DIGIT = re.compile(r"\d")
SENTENCE_ENDS = (".", ":", ";", "?", "!")


def with_judgement(words: PrintedWords, sheet: SheetLines, edges: Edges, area: TableArea) -> TableArea:
    """The area with the chance that it is a table, and without its table where that is too little."""
    if area.table is None:
        return area
    judge = forest()
    measured = dict(zip(AREA_MEASURES, area_measures(words, sheet, edges, area), strict=True))
    likely = float(judge.likely(np.array([[measured[name] for name in judge.names]], dtype=np.float32))[0])
    return replace(area, likely=likely, table=area.table if likely >= LEAST_LIKELY else None)


@cache
def forest() -> Forest:
    """The trees, with the names of the measures that they ask for."""
    return load_forest("sightline.extract.structure", "tables.json")


def area_measures(words: PrintedWords, sheet: SheetLines, edges: Edges, area: TableArea) -> list[float]:
    """What is measured of an area with a table, in the order of `AREA_MEASURES`."""
    assert area.table is not None
    rows = _Rows(words, area.rows, area.table)
    measured = [*_of_rows(rows), *_of_columns(rows), *_of_gaps(rows), *_of_cells(rows), *_of_texts(rows)]
    return [*measured, *_of_letters(rows), *_of_looks(rows), *_of_place(rows, sheet, edges, area.grid)]


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of an area with what several measures need."""

    words: PrintedWords
    rows: Sequence[LineRow]
    table: FoundTable

    @cached_property
    def lines(self) -> list[PrintedLine]:
        return lines_of(self.rows)

    @cached_property
    def several(self) -> list[LineRow]:
        return [row for row in self.rows if len(row.lines) > 1]

    @cached_property
    def beside(self) -> list[PrintedLine]:
        return [line for row in self.rows for line in row.lines[1:]]

    @cached_property
    def size(self) -> float:
        return median([line.size for line in self.lines])

    @cached_property
    def columns(self) -> list[PrintedColumn]:
        return columns_of(self.rows)

    @cached_property
    def cells(self) -> list[list[str]]:
        """The texts of the cells, column by column."""
        texts: list[list[str]] = [[] for _ in range(self.table.columns)]
        for cell in self.table.cells:
            texts[cell.column].append(self.words.in_lines(cell.words))
        return texts


def _share(parts: float, whole: float) -> float:
    return parts / whole if whole else 0.0


def _of_rows(rows: _Rows) -> Iterator[float]:
    count = len(rows.rows)
    yield min(count, MOST_ROWS)
    yield len(rows.lines) / count
    yield len(rows.several) / count
    steps = [below.middle - above.middle for above, below in pairwise(rows.rows)]
    usual = median(steps) if steps else 0.0
    yield usual / rows.size
    yield _share(sum(abs(step - usual) < EVEN_STEP * usual for step in steps), len(steps))


def _of_columns(rows: _Rows) -> Iterator[float]:
    best = count = 0
    sides = [0, 0, 0]
    for column in rows.columns:
        inside = [line for line in rows.lines if line.x0 >= column.x0 - 1 and line.x1 <= column.x1 + 1]
        if len(inside) < 2:
            continue
        slack = EVEN * inside[0].size
        places = ([line.x0 for line in inside], [line.x1 for line in inside], [line.centre for line in inside])
        even = [nearly_even(side, slack) for side in places]
        best, count = best + max(even), count + len(inside)
        sides = [one + more for one, more in zip(sides, even, strict=True)]
    yield from (_share(one, count) for one in (best, *sides))
    gutters = [(right.x0 - left.x1) / rows.size for left, right in pairwise(rows.columns)]
    yield min(gutters, default=0.0)
    yield max(gutters, default=0.0)


def _of_gaps(rows: _Rows) -> Iterator[float]:
    gaps = [(right.x0 - left.x1) / rows.size for row in rows.several for left, right in pairwise(row.lines)]
    yield from (median(gaps), min(gaps), pstdev(gaps)) if gaps else (0.0, 0.0, 0.0)


def _of_cells(rows: _Rows) -> Iterator[float]:
    table, texts = rows.table, rows.cells
    counts: list[list[int]] = [[] for _ in texts]
    for cell in table.cells:
        counts[cell.column].append(len(cell.words))
    means = [fmean(column) if column else 0.0 for column in counts]
    yield len(table.cells) / (table.rows * table.columns)
    yield max(means)
    yield means[0]
    yield _share(sum(map(len, texts[0])), len(texts[0]))
    yield _share(sum(row.lines[0].is_numeric for row in rows.several), len(rows.several))
    yield _share(sum(text.endswith((":", ".")) for text in texts[0]), len(texts[0]))
    yield _share(sum(line.is_numeric for line in rows.beside), len(rows.beside))


def _of_texts(rows: _Rows) -> Iterator[float]:
    columns = [list(map(_flows, column, column[1:])) for column in rows.cells]
    yield _share(sum(map(sum, columns)), sum(map(len, columns)))
    told = [column for column in columns if len(column) >= FEWEST_PAIRS]
    yield _share(sum(sum(column) >= FLOWING * len(column) for column in told), len(told))
    text = " ".join(chain.from_iterable(rows.cells))
    letters = [len(word) for word in text.split() if WORD.fullmatch(word)]
    count = len(text) - text.count(" ")
    yield _share(sum(length <= SHORT for length in letters), len(letters))
    yield _share(sum(letters), count)
    yield _share(len(DIGIT.findall(text)), count)
    yield _share(len(CODE.findall(text)), count)
    yield _share(sum(rows.words.spaced[row.lines[1].words[0]] for row in rows.several), len(rows.several))


def _flows(above: str, below: str) -> bool:
    """Whether a text goes on in the one below it, in the middle of a sentence."""
    return below[:1].islower() and not above.endswith(SENTENCE_ENDS)


def _of_letters(rows: _Rows) -> Iterator[float]:
    first = _widths(rows.words, [row.lines[0] for row in rows.rows])
    beside = _widths(rows.words, rows.beside)
    yield from (_one_width(widths) for widths in ([*first, *beside], first, beside))


def _widths(words: PrintedWords, lines: Sequence[PrintedLine]) -> list[float]:
    """How wide a letter of each word is."""
    texts, box = words.text, words.box
    long = [word for line in lines for word in line.words if len(texts[word]) >= LONG_ENOUGH]
    return [(box[word][2] - box[word][0]) / len(texts[word]) for word in long]


def _one_width(widths: Sequence[float]) -> float:
    if len(widths) < 2:
        return UNTOLD
    usual = median(widths)
    return sum(abs(width - usual) < SAME_WIDTH * usual for width in widths) / len(widths)


def _of_looks(rows: _Rows) -> Iterator[float]:
    lines, head = rows.lines, rows.rows[0].lines
    first = [rows.words.bold[word] for cell in rows.table.cells if cell.column == 0 for word in cell.words]
    yield sum(line.bold for line in lines) / len(lines)
    yield sum(line.bold for line in head) / len(head)
    yield _share(sum(first), len(first))
    yield _share(sum(line.formula * len(line.text) for line in lines), sum(len(line.text) for line in lines))
    yield sum(line.prose for line in lines) / len(lines)
    yield sum(TABLE_TAG in line.tags for line in lines) / len(lines)


def _of_place(rows: _Rows, sheet: SheetLines, edges: Edges, grid: PrintedGrid | None) -> Iterator[float]:
    size, (x0, y0, x1, y1) = rows.size, hull_of(rows.lines)
    own = {line.words[0] for line in rows.lines}
    around = [line for line in sheet.lines if not line.running and own.isdisjoint(line.words)]
    yield len(rows.lines) / (len(rows.lines) + len(around))
    above = max((line.y1 for line in around if line.y1 <= y0 + 2), default=None)
    below = min((line.y0 for line in around if line.y0 >= y1 - 2), default=None)
    rooms = [None if above is None else y0 - above, None if below is None else below - y1]
    steps = [after.middle - before.middle for before, after in pairwise(rows.rows)]
    for unit in (size, max(median(steps), 1.0) if steps else size):
        yield from (FAR if room is None else min(room / unit, FAR) for room in rooms)
    left = median([line.x0 for line in around]) if around else x0
    right = max((line.x1 for line in around), default=x1)
    yield min(max((x0 - left) / size, -MOST_INDENT), MOST_INDENT)
    yield min(max((right - x1) / size, -MOST_SHORT), MOST_SHORT)
    yield (x1 - x0) / max(1.0, sheet.box[2] - sheet.box[0])
    yield max((_covered((x0, y0, x1, y1), figure) for figure in sheet.figures.tolist()), default=0.0)
    yield _share(sum(grid.drawn), len(grid.drawn)) if grid is not None else 0.0
    yield (grid.bands if grid is not None else 1) / len(rows.rows)
    yield _lines_across((x0, y0, x1, y1), edges)


def _covered(box: Box, figure: Sequence[float]) -> float:
    """How much of a box a figure is drawn over."""
    x0, y0, x1, y1 = box
    left, top, right, bottom = figure
    shared = max(min(x1, right) - max(x0, left), 0.0) * max(min(y1, bottom) - max(y0, top), 0.0)
    return shared / max(1.0, (x1 - x0) * (y1 - y0))


def _lines_across(box: Box, edges: Edges) -> int:
    """How many lines are drawn across the rows, right above them and right below them."""
    x0, y0, x1, y1 = box
    y, left, right = edges.across.T if len(edges.across) else np.zeros((3, 0))
    near = (y0 - CLOSE <= y) & (y <= y1 + CLOSE)
    return min(int((near & (np.minimum(right, x1) - np.maximum(left, x0) > MOSTLY * (x1 - x0))).sum()), MOST_LINES)
