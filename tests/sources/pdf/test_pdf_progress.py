"""Whoever waits for a long document can see how far it has been read."""

from pathlib import Path

from sightline.sources.pdf import PdfLimits, PdfSettings, read_pdf

EXAMPLE = Path(__file__).parents[3] / "examples" / "instruments.pdf"


def test_every_sheet_is_told_as_it_is_read() -> None:
    """The number of sheets read so far, and of all."""
    told: list[tuple[int, int]] = []
    page = read_pdf(
        "instruments.pdf",
        EXAMPLE.read_bytes(),
        settings=PdfSettings(),
        limits=PdfLimits(),
        on_sheet=lambda done, total: told.append((done, total)),
    )
    assert told == [(number, len(page.sheets)) for number in range(1, len(page.sheets) + 1)]
