"""The steps that put rows together: union, join, deduplicate, nest, unnest, SQL."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import chain, islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from sightline.errors import MissingExtra, UnreadableError, UsageError
from sightline.flow._addresses import check_server, scheme_of
from sightline.flow._duckdb import not_allowed, open_duckdb
from sightline.flow.integrate import (
    Duck,
    deduplicate_rows,
    duckdb_variable,
    join_rows,
    nest_rows,
    propose_mapping,
    set_variables,
    union_rows,
    unnest_rows,
)
from sightline.flow.normalise import (
    BatchStep,
    CountrySettings,
    CountryStep,
    DateSettings,
    DateStep,
    FromColumn,
    MoneySettings,
    MoneyStep,
    RateTable,
    TaxSettings,
    TaxStep,
    TaxTable,
    TextSettings,
    TextStep,
    TypingSettings,
    TypingStep,
    UnitSettings,
    UnitStep,
    normalise_batches,
)
from sightline.flow.rows import BATCH_ROWS, RowBatches
from sightline.flow.run._context import StepContext, StepResult, dataset_of, need_columns
from sightline.flow.spec import (
    DeduplicateStep,
    JoinStep,
    NestStep,
    NormalColumn,
    NormaliseStep,
    QuerySource,
    SqlStep,
    UnionStep,
    UnnestStep,
    bound_sql,
)
from sightline.yaml import MistakeError


def union_step(context: StepContext, step: UnionStep) -> StepResult:
    """The rows of all steps; a mapping that is only proposed is told, not used."""
    tables = {name: context.rows(name) for name in step.steps}
    for steps in (step.columns or {}).values():
        for name, column in steps.items():
            if name not in tables:
                known = ", ".join(tables)
                raise context.fail(
                    f"`columns` names the step `{name}`, which is not united; there are {known}.", "columns"
                )
            need_columns(context, tables[name].schema, [column], name, "columns")
    joined = union_rows(tables, step.columns, label=step.label)
    notes = list(joined.notes)
    if step.columns is None:
        notes += [
            f"`{one.column}` of {one.table} is probably `{one.same_as}` ({one.why}); "
            "`sightline plan --write` puts that into the flow"
            for one in propose_mapping(tables)[1]
        ]
    return StepResult(context.keep(joined.rows), notes=tuple(notes))


def join_step(context: StepContext, step: JoinStep) -> StepResult:
    """Two steps beside each other."""
    if len(step.steps) != 2:
        raise context.fail("`join` takes two steps; join a third one to the result.", "join")
    left, right = step.steps
    tables = context.rows(left), context.rows(right)
    need_columns(context, tables[0].schema, step.same, left, "on")
    need_columns(context, tables[1].schema, step.same.values(), right, "on")
    rows, notes = join_rows((left, tables[0]), (right, tables[1]), step.same, step.how, context.run.path)
    return StepResult(context.keep(rows), notes=notes)


def deduplicate_step(context: StepContext, step: DeduplicateStep) -> StepResult:
    """One row of each key."""
    rows = context.rows(step.rows)
    need_columns(context, rows.schema, step.by, step.rows, "by")
    if step.order:
        need_columns(context, rows.schema, [step.order], step.rows, "order")
    kept = context.keep(deduplicate_rows(rows, list(step.by), step.order, step.keep, context.run.path))
    dropped = context.states[step.rows].rows - kept
    return StepResult(kept, notes=(f"{dropped} rows had a key that another row has",) if dropped else ())


def nest_step(context: StepContext, step: NestStep) -> StepResult:
    """One row for each key, with a list of the others."""
    rows = context.rows(step.rows)
    need_columns(context, rows.schema, step.by, step.rows, "by")
    return StepResult(context.keep(nest_rows(rows, list(step.by), step.into, context.run.path)))


def unnest_step(context: StepContext, step: UnnestStep) -> StepResult:
    """One row for each entry of a list."""
    rows = context.rows(step.rows)
    need_columns(context, rows.schema, [step.column], step.rows, "column")
    if not pa.types.is_list(rows.schema.field(step.column).type):
        kind = rows.schema.field(step.column).type
        raise context.fail(
            f"`{step.column}` of `{step.rows}` isn't a list, but {kind}; name a column of lists.", "column"
        )
    return StepResult(context.keep(unnest_rows(rows, step.column, context.run.path)))


def sql_step(context: StepContext, step: SqlStep) -> StepResult:
    """The rows of a query over other steps."""
    tables = {name: dataset_of(context.path_of(name)) for name in step.tables}
    values = context.flow.values_in_sql(step)
    duck = Duck(tables, context.run.path, folders=context.readable(step.files), variables=values)
    return StepResult(context.keep(duck.query(bound_sql(step.sql, duckdb_variable))))


# The step that brings columns to one currency, unit and spelling.

STANDARD_TAX = "standard"  # the category of what has no other
_MOST_CAUSES = 3  # told of a column; the rows have all


def normalise_step(context: StepContext, step: NormaliseStep) -> StepResult:
    """Normalise column after column; what could not be read is told, and stays beside the new value."""
    rows = context.rows(step.rows)
    known = set(rows.schema.names)
    declared: list[BatchStep] = []
    for one in step.columns:
        _need(context, step, one, known)
        declared.append(_declared(context, one, known))
        known.add(one.settings.new_name)
    empty = pa.RecordBatch.from_pylist([], rows.schema)  # so that columns are known where there are no rows
    stream = normalise_batches(lambda: chain([empty], rows.batches()), declared)
    batches = iter(stream)
    first = next(batches)
    count = context.keep(RowBatches(first.schema, lambda: batches))
    reasons, doubts, notes = [], [], []
    for report in stream.reports:
        notes.append(report.summary)
        # An ambiguity is a doubt, not a note: 2.849 € that are taken for 2.85 € look like data.
        doubts += [f"{report.name}: {note}; say which it is in the flow" for note in report.notes]
        causes = list(report.causes.items())[:_MOST_CAUSES]
        reasons += [f"{report.name}: {number} rows: {cause}" for cause, number in causes]
    return StepResult(
        count,
        verdict="suspicious" if reasons or doubts else "ok",
        reasons=(*doubts, *reasons),
        notes=tuple(notes),
        doubts=tuple(doubts),
    )


def _need(context: StepContext, step: NormaliseStep, one: NormalColumn, known: set[str]) -> None:
    schema = pa.schema([(name, pa.string()) for name in known])
    try:
        need_columns(context, schema, [one.settings.column], step.rows)
    except MistakeError as problem:
        raise MistakeError(problem.file, one.line, problem.problem) from problem


def _declared(context: StepContext, one: NormalColumn, known: set[str]) -> BatchStep:
    beside = {key: FromColumn(value) if value in known else value for key, value in one.beside.items()}
    today = context.due.astimezone(UTC).date()
    match one.settings:
        case MoneySettings():
            currencies = beside.get("currency column")
            return MoneyStep(
                rates=_rates(context, one),
                dates=beside.get("date", today),
                currencies=currencies if isinstance(currencies, FromColumn) else None,
                settings=one.settings,
            )
        case TaxSettings():
            return TaxStep(
                table=TaxTable.read(_file(context, one)),
                tax=one.kind.removesuffix(" tax"),
                countries=beside["country"],
                dates=beside.get("date", today),
                categories=beside.get("category", STANDARD_TAX),
                settings=one.settings,
            )
        case UnitSettings():
            return UnitStep(settings=one.settings)
        case DateSettings():
            return DateStep(settings=one.settings)
        case CountrySettings():
            return CountryStep(settings=one.settings)
        case TextSettings():
            return TextStep(settings=one.settings)
        case TypingSettings():
            return TypingStep(settings=one.settings)
    raise context.fail(f"nothing is known about `{one.kind}`.")


def _rates(context: StepContext, one: NormalColumn) -> RateTable:
    """The table of rates; without one, only what is in the currency already can be read."""
    if "rates" in one.files:
        return RateTable.read(_file(context, one))
    assert isinstance(one.settings, MoneySettings)  # for the type checker
    return RateTable(one.settings.currency, {}, {})


def _file(context: StepContext, one: NormalColumn) -> Path:
    return context.path(one.files["rates"])


# -- the step that reads the rows of a query from a database --------------------------------------------------------

_ROWS = 1 << 13  # taken from a cursor at once
_SQLITE = (".sqlite", ".sqlite3", ".db")
_SCHEMES = ("", "duckdb", "sqlite", "postgres", "postgresql")
_MOST_DIGITS = 38  # of a decimal of Arrow


def query_database(context: StepContext, step: QuerySource) -> StepResult:
    """The rows of a query from DuckDB, SQLite or PostgreSQL."""
    if (captured := context.captured) is not None:
        return context.take(captured)
    database = context.secret(step.database)
    scheme = scheme_of(database)
    if scheme not in _SCHEMES:
        raise context.fail(
            f"rows cannot be read from an address of the kind {scheme}:; name a file of DuckDB or SQLite, or write "
            "`postgresql://user@host/db`.",
            "from",
        )
    rest = database[len(scheme) + 1 :] if scheme else database
    if scheme in ("postgres", "postgresql"):
        database = f"{scheme}:{rest}"
        check_server(database, "postgresql://user@host/db")
        with _postgres(database, _BoundQuery.of(context, step, "%({})s", "CAST(%({})s AS text)")) as cursor:
            return StepResult(context.keep(_of_cursor(cursor)))
    path = context.path(rest)
    if not path.exists():
        raise context.fail(f"there is no database {path}; check its name.", "from")
    if scheme == "sqlite" or path.suffix.lower() in _SQLITE:
        with _sqlite(path, _BoundQuery.of(context, step, ":{}")) as cursor:
            return StepResult(context.keep(_of_cursor(cursor)))
    values = context.flow.values_in_sql(step)
    rows = _of_duckdb(path, bound_sql(step.sql, duckdb_variable), context.readable(step.files), values)
    return StepResult(context.keep(rows))


@dataclass(frozen=True)
class _BoundQuery:
    """A query with the values of its variables, by the names that its database takes."""

    sql: str
    values: Mapping[str, str]

    @classmethod
    def of(cls, context: StepContext, step: QuerySource, mark: str, text_mark: str = "") -> "_BoundQuery":
        """The query of a step; `text_mark` is how its database marks a value inside of a text."""
        values = context.flow.values_in_sql(step)
        names = {name: f"v{place}" for place, name in enumerate(values)}
        sql = step.sql.replace("%", "%%") if values and "%" in mark else step.sql
        inside = text_mark or mark
        bound = bound_sql(sql, lambda name: mark.format(names[name]), lambda name: inside.format(names[name]))
        return cls(bound, {names[name]: value for name, value in values.items()})


def _of_duckdb(path: Path, sql: str, folders: Sequence[Path], values: Mapping[str, str]) -> RowBatches:
    @contextmanager
    def opened() -> Iterator[Any]:
        try:
            with open_duckdb(path, read_only=True, folders=folders) as connection:
                set_variables(connection, values)
                yield connection
        except duckdb.PermissionException as problem:
            raise UsageError(not_allowed(problem)) from problem
        except duckdb.Error as problem:
            raise UnreadableError(str(path), f"the query failed ({_first_line(problem)}); fix it.") from problem

    def batches() -> Iterator[pa.RecordBatch]:
        with opened() as connection:
            for batch in connection.sql(sql).to_arrow_reader(BATCH_ROWS):
                yield pa.record_batch(batch.columns, schema=schema)  # a name that came twice has another there

    with opened() as connection:
        # a line of its own, since a comment may end the query
        schema = connection.sql(f"SELECT * FROM ({sql}\n) LIMIT 0").to_arrow_table().schema
    return RowBatches(schema, batches)


Opened = Callable[[], Any]


@contextmanager
def _sqlite(path: Path, query: _BoundQuery) -> Iterator[Opened]:
    """A function that runs the query; both runs see the same state of the database."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN")
            yield lambda: connection.execute(query.sql, query.values)
        except sqlite3.Error as problem:
            raise UnreadableError(str(path), f"the query failed ({problem}); fix it.") from problem


@contextmanager
def _postgres(address: str, query: _BoundQuery) -> Iterator[Opened]:
    try:
        import psycopg
    except ImportError as problem:
        raise MissingExtra("postgres", "Reading from PostgreSQL") from problem
    try:
        with psycopg.connect(address) as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            connection.read_only = True

            def opened() -> Any:
                cursor = connection.cursor(name="sightline")
                cursor.itersize = _ROWS
                return cursor.execute(query.sql, query.values or None)

            yield opened
    except psycopg.Error as problem:
        told = f"the query failed ({_first_line(problem)}); fix it, or its address."
        raise UnreadableError("the PostgreSQL database", told) from problem


def _first_line(problem: Exception) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0].removesuffix(".")


# ---------------------------------------------------------------------- rows of cursors


def _of_cursor(opened: Opened) -> RowBatches:
    """The rows of a query that is run twice: first to learn the types, which depend on all the values."""
    with closing(opened()) as cursor:
        names = _names([one[0] for one in cursor.description or ()], cursor)
        kinds: list[set[type]] = [set() for _ in names]
        digits = [[0, 0] for _ in names]
        for row in cursor:
            for place, value in enumerate(row):
                if value is not None:
                    kinds[place].add(type(value))
                    if isinstance(value, Decimal):
                        _count(digits[place], value)
    schema = pa.schema([(name, _type(kinds[at], digits[at])) for at, name in enumerate(names)])

    def batches() -> Iterator[pa.RecordBatch]:
        with closing(opened()) as cursor:
            rows = iter(cursor)
            while chunk := list(islice(rows, _ROWS)):
                columns = [
                    pa.array([_value(row[at], field.type) for row in chunk], field.type)
                    for at, field in enumerate(schema)
                ]
                yield pa.record_batch(columns, schema=schema)

    return RowBatches(schema, batches)


def _names(names: list[str], cursor: Any) -> list[str]:
    if not names and hasattr(cursor, "fetchone"):
        cursor.fetchone()  # a cursor of the server knows its columns after the first row
        names = [one[0] for one in cursor.description or ()]
    found: list[str] = []
    for name in names:
        found.append(name if name not in found else f"{name}_{len(found) + 1}")
    return found


def _count(digits: list[int], value: Decimal) -> None:
    exponent = value.as_tuple().exponent
    scale = max(0, -exponent) if isinstance(exponent, int) else 0
    digits[0] = max(digits[0], scale)
    digits[1] = max(digits[1], value.adjusted() + 1)


_TYPES = {
    bool: pa.bool_(),
    int: pa.int64(),
    float: pa.float64(),
    str: pa.string(),
    bytes: pa.binary(),
    date: pa.date32(),
}
_LARGEST = 1 << 63


def _type(kinds: set[type], digits: list[int]) -> pa.DataType:
    if kinds == {datetime}:
        return pa.timestamp("us", tz="UTC")
    if kinds == {Decimal} and digits[0] + max(digits[1], 1) <= _MOST_DIGITS:
        return pa.decimal128(digits[0] + max(digits[1], 1), digits[0])
    if kinds == {int, float}:
        return pa.float64()
    return _TYPES.get(next(iter(kinds)), pa.string()) if len(kinds) == 1 else pa.string()


def _value(value: Any, kind: pa.DataType) -> Any:
    if value is None or not pa.types.is_string(kind):
        return value
    return value if isinstance(value, str) else str(value)
