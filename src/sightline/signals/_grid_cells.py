"""The cells of a table by its tags, with the columns that they take where some span several."""

from collections.abc import Callable, Iterator, Sequence

__all__ = ["GridCell", "grid_cells", "span_of"]

MOST_ROWS = 65_534  # that a cell spans, as browsers have it
LONGEST_SPAN = 6  # digits; whoever writes more does not mean it

GridCell = tuple[int, int, int]
"""A cell: its node, its first column, and how many columns it spans."""


def grid_cells(
    rows: Sequence[Sequence[int]], span: Callable[[int, str], int], *, widest: int
) -> Iterator[list[GridCell]]:
    """The cells of each row with their columns, heeding those that reach down from rows above.

    `span` tells how many a cell spans by `colspan` or `rowspan`, and `widest` is the most columns of one.

    >>> def span(node, name):
    ...     return 2 if node == 1 else 1
    >>> [[column for _, column, _ in row] for row in grid_cells([[1, 2], [3, 4]], span, widest=100)]
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
            width = min(max(span(node, "colspan"), 1), widest)
            height = min(max(span(node, "rowspan"), 1), MOST_ROWS)
            placed.append((node, column, width))
            if height > 1:
                taken |= dict.fromkeys(range(column, column + width), height - 1)
            column += width
        reaching = taken
        yield placed


def span_of(text: str) -> int:
    """How many rows or columns an attribute says; 1 if it says no number, or an absurd one.

    >>> span_of(" 3 "), span_of("all"), span_of("")
    (3, 1, 1)
    """
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_SPAN else 1
