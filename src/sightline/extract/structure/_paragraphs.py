"""Step 8: paragraphs, the lines of a block that are read as one, by indents, marks and short last lines.

Distances are in multiples of the size of the type.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from sightline.extract.structure._layout import Layout, SheetLines
from sightline.extract.structure._printed_line import BULLETS, EQUATION_NUMBER, ITEM, PrintedLine, hull_of
from sightline.geometry import Box

INDENT = 0.8  # how much further in the first line of a paragraph begins
DEEPEST_INDENT = 6.0  # how far in it may begin; what stands further in is centred or set to the right
HANGING = 0.7  # how much further out the first line begins where the others are set in
DEEPEST_HANGING = 8.0  # how far the others may be set in
FULL = 0.6  # share of the lines before such lines that are full
# Measured: labels are the same at 2.
SHORT = 4.0  # a line that ends so far before the others is the last of its paragraph
SIDE_BY_SIDE = 0.4  # lines whose middles are closer stand side by side, as a mark and its text do
LABELLED = re.compile(r"[^\W\d][\w .()/°’'-]{1,30}:(?:\s|$)")  # lines such as “Invoice date: 3 May” stand alone

Row: TypeAlias = list[PrintedLine]


@dataclass(frozen=True, eq=False)
class Paragraph:
    """Lines that are read as one."""

    lines: tuple[PrintedLine, ...]
    block: int

    @cached_property
    def text(self) -> str:
        """The lines with blanks between them."""
        return " ".join(line.text for line in self.lines)

    @cached_property
    def box(self) -> Box:
        """Where it is."""
        return hull_of(self.lines)

    @property
    def x0(self) -> float:
        """Its left end."""
        return self.box[0]

    @property
    def x1(self) -> float:
        """Its right end."""
        return self.box[2]

    @property
    def y0(self) -> float:
        """Its upper end."""
        return self.box[1]

    @property
    def y1(self) -> float:
        """Its lower end."""
        return self.box[3]

    @cached_property
    def size(self) -> float:
        """The size of most of its text."""
        if len(self.lines) == 1:
            return self.lines[0].size
        sizes: dict[float, float] = {}
        for line in self.lines:
            sizes[line.size] = sizes.get(line.size, 0.0) + len(line.text)
        return max(sizes, key=sizes.__getitem__)

    @property
    def is_bold(self) -> bool:
        """Whether most of it is set in bold."""
        return 2 * sum(len(line.text) for line in self.lines if line.bold) > sum(len(line.text) for line in self.lines)

    @cached_property
    def formula(self) -> float:
        """The share of it that is set in fonts for formulas."""
        whole = sum(len(line.text) for line in self.lines)
        return sum(line.formula * len(line.text) for line in self.lines) / max(whole, 1)


def paragraphs_of(lines: Sequence[PrintedLine]) -> list[Paragraph]:
    """The paragraphs of the lines of one block, in their order."""
    rows = _rows(lines)
    if not rows:
        return []
    left = min(row[0].x0 for row in rows)
    right = max(row[-1].x1 for row in rows)
    hanging = _is_hanging(rows, left, right)
    found: list[Row] = []
    before: Row | None = None
    for row in rows:
        if before is None or _begins(row, before, left, right, hanging=hanging):
            found.append([])
        found[-1] += row
        before = row
    return [Paragraph(tuple(held), lines[0].block) for held in found]


def _is_hanging(rows: list[Row], left: float, right: float) -> bool:
    """Whether all lines but the first of each paragraph are set in: then the lines before these are full.

    Where the first lines are set in instead, the line before is the last of its paragraph, and seldom full.
    """
    full = inner = 0
    for before, row in pairwise(rows):
        if left + HANGING * row[0].size < row[0].x0 < left + DEEPEST_HANGING * row[0].size:
            inner += 1
            full += before[-1].x1 > right - SHORT * row[0].size
    if not inner:
        return False
    if inner == 1:
        return len(rows) == 2 and rows[0][0].x0 < left + 1 and full == 1 and ITEM.match(rows[0][0].text) is not None
    return full >= FULL * inner


def _rows(lines: Sequence[PrintedLine]) -> list[Row]:
    """Neighbouring lines that stand side by side, such as a mark and its text, in one row."""
    rows: list[Row] = []
    for line in lines:
        if rows and abs(rows[-1][0].middle - line.middle) < SIDE_BY_SIDE * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _begins(row: Row, before: Row, left: float, right: float, *, hanging: bool) -> bool:
    """Whether a new paragraph begins with a row."""
    first, size = row[0], row[0].size
    if LABELLED.match(first.text) and LABELLED.match(before[0].text):
        return True
    mark = ITEM.match(first.text) is not None
    short = before[-1].x1 < right - SHORT * size
    if hanging:
        return first.x0 < left + HANGING * size / 2
    if mark and (len(row) > 1 or first.x0 >= before[0].x0 - 1) and (short or before[-1].text[-1:] in ".;:,"):
        return True
    indented = first.x0 > before[0].x0 + INDENT * size and before[0].x0 < left + INDENT * size
    if indented and first.x0 < left + DEEPEST_INDENT * size:
        return True
    return short and before[-1].text[-1:] in ".!?:" and first.text[:1].isupper() and first.x0 < left + INDENT * size


# -- what each paragraph is: a heading, a caption, an item, a formula, a text in a picture, or plain text -----------
# Footnotes and references depend on the paragraphs around them; `_footnotes` and `_references` find these.


class BlockKind(StrEnum):
    """What a block of a sheet is."""

    PLAIN = "plain"
    HEADING = "heading"
    ITEM = "item"
    CAPTION = "caption"
    NOTE = "note"
    FORMULA = "formula"
    REFERENCE = "reference"
    FIGURE = "figure"
    TABLE = "table"
    HEADER = "header"
    FOOTER = "footer"


HEADING_TAG = re.compile(r"H[1-6]?")
TAGS = {
    "Caption": BlockKind.CAPTION,
    "Note": BlockKind.NOTE,
    "LI": BlockKind.ITEM,
    "Formula": BlockKind.FORMULA,
}  # the first that a line has counts
# Measured: labels fall to 0.865 at 0.56, where all text is large enough. At 2.24, where size
# alone makes hardly any heading, they are 0.941: docbank does not speak for it. Kept for headings that are only larger.
LARGER = 1.12  # of the size of the text: what is set larger is a heading
# Measured: labels are 0.940 at 0.47 and 0.939 at 1.88.
SMALLER = 0.94  # of the size of the text: notes and many captions are set smaller
SMALLEST_HEADING = 0.8  # of the size of the text, for headings in small capitals
LONGEST_HEADING = 22  # words
LONGEST_LOUD_HEADING = 14  # words, for headings at the size of the text that are bold or in capitals
LONGEST_SENTENCE = 5  # words that may end in a full stop in a heading
MOST_HEADING_LINES = 4
MATHS_IN_HEADING = 0.3  # share of a heading that may be set in fonts for formulas
CAPTION = re.compile(
    r"(?:Supplementary\s+|Extended Data\s+|Online\s+)?"
    r"(?:Tab(?:le|elle|leau|\.)|Fig(?:ure|\.)|Abb(?:ildung|\.)|Chart|Box|Exhibit|Scheme|Graph|Map|Plate|Algorithm|Listing|Tabla|Figura|Grafik)"
    r"\s*(?:[A-Z]{1,3}[.-]?)?(?:\d+|[IVXLC]+)(?:[.-]\d+)*[a-z]?(?P<after>\s*[:.–—|-]|\s*$|\s+)",
    re.IGNORECASE,
)
MOST_CAPTION_LINES = 3  # for a caption that no sign follows after its number
NUMBERED = re.compile(
    r"(?:(?:\d{1,2}|[A-Z]|[IVX]{1,5})(?:\.\d{1,2})*\.?|(?:Appendix|Chapter|Section|Part|Annex|Anhang|Kapitel)\s+\w{1,4}[.:]?)\s+\S"
)
NAMED = re.compile(
    r"(?:\d+\.?\s+)?(?:abstract|introduction|conclusions?|references|bibliography|acknowledge?ments?|summary|discussion|results|"
    r"methods|appendix|literatur(?:verzeichnis)?|zusammenfassung|einleitung|contents)[.:]?",
    re.IGNORECASE,
)
BACKGROUND = 0.5  # share of a sheet: a larger picture is its background
SHORTEST_ITEM = 4  # characters; shorter texts are marks alone
FORMULA = 0.5  # share of a paragraph set in fonts for formulas that makes it one
FORMULA_OF_FEW_WORDS = 0.25  # the same with at most two words a line
FORMULA_IF_NUMBERED = 0.1  # the same where the number of an equation ends it
WORDS_OF_TEXT = 3  # words a line from which on it is text with formulas in it


@dataclass(frozen=True, eq=False)
class TextNorms:
    """What is usual in a document: the size of its text; and which lines begin with a raised letter."""

    size: float
    raised: set[int]


def norms_of(layout: Layout) -> TextNorms:
    """The size of most characters of a document, and the numbers of the lines that begin with a raised letter."""
    sizes: dict[float, int] = {}
    for sheet in layout.sheets:
        for line in sheet.lines:
            if not line.running:
                sizes[round(line.size)] = sizes.get(round(line.size), 0) + len(line.text)
    usual = max(sizes, key=sizes.__getitem__) if sizes else 16.0
    return TextNorms(float(usual), _raised(layout))


def _raised(layout: Layout) -> set[int]:
    shift = layout.printed.lines.shift
    if 1 not in shift:
        return set()
    return {line.number for sheet in layout.sheets for line in sheet.lines if shift[line.words[0]] > 0}


def kinds_of(norms: TextNorms, sheet: SheetLines, paragraphs: Sequence[Paragraph]) -> list[BlockKind]:
    """The kinds of the paragraphs of a sheet by what each of them looks like, before notes and references."""
    pictures = _pictures(sheet)
    return _without_lone_items(paragraphs, [_kind(norms, pictures, paragraph) for paragraph in paragraphs])


def _kind(norms: TextNorms, pictures: list[list[float]], paragraph: Paragraph) -> BlockKind:
    tagged = _by_tags(paragraph)
    if tagged is not None:
        return tagged
    if _is_in_picture(pictures, paragraph):
        return BlockKind.FIGURE
    if _is_caption(norms, paragraph):
        return BlockKind.CAPTION
    if _is_formula(paragraph):
        return BlockKind.FORMULA
    if _is_heading(norms, paragraph):
        return BlockKind.HEADING
    if ITEM.match(paragraph.text) and len(paragraph.text) >= SHORTEST_ITEM:
        return BlockKind.ITEM
    return BlockKind.PLAIN


def _by_tags(paragraph: Paragraph) -> BlockKind | None:
    """What the tags of a tagged PDF say, where they say more than that it is a paragraph."""
    tags = paragraph.lines[0].tags
    if not tags:
        return None
    if any(HEADING_TAG.fullmatch(tag) for tag in tags):
        return BlockKind.HEADING if len(paragraph.text.split()) <= 2 * LONGEST_HEADING else None
    return next((kind for tag, kind in TAGS.items() if tag in tags), None)


# ------------------------------------------------------------------ items


def _without_lone_items(paragraphs: Sequence[Paragraph], kinds: Sequence[BlockKind]) -> list[BlockKind]:
    """The kinds, with an item that has none beside it as a heading (a number and a few words) or as plain text."""
    found = list(kinds)
    for place, paragraph in enumerate(paragraphs):
        beside = (*found[max(place - 1, 0) : place], *found[place + 1 : place + 2])
        if found[place] is not BlockKind.ITEM or "LI" in paragraph.lines[0].tags or BlockKind.ITEM in beside:
            continue
        text = paragraph.text.strip()
        if text[0] not in BULLETS:
            found[place] = BlockKind.HEADING if _is_numbered_title(paragraph, text) else BlockKind.PLAIN
    return found


def _is_numbered_title(paragraph: Paragraph, text: str) -> bool:
    short = len(paragraph.lines) == 1 and len(text.split()) <= LONGEST_LOUD_HEADING
    return short and NUMBERED.match(text) is not None and text[-1] not in ".;,:"


# ------------------------------------------------------------------ texts in pictures


def _pictures(sheet: SheetLines) -> list[list[float]]:
    """The boxes of the pictures and figures of a sheet, without backgrounds."""
    x0, y0, x1, y1 = sheet.box
    boxes = [*sheet.images.tolist(), *sheet.figures.tolist()]
    return [box for box in boxes if (box[2] - box[0]) * (box[3] - box[1]) <= BACKGROUND * (x1 - x0) * (y1 - y0)]


def _is_in_picture(pictures: list[list[float]], paragraph: Paragraph) -> bool:
    if not pictures:
        return False
    x0, y0, x1, y1 = paragraph.x0, paragraph.y0, paragraph.x1, paragraph.y1
    return any(left <= x0 and x1 <= right and top <= y0 and y1 <= bottom for left, top, right, bottom in pictures)


# ------------------------------------------------------------------ captions, formulas, headings


def _is_caption(norms: TextNorms, paragraph: Paragraph) -> bool:
    """Whether a text begins as “Table 3:” does; without a sign after the number, it must also look like a caption."""
    found = CAPTION.match(paragraph.text)
    if not found:
        return False
    rest = paragraph.text[found.end() :].lstrip()
    if found["after"].strip() or not rest:
        return True
    title = rest[:1].isupper() and len(paragraph.lines) <= MOST_CAPTION_LINES
    return paragraph.size < SMALLER * norms.size or paragraph.lines[0].bold or title


def _is_formula(paragraph: Paragraph) -> bool:
    """Whether a text is little but signs of formulas, or the number of an equation with few words beside it."""
    text = paragraph.text.strip()
    if EQUATION_NUMBER.fullmatch(text):
        return True
    share = paragraph.formula
    if not share:
        return False
    words = sum(len(word) > 2 and word.isalpha() for word in text.split()) / len(paragraph.lines)
    if words >= WORDS_OF_TEXT:
        return False
    numbered = text.endswith(")") and EQUATION_NUMBER.search(paragraph.text[-9:]) is not None
    few = share > FORMULA_OF_FEW_WORDS and words <= WORDS_OF_TEXT - 1
    return share > FORMULA or few or (numbered and share > FORMULA_IF_NUMBERED)


def _is_heading(norms: TextNorms, paragraph: Paragraph) -> bool:
    """Whether a text is short, set larger, in bold or in capitals, and does not read as a sentence."""
    text = paragraph.text.strip()
    words = text.split()
    if len(paragraph.lines) > MOST_HEADING_LINES or len(words) > LONGEST_HEADING:
        return False
    letters = [c for c in text if c.isalpha()]
    if len(letters) < 3:
        return False
    if NAMED.fullmatch(text):
        return True
    if text[-1] in ",;" or letters[0].islower() or (text[-1] == "." and len(words) > LONGEST_SENTENCE):
        return False
    if paragraph.formula > MATHS_IN_HEADING:
        return False
    return paragraph.size >= LARGER * norms.size or _is_loud_heading(norms, paragraph, words, letters)


def _is_loud_heading(norms: TextNorms, paragraph: Paragraph, words: list[str], letters: list[str]) -> bool:
    """Whether a text at the size of the others is a heading: bold or in capitals, and short or numbered."""
    loud = paragraph.is_bold or (len(letters) > 3 and all(c.isupper() for c in letters))
    if not loud or paragraph.size < SMALLEST_HEADING * norms.size:
        return False
    short = len(words) <= LONGEST_LOUD_HEADING and paragraph.size >= SMALLER * norms.size
    return short or NUMBERED.match(paragraph.text.strip()) is not None
