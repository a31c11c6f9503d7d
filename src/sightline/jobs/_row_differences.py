"""The differences between the rows of two runs: which are new, gone or other, by a key that is found in the data."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sightline.data import Column
from sightline.errors import UsageError

__all__ = ["DifferentRow", "RowDifferences", "row_differences"]

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

    Rows with the same key are matched in their order. If no column tells rows apart, whole rows are compared.

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
    olds, news = _by_key(before, chosen, names), _by_key(after, chosen, names)
    found: list[DifferentRow] = []
    same = 0
    for place, row in news.items():
        earlier = olds.get(place)
        differing = () if earlier is None else tuple(name for name in names if earlier.get(name) != row.get(name))
        if earlier is None:
            found.append(DifferentRow(place[0], "added", None, row))
        elif differing:
            found.append(DifferentRow(place[0], "changed", earlier, row, differing))
        else:
            same += 1
    found += [DifferentRow(place[0], "removed", row, None) for place, row in olds.items() if place not in news]
    counts = Counter(row.kind for row in found)
    return RowDifferences(chosen, counts["added"], counts["removed"], counts["changed"], same, tuple(found[:MOST_ROWS]))


def _by_key(columns: Sequence[Column], key: str | None, names: Sequence[str]) -> dict[tuple[str, int], RowTexts]:
    """The rows by their key, and by how often it came before."""
    texts = {column.name: column.texts for column in columns}
    seen: Counter[str] = Counter()
    found: dict[tuple[str, int], RowTexts] = {}
    for place in range(max((len(column.cells) for column in columns), default=0)):
        row = {name: texts[name][place] for name in texts}
        told = row.get(key) if key else None
        name = told or " | ".join(str(row.get(name) or "") for name in names)
        found[name, seen[name]] = row
        seen[name] += 1
    return found


def _best_key(before: Sequence[Column], after: Sequence[Column], names: Sequence[str]) -> str | None:
    """The first column whose texts tell the rows of both runs apart; the one that the runs share most of."""
    olds, news = ({column.name: column.texts for column in columns} for columns in (before, after))
    telling = [name for name in names if _is_telling(olds[name]) and _is_telling(news[name])]
    shared = {name: len(set(olds[name]) & set(news[name])) for name in telling}
    return max(telling, key=lambda name: shared[name], default=None)


def _is_telling(texts: Sequence[str | None]) -> bool:
    filled = [text for text in texts if text]
    return bool(filled) and len(filled) == len(texts) and len(set(filled)) >= LEAST_DISTINCT * len(filled)
