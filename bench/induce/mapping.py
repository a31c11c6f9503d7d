"""Which column stands for which attribute: one to one, with the greatest sum of weights."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from bench.induce.columns import Trail

Weights = Mapping[tuple[str, Trail], float]


def assign(weights: Weights) -> dict[str, Trail]:
    """The best map of attributes to columns; an attribute without a column of any weight has none.

    >>> assign({("a", ("x",)): 0.9, ("a", ("y",)): 0.8, ("b", ("x",)): 0.85})
    {'a': ('y',), 'b': ('x',)}
    """
    attributes = sorted({attribute for attribute, _ in weights})
    columns = _promising(attributes, weights)
    if not columns:
        return {}
    # As many columns of no weight as there are attributes: whoever gets one of them has none.
    cost = np.zeros((len(attributes), len(columns) + len(attributes)))
    for row, attribute in enumerate(attributes):
        for place, column in enumerate(columns):
            cost[row, place] = -weights.get((attribute, column), 0.0)
    chosen = {
        attribute: columns[place]
        for attribute, place in zip(attributes, _cheapest(cost), strict=True)
        if place < len(columns)
    }
    return {attribute: column for attribute, column in chosen.items() if weights.get((attribute, column), 0.0) > 0}


def _promising(attributes: list[str], weights: Weights) -> list[Trail]:
    """For every attribute as many of its best columns as there are attributes: no more can be needed."""
    ranked: dict[str, list[tuple[float, Trail]]] = {attribute: [] for attribute in attributes}
    for (attribute, column), weight in weights.items():
        if weight > 0:
            ranked[attribute].append((-weight, column))
    return sorted({column for several in ranked.values() for _, column in sorted(several)[: len(attributes)]})


def _cheapest(cost: npt.NDArray[np.float64]) -> list[int]:
    """The column of every row, so that their costs are least in sum (Hungarian method); at least as many columns."""
    rows, columns = cost.shape
    padded = np.zeros((rows + 1, columns + 1))
    padded[1:, 1:] = cost
    of_row, of_column = np.zeros(rows + 1), np.zeros(columns + 1)
    taken = np.zeros(columns + 1, dtype=np.int64)  # the row of every column; number 0 is nobody
    for row in range(1, rows + 1):
        taken[0] = row
        _augment(padded, of_row, of_column, taken)
    places = [0] * rows
    for place, row in enumerate(taken.tolist()[1:]):
        if row:
            places[row - 1] = place
    return places


def _augment(
    cost: npt.NDArray[np.float64],
    of_row: npt.NDArray[np.float64],
    of_column: npt.NDArray[np.float64],
    taken: npt.NDArray[np.int64],
) -> None:
    """Find a column for the row that waits in column 0, along the cheapest way of others giving up theirs."""
    least = np.full(len(taken), np.inf)
    way = np.zeros(len(taken), dtype=np.int64)
    used = np.zeros(len(taken), dtype=np.bool_)
    here = 0
    while True:
        used[here] = True
        row = taken[here]
        reduced = cost[row] - of_row[row] - of_column
        nearer = ~used & (reduced < least)
        least[nearer], way[nearer] = reduced[nearer], here
        here = int(np.where(used, np.inf, least).argmin())
        step = least[here]
        of_row[taken[used]] += step
        of_column[used] -= step
        least[~used] -= step
        if not taken[here]:
            break
    while here:
        taken[here], here = taken[way[here]], int(way[here])
