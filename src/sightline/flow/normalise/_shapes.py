"""Speed for long columns: texts of one shape are read alike, so one of them is read for all.

The full reading of a number in `sightline.data` looks at footnotes, parentheses, scales and scripts, which takes forty
times as long as `Decimal(text)`. What it decides depends on the shape of a text alone: on where its digits are, and
which of them are zeros. So it reads one example of each shape. If the example is its bare digits and decimal mark, all
texts of the shape are; anything else is read in full.
"""

import re
import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from re import compile
from typing import TypeVar

__all__ = [
    "AS_IS",
    "DAY",
    "LETTERS",
    "LONG",
    "LONGEST",
    "NEGATIVE",
    "NUMBER",
    "SHAPE",
    "WORDS",
    "SampledText",
    "ShapedTexts",
    "TextSample",
    "read_numbers",
    "way_of",
]

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


# What decides the type of a long column: its texts by shape, counted; bounded, and the same for the same rows.

# Distinct texts that are kept as they are, and of each coarser kind. Deciding takes some 20 µs for each, so a second at
# most; at 200 characters a text they are 10 MB at worst. A column of days has 33,000 in ninety years.
_MOST, _MOST_COARSE = 32_768, 8_192
# The day of a moment, which decides the order of dates; what follows is the time.
DAY = 10
# Letters of all scripts alike, and words one after the other as one: what is prose is not told by which words it has.
LETTERS = bytes.maketrans(
    bytes(range(0x80, 0x100)) + string.ascii_letters.encode(), b"a" * (0x80 + len(string.ascii_letters))
)
WORDS = "a[a ,'-]*"
_WORDS = re.compile(WORDS.encode())


@dataclass(frozen=True, slots=True)
class SampledText:
    """A text with its count; `shape` is given if the text stands for all texts of that shape."""

    text: str
    count: int
    shape: bytes | None = None


@dataclass(slots=True)
class TextSample:
    """Texts with their counts, in the order in which they were first met.

    While there is room, this is what a column of Python is decided from. Then texts are counted with those that differ
    from them in their words and digits, but for the day that a text may begin with; then without that as well.
    `left_out` counts the texts that had no room even so.
    """

    most: int = _MOST
    left_out: int = 0
    _found: dict[tuple[int, bytes | str], tuple[str, int]] = field(default_factory=dict)
    _taken: list[int] = field(default_factory=lambda: [0, 0, 0])

    def add(self, texts: Iterable[SampledText]) -> None:
        """Count some more, in the order of their rows."""
        for one in texts:
            if one.shape is not None:
                self._count((-1, one.shape), one)
            elif not any(self._counted(level, one) for level in range(len(self._taken))):
                self.left_out += one.count

    def _counted(self, level: int, one: SampledText) -> bool:
        key = (level, _coarse(one.text[:LONGEST], level))
        if key not in self._found:
            if self._taken[level] >= (min(self.most, _MOST_COARSE) if level else self.most):
                return False
            self._taken[level] += 1
        self._count(key, one)
        return True

    def _count(self, key: tuple[int, bytes | str], one: SampledText) -> None:
        _, count = self._found.get(key, ("", 0))
        self._found[key] = (one.text[:LONGEST], count + one.count)

    @property
    def texts(self) -> dict[str, int]:
        """The texts and their counts."""
        found: dict[str, int] = {}
        for text, count in self._found.values():
            found[text] = found.get(text, 0) + count
        return found

    @property
    def is_full(self) -> bool:
        """Whether no other text is kept as it is."""
        return self._taken[0] >= self.most

    @property
    def is_full_of_days(self) -> bool:
        """Whether no other day is kept as it is."""
        return self._taken[1] >= min(self.most, _MOST_COARSE)

    @property
    def own_texts(self) -> list[str]:
        """The texts that are kept as they are."""
        return [key for level, key in self._found if level == 0 and isinstance(key, str)]

    @property
    def is_whole(self) -> bool:
        """Whether every text is in it, by itself or by its shape."""
        return not any(self._taken[1:]) and not self.left_out

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the decision."""
        told = f"type: decided without {self.left_out} texts, since the column has too many different ones"
        return (told,) if self.left_out else ()


def _coarse(text: str, level: int) -> bytes | str:
    if level == 0:
        return text
    words = _WORDS.sub(b"a", text.encode("utf-8", "surrogatepass").translate(LETTERS))
    kept = DAY if level == 1 and words[:1].isdigit() else 0
    return words[:kept] + words[kept:].translate(SHAPE)
