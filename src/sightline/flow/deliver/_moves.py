"""The four ways in which staged rows reach the target, as SQL that every database here understands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sightline.errors import OutputError, UsageError
from sightline.flow._duckdb import quoted
from sightline.flow.deliver._dialect import Engine
from sightline.flow.deliver._load import Delivered
from sightline.flow.deliver._schema import VALIDITY, LoadColumns

__all__ = ["SHOWN", "Move", "append", "check_doubled", "check_empty", "history", "numbered_rows", "replace", "upsert"]

SHOWN = 5  # rows that an error names


@dataclass(frozen=True)
class Move:
    """A staged load on its way into its target; `old` are the rows of the target, `new` those of the load."""

    engine: Engine
    columns: LoadColumns
    rows: int
    shown: str
    at: str = ""
    complete: bool = True

    @property
    def names(self) -> str:
        """The columns of the target that the load fills."""
        return ", ".join(map(quoted, self.columns.names))

    @property
    def values(self) -> str:
        """The columns of the staging table, in the same order."""
        return ", ".join(f"new.c{place}" for place in range(len(self.columns.names)))

    @property
    def same_key(self) -> str:
        """Whether an old and a new row are of the same key."""
        return " AND ".join(f"old.{quoted(self.columns.names[place])} = new.c{place}" for place in self.columns.key)

    @property
    def first_key(self) -> str:
        """A column of the target that is empty only where a new row has no old one."""
        return quoted(self.columns.names[self.columns.key[0]])

    @property
    def others(self) -> list[tuple[str, str]]:
        """The columns that are not of the key: in the target, and in the staging table."""
        return [
            (quoted(name), f"c{place}")
            for place, name in enumerate(self.columns.names)
            if place not in self.columns.key
        ]

    @property
    def differs(self) -> str:
        """Whether an old and a new row of the same key differ; a key alone never does."""
        dialect = self.engine.dialect
        found = []
        for place, (name, kind) in enumerate(zip(self.columns.names, self.columns.kinds, strict=True)):
            if place not in self.columns.key:
                form = dialect.decimal if kind.family == "decimal" else "{0}"
                old, new = form.format(f"old.{quoted(name)}"), form.format(f"new.c{place}")
                found.append(f"{old} {dialect.differs} {new}")
        return " OR ".join(found) or "1 = 0"


def append(move: Move) -> Delivered:
    """Add all rows."""
    engine = move.engine
    engine.run(f"INSERT INTO {engine.table} ({move.names}) SELECT {move.values} FROM {engine.stage} AS new")
    return Delivered(move.rows, inserted=move.rows)


def replace(move: Move) -> Delivered:
    """Take the old rows away and add the new ones, in the same transaction; nobody sees the table without rows."""
    move.engine.run(f"DELETE FROM {move.engine.table}")
    return append(move)


def upsert(move: Move) -> Delivered:
    """Update the rows whose key is known and whose values differ, and add the others."""
    engine = move.engine
    if not engine.rows(f"SELECT 1 FROM {engine.table} LIMIT 1"):
        return append(move)
    updated = 0
    if move.others:
        changes = ", ".join(f"{name} = new.{staged}" for name, staged in move.others)
        updated = engine.run(
            f"UPDATE {engine.table} AS old SET {changes} FROM {engine.stage} AS new "
            f"WHERE {move.same_key} AND ({move.differs})"
        )
    inserted = engine.run(
        f"INSERT INTO {engine.table} ({move.names}) SELECT {move.values} FROM {engine.stage} AS new "
        f"LEFT JOIN {engine.table} AS old ON {move.same_key} WHERE old.{move.first_key} IS NULL"
    )
    return Delivered(move.rows, inserted, updated, move.rows - inserted - updated)


def history(move: Move) -> Delivered:
    """Close the open rows that changed or are gone, and open a row for each key that has none; the rest stays."""
    engine = move.engine
    since, until = VALIDITY
    at = engine.dialect.instant.format(f"{engine.dialect.mark}1")
    _check_instant(move, at)
    is_open = f"old.{until} IS NULL"
    came = f"EXISTS (SELECT 1 FROM {engine.stage} AS new WHERE {move.same_key})"
    gone = engine.rows(f"SELECT count(*) FROM {engine.table} AS old WHERE {is_open} AND NOT {came}")[0][0]
    only = "" if move.complete else f"{came} AND "
    closed = engine.run(
        f"UPDATE {engine.table} AS old SET {until} = {at} WHERE {is_open} AND {only}NOT EXISTS "
        f"(SELECT 1 FROM {engine.stage} AS new WHERE {move.same_key} AND NOT ({move.differs}))",
        move.at,
    )
    gone = gone if move.complete else 0
    opened = engine.run(
        f"INSERT INTO {engine.table} ({move.names}, {since}) SELECT {move.values}, {at} FROM {engine.stage} AS new "
        f"LEFT JOIN {engine.table} AS old ON {move.same_key} AND {is_open} WHERE old.{move.first_key} IS NULL",
        move.at,
    )
    updated = closed - gone
    return Delivered(move.rows, opened - updated, updated, move.rows - opened, gone)


def _check_instant(move: Move, at: str) -> None:
    """What was true at an instant stays so: no load may reach back before one that is there."""
    since, until = VALIDITY
    later = f"SELECT count(*) FROM {move.engine.table} WHERE {since} >= {at} OR {until} >= {at}"
    if move.engine.rows(later, move.at)[0][0]:
        raise UsageError(
            f"{move.shown} has a history up to {move.at} or later, so nothing can be added at that instant; "
            "deliver loads in the order of their instants."
        )


def check_empty(move: Move) -> None:
    """Raise an error that names the key and the rows if a key is empty."""
    empty = " OR ".join(f"c{place} IS NULL" for place in move.columns.key)
    # Rows are numbered only if there is something to say, since that takes as long as half a move.
    if move.engine.rows(f"SELECT 1 FROM {move.engine.stage} WHERE {empty} LIMIT 1"):
        found = move.engine.rows(_numbered(move.engine, empty))
        raise OutputError(
            f"{move.shown}: the key {_key(move)} is empty in {_rows(found)} of the load; "
            "give each row a key, or append."
        )


def check_doubled(move: Move) -> None:
    """Raise an error that names the key and the rows if a key comes more than once."""
    engine, key = move.engine, [f"c{place}" for place in move.columns.key]
    columns = ", ".join(key)
    doubled = f"SELECT {columns} FROM {engine.stage} GROUP BY {columns} HAVING count(*) > 1 LIMIT 1"
    for values in engine.rows(doubled):
        mark = engine.dialect.mark
        is_it = " AND ".join(f"{column} = {mark}{number}" for number, column in enumerate(key, 1))
        found = engine.rows(_numbered(engine, is_it), *values)
        said = ", ".join(f"{value!r:.60}" for value in values)
        raise OutputError(
            f"{move.shown}: the key {_key(move)} is {said} in {_rows(found)} "
            "of the load; keep one row of each key, or append."
        )


def _numbered(engine: Engine, condition: str) -> str:
    """The numbers of the first rows of the load for which a condition holds, counted from 1."""
    order = engine.dialect.order
    return (
        f"SELECT number FROM (SELECT *, row_number() OVER (ORDER BY {order}) AS number FROM {engine.stage}) AS counted "
        f"WHERE {condition} ORDER BY number LIMIT {SHOWN}"
    )


def _key(move: Move) -> str:
    return ", ".join(move.columns.names[place] for place in move.columns.key)


def _rows(found: Sequence[tuple[Any, ...]]) -> str:
    return numbered_rows([int(number) for (number,) in found])


def numbered_rows(rows: Sequence[int]) -> str:
    """The first rows that something is wrong with, in words.

    >>> numbered_rows([1]), numbered_rows([1, 3])
    ('row 1', 'rows 1 and 3')
    """
    numbers = [str(number) for number in rows[:SHOWN]]
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    if len(numbers) == SHOWN:
        return f"rows {', '.join(numbers)}, …"
    return f"rows {', '.join(numbers[:-1])} and {numbers[-1]}"
