"""How many rows at the top of a table are headings, by one small model of all the evidence.

The tags of most tables leave no doubt, and looking closer at all of them would cost a third of reading them. Of the
others, the rows are asked one after the other, from the top, whether they are headings like all rows above them: a
logistic regression of the measures in `_heading_measures.py`. The chances of the rows give the chance of each number of
header rows; the likeliest is taken, and where it is not likely enough, the table says so.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, exp

import numpy as np

from sightline.extract.tables._draft import TableDraft
from sightline.extract.tables._heading_measures import MOST_HEADER_ROWS, MOST_ROWS, HeadingMeasures
from sightline.extract.tables._view import GridView

__all__ = ["BIAS", "MOST_HEADER_ROWS", "SURE", "WEIGHTS", "HeaderCount", "header_count", "likeliest", "rows_by_tags"]

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
