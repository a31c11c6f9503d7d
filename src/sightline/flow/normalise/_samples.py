"""What decides the type of a long column: its texts by shape, counted; bounded, and the same for the same rows."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from sightline.flow.normalise._shapes import LONGEST, SHAPE

__all__ = ["SampledText", "TextSample"]

# Distinct texts that are kept as they are, and as many again of each coarser kind. At 200 characters a text this is
# 40 MB at worst and a few for real columns; a column of days has 37,000 in a hundred years.
_MOST = 65_536
# The day of a moment, which decides the order of dates; what follows is the time.
_DAY = 10


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
    from them in the digits behind the tenth character, then with those that differ in any digits. `left_out` counts
    the texts that had no room even so.
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
            if self._taken[level] >= self.most:
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
    kept = text[:_DAY] if level == 1 else ""
    return kept.encode("utf-8", "surrogatepass") + text[len(kept) :].encode("utf-8", "surrogatepass").translate(SHAPE)
