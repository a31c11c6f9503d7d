"""The four ways in which staged rows reach the target, and the checks of their keys, in the terms of SQLAlchemy."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace as changed
from importlib import import_module
from itertools import chain
from typing import Any

import sqlalchemy as sa

from sightline.errors import MissingExtra, OutputError, SchemaChanged, UsageError
from sightline.flow.deliver._arrays import in_pieces, prepared
from sightline.flow.deliver._engine import AnswerLost, Engine
from sightline.flow.deliver._history import move_history
from sightline.flow.deliver._kinds import TEXT
from sightline.flow.deliver._ledger import earlier_revisions, find_load, latest_due, note_load, prepare_ledger
from sightline.flow.deliver._move import ONE, Move
from sightline.flow.deliver._schema import VALIDITY, LoadColumns, additions, alteration, load_columns
from sightline.flow.deliver._target import (
    LOAD_COLUMN,
    SHOWN,
    Delivered,
    DeliveryMode,
    DeliveryTarget,
    Load,
    no_batch,
    numbered_rows,
    untold_rows,
)


def _append(move: Move) -> Delivered:
    """Add all rows; those that an earlier revision of the load added go."""
    replaced = 0
    if move.earlier:
        if not move.is_tagged:
            raise untold_rows(move.load)
        replaced = move.engine.run(sa.delete(move.target).where(move.target.c[LOAD_COLUMN] == move.load.tag))
    return changed(_insert(move), replaced=replaced)


def _insert(move: Move) -> Delivered:
    """Insert all staged rows, marked with their load where the target has a place for that."""
    if move.is_tagged:
        tag = move.target.c[LOAD_COLUMN]
        move.insert(sa.select(*move.staged, sa.literal(move.load.tag, tag.type)), tag)
    else:
        move.insert(sa.select(*move.staged))
    return Delivered(move.rows, inserted=move.rows)


def _replace(move: Move) -> Delivered:
    """Take the old rows away and add the new ones, in the same transaction: the table is never seen empty.

    Rows of a later due date stay.
    """
    if move.later:
        return Delivered(later=move.later)
    move.engine.run(sa.delete(move.target))
    return _insert(move)


def _upsert(move: Move) -> Delivered:
    """Update the rows whose key is known and whose values differ, and add the others.

    What is known is as new as the load or newer if the table shows a later due date: then nothing is updated.
    """
    engine = move.engine
    if not engine.rows(sa.select(ONE).select_from(move.target).limit(1)):
        return _insert(move)
    written = changed(move, part=engine.set_aside(move.to_write))
    updated = 0 if move.later else written.update()
    inserted = written.insert(written.missing)
    return Delivered(move.rows, inserted, updated, move.rows - inserted - updated, later=move.later)


MOVES: dict[DeliveryMode, Callable[[Move], Delivered]] = {
    "append": _append,
    "replace": _replace,
    "upsert": _upsert,
    "history": move_history,
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
            done = find_load(engine, load)
        try:
            return changed(done, was_done=True) if done else _delivered(engine, load, batches)
        except AnswerLost as problem:
            lost = problem
    return _settled(load, lost)


def check_table(load: Load, schema: Any | None) -> None:
    """Refuse what a delivery to a table would be refused for, as far as that is known before there are rows.

    `schema` are the columns that the rows will probably have. A server that is down says nothing about the delivery.
    """
    try:
        with closing(_engine(load.target)) as engine, engine.looking():
            _check_table(engine, load, schema)
    except SchemaChanged:
        raise
    except OutputError:  # the database can't be reached now
        return


def _check_table(engine: Engine, load: Load, schema: Any | None) -> None:
    existing = engine.columns(load.target.table)
    if problem := engine.lacking_right(load.mode, exists=bool(existing)):
        raise UsageError(f"{load.target}: {problem}")
    if not existing:
        return
    missing = [name for name in load.key if name.lower() not in {one.lower() for one in existing}]
    if missing and not load.allowed:
        known = ", ".join(map(repr, existing))
        raise UsageError(f"{load.target} has no column {missing[0]!r} for the key; it has {known}.")
    if load.mode == "history" and not set(VALIDITY) <= set(existing):
        raise _no_history(load)
    if schema is not None:
        reserved = VALIDITY if load.mode == "history" else ()
        _fitted(engine, load, load_columns(schema, load.key, engine.dialect, reserved=reserved))


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
    staged = Move(engine, columns, rows, load)
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
        if done := find_load(engine, load):
            return changed(done, was_done=True)
        prepare_ledger(engine)
        exists, is_tagged, columns, actions = _fitted(engine, load, staged.columns)
        if exists and not checked:
            check_doubled(staged)
        if not exists and _is_adopted(staged, load):
            if load.tag:
                engine.tag_rows(load.tag)
            delivered = Delivered(staged.rows, inserted=staged.rows)
            note_load(engine, load, delivered)
            return delivered
        target = engine.target_table(columns, is_history=load.mode == "history", is_tagged=is_tagged)
        if not exists:
            engine.create_target(target, [columns.names[place] for place in columns.key])
        for action in actions:
            engine.run(alteration(engine.altered, action))
        earlier, later = earlier_revisions(engine, load), latest_due(engine, load)
        move = changed(staged, columns=columns, target=target, earlier=earlier, later=later, is_tagged=is_tagged)
        delivered = MOVES[load.mode](move)
        if columns.key and not exists:
            engine.index_key([columns.names[place] for place in columns.key], open_only=load.mode == "history")
        note_load(engine, load, delivered)
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


def _fitted(engine: Engine, load: Load, columns: LoadColumns) -> tuple[bool, bool, LoadColumns, tuple[str, ...]]:
    """Whether the target exists, whether its rows name their loads, the columns under its names, and what to add."""
    existing = engine.columns(load.target.table)
    if not existing:
        return False, bool(load.tag), columns, ()
    if load.mode == "history":
        if not set(VALIDITY) <= set(existing):
            raise _no_history(load)
        existing = {name: column for name, column in existing.items() if name not in VALIDITY}
    is_tagged = LOAD_COLUMN in existing and LOAD_COLUMN not in columns.names
    if is_tagged:
        existing = {name: column for name, column in existing.items() if name != LOAD_COLUMN}
    fitted, actions = additions(
        columns, existing, engine.dialect, shown=str(load.target), named=engine.named, allowed=load.allowed
    )
    if load.tag and load.allowed and not is_tagged:
        kind = engine.dialect.type_of(TEXT)
        actions = (*actions, f"{engine.dialect.add} {engine.dialect.quote(LOAD_COLUMN)} {kind}")
        is_tagged = True
    return True, is_tagged and bool(load.tag), fitted, actions


def _no_history(load: Load) -> UsageError:
    return UsageError(
        f"{load.target} has no columns {' and '.join(VALIDITY)}, so it keeps no history; deliver to a new table."
    )


def _nothing(engine: Engine, load: Load) -> Delivered:
    """Note a load to which not even a batch without rows came; it must not empty a table."""
    if load.mode in ("replace", "history"):
        raise no_batch(load)
    with engine.moving():
        if done := find_load(engine, load):
            return changed(done, was_done=True)
        prepare_ledger(engine)
        note_load(engine, load, Delivered())
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
            done = find_load(engine, load)
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
