"""Step 1: read the bare page of a PDF into lines of text and drawn rectangles, sheet by sheet.

Everything is decoded into numbers here, once per page; the later steps read no strings but the text itself.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sightline.arrays import AnyFloats, AnyInts, IntArray
from sightline.extract.structure._item_marks import BULLETS
from sightline.extract.structure._printed_line import PrintedLine
from sightline.geometry import Box, BoxArray
from sightline.page import Page, nearest
from sightline.signals import Looks, colour_channels, looks_of

__all__ = ["Layout", "PrintedWords", "SheetLines", "layout_of"]

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
    """The words of the page, one list for each property.

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

    node: int
    box: Box
    lines: list[PrintedLine]
    rules: BoxArray  # drawn lines and filled rectangles
    colours: IntArray  # of the rules, as ids
    lightness: AnyFloats  # of the rules: the darkest of red, green and blue, 0 to 255
    images: BoxArray
    figures: BoxArray


@dataclass(frozen=True, eq=False)
class Layout:
    """All sheets, the words that the lines consist of, and the looks of every node."""

    page: Page
    sheets: tuple[SheetLines, ...]
    words: PrintedWords
    looks: Looks


def layout_of(page: Page, *, tagged: bool = True) -> Layout:
    """What the later steps need of a bare page; `tagged` says whether they may see its tag tree."""
    is_line = np.zeros(len(page), dtype=bool)
    spans = page.with_tag("span")
    is_line[spans] = True
    line_of = nearest(page.parent, is_line)[page.words.node]
    looks = looks_of(page)
    words = _words(page, line_of, looks)
    sections = page.with_tag("section")
    section_of = np.searchsorted(sections, spans, side="right") - 1
    lines: list[list[PrintedLine]] = [[] for _ in sections]
    layout = Layout(page, (), words, looks)
    found = _lines(layout, spans, line_of, page.sheets[section_of], tagged=tagged)
    for line, section in zip(found, section_of.tolist(), strict=True):
        if line is not None:
            lines[section].append(line)
    return replace(layout, sheets=tuple(_sheets(page, sections, lines)))


# ------------------------------------------------------------------ words


def _words(page: Page, line_of: AnyInts, looks: Looks) -> PrintedWords:
    rows = zip(page.text[page.words.node].tolist(), page.words.start.tolist(), page.words.end.tolist(), strict=True)
    texts, spaced = [], []
    for text, start, end in rows:
        string = page.strings[text]
        texts.append(string[start:end])
        spaced.append(start > 0 and string[start - 1] == " ")
    style, bold = page.style_of[page.words.node], looks.bold[page.words.node]
    return PrintedWords(texts, page.words.box.tolist(), spaced, line_of.tolist(), style.tolist(), bold.tolist())


def _is_math(page: Page, texts: list[str]) -> list[bool]:
    """Which words are set in a font for formulas. Bullets often are, and prove nothing."""
    family = page.style_column("font-family")[page.words.node].tolist()
    math = {value for value in set(family) if value >= 0 and MATH_FONT.search(page.strings[value])}
    if not math:
        return [False] * len(texts)
    return [value in math and text not in BULLETS for value, text in zip(family, texts, strict=True)]


# ------------------------------------------------------------------ lines


def _lines(
    layout: Layout, spans: IntArray, line_of: AnyInts, sheets: BoxArray, *, tagged: bool
) -> list[PrintedLine | None]:
    """A line for each span; None for a span without words."""
    page, words, looks = layout.page, layout.words, layout.looks
    math = _is_math(page, words.text)
    running = _is_below(page, spans, "header", "footer")
    tags = _tags(page, spans) if tagged else [()] * len(spans)
    columns = zip(
        spans.tolist(),
        np.searchsorted(line_of, spans, side="left").tolist(),
        np.searchsorted(line_of, spans, side="right").tolist(),
        page.box[spans].tolist(),
        looks.size[spans].tolist(),
        looks.bold[spans].tolist(),
        page.parent[spans].tolist(),
        (page.attribute("data-angle")[spans] >= 0).tolist(),
        strict=True,
    )
    found: list[PrintedLine | None] = []
    for place, (node, start, stop, box, size, bold, block, turned) in enumerate(columns):
        held = range(start, stop)
        if not held:
            found.append(None)
            continue
        artifact = tags[place] == ARTIFACT and _is_near_edge(box, sheets[place].tolist())
        found.append(
            PrintedLine(
                node,
                tuple(held),
                words.joined(held),
                box[0],
                box[1],
                box[2],
                box[3],
                size,
                bold,
                block,
                running[place] or artifact,
                turned,
                _share(words.text, math, held),
                tags[place],
            )
        )
    return found


def _share(texts: list[str], marked: list[bool], words: range) -> float:
    """The share of the characters of some words that stand in marked ones."""
    if not any(marked[words.start : words.stop]):
        return 0.0
    return sum(len(texts[word]) for word in words if marked[word]) / max(sum(len(texts[word]) for word in words), 1)


def _tags(page: Page, nodes: IntArray) -> list[tuple[str, ...]]:
    """The tags around each line, outermost first."""
    values = page.attribute("data-tag")[nodes].tolist()
    known = {value: tuple(page.strings[value].split()) if value >= 0 else () for value in set(values)}
    return [known[value] for value in values]


def _is_near_edge(box: list[float], sheet: list[float]) -> bool:
    """Whether a line stands at the upper or lower edge of its sheet."""
    room = NEAR_EDGE * (sheet[3] - sheet[1])
    return box[3] < sheet[1] + room or box[1] > sheet[3] - room


def _is_below(page: Page, nodes: IntArray, *tags: str) -> list[bool]:
    """Which nodes are children of elements with these tags."""
    marked = page.mask(*tags)
    held: list[bool] = marked[page.parent[nodes]].tolist()
    return held


# ------------------------------------------------------------------ sheets


def _sheets(page: Page, sections: IntArray, lines: list[list[PrintedLine]]) -> list[SheetLines]:
    images, drawn = page.with_tag("img"), page.with_tag("svg")
    rules = page.rules.box
    rule_sheet = np.searchsorted(page.box[sections, 1], (rules[:, 1] + rules[:, 3]) / 2, side="right") - 1
    lightness = _lightness(page)
    found = []
    for number, node in enumerate(sections.tolist()):
        inside, figures = (each[(each >= node) & (each < page.end[node])] for each in (images, drawn))
        here = rule_sheet == number
        x0, y0, x1, y1 = page.box[node].tolist()
        found.append(
            SheetLines(
                node,
                (x0, y0, x1, y1),
                lines[number],
                rules[here],
                page.rules.colour[here],
                lightness[here],
                page.box[inside],
                page.box[figures],
            )
        )
    return found


def _lightness(page: Page) -> AnyFloats:
    """For each drawn rule the darkest of its red, green and blue."""
    colours = page.rules.colour.tolist()
    known = {value: min(colour_channels(page.strings[value])[:3]) for value in set(colours)}
    return np.array([known[value] for value in colours], dtype=np.float64)
