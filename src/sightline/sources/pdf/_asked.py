"""What pdfium is asked by the thousand: by kernels in C, or by their twins here.

The answers are rows of plain numbers, in points and upwards, as pdfium has them; `_objects` makes columns of them.
"""

import ctypes
import math
import struct
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise, repeat
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

from sightline import native

Handle: TypeAlias = Any
Rows: TypeAlias = npt.NDArray[np.void]
Point: TypeAlias = tuple[float, float]
Edges: TypeAlias = tuple[float, float, float, float]
Matrix: TypeAlias = tuple[float, float, float, float, float, float]

# The rows, as the kernels have them.
CHARACTER = np.dtype([("object", np.uint64), ("box", np.float32, 4)])
RUN = np.dtype(
    [
        ("font", np.uint64),
        ("colour", np.int32),
        ("mark", np.int32),
        ("size", np.float32),
        ("matrix", np.float32, 6),
        ("unused", np.int32),
    ]
)
SHAPE = struct.Struct("=11f5i")  # matrix, bounds, width; kind, depth, colour of what is filled and drawn, segments
SEGMENT = struct.Struct("=2f2i")  # x, y; kind, whether it closes

UNMOVED: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
EVEN = 0.2  # points: how far the corner of a rectangle may lie off
STRAIGHT = 0.5  # points: a line that leans less than this is drawn straight
MOST_SEGMENTS = 30_000  # of the paths of a sheet; maps and scatter plots have more, and no table is drawn with them
MOST_OF_ONE = 2_000  # of one path: a grid of 400 cells drawn as one path has as many, a coast line has more
MOST_OBJECTS = 50_000
MOST_DRAWINGS = 3_000
SMALLEST_DRAWING = 3.0  # points; smaller ones are dots, ticks and letters drawn as paths
DEEPEST_FORM = 8  # forms in forms; real ones have two or three levels
FAINT = 8  # of 255: too transparent to be visible
PATH, IMAGE, FORM = pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM
MOVE_TO, LINE_TO, BEZIER_TO = (
    pdfium.FPDF_SEGMENT_MOVETO,
    pdfium.FPDF_SEGMENT_LINETO,
    pdfium.FPDF_SEGMENT_BEZIERTO,
)
RECTANGLE = 0  # a path that is one; pdfium has no such kind

FUNCTIONS = (  # in the order of the kernels
    pdfium.FPDFPageObj_GetMarkedContentID,
    pdfium.FPDFFormObj_CountObjects,
    pdfium.FPDFPageObj_GetType,
    pdfium.FPDFPath_CountSegments,
    pdfium.FPDFPathSegment_GetType,
    pdfium.FPDFPathSegment_GetClose,
    pdfium.FPDFText_GetTextObject,
    pdfium.FPDFPage_GetObject,
    pdfium.FPDFPath_GetPathSegment,
    pdfium.FPDFTextObj_GetFontSize,
    pdfium.FPDFPageObj_GetMatrix,
    pdfium.FPDFPageObj_GetStrokeWidth,
    pdfium.FPDFPageObj_GetFillColor,
    pdfium.FPDFPageObj_GetStrokeColor,
    pdfium.FPDFTextObj_GetFont,
    pdfium.FPDFFormObj_GetObject,
    pdfium.FPDFText_GetLooseCharBox,
    pdfium.FPDFPath_GetDrawMode,
    pdfium.FPDFPathSegment_GetPoint,
    pdfium.FPDFPageObj_GetBounds,
)


def address_of(handle: Handle) -> int:
    """A handle or a function as the plain number that it is."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


ADDRESSES = np.array([address_of(function) for function in FUNCTIONS], dtype=np.uintp).tobytes()


class DrawnBoxes(NamedTuple):
    """What is drawn on a sheet: boxes given as left, top, right, bottom, and the colours of the rules."""

    rules: npt.NDArray[np.float64]
    colours: npt.NDArray[np.int32]
    images: npt.NDArray[np.float64]
    drawings: npt.NDArray[np.float64]


def characters(text: Handle, count: int) -> Rows:
    """The first characters of a text page: boxes, and addresses of their text objects (0: invented by pdfium)."""
    if native.kernels is not None:
        return np.frombuffer(native.kernels.characters(ADDRESSES, address_of(text), count), dtype=CHARACTER)
    rows = np.zeros(count, dtype=CHARACTER)
    given, row_bytes, first = repeat(_given(text)), CHARACTER.itemsize, CHARACTER.fields["box"][1]  # type: ignore[index]
    # mapped, not looped: a page has thousands of characters, and Python's own steps would take half the time
    places = range(first, first + row_bytes * count, row_bytes)
    boxes = map(ctypes.byref, repeat(ctypes.c_char.from_buffer(rows.view(np.uint8).data)), places)
    deque(map(_char_box, given, range(count), boxes), maxlen=0)
    rows["object"] = np.fromiter(map(_char_object, given, range(count)), dtype=np.uint64, count=count)
    return rows


def runs(objects: npt.NDArray[np.uint64], *, tagged: bool) -> Rows:
    """What all characters of each text object share; its marked content is only asked for if there are tags."""
    if native.kernels is not None:
        return np.frombuffer(native.kernels.runs(ADDRESSES, objects.tobytes(), tagged, FAINT), dtype=RUN)
    rows = []
    for address in objects.tolist():
        handle = _Pointer(address)
        size = _one(_answer)[0] if _size_of(handle, _FIRST) else 0.0
        mark = _mark_of(handle) if tagged else -1
        rows.append((_font_of(handle), _colour(_fill_colour, handle), mark, size, _matrix(handle), 0))
    return np.array(rows, dtype=RUN)


def drawn(page: Handle) -> DrawnBoxes:
    """The lines, rectangles and images of a page, forms and all."""
    count = min(pdfium.FPDFPage_CountObjects(page), MOST_OBJECTS)
    drawing = _Drawing()
    if native.kernels is None:
        _Walk(drawing).over(page, count)
        return drawing.found()
    most = (MOST_SEGMENTS, MOST_OF_ONE, MOST_OBJECTS, DEEPEST_FORM, FAINT)
    shapes, of_paths = native.kernels.drawn(ADDRESSES, address_of(page), count, most, EVEN)
    segments = SEGMENT.iter_unpack(of_paths)
    for row in SHAPE.iter_unpack(shapes):
        left, bottom, right, top, width, kind, depth, filled, stroked, count = row[6:]
        if kind == RECTANGLE:
            drawing.put((left, top, right, bottom), filled)
        elif kind == PATH:
            drawing.path(row[:6], depth, filled, stroked, width, islice(segments, count))
        elif kind == IMAGE:
            drawing.image(row[:6], depth)
        else:
            drawing.form(row[:6], depth)
    return drawing.found()


# ------------------------------------------------------------------ the twins


class _Pointer(ctypes.c_void_p):
    """A handle that comes back from pdfium, and goes to it again without being turned into a number."""


def _quick(function: Any, result: Any) -> Any:
    """The same function of pdfium without declared arguments, for calls by the thousand: two to three times as fast.

    ctypes asks a declared kind of argument to convert every value. Undeclared, an integer is a C `int`, and pointers
    must come as they are: a `_Pointer`, or a reference that was made before the calls.
    """
    return ctypes.PYFUNCTYPE(result)(address_of(function))


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


def _given(handle: Handle) -> Any:
    """A handle as an argument that is ready to pass any number of times."""
    return ctypes.byref(handle.contents)


def _colour(ask: Any, handle: _Pointer) -> int:
    """A colour as one number 0xRRGGBB; -1 if there is none or it is invisible."""
    if not ask(handle, *_FOUR):
        return -1
    red, green, blue, opaque = _channels(_answer)
    return -1 if opaque < FAINT else red << 16 | green << 8 | blue


class _Walk:
    """Asks pdfium what is drawn on a page, object by object."""

    def __init__(self, drawing: "_Drawing") -> None:
        self._drawing = drawing
        self._segments = 0
        self._objects = 0

    def over(self, page: Handle, count: int) -> None:
        """All objects of a page."""
        handles = list(map(_object, repeat(_given(page)), range(count)))
        for handle, kind in zip(handles, map(_type, handles), strict=True):
            if self._objects >= MOST_OBJECTS:
                break
            if handle:
                self._add(handle, kind, 0)

    def _add(self, handle: _Pointer, kind: int, depth: int) -> None:
        """One object; `depth` tells how many forms are around it."""
        self._objects += 1
        if kind == PATH:
            self._path(handle, depth)
        elif kind == IMAGE:
            self._drawing.image(_matrix(handle), depth)
        elif kind == FORM and depth < DEEPEST_FORM:
            self._drawing.form(_matrix(handle), depth)
            for number in range(max(_form_count(handle), 0)):
                child = _form_object(handle, _ulong(number))
                if child and self._objects < MOST_OBJECTS:
                    self._add(child, _type(child), depth + 1)

    def _path(self, handle: _Pointer, depth: int) -> None:
        if not _draw_mode(handle, *_POINT):
            return
        fills, strokes = _modes(_answer)
        count = _segment_count(handle)
        if not 2 <= count <= MOST_OF_ONE or self._segments + count > MOST_SEGMENTS:
            return
        self._segments += count
        filled = _colour(_fill_colour, handle) if fills else -1
        drawn = _colour(_stroke_colour, handle) if strokes else -1
        if filled < 0 and drawn < 0:
            return
        matrix = _matrix(handle)
        if drawn < 0 and count in (4, 5) and not depth and _is_upright(handle, matrix):
            _bounds(handle, *_FOUR)
            left, bottom, right, top = _corners(_answer)
            self._drawing.put((left, top, right, bottom), filled)
            return
        width = _one(_answer)[0] if drawn >= 0 and _stroke_width(handle, _FIRST) else 0.0
        self._drawing.path(matrix, depth, filled, drawn, width, _segments(handle, count))


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


def _segments(handle: _Pointer, count: int) -> Iterator[tuple[float, float, int, int]]:
    for number in range(count):
        segment = _segment(handle, number)
        kind = _segment_type(segment)
        _segment_point(segment, *_POINT)
        yield (*_point(_answer), kind, _segment_closes(segment))


def _matrix(handle: _Pointer) -> Matrix:
    return _six(_answer) if _matrix_of(handle, _FIRST) else UNMOVED


# ------------------------------------------------------------------ what comes of it


class _Drawing:
    """Collects the lines, rectangles and images of a page; forms tell where what is in them stands."""

    def __init__(self) -> None:
        self._above: list[Matrix] = [UNMOVED]  # of the forms around an object, by their depth
        self._rules: list[Edges] = []
        self._colours: list[int] = []
        self._images: list[Edges] = []
        self._drawings: list[Edges] = []

    def found(self) -> DrawnBoxes:
        """What was collected."""
        rules, images, drawings = (
            np.array(boxes, dtype=np.float64).reshape(-1, 4) for boxes in (self._rules, self._images, self._drawings)
        )
        return DrawnBoxes(rules, np.array(self._colours, dtype=np.int32), images, drawings)

    def form(self, matrix: Matrix, depth: int) -> None:
        """What follows one level deeper is in this form."""
        self._above[depth + 1 :] = [_times(matrix, self._above[depth])]

    def image(self, matrix: Matrix, depth: int) -> None:
        """An image is the unit square under its matrix."""
        corners = _moved([(0, 0), (1, 0), (0, 1), (1, 1)], _times(matrix, self._above[depth]))
        self._images.append(_edges(corners))

    def put(self, edges: Edges, colour: int) -> None:
        """A rule or a filled rectangle."""
        self._rules.append(edges)
        self._colours.append(colour)

    def path(
        self,
        matrix: Matrix,
        depth: int,
        filled: int,
        drawn: int,
        width: float,
        segments: Iterable[tuple[float, float, int, int]],
    ) -> None:
        """The straight lines and filled rectangles of a path; a grid is often drawn as one path."""
        matrix = _times(matrix, self._above[depth])
        half = width * math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])) / 2
        for points, curved in _subpaths(segments):
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
                self.put(edges, filled)
        if drawn < 0:
            return
        for (ax, ay), (bx, by) in pairwise(points):
            if abs(ax - bx) < STRAIGHT or abs(ay - by) < STRAIGHT:
                left, right = min(ax, bx) - half, max(ax, bx) + half
                self.put((left, max(ay, by) + half, right, min(ay, by) - half), drawn)
            else:
                self._draw([(ax, ay), (bx, by)])

    def _draw(self, points: list[Point]) -> None:
        """Remember where something bent or slanted is drawn: charts are made of it, tables are not."""
        left, top, right, bottom = edges = _edges(points)
        if len(self._drawings) < MOST_DRAWINGS and max(right - left, top - bottom) > SMALLEST_DRAWING:
            self._drawings.append(edges)


def _subpaths(segments: Iterable[tuple[float, float, int, int]]) -> Iterator[tuple[list[Point], bool]]:
    """The points of each stretch of a path that is drawn without lifting the pen, and whether it bends."""
    points: list[Point] = []
    curved = False
    for x, y, kind, closes in segments:
        point = (x, y)
        if kind == MOVE_TO:
            if len(points) > 1:
                yield points, curved
            points, curved = [point], False
            continue
        curved = curved or kind == BEZIER_TO
        points.append(point)
        if closes and points[0] != point:
            points.append(points[0])
    if len(points) > 1:
        yield points, curved


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
