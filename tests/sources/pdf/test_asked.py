"""What pdfium is asked by the thousand: kernels and their twins in Python get the same answers."""

from typing import Any

import pytest

from sightline import native
from sightline.sources.pdf._sheet import PdfSheet
from sightline.sources.pdf._worker import PdfWorker

from ._write import lattice, pdf, put, scanned, stream, tagged

needs_kernels = pytest.mark.skipif(native.kernels is None, reason="the kernels are not compiled")

TEXTS = put("Plain", 72, 700) + put("Bold", 72, 680, font="B") + b"1 0 0 rg\n" + put("Up", 300, 500, turn=90)
PATHS = (
    b"0.2 0.4 0.6 rg 0 0 1 RG 2 w 50 50 100 20 re f 50 90 100 20 re B 50 130 100 20 re S 5 5 m 10 10 m h S\n"
    b"200 50 m 260 50 l 260 80 l h S 200 90 m 260 130 l S 300 50 m 320 90 340 90 360 50 c S 9 9 m 9.1 9 l S\n"
    b"400 50 m 460 50 l 460 70 l 400 70 l h 400 90 m 460 90 l 460 110 l 400 110 l h f 500 50 m 560 50 l 530 90 l f\n"
    b"q 0.7 0.7 -0.7 0.7 300 300 cm 0 0 40 20 re f 0 0 40 20 re S Q 0 0 m 1e38 1e38 l 1e39 0 l f\n"
)
FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 900 900]/Matrix[0.9 0 0.1 0.9 5 5]"


def _with_form() -> bytes:
    """Everything drawn once more, within a form."""
    content = pdf(b"q 2 0 0 3 10 40 cm /X Do Q", more=[stream(PATHS + scanned(), FORM)])
    return content.replace(b"/Resources<</Font<</F 3 0 R", b"/Resources<</XObject<</X 6 0 R>>/Font<</F 3 0 R")


DOCUMENTS = {
    "paths": pdf(TEXTS + PATHS + lattice([72, 172, 272], [600, 620, 640]) + scanned(), TEXTS, PATHS, b""),
    "form": _with_form(),
    "tags": tagged(("H1", put("Title", 72, 700, size=20)), ("P", put("Text", 72, 660))),
}


def _facts(sheet: PdfSheet) -> list[Any]:
    """All that a sheet says; runs and fonts are numbered by addresses in memory, so by what they say instead."""
    columns = (getattr(sheet, f"run_{name}").tolist() for name in ("font", "colour", "marked", "size", "angle"))
    said = [(sheet.fonts[font], *rest) for font, *rest in zip(*columns, strict=True)]
    letters = [said[run] if run >= 0 else None for run in sheet.run.tolist()]
    plain = ("code", "box", "rules", "rule_colour", "images", "drawings", "links")
    return [letters, *(getattr(sheet, name).tolist() for name in plain)]


def _read(content: bytes) -> list[list[Any]]:
    """Every sheet, read by a new child."""
    worker = PdfWorker()
    try:
        with worker.open("x.pdf", content) as document:
            found = list(document.sheets(range(1, document.count + 1)))
    finally:
        worker.close()
    assert all(isinstance(sheet, PdfSheet) for sheet in found)
    return [_facts(sheet) for sheet in found if isinstance(sheet, PdfSheet)]


@needs_kernels
@pytest.mark.parametrize("name", DOCUMENTS)
def test_sheets_are_the_same_without_kernels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Characters, runs, rules, images and drawings, to the last digit; a child does without kernels as we do."""
    sheets = _read(DOCUMENTS[name])
    monkeypatch.setattr(native, "kernels", None)
    assert _read(DOCUMENTS[name]) == sheets


@needs_kernels
def test_a_table_of_other_functions_is_refused() -> None:
    """Not called."""
    assert native.kernels is not None
    with pytest.raises(ValueError, match="functions of pdfium"):
        native.kernels.characters(bytes(8), 0, 1)
