"""Rows that are told apart by their labels, in whatever order they come, and rows that are records."""

from collections.abc import Callable
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.extract.schemas import InduceSettings

from .._templates import FOOT, learned, listed, product, read, sentence, table

Rows = list[tuple[str, str]]
LABELS = ("Price", "Weight", "Colour", "Maker", "Zoom")


def _terms(rows: Rows) -> str:
    return "<dl>" + "".join(f"<dt>{label}</dt><dd>{value}</dd>" for label, value in rows) + "</dl>"


def _lines(rows: Rows) -> str:
    return "<div>" + "".join(f"<p><b>{label}:</b> {value}</p>" for label, value in rows) + "</div>"


def _breaks(rows: Rows) -> str:
    return "<p>" + "<br>".join(f"<b>{label}:</b> {value}" for label, value in rows) + "</p>"


FORMS = {"table": table, "terms": _terms, "lines": _lines, "breaks": _breaks}


def _page(number: int, form: str, labels: tuple[str, ...] | list[str]) -> str:
    rows = [(label, f"{label.lower()} {number}") for label in labels]
    return f"<h1>Camera {number}</h1>{FORMS[form](rows)}{FOOT}"


def _said(number: int, labels: tuple[str, ...] | list[str]) -> dict[str, str]:
    return {"title": f"Camera {number}"} | {label: f"{label.lower()} {number}" for label in labels}


TRAINING = (
    ("Price", "Weight", "Colour"),
    ("Weight", "Price"),
    ("Colour", "Weight", "Price"),
    ("Price", "Colour", "Weight"),
)


@pytest.mark.parametrize("form", FORMS)
def test_rows_are_read_by_their_label(form: str) -> None:
    """In a table, a list of terms or a line each: what stands behind a label is its value, in any order of rows."""
    wrapper = learned(_page(number, form, labels) for number, labels in enumerate(TRAINING))
    assert {"title", "Price", "Weight", "Colour"} <= set(wrapper.fields)
    for order in permutations(TRAINING[0]):
        assert read(wrapper, _page(9, form, order)) == [_said(9, order)]


@pytest.mark.parametrize("form", FORMS)
def test_rows_that_come_and_go_are_optional(form: str) -> None:
    """A row that some pages lack is an option of the schema; a page without it is in order."""
    wrapper = learned(_page(number, form, labels) for number, labels in enumerate(TRAINING))
    assert str(dict(wrapper.schema.fields)["Colour"]).endswith("?")  # type: ignore[union-attr]
    assert read(wrapper, _page(9, form, ("Price", "Weight"))) == [_said(9, ("Price", "Weight"))]


@pytest.mark.slow
@settings(max_examples=25)
@given(st.permutations(LABELS), st.lists(st.permutations(LABELS), min_size=3, max_size=4))
def test_the_order_of_rows_never_matters(order: list[str], training: list[list[str]]) -> None:
    """Whatever orders a wrapper was learned from, any further order gives the same values in the same fields."""
    wrapper = learned(_page(number, "table", labels) for number, labels in enumerate(training))
    assert read(wrapper, _page(9, "table", order)) == [_said(9, order)]


@pytest.mark.parametrize(
    "labels",
    [("1999", "2000", "2001"), ("Jan 1", "Feb 2", "Mar 3"), ("1/5", "2/5", "3/5")],
    ids=["years", "dates", "days"],
)
def test_dates_and_numbers_are_no_labels(labels: tuple[str, ...]) -> None:
    """Rows that begin with a date are records of a date and what happened."""
    parts = (labels[:2], labels[1:], labels[::-1], labels[::2])
    pages = [
        f"<h1>Team</h1>{table([(label, f'Result {number} {label}') for label in own])}{FOOT}"
        for number, own in enumerate(parts)
    ]
    wrapper = learned(pages)
    found = read(wrapper, f"<h1>Team</h1>{table([(label, f'Result 9 {label}') for label in labels])}{FOOT}")
    assert [list(record.values()) for record in found] == [[label, f"Result 9 {label}"] for label in labels]


def test_a_constant_value_beside_a_label_is_a_field() -> None:
    """What never changed so far is still data where it stands beside a label."""
    wrapper = learned(product(number, rows=[("Price", f"{number} €"), ("Maker", "Canon")]) for number in (1, 2, 3))
    (record,) = read(wrapper, product(4, rows=[("Price", "4 €"), ("Maker", "Nikon")]))
    assert record == {"title": "Camera 4", "Price": "4 €", "Maker": "Nikon"}


def test_headings_name_what_follows_them() -> None:
    """Sections under headings that pages share are fields, with whatever stands in them, and may be missing."""
    forms = ("<p>{}</p>", "<p>{}</p><p>{} <b>{}</b></p>", "<p>{}</p><ul><li>{}<li>{}</ul>", "{}<br>{}")

    def page(number: int, heads: tuple[str, ...]) -> str:
        parts = []
        for place, head in enumerate(heads):
            form = forms[(number + place) % 4]
            for part in range(form.count("{}")):
                form = form.replace("{}", sentence(100 * number + 10 * place + part), 1)
            parts.append(f"<h2>{head}</h2>{form}")
        return f"<h1>Thing {number}</h1>{''.join(parts)}{FOOT}"

    wrapper = learned(page(number, ("Story", "Care") if number != 2 else ("Care",)) for number in range(5))
    assert set(wrapper.fields) >= {"title", "Story", "Care"}
    (record,) = read(
        wrapper, f"<h1>New</h1><h2>Care</h2><p>{sentence(990)}</p><h2>Story</h2><p>{sentence(991)}</p>{FOOT}"
    )
    assert record == {"title": "New", "Care": sentence(990), "Story": sentence(991)}


def test_a_row_with_several_values_has_them_all() -> None:
    """Links behind one label are all values of it."""
    pages = [
        product(number, rows=[("By", ", ".join(f"<a href=/{own}>Author {number}{own}</a>" for own in range(number))),
                              ("Price", f"{number} €")])
        for number in (1, 2, 3, 4)
    ]  # fmt: skip
    (record,) = read(
        learned(pages), product(9, rows=[("Price", "9 €"), ("By", "<a>One</a>, <a>Two</a> and <a>Three</a>")])
    )
    assert record == {"title": "Camera 9", "Price": "9 €", "By": ["One", "Two", "Three"]}


def test_the_rule_can_be_left_out() -> None:
    """Without labels the rows of a table are a set like any other."""
    pages = [_page(number, "table", labels) for number, labels in enumerate(TRAINING)]
    assert "Price" in learned(pages).fields
    assert "Price" not in learned(pages, InduceSettings(without=("rows",))).fields


def test_rows_with_unknown_labels_are_kept() -> None:
    """A row whose label no training page had comes with its label, beside those that are known."""
    wrapper = learned(_page(number, "table", TRAINING[0]) for number in range(4))
    (record,) = read(wrapper, _page(9, "table", (*TRAINING[0], "Sensor")))
    assert record == _said(9, TRAINING[0]) | {"more": [{"label": "Sensor", "value": "sensor 9"}]}


PEOPLE = ("Anna", "Boris", "Clara", "David", "Emma", "Felix")  # each of them is on two of four pages
PRESENT = tuple(combinations(range(4), 2))


def _points(people: list[str], number: int) -> str:
    return table([(who, f"{number}{place} points", f"Round {place}") for place, who in enumerate(people)])


def _comments(people: list[str], number: int) -> str:
    said = (f"<b>{who}</b><p>{sentence(10 * number + place)}</p>" for place, who in enumerate(people))
    return f"<div>{''.join(f'<div class=comment>{own}</div>' for own in said)}</div>"


def _remarks(people: list[str], number: int) -> str:
    return listed(*(f"<b>{who}</b> {sentence(10 * number + place)}" for place, who in enumerate(people)))


@pytest.mark.parametrize("form", [_points, _comments, _remarks])
def test_people_that_come_again_are_no_labels(form: Callable[[list[str], int], str]) -> None:
    """Who is on two of four pages, in the first cell or in bold, is a value of a record and no name of a field."""

    def page(number: int, people: list[str]) -> str:
        return f"<h1>Thing {number}</h1>{form(people, number)}{FOOT}"

    wrapper = learned(
        page(number, [who for who, own in zip(PEOPLE, PRESENT, strict=True) if number in own]) for number in range(4)
    )
    assert not any(who in name for who in PEOPLE for name in wrapper.fields)
    found = read(wrapper, page(9, ["Gina", "Anna", "Felix"]))
    assert [next(iter(record.values())) for record in found] == ["Gina", "Anna", "Felix"]
    assert {len(record) for record in found} == {3 if form is _points else 2}
