"""Delivery to any database that SQLAlchemy knows: staged, then moved and noted in one transaction."""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace as changed
from itertools import chain
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.pool import NullPool

from sightline.errors import OutputError, UsageError
from sightline.flow._duckdb import quoted
from sightline.flow.deliver._arrays import in_pieces, prepared
from sightline.flow.deliver._core_types import (
    MOVES,
    NUMBER,
    TEMPORARY,
    CoreMove,
    check_staged_keys,
    column_type,
    column_values,
    dialect_of,
    instant_value,
    name_of,
    table_columns,
)
from sightline.flow.deliver._dialect import AnswerLost
from sightline.flow.deliver._kinds import INSTANT
from sightline.flow.deliver._load import LOADS, LOADS_COLUMNS, Delivered, Load, instant, no_batch
from sightline.flow.deliver._schema import VALIDITY, LoadColumns, additions, alteration, load_columns

__all__ = ["deliver_load"]

LOCKS = "_sightline_locks"
"""Has a row for each table, which a load locks while it moves rows; all databases can do that."""

ADVISORY = True
"""Whether PostgreSQL's own locks are used, as its own engine here does; without, the row of `LOCKS` is."""

_ALIKE = ("postgresql", "sqlite")  # have an engine of their own here, whose statements and tables are kept to
SENT_ROWS = 1_000  # at a time; SQLAlchemy puts them into as few statements as the database takes


def deliver_load(load: Load, batches: Iterable[Any]) -> Delivered:
    """Deliver to a table, unless the table of loads says that it is done."""
    engine = _engine(load)
    try:
        with _explained(load), engine.connect() as connection:
            return _Database(connection, load).deliver(batches)
    except AnswerLost as problem:
        lost = problem
    finally:
        engine.dispose()
    return _settled(load, lost)


class _Database:
    """One load over one connection, to which the staging table belongs."""

    def __init__(self, connection: Any, load: Load) -> None:
        self._connection, self._load = connection, load
        self._name = connection.dialect.name
        self._dialect = dialect_of(connection.engine)
        self._schema = name_of(load.target.schema) if load.target.schema else None
        self._shown = str(load.target)
        tables = sa.MetaData(schema=self._schema)
        texts = [
            sa.Column(name, sa.String(255), primary_key=place < 2, nullable=False)
            for place, name in enumerate(LOADS_COLUMNS[:3])
        ]
        counts = [sa.Column(name, sa.BigInteger(), nullable=False) for name in LOADS_COLUMNS[3:]]
        when = sa.Column("delivered_at", column_type(INSTANT, self._name), nullable=False)
        self._loads = sa.Table(LOADS, tables, *texts, *counts, when)
        self._locks = sa.Table(LOCKS, tables, sa.Column("table_name", sa.String(255), primary_key=True))

    def deliver(self, batches: Iterable[Any]) -> Delivered:
        """Stage all batches, then move them."""
        if done := self.done():
            return done
        load, pieces = self._load, in_pieces(batches)
        first = next(pieces, None)
        if first is None:
            if load.mode in ("replace", "history"):
                raise no_batch(load)
            with self.moving():
                return self._find() or self._note(Delivered())
        reserved = VALIDITY if load.mode == "history" else ()
        columns = load_columns(first.schema, load.key, self._dialect, reserved=reserved)
        self._fitted(columns)  # now, since the rows may take hours to come
        self._connection.rollback()
        stage, rows = self._stage(columns, chain([first], pieces))
        try:
            return self._moved(stage, columns, rows)
        finally:
            with suppress(exc.SQLAlchemyError):
                self._connection.rollback()
                stage.drop(self._connection)
                self._connection.commit()

    def done(self) -> Delivered | None:
        """What the load did, if it is done."""
        found = self._find()
        self._connection.rollback()
        return found

    def _stage(self, columns: LoadColumns, pieces: Iterable[Any]) -> tuple[Any, int]:
        """Write all rows to a staging table."""
        is_temporary = self._name in TEMPORARY
        stage = sa.Table(
            "_sightline_stage" if is_temporary else f"_sightline_stage_{secrets.token_hex(6)}",
            sa.MetaData(schema=None if is_temporary else self._schema),
            sa.Column(NUMBER, sa.BigInteger(), primary_key=True, autoincrement=False),
            *(
                sa.Column(f"c{place}", column_type(kind, self._name, in_key=place in columns.key))
                for place, kind in enumerate(columns.kinds)
            ),
            prefixes=["TEMPORARY"] if is_temporary else [],
        )
        if columns.key:
            sa.Index(None, *(stage.c[f"c{place}"] for place in columns.key), _table=stage)
        stage.create(self._connection)
        self._connection.commit()
        rows = 0
        for piece in pieces:
            batch = prepared(piece, columns.names, columns.kinds, self._dialect)
            for first in range(0, batch.num_rows, SENT_ROWS):
                part = batch.slice(first, SENT_ROWS)
                self._connection.execute(sa.insert(stage), self._values(part, columns, rows))
                rows += part.num_rows
            self._connection.commit()
        return stage, rows

    def _values(self, batch: Any, columns: LoadColumns, before: int) -> list[dict[str, Any]]:
        pairs = enumerate(zip(batch.columns, columns.kinds, strict=True))
        lists = [
            column_values(column, kind, self._name, in_key=place in columns.key) for place, (column, kind) in pairs
        ]
        names = [f"c{place}" for place in range(len(lists))]
        return [
            {NUMBER: number, **dict(zip(names, row, strict=True))}
            for number, row in enumerate(zip(*lists, strict=True), before + 1)
        ]

    def _moved(self, stage: Any, columns: LoadColumns, rows: int) -> Delivered:
        """Move what is staged into the target and note the load, unless another process has done so by now."""
        load = self._load
        with self.moving():
            if done := self._find():
                return done
            exists, named, actions = self._fitted(columns)
            target = self._target(named)
            if not exists:
                target.create(self._connection)
            self._change(named, actions)
            at = instant_value(load.at, self._name)
            move = CoreMove(
                self._connection, target, stage, named.names, named.key, rows, self._shown, at, load.complete
            )
            if load.is_keyed:
                check_staged_keys(move)
            delivered = MOVES[load.mode](move)
            self._note(delivered)
        return changed(delivered, schema_changes=tuple(alteration(self._quoted(), action) for action in actions))

    def _fitted(self, columns: LoadColumns) -> tuple[bool, LoadColumns, tuple[str, ...]]:
        """Whether the target exists, the columns under its names for them, and what has to be added to it."""
        load = self._load
        existing = table_columns(self._connection, load.target.table, self._schema)
        self._existing = set(existing)
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
            columns, existing, self._dialect, shown=self._shown, named=self._quoted(), allowed=load.allowed
        )

    def _target(self, columns: LoadColumns) -> Any:
        load = self._load
        parts = [
            sa.Column(name_of(name), column_type(kind, self._name, in_key=place in columns.key))
            for place, (name, kind) in enumerate(zip(columns.names, columns.kinds, strict=True))
        ]
        if load.mode == "history":
            when = column_type(INSTANT, self._name)
            parts += [sa.Column(VALIDITY[0], when, nullable=False), sa.Column(VALIDITY[1], when)]
        table = sa.Table(name_of(load.target.table), sa.MetaData(schema=self._schema), *parts)
        if load.is_keyed:
            # In a history, the closed rows of a key are told apart by when they began.
            names = [*(columns.names[place] for place in columns.key), *VALIDITY[: load.mode == "history"]]
            sa.Index(f"{load.target.table} key"[:60], *(table.c[name] for name in names), unique=True)
        return table

    def _change(self, columns: LoadColumns, actions: Sequence[str]) -> None:
        """Do what has to be done to the table; where types cannot change, that is to add columns."""
        prepare = self._connection.dialect.identifier_preparer
        if self._name not in _ALIKE:
            process = self._connection.dialect.type_compiler_instance.process
            pairs = zip(columns.names, columns.kinds, strict=True)
            actions = [
                f"ADD {prepare.quote_identifier(name)} {process(column_type(kind, self._name))}"
                for name, kind in pairs
                if actions and name not in self._existing
            ]
        for action in actions:
            self._connection.exec_driver_sql(alteration(self._quoted(), action).replace("%", "%%"))

    def _quoted(self) -> str:
        prepare = self._connection.dialect.identifier_preparer
        names = (self._schema, self._load.target.table) if self._schema else (self._load.target.table,)
        return ".".join(prepare.quote_identifier(name) for name in names)

    @contextmanager
    def moving(self) -> Iterator[None]:
        """While no other load moves rows into the target: one transaction, committed at the end."""
        self._make_tables()
        self._connection.info["moving"] = True
        try:
            self._lock()
            yield
            self._commit()
        except BaseException:
            with suppress(exc.SQLAlchemyError):
                self._connection.rollback()
            raise
        finally:
            self._connection.info["moving"] = False

    def _lock(self) -> None:
        """Wait for other loads of the table; the lock ends with the transaction."""
        table = self._load.target.table
        if self._name == "postgresql" and ADVISORY:
            schema = self._schema or self._connection.execute(sa.text("SELECT current_schema()")).scalar()
            query = sa.text("SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(:name, 0))")
            self._connection.execute(query, {"name": f"sightline {quoted(schema, table)}"})
        elif self._name != "sqlite":  # whose transactions lock the file
            ours = self._locks.c.table_name == table
            self._connection.execute(sa.update(self._locks).values(table_name=table).where(ours))

    def _make_tables(self) -> None:
        """Make the tables beside the target; another load may do so in the same instant."""
        has_locks = self._name not in _ALIKE or not ADVISORY
        tables = [self._loads, *([self._locks] if has_locks else [])]
        for table in tables:
            with suppress(exc.ProgrammingError, exc.OperationalError, exc.IntegrityError):
                table.create(self._connection, checkfirst=True)
                self._connection.commit()
            self._connection.rollback()
        if has_locks:
            with suppress(exc.IntegrityError):
                self._connection.execute(sa.insert(self._locks).values(table_name=self._load.target.table))
                self._connection.commit()
            self._connection.rollback()

    def _commit(self) -> None:
        try:
            self._connection.commit()
        except exc.DBAPIError as problem:
            if problem.connection_invalidated:
                raise AnswerLost(_said(problem)) from problem
            raise

    def _find(self) -> Delivered | None:
        if not sa.inspect(self._connection).has_table(LOADS, self._schema):
            return None
        counts = [self._loads.c[name] for name in LOADS_COLUMNS[3:]]
        ours = (self._loads.c.load_id == self._load.id, self._loads.c.table_name == self._load.target.table)
        found = self._connection.execute(sa.select(*counts).where(*ours)).first()
        if found is None:
            return None
        rows, inserted, updated, unchanged, closed = map(int, found)
        return Delivered(rows, inserted, updated, unchanged, closed, was_done=True)

    def _note(self, delivered: Delivered) -> Delivered:
        load = self._load
        counts = (delivered.rows, delivered.inserted, delivered.updated, delivered.unchanged, delivered.closed)
        values = (load.id, load.target.table, load.mode, *counts, instant_value(instant(None), self._name))
        names = (*LOADS_COLUMNS, "delivered_at")
        self._connection.execute(sa.insert(self._loads).values(dict(zip(names, values, strict=True))))
        return delivered


def _engine(load: Load) -> Any:
    try:
        engine = sa.create_engine(load.target.place, poolclass=NullPool, hide_parameters=True)
    except exc.NoSuchModuleError as problem:
        raise UsageError(
            f"{load.target}: SQLAlchemy knows no such dialect; install the package that brings it."
        ) from problem
    except (exc.ArgumentError, ValueError) as problem:
        raise UsageError(
            f"{load.target} isn't a SQLAlchemy address; write it as `DIALECT://user@host/db`."
        ) from problem
    except ImportError as problem:
        raise UsageError(
            f"{load.target}: the driver {problem.name!r} is not installed; install it with pip."
        ) from problem
    if engine.dialect.name == "sqlite":
        _begin_by_ourselves(engine)
    return engine


def _begin_by_ourselves(engine: Any) -> None:
    """Let SQLite's transactions begin where ours do; its driver would begin them late, and commit tables at once."""

    def connect(connection: Any, _: object) -> None:
        connection.isolation_level = None

    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.info.get("moving") else "BEGIN")

    sa.event.listen(engine, "connect", connect)
    sa.event.listen(engine, "begin", begin)


def _settled(load: Load, lost: AnswerLost) -> Delivered:
    """Ask the database what became of a commit whose answer was lost; the lock waits for its transaction to end."""
    engine = _engine(load)
    try:
        with _explained(load), engine.connect() as connection:
            database = _Database(connection, load)
            with database.moving():
                done = database._find()
    finally:
        engine.dispose()
    if done is None:
        raise OutputError(
            f"{load.target}: the connection was lost during the commit ({lost}); nothing was changed, "
            "so run the load again."
        ) from lost
    return changed(done, was_done=False)


@contextmanager
def _explained(load: Load) -> Iterator[None]:
    try:
        yield
    except exc.SQLAlchemyError as problem:
        if isinstance(problem, exc.OperationalError | exc.InterfaceError):
            reason = f"the database is down, busy, or ended the connection ({_said(problem)}); run the load again then"
        else:
            reason = f"the database could not take the rows ({_said(problem)}); nothing was changed"
        raise OutputError(f"{load.target}: {reason}, so the load can be run again.") from problem


def _said(problem: Exception) -> str:
    """The first line of what the driver says, which has no values in it."""
    text = str(getattr(problem, "orig", None) or problem)
    return (text.splitlines() or [type(problem).__name__])[0].rstrip(".")[:300]
