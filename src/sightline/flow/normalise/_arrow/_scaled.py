"""Exact arithmetic with whole numbers of 64 bits: where it could overflow, the rows are left to decimals of Python."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sightline.flow.normalise._arrow._cells import Ints, Labels, TextBytes
from sightline.flow.normalise._shapes import AS_IS, LONG, NEGATIVE, way_of

__all__ = [
    "NO_PARTS",
    "PRECISION",
    "Bools",
    "Parts",
    "Scaled",
    "ShapeReader",
    "decimal_array",
    "divided",
    "parts_of",
    "scaled",
    "words_of",
]

Bools = npt.NDArray[np.bool_]
Parts: TypeAlias = tuple[int, int, int]
NO_PARTS: Parts = (0, 1, 1)

# What a decimal of Arrow, Parquet and DuckDB holds.
PRECISION = 38
# Half of what 64 bits hold, so that twice a remainder and the error of a float (one in 10^15) still fit.
_ROOM = float(1 << 62)
# Digits behind the point of numbers that are worth the quick way; more are rare, and would take the room of the others.
_MOST_SCALE = 9
_MOST_DIGITS = 18
# A float of at most so many digits is written by Python with exactly these: no two such decimals are one float.
_FLOAT_DIGITS = 15
_FLOAT_SCALES = (2, 6)
_EXACT = Context(prec=120)


@dataclass(frozen=True, slots=True)
class Scaled:
    """Whole numbers, each so many times ten to the power of minus `scale`; `good` says which of them are known."""

    numbers: Ints
    scale: int
    good: Bools

    @classmethod
    def of_digits(cls, numbers: Ints, scales: Ints, lengths: Ints, good: Bools) -> "Scaled":
        """Numbers with their own scales, brought to the largest; `lengths` says how many digits each has at most."""
        good = good & (scales <= _MOST_SCALE)
        scale = int(scales[good].max()) if good.any() else 0
        steps = np.where(good, scale - scales, 0)
        good = good & (lengths + steps <= _MOST_DIGITS)
        return cls(np.where(good, numbers * _POWERS[np.where(good, steps, 0)], 0), scale, good)


_POWERS = 10 ** np.arange(_MOST_DIGITS + 1, dtype=np.int64)


def scaled(column: Any) -> Scaled:
    """The numbers of a column of Arrow; those that do not fit, nulls among them, are not good."""
    valid = column.is_valid().to_numpy(zero_copy_only=False)
    nothing = Scaled(np.zeros(len(column), np.int64), 0, np.zeros(len(column), np.bool_))
    if pa.types.is_integer(column.type) and column.type != pa.uint64():
        numbers = column.cast(pa.int64()).fill_null(0).to_numpy()
        good = valid & (np.abs(numbers) < 10**_MOST_DIGITS) & (numbers != np.iinfo(np.int64).min)
        return Scaled(np.where(good, numbers, 0), 0, good)
    if pa.types.is_decimal128(column.type) and 0 <= column.type.scale <= _MOST_SCALE:
        return _of_decimals(column, valid)
    if pa.types.is_float64(column.type):
        return _of_floats(column.fill_null(0.0).to_numpy(), valid)
    return nothing


def _of_decimals(column: Any, valid: Bools) -> Scaled:
    words = np.frombuffer(column.buffers()[1], np.int64).reshape(-1, 2)[column.offset : column.offset + len(column)]
    low, high = words[:, 0], words[:, 1]
    good = valid & (high == low >> 63) & (low < 10**_MOST_DIGITS) & (low > -(10**_MOST_DIGITS))
    return Scaled(np.where(good, low, 0), column.type.scale, good)


def _of_floats(numbers: npt.NDArray[np.float64], valid: Bools) -> Scaled:
    """Floats as the decimals that Python writes; see _FLOAT_DIGITS."""
    with np.errstate(all="ignore"):
        for scale in _FLOAT_SCALES:
            power = float(10**scale)
            whole = np.rint(numbers * power)
            good = valid & (np.abs(whole) < 10**_FLOAT_DIGITS) & (whole / power == numbers)
            if good.sum() == valid.sum():
                break
    return Scaled(np.where(good, whole, 0).astype(np.int64), scale, good)


def parts_of(fraction: Fraction, own: int, digits: int, scale: int) -> Parts:
    """What a number at its own scale is multiplied and divided by to be a fraction of itself with so many digits.

    The third is by what the result is multiplied to be at the scale of the new column.
    """
    exact = fraction * Fraction(10) ** (digits - own)
    parts = (exact.numerator, exact.denominator, 10 ** (scale - digits))
    return parts if max(parts) < _ROOM else NO_PARTS


def divided(numbers: Scaled, by: Labels[Parts], rounding: str) -> tuple[Ints, Bools]:
    """Numbers multiplied and divided by their parts, rounded once; and which rows that was done for."""
    table = np.array(by.values, np.int64).reshape(-1, 3).T
    up, down = table[0][by.ids], table[1][by.ids]
    behind = table[2][by.ids] if (table[2] != 1).any() else np.int64(1)
    sizes = np.abs(numbers.numbers)
    with np.errstate(all="ignore"):
        estimate = sizes.astype(np.float64) * up
        good = numbers.good & (up > 0) & (estimate < _ROOM) & (estimate / down * behind < _ROOM)
    if not good.all():
        sizes, up, behind = np.where(good, sizes, 0), np.where(good, up, 1), np.where(good, behind, 1)
    products = sizes * up
    whole = products // down
    twice = (products - whole * down) * 2
    whole += (twice >= down) if rounding == "half-up" else (twice > down) | ((twice == down) & (whole % 2 == 1))
    return np.where(numbers.numbers < 0, -whole, whole) * behind, good


def words_of(numbers: Sequence[Decimal | None], scale: int) -> Ints:
    """Decimals as the two words of 64 bits that Arrow has for each; zeros for None."""
    whole = (0 if number is None else int(number.scaleb(scale, _EXACT)) for number in numbers)
    written = b"".join(number.to_bytes(16, "little", signed=True) for number in whole)
    return np.frombuffer(written, np.int64).reshape(-1, 2)


def decimal_array(numbers: Ints, known: Bools, scale: int, rows: Ints, words: Ints) -> Any:
    """A column of decimals: whole numbers at a scale where they are known, and the given words in other rows."""
    both = np.empty((len(numbers), 2), np.int64)
    both[:, 0], both[:, 1] = numbers, numbers >> 63
    both[rows] = words
    valid = None if known.all() else pa.py_buffer(np.packbits(known, bitorder="little"))
    return pa.Array.from_buffers(pa.decimal128(PRECISION, scale), len(numbers), [valid, pa.py_buffer(both)])


# Numbers in texts, a column at once: one text of each shape is read in full, the others by their digits.

Kind = TypeVar("Kind")

# Shapes that are remembered from batch to batch; a column of prices has some hundreds.
_MOST_SHAPES = 65_536
# More digits may not fit into 64 bits.
_MOST_READ_DIGITS = 18
_ZERO, _NINE = b"09"


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the digits of a text are, how many of them are behind the decimal mark, and its sign."""

    places: tuple[int, ...]
    scale: int
    sign: int


_UNKNOWN = _Layout((), 0, 0)


class ShapeReader(Generic[Kind]):
    """Reads columns of texts that hold numbers; `read` reads one in full, and says of which kind it is.

    A text that is more than its bare digits and decimal mark is not read here.
    """

    def __init__(self, read: Callable[[str], tuple[Decimal, Kind] | None], decimal: str) -> None:
        self._read, self._decimal = read, ord(decimal)
        self._forget()

    def _forget(self) -> None:
        self._known: dict[bytes, tuple[int, int]] = {}
        self._layouts: dict[_Layout, int] = {_UNKNOWN: 0}
        self._kinds: dict[Kind | None, int] = {None: 0}

    def read(self, texts: Any) -> tuple[Scaled, Labels[Kind | None]]:
        """The numbers of a column of texts without nulls, and their kinds."""
        written = TextBytes.of(texts)
        encoded = written.shapes.dictionary_encode()
        ids, shapes = encoded.indices.to_numpy(), encoded.dictionary.to_pylist()
        examples = np.zeros(len(shapes), np.int64)
        examples[ids] = np.arange(len(ids))
        ways = self._ways(shapes, lambda number: texts[examples[number]].as_py())
        layouts, kinds = ways[ids, 0], ways[ids, 1]
        return self._scaled(written, layouts), Labels(kinds, list(self._kinds))

    def _ways(self, shapes: Sequence[bytes], example: Callable[[int], str]) -> Ints:
        """The numbers of the layout and the kind of each shape."""
        if len(self._known) > _MOST_SHAPES:
            self._forget()
        for number, shape in enumerate(shapes):
            if shape not in self._known:
                self._known[shape] = self._examined(shape, example(number))
        return np.array([self._known[shape] for shape in shapes], np.int64).reshape(-1, 2)

    def _examined(self, shape: bytes, example: str) -> tuple[int, int]:
        found = None if shape == LONG.encode() else self._read(example)
        layout = self._layout(shape, example, found) if found else _UNKNOWN
        kind = found[1] if found else None
        return self._layouts.setdefault(layout, len(self._layouts)), self._kinds.setdefault(kind, len(self._kinds))

    def _layout(self, shape: bytes, example: str, found: tuple[Decimal, Kind]) -> _Layout:
        places = tuple(place for place, byte in enumerate(shape) if _ZERO <= byte <= _NINE)
        marks = [place for place, byte in enumerate(shape) if byte == self._decimal]
        if not 0 < len(places) <= _MOST_READ_DIGITS or len(marks) > 1 or 0 in shape:
            return _UNKNOWN
        written = example.encode()
        digits = "".join(chr(written[place]) for place in places)
        scale = sum(place > marks[0] for place in places) if marks else 0
        way = way_of(found, f"{digits}e-{scale}", Decimal)
        return _Layout(places, scale, {AS_IS: 1, NEGATIVE: -1}[way]) if way in (AS_IS, NEGATIVE) else _UNKNOWN

    def _scaled(self, written: TextBytes, layouts: Ints) -> Scaled:
        numbers = np.zeros(len(layouts), np.int64)
        known = list(self._layouts)
        for layout, rows in _grouped(layouts, len(known)):
            numbers[rows] = _digits(written, rows, known[layout])
        scales, lengths = (
            np.array([part(layout) for layout in known], np.int64)[layouts]
            for part in (lambda layout: layout.scale, lambda layout: len(layout.places))
        )
        return Scaled.of_digits(numbers, scales, lengths, layouts > 0)


def _grouped(layouts: Ints, count: int) -> list[tuple[int, Ints]]:
    """The rows of each layout but the unknown one."""
    order = np.argsort(layouts.astype(np.uint16), kind="stable") if count <= 1 << 16 else np.argsort(layouts)
    ends = np.cumsum(np.bincount(layouts, minlength=count))
    present = (layout for layout in range(1, count) if ends[layout] > ends[layout - 1])
    return [(layout, order[ends[layout - 1] : ends[layout]]) for layout in present]


def _digits(written: TextBytes, rows: Ints, layout: _Layout) -> Ints:
    starts = written.starts[rows]
    numbers = np.zeros(len(rows), np.int64)
    for place in layout.places:
        numbers = numbers * 10 + (written.data[starts + place] - _ZERO)
    return numbers * layout.sign
