"""Data frames of other libraries: pyarrow (and Parquet with it), pandas, polars; each an extra."""

import io
from collections.abc import Sequence
from typing import Any

from sightline.data._column import Column
from sightline.errors import MissingExtra

__all__ = ["pandas_frame", "parquet_bytes", "polars_frame", "pyarrow_table"]


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
