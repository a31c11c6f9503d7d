"""What speaks for and against a row being a heading: tags, looks, texts against the columns below, wording, place.

Each row at the top is compared with rows below it: a dozen of them, spread over the table, show what a column holds.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray
from sightline.extract.tables._draft import TableDraft
from sightline.extract.tables._heading_texts import SMALL, TextRow, length_changes, unlikeness
from sightline.extract.tables._heading_words import has_heading_word
from sightline.extract.tables._view import GridView
from sightline.signals import TextKind

__all__ = ["MEASURES", "HeadingMeasures"]

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
    "marked alone": "all places are headings by their tags, few below, the first column apart, and it is no section",
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
DIGITS = (TextKind.NUMBER, TextKind.DIGITS)
WORDS = (TextKind.WORDS, TextKind.PROSE)


class HeadingMeasures:
    """The measures of the rows at the top of a draft; `without` names evidence that is left out."""

    def __init__(self, draft: TableDraft, view: GridView, without: Collection[str] = ()) -> None:
        self.draft, self.view, self.without = draft, view, without
        rest = len(view.cell) - 1
        step = max(rest / MOST_ROWS, 1.0)
        self.sample = sorted({1 + int(number * step) for number in range(min(MOST_ROWS, rest))})
        self._rows: dict[int, TextRow] = {}

    def of(self, row: int) -> Floats:
        """The measures of one row, in the order of `MEASURES`; those of evidence that is left out are 0."""
        below = [other for other in self.sample if other > row] or [len(self.view.cell) - 1]
        found = self._tags(row, below) | self._shape(row, below)
        if "looks" not in self.without:
            found |= self._looks(row, below)
        if "kinds" not in self.without:
            own, under = self._texts(row), [self._texts(other) for other in below]
            found |= _kinds(own, under) | _likeness(own, under) | _wording(own, under)
        return np.array([found.get(name, 0.0) for name in MEASURES], dtype=np.float64)

    def _texts(self, row: int) -> TextRow:
        if row not in self._rows:
            self._rows[row] = TextRow(self.draft, self.view.cell[row])
        return self._rows[row]

    @cached_property
    def _is_whole(self) -> BoolArray:
        """Which rows are one cell."""
        cell = self.view.cell
        whole: BoolArray = (cell == cell[:, :1]).all(axis=1) & (cell[:, 0] >= 0)
        return whole

    def _is_section(self, row: int) -> bool:
        return bool(self._is_whole[row]) and not self._is_whole[:row].all()

    @cached_property
    def _marked(self) -> BoolArray:
        cell = self.view.cell
        marked: BoolArray = (cell >= 0) & self.draft.marked[cell]
        return marked if "markup" not in self.without else np.zeros_like(marked)

    def _tags(self, row: int, below: list[int]) -> dict[str, float]:
        marked, taken = self._marked, self.view.cell >= 0
        own = marked[row][taken[row]]
        whole = bool(own.all()) and len(own) > 0
        under = _mean(marked[below, 1:][taken[below, 1:]])
        return {
            "marked": _mean(own),
            "marked alone": float(whole and under < USUAL and not self._is_section(row)),
            "below marks": float(row > 0 and bool(marked[row - 1][taken[row - 1]].all()) and not whole),
            "no marks": float(not marked.any()),
            "marked title": float(whole and self._is_whole[: row + 1].all()),
            "marks below": under,
        }

    def _looks(self, row: int, below: list[int]) -> dict[str, float]:
        view, start = self.view, int(self.view.cell.shape[1] > 1)
        slant = self.draft.italic
        held, under = view.held[row, start:], view.held[below, start:]
        bold, bold_below = _mean(view.bold[row, start:][held]), _mean(view.bold[below, start:][under])
        slanted = _mean(slant[view.cell[row, start:][held]]) - _mean(slant[view.cell[below, start:][under]])
        lower = set(view.background[max(row + 1, (len(view.cell) + 1) // 2) :].ravel().tolist())
        painted = [colour >= 0 and colour not in lower for colour in view.background[row].tolist()]
        return {
            "bold": bold - bold_below,
            "bold below": bold_below,
            "bold alone": float(bold > 1 - SELDOM and bold_below < SELDOM),
            "slanted": slanted,
            "painted": _mean(painted),
        }

    def _shape(self, row: int, below: list[int]) -> dict[str, float]:
        view, grid, ruled = self.view, self.draft.grid, self.draft.ruled
        cells = view.cell[row]
        height, width = view.cell.shape
        known = cells[cells >= 0]
        return {
            "title": float(self._is_whole[: row + 1].all()),
            "section": float(self._is_section(row)),
            "spread": float((grid.column_span[known] > 1).sum() / width),
            "split": float(row > 0 and _splits(view.cell[row - 1].tolist(), cells.tolist())),
            "reached": float(((cells >= 0) & (grid.row[cells] < row)).mean()),
            "empty": float((~view.held[row] & ~self._marked[row]).mean()),
            "corner": float(not view.held[row, 0] and _mean(view.held[below, 0]) > USUAL),
            "second": float(row == 1),
            "further": float(row > 1),
            "rows": float(np.log2(min(height - row, MOST_HEIGHT)) / np.log2(MOST_HEIGHT)),
            "two columns": float(width == 2),
            "ruled": float(ruled is not None and row < ruled),
            "below rule": float(ruled is not None and row >= ruled),
            "by words": float(self.draft.method == "words"),
        }


# ------------------------------------------------------------------ texts


def _kinds(own: TextRow, under: Sequence[TextRow]) -> dict[str, float]:
    """What the texts are, against what the columns hold."""
    kinds = np.array([other.kinds for other in under])
    filled = np.maximum((kinds != TextKind.EMPTY).sum(axis=0), 1)
    numeric = np.isin(kinds, DIGITS).sum(axis=0) > USUAL * filled
    prose = (kinds == TextKind.PROSE).sum(axis=0) > USUAL * filled
    small = sum(other.answers[:, SMALL] for other in under) > USUAL * filled
    digits, words = np.isin(own.kinds, DIGITS), np.isin(own.kinds, WORDS)
    return {
        "typed": _mean((words & numeric)[own.held]),
        "values": _mean((digits & numeric)[own.held]),
        "numbers": _mean(digits[own.held]),
        "prose below": _mean(prose),
        "capital over small": _mean([text[:1].isupper() for text in own.texts] & small),
    }


def _likeness(own: TextRow, under: Sequence[TextRow]) -> dict[str, float]:
    """How like the texts below the texts are, and whether they come again."""
    unlike, change = unlikeness(own, under)[own.held], length_changes(own, under)[own.held]
    known = [(place, text) for place, text in enumerate(own.texts) if text]
    return {
        "unlike": _mean(unlike),
        "alike": _mean(unlike <= 0),
        "longer": _mean(np.maximum(change, 0)),
        "shorter": _mean(np.maximum(-change, 0)),
        "repeated": _mean([any(other.texts[place] == text for other in under) for place, text in known]),
        "twice": 1 - len(set(own.once)) / len(own.once) if own.once else 0.0,
        "colons": _mean([row.texts[0].endswith(":") for row in (own, *under) if row.texts[0]]),
    }


def _wording(own: TextRow, under: Sequence[TextRow]) -> dict[str, float]:
    """What the texts say, and how."""
    texts = own.once
    ends = [text.endswith((".", ";", "!", "?")) for text in texts if len(text) > SENTENCE]
    return {
        "counting": float(_is_counting(texts)),
        "ended": _mean(ends),
        "symbols": _mean([SYMBOLS.search(text) is not None for text in texts]),
        "capitals": _mean([text[0].isupper() for text in texts]),
        "long": _mean([len(text.split()) > LONG_WORDS for text in texts]),
        "named": _mean([has_heading_word(text) for text in texts]),
        "named below": _mean([named for other in under for named in other.named]),
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


def _mean(values: Iterable[float] | Floats | BoolArray) -> float:
    """The mean of some values; 0 of none."""
    if isinstance(values, np.ndarray):
        return float(values.mean()) if values.size else 0.0
    known = list(values)
    return sum(known) / len(known) if known else 0.0
