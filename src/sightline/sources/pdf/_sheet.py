"""What is drawn on one sheet of a PDF: the plain values that the child process hands over."""

import os
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import orjson

from sightline.arrays import BoolArray

NO_RUN = -1
"""The run of a character that stands in no text object: a blank or line end that pdfium put in."""


class PdfFont(NamedTuple):
    """A font as far as it can be seen."""

    name: str
    weight: int
    italic: bool
    fixed: bool


class Tag(NamedTuple):
    """An element of the tag tree of a tagged PDF: its type, such as `H1` or `TD`, and the place of its parent."""

    name: str
    parent: int


class Bookmark(NamedTuple):
    """A line of the outline that readers show beside the pages."""

    title: str
    level: int
    sheet: int


@dataclass(frozen=True, eq=False, kw_only=True)
class PdfSheet:
    """The objects of a sheet, in columns; boxes in CSS pixels from the top left of the sheet as it is shown."""

    number: int
    size: tuple[float, float]
    code: npt.NDArray[np.int32]
    box: npt.NDArray[np.float32]
    run: npt.NDArray[np.int32]
    run_font: npt.NDArray[np.int32]
    run_colour: npt.NDArray[np.int32]
    run_marked: npt.NDArray[np.int32]
    run_size: npt.NDArray[np.float32]
    run_angle: npt.NDArray[np.int32]
    fonts: tuple[PdfFont, ...] = ()
    rules: npt.NDArray[np.float32]
    rule_colour: npt.NDArray[np.int32]
    images: npt.NDArray[np.float32]
    drawings: npt.NDArray[np.float32]
    links: npt.NDArray[np.float32]
    addresses: tuple[str, ...] = ()
    tags: tuple[Tag, ...] = ()
    tag_of: dict[int, int] = field(default_factory=dict)
    run_confidence: npt.NDArray[np.int32] | None = None
    """In percent, of text that was recognised in a picture; the child never sends it."""

    @classmethod
    def blank(cls, number: int, size: tuple[float, float]) -> "PdfSheet":
        """A sheet on which nothing is."""
        none: dict[str, Any] = {
            name: np.zeros((0, wide) if wide > 1 else 0, dtype=kind) for name, _, wide, kind in COLUMNS
        }
        return cls(number=number, size=size, **none)


# -- packs a sheet into one frame and unpacks it; unpacking trusts nothing ------------------------------------------
# The child packs, the parent unpacks. Kinds and order of the columns are fixed here, and the head only says how long
# they are: anything inconsistent is `Malformed`. Valid but unusable values, such as boxes at infinity, are dropped
# here too, once for all users.

# The protocol between the PDF reader's process and ours: frames of a JSON head and raw bytes.
#
# No pickle: a hostile PDF may have taken over the reader, and whatever it sends must stay data. Only the standard
# library and orjson are used here, since the child imports this first.

Head: TypeAlias = dict[str, Any]
Reader: TypeAlias = Callable[[int], bytearray]

PREFIX = struct.Struct(">IQ")  # the bytes of the head, and of the body
MOST_HEAD = 32_000_000  # 10,000 bookmarks of 500 characters need half of it
MOST_BODY = 400_000_000  # a picture of 100 million dots needs 300 MB
MOST_PARTS = 64  # in one call; systems take 1,024


class Malformed(Exception):
    """The other side sent something that no correct reader sends."""


def frame(head: Head, body_bytes: int = 0) -> bytes:
    """The beginning of a frame; its body, `body_bytes` long, is to follow."""
    packed_head = orjson.dumps(head)
    return PREFIX.pack(len(packed_head), body_bytes) + packed_head


def receive(read: Reader, *, most_body: int = MOST_BODY) -> tuple[Head, bytearray]:
    """The next frame; `read` gives exactly as many bytes as it is asked for.

    >>> sent = frame({"do": "open"}, 3) + b"%PD"
    >>> place = iter((sent[:12], sent[12:25], sent[25:]))
    >>> receive(lambda _: bytearray(next(place)))
    ({'do': 'open'}, bytearray(b'%PD'))
    """
    head_bytes, body_bytes = PREFIX.unpack(read(PREFIX.size))
    if head_bytes > MOST_HEAD or body_bytes > most_body:
        raise Malformed(f"a frame of {head_bytes} and {body_bytes} bytes")
    try:
        head = orjson.loads(read(head_bytes))
    except orjson.JSONDecodeError as problem:
        raise Malformed("a head that isn't valid JSON") from problem
    if not isinstance(head, dict):
        raise Malformed("a head that isn't an object")
    return head, read(body_bytes) if body_bytes else bytearray()


def send_all(fd: int, *parts: bytes | memoryview) -> None:
    """Write everything, which must come as single bytes, to a descriptor that blocks."""
    rest = [memoryview(part) for part in parts if part]
    while rest:  # all parts in one call: each call may wake the reader
        sent = os.writev(fd, rest[:MOST_PARTS])
        while rest and sent >= len(rest[0]):
            sent -= len(rest.pop(0))
        if sent:
            rest[0] = rest[0][sent:]


def read_all(fd: int, count: int) -> bytearray:
    """Read exactly `count` bytes from a blocking descriptor; EOFError if they end before."""
    whole = bytearray(count)
    rest = memoryview(whole)
    while rest:
        got = os.readv(fd, [rest])
        if not got:
            raise EOFError
        rest = rest[got:]
    return whole


T = TypeVar("T")
Array: TypeAlias = npt.NDArray[Any]

COLUMNS = (  # name, what it has a row for, numbers in a row, kind
    ("code", "characters", 1, np.int32),
    ("box", "characters", 4, np.float32),
    ("run", "characters", 1, np.int32),
    ("run_font", "runs", 1, np.int32),
    ("run_colour", "runs", 1, np.int32),
    ("run_marked", "runs", 1, np.int32),
    ("run_size", "runs", 1, np.float32),
    ("run_angle", "runs", 1, np.int32),
    ("rules", "rules", 4, np.float32),
    ("rule_colour", "rules", 1, np.int32),
    ("images", "images", 4, np.float32),
    ("drawings", "drawings", 4, np.float32),
    ("links", "links", 4, np.float32),
)
ROWS = {
    "characters": "code",
    "runs": "run_font",
    "rules": "rules",
    "images": "images",
    "drawings": "drawings",
    "links": "links",
}
NUMBER_BYTES = 4  # of int32 and float32 alike
MOST_ROWS = 1_000_000  # of each thing; the child stops at 200,000 characters
MOST_TITLE = 500  # characters of a title
MOST_NAME = 200  # characters of the name of a font or tag
MOST_ADDRESS = 8_000  # a link that is longer leads nowhere: it carries data
FARTHEST = 1e6  # pixels from the corner of a sheet; beyond that is only what was made to hurt
WHITE = 0xFFFFFF
LAST_CODE = 0x10FFFF
FIRST_HALF, LAST_HALF = 0xD800, 0xDFFF  # halves of a character in UTF-16; alone they cannot even be written to a file
UNKNOWN_CODE = 0xFFFD


# ------------------------------------------------------------------ in the child


def pack_sheet(sheet: PdfSheet) -> tuple[Head, list[memoryview]]:
    """The head of a sheet and the bytes of its columns."""
    columns = [
        np.ascontiguousarray(getattr(sheet, name), dtype=kind).reshape(-1).view(np.uint8).data
        for name, _, _, kind in COLUMNS
    ]
    head = {
        "number": sheet.number,
        "size": [float(side) for side in sheet.size],
        "rows": {thing: len(getattr(sheet, column)) for thing, column in ROWS.items()},
        "fonts": [
            (font.name[:MOST_NAME], int(font.weight), bool(font.italic), bool(font.fixed)) for font in sheet.fonts
        ],
        "addresses": [address if len(address) <= MOST_ADDRESS else "" for address in sheet.addresses],
        "tags": [(tag.name[:MOST_NAME], tag.parent) for tag in sheet.tags],
        "tag_of": list(sheet.tag_of.items()),
    }
    return head, columns


def pack_bookmarks(bookmarks: Sequence[Bookmark]) -> list[tuple[str, int, int]]:
    """The bookmarks of a document as JSON knows them."""
    return [(mark.title[:MOST_TITLE], mark.level, mark.sheet) for mark in bookmarks]


# ------------------------------------------------------------------ in the parent


def unpack_bookmarks(document: Any, sheets: int) -> tuple[Bookmark, ...]:
    """The bookmarks of a document with this many sheets."""

    def mark(item: Any) -> Bookmark:
        title, level, sheet = _fields(item, 3)
        _need(0 <= _whole(sheet) <= sheets and _whole(level) >= 1, "a bookmark to nowhere")
        return Bookmark(_text(title), level, sheet)

    return _list(document, mark)


def unpack_picture(head: Head, body: bytearray) -> npt.NDArray[np.uint8]:
    """The dots of a sheet, (height, width, 3)."""
    tall, wide = (_whole(side) for side in _fields(head.get("picture"), 2))
    _need(tall > 0 and wide > 0 and tall * wide * 3 == len(body), "a picture of another size")
    return np.frombuffer(body, dtype=np.uint8).reshape(tall, wide, 3)


def unpack_sheet(head: Head, body: bytearray, number: int) -> PdfSheet | None:
    """The sheet of this number, with all references within range; None if its size cannot be displayed."""
    _need(head.get("number") == number, "another sheet")
    column = _columns(head, body)
    fonts = _list(head.get("fonts"), _font)
    tags = _list(head.get("tags"), _tag)
    addresses = _list(head.get("addresses"), _text)
    pairs = _list(head.get("tag_of"), _pair)
    wide, tall = (float(_number(side)) for side in _fields(head.get("size"), 2))

    _within(column["run"], NO_RUN, len(column["run_font"]) - 1, "a run")
    _within(column["run_font"], 0, len(fonts) - 1, "a font")
    _within(column["run_colour"], -1, WHITE, "a colour")
    _within(column["rule_colour"], -1, WHITE, "a colour")
    _within(column["run_angle"], 0, 359, "an angle")
    _need(len(addresses) == len(column["links"]), "links without addresses")
    _need(all(-1 <= tag.parent < place for place, tag in enumerate(tags)), "a tag before its parent")
    _need(all(0 <= tag < len(tags) for _, tag in pairs), "content of no tag")
    if not (0 < wide <= FARTHEST and 0 < tall <= FARTHEST):
        return None
    kept, addresses = _usable(column, addresses)
    return PdfSheet(
        number=number, size=(wide, tall), fonts=fonts, addresses=addresses, tags=tags, tag_of=dict(pairs), **kept
    )


def _columns(head: Head, body: bytearray) -> dict[str, Array]:
    """The columns, cut from the body by the numbers of rows that the head gives."""
    rows = head.get("rows")
    _need(isinstance(rows, dict) and rows.keys() == ROWS.keys(), "other columns")
    assert isinstance(rows, dict)
    _need(all(0 <= _whole(count) <= MOST_ROWS for count in rows.values()), "too many rows")
    needed = sum(rows[thing] * wide * NUMBER_BYTES for _, thing, wide, _ in COLUMNS)
    _need(needed == len(body), "columns of another length")
    found: dict[str, Array] = {}
    place = 0
    for name, thing, wide, kind in COLUMNS:
        count = rows[thing] * wide
        column = np.frombuffer(body, dtype=kind, count=count, offset=place)
        found[name] = column.reshape(-1, wide) if wide > 1 else column
        place += count * NUMBER_BYTES
    return found


def _usable(column: dict[str, Array], addresses: tuple[str, ...]) -> tuple[dict[str, Array], tuple[str, ...]]:
    """The columns without misplaced boxes: those that are not numbers, or absurdly far away."""
    kept = dict(column)
    for box, others in (("box", ("code", "run")), ("rules", ("rule_colour",)), ("images", ()), ("drawings", ())):
        near = np.abs(column[box]) <= FARTHEST
        if not near.all():
            placed = near.all(axis=1)
            kept.update({name: column[name][placed] for name in (box, *others)})
    linked = _is_on_sheet(column["links"]) & np.array([bool(address) for address in addresses], dtype=bool)
    if not linked.all():
        kept["links"] = column["links"][linked]
        addresses = tuple(address for address, good in zip(addresses, linked, strict=True) if good)
    kept["run_size"] = _sizes(column["run_size"])
    kept["code"] = _codes(kept["code"])
    return kept, addresses


def _is_on_sheet(boxes: Array) -> BoolArray:
    """Which boxes lie where a sheet could be; a comparison with NaN is false."""
    return np.asarray((np.abs(boxes) <= FARTHEST).all(axis=1))


def _sizes(sizes: Array) -> Array:
    good = np.abs(sizes) <= FARTHEST
    return sizes if good.all() else np.where(good, sizes, np.float32(0))


def _codes(codes: Array) -> Array:
    if not len(codes) or (int(codes.min()) >= 0 and int(codes.max()) < FIRST_HALF):
        return codes
    bad = (codes < 0) | (codes > LAST_CODE) | ((codes >= FIRST_HALF) & (codes <= LAST_HALF))
    return np.where(bad, np.int32(UNKNOWN_CODE), codes) if bad.any() else codes


def _font(value: Any) -> PdfFont:
    name, weight, italic, fixed = _fields(value, 4)
    _need(isinstance(italic, bool) and isinstance(fixed, bool), "a font of another shape")
    return PdfFont(_text(name), _whole(weight), italic=italic, fixed=fixed)


def _tag(value: Any) -> Tag:
    name, parent = _fields(value, 2)
    return Tag(_text(name), _whole(parent))


def _pair(value: Any) -> tuple[int, int]:
    first, second = _fields(value, 2)
    return _whole(first), _whole(second)


def _within(column: Array, least: int, most: int, what: str) -> None:
    _need(not len(column) or (int(column.min()) >= least and int(column.max()) <= most), f"{what} that does not exist")


def _fields(value: Any, count: int) -> list[Any]:
    _need(isinstance(value, list) and len(value) == count, "a list of another length")
    assert isinstance(value, list)
    return value


def _list(value: Any, read: Callable[[Any], T]) -> tuple[T, ...]:
    _need(isinstance(value, list), "no list")
    return tuple(read(item) for item in value)


def _text(value: Any) -> str:
    _need(isinstance(value, str), "no text")
    return str(value)


def _whole(value: Any) -> int:
    _need(type(value) is int, "no whole number")
    return int(value)


def _number(value: Any) -> float:
    """A number; JSON has no word for one that is not finite, and writes null."""
    _need(value is None or type(value) in (int, float), "no number")
    return float("nan") if value is None else float(value)


def _need(true: bool, problem: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not true:
        raise Malformed(problem)
