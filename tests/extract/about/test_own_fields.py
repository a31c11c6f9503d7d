"""Fields of one's own are found by labels, by the page's own data, by types and by looks; what is not there is null."""

import datetime
import json
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sightline as sl
from sightline.data import Thing

BIKE = """<!doctype html><html lang=en><title>Bike X1 | Velo</title>
<nav><a href=/>Home</a> <a href=/bikes>Bikes</a></nav><h1>Bike X1</h1><p>Price: $1,299.00</p>
<table><tr><th>Frame size</th><td>58 cm</td></tr><tr><th>Brake type</th><td>Disc</td></tr></table>
<dl><dt>Colours</dt><dd>red</dd><dd>blue</dd><dt>Released</dt><dd>3 March 2024</dd></dl>
<div><b>Manual:</b> <a href="/manual.html">Read it</a></div>
<script type="application/ld+json">{"@type": "Product", "name": "Bike X1",
"additionalProperty": [{"name": "Wheel diameter", "value": "28 in"}]}</script>"""


def asked(fields: str, html: str = BIKE) -> Thing:
    """A page as it is asked for fields."""
    return sl.about(
        sl.open(f"<!doctype html>{html}".encode(), static=True, url="https://velo.example/x1"), fields=fields
    )


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("name", "Bike X1"),
        ("price", "$1,299.00"),
        ("frame size", "58 cm"),
        ("frameSize", "58 cm"),
        ("brake_type", "Disc"),
        ("wheel diameter", "28 in"),
    ],
)
def test_a_field_is_found_by_its_name(field: str, text: str) -> None:
    """Headings, labelled texts, rows of tables and pairs of own data are found, however they are spelled."""
    assert asked(field)[field] == text


def test_a_part_of_a_thing_is_found_by_what_its_label_means() -> None:
    """Labels that mean the same in other words, and in other languages, count as near."""
    html = "<h1>Brot</h1><table><tr><th>Marke</th><td>Gut</td></tr><tr><th>Farbe</th><td>braun</td></tr></table>"
    html += "<h2>Zutaten</h2><ul><li>500 g Mehl<li>1 TL Salz</ul>"
    thing = asked("manufacturer, ingredients: texts", html)
    assert (thing["manufacturer"], thing["ingredients"]) == ("Gut", ["500 g Mehl", "1 TL Salz"])


def test_types_are_read_and_links_resolved() -> None:
    """Amounts, days and addresses have the values of their types."""
    thing = asked("price: money, released: date, manual: url")
    assert thing["price"] == Decimal("1299.00")
    assert thing["released"] == datetime.date(2024, 3, 3)
    assert thing["manual"] == "https://velo.example/manual.html"


def test_several_values_are_a_list() -> None:
    """A plural gives all values that stand together, and no others."""
    assert asked("colours: texts")["colours"] == ["red", "blue"]


def test_fields_keep_the_order_in_which_they_are_asked_for() -> None:
    """The fields are those asked for, in that order, with a place for what is seen and the path of what is said."""
    thing = asked("wheel diameter, frame size, name")
    assert list(thing.fields) == ["wheel diameter", "frame size", "name"]
    assert thing.fields["wheel diameter"][0].said == "json-ld 1: additionalProperty.0.value"
    assert thing.fields["wheel diameter"][0].value.origin is None
    assert thing.fields["frame size"][0].value.origin is not None


def test_what_is_not_there_is_null_and_the_nearest_is_proposed() -> None:
    """A field that the page does not have is null in JSON, with proposals that have text, XPath and box."""
    thing = asked("name, telephone: phone", "<title>Bee</title><h1>Bee</h1><p>Bees fly from flower to flower.")
    told = thing.to_json()
    assert thing["telephone"] is None
    assert told["fields"] == {"name": "Bee", "telephone": None}
    assert all(set(one) == {"text", "xpath", "box", "said"} for one in told["proposals"]["telephone"])


def test_what_is_required_and_missing_is_doubtful() -> None:
    """A required property that is not found is a doubt; one that is not required is none."""
    schema = {"type": "object", "properties": {"email": {"type": "string", "format": "email"}}}
    page = sl.open(
        b"<title>Bee</title><h1>Bee</h1><p>Bees fly from flower to flower.<p>They live in hives.", static=True
    )
    missing = sl.about(page, fields={**schema, "required": ["email"]})
    assert [doubt.field for doubt in missing.doubts] == ["email"]
    assert (sl.about(page, fields=schema)["email"], sl.about(page, fields=schema).doubts) == (None, ())


def test_what_does_not_fit_its_type_is_kept_and_doubtful() -> None:
    """A value that cannot be read as its type is kept as it is written, with a doubt and proposals."""
    thing = asked("price: money", "<title>Bee</title><h1>Bee</h1><p>Price: on request</p>")
    assert thing["price"] == "on request"
    assert "cannot be read as money" in thing.doubts[0].reason
    assert thing.proposals["price"]


def test_another_amount_than_the_page_says_is_doubtful() -> None:
    """If the page says another amount for machines than it shows, the field is doubtful and both are told."""
    said = '<script type="application/ld+json">{"@type": "Product", "name": "Bee", "price": "7.00"}</script>'
    thing = asked("price: money", f"<title>Bee</title><h1>Bee</h1><p>Price: $5.00</p>{said}")
    (doubt,) = [one for one in thing.doubts if "for machines" in one.reason]
    assert (doubt.field, doubt.said, doubt.seen) == ("price", "7.00", "$5.00")


def test_an_empty_page_has_nothing() -> None:
    """A page without a word has no values, no proposals and no error."""
    thing = asked("name, price: money, tags: texts", "")
    assert len(thing) == 0
    assert thing.to_json()["fields"] == {"name": None, "price": None, "tags": None}


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(["<td>", "<tr>", "<table>", "</table>", "<dd>", "<dt>x:", "<li>", "5 €", "name:", "&#0;"]))
)
def test_broken_markup_breaks_nothing(parts: list[str]) -> None:
    """Whatever the markup, every field that was asked for is answered."""
    thing = asked("name, price: money, sizes: texts", "".join(parts))
    assert list(thing.fields) == ["name", "price", "sizes"]


def test_data_that_lies_about_its_shape_breaks_nothing() -> None:
    """Pairs without names, names that are objects and endless texts in the page's own data are read past."""
    said = '{"a": [{"name": {"x": 1}, "value": 5}, {"value": [1, 2]}, {"name": "", "value": true}], "b": "%s"}' % (
        "w " * 20_000
    )
    thing = asked("a, b", f'<h1>Bee</h1><script type="application/ld+json">{said}</script>')
    assert list(thing.fields) == ["a", "b"]


def test_what_is_repeated_without_end_takes_no_square_of_time() -> None:
    """A page that shows one text thousands of times, and says it thousands of times, is read like any other."""
    said = json.dumps({"price": ["price 5 €"] * 3_000})
    thing = asked("price: money", "<p>price 5 €</p>" * 3_000 + f'<script type="application/ld+json">{said}</script>')
    assert thing["price"] == 5
