"""Step 1: read a printed document into lines of text and drawn rectangles, sheet by sheet.

Everything is decoded into numbers here, once per document; the later steps read no strings but the text itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sightline.arrays import AnyFloats, AnyInts, IntArray
from sightline.extract.structure._printed_line import BULLETS, PrintedLine
from sightline.geometry import Box, BoxArray
from sightline.page import Page, Printed, PrintedLines, PrintedSheet, nearest
from sightline.signals import colour_channels, is_bold, pixels

__all__ = ["Layout", "PrintedLook", "PrintedWords", "SheetLines", "layout_of", "printed_of"]

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
    lines.line_box = page.box[nodes].tolist()
    lines.line_style = page.style_of[nodes].tolist()
    lines.block = page.parent[nodes].tolist()
    lines.block_tag = [tag if tag in RUNNING else "div" for tag in _strings(page, page.tag[page.parent[nodes]])]
    lines.angle = [int(value or 0) for value in _strings(page, page.attribute("data-angle")[nodes])]
    lines.hyphenated = (page.attribute("data-hyphen")[nodes] >= 0).tolist()
    lines.tag = _strings(page, page.attribute("data-tag")[nodes])
    lines.sheet = (np.searchsorted(sections, nodes, side="right") - 1).tolist()
    return lines


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
