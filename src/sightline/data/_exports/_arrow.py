"""Arrow, by its C stream interface: typed columns that pandas, polars and DuckDB read without us importing them."""

import io
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, TypeAlias

import nanoarrow as na
import numpy as np
import numpy.typing as npt

from sightline.data._column import Column, unique_names
from sightline.data._exports._text import encodable
from sightline.data._types import Typed
from sightline.errors import MissingExtra, UsageError

# What decimal128 can hold.
_PRECISION = 38
_EPOCH = datetime(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)
_LARGEST_OFFSET = 2**31 - 1

_Values: TypeAlias = Sequence[Typed | None]
_Built: TypeAlias = tuple[Any, list[Any]]


def arrow_stream(columns: Sequence[Column]) -> Any:
    """All columns as a stream of one struct array of nanoarrow."""
    built = [_column(column) for column in columns]
    names = unique_names(encodable(column.name) for column in columns)
    kinds = [_described(kind, column) for column, (kind, _) in zip(columns, built, strict=True)]
    schema = na.struct(dict(zip(names, kinds, strict=True)), nullable=False)
    length = len(columns[0].cells) if columns else 0
    children = [
        na.c_array_from_buffers(kind, length, buffers, null_count=column.values.count(None))
        for column, (kind, buffers) in zip(columns, built, strict=True)
    ]
    return na.c_array_stream(na.c_array_from_buffers(schema, length, [None], null_count=0, children=children))


def _described(kind: Any, column: Column) -> Any:
    """The Arrow type with the currency or the unit, which it cannot say itself, as metadata of the field."""
    told = {"currency": column.type.currency, "unit": column.type.unit}
    metadata = {f"sightline.{name}": text for name, text in told.items() if text}
    return na.c_schema(kind).modify(metadata=metadata) if metadata else kind


def _column(column: Column) -> _Built:
    values = column.values
    kind, buffers = _BUILDERS[_storage(column)](values)
    valid = np.fromiter((value is not None for value in values), bool, len(values))
    return kind, [np.packbits(valid, bitorder="little"), *buffers]


def _storage(column: Column) -> str:
    type = column.type
    if type.kind == "number":
        return "integer" if type.integer else "float"
    if type.kind == "date":
        return _date_storage(column)
    return {"money": "decimal", "measure": "float", "time": "time"}.get(type.kind, "text")


def _date_storage(column: Column) -> str:
    type = column.type
    if type.without_year and type.year is None:
        return "text"
    return "date" if not type.with_time else "stamp in UTC" if type.zoned else "stamp"


def _texts(values: _Values) -> _Built:
    encoded = [encodable(str(value)).encode() if value is not None else b"" for value in values]
    ends = np.cumsum([0, *map(len, encoded)])
    if ends[-1] > _LARGEST_OFFSET:
        return na.large_string(), [ends.astype(np.int64), b"".join(encoded)]
    return na.string(), [ends.astype(np.int32), b"".join(encoded)]


def _integers(values: _Values) -> _Built:
    return na.int64(), [_filled(values, np.int64, lambda value: value)]


def _floats(values: _Values) -> _Built:
    return na.float64(), [_filled(values, np.float64, lambda value: value)]


def _dates(values: _Values) -> _Built:
    return na.date32(), [_filled(values, np.int32, lambda value: value.toordinal() - _EPOCH.toordinal())]


def _times(values: _Values) -> _Built:
    return na.time64("us"), [_filled(values, np.int64, _microseconds_of_day)]


def _stamps(values: _Values) -> _Built:
    return na.timestamp("us"), [_filled(values, np.int64, _microseconds)]


def _stamps_in_utc(values: _Values) -> _Built:
    return na.timestamp("us", timezone="UTC"), [_filled(values, np.int64, _microseconds)]


def _decimals(values: _Values) -> _Built:
    numbers = [value if isinstance(value, Decimal) else None for value in values]
    scale = max((-int(number.as_tuple().exponent) for number in numbers if number is not None), default=0)
    scale = max(scale, 0)
    whole = [int(number.scaleb(scale)) if number is not None else 0 for number in numbers]
    if any(abs(number) >= 10**_PRECISION for number in whole):
        raise UsageError(f"A sum of money has more than {_PRECISION} digits; export it as text.")
    return na.decimal128(_PRECISION, scale), [b"".join(number.to_bytes(16, "little", signed=True) for number in whole)]


def _filled(values: _Values, dtype: npt.DTypeLike, convert: Callable[[Any], float]) -> npt.NDArray[Any]:
    return np.fromiter((0 if value is None else convert(value) for value in values), dtype, len(values))


def _microseconds_of_day(value: time) -> int:
    return ((value.hour * 60 + value.minute) * 60 + value.second) * 1_000_000 + value.microsecond


def _microseconds(value: date) -> int:
    stamp = value if isinstance(value, datetime) else datetime.combine(value, time())
    if stamp.tzinfo:
        stamp = stamp.astimezone(UTC).replace(tzinfo=None)
    return (stamp - _EPOCH) // _MICROSECOND


_BUILDERS: dict[str, Callable[[_Values], _Built]] = {
    "text": _texts,
    "integer": _integers,
    "float": _floats,
    "decimal": _decimals,
    "date": _dates,
    "time": _times,
    "stamp": _stamps,
    "stamp in UTC": _stamps_in_utc,
}


# Data frames of other libraries: pyarrow (and Parquet with it), pandas, polars; each an extra.


def pyarrow_table(data: Any) -> Any:
    """A pyarrow table of anything with an Arrow stream."""
    try:
        import pyarrow
    except ImportError as problem:
        raise MissingExtra("parquet", "An Arrow table") from problem
    return pyarrow.table(data)


def parquet_bytes(data: Any) -> bytes:
    """A Parquet file of anything with an Arrow stream."""
    try:
        import pyarrow.parquet
    except ImportError as problem:
        raise MissingExtra("parquet", "Writing Parquet files") from problem
    stream = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow_table(data), stream)
    return stream.getvalue()


def polars_frame(data: Any) -> Any:
    """A polars frame of anything with an Arrow stream."""
    try:
        import polars
    except ImportError as problem:
        raise MissingExtra("polars", "A polars frame") from problem
    return polars.DataFrame(data)


def pandas_frame(columns: Sequence[Column]) -> Any:
    """A pandas frame; made of the values, since pandas reads Arrow only with pyarrow beside it."""
    try:
        import pandas
    except ImportError as problem:
        raise MissingExtra("pandas", "A pandas frame") from problem
    series = {column.name: pandas.Series(list(column.values), dtype=_dtype(column)) for column in columns}
    return pandas.DataFrame(series, columns=[column.name for column in columns])


def _dtype(column: Column) -> str:
    type = column.type
    if type.kind == "number":
        return "Int64" if type.integer else "float64"
    if type.kind == "date" and not (type.without_year and type.year is None):
        return "datetime64[us, UTC]" if type.zoned else "datetime64[us]"
    return {"measure": "float64", "money": "object", "time": "object"}.get(type.kind, "object")
