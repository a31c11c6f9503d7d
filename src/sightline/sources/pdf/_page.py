"""From the sheets of a PDF to one page: sections of blocks of lines, stacked in one space.

The page is bare: `section` (a sheet), `header`, `footer` and `div` (blocks), `span` (lines). Words, boxes and drawn
rules are columns of numbers; size, weight and colour of a text are in the style columns, where all read them.
`sightline.extract.structure` finds out which blocks are headings, paragraphs or tables.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from sightline.page import Builder, DrawnRules, Page
from sightline.sources.pdf._blocks import PdfBlocks, find_blocks
from sightline.sources.pdf._figures import figures
from sightline.sources.pdf._lines import PdfLines, Style, find_lines, upright
from sightline.sources.pdf._running import Edge, edge_of, running
from sightline.sources.pdf._sheet import Bookmark, PdfSheet

__all__ = ["STYLE_NAMES", "Laid", "laid_out", "page_of"]

STYLE_NAMES = ("display", "color", "font-family", "font-size", "font-style", "font-weight")
ROW = 4  # CSS pixels: running lines whose upper ends round to the same multiple of this are read from left to right
PLAIN = ("block", "rgb(0, 0, 0)", "serif", "16px", "normal", "400")


@dataclass(frozen=True, eq=False)
class Laid:
    """A sheet after steps 2 and 3; what is kept of it while the others are read."""

    sheet: PdfSheet
    lines: PdfLines
    blocks: PdfBlocks
    edges: list[Edge]
    turned: int


def laid_out(sheet: PdfSheet) -> Laid:
    """Lines and blocks of a sheet."""
    sheet, turned = upright(sheet)
    lines = find_lines(sheet)
    return Laid(sheet, lines, find_blocks(lines), edge_of(lines, sheet.size[1]), turned)


def page_of(
    sheets: Iterable[Laid],
    *,
    url: str = "",
    title: str = "",
    bookmarks: Sequence[Bookmark] = (),
    notes: Sequence[str] = (),
    screenshot: bytes | None = None,
) -> Page:
    """One page of all sheets, from top to bottom."""
    laid = list(sheets)
    drawing = _Drawing(bookmarks)
    for laid_sheet, apart in zip(laid, running([each.edges for each in laid]), strict=True):
        drawing.add(laid_sheet, apart)
    return drawing.page(url, title, notes, screenshot)


class _Drawing:
    """Puts sheets below each other into one tree."""

    def __init__(self, bookmarks: Sequence[Bookmark]) -> None:
        self.builder = Builder(STYLE_NAMES)
        self.builder.open("html", style=PLAIN)
        self.builder.open("body")
        self.top = 0.0
        self.boxes: list[tuple[float, float, float, float]] = []
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
        self.builder.open("section", self._attributes(laid.sheet.number), box=box)
        text = _Text(laid, shift)
        header, footer = _running_lines(laid, apart)
        self._block("header", header, text)
        for members in laid.blocks.lines:
            self._block("div", [line for line in members if line not in apart], text)
        self._block("footer", footer, text)
        for tag, boxes in (("img", laid.sheet.images), ("svg", figures(laid.sheet.drawings))):
            for picture in (boxes + shift).tolist():
                self.builder.open(tag, box=picture)
                self.builder.close()
        self.builder.close()
        self.boxes.append(box)
        self.numbers.append(laid.sheet.number)
        self.rules.append(laid.sheet.rules + shift)
        self._add_colours(laid.sheet.rule_colour.tolist())
        self.top += tall

    def _attributes(self, sheet: int) -> dict[str, str]:
        """The attributes of a sheet's section: its number, and the bookmarks that lead to it."""
        attributes = {"id": f"sheet-{sheet}", "class": "sheet"}
        marks = self.bookmarks.get(sheet)
        if marks:
            attributes["data-bookmarks"] = "\n".join(f"{mark.level} {mark.title}" for mark in marks)
        return attributes

    def _block(self, tag: str, lines: Sequence[int], text: "_Text") -> None:
        """Write a block of lines, if there are any."""
        if not lines:
            return
        self.builder.open(tag)
        for line in lines:
            text.write(self.builder, line)
        self.builder.close()

    def _add_colours(self, values: list[int]) -> None:
        """The colours of drawn rules, each distinct one turned into a string once."""
        ids = {value: self.builder.string_id(_colour(value)) for value in dict.fromkeys(values)}
        self.colours += [ids[value] for value in values]

    def page(self, url: str, title: str, notes: Sequence[str], screenshot: bytes | None) -> Page:
        """The page of all sheets so far."""
        self.builder.close()
        self.builder.close()
        rules = np.concatenate(self.rules) if self.rules else np.zeros((0, 4), dtype=np.float32)
        wide = max((box[2] for box in self.boxes), default=0.0)
        return self.builder.page(
            url=url,
            title=title,
            kind="pdf",
            viewport=(round(wide), round(max((box[3] - box[1] for box in self.boxes), default=0.0))),
            sheet_numbers=() if self.numbers == list(range(1, len(self.numbers) + 1)) else tuple(self.numbers),
            sheets=np.array(self.boxes, dtype=np.float32).reshape(-1, 4),
            rules=DrawnRules(box=rules.astype(np.float32), colour=np.array(self.colours, dtype=np.int32)),
            notes=tuple(notes),
            screenshot=screenshot,
        )


def _running_lines(laid: Laid, apart: set[int]) -> tuple[list[int], list[int]]:
    """The running lines in the upper half of a sheet and in the lower, each row by row from left to right."""
    box, half = laid.lines.line_box, laid.sheet.size[1] / 2
    ordered = sorted(sorted(apart), key=lambda line: (round(float(box[line, 1]) / ROW), float(box[line, 0])))
    return [line for line in ordered if box[line, 1] < half], [line for line in ordered if box[line, 1] >= half]


class _Text:
    """Writes the lines of one sheet: texts with their words, in elements where they are raised, linked or tagged."""

    def __init__(self, laid: Laid, shift: Any) -> None:
        lines, sheet = laid.lines, laid.sheet
        self.text = lines.text
        self.box = (lines.box + shift).tolist()
        self.spaced = lines.spaced.tolist()
        self.styles = [_css(style) for style in lines.styles]
        self.style = lines.style.tolist()
        self.angle, self.hyphenated = lines.line_angle.tolist(), lines.hyphenated.tolist()
        starts = np.flatnonzero(np.diff(lines.line, prepend=-1))
        self.ranges = list(pairwise([*starts.tolist(), len(lines.text)]))
        links = _links(lines, sheet)
        self.kinds = [
            (style, shift, links.get(piece, "") if links else "")
            for piece, (style, shift) in enumerate(zip(self.style, lines.shift.tolist(), strict=True))
        ]
        self.tag = _tag_names(lines, sheet)

    def write(self, builder: Builder, line: int) -> None:
        """One line as a `span` of texts."""
        first, last = self.ranges[line]
        attributes = {}
        if self.angle[line]:
            attributes["data-angle"] = str(self.angle[line])
        if self.hyphenated[line]:
            attributes["data-hyphen"] = "true"
        tag = self.tag[first] if self.tag else ""
        if tag:
            attributes["data-tag"] = tag
        builder.open("span", attributes, style=self.styles[self._main(first, last)])
        start, kinds = first, self.kinds
        for piece in range(first + 1, last):
            if kinds[piece] != kinds[start]:
                self._run(builder, start, piece)
                start = piece
        self._run(builder, start, last)
        builder.close()

    def _main(self, first: int, last: int) -> int:
        """The style of most of a line."""
        styles: list[int] = self.style[first:last]
        if styles.count(styles[0]) == len(styles):
            return styles[0]
        widths: dict[int, float] = {}
        for piece in range(first, last):
            widths[self.style[piece]] = widths.get(self.style[piece], 0.0) + self.box[piece][2] - self.box[piece][0]
        return max(widths, key=widths.__getitem__)

    def _run(self, builder: Builder, first: int, last: int) -> None:
        """Pieces that are set alike, as one text."""
        words, text = [], ""
        for piece in range(first, last):
            text += " " if self.spaced[piece] else ""
            words.append((len(text), len(text) + len(self.text[piece]), self.box[piece]))
            text += self.text[piece]
        style, shift, link = self.kinds[first]
        css = self.styles[style]
        if link:
            builder.open("a", {"href": link}, style=css)
        if shift:
            builder.open("sup" if shift > 0 else "sub", style=css)
        builder.text(text, words, style=css)
        if shift:
            builder.close()
        if link:
            builder.close()


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
