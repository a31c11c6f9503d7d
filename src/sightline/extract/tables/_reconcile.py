"""Which of several drafts are returned: those that score enough, and of those that overlap the better."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sightline.extract.tables._draft import TableDraft
from sightline.geometry import Box

__all__ = ["choose_drafts", "rank"]

# Share of the smaller box: drafts that share more than this are two readings of one thing.
SHARED = 0.5
# Share of the words of the outer table: if a table in one of its cells has more, the outer one is just its frame.
FRAME = 0.5


def rank(draft: TableDraft, score: float) -> float:
    """How much a table matters on its page: its score, and how much it contains."""
    return score * float(np.log2(1 + (draft.words > 0).sum()))


def choose_drafts(drafts: Sequence[TableDraft], scores: Sequence[float]) -> list[int]:
    """The drafts that are kept, best score first; a table inside one cell of another is kept beside it."""
    kept: list[int] = []
    taken = np.full((len(drafts), 4), np.nan)  # the boxes of those that are kept; nothing is shared with what has none
    for number in sorted(range(len(drafts)), key=lambda number: -scores[number]):
        box = drafts[number].grid.bounds
        near = np.flatnonzero(_shared(box, taken[: len(kept)]) > SHARED).tolist() if box else []
        if not any(_clash(drafts[number], drafts[kept[place]]) for place in near):
            if box:
                taken[len(kept)] = box
            kept.append(number)
    return kept


def _clash(draft: TableDraft, other: TableDraft) -> bool:
    """Whether two drafts that share ground both claim it: neither is a small table in a cell of the other."""
    small, large = sorted((draft, other), key=lambda candidate: _area(candidate.grid.bounds))
    return not _is_in_cell(small, large) or bool(small.words.sum() > FRAME * large.words.sum())


def _shared(box: Box, others: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The share of the smaller box that a box has in common with each of others."""
    width = np.minimum(box[2], others[:, 2]) - np.maximum(box[0], others[:, 0])
    height = np.minimum(box[3], others[:, 3]) - np.maximum(box[1], others[:, 1])
    area = np.minimum(_area(box), (others[:, 2] - others[:, 0]) * (others[:, 3] - others[:, 1]))
    shared: npt.NDArray[np.float64] = np.maximum(width, 0) * np.maximum(height, 0) / np.maximum(area, 1)
    return shared


def _area(box: Box | None) -> float:
    return (box[2] - box[0]) * (box[3] - box[1]) if box else 0.0


def _is_in_cell(small: TableDraft, large: TableDraft) -> bool:
    bounds = small.grid.bounds
    if bounds is None:
        return False
    x0, y0, x1, y1 = bounds
    cells = large.grid.box
    inside = (cells[:, 0] <= x0 + 1) & (cells[:, 1] <= y0 + 1) & (cells[:, 2] >= x1 - 1) & (cells[:, 3] >= y1 - 1)
    return bool(inside.any())
