"""Columns of Arrow as the steps read them: valid texts, numbers, dates; without dictionaries, runs and views."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sightline.flow.normalise._shapes import DAY, LETTERS, LONG, LONGEST, NUMBER, SHAPE, WORDS, SampledText, TextSample

__all__ = ["CellColumn", "Ints", "Labels", "TextBytes", "sampled_shapes", "sampled_texts"]

Ints: TypeAlias = npt.NDArray[np.int64]

# The first and the last day that Python has, counted from 1970; zones may move a moment by one.
_FIRST_DAY, _LAST_DAY = (day.toordinal() - date(1970, 1, 1).toordinal() for day in (date.min, date.max))


@dataclass(frozen=True)
class CellColumn:
    """A column to read, the same column to keep as the original, and how many of its texts were not UTF-8."""

    cells: Any
    original: Any
    mended: int = 0

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

    @property
    def is_text(self) -> bool:
        """Whether the cells are texts."""
        return _is_text(self.cells.type)

    @cached_property
    def filled(self) -> Any:
        """The texts, with empty ones for those that are missing; the steps read both alike."""
        return self.cells.fill_null("") if self.cells.null_count else self.cells


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


def sampled_shapes(column: Any, sample: TextSample) -> list[SampledText]:
    """What stands for the texts of a batch: one text for each shape of a number, all others themselves.

    If the sample has no room for others, these are grouped as it will count them.
    """
    texts = column.drop_null()
    encoded = TextBytes.of(texts).shapes.dictionary_encode()
    ids, shapes = encoded.indices.to_numpy(), encoded.dictionary.to_pylist()
    spoken = np.fromiter((NUMBER.fullmatch(shape) is not None for shape in shapes), bool, len(shapes))
    counts, firsts, lasts = _occurrences(ids, len(shapes))
    chosen = np.flatnonzero(spoken)
    examples = texts.take(pa.array(lasts[chosen])).to_pylist()
    found = [
        (int(firsts[number]), SampledText(text, int(counts[number]), shapes[number]))
        for number, text in zip(chosen.tolist(), examples, strict=True)
    ]
    rows = np.flatnonzero(~spoken[ids])
    if sample.is_full:
        known = pa.array(sample.own_texts, texts.type)
        is_known = pc.is_in(texts.take(pa.array(rows)), value_set=known).to_numpy(zero_copy_only=False)
        others = rows[~is_known]
        found += _grouped(texts.take(pa.array(others)), others, with_days=not sample.is_full_of_days)
        rows = rows[is_known]
    found += _distinct(texts.take(pa.array(rows)), rows)
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def _grouped(texts: Any, rows: Ints, *, with_days: bool) -> list[tuple[int, SampledText]]:
    """One text for all that differ in their words and digits, but for the day that they may begin with."""
    words = pc.replace_substring_regex(_translated(texts, LETTERS), WORDS, "a")
    keys = _translated(words, SHAPE)
    if with_days:
        begins = pc.match_substring_regex(words, "^[0-9]")
        days = pc.if_else(begins, pc.utf8_slice_codeunits(words, 0, DAY), pa.scalar("", words.type))
        keys = pc.binary_join_element_wise(days, keys, "")
    encoded = keys.dictionary_encode()
    counts, firsts, lasts = _occurrences(encoded.indices.to_numpy(), len(encoded.dictionary))
    examples = texts.take(pa.array(lasts)).to_pylist()
    return [
        (int(rows[first]), SampledText(text, int(count)))
        for text, first, count in zip(examples, firsts, counts, strict=True)
    ]


def _translated(texts: Any, table: bytes) -> Any:
    """Texts with other bytes, as many."""
    _, ends, data = texts.buffers()
    changed = pa.py_buffer(data.to_pybytes().translate(table) if data else b"")
    return pa.Array.from_buffers(texts.type, len(texts), [None, ends, changed], offset=texts.offset)


def sampled_texts(values: Sequence[str | None], ids: Ints) -> list[SampledText]:
    """Texts in the order of their first rows, each with its count; `ids` are their numbers in the rows."""
    counts, firsts, _ = _occurrences(ids, len(values))
    order = sorted((first, number) for number, first in enumerate(firsts.tolist()))
    texts = ((values[number], int(counts[number])) for _, number in order)
    return [SampledText(text, count) for text, count in texts if text is not None]


def _distinct(texts: Any, rows: Ints) -> list[tuple[int, SampledText]]:
    encoded = texts.dictionary_encode()
    values = encoded.dictionary.to_pylist()
    counts, firsts, _ = _occurrences(encoded.indices.to_numpy(), len(values))
    return [
        (int(rows[first]), SampledText(text, int(count)))
        for text, first, count in zip(values, firsts, counts, strict=True)
    ]


def _occurrences(ids: Any, kinds: int) -> tuple[Ints, Ints, Ints]:
    """How often each number occurs, and where first and last."""
    rows = np.arange(len(ids))
    firsts, lasts = np.zeros(kinds, np.int64), np.zeros(kinds, np.int64)
    firsts[ids[::-1]] = rows[::-1]
    lasts[ids] = rows
    return np.bincount(ids, minlength=kinds), firsts, lasts


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
