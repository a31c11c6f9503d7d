"""PDFs that were made to hurt: each ends in sheets or in one clear error, and the next document is read as ever."""

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from sightline.errors import DeadlineError, LimitError, SightlineError, UnreadableError
from sightline.sources.pdf._sheet import PdfSheet
from sightline.sources.pdf._worker import PdfLimits, PdfWorker, SheetFailed

from ..._wait import BOUND
from ._write import assemble, locked, pdf, stream, written

SOUND = pdf(written("All is well"))
LIMITS = PdfLimits(memory_bytes=250_000_000, sheet_seconds=BOUND)  # small, so that bombs need not be large


@pytest.fixture(scope="module")
def worker() -> Iterator[PdfWorker]:
    """One worker for all: what one document leaves behind is the next one's problem."""
    worker = PdfWorker()
    yield worker
    worker.close()


def _read(worker: PdfWorker, content: bytes, limits: PdfLimits = LIMITS) -> list[PdfSheet | SheetFailed]:
    with worker.open("x.pdf", content, limits=limits) as document:
        return list(document.sheets(range(1, document.count + 1)))


def _text(sheet: PdfSheet | SheetFailed) -> str:
    assert isinstance(sheet, PdfSheet)
    return "".join(map(chr, sheet.code)).strip()


@cache
def _bomb() -> bytes:
    """A stream of 210 MB, in 210 KB."""
    return stream(b"0 0 m 9 9 l S\n" * 15_000_000, packed=True)


def _page_loop() -> bytes:
    return assemble([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"])


def _endless_count() -> bytes:
    return SOUND.replace(b"/Count 1", b"/Count 900000000")


def _previous_loop() -> bytes:
    start = SOUND.index(b"xref\n0")
    return SOUND.replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev %d" % start)


def _outline_loop() -> bytes:
    marks = [
        b"<</First 7 0 R/Last 7 0 R>>",
        b"<</Title(One)/Parent 6 0 R/Next 8 0 R/First 7 0 R>>",
        b"<</Title(Two)/Parent 6 0 R/Next 7 0 R/First 6 0 R>>",
    ]
    return pdf(written("All is well"), catalog=b"/Outlines 6 0 R", more=marks)


def _nested_forms(depth: int, times: int) -> bytes:
    """Forms that each draw the next one several times: `times ** depth` in all."""
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>"
    forms = [stream(b"/X Do " * times, form % (7 + place)) for place in range(depth)]
    forms.append(stream(b"0 0 m 9 9 l S", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]"))
    page = b"/Resources<</XObject<</X 6 0 R>>>>"
    return pdf(b"/X Do", more=forms).replace(b"/Resources<</Font<</F 3 0 R>>>>", page)


def _form_in_itself() -> bytes:
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>"
    return pdf(b"/X Do", more=[stream(b"/X Do " * 3, form)]).replace(
        b"/Resources<</Font<</F 3 0 R>>>>", b"/Resources<</XObject<</X 6 0 R>>>>"
    )


def _deep_arrays() -> bytes:
    return pdf(written("All is well"), catalog=b"/X " + b"[" * 100_000 + b"]" * 100_000)


UNREADABLE: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing at all": (lambda: b"", "is damaged or not a PDF"),
    "garbage": (lambda: bytes(range(256)) * 400, "is damaged or not a PDF"),
    "a head alone": (lambda: b"%PDF-1.7\n", "is damaged or not a PDF"),
    "a page": (lambda: b"<html><body>Hello", "is damaged or not a PDF"),
    "cut after the catalog": (lambda: SOUND[:60], "is damaged or not a PDF"),
    "no sheets": (pdf, "is a PDF without any sheets."),
    "protected": (lambda: locked("Secret", "open"), "is protected by a password; give it with --password."),
    "unknown protection": (
        lambda: pdf(written("Secret"), trailer=b"/Encrypt<</Filter/Own/V 1/R 2>>"),
        "has an unsupported kind of protection",
    ),
    "a bomb": (lambda: pdf(_bomb()), "made the PDF reader fail at sheet 1 (out of memory)."),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", UNREADABLE)
def test_unreadable_document_ends_in_one_sentence(worker: PdfWorker, case: str) -> None:
    """What is no document, or kills its reader, is an UnreadableError that says so; the next document is read."""
    make, problem = UNREADABLE[case]
    with pytest.raises(UnreadableError) as caught:
        _read(worker, make())
    assert str(caught.value).startswith(f"x.pdf: {problem}")
    assert [_text(sheet) for sheet in _read(worker, SOUND)] == ["All is well"]


ENDING: dict[str, Callable[[], bytes]] = {
    "a page tree that contains itself": _page_loop,
    "an endless number of sheets": _endless_count,
    "bookmarks in a circle": _outline_loop,
    "a cross-reference table before itself": _previous_loop,
    "cut in the middle": lambda: SOUND[: len(SOUND) * 2 // 3],
    "cut before the end": lambda: SOUND[:-60],
    "a form that draws itself": _form_in_itself,
    "forms nested deeply": lambda: _nested_forms(60, 1),
    "forms that multiply": lambda: _nested_forms(12, 4),
    "arrays nested deeply": _deep_arrays,
    "a box beyond all numbers": lambda: pdf(written("All is well"), box=b"0 0 9e39 9e39"),
    "a box of nothing": lambda: pdf(written("All is well"), box=b"5 5 5 5"),
    "a box that is no numbers": lambda: pdf(written("All is well"), box=b"nan nan nan nan"),
    "a crop box elsewhere": lambda: pdf(written("All is well"), page=b"/CropBox[5000 5000 5001 5001]"),
    "text at infinity": lambda: pdf(b"BT /F 12 Tf 1e38 0 0 1e38 3e38 3e38 Tm (Far) Tj ET 9e38 0 m 9e38 9e38 l S"),
    "a sheet that is missing": lambda: SOUND.replace(b"[4 0 R]", b"[9 0 R]"),
}


@pytest.mark.parametrize("case", ENDING)
def test_hostile_document_ends_by_itself(worker: PdfWorker, case: str) -> None:
    """Loops, depth and absurd numbers end in sheets whose boxes are usable, or in one error, before the deadline."""
    try:
        sheets = _read(worker, ENDING[case]())
    except SightlineError as problem:
        assert not isinstance(problem, DeadlineError)
        assert str(problem).startswith("x.pdf: ") and str(problem).endswith(".") and "\n" not in str(problem)
        assert "nonsense" not in str(problem)
    else:
        assert sheets
        for sheet in sheets:
            if isinstance(sheet, PdfSheet):
                assert all(0 < side < 1e6 for side in sheet.size)
                assert all(abs(number) <= 1e6 for boxes in (sheet.box, sheet.rules) for number in boxes.flat)
    assert [_text(sheet) for sheet in _read(worker, SOUND)] == ["All is well"]


def test_damaged_sheet_is_told_and_the_others_are_read(worker: PdfWorker) -> None:
    """One sheet that pdfium cannot load costs that sheet, by number, not the document."""
    content = pdf(*(written(word) for word in ("One", "Two", "Three"))).replace(b"6 0 R 8 0 R", b"1 0 R 8 0 R")
    one, two, three = _read(worker, content)
    assert (_text(one), _text(three)) == ("One", "Three")
    assert two == SheetFailed(2, "pdfium cannot load it")


def test_sheets_before_the_deadly_one_are_given(worker: PdfWorker) -> None:
    """A child that dies at the third sheet has given the first two, and the error names the third."""
    content = pdf(written("One"), written("Two"), _bomb(), written("Four"))
    with worker.open("x.pdf", content, limits=LIMITS) as document:
        sheets = document.sheets([1, 2, 3, 4])
        assert [_text(next(sheets)), _text(next(sheets))] == ["One", "Two"]
        with pytest.raises(UnreadableError, match=r"fail at sheet 3 \(out of memory\)"):
            next(sheets)
        with pytest.raises(UnreadableError, match="no longer open"):
            next(document.sheets([1]))


def test_document_that_claims_too_many_sheets_is_refused(worker: PdfWorker) -> None:
    """The count is the document's own word, so it is compared with the limit before anything is read."""
    many = SOUND.replace(b"/Count 1", b"/Count 6000")
    with pytest.raises(LimitError, match="has 6,000 sheets, more than 5,000") as caught:
        _read(worker, many)
    assert caught.value.limit == "pdf_sheets"


def test_sheet_beyond_its_time_ends_its_reader(worker: PdfWorker) -> None:
    """A sheet that takes too long is a DeadlineError that names it, and the next document is read."""
    slow = stream(b"BT /F 9 Tf 9 9 Td " + b"(a) Tj 1 0 Td " * 400_000 + b"ET", packed=True)
    with pytest.raises(DeadlineError, match=r"more than 0\.3 seconds at sheet 1; raise `sheet_seconds`"):
        _read(worker, pdf(slow), PdfLimits(sheet_seconds=0.3))
    assert [_text(sheet) for sheet in _read(worker, SOUND)] == ["All is well"]


def test_picture_of_a_huge_sheet_is_not_drawn(worker: PdfWorker) -> None:
    """A sheet whose picture would take gigabytes gives none; an ordinary one beside it does."""
    with worker.open("x.pdf", pdf(written("Large"), box=b"0 0 14000 14000"), limits=LIMITS) as document:
        assert list(document.render([1], 4.0)) == [None]
        (small,) = document.render([1], 0.01)
    assert small is not None and small.shape == (187, 187, 3)
