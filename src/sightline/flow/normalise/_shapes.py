"""Speed for long columns: texts of one shape are read alike, so one of them is read for all.

The full reading of a number in `sightline.data` looks at footnotes, parentheses, scales and scripts, which takes forty
times as long as `Decimal(text)`. What it decides depends on the shape of a text alone: on where its digits are, and
which of them are zeros. So it reads one example of each shape. If the example is its bare digits and decimal mark, all
texts of the shape are; anything else is read in full.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from re import compile
from typing import TypeVar

__all__ = ["AS_IS", "LONG", "LONGEST", "NEGATIVE", "NUMBER", "SHAPE", "ShapedTexts", "read_numbers", "way_of"]

Number = TypeVar("Number", int, float, Decimal)
Kind = TypeVar("Kind")

_BETWEEN = "\0"
SHAPE = bytes.maketrans(b"23456789", b"11111111")
# ShapedTexts of which one text says what all others do. Dates are not among them: of those, each day counts.
NUMBER = compile(
    rb"[^01/:\-]{0,12}-?[^01/:\-]{0,12}(?:[01]+|[01]{1,3}(?:[.,'][01]{3})+)(?:[.,][01]+)?(?![01.])[^01/:\-]{0,12}"
)
# Longer texts are prose, and no numbers; their common shape has no digit.
LONGEST = 200
LONG = "(long)"
_LONG_SHAPE = LONG.encode()


@dataclass(frozen=True, slots=True)
class ShapedTexts:
    """The texts of a column with the shape of each, and an example of each shape."""

    texts: Sequence[str]
    shapes: Sequence[bytes]
    examples: dict[bytes, str]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "ShapedTexts":
        """All at once: bytes are translated ten times as fast as texts one by one."""
        short = [text if len(text) <= LONGEST else LONG for text in texts]
        shapes = _translated(short, SHAPE, b"")
        return cls(texts, shapes, dict(zip(shapes, texts, strict=True)))

    def sample(self) -> Iterator[str]:
        """Texts that decide the type of the column as all its texts would: one for each shape, in its rows.

        >>> list(ShapedTexts.of(["1.25", "2.75", "2/5/2024", "3/5/2024"]).sample())
        ['2.75', '2.75', '2/5/2024', '3/5/2024']
        """
        spoken_for = {shape: text for shape, text in self.examples.items() if NUMBER.fullmatch(shape)}
        pairs = zip(self.shapes, self.texts, strict=True)
        return (spoken_for[shape] if shape in spoken_for else text[:LONGEST] for shape, text in pairs)

    def numerals(self, decimal: str) -> list[str]:
        """The digits of each text and its decimal mark, as a point; nothing else."""
        table = bytes.maketrans(decimal.encode(), b".")
        dropped = bytes(set(range(256)) - set(b"\x000123456789") - set(decimal.encode()))
        short = [text if len(text) <= LONGEST else LONG for text in self.texts]
        return [numeral.decode() for numeral in _translated(short, table, dropped)]


def _translated(texts: Sequence[str], table: bytes, dropped: bytes) -> list[bytes]:
    joined = _BETWEEN.join(texts).encode("utf-8", "surrogatepass").translate(table, dropped).split(b"\0")
    if len(joined) == len(texts):
        return joined
    return [text.encode("utf-8", "surrogatepass").translate(table, dropped) for text in texts]


def read_numbers(
    column: ShapedTexts,
    decimal: str,
    read: Callable[[str], tuple[Number, Kind] | None],
    number: Callable[[str], Number],
) -> tuple[list[Number | None], list[Kind | None]]:
    """The number in every text of a column and its kind, as `read` gives them; None for both where it gives None.

    `number` makes a number of bare digits.
    """
    numerals = column.numerals(decimal)
    numeral_of = dict(zip(column.shapes, numerals, strict=True))
    read_once = {shape: read(example) for shape, example in column.examples.items()}
    ways = {shape: way_of(found, numeral_of[shape], number) for shape, found in read_once.items()}
    if _LONG_SHAPE in ways:
        ways[_LONG_SHAPE] = _IN_FULL
    kinds = [None if (found := read_once[shape]) is None else found[1] for shape in column.shapes]
    if set(ways.values()) == {AS_IS}:
        return list(map(number, numerals)), kinds
    results: list[Number | None] = [None] * len(numerals)
    for row, (shape, numeral) in enumerate(zip(column.shapes, numerals, strict=True)):
        way = ways[shape]
        if way == _IN_FULL:
            results[row], kinds[row] = read(column.texts[row]) or (None, None)
        elif way != _UNREAD:
            results[row] = number(numeral) if way == AS_IS else -number(numeral)
    return results, kinds


_UNREAD, AS_IS, NEGATIVE, _IN_FULL = range(4)


def way_of(found: tuple[Number, Kind] | None, numeral: str, number: Callable[[str], Number]) -> int:
    """How texts of a shape become numbers: from their digits, or in full, such as 5 million or 5 with a footnote."""
    if found is None:
        return _UNREAD
    try:
        bare = number(numeral)
    except (ValueError, ArithmeticError):
        return _IN_FULL
    return AS_IS if bare == found[0] else NEGATIVE if -bare == found[0] else _IN_FULL
