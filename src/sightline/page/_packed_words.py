"""Words and their boxes as streams.

Which words there are follows from the texts: all that stands between blanks, save where a line ends inside it. A word
begins where its text does, or a blank behind the one before it; the last ends where its text does; and the same word in
the same style is as wide as it was before. Only what is otherwise is kept.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray, LongArray, prefix_sum
from sightline.page._canonical import Columns
from sightline.page._columns import depths, parents
from sightline.page._packed_boxes import (
    STEP,
    Keys,
    StreamReader,
    StreamWriter,
    at,
    from_grid,
    mixed,
    on_grid,
    previous,
    read_bits,
    summed,
    write_bits,
)

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


# Tree, names, attributes and styles of a page as streams.
#
# What a node is (levels closed before it, tag, names of its attributes, style, whether it has a box) repeats from row
# to row and from item to item. So each distinct combination is one token, and a page is a sequence of tokens.

# What a token is made of.
TOKEN = ("closed", "tag", "shape", "style_of", "edge", "has_text", "has_box")


def write_tree(columns: Columns, out: StreamWriter) -> None:
    """Everything but boxes and words."""
    shapes, shape = _shapes(columns)
    depth = depths(columns["parent"]).astype(np.int64)
    node = columns | {
        "closed": np.concatenate([[0], depth[:-1] + 1 - depth[1:]]) if len(depth) else depth,
        "shape": shape,
        "has_text": columns["text"] >= 0,
        "has_box": ~np.isnan(columns["box"][:, 0]),
    }
    table, token = _distinct(np.stack([node[key].astype(np.int64) for key in TOKEN], axis=1))
    out.ids(token)
    for column in table.T:
        out.ids(column)
    out.ids(np.array([len(one) for one in shapes], dtype=np.int64))
    out.ids(np.array([name for one in shapes for name in one], dtype=np.int64))
    known = _write_new(columns["text"][node["has_text"]], 0, out)
    _write_new(columns["attribute_value"], known, out)
    _write_styles(columns["styles"], out)


def read_tree(source: StreamReader) -> Columns:
    """The columns again, with `has_box` in place of boxes."""
    token = source.ids()
    table = {key: source.ids() for key in TOKEN}
    if len({len(column) for column in table.values()}) != 1:
        raise ValueError("the tokens do not agree")
    node = {key: column[token] for key, column in table.items()}
    shape_size = source.ids()
    names = source.ids(int(shape_size.sum()))
    start = prefix_sum(shape_size[node["shape"]])
    source.expect(int(start[-1]))
    shape_start = np.cumsum(shape_size) - shape_size
    offset = np.repeat(shape_start[node["shape"]] - start[:-1], np.diff(start))
    has_text = node["has_text"] > 0
    text = np.full(len(token), -1, dtype=np.int32)
    text[has_text], known = _read_new(int(has_text.sum()), 0, source)
    value, _ = _read_new(int(start[-1]), known, source)
    return {
        "parent": parents(_depths(node["closed"])),
        "tag": node["tag"].astype(np.int32),
        "text": text,
        "edge": node["edge"].astype(np.int8),
        "style_of": node["style_of"].astype(np.int32),
        "attribute_start": start.astype(np.int32),
        "attribute_name": names[offset + np.arange(len(offset))].astype(np.int32),
        "attribute_value": value,
        "styles": _read_styles(source),
        "has_box": node["has_box"] > 0,
    }


def _depths(closed: LongArray) -> IntArray:
    depth = np.cumsum(1 - closed) - 1
    if len(depth) and (depth.min() < 0 or depth[0] != 0):
        raise ValueError("the tree has no root")
    return depth.astype(np.int32)


def _shapes(columns: Columns) -> tuple[list[tuple[int, ...]], LongArray]:
    """The distinct sequences of attribute names, and the number of its own for each node."""
    names = columns["attribute_name"].tolist()
    bounds = columns["attribute_start"].tolist()
    numbers: dict[tuple[int, ...], int] = {}
    shape = [numbers.setdefault(tuple(names[start:end]), len(numbers)) for start, end in itertools.pairwise(bounds)]
    return list(numbers), np.array(shape, dtype=np.int64)


def _distinct(rows: LongArray) -> tuple[LongArray, LongArray]:
    """The distinct rows in the order of first use, and the number of each row."""
    numbers: dict[bytes, int] = {}
    width = rows.shape[1] * rows.itemsize
    content = np.ascontiguousarray(rows).tobytes()
    order = [
        numbers.setdefault(content[start : start + width], len(numbers)) for start in range(0, len(content), width)
    ]
    table = np.frombuffer(b"".join(numbers), dtype=np.int64).reshape(-1, rows.shape[1])
    return table, np.array(order, dtype=np.int64)


def _write_new(ids: npt.NDArray[Any], known: int, out: StreamWriter) -> int:
    """String ids numbered by first use: 0 for the next new one, others plus two, since -1 means none."""
    highest = np.maximum.accumulate(np.concatenate([[known - 1], ids])) if len(ids) else np.array([known - 1])
    out.ids(np.where(ids > highest[:-1], 0, ids.astype(np.int64) + 2))
    return int(highest[-1]) + 1


def _read_new(count: int, known: int, source: StreamReader) -> tuple[IntArray, int]:
    coded = source.ids(count)
    is_new = coded == 0
    ids = np.where(is_new, known + np.cumsum(is_new) - 1, coded - 2)
    return ids.astype(np.int32), known + int(is_new.sum())


def _write_styles(styles: IntArray, out: StreamWriter) -> None:
    """Property by property; 0 where the style before has the same value."""
    out.ids(np.array(styles.shape))
    out.ids(np.where(styles == _row_above(styles), 0, styles.astype(np.int64) + 2).T.ravel())


def _read_styles(source: StreamReader) -> IntArray:
    rows, width = source.ids(2).tolist()
    coded = source.ids(rows * width).reshape(width, rows).T
    if not coded.size:
        return np.full((rows, width), -1, dtype=np.int32)
    source_row = np.maximum.accumulate(np.where(coded > 0, np.arange(rows)[:, None], 0), axis=0)
    return (np.take_along_axis(coded, source_row, axis=0) - 2).astype(np.int32)


def _row_above(styles: IntArray) -> IntArray:
    return np.concatenate([np.full((1, styles.shape[1]), -2, dtype=np.int32), styles[:-1]])
