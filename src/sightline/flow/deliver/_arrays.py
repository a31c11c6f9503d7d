"""Prepares batches for the way: pieces of bounded size, columns of the kinds that databases have, nothing lost."""

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver._dialect import Dialect
from sightline.flow.deliver._kinds import Kind, arrow_type

# Two row groups of DuckDB. Pieces of 128 Ki rows, which aren't a whole number of them, made the file and the time of a
# move twice as large.
PIECE_ROWS = 2 * 122_880
# A piece exists up to three times on its way: as it came, cast, and as what is sent.
PIECE_BYTES = 64 << 20


def in_pieces(batches: Iterable[Any]) -> Iterator[Any]:
    """The rows of batches in pieces of equal size; only wide rows make them smaller.

    All batches must have the same columns. If no row comes at all, one piece without rows tells the columns.
    """
    waiting: list[Any] = []
    schema, made = None, False
    for number, batch in enumerate(batches, 1):
        schema = schema or batch.schema
        if not batch.schema.equals(schema):
            raise UsageError(
                f"Batch {number} has the columns {_listed(batch.schema)}, those before it have {_listed(schema)}; "
                "give all batches of a load the same columns."
            )
        first = 0
        while first < batch.num_rows:
            taken = batch.slice(first, max(_room(waiting, batch), 0 if waiting else 1))
            if taken.num_rows:
                waiting.append(taken)
                first += taken.num_rows
            else:
                yield pa.concat_batches(waiting)
                waiting, made = [], True
    if schema is not None and (waiting or not made):
        yield pa.concat_batches(waiting or [pa.RecordBatch.from_pylist([], schema=schema)])


def _room(waiting: Sequence[Any], batch: Any) -> int:
    """How many rows of a batch still go into the piece that is waiting."""
    rows = PIECE_ROWS - sum(one.num_rows for one in waiting)
    size = PIECE_BYTES - sum(one.nbytes for one in waiting)
    return int(max(0, min(rows, size * batch.num_rows // max(1, batch.nbytes))))


def _listed(schema: Any) -> str:
    return ", ".join(f"{field.name} ({field.type})" for field in schema)


def prepared(batch: Any, names: Sequence[str], kinds: Sequence[Kind], dialect: Dialect) -> Any:
    """A batch with columns c0, c1, … of these kinds; an error names the column whose values do not fit."""
    columns = [
        prepared_column(column, name, kind) for column, name, kind in zip(batch.columns, names, kinds, strict=True)
    ]
    for column, name in zip(columns, names, strict=True):
        _check_values(column, name, dialect)
    return pa.record_batch(columns, names=[f"c{number}" for number in range(len(columns))])


def _check_values(column: Any, name: str, dialect: Dialect) -> None:
    """Raise an error if there are values that the database does not have."""
    if not dialect.holds_nul and pa.types.is_string(column.type) and pc.any(pc.match_substring(column, "\0")).as_py():
        raise OutputError(f"The column {name!r} has texts with a NUL, which PostgreSQL does not keep; remove it first.")
    if not dialect.holds_nan and pa.types.is_floating(column.type) and pc.any(pc.is_nan(column)).as_py():
        raise OutputError(f"The column {name!r} has NaN, which SQLite would turn into NULL; make it NULL first.")


ARROW_REFUSES = (ValueError, pa.ArrowNotImplementedError)
"""What Arrow raises if values do not fit a type; its ArrowInvalid is a ValueError."""


def unfit(name: str, problem: Exception) -> OutputError:
    """The error that a column has values that its target does not hold."""
    reason = str(problem).splitlines()[0].rstrip(".")
    return OutputError(
        f"The column {name!r} has values that cannot be delivered without loss ({reason:.200}); "
        "convert or repair them first."
    )


def prepared_column(column: Any, name: str, kind: Kind) -> Any:
    try:
        bare = plain(column)
        if pa.types.is_nested(bare.type):
            return pa.array([_json(value) for value in bare.to_pylist()], pa.string())
        if bare.type != arrow_type(kind):
            bare = bare.cast(arrow_type(kind))
        if kind.family == "text":
            bare.validate(full=True)  # Arrow itself does not look whether a text is UTF-8
    except ARROW_REFUSES as problem:
        raise unfit(name, problem) from problem
    return bare


def plain(column: Any) -> Any:
    """The column without the wrapping of extension types, dictionaries and runs."""
    if isinstance(column.type, pa.BaseExtensionType):
        return plain(column.storage)
    if pa.types.is_dictionary(column.type):
        return plain(column.dictionary_decode())
    if pa.types.is_run_end_encoded(column.type):
        return plain(pc.run_end_decode(column))
    return column


def _json(value: object) -> str | None:
    """A list or struct as JSON; numbers that JSON does not have raise ValueError, as all that would be lost does."""
    if value is None:
        return None
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_json_leaf)


def _json_leaf(value: object) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
