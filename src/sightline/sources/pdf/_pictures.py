"""Pictures as sources: a PNG, JPEG or WebP is a page of one sheet, a TIFF one of as many sheets as it has pictures."""

import io
import struct
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

from sightline.errors import MissingExtra, UnreadableError
from sightline.page import Printed
from sightline.sources.pdf._open import PdfSettings, room_for, stacked
from sightline.sources.pdf._page import printed_of
from sightline.sources.pdf._scans import Scans
from sightline.sources.pdf._worker import PdfLimits, Picture

FORMATS = ("PNG", "JPEG", "TIFF", "WEBP")
MOST_DOTS = 80_000_000  # of one picture: A2 at 400 dots an inch has 62 million
CSS_DOTS = 96.0  # of CSS pixels an inch
LEAST_DPI, MOST_DPI = 100.0, 1200.0  # what scanners write; cameras and screens write 72 or 96, whatever they saw
PHOTO = 2000  # dots: without the word of a scanner, a longer picture is a photo of a sheet,
SHEET = 1123.0  # and that is as high as A4, in CSS pixels
# What Pillow raises for files that are damaged or were made to hurt.
BROKEN = (OSError, SyntaxError, ValueError, EOFError, struct.error, Image.DecompressionBombError)


def read_pictures(  # noqa: PLR0913 - what is known of a document, one by one
    name: str,
    content: bytes,
    *,
    url: str = "",
    settings: PdfSettings,
    limits: PdfLimits,
    screenshot: bool = False,
    notes: Sequence[str] = (),
    on_sheet: Callable[[int, int], None] | None = None,
) -> Printed:
    """The pictures of a file as a printed document; MissingExtra if nothing here can recognise their text."""
    scans = Scans(wanted=settings.ocr)
    if scans.missing:
        raise MissingExtra("ocr", f"{name} is a picture, and recognising its text")
    laid, shown = [], []
    with _decoding(name):
        image = Image.open(io.BytesIO(content), formats=FORMATS)
    with image:
        numbers = _numbers(name, image, settings, limits)
        pictures = map(partial(_frame, name, image), numbers)
        for done, (number, picture) in enumerate(zip(numbers, pictures, strict=True), 1):
            if on_sheet:
                on_sheet(done, len(numbers))
            scale = _scale(picture)
            laid.append(scans.of_picture(np.asarray(picture.convert("L")), number, scale))
            if screenshot:
                wide, tall = (max(round(side / scale), 1) for side in picture.size)
                shown.append(np.asarray(picture.resize((wide, tall)).rotate(90 * laid[-1].turned, expand=True)))
    gaps = (*notes, *scans.gaps())
    title = PurePosixPath(unquote(urlsplit(url).path)).stem
    return printed_of(
        laid,
        url=url,
        title=title,
        notes=(*gaps, *scans.notes()),
        gaps=gaps,
        screenshot=_picture(shown, [each.angle for each in laid]) if screenshot else None,
    )


@contextmanager
def _decoding(name: str) -> Iterator[None]:
    """Make one of our errors of whatever Pillow says of a picture."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of large pictures, which are refused below, and of odd metadata
            yield
    except Image.DecompressionBombError:
        raise UnreadableError(name, TOO_LARGE) from None
    except BROKEN as problem:
        raise UnreadableError(name, "is a damaged picture; save it again, as PNG or JPEG.") from problem


TOO_LARGE = f"is a picture of more than {MOST_DOTS // 1_000_000} million dots; scale it down."


def _numbers(name: str, image: Image.Image, settings: PdfSettings, limits: PdfLimits) -> list[int]:
    """The pictures of a file that are read, counted from 1."""
    with _decoding(name):
        count = int(getattr(image, "n_frames", 1)) if image.format == "TIFF" else 1
    numbers = settings.numbers_in(name, count)
    limits.check_sheets(name, len(numbers))
    return numbers


def _frame(name: str, image: Image.Image, number: int) -> Image.Image:
    """One of the pictures, the way up that the camera says, in colours on white."""
    with _decoding(name):
        image.seek(number - 1)
        if image.width * image.height > MOST_DOTS:
            raise UnreadableError(name, TOO_LARGE)
        dpi = image.info.get("dpi")
        picture = _on_white(ImageOps.exif_transpose(image))
    picture.info["dpi"] = dpi
    return picture


def _on_white(frame: Image.Image) -> Image.Image:
    """A picture of any mode in red, green and blue."""
    if frame.mode in ("I", "F", "I;16", "I;16B", "I;16L"):  # 16 bits to a dot, of which the upper eight are enough
        frame = Image.fromarray(_eight_bits(np.asarray(frame, dtype=np.float64)))
    elif frame.mode in ("RGBA", "LA", "PA", "P") or "transparency" in frame.info:
        clear = frame.convert("RGBA")
        frame = Image.alpha_composite(Image.new("RGBA", clear.size, "#ffffff"), clear)
    return frame.convert("RGB")


def _eight_bits(dots: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    most = float(dots.max()) if dots.size else 0.0
    return (dots.clip(0) / (256 if most > 255 else 1)).clip(0, 255).astype(np.uint8)


def _scale(picture: Image.Image) -> float:
    """How many dots there are to a CSS pixel, as far as the picture tells."""
    dpi = picture.info.get("dpi")
    dots = float(dpi[0]) if isinstance(dpi, tuple) and dpi else 0.0
    if LEAST_DPI <= dots <= MOST_DPI:
        return dots / CSS_DOTS
    longest = max(picture.size)
    return longest / SHEET if longest > PHOTO else 1.0


def _picture(shown: Sequence[Picture], angles: Sequence[float]) -> bytes:
    """The sheets below each other, as they were straightened."""
    held = shown[: room_for(dots.shape[0] for dots in shown)]
    return stacked([(dots.shape[1], dots.shape[0]) for dots in held], held, angles[: len(held)])
