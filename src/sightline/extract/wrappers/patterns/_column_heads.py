"""The headings of the columns of a table whose cells span several of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

__all__ = ["GridCell", "grid_cells", "heads_of_columns"]

MOST_COLUMNS = 1_000  # that a cell spans, as browsers have it
MOST_ROWS = 65_534

GridCell = tuple[int, int, int]
"""A cell: its node, its first column, and how many columns it spans."""


def grid_cells(rows: Sequence[Sequence[int]], span: Callable[[int, str], int]) -> Iterator[list[GridCell]]:
    """The cells of each row with their columns, heeding those that reach down from rows above.

    >>> [[column for _, column, _ in row] for row in grid_cells([[1, 2], [3, 4]], lambda node, name: 1 + (node == 1))]
    [[0, 2], [2, 3]]
    """
    reaching: dict[int, int] = {}  # by column, for how many rows more it is taken
    for row in rows:
        placed: list[GridCell] = []
        column = 0
        taken = {place: left - 1 for place, left in reaching.items() if left > 1}
        for node in row:
            while column in reaching:
                column += 1
            width = min(max(span(node, "colspan"), 1), MOST_COLUMNS)
            height = min(max(span(node, "rowspan"), 1), MOST_ROWS)
            placed.append((node, column, width))
            if height > 1:
                taken |= dict.fromkeys(range(column, column + width), height - 1)
            column += width
        reaching = taken
        yield placed


def heads_of_columns(rows: Sequence[Sequence[GridCell]], label: Callable[[int], str]) -> dict[int, str]:
    """The heading of each column: the lowest; of columns that share it, with those above it.

    >>> rows = [[(1, 0, 1), (2, 1, 2), (3, 3, 2)], [(4, 1, 1), (5, 2, 1), (6, 3, 1), (7, 4, 1)]]
    >>> heads_of_columns(rows, {1: "name", 2: "sales", 3: "costs", 4: "2023", 5: "2024", 6: "2023", 7: "all"}.get)
    {0: 'name', 1: 'sales 2023', 2: '2024', 3: 'costs 2023', 4: 'all'}
    """
    above: dict[int, list[str]] = {}
    for row in rows:
        for node, first, width in row:
            text = label(node)
            for column in range(first, first + width) if text else ():
                above.setdefault(column, []).append(text)
    lowest = Counter(texts[-1] for texts in above.values())
    return {column: " ".join(texts) if lowest[texts[-1]] > 1 else texts[-1] for column, texts in sorted(above.items())}
