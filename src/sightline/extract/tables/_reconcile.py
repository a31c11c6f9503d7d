"""Which of several drafts are returned: those that score enough, and of those that overlap the better."""

from collections.abc import Sequence

import numpy as np

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
    for number in sorted(range(len(drafts)), key=lambda number: -scores[number]):
        if not any(_clash(drafts[number], drafts[other]) for other in kept):
            kept.append(number)
    return kept


def _clash(draft: TableDraft, other: TableDraft) -> bool:
    """Whether two drafts claim the same ground, and neither is a small table in a cell of the other."""
    box, other_box = draft.grid.bounds, other.grid.bounds
    if box is None or other_box is None or _shared(box, other_box) <= SHARED:
        return False
    small, large = sorted((draft, other), key=lambda candidate: _area(candidate.grid.bounds))
    return not _is_in_cell(small, large) or bool(small.words.sum() > FRAME * large.words.sum())


def _shared(box: Box, other: Box) -> float:
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    return max(width, 0) * max(height, 0) / max(min(_area(box), _area(other)), 1)


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
