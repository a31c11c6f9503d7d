"""PDFs as pages, after Lixto's import: objects by pdfium in a child process, lines, blocks, one page of all sheets."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.sources.pdf._open import PdfSettings, read_pdf, read_printed, sheets_text
    from sightline.sources.pdf._pictures import read_pictures
    from sightline.sources.pdf._worker import PdfLimits

__all__ = [
    "PdfLimits",
    "PdfSettings",
    "read_pdf",
    "read_pictures",
    "read_printed",
    "sheets_text",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_open": "PdfSettings read_pdf read_printed sheets_text",
        "_pictures": "read_pictures",
        "_worker": "PdfLimits",
    },
)
