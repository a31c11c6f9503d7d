"""Step 1 of a PDF: what is drawn on each sheet, in arrays, by pdfium.

This module runs in a child process (`_child.py`): pdfium is never loaded where it could take the caller down. All
coordinates leave it in CSS pixels with the origin at the top left of the sheet as it is shown: rotation and crop box
are applied here, once, and known nowhere else.
"""

import ctypes
import struct
from collections import deque
from collections.abc import Iterator
from itertools import pairwise, repeat
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

from sightline.sources.pdf._sheet import Bookmark, PdfFont, PdfSheet, Tag

__all__ = ["outline", "read_sheet", "render", "sheet_count"]

Floats: TypeAlias = npt.NDArray[np.float32]
Handle: TypeAlias = Any
Point: TypeAlias = tuple[float, float]
Edges: TypeAlias = tuple[float, float, float, float]
Matrix: TypeAlias = tuple[float, float, float, float, float, float]

UNMOVED: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
EVEN = 0.2  # points: how far the corner of a rectangle may lie off
STRAIGHT = 0.5  # points: a line that leans less than this is drawn straight

POINT = 96 / 72  # CSS pixels
MOST_CHARACTERS = 200_000  # of a sheet; a page of a telephone book has 20,000
MOST_SEGMENTS = 30_000  # of the paths of a sheet; maps and scatter plots have more, and no table is drawn with them
MOST_OF_ONE = 2_000  # of one path: a grid of 400 cells drawn as one path has as many, a coast line has more
MOST_OBJECTS = 50_000
MOST_DRAWINGS = 3_000
SMALLEST_DRAWING = 3.0  # points; smaller ones are dots, ticks and letters drawn as paths
MOST_LINKS = 2_000
MOST_BOOKMARKS = 10_000
MOST_TAGS = 20_000
DEEPEST_FORM = 8  # forms in forms; real ones have two or three levels
DEEPEST_TAG = 64
FAINT = 8  # of 255: too transparent to be visible
FIXED, ITALIC, FORCE_BOLD = 1, 64, 1 << 18  # flags of a font, PDF 1.7 table 123
BOLD = 600
BOLD_NAMES = ("bold", "black", "heavy", "demi", "cmbx", "cmb10", "sfbx")
ITALIC_NAMES = ("italic", "oblique", "cmti", "cmmi", "cmsl", "sfti")
PATH, IMAGE, FORM = pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM
MOVE_TO, LINE_TO, BEZIER_TO = (
    pdfium.FPDF_SEGMENT_MOVETO,
    pdfium.FPDF_SEGMENT_LINETO,
    pdfium.FPDF_SEGMENT_BEZIERTO,
)


class _Pointer(ctypes.c_void_p):
    """A handle that comes back from pdfium, and goes to it again without being turned into a number."""


def _quick(function: Any, result: Any) -> Any:
    """The same function of pdfium without declared arguments, for calls by the thousand: two to three times as fast.

    ctypes asks a declared kind of argument to convert every value. Undeclared, an integer is a C `int`, and pointers
    must come as they are: a `_Pointer`, or a reference that was made before the calls.
    """
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return ctypes.PYFUNCTYPE(result)(address)


_int, _ulong = ctypes.c_int, ctypes.c_ulong
_char_box = _quick(pdfium.FPDFText_GetLooseCharBox, _int)
_char_object = _quick(pdfium.FPDFText_GetTextObject, ctypes.c_size_t)
_object = _quick(pdfium.FPDFPage_GetObject, _Pointer)
_form_object = _quick(pdfium.FPDFFormObj_GetObject, _Pointer)
_form_count = _quick(pdfium.FPDFFormObj_CountObjects, _int)
_type = _quick(pdfium.FPDFPageObj_GetType, _int)
_bounds = _quick(pdfium.FPDFPageObj_GetBounds, _int)
_matrix_of = _quick(pdfium.FPDFPageObj_GetMatrix, _int)
_fill_colour = _quick(pdfium.FPDFPageObj_GetFillColor, _int)
_stroke_colour = _quick(pdfium.FPDFPageObj_GetStrokeColor, _int)
_stroke_width = _quick(pdfium.FPDFPageObj_GetStrokeWidth, _int)
_draw_mode = _quick(pdfium.FPDFPath_GetDrawMode, _int)
_segment_count = _quick(pdfium.FPDFPath_CountSegments, _int)
_segment = _quick(pdfium.FPDFPath_GetPathSegment, _Pointer)
_segment_type = _quick(pdfium.FPDFPathSegment_GetType, _int)
_segment_closes = _quick(pdfium.FPDFPathSegment_GetClose, _int)
_segment_point = _quick(pdfium.FPDFPathSegment_GetPoint, _int)
_font_of = _quick(pdfium.FPDFTextObj_GetFont, ctypes.c_size_t)
_size_of = _quick(pdfium.FPDFTextObj_GetFontSize, _int)
_mark_of = _quick(pdfium.FPDFPageObj_GetMarkedContentID, _int)

# pdfium writes its answers here; one place will do, for the child has one thread.
_answer = bytearray(24)
_ANSWER = tuple(ctypes.byref(ctypes.c_char.from_buffer(_answer), place) for place in range(0, len(_answer), 4))
_FIRST, _POINT, _FOUR = _ANSWER[0], _ANSWER[:2], _ANSWER[:4]
_one, _point, _corners, _six = (struct.Struct(form).unpack_from for form in ("f", "2f", "4f", "6f"))
_modes, _channels = (struct.Struct(form).unpack_from for form in ("2i", "4I"))


def _number(handle: Handle) -> int:
    """A handle as the plain number that it is."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _given(handle: Handle) -> Any:
    """A handle as an argument that is ready to pass any number of times."""
    return ctypes.byref(handle.contents)


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

    def points(self, xy: npt.NDArray[np.floating[Any]]) -> Floats:
        """Points (n, 2) on the sheet."""
        x, y = xy[:, 0], xy[:, 1]
        turned = (
            (x - self.left, self.top - y),
            (y - self.bottom, x - self.left),
            (self.right - x, y - self.bottom),
            (self.top - y, self.right - x),
        )[self.quarter]
        return (np.stack(turned, axis=1) * POINT).astype(np.float32)

    def boxes(self, ltrb: npt.NDArray[np.floating[Any]]) -> Floats:
        """Rectangles given as left, top, right, bottom, as boxes x0, y0, x1, y1."""
        first, second = self.points(ltrb[:, :2]), self.points(ltrb[:, 2:])
        return np.concatenate([np.minimum(first, second), np.maximum(first, second)], axis=1)


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
        box = np.zeros((count, 4), dtype=np.float32)
        given = repeat(_given(text))
        # mapped, not looped: a page has thousands of characters, and Python's own steps would take half the time
        places = map(ctypes.byref, repeat(ctypes.c_char.from_buffer(box.data)), range(0, 16 * count, 16))
        deque(map(_char_box, given, range(count), places), maxlen=0)
        handles = np.fromiter(map(_char_object, given, range(count)), dtype=np.uint64, count=count)
        pointer, run = np.unique(handles, return_inverse=True)
        run = run.astype(np.int32)
        if pointer[0] == 0:
            run -= 1  # a character without an object was invented by pdfium: a blank or the end of a line
            pointer = pointer[1:]
        runs = _runs(pointer.tolist(), turn, tagged=tagged)
        return {"code": code, "box": turn.boxes(box), "run": run, **runs}
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


def _runs(handles: list[int], turn: _Turn, *, tagged: bool) -> dict[str, Any]:
    """What all characters of one text object share: font, size, colour, direction."""
    fonts: dict[int, int] = {}
    seen_fonts: list[PdfFont] = []
    rows: list[tuple[int, int, int]] = []  # font, colour, marked content
    sizes: list[tuple[float, float, float]] = []  # size, direction
    for number in handles:
        handle = _Pointer(number)
        key = _font_of(handle)
        if key not in fonts:
            fonts[key] = len(seen_fonts)
            seen_fonts.append(
                _font(ctypes.cast(key, pdfium.FPDF_FONT)) if key else PdfFont("", 400, italic=False, fixed=False)
            )
        _size_of(handle, _FIRST)
        size = abs(_one(_answer)[0])
        a, b, c, d, _, _ = _matrix(handle)
        rows.append((fonts[key], _colour(_fill_colour, handle), _mark_of(handle) if tagged else -1))
        sizes.append((size * (c * c + d * d) ** 0.5 * POINT, a, b))
    numbers, measures = np.array(rows, dtype=np.int32), np.array(sizes, dtype=np.float32)
    return {
        "run_font": numbers[:, 0],
        "run_colour": numbers[:, 1],
        "run_marked": numbers[:, 2],
        "run_size": measures[:, 0],
        "run_angle": _angles(measures[:, 1:], turn.quarter),
        "fonts": tuple(seen_fonts),
    }


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


def _colour(ask: Any, handle: _Pointer) -> int:
    """A colour as one number 0xRRGGBB; -1 if there is none or it is invisible."""
    if not ask(handle, *_FOUR):
        return -1
    red, green, blue, opaque = _channels(_answer)
    return -1 if opaque < FAINT else red << 16 | green << 8 | blue


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


class _Drawing:
    """Collects the lines, rectangles and images of a page, forms and all."""

    def __init__(self) -> None:
        self.boxes: list[Edges] = []
        self.colours: list[int] = []
        self.images: list[Edges] = []
        self.drawings: list[Edges] = []
        self.segments = 0
        self.objects = 0

    def add(self, handle: _Pointer, kind: int, above: Matrix, depth: int) -> None:
        """One object; `above` is the matrix of the forms around it."""
        self.objects += 1
        if kind == PATH:
            self._path(handle, above)
        elif kind == IMAGE:
            # An image is the unit square under its matrix.
            self.images.append(_edges(_moved([(0, 0), (1, 0), (0, 1), (1, 1)], _times(_matrix(handle), above))))
        elif kind == FORM and depth < DEEPEST_FORM:
            matrix = _times(_matrix(handle), above)
            for number in range(max(_form_count(handle), 0)):
                child = _form_object(handle, _ulong(number))
                if child and self.objects < MOST_OBJECTS:
                    self.add(child, _type(child), matrix, depth + 1)

    def _path(self, handle: _Pointer, above: Matrix) -> None:
        """The straight lines and filled rectangles of a path; a grid is often drawn as one path."""
        if not _draw_mode(handle, *_POINT):
            return
        fills, strokes = _modes(_answer)
        count = _segment_count(handle)
        if not 2 <= count <= MOST_OF_ONE or self.segments + count > MOST_SEGMENTS:
            return
        self.segments += count
        filled = _colour(_fill_colour, handle) if fills else -1
        drawn = _colour(_stroke_colour, handle) if strokes else -1
        if filled < 0 and drawn < 0:
            return
        matrix = _times(_matrix(handle), above)
        if drawn < 0 and count in (4, 5) and above is UNMOVED and _is_upright(handle, matrix):
            _bounds(handle, *_FOUR)
            left, bottom, right, top = _corners(_answer)
            self._put((left, top, right, bottom), filled)
            return
        half = 0.0
        if drawn >= 0 and _stroke_width(handle, _FIRST):
            half = _one(_answer)[0] * abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5 / 2
        for points, curved in _subpaths(handle, count):
            moved = _moved(points, matrix)
            if curved:
                self._draw(moved)
            else:
                self._stretch(moved, filled, drawn, half)

    def _stretch(self, points: list[Point], filled: int, drawn: int, half: float) -> None:
        """The rectangle that a stretch of straight lines fills, and the lines that it draws."""
        if filled >= 0 and 4 <= len(points) <= 6:
            left, top, right, bottom = edges = _edges(points)
            if all(min(abs(x - left), abs(x - right)) + min(abs(y - top), abs(y - bottom)) < EVEN for x, y in points):
                self._put(edges, filled)
        if drawn < 0:
            return
        for (ax, ay), (bx, by) in pairwise(points):
            if abs(ax - bx) < STRAIGHT or abs(ay - by) < STRAIGHT:
                left, top, right, bottom = _edges([(ax, ay), (bx, by)])
                self._put((left - half, top + half, right + half, bottom - half), drawn)
            else:
                self._draw([(ax, ay), (bx, by)])

    def _draw(self, points: list[Point]) -> None:
        """Remember where something bent or slanted is drawn: charts are made of it, tables are not."""
        left, top, right, bottom = edges = _edges(points)
        if len(self.drawings) < MOST_DRAWINGS and max(right - left, top - bottom) > SMALLEST_DRAWING:
            self.drawings.append(edges)

    def _put(self, edges: Edges, colour: int) -> None:
        self.boxes.append(edges)
        self.colours.append(colour)


def _is_upright(handle: _Pointer, matrix: Matrix) -> bool:
    """Whether the first three points of a path make a right angle along the sides of the page, as in a rectangle."""
    corners: list[Point] = []
    a, b, c, d, e, f = matrix
    for number in range(3):
        segment = _segment(handle, number)
        if number and _segment_type(segment) != LINE_TO:
            return False
        _segment_point(segment, *_POINT)
        x, y = _point(_answer)
        corners.append((a * x + c * y + e, b * x + d * y + f))
    (ax, ay), (bx, by), (cx, cy) = corners
    across = abs(ay - by) < EVEN and abs(bx - cx) < EVEN
    return across or (abs(ax - bx) < EVEN and abs(by - cy) < EVEN)


def _subpaths(handle: _Pointer, count: int) -> Iterator[tuple[list[Point], bool]]:
    """The points of each stretch of a path that is drawn without lifting the pen, and whether it bends."""
    points: list[Point] = []
    curved = False
    for number in range(count):
        segment = _segment(handle, number)
        kind = _segment_type(segment)
        _segment_point(segment, *_POINT)
        point = _point(_answer)
        if kind == MOVE_TO:
            if len(points) > 1:
                yield points, curved
            points, curved = [point], False
            continue
        curved = curved or kind == BEZIER_TO
        points.append(point)
        if _segment_closes(segment) and points[0] != point:
            points.append(points[0])
    if len(points) > 1:
        yield points, curved


def _matrix(handle: _Pointer) -> Matrix:
    return _six(_answer) if _matrix_of(handle, _FIRST) else UNMOVED


def _times(first: Matrix, second: Matrix) -> Matrix:
    """What comes of one matrix and then another."""
    if second is UNMOVED:
        return first
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u


def _moved(points: list[Point], matrix: Matrix) -> list[Point]:
    a, b, c, d, e, f = matrix
    return [(a * x + c * y + e, b * x + d * y + f) for x, y in points]


def _edges(points: list[Point]) -> Edges:
    """Left, top, right and bottom of some points, y upwards."""
    x, y = zip(*points, strict=True)
    return min(x), max(y), max(x), min(y)


def _drawn(page: Handle, turn: _Turn) -> dict[str, Any]:
    drawing = _Drawing()
    count = min(pdfium.FPDFPage_CountObjects(page), MOST_OBJECTS)
    handles = list(map(_object, repeat(_given(page)), range(count)))
    for handle, kind in zip(handles, map(_type, handles), strict=True):
        if drawing.objects >= MOST_OBJECTS:
            break
        if handle:
            drawing.add(handle, kind, UNMOVED, 0)
    return {
        "rules": _shown(drawing.boxes, turn),
        "rule_colour": np.array(drawing.colours, dtype=np.int32),
        "images": _shown(drawing.images, turn),
        "drawings": _shown(drawing.drawings, turn),
    }


def _shown(boxes: list[Edges], turn: _Turn) -> Floats:
    if not boxes:
        return np.zeros((0, 4), dtype=np.float32)
    return turn.boxes(np.array(boxes, dtype=np.float64))


# ------------------------------------------------------------------ links, bookmarks, tags


def _links(document: Handle, page: Handle, turn: _Turn) -> tuple[Floats, tuple[str, ...]]:
    """The boxes of the links of a page and where they lead: an address, or `#sheet-N`."""
    boxes: list[Edges] = []
    addresses: list[str] = []
    place, link, box = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    while len(boxes) < MOST_LINKS and pdfium.FPDFLink_Enumerate(page, place, link):
        address = _target(document, link)
        if address and pdfium.FPDFLink_GetAnnotRect(link, box):
            boxes.append((box.left, box.top, box.right, box.bottom))
            addresses.append(address)
    return _shown(boxes, turn), tuple(addresses)


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
        key = _number(mark) if mark else 0
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
