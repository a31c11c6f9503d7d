"""A bare page as the document that it was made of."""

from dataclasses import fields

import numpy as np

from sightline.extract.structure import structured
from sightline.extract.structure._layout import printed_of
from sightline.page import PrintedLines, bare_page
from sightline.sources.pdf import PdfLimits, PdfSettings, read_printed

from ...sources.pdf._write import pdf, put, rows
from ._sheets import prose

RAISED = put("The tube", 72, 600, size=10) + put("2", 112, 604, size=6) + put("is long.", 118, 600, size=10)
TABLE = rows([["Lens", "12"], ["Tube", "7"], ["Stand", "31"]], [72, 272], 500)
RULES = b"72 520 300 1 re f 72 440 300 1 re f "


def test_bare_page_holds_the_whole_document() -> None:
    """Every column of lines and sheets comes back from the bare page, and the page with its structure is the same."""
    content = pdf(prose() + RAISED + TABLE + RULES, prose())
    printed = read_printed("x.pdf", content, settings=PdfSettings(), limits=PdfLimits())
    page = bare_page(printed)
    again = printed_of(page)
    for column in fields(PrintedLines):
        assert getattr(again.lines, column.name) == getattr(printed.lines, column.name), column.name
    for one, other in zip(again.sheets, printed.sheets, strict=True):
        assert (one.node, one.box, one.attributes) == (other.node, other.box, other.attributes)
    assert np.array_equal(again.rules, printed.rules)
    assert again.rule_colour == printed.rule_colour
    assert again.styles == printed.styles
    assert bare_page(again).id == page.id
    assert structured(printed).id == structured(page).id


def test_document_without_text_is_a_bare_page() -> None:
    """Where nothing is written there is no structure to find."""
    printed = read_printed("x.pdf", pdf(RULES), settings=PdfSettings(), limits=PdfLimits())
    assert structured(printed).id == bare_page(printed).id
