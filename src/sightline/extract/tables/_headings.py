"""How many rows at the top of a table are headings, by one small model of all the evidence.

The tags of most tables leave no doubt, and looking closer at all of them would cost a third of reading them. Of the
others, the rows are asked one after the other, from the top, whether they are headings like all rows above them: a
logistic regression of the measures below. The chances of the rows give the chance of each number of
header rows; the likeliest is taken, and where it is not likely enough, the table says so.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil, exp, log2

import numpy as np
import numpy.typing as npt

from sightline.arrays import IntArray
from sightline.extract.tables._draft import GridView, TableDraft
from sightline.extract.tables._heading_texts import Texts

FEW = 0.5  # share of the cells below the headings, the first column apart, that may have the tags of headings
HARDLY = 0.01  # a row that is a heading with less than this chance ends the search
# Chance of the likeliest number of header rows from which on it is not doubted. Out of fold this doubts 4 % of the
# right numbers and 39 % of the wrong ones, 0.95 doubts 6 % and 44 %; most of the others are sections with `th`, which
# the truth counts as headings.
SURE = 0.9

# Fitted by `python -m bench.tables.fit_headings` to the pages of the sets `tables` and `tables2`; figures in
# docs/benchmarks.md. Run it again after any change of the measures.
BIAS = -1.69
WEIGHTS: dict[str, float] = {
    "marked": -1.83,
    "marked alone": 8.64,
    "below marks": -7.20,
    "no marks": 0.01,
    "marked title": -1.76,
    "marks below": 6.34,
    "bold": 0.15,
    "bold below": 0.60,
    "bold alone": 1.85,
    "slanted": -3.08,
    "painted": 1.08,
    "typed": 2.21,
    "values": -0.70,
    "numbers": -0.77,
    "prose below": -1.85,
    "capital over small": 1.64,
    "unlike": 0.17,
    "alike": -1.57,
    "longer": 0.32,
    "shorter": 1.25,
    "repeated": -1.31,
    "twice": 0.71,
    "counting": 5.94,
    "ended": -2.42,
    "symbols": -3.41,
    "capitals": 1.85,
    "long": -2.16,
    "named": 3.05,
    "named below": -0.81,
    "colons": -0.21,
    "title": -2.34,
    "section": -6.90,
    "spread": 2.03,
    "split": 0.35,
    "reached": 3.24,
    "empty": -2.01,
    "corner": 3.07,
    "second": -1.48,
    "further": -0.33,
    "rows": -0.95,
    "two columns": -0.96,
    "ruled": 12.01,
    "below rule": -6.56,
    "by words": -0.67,
}


@dataclass(frozen=True, slots=True)
class HeaderCount:
    """The number of header rows, the chance that it is right, and the next likeliest number."""

    rows: int
    chance: float = 1.0
    rival: int = 0

    @property
    def doubt(self) -> str | None:
        """What to check and how to change it, if the number is not sure."""
        if self.chance >= SURE:
            return None
        found = {0: "the first row was taken for data", 1: "the first row was taken for headings"}.get(
            self.rows, f"the first {self.rows} rows were taken for headings"
        )
        return f"{found}, but this is not sure; if it is wrong, use --header-rows {self.rival}"


def header_count(draft: TableDraft, view: GridView, without: Collection[str] = ()) -> HeaderCount:
    """How many rows of a draft are headings: as many as are known, or the likeliest number."""
    height = draft.grid.shape[0]
    if draft.header_rows is not None:
        return HeaderCount(min(draft.header_rows, height))
    told = rows_by_tags(draft, view) if "markup" not in without else None
    if told is not None or height == 1:
        return HeaderCount(told or 0)
    measures, chances = HeadingMeasures(draft, view, without), list[float]()
    for row in range(min(MOST_HEADER_ROWS, height - 1)):
        chances.append(_chance(measures.found(row)))
        if chances[-1] < HARDLY:
            break
    return likeliest(chances)


def rows_by_tags(draft: TableDraft, view: GridView) -> int | None:
    """How many rows at the top are headings where tags leave no doubt, as in most tables; else None.

    Either the first rows are all headings, the next is not, and few cells below are headings, those of the first column
    apart; or the first row begins with a heading, and values follow. Titles and sections over all columns need a closer
    look.
    """
    if not draft.marked.any():
        return None
    cell = view.cell[: MOST_HEADER_ROWS + 1]
    taken = cell >= 0
    marked = taken & draft.marked[cell]
    plain = np.flatnonzero((taken & ~marked).any(axis=1))
    if not len(plain):
        return None
    count = int(plain[0])
    if not count:
        return 0 if marked[0, 0] else None
    several = (cell[:count, 1:] != cell[:count, :1]).any(axis=1) & marked[:count].any(axis=1)
    rest = view.cell[count :: ceil((len(view.cell) - count) / MOST_ROWS), 1:]
    is_clear = bool(several.all()) and float((draft.marked[rest] & (rest >= 0)).mean()) < FEW
    return count if is_clear else None


def likeliest(chances: Sequence[float]) -> HeaderCount:
    """The likeliest number of header rows, from the chance of each row to be a heading if all above it are.

    >>> likeliest([0.9, 0.02])
    HeaderCount(rows=1, chance=0.882, rival=0)
    >>> likeliest([])
    HeaderCount(rows=0, chance=1.0, rival=0)
    """
    counts, before = list[float](), 1.0
    for chance in chances:
        counts.append(before * (1 - chance))
        before *= chance
    counts.append(before)
    order = sorted(range(len(counts)), key=lambda count: -counts[count])
    return HeaderCount(order[0], round(counts[order[0]], 6), order[1] if len(order) > 1 else order[0])


def _chance(measures: Mapping[str, float]) -> float:
    # A measure that is new has no weight until it is fitted.
    score = BIAS + sum(WEIGHTS.get(name, 0.0) * measure for name, measure in measures.items())
    return 1 / (1 + exp(-score))


# What speaks for and against a row being a heading: tags, looks, texts against the columns below, wording, place.
#
# Each row at the top is compared with rows below it: a dozen of them, spread over the table, show what a column holds.
# Tables are many and small, and a call of numpy costs as much as a dozen cells: what is counted is counted for all
# these rows at once, and the shares of a row are taken of these counts.

MOST_HEADER_ROWS = 5
MOST_ROWS = 12  # rows that a row is compared with
MOST_HEIGHT = 32  # rows from which on a table is simply long
LONG_WORDS = 8  # words; headings with more are rare
USUAL = 0.5  # share of a column from which on a kind is what it holds
SELDOM = 0.2  # share of texts that may be exceptions
SENTENCE = 6  # characters, up to which a full stop may end an abbreviation
YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d")
FEWEST_STEPS, LONGEST_STEP = 2, 6  # numbers that count up, and the digits of each
# What code, options, paths and addresses have in them and names of columns have not.
SYMBOLS = re.compile(r"[{}=_\\@|^~]|>>>|://|\(\)|\w\.\w+[.(]|^\W*--?\w|\w/\w+/")

MEASURES: dict[str, str] = {
    "marked": "share of places that are headings by their tags",
    "marked alone": "all places are headings by their tags, few below, the first column apart, and it isn't a section",
    "below marks": "not all places are headings by their tags, though all of the row above are",
    "no marks": "no cell of the table is a heading by its tag",
    "marked title": "one heading by its tag takes the whole row, at the top of the table",
    "marks below": "share of places below, the first column apart, that are headings by their tags",
    "bold": "share of texts that are bold, the first column apart, less that of the rows below",
    "bold below": "share of texts below that are bold, the first column apart",
    "bold alone": "all texts are bold, and few below are, the first column apart",
    "slanted": "share of texts in italics, the first column apart, less that of the rows below",
    "painted": "share of places with a background that no row in the lower half has",
    "typed": "share of texts that are words over columns of numbers",
    "values": "share of texts with digits over columns of numbers",
    "numbers": "share of texts with digits",
    "prose below": "share of columns that hold long texts below",
    "capital over small": "share of columns with a capital first here and small letters first below",
    "unlike": "how unlike the columns below the texts are in their characters, less how unlike each other those are",
    "alike": "share of texts that are no more unlike their columns than those are unlike each other",
    "longer": "how much longer the texts are than those of their columns",
    "shorter": "how much shorter the texts are than those of their columns",
    "repeated": "share of texts that come again in their column",
    "twice": "share of texts that come again in the row, in cells of their own",
    "counting": "the row is years, or numbers that count up",
    "ended": "share of texts that end as sentences do",
    "symbols": "share of texts with signs of code and addresses",
    "capitals": "share of texts that begin with a capital",
    "long": "share of texts with many words",
    "named": "share of texts with a word that columns are often named with",
    "named below": "share of texts below with such a word",
    "colons": "share of the first texts of all rows that end in a colon",
    "title": "one cell takes the whole row, at the top of the table",
    "section": "one cell takes the whole row, below a row of several",
    "spread": "share of places in cells over several columns",
    "split": "several cells of this row stand below one cell of the row above",
    "reached": "share of places taken by cells that begin in the rows above",
    "empty": "share of places that are empty and not headings by their tags",
    "corner": "the first place is empty, and few below it are",
    "second": "it is the second row",
    "further": "it is the third row or one further down",
    "rows": "how many rows there are from this one on",
    "two columns": "the table has two columns",
    "ruled": "a line of dashes is drawn below this row or one below it, above the values",
    "below rule": "the line of dashes below the headings is drawn above this row",
    "by words": "the table was found from words alone",
}

Floats = npt.NDArray[np.float64]


class HeadingMeasures:
    """The measures of rows at the top of a draft of two rows or more; `without` names evidence that is left out."""

    def __init__(self, draft: TableDraft, view: GridView, without: Collection[str] = ()) -> None:
        self.draft, self.view, self.without = draft, view, without
        rest = len(view.cell) - 1
        step = max(rest / MOST_ROWS, 1.0)
        self.sample = sorted({1 + int(number * step) for number in range(min(MOST_ROWS, rest))})
        # The rows that may be asked about, then those that they are compared with.
        self.tops = min(MOST_HEADER_ROWS, rest)
        rows = [*range(self.tops), *self.sample]
        cell = view.cell[rows]
        self.cells: list[list[int]] = cell[: self.tops].tolist()
        self.whole = [cells[0] >= 0 and len(set(cells)) == 1 for cells in self.cells]
        self._count(cell, np.array(rows))

    def _count(self, cell: IntArray, rows: IntArray) -> None:
        """Count in every row the places of each sort, and look at the first of them."""
        draft, view = self.draft, self.view
        taken, held = cell >= 0, view.held[rows]
        marked = taken & draft.marked[cell] if "markup" not in self.without else np.zeros_like(taken)
        bold, slanted = view.bold[rows] > 0, held & draft.italic[cell]
        spread, reached = taken & (draft.grid.column_span[cell] > 1), taken & (draft.grid.row[cell] < rows[:, None])
        sorts = np.array((taken, held, marked, bold, slanted, spread, reached, held | marked))
        counts, first = sorts.sum(axis=2).tolist(), sorts[:, :, 0].tolist()
        self.taken, self.held, self.marked, self.bold, self.slanted, self.spread, self.reached, self.said = counts
        self.first_taken, self.first_held, self.first_marked, self.first_bold, self.first_slanted = first[:5]

    def of(self, row: int) -> Floats:
        """The measures of one row, in the order of `MEASURES`; those of evidence that is left out are 0."""
        found = self.found(row)
        return np.array([found.get(name, 0.0) for name in MEASURES], dtype=np.float64)

    def found(self, row: int) -> dict[str, float]:
        """The measures of one row by their names."""
        start = bisect_right(self.sample, row)
        below = slice(self.tops + start, None)
        found = self._tags(row, below) | self._shape(row, below)
        if "looks" not in self.without:
            found |= self._looks(row, below)
        if "kinds" not in self.without:
            own, place = self._own_texts(row)
            found |= self._texts.compared(own, place, start + 1) | _wording(own.once(place))
        return found

    @cached_property
    def _texts(self) -> Texts:
        """The texts of the first row and of those that rows are compared with."""
        return Texts(self.draft, self.view.cell[[0, *self.sample]])

    def _own_texts(self, row: int) -> tuple[Texts, int]:
        """Texts with those of a row, and its place among them."""
        if row == 0:
            return self._texts, 0
        if row in self.sample:
            return self._texts, self.sample.index(row) + 1
        return Texts(self.draft, self.view.cell[[row]]), 0

    def _is_section(self, row: int) -> bool:
        return self.whole[row] and not all(self.whole[:row])

    @cached_property
    def _is_markless(self) -> bool:
        """Whether no cell is a heading by its tag."""
        if "markup" in self.without or not self.draft.marked.any():
            return True
        cell = self.view.cell
        return not any(self.marked) and not bool((self.draft.marked[cell] & (cell >= 0)).any())

    def _tags(self, row: int, below: slice) -> dict[str, float]:
        marked, taken = self.marked, self.taken
        whole = marked[row] == taken[row] > 0
        under = _share(
            sum(marked[below]) - sum(self.first_marked[below]), sum(taken[below]) - sum(self.first_taken[below])
        )
        return {
            "marked": _share(marked[row], taken[row]),
            "marked alone": float(whole and under < USUAL and not self._is_section(row)),
            "below marks": float(row > 0 and marked[row - 1] == taken[row - 1] and not whole),
            "no marks": float(self._is_markless),
            "marked title": float(whole and all(self.whole[: row + 1])),
            "marks below": under,
        }

    def _looks(self, row: int, below: slice) -> dict[str, float]:
        own = slice(row, row + 1)
        bold, bold_below = (self._share_held(self.bold, self.first_bold, rows) for rows in (own, below))
        slanted, slanted_below = (self._share_held(self.slanted, self.first_slanted, rows) for rows in (own, below))
        return {
            "bold": bold - bold_below,
            "bold below": bold_below,
            "bold alone": float(bold > 1 - SELDOM and bold_below < SELDOM),
            "slanted": slanted - slanted_below,
            "painted": self._painted(row),
        }

    def _share_held(self, counts: list[int], first: list[bool], rows: slice) -> float:
        """The share of texts of some sort, the first column apart."""
        if self.view.cell.shape[1] == 1:
            return _share(sum(counts[rows]), sum(self.held[rows]))
        return _share(sum(counts[rows]) - sum(first[rows]), sum(self.held[rows]) - sum(self.first_held[rows]))

    def _painted(self, row: int) -> float:
        background = self.view.background
        colours: list[int] = background[row].tolist()
        lower = background[max(row + 1, (len(background) + 1) // 2) :]
        alone = {colour for colour in set(colours) if colour >= 0 and not (lower == colour).any()}
        return _share(sum(colour in alone for colour in colours), len(colours))

    def _shape(self, row: int, below: slice) -> dict[str, float]:
        ruled, (height, width) = self.draft.ruled, self.view.cell.shape
        under = self.first_held[below]
        return {
            "title": float(all(self.whole[: row + 1])),
            "section": float(self._is_section(row)),
            "spread": self.spread[row] / width,
            "split": float(row > 0 and _splits(self.cells[row - 1], self.cells[row])),
            "reached": self.reached[row] / width,
            "empty": 1 - self.said[row] / width,
            "corner": float(not self.first_held[row] and sum(under) > USUAL * len(under)),
            "second": float(row == 1),
            "further": float(row > 1),
            "rows": log2(min(height - row, MOST_HEIGHT)) / log2(MOST_HEIGHT),
            "two columns": float(width == 2),
            "ruled": float(ruled is not None and row < ruled),
            "below rule": float(ruled is not None and row >= ruled),
            "by words": float(self.draft.method == "words"),
        }


# ------------------------------------------------------------------ texts


def _wording(texts: Sequence[str]) -> dict[str, float]:
    """What the texts of a row say, and how."""
    ends = [text.endswith((".", ";", "!", "?")) for text in texts if len(text) > SENTENCE]
    return {
        "counting": float(_is_counting(texts)),
        "twice": 1 - len(set(texts)) / len(texts) if texts else 0.0,
        "ended": _share(sum(ends), len(ends)),
        "symbols": _share(sum(SYMBOLS.search(text) is not None for text in texts), len(texts)),
        "long": _share(sum(len(text.split()) > LONG_WORDS for text in texts), len(texts)),
    }


def _is_counting(texts: Sequence[str]) -> bool:
    """Whether all texts but the first are years, or whole numbers each one more than that before it."""
    rest = texts[1:] if len(texts) > FEWEST_STEPS else texts
    if len(rest) < FEWEST_STEPS or not all(text.isascii() and text.isdigit() for text in rest):
        return False
    if all(YEAR.fullmatch(text) for text in rest):
        return True
    return all(len(text) <= LONGEST_STEP for text in rest) and all(
        int(after) == int(before) + 1 for before, after in pairwise(rest)
    )


def _splits(above: list[int], cells: list[int]) -> bool:
    """Whether several cells of a row stand below one cell of the row above it, which is not the whole of that row."""
    pairs = {(over, cell) for over, cell in zip(above, cells, strict=True) if over >= 0 and cell >= 0 and over != cell}
    return len(set(above)) > 1 and len(pairs) > len({over for over, _ in pairs})


def _share(part: float, whole: float) -> float:
    """A share; 0 of nothing."""
    return part / whole if whole else 0.0
