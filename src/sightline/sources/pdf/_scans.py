"""Sheets that are pictures: recognised, and put as the objects that a sheet with text has.

Nothing that follows knows the difference but by the confidences: lines, blocks and tables are found in the same way.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sightline.extras import install_command, is_installed
from sightline.page import DOUBTFUL
from sightline.sources.pdf._page import Laid, laid_out
from sightline.sources.pdf._sheet import PdfFont, PdfSheet
from sightline.sources.pdf._worker import PdfDocument

if TYPE_CHECKING:
    from sightline.sources.scans import Gray, Recognised, RecognisedLine

DOTS = 300 / 96  # to a CSS pixel: at 200 dots an inch, type of 6 points is too small to be read
MOST_DOTS = 50_000_000  # of the picture of a sheet; A3 at 300 dots an inch has 17 million, a map has fewer to the inch
BLACK, GREY = 0x000000, 0xA0A0A0  # of drawn lines, and of boxes that are filled with whatever colour
FONT = PdfFont("", 400, italic=False, fixed=False)
# Where boxes of characters begin and end above and below the line they stand on, in sizes of the type, as pdfium has
# them for Times and Helvetica.
ABOVE, BELOW = 0.9, 0.22
NARROW, WIDE = frozenset("iIlj1tfr.,:;'|!()[] "), frozenset("mwMWQ%@—…")  # half and one and a half of the others' width
FEW_SHEETS, FEW_WORDS = 6, 3  # that a note names before it counts the rest


class Scans:
    """Recognises the scanned sheets of a document, and says how that went."""

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self.missing = wanted and not is_installed("ocr")
        self.left_out: list[int] = []
        self._recognised: list[tuple[int, float]] = []
        self._empty: list[int] = []
        self._doubtful: list[str] = []

    @property
    def on(self) -> bool:
        """Whether scanned sheets are recognised."""
        return self._wanted and not self.missing

    def of_document(self, document: PdfDocument, laid: Laid) -> Laid:
        """A sheet of a PDF after its text was recognised; as it is, if it can't be drawn."""
        from sightline.sources.scans import gray_of

        number, (wide, tall) = laid.sheet.number, laid.sheet.size
        scale = min(DOTS, math.sqrt(MOST_DOTS / (wide * tall)))
        (picture,) = document.render([number], scale)
        if picture is None:
            self._empty.append(number)
            return laid
        return self.of_picture(gray_of(picture), number, scale)

    def of_picture(self, picture: "Gray", number: int, scale: float) -> Laid:
        """A picture with `scale` dots to a CSS pixel, as a sheet; without text and a gap where none is recognised."""
        if not self.on:
            self.left_out.append(number)
            return laid_out(PdfSheet.blank(number, (picture.shape[1] / scale, picture.shape[0] / scale)))
        from sightline.sources.scans import recognise, text_reader

        found = recognise(picture, text_reader())
        sheet = sheet_of(found, number, scale)
        laid = laid_out(sheet)
        self._note(laid)
        # A sheet without text has no side up, whatever was tried.
        quarters, angle = (found.quarters, found.angle) if len(laid.lines) else (0, 0.0)
        return Laid(sheet, laid.lines, laid.blocks, laid.edges, quarters, angle)

    def gaps(self) -> Iterator[str]:
        """Which sheets are missing from the page, and why."""
        if self.left_out:
            remedy = (
                f"to have the text recognised (OCR), {install_command('ocr')}"
                if self.missing
                else "its text is recognised (OCR) unless that is switched off"
            )
            yield f"{named(self.left_out)} a picture without text, as scanners make; {remedy}."
        if self._empty:
            yield f"{named(self._empty)} a picture in which no text was recognised."

    def notes(self) -> Iterator[str]:
        """What was recognised, and which words of it are doubtful."""
        if self._recognised:
            sure = sum(sureness for _, sureness in self._recognised) / len(self._recognised)
            numbers = [number for number, _ in self._recognised]
            yield f"{named(numbers)} a picture whose text was recognised (OCR), with a mean confidence of {sure:.0f} %."
        yield from self._doubtful

    def _note(self, laid: Laid) -> None:
        lines, number = laid.lines, laid.sheet.number
        if not len(lines):
            self._empty.append(number)
            return
        self._recognised.append((number, float(lines.confidence.mean())))
        low = np.flatnonzero(lines.confidence < DOUBTFUL).tolist()
        if low:
            worst = sorted(low, key=lines.confidence.__getitem__)[:FEW_WORDS]
            shown = ", ".join(f"“{lines.text[piece]}” ({lines.confidence[piece]} %)" for piece in worst)
            counted = f"{len(low)} of {len(lines.text)} words {'is' if len(low) == 1 else 'are'} doubtful"
            such = ": " if len(low) <= FEW_WORDS else ", such as "
            self._doubtful.append(f"Sheet {number}: {counted}{such}{shown}; compare with the picture.")


def named(numbers: Sequence[int]) -> str:
    """Some sheets with the verb that follows them."""
    if len(numbers) == 1:
        return f"Sheet {numbers[0]} is"
    shown = ", ".join(map(str, numbers[:FEW_SHEETS]))
    if len(numbers) <= FEW_SHEETS:
        return f"Sheets {shown} are"
    return f"Sheets {shown} and {len(numbers) - FEW_SHEETS} more are"


# ------------------------------------------------------------------ words as characters


def sheet_of(found: "Recognised", number: int, scale: float) -> PdfSheet:
    """What was recognised, as the objects of a sheet: every word is a run of characters that share its width."""
    code: list[int] = []
    box: list[tuple[float, float, float, float]] = []
    run: list[int] = []
    sizes: list[float] = []
    confidences: list[int] = []
    for line in found.lines:
        for text, edges, is_word, confidence in _pieces(line):
            if is_word:
                sizes.append(line.size / scale)
                confidences.append(confidence)
            top, foot = line.foot - ABOVE * line.size, line.foot + BELOW * line.size
            code += map(ord, text)
            box += [(x0, top, x1, foot) for x0, x1 in edges]
            run += [len(sizes) - 1] * len(text)
    whole = np.zeros(len(sizes), dtype=np.int32)
    return replace(
        PdfSheet.blank(number, (found.shape[1] / scale, found.shape[0] / scale)),
        code=np.array(code, dtype=np.int32),
        box=(np.array(box, dtype=np.float32).reshape(-1, 4) / scale).astype(np.float32),
        run=np.array(run, dtype=np.int32),
        run_font=whole,
        run_colour=whole,
        run_marked=whole - 1,
        run_size=np.array(sizes, dtype=np.float32),
        run_angle=whole,
        run_confidence=np.array(confidences, dtype=np.int32),
        fonts=(FONT,),
        rules=(np.concatenate([found.rules, found.fills]) / scale).astype(np.float32),
        rule_colour=np.array([BLACK] * len(found.rules) + [GREY] * len(found.fills), dtype=np.int32),
    )


def _pieces(line: "RecognisedLine") -> Iterator[tuple[str, list[tuple[float, float]], bool, int]]:
    """The words of a line with a blank between each two: text, edges of the characters, whether a word, confidence."""
    before = None
    for word in line.words:
        if before is not None:
            yield " ", [(before, max(word.x0, before))], False, 0
        yield word.text, _edges(word.text, word.x0, word.x1), True, round(100 * word.confidence)
        before = word.x1


def _edges(text: str, x0: float, x1: float) -> list[tuple[float, float]]:
    """Where each character of a word begins and ends."""
    widths = np.array([1 if letter in NARROW else 3 if letter in WIDE else 2 for letter in text], dtype=np.float64)
    ends: npt.NDArray[np.float64] = x0 + np.cumsum(widths) * (x1 - x0) / widths.sum()
    return list(zip([x0, *ends[:-1].tolist()], ends.tolist(), strict=True))
