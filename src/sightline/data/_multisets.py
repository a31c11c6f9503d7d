"""What differs between two tables whose rows may come several times: an equal row counts as often as it comes."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

Row = TypeVar("Row")
HashableRow = TypeVar("HashableRow", bound=Hashable)


@dataclass(frozen=True)
class RowTimes:
    """How often a row comes before and after; every comparison of tables without a key rests on these three numbers."""

    before: int
    after: int

    @property
    def new(self) -> int:
        """How many more there are."""
        return max(self.after - self.before, 0)

    @property
    def gone(self) -> int:
        """How many fewer there are."""
        return max(self.before - self.after, 0)

    @property
    def same(self) -> int:
        """How many are in both."""
        return min(self.before, self.after)


@dataclass(frozen=True)
class MultisetCounts:
    """How many rows are new, gone and the same."""

    new: int
    gone: int
    same: int


def row_times(before: Iterable[HashableRow], after: Iterable[HashableRow]) -> dict[HashableRow, RowTimes]:
    """How often each row comes in two tables, in the order in which they come.

    >>> row_times("AAAB", "AB")["A"]
    RowTimes(before=3, after=1)
    """
    olds, news = Counter(before), Counter(after)
    return {row: RowTimes(olds[row], news[row]) for row in {**news, **olds}}


def count_differences(times: Iterable[tuple[RowTimes, int]]) -> MultisetCounts:
    """The counts of two tables, from how often rows come, and how many different rows come just as often.

    >>> count_differences((one, 1) for one in row_times("AAAB", "AB").values())
    MultisetCounts(new=0, gone=2, same=2)
    """
    new = gone = same = 0
    for one, rows in times:
        new, gone, same = new + one.new * rows, gone + one.gone * rows, same + one.same * rows
    return MultisetCounts(new, gone, same)


def surplus(rows: Iterable[tuple[Row, int]]) -> Iterator[Row]:
    """Each row as often as it is new, or gone.

    >>> list(surplus([("A", 2), ("B", 0), ("C", 1)]))
    ['A', 'A', 'C']
    """
    for row, times in rows:
        for _ in range(times):
            yield row
