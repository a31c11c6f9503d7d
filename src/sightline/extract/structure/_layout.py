"""The bare page of a PDF as structure looks at it: its lines with their words and looks, sheet by sheet."""

import re
from dataclasses import dataclass, field

import numpy as np

from sightline.arrays import IntArray
from sightline.extract.structure._marks import BULLETS
from sightline.geometry import BoxArray
from sightline.page import Page, nearest

__all__ = ["BOLD", "Layout", "Line", "Sheet", "layout_of"]

BOLD = 600
ARTIFACT = " Artifact "  # what a tagged PDF calls headers, footers and decoration
NEAR_EDGE = 0.12  # of the height of a sheet
# One number, with signs, units and marks around it, or what stands where one is missing. Possessive, as the other
# below: what was taken once is not given back, so that no text takes long.
NUMBER = re.compile(
    r"[(\[<>~≈≤≥±+–−-]{0,3}+\s?(?:[$€£¥]|EUR|USD)?\s?[+–−-]?(?:\d[\d.,'’\s]*+|[.,]\d++)\s?[)\]%‰°*†‡§a-dkm€$£]{0,3}[)\]]?"
    r"|[-–—−.…:*x✓✔/]{1,4}|\(?(?:n\.?/?a\.?|n\.?[ds]\.?|[a-z])\)?|nil|none",
    re.IGNORECASE,
)
# Several as one text: ranges, fractions, dates, times, deviations in brackets.
NUMBERS = re.compile(
    r"(?:[(\[<>~≈≤≥±+–−$€£¥-]{0,3}+\s?+(?:\d[\d.,'’]*+|[.,]\d++)\s?+[%‰°*†‡§a-dkm€$£]{0,2}+[)\]]{0,2}+"
    r"(?:\s?[-–/±×x:]\s?|\s)?+){1,6}+(?:US\$|USD|EUR)?+|(?:US\$|USD|EUR|Rs\.?)\s?\d[\d.,]*+",
    re.IGNORECASE,
)
LONGEST_NUMBER = 40  # characters


MATH_FONT = re.compile(
    r"CM(?:MI|SY|EX|BSY|MIB)|MSBM|MSAM|EUFM|EUSM|MTMI|MTSY|MTEX|RMTMI|Math|Symbol|EURM|RSFS|BBM|TXMI|TXSY|PXMI|PXSY",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Line:
    """A line of a sheet, or the part of one that stands in one cell; `formula` is the share of it that is one."""

    number: int
    words: tuple[int, ...]
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    block: int
    running: bool
    turned: bool
    formula: float = 0.0
    tags: str = ""
    prose: bool = False
    middle: float = field(init=False)

    def __post_init__(self) -> None:
        """Work out the height of its middle, which is asked for all the time."""
        self.middle = (self.y0 + self.y1) / 2

    @property
    def is_number(self) -> bool:
        """Whether it is a number, or what stands where a number is missing."""
        return len(self.text) <= LONGEST_NUMBER and NUMBER.fullmatch(self.text) is not None

    @property
    def has_numbers_only(self) -> bool:
        """Whether it is made of numbers, such as a range or a date."""
        return self.is_number or (len(self.text) <= LONGEST_NUMBER and NUMBERS.fullmatch(self.text) is not None)


@dataclass(frozen=True, eq=False)
class Sheet:
    """One sheet: its place, its lines in reading order, what is drawn on it."""

    node: int
    box: tuple[float, float, float, float]
    lines: list[Line]
    rules: BoxArray
    colours: IntArray
    images: BoxArray
    figures: BoxArray


@dataclass(frozen=True, eq=False)
class Layout:
    """All sheets, and the words that the lines are made of."""

    page: Page
    sheets: tuple[Sheet, ...]
    word_text: list[str]
    word_box: list[list[float]]
    spaced: list[bool]
    word_line: list[int]


def layout_of(page: Page, *, tagged: bool = True) -> Layout:
    """What structure needs of the bare page that a PDF gives; `tagged` says whether its tag tree is looked at."""
    texts = _word_texts(page)
    spaced = _spaced(page)
    is_line = np.zeros(len(page), dtype=bool)
    spans = page.with_tag("span")
    is_line[spans] = True
    of = nearest(page.parent, is_line)[page.words.node]
    sections = page.with_tag("section")
    section_of = np.searchsorted(sections, spans, side="right") - 1
    lines: list[list[Line]] = [[] for _ in sections]
    starts = np.searchsorted(of, spans, side="left").tolist()
    stops = np.searchsorted(of, spans, side="right").tolist()
    size, bold = _sizes(page, spans), _bold(page, spans)
    running = _under(page, spans, "header", "footer")
    turned = (page.attribute("data-angle")[spans] >= 0).tolist()
    boxes = page.box[spans].tolist()
    math = _formulas(page, texts)
    tags = _tags(page, spans) if tagged else [""] * len(spans)
    edges = page.sheets[section_of]
    for place, (node, section) in enumerate(zip(spans.tolist(), section_of.tolist(), strict=True)):
        words = range(starts[place], stops[place])
        if not words:
            continue
        text = "".join(f" {texts[word]}" if spaced[word] else texts[word] for word in words).strip()
        lines[section].append(
            Line(
                node,
                tuple(words),
                text,
                boxes[place][0],
                boxes[place][1],
                boxes[place][2],
                boxes[place][3],
                size[place],
                bold[place],
                int(page.parent[node]),
                running[place] or (tags[place] == ARTIFACT and _is_near_edge(boxes[place], edges[place].tolist())),
                turned[place],
                sum(len(texts[word]) for word in words if math[word]) / max(sum(len(texts[word]) for word in words), 1),
                tags[place],
            )
        )
    return Layout(page, tuple(_sheets(page, sections, lines)), texts, page.words.box.tolist(), spaced, of.tolist())


def _word_texts(page: Page) -> list[str]:
    words = page.words
    rows = zip(page.text[words.node].tolist(), words.start.tolist(), words.end.tolist(), strict=True)
    return [page.strings[text][start:end] for text, start, end in rows]


def _spaced(page: Page) -> list[bool]:
    """Whether a blank stands before each word; the first of a line has none of its own."""
    words = page.words
    rows = zip(page.text[words.node].tolist(), words.start.tolist(), strict=True)
    return [start > 0 and page.strings[text][start - 1] == " " for text, start in rows]


def _tags(page: Page, nodes: IntArray) -> list[str]:
    """The types of the tags around each line, outermost first and each within blanks, such as ` Table TR TD `."""
    told = page.attribute("data-tag")[nodes].tolist()
    return [f" {page.strings[value]} " if value >= 0 else "" for value in told]


def _is_near_edge(box: list[float], sheet: list[float]) -> bool:
    """Whether a line stands at the upper or lower edge of its sheet."""
    room = NEAR_EDGE * (sheet[3] - sheet[1])
    return box[3] < sheet[1] + room or box[1] > sheet[3] - room


def _formulas(page: Page, texts: list[str]) -> list[bool]:
    """Which words are set in a font for formulas; bullets often are and say nothing."""
    family = page.style_column("font-family")[page.words.node].tolist()
    math = {value for value in set(family) if value >= 0 and MATH_FONT.search(page.strings[value])}
    return [value in math and text not in BULLETS for value, text in zip(family, texts, strict=True)]


def _sizes(page: Page, nodes: IntArray) -> list[float]:
    column = page.style_column("font-size")[nodes]
    known = {value: float(page.strings[value].removesuffix("px") or 0) for value in set(column.tolist()) if value >= 0}
    return [known.get(value, 0.0) for value in column.tolist()]


def _bold(page: Page, nodes: IntArray) -> list[bool]:
    column = page.style_column("font-weight")[nodes]
    heavy = {value for value in set(column.tolist()) if value >= 0 and page.strings[value] >= str(BOLD)}
    return [value in heavy for value in column.tolist()]


def _under(page: Page, nodes: IntArray, *tags: str) -> list[bool]:
    """Which nodes are children of elements with these tags."""
    marked = np.zeros(len(page), dtype=bool)
    marked[page.with_tag(*tags)] = True
    held: list[bool] = marked[page.parent[nodes]].tolist()
    return held


def _sheets(page: Page, sections: IntArray, lines: list[list[Line]]) -> list[Sheet]:
    images, drawn = page.with_tag("img"), page.with_tag("svg")
    rule_sheet = (
        np.searchsorted(page.box[sections, 1], (page.rules.box[:, 1] + page.rules.box[:, 3]) / 2, side="right") - 1
    )
    found = []
    for number, node in enumerate(sections.tolist()):
        inside, figures = (each[(each >= node) & (each < page.end[node])] for each in (images, drawn))
        mine = rule_sheet == number
        x0, y0, x1, y1 = page.box[node].tolist()
        found.append(
            Sheet(
                node,
                (x0, y0, x1, y1),
                lines[number],
                page.rules.box[mine],
                page.rules.colour[mine],
                page.box[inside],
                page.box[figures],
            )
        )
    return found
