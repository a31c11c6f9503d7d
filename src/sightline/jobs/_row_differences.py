"""The differences between the rows of two runs: which are new, gone or other, by a key that is found in the data."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sightline.data import Column, count_differences, row_times
from sightline.errors import UsageError

RowKind: TypeAlias = Literal["added", "removed", "changed"]
RowTexts: TypeAlias = dict[str, str | None]

# Of the values of a column that differ from each other, from which on it tells rows apart: a shop may list one product
# twice, but names of which a tenth repeat are categories.
LEAST_DISTINCT = 0.9
MOST_ROWS = 5_000  # that are told one by one; all of them are counted


@dataclass(frozen=True)
class DifferentRow:
    """A row that only one of the runs has, or that has other texts; `fields` are those that differ."""

    key: str
    kind: RowKind
    before: RowTexts | None
    after: RowTexts | None
    fields: tuple[str, ...] = ()


@dataclass(frozen=True)
class RowDifferences:
    """What differs between two runs; `key` is the column that rows were matched by, None if whole rows were."""

    key: str | None
    added: int
    removed: int
    changed: int
    same: int
    rows: tuple[DifferentRow, ...] = ()


def row_differences(before: Sequence[Column], after: Sequence[Column], key: str | None = None) -> RowDifferences:
    """Compare the rows of two runs by the texts of a key; without one, the column that tells them apart best is used.

    Rows that are in both runs are the same; of the others, those with the same key are matched in their order. If no
    column tells rows apart, whole rows are compared, as often as they come.

    >>> from sightline.data import Value
    >>> old = [Column("name", (Value("A"), Value("B"))), Column("price", (Value("5"), Value("6")))]
    >>> new = [Column("name", (Value("B"), Value("C"))), Column("price", (Value("7"), Value("8")))]
    >>> found = row_differences(old, new)
    >>> found.key, [(row.kind, row.key, row.fields) for row in found.rows]
    ('name', [('changed', 'B', ('price',)), ('added', 'C', ()), ('removed', 'A', ())])
    """
    names = [column.name for column in after if any(column.name == other.name for other in before)]
    if key is not None and key not in names:
        raise UsageError(f"The column {key!r} is not in both runs; compare by one of {', '.join(names) or 'none'}.")
    chosen = key or _best_key(before, after, names)
    olds, news = _rows_of(before), _rows_of(after)
    both = row_times(_shared(olds, names), _shared(news, names))
    counts = count_differences((times, 1) for times in both.values())
    same = {row: times.same for row, times in both.items()}
    old, new = _left(olds, names, same), _left(news, names, same)
    found = tuple(_paired(_by_key(old, chosen), _by_key(new, chosen), names))
    kinds = Counter(row.kind for row in found)
    return RowDifferences(chosen, kinds["added"], kinds["removed"], kinds["changed"], counts.same, found[:MOST_ROWS])


def _rows_of(columns: Sequence[Column]) -> list[RowTexts]:
    texts = {column.name: column.texts for column in columns}
    count = max((len(column.cells) for column in columns), default=0)
    return [{name: texts[name][place] for name in texts} for place in range(count)]


def _shared(rows: Iterable[RowTexts], names: Sequence[str]) -> Iterator[tuple[object, ...]]:
    """What both runs say of each row; a cell without a text is an empty one. Without a name in common, nothing is."""
    return (tuple(row[name] or None for name in names) if names else tuple(row.items()) for row in rows)


def _left(rows: Sequence[RowTexts], names: Sequence[str], same: Mapping[tuple[object, ...], int]) -> list[RowTexts]:
    """The rows without those that are in both runs."""
    to_go = Counter(same)
    left = []
    for row, told in zip(rows, _shared(rows, names), strict=True):
        if to_go[told] > 0:
            to_go[told] -= 1
        else:
            left.append(row)
    return left


def _name(row: RowTexts, names: Sequence[str]) -> str:
    return " | ".join(row[name] or "" for name in names or row)


def _by_key(rows: Iterable[RowTexts], key: str | None) -> dict[tuple[str | None, int], RowTexts]:
    """The rows by their key, and by how often it came before."""
    seen: Counter[str | None] = Counter()
    found: dict[tuple[str | None, int], RowTexts] = {}
    for row in rows:
        told = (row[key] or None) if key else None
        found[told, seen[told]] = row
        seen[told] += 1
    return found


def _paired(
    olds: Mapping[tuple[str | None, int], RowTexts],
    news: Mapping[tuple[str | None, int], RowTexts],
    names: Sequence[str],
) -> Iterator[DifferentRow]:
    """What became of each row that is not in both; one without a key is new or gone, as nothing says which it was."""
    for place, row in news.items():
        earlier = olds.get(place)
        if earlier is None or place[0] is None:
            yield DifferentRow(place[0] or _name(row, names), "added", None, row)
        else:
            differing = tuple(name for name in names if (earlier[name] or None) != (row[name] or None))
            yield DifferentRow(place[0], "changed", earlier, row, differing)
    for place, row in olds.items():
        if place not in news or place[0] is None:
            yield DifferentRow(place[0] or _name(row, names), "removed", row, None)


def _best_key(before: Sequence[Column], after: Sequence[Column], names: Sequence[str]) -> str | None:
    """The first column whose texts tell the rows of both runs apart; the one that the runs share most of."""
    olds, news = ({column.name: column.texts for column in columns} for columns in (before, after))
    telling = [name for name in names if _is_telling(olds[name]) and _is_telling(news[name])]
    shared = {name: len(set(olds[name]) & set(news[name])) for name in telling}
    return max(telling, key=lambda name: shared[name], default=None)


def _is_telling(texts: Sequence[str | None]) -> bool:
    filled = [text for text in texts if text]
    return bool(filled) and len(filled) == len(texts) and len(set(filled)) >= LEAST_DISTINCT * len(filled)
