"""What the columns of a step hold, at a glance: how full they are, how many values differ, how these are spread."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from sightline.documents import MOST_BYTES, decoded_document
from sightline.files import read_bytes, write_bytes
from sightline.flow._sql import quoted
from sightline.flow.integrate import Duck
from sightline.flow.run._results import dataset_of

__all__ = ["ColumnProfile", "SpreadOfValues", "column_profiles", "kept_profiles"]

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
