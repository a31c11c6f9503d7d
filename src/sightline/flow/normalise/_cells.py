"""Columns as the steps read them: of Arrow valid texts, numbers and dates; without dictionaries, runs and views.

Columns of Python become columns of Arrow as far as these have room for what is in them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sightline.data import Value

Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

# A text that differs from another one only in these has the same shape.
SHAPE = bytes.maketrans(b"23456789", b"11111111")
# Longer texts are prose, and no numbers; their common shape has no digit.
LONGEST = 200
LONG = "(long)"

# The first and the last day that Python has, counted from 1970; zones may move a moment by one.
_FIRST_DAY, _LAST_DAY = (day.toordinal() - date(1970, 1, 1).toordinal() for day in (date.min, date.max))


@dataclass(frozen=True)
class CellColumn:
    """A column to read, the same column to keep as the original, and how many of its texts were not UTF-8.

    `others` has the cells of a column of Python that do not fit beside the others, by row; these are null in `cells`.
    """

    cells: Any
    original: Any
    mended: int = 0
    others: Mapping[int, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, column: Any) -> "CellColumn":
        r"""Prepare a column; bytes that are not UTF-8 are written as `\xff`, since no text of Arrow may have them."""
        plain = _plain(column)
        if _is_binary(plain.type) or _is_text(plain.type):
            texts, mended = _valid(plain)
            return cls(texts, plain if _is_binary(plain.type) else texts, mended)
        if pa.types.is_nested(plain.type) or _is_odd(plain.type):
            return cls(_named(plain), plain)
        return cls(_in_reach(plain), plain)

    @classmethod
    def of_values(cls, values: Sequence[Any]) -> "CellColumn":
        """Prepare a column of Python: of one kind if it is, else its texts, and all others beside them."""
        kinds = set(map(type, values)) - {type(None)}
        if len(kinds) == 1 and (typed := _typed(values, *kinds)) is not None:
            return cls(typed, typed)
        cells = [value.text if isinstance(value, Value) else value for value in values]
        others = {row: cell for row, cell in enumerate(cells) if not (cell is None or _is_utf8(cell))}
        texts = [None if row in others else cell for row, cell in enumerate(cells)] if others else cells
        column = pa.array(texts, pa.large_string())
        return cls(column, column, others=others)

    @property
    def is_text(self) -> bool:
        """Whether the cells are texts."""
        return _is_text(self.cells.type)

    @cached_property
    def filled(self) -> Any:
        """The texts, with empty ones for those that are missing; the steps read both alike."""
        return self.cells.fill_null("") if self.cells.null_count else self.cells

    @cached_property
    def is_other(self) -> Bools:
        """Which rows are among the others."""
        found = np.zeros(len(self.cells), np.bool_)
        found[list(self.others)] = True
        return found

    def labels(self, rows: Ints | None = None) -> "Labels[Any]":
        """The different cells of all rows, or of some."""
        found = Labels.of(self.cells if rows is None else self.cells.take(pa.array(rows)))
        if not self.others:
            return found
        ids, values = found.ids.copy(), list(found.values)
        known: dict[tuple[type, str], int] = {}
        for place, row in enumerate(range(len(ids)) if rows is None else rows.tolist()):
            if row in self.others:
                value = self.others[row]
                # 1, 1.0 and True are equal, as are moments in two zones, but they are not written alike.
                ids[place] = number = known.setdefault((type(value), str(value)), len(values))
                if number == len(values):
                    values.append(value)
        return Labels(ids, values)


def _typed(values: Sequence[Any], kind: type) -> Any:
    """Values of one kind as a column of Arrow that says as much as they do; None where there is none."""
    if kind not in _KINDS or (kind is Decimal and not _have_one_scale(values)):
        return None
    try:
        return pa.array(values, _KINDS[kind])
    except (pa.ArrowInvalid, OverflowError, UnicodeEncodeError):
        return None


# The types of Arrow; that of decimals depends on their digits.
_KINDS = {str: pa.large_string(), int: pa.int64(), float: pa.float64(), date: pa.date32(), Decimal: None}


def _have_one_scale(values: Sequence[Decimal | None]) -> bool:
    """Whether all decimals are finite and have as many digits behind the point; and none is a zero below zero."""
    scales = {value.as_tuple().exponent for value in values if value is not None}
    return (
        len(scales) == 1
        and all(isinstance(scale, int) and scale <= 0 for scale in scales)
        and not any(value.is_zero() and value.is_signed() for value in values if value is not None)
    )


def _is_utf8(cell: Any) -> bool:
    if not isinstance(cell, str):
        return False
    try:
        cell.encode()
    except UnicodeEncodeError:
        return False
    return True


def _plain(column: Any) -> Any:
    if isinstance(column, pa.ChunkedArray):
        return _plain(column.combine_chunks())
    if isinstance(column.type, pa.BaseExtensionType):
        return _plain(column.storage)
    if pa.types.is_dictionary(column.type):
        return _plain(column.dictionary_decode())
    if pa.types.is_run_end_encoded(column.type):
        return _plain(pc.run_end_decode(column))
    if pa.types.is_string_view(column.type):
        return _plain(column.cast(pa.large_string()))
    if pa.types.is_binary_view(column.type):
        return _plain(column.cast(pa.large_binary()))
    if pa.types.is_fixed_size_binary(column.type):
        return _plain(column.cast(pa.binary()))
    return column


def _is_text(type: Any) -> bool:
    return bool(pa.types.is_string(type) or pa.types.is_large_string(type))


def _is_binary(type: Any) -> bool:
    return bool(pa.types.is_binary(type) or pa.types.is_large_binary(type))


def _is_odd(type: Any) -> bool:
    """Whether Python names the values better than any step could read them."""
    return bool(pa.types.is_time(type) or pa.types.is_duration(type) or pa.types.is_interval(type))


def _in_reach(column: Any) -> Any:
    """Dates as Python can have them: to the microsecond, from the year 1 to 9999; as texts if any is outside."""
    if not (pa.types.is_timestamp(column.type) or pa.types.is_date(column.type)):
        return column
    days = column.cast(pa.timestamp("s"), safe=False) if pa.types.is_timestamp(column.type) else column
    reach = pc.min_max(days.cast(pa.date32(), safe=False).cast(pa.int32()))
    if reach["min"].is_valid and not _FIRST_DAY < reach["min"].as_py() <= reach["max"].as_py() < _LAST_DAY:
        return column.cast(pa.large_string())
    if pa.types.is_timestamp(column.type) and column.type.unit == "ns":
        return column.cast(pa.timestamp("us", column.type.tz), safe=False)
    return column


def _named(column: Any) -> Any:
    return pa.array([None if value is None else str(value) for value in column.to_pylist()], pa.large_string())


def _valid(column: Any) -> tuple[Any, int]:
    """Texts of valid UTF-8, and how many had to be mended for that."""
    is_large = pa.types.is_large_binary(column.type) or pa.types.is_large_string(column.type)
    kind = pa.large_string() if is_large else pa.string()
    texts = column.view(kind) if column.type != kind else column
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        cells = column.view(pa.large_binary() if is_large else pa.binary()).to_pylist()
        decoded = [None if cell is None else cell.decode("utf-8", "backslashreplace") for cell in cells]
        pairs = zip(cells, decoded, strict=True)
        mended = sum(cell is not None and (text or "").encode() != cell for cell, text in pairs)
        return pa.array(decoded, kind), mended
    return texts, 0


@dataclass(frozen=True)
class TextBytes:
    """The bytes of texts one after the other, where each begins, and the texts' shapes."""

    data: npt.NDArray[np.uint8]
    starts: Ints
    shapes: Any

    @classmethod
    def of(cls, texts: Any) -> "TextBytes":
        """Those of a column of texts without nulls; one that is too long to be a number has the shape of prose."""
        texts = _shortened(texts)
        count = len(texts)
        is_large = pa.types.is_large_string(texts.type)
        _, ends, data = texts.buffers()
        width = np.int64 if is_large else np.int32
        offsets = np.frombuffer(ends, width)[texts.offset : texts.offset + count + 1] if ends else np.zeros(1, width)
        first, last = int(offsets[0]), int(offsets[-1])
        read = data.slice(first, last - first).to_pybytes() if data else b""
        offsets = offsets - first if count else np.zeros(1, width)
        binary = pa.large_binary() if is_large else pa.binary()
        buffers = [None, pa.py_buffer(offsets.astype(width)), pa.py_buffer(read.translate(SHAPE))]
        shapes = pa.Array.from_buffers(binary, count, buffers)
        return cls(np.frombuffer(read, np.uint8), offsets[:-1].astype(np.int64), shapes)


def _shortened(texts: Any) -> Any:
    is_long = pc.greater(pc.binary_length(texts), LONGEST)
    if not pc.any(is_long).as_py():
        return texts
    is_prose = pc.greater(pc.utf8_length(texts), LONGEST)
    return pc.if_else(is_prose, pa.scalar(LONG, texts.type), texts)


# A column of few different values, as numbers of those values: what is asked of the values is asked once for each.

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Labels(Generic[T]):
    """The number of each row's value among `values`."""

    ids: Ints
    values: Sequence[T]

    @classmethod
    def of(cls, column: Any) -> "Labels[Any]":
        """Those of a column of Arrow; the values as Python has them, in the order of their first rows."""
        encoded = column.dictionary_encode(null_encoding="encode")
        return Labels(encoded.indices.to_numpy().astype(np.int64), encoded.dictionary.to_pylist())

    @classmethod
    def same(cls, value: T, count: int) -> "Labels[T]":
        """One value for all rows."""
        return cls(np.zeros(count, np.int64), [value])

    def mapped(self, change: Callable[[T], U]) -> "Labels[U]":
        """Other values instead."""
        return Labels(self.ids, [change(value) for value in self.values])

    def replaced(self, values: Sequence[U]) -> "Labels[U]":
        """Other values instead, in the same order."""
        return Labels(self.ids, values)

    def at(self, rows: Ints) -> "Labels[T]":
        """Those of some rows."""
        return Labels(self.ids[rows], self.values)

    def joined(self, other: "Labels[U]") -> "Labels[tuple[T, U]]":
        """Pairs of values: those that occur, in the order of their first rows."""
        width = len(other.values)
        encoded = pa.array(self.ids * width + other.ids).dictionary_encode()
        pairs = [(self.values[key // width], other.values[key % width]) for key in encoded.dictionary.to_pylist()]
        return Labels(encoded.indices.to_numpy().astype(np.int64), pairs)
