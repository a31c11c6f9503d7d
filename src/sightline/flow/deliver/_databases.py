"""Delivers a load to a table of a database, exactly once: stage, then move and note the load in one transaction."""

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace as changed
from itertools import chain
from typing import Any

from sightline.errors import MissingExtra, OutputError, UsageError
from sightline.flow._duckdb import quoted
from sightline.flow.deliver import _moves
from sightline.flow.deliver._arrays import in_pieces, prepared
from sightline.flow.deliver._dialect import AnswerLost, Engine
from sightline.flow.deliver._kinds import INSTANT, INTEGER, TEXT
from sightline.flow.deliver._load import LOADS, LOADS_COLUMNS, Delivered, DeliveryMode, Load, instant, no_batch
from sightline.flow.deliver._moves import Move, check_doubled, check_empty
from sightline.flow.deliver._schema import VALIDITY, LoadColumns, additions, alteration, create_statement, load_columns
from sightline.flow.deliver._target import DeliveryTarget

__all__ = ["deliver_load"]

_MOVES: dict[DeliveryMode, Callable[[Move], Delivered]] = {
    "append": _moves.append,
    "replace": _moves.replace,
    "upsert": _moves.upsert,
    "history": _moves.history,
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
    engine.create_stage(columns.kinds, becomes_target=is_new and load.mode != "history")
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
        if not exists:
            engine.run(create_statement(engine.table, columns, engine.dialect, history=load.mode == "history"))
        for action in actions:
            engine.run(alteration(engine.table, action))
        delivered = _MOVES[load.mode](changed(staged, columns=columns))
        if load.is_keyed and not exists:
            engine.index_key([columns.names[place] for place in columns.key], open_only=load.mode == "history")
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
    """The engine of a target; each of them is imported only when it is used."""
    try:
        if target.kind == "duckdb":
            from sightline.flow.deliver._duckdb import DuckEngine

            return DuckEngine(target)
        if target.kind == "sqlite":
            from sightline.flow.deliver._sqlite import SqliteEngine

            return SqliteEngine(target)
        from sightline.flow.deliver._postgres import PostgresEngine

        return PostgresEngine(target)
    except ImportError as problem:
        extra = "postgres" if target.kind == "postgresql" else "flow"
        raise MissingExtra(extra, f"Delivering to {target}") from problem


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
    mark = engine.dialect.mark
    counts = ", ".join(map(quoted, LOADS_COLUMNS[3:]))
    query = f"SELECT {counts} FROM {engine.loads} WHERE load_id = {mark}1 AND table_name = {mark}2"
    found = engine.rows(query, load.id, load.target.table)
    return Delivered(**dict(zip(LOADS_COLUMNS[3:], found[0], strict=True))) if found else None


def _note(engine: Engine, load: Load, delivered: Delivered) -> None:
    """Write down in the transaction of the rows that the load is done."""
    text, count = engine.dialect.type_of(TEXT), engine.dialect.type_of(INTEGER)
    if not engine.columns(LOADS):
        parts = [f"{quoted(name)} {text if place < 3 else count} NOT NULL" for place, name in enumerate(LOADS_COLUMNS)]
        parts.append(f"delivered_at {engine.dialect.type_of(INSTANT)} NOT NULL")
        engine.run(f"CREATE TABLE {engine.loads} ({', '.join(parts)}, PRIMARY KEY (load_id, table_name))")
    mark = engine.dialect.mark
    marks = [f"{mark}{number}" for number in range(1, len(LOADS_COLUMNS) + 1)]
    marks.append(engine.dialect.instant.format(f"{mark}{len(LOADS_COLUMNS) + 1}"))
    counts = (delivered.rows, delivered.inserted, delivered.updated, delivered.unchanged, delivered.closed)
    engine.run(
        f"INSERT INTO {engine.loads} VALUES ({', '.join(marks)})",
        *(load.id, load.target.table, load.mode, *counts, instant(None)),
    )
