"""How many rows at the top of a table are headings, by one small model of all the evidence.

The rows are asked one after the other, from the top, whether they are headings like all rows above them: a logistic
regression of the measures in `_heading_measures.py`. The chances of the rows give the chance of each number of header
rows; the likeliest is taken, and where it is not likely enough, the table says so.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from sightline.extract.tables._draft import TableDraft
from sightline.extract.tables._heading_measures import MEASURES, HeadingMeasures
from sightline.extract.tables._view import GridView

__all__ = ["BIAS", "MOST_HEADER_ROWS", "SURE", "WEIGHTS", "HeaderCount", "header_count", "likeliest"]

MOST_HEADER_ROWS = 5
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
_ROW = np.array([WEIGHTS.get(name, 0.0) for name in MEASURES])  # a measure that is new, until it is fitted, has none


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
    measures, chances = HeadingMeasures(draft, view, without), list[float]()
    for row in range(min(MOST_HEADER_ROWS, height - 1)):
        chances.append(_chance(float(measures.of(row) @ _ROW) + BIAS))
        if chances[-1] < HARDLY:
            break
    return likeliest(chances)


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


def _chance(score: float) -> float:
    return float(1 / (1 + np.exp(-score)))
