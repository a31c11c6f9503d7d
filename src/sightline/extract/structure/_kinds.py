"""What the paragraphs of a PDF are: headings, captions, items, notes, formulas, references, or plain text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sightline.extract.structure._layout import Layout, Line, Sheet
from sightline.extract.structure._paragraphs import ITEM, Paragraph

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


LARGER = 1.12  # of the size of the text: what is set larger is a heading
SMALLER = 0.94  # of the size of the text: notes are set smaller
LONGEST_HEADING = 22  # words
MOST_HEADING_LINES = 4
CAPTION = re.compile(
    r"(?:Supplementary\s+|Extended Data\s+|Online\s+)?"
    r"(?:Tab(?:le|elle|leau|\.)|Fig(?:ure|\.)|Abb(?:ildung|\.)|Chart|Box|Exhibit|Scheme|Graph|Map|Plate|Algorithm|Listing|Tabla|Figura|Grafik)"
    r"\s*(?:[A-Z]{1,3}[.-]?)?(?:\d+|[IVXLC]+)(?:[.-]\d+)*[a-z]?(?P<after>\s*[:.–—|-]|\s*$|\s+)",
    re.IGNORECASE,
)
NUMBERED = re.compile(r"(?:(?:\d{1,2}|[A-Z]|[IVX]{1,5})(?:\.\d{1,2})*\.?|(?:Appendix|Chapter|Section|Part|Annex|Anhang|Kapitel)\s+\w{1,4}[.:]?)\s+\S")
NAMED = re.compile(
    r"(?:\d+\.?\s+)?(?:abstract|introduction|conclusions?|references|bibliography|acknowledge?ments?|summary|discussion|results|"
    r"methods|appendix|literatur(?:verzeichnis)?|zusammenfassung|einleitung|contents)[.:]?",
    re.IGNORECASE,
)
BIBLIOGRAPHY = re.compile(r"(?:\d+\.?\s+)?(?:references|bibliography|literatur(?:verzeichnis)?|works cited|r[ée]f[ée]rences)[.:]?", re.IGNORECASE)
YEAR = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b")
CITED = re.compile(r"\[[A-Za-z]{0,4}\+?\d{1,4}\]|\d{1,3}\.\s|[A-Z][\w'’-]+,\s+(?:[A-Z]\.[\s-]?)+|(?:[A-Z]\.[\s~-]?){1,3}\s?[A-Z][\w'’-]+[,\s]")
CITATION = re.compile(r"\b(?:arXiv|Phys|Rev|Lett|Proc|Journal|Math|Trans|Conf|Springer|Press|University|pp|vol|no|doi|IEEE|ACM|Astro|preprint|et al|eds?)\b[.:]?", re.IGNORECASE)
MATH_FONT = re.compile(r"(?:CM(?:MI|SY|EX|BSY|MIB)|MSBM|MSAM|EUFM|EUSM|MTMI|MTSY|MTEX|RMTMI|Math|Symbol|LMMath|EURM|RSFS|BBM|STIX.*Math|TXMI|TXSY|PXMI|PXSY)", re.IGNORECASE)
EQUATION_NUMBER = re.compile(r"\(\s?[A-Z]?\.?\d{1,3}(?:\.\d{1,3})?[a-z]?\s?\)")
NOTE = re.compile(r"\s*(?:\d{1,3}|[*†‡§¶]{1,3}|[a-z]|\(\d{1,3}\))(?=[\s)A-Z“\"])")


@dataclass(frozen=True, eq=False)
class Document:
    """What all sheets have in common: the size of the text, and how much of each line is set in fonts for formulas."""

    size: float
    formula: dict[int, float]
    raised: dict[int, bool]


def document_of(layout: Layout) -> Document:
    """The usual size of the text, by characters, and the share of formulas in each line."""
    sizes: dict[float, int] = {}
    for sheet in layout.sheets:
        for line in sheet.lines:
            if not line.running:
                sizes[round(line.size)] = sizes.get(round(line.size), 0) + len(line.text)
    usual = max(sizes, key=sizes.__getitem__) if sizes else 16.0
    return Document(float(usual), _formulas(layout), _raised(layout))


def _formulas(layout: Layout) -> dict[int, float]:
    """The share of each line, by characters, that is set in a font for formulas."""
    page = layout.page
    family = page.style_column("font-family")[page.words.node]
    math = {value for value in set(family.tolist()) if value >= 0 and MATH_FONT.search(page.strings[value])}
    if not math:
        return {}
    of = [value in math for value in family.tolist()]
    found: dict[int, float] = {}
    for sheet in layout.sheets:
        for line in sheet.lines:
            whole = sum(len(layout.word_text[word]) for word in line.words)
            held = sum(len(layout.word_text[word]) for word in line.words if of[word])
            found[line.number] = held / max(whole, 1)
    return found


def _raised(layout: Layout) -> dict[int, bool]:
    """Which lines begin with a raised letter."""
    page = layout.page
    raised = page.string_id("sup")
    tags = page.tag[page.parent[page.words.node]]
    return {line.number: bool(tags[line.words[0]] == raised) and raised >= 0 for sheet in layout.sheets for line in sheet.lines}


def kinds_of(document: Document, sheet: Sheet, paragraphs: Sequence[Paragraph], *, cited: bool) -> tuple[list[Kind], bool]:
    """The kinds of the paragraphs of a sheet, and whether a list of references goes on at its end."""
    kinds = [_kind(document, sheet, one, before) for one, before in zip(paragraphs, [None, *paragraphs[:-1]], strict=True)]
    kinds = _with_notes(document, sheet, paragraphs, kinds)
    return _with_references(paragraphs, kinds, cited=cited)


def _kind(document: Document, sheet: Sheet, one: Paragraph, before: Paragraph | None) -> Kind:
    if _in_picture(sheet, one):
        return Kind.FIGURE
    if _is_caption(document, one):
        return Kind.CAPTION
    if _is_formula(document, one):
        return Kind.FORMULA
    if _is_heading(document, one):
        return Kind.HEADING
    if ITEM.match(one.text) and len(one.text) > 3:
        return Kind.ITEM
    return Kind.PLAIN


def _in_picture(sheet: Sheet, one: Paragraph) -> bool:
    """Whether it stands on a picture that is not the whole sheet."""
    x0, y0, x1, y1 = sheet.box
    for left, top, right, bottom in sheet.images.tolist():
        whole = (right - left) * (bottom - top) > 0.5 * (x1 - x0) * (y1 - y0)
        if not whole and left <= one.x0 and one.x1 <= right and top <= one.y0 and one.y1 <= bottom:
            return True
    return False


def _is_caption(document: Document, one: Paragraph) -> bool:
    found = CAPTION.match(one.text)
    if not found:
        return False
    if found["after"].strip() or not one.text[found.end() :].strip():
        return True
    follows = one.text[found.end() :].lstrip()
    return one.size < SMALLER * document.size or one.lines[0].bold or (follows[:1].isupper() and len(one.lines) <= 3)


def _is_formula(document: Document, one: Paragraph) -> bool:
    """Whether most of it is set in fonts for formulas, or it ends with the number of an equation beside little text."""
    share = sum(document.formula.get(line.number, 0.0) * len(line.text) for line in one.lines) / max(len(one.text), 1)
    words = sum(len(word) > 3 and word.isalpha() for word in one.text.split())
    numbered = EQUATION_NUMBER.fullmatch(one.lines[-1].text) is not None or one.text.rstrip().endswith(")") and EQUATION_NUMBER.search(one.text[-9:]) is not None
    if share > 0.5 and words < 4 * len(one.lines):
        return True
    return (share > 0.25 and words <= 3 * len(one.lines) and len(one.lines) <= 6) or (numbered and words <= 2 * len(one.lines) and share > 0.1)


def _is_heading(document: Document, one: Paragraph) -> bool:
    words = one.text.split()
    if len(words) > LONGEST_HEADING or len(one.lines) > MOST_HEADING_LINES or not any(c.isalpha() for c in one.text):
        return False
    if len(one.text) < 3 or one.text.rstrip()[-1:] in ",;":
        return False
    if one.size >= LARGER * document.size:
        return True
    if one.size < SMALLER * document.size:
        return NAMED.fullmatch(one.text) is not None
    if NAMED.fullmatch(one.text):
        return True
    letters = [c for c in one.text if c.isalpha()]
    loud = one.is_bold or (len(letters) > 3 and all(c.isupper() for c in letters))
    if loud and len(words) <= 14 and one.text.rstrip()[-1:] not in ".":
        return True
    return loud and NUMBERED.match(one.text) is not None


def _with_notes(document: Document, sheet: Sheet, paragraphs: Sequence[Paragraph], kinds: list[Kind]) -> list[Kind]:
    """Footnotes: set smaller, in the lower part of the sheet, with nothing but notes below; the first begins with a mark."""
    x0, top, x1, bottom = sheet.box
    kinds = list(kinds)
    order = sorted(range(len(paragraphs)), key=lambda k: -paragraphs[k].y1)
    columns: dict[int, bool] = {}
    for k in order:
        one = paragraphs[k]
        side = round((one.x0 - x0) / max((x1 - x0) / 2, 1))
        small = one.size < SMALLER * document.size
        if columns.get(side, True) and small and one.y0 > top + 0.45 * (bottom - top) and kinds[k] in (Kind.PLAIN, Kind.ITEM, Kind.HEADING):
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
    looks = [_looks_cited(one) for one in paragraphs]
    many = sum(looks) >= 3
    for k, one in enumerate(paragraphs):
        if kinds[k] is Kind.HEADING:
            cited = BIBLIOGRAPHY.fullmatch(one.text.strip()) is not None
            continue
        if kinds[k] in (Kind.PLAIN, Kind.ITEM, Kind.NOTE) and (
            (cited and (looks[k] or not many or len(one.lines) < 8)) or (many and looks[k] and _has_company(looks, k))
        ):
            kinds[k] = Kind.REFERENCE
    return kinds, cited


def _has_company(looks: Sequence[bool], place: int) -> bool:
    """Whether the next or the one before looks like a citation as well."""
    return any(looks[max(place - 1, 0) : place]) or any(looks[place + 1 : place + 2])


def _looks_cited(one: Paragraph) -> bool:
    """Whether a paragraph is made like a reference: a mark or a name first, a year, short."""
    if len(one.lines) > 9 or not CITED.match(one.text):
        return False
    signs = len(CITATION.findall(one.text)) + 2 * bool(YEAR.search(one.text)) + (one.text.count(",") > 3)
    return signs >= 3
