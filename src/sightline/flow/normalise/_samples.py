"""What decides the type of a long column: its texts by shape, counted; bounded, and the same for the same rows."""

import re
import string
from collections.abc import Iterable
from dataclasses import dataclass, field

from sightline.flow.normalise._shapes import LONGEST, SHAPE

__all__ = ["DAY", "LETTERS", "WORDS", "SampledText", "TextSample"]

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
