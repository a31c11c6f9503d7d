"""Step 1 of a PDF: what is drawn on each sheet, in arrays, by pdfium.

This module runs in a child process (`_child.py`): pdfium is never loaded where it could take the caller down. All
coordinates leave it in CSS pixels with the origin at the top left of the sheet as it is shown: rotation and crop box
are applied here, once, and known nowhere else.
"""

import ctypes
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

from sightline.sources.pdf._asked import Handle, address_of, characters, drawn, runs
from sightline.sources.pdf._sheet import Bookmark, PdfFont, PdfSheet, Tag

Floats: TypeAlias = npt.NDArray[np.float32]

POINT = 96 / 72  # CSS pixels
MOST_CHARACTERS = 200_000  # of a sheet; a page of a telephone book has 20,000
MOST_LINKS = 2_000
MOST_BOOKMARKS = 10_000
MOST_TAGS = 20_000
DEEPEST_TAG = 64
FIXED, ITALIC, FORCE_BOLD = 1, 64, 1 << 18  # flags of a font, PDF 1.7 table 123
BOLD = 600
NO_FONT = PdfFont("", 400, italic=False, fixed=False)
BOLD_NAMES = ("bold", "black", "heavy", "demi", "cmbx", "cmb10", "sfbx")
ITALIC_NAMES = ("italic", "oblique", "cmti", "cmmi", "cmsl", "sfti")


class _Turn:
    """From the points of a page to the pixels of the sheet as it is shown."""

    def __init__(self, page: Handle) -> None:
        bounds = pdfium.FS_RECTF()
        if not pdfium.FPDF_GetPageBoundingBox(page, bounds):
            bounds = pdfium.FS_RECTF(0, 792, 612, 0)
        self.left, self.right = sorted((bounds.left, bounds.right))
        self.bottom, self.top = sorted((bounds.bottom, bounds.top))
        self.quarter = pdfium.FPDFPage_GetRotation(page) % 4
        wide, tall = self.right - self.left, self.top - self.bottom
        self.size = (wide * POINT, tall * POINT) if self.quarter % 2 == 0 else (tall * POINT, wide * POINT)

    def boxes(self, ltrb: npt.NDArray[np.floating[Any]]) -> Floats:
        """Rectangles given as left, top, right, bottom, as boxes x0, y0, x1, y1."""
        found = np.empty((len(ltrb), 4), dtype=np.float32)
        if not len(ltrb):
            return found
        left, top, right, bottom = ltrb.T
        corners = zip(self._points(left, top), self._points(right, bottom), strict=True)
        for axis, (first, second) in enumerate(corners):
            np.minimum(first, second, out=found[:, axis])
            np.maximum(first, second, out=found[:, axis + 2])
        return found

    def _points(self, x: npt.NDArray[np.floating[Any]], y: npt.NDArray[np.floating[Any]]) -> tuple[Floats, Floats]:
        """Points on the sheet, from its left and from its top."""
        if self.quarter == 0:
            turned = x - self.left, self.top - y
        elif self.quarter == 1:
            turned = y - self.bottom, x - self.left
        elif self.quarter == 2:
            turned = self.right - x, y - self.bottom
        else:
            turned = self.top - y, self.right - x
        return (turned[0] * POINT).astype(np.float32), (turned[1] * POINT).astype(np.float32)


def sheet_count(document: Handle) -> int:
    """How many sheets a document says that it has."""
    return int(pdfium.FPDF_GetPageCount(document))


def read_sheet(document: Handle, number: int) -> PdfSheet | None:
    """Everything that is drawn on a sheet, counted from 1; None if pdfium cannot load it."""
    page = pdfium.FPDF_LoadPage(document, number - 1)
    if not page:
        return None
    try:
        turn = _Turn(page)
        tags, tag_of = _tags(page)
        text = _text(page, turn, tagged=bool(tags))
        drawn = _drawn(page, turn)
        links, addresses = _links(document, page, turn)
        return PdfSheet(
            number=number, size=turn.size, tags=tags, tag_of=tag_of, links=links, addresses=addresses, **text, **drawn
        )
    finally:
        pdfium.FPDF_ClosePage(page)


# ------------------------------------------------------------------ characters


def _text(page: Handle, turn: _Turn, *, tagged: bool) -> dict[str, Any]:
    """The characters of a page in the order of its content, with the runs (text objects) that they come from."""
    text = pdfium.FPDFText_LoadPage(page)
    if not text:
        return _no_text()
    try:
        count = min(pdfium.FPDFText_CountChars(text), MOST_CHARACTERS)
        if count <= 0:
            return _no_text()
        code = _codes(text, count)
        found = characters(text, count)
        pointer, run = np.unique(found["object"], return_inverse=True)
        run = run.astype(np.int32)
        if pointer[0] == 0:
            run -= 1  # a character without an object was invented by pdfium: a blank or the end of a line
            pointer = pointer[1:]
        return {"code": code, "box": turn.boxes(found["box"]), "run": run, **_runs(pointer, turn, tagged=tagged)}
    finally:
        pdfium.FPDFText_ClosePage(text)


def _codes(text: Handle, count: int) -> npt.NDArray[np.int32]:
    """The code points of the characters; in one call where every character has exactly one 16-bit unit."""
    buffer = (ctypes.c_ushort * (count + 1))()
    if pdfium.FPDFText_GetText(text, 0, count, buffer) == count + 1:
        code: npt.NDArray[np.int32] = np.frombuffer(bytes(buffer), dtype=np.uint16)[:count].astype(np.int32)
        if not ((code >= 0xD800) & (code < 0xE000)).any() and code.all():
            return code
    unicode = pdfium.FPDFText_GetUnicode
    return np.array([unicode(text, number) for number in range(count)], dtype=np.uint32).astype(np.int32)


def _runs(objects: npt.NDArray[np.uint64], turn: _Turn, *, tagged: bool) -> dict[str, Any]:
    """What all characters of one text object share: font, size, colour, direction."""
    rows = runs(objects, tagged=tagged)
    of_run, fonts = _fonts(rows["font"].tolist())
    size, matrix = np.abs(rows["size"].astype(np.float64)), rows["matrix"].astype(np.float64)
    upwards = np.sqrt(matrix[:, 2] * matrix[:, 2] + matrix[:, 3] * matrix[:, 3])
    return {
        "run_font": of_run,
        "run_colour": rows["colour"],
        "run_marked": rows["mark"],
        "run_size": (size * upwards * POINT).astype(np.float32),
        "run_angle": _angles(rows["matrix"][:, :2], turn.quarter),
        "fonts": fonts,
    }


def _fonts(addresses: list[int]) -> tuple[npt.NDArray[np.int32], tuple[PdfFont, ...]]:
    """The number of the font of each run, and the fonts."""
    number_of = {address: number for number, address in enumerate(dict.fromkeys(addresses))}
    fonts = (_font(ctypes.cast(address, pdfium.FPDF_FONT)) if address else NO_FONT for address in number_of)
    return np.array([number_of[address] for address in addresses], dtype=np.int32), tuple(fonts)


def _angles(direction: Floats, quarter: int) -> npt.NDArray[np.int32]:
    """In which direction the text of each run goes on the sheet, in degrees clockwise from rightwards."""
    degrees = -np.degrees(np.arctan2(direction[:, 1], direction[:, 0])) + 90 * quarter
    return np.round(degrees).astype(np.int32) % 360


def _font(font: Handle) -> PdfFont:
    name = _string(lambda buffer, size: pdfium.FPDFFont_GetBaseFontName(font, buffer, size))
    name = name.partition("+")[2] or name  # ABCDEF+Name is a subset of Name
    flags = pdfium.FPDFFont_GetFlags(font)
    weight, plain = pdfium.FPDFFont_GetWeight(font), name.lower().replace(" ", "")
    bold = flags & FORCE_BOLD > 0 if flags >= 0 else False
    bold |= weight >= BOLD or any(mark in plain for mark in BOLD_NAMES)
    italic = (flags >= 0 and flags & ITALIC > 0) or any(mark in plain for mark in ITALIC_NAMES)
    return PdfFont(name, 700 if bold else 400, italic=italic, fixed=flags >= 0 and flags & FIXED > 0)


def _string(ask: Any, encoding: str = "utf-8") -> str:
    """A string that pdfium writes into a buffer, with a zero at its end."""
    size = ask(None, 0)
    if size <= 0:
        return ""
    buffer = ctypes.create_string_buffer(size)
    ask(buffer, size)
    return buffer.raw[:size].decode(encoding, "replace").rstrip("\0")


def _wide(ask: Any) -> str:
    return _string(ask, "utf-16-le")


def _no_text() -> dict[str, Any]:
    none, boxes = np.zeros(0, dtype=np.int32), np.zeros((0, 4), dtype=np.float32)
    return {
        "code": none,
        "box": boxes,
        "run": none,
        "run_font": none,
        "run_colour": none,
        "run_marked": none,
        "run_size": np.zeros(0, dtype=np.float32),
        "run_angle": none,
        "fonts": (),
    }


# ------------------------------------------------------------------ drawings


def _drawn(page: Handle, turn: _Turn) -> dict[str, Any]:
    found = drawn(page)
    return {
        "rules": turn.boxes(found.rules),
        "rule_colour": found.colours,
        "images": turn.boxes(found.images),
        "drawings": turn.boxes(found.drawings),
    }


# ------------------------------------------------------------------ links, bookmarks, tags


def _links(document: Handle, page: Handle, turn: _Turn) -> tuple[Floats, tuple[str, ...]]:
    """The boxes of the links of a page and where they lead: an address, or `#sheet-N`."""
    boxes: list[tuple[float, float, float, float]] = []
    addresses: list[str] = []
    place, link, box = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    while len(boxes) < MOST_LINKS and pdfium.FPDFLink_Enumerate(page, place, link):
        address = _target(document, link)
        if address and pdfium.FPDFLink_GetAnnotRect(link, box):
            boxes.append((box.left, box.top, box.right, box.bottom))
            addresses.append(address)
    return turn.boxes(np.array(boxes, dtype=np.float64).reshape(-1, 4)), tuple(addresses)


def _target(document: Handle, link: Handle) -> str:
    action = pdfium.FPDFLink_GetAction(link)
    if action and pdfium.FPDFAction_GetType(action) == pdfium.PDFACTION_URI:
        return _string(lambda buffer, size: pdfium.FPDFAction_GetURIPath(document, action, buffer, size))
    goal = pdfium.FPDFLink_GetDest(document, link)
    if not goal and action and pdfium.FPDFAction_GetType(action) == pdfium.PDFACTION_GOTO:
        goal = pdfium.FPDFAction_GetDest(document, action)
    sheet = pdfium.FPDFDest_GetDestPageIndex(document, goal) if goal else -1
    return f"#sheet-{sheet + 1}" if sheet >= 0 else ""


def outline(document: Handle) -> list[Bookmark]:
    """The bookmarks of a document in the order of reading; one that leads back to an earlier one is passed over."""
    found: list[Bookmark] = []
    visited: set[int] = set()
    waiting = [(pdfium.FPDFBookmark_GetFirstChild(document, None), 1)]
    while waiting and len(found) < MOST_BOOKMARKS:
        mark, level = waiting.pop()
        key = address_of(mark) if mark else 0
        if not key or key in visited:
            continue
        visited.add(key)
        waiting.append((pdfium.FPDFBookmark_GetNextSibling(document, mark), level))
        if level < DEEPEST_TAG:
            waiting.append((pdfium.FPDFBookmark_GetFirstChild(document, mark), level + 1))
        goal = pdfium.FPDFBookmark_GetDest(document, mark)
        sheet = pdfium.FPDFDest_GetDestPageIndex(document, goal) + 1 if goal else 0
        title = _wide(lambda buffer, size, mark=mark: pdfium.FPDFBookmark_GetTitle(mark, buffer, size))
        found.append(Bookmark(title, level, max(sheet, 0)))
    return found


def _tags(page: Handle) -> tuple[tuple[Tag, ...], dict[int, int]]:
    """The tag tree of a page, parents first, and for each piece of marked content the tag that holds it."""
    tree = pdfium.FPDF_StructTree_GetForPage(page)
    if not tree:
        return (), {}
    found: list[Tag] = []
    holder: dict[int, int] = {}
    try:
        count = pdfium.FPDF_StructTree_CountChildren(tree)
        waiting = [(pdfium.FPDF_StructTree_GetChildAtIndex(tree, number), -1, 0) for number in range(count - 1, -1, -1)]
        while waiting and len(found) < MOST_TAGS:
            element, parent, depth = waiting.pop()
            if not element:
                continue
            name = _wide(lambda buffer, size, element=element: pdfium.FPDF_StructElement_GetType(element, buffer, size))
            found.append(Tag(name, parent))
            for number in range(max(pdfium.FPDF_StructElement_GetMarkedContentIdCount(element), 0)):
                marked = pdfium.FPDF_StructElement_GetMarkedContentIdAtIndex(element, number)
                if marked >= 0:
                    holder[marked] = len(found) - 1
            if depth >= DEEPEST_TAG:
                continue
            mine = len(found) - 1
            for number in range(max(pdfium.FPDF_StructElement_CountChildren(element), 0) - 1, -1, -1):
                child = pdfium.FPDF_StructElement_GetChildAtIndex(element, number)
                marked = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, number)
                if child:
                    waiting.append((child, mine, depth + 1))
                elif marked >= 0:
                    holder[marked] = mine
    finally:
        pdfium.FPDF_StructTree_Close(tree)
    return tuple(found), holder


# ------------------------------------------------------------------ pictures


def render(document: Handle, number: int, scale: float) -> npt.NDArray[np.uint8] | None:
    """A sheet as it looks, (height, width, 3), `scale` dots to a CSS pixel; None if pdfium cannot load it."""
    page = pdfium.FPDF_LoadPage(document, number - 1)
    if not page:
        return None
    try:
        wide, tall = (max(round(side * scale), 1) for side in _Turn(page).size)
        bitmap = pdfium.FPDFBitmap_Create(wide, tall, 0)
        if not bitmap:
            return None
        try:
            pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, wide, tall, 0xFFFFFFFF)
            pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, wide, tall, 0, pdfium.FPDF_ANNOT)
            stride = pdfium.FPDFBitmap_GetStride(bitmap)
            raw = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * tall)
            pixels = np.frombuffer(raw, dtype=np.uint8).reshape(tall, stride)[:, : wide * 4].reshape(tall, wide, 4)
            return np.ascontiguousarray(pixels[:, :, 2::-1])
        finally:
            pdfium.FPDFBitmap_Destroy(bitmap)
    finally:
        pdfium.FPDF_ClosePage(page)
