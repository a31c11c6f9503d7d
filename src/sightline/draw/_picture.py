"""A page as a picture, with coloured boxes and labels over it."""

import io
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil
from typing import Protocol, TypeAlias

import numpy as np
from PIL import Image, ImageDraw, ImageFont, UnidentifiedImageError

from sightline.data import Mark
from sightline.errors import UnreadableError, UsageError
from sightline.geometry import Box, around, as_box
from sightline.page import Page

# Fonts for words that are drawn where a page has no picture.

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


TALLEST = 16_000  # pixels; what browsers can screenshot and viewers can show
WIDEST = 4_000
PAPER = (255, 255, 255)
INK = (60, 60, 60)
SMALLEST_TEXT, LARGEST_TEXT = 7, 40
BADGE_HEIGHT, BADGE_TEXT, BADGE_MARGIN = 18, 14, 5
LEGEND_HEIGHT, LEGEND_LINE, LEGEND_TEXT = 30, 22, 14

# Distinct and readable on white, also with red-green blindness (after Okabe and Ito).
COLOURS = {
    "heading": (213, 94, 0),
    "text": (0, 114, 178),
    "link": (0, 158, 115),
    "image": (204, 121, 167),
    "table": (230, 159, 0),
    "control": (86, 180, 233),
    "other": (120, 120, 120),
    # The roles of cells; those that stand beside each other in a table differ most.
    "frame": (30, 30, 30),
    "column header": (213, 94, 0),
    "row header": (204, 121, 167),
    "corner": (120, 120, 120),
    "data": (0, 114, 178),
    "section": (0, 158, 115),
    "total": (230, 159, 0),
    "note": (120, 120, 120),
    # Items of one kind that must be distinguishable, in order.
    "series 1": (0, 114, 178),
    "series 2": (213, 94, 0),
    "series 3": (0, 158, 115),
    "series 4": (204, 121, 167),
    "series 5": (230, 159, 0),
    "series 6": (86, 180, 233),
    "navigation": (120, 120, 120),
    # What a wrapper reads a text as.
    "field": (0, 158, 115),
    "template": (120, 120, 120),
    "changed": (230, 159, 0),
    "dropped": (86, 180, 233),
    "unknown": (213, 94, 0),
}
# A code that isn't a character in any font, and letters that have no plain letter and an accent in them.
NO_CHARACTER = "\uffff"
STROKES = {
    "ł": "l",
    "Ł": "L",
    "ø": "o",
    "Ø": "O",
    "đ": "d",
    "Đ": "D",
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "–": "-",
    "—": "-",
}
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
IMAGES = ("img", "svg", "video", "canvas", "picture")
CONTROLS = ("input", "button", "select", "textarea")
CELLS = ("td", "th")


def marks_of_page(page: Page) -> list[Mark]:
    """The visible headings, texts, links, images, cells and controls of a page."""
    kinds = {tag: kind for kind, tags in _KINDS.items() for tag in tags}
    marks = [
        Mark(box, kind)
        for tag, kind in kinds.items()
        for node in page.with_tag(tag)
        if page.visible[node] and (box := as_box(page.box[node]))
    ]
    covered = np.zeros(len(page) + 1, dtype=np.int32)
    for tag in kinds:
        nodes = page.with_tag(tag)
        np.add.at(covered, nodes, 1)
        np.add.at(covered, page.end[nodes], -1)
    plain = np.flatnonzero(page.is_text & ~page.is_blank & page.visible & (np.cumsum(covered[:-1]) == 0))
    return marks + [Mark(box, "text") for node in plain if (box := as_box(page.box[node]))]


_KINDS = {"heading": HEADINGS, "link": ("a",), "image": IMAGES, "control": CONTROLS, "table": CELLS}


def picture(page: Page, marks: Iterable[Mark] = ()) -> bytes:
    """The page as a PNG, with marks over it; without a screenshot its words are drawn where they stand."""
    marks = list(marks)
    image = _screenshot(page) if page.screenshot else _wireframe(page)
    layer = Image.new("RGBA", image.size, (0, 0, 0, 0))
    draw = ImageDraw.Draw(layer)
    for mark in marks:
        _draw_mark(draw, mark)
    _draw_badges(draw, [mark for mark in marks if mark.badge], image.width)
    marked = Image.alpha_composite(image.convert("RGBA"), layer).convert("RGB")
    out = io.BytesIO()
    _with_legend(marked, marks).save(out, "PNG")
    return out.getvalue()


def _screenshot(page: Page) -> Image.Image:
    try:
        return Image.open(io.BytesIO(page.screenshot or b"")).convert("RGB")
    except (UnidentifiedImageError, OSError) as problem:
        raise UnreadableError(page.url, "has a screenshot that cannot be read; save the page again.") from problem


def _wireframe(page: Page) -> Image.Image:
    if page.bounds is None:
        raise UsageError(
            f"{page.url or 'The page'} has no layout to draw; open it with a browser (leave out --static)."
        )
    width, height = (min(int(side) + 1, most) for side, most in zip(page.bounds[2:], (WIDEST, TALLEST), strict=True))
    image = Image.new("RGB", (max(width, 1), max(height, 1)), PAPER)
    draw = ImageDraw.Draw(image)
    shown = page.visible[page.words.node]
    for row in np.flatnonzero(shown).tolist():
        x0, y0, _, y1 = page.words.box[row].tolist()
        word = page.strings[page.text[page.words.node[row]]][page.words.start[row] : page.words.end[row]]
        size = min(max(int((y1 - y0) * 0.75), SMALLEST_TEXT), LARGEST_TEXT)
        draw.text((x0, y0), word, fill=INK, font=font_of(word, size))
    return image


def _draw_mark(draw: ImageDraw.ImageDraw, mark: Mark) -> None:
    x0, y0, x1, y1 = mark.box
    if x1 - x0 < 1 or y1 - y0 < 1:
        return
    colour = COLOURS.get(mark.kind, COLOURS["other"])
    reach = 5 if mark.hollow and not mark.thin else 2
    draw.rectangle(
        (x0 - reach, y0 - reach, x1 + reach - 1, y1 + reach - 1),
        outline=(*colour, 230),
        fill=None if mark.hollow else (*colour, 34),
        width=1 if mark.thin else 3 if mark.hollow else 2,
    )


def _draw_badges(draw: ImageDraw.ImageDraw, marks: list[Mark], room: int) -> None:
    """Badges above everything else, each at the corner of its box, or beside the badge that is there already."""
    font = ImageFont.load_default(BADGE_TEXT)
    taken: list[Box] = []
    for mark in marks:
        width = font.getlength(mark.badge) + 2 * BADGE_MARGIN
        place = _free_place(mark.box, width, taken, room)
        taken.append(place)
        draw.rectangle(place, fill=(*COLOURS.get(mark.kind, COLOURS["other"]), 255))
        draw.text((place[0] + BADGE_MARGIN, place[1]), mark.badge, fill=PAPER, font=font)


def _free_place(box: Box, width: float, taken: list[Box], room: int) -> Box:
    """Where a badge goes: left of its box, or on the corner if there is no room, moved on until it covers no other."""
    left, y = box[0] - 5 - width, max(box[1] - 5, 0)
    x = left if left >= 0 else max(box[0] - 5, 0)
    while x + width < room and any(_meet((x, y, x + width, y + BADGE_HEIGHT), other) for other in taken):
        x += 2
    return x, y, x + width, y + BADGE_HEIGHT


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _with_legend(image: Image.Image, marks: list[Mark]) -> Image.Image:
    """The picture with a strip above it that says which colour means what: labels on the boxes would hide the page."""
    names = list(dict.fromkeys((mark.label or mark.kind, mark.kind) for mark in marks))
    if not names:
        return image
    font = ImageFont.load_default(LEGEND_TEXT)
    texts = [_writable(label, font) for label, _ in names]
    places = _legend_places([font.getlength(text) for text in texts], image.width)
    strip = LEGEND_HEIGHT + places[-1][1]
    whole = Image.new("RGB", (image.width, image.height + strip), PAPER)
    whole.paste(image, (0, strip))
    draw = ImageDraw.Draw(whole)
    for text, (_, kind), (x, y) in zip(texts, names, places, strict=True):
        colour = COLOURS.get(kind, COLOURS["other"])
        draw.rectangle((x, y + 8, x + LEGEND_TEXT, y + 8 + LEGEND_TEXT), fill=colour)
        draw.text((x + LEGEND_TEXT + 6, y + 6), text, fill=INK, font=font)
    return whole


def _writable(text: str, font: Font) -> str:
    """A text with only characters that the font has: the built-in one lacks most accented letters and many scripts.

    >>> _writable("3 · Été à Łódź 東京", ImageFont.load_default(14))
    '3 · Ete a Lodz'
    """
    missing = _shape(NO_CHARACTER, font)
    plain = (
        unicodedata.normalize("NFKD", STROKES.get(one, one)) if _shape(one, font) == missing else one for one in text
    )
    written = (one for one in "".join(plain) if one.isspace() or _shape(one, font) != missing)
    return " ".join("".join(written).split()).rstrip(" ·")


def _shape(character: str, font: Font) -> tuple[tuple[int, int], bytes]:
    mask = font.getmask(character)
    return mask.size, bytes(mask)


def _legend_places(widths: list[float], room: int) -> list[tuple[int, int]]:
    """Where each entry begins: side by side, and on a new line where the picture is too narrow."""
    places = []
    x, y = LEGEND_TEXT, 0
    for width in widths:
        if x > LEGEND_TEXT and x + LEGEND_TEXT + 6 + width > room:
            x, y = LEGEND_TEXT, y + LEGEND_LINE
        places.append((x, y))
        x += LEGEND_TEXT + 30 + int(width)
    return places


# What a wrapper read on a page, as marks: every text in the colour of what it was read as.

_ATTENTION = {"template": -1, "other": -1, "changed": 1, "unknown": 2}


class ExplainedText(Protocol):
    """A text of a page and what it was read as; `Wrapper.explain` returns these."""

    @property
    def box(self) -> Box | None:
        """Where it is."""

    @property
    def role(self) -> str:
        """`field`, `template`, `changed`, `dropped` or `unknown`."""


def marks_of_explained(texts: Iterable[ExplainedText]) -> list[Mark]:
    """The marks for a page that a wrapper read; texts that need attention come last, on top."""
    marks = [Mark(text.box, text.role) for text in texts if text.box]
    return sorted(marks, key=lambda mark: _ATTENTION.get(mark.kind, 0))


# -- the picture of a page in parts that a viewer can load one by one -----------------------------------------------

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
    _, _, right, bottom = around([page.bounds, *page.sheets.tolist()])
    width, height = min(max(ceil(right), 1), WIDEST), max(ceil(bottom), 1)
    tops = range(0, height, TILE_HEIGHT)
    return [(0.0, float(top), float(width), float(min(top + TILE_HEIGHT, height))) for top in tops][:MOST_TILES]


def draw_tiles(page: Page, boxes: Sequence[Box], wanted: Sequence[int]) -> list[bytes]:
    """Some of these parts as PNG files: cut from the screenshot, or where there is none, words in their places.

    Opening a long screenshot takes most of the time, so ask for all parts that you need at once.
    """
    image = _opened_screenshot(page)
    if image is not None and len(boxes) == 1 and _covers(image, boxes[0]) and (page.screenshot or b"").startswith(PNG):
        return [page.screenshot or b""] * len(wanted)
    pixels = None if image is None else _decoded(page, image)
    return [_png(_tile(page, pixels, boxes[index])) for index in wanted]


def _opened_screenshot(page: Page) -> Image.Image | None:
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
