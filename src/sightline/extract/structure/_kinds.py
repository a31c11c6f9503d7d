"""What the paragraphs of a PDF are: headings, captions, items, notes, formulas, references, or plain text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sightline.extract.structure._layout import Layout, Sheet
from sightline.extract.structure._marks import BULLETS, EQUATION_NUMBER, ITEM
from sightline.extract.structure._paragraphs import Paragraph

__all__ = ["Document", "Kind", "document_of", "kinds_of"]


class Kind(StrEnum):
    """What a paragraph is."""

    PLAIN = "plain"
    HEADING = "heading"
    ITEM = "item"
    CAPTION = "caption"
    NOTE = "note"
    FORMULA = "formula"
    REFERENCE = "reference"
    FIGURE = "figure"


HEADING_TAG = re.compile(r" H[1-6]? ")
TOLD = ((" Caption ", Kind.CAPTION), (" Note ", Kind.NOTE), (" LI ", Kind.ITEM), (" Formula ", Kind.FORMULA))
LARGER = 1.12  # of the size of the text: what is set larger is a heading
SMALLER = 0.94  # of the size of the text: notes are set smaller
LONGEST_HEADING = 22  # words
MOST_HEADING_LINES = 4
SMALLEST_HEADING = 0.8  # of the size of the text, for headings in small capitals
CAPTION = re.compile(
    r"(?:Supplementary\s+|Extended Data\s+|Online\s+)?"
    r"(?:Tab(?:le|elle|leau|\.)|Fig(?:ure|\.)|Abb(?:ildung|\.)|Chart|Box|Exhibit|Scheme|Graph|Map|Plate|Algorithm|Listing|Tabla|Figura|Grafik)"
    r"\s*(?:[A-Z]{1,3}[.-]?)?(?:\d+|[IVXLC]+)(?:[.-]\d+)*[a-z]?(?P<after>\s*[:.–—|-]|\s*$|\s+)",
    re.IGNORECASE,
)
NUMBERED = re.compile(
    r"(?:(?:\d{1,2}|[A-Z]|[IVX]{1,5})(?:\.\d{1,2})*\.?|(?:Appendix|Chapter|Section|Part|Annex|Anhang|Kapitel)\s+\w{1,4}[.:]?)\s+\S"
)
NAMED = re.compile(
    r"(?:\d+\.?\s+)?(?:abstract|introduction|conclusions?|references|bibliography|acknowledge?ments?|summary|discussion|results|"
    r"methods|appendix|literatur(?:verzeichnis)?|zusammenfassung|einleitung|contents)[.:]?",
    re.IGNORECASE,
)
BIBLIOGRAPHY = re.compile(
    r"(?:\d+\.?\s+)?(?:references|bibliography|literatur(?:verzeichnis)?|works cited|r[ée]f[ée]rences)[.:]?",
    re.IGNORECASE,
)
WHOLE = 0.5  # of a sheet: a picture that is larger is its background
FEWEST_CITED = 3  # references on a sheet that has a list of them
YEAR = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b")
CITED = re.compile(
    r"\[[A-Za-z]{0,4}\+?\d{1,4}\]|\d{1,3}\.\s|[A-Z][\w'’-]+,\s+(?:[A-Z]\.[\s-]?)+|(?:[A-Z]\.[\s~-]?){1,3}\s?[A-Z][\w'’-]+[,\s]"
)
CITATION = re.compile(
    r"\b(?:arXiv|Phys|Physics|Rev|Review|Lett|Letters|Proc|Proceedings|Journal|Math|Trans|Transactions|Conf|Conference|"
    r"Workshop|Symposium|Advances|Springer|Press|University|pp|pages|vol|volume|no|doi|IEEE|ACM|Astro|preprint|thesis|"
    r"Report|Nature|Science|et al|eds?)\b[.:]?",
    re.IGNORECASE,
)
NOTE = re.compile(r"\s*(?:\d{1,3}|[*†‡§¶]{1,3}|[a-z]|\(\d{1,3}\))(?=[\s)A-Z“\"])")


@dataclass(frozen=True, eq=False)
class Document:
    """What all sheets have in common: the size of the text; and which lines begin with a raised letter."""

    size: float
    raised: dict[int, bool]


def document_of(layout: Layout) -> Document:
    """The usual size of the text, by characters."""
    sizes: dict[float, int] = {}
    for sheet in layout.sheets:
        for line in sheet.lines:
            if not line.running:
                sizes[round(line.size)] = sizes.get(round(line.size), 0) + len(line.text)
    usual = max(sizes, key=sizes.__getitem__) if sizes else 16.0
    return Document(float(usual), _raised(layout))


def _raised(layout: Layout) -> dict[int, bool]:
    """Which lines begin with a raised letter."""
    page = layout.page
    raised = page.string_id("sup")
    tags = page.tag[page.parent[page.words.node]]
    return {
        line.number: bool(tags[line.words[0]] == raised) and raised >= 0
        for sheet in layout.sheets
        for line in sheet.lines
    }


def kinds_of(
    document: Document, sheet: Sheet, paragraphs: Sequence[Paragraph], *, cited: bool
) -> tuple[list[Kind], bool]:
    """The kinds of the paragraphs of a sheet, and whether a list of references goes on at its end."""
    pictures = _pictures(sheet)
    kinds = [_kind(document, pictures, one) for one in paragraphs]
    kinds = _without_lone_items(paragraphs, kinds)
    kinds = _with_notes(document, sheet, paragraphs, kinds)
    return _with_references(paragraphs, kinds, cited=cited)


def _kind(document: Document, pictures: list[list[float]], one: Paragraph) -> Kind:
    told = _told(one)
    if told is not None:
        return told
    if pictures and _in_picture(pictures, one):
        return Kind.FIGURE
    if _is_caption(document, one):
        return Kind.CAPTION
    if _is_formula(one):
        return Kind.FORMULA
    if _is_heading(document, one):
        return Kind.HEADING
    if ITEM.match(one.text) and len(one.text) > 3:
        return Kind.ITEM
    return Kind.PLAIN


def _told(one: Paragraph) -> Kind | None:
    """What the tags of a tagged PDF say, where they say more than that it is a paragraph."""
    tags = one.lines[0].tags
    if not tags:
        return None
    if HEADING_TAG.search(tags):
        return Kind.HEADING if len(one.text.split()) <= 2 * LONGEST_HEADING else None
    for name, kind in TOLD:
        if name in tags:
            return kind
    return None


def _without_lone_items(paragraphs: Sequence[Paragraph], kinds: list[Kind]) -> list[Kind]:
    """Items with no other beside them are headings if they are a number and a few words, else plain text."""
    kinds = list(kinds)
    for k, one in enumerate(paragraphs):
        if (
            kinds[k] is not Kind.ITEM
            or " LI " in one.lines[0].tags
            or Kind.ITEM in kinds[max(k - 1, 0) : k]
            or Kind.ITEM in kinds[k + 1 : k + 2]
        ):
            continue
        text = one.text.strip()
        if text[0] in BULLETS:
            continue
        title = NUMBERED.match(text) and len(one.lines) == 1 and len(text.split()) <= 14 and text[-1] not in ".;,:"
        kinds[k] = Kind.HEADING if title else Kind.PLAIN
    return kinds


def _pictures(sheet: Sheet) -> list[list[float]]:
    """The boxes of the pictures and figures of a sheet, without such as are most of it."""
    x0, y0, x1, y1 = sheet.box
    boxes = [*sheet.images.tolist(), *sheet.figures.tolist()]
    return [box for box in boxes if (box[2] - box[0]) * (box[3] - box[1]) <= WHOLE * (x1 - x0) * (y1 - y0)]


def _in_picture(pictures: list[list[float]], one: Paragraph) -> bool:
    """Whether it stands on a picture."""
    x0, y0, x1, y1 = one.x0, one.y0, one.x1, one.y1
    return any(left <= x0 and x1 <= right and top <= y0 and y1 <= bottom for left, top, right, bottom in pictures)


def _is_caption(document: Document, one: Paragraph) -> bool:
    found = CAPTION.match(one.text)
    if not found:
        return False
    if found["after"].strip() or not one.text[found.end() :].strip():
        return True
    follows = one.text[found.end() :].lstrip()
    return one.size < SMALLER * document.size or one.lines[0].bold or (follows[:1].isupper() and len(one.lines) <= 3)


def _formula(one: Paragraph) -> float:
    """How much of it is set in fonts for formulas."""
    return sum(line.formula * len(line.text) for line in one.lines) / max(sum(len(line.text) for line in one.lines), 1)


def _is_formula(one: Paragraph) -> bool:
    """Whether it is little but signs of formulas, or the number of an equation with few words beside it."""
    share = _formula(one)
    words = sum(len(word) > 2 and word.isalpha() for word in one.text.split()) / len(one.lines)
    numbered = EQUATION_NUMBER.search(one.text[-9:]) is not None and one.text.rstrip().endswith(")")
    if EQUATION_NUMBER.fullmatch(one.text.strip()):
        return True
    if words >= 3:
        return False
    return share > 0.5 or (share > 0.25 and words <= 2) or (numbered and share > 0.1)


def _is_heading(document: Document, one: Paragraph) -> bool:
    """Whether it is short and set larger, in bold or in capitals, and does not read as a sentence."""
    text = one.text.strip()
    if len(one.lines) > MOST_HEADING_LINES or len(text.split()) > LONGEST_HEADING:
        return False
    words, letters = text.split(), [c for c in text if c.isalpha()]
    if len(letters) < 3:
        return False
    if NAMED.fullmatch(text):
        return True
    if text[-1] in ",;" or letters[0].islower() or _formula(one) > 0.3 or (text[-1] == "." and len(words) > 5):
        return False
    if one.size >= LARGER * document.size:
        return True
    loud = one.is_bold or (len(letters) > 3 and all(c.isupper() for c in letters))
    if not loud or one.size < SMALLEST_HEADING * document.size:
        return False
    if one.size < SMALLER * document.size:
        return NUMBERED.match(text) is not None
    return len(words) <= 14 or NUMBERED.match(text) is not None


def _with_notes(document: Document, sheet: Sheet, paragraphs: Sequence[Paragraph], kinds: list[Kind]) -> list[Kind]:
    """Footnotes: set smaller, in the lower part of the sheet, with nothing but notes below; they begin with a mark."""
    x0, top, x1, bottom = sheet.box
    kinds = list(kinds)
    order = sorted(range(len(paragraphs)), key=lambda k: -paragraphs[k].y1)
    columns: dict[int, bool] = {}
    for k in order:
        one = paragraphs[k]
        side = round((one.x0 - x0) / max((x1 - x0) / 2, 1))
        small = one.size < SMALLER * document.size
        if (
            columns.get(side, True)
            and small
            and one.y0 > top + 0.45 * (bottom - top)
            and kinds[k] in (Kind.PLAIN, Kind.ITEM, Kind.HEADING)
        ):
            if document.raised.get(one.lines[0].number) or NOTE.match(one.text) or _below_rule(sheet, one):
                kinds[k] = Kind.NOTE
                continue
        elif kinds[k] is Kind.PLAIN and not small:
            columns[side] = False
    return kinds


def _below_rule(sheet: Sheet, one: Paragraph) -> bool:
    """Whether a short line is drawn right above it."""
    box = sheet.rules
    if not len(box):
        return False
    near = (box[:, 3] <= one.y0 + 3) & (box[:, 3] > one.y0 - 1.5 * one.size) & (abs(box[:, 0] - one.x0) < 3 * one.size)
    wide = (box[:, 2] - box[:, 0] > 40) & (box[:, 3] - box[:, 1] < 4)
    return bool((near & wide).any())


def _with_references(paragraphs: Sequence[Paragraph], kinds: list[Kind], *, cited: bool) -> tuple[list[Kind], bool]:
    """References: what follows a heading that says so, and runs of paragraphs that look like citations."""
    kinds = list(kinds)
    able = [kind in (Kind.PLAIN, Kind.ITEM, Kind.NOTE) for kind in kinds]
    looks = [can and _looks_cited(one) for can, one in zip(able, paragraphs, strict=True)]
    whole = sum(len(one.text) for one, can in zip(paragraphs, able, strict=True) if can)
    held = sum(len(one.text) for one, look in zip(paragraphs, looks, strict=True) if look)
    first = next((k for k, look in enumerate(looks) if look), 0)
    last = next((k for k in range(len(looks) - 1, -1, -1) if looks[k]), -1)
    mostly = sum(looks) >= FEWEST_CITED and held > 0.5 * whole
    for k, one in enumerate(paragraphs):
        if kinds[k] is Kind.HEADING:
            cited = BIBLIOGRAPHY.fullmatch(one.text.strip()) is not None
        elif able[k] and (cited or (mostly and first - 1 <= k <= last + 1) or (looks[k] and _has_company(looks, k))):
            kinds[k] = Kind.REFERENCE
    return kinds, cited or (mostly and bool(looks) and any(looks[-2:]))


def _has_company(looks: Sequence[bool], place: int) -> bool:
    """Whether those around it look like citations as well."""
    return sum(looks[max(place - 2, 0) : place + 3]) >= FEWEST_CITED


def _looks_cited(one: Paragraph) -> bool:
    """Whether a paragraph is made like a reference: a mark or names first, a year, words for journals and books."""
    if len(one.lines) > 10 or not YEAR.search(one.text):
        return False
    signs = 2 * bool(CITED.match(one.text)) + min(len(CITATION.findall(one.text)), 3)
    signs += (one.text.count(",") > 2) + (one.text[:1].isupper() and YEAR.search(one.text[:160]) is not None)
    return signs >= 4
