"""Numbers in texts, a column at once: one text of each shape is read in full, the others by their digits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, TypeVar

import numpy as np

from sightline.flow.normalise._arrow._cells import Ints, TextBytes
from sightline.flow.normalise._arrow._labels import Labels
from sightline.flow.normalise._arrow._scaled import Scaled
from sightline.flow.normalise._shapes import AS_IS, LONG, NEGATIVE, way_of

__all__ = ["ShapeReader"]

Kind = TypeVar("Kind")

# Shapes that are remembered from batch to batch; a column of prices has some hundreds.
_MOST_SHAPES = 65_536
# More digits may not fit into 64 bits.
_MOST_DIGITS = 18
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
        if not 0 < len(places) <= _MOST_DIGITS or len(marks) > 1 or 0 in shape:
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
