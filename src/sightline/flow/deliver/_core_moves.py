"""The four ways in which staged rows reach a table, and the checks of keys, as expressions of SQLAlchemy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver._core_types import compared
from sightline.flow.deliver._loads import Delivered, DeliveryMode
from sightline.flow.deliver._moves import SHOWN, numbered_rows
from sightline.flow.deliver._schema import VALIDITY

__all__ = ["MOVES", "CoreMove", "check_staged_keys"]

NUMBER = "n"
"""The column of the staging table that numbers the rows of the load from 1 on; the others are c0, c1, …"""


@dataclass(frozen=True)
class CoreMove:
    """A staged load on its way; `old` is the target, `new` the staging table, `names` the columns of the load."""

    connection: Any
    old: Any
    new: Any
    names: tuple[str, ...]
    key: tuple[int, ...]
    rows: int
    shown: str
    at: Any = None
    complete: bool = True

    @property
    def staged(self) -> list[Any]:
        """The columns of the staging table, in the order of the names."""
        return [self.new.c[f"c{place}"] for place in range(len(self.names))]

    @property
    def same_key(self) -> Any:
        """Whether an old and a new row are of the same key."""
        return sa.and_(*(self.old.c[self.names[place]] == self.new.c[f"c{place}"] for place in self.key))

    @property
    def others(self) -> list[tuple[Any, Any]]:
        """The columns that are not of the key: in the target, and in the staging table."""
        pairs = enumerate(zip(self.names, self.staged, strict=True))
        return [(self.old.c[name], staged) for place, (name, staged) in pairs if place not in self.key]

    @property
    def differs(self) -> Any:
        """Whether an old and a new row of the same key differ; a key alone never does."""
        # The staging table says what a column holds; the target may call it by another name.
        pairs = ((compared(old, new.type), compared(new, new.type)) for old, new in self.others)
        return sa.or_(sa.false(), *(old.is_distinct_from(new) for old, new in pairs))

    def run(self, statement: Any) -> int:
        """Run a statement; the number of rows that it changed."""
        done = self.connection.execute(statement, execution_options={"preserve_rowcount": True})
        return max(0, int(done.rowcount))


def _append(move: CoreMove) -> Delivered:
    query = sa.select(*move.staged).order_by(move.new.c[NUMBER])
    move.run(sa.insert(move.old).from_select(list(move.names), query))
    return Delivered(move.rows, inserted=move.rows)


def _replace(move: CoreMove) -> Delivered:
    move.run(sa.delete(move.old))
    return _append(move)


def _upsert(move: CoreMove) -> Delivered:
    updated = 0
    if move.others:
        values = {old.name: new for old, new in move.others}
        updated = move.run(sa.update(move.old).values(values).where(move.same_key, move.differs))
    absent = ~sa.exists(sa.select(sa.literal(1)).select_from(move.old).where(move.same_key).correlate(move.new))
    query = sa.select(*move.staged).where(absent).order_by(move.new.c[NUMBER])
    inserted = move.run(sa.insert(move.old).from_select(list(move.names), query))
    return Delivered(move.rows, inserted, updated, move.rows - inserted - updated)


def _history(move: CoreMove) -> Delivered:
    since, until = (move.old.c[name] for name in VALIDITY)
    later = sa.select(sa.func.count()).select_from(move.old).where(sa.or_(since >= move.at, until >= move.at))
    if move.connection.execute(later).scalar():
        raise UsageError(
            f"{move.shown} has a history up to {move.at} or later, so nothing can be added at that instant; "
            "deliver loads in the order of their instants."
        )
    staged = sa.select(sa.literal(1)).select_from(move.new).where(move.same_key).correlate(move.old)
    is_open = until.is_(None)
    gone = sa.select(sa.func.count()).select_from(move.old).where(is_open, ~sa.exists(staged))
    closed_keys = int(move.connection.execute(gone).scalar()) if move.complete else 0
    unchanged = sa.exists(staged.where(~move.differs))
    concerned = (is_open, ~unchanged) if move.complete else (is_open, ~unchanged, sa.exists(staged))
    closed = move.run(sa.update(move.old).values({until.name: move.at}).where(*concerned))
    open_row = sa.select(sa.literal(1)).select_from(move.old).where(move.same_key, is_open).correlate(move.new)
    query = sa.select(*move.staged, sa.literal(move.at, since.type)).where(~sa.exists(open_row))
    query = query.order_by(move.new.c[NUMBER])
    opened = move.run(sa.insert(move.old).from_select([*move.names, since.name], query))
    updated = closed - closed_keys
    return Delivered(move.rows, opened - updated, updated, move.rows - opened, closed_keys)


MOVES: dict[DeliveryMode, Callable[[CoreMove], Delivered]] = {
    "append": _append,
    "replace": _replace,
    "upsert": _upsert,
    "history": _history,
}


def check_staged_keys(move: CoreMove) -> None:
    """Raise an error that names the key and the rows if a key is empty or comes more than once."""
    key = [move.new.c[f"c{place}"] for place in move.key]
    said = ", ".join(move.names[place] for place in move.key)
    empty = _numbers(move, sa.or_(*(column.is_(None) for column in key)))
    if empty:
        raise OutputError(
            f"{move.shown}: the key {said} is empty in {numbered_rows(empty)} of the load; "
            "give each row a key, or append."
        )
    doubled = sa.select(*key).group_by(*key).having(sa.func.count() > 1).limit(1)
    for values in move.connection.execute(doubled).fetchall():
        found = _numbers(move, sa.and_(*(column == value for column, value in zip(key, values, strict=True))))
        shown = ", ".join(f"{value!r:.60}" for value in values)
        raise OutputError(
            f"{move.shown}: the key {said} is {shown} in {numbered_rows(found)} "
            "of the load; keep one row of each key, or append."
        )


def _numbers(move: CoreMove, condition: Any) -> list[int]:
    number = move.new.c[NUMBER]
    return [
        int(one) for (one,) in move.connection.execute(sa.select(number).where(condition).order_by(number).limit(SHOWN))
    ]
