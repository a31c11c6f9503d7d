"""The full grid of a draft, place by place: which cell takes each place, and how it looks."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray
from sightline.extract.tables._draft import TableDraft

__all__ = ["GridView"]


@dataclass(frozen=True, eq=False)
class GridView:
    """The looks of the full grid: each place looks like the cell that takes it; -1 if none does."""

    cell: IntArray
    bold: npt.NDArray[np.float64]
    background: IntArray
    held: BoolArray

    @classmethod
    def of(cls, draft: TableDraft) -> "GridView":
        """The view of a draft."""
        cell = _places(draft)
        taken = cell >= 0
        held = taken & (draft.words[cell] > 0)
        return cls(cell, (draft.bold[cell] & held).astype(float), np.where(taken, draft.background[cell], -1), held)

    def turned(self, start: int) -> "GridView":
        """Columns as rows, without the first rows."""
        parts = (self.cell, self.bold, self.background, self.held)
        return GridView(*(part[start:].T for part in parts))  # type: ignore[arg-type]


def _places(draft: TableDraft) -> IntArray:
    grid = draft.grid
    cell = np.full(grid.shape, -1, dtype=np.int32)
    cell[grid.row, grid.column] = np.arange(len(grid.row), dtype=np.int32)
    for wide in np.flatnonzero((grid.row_span > 1) | (grid.column_span > 1)).tolist():
        row, column = grid.row[wide], grid.column[wide]
        cell[row : row + grid.row_span[wide], column : column + grid.column_span[wide]] = wide
    return cell
