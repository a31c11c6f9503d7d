"""Fonts for words that are drawn where a page has no picture."""

from functools import lru_cache
from typing import TypeAlias

from PIL import ImageFont

__all__ = ["Font", "font_of"]

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont
WIDE_FONTS = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "NotoSans-Regular.ttf", "Arial.ttf", "Helvetica.ttc")
"""Fonts with accents and other scripts, by the names that systems find them under."""
MOST_SIZES = 100  # that are remembered; sizes of texts are small whole numbers


def font_of(word: str, size: int) -> Font:
    """The built-in font; for letters that it lacks, one of those that most systems have."""
    return ImageFont.load_default(size) if word.isascii() else _wide_font(size)


@lru_cache(maxsize=MOST_SIZES)
def _wide_font(size: int) -> Font:
    for name in WIDE_FONTS:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)
