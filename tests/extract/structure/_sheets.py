"""Small PDFs with a structure to be found, and what was found on them."""

from typing import Any

from sightline.extract.structure import StructureSettings, structured
from sightline.page import Page

from ...sources.pdf._bare import bare
from ...sources.pdf._write import pdf, put

PROSE = (
    "A paragraph of running text, as most of the sheet is set,",
    "so that what is larger or smaller can be told from it by",
    "its size; it goes on for a few lines, and then it ends.",
)


def prose(x: float = 72, top: float = 700, *, size: float = 10, lines: tuple[str, ...] = PROSE) -> bytes:
    """A paragraph of running text."""
    return b"".join(put(line, x, top - 1.3 * size * row, size=size) for row, line in enumerate(lines))


def opened(*sheets: bytes, without: tuple[str, ...] = (), content: bytes = b"") -> Page:
    """The structured page of a PDF with these sheets."""
    return structured(bare(content or pdf(*sheets)), settings=StructureSettings(without=without))


def outline(page: Page) -> list[tuple[str, str]]:
    """What the sheets hold: the tag and the text of each thing on them, from top to bottom."""
    found = []
    for section in page.with_tag("section").tolist():
        found += [(child.tag, child.text) for child in page.node(section).children if child.tag not in ("img", "svg")]
    return found


def grid(page: Page, number: int = 0) -> list[list[str]]:
    """The texts of a table's cells, as they are written, row by row."""
    table = page.node(page.with_tag("table").tolist()[number])
    return [[cell.text for cell in row.children] for row in table.children if row.tag == "tr"]


def spans(page: Page) -> dict[str, dict[str, Any]]:
    """The attributes of the cells that span rows or columns, by their text."""
    cells = [page.node(number) for number in page.with_tag("td", "th").tolist()]
    return {cell.text: dict(cell.attributes) for cell in cells if cell.attributes}
