"""Records together: the schema, flattening, types."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Basic, ColumnType, Disjunction, Option, Origin, Record, Records, SetOf, TupleOf, Value
from sightline.errors import UsageError

SHOPS = Records(
    [
        {"name": "A", "address": {"city": "Ulm", "zip": "01234"}, "tags": ["x", "y"], "offers": [{"p": "5 €"}]},
        {"name": "B", "offers": [{"p": "6,50 €"}, {"p": None}]},
    ],
    language="de",
)


def test_records_infer_one_schema_from_all() -> None:
    """Names come from every record, not from the first; what is absent somewhere is an option."""
    expected = "(name: text, address: (city: text, zip: text)?, tags: {text}?, offers: {(p: money EUR?)})"
    assert str(SHOPS.schema) == expected


def test_records_have_the_columns_of_their_schema_whatever_they_hold() -> None:
    """A schema fixes names and order, also for no records at all."""
    schema = TupleOf((("b", Basic()), ("a", Option(Basic()))))
    assert [column.name for column in Records([], schema).columns] == ["b", "a"]
    assert Records([{"a": "1"}], schema).to_csv() == "b,a\r\n,1\r\n"


def test_records_flatten_with_dotted_names_and_joined_lists() -> None:
    """Nested names get points, lists one cell."""
    table = SHOPS.to_table()
    assert table.rows[0] == ["name", "address.city", "address.zip", "tags", "offers.p"]
    assert table.rows[1] == ["A", "Ulm", "01234", "x; y", "5 €"]
    assert table.to_dicts()[1]["address.city"] is None


def test_records_explode_one_list_into_rows() -> None:
    """Each item of a list gets its own row; a record with none keeps one."""
    table = SHOPS.to_table(explode="tags", joiner=", ")
    assert [row[0] for row in table.rows] == ["name", "A", "A", "B"]
    assert [column.texts for column in table.columns if column.name == "tags"] == [("x", "y", None)]


def test_records_refuse_to_explode_what_is_not_there() -> None:
    """A wrong name is said."""
    with pytest.raises(UsageError, match="no field 'price'"):
        SHOPS.exploded("price")


@pytest.mark.parametrize("record", [{"b": "1"}, {"a": ["1"]}, {"a": {"x": "1"}}])
def test_records_refuse_what_their_schema_would_lose(record: dict[str, object]) -> None:
    """A field without a place in the schema would vanish from every export."""
    with pytest.raises(UsageError, match="Record 0 has"):
        Records([record], TupleOf((("a", Basic()),)))


def test_records_type_their_values_by_the_schema() -> None:
    """Types reach into lists and nested records."""
    typed = SHOPS.typed()[1].to_dict(typed=True)
    assert typed["offers"] == [{"p": Decimal("6.50")}, {"p": None}]


def test_records_keep_values_that_came_typed() -> None:
    """What somebody has typed already is not read again."""
    schema = TupleOf((("p", Basic(ColumnType(kind="money", currency="EUR"))),))
    records = Records([{"p": Value("five", Decimal(5))}], schema)
    assert records.to_dicts(typed=True) == [{"p": Decimal(5)}]
    assert records.columns[0].values == (Decimal(5),)


def test_records_share_a_text_column_between_alternatives() -> None:
    """A disjunction of different types is one column of text."""
    either = Disjunction((Basic(ColumnType(kind="number", integer=True)), TupleOf((("x", Basic()),))))
    records = Records([{"a": "5"}, {"a": {"x": "6"}}], TupleOf((("a", either),)))
    assert [(column.name, column.texts) for column in records.columns] == [("a", ("5", None)), ("a.x", (None, "6"))]
    assert records.typed()[0]["a"] == Value("5", 5)


def test_records_infer_a_disjunction_from_mixed_fields() -> None:
    """A field that is once a text and once a list is either."""
    assert str(Records([{"a": "x"}, {"a": ["y"]}]).schema) == "(a: [text | {text}])"


def test_records_join_origins_of_a_list() -> None:
    """The joined cell points to all its parts."""
    parts = [
        Value("x", None, Origin("p", (1,), (0.0, 0.0, 1.0, 1.0))),
        Value("y", None, Origin("p", (2,), (5, 5, 6, 6))),
    ]
    (column,) = Records([{"a": parts}]).columns
    assert column.cells[0] is not None
    assert column.cells[0].origin == Origin("p", (1, 2), (0.0, 0.0, 6.0, 6.0))


def test_records_are_a_sequence() -> None:
    """Length, index, slice, iteration and equality."""
    assert len(SHOPS) == 2
    assert SHOPS[0] == next(iter(SHOPS))
    assert SHOPS[:1].schema == SHOPS.schema
    assert Records(list(SHOPS), SHOPS.schema) == SHOPS
    assert isinstance(SHOPS[-1], Record)


def test_to_json_has_the_names_of_the_contract() -> None:
    """Schema and records, and with origins four names a value."""
    document = SHOPS.to_json(origins=True, xpath=lambda _: "/x")
    assert list(document) == ["schema", "records"]
    assert document["records"][0]["name"] == {"text": "A", "value": "A", "xpath": None, "box": None}
    assert document["records"][1]["address"] is None


def test_to_json_is_plain() -> None:
    """Typed values in JSON are numbers and texts."""
    assert SHOPS.to_json(typed=True)["records"][1]["offers"] == [{"p": 6.5}, {"p": None}]


def test_records_show_few_rows() -> None:
    """A notebook gets a small table that tells not found from empty."""
    html = Records([{"a": "<x>", "b": ""}, *({"a": "1"} for _ in range(50))])._repr_html_()
    assert "&lt;x&gt;" in html
    assert "not found" in html
    assert "… 31 more rows" in html


def test_set_of_options_can_be_exploded() -> None:
    """A list that may hold nothing in a place is still a list."""
    schema = TupleOf((("a", SetOf(Option(Basic()))),))
    assert Records([{"a": ["1", None]}], schema).exploded("a").to_dicts() == [{"a": "1"}, {"a": None}]


FIELDS = st.recursive(
    st.none() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(st.dictionaries(st.sampled_from("abc"), FIELDS, max_size=3), max_size=4))
def test_records_accept_every_record_under_the_schema_inferred_from_it(items: list[dict[str, object]]) -> None:
    """The inferred schema has a place for all it was made of, and all exports of it work."""
    records = Records(items)
    again = Records(list(records), records.schema)
    assert again == records
    assert len(again.typed()) == len(items)
    assert len(again.to_table().rows) == (len(items) + 1 if records.columns else 0)
    assert again.to_csv().count("\r\n") >= 1
