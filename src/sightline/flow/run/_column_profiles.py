"""What the columns of a step hold, at a glance: how full they are, how many values differ, how these are spread."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from sightline.documents import MOST_BYTES, decoded_document
from sightline.errors import UsageError
from sightline.files import read_bytes, write_bytes
from sightline.flow._duckdb import literal, quoted
from sightline.flow.integrate import Duck
from sightline.flow.run._column_origins import ColumnsOf, names_before
from sightline.flow.run._context import dataset_of
from sightline.flow.run._record_rows import ORIGINS
from sightline.flow.run._state import RunFolder
from sightline.flow.spec import Flow

BINS = 24  # bars of a histogram: as many as fit beside each other in a panel of 300 pixels
COMMONEST = 5  # values that are named
LONGEST = 200  # characters of a value that is named
SAMPLED = 200_000
"""Rows from which the commonest values of a text are told: sorting a million different texts takes seconds."""


@dataclass(frozen=True)
class SpreadOfValues:
    """A histogram: `counts[i]` values lie from `edges[i]` to `edges[i + 1]`."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class ColumnProfile:
    """A column: its type, how many values it has, about how many differ, and how they are spread."""

    name: str
    type: str
    filled: int
    distinct: int | None
    histogram: SpreadOfValues | None
    commonest: tuple[tuple[str, int], ...]


def column_profiles(path: Path, spill: Path) -> tuple[ColumnProfile, ...]:
    """The profiles of all columns of a file of rows, except those that only flows know."""
    dataset = dataset_of(path)
    duck = Duck({"rows_of": dataset}, spill)
    return tuple(_profile(duck, field) for field in dataset.schema if not field.name.startswith("_"))


def kept_profiles(path: Path, spill: Path) -> tuple[dict[str, Any], ...]:
    """The same as plain values; found out once, and kept beside the rows, which never change."""
    kept = path.with_suffix(".profile.json")
    if kept.exists() and kept.stat().st_mtime_ns >= path.stat().st_mtime_ns:
        return tuple(decoded_document(read_bytes(kept, "remove it", MOST_BYTES))["columns"])
    found = [asdict(one) for one in column_profiles(path, spill)]
    write_bytes(kept, orjson.dumps({"columns": found}))
    return tuple(orjson.loads(orjson.dumps(found)))


def _profile(duck: Duck, field: pa.Field) -> ColumnProfile:
    name = quoted(field.name)
    if pa.types.is_nested(field.type):
        ((filled,),) = duck.rows(f"SELECT count({name}) FROM rows_of")
        return ColumnProfile(field.name, str(field.type), filled, None, None, ())
    is_number = _is_number(field.type)
    ends = f"min({name})::DOUBLE, max({name})::DOUBLE" if is_number else "NULL, NULL"
    asked = f"SELECT count({name}), approx_count_distinct({name}), {ends} FROM rows_of"
    ((filled, distinct, low, high),) = duck.rows(asked)
    spread = _spread(duck, name, low, high) if is_number and low is not None else None
    commonest = _commonest(duck, name)
    # The estimate may be a little too high, which would look like a mistake where all values differ.
    return ColumnProfile(field.name, str(field.type), filled, min(distinct, filled), spread, commonest)


def _spread(duck: Duck, name: str, low: float, high: float) -> SpreadOfValues | None:
    if low == high or not (high - low) < float("inf"):
        return None
    width = (high - low) / BINS
    place = f"least(greatest(floor(({name}::DOUBLE - {low!r}) / {width!r}), 0), {BINS - 1})::INTEGER"
    known = f"{name} IS NOT NULL AND NOT isnan({name}::DOUBLE)"
    rows = duck.rows(f"SELECT {place}, count(*) FROM rows_of WHERE {known} GROUP BY 1")
    counts = [0] * BINS
    for at, count in rows:
        counts[at] = count
    return SpreadOfValues(tuple(low + width * at for at in range(BINS + 1)), tuple(counts))


def _commonest(duck: Duck, name: str) -> tuple[tuple[str, int], ...]:
    """The values that come more than once, in the first rows of a large file."""
    some = f"(SELECT {name} AS value FROM rows_of WHERE {name} IS NOT NULL LIMIT {SAMPLED})"
    grouped = f"SELECT value::VARCHAR, count(*) FROM {some} GROUP BY value HAVING count(*) > 1"
    sql = f"{grouped} ORDER BY 2 DESC, 1 LIMIT {COMMONEST}"
    return tuple((str(value)[:LONGEST], count) for value, count in duck.rows(sql))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


# How values went from run to run: price histories.


@dataclass(frozen=True)
class ValueLine:
    """What one value was in each run; None where it was missing or no number."""

    key: tuple[str, ...]
    values: tuple[float | None, ...]


def value_lines(
    files: Sequence[Path | None], key: Sequence[str], column: str, spill: Path, *, limit: int = 20, search: str = ""
) -> tuple[ValueLine, ...]:
    """The values of a column in several files of rows, one line for each key; those that changed most come first.

    `files` are those of the runs in their order, None for a run that has none. `search` keeps the keys that hold it.
    """
    there = {f"run_{at}": dataset_of(path) for at, path in enumerate(files) if path is not None and path.exists()}
    tables = {name: table for name, table in there.items() if {*key, column} <= set(table.schema.names)}
    if not key:
        raise UsageError("A history needs a key that tells rows apart; name one or more columns.")
    if there and not tables:
        raise UsageError(f"No run has the columns {', '.join([*key, column])} in that step; choose others.")
    if not tables:
        return ()
    keys = ", ".join(f"CAST({quoted(name)} AS VARCHAR) AS key_{at}" for at, name in enumerate(key))
    names = ", ".join(f"key_{at}" for at in range(len(key)))
    found = " UNION ALL ".join(
        f"SELECT {keys}, {name.removeprefix('run_')} AS run, TRY_CAST({quoted(column)} AS DOUBLE) AS value FROM {name}"
        for name in tables
    )
    filled = " AND ".join(f"key_{at} IS NOT NULL" for at in range(len(key)))
    if search:
        filled += f" AND contains(lower(concat_ws(' ', {names})), {literal(search.lower())})"
    # A key that comes twice in a run says nothing about either row.
    once = (
        f"SELECT {names}, run, any_value(value) AS value FROM ({found}) WHERE {filled} "
        f"GROUP BY {names}, run HAVING count(*) = 1"
    )
    moved = "(max(value) - min(value)) / CASE WHEN min(abs(value)) > 0 THEN min(abs(value)) ELSE 1 END"
    sql = (
        f"SELECT {names}, list(run), list(value) FROM ({once}) WHERE value IS NOT NULL GROUP BY {names} "
        f"ORDER BY {moved} DESC, {names} LIMIT {int(limit)}"
    )
    return tuple(_line(row, len(key), len(files)) for row in Duck(tables, spill).rows(sql))


def _line(row: tuple[Any, ...], width: int, runs: int) -> ValueLine:
    known = dict(zip(row[width], row[width + 1], strict=True))
    return ValueLine(tuple(map(str, row[:width])), tuple(known.get(at) for at in range(runs)))


# -- where the values of rows were seen -----------------------------------------------------------------------------
# Sources write the places of a row into its column `_origins`, under the names that its columns had then. Most steps
# hand that on. Where a query left it out, the rows are followed back: a row of an earlier step that has the same
# values, and is the only one that has them, is where it comes from.


@dataclass(frozen=True)
class CellPlace:
    """Where a value was seen: the page, its nodes and its box."""

    page: str
    nodes: tuple[int, ...]
    box: tuple[float, float, float, float] | None


def cell_places(flow: Flow, run: RunFolder, step: str, rows: pa.Table) -> dict[str, list[CellPlace | None]]:
    """The place of each cell of some rows of a step, by column; columns that were seen on no page are left out."""
    told = _told(rows)
    if not any(told):
        told = _followed_back(flow, run, step, rows)
    if not any(told):
        return {}
    found: dict[str, list[CellPlace | None]] = {}
    columns_of = columns_of_run(flow, run)
    for column in rows.column_names:
        if column.startswith("_"):
            continue
        names = list(dict.fromkeys(_names_at_sources(flow, step, column, columns_of)))
        cells = [_first(origins, names) for origins in told]
        if any(cells):
            found[column] = cells
    return found


def _told(rows: pa.Table) -> list[dict[str, Any]]:
    """What the rows say themselves; a join has the places of both sides."""
    columns = [name for name in rows.column_names if name.startswith(ORIGINS)]
    found: list[dict[str, Any]] = [{} for _ in range(rows.num_rows)]
    for name in reversed(columns):
        for own, text in zip(found, rows.column(name).to_pylist(), strict=True):
            own.update(_read(text))
    return found


def _read(text: Any) -> dict[str, Any]:
    """The places of a row; a column of that name that somebody else wrote says nothing."""
    if not isinstance(text, str):
        return {}
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _first(origins: Mapping[str, Any], names: Sequence[str]) -> CellPlace | None:
    for name in names:
        place = origins.get(name)
        if isinstance(place, dict) and isinstance(place.get("page"), str):
            box = place.get("box")
            return CellPlace(place["page"], tuple(place.get("nodes") or ()), tuple(box) if box else None)
    return None


def _names_at_sources(flow: Flow, step: str, column: str, columns_of: ColumnsOf) -> Iterator[str]:
    """What a column of a step was called where its values were seen."""
    if flow.steps[step].is_source:
        yield column
    for name, old in names_before(flow, step, column, columns_of):
        yield from _names_at_sources(flow, name, old, columns_of)


def columns_of_run(flow: Flow, run: RunFolder) -> ColumnsOf:
    """The names of the columns of each step of a run; None where it has no rows."""

    @cache
    def columns_of(step: str) -> Sequence[str] | None:
        path = run.rows(flow.holder(step))
        return tuple(dataset_of(path).schema.names) if path.exists() else None

    return columns_of


# ---------------------------------------------------------------------- following back


def _followed_back(flow: Flow, run: RunFolder, step: str, rows: pa.Table) -> list[dict[str, Any]]:
    """The places of rows by those of the step before that has some, where their values say which row it is."""
    nothing: list[dict[str, Any]] = [{} for _ in range(rows.num_rows)]
    here = [field.name for field in rows.schema if not field.name.startswith("_") and not _is_odd(field.type)]
    columns_of = columns_of_run(flow, run)
    waiting: list[tuple[str, dict[str, str]]] = [(step, {name: name for name in here})]
    while waiting:
        name, names = waiting.pop(0)
        for before in flow.steps[name].inputs:
            known = {
                column: older
                for column, old in names.items()
                for one, older in names_before(flow, name, old, columns_of)
                if one == before
            }
            path = run.rows(flow.holder(before))
            if not path.exists():
                continue
            schema = dataset_of(path).schema
            if ORIGINS in schema.names:
                found = _same_rows(run, rows, before=flow.holder(before), names=known)
                if any(found):
                    return found
            else:
                waiting.append((before, known))
    return nothing


def _same_rows(run: RunFolder, rows: pa.Table, *, before: str, names: Mapping[str, str]) -> list[dict[str, Any]]:
    table = dataset_of(run.rows(before))
    shared = {
        new: old
        for new, old in names.items()
        if old in table.schema.names and table.schema.field(old).type == rows.schema.field(new).type
    }
    found: list[dict[str, Any]] = [{} for _ in range(rows.num_rows)]
    if not shared:
        return found
    numbered = rows.select(list(shared)).append_column("_number", pa.array(range(rows.num_rows), pa.int64()))
    same = " AND ".join(f"w.{quoted(new)} IS NOT DISTINCT FROM b.{quoted(old)}" for new, old in shared.items())
    sql = (
        f"SELECT w._number, any_value(b.{ORIGINS}) FROM rows_of AS w JOIN before AS b ON {same} "
        "GROUP BY 1 HAVING count(*) = 1"
    )
    try:
        answer = Duck({"rows_of": numbered, "before": table}, run.path).rows(sql)
    except UsageError:  # types that DuckDB does not compare, such as those of a database's own
        return found
    for number, text in answer:
        found[number] = _read(text)
    return found


def _is_odd(kind: pa.DataType) -> bool:
    return bool(pa.types.is_nested(kind) or pa.types.is_floating(kind))
