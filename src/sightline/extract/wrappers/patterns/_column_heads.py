"""The headings of the columns of a table whose cells span several of them."""

from collections import Counter
from collections.abc import Callable, Sequence

from sightline.signals import GridCell

__all__ = ["heads_of_columns"]


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
