"""Delivery to any database that SQLAlchemy knows, by whichever driver its address names."""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace as changed
from datetime import UTC, datetime
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.dialects import mysql
from sqlalchemy.pool import NullPool
from sqlalchemy.schema import CreateIndex, CreateTable

from sightline.errors import OutputError, UsageError
from sightline.flow._duckdb import quoted
from sightline.flow.deliver._dialect import ANY_DECIMAL, POSTGRES, SQLITE, Dialect, TableColumn
from sightline.flow.deliver._engine import AnswerLost, Engine, name_of
from sightline.flow.deliver._kinds import BINARY, BOOLEAN, DATE, FLOAT, INSTANT, TEXT, TIME, TIMESTAMP, Kind, decimal
from sightline.flow.deliver._ledger import prepare_ledger
from sightline.flow.deliver._schema import VALIDITY, LoadColumns
from sightline.flow.deliver._sqlite import sqlite_columns, sqlite_values
from sightline.flow.deliver._target import DeliveryTarget

LOCKS = "_sightline_locks"
"""Has a row for each table, which a load locks while it moves rows; all databases can do that."""

ADVISORY = True
"""Whether PostgreSQL's own locks are used, as its own engine here does; without, the row of `LOCKS` is."""

SENT_ROWS = 1_000  # at a time; SQLAlchemy puts them into as few statements as the database takes
TEMPORARY = ("mariadb", "mysql", "postgresql", "sqlite")
"""Databases whose temporary tables are made alike, and end with the connection."""

_MYSQL = ("mysql", "mariadb")
# MySQL keeps neither fractions of a second nor more than 64 kB of text unless it is asked to.
_TYPES: dict[str, Any] = {
    "boolean": sa.Boolean(),
    "integer16": sa.SmallInteger(),
    "integer32": sa.Integer(),
    "integer64": sa.BigInteger(),
    "float32": sa.REAL(),
    "float64": sa.Double(),
    "text": sa.Text().with_variant(mysql.LONGTEXT(), *_MYSQL),
    "binary": sa.LargeBinary().with_variant(mysql.LONGBLOB(), *_MYSQL),
    "date": sa.Date(),
    "time": sa.Time().with_variant(mysql.TIME(fsp=6), *_MYSQL),
    "timestamp": sa.DateTime().with_variant(mysql.DATETIME(fsp=6), *_MYSQL),
    "instant": sa.DateTime(timezone=True).with_variant(mysql.DATETIME(fsp=6), *_MYSQL),
}
# Have an engine of their own here, whose types and tables are kept to.
_OWN = {"postgresql": POSTGRES, "sqlite": SQLITE}
_KEY_TEXT = 255  # characters; the index of a key cannot hold texts without a limit in MySQL, Oracle and SQL Server

NUMBER = "n"
"""The column of the staging table that numbers the rows of the load."""


class AnyEngine(Engine):
    """One load over one connection, to which the staging table belongs."""

    sorts = True
    reaches_back = False  # keys of its histories are unique by where a row begins, and MySQL updates no table it reads

    def __init__(self, target: DeliveryTarget) -> None:
        super().__init__(target)
        self._engine = _engine(target)
        self.core = self._engine.dialect
        self._database = self.core.name
        self.dialect = _dialect(self.core)
        self.schema = name_of(target.schema) if target.schema else None
        names = [name for name in (target.schema, target.table) if name]
        self.altered = self.named = ".".join(_quoted(self.core, name) for name in names)
        self._is_temporary = self._database in TEMPORARY
        self.stage_place = ("_sightline_stage", None)
        if not self._is_temporary:
            self.stage_place = (f"_sightline_stage_{secrets.token_hex(6)}", self.schema)
        self._staged = 0
        with self._explained():
            self._connection = self._engine.connect()

    @contextmanager
    def looking(self) -> Iterator[None]:
        """The connection is open all the time; what was read must not be old later."""
        try:
            yield
        finally:
            self._roll_back()

    @contextmanager
    def moving(self) -> Iterator[None]:
        """While no other load of this table has the lock; it ends with the transaction."""
        with self._explained():
            self._make_tables()
        self._connection.info["moving"] = True
        try:
            with self._explained():
                self._lock()
            yield
            with self._explained():
                self._commit()
        except BaseException:
            self._roll_back()
            raise
        finally:
            self._connection.info["moving"] = False

    def columns(self, table: str) -> dict[str, TableColumn]:
        """The columns of a table in the schema of the target."""
        if self._database == "sqlite":
            query = sa.text("SELECT * FROM pragma_table_info(:name)").bindparams(name=table)
            return sqlite_columns(self.rows(query))
        with self._explained():
            inspector = sa.inspect(self._connection)
            if not inspector.has_table(table, self.schema):
                return {}
            found = inspector.get_columns(table, self.schema)
        return {str(one["name"]): _column(one, self._database) for one in found}

    def type_of(self, kind: Kind, *, in_key: bool = False) -> Any:
        """The type of a column that is made; SQLite and PostgreSQL have names for theirs here."""
        if self._database in _OWN:
            return super().type_of(kind)
        if kind.family == "decimal":
            return sa.Numeric(kind.size, kind.scale)
        return sa.String(_KEY_TEXT) if kind == TEXT and in_key else _TYPES[f"{kind.family}{kind.size or ''}"]

    def create_stage(self, columns: LoadColumns, *, becomes_target: bool) -> None:  # noqa: ARG002 - it never does
        """Make the staging table, whose rows are numbered: not every database has an order for them."""
        number = sa.Column(NUMBER, sa.BigInteger(), primary_key=True, autoincrement=False)
        self._columns = columns
        self.stage = self.staging_table(columns, number, prefixes=["TEMPORARY"] if self._is_temporary else [])
        self.order = self.stage.c[NUMBER]
        self.run(CreateTable(self.stage))
        self._end()

    def fill_stage(self, batch: Any) -> None:
        """Add a batch."""
        for first in range(0, batch.num_rows, SENT_ROWS):
            part = batch.slice(first, SENT_ROWS)
            values = self._values(part)
            with self._explained():
                self._connection.execute(sa.insert(self.stage), values)
            self._staged += part.num_rows
        self._end()

    def _values(self, batch: Any) -> list[dict[str, Any]]:
        lists = [self._column_values(place, column) for place, column in enumerate(batch.columns)]
        names = [f"c{place}" for place in range(len(lists))]
        return [
            {NUMBER: number, **dict(zip(names, row, strict=True))}
            for number, row in enumerate(zip(*lists, strict=True), self._staged + 1)
        ]

    def _column_values(self, place: int, column: Any) -> list[Any]:
        """A column as the database takes it; MySQL has no zones, so an instant is written in UTC."""
        if self._database == "sqlite":
            return sqlite_values(column, in_key=place in self._columns.key)
        values: list[Any] = column.to_pylist()
        if self._columns.kinds[place] == INSTANT and self._database in _MYSQL:
            return [None if value is None else value.astimezone(UTC).replace(tzinfo=None) for value in values]
        return values

    def finish_stage(self, key: Sequence[int]) -> None:
        """An index, for databases that compare row by row."""
        self.run(CreateIndex(sa.Index(None, *(self.stage.c[f"c{place}"] for place in key))))
        self._end()

    def create_target(self, table: Any, key: Sequence[str]) -> None:
        """Make the target and the index of its key: where tables are made beside transactions, no row may be in it."""
        super().create_target(table, key)
        if key:
            # In a history, the closed rows of a key differ by when they began.
            names = [*key, *(name for name in VALIDITY[:1] if name in table.c)]
            index = sa.Index(f"{self._table} key"[:60], *(table.c[name] for name in names), unique=True)
            self.run(CreateIndex(index))

    def run(self, statement: Any, *values: object) -> int:  # noqa: ARG002 - statements have their own
        """Run a statement; the number of rows that it changed."""
        with self._explained():
            if isinstance(statement, str):
                done = self._connection.exec_driver_sql(
                    statement.replace("%", "%%") if _marks_by_percent(self.core) else statement
                )
            else:
                done = self._connection.execute(statement, execution_options={"preserve_rowcount": True})
            return max(0, int(done.rowcount))

    def rows(self, statement: Any, *values: object) -> list[tuple[Any, ...]]:  # noqa: ARG002 - statements have their own
        """The rows that a statement gives."""
        with self._explained():
            return [tuple(row) for row in self._connection.execute(statement)]

    def close(self) -> None:
        """Let go of the database, and of the staging table."""
        with suppress(exc.SQLAlchemyError):
            self._connection.rollback()
            if hasattr(self, "stage"):
                self.stage.drop(self._connection)
                self._connection.commit()
        with suppress(exc.SQLAlchemyError):
            self._connection.close()
        self._engine.dispose()

    def _end(self) -> None:
        with self._explained():
            self._connection.commit()

    def _roll_back(self) -> None:
        with suppress(exc.SQLAlchemyError):
            self._connection.rollback()

    def _commit(self) -> None:
        try:
            self._connection.commit()
        except exc.DBAPIError as problem:
            if problem.connection_invalidated:
                raise AnswerLost(_said(problem)) from problem
            raise

    def _lock(self) -> None:
        """Wait for other loads of the table; the lock ends with the transaction."""
        if self._database == "postgresql" and ADVISORY:
            schema = self.schema or self._connection.execute(sa.text("SELECT current_schema()")).scalar()
            query = sa.text("SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(:name, 0))")
            self._connection.execute(query, {"name": f"sightline {quoted(schema, self._table)}"})
        elif self._database != "sqlite":  # whose transactions lock the file
            locks = self._locks
            ours = locks.c.table_name == self._table
            self._connection.execute(sa.update(locks).values(table_name=self._table).where(ours))

    @property
    def _locks(self) -> Any:
        name = sa.Column("table_name", sa.String(_KEY_TEXT), primary_key=True)
        return sa.Table(LOCKS, sa.MetaData(), name, schema=self.schema)

    def _make_tables(self) -> None:
        """Make the tables beside the target; another load may do so in the same instant."""
        has_locks = self._database not in _OWN or not ADVISORY
        for table in [self.loads, *([self._locks] if has_locks else [])]:
            with suppress(exc.ProgrammingError, exc.OperationalError, exc.IntegrityError):
                table.create(self._connection, checkfirst=True)
                self._connection.commit()
            self._connection.rollback()
        if prepare_ledger(self):  # beside the transaction, which some databases end when a table changes
            self._end()
        self._roll_back()
        if has_locks:
            with suppress(exc.IntegrityError):
                self._connection.execute(sa.insert(self._locks).values(table_name=self._table))
                self._connection.commit()
            self._connection.rollback()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except exc.SQLAlchemyError as problem:
            said = _said(problem)
            if isinstance(problem, exc.OperationalError | exc.InterfaceError):
                reason = f"the database is down, busy, or ended the connection ({said}); run the load again then"
            else:
                reason = f"the database could not take the rows ({said}); nothing was changed"
            raise OutputError(f"{self._shown}: {reason}, so the load can be run again.") from problem


def _dialect(core: Any) -> Dialect:
    """What the rest of delivery needs to know of a database; keys are checked before their index is made."""
    if core.name in _OWN:
        return changed(_OWN[core.name], unique=False)
    types = {family: core.type_compiler_instance.process(type) for family, type in _TYPES.items()}
    return Dialect(
        types={**types, "decimal": "NUMERIC({size},{scale})"},
        quote=partial(_quoted, core),
        instant=_without_zone if core.name in _MYSQL else datetime.fromisoformat,
        add="ADD",
        retypes=False,
        longest_name=core.max_identifier_length,
        unique=False,
        holds_nan=False,
        holds_nul=False,
    )


def _quoted(core: Any, name: str) -> str:
    """A name as the database writes it; SQLAlchemy doubles % for drivers that would take it for a mark."""
    quoted: str = core.identifier_preparer.quote_identifier(name)
    return quoted.replace("%%", "%") if _marks_by_percent(core) else quoted


def _marks_by_percent(core: Any) -> bool:
    return core.paramstyle in ("format", "pyformat")


def _without_zone(at: str) -> datetime:
    return datetime.fromisoformat(at).replace(tzinfo=None)


def _column(one: Any, database: str) -> TableColumn:
    kind = _kind(one["type"])
    if kind == TIMESTAMP and database in _MYSQL:
        kind = None if getattr(one["type"], "fsp", None) != 6 else kind  # it would cut off microseconds
    return TableColumn(kind, str(one["type"]), bool(one.get("default") or one.get("identity")))


def _kind(type: Any) -> Kind | None:
    if isinstance(type, sa.Integer):
        return Kind(
            "integer", 16 if isinstance(type, sa.SmallInteger) else 64 if isinstance(type, sa.BigInteger) else 32
        )
    if isinstance(type, sa.Float):  # which is a Numeric, too
        return Kind("float", 32) if isinstance(type, sa.REAL) else FLOAT
    if isinstance(type, sa.Numeric):
        return decimal(type.precision, type.scale or 0) if type.precision else ANY_DECIMAL
    if isinstance(type, sa.DateTime):
        return INSTANT if type.timezone else TIMESTAMP
    return next((kind for test, kind in _PLAIN if isinstance(type, test)), None)


_PLAIN: tuple[tuple[Any, Kind], ...] = (
    (sa.Boolean, BOOLEAN),
    (sa.String, TEXT),
    (sa.LargeBinary, BINARY),
    (sa.types.BINARY, BINARY),
    (sa.Date, DATE),
    (sa.Time, TIME),
)


def _engine(target: DeliveryTarget) -> Any:
    try:
        engine = sa.create_engine(target.place, poolclass=NullPool, hide_parameters=True)
    except exc.NoSuchModuleError as problem:
        raise UsageError(
            f"{target}: SQLAlchemy knows no such dialect; install the package that brings it."
        ) from problem
    except (exc.ArgumentError, ValueError) as problem:
        raise UsageError(f"{target} isn't a SQLAlchemy address; write it as `DIALECT://user@host/db`.") from problem
    except ImportError as problem:
        raise UsageError(f"{target}: the driver {problem.name!r} is not installed; install it with pip.") from problem
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


def _said(problem: Exception) -> str:
    """The first line of what the driver says, which has no values in it."""
    text = str(getattr(problem, "orig", None) or problem)
    return (text.splitlines() or [type(problem).__name__])[0].rstrip(".")[:300]
