"""Exact arithmetic with whole numbers of 64 bits: where it could overflow, the rows are left to decimals of Python.

The full reading of a number in `sightline.data` looks at footnotes, parentheses, scales and scripts, which takes forty
times as long as `Decimal(text)`. What it decides depends on the shape of a text alone: on where its digits are, and
which of them are zeros. So one example of each shape is read. If the example is its bare digits and decimal mark, all
texts of the shape are; anything else is read in full.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sightline.flow.normalise._cells import LONG, Bools, Ints, Labels, TextBytes

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
    """Whole numbers, each so many times ten to the power of minus `scale`; `good` says which of them are known.

    `digits` says how many digits behind the point each was written with.
    """

    numbers: Ints
    scale: int
    good: Bools
    digits: Ints

    @classmethod
    def of_digits(cls, numbers: Ints, scales: Ints, lengths: Ints, good: Bools) -> "Scaled":
        """Numbers with their own scales, brought to the largest; `lengths` says how many digits each has at most."""
        good = good & (scales <= _MOST_SCALE)
        scale = int(scales[good].max()) if good.any() else 0
        steps = np.where(good, scale - scales, 0)
        good = good & (lengths + steps <= _MOST_DIGITS)
        return cls(np.where(good, numbers * _POWERS[np.where(good, steps, 0)], 0), scale, good, scales)

    @classmethod
    def of_column(cls, numbers: Ints, scale: int, good: Bools) -> "Scaled":
        """Numbers that all have one scale."""
        return cls(np.where(good, numbers, 0), scale, good, np.full(len(numbers), scale))


_POWERS = 10 ** np.arange(_MOST_DIGITS + 1, dtype=np.int64)


def scaled(column: Any) -> Scaled:
    """The numbers of a column of Arrow; those that do not fit, nulls among them, are not good."""
    valid = column.is_valid().to_numpy(zero_copy_only=False)
    if pa.types.is_integer(column.type) and column.type != pa.uint64():
        numbers = column.cast(pa.int64()).fill_null(0).to_numpy()
        good = valid & (np.abs(numbers) < 10**_MOST_DIGITS) & (numbers != np.iinfo(np.int64).min)
        return Scaled.of_column(numbers, 0, good)
    if pa.types.is_decimal128(column.type) and 0 <= column.type.scale <= _MOST_SCALE:
        return _of_decimals(column, valid)
    if pa.types.is_float64(column.type):
        return _of_floats(column.fill_null(0.0).to_numpy(), valid)
    return Scaled.of_column(np.zeros(len(column), np.int64), 0, np.zeros(len(column), np.bool_))


def _of_decimals(column: Any, valid: Bools) -> Scaled:
    words = np.frombuffer(column.buffers()[1], np.int64).reshape(-1, 2)[column.offset : column.offset + len(column)]
    low, high = words[:, 0], words[:, 1]
    good = valid & (high == low >> 63) & (low < 10**_MOST_DIGITS) & (low > -(10**_MOST_DIGITS))
    return Scaled.of_column(low, column.type.scale, good)


def _of_floats(numbers: npt.NDArray[np.float64], valid: Bools) -> Scaled:
    """Floats as the decimals that Python writes; see _FLOAT_DIGITS."""
    with np.errstate(all="ignore"):
        for scale in _FLOAT_SCALES:
            power = float(10**scale)
            whole = np.rint(numbers * power)
            good = valid & (np.abs(whole) < 10**_FLOAT_DIGITS) & (whole / power == numbers)
            if good.sum() == valid.sum():
                break
    return Scaled.of_column(np.where(good, whole, 0).astype(np.int64), scale, good)


def parts_of(fraction: Fraction, own: int, digits: int, scale: int) -> Parts:
    """What a number at its own scale is multiplied and divided by to be a fraction of itself with so many digits.

    The third is by what the result is multiplied to be at the scale of the new column.
    """
    if digits > scale:
        return NO_PARTS
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


@dataclass(frozen=True, slots=True)
class Decimals:
    """Decimals as whole numbers at one scale, where they are `good`, each to be written with so many digits."""

    numbers: Ints
    scale: int
    good: Bools
    digits: Ints

    def stored(self) -> Any:
        """They as a column of Arrow; null where they are not good."""
        both = np.empty((len(self.numbers), 2), np.int64)
        both[:, 0], both[:, 1] = self.numbers, self.numbers >> 63
        return _of_words(both, self.good, self.scale)

    def listed(self) -> list[Any]:
        """They as decimals of Python."""
        digits = np.minimum(self.digits, self.scale)
        whole = self.numbers // _POWERS[self.scale - digits]
        return list(map(_EXACT.scaleb, map(Decimal, whole.tolist()), (-digits).tolist()))


def decimal_array(numbers: Sequence[Decimal | None], scale: int) -> Any:
    """Decimals of Python as a column; word by word, since Arrow refuses some of their spellings (0E+39)."""
    known = np.array([number is not None for number in numbers], np.bool_)
    whole = (0 if number is None else int(number.scaleb(scale, _EXACT)) for number in numbers)
    words = b"".join(number.to_bytes(16, "little", signed=True) for number in whole)
    return _of_words(np.frombuffer(words, np.int64).reshape(-1, 2), known, scale)


def _of_words(words: Ints, known: Bools, scale: int) -> Any:
    valid = None if known.all() else pa.py_buffer(np.packbits(known, bitorder="little"))
    return pa.Array.from_buffers(pa.decimal128(PRECISION, scale), len(words), [valid, pa.py_buffer(words)])


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
        bare = Decimal(f"{digits}e-{scale}")
        sign = 1 if bare == found[0] else -1 if -bare == found[0] else 0
        return _Layout(places, scale, sign) if sign else _UNKNOWN

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
