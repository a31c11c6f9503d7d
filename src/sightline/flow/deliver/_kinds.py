"""Kinds of columns, alike in every database: from Arrow types, and which of them fits into which without loss."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sightline.errors import MissingExtra

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
