"""Rows as PostgreSQL reads them by COPY in its binary format, which costs both sides less than texts do.

Each row is the number of its fields, and each field its length in bytes and its bytes; an empty one has the length -1.
Numbers stand with their highest byte first. All of it is made column by column, and Arrow joins the fields of each row.
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sightline.flow.deliver._kinds import Kind

HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)  # no flags, and no more to the header
TRAILER = b"\xff\xff"

_Bytes = npt.NDArray[np.uint8]
_EMPTY = np.full(4, 0xFF, np.uint8)  # the length -1
# PostgreSQL counts days and microseconds from 1 January 2000, Arrow from 1970.
_EPOCH_DAYS = 10_957
_EPOCH_MICROSECONDS = _EPOCH_DAYS * 86_400_000_000
# A digit of `numeric` is four decimal ones.
_DIGIT, _DIGITS_EACH = 10_000, 4
# How `numeric` marks a number below zero.
_NEGATIVE = 0x4000
_LIMB_BITS = 32


def copied_rows(batch: Any, kinds: Sequence[Kind]) -> Any:
    """The rows of a batch whose columns are of these kinds, in the binary format of COPY."""
    rows = batch.num_rows
    count = np.frombuffer(np.array(batch.num_columns, ">i2").tobytes(), np.uint8)
    parts: list[Any] = [np.broadcast_to(count, (rows, len(count)))]
    for column, kind in zip(batch.columns, kinds, strict=True):
        parts += _fields(column, kind)
    # Neighbours of a fixed width become one column first, since Arrow takes as long for each that it joins.
    joined: list[Any] = []
    for is_fixed, some in groupby(parts, lambda part: isinstance(part, np.ndarray)):
        neighbours = list(some)
        joined += [_binary(np.concatenate(neighbours, axis=1))] if is_fixed else neighbours
    whole = pc.binary_join_element_wise(*joined, pa.scalar(b"", pa.binary()))
    _, offsets, content = whole.buffers()
    places = np.frombuffer(offsets, np.int32)
    return memoryview(content)[places[whole.offset] : places[whole.offset + rows]]


def _fields(column: Any, kind: Kind) -> list[Any]:
    """The fields of a column: bytes of a fixed width as a matrix of numpy, others as arrays of Arrow."""
    if kind.family in ("text", "binary"):
        content = column.cast(pa.binary())
        lengths = pc.fill_null(pc.binary_length(content), -1).to_numpy(zero_copy_only=False)
        return [_matrix(lengths, ">i4"), content if content.null_count == 0 else content.fill_null(b"")]
    values = _decimals(column, kind) if kind.family == "decimal" else _FIXED[kind.family](column, kind)
    width = np.frombuffer(np.array(values.shape[1], ">i4").tobytes(), np.uint8)
    fields = np.concatenate([np.broadcast_to(width, (len(values), len(width))), values], axis=1)
    return [fields] if column.null_count == 0 else [_with_empty(fields, column)]


def _with_empty(fields: _Bytes, column: Any) -> Any:
    """Fields of which the empty ones are their length alone."""
    filled = column.is_valid().to_numpy(zero_copy_only=False)
    fields[~filled, : len(_EMPTY)] = _EMPTY
    kept = np.broadcast_to(filled[:, None], fields.shape).copy()
    kept[:, : len(_EMPTY)] = True
    widths = np.where(filled, fields.shape[1], len(_EMPTY))
    return _array(fields[kept], np.concatenate([[0], np.cumsum(widths)]))


def _binary(matrix: _Bytes) -> Any:
    """A matrix as an array of Arrow, each row a value."""
    rows, width = matrix.shape
    return _array(matrix, np.arange(rows + 1) * width)


def _array(content: _Bytes, offsets: Any) -> Any:
    buffers = [None, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(np.ascontiguousarray(content))]
    return pa.Array.from_buffers(pa.binary(), len(offsets) - 1, buffers)


def _matrix(values: Any, type: str) -> _Bytes:
    """Numbers as rows of bytes, in a type of numpy that says their order."""
    width = np.dtype(type).itemsize
    return np.ascontiguousarray(values, dtype=type).view(np.uint8).reshape(len(values), width)


def _numbers(column: Any, type: Any) -> Any:
    """The values of a column as a type of the same width; what is empty is 0."""
    return column.view(type).fill_null(0).to_numpy(zero_copy_only=False)


def _booleans(column: Any, _: Kind) -> _Bytes:
    return _matrix(column.fill_null(fill_value=False).to_numpy(zero_copy_only=False), "u1")


def _integers(column: Any, kind: Kind) -> _Bytes:
    return _matrix(_numbers(column, column.type), f">i{kind.size // 8}")


def _floats(column: Any, kind: Kind) -> _Bytes:
    return _matrix(_numbers(column, column.type), f">f{kind.size // 8}")


def _days(column: Any, _: Kind) -> _Bytes:
    return _since(_numbers(column, pa.int32()), _EPOCH_DAYS, ">i4")


def _times(column: Any, _: Kind) -> _Bytes:
    return _matrix(_numbers(column, pa.int64()), ">i8")


def _instants(column: Any, _: Kind) -> _Bytes:
    return _since(_numbers(column, pa.int64()), _EPOCH_MICROSECONDS, ">i8")


def _since(values: Any, epoch: int, type: str) -> _Bytes:
    """Counted from another instant; what is too early for that stays so early that the server refuses it.

    The lowest number would be minus infinity there.
    """
    lowest = int(np.iinfo(values.dtype).min) + epoch + 1
    return _matrix(np.maximum(values, lowest) - epoch, type)


_FIXED: dict[str, Callable[[Any, Kind], _Bytes]] = {
    "boolean": _booleans,
    "integer": _integers,
    "float": _floats,
    "date": _days,
    "time": _times,
    "timestamp": _instants,
    "instant": _instants,
}


def _decimals(column: Any, kind: Kind) -> _Bytes:
    """Decimals as digits of `numeric`: how many, the weight of the first, the sign, those behind the point, and all.

    The server leaves out zeros at both ends, so all rows may have the same number of digits.
    """
    limbs, is_negative = _limbs(column)
    behind = -(-kind.scale // _DIGITS_EACH)
    _multiply(limbs, 10 ** (behind * _DIGITS_EACH - kind.scale))
    while len(limbs) > 1 and not limbs[-1].any():
        limbs.pop()
    digits = []
    while limbs:
        digits.append(_remainder(limbs))
        while limbs and not limbs[-1].any():
            limbs.pop()
    zero = np.zeros(len(column), np.uint64)
    digits += [zero] * (behind + 1 - len(digits))
    head = np.empty((len(column), 4), ">i2")
    head[:] = (len(digits), len(digits) - 1 - behind, 0, kind.scale)
    head[is_negative, 2] = _NEGATIVE
    return np.concatenate([head.view(np.uint8), *(_matrix(digit, ">i2") for digit in reversed(digits))], axis=1)


def _limbs(column: Any) -> tuple[list[Any], Any]:
    """The sizes of decimals as numbers of 32 bits, the lowest first, and which of them are below zero."""
    width = column.type.bit_width // _LIMB_BITS
    filled = column if column.null_count == 0 else column.fill_null(0)
    content = np.frombuffer(filled.buffers()[1], "<u4")
    words = content[filled.offset * width : (filled.offset + len(filled)) * width].reshape(-1, width)
    is_negative = words[:, -1] >> np.uint32(_LIMB_BITS - 1) == 1
    limbs = [words[:, place].astype(np.uint64) for place in range(width)]
    carry = is_negative.astype(np.uint64)
    for place, limb in enumerate(limbs):  # in two's complement, -x is the opposite of all bits, and 1 more
        turned = np.where(is_negative, limb ^ np.uint64(0xFFFFFFFF), limb) + carry
        limbs[place], carry = turned & np.uint64(0xFFFFFFFF), turned >> np.uint64(_LIMB_BITS)
    return limbs, is_negative


def _multiply(limbs: list[Any], factor: int) -> None:
    carry = np.zeros_like(limbs[0])
    for place, limb in enumerate(limbs):
        product = limb * np.uint64(factor) + carry
        limbs[place], carry = product & np.uint64(0xFFFFFFFF), product >> np.uint64(_LIMB_BITS)
    limbs.append(carry)


def _remainder(limbs: list[Any]) -> Any:
    """Divide by 10,000, and give what is left over: the lowest digit."""
    left = np.zeros_like(limbs[0])
    for place in reversed(range(len(limbs))):
        dividend = (left << np.uint64(_LIMB_BITS)) | limbs[place]
        limbs[place] = dividend // np.uint64(_DIGIT)
        left = dividend - limbs[place] * np.uint64(_DIGIT)
    return left
