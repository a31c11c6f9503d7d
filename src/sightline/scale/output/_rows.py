"""The rows of a document: one maker for each kind of extractor, with a schema that is fixed for the whole job."""

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from sightline.data import Extraction, Schema
from sightline.errors import LimitError, MissingExtra, UsageError
from sightline.jobs import Extractor, extractor
from sightline.page import Page
from sightline.scale._spec import BatchSpec
from sightline.scale.output._layout import Form, RecordColumn
from sightline.scale.output._records import MOST_ROW_BYTES, RecordRows, Row, content_rows, list_rows, table_rows
from sightline.scale.output._texts import storable, storable_text

try:
    import pyarrow as pa
except ImportError as problem:
    raise MissingExtra("flow", "Writing the rows of a batch") from problem

if TYPE_CHECKING:
    from sightline.extract.wrappers import Wrapper

__all__ = ["DOCUMENT", "FIRST", "LAST", "MORE", "ORIGINS", "RowMaker", "arrow_type", "unpacked"]

DOCUMENT, MORE, ORIGINS = "_document", "_more", "_origins"

_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())
_WHOLE, _NUMBER, _BOX = pa.int64(), pa.float64(), pa.list_(pa.float32())

FIRST = ((DOCUMENT, _TEXT), ("_source", _TEXT), ("_row", pa.int64()), ("_verdict", _TEXT))
"""Before the columns of the rows: which document, where it is from, the number of the row in it, and its verdict."""

LAST = ((MORE, _TEXT), (ORIGINS, _TEXT))
"""After them, as JSON: what has no column, and where each value was seen."""

_TABLE = (
    ("_table", _WHOLE),
    ("caption", _TEXT),
    ("columns", _TEXTS),
    ("cells", _TEXTS),
    ("box", _BOX),
    ("sheet", _WHOLE),
    ("score", _NUMBER),
)
_LIST = (
    ("_list", _WHOLE),
    ("kind", _TEXT),
    ("caption", _TEXT),
    ("rank", _WHOLE),
    ("level", _WHOLE),
    ("title", _TEXT),
    ("text", _TEXT),
    ("link", _TEXT),
    ("image", _TEXT),
    ("components", _TEXT),
    ("box", _BOX),
    ("score", _NUMBER),
)
_CONTENT = (
    ("title", _TEXT),
    ("author", _TEXT),
    ("date", _TEXT),
    ("text", _TEXT),
    ("language", _TEXT),
    ("address", _TEXT),
    ("images", _TEXTS),
    ("by", _TEXT),
    ("score", _NUMBER),
)
_KINDS: dict[str, Any] = {
    "tables": (_TABLE, table_rows),
    "lists": (_LIST, list_rows),
    "list": (_LIST, list_rows),
    "content": (_CONTENT, content_rows),
}

_VERSION = 12  # hexadecimal digits of a wrapper's digest: enough to tell the wrappers of one project apart


class RowMaker:
    """Makes the rows of documents; all rows of a job have the columns of `schema`, whatever its pages have.

    >>> from sightline.data import Table
    >>> from sightline.testing import list_page
    >>> maker = RowMaker(BatchSpec(extractor="tables"), None)
    >>> found = Extraction("tables", (Table.from_rows([["a"], ["1"], ["2"]]),))
    >>> maker.rows("x.html", list_page(["one"]), found)[1]
    2
    """

    def __init__(self, spec: BatchSpec, wrapper: "Wrapper | None") -> None:
        self.version: str = hashlib.sha256(spec.wrapper.encode()).hexdigest()[:_VERSION] if spec.wrapper else ""
        own, self._make = _records(wrapper.schema) if wrapper else _kind(extractor(spec.extractor))
        self.fields: tuple[Any, ...] = tuple(name for name, _ in own)
        self.schema: Any = pa.schema([pa.field(name, kind) for name, kind in (*FIRST, *own, *LAST)])
        self._origins = spec.origins

    def rows(self, document_id: str, page: Page, extraction: Extraction) -> tuple[bytes, int]:  # noqa: ARG002 - one page
        """The rows of a document in the form that a journal keeps, and how many there are."""
        rows: list[Row] = self._make(extraction, origins=self._origins)
        if not rows:
            return b"", 0
        try:
            packed = msgspec.msgpack.encode(rows)
        except UnicodeEncodeError:  # a lone surrogate; looking for them in every text would cost more
            packed = msgspec.msgpack.encode(storable(rows))
        if len(packed) > MOST_ROW_BYTES:
            what = f"its rows have {len(packed):,} bytes, more than {MOST_ROW_BYTES:,}; leave it out of the batch."
            raise LimitError(document_id, what, limit="MOST_ROW_BYTES")
        return packed, len(rows)


def unpacked(rows: bytes) -> list[Row]:
    """The rows that `RowMaker.rows` packed."""
    return msgspec.msgpack.decode(rows) if rows else []


def _kind(found: Extractor) -> Any:
    """The columns and the maker for what an extractor gives, be it ours or a plugin's."""
    if found.kind not in _KINDS:
        raise UsageError(
            f"A batch has no columns for {found.kind}, which the extractor {found.name!r} gives; use another one."
        )
    return _KINDS[found.kind]


def _records(schema: Schema) -> Any:
    made: dict[bool, RecordRows] = {origins: RecordRows(schema, origins=origins) for origins in (False, True)}
    own = tuple((column.name, arrow_type(column)) for column in made[True].columns.values())
    return own, lambda found, origins: made[origins].rows(found)


def arrow_type(column: RecordColumn) -> Any:
    """The type of a column of records."""
    types: dict[Form, Any] = {"text": _TEXT, "texts": _TEXTS}
    if column.form != "records":
        return types[column.form]
    names = dict.fromkeys(map(storable_text, column.parts))
    return pa.list_(pa.struct([pa.field(name, _TEXT) for name in names]))
