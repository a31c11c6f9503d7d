"""Sheets as pdfium tells them, in this process: by the kernels, or by their twins in Python."""

from collections.abc import Callable
from typing import Any

import pypdfium2.raw as pdfium

from sightline.sources.pdf._objects import read_sheet, sheet_count
from sightline.sources.pdf._sheet import PdfSheet

MOST_SHEETS = 10  # of one document
COLUMNS = ("code", "box", "rules", "rule_colour", "images", "drawings", "links")
OF_RUN = ("run_font", "run_colour", "run_marked", "run_size", "run_angle")


def sheets_read(content: bytes) -> Callable[[], list[PdfSheet]]:
    """What reads the first sheets of a document."""
    pdfium.FPDF_InitLibrary()
    document = pdfium.FPDF_LoadMemDocument64(content, len(content), None)
    numbers = range(1, min(sheet_count(document), MOST_SHEETS) + 1) if document else range(0)
    return lambda: [sheet for number in numbers if (sheet := read_sheet(document, number)) is not None]


def sheets_of(content: bytes) -> list[list[Any]]:
    """All that the first sheets say; runs are numbered by addresses in memory, so each character says its own."""
    return [_facts(sheet) for sheet in sheets_read(content)()]


def _facts(sheet: PdfSheet) -> list[Any]:
    columns = (getattr(sheet, name).tolist() for name in OF_RUN)
    said = [(sheet.fonts[font], *rest) for font, *rest in zip(*columns, strict=True)]
    letters = [said[run] if run >= 0 else None for run in sheet.run.tolist()]
    return [letters, *(getattr(sheet, name).tolist() for name in COLUMNS)]
