"""Delivers a load to a table of a database, exactly once: stage, then move and note the load in one transaction."""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace as changed
from importlib import import_module
from itertools import chain
from typing import Any

import sqlalchemy as sa
from sqlalchemy.schema import CreateTable

from sightline.errors import MissingExtra, OutputError, UsageError
from sightline.flow.deliver._arrays import in_pieces, prepared
from sightline.flow.deliver._engine import AnswerLost, Engine
from sightline.flow.deliver._load import LOADS, LOADS_COLUMNS, Delivered, Load, instant, no_batch
from sightline.flow.deliver._moves import MOVES, Move, check_doubled, check_empty
from sightline.flow.deliver._schema import VALIDITY, LoadColumns, additions, alteration, load_columns
from sightline.flow.deliver._target import DeliveryTarget, KindName

__all__ = ["deliver_load"]

# The engine of each kind, imported only when it is used.
_ENGINES: dict[KindName, tuple[str, str]] = {
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
