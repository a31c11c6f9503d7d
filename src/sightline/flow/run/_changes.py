"""What changed between two runs: rows that are new, gone or other, by their keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sightline.errors import UsageError
from sightline.flow._sql import quoted
from sightline.flow.integrate import Duck
from sightline.flow.run._results import dataset_of

__all__ = ["ChangedRow", "RowChanges", "row_changes"]

MOST_ROWS = 1000
"""Rows of each kind that are told one by one; all of them are counted."""


@dataclass(frozen=True)
class ChangedRow:
    """A row that is other than it was: its key, and the old and new values of what changed."""

    key: tuple[Any, ...]
    values: dict[str, tuple[Any, Any]]


@dataclass(frozen=True)
class RowChanges:
    """What changed between two tables; the lists are cut at a thousand rows, the counts are of all."""

    key: tuple[str, ...]
    new: int
    gone: int
    changed: int
    same: int
    new_rows: tuple[dict[str, Any], ...] = ()
    gone_rows: tuple[dict[str, Any], ...] = ()
    changed_rows: tuple[ChangedRow, ...] = ()
    unkeyed: int = 0
    """Rows that could not be compared, since their key is empty or not theirs alone."""

    @property
    def summary(self) -> str:
        """One line."""
        line = f"{self.new} new, {self.gone} gone, {self.changed} changed, {self.same} the same"
        return f"{line}, {self.unkeyed} without a key of their own" if self.unkeyed else line


def row_changes(
    old: Path, new: Path, key: Sequence[str], spill: Path, columns: Sequence[str] | None = None
) -> RowChanges:
    """Compare the rows of two files by a key, in all columns or in some; without a key, whole rows are compared."""
    before, after = dataset_of(old), dataset_of(new)
    shared = [name for name in after.schema.names if name in before.schema.names and not name.startswith("_")]
    if columns is not None:
        shared = [name for name in shared if name in columns or name in key]
    if not shared:
        raise UsageError("The two runs have no column in common, so their rows cannot be compared.")
    for name in key:
        if name not in shared:
            raise UsageError(f"The column `{name}` is not in both runs; compare by one of {', '.join(shared)}.")
    by = list(key) or shared
    others = [name for name in shared if name not in by]
    duck = Duck({"before": before, "after": after}, spill)
    keys = ", ".join(map(quoted, by))
    single = f"SELECT *, count(*) OVER (PARTITION BY {keys}) AS _times FROM "
    filled = " AND ".join(f"{quoted(name)} IS NOT NULL" for name in by) if key else "TRUE"
    # Without a key, rows that come several times are compared as often as they come.
    one = f"(SELECT * FROM ({single} {{table}}) WHERE {filled}{' AND _times = 1' if key else ''})"
    if not key:
        one = f"(SELECT DISTINCT {keys} FROM {{table}})"
    olds, news = one.format(table="before"), one.format(table="after")
    same = " AND ".join(f"o.{quoted(name)} IS NOT DISTINCT FROM n.{quoted(name)}" for name in by)
    differs = " OR ".join(f"o.{quoted(name)} IS DISTINCT FROM n.{quoted(name)}" for name in others) or "FALSE"
    total, is_same, changed = duck.rows(
        f"SELECT count(*), count(*) FILTER (NOT ({differs})), count(*) FILTER ({differs}) "
        f"FROM {olds} AS o JOIN {news} AS n ON {same}"
    )[0]
    count_old, count_new = (duck.rows(f"SELECT count(*) FROM {rows}")[0][0] for rows in (olds, news))
    all_old, all_new = (duck.rows(f"SELECT count(*) FROM {name}")[0][0] for name in ("before", "after"))
    return RowChanges(
        tuple(key),
        count_new - total,
        count_old - total,
        changed,
        is_same,
        _rows(duck, shared, f"SELECT {_of('n', shared)} FROM {news} AS n ANTI JOIN {olds} AS o ON {same}"),
        _rows(duck, shared, f"SELECT {_of('o', shared)} FROM {olds} AS o ANTI JOIN {news} AS n ON {same}"),
        _changed(duck, by, others, f"FROM {olds} AS o JOIN {news} AS n ON {same} WHERE {differs}"),
        max(all_old - count_old, all_new - count_new) if key else 0,
    )


def _of(table: str, names: Sequence[str]) -> str:
    return ", ".join(f"{table}.{quoted(name)}" for name in names)


def _rows(duck: Duck, names: Sequence[str], sql: str) -> tuple[dict[str, Any], ...]:
    found = duck.rows(f"{sql} ORDER BY ALL LIMIT {MOST_ROWS}")
    return tuple(dict(zip(names, row, strict=True)) for row in found)


def _changed(duck: Duck, by: Sequence[str], others: Sequence[str], source: str) -> tuple[ChangedRow, ...]:
    if not others:
        return ()
    found = duck.rows(
        f"SELECT {_of('n', by)}, {_of('o', others)}, {_of('n', others)} {source} ORDER BY ALL LIMIT {MOST_ROWS}"
    )
    rows = []
    for row in found:
        key, old, new = row[: len(by)], row[len(by) : len(by) + len(others)], row[len(by) + len(others) :]
        pairs = zip(others, old, new, strict=True)
        rows.append(ChangedRow(key, {name: (one, two) for name, one, two in pairs if one != two}))
    return tuple(rows)
