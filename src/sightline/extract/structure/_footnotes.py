"""Step 10: footnotes, small texts at the foot of a sheet."""

import re
from collections.abc import Sequence

from sightline.extract.structure._block_kinds import SMALLER, BlockKind, TextNorms
from sightline.extract.structure._layout import SheetLines
from sightline.extract.structure._paragraphs import Paragraph

__all__ = ["with_footnotes"]

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
