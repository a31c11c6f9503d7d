"""What decides the type of a long column: its texts by shape, counted; bounded, and the same for the same rows."""

import re
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sightline.flow.normalise._cells import LONGEST, SHAPE, Ints, TextBytes

# Shapes of which one text says what all others do. Dates are not among them: of those, each day counts.
_NUMBER = re.compile(
    rb"[^01/:\-]{0,12}-?[^01/:\-]{0,12}(?:[01]+|[01]{1,3}(?:[.,'][01]{3})+)(?:[.,][01]+)?(?![01.])[^01/:\-]{0,12}"
)
# Distinct texts that are kept as they are, and of each coarser kind. Deciding takes some 20 µs for each, so a second at
# most; at 200 characters a text they are 10 MB at worst. A column of days has 33,000 in ninety years.
_MOST, _MOST_COARSE = 32_768, 8_192
# The day of a moment, which decides the order of dates; what follows is the time.
_DAY = 10
# Letters of all scripts alike, and words one after the other as one: what is prose is not told by which words it has.
_LETTERS = bytes.maketrans(
    bytes(range(0x80, 0x100)) + string.ascii_letters.encode(), b"a" * (0x80 + len(string.ascii_letters))
)
_WORD = "a[a ,'-]*"
_WORDS = re.compile(_WORD.encode())


@dataclass(frozen=True, slots=True)
class SampledText:
    """A text with its count; `shape` is given if the text stands for all texts of that shape."""

    text: str
    count: int
    shape: bytes | None = None


@dataclass(slots=True)
class TextSample:
    """Texts with their counts, in the order in which they were first met.

    While there is room, each is kept as it is. Then texts are counted with those that differ from them in their words
    and digits, but for the day that a text may begin with; then without that as well.
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
    words = _WORDS.sub(b"a", text.encode("utf-8", "surrogatepass").translate(_LETTERS))
    kept = _DAY if level == 1 and words[:1].isdigit() else 0
    return words[:kept] + words[kept:].translate(SHAPE)


def sampled_shapes(column: Any, sample: TextSample) -> list[SampledText]:
    """What stands for the texts of a batch: one text for each shape of a number, all others themselves.

    If the sample has no room for others, these are grouped as it will count them.
    """
    texts = column.drop_null()
    encoded = TextBytes.of(texts).shapes.dictionary_encode()
    ids, shapes = encoded.indices.to_numpy(), encoded.dictionary.to_pylist()
    spoken = np.fromiter((_NUMBER.fullmatch(shape) is not None for shape in shapes), bool, len(shapes))
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
    words = pc.replace_substring_regex(_translated(texts, _LETTERS), _WORD, "a")
    keys = _translated(words, SHAPE)
    if with_days:
        begins = pc.match_substring_regex(words, "^[0-9]")
        days = pc.if_else(begins, pc.utf8_slice_codeunits(words, 0, _DAY), pa.scalar("", words.type))
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
