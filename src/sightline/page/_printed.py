"""A printed document before anything is found in it: words in lines on sheets, as plain columns in document order.

It holds what its bare page would (`bare_page`), which takes as long to build as all that follows takes to read: so a
page is built once, when it is known what its lines are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from sightline.geometry import Box, BoxArray
from sightline.page._builder import Builder
from sightline.page._columns import DrawnRules
from sightline.page._page import Page

__all__ = ["Printed", "PrintedLines", "PrintedSheet", "bare_page"]

SHIFTS = {1: "sup", -1: "sub"}


@dataclass(eq=False)
class PrintedLines:
    """The lines of a document with their words, one list for each property.

    `starts` has the first word of each line, and at its end the number of words. Nodes are those of the bare page.
    """

    text: list[str] = field(default_factory=list)  # of each word
    box: list[list[float]] = field(default_factory=list)
    spaced: list[bool] = field(default_factory=list)  # whether a blank stands before the word
    style: list[int] = field(default_factory=list)
    shift: list[int] = field(default_factory=list)  # 1 where it is raised, -1 where it is lowered
    link: list[str] = field(default_factory=list)
    run: list[bool] = field(default_factory=list)  # whether a text of its own begins with the word
    starts: list[int] = field(default_factory=lambda: [0])
    node: list[int] = field(default_factory=list)  # of each line
    line_box: list[list[float]] = field(default_factory=list)
    line_style: list[int] = field(default_factory=list)  # of most of the line
    block: list[int] = field(default_factory=list)  # the node of the block that holds it
    block_tag: list[str] = field(default_factory=list)  # `div`, `header` or `footer`
    angle: list[int] = field(default_factory=list)
    hyphenated: list[bool] = field(default_factory=list)
    tag: list[str] = field(default_factory=list)  # the types of a tagged PDF around it, outermost first
    sheet: list[int] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class PrintedSheet:
    """A sheet: its node on the bare page, the box around all that is on it, its attributes and its pictures."""

    node: int
    box: Box
    attributes: Mapping[str, str]
    images: BoxArray
    figures: BoxArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Printed:
    """A whole document: its lines, what is drawn, and everything else that a page holds."""

    lines: PrintedLines
    sheets: tuple[PrintedSheet, ...]
    style_names: tuple[str, ...]
    styles: tuple[tuple[str, ...], ...]  # the first is that of the document
    rules: BoxArray
    rule_colour: list[str]
    sheet_boxes: BoxArray
    sheet_numbers: tuple[int, ...] = ()
    viewport: tuple[int, int] = (0, 0)
    url: str = ""
    title: str = ""
    notes: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    screenshot: bytes | None = None

    def finished(self, builder: Builder) -> Page:
        """The page of all nodes of a builder, with what belongs to no node."""
        colours = {colour: builder.string_id(colour) for colour in dict.fromkeys(self.rule_colour)}
        ids = np.array([colours[colour] for colour in self.rule_colour], dtype=np.int32)
        return builder.page(
            url=self.url,
            title=self.title,
            kind="pdf",
            viewport=self.viewport,
            sheet_numbers=self.sheet_numbers,
            sheets=self.sheet_boxes,
            rules=DrawnRules(box=self.rules, colour=ids),
            notes=self.notes,
            gaps=self.gaps,
            screenshot=self.screenshot,
        )


def bare_page(printed: Printed) -> Page:
    """The document as a page of `section` (a sheet), `header`, `footer` and `div` (blocks) and `span` (lines)."""
    builder = Builder(printed.style_names)
    lines = printed.lines
    builder.open("html", style=printed.styles[0])
    builder.open("body")
    blocks = {
        sheet: [list(held) for _, held in groupby(numbers, key=lines.block.__getitem__)]
        for sheet, numbers in groupby(range(len(lines.node)), key=lines.sheet.__getitem__)
    }
    for number, sheet in enumerate(printed.sheets):
        builder.open("section", sheet.attributes, box=sheet.box)
        for block in blocks.get(number, ()):
            builder.open(lines.block_tag[block[0]])
            for line in block:
                _write_line(builder, printed, line)
            builder.close()
        for tag, boxes in (("img", sheet.images), ("svg", sheet.figures)):
            for box in boxes.tolist():
                builder.open(tag, box=box)
                builder.close()
        builder.close()
    builder.close()
    builder.close()
    return printed.finished(builder)


def _write_line(builder: Builder, printed: Printed, line: int) -> None:
    """A line as a `span` of texts."""
    lines = printed.lines
    attributes = {}
    if lines.angle[line]:
        attributes["data-angle"] = str(lines.angle[line])
    if lines.hyphenated[line]:
        attributes["data-hyphen"] = "true"
    if lines.tag[line]:
        attributes["data-tag"] = lines.tag[line]
    builder.open("span", attributes, style=printed.styles[lines.line_style[line]])
    first, last = lines.starts[line], lines.starts[line + 1]
    starts = [word for word in range(first, last) if lines.run[word]]
    for start, stop in zip(starts, [*starts[1:], last], strict=True):
        _write_run(builder, printed, start, stop)
    builder.close()


def _write_run(builder: Builder, printed: Printed, first: int, last: int) -> None:
    """Words that are set alike, as one text."""
    lines = printed.lines
    words, text = [], ""
    for word in range(first, last):
        text += " " if lines.spaced[word] else ""
        words.append((len(text), len(text) + len(lines.text[word]), lines.box[word]))
        text += lines.text[word]
    style, link, shift = printed.styles[lines.style[first]], lines.link[first], SHIFTS.get(lines.shift[first])
    if link:
        builder.open("a", {"href": link}, style=style)
    if shift:
        builder.open(shift, style=style)
    builder.text(text, words, style=style)
    for _ in range(bool(link) + bool(shift)):
        builder.close()
