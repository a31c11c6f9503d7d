"""Fields are asked for by names or by a JSON Schema; a mistake is told with what to write instead."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import UsageError
from sightline.extract.about import AskedField, asked_text, parse_asked
from sightline.extract.about._asked import PLURAL, SINGULAR

NAMES = st.text(st.characters(categories=["Ll", "Lu"], exclude_characters=":,"), min_size=1, max_size=12)


def test_names_have_types_and_plurals_ask_for_several_values() -> None:
    """A name may have a type; a plural asks for several values of it; blanks do not matter."""
    assert parse_asked(" name , price:money,frame  size : text, phones: Phones") == (
        AskedField("name"),
        AskedField("price", "money"),
        AskedField("frame size", "text"),
        AskedField("phones", "phone", many=True),
    )


def test_concepts_are_no_words_of_a_name() -> None:
    """What a word means is known apart from it, so that `contact name` ends with a word for names."""
    field = AskedField("contact name")
    assert (field.words, field.is_name) == (("contact", "name"), True)
    assert AskedField("Preis").concepts == AskedField("price").concepts == ("#price",)


def test_a_schema_gives_names_types_lists_and_what_is_required() -> None:
    """Of a JSON Schema the names, titles, types, formats, arrays and required properties are used."""
    schema = {
        "type": "object",
        "required": ["title"],
        "properties": {
            "title": {"type": "string"},
            "published": {"type": ["string", "null"], "format": "date"},
            "cost": {"type": "number", "format": "money"},
            "pages": {"anyOf": [{"type": "null"}, {"type": "integer"}], "title": "Number of pages"},
            "authors": {"type": "array", "items": {"type": "string"}},
            "anything": True,
        },
    }
    assert parse_asked(asked_text(schema)) == (
        AskedField("title", "text", required=True),
        AskedField("published", "date"),
        AskedField("cost", "money"),
        AskedField("pages", "number", title="Number of pages"),
        AskedField("authors", "text", many=True),
        AskedField("anything"),
    )
    assert parse_asked(asked_text(schema))[3].words == ("number", "of", "pages")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("", "No field is asked for"),
        ("  ", "No field is asked for"),
        ("name,,price", "has no name"),
        ("name, : money", "has no name"),
        ("price: cash", "There is no type 'cash' for the field 'price'; use text, money, number"),
        ("price:", "There is no type ''"),
        ("name, price, Name", "'Name' is asked for twice"),
        ("!!!", "has no word to look for"),
        ("x" * 81, "longer than 80 characters"),
        (", ".join(f"field {letter}{other}" for letter in "abcdefghijk" for other in "abcdefghij"), "at most 100"),
        ("{not json", "is no JSON"),
        ('{"type": "array"}', "must describe an object with properties"),
        ('{"properties": []}', "must describe an object with properties"),
        ('{"properties": {}}', "No field is asked for"),
        ('{"properties": {"a": {"type": "object", "properties": {}}}}', "fields are flat"),
        ('{"properties": {"a": {"$ref": "#/$defs/a"}}}', "fields are flat"),
        ('{"properties": {"a": {"type": "array", "items": {"type": "array"}}}}', "a list of lists"),
        ('{"properties": {"a": 5}}', "must be an object, not 5"),
        ('{"properties": {"a": {}}, "required": "a"}', "must be a list of names"),
        ('{"properties": {"a": {}}, "required": ["b"]}', "requires 'b', which is none of its properties"),
    ],
)
def test_a_mistake_says_what_is_wrong_and_what_to_write(asked: str, told: str) -> None:
    """Every mistake is one sentence that names what is wrong."""
    with pytest.raises(UsageError, match=r"\w") as raised:
        parse_asked(asked)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_schema_is_a_mapping() -> None:
    """What is neither a text nor a mapping is refused, and so is what JSON cannot have."""
    wrong: Any = ["name"]
    with pytest.raises(UsageError, match="by names in a text, or by a JSON Schema"):
        asked_text(wrong)
    with pytest.raises(UsageError, match="cannot have"):
        asked_text({"properties": {"a": {"default": object()}}})


@given(st.dictionaries(NAMES, st.sampled_from([*SINGULAR, *PLURAL, ""]), min_size=1, max_size=8))
def test_every_list_of_names_comes_back_in_its_order(fields: dict[str, str]) -> None:
    """Names keep their order and their types, whatever they are called."""
    if len({name.casefold() for name in fields}) < len(fields):
        return
    asked = parse_asked(", ".join(f"{name}: {type}" if type else name for name, type in fields.items()))
    assert [one.name for one in asked] == list(fields)
    for one, type in zip(asked, fields.values(), strict=True):
        assert (one.type, one.many) == (SINGULAR.get(type) or PLURAL.get(type), type in PLURAL)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Any text asks for at least one field, each with words and once, or is refused with advice."""
    try:
        asked = parse_asked(text)
    except UsageError:
        return
    assert asked
    assert all(one.words for one in asked)
    assert len({one.name.casefold() for one in asked}) == len(asked)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["type", "properties", "items", "anyOf", "title", "required", "a"]), inner
            )
        ),
        max_leaves=12,
    ).filter(lambda value: isinstance(value, dict))
)
def test_any_json_is_a_schema_or_refused(schema: dict[str, Any]) -> None:
    """No JSON object breaks the reading of schemas."""
    try:
        parse_asked(json.dumps(schema))
    except UsageError as error:
        assert "\n" not in str(error)
