"""Compares the columns of a load with those of the target, and proposes what would have to change."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from dataclasses import replace as changed
from difflib import get_close_matches
from typing import Any

import pyarrow as pa
import sqlalchemy as sa
from sqlalchemy.schema import CreateTable

from sightline.errors import SchemaChanged, UsageError
from sightline.flow._duckdb import quoted
from sightline.flow.deliver._kinds import (
    ARROW_REFUSES,
    INSTANT,
    INTEGER,
    TEXT,
    Dialect,
    Kind,
    TableColumn,
    fits,
    kind_of,
    unfit,
    wider,
)
from sightline.flow.deliver._target import LOADS, LOADS_COLUMNS, DeliveryTarget

VALIDITY = ("valid_from", "valid_to")
"""The columns that history adds: a row was so from the first instant on, and until before the second."""


@dataclass(frozen=True)
class LoadColumns:
    """What a load brings; `key` are the places of its key."""

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    key: tuple[int, ...]


def load_columns(schema: Any, key: Sequence[str], dialect: Dialect, *, reserved: Sequence[str] = ()) -> LoadColumns:
    """The columns of an Arrow schema; an error names those that no table could have."""
    names = tuple(schema.names)
    _check_names(names, dialect, reserved)
    kinds = []
    for field in schema:
        kind = kind_of(field.type)
        if kind is None or (kind.family == "decimal" and kind.size > dialect.most_digits):
            raise UsageError(
                f"The column {field.name!r} is of the type {field.type}, which the target cannot hold without loss; "
                "convert it first."
            )
        kinds.append(kind)
    for name in key:
        if name not in names:
            near = get_close_matches(name, names, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"the load has {', '.join(map(repr, names))}."
            raise UsageError(f"The key {name!r} isn't a column of the load; {hint}")
    return LoadColumns(names, tuple(kinds), tuple(names.index(name) for name in key))


def _check_names(names: Sequence[str], dialect: Dialect, reserved: Sequence[str]) -> None:
    if not names:
        raise UsageError("The load has no columns; give batches with at least one.")
    for name in names:
        if not name.strip() or "\0" in name:
            raise UsageError(f"The column {name!r} has a name that no table can have; rename it first.")
        if len(name.encode()) > dialect.longest_name:
            raise UsageError(
                f"The column {name!r:.100} has a name of more than {dialect.longest_name} bytes, which the target "
                "would cut off; rename it first."
            )
        if name.lower() in reserved:
            raise UsageError(f"The column {name!r} is one that history adds itself; rename it first.")
    doubled = [name for name, count in Counter(name.lower() for name in names).items() if count > 1]
    if doubled:
        shown = ", ".join(repr(name) for name in names if name.lower() in doubled)
        raise UsageError(f"The load has columns of the same name ({shown}); rename or drop one of them first.")


@dataclass(frozen=True)
class _Change:
    """One way in which the target differs; it is `safe` if no value or column would be lost by the action."""

    problem: str
    action: str
    safe: bool


def additions(
    columns: LoadColumns,
    existing: Mapping[str, TableColumn],
    dialect: Dialect,
    *,
    shown: str,
    named: str,
    allowed: bool,
) -> tuple[LoadColumns, tuple[str, ...]]:
    """The columns under the names that they have in the table, and what has to be done to it: `ADD COLUMN …`.

    Whatever is not allowed, or would lose something, raises SchemaChanged with the statements; `named` is what they
    call the table.
    """
    spelled = {name.lower(): name for name in existing}
    names = tuple(name if name in existing else spelled.get(name.lower(), name) for name in columns.names)
    changes = [
        change
        for name, kind in zip(names, columns.kinds, strict=True)
        if (change := _change(name, kind, existing.get(name), dialect))
    ]
    changes += [
        _Change(f"has the column {name!r}, which the load lacks", f"DROP COLUMN {dialect.quote(name)}", safe=False)
        for name, column in existing.items()
        if name not in names and not column.filled
    ]
    if changes and not (allowed and all(change.safe for change in changes)):
        statements = tuple(alteration(named, change.action) for change in changes if change.action)
        raise SchemaChanged(shown, f"{shown} {_sentence(changes, named)}.", statements)
    return changed(columns, names=names), tuple(change.action for change in changes)


def alteration(table: str, action: str) -> str:
    """The statement that does something to a table."""
    return f"ALTER TABLE {table} {action}"


def _change(name: str, kind: Kind, column: TableColumn | None, dialect: Dialect) -> _Change | None:
    type = dialect.type_of(kind)
    if column is None:
        return _Change(f"lacks the column {name!r}", f"{dialect.add} {dialect.quote(name)} {type}", safe=True)
    if column.kind and fits(kind, column.kind):
        return None
    problem = f"has {column.type} for {name!r}, which does not hold the load's {type}"
    if not dialect.retypes:
        return _Change(f"{problem} and cannot get another type there: use a new table", "", safe=False)
    wide = wider(kind, column.kind, dialect.most_digits) if column.kind else None
    action = f"ALTER COLUMN {dialect.quote(name)} TYPE {dialect.type_of(wide or kind)}"
    return _Change(problem, action, safe=wide is not None)


def _sentence(changes: Sequence[_Change], named: str) -> str:
    """All that differs, and what to do: allow what loses nothing, or see to the rest by hand."""
    problems = "; it ".join(change.problem for change in changes)
    if all(change.safe for change in changes):
        statements = "; ".join(alteration(named, change.action) for change in changes)
        return f"{problems}; allow schema changes, or run: {statements}"
    unsafe = "; ".join(alteration(named, change.action) for change in changes if change.action and not change.safe)
    choice = f", or decide yourself about what is never done for you: {unsafe}" if unsafe else ""
    return f"{problems}; change the load to fit{choice}"


# Compares the columns of a load with those of a folder, by their Arrow types; proposes what would have to change.


def fitted_schema(new: Any, old: Any, shown: str, *, allowed: bool) -> tuple[Any, tuple[str, ...]]:
    """The schema that the rows of a load are cast to, and the columns that it adds.

    Whatever is not allowed, or would lose something, raises SchemaChanged.
    """
    unsafe = [f"has the column {name!r}, which the load lacks" for name in old.names if name not in new.names]
    added, fitted = [], []
    for field in new:
        if field.name not in old.names:
            added.append(field)
            fitted.append(field)
        elif _fits(field.type, old.field(field.name).type):
            fitted.append(old.field(field.name))
        else:
            type = old.field(field.name).type
            unsafe.append(f"has {type} for {field.name!r}, which does not hold the load's {field.type}")
    changes = tuple(f"ADD COLUMN {quoted(field.name)} {field.type}" for field in added)
    if unsafe:
        raise SchemaChanged(
            shown, f"{shown} {'; it '.join(unsafe)}; change the load to fit, or use a new folder.", changes
        )
    if added and not allowed:
        lacks = ", ".join(repr(field.name) for field in added)
        raise SchemaChanged(shown, f"{shown} lacks {lacks}; allow schema changes, or leave that out.", changes)
    return pa.schema(fitted), changes


def _fits(new: Any, old: Any) -> bool:
    if new.equals(old):
        return True
    if pa.types.is_nested(new) or pa.types.is_nested(old):
        return False
    kinds = kind_of(new), kind_of(old)
    return kinds[0] is not None and kinds[1] is not None and fits(kinds[0], kinds[1])


def cast_batch(batch: Any, schema: Any) -> Any:
    """A batch with the types of a schema, column by column; an error names the column whose values do not fit."""
    columns = [_cast(column, field) for column, field in zip(batch.columns, schema, strict=True)]
    return pa.record_batch(columns, schema=schema)


def _cast(column: Any, field: Any) -> Any:
    if column.type.equals(field.type):
        return column
    try:
        return column.cast(field.type)
    except ARROW_REFUSES as problem:
        raise unfit(field.name, problem) from problem


# -- one load into one table of a database --------------------------------------------------------------------------


class AnswerLost(Exception):
    """The connection broke after COMMIT was sent: the load is done, or it is not, and only the database knows."""


class _Named(sa.types.UserDefinedType):  # type: ignore[misc]
    """A type by the name that a database has for it; its values are taken as they are."""

    cache_ok = True

    def __init__(self, name: str) -> None:
        self.name = name

    def get_col_spec(self, **_: object) -> str:
        """The name in CREATE TABLE."""
        return self.name


def name_of(text: str) -> Any:
    """A name that is always quoted: no list of reserved words is complete."""
    return sa.sql.quoted_name(text, quote=True)


def as_written(text: str) -> Any:
    """The place of a table, as SQL writes it."""
    return sa.sql.quoted_name(text, quote=False)


class Engine(ABC):
    """One load into one table; whatever goes wrong in the database is an OutputError."""

    dialect: Dialect
    core: Any
    """The dialect of SQLAlchemy that compiles statements."""

    schema: Any
    """Where the target is while `looking` or `moving`."""

    named: str
    """The target, quoted, as it is called by whoever opens the database alone."""

    altered: str
    """The same while `moving`."""

    stage: Any
    """The staging table, with columns c0, c1, …"""

    stage_place: tuple[str, Any]
    """Its name and where it is."""

    order: Any = sa.literal_column("rowid")
    """What the rows of the staging table are ordered by as they came."""

    sorts = False
    """Whether rows have to be sorted to be inserted as they came; a scan of the others gives them so."""

    keeps_stage = True
    """Whether the staging table outlives a move that failed."""

    def __init__(self, target: DeliveryTarget) -> None:
        self._shown = str(target)
        self._table = target.table

    @abstractmethod
    def looking(self) -> AbstractContextManager[None]:
        """While the target is open to be read."""

    @abstractmethod
    def moving(self) -> AbstractContextManager[None]:
        """While no other load moves rows into the target: one transaction, committed at the end."""

    @abstractmethod
    def columns(self, table: str) -> dict[str, TableColumn]:
        """The columns of a table beside the target, or of itself, by its name; none if there is no such table."""

    @abstractmethod
    def fill_stage(self, batch: Any) -> None:
        """Add a batch whose columns are of the kinds of the staging table."""

    @abstractmethod
    def run(self, statement: Any, *values: object) -> int:
        """Run a statement, of SQLAlchemy or as text; the number of rows that it changed."""

    @abstractmethod
    def rows(self, statement: Any, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a statement gives."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the database, and of the staging table."""

    def create_stage(self, columns: LoadColumns, *, becomes_target: bool) -> None:  # noqa: ARG002 - some engines can
        """Make the staging table; nobody else sees it, and it ends with the connection.

        It probably `becomes_target`, if the engine can do that.
        """
        self.stage = self.staging_table(columns)
        self.run(CreateTable(self.stage))

    def adopt_stage(self, names: Sequence[str], key: Sequence[str]) -> bool:  # noqa: ARG002 - some engines can
        """Make the staging table the target, with these columns and an index on the key; False if that cannot be done.

        If it fails, the staging table is what it was.
        """
        return False

    def finish_stage(self, key: Sequence[int]) -> None:  # noqa: B027 - some have nothing to do
        """Make the staging table ready to be compared by the columns at these places."""

    def create_target(self, table: Any, key: Sequence[str]) -> None:  # noqa: ARG002 - some engines index it at once
        """Make the target."""
        self.run(CreateTable(table))

    def index_key(self, names: Sequence[str], *, open_only: bool) -> None:  # noqa: B027 - some have nothing to do
        """Let a new target have each key once; in a history, once among the rows that are open."""

    # Tables, as SQLAlchemy describes them.

    def type_of(self, kind: Kind, *, in_key: bool = False) -> Any:  # noqa: ARG002 - some bound the texts of a key
        """The type of a column that is made."""
        return _Named(self.dialect.type_of(kind))

    def staging_table(self, columns: LoadColumns, *more: Any, prefixes: Sequence[str] = ()) -> Any:
        """The staging table for a load, with more columns if the engine needs them."""
        name, place = self.stage_place
        parts = [
            sa.Column(f"c{number}", self.type_of(kind, in_key=number in columns.key))
            for number, kind in enumerate(columns.kinds)
        ]
        return sa.Table(name, sa.MetaData(), *more, *parts, schema=place, prefixes=list(prefixes))

    def target_table(self, columns: LoadColumns, *, is_history: bool) -> Any:
        """The target with the columns of a load; others that it has are of no concern."""
        parts = [
            sa.Column(name_of(name), self.type_of(kind, in_key=number in columns.key))
            for number, (name, kind) in enumerate(zip(columns.names, columns.kinds, strict=True))
        ]
        if is_history:
            since, until = VALIDITY
            when = self.type_of(INSTANT)
            parts += [sa.Column(since, when, nullable=False), sa.Column(until, when)]
        return sa.Table(name_of(self._table), sa.MetaData(), *parts, schema=self.schema)

    @property
    def loads(self) -> Any:
        """The table of loads."""
        text, count = self.type_of(TEXT, in_key=True), self.type_of(INTEGER)
        parts = [
            sa.Column(name, text if place < 3 else count, primary_key=place < 2, nullable=False, autoincrement=False)
            for place, name in enumerate(LOADS_COLUMNS)
        ]
        parts.append(sa.Column("delivered_at", self.type_of(INSTANT), nullable=False))
        return sa.Table(LOADS, sa.MetaData(), *parts, schema=self.schema)

    def compiled(self, statement: Any, values: Sequence[object]) -> tuple[str, Sequence[object]]:
        """A statement as text, and the values that belong to its marks."""
        if isinstance(statement, str):
            return statement, values
        written = statement.compile(dialect=self.core)
        names = getattr(written, "positiontup", None) or ()
        known = written.construct_params(escape_names=False) if names else {}
        return str(written), [known[name] for name in names]
