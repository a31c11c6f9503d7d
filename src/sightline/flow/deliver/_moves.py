"""The four ways in which staged rows reach the target, and the checks of their keys, in the terms of SQLAlchemy."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from dataclasses import replace as changed
from importlib import import_module
from itertools import chain
from typing import Any

import sqlalchemy as sa
from sqlalchemy.schema import CreateTable

from sightline.errors import MissingExtra, OutputError, UsageError
from sightline.flow.deliver._arrays import in_pieces, prepared
from sightline.flow.deliver._engine import AnswerLost, Engine
from sightline.flow.deliver._schema import VALIDITY, LoadColumns, additions, alteration, load_columns
from sightline.flow.deliver._target import (
    LOADS,
    LOADS_COLUMNS,
    SHOWN,
    Delivered,
    DeliveryMode,
    DeliveryTarget,
    Load,
    instant,
    no_batch,
    numbered_rows,
)

ONE = sa.literal_column("1")


@dataclass(frozen=True)
class Move:
    """A staged load on its way into its target."""

    engine: Engine
    columns: LoadColumns
    rows: int
    shown: str
    at: str = ""
    complete: bool = True
    target: Any = None
    part: Any = None
    """A table of those staged rows that have to be written, if the engine set them aside."""

    @property
    def source(self) -> Any:
        """The table that the rows come from."""
        return self.engine.stage if self.part is None else self.part

    @property
    def staged(self) -> list[Any]:
        """The columns of the staging table, in the order of the names."""
        return [self.source.c[f"c{place}"] for place in range(len(self.columns.names))]

    @property
    def key(self) -> list[Any]:
        """The columns of the key in the staging table."""
        return [self.source.c[f"c{place}"] for place in self.columns.key]

    @property
    def old_key(self) -> list[Any]:
        """The columns of the key in the target."""
        return [self.target.c[self.columns.names[place]] for place in self.columns.key]

    @property
    def same_key(self) -> Any:
        """Whether an old and a new row are of the same key."""
        return sa.and_(*(old == new for old, new in zip(self.old_key, self.key, strict=True)))

    @property
    def others(self) -> list[tuple[Any, Any]]:
        """The columns that are not of the key: in the target, and in the staging table."""
        pairs = enumerate(zip(self.columns.names, self.staged, strict=True))
        return [(self.target.c[name], new) for place, (name, new) in pairs if place not in self.columns.key]

    @property
    def differs(self) -> Any:
        """Whether an old and a new row of the same key differ; a key alone never does."""
        kinds = [kind for place, kind in enumerate(self.columns.kinds) if place not in self.columns.key]
        found = [sa.false()]
        for (old, new), kind in zip(self.others, kinds, strict=True):
            is_text = kind.family == "decimal" and self.engine.dialect.decimal_is_text
            found.append(_number(old).is_distinct_from(_number(new)) if is_text else old.is_distinct_from(new))
        return sa.or_(*found)

    @property
    def compared(self) -> Any:
        """The new rows, each with the old row of its key if there is one."""
        return self.source.outerjoin(self.target, self.same_key)

    @property
    def is_new(self) -> Any:
        """Whether a compared row has no old one."""
        return self.old_key[0].is_(None)

    @property
    def missing(self) -> Any:
        """The rows whose keys the target lacks."""
        if self.part is not None:
            return sa.select(*self.staged).where(self.part.c.is_new)
        return sa.select(*self.staged).select_from(self.compared).where(self.is_new)

    @property
    def to_write(self) -> Any:
        """The rows whose keys the target lacks, which `is_new` says, or whose values differ there."""
        found = sa.select(self.is_new.label("is_new"), *self.staged).select_from(self.compared)
        return found.where(sa.or_(self.is_new, self.differs))

    def update(self) -> int:
        """Write the rows whose keys are known and whose values differ."""
        if not self.others:
            return 0
        changes = {old.name: new for old, new in self.others}
        known = [] if self.part is None else [~self.part.c.is_new]
        return self.engine.run(sa.update(self.target).values(changes).where(*known, self.same_key, self.differs))

    def insert(self, query: Any, *more: Any) -> int:
        """Insert what a query gives: the columns of the load, and some more."""
        names = [*self.columns.names, *(column.name for column in more)]
        ordered = query.order_by(self.engine.order) if self.engine.sorts else query
        return self.engine.run(sa.insert(self.target).from_select(names, ordered))


def _number(column: Any) -> Any:
    """A decimal that is a text, without zeros at its end."""
    point = sa.literal_column("'.'")
    short = sa.func.rtrim(sa.func.rtrim(column, sa.literal_column("'0'")), point)
    return sa.case((sa.func.instr(column, point) > sa.literal_column("0"), short), else_=column)


def _append(move: Move) -> Delivered:
    """Add all rows."""
    move.insert(sa.select(*move.staged))
    return Delivered(move.rows, inserted=move.rows)


def _replace(move: Move) -> Delivered:
    """Take the old rows away and add the new ones, in the same transaction: the table is never seen empty."""
    move.engine.run(sa.delete(move.target))
    return _append(move)


def _upsert(move: Move) -> Delivered:
    """Update the rows whose key is known and whose values differ, and add the others."""
    engine = move.engine
    if not engine.rows(sa.select(ONE).select_from(move.target).limit(1)):
        return _append(move)
    written = changed(move, part=engine.set_aside(move.to_write))
    updated = written.update()
    inserted = written.insert(written.missing)
    return Delivered(move.rows, inserted, updated, move.rows - inserted - updated)


def _history(move: Move) -> Delivered:
    """Close the open rows that changed or did not come, and open a row for each key that has none; the rest stays."""
    engine, target = move.engine, move.target
    since, until = (target.c[name] for name in VALIDITY)
    at = engine.dialect.instant(move.at)
    later = sa.select(sa.func.count()).select_from(target).where(sa.or_(since >= at, until >= at))
    if engine.rows(later)[0][0]:  # what was true at an instant stays so
        raise UsageError(
            f"{move.shown} has a history up to {move.at} or later, so nothing can be added at that instant; "
            "deliver loads in the order of their instants."
        )
    is_open = until.is_(None)
    same = sa.select(ONE).select_from(engine.stage).where(move.same_key).correlate(target)
    changed: tuple[Any, ...] = (is_open, ~sa.exists(same.where(~move.differs)))
    gone = 0
    if move.complete:
        missing = sa.select(sa.func.count()).select_from(target).where(is_open, ~sa.exists(same))
        gone = int(engine.rows(missing)[0][0])
    else:
        changed = (*changed, sa.exists(same))
    closed = engine.run(sa.update(target).values({until.name: at}).where(*changed))
    joined = engine.stage.outerjoin(target, sa.and_(move.same_key, is_open))
    new = sa.select(*move.staged, sa.literal(at, since.type)).select_from(joined).where(move.old_key[0].is_(None))
    opened = move.insert(new, since)
    updated = closed - gone
    return Delivered(move.rows, opened - updated, updated, move.rows - opened, gone)


MOVES: dict[DeliveryMode, Callable[[Move], Delivered]] = {
    "append": _append,
    "replace": _replace,
    "upsert": _upsert,
    "history": _history,
}


def check_empty(move: Move) -> None:
    """Raise an error that names the key and the rows if a key is empty."""
    # Rows are numbered only if there is something to say, since that takes as long as half a move.
    if not move.engine.keys_are_filled and move.engine.rows(sa.select(ONE).where(_is_empty(move.key)).limit(1)):
        found = _numbers(move, _is_empty)
        raise OutputError(
            f"{move.shown}: the key {_named_key(move)} is empty in {numbered_rows(found)} of the load; "
            "give each row a key, or append."
        )


def _is_empty(key: Sequence[Any]) -> Any:
    return sa.or_(*(column.is_(None) for column in key))


def check_doubled(move: Move) -> None:
    """Raise an error that names the key and the rows if a key comes more than once."""
    if move.engine.keys_differ:
        return
    doubled = sa.select(*move.key).group_by(*move.key).having(sa.func.count() > ONE).limit(1)
    if first := move.engine.rows(doubled):
        values = first[0]
        found = _numbers(move, lambda key: sa.and_(*(one == value for one, value in zip(key, values, strict=True))))
        said = ", ".join(f"{value!r:.60}" for value in values)
        raise OutputError(
            f"{move.shown}: the key {_named_key(move)} is {said} in {numbered_rows(found)} "
            "of the load; keep one row of each key, or append."
        )


def _numbers(move: Move, condition: Callable[[Sequence[Any]], Any]) -> list[int]:
    """The numbers of the first rows of the load whose key meets a condition, counted from 1."""
    number = sa.func.row_number().over(order_by=move.engine.order).label("number")
    counted = sa.select(*move.key, number).subquery("counted")
    key = [counted.c[column.name] for column in move.key]
    query = sa.select(counted.c.number).where(condition(key)).order_by(counted.c.number).limit(SHOWN)
    return [int(number) for (number,) in move.engine.rows(query)]


def _named_key(move: Move) -> str:
    return ", ".join(move.columns.names[place] for place in move.columns.key)


# -- delivers a load to a table of a database -----------------------------------------------------------------------

# The engine of each kind, imported only when it is used.
_ENGINES: dict[str, tuple[str, str]] = {
    "duckdb": ("_duckdb", "DuckEngine"),
    "sqlite": ("_sqlite", "SqliteEngine"),
    "postgresql": ("_postgres", "PostgresEngine"),
    "sqlalchemy": ("_sqlalchemy", "AnyEngine"),
}


def deliver_load(load: Load, batches: Iterable[Any]) -> Delivered:
    """Deliver to a table, unless the table of loads says that it is done."""
    with closing(_engine(load.target)) as engine:
        with engine.looking():
            done = _find(engine, load)
        try:
            return changed(done, was_done=True) if done else _delivered(engine, load, batches)
        except AnswerLost as problem:
            lost = problem
    return _settled(load, lost)


def _delivered(engine: Engine, load: Load, batches: Iterable[Any]) -> Delivered:
    """Stage all batches, then move them."""
    pieces = in_pieces(batches)
    first = next(pieces, None)
    if first is None:
        return _nothing(engine, load)
    columns = load_columns(first.schema, load.key, engine.dialect, reserved=VALIDITY if load.mode == "history" else ())
    with engine.looking():
        is_new = not _fitted(engine, load, columns)[0]  # now, since the rows may take hours to come
    engine.create_stage(columns, becomes_target=is_new and load.mode != "history")
    rows = 0
    for piece in chain([first], pieces):
        engine.fill_stage(prepared(piece, columns.names, columns.kinds, engine.dialect))
        rows += piece.num_rows
    staged = Move(engine, columns, rows, str(load.target), load.at, load.complete)
    if load.is_keyed:
        engine.finish_stage(columns.key)
        check_empty(staged)
    # The index of a new table finds doubled keys at no extra cost; only then is it asked which they are.
    checked = not load.is_keyed or not (is_new and engine.dialect.unique)
    if load.is_keyed and checked:
        check_doubled(staged)
    try:
        return _moved(staged, load, checked=checked)
    except OutputError:
        if not checked and engine.keeps_stage:
            check_doubled(staged)
        raise


def _moved(staged: Move, load: Load, *, checked: bool) -> Delivered:
    """Move what is staged into the target and note the load, unless another process has done so by now."""
    engine = staged.engine
    with engine.moving():
        if done := _find(engine, load):
            return changed(done, was_done=True)
        exists, columns, actions = _fitted(engine, load, staged.columns)
        if exists and not checked:
            check_doubled(staged)
        if not exists and _is_adopted(staged, load):
            delivered = Delivered(staged.rows, inserted=staged.rows)
            _note(engine, load, delivered)
            return delivered
        is_history = load.mode == "history"
        target = engine.target_table(columns, is_history=is_history)
        key = [columns.names[place] for place in columns.key]
        if not exists:
            engine.create_target(target, key)
        for action in actions:
            engine.run(alteration(engine.altered, action))
        delivered = MOVES[load.mode](changed(staged, columns=columns, target=target))
        if key and not exists:
            engine.index_key(key, open_only=is_history)
        _note(engine, load, delivered)
        return changed(delivered, schema_changes=tuple(alteration(engine.named, action) for action in actions))


def _is_adopted(staged: Move, load: Load) -> bool:
    """Make the staging table the target, if the engine can; its index finds doubled keys."""
    if load.mode == "history":
        return False
    names = staged.columns.names
    try:
        return staged.engine.adopt_stage(names, [names[place] for place in staged.columns.key])
    except OutputError:
        if load.is_keyed:
            check_doubled(staged)
        raise


def _fitted(engine: Engine, load: Load, columns: LoadColumns) -> tuple[bool, LoadColumns, tuple[str, ...]]:
    """Whether the target exists, the columns under its names for them, and what has to be added to it."""
    existing = engine.columns(load.target.table)
    if not existing:
        return False, columns, ()
    if load.mode == "history":
        if not set(VALIDITY) <= set(existing):
            raise UsageError(
                f"{load.target} has no columns {' and '.join(VALIDITY)}, so it keeps no history; "
                "deliver to a new table."
            )
        existing = {name: column for name, column in existing.items() if name not in VALIDITY}
    return True, *additions(
        columns, existing, engine.dialect, shown=str(load.target), named=engine.named, allowed=load.allowed
    )


def _nothing(engine: Engine, load: Load) -> Delivered:
    """Note a load to which not even a batch without rows came; it must not empty a table."""
    if load.mode in ("replace", "history"):
        raise no_batch(load)
    with engine.moving():
        if done := _find(engine, load):
            return changed(done, was_done=True)
        _note(engine, load, Delivered())
    return Delivered()


def _engine(target: DeliveryTarget) -> Engine:
    """The engine of a target."""
    module, name = _ENGINES[target.kind]
    try:
        made: Engine = getattr(import_module(f"sightline.flow.deliver.{module}"), name)(target)
    except ImportError as problem:
        extra = "postgres" if target.kind == "postgresql" else "flow"
        raise MissingExtra(extra, f"Delivering to {target}") from problem
    return made


def _settled(load: Load, lost: AnswerLost) -> Delivered:
    """Ask the database what became of a commit whose answer was lost.

    The lock of the old connection is free only when its transaction has ended, so the answer is final.
    """
    try:
        with closing(_engine(load.target)) as engine, engine.moving():
            done = _find(engine, load)
    except (OutputError, AnswerLost) as problem:
        raise OutputError(
            f"{load.target}: the connection was lost during the commit ({lost}), and whether the load {load.id!r} "
            "arrived could not be asked; run the same load again, which finds out."
        ) from problem
    if done is None:
        raise OutputError(
            f"{load.target}: the connection was lost during the commit ({lost}); nothing was changed, "
            "so run the load again."
        ) from lost
    return done


def _find(engine: Engine, load: Load) -> Delivered | None:
    if not engine.columns(LOADS):
        return None
    loads, counts = engine.loads, LOADS_COLUMNS[3:]
    ours = (loads.c.load_id == load.id, loads.c.table_name == load.target.table)
    found = engine.rows(sa.select(*(loads.c[name] for name in counts)).where(*ours))
    if not found:
        return None
    rows, inserted, updated, unchanged, closed = map(int, found[0])
    return Delivered(rows, inserted, updated, unchanged, closed)


def _note(engine: Engine, load: Load, delivered: Delivered) -> None:
    """Write down in the transaction of the rows that the load is done."""
    loads = engine.loads
    if not engine.columns(LOADS):
        engine.run(CreateTable(loads))
    counts = (delivered.rows, delivered.inserted, delivered.updated, delivered.unchanged, delivered.closed)
    values = (load.id, load.target.table, load.mode, *counts, engine.dialect.instant(instant(None)))
    engine.run(sa.insert(loads).values(dict(zip((*LOADS_COLUMNS, "delivered_at"), values, strict=True))))
