"""One load into one table of a database: its tables as SQLAlchemy describes them, and how statements reach it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

import sqlalchemy as sa
from sqlalchemy.schema import CreateTable

from sightline.flow.deliver._dialect import Dialect, TableColumn
from sightline.flow.deliver._kinds import INSTANT, INTEGER, TEXT, Kind
from sightline.flow.deliver._schema import VALIDITY, LoadColumns
from sightline.flow.deliver._target import LOAD_COLUMN, LOADS, LOADS_COLUMNS, DeliveryMode, DeliveryTarget


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

    reaches_back = True
    """Whether a history takes a load into its place among those that are there."""

    keys_are_filled = False
    """Whether it is known that no staged row has an empty key."""

    keys_differ = False
    """Whether it is known that no two staged rows have the same key."""

    stores_columns = False
    """Whether an update costs by the columns that it sets, since each is stored by itself."""

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

    @contextmanager
    def transaction(self, begin: str, connection: Any, broken: type[Exception]) -> Iterator[None]:
        """From `begin` to the end of the work; if that fails, all of it is undone, as far as the database still can."""
        self.run(begin)
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            with suppress(broken):
                connection.execute("ROLLBACK")
            raise

    @abstractmethod
    def close(self) -> None:
        """Let go of the database, and of the staging table."""

    def create_stage(self, columns: LoadColumns, *, becomes_target: bool) -> None:  # noqa: ARG002 - some engines can
        """Make the staging table; nobody else sees it, and it ends with the connection.

        It probably `becomes_target`, if the engine can do that.
        """
        self.stage = self.staging_table(columns)
        self.run(CreateTable(self.stage))

    def tag_rows(self, tag: str) -> None:  # noqa: B027 - only where the staging table becomes the target
        """Mark all rows of a target that was the staging table, if the engine can make it one."""

    def lacking_right(self, mode: DeliveryMode, *, exists: bool) -> str:  # noqa: ARG002 - servers know rights
        """What the user may not do that a delivery needs; empty if nothing is known to be missing."""
        return ""

    @contextmanager
    def looking_up(self, names: Sequence[str]) -> Iterator[None]:  # noqa: ARG002 - some need an index for it
        """While rows of a history are looked up by key."""
        yield

    def adopt_stage(self, names: Sequence[str], key: Sequence[str]) -> bool:  # noqa: ARG002 - some engines can
        """Make the staging table the target, with these columns and an index on the key; False if that cannot be done.

        If it fails, the staging table is what it was.
        """
        return False

    def finish_stage(self, key: Sequence[int]) -> None:  # noqa: B027 - some have nothing to do
        """Make the staging table ready to be compared by the columns at these places."""

    def set_aside(self, query: Any) -> Any:  # noqa: ARG002 - some engines do
        """A table of the staged rows that a query finds to be written, if it is better to look for them only once."""
        return None

    def temporary_table(self, query: Any, place: str, how: str = "") -> Any:
        """A new one of what a query gives, in the schema where the database keeps such tables."""
        columns = [sa.Column(one.name, one.type) for one in query.selected_columns]
        aside = sa.Table("sightline_aside", sa.MetaData(), *columns, schema=as_written(place))
        found, _ = self.compiled(query, ())
        self.run(f"CREATE TEMPORARY TABLE {self.core.identifier_preparer.format_table(aside)} {how} AS {found}")
        return aside

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

    def target_table(self, columns: LoadColumns, *, is_history: bool, is_tagged: bool = False) -> Any:
        """The target with the columns of a load; others that it has are of no concern."""
        parts = [
            sa.Column(name_of(name), self.type_of(kind, in_key=number in columns.key))
            for number, (name, kind) in enumerate(zip(columns.names, columns.kinds, strict=True))
        ]
        if is_history:
            since, until = VALIDITY
            when = self.type_of(INSTANT)
            parts += [sa.Column(since, when, nullable=False), sa.Column(until, when)]
        if is_tagged:
            parts.append(sa.Column(name_of(LOAD_COLUMN), self.type_of(TEXT)))
        return sa.Table(name_of(self._table), sa.MetaData(), *parts, schema=self.schema)

    @property
    def loads(self) -> Any:
        """The table of loads."""
        text, count = self.type_of(TEXT, in_key=True), self.type_of(INTEGER)
        parts = [
            sa.Column(name, text if place < 3 else count, primary_key=place < 2, nullable=False, autoincrement=False)
            for place, name in enumerate(LOADS_COLUMNS)
        ]
        when = self.type_of(INSTANT)
        parts += [sa.Column("delivered_at", when, nullable=False), sa.Column("due", when)]
        return sa.Table(LOADS, sa.MetaData(), *parts, schema=self.schema)

    def compiled(self, statement: Any, values: Sequence[object]) -> tuple[str, Sequence[object]]:
        """A statement as text, and the values that belong to its marks."""
        if isinstance(statement, str):
            return statement, values
        written = statement.compile(dialect=self.core)
        names = getattr(written, "positiontup", None) or ()
        known = written.construct_params(escape_names=False) if names else {}
        return str(written), [known[name] for name in names]
