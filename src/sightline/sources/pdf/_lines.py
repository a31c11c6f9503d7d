"""Step 2 of a PDF: from characters to pieces of words and lines.

A *piece* is a word, or the part of a word that is set in one style; a *line* is what stands close together on one
height, so that columns and cells stay apart. Blanks are put where the spacing of that very line leaves room for them:
letters may be spaced out, and justified text has wide blanks.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyFloats, AnyInts, BoolArray, begins, order_by, prefix_sum
from sightline.right_to_left import has_right_to_left, letters_as_read
from sightline.sources.pdf._sheet import NO_RUN, PdfSheet

DOUBLED = 0.2  # of the size: the same character so close to itself was printed twice, to look bold
JOINED = (
    0.85  # of the size: a gap up to this lies inside a line; blanks measure 0.2 to 0.5, gutters and cells 1 and more
)
WIDEST_BLANK = 2.0  # of the size: a wider gap is never a blank, however wide the lines around it are
LONG = 12.0  # of the size: a line of running text is wider than this
BESIDE = 0.35  # of the smaller size: a piece of another size must be so close, as a raised letter is to its word
BACK = 0.6  # of the size: how far a character may reach back over the one before it (accents, kerning)
CORE = 0.3  # of the size, above and below the middle: the part of a letter that decides its line
LEVEL = 0.5  # of the lower core's height: how much two pieces of one size must overlap in height to stand on one line
SLANTED = 0.25  # the same for pieces of different sizes, one of which may be raised or lowered
BLANK = 0.16  # of the size, beyond the usual gap between the letters of the line: room for a blank
HAIR = 0.02  # of the size: a written blank that leaves less room than this is not seen, unless it parts two letters
# Measured on all sheets of the set pdf: letters of one word are up to 0.092 apart, in fonts with wrong metrics; beyond
# 0.1 there are only formulas, in lines that are not even. Words with a blank between them overlap by up to 0.064.
TIGHT = 0.1  # of the size, beyond the usual gap: room for a blank between letters in a line that is set evenly
EVEN, MOST_GAPS = 0.04, 0.75  # of the size; share of the gaps of a line that differ from the usual one by no more
OVERLAP = 0.07  # of the size: how far two words may overlap that have a blank between them in the file
SPACED_OUT = 0.75  # of the usual gap between letters, where these are spaced out: what a blank adds to it
RAISED = 0.12  # of the size of the line: how far the foot of a smaller character lies above or below that of the line
SMALLER = 0.85  # of the size of the line: raised and lowered characters are smaller than this
TALLEST = 1.6  # of the size: taller boxes come from fonts with wrong metrics
PAIRS = 256  # lines side by side that are looked at together; only bounds the memory
SMALLEST = 0.5  # CSS pixels: smaller letters are not meant for readers
VISIBLE_HYPHEN = 0x2010  # what browsers print where they break a word
HYPHENS = (0x02, 0xAD, 0xFFFE)  # what pdfium and authors write for a hyphen at the end of a line
LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
FIRST_ODD = 0xD800  # from here on, codes may be halves of characters, ligatures or nothing at all
BLANKS = (0x20, 0x09, 0x0A, 0x0D, 0x0B, 0x0C, 0xA0, 0x2002, 0x2003, 0x2009, 0x200A, 0x202F, 0x3000)
UNREADABLE = "\ufffd"
GIVEN = -1  # in place of a confidence: the file says what the text is
IS_BLANK = np.zeros(max(BLANKS) + 2, dtype=bool)  # by code; the last place stands for all above
IS_BLANK[list(BLANKS)] = True
CODE_STEP = 1 << 21  # more than the rows of a sheet of the largest size, so that a code and a row make one exact number


class Style(NamedTuple):
    """How a piece is set."""

    family: str
    size: float
    weight: int
    italic: bool
    fixed: bool
    colour: int


@dataclass(frozen=True, eq=False, kw_only=True)
class PdfLines:
    """The pieces of a sheet, line after line, each line from its start to its end.

    `line_foot` is where the letters of a line's own size end below, in the direction in which it is read: formulas and
    raised letters make the boxes of lines taller, but do not move their feet. `confidence` is that of recognised text
    in percent, and `GIVEN` elsewhere.
    """

    text: tuple[str, ...]
    box: AnyFloats
    style: AnyInts
    spaced: BoolArray
    shift: npt.NDArray[np.int8]
    marked: AnyInts
    line: AnyInts
    line_box: AnyFloats
    confidence: AnyInts
    line_size: AnyFloats
    line_foot: AnyFloats
    line_angle: AnyInts
    hyphenated: BoolArray
    styles: tuple[Style, ...]

    def __len__(self) -> int:
        return len(self.line_box)


def upright(sheet: PdfSheet) -> tuple[PdfSheet, int]:
    """The sheet turned so that most of its text reads from left to right, and by how many quarters it was turned."""
    has_run = sheet.run >= 0
    angles = np.bincount(((sheet.run_angle[sheet.run[has_run]] + 45) // 90) % 4, minlength=4)
    quarter = int(angles.argmax())
    if not quarter or angles[quarter] * 2 <= angles.sum():
        return sheet, 0
    wide, tall = sheet.size
    turned = {
        name: _turned(getattr(sheet, name), quarter, wide, tall)
        for name in ("box", "rules", "images", "drawings", "links")
    }
    size = (tall, wide) if quarter % 2 else (wide, tall)
    fields = {**vars(sheet), **turned, "size": size, "run_angle": (sheet.run_angle - 90 * quarter) % 360}
    return PdfSheet(**fields), quarter


def _turned(box: AnyFloats, quarter: int, wide: float, tall: float) -> AnyFloats:
    """Boxes after a turn by quarters against the clock, which brings text that went down (1) to the right."""
    x0, y0, x1, y1 = box.T
    sides = {1: (y0, wide - x1, y1, wide - x0), 2: (wide - x1, tall - y1, wide - x0, tall - y0)}
    sides[3] = (tall - y1, x0, tall - y0, x1)
    return np.stack(sides[quarter], axis=1).astype(np.float32)


def find_lines(sheet: PdfSheet) -> PdfLines:
    """The pieces and lines of a sheet; text that is turned comes last, in the direction in which it reads."""
    styles, style_of = _styles(sheet)
    size = _sizes(sheet)
    ink, blank = _ink(sheet, size)
    angle = ((sheet.run_angle[sheet.run[ink]] + 45) // 90) % 4
    parts = []
    for quarter in range(4):
        chosen = ink[angle == quarter]
        if len(chosen):
            parts.append(_in_one_direction(sheet, chosen, size, blank, style_of, quarter))
    return _together(parts, tuple(styles))


# ------------------------------------------------------------------ characters


def _styles(sheet: PdfSheet) -> tuple[list[Style], AnyInts]:
    """The different styles of a sheet, and that of each run."""
    numbers: dict[Style, int] = {}
    number_of: dict[tuple[int, float, int], int] = {}
    of: list[int] = []
    columns = (sheet.run_font.tolist(), sheet.run_size.tolist(), sheet.run_colour.tolist())
    for key in zip(*columns, strict=True):
        if key not in number_of:
            font, size, colour = key
            described = sheet.fonts[font]
            style = Style(
                described.name, round(size, 1), described.weight, described.italic, described.fixed, max(colour, 0)
            )
            number_of[key] = numbers.setdefault(style, len(numbers))
        of.append(number_of[key])
    return list(numbers), np.array([*of, 0], dtype=np.int32)


def _sizes(sheet: PdfSheet) -> AnyFloats:
    """The size of each character; that of its box where the font is of no size at all."""
    size = np.append(sheet.run_size, np.float32(0))[sheet.run]
    height = np.minimum(sheet.box[:, 3] - sheet.box[:, 1], sheet.box[:, 2] - sheet.box[:, 0])
    return np.where(size > SMALLEST, size, height).astype(np.float32)


def _ink(sheet: PdfSheet, size: AnyFloats) -> tuple[AnyInts, AnyInts]:
    """The characters that leave ink, and how many blanks of the file stand before each character of all."""
    is_blank = IS_BLANK[np.minimum(sheet.code, len(IS_BLANK) - 1)]
    shown = ~is_blank & (sheet.run != NO_RUN) & (size > SMALLEST)
    for axis, side in enumerate(np.array(sheet.size, dtype=np.float32)):
        centre = (sheet.box[:, axis] + sheet.box[:, axis + 2]) / 2
        shown &= (centre >= 0) & (centre <= side)
    shown[_doubled(sheet, size, np.flatnonzero(shown))] = False
    ink = np.flatnonzero(shown)
    before = np.zeros(len(shown) + 1, dtype=np.int32)
    np.cumsum(is_blank & (sheet.run != NO_RUN), out=before[1:])
    return ink.astype(np.int32), before


def _doubled(sheet: PdfSheet, size: AnyFloats, ink: AnyInts) -> AnyInts:
    """The characters that are printed over themselves a second time."""
    code, box = sheet.code[ink], sheet.box.take(ink, axis=0)
    order = order_by(code.astype(np.float64) * CODE_STEP + np.round(box[:, 3] / 2), box[:, 0])
    ink, code, box = ink[order], code[order], box.take(order, axis=0)
    most = DOUBLED * size[ink[1:]]
    near = np.flatnonzero(np.abs(box[1:, 0] - box[:-1, 0]) < most)  # few are, and only these are looked at
    # A ligature comes as two letters in one place, one right after the other: these aren't doubles.
    apart = (np.abs(ink[near + 1] - ink[near]) > 1) & (code[near + 1] == code[near])
    apart &= (np.abs(box[near + 1] - box[near]) < most[near, None]).all(axis=1)
    again = near[apart]
    later: AnyInts = np.maximum(ink[again], ink[again + 1])
    return later


# ------------------------------------------------------------------ one direction


@dataclass(frozen=True, eq=False)
class _Part:
    """The lines of the text in one direction, before they are put together."""

    text: list[str]
    box: AnyFloats
    style: AnyInts
    spaced: BoolArray
    shift: npt.NDArray[np.int8]
    marked: AnyInts
    confidence: AnyInts
    line: AnyInts
    line_size: AnyFloats
    line_foot: AnyFloats
    hyphenated: BoolArray
    quarter: int


def _in_one_direction(
    sheet: PdfSheet, ink: AnyInts, size: AnyFloats, before: AnyInts, style_of: AnyInts, quarter: int
) -> _Part:
    shown = sheet.box.take(ink, axis=0)
    box = _turned(shown, quarter, *sheet.size) if quarter else shown
    size = size[ink]
    box = _sane(box, size)
    strip = _strips(box, size)
    line = _joined(box, size, strip)
    order = order_by(line, _along(box, strip, line))
    ink, size, line = ink[order], size[order], line[order]
    box, shown = box.take(order, axis=0), shown.take(order, axis=0)
    fresh = begins(line)
    blank = _blanks(box, size, sheet.code[ink], fresh, before[ink], line) | fresh
    starts = np.flatnonzero(fresh)
    number = np.cumsum(fresh) - 1
    line_size, foot = _line_sizes(box, size, starts, number)
    small = size < SMALLER * line_size[number]
    drop = foot[number] - box[:, 3] + 0.2 * (size - line_size[number])  # boxes reach below the line by their size
    shift = np.where(small & (drop > RAISED * line_size[number]), 1, 0)
    shift[small & (drop < -RAISED * line_size[number])] = -1
    style = style_of[sheet.run[ink]]
    cut = blank | begins(style) | begins(shift)
    first = np.flatnonzero(cut)
    last = np.append(first[1:], len(ink)) - 1
    texts, hyphen = _texts(sheet.code[ink], first)
    return _Part(
        text=texts,
        box=_unions(shown, first),
        style=style[first],
        spaced=blank[first] & ~fresh[first],
        shift=shift[first].astype(np.int8),
        marked=np.append(sheet.run_marked, -1)[sheet.run[ink[first]]],
        confidence=_confidence(sheet, ink, first),
        line=number[first].astype(np.int32),
        line_size=line_size,
        line_foot=foot,
        hyphenated=hyphen[last[np.append(np.flatnonzero(fresh[first])[1:], len(first)) - 1]],
        quarter=quarter,
    )


def _confidence(sheet: PdfSheet, ink: AnyInts, first: AnyInts) -> AnyInts:
    """The confidence of each piece: that of its least sure part."""
    if sheet.run_confidence is None:
        return np.full(len(first), GIVEN, dtype=np.int32)
    return np.minimum.reduceat(sheet.run_confidence[sheet.run[ink]], first).astype(np.int32)


def _sane(box: AnyFloats, size: AnyFloats) -> AnyFloats:
    """Boxes that are not much taller than the size of their letters."""
    height = box[:, 3] - box[:, 1]
    odd = (height > TALLEST * size) | (height < size / 3)
    if not odd.any():
        return box
    box = box.copy()
    foot = (box[:, 1] + box[:, 3]) / 2 + 0.4 * size
    box[odd, 1], box[odd, 3] = (foot - size)[odd], foot[odd]
    return box


def _strips(box: AnyFloats, size: AnyFloats) -> AnyInts:
    """Characters that follow each other in the file and on the page get one number."""
    if len(box) < 2:
        return np.zeros(len(box), dtype=np.int32)
    scale = np.maximum(size[1:], size[:-1])
    gap = box[1:, 0] - box[:-1, 2]
    middle = (box[:, 1] + box[:, 3]) / 2
    level = _level(middle[1:], size[1:], middle[:-1], size[:-1])
    follows = (gap < JOINED * scale) & (gap > -BACK * scale) & level
    return prefix_sum(~follows).astype(np.int32)


def _level(one: AnyFloats, size: AnyFloats, other: AnyFloats, its_size: AnyFloats) -> BoolArray:
    """Whether pieces with these middles and sizes stand on one line."""
    low, high = (
        np.maximum(one - CORE * size, other - CORE * its_size),
        np.minimum(one + CORE * size, other + CORE * its_size),
    )
    less, more = np.minimum(size, its_size), np.maximum(size, its_size)
    enough: BoolArray = high - low > np.where(less < SMALLER * more, SLANTED, LEVEL) * 2 * CORE * less
    return enough


def _joined(box: AnyFloats, size: AnyFloats, strip: AnyInts) -> AnyInts:
    """Strips that stand close on one height are one line, in whatever order the file has them."""
    starts = np.flatnonzero(begins(strip))
    boxes = _unions(box, starts)
    tallest = _longest(box, starts)
    sizes, feet = size[tallest], box[tallest]
    middles = (feet[:, 1] + feet[:, 3]) / 2
    parent = list(range(len(starts)))
    for left, right in _neighbours(boxes, sizes, middles):
        parent[_root(parent, right)] = _root(parent, left)
    roots = np.array([_root(parent, number) for number in range(len(starts))])
    roots = _across_wide_blanks(boxes, sizes, middles, roots)
    tops = np.full(len(starts), np.inf, dtype=np.float32)
    np.minimum.at(tops, roots, boxes[:, 1])
    rank = np.argsort(np.lexsort((boxes[roots, 0], tops[roots], roots)))  # only to number the lines from the top down
    first = np.full(len(starts), len(starts))
    np.minimum.at(first, roots, rank)
    return first[roots][strip].astype(np.int32)


def _neighbours(boxes: AnyFloats, sizes: AnyFloats, middles: AnyFloats) -> list[tuple[int, int]]:
    """Pairs of strips on one height with little room between them."""
    order = np.argsort(middles, kind="stable").astype(np.int32)
    place, size = middles[order], sizes[order]
    reach = np.searchsorted(place, place + size.max(initial=0.0), side="right")
    counts = reach - np.arange(len(order)) - 1
    first = np.repeat(np.arange(len(order)), counts)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    near = _level(place[first], size[first], place[second], size[second])
    left, right = order[first[near]], order[second[near]]
    a, b = boxes[left], boxes[right]
    gap = np.maximum(a[:, 0], b[:, 0]) - np.minimum(a[:, 2], b[:, 2])
    less, more = np.minimum(sizes[left], sizes[right]), np.maximum(sizes[left], sizes[right])
    close = gap < np.where(less < SMALLER * more, BESIDE * less, JOINED * more)
    close &= gap > -np.minimum(a[:, 2] - a[:, 0], b[:, 2] - b[:, 0]) / 2 - more
    return list(zip(left[close].tolist(), right[close].tolist(), strict=True))


def _across_wide_blanks(boxes: AnyFloats, sizes: AnyFloats, middles: AnyFloats, roots: AnyInts) -> AnyInts:
    """Justified lines may have blanks as wide as a gutter: a line above or below that spans both sides tells them."""
    kept, back = np.unique(roots, return_inverse=True)
    low = np.full(len(kept), np.inf, dtype=np.float32)
    high = np.full(len(kept), -np.inf, dtype=np.float32)
    np.minimum.at(low, back, boxes[:, 0])
    np.maximum.at(high, back, boxes[:, 2])
    size, middle = sizes[kept], middles[kept]
    level = np.abs(middle[:, None] - middle[None, :]) < CORE * size[:, None]
    left, right = np.nonzero(level)
    gap = low[right] - high[left]
    wide = (gap > 0) & (gap < WIDEST_BLANK * size[left])
    left, right = left[wide], right[wide]
    if not len(left):
        return roots
    parent = list(range(len(kept)))
    for start in range(0, len(left), PAIRS):
        a, b = left[start : start + PAIRS], right[start : start + PAIRS]
        spanned = _are_spanned(low, high, middle, size[a, None], a, b)
        for one, other in zip(a[spanned].tolist(), b[spanned].tolist(), strict=True):
            parent[_root(parent, other)] = _root(parent, one)
    merged = np.array([_root(parent, left) for left in range(len(kept))])
    joined: AnyInts = kept[merged[back]]
    return joined


def _are_spanned(
    low: AnyFloats, high: AnyFloats, middle: AnyFloats, size: AnyFloats, left: AnyInts, right: AnyInts
) -> BoolArray:
    """Above or below which pairs of lines a long one reaches from the start of the left one to the end of the right."""
    near = np.abs(middle - middle[left, None])
    spans = (high - low > LONG * size) & (np.abs(low - low[left, None]) < 2.5 * size)
    spans = spans & (np.abs(high - high[right, None]) < size) & (near > 0.5 * size) & (near < 2 * size)
    return np.asarray(spans.any(axis=1))


def _longest(box: AnyFloats, starts: AnyInts) -> AnyInts:
    """Of each strip the tallest character: raised ones do not speak for it."""
    height = box[:, 3] - box[:, 1]
    group = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(box))))
    tallest = np.flatnonzero(height == np.maximum.reduceat(height, starts)[group])
    first: AnyInts = tallest[begins(group[tallest])]
    return first


def _root(parent: list[int], node: int) -> int:
    while parent[node] != node:
        parent[node] = node = parent[parent[node]]
    return node


def _along(box: AnyFloats, strip: AnyInts, line: AnyInts) -> AnyFloats:
    """By what the characters of a line are put in order: their place, or, in a line of one strip, that in the file."""
    strips = np.zeros(int(line.max()) + 1, dtype=np.int32)
    np.add.at(strips, line[begins(strip)], 1)
    middle = (box[:, 0] + box[:, 2]) / 2
    return np.where(strips[line] > 1, middle, np.arange(len(box), dtype=np.float32))


def _blanks(
    box: AnyFloats, size: AnyFloats, code: AnyInts, fresh: BoolArray, before: AnyInts, line: AnyInts
) -> BoolArray:
    """Before which characters a blank stands: where the file has one, or the line leaves room for one."""
    gap = np.zeros(len(box), dtype=np.float32)
    gap[1:] = (box[1:, 0] - box[:-1, 2]) / np.maximum(size[1:], size[:-1])
    written = np.zeros(len(box), dtype=bool)
    written[1:] = before[1:] > before[:-1]
    inner = np.where(written | fresh, np.nan, gap)
    usual = _quantiles(inner, line, 0.5)
    usual = np.where(usual > 0, usual, np.float32(0))  # NaN where a line has no such gap
    room: BoolArray = gap > usual + np.maximum(BLANK, SPACED_OUT * usual)
    room |= written & (gap > usual + HAIR)
    return room | _tight(gap - usual, inner - usual, code, size, written, line)


def _tight(
    gap: AnyFloats, inner: AnyFloats, code: AnyInts, size: AnyFloats, written: BoolArray, line: AnyInts
) -> BoolArray:
    """Between which letters a blank has little room: in an even line, or none at all where the file has one.

    `gap` and `inner` are what the gaps of all letters, and of those inside words, have beyond the usual one.
    """
    near = ((gap > TIGHT) & (gap <= BLANK) & ~written) | (written & (gap > -OVERLAP) & (gap <= HAIR))
    near[1:] &= size[1:] == size[:-1]
    near[:1] = False
    for place in np.flatnonzero(near).tolist():
        one, other = chr(code[place - 1]), chr(code[place])
        # TeX sets ł as an l below a stroke that its fonts have in the place of the blank.
        near[place] = one.isalpha() and other.isalpha() and not (written[place] and other in "lL")
    if not near.any():
        return near
    return near & (written | (_quantiles(np.abs(inner), line, MOST_GAPS) <= EVEN))


def _quantiles(values: AnyFloats, group: AnyInts, share: float) -> AnyFloats:
    """The value that a share of the values of each group are below, for each value; groups stand together."""
    is_number = ~np.isnan(values)
    order = order_by(group, np.where(is_number, values, np.inf))
    start = np.flatnonzero(begins(group))
    count = np.add.reduceat(is_number.astype(np.int32), start)
    place = (np.maximum(count - 1, 0) * share).astype(np.int64)
    found = values[order][np.minimum(start + place, len(values) - 1)]
    found = np.where(count > 0, found, np.nan)
    return found[np.repeat(np.arange(len(start)), np.diff(np.append(start, len(values))))]


def _line_sizes(box: AnyFloats, size: AnyFloats, starts: AnyInts, number: AnyInts) -> tuple[AnyFloats, AnyFloats]:
    """The size that most of each line is set in, by width, and where the foot of such letters is."""
    key = np.round(size * 2).astype(np.int64) + number.astype(np.int64) * 100_000
    fresh = np.flatnonzero(begins(key))  # few: most lines are set in one size
    kinds, back = np.unique(key[fresh], return_inverse=True)
    back = np.repeat(back, np.diff(np.append(fresh, len(key))))
    width = np.bincount(back, weights=np.maximum(box[:, 2] - box[:, 0], 0.01))
    owner = (kinds // 100_000).astype(np.int64)
    order = np.lexsort((width, owner))
    best = order[np.append(np.flatnonzero(np.diff(owner[order])), len(order) - 1)]
    main = (kinds[best] % 100_000 / 2).astype(np.float32)
    is_main = np.abs(size - main[number]) <= 0.5
    foot = np.maximum.reduceat(np.where(is_main, box[:, 3], -np.inf), starts)
    return main, foot.astype(np.float32)


def _texts(code: AnyInts, first: AnyInts) -> tuple[list[str], BoolArray]:
    """The texts of the pieces that begin at `first`, and which characters are hyphens that break a word."""
    hyphen = (code == HYPHENS[0]) | (code == HYPHENS[1]) | (code == HYPHENS[2])
    code = np.where(hyphen, ord("-"), code)
    is_odd = int(code.min()) <= 0 or int(code.max()) >= FIRST_ODD
    if is_odd:
        code = np.where((code <= 0) | (code > 0x10FFFF) | ((code >= 0xD800) & (code < 0xE000)), ord(UNREADABLE), code)
    whole = code.astype("<u4").tobytes().decode("utf-32-le")
    ends = [*first[1:].tolist(), len(code)]
    texts = [whole[start:end] for start, end in zip(first.tolist(), ends, strict=True)]
    if is_odd and ((code >= 0xFB00) & (code <= 0xFB06)).any():
        texts = [text.translate(LIGATURES) for text in texts]
    if has_right_to_left(code):
        texts = [letters_as_read(text) for text in texts]
    hyphen |= (code == ord("-")) | (code == VISIBLE_HYPHEN)
    return texts, hyphen


def _unions(box: AnyFloats, starts: AnyInts) -> AnyFloats:
    low, high = np.minimum.reduceat(box[:, :2], starts), np.maximum.reduceat(box[:, 2:], starts)
    return np.concatenate([low, high], axis=1)


def _together(parts: list[_Part], styles: tuple[Style, ...]) -> PdfLines:
    if not parts:
        none, boxes = np.zeros(0, dtype=np.int32), np.zeros((0, 4), dtype=np.float32)
        return PdfLines(
            text=(),
            box=boxes,
            style=none,
            spaced=none.astype(bool),
            shift=none.astype(np.int8),
            marked=none,
            confidence=none,
            line=none,
            line_box=boxes,
            line_size=boxes[:, 0],
            line_foot=boxes[:, 0],
            line_angle=none,
            hyphenated=none.astype(bool),
            styles=styles,
        )
    offsets = np.cumsum([0, *(len(part.line_size) for part in parts[:-1])])
    line = np.concatenate([part.line + offset for part, offset in zip(parts, offsets.tolist(), strict=True)])
    box = np.concatenate([part.box for part in parts])
    return PdfLines(
        text=tuple(text for part in parts for text in part.text),
        box=box,
        style=np.concatenate([part.style for part in parts]),
        spaced=np.concatenate([part.spaced for part in parts]),
        shift=np.concatenate([part.shift for part in parts]),
        marked=np.concatenate([part.marked for part in parts]),
        confidence=np.concatenate([part.confidence for part in parts]),
        line=line.astype(np.int32),
        line_box=_unions(box, np.flatnonzero(begins(line))),
        line_size=np.concatenate([part.line_size for part in parts]),
        line_foot=np.concatenate([part.line_foot for part in parts]),
        line_angle=np.concatenate([np.full(len(part.line_size), 90 * part.quarter, dtype=np.int32) for part in parts]),
        hyphenated=np.concatenate([part.hyphenated for part in parts]),
        styles=styles,
    )
