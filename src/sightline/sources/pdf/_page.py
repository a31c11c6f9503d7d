"""From the sheets of a PDF to one printed document: lines in blocks, stacked in one space.

Words, boxes and drawn rules are columns of numbers; size, weight and colour of a text are styles as in CSS, which all
read. `sightline.extract.structure` finds out which blocks are headings, paragraphs or tables.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyInts, BoolArray, begins
from sightline.geometry import Box, union
from sightline.page import Printed, PrintedLines, PrintedSheet
from sightline.sources.pdf._blocks import PdfBlocks, figures, find_blocks
from sightline.sources.pdf._lines import PdfLines, Style, find_lines, upright
from sightline.sources.pdf._sheet import Bookmark, PdfSheet

# Headers, footers and page numbers: what stands at the edge of several sheets in the same place.

EDGE = 0.16  # of the height of a sheet: how far from its edge a header or footer may stand
SHIFT = 6.0  # CSS pixels: how far it may move from sheet to sheet
NUMBER = re.compile(
    r"[-–—\s\[(]*(?:page|seite|p\.)?\s*(?:\d{1,4}|[ivxlc]{1,6})(?:\s*(?:/|of|von|de)\s*\d{1,4})?[-–—\s\])]*",
    re.IGNORECASE,
)
DIGITS = re.compile(r"\d+")
# What browsers print into the margins: when and where from, and which sheet of how many. They print all three or none.
MARGIN = 0.06  # of the height of a sheet
WHEN = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? +\d{1,2}[:.]\d\d(?: ?[ap]m)?\b", re.IGNORECASE)
WHERE = re.compile(r"\b(?:https?|file)://\S|\babout:\w")
WHICH = re.compile(r"\d{1,4} ?(?:/|of|von|de|sur|di) ?\d{1,4}$")
SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")
FEWEST_CELLS = 2  # lines side by side, from which on they may be a row of a table
ROOM = 1.7  # of the size: a page number stands at least so far below or above the text
APART = 14.0  # of the size: a page number stands at least so far from the title beside it


@dataclass(frozen=True, slots=True)
class Edge:
    """A line near the upper or lower edge of a sheet: its text without digits, and where it stands.

    `close` says that another row of lines stands right below it, or above it at the lower edge; `marginal` that it
    stands where browsers print headers and footers.
    """

    line: int
    text: str
    pattern: str
    top: bool
    y: float
    outermost: bool
    close: bool = False
    marginal: bool = False


def edge_of(lines: PdfLines, height: float) -> list[Edge]:
    """The lines of a sheet that may be running headers or footers."""
    if not len(lines):
        return []
    upright = lines.line_angle == 0
    middle = (lines.line_box[:, 1] + lines.line_box[:, 3]) / 2
    inner: list[float] = middle[upright].tolist()
    upper, lower = EDGE * height, (1 - EDGE) * height
    placed = zip(inner, np.flatnonzero(upright).tolist(), strict=True)
    near = [(y, line) for y, line in placed if y < upper or y > lower]
    firsts, stops = (np.searchsorted(lines.line, [line for _, line in near], side).tolist() for side in SIDES)
    spaced = lines.spaced.tolist()
    least, most = min(inner, default=0.0), max(inner, default=0.0)
    found = []
    for (y, line), first, stop in zip(near, firsts, stops, strict=True):
        pieces = zip(lines.text[first:stop], spaced[first:stop], strict=True)
        text = "".join([f" {piece}" if blank else piece for piece, blank in pieces]).strip()
        pattern = DIGITS.sub("#", text).casefold()
        size = float(lines.line_size[line])
        outermost = y < least + 0.5 * size or y > most - 0.5 * size
        top = y < height / 2
        apart = outermost and _is_apart(lines, line, middle)
        marginal = y < MARGIN * height or y > (1 - MARGIN) * height
        found.append(Edge(line, text, pattern, top, y, apart, _is_close(inner, y, size, top=top), marginal))
    return found


def _is_close(middles: Sequence[float], y: float, size: float, *, top: bool) -> bool:
    """Whether another row stands right beside a line, on the side of the text."""
    least, most = 0.5 * size, ROOM * size
    if top:
        return any(least < other - y < most for other in middles)
    return any(least < y - other < most for other in middles)


def _is_apart(lines: PdfLines, line: int, middle: npt.NDArray[np.floating[Any]]) -> bool:
    """Whether nothing stands beside a line or right above or below it, as it does around the numbers of a table."""
    box, size = lines.line_box, lines.line_size[line]
    level = np.abs(middle - middle[line]) < 0.5 * size
    gap = np.maximum(box[:, 0] - box[line, 2], box[line, 0] - box[:, 2])
    level[line] = False
    close = np.abs(middle - middle[line]) < ROOM * size
    close[line] = False
    beside = (level & (gap < APART * size)) | (close & ~level)
    return not bool(beside.any())


def running(sheets: Sequence[list[Edge]]) -> list[set[int]]:
    """For each sheet its running lines: those that come again in one place, and page numbers at the very edge."""
    places: dict[tuple[str, bool], list[tuple[int, float]]] = defaultdict(list)
    for number, edges in enumerate(sheets):
        for edge in edges:
            places[edge.pattern, edge.top].append((number, edge.y))
    return [
        _from_the_edge(edges, _again(edges, number, places)) | _of_a_browser(edges)
        for number, edges in enumerate(sheets)
    ]


def _of_a_browser(edges: Sequence[Edge]) -> set[int]:
    """The outermost rows of a sheet if a browser printed them: its date and time, address and number are in them."""
    rows = [_outermost([edge for edge in edges if edge.marginal and edge.top == top], top=top) for top in (True, False)]
    texts = [edge.text for row in rows for edge in row]
    if all(rows) and all(any(said.search(text) for text in texts) for said in (WHEN, WHERE, WHICH)):
        return {edge.line for row in rows for edge in row}
    return set()


def _outermost(edges: list[Edge], *, top: bool) -> list[Edge]:
    """The lines in the row that is nearest to the edge of the sheet."""
    if not edges:
        return []
    outer = (min if top else max)(edge.y for edge in edges)
    return [edge for edge in edges if abs(edge.y - outer) <= SHIFT]


def _again(edges: list[Edge], number: int, places: dict[tuple[str, bool], list[tuple[int, float]]]) -> set[int]:
    """The lines that stand in the same place of another sheet, and lone page numbers."""
    mine = set()
    for edge in edges:
        again = any(abs(y - edge.y) < SHIFT and other != number for other, y in places[edge.pattern, edge.top])
        lone = edge.outermost and NUMBER.fullmatch(edge.text) is not None
        if lone or (again and any(letter.isalpha() for letter in edge.pattern)):  # numbers come again in tables too
            mine.add(edge.line)
    return mine


def _from_the_edge(edges: list[Edge], again: set[int]) -> set[int]:
    """Those of them with nothing else between them and the edge: the heading of a table comes again as well."""
    kept: set[int] = set()
    for top in (True, False):
        stopped = None
        for edge in sorted((edge for edge in edges if edge.top == top), key=lambda edge: edge.y if top else -edge.y):
            if stopped is not None and abs(edge.y - stopped) > SHIFT:
                break
            if edge.line in again:
                kept.add(edge.line)
            elif stopped is None:
                stopped = edge.y
        kept -= _in_tables(edges, kept, top=top)
    return kept


def _in_tables(edges: Sequence[Edge], kept: set[int], *, top: bool) -> set[int]:
    """The running lines next to the text that stand in a row of several, with the next row right beside it.

    Cells of the first row of a table come again on other sheets. Titles side by side in a header stand apart from the
    text.
    """
    own = [edge for edge in edges if edge.top == top]
    running = [edge.y for edge in own if edge.line in kept]
    if not running:
        return set()
    last = max(running) if top else min(running)
    row = [edge for edge in own if abs(edge.y - last) <= SHIFT]
    if len(row) < FEWEST_CELLS or not all(edge.close for edge in row):
        return set()
    return {edge.line for edge in row}


STYLE_NAMES = ("display", "color", "font-family", "font-size", "font-style", "font-weight")
ROW = 4  # CSS pixels: running lines whose upper ends round to the same multiple of this are read from left to right
PLAIN = ("block", "rgb(0, 0, 0)", "serif", "16px", "normal", "400")
FIRST_NODE = 2  # of the first sheet on the bare page, below `html` and `body`


@dataclass(frozen=True, eq=False)
class Laid:
    """A sheet after steps 2 and 3; what is kept of it while the others are read."""

    sheet: PdfSheet
    lines: PdfLines
    blocks: PdfBlocks
    edges: list[Edge]
    turned: int
    angle: float = 0.0  # of the picture that it was recognised in: how many degrees it was turned after that


def laid_out(sheet: PdfSheet) -> Laid:
    """Lines and blocks of a sheet."""
    sheet, turned = upright(sheet)
    lines = find_lines(sheet)
    return Laid(sheet, lines, find_blocks(lines), edge_of(lines, sheet.size[1]), turned)


def printed_of(sheets: Iterable[Laid], bookmarks: Sequence[Bookmark] = (), **facts: Any) -> Printed:
    """One document of all sheets, from top to bottom; `facts` are those of a page that have nothing to do with them."""
    laid = list(sheets)
    printing = _Printing(bookmarks)
    for laid_sheet, apart in zip(laid, running([each.edges for each in laid]), strict=True):
        printing.add(laid_sheet, apart)
    return printing.printed(facts)


class _Printing:
    """Puts sheets below each other into one document."""

    def __init__(self, bookmarks: Sequence[Bookmark]) -> None:
        self.lines = PrintedLines()
        self.styles: dict[tuple[str, ...], int] = {PLAIN: 0}
        self.sheets: list[PrintedSheet] = []
        self.nodes = FIRST_NODE
        self.top = 0.0
        self.boxes: list[Box] = []
        self.numbers: list[int] = []
        self.rules: list[Any] = []
        self.colours: list[int] = []
        self.bookmarks: dict[int, list[Bookmark]] = {}
        for mark in bookmarks:
            self.bookmarks.setdefault(mark.sheet, []).append(mark)

    def add(self, laid: Laid, apart: set[int]) -> None:
        """One more sheet; `apart` are its running lines."""
        wide, tall = laid.sheet.size
        box = (0.0, self.top, wide, self.top + tall)
        shift = np.array([0, self.top, 0, self.top], dtype=np.float32)
        images, drawn = laid.sheet.images + shift, figures(laid.sheet.drawings) + shift
        boxes = [np.array([box], dtype=np.float32), laid.lines.line_box + shift, images, drawn]
        whole = union(np.concatenate(boxes)) or box  # some things jut out over the sheet
        sheet = PrintedSheet(self.nodes, whole, self._attributes(laid), images, drawn)
        self.nodes += 1
        self._add_lines(laid, _blocks(laid, apart), shift)
        self.nodes += len(images) + len(drawn)
        self.sheets.append(sheet)
        self.boxes.append(box)
        self.numbers.append(laid.sheet.number)
        self.rules.append(laid.sheet.rules + shift)
        self.colours += laid.sheet.rule_colour.tolist()
        self.top += tall

    def _attributes(self, laid: Laid) -> dict[str, str]:
        """The attributes of a sheet's section: its number, the bookmarks that lead to it, and how it was recognised."""
        attributes = {"id": f"sheet-{laid.sheet.number}", "class": "sheet"}
        if laid.sheet.run_confidence is not None:
            attributes["data-recognised"] = "ocr"
            if len(laid.lines):
                attributes["data-confidence"] = str(round(float(laid.lines.confidence.mean())))
        marks = self.bookmarks.get(laid.sheet.number)
        if marks:
            attributes["data-bookmarks"] = "\n".join(f"{mark.level} {mark.title}" for mark in marks)
        return attributes

    def _add_lines(self, laid: Laid, blocks: Sequence[tuple[str, Sequence[int]]], shift: Any) -> None:
        """The lines of a sheet, block by block."""
        lines, into = laid.lines, self.lines
        order = [line for _, held in blocks for line in held]
        if not order:
            return
        ranges = _ranges(lines)
        pieces = [piece for line in order for piece in range(*ranges[line])]
        into.starts += (np.cumsum([ranges[line][1] - ranges[line][0] for line in order]) + len(into.text)).tolist()
        links, tags = _links(lines, laid.sheet), _tag_names(lines, laid.sheet)
        linked = [links.get(piece, "") for piece in pieces] if links else [""] * len(pieces)
        at = np.array(pieces)  # once: a list is made into an array wherever it is an index
        style, shifts = lines.style[at], lines.shift[at]
        run = _run_starts(style, shifts, lines.line[at], linked)
        into.text += [lines.text[piece] for piece in pieces]
        into.box += (lines.box[at] + shift).tolist()
        into.spaced += lines.spaced[at].tolist()
        into.shift += shifts.tolist()
        into.link += linked
        into.confidence += lines.confidence[at].tolist()
        into.run += run.tolist()
        self._add_styles(lines, order, ranges, style.tolist())
        self._add_nodes(blocks, [ranges[line] for line in order], run, shifts, linked)
        into.line_box += (lines.line_box[order] + shift).tolist()
        into.angle += lines.line_angle[order].tolist()
        into.hyphenated += lines.hyphenated[order].tolist()
        into.tag += [tags[ranges[line][0]] for line in order] if tags else [""] * len(order)
        into.sheet += [len(self.sheets)] * len(order)

    def _add_styles(
        self, lines: PdfLines, order: Sequence[int], ranges: Sequence[tuple[int, int]], style: list[int]
    ) -> None:
        """The style of each line and word, numbered in the order in which they come: a line's own, then its words'."""
        number = [-1] * len(lines.styles)
        of = lines.style.tolist()
        for line in order:
            first, last = ranges[line]
            held = of[first:last]
            main = held[0] if held.count(held[0]) == len(held) else _widest(lines, first, held)
            for one in (main, *held) if len(held) > 1 else (main,):
                if number[one] < 0:
                    number[one] = self.styles.setdefault(_css(lines.styles[one]), len(self.styles))
            self.lines.line_style.append(number[main])
        self.lines.style += [number[one] for one in style]

    def _add_nodes(
        self,
        blocks: Sequence[tuple[str, Sequence[int]]],
        ranges: Sequence[tuple[int, int]],
        run: BoolArray,
        shift: AnyInts,
        linked: Sequence[str],
    ) -> None:
        """The nodes that blocks and lines have on the bare page: of a run, its text and the elements around it."""
        nodes = np.where(run, 1 + (shift != 0), 0)
        if any(linked):
            nodes += run & (np.array([bool(link) for link in linked]))
        last = np.cumsum([stop - start for start, stop in ranges])
        below = np.diff(np.cumsum(nodes)[last - 1], prepend=0).tolist()
        place, into = 0, self.lines
        for tag, held in blocks:
            block = self.nodes
            self.nodes += 1
            for _ in held:
                into.node.append(self.nodes)
                self.nodes += 1 + below[place]
                place += 1
            into.block += [block] * len(held)
            into.block_tag += [tag] * len(held)

    def printed(self, facts: dict[str, Any]) -> Printed:
        """The document of all sheets so far."""
        rules = np.concatenate(self.rules) if self.rules else np.zeros((0, 4), dtype=np.float32)
        colours = {value: _colour(value) for value in set(self.colours)}
        wide = max((box[2] for box in self.boxes), default=0.0)
        return Printed(
            lines=self.lines,
            sheets=tuple(self.sheets),
            style_names=STYLE_NAMES,
            styles=tuple(self.styles),
            rules=rules.astype(np.float32),
            rule_colour=[colours[value] for value in self.colours],
            viewport=(round(wide), round(max((box[3] - box[1] for box in self.boxes), default=0.0))),
            sheet_numbers=() if self.numbers == list(range(1, len(self.numbers) + 1)) else tuple(self.numbers),
            sheet_boxes=np.array(self.boxes, dtype=np.float32).reshape(-1, 4),
            **facts,
        )


def _blocks(laid: Laid, apart: set[int]) -> list[tuple[str, Sequence[int]]]:
    """The blocks of a sheet that have lines, with their tags: running lines above, the others, running lines below."""
    header, footer = _running_lines(laid, apart)
    held = [[line for line in block if line not in apart] if apart else block for block in laid.blocks.lines]
    blocks = [("header", header), *(("div", block) for block in held), ("footer", footer)]
    return [(tag, block) for tag, block in blocks if block]


def _running_lines(laid: Laid, apart: set[int]) -> tuple[list[int], list[int]]:
    """The running lines in the upper half of a sheet and in the lower, each row by row from left to right."""
    box, half = laid.lines.line_box, laid.sheet.size[1] / 2
    ordered = sorted(sorted(apart), key=lambda line: (round(float(box[line, 1]) / ROW), float(box[line, 0])))
    return [line for line in ordered if box[line, 1] < half], [line for line in ordered if box[line, 1] >= half]


def _ranges(lines: PdfLines) -> list[tuple[int, int]]:
    """The first piece of each line, and the one after its last."""
    starts = np.flatnonzero(begins(lines.line))
    return list(pairwise([*starts.tolist(), len(lines.text)]))


def _run_starts(style: AnyInts, shift: AnyInts, line: AnyInts, linked: Sequence[str]) -> BoolArray:
    """Before which pieces a text ends: where a line begins, and where they are set in another way or lead elsewhere."""
    starts = begins(style) | begins(shift) | begins(line)
    if any(linked):
        starts[1:] |= [one != other for one, other in pairwise(linked)]
    return starts


def _widest(lines: PdfLines, first: int, styles: Sequence[int]) -> int:
    """The style of most of a line."""
    widths: dict[int, float] = {}
    for style, (x0, _, x1, _) in zip(styles, lines.box[first : first + len(styles)].tolist(), strict=True):
        widths[style] = widths.get(style, 0.0) + x1 - x0
    return max(widths, key=widths.__getitem__)


def _css(style: Style) -> tuple[str, ...]:
    return (
        "inline",
        _colour(style.colour),
        style.family or "serif",
        f"{style.size:g}px",
        "italic" if style.italic else "normal",
        str(style.weight),
    )


def _colour(value: int) -> str:
    return f"rgb({value >> 16 & 255}, {value >> 8 & 255}, {value & 255})"


def _links(lines: PdfLines, sheet: PdfSheet) -> dict[int, str]:
    """The pieces that stand in a link, and where it leads."""
    if not len(sheet.links) or not len(lines.box):
        return {}
    middle = (lines.box[:, :2] + lines.box[:, 2:]) / 2
    low, high = sheet.links[None, :, :2], sheet.links[None, :, 2:]
    inside = np.all((middle[:, None] >= low) & (middle[:, None] <= high), axis=2)
    linked = np.flatnonzero(inside.any(axis=1))
    places = inside[linked].argmax(axis=1).tolist()
    return {piece: sheet.addresses[place] for piece, place in zip(linked.tolist(), places, strict=True)}


def _tag_names(lines: PdfLines, sheet: PdfSheet) -> list[str]:
    """For each piece of a tagged sheet the types of the tags around it, outermost first, such as `Table TR TD`."""
    if not sheet.tags:
        return []
    names: list[str] = []
    for tag in sheet.tags:
        above = names[tag.parent] if tag.parent >= 0 else ""
        names.append(f"{above} {tag.name}".strip())
    return [names[sheet.tag_of[marked]] if marked in sheet.tag_of else "Artifact" for marked in lines.marked.tolist()]
