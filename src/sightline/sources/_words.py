"""Words and their boxes from the lines that a browser laid out.

The browser tells the box of each line of a text node, not of its words. Where a word stands in its line follows from
the widths of the characters, which are measured once for each font; what is then missing or too much (kerning, spacing,
justified text) is spread over the line, so that the ends are exact.
Offsets in the protocol count UTF-16 units; here characters are counted, and the one is turned into the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sightline.geometry import BoxArray
from sightline.page import BoolArray, IntArray, Words
from sightline.sources._snapshot import Snapshot
from sightline.sources._styles import STYLES

__all__ = ["EMOJI", "EMOJI_SLOT", "Font", "Texts", "fonts_in_use", "texts_of", "words_of"]

# Widths are measured at this size and scaled: without hinting they are proportional to it.
MEASURED_SIZE = 100.0
# Ideographs and Hangul are all as wide as one another: one stands for all.
WIDE_CHARACTER = ord("国")
WIDE_RANGES = ((0x2E80, 0x303E), (0x3041, 0xA4CF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFF00, 0xFF60))
# Beyond the basic plane come emoji and rare ideographs; a private character stands for them, measured as an emoji.
ASTRAL = 0x10000
EMOJI_SLOT, EMOJI = "\uf8ff", "\U0001f600"
DEFAULT_WIDTH = 0.5  # of the font size, for a character that could not be measured
GRID = 64  # the browser's own: no box is finer than 1/64 pixel
BLANKS = (0x20, 0x09, 0x0A, 0x0D, 0x0C)
RIGHT_TO_LEFT = ((0x0590, 0x08FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFF))


@dataclass(frozen=True)
class Font:
    """What decides the widths of characters, as CSS writes it."""

    style: str
    weight: str
    family: str

    def css(self) -> str:
        """The `font` shorthand at the size of measurement."""
        return f"{self.style} {self.weight} {MEASURED_SIZE:g}px {self.family}"


@dataclass(frozen=True)
class Texts:
    """The characters of all laid-out text nodes, one after the other, and the lines as ranges of them."""

    characters: npt.NDArray[np.uint32]
    line_start: IntArray  # place of the line's first character among `characters`
    line_end: IntArray
    text_start: IntArray  # place of the first character of the line's text node
    font: IntArray  # by line
    size: npt.NDArray[np.float32]  # font size, by line
    justified: BoolArray  # by line


def texts_of(snapshot: Snapshot) -> Texts:
    """The laid-out texts of a snapshot."""
    fragments = snapshot.fragments
    nodes, first = np.unique(fragments.node, return_inverse=True)
    strings = [snapshot.strings[number] for number in snapshot.text[nodes].tolist()]
    characters = np.frombuffer("".join(strings).encode("utf-32-le", "replace"), dtype=np.uint32)
    ends = np.cumsum([len(string) for string in strings], dtype=np.int64)
    starts = np.concatenate([[0], ends])[:-1].astype(np.int64)[first] if len(nodes) else np.zeros(0, dtype=np.int64)
    limits = ends[first] if len(nodes) else starts
    line_start, line_end = _characters_of(characters, starts, fragments.start, fragments.length)
    font, size, justified = _fonts(snapshot)
    return Texts(
        characters=characters,
        line_start=np.minimum(line_start, limits).astype(np.int32),
        line_end=np.minimum(line_end, limits).astype(np.int32),
        text_start=starts.astype(np.int32),
        font=font[snapshot.style_of[fragments.node]],
        size=size[snapshot.style_of[fragments.node]],
        justified=justified[snapshot.style_of[fragments.node]],
    )


def _characters_of(
    characters: npt.NDArray[np.uint32], text_start: npt.NDArray[np.int64], start: IntArray, length: IntArray
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """UTF-16 offsets within texts to places among all characters."""
    if not (characters >= ASTRAL).any():
        return text_start + start, text_start + start + length
    units = np.concatenate([[0], np.cumsum(1 + (characters >= ASTRAL))])  # UTF-16 units before each character
    first = units[text_start] + start
    return np.searchsorted(units, first), np.searchsorted(units, first + length)


def _column(snapshot: Snapshot, name: str) -> list[str]:
    ids = snapshot.styles[:, STYLES.index(name)].tolist()
    return [snapshot.strings[number] if number >= 0 else "" for number in ids]


def _font_table(snapshot: Snapshot) -> list[Font]:
    """The font of each distinct style."""
    names = ("font-style", "font-weight", "font-family")
    return [Font(*row) for row in zip(*(_column(snapshot, name) for name in names), strict=True)]


def _fonts(snapshot: Snapshot) -> tuple[IntArray, npt.NDArray[np.float32], BoolArray]:
    """For each distinct style: the number of its font, its size, and whether its lines are justified."""
    numbers: dict[Font, int] = {}
    font = [numbers.setdefault(one, len(numbers)) for one in _font_table(snapshot)]
    size = [float(value.removesuffix("px") or 0) for value in _column(snapshot, "font-size")]
    justified = [value == "justify" for value in _column(snapshot, "text-align")]
    return np.array(font, dtype=np.int32), np.array(size, dtype=np.float32), np.array(justified)


def fonts_in_use(snapshot: Snapshot, texts: Texts) -> dict[Font, str]:
    """The fonts of the laid-out texts, each with the distinct characters that it has to show."""
    fonts = list(dict.fromkeys(_font_table(snapshot)))
    lengths = texts.line_end - texts.line_start
    rows = np.repeat(texts.font, lengths)
    characters = _representatives(texts.characters)[_places(texts.line_start, lengths)]
    seen = np.zeros((len(fonts), int(characters.max(initial=0)) + 1), dtype=bool)
    seen[rows, characters] = True
    return {
        font: "".join(map(chr, np.flatnonzero(seen[number]).tolist()))
        for number, font in enumerate(fonts)
        if seen[number].any()
    }


def _places(start: IntArray, lengths: IntArray) -> npt.NDArray[np.int64]:
    """All places of all ranges, one range after the other."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(start.astype(np.int64) - before, lengths) + np.arange(int(lengths.sum()))


def _representatives(characters: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Each character, or one that stands for it: wide ones for each other, a space for other blanks."""
    wide = np.zeros(len(characters), dtype=bool)
    if characters.max(initial=0) >= WIDE_RANGES[0][0]:
        for first, last in WIDE_RANGES:
            wide |= (characters >= first) & (characters <= last)
    plain = np.where(characters < 0x20, np.uint32(0x20), characters)
    surrogate = (plain >= 0xD800) & (plain <= 0xDFFF)
    plain = np.where(surrogate, np.uint32(0xFFFD), np.where(plain >= ASTRAL, np.uint32(ord(EMOJI_SLOT)), plain))
    return np.where(wide, np.uint32(WIDE_CHARACTER), plain)


def words_of(snapshot: Snapshot, texts: Texts, widths: Mapping[Font, Mapping[str, float]]) -> Words:
    """The words of all lines with their boxes; `widths` by font and character, at the size of measurement."""
    fonts = list(dict.fromkeys(_font_table(snapshot)))
    lengths = texts.line_end - texts.line_start
    places = _places(texts.line_start, lengths)
    characters = texts.characters[places]
    line = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    shown = _representatives(characters)
    table = _width_table(fonts, widths, int(shown.max(initial=0)) + 1)
    width = table[texts.font[line], shown] * (texts.size[line] / MEASURED_SIZE)
    blank = np.isin(characters, BLANKS)
    edges = _edges(width, blank, line, lengths, snapshot.fragments.box, texts.justified)
    begin, end = _runs(~blank, line)
    box = _word_boxes(edges, begin, end, line, snapshot.fragments.box, _is_right_to_left(characters, line, len(lengths)))
    offset = texts.text_start[line[begin]]
    words = Words(
        node=snapshot.fragments.node[line[begin]],
        start=(places[begin] - offset).astype(np.int32),
        end=(places[end - 1] + 1 - offset).astype(np.int32),
        box=box,
    )
    order = np.lexsort((words.start, words.node))
    return Words(node=words.node[order], start=words.start[order], end=words.end[order], box=words.box[order])


def _width_table(
    fonts: list[Font], widths: Mapping[Font, Mapping[str, float]], top: int
) -> npt.NDArray[np.float32]:
    """Widths by font and character, up to the highest character that is shown."""
    table = np.full((len(fonts), top), DEFAULT_WIDTH * MEASURED_SIZE, dtype=np.float32)
    for number, font in enumerate(fonts):
        measured = {ord(character): width for character, width in widths.get(font, {}).items() if ord(character) < top}
        table[number, list(measured)] = list(measured.values())
    return table


def _edges(
    width: npt.NDArray[np.float32],
    blank: BoolArray,
    line: IntArray,
    lengths: IntArray,
    boxes: BoxArray,
    justified: BoolArray,
) -> npt.NDArray[np.float64]:
    """How far from the line's beginning each character ends, in such a way that the last ends where the line does."""
    total = np.bincount(line, weights=width, minlength=len(lengths))
    target = (boxes[:, 2] - boxes[:, 0]).astype(np.float64)
    blanks = np.bincount(line, weights=blank, minlength=len(lengths))
    stretched = justified & (blanks > 0) & (target > total)
    scale = np.where(stretched, 1.0, target / np.maximum(total, 1e-6))
    extra = np.where(stretched, (target - total) / np.maximum(blanks, 1), 0.0)
    ends = np.cumsum(width * scale[line] + blank * extra[line])
    first = np.cumsum(lengths) - lengths
    before = np.concatenate([[0.0], ends])[first]
    return ends - before[line]


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
