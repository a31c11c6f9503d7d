"""Step 10: footnotes, small texts at the foot of a sheet."""

import re
from collections.abc import Sequence

from sightline.extract.structure._block_kinds import SMALLER, BlockKind, TextNorms
from sightline.extract.structure._layout import SheetLines
from sightline.extract.structure._paragraphs import Paragraph

__all__ = ["with_footnotes", "with_references"]

LOWER_PART = 0.45  # of the height of a sheet: notes begin below
NOTE = re.compile(r"\s*(?:\d{1,3}|[*†‡§¶]{1,3}|[a-z]|\(\d{1,3}\))(?=[\s)A-Z“\"])")
SHORTEST_RULE, THICKEST_RULE = 40.0, 4.0  # CSS pixels, of the line that parts notes from the text
RULE_ABOVE, RULE_OVERLAP = 1.5, 3.0  # of the size of the type and CSS pixels: how far above a note that line is drawn
RULE_BESIDE = 3.0  # of the size of the type: how far from the left of a note that line may begin


def with_footnotes(
    norms: TextNorms, sheet: SheetLines, paragraphs: Sequence[Paragraph], kinds: Sequence[BlockKind]
) -> list[BlockKind]:
    """The kinds, with small texts that begin with a mark or stand below a line, and have only notes below, as notes."""
    x0, top, x1, bottom = sheet.box
    found = list(kinds)
    text_below: set[int] = set()  # the halves of the sheet that already have text of the usual size below
    for place in sorted(range(len(paragraphs)), key=lambda place: -paragraphs[place].y1):
        paragraph = paragraphs[place]
        half = round((paragraph.x0 - x0) / max((x1 - x0) / 2, 1))
        small = paragraph.size < SMALLER * norms.size
        low = paragraph.y0 > top + LOWER_PART * (bottom - top)
        able = found[place] in (BlockKind.PLAIN, BlockKind.ITEM, BlockKind.HEADING)
        if half not in text_below and small and low and able:
            if _is_marked(norms, paragraph) or _is_below_rule(sheet, paragraph):
                found[place] = BlockKind.NOTE
        elif found[place] is BlockKind.PLAIN and not small:
            text_below.add(half)
    return found


def _is_marked(norms: TextNorms, paragraph: Paragraph) -> bool:
    return paragraph.lines[0].number in norms.raised or NOTE.match(paragraph.text) is not None


def _is_below_rule(sheet: SheetLines, paragraph: Paragraph) -> bool:
    """Whether a short line is drawn right above a paragraph."""
    box, size = sheet.rules, paragraph.size
    if not len(box):
        return False
    near = (box[:, 3] <= paragraph.y0 + RULE_OVERLAP) & (box[:, 3] > paragraph.y0 - RULE_ABOVE * size)
    near &= abs(box[:, 0] - paragraph.x0) < RULE_BESIDE * size
    line = (box[:, 2] - box[:, 0] > SHORTEST_RULE) & (box[:, 3] - box[:, 1] < THICKEST_RULE)
    return bool((near & line).any())


# Step 11: references, by the heading above them or by looking like citations.

FEWEST = 3  # references on a sheet, or close together, that make a list of them
MOSTLY = 0.5  # share of the text of a sheet: if references are more, the paragraphs between them are references too
BESIDE = 2  # paragraphs before and after that are looked at
LONGEST = 10  # lines
FEWEST_SIGNS = 4  # of a citation: see `_looks_cited`
EARLY = 160  # characters in which the year of an author-year citation stands
BIBLIOGRAPHY = re.compile(
    r"(?:\d+\.?\s+)?(?:references|bibliography|literatur(?:verzeichnis)?|works cited|r[ée]f[ée]rences)[.:]?",
    re.IGNORECASE,
)
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


def with_references(
    paragraphs: Sequence[Paragraph], kinds: Sequence[BlockKind], *, listed: bool
) -> tuple[list[BlockKind], bool]:
    """The kinds with references, and whether a list of them continues on the next sheet.

    `listed` says whether such a list continues from the sheet before.
    """
    able = [kind in (BlockKind.PLAIN, BlockKind.ITEM, BlockKind.NOTE) for kind in kinds]
    cited = [can and _looks_cited(paragraph) for can, paragraph in zip(able, paragraphs, strict=True)]
    places = [place for place, is_cited in enumerate(cited) if is_cited]
    mostly = len(places) >= FEWEST and _length(paragraphs, cited) > MOSTLY * _length(paragraphs, able)
    around = range(places[0] - 1, places[-1] + 2) if mostly else range(0)
    found = list(kinds)
    for place, paragraph in enumerate(paragraphs):
        if found[place] is BlockKind.HEADING:
            listed = BIBLIOGRAPHY.fullmatch(paragraph.text.strip()) is not None
        elif able[place] and (listed or place in around or (cited[place] and _has_company(cited, place))):
            found[place] = BlockKind.REFERENCE
    return found, listed or (mostly and any(cited[-2:]))


def _length(paragraphs: Sequence[Paragraph], chosen: Sequence[bool]) -> int:
    """The characters of the chosen paragraphs."""
    return sum(len(paragraph.text) for paragraph, is_chosen in zip(paragraphs, chosen, strict=True) if is_chosen)


def _has_company(cited: Sequence[bool], place: int) -> bool:
    """Whether the paragraphs around one look like citations as well."""
    return sum(cited[max(place - BESIDE, 0) : place + BESIDE + 1]) >= FEWEST


def _looks_cited(paragraph: Paragraph) -> bool:
    """Whether a paragraph is built like a reference: a mark or names first, a year, words for journals and books."""
    text = paragraph.text
    if len(paragraph.lines) > LONGEST or not YEAR.search(text):
        return False
    signs = 2 * bool(CITED.match(text)) + min(len(CITATION.findall(text)), 3)
    signs += (text.count(",") > 2) + (text[:1].isupper() and YEAR.search(text[:EARLY]) is not None)
    return signs >= FEWEST_SIGNS
