"""The tolerant reader of JSON and of object literals."""

import json
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.page.own_data._literals import read_literal, unescaped

SAFE_INTEGER = 10**17
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-SAFE_INTEGER, SAFE_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=30,
)
CONTAINERS = st.lists(JSON) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON)


@given(CONTAINERS, st.booleans())
def test_json_is_read_as_it_was_written(value: Any, ascii_only: bool) -> None:
    """What `json` writes is read back, wholly and with nothing unknown."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    literal = read_literal(text)
    assert (literal.value, literal.end, literal.is_whole, literal.unknown) == (value, len(text), True, 0)


@given(CONTAINERS)
def test_layout_and_commas_change_nothing(value: Any) -> None:
    """Line ends between tokens say nothing."""
    assert read_literal(json.dumps(value, indent=1)).value == value


@given(st.text(alphabet="{}[]:,\"'`\\/*!01ab$ \n-.;&<>()=u", max_size=60) | st.text(max_size=60))
def test_nothing_raises(text: str) -> None:
    """Whatever stands there, something or nothing is read, and never from beyond the text."""
    for start in range(min(len(text), 3) + 1):
        assert start <= read_literal(text, start).end <= len(text)


@given(CONTAINERS, st.integers(0, 200))
def test_a_broken_end_is_no_reason_to_read_nothing(value: Any, length: int) -> None:
    """The beginning of JSON gives the beginning of the value."""
    text = json.dumps(value)
    part = read_literal(text[:length])
    assert part.is_whole or type(part.value) in (type(value), type(None))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a: 1, 'b': \"two\", c: [1,,2,],}", {"a": 1, "b": "two", "c": [1, 2]}),
        ("{/* one */ a: 1, // two\n b: .5, c: 0x1F, d: +3}", {"a": 1, "b": 0.5, "c": 31, "d": 3}),
        ("{a: undefined, b: NaN, c: !0, d: !1, e: null}", {"a": None, "b": None, "c": True, "d": False, "e": None}),
        (r"{a: 'it\'s', b: `x`, c: '\x41\u{1F41D}\u00e9'}", {"a": "it's", "b": "x", "c": "A🐝é"}),
        ('{"a": "raw\nline", "b": "tab\there"}', {"a": "raw\nline", "b": "tab\there"}),
        ('{"a": "she said "hi" to me", "b": 2}', {"a": 'she said "hi" to me', "b": 2}),
        ("{1: 'x', $y: 'z', true: 1}", {"1": "x", "$y": "z", "true": 1}),
        ('{"a": [1, 2}', {"a": [1, 2]}),
        ('{"a": 1]}', {"a": 1}),
        ("<!--\n{a: 1}\n-->", None),
    ],
)
def test_what_pages_write(text: str, value: Any) -> None:
    """Literals of JavaScript, and the mistakes in JSON that pages make."""
    assert read_literal(text, text.find("{") if value is None else 0).value == (value or {"a": 1})


@pytest.mark.parametrize(
    ("text", "value", "unknown"),
    [
        ("{a: now(), b: 2}", {"a": None, "b": 2}, 1),
        ("{a: x.y[0] || {b: 1}, c: 3}", {"a": None, "c": 3}, 1),
        ("{a: new Date('2020-01-01'), b: -x}", {"a": None, "b": None}, 2),
        ("[1 + 2, 'a' + b, 'c'.d, 3]", [None, None, None, 3], 3),
    ],
)
def test_expressions_are_unknown(text: str, value: Any, unknown: int) -> None:
    """What would have to be executed is passed over and counted."""
    literal = read_literal(text)
    assert (literal.value, literal.unknown, literal.is_whole) == (value, unknown, True)


@pytest.mark.parametrize("text", ["{a: function () { return 1; }}", "{run() {}}", "{a: x => x}", "{a, b}"])
def test_code_is_not_read(text: str) -> None:
    """Functions make an object code."""
    assert not read_literal(text).is_whole


def test_variables_have_the_values_that_are_given() -> None:
    """The names that a function binds."""
    assert read_literal("{x: a, y: [b, c]}", names={"a": 1, "b": "two"}).value == {"x": 1, "y": ["two", None]}


@pytest.mark.parametrize("text", [r"\ud83d\udc1d", r"\u{1F41D}"])
def test_characters_beyond_the_first_plane(text: str) -> None:
    """Pairs of surrogates are one character."""
    assert unescaped(text) == "🐝"


HOSTILE = {
    "open brackets": "[",
    "open objects": '{"a":',
    "quotes": '"',
    "quotes and blanks": '{"a": "" "" ',
    "single quotes": "['a' ",
    "backslashes": '{"a": "\\\\',
    "comments": "/*",
    "closing": "{}]",
    "mismatched": "[{]",
    "unknown": "[x(",
    "commas": "[,",
    "blanks": '{"a" \n\n\n',
    "entities": '["&amp;&quot',
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_time_is_linear(piece: str) -> None:
    """Anything takes about as long as JSON of its length."""
    began = process_time()
    read_literal(piece * (200_000 // len(piece)))
    read_literal("[" + piece * (200_000 // len(piece)))
    assert process_time() - began < 5
