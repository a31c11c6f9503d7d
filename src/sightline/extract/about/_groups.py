"""Values that stand together: of all elements the one whose blocks are most likely values, and those blocks in it."""

import numpy as np
import numpy.typing as npt

from sightline.extract.about._candidates import BLOCK, Candidates

# Chosen out of fold: a block in the best element is a value from this chance on, and one below it speaks against.
LEAST_IN_GROUP = 0.3


def best_group(found: Candidates, likely: npt.NDArray[np.float64]) -> list[int]:
    """The candidates of the element in which most of the blocks are likely values, in order.

    What speaks for an element is the sum of how much likelier than not its blocks are.
    """
    rows = np.flatnonzero(found.kind == BLOCK)
    if not len(rows) or likely[rows].max() < LEAST_IN_GROUP:
        return []
    page = found.page
    worth = np.zeros(len(page) + 1)
    starts = found.blocks.start[found.block[rows]]
    np.add.at(worth, starts, likely[rows] - LEAST_IN_GROUP)
    sums = np.concatenate([[0.0], np.cumsum(worth)])
    element = np.flatnonzero(~page.is_text)
    own = sums[page.end[element]] - sums[element]
    best = int(element[int(own.argmax())])
    inside = (starts >= best) & (starts < page.end[best]) & (likely[rows] >= LEAST_IN_GROUP)
    kept: list[int] = rows[inside].tolist()
    return kept
