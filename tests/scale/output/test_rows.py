"""Rows hold every value of an extraction, in columns that are fixed before the first page is read."""

from typing import Any

import orjson
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import (
    Basic,
    Cell,
    Content,
    ContentPart,
    Disjunction,
    Extraction,
    Item,
    ItemList,
    Option,
    Origin,
    Record,
    Records,
    Schema,
    SetOf,
    Table,
    TupleOf,
    Value,
)
from sightline.errors import LimitError, UsageError
from sightline.jobs import Extractor
from sightline.scale import BatchSpec
from sightline.scale.output import RowMaker
from sightline.scale.output._layout import columns_of, storable, storable_text
from sightline.scale.output._rows import RecordRows, arrow_type, unpacked
from sightline.testing import shop_pages

from ._batches import PAGE, shop_maker, shop_wrapper
from ._extractions import NAMES, OTHERS, RECORDS

BASIC = Basic()
SCHEMAS = st.recursive(
    st.just(BASIC),
    lambda inner: st.one_of(
        inner.map(SetOf),
        st.dictionaries(NAMES, inner, min_size=1, max_size=3).map(lambda parts: TupleOf(tuple(parts.items()))),
        inner.filter(lambda node: not isinstance(node, Option)).map(Option),
        st.tuples(inner, inner).map(Disjunction),
    ),
    max_leaves=6,
)


def _texts(content: Any) -> list[str]:
    """Every text in plain lists and dicts; JSON in them is opened."""
    if isinstance(content, dict):
        return [text for one in content.values() for text in _texts(one)]
    if isinstance(content, list | tuple):
        return [text for one in content for text in _texts(one)]
    if not isinstance(content, str):
        return []
    if content[:1] in ("{", "["):
        try:
            return [content, *_texts(orjson.loads(content))]
        except orjson.JSONDecodeError:
            pass
    return [content]


def _rows(maker: RowMaker, found: Extraction) -> list[list[Any]]:
    packed, count = maker.rows("x", PAGE, found)
    rows = unpacked(packed)
    assert len(rows) == count
    return rows


def _arrow(maker: RowMaker, rows: list[list[Any]]) -> pa.Table:
    """The rows as Arrow takes them, without the four columns of the document."""
    fields = list(maker.schema)[4:]
    columns = list(zip(*rows, strict=True)) or [()] * len(fields)
    return pa.table([pa.array(c, f.type) for c, f in zip(columns, fields, strict=True)], schema=pa.schema(fields))


@given(SCHEMAS, st.lists(RECORDS, max_size=3))
def test_every_value_of_records_is_in_their_row(schema: Schema, records: list[Record]) -> None:
    """Whatever the schema says: what has no column is in `_more`, and the columns have the types of the schema."""
    made = RecordRows(schema, origins=True)
    rows = storable(made.rows(Extraction("records", (Records(records),))))
    for record, row in zip(records, rows, strict=True):
        kept = _texts(row[:-1])
        assert all(storable_text(text) in kept for text in _texts(record.to_dict()))
    for column in made.columns.values():
        values = [row[column.place] for row in rows]
        assert len(pa.array(values, arrow_type(column))) == len(records)


@given(OTHERS)
def test_every_value_of_tables_lists_and_texts_is_in_a_row(found: Extraction) -> None:
    """Headings may be joined to names of columns, and parts of a text to the text; nothing else is left out."""
    maker = RowMaker(BatchSpec(extractor=found.kind), None)
    rows = _rows(maker, found)
    _arrow(maker, rows)
    kept = _texts([row[:-1] for row in rows])
    whole = "\n".join(kept)
    for value in found.values():
        text = storable_text(value.text)
        assert text in kept or text in whole, (text, rows)


def test_columns_of_a_wrapper_are_those_of_its_schema() -> None:
    """A page without a field has a null there, and the column stays."""
    maker = shop_maker()
    assert maker.schema.names == [
        *("_document", "_source", "_row", "_verdict"),
        *("title", "Price", "Weight"),
        *("_more", "_origins"),
    ]
    row = _rows(maker, Extraction("records", (Records([{"title": "A"}]),)))[0]
    assert row == ["A", None, None, None, None]


def test_rows_of_a_real_wrapper_have_origins() -> None:
    """Every value says on which nodes it stands; without origins the column is empty."""
    page = shop_pages(5)[4]
    found = Extraction("records", (shop_wrapper().extract(page),))
    title, price, _, more, origins = _rows(shop_maker(), found)[0]
    assert (title, price, more) == ("Camera 4", "104 €", None)
    places = orjson.loads(origins)
    for name, text in (("title", title), ("Price", price)):
        assert "".join(page.node(node).text for node in places[name]["nodes"]) == text
    assert _rows(shop_maker(origins=False), found)[0][-1] is None


def test_a_field_with_several_values_keeps_all() -> None:
    """A column of texts has the first, and `_more` has all of them, with the place of each."""
    several = (Value("5 €", origin=Origin("3f2a", (1,))), Value("4 €", origin=Origin("3f2a", (2,))))
    found = Extraction("records", (Records([Record({"Price": several})]),))
    _, price, _, more, origins = _rows(shop_maker(), found)[0]
    assert (price, orjson.loads(more)) == ("5 €", {"Price": ["5 €", "4 €"]})
    assert orjson.loads(origins) == {"Price": [{"nodes": [1]}, {"nodes": [2]}]}


def test_nested_records_are_lists_of_structs() -> None:
    """As in the rows of flows: nested names with points, and lists inside of records as JSON."""
    inner = TupleOf((("city", BASIC), ("tags", SetOf(BASIC))))
    columns = columns_of(TupleOf((("shops", SetOf(inner)), ("maker", inner))))
    assert [(one.name, one.form, one.parts) for one in columns.values()] == [
        ("shops", "records", ("city", "tags")),
        ("maker.city", "text", ()),
        ("maker.tags", "texts", ()),
    ]
    record = Record({"shops": [{"city": "Ulm", "tags": ["x", "y"]}], "maker": {"city": "Bonn", "tags": ["z"]}})
    row = RecordRows(TupleOf((("shops", SetOf(inner)), ("maker", inner))), origins=True).rows(
        Extraction("records", (Records([record]),))
    )[0]
    assert row == [[{"city": "Ulm", "tags": '["x","y"]'}], "Bonn", ["z"], None, None]


def test_a_note_of_a_table_is_kept_beside_its_rows() -> None:
    """Cells that are no row of data are in `_more` of the first row, with their place."""
    cells = (
        *(Cell(0, 0, value=Value("Town"), role="column header"), Cell(1, 0, value=Value("Ulm"))),
        Cell(2, 0, value=Value("Sold out"), role="note"),
    )
    maker = RowMaker(BatchSpec(extractor="tables"), None)
    rows = _rows(maker, Extraction("tables", (Table(cells, header_rows=1),)))
    assert [(row[2], row[3]) for row in rows] == [(["Town"], ["Ulm"])]
    assert orjson.loads(rows[0][-2]) == {"cells": [{"row": 2, "column": 0, "role": "note", "text": "Sold out"}]}


def test_a_cell_that_spans_millions_of_places_is_refused() -> None:
    """Its text would be repeated in every place: an error in words, before memory is full."""
    cells = (Cell(0, 0, 1000, 1000, Value("x" * 1000)),)
    with pytest.raises(LimitError, match="1,000,000,000 characters"):
        RowMaker(BatchSpec(extractor="tables"), None).rows("x", PAGE, Extraction("tables", (Table(cells),)))


def test_a_rank_beyond_all_numbers_is_kept_as_text() -> None:
    """Pages count as they like; a column has 64 bits."""
    items = (Item(Value("a"), Value("a"), rank=7), Item(Value("b"), Value("b"), rank=10**30))
    rows = _rows(RowMaker(BatchSpec(extractor="lists"), None), Extraction("lists", (ItemList(items),)))
    assert [(row[3], row[-2]) for row in rows] == [(7, None), (None, f'{{"rank":"{10**30}"}}')]


def test_a_long_text_is_a_row() -> None:
    """Ten million characters are a text like any other."""
    text = "é" * 10_000_000
    maker = RowMaker(BatchSpec(extractor="content"), None)
    rows = _rows(maker, Extraction("content", (Content((ContentPart(Value(text)),)),)))
    assert rows[0][3] == text


def test_an_extractor_without_columns_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin may give results whose columns nobody knows."""
    mine = Extractor("mine", "smells", "what a page smells of", lambda _: Extraction("smells"))
    monkeypatch.setattr("sightline.jobs._extractors.extractors", lambda: {"mine": mine})
    with pytest.raises(UsageError, match="no columns for smells, which the extractor 'mine' gives"):
        RowMaker(BatchSpec(extractor="mine"), None)
