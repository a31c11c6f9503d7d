"""The columns of any database that SQLAlchemy knows: from our kinds, and back from what a table has."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import mysql

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver._dialect import ANY_DECIMAL, Dialect, TableColumn
from sightline.flow.deliver._kinds import BINARY, BOOLEAN, DATE, FLOAT, INSTANT, TEXT, TIME, TIMESTAMP, Kind, decimal
from sightline.flow.deliver._load import Delivered, DeliveryMode
from sightline.flow.deliver._moves import SHOWN, numbered_rows
from sightline.flow.deliver._schema import VALIDITY
from sightline.flow.deliver._sqlite import SQLITE, sqlite_values

__all__ = [
    "MOVES",
    "TEMPORARY",
    "CoreMove",
    "check_staged_keys",
    "column_type",
    "column_values",
    "compared",
    "dialect_of",
    "instant_value",
    "name_of",
    "table_columns",
]

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
_KEY_TEXT = 255  # characters; the index of a key cannot hold texts without a limit in MySQL, Oracle and SQL Server


class _Declared(sa.types.UserDefinedType):  # type: ignore[misc]
    """A type of SQLite as its own engine here declares it; values are written as they are."""

    cache_ok = True

    def __init__(self, declared: str) -> None:
        self.declared = declared

    def get_col_spec(self, **_: object) -> str:
        """The name in CREATE TABLE."""
        return self.declared


def name_of(text: str) -> Any:
    """A name that is always quoted: no list of reserved words is complete."""
    return sa.sql.quoted_name(text, quote=True)


def column_type(kind: Kind, database: str, *, in_key: bool = False) -> Any:
    """The type of a column that is made in a database."""
    if database == "sqlite":
        return _Declared(SQLITE.type_of(kind))
    if kind.family == "decimal":
        return sa.Numeric(kind.size, kind.scale)
    if kind == TEXT and in_key and database != "postgresql":
        return sa.String(_KEY_TEXT)
    return _TYPES[f"{kind.family}{kind.size or ''}"]


def column_values(column: Any, kind: Kind, database: str, *, in_key: bool = False) -> list[Any]:
    """A column as a database takes it; MySQL has no zones, so an instant is written in UTC."""
    if database == "sqlite":
        return sqlite_values(column, in_key=in_key)
    values: list[Any] = column.to_pylist()
    if kind == INSTANT and database in _MYSQL:
        return [None if value is None else value.astimezone(UTC).replace(tzinfo=None) for value in values]
    return values


def compared(column: Any, type: Any) -> Any:
    """A column of a type as it is compared: of decimals that are texts, what they mean."""
    if isinstance(type, _Declared) and type.declared == SQLITE.types["decimal"]:
        short = sa.func.rtrim(sa.func.rtrim(column, "0"), ".")
        return sa.case((sa.func.instr(column, ".") > 0, short), else_=column)
    return column


def instant_value(at: str, database: str) -> Any:
    """An instant as a database takes it."""
    if database == "sqlite":
        return at
    value = datetime.fromisoformat(at)
    return value.replace(tzinfo=None) if database in _MYSQL else value


def dialect_of(engine: Any) -> Dialect:
    """What the rest of delivery needs to know of a database."""
    database = engine.dialect.name
    if database == "sqlite":
        return SQLITE
    types = {family: engine.dialect.type_compiler_instance.process(type) for family, type in _TYPES.items()}
    return Dialect(
        types={**types, "decimal": "NUMERIC({size},{scale})"},
        retypes=database == "postgresql",
        most_digits=76 if database == "postgresql" else 38,
        longest_name=engine.dialect.max_identifier_length,
        holds_nan=database == "postgresql",
        holds_nul=False,
    )


def table_columns(connection: Any, table: str, schema: str | None) -> dict[str, TableColumn]:
    """The columns of a table; none if there is no such table."""
    if connection.dialect.name == "sqlite":
        query = sa.text("SELECT name, type, dflt_value IS NOT NULL FROM pragma_table_info(:name)")
        found = connection.execute(query, {"name": table}).fetchall()
        return {name: TableColumn(SQLITE.kind_of(type), type, bool(filled)) for name, type, filled in found}
    inspector = sa.inspect(connection)
    if not inspector.has_table(table, schema):
        return {}
    return {str(one["name"]): _column(one, connection.dialect.name) for one in inspector.get_columns(table, schema)}


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


# The four ways in which staged rows reach a table, and the checks of keys, as expressions of SQLAlchemy.

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
