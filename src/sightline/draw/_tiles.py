"""The picture of a page in parts that a viewer can load one by one."""

import io
from collections.abc import Sequence
from math import ceil

import numpy as np
from PIL import Image, ImageDraw, UnidentifiedImageError

from sightline.draw._picture import INK, LARGEST_TEXT, PAPER, SMALLEST_TEXT, WIDEST, font_of
from sightline.errors import UnreadableError
from sightline.geometry import Box
from sightline.page import Page

__all__ = ["draw_tiles", "tiles_of"]

# CSS pixels; two windows' height. Viewers decode such a part while the last one is being scrolled by.
TILE_HEIGHT = 2_000
MOST_TILES = 1_000  # parts of a picture; beyond 2,000,000 pixels nobody scrolls
# Measured on a part of 1280 by 2000: level 1 takes 68 ms, the default 111 ms for 4 % fewer bytes.
PNG_LEVEL = 1
PNG = b"\x89PNG\r\n\x1a\n"


def tiles_of(page: Page) -> list[Box]:
    """Where the parts of a page's picture are, from top to bottom; one for each sheet of a PDF. [] without a layout.

    >>> from sightline.testing import list_page
    >>> tiles_of(list_page(["one", "two"]))
    [(0.0, 0.0, 1280.0, 1024.0)]
    """
    if page.bounds is None:
        return []
    if page.kind == "pdf":
        boxes = [(float(x0), float(y0), float(x1), float(y1)) for x0, y0, x1, y1 in page.sheets.tolist()]
        return [box for box in boxes if box[2] > box[0] and box[3] > box[1]][:MOST_TILES]
    right, bottom = (max(page.bounds[side], *page.sheets[:, side].tolist()) for side in (2, 3))
    width, height = min(max(ceil(right), 1), WIDEST), max(ceil(bottom), 1)
    tops = range(0, height, TILE_HEIGHT)
    return [(0.0, float(top), float(width), float(min(top + TILE_HEIGHT, height))) for top in tops][:MOST_TILES]


def draw_tiles(page: Page, boxes: Sequence[Box], wanted: Sequence[int]) -> list[bytes]:
    """Some of these parts as PNG files: cut from the screenshot, or where there is none, words in their places.

    Opening a long screenshot takes most of the time, so ask for all parts that you need at once.
    """
    image = _screenshot(page)
    if image is not None and len(boxes) == 1 and _covers(image, boxes[0]) and (page.screenshot or b"").startswith(PNG):
        return [page.screenshot or b""] * len(wanted)
    pixels = None if image is None else _decoded(page, image)
    return [_png(_tile(page, pixels, boxes[index])) for index in wanted]


def _screenshot(page: Page) -> Image.Image | None:
    if not page.screenshot:
        return None
    try:
        return Image.open(io.BytesIO(page.screenshot))
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as problem:
        raise UnreadableError(page.url, "has a screenshot that cannot be read; save the page again.") from problem


def _covers(image: Image.Image, box: Box) -> bool:
    return image.width == ceil(box[2]) and image.height == ceil(box[3])


def _decoded(page: Page, image: Image.Image) -> Image.Image:
    try:
        image.load()
        return image if image.mode == "RGB" else image.convert("RGB")
    except (OSError, SyntaxError, ValueError) as problem:  # all that Pillow says of damaged files
        raise UnreadableError(page.url, "has a screenshot that cannot be read; save the page again.") from problem


def _tile(page: Page, image: Image.Image | None, box: Box) -> Image.Image:
    x0, y0, x1, y1 = (round(side) for side in box)
    if image is not None and y1 <= image.height and x1 <= image.width:
        return image.crop((x0, y0, x1, y1))
    tile = _words(page, box)
    if image is not None and y0 < image.height:  # a browser takes pictures up to some height
        tile.paste(image.crop((x0, y0, min(x1, image.width), min(y1, image.height))), (0, 0))
    return tile


def _words(page: Page, box: Box) -> Image.Image:
    """The words of a part where they are."""
    x0, y0, x1, y1 = box
    tile = Image.new("RGB", (max(ceil(x1 - x0), 1), max(ceil(y1 - y0), 1)), PAPER)
    draw = ImageDraw.Draw(tile)
    places = page.words.box
    inside = (places[:, 3] > y0) & (places[:, 1] < y1) & page.visible[page.words.node]
    for row in np.flatnonzero(inside).tolist():
        left, top, _, bottom = places[row].tolist()
        word = page.strings[page.text[page.words.node[row]]][page.words.start[row] : page.words.end[row]]
        size = min(max(int((bottom - top) * 0.75), SMALLEST_TEXT), LARGEST_TEXT)
        draw.text((left - x0, top - y0), word, fill=INK, font=font_of(word, size))
    return tile


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=PNG_LEVEL)
    return out.getvalue()
