"""Words and their boxes from the lines that a browser laid out.

The browser reports the box of each line of a text node, not of its words. The position of a word follows from the
width of each character when followed by the next, which is measured once per font; any remaining difference (justified
text, ligatures) is spread over the line, so that both ends are exact.
Offsets in the protocol count UTF-16 units; here characters are counted, and the one is turned into the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, FloatArray, IntArray, prefix_sum
from sightline.geometry import Box, BoxArray, around
from sightline.page import Words
from sightline.sources.browser._snapshot import STYLES, Snapshot

# Widths are measured at this size and scaled: without hinting they are proportional to it.
MEASURED_SIZE = 100.0
# Ideographs and Hangul are all as wide as one another: one stands for all.
WIDE_CHARACTER = ord("国")
WIDE_RANGES = ((0x2E80, 0x303E), (0x3041, 0xA4CF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFF00, 0xFF60))
ASTRAL = 0x10000  # from here on, a character takes two UTF-16 units
CHARACTER_BITS = 21
DEFAULT_WIDTH = 0.5  # of the font size, for a character that could not be measured
GRID = 64  # the browser's own: no box is finer than 1/64 pixel
BLANKS = (0x20, 0x09, 0x0A, 0x0D, 0x0C)
RIGHT_TO_LEFT = ((0x0590, 0x08FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFF))


@dataclass(frozen=True)
class CssFont:
    """What decides the widths of characters, as CSS writes it."""

    style: str
    weight: str
    family: str

    def css(self) -> str:
        """The `font` shorthand at the size of measurement."""
        return f"{self.style} {self.weight} {MEASURED_SIZE:g}px {self.family}"


@dataclass(frozen=True)
class TextStyles:
    """What decides the place of words, for each distinct style."""

    fonts: list[CssFont]
    font: IntArray  # place among the fonts
    size: FloatArray
    letter_spacing: FloatArray
    word_spacing: FloatArray
    justified: BoolArray


@dataclass(frozen=True)
class LineTexts:
    """The characters of all laid-out lines, one line after the other, and what has to be measured of them."""

    looks: TextStyles
    character: npt.NDArray[np.uint32]
    place: IntArray  # of each character in the text of its node
    line: IntArray  # of each character
    look: IntArray  # of each line
    pieces: dict[CssFont, list[str]]  # the distinct characters with their follower, by font
    piece: IntArray  # of each character, counted over all fonts


def texts_of(snapshot: Snapshot) -> LineTexts:
    """The laid-out texts of a snapshot."""
    fragments = snapshot.fragments
    nodes, example, first = np.unique(fragments.node, return_index=True, return_inverse=True)
    strings = _strings(snapshot, snapshot.text[nodes], fragments.shown[example])
    characters = np.frombuffer("".join(strings).encode("utf-32-le", "replace"), dtype=np.uint32)
    ends = np.cumsum([len(string) for string in strings], dtype=np.int64)
    text_start, text_end = (np.concatenate([[0], ends])[first], np.concatenate([ends, [0]])[first])
    start, end = _characters_of(characters, text_start, fragments.start, fragments.length)
    start, end = np.minimum(start, text_end), np.minimum(end, text_end)
    lengths = np.maximum(end - start, 0)
    places = _places(start, lengths)
    line = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    looks = _looks(snapshot)
    look = snapshot.style_of[fragments.node]
    pieces, piece = _pieces(_representatives(characters)[places], line, looks.font[look][line], looks.fonts)
    return LineTexts(
        looks=looks,
        character=characters[places],
        place=(places - text_start[line]).astype(np.int32),
        line=line,
        look=look,
        pieces=pieces,
        piece=piece,
    )


def _pieces(
    character: npt.NDArray[np.uint32], line: IntArray, font: IntArray, fonts: list[CssFont]
) -> tuple[dict[CssFont, list[str]], IntArray]:
    """The distinct characters with their followers in each font, and which of them stands at each place."""
    follower = np.zeros(len(character), dtype=np.uint64)
    goes_on = line[1:] == line[:-1]
    follower[:-1][goes_on] = character[1:][goes_on]
    key = (font.astype(np.uint64) << np.uint64(2 * CHARACTER_BITS)) | (
        character.astype(np.uint64) << np.uint64(CHARACTER_BITS)
    )
    distinct, piece = np.unique(key | follower, return_inverse=True)
    mask = (1 << CHARACTER_BITS) - 1
    shown = [chr(one >> CHARACTER_BITS & mask) + (chr(one & mask) if one & mask else "") for one in distinct.tolist()]
    used, first = np.unique(distinct >> np.uint64(2 * CHARACTER_BITS), return_index=True)
    ends = [*first[1:].tolist(), len(shown)]
    by_font = (
        {fonts[n]: shown[a:b] for n, a, b in zip(used.tolist(), first.tolist(), ends, strict=True)} if shown else {}
    )
    return by_font, piece.astype(np.int32)


def _strings(snapshot: Snapshot, written: IntArray, shown: IntArray) -> list[str]:
    """The texts as written, or as displayed if only the letters differ, since widths depend on them."""
    strings = [snapshot.strings[number] for number in written.tolist()]
    for place in np.flatnonzero(written != shown).tolist():
        string = snapshot.strings[shown[place]]
        if len(string) == len(strings[place]):
            strings[place] = string
    return strings


def _characters_of(
    characters: npt.NDArray[np.uint32], text_start: npt.NDArray[np.int64], start: IntArray, length: IntArray
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """UTF-16 offsets within texts to places among all characters."""
    if not (characters >= ASTRAL).any():
        return text_start + start, text_start + start + length
    units = prefix_sum(1 + (characters >= ASTRAL))  # UTF-16 units before each character
    first = units[text_start] + start
    return np.searchsorted(units, first), np.searchsorted(units, first + length)


def _column(snapshot: Snapshot, name: str) -> list[str]:
    ids = snapshot.styles[:, STYLES.index(name)].tolist()
    return [snapshot.strings[number] if number >= 0 else "" for number in ids]


def _looks(snapshot: Snapshot) -> TextStyles:
    names = ("font-style", "font-weight", "font-family")
    numbers: dict[CssFont, int] = {}
    rows = zip(*(_column(snapshot, name) for name in names), strict=True)
    font = [numbers.setdefault(CssFont(*row), len(numbers)) for row in rows]
    return TextStyles(
        fonts=list(numbers),
        font=np.array(font, dtype=np.int32),
        size=_pixels(snapshot, "font-size"),
        letter_spacing=_pixels(snapshot, "letter-spacing"),
        word_spacing=_pixels(snapshot, "word-spacing"),
        justified=np.array([value == "justify" for value in _column(snapshot, "text-align")]),
    )


def _pixels(snapshot: Snapshot, name: str) -> FloatArray:
    """A length for each distinct style; `normal` and other non-lengths count as zero."""
    values = (value.removesuffix("px") for value in _column(snapshot, name))
    return np.array([float(value) if value.replace(".", "").lstrip("-").isdigit() else 0.0 for value in values])


def _places(start: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """All places of all ranges, one range after the other."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(start - before, lengths) + np.arange(int(lengths.sum()))


def _representatives(characters: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Each character, or one that stands for it: wide ones for each other, a space for other blanks."""
    wide = np.zeros(len(characters), dtype=bool)
    if characters.max(initial=0) >= WIDE_RANGES[0][0]:
        for first, last in WIDE_RANGES:
            wide |= (characters >= first) & (characters <= last)
    plain = np.where(characters < 0x20, np.uint32(0x20), characters)
    plain = np.where((plain >= 0xD800) & (plain <= 0xDFFF), np.uint32(0xFFFD), plain)
    return np.where(wide, np.uint32(WIDE_CHARACTER), plain)


def words_of(snapshot: Snapshot, texts: LineTexts, widths: Mapping[CssFont, Mapping[str, float]]) -> Words:
    """The words of all lines with their boxes; `widths` by font and piece, at the size of measurement."""
    boxes = snapshot.fragments.box
    blank = np.isin(texts.character, BLANKS)
    edges = _edges(texts, _widths(texts, blank, widths), blank, boxes)
    begin, end = _runs(~blank, texts.line)
    line = texts.line[begin]
    backwards = _is_right_to_left(texts.character, texts.line, len(boxes))
    words = Words(
        node=snapshot.fragments.node[line],
        start=texts.place[begin],
        end=texts.place[end - 1] + 1,
        box=_word_boxes(edges, begin, end, texts.line, boxes, backwards),
    )
    order = np.lexsort((words.start, words.node))
    return _joined(Words(node=words.node[order], start=words.start[order], end=words.end[order], box=words.box[order]))


def _joined(words: Words) -> Words:
    """Words that the browser laid out in two pieces on one line, such as those with a `::first-letter`, made whole."""
    top, bottom = words.box[:, 1], words.box[:, 3]
    shared = np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
    beside = shared > np.minimum((bottom - top)[1:], (bottom - top)[:-1]) / 2
    goes_on = (words.node[1:] == words.node[:-1]) & (words.start[1:] == words.end[:-1]) & beside
    if not goes_on.any():
        return words
    first = np.flatnonzero(np.concatenate([[True], ~goes_on]))
    last = np.concatenate([first[1:], [len(words)]]) - 1
    low, high = (how.reduceat(words.box, first) for how in (np.minimum, np.maximum))
    box = np.concatenate([low[:, :2], high[:, 2:]], axis=1)
    return Words(node=words.node[first], start=words.start[first], end=words.end[last], box=box)


def _widths(texts: LineTexts, blank: BoolArray, widths: Mapping[CssFont, Mapping[str, float]]) -> FloatArray:
    """How far each character reaches, spacing included."""
    empty: Mapping[str, float] = {}
    default = DEFAULT_WIDTH * MEASURED_SIZE
    known = ((widths.get(font, empty), pieces) for font, pieces in texts.pieces.items())
    measured = np.array([of.get(piece, default) for of, pieces in known for piece in pieces], dtype=np.float64)
    looks, look = texts.looks, texts.look[texts.line]
    spacing = looks.letter_spacing[look] + blank * looks.word_spacing[look]
    reach: FloatArray = measured[texts.piece] * (looks.size[look] / MEASURED_SIZE) + spacing
    return reach


def _edges(texts: LineTexts, width: FloatArray, blank: BoolArray, boxes: BoxArray) -> FloatArray:
    """How far from the line's start each character ends, adjusted so that the last ends where the line does."""
    line, count = texts.line, len(boxes)
    total = np.bincount(line, weights=width, minlength=count)
    target = (boxes[:, 2] - boxes[:, 0]).astype(np.float64)
    blanks = np.bincount(line, weights=blank, minlength=count)
    stretched = texts.looks.justified[texts.look] & (blanks > 0) & (target > total)
    scale = np.where(stretched, 1.0, target / np.maximum(total, 1e-6))
    extra = np.where(stretched, (target - total) / np.maximum(blanks, 1), 0.0)
    ends = np.cumsum(width * scale[line] + blank * extra[line])
    lengths = np.bincount(line, minlength=count)
    before = np.concatenate([[0.0], ends])[np.cumsum(lengths) - lengths]
    edges: FloatArray = ends - before[line]
    return edges


def _runs(inside: BoolArray, line: IntArray) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Where runs of marked characters begin and end; a run never goes on over the end of a line."""
    if not len(inside):
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    new_line = np.concatenate([[True], line[1:] != line[:-1]])
    before = np.concatenate([[False], inside[:-1]]) & ~new_line
    after = np.concatenate([inside[1:], [False]]) & ~np.concatenate([new_line[1:], [True]])
    return np.flatnonzero(inside & ~before), np.flatnonzero(inside & ~after) + 1


def _is_right_to_left(characters: npt.NDArray[np.uint32], line: IntArray, lines: int) -> BoolArray:
    """Which lines run from right to left: the browser cuts lines where the direction changes, so one letter tells."""
    marked = np.zeros(lines, dtype=bool)
    if characters.max(initial=0) >= RIGHT_TO_LEFT[0][0]:
        for first, last in RIGHT_TO_LEFT:
            marked[line[(characters >= first) & (characters <= last)]] = True
    return marked


def _word_boxes(
    edges: npt.NDArray[np.float64],
    begin: npt.NDArray[np.intp],
    end: npt.NDArray[np.intp],
    line: IntArray,
    boxes: BoxArray,
    backwards: BoolArray,
) -> BoxArray:
    of_line = boxes[line[begin]].astype(np.float64)
    starts_line = (begin == 0) | (line[begin] != line[begin - 1])
    left = np.where(starts_line, 0.0, edges[begin - 1])
    right = edges[end - 1]
    mirrored = backwards[line[begin]]
    x0 = np.where(mirrored, of_line[:, 2] - right, of_line[:, 0] + left)
    x1 = np.where(mirrored, of_line[:, 2] - left, of_line[:, 0] + right)
    boxes = np.stack([x0, of_line[:, 1], x1, of_line[:, 3]], axis=1)
    return (np.rint(boxes * GRID) / GRID).astype(np.float32)


# Text that continues in the next column, as in a newspaper.
#
# For a text directly in a multi-column box the browser's snapshot gives every line the left edge of the first column.
# Such a text gives itself away: one of its lines is higher than the line before. Its lines are then requested again
# from the page, where they are correct.

# The lines of text nodes, each found by its path; nothing for one that has gone.
LINES = """(paths => paths.map(path => {
const node = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue;
if (!node) return [];
const range = document.createRange(); range.selectNodeContents(node);
const x = scrollX, y = scrollY;
return Array.from(range.getClientRects(), r => [r.left + x, r.top + y, r.right + x, r.bottom + y])
  .filter(([left, , right]) => right > left) }))(%s)"""


def crossing(snapshot: Snapshot) -> IntArray:
    """The text nodes with a line that is higher than the line before it."""
    lines = snapshot.fragments
    order = np.lexsort((lines.start, lines.node))
    node, top, bottom = lines.node[order], lines.box[order, 1], lines.box[order, 3]
    higher = (node[1:] == node[:-1]) & ((top[1:] + bottom[1:]) / 2 < top[:-1])
    return np.unique(node[1:][higher]).astype(np.int32)


def with_lines(snapshot: Snapshot, nodes: IntArray, lines: Sequence[Sequence[Box]]) -> Snapshot:
    """The snapshot with the lines of these nodes put right; a node whose lines do not agree stays as it is."""
    old = snapshot.fragments
    boxes, of_nodes = old.box.copy(), snapshot.box.copy()
    for node, found in zip(nodes.tolist(), lines, strict=True):
        rows = np.flatnonzero((old.node == node) & (old.box[:, 2] > old.box[:, 0]))
        rows = rows[np.argsort(old.start[rows], kind="stable")]
        if len(rows) != len(found):
            continue
        boxes[rows] = np.array(found, dtype=np.float32)
        of_nodes[node] = around(boxes[rows].tolist())
    return replace(snapshot, box=of_nodes, fragments=replace(old, box=boxes))
