"""Draws sheets as a scanner would see them."""

import io
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Gray = npt.NDArray[np.uint8]
Texts = Sequence[tuple[str, int, int, int]]

ROWS = (
    ("Telescope", "Aperture", "Weight", "Price"),
    ("Lantern 18", "18 cm", "14.2 kg", "3,120.00"),
    ("Osric 30", "30 cm", "31.0 kg", "9,480.00"),
    ("Osric 40", "40 cm", "38.5 kg", "18,400.00"),
    ("Corrie 50", "50 cm", "64.0 kg", "27,950.00"),
)
LEFTS = (100, 420, 640, 860)
TOP, STEP, SIZE = 120, 70, 40


def sheet(
    texts: Texts = (), lines: Sequence[tuple[int, int, int, int]] = (), size: tuple[int, int] = (1200, 600)
) -> Gray:
    """A white sheet with texts (text, left, top, size of the type) and black lines, three dots thick."""
    picture = Image.new("L", size, 255)
    draw = ImageDraw.Draw(picture)
    for text, left, top, tall in texts:
        draw.text((left, top), text, fill=0, font=ImageFont.load_default(tall))
    for line in lines:
        draw.line(line, fill=0, width=3)
    return np.array(picture)


def table(*, ruled: bool = False) -> Gray:
    """A table of five rows and four columns, with or without a grid."""
    texts = [
        (text, left, TOP + STEP * row, SIZE)
        for row, held in enumerate(ROWS)
        for text, left in zip(held, LEFTS, strict=True)
    ]
    lines: list[tuple[int, int, int, int]] = []
    if ruled:
        ends = (*(left - 20 for left in LEFTS), 1120)
        tops = [TOP - 10 + STEP * row for row in range(len(ROWS) + 1)]
        lines += [(ends[0], top, ends[-1], top) for top in tops]
        lines += [(left, tops[0], left, tops[-1]) for left in ends]
    return sheet(texts, lines)


def turned(picture: Gray, degrees: float) -> Gray:
    """The picture turned clockwise."""
    image = Image.fromarray(picture)
    return np.array(image.rotate(-degrees, resample=Image.Resampling.BICUBIC, fillcolor=255))


def kept(picture: Gray, form: str, **options: object) -> bytes:
    """The bytes of a picture."""
    out = io.BytesIO()
    Image.fromarray(picture).save(out, form, **options)
    return out.getvalue()
