"""Step 1: read a printed document into lines of text and drawn rectangles, sheet by sheet.

Everything is decoded into numbers here, once per document; the later steps read no strings but the text itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import itemgetter

import numpy as np

from sightline.arrays import AnyFloats, AnyInts, BoolArray, IndexArray, IntArray
from sightline.extract.structure._printed_line import BULLETS, PrintedLine
from sightline.geometry import Box, BoxArray
from sightline.page import Page, Printed, PrintedLines, PrintedSheet, nearest
from sightline.signals import colour_channels, is_bold, pixels

# Share of the height of a sheet: what the tag tree calls an artifact counts as a header or footer only this close to an
# edge, since some files tag whole tables as artifacts. Set by hand.
NEAR_EDGE = 0.12
ARTIFACT = ("Artifact",)  # what a tagged PDF calls headers, footers and decoration
MATH_FONT = re.compile(
    r"CM(?:MI|SY|EX|BSY|MIB)|MSBM|MSAM|EUFM|EUSM|MTMI|MTSY|MTEX|RMTMI|Math|Symbol|EURM|RSFS|BBM|TXMI|TXSY|PXMI|PXSY",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class PrintedWords:
    """The words of the document, one list for each property.

    `spaced` says whether a blank stands before the word; `style` is a number for all that makes its look.
    """

    text: list[str]
    box: list[list[float]]
    spaced: list[bool]
    line: list[int]
    style: list[int]
    bold: list[bool]

    def joined(self, words: Sequence[int]) -> str:
        """The text of some words, with the blanks between them."""
        texts, spaced = self.text, self.spaced
        return "".join([f" {texts[word]}" if spaced[word] else texts[word] for word in words]).strip()

    def in_lines(self, words: Sequence[int]) -> str:
        """The text of some words of several lines, with a blank wherever a new line begins as well."""
        texts, spaced, line = self.text, self.spaced, self.line
        before = (None, *words)
        return "".join(
            f" {texts[word]}" if above is not None and (spaced[word] or line[word] != line[above]) else texts[word]
            for above, word in zip(before, words, strict=False)
        )


@dataclass(frozen=True, eq=False)
class SheetLines:
    """One sheet: its box, its lines in reading order, and what is drawn on it."""

    box: Box
    lines: list[PrintedLine]
    rules: BoxArray  # drawn lines and filled rectangles
    colours: IntArray  # of the rules, as numbers
    lightness: AnyFloats  # of the rules: the darkest of red, green and blue, 0 to 255
    images: BoxArray
    figures: BoxArray


@dataclass(frozen=True, slots=True)
class PrintedLook:
    """What the later steps need to know of a style: the size of its letters, and whether they are bold or italic."""

    size: float
    bold: bool
    italic: bool
    formula: bool  # a font for formulas


@dataclass(frozen=True, eq=False)
class Layout:
    """All sheets, the words that the lines consist of, and the look of every style."""

    printed: Printed
    sheets: tuple[SheetLines, ...]
    words: PrintedWords
    looks: list[PrintedLook]


def layout_of(source: Page | Printed, *, tagged: bool = True) -> Layout:
    """What the later steps need of a document; `tagged` says whether they may see its tag tree."""
    printed = source if isinstance(source, Printed) else printed_of(source)
    looks = _looks(printed)
    words = _words(printed, looks)
    lines: list[list[PrintedLine]] = [[] for _ in printed.sheets]
    for line, sheet in zip(_lines(printed, words, looks, tagged=tagged), printed.lines.sheet, strict=True):
        lines[sheet].append(line)
    return Layout(printed, tuple(_sheets(printed, lines)), words, looks)


# ------------------------------------------------------------------ words


def _looks(printed: Printed) -> list[PrintedLook]:
    """The look of each style; its size in single precision, as pages keep numbers."""
    family, size, slant, weight = (
        printed.style_names.index(name) for name in ("font-family", "font-size", "font-style", "font-weight")
    )
    return [
        PrintedLook(
            float(np.float32(pixels(row[size]))),
            is_bold(row[weight]),
            row[slant] != "normal",
            MATH_FONT.search(row[family]) is not None,
        )
        for row in printed.styles
    ]


def _words(printed: Printed, looks: Sequence[PrintedLook]) -> PrintedWords:
    lines = printed.lines
    line_of = np.repeat(np.array(lines.node, dtype=np.int32), np.diff(lines.starts)).tolist()
    bold = [look.bold for look in looks]
    return PrintedWords(
        lines.text, lines.box, lines.spaced, line_of, lines.style, [bold[style] for style in lines.style]
    )


def _is_math(words: PrintedWords, looks: Sequence[PrintedLook]) -> list[bool]:
    """Which words are set in a font for formulas. Bullets often are, and prove nothing."""
    math = {style for style, look in enumerate(looks) if look.formula}
    if not math:
        return [False] * len(words.text)
    return [style in math and text not in BULLETS for style, text in zip(words.style, words.text, strict=True)]


# ------------------------------------------------------------------ lines


def _lines(printed: Printed, words: PrintedWords, looks: Sequence[PrintedLook], *, tagged: bool) -> list[PrintedLine]:
    lines = printed.lines
    math = _is_math(words, looks)
    sheets: list[list[float]] = printed.sheet_boxes.tolist()
    tags = {tag: tuple(tag.split()) if tagged else () for tag in set(lines.tag)}
    columns = zip(
        lines.node,
        lines.starts,
        lines.starts[1:],
        lines.line_box,
        lines.line_style,
        lines.block,
        lines.block_tag,
        lines.angle,
        lines.tag,
        lines.sheet,
        strict=False,  # `starts` is longer by one
    )
    found: list[PrintedLine] = []
    for node, start, stop, box, style, block, block_tag, angle, tag, sheet in columns:
        held, look = range(start, stop), looks[style]
        artifact = tags[tag] == ARTIFACT and _is_near_edge(box, sheets[sheet])
        found.append(
            PrintedLine(
                node,
                tuple(held),
                words.joined(held),
                box[0],
                box[1],
                box[2],
                box[3],
                look.size,
                look.bold,
                block,
                block_tag != "div" or artifact,
                angle != 0,
                _share(words.text, math, held),
                tags[tag],
            )
        )
    return found


def _share(texts: list[str], marked: list[bool], words: range) -> float:
    """The share of the characters of some words that stand in marked ones."""
    if not any(marked[words.start : words.stop]):
        return 0.0
    return sum(len(texts[word]) for word in words if marked[word]) / max(sum(len(texts[word]) for word in words), 1)


def _is_near_edge(box: list[float], sheet: list[float]) -> bool:
    """Whether a line stands at the upper or lower edge of its sheet."""
    room = NEAR_EDGE * (sheet[3] - sheet[1])
    return box[3] < sheet[1] + room or box[1] > sheet[3] - room


# ------------------------------------------------------------------ sheets


def _sheets(printed: Printed, lines: list[list[PrintedLine]]) -> list[SheetLines]:
    rules = printed.rules
    tops = np.array([sheet.box[1] for sheet in printed.sheets], dtype=np.float32)
    rule_sheet = np.searchsorted(tops, (rules[:, 1] + rules[:, 3]) / 2, side="right") - 1
    number = {colour: place for place, colour in enumerate(dict.fromkeys(printed.rule_colour))}
    colour = np.array([number[each] for each in printed.rule_colour], dtype=np.int32)
    known = np.array([min(colour_channels(each)[:3]) for each in number], dtype=np.float64)
    lightness = known[colour]
    found = []
    for place, sheet in enumerate(printed.sheets):
        here = rule_sheet == place
        found.append(
            SheetLines(sheet.box, lines[place], rules[here], colour[here], lightness[here], sheet.images, sheet.figures)
        )
    return found


# A bare page, such as one that was saved, as the printed document that it was made of.

SHIFTS = {"sup": 1, "sub": -1}
RUNNING = ("header", "footer")


def printed_of(page: Page) -> Printed:
    """The document of a bare page; spans without words are left out."""
    sections, images, figures = (page.with_tag(tag) for tag in ("section", "img", "svg"))
    return Printed(
        lines=_bare_lines(page, sections),
        sheets=tuple(_sheet(page, number, images, figures) for number in sections.tolist()),
        style_names=page.style_names,
        styles=tuple(tuple(page.strings[value] if value >= 0 else "" for value in row) for row in page.styles.tolist()),
        rules=page.rules.box,
        rule_colour=_strings(page, page.rules.colour),
        sheet_boxes=page.sheets,
        sheet_numbers=page.sheet_numbers,
        viewport=page.viewport,
        url=page.url,
        title=page.title,
        notes=page.notes,
        gaps=page.gaps,
        screenshot=page.screenshot,
    )


def _sheet(page: Page, node: int, images: IntArray, figures: IntArray) -> PrintedSheet:
    held = (page.box[each[(each >= node) & (each < page.end[node])]] for each in (images, figures))
    x0, y0, x1, y1 = page.box[node].tolist()
    return PrintedSheet(node, (x0, y0, x1, y1), dict(page.node(node).attributes), *held)


def _bare_lines(page: Page, sections: IntArray) -> PrintedLines:
    is_line = np.zeros(len(page), dtype=bool)
    is_line[page.with_tag("span")] = True
    line_of = nearest(page.parent, is_line)[page.words.node]
    held = np.flatnonzero(line_of >= 0)
    nodes, first = np.unique(line_of[held], return_index=True)
    lines = PrintedLines()
    _add_words(page, lines, held)
    lines.starts = [*first.tolist(), len(held)]
    lines.node = nodes.tolist()
    lines.confidence = _confidence(_strings(page, page.attribute("data-confidence")[nodes]), lines.starts)
    lines.line_box = page.box[nodes].tolist()
    lines.line_style = page.style_of[nodes].tolist()
    lines.block = page.parent[nodes].tolist()
    lines.block_tag = [tag if tag in RUNNING else "div" for tag in _strings(page, page.tag[page.parent[nodes]])]
    lines.angle = [int(value or 0) for value in _strings(page, page.attribute("data-angle")[nodes])]
    lines.hyphenated = (page.attribute("data-hyphen")[nodes] >= 0).tolist()
    lines.tag = _strings(page, page.attribute("data-tag")[nodes])
    lines.sheet = (np.searchsorted(sections, nodes, side="right") - 1).tolist()
    return lines


def _confidence(said: Sequence[str], starts: Sequence[int]) -> list[int]:
    """The confidence of each word, from what the lines say of theirs; -1 where they say nothing."""
    found: list[int] = []
    for text, (first, last) in zip(said, pairwise(starts), strict=True):
        values = [int(value) for value in text.split()]
        found += values if len(values) == last - first else [-1] * (last - first)
    return found


def _add_words(page: Page, lines: PrintedLines, held: AnyInts) -> None:
    words = page.words
    node = words.node[held]
    above = page.parent[node]
    rows = zip(_strings(page, page.text[node]), words.start[held].tolist(), words.end[held].tolist(), strict=True)
    for text, start, end in rows:
        lines.text.append(text[start:end])
        lines.spaced.append(start > 0 and text[start - 1] == " ")
    lines.box = words.box[held].tolist()
    lines.style = page.style_of[node].tolist()
    lines.shift = [SHIFTS.get(tag, 0) for tag in _strings(page, page.tag[above])]
    around = np.where(np.array(lines.shift, dtype=np.int32) != 0, page.parent[above], above)
    lines.link = _strings(page, page.attribute("href")[around])
    lines.run = (np.diff(node, prepend=-1) != 0).tolist()


def _strings(page: Page, ids: AnyInts) -> list[str]:
    return [page.strings[value] if value >= 0 else "" for value in ids.tolist()]


# -- straight edges, from drawn lines, thin rectangles and the sides of filled ones ---------------------------------
# All constants are in CSS pixels unless they say otherwise.

THIN = 4.5  # a rectangle no thicker than this is a line
ALIGNED = 2.5  # lines this close are one line, drawn twice or in pieces
# Measured: no figure changes from 2 to 8.
GAP = 4.0  # pieces of one line may leave gaps this wide, as dotted lines do
TOUCH = 1.5  # fills this close touch
SHORTEST = 9.0  # shorter edges are ticks, dashes and parts of letters
PAPER = 248  # of 255: fills and lines whose red, green and blue are all lighter than this cannot be seen
BACKGROUND = 0.9  # share of both sides of the sheet: a larger rectangle is the background
SMALLEST_FILL = 6.0  # smaller filled rectangles are bullets and marks
ALONG = 0.9  # share of the side of a fill: a neighbour of the same colour this long hides it


@dataclass(frozen=True, eq=False)
class Edges:
    """Straight lines: rows of y, x0, x1 for those that run across, of x, y0, y1 for those that run down."""

    across: AnyFloats
    down: AnyFloats

    @cached_property
    def upright(self) -> list[list[float]]:
        """The lines that run down, as plain numbers."""
        found: list[list[float]] = self.down.tolist()
        return found


def edges_of(sheet: SheetLines) -> Edges:
    """The edges of a sheet that are long enough to part something."""
    inked = ~(sheet.lightness >= PAPER)
    box, colours = sheet.rules[inked], sheet.colours[inked]
    if not len(box):
        return Edges(np.zeros((0, 3)), np.zeros((0, 3)))
    wide, tall = box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]
    x0, y0, x1, y1 = sheet.box
    background = (wide > BACKGROUND * (x1 - x0)) & (tall > BACKGROUND * (y1 - y0))
    flat, upright = (tall <= THIN) & ~background, (wide <= THIN) & ~background
    filled = ~flat & ~upright & ~background & (wide >= SMALLEST_FILL) & (tall >= SMALLEST_FILL)
    fills = box[filled]
    visible = _visible_sides(fills, colours[filled])
    across = [_middle_lines(box[flat], 1), *(fills[:, [side, 0, 2]][visible[:, side]] for side in (1, 3))]
    down = [_middle_lines(box[upright], 0), *(fills[:, [side, 1, 3]][visible[:, side]] for side in (0, 2))]
    return Edges(_merged(np.concatenate(across)), _merged(np.concatenate(down)))


def _middle_lines(box: AnyFloats, axis: int) -> AnyFloats:
    """Thin rectangles as lines: the middle of their short side (`axis` is 0 for x, 1 for y), start and end."""
    middle = (box[:, axis] + box[:, axis + 2]) / 2
    return np.stack([middle, box[:, 1 - axis], box[:, 3 - axis]], axis=1)


def _visible_sides(box: AnyFloats, colour: IntArray) -> BoolArray:
    """Which sides of filled rectangles show; a side disappears where another fill of the same colour continues."""
    seen = np.ones((len(box), 4), dtype=bool)
    if len(box) < 2:
        return seen
    same = colour[:, None] == colour[None, :]
    np.fill_diagonal(same, val=False)
    for side, along in ((0, 1), (1, 0), (2, 1), (3, 0)):
        place = box[:, None, side]
        shared = np.minimum(box[:, None, along + 2], box[None, :, along + 2]) - np.maximum(
            box[:, None, along], box[None, :, along]
        )
        long = shared >= ALONG * (box[:, along + 2] - box[:, along])[:, None]
        reaches = (box[None, :, side % 2] <= place + TOUCH) & (box[None, :, side % 2 + 2] >= place - TOUCH)
        beyond = box[None, :, side] < place - TOUCH if side < 2 else box[None, :, side] > place + TOUCH
        seen[:, side] = ~(same & long & reaches & beyond).any(axis=1)
    return seen


def _merged(edges: AnyFloats) -> AnyFloats:
    """Pieces on one line as one edge, the short ones dropped; rows are place, start, end."""
    if not len(edges):
        return np.zeros((0, 3))
    found: list[list[float]] = []
    for level in _levels(edges):
        open_until = float("-inf")
        for place, start, end in sorted(level, key=itemgetter(1)):
            if start <= open_until + GAP:
                open_until = found[-1][2] = max(open_until, end)
            else:
                found.append([place, start, end])
                open_until = end
    return np.array([edge for edge in found if edge[2] - edge[1] >= SHORTEST]).reshape(-1, 3)


def _levels(edges: AnyFloats) -> list[list[list[float]]]:
    """The edges on each line, from the first line to the last: those that are close to the one before."""
    found: list[list[list[float]]] = []
    before = float("-inf")
    for edge in sorted(edges.tolist(), key=itemgetter(0)):
        if edge[0] - before > ALIGNED:
            found.append([])
        found[-1].append(edge)
        before = edge[0]
    return found


# Step 3: lattices, the groups of edges that meet each other.

# Measured: F1 is the same from 4 to 8, and 0.999 at 2.
MEET = 4.0  # CSS pixels: how far an edge may end before the one that it meets


@dataclass(frozen=True, eq=False)
class Lattice:
    """Edges that meet, and the box around them."""

    box: Box
    edges: Edges

    @property
    def area(self) -> float:
        """How much of the sheet it covers."""
        x0, y0, x1, y1 = self.box
        return (x1 - x0) * (y1 - y0)


def lattices_of(edges: Edges) -> list[Lattice]:
    """The groups of edges that meet each other, the largest first."""
    if not len(edges.across) or not len(edges.down):
        return []
    group_across, group_down = _groups(_crossings(edges))
    found = []
    for number in np.unique(group_across).tolist():
        group = Edges(edges.across[group_across == number], edges.down[group_down == number])
        if len(group.down):
            found.append(Lattice(_hull(group), group))
    return sorted(found, key=lambda lattice: -lattice.area)


def _crossings(edges: Edges) -> BoolArray:
    """Which edges across (rows) meet which edges down (columns)."""
    across, down = edges.across[:, None], edges.down[None, :]
    meet: BoolArray = (across[..., 0] >= down[..., 1] - MEET) & (across[..., 0] <= down[..., 2] + MEET)
    meet &= (down[..., 0] >= across[..., 1] - MEET) & (down[..., 0] <= across[..., 2] + MEET)
    return meet


def _groups(meet: BoolArray) -> tuple[IndexArray, IndexArray]:
    """The group of each edge across and of each edge down: the smallest number of an edge across that it reaches."""
    none = len(meet)
    group_across, group_down = np.arange(none), np.full(meet.shape[1], none)
    while True:
        new_down = np.minimum(group_down, np.where(meet, group_across[:, None], none).min(axis=0))
        new_across = np.minimum(group_across, np.where(meet, new_down[None, :], none).min(axis=1))
        if (new_down == group_down).all() and (new_across == group_across).all():
            return group_across, group_down
        group_down, group_across = new_down, new_across


def _hull(edges: Edges) -> Box:
    across, down = edges.across, edges.down
    return (
        float(min(across[:, 1].min(), down[:, 0].min())),
        float(min(across[:, 0].min(), down[:, 1].min())),
        float(max(across[:, 2].max(), down[:, 0].max())),
        float(max(across[:, 0].max(), down[:, 2].max())),
    )
