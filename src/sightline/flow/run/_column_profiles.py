"""What the columns of a step hold, at a glance: how full they are, how many values differ, how these are spread."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from sightline.documents import MOST_BYTES, decoded_document
from sightline.errors import UsageError
from sightline.files import read_bytes, write_bytes
from sightline.flow._duckdb import literal, quoted
from sightline.flow.integrate import Duck
from sightline.flow.run._context import dataset_of

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
