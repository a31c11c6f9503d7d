"""PDFs as pages, after Lixto's import: objects by pdfium in a child process, lines, blocks, one page of all sheets."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.sources.pdf._open import PdfLimits, PdfSettings, read_pdf, read_printed, sheets_text

__all__ = [
    "PdfLimits",
    "PdfSettings",
    "read_pdf",
    "read_printed",
    "sheets_text",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_open": "PdfLimits read_pdf read_printed PdfSettings sheets_text",
    },
)
