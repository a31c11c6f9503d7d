"""The main text of a PDF: everything on paper but what is printed on every sheet."""

import sightline as sl
from sightline.extract.content import ContentSettings, find_content
from sightline.page import Page

from ...sources.pdf._write import pdf, put, rows

PROSE = (
    "The lamp of the pier is lit at dusk by the keeper,",
    "who climbs the tower with a can of oil in his hand,",
    "and puts it out again when the sun has come up.",
)
PRICES = (("Lamp", "18"), ("Rope", "145"), ("Oil", "7"))
SHEETS = ("Of lamps", "Of ropes", "Of oil")


def _document() -> Page:
    """Three sheets under one header and over numbers of sheets, with prose that comes again and a list of prices."""
    sheets = []
    for number, title in enumerate(SHEETS, 1):
        prose = b"".join(put(line, 72, 660 - 14 * place) for place, line in enumerate(PROSE))
        head = put("The pier and its keepers", 72, 760, size=8) + put(title, 72, 700, size=18, font="B")
        sheets.append(head + prose + rows(PRICES, (72, 200), 560) + put(f"- {number} -", 300, 30, size=8))
    return sl.open(pdf(*sheets))


def test_all_of_a_document_is_its_text() -> None:
    """Paragraphs that come again, headings and short lines of figures are kept; running headers and footers are not."""
    found = find_content(_document())
    text = " ".join(found.text.split())
    assert text.count(" ".join(PROSE)) == len(SHEETS)
    assert all(title in text for title in SHEETS)
    assert all(text.count(word) == len(SHEETS) for row in PRICES for word in row)
    assert "keepers" not in text and "- 2 -" not in text
    assert found.doubts == ()


def test_precision_keeps_what_reads_like_text() -> None:
    """Who asks for precision gets what the model is sure of."""
    page = _document()
    precise = find_content(page, settings=ContentSettings(favor="precision"))
    assert len(precise.text) < len(find_content(page).text)
