"""Records: named, nested, frozen."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Origin, Record, Value
from sightline.errors import UsageError

NAMES = st.text(min_size=1, max_size=8)
FIELDS = st.recursive(
    st.none() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


def test_record_keeps_the_order_of_its_fields() -> None:
    """Fields stay as they were given."""
    assert list(Record({"b": "1", "a": "2"})) == ["b", "a"]


def test_record_tells_not_found_from_empty() -> None:
    """None and an empty text are different answers."""
    record = Record({"found": "", "not found": None})
    assert record.to_dict() == {"found": "", "not found": None}
    assert record.text("found") == ""
    assert record.text("not found") is None


def test_record_is_hashable_and_equal_by_content() -> None:
    """Records with the same fields are equal, nested ones too."""
    first, second = (Record({"a": [{"b": "1"}]}) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)


def test_record_refuses_assignment() -> None:
    """A record has no item assignment."""
    with pytest.raises(TypeError):
        Record({"a": "1"})["a"] = Value("2")  # type: ignore[index]


def test_record_refuses_double_names() -> None:
    """Two fields of one name would lose one of them."""
    with pytest.raises(UsageError, match="two fields named 'a'"):
        Record([("a", "1"), ("a", "2")])


@pytest.mark.parametrize("name", ["", 5, None])
def test_record_refuses_names_that_are_not_texts(name: object) -> None:
    """A field without a name cannot be exported."""
    with pytest.raises(UsageError, match="name of a field"):
        Record([(name, "1")])  # type: ignore[list-item]


def test_record_refuses_bare_numbers() -> None:
    """Typed values come inside a Value, with the text that was seen."""
    with pytest.raises(UsageError, match="Field 'a' is a int"):
        Record({"a": 5})


def test_record_with_origins_has_the_names_of_the_contract() -> None:
    """Each value has text, value, xpath and box."""
    record = Record({"a": Value("5 kg", 5.0, Origin("p", (7,), (1.0, 2.0, 3.0, 4.0)))})
    expected = {"text": "5 kg", "value": 5.0, "xpath": "/p[7]", "box": [1.0, 2.0, 3.0, 4.0]}
    assert record.to_dict(origins=True, xpath=lambda origin: f"/p[{origin.nodes[0]}]") == {"a": expected}


def test_record_with_origins_has_null_for_no_box() -> None:
    """A box that was never laid out is null, not NaN."""
    nan = float("nan")
    record = Record({"a": Value("x", None, Origin("p", (7,), (nan, nan, nan, nan)))})
    assert record.to_dict(origins=True)["a"]["box"] is None


def test_record_survives_pickling() -> None:
    """Workers in other processes get the same record."""
    record = Record({"a": [{"b": "1"}], "c": None})
    assert pickle.loads(pickle.dumps(record)) == record


def test_record_shows_itself_escaped() -> None:
    """A notebook never runs what a page said."""
    html = Record({"<i>": "<script>", "list": [str(number) for number in range(99)]})._repr_html_()
    assert "<script>" not in html
    assert "&lt;i&gt;" in html
    assert "… 89 more" in html


@given(st.dictionaries(NAMES, FIELDS, max_size=4))
def test_record_gives_back_what_it_was_made_of(fields: dict[str, object]) -> None:
    """A record of plain texts, lists and dicts turns into them again."""
    assert Record(fields).to_dict() == fields
