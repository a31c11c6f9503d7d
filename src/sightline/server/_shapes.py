"""The JSON shapes that several resources share, and what makes them from our own data.

The types describe answers for the API's own documentation; handlers build them as plain values, which nothing checks
again while it answers.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Generic, Literal, NotRequired, TypeAlias, TypeVar

import numpy as np
import orjson
from starlette.responses import Response
from typing_extensions import TypeAliasType, TypedDict

from sightline.arrays import FloatArray
from sightline.data import Column, ColumnType, Origin, Typed, Value
from sightline.geometry import NO_BOX, Box
from sightline.page import PageKind
from sightline.project import PageInfo, Steps

MOST_ROWS = 5_000  # in one answer; a window of the grid has 500
MOST_MISFITS = 20  # shown of a column; people look at three
BoxResponse: TypeAlias = tuple[float, float, float, float]
Result = TypeVar("Result")
Json = TypeAliasType("Json", "str | int | float | bool | list[Json] | dict[str, Json] | None")


class JsonResponse(Response):
    """An answer in JSON; whatever is in it, it is never taken for a page, and never kept by a cache."""

    media_type = "application/json"

    def __init__(self, content: Any, status: int = 200, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(content, status, {"Cache-Control": "no-store", **(headers or {})})

    def render(self, content: Any) -> bytes:
        """The bytes; numbers of numpy are numbers, and an undefined number is null."""
        return orjson.dumps(content, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS)


class JobProgressResponse(TypedDict):
    """How far a job is."""

    done: int
    total: int | None
    what: str


class ProblemDocument(TypedDict):
    """What went wrong, as `application/problem+json`; `page` is that of a wall, which is kept to be looked at."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    version: NotRequired[str]
    page: NotRequired[str]


class JobResponse(TypedDict, Generic[Result]):
    """A job: long work, with its result or its problem in the end."""

    id: str
    kind: str
    title: str
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    progress: JobProgressResponse
    result: Result | None
    problem: ProblemDocument | None
    began: str


class SheetResponse(TypedDict):
    """A sheet of a PDF, and where it is on the whole page."""

    number: int
    box: BoxResponse


class PictureResponse(TypedDict):
    """A part of the picture of a page, and where it is on the page."""

    index: int
    box: BoxResponse


class PageResponse(TypedDict):
    """A kept page."""

    id: str
    title: str
    url: str
    source: str
    kind: PageKind
    opened: str
    width: int
    height: int
    nodes: int
    sheets: list[SheetResponse]
    pictures: list[PictureResponse]
    notes: list[str]
    wall: str | None


class TypeResponse(TypedDict):
    """The type of a column, in one word and in words."""

    kind: str
    words: str


class ColumnResponse(TypedDict):
    """A column without its cells."""

    name: str
    type: TypeResponse
    filled: int
    misfits: list[str]
    ambiguous: str | None


class CellsResponse(ColumnResponse):
    """A column with the cells of a window of rows."""

    texts: list[str | None]
    values: list[str | None]
    boxes: list[BoxResponse | None]
    nodes: list[list[int] | None]
    originals: NotRequired[list[str | None]]
    pages: NotRequired[list[str | None]]


class GridResponse(TypedDict):
    """A window of the rows of anything that has columns."""

    offset: int
    total: int
    columns: list[CellsResponse]
    row_boxes: list[BoxResponse | None]


class HistoryResponse(TypedDict):
    """What was changed, in words, and how much of that counts."""

    steps: list[str]
    at: int


# ---------------------------------------------------------------------- from our data


def box_shape(box: Box | None) -> list[float] | None:
    """A box in tenths of a pixel, or None.

    >>> box_shape((0.0, 1.26, 3.0, 4.0))
    [0.0, 1.3, 3.0, 4.0]
    """
    if box is None or box[0] != box[0]:
        return None
    return [round(float(side), 1) for side in box]


def page_shape(info: PageInfo) -> dict[str, Any]:
    """A kept page as the API shows it."""
    return {
        "id": info.id,
        "title": info.title or _stem(info.source),
        "url": info.url if info.url.startswith(("http://", "https://")) else "",
        "source": info.source,
        "kind": info.kind,
        "opened": info.opened,
        "width": info.width,
        "height": info.height,
        "nodes": info.nodes,
        "sheets": [{"number": number, "box": box_shape(box)} for number, box in info.sheets],
        "pictures": [{"index": index, "box": box_shape(box)} for index, box in enumerate(info.pictures)],
        "notes": list(info.notes),
        "wall": info.wall,
    }


def _stem(source: str) -> str:
    """The last part of a source, for pages without a title."""
    return source.rstrip("/").rpartition("/")[2] or source


def history_shape(steps: Steps) -> dict[str, Any]:
    """The history of edits, in words."""
    return {"steps": steps.words, "at": steps.at}


def type_shape(type: ColumnType) -> dict[str, str]:
    """A type: its kind, and in words.

    >>> type_shape(ColumnType(kind="money", currency="USD"))
    {'kind': 'money', 'words': 'money USD'}
    """
    return {"kind": type.kind, "words": str(type)}


def column_shape(column: Column) -> dict[str, Any]:
    """A column without its cells. It counts them, so keep it where a column has many."""
    return {
        "name": column.name,
        "type": type_shape(column.type),
        "filled": sum(1 for cell in column.cells if cell is not None and cell.text),
        "misfits": list(column.misfits[:MOST_MISFITS]),
        "ambiguous": "; ".join(column.type.ambiguous) or None,
    }


class RowsView:
    """The rows of some columns, looked at window by window; what concerns all rows is found out once.

    `columns` are those of any result: `Table`, `ItemList`, `Records` or `Content`. `page` is the id of the page that is
    shown beside them; if cells come from other pages, the columns say from which.

    >>> from sightline.data import Table
    >>> view = RowsView(Table.from_rows([["Star", "Magnitude"], ["Vega", "0.03"], ["Rigel", "0.13"]]).columns)
    >>> window = view.window(1, 1)
    >>> window["total"], [column["texts"] for column in window["columns"]]
    (2, [['Rigel'], ['0.13']])
    """

    def __init__(self, columns: Sequence[Column], *, page: str | None = None) -> None:
        self.columns = tuple(columns)
        self.shapes = [column_shape(column) for column in self.columns]
        self.page = page

    @property
    def total(self) -> int:
        """How many rows there are."""
        return len(self.columns[0].cells) if self.columns else 0

    def window(self, offset: int = 0, limit: int = 500) -> dict[str, Any]:
        """The rows from `offset` on, at most `limit` and never more than one answer should hold."""
        start = min(max(offset, 0), self.total)
        rows = slice(start, min(start + min(max(limit, 0), MOST_ROWS), self.total))
        several = [self._cells(column, rows) for column in self.columns]
        columns = [shape | cells for shape, (cells, _) in zip(self.shapes, several, strict=True)]
        boxes = [found for cells, found in several if "pages" not in cells]
        row_boxes = _box_lists(_around(boxes)) if boxes else [None] * (rows.stop - rows.start)
        return {"offset": start, "total": self.total, "columns": columns, "row_boxes": row_boxes}

    def _cells(self, column: Column, rows: slice) -> tuple[dict[str, Any], FloatArray]:
        """The cells of a column in a window, and their boxes as an array."""
        cells = column.cells[rows]
        origins = [cell.origin if cell else None for cell in cells]
        texts = [encodable(cell.text) if cell else None for cell in cells]
        boxes = _box_array(origins)
        parts: dict[str, Any] = {
            "texts": texts,
            "values": texts if _is_plain(column, cells) else [_value(value) for value in column.values[rows]],
            "boxes": _box_lists(boxes),
            "nodes": [origin.nodes if origin else None for origin in origins],
        }
        if any(origin and origin.original for origin in origins):
            parts["originals"] = [encodable(origin.original) or None if origin else None for origin in origins]
        if self.page and any(origin and origin.page != self.page for origin in origins):
            parts["pages"] = [origin.page if origin else None for origin in origins]
        return parts, boxes


def _is_plain(column: Column, cells: Sequence[Value | None]) -> bool:
    """Whether the values of a column are its texts."""
    return column.type.kind == "text" and all(cell is None or cell.value is None for cell in cells)


# A window has thousands of boxes; as an array they take a fifth of the time that they take one by one.


def _box_array(origins: Sequence[Origin | None]) -> FloatArray:
    boxes = [origin.box if origin and origin.box else NO_BOX for origin in origins]
    return np.round(np.array(boxes, dtype=np.float64).reshape(-1, 4), 1)


def _box_lists(boxes: FloatArray) -> list[list[float] | None]:
    """Boxes for JSON; None where there is none."""
    found: list[list[float] | None] = boxes.tolist()
    for row in np.flatnonzero(np.isnan(boxes[:, 0])).tolist():
        found[row] = None
    return found


def _around(boxes: Sequence[FloatArray]) -> FloatArray:
    """The box around those of each row; a missing one does not count."""
    stacked = np.stack(boxes)
    return np.concatenate([np.fmin.reduce(stacked[..., :2]), np.fmax.reduce(stacked[..., 2:])], axis=1)


def encodable(text: str) -> str:
    """A text that JSON can hold: lone surrogates, which pages may have, are replaced."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _value(value: Typed | None) -> str | None:
    """A typed value as people read it: plain numbers and ISO dates."""
    match value:
        case None:
            return None
        case str():
            return encodable(value)
        case datetime() | date() | time():
            return value.isoformat()
        case Decimal():
            return f"{value:f}"
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
    return str(value)
