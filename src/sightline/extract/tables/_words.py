"""Method B: tables from the boxes of words alone, after Lixto (Krüpl & Herzog; Carme et al. 2006).

Words that are close together are a cell; cells that share a left, middle or right coordinate are a column; at most one
cell outside the columns may be between two cells of a column; and between neighbouring columns a cell faces one or
several others, never half of one (comb alignment). If a line of dashes draws the columns, they are taken from it.
Reads tables in `<pre>`, text in CSS columns, and anything else with word boxes.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import NamedTuple, TypeAlias

import numpy as np

from sightline.arrays import AnyFloats, BoolArray, IntArray
from sightline.extract.tables._grid import CellGrid, clusters
from sightline.geometry import BoxArray
from sightline.page import Page

# Of the height of a word: a gap as wide as this is not a space between two words, even in justified or fixed-width text
# (spaces measure 0.25 to 0.55 of the height there, two in a row 1.0).
WIDE = 0.7
# Of the width of a character: words closer than this are parts of one word, perhaps in different colours.
GLUED = 0.3
# Of the height of a line: with so much more room than usual above it, a line is missing, which ends a table.
ROOM = 0.6
# Of the width of a character: how far a word may extend over the middle between two columns.
SLACK = 0.75
# Of the lines of an unruled table, how many must have a cell in two columns or more.
COMBED = 0.75
FEWEST_LINES = 3
FEWEST_COLUMNS = 2

RULE_SIGNS = "-=_~+|:*#─━═│┃║┼╋╪╬┬┴├┤┌┐└┘╞╡╔╗╚╝╠╣╦╩"
RULE = re.compile(f"[{RULE_SIGNS}]+")  # the first sign stands for itself
DASHES = re.compile(r"[-=_~─━═]+:?|:[-=]+:?")
BARS = "|│┃║"
FEWEST_DASHES = 3


class Word(NamedTuple):
    """A word on its way into a cell."""

    number: int
    node: int
    text: str
    x0: float
    x1: float


@dataclass(slots=True, eq=False)
class TextLine:
    """Words on one line, from left to right."""

    words: tuple[Word, ...]
    y0: float
    y1: float

    @property
    def is_rule(self) -> bool:
        """Whether it is drawn with dashes and the like."""
        if self.words and self.words[0].text[:1] not in RULE_SIGNS:  # as in nearly all lines
            return False
        text = "".join(word.text for word in self.words)
        return RULE.fullmatch(text) is not None and sum(map(len, DASHES.findall(text))) >= FEWEST_DASHES

    @property
    def has_bars(self) -> bool:
        """Whether bars separate its cells."""
        return any(word.text[0] in BARS or word.text[-1] in BARS for word in self.words)


@dataclass(frozen=True, eq=False)
class WordTable:
    """A grid whose cells are groups of words; the grid's `block` numbers them."""

    grid: CellGrid
    texts: tuple[str, ...]
    nodes: tuple[tuple[int, ...], ...]
    words: IntArray
    header_rows: int | None
    caption: str | None = None
    ruled: int | None = None  # rows above a line right across a table whose columns it does not draw


Lane: TypeAlias = tuple[float, float]


def word_tables(page: Page, areas: Sequence[IntArray], without: Collection[str] = ()) -> list[WordTable]:
    """The tables in some areas of a page, each given as the numbers of its words."""
    found: list[WordTable] = []
    for area in areas:
        lines = text_lines(page, area, unwrapped="unwrapping" not in without)
        used_lines: set[int] = set()
        for table, used in _ruled(page, lines) if "dashes" not in without else ():
            found.append(table)
            used_lines |= used
        if "alignment" not in without:
            found += _unruled(page, [line for place, line in enumerate(lines) if place not in used_lines])
    return found


def text_lines(page: Page, area: IntArray, *, unwrapped: bool = True) -> list[TextLine]:
    """The words of an area in lines, from top to bottom."""
    box = page.words.box[area]
    sides: AnyFloats = box[:, [0, 2]]
    middle: AnyFloats = (box[:, 1] + box[:, 3]) / 2
    height = float(np.median(box[:, 3] - box[:, 1]))
    if unwrapped:
        sides, middle = _unwrapped(page, area, sides, middle, height)
    order = np.lexsort((sides[:, 0], clusters(middle, height / 2)[0]))
    starts = np.flatnonzero(np.diff(middle[order], prepend=-np.inf) > height / 2)
    words = _words(page, area[order], sides[order])
    tops, bottoms = np.minimum.reduceat(box[order, 1], starts), np.maximum.reduceat(box[order, 3], starts)
    ends = [*starts[1:].tolist(), len(words)]
    return [
        TextLine(tuple(words[start:end]), top, bottom)
        for start, end, top, bottom in zip(starts.tolist(), ends, tops.tolist(), bottoms.tolist(), strict=True)
    ]


def _words(page: Page, numbers: IntArray, sides: AnyFloats) -> list[Word]:
    nodes = page.words.node[numbers]
    texts = [
        page.strings[text][start:end]
        for text, start, end in zip(
            page.text[nodes].tolist(),
            page.words.start[numbers].tolist(),
            page.words.end[numbers].tolist(),
            strict=True,
        )
    ]
    return list(map(Word, numbers.tolist(), nodes.tolist(), texts, *sides.T.tolist()))


def _unwrapped(
    page: Page, area: IntArray, sides: AnyFloats, middle: AnyFloats, height: float
) -> tuple[AnyFloats, AnyFloats]:
    """Preformatted text with the lines that were broken at the margin laid out as if there were enough room.

    It is preformatted if every line break in the text is one on the page; then breaks on the page that the text does
    not have are undone: what follows is put after the word before it, with the spaces between them.
    """
    node, start, end = (column[area] for column in (page.words.node, page.words.start, page.words.end))
    inside = (node[1:] == node[:-1]) & (start[1:] >= end[:-1])
    lower = middle[1:] - middle[:-1] > height / 2
    if not (inside & lower).any():
        return sides, middle
    between = [
        page.strings[page.text[node[place]]][end[place] : start[place + 1]] if within else ""
        for place, within in enumerate(inside.tolist())
    ]
    broken = np.array(["\n" in blanks for blanks in between])
    soft = inside & lower & ~broken
    if not soft.any() or (broken & ~lower).any() or broken.sum() < FEWEST_LINES - 1:
        return sides, middle
    width = float(np.median((sides[:, 1] - sides[:, 0]) / np.maximum(end - start, 1)))
    sides, middle = sides.copy(), middle.copy()
    for place in np.flatnonzero(soft).tolist():
        tail = slice(place + 1, _line_end(place + 1, inside, broken))
        sides[tail] += sides[place, 1] + len(between[place]) * width - sides[place + 1, 0]
        middle[tail] += middle[place] - middle[place + 1]
    return sides, middle


def _line_end(place: int, inside: BoolArray, broken: BoolArray) -> int:
    """Where the line of text that contains a word ends."""
    ends = np.flatnonzero(broken[place:] | ~inside[place:])
    return place + int(ends[0]) + 1 if len(ends) else len(broken) + 1


# ------------------------------------------------------------------ columns drawn with dashes


def _ruled(page: Page, lines: list[TextLine]) -> Iterator[tuple[WordTable, set[int]]]:
    """Tables around lines of dashes that leave gaps for the columns, each with the places of its lines."""
    done = 0
    for place, line in enumerate(lines):
        if place < done or not line.is_rule:
            continue
        lanes = _lanes(line)
        if len(lanes) < FEWEST_COLUMNS:
            continue
        first, last = _extent(lines, place, lanes, done)
        table = _ruled_table(page, lines[first:last], lanes)
        if table is not None:
            yield table, set(range(first, last))
            done = last


def _lanes(rule: TextLine) -> list[Lane]:
    """The stretches of dashes in a rule; within one word, characters are assumed to be equally wide."""
    lanes: list[Lane] = []
    for word in rule.words:
        width = (word.x1 - word.x0) / len(word.text)
        for dashes in DASHES.finditer(word.text):
            start, end = word.x0 + dashes.start() * width, word.x0 + dashes.end() * width
            if lanes and start - lanes[-1][1] < width / 2:  # a rule that was broken at the margin and rejoined
                start = lanes.pop()[0]
            lanes.append((start, end))
    return lanes


def _extent(lines: list[TextLine], place: int, lanes: list[Lane], least: int) -> tuple[int, int]:
    """From which line to which the lines around a rule keep to its columns."""
    room = _room(lines)
    rule = lines[place]
    bars = "+" in "".join(word.text for word in rule.words) or _neighbour_has_bars(lines, place)
    first = last = place
    while first > least and _continues(lines[first - 1], lines[first], room) and _fits(lines[first - 1], lanes, bars):
        first -= 1
    while (
        last + 1 < len(lines) and _continues(lines[last], lines[last + 1], room) and _fits(lines[last + 1], lanes, bars)
    ):
        last += 1
    return first, last + 1


def _neighbour_has_bars(lines: list[TextLine], place: int) -> bool:
    return any(line.has_bars for line in lines[max(place - 1, 0) : place + 2] if not line.is_rule)


def _room(lines: list[TextLine]) -> float:
    """The usual room between two lines."""
    return median([after.y0 - before.y1 for before, after in pairwise(lines)] or [0.0])


def _continues(before: TextLine, after: TextLine, room: float) -> bool:
    return after.y0 - before.y1 <= room + ROOM * (after.y1 - after.y0)


def _fits(line: TextLine, lanes: list[Lane], bars: bool) -> bool:  # noqa: FBT001 - a fact about the rule
    """Whether no word of the line crosses two columns; if bars separate the columns, there must be one."""
    if line.is_rule:
        return _same_lanes(_lanes(line), lanes)
    if bars and not line.has_bars:
        return False
    if bars and len(_inner_bars(line)) == len(lanes) - 1:
        return True
    slack = SLACK * _character(line)
    middles = _middles(lanes)
    words = [word for word in line.words if not (word.text in BARS or RULE.fullmatch(word.text))]
    across = any(word.x0 < middle - slack and word.x1 > middle + slack for word in words for middle in middles)
    filled = {_lane(word, middles) for word in words}
    return not across and (bars or len(filled) >= FEWEST_COLUMNS or len(lanes) > len(filled) > 0)


def _same_lanes(lanes: list[Lane], other: list[Lane]) -> bool:
    return len(lanes) == len(other) and all(
        max(a[0], b[0]) < min(a[1], b[1]) for a, b in zip(lanes, other, strict=True)
    )


def _character(line: TextLine) -> float:
    return median((word.x1 - word.x0) / len(word.text) for word in line.words)


def _middles(lanes: list[Lane]) -> list[float]:
    return [(before[1] + after[0]) / 2 for before, after in pairwise(lanes)]


def _lane(word: Word, middles: list[float]) -> int:
    return bisect_left(middles, (word.x0 + word.x1) / 2)


def _ruled_table(page: Page, lines: list[TextLine], lanes: list[Lane]) -> WordTable | None:
    """The table of some lines that keep to the columns of a rule."""
    rules = [place for place, line in enumerate(lines) if line.is_rule]
    texts = [place for place, line in enumerate(lines) if not line.is_rule]
    inner = [place for place in rules if texts and texts[0] < place < texts[-1]]
    lines, head, caption = _without_title(lines, inner, lanes)
    rows = _rows(lines, lanes, boxed=len(inner) > 1 and any(line.has_bars for line in lines))
    if len(rows) < FEWEST_COLUMNS:
        return None
    return _table(page, rows, head if inner else None, caption)


def _without_title(
    lines: list[TextLine], inner: list[int], lanes: list[Lane]
) -> tuple[list[TextLine], int, list[Word]]:
    """The lines without those above the heading that fill one column only; the number of headings left; the title."""
    if not inner:
        return lines, 0, []
    middles = _middles(lanes)
    head = [line for line in lines[: inner[0]] if not line.is_rule]
    title: list[Word] = []
    while len(head) > 1 and len({_lane(word, middles) for word in head[0].words}) < FEWEST_COLUMNS:
        title += head[0].words
        head = head[1:]
    return [*head, *lines[inner[0] :]], len(head), title


def _rows(lines: list[TextLine], lanes: list[Lane], *, boxed: bool) -> list[list[list[Word]]]:
    """The cells of the lines; in a table with a rule below every row, the lines between rules are one row."""
    middles = _middles(lanes)
    rows: list[list[list[Word]]] = []
    fresh = True
    for line in lines:
        if line.is_rule:
            fresh = True
            continue
        if fresh or not boxed:
            rows.append([[] for _ in lanes])
        fresh = False
        for lane, word in _words_by_column(line, middles):
            rows[-1][lane].append(word)
    return rows


def _inner_bars(line: TextLine) -> list[int]:
    """The places of the bars between the first and the last word of a line."""
    return [place for place, word in enumerate(line.words) if word.text in BARS and 0 < place < len(line.words) - 1]


def _words_by_column(line: TextLine, middles: list[float]) -> Iterator[tuple[int, Word]]:
    """The words of a line with their columns: counted by bars if there are enough of them, else by place."""
    inner = _inner_bars(line)
    counted = len(inner) == len(middles)
    for place, word in enumerate(line.words):
        if word.text not in BARS:
            yield bisect_left(inner, place) if counted else _lane(word, middles), word


# ------------------------------------------------------------------ columns by alignment


@dataclass(slots=True, eq=False)
class Piece:
    """Words close together on a line: possibly a cell."""

    words: tuple[Word, ...]
    x0: float
    x1: float


def _unruled(page: Page, lines: list[TextLine]) -> Iterator[WordTable]:
    """Tables of lines whose pieces are below each other; a rule right across them ends the headings."""
    if len(lines) < FEWEST_LINES:
        return
    for run in _stretches(lines, _room(lines)):
        text_lines_of_run = [line for line in run if not line.is_rule]
        pieces = [_pieces(line) for line in text_lines_of_run]
        columns = _aligned_columns(pieces)
        if columns is None:
            continue
        rule = next((place for place, line in enumerate(run) if line.is_rule), None)
        yield replace(_table(page, [_in_columns(row, columns) for row in pieces], None), ruled=rule)


def _stretches(lines: list[TextLine], room: float) -> Iterator[list[TextLine]]:
    """Consecutive lines with two pieces or more; a single piece or rule may be between them."""
    run: list[TextLine] = []
    for line in lines:
        if run and not _continues(run[-1], line, room):
            yield from _end_run(run)
            run = []
        if _is_firm(line) or (run and _is_firm(run[-1])):
            run.append(line)
        else:
            yield from _end_run(run)
            run = []
    yield from _end_run(run)


def _is_firm(line: TextLine) -> bool:
    return not line.is_rule and len(_pieces(line)) >= FEWEST_COLUMNS


def _end_run(run: list[TextLine]) -> Iterator[list[TextLine]]:
    while run and not _is_firm(run[-1]):
        run = run[:-1]
    if sum(not line.is_rule for line in run) >= FEWEST_LINES:
        yield run


def _pieces(line: TextLine) -> list[Piece]:
    """A line cut at its wide gaps and at bars."""
    wide = WIDE * (line.y1 - line.y0)
    pieces: list[list[Word]] = []
    end = -np.inf
    for word in line.words:
        if word.text in BARS:
            end = -np.inf
            continue
        if word.x0 - end > wide or not pieces:
            pieces.append([])
        pieces[-1].append(word)
        end = word.x1
    return [Piece(tuple(words), words[0].x0, words[-1].x1) for words in pieces]


def _aligned_columns(rows: list[list[Piece]]) -> list[Lane] | None:
    """The columns of some rows of pieces, or None if they do not comb: a piece over two columns, a ragged column."""
    firm = [row for row in rows if len(row) >= FEWEST_COLUMNS]
    columns = _merge_overlapping(sorted((piece.x0, piece.x1) for row in firm for piece in row))
    if len(columns) < FEWEST_COLUMNS:
        return None
    combed = sum(len({_column(piece, columns) for piece in row}) == len(row) for row in firm)
    aligned = all(
        _shares_a_side([piece for row in firm for piece in row if _column(piece, columns) == place])
        for place in range(len(columns))
    )
    return columns if aligned and combed == len(firm) and len(firm) >= COMBED * len(rows) else None


def _merge_overlapping(spans: list[Lane]) -> list[Lane]:
    """The spans with overlapping ones merged."""
    merged: list[Lane] = []
    for x0, x1 in spans:
        if merged and x0 <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(x1, merged[-1][1]))
        else:
            merged.append((x0, x1))
    return merged


def _column(piece: Piece, columns: list[Lane]) -> int:
    return bisect_left(columns, piece.x0, key=lambda lane: lane[1])


def _shares_a_side(pieces: list[Piece]) -> bool:
    """Whether nearly all pieces of a column share a left, middle or right coordinate."""
    slack = SLACK * median((piece.x1 - piece.x0) / max(_length(piece), 1) for piece in pieces)
    sides = np.array([(piece.x0, (piece.x0 + piece.x1) / 2, piece.x1) for piece in pieces])
    shared = (np.abs(sides - np.median(sides, axis=0)) <= slack).mean(axis=0)
    return len(pieces) > 1 and bool(shared.max() >= COMBED)


def _length(piece: Piece) -> int:
    return sum(len(word.text) for word in piece.words) + len(piece.words) - 1


def _in_columns(row: list[Piece], columns: list[Lane]) -> list[list[Word]]:
    cells: list[list[Word]] = [[] for _ in columns]
    for piece in row:
        cells[_column(piece, columns)] += piece.words
    return cells


# ------------------------------------------------------------------ cells


def _table(
    page: Page, rows: list[list[list[Word]]], header_rows: int | None, caption: Sequence[Word] = ()
) -> WordTable:
    cells = [(row, column, cell) for row, line in enumerate(rows) for column, cell in enumerate(line) if cell]
    words = [word for _, _, cell in cells for word in cell]
    counts = [len(cell) for _, _, cell in cells]
    boxes = _unions(page.words.box[[word.number for word in words]], counts)
    ones = np.ones(len(cells), dtype=np.int32)
    row, column = (np.array([cell[side] for cell in cells], dtype=np.int32) for side in (0, 1))
    return WordTable(
        grid=CellGrid(np.arange(len(cells), dtype=np.int32), boxes, row, column, ones, ones),
        texts=tuple(_join_words(cell) for _, _, cell in cells),
        nodes=tuple(tuple(dict.fromkeys(word.node for word in cell)) for _, _, cell in cells),
        words=np.array(counts, dtype=np.int32),
        header_rows=header_rows,
        caption=_join_words(caption) or None,
    )


def _join_words(words: Sequence[Word]) -> str:
    """Some words as one text: with a space wherever there is room for one, or a new line begins."""
    text, end, start = "", -np.inf, -np.inf
    for word in words:
        room = GLUED * (word.x1 - word.x0) / max(len(word.text), 1)
        apart = word.x0 - end > room or word.x0 < start
        text += f" {word.text}" if apart and text else word.text
        start, end = word.x0, word.x1
    return text


def _unions(boxes: BoxArray, counts: list[int]) -> BoxArray:
    """The boxes around consecutive groups of boxes."""
    starts = np.cumsum([0, *counts[:-1]])
    low, high = np.minimum.reduceat(boxes[:, :2], starts), np.maximum.reduceat(boxes[:, 2:], starts)
    return np.concatenate([low, high], axis=1)
