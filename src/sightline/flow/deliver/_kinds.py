"""Kinds of columns, alike in every database: from Arrow types, and which of them fits into which without loss."""

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from sightline.errors import MissingExtra, OutputError, UsageError
from sightline.flow._duckdb import quoted

try:
    import pyarrow as pa
except ImportError as problem:
    raise MissingExtra("flow", "Delivering rows") from problem

Family: TypeAlias = Literal[
    "boolean", "integer", "float", "decimal", "text", "binary", "date", "time", "timestamp", "instant"
]


@dataclass(frozen=True)
class Kind:
    """What a column holds; `size` is the bits of a number or the digits of a decimal, `scale` those after its point."""

    family: Family
    size: int = 0
    scale: int = 0


BOOLEAN, TEXT, BINARY, DATE, TIME = Kind("boolean"), Kind("text"), Kind("binary"), Kind("date"), Kind("time")
TIMESTAMP = Kind("timestamp")  # without a zone
INSTANT = Kind("instant")  # with a zone; databases keep the instant, and show it in the zone of whoever asks
INTEGER, FLOAT = Kind("integer", 64), Kind("float", 64)

# The decimal digits that hold every integer of so many bits.
_DIGITS = {16: 5, 32: 10, 64: 19}
# Integers up to this size are exact in a float of the other.
_EXACT = {16: 32, 32: 64}


def decimal(digits: int, scale: int) -> Kind:
    """A number that is never rounded."""
    return Kind("decimal", digits, scale)


def kind_of(type: Any) -> Kind | None:
    """The kind of an Arrow type, or None if no database has one for it; lists and structs become JSON, which is text.

    >>> kind_of(pa.uint64())
    Kind(family='decimal', size=20, scale=0)
    >>> kind_of(pa.list_(pa.int8()))
    Kind(family='text', size=0, scale=0)
    """
    if isinstance(type, pa.BaseExtensionType):
        return kind_of(type.storage_type)
    if pa.types.is_dictionary(type) or pa.types.is_run_end_encoded(type):
        return kind_of(type.value_type)
    if pa.types.is_integer(type):
        return _integer(type)
    if pa.types.is_floating(type):
        return Kind("float", max(32, type.bit_width))
    if pa.types.is_decimal(type):
        # A negative scale counts zeros before the point.
        return decimal(type.precision - min(0, type.scale), max(0, type.scale))
    if pa.types.is_timestamp(type):
        return INSTANT if type.tz else TIMESTAMP
    return next((kind for test, kind in _PLAIN if test(type)), None)


def _integer(type: Any) -> Kind:
    if pa.types.is_uint64(type):
        return decimal(20, 0)
    bits = type.bit_width * 2 if pa.types.is_unsigned_integer(type) else type.bit_width
    return Kind("integer", max(16, bits))


_PLAIN = (
    (pa.types.is_boolean, BOOLEAN),
    (pa.types.is_null, TEXT),
    (pa.types.is_string, TEXT),
    (pa.types.is_large_string, TEXT),
    (pa.types.is_string_view, TEXT),
    (pa.types.is_nested, TEXT),
    (pa.types.is_binary, BINARY),
    (pa.types.is_large_binary, BINARY),
    (pa.types.is_binary_view, BINARY),
    (pa.types.is_fixed_size_binary, BINARY),
    (pa.types.is_date, DATE),
    (pa.types.is_time, TIME),
)


def arrow_type(kind: Kind) -> Any:
    """The Arrow type that values of a kind are cast to on their way."""
    match kind.family:
        case "integer":
            return {16: pa.int16(), 32: pa.int32(), 64: pa.int64()}[kind.size]
        case "float":
            return pa.float32() if kind.size == 32 else pa.float64()
        case "decimal":
            return pa.decimal128(kind.size, kind.scale) if kind.size <= 38 else pa.decimal256(kind.size, kind.scale)
    return {
        "boolean": pa.bool_(),
        "text": pa.string(),
        "binary": pa.binary(),
        "date": pa.date32(),
        "time": pa.time64("us"),
        "timestamp": pa.timestamp("us"),
        "instant": pa.timestamp("us", "UTC"),
    }[kind.family]


def fits(new: Kind, old: Kind) -> bool:
    """Whether every value of one kind is a value of the other, exactly.

    >>> fits(Kind("integer", 32), FLOAT), fits(INTEGER, FLOAT), fits(INTEGER, decimal(20, 2))
    (True, False, False)
    """
    match new.family, old.family:
        case ("integer", "integer") | ("float", "float"):
            return new.size <= old.size
        case ("integer", "float"):
            return _EXACT.get(new.size, 128) <= old.size
        case ("integer", "decimal"):
            return _DIGITS[new.size] <= old.size - old.scale
        case ("decimal", "decimal"):
            return new.scale <= old.scale and new.size - new.scale <= old.size - old.scale
    return new == old


def wider(new: Kind, old: Kind, most_digits: int) -> Kind | None:
    """The least kind that both fit into, if there is one; it has as many digits as the database allows.

    >>> wider(decimal(9, 4), Kind("integer", 32), 38)
    Kind(family='decimal', size=14, scale=4)
    >>> wider(TEXT, INTEGER, 38) is None
    True
    """
    both = (new, old)
    scale = max(kind.scale for kind in both)
    whole = max(_DIGITS.get(kind.size, 0) if kind.family == "integer" else kind.size - kind.scale for kind in both)
    candidates = [*(kind for kind in both), INTEGER, FLOAT]
    if {kind.family for kind in both} <= {"integer", "decimal"} and whole + scale <= most_digits:
        candidates.append(decimal(whole + scale, scale))
    return next((one for one in candidates if fits(new, one) and fits(old, one)), None)


# -- what the databases call things, and what they hold -------------------------------------------------------------

ANY_DECIMAL = decimal(2_000, 1_000)
"""A column without declared digits, which holds every decimal that Arrow has."""

# What the databases call their types when asked; `decimal` and `numeric` come with their digits.
_KINDS = {
    "boolean": BOOLEAN,
    "smallint": Kind("integer", 16),
    "integer": Kind("integer", 32),
    "bigint": INTEGER,
    "hugeint": decimal(38, 0),
    "real": Kind("float", 32),
    "float": Kind("float", 32),
    "double": FLOAT,
    "double precision": FLOAT,
    "numeric": ANY_DECIMAL,
    "text": TEXT,
    "varchar": TEXT,
    "character varying": TEXT,
    "blob": BINARY,
    "bytea": BINARY,
    "date": DATE,
    "time": TIME,
    "time without time zone": TIME,
    "timestamp": TIMESTAMP,
    "timestamp without time zone": TIMESTAMP,
    "timestamp with time zone": INSTANT,
}


@dataclass(frozen=True)
class TableColumn:
    """A column of a table that exists; `kind` is None for types that nothing of ours fits into exactly.

    One that is `filled` by the database may be missing in a load.
    """

    kind: Kind | None
    type: str
    filled: bool = False


@dataclass(frozen=True)
class Dialect:
    """How one database says what all of them can do."""

    types: Mapping[str, str]
    """The type of each family, with its bits where sizes differ: `integer16`."""

    kinds: Mapping[str, Kind | None] = field(default_factory=dict)
    """Types that mean something else here than elsewhere."""

    quote: Callable[[str], str] = quoted
    """A name as SQL writes it."""

    instant: Callable[[str], Any] = datetime.fromisoformat
    """An instant as a value of a statement."""

    decimal_is_text: bool = False
    """Whether decimals are texts, of which 1.50 and 1.5 are two, though they are one number."""

    add: str = "ADD COLUMN"
    retypes: bool = True
    """Whether a column can get a wider type; where it cannot, rows need a new table."""

    most_digits: int = 38
    longest_name: int = 1_000_000
    unique: bool = True
    """Whether keys get an index, which doubled ones cannot pass; a database of columns needs none."""

    holds_nan: bool = True
    holds_nul: bool = True

    def type_of(self, kind: Kind) -> str:
        """What the database calls a kind."""
        if kind.family == "decimal":
            return self.types["decimal"].format(size=kind.size, scale=kind.scale)
        return self.types.get(f"{kind.family}{kind.size or ''}") or self.types[kind.family]

    def kind_of(self, type: str) -> Kind | None:
        """The kind of a type that the database names."""
        found = re.fullmatch(r"([a-z_ ]+?)\s*(?:\((\d+)(?:,\s*(\d+))?\))?( with(?:out)? time zone)?", type.lower())
        if not found:
            return None
        name = found[1] + (found[4] or "")
        if name in self.kinds:
            return self.kinds[name]
        if name in ("decimal", "numeric") and found[2]:
            return decimal(int(found[2]), int(found[3] or 0))
        # Fewer digits of a second than ours would cut some off.
        return None if found[2] and name.startswith("time") and found[2] != "6" else _KINDS.get(name)


DUCKDB = Dialect(
    types={
        "boolean": "BOOLEAN",
        "integer16": "SMALLINT",
        "integer32": "INTEGER",
        "integer64": "BIGINT",
        "float32": "FLOAT",
        "float64": "DOUBLE",
        "decimal": "DECIMAL({size},{scale})",
        "text": "VARCHAR",
        "binary": "BLOB",
        "date": "DATE",
        "time": "TIME",
        "timestamp": "TIMESTAMP",
        "instant": "TIMESTAMP WITH TIME ZONE",
    },
    unique=False,  # an index would have to stay in memory, and a load looks at all keys anyway
)

POSTGRES = Dialect(
    types={
        "boolean": "boolean",
        "integer16": "smallint",
        "integer32": "integer",
        "integer64": "bigint",
        "float32": "real",
        "float64": "double precision",
        "decimal": "numeric({size},{scale})",
        "text": "text",
        "binary": "bytea",
        "date": "date",
        "time": "time",
        "timestamp": "timestamp",
        "instant": "timestamp with time zone",
    },
    most_digits=76,
    longest_name=63,
    holds_nul=False,
)

SQLITE = Dialect(
    types={
        "boolean": "BOOLEAN",
        "integer": "BIGINT",
        "float": "DOUBLE",
        # SQLite would turn DECIMAL into binary floats; a type with TEXT in its name stays text.
        "decimal": "DECIMAL_TEXT",
        "text": "TEXT",
        "binary": "BLOB",
        "date": "DATE",
        "time": "TIME",
        "timestamp": "TIMESTAMP",
        "instant": "TIMESTAMP WITH TIME ZONE",
    },
    kinds={
        "integer": INTEGER,
        "int": INTEGER,
        "smallint": INTEGER,
        "real": FLOAT,
        "float": FLOAT,
        "decimal_text": ANY_DECIMAL,
        "numeric": None,
        "decimal": None,
    },
    instant=str,
    decimal_is_text=True,
    retypes=False,
    most_digits=76,
    holds_nan=False,
)


# -- prepares batches for the way -----------------------------------------------------------------------------------

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
