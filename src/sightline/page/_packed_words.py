"""Words and their boxes as streams.

Which words there are follows from the texts: all that stands between blanks, save where a line ends inside it. A word
begins where its text does, or a blank behind the one before it; the last ends where its text does; and the same word in
the same style is as wide as it was before. Only what is otherwise is kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, LongArray, prefix_sum
from sightline.page._canonical import Columns
from sightline.page._packed_boxes import (
    STEP,
    Keys,
    at,
    from_grid,
    mixed,
    on_grid,
    previous,
    read_bits,
    summed,
    write_bits,
)
from sightline.page._streams import StreamReader, StreamWriter

__all__ = ["read_words", "write_words"]

BLANKS = (0x20, 0x09, 0x0A, 0x0D, 0x0C)
# Longer words are distinguished only by this many characters.
TOLD_BY = 64
# One string may be the text of many nodes: at most this many characters are examined, ten times a long novel.
MOST_CHARACTERS = 20_000_000


def write_words(columns: Columns, strings: Sequence[str], fixed: LongArray | None, out: StreamWriter) -> None:
    """The words of the page; `fixed` are the boxes of the nodes on the grid."""
    texts = _Texts.of(columns, strings)
    node, start, end = (columns[f"word_{key}"].astype(np.int64) for key in ("node", "start", "end"))
    cut = texts.cut(node, start, end)
    boxes = on_grid(columns["word_box"]) if cut is not None and fixed is not None else None
    out.raw((b"cut " if cut is not None else b"row ") + (b"grid" if boxes is not None else b"bits"))
    if cut is not None:
        out.sparse(cut[0])
        out.ids(cut[1])
    else:
        out.ids(np.array([len(node)]))
        for column in (np.diff(node, prepend=0), start, end - start):
            out.sparse(column)
    if boxes is None or fixed is None:
        write_bits(columns["word_box"], out)
        return
    for column in _Lines.of(columns, texts, fixed, node, start, end).differences(boxes):
        out.sparse(column)


def read_words(columns: Columns, strings: Sequence[str], fixed: LongArray | None, source: StreamReader) -> Columns:
    """The four columns of words again."""
    form = source.raw()
    texts = _Texts.of(columns, strings) if form.startswith(b"cut ") else _Texts.none()
    if form.startswith(b"cut "):
        node, start, end = texts.words(source)
    else:
        count = int(source.ids(1)[0])
        node, start, length = (source.sparse(count) for _ in range(3))
        node, end = np.cumsum(node), start + length
    if form.endswith(b"grid"):
        if fixed is None:
            raise ValueError("words on a grid, but not their texts")
        lines = _Lines.of(columns, texts, fixed, node, start, end)
        box = from_grid(lines.boxes([source.sparse(len(node)) for _ in range(4)]))
    else:
        box = read_bits(len(node), source)
    narrow = {"word_node": node, "word_start": start, "word_end": end}
    return {key: column.astype(np.int32) for key, column in narrow.items()} | {"word_box": box}


@dataclass(frozen=True)
class _Texts:
    """The characters of all laid-out texts, one after the other, and the runs of them between blanks."""

    node: npt.NDArray[np.intp]
    first: LongArray  # where the characters of each text begin
    characters: npt.NDArray[np.uint32]
    run_begin: LongArray
    run_end: LongArray

    @classmethod
    def of(cls, columns: Columns, strings: Sequence[str]) -> "_Texts":
        """The texts that have a box; none if together they are too long."""
        node = np.flatnonzero((columns["text"] >= 0) & ~np.isnan(columns["box"][:, 0]))
        texts = [strings[number] for number in columns["text"][node].tolist()]
        if sum(map(len, texts)) > MOST_CHARACTERS:
            return cls.none()
        characters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype="<u4")
        last = np.cumsum([len(text) for text in texts], dtype=np.int64)
        first = np.concatenate([[0], last])[:-1].astype(np.int64)
        inside = np.concatenate([[False], ~np.isin(characters, BLANKS), [False]])
        new = np.zeros(len(characters) + 1, dtype=bool)
        new[first] = True
        begin = np.flatnonzero(inside[1:] & (~inside[:-1] | new))
        end = np.flatnonzero(inside[1:-1] & (~inside[2:] | new[1:])) + 1
        return cls(node, first, characters, begin, end)

    @classmethod
    def none(cls) -> "_Texts":
        """No texts at all."""
        nothing = np.zeros(0, dtype=np.int64)
        return cls(nothing, nothing, np.zeros(0, dtype=np.uint32), nothing, nothing)

    def place(self, node: LongArray, start: LongArray) -> LongArray:
        """Where these places in texts are among all characters; -1 in a text that is not laid out."""
        text = np.searchsorted(self.node, node)
        known = np.append(self.node, -1)[text] == node
        return np.where(known, np.append(self.first, 0)[text] + start, -1)

    def cut(self, node: LongArray, start: LongArray, end: LongArray) -> tuple[LongArray, LongArray] | None:
        """How many words more than one each run has, and the lengths of all but its last; None if it is not so."""
        begin = self.place(node, start)
        behind = begin + end - start
        run = np.searchsorted(self.run_begin, begin, side="right") - 1
        if len(begin) and (run.min() < 0 or (np.diff(begin) <= 0).any() or (end <= start).any()):
            return None
        goes_on = np.concatenate([run[1:] == run[:-1], [False]])[: len(run)]
        follows = np.concatenate([[False], goes_on[:-1]])[: len(run)]
        expected_begin = np.where(follows, np.concatenate([[0], behind])[: len(run)], self.run_begin[run])
        expected_end = np.where(goes_on, behind, self.run_end[run])
        if (begin != expected_begin).any() or (behind != expected_end).any():
            return None
        return np.bincount(run, minlength=len(self.run_begin)) - 1, (behind - begin)[goes_on]

    def words(self, source: StreamReader) -> tuple[LongArray, LongArray, LongArray]:
        """Node, start and end of the words that were cut so."""
        size = self.run_end - self.run_begin
        count = 1 + source.sparse(len(size))
        if ((count < 0) | (count > size)).any():
            raise ValueError("a text has more words than characters")
        run = np.repeat(np.arange(len(size)), count)
        goes_on = np.concatenate([run[1:] == run[:-1], [False]])[: len(run)]
        length = np.zeros(len(run), dtype=np.int64)
        length[goes_on] = source.ids(int(goes_on.sum()))
        begin = self.run_begin[run] + _running(length, ~np.concatenate([[False], goes_on])[: len(run)]) - length
        end = np.where(goes_on, begin + length, self.run_end[run])
        text = np.searchsorted(self.first, begin, side="right") - 1
        first = self.first[text]
        return self.node[text].astype(np.int64), begin - first, end - first


@dataclass(frozen=True)
class _Lines:
    """Where words stand: the boxes of their texts, which is the first and the last, and which were there before."""

    text: LongArray  # the box of each word's text
    first: BoolArray
    last: BoolArray
    style: LongArray
    word: Keys

    @classmethod
    def of(
        cls, columns: Columns, texts: _Texts, fixed: LongArray, node: LongArray, start: LongArray, end: LongArray
    ) -> "_Lines":
        """What is known of words before their boxes are."""
        rank = np.cumsum(~np.isnan(columns["box"][:, 0])) - 1
        changes = node[1:] != node[:-1]
        style = columns["style_of"][node].astype(np.int64)
        begin = texts.place(node, start)
        return cls(
            text=fixed[rank[node]],
            first=np.concatenate([[True], changes])[: len(node)],
            last=np.concatenate([changes, [True]])[: len(node)],
            style=style,
            word=_word_keys(texts.characters, begin, begin + end - start) * STEP + mixed(style),
        )

    def differences(self, boxes: LongArray) -> list[LongArray]:
        """What is left of y, height, x and width."""
        left, top, right, bottom = boxes.T
        down = np.where(self.first, top - self.text[:, 1], np.diff(top, prepend=0))
        starts = self._starts(down)
        gap = left - np.where(starts, self.text[:, 0], np.concatenate([[0], right])[: len(left)])
        height, width = bottom - top, right - left
        more = np.where(self.last, self.text[:, 2] - right, width - at(width, self._before()))
        same_style, same_gap = previous(self.style), previous(2 * self.style + starts)
        return [down, height - at(height, same_style), gap - at(gap, same_gap), more]

    def boxes(self, differences: list[LongArray]) -> LongArray:
        """The boxes on the grid again."""
        down, taller, wider_gap, more = differences
        top = self.text[:, 1] + _running(down, self.first)
        height = summed(taller, previous(self.style))
        starts = self._starts(down)
        gap = summed(wider_gap, previous(2 * self.style + starts))
        alone = self.first & self.last
        known = self.text[:, 2] - more - self.text[:, 0] - gap  # the width of a word that is alone in its text
        width = summed(np.where(alone, known, more), np.where(self.last, -1, self._before()))
        before = np.concatenate([[0], width])[: len(width)]
        left = self.text[:, 0] + _running(gap + np.where(starts, 0, before), starts)
        right = np.where(self.last, self.text[:, 2] - more, left + width)
        return np.stack([left, top, right, top + height], axis=1)

    def _starts(self, down: LongArray) -> BoolArray:
        """Which words begin a line."""
        starts: BoolArray = self.first | (down != 0)
        return starts

    def _before(self) -> npt.NDArray[np.intp]:
        """The same word before, if its width is known without the line's: it is not the last of several."""
        usable = np.flatnonzero(~self.last | self.first)
        link = np.full(len(self.last), -1, dtype=np.intp)
        link[usable] = np.append(usable, -1)[previous(self.word[usable])]
        return link


def _running(values: LongArray, first: BoolArray) -> LongArray:
    """The sum of the values since the last `first`, that one included."""
    total = np.cumsum(values)
    begins = np.flatnonzero(first)
    which = np.cumsum(first) - 1
    since: LongArray = total - (total - values)[begins][which]
    return since


def _word_keys(characters: npt.NDArray[np.uint32], begin: LongArray, end: LongArray) -> Keys:
    """A key for the characters of each word."""
    told = np.minimum(end - begin, TOLD_BY)
    which = np.repeat(np.arange(len(begin)), told)
    place = np.arange(len(which)) - (np.cumsum(told) - told)[which]
    terms = mixed(characters[begin[which] + place].astype(np.int64) * TOLD_BY + place)
    total = prefix_sum(terms)
    behind = np.cumsum(told)
    keys: Keys = total[behind] - total[behind - told]
    return keys
