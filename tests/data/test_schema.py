"""Schemas: made of nodes, checked, readable, and round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Basic, ColumnType, Disjunction, Option, Schema, SetOf, TupleOf
from sightline.errors import UsageError

TYPES = st.sampled_from([ColumnType(), ColumnType(kind="money", currency="EUR", decimal=","), ColumnType(kind="date")])
SCHEMAS = st.recursive(
    st.builds(Basic, TYPES),
    lambda inner: (
        st.builds(SetOf, inner)
        | st.builds(Option, inner.filter(lambda node: not isinstance(node, Option)))
        | st.lists(inner, min_size=2, max_size=3).map(lambda nodes: Disjunction(tuple(nodes)))
        | st.dictionaries(st.text(min_size=1, max_size=5), inner, max_size=3).map(
            lambda fields: TupleOf(tuple(fields.items()))
        )
    ),
    max_leaves=8,
)


@given(SCHEMAS)
def test_schema_survives_json(schema: Schema) -> None:
    """From JSON comes what went in."""
    assert Schema.from_json(schema.to_json()) == schema


@given(SCHEMAS)
def test_schema_is_one_readable_line(schema: Schema) -> None:
    """Every schema can be shown, hashed and walked."""
    assert str(schema)
    assert "<code>" in schema._repr_html_()
    assert hash(schema) == hash(Schema.from_json(schema.to_json()))
    assert next(schema.walk()) is schema


def test_schema_says_each_node_in_its_own_signs() -> None:
    """Tuple, set, option and disjunction are told apart."""
    price = Basic(ColumnType(kind="money", currency="EUR"))
    schema = TupleOf((("name", Basic()), ("price", Disjunction((price, Basic()))), ("tags", Option(SetOf(Basic())))))
    assert str(schema) == "(name: text, price: [money EUR | text], tags: {text}?)"


def test_schema_json_is_as_documented() -> None:
    """Each node names itself."""
    schema = TupleOf((("a", Option(SetOf(Basic()))),))
    item = {"node": "set", "item": {"node": "basic", "type": {"kind": "text"}}}
    expected = {"node": "tuple", "fields": [{"name": "a", "schema": {"node": "option", "item": item}}]}
    assert schema.to_json() == expected


@pytest.mark.parametrize(
    "document",
    [{}, {"node": "x"}, {"node": "set"}, {"node": "tuple", "fields": [{}]}, {"node": "basic", "type": {"size": 1}}, []],
)
def test_schema_refuses_wrong_json(document: dict[str, object]) -> None:
    """What is missing or unknown is said."""
    with pytest.raises(UsageError):
        Schema.from_json(document)


def test_schema_refuses_double_names() -> None:
    """Parts of a tuple are told apart by their names."""
    with pytest.raises(UsageError, match="must be unique"):
        TupleOf((("a", Basic()), ("a", Basic())))


def test_schema_refuses_what_says_nothing() -> None:
    """An option of an option and a choice of one are mistakes."""
    with pytest.raises(UsageError, match="option of an option"):
        Option(Option(Basic()))
    with pytest.raises(UsageError, match="at least two"):
        Disjunction((Basic(),))


def test_schema_refuses_parts_that_are_no_schemas() -> None:
    """A schema is made of schemas."""
    with pytest.raises(UsageError, match="made of schemas"):
        SetOf("text")  # type: ignore[arg-type]


def test_set_and_option_of_the_same_are_different() -> None:
    """Equality looks at the kind of node."""
    nodes: set[Schema] = {SetOf(Basic()), Option(Basic())}
    assert len(nodes) == 2
