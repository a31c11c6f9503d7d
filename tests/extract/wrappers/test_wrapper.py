"""The wrapper as one value: what it shows of itself, and pages of several templates."""

import pytest

import sightline as sl
from sightline.data import Disjunction
from sightline.testing import shop_pages

from .._templates import FOOT, learned, lenses, listing, opened, product, read, rules_of


@pytest.fixture(scope="module")
def both() -> sl.Wrapper:
    """A wrapper for products and lists."""
    return learned([*map(product, range(4)), *(listing(number, 3 + number) for number in range(4))])


def test_a_wrapper_shows_itself_in_a_line() -> None:
    """Fields and pages are counted."""
    assert repr(sl.induce(shop_pages(4))) == "<Wrapper 3 fields, learned from 4 of 4 pages>"


def test_the_outline_has_a_line_for_each_field() -> None:
    """Names, types and an example are there to be read."""
    lines = sl.induce(shop_pages(4)).outline().splitlines()
    assert lines == ["title: text  “Camera 0”", "Price: money EUR  “100 €”", "Weight: optional measure g  “500 g”"]


def test_long_examples_are_cut() -> None:
    """An outline stays short."""
    wrapper = learned(f"<h1>Thing {number}</h1><p>{'very ' * 50}{number}</p>" for number in range(4))
    assert all(len(line) < 100 for line in wrapper.outline().splitlines())


def test_sets_are_indented_in_the_outline() -> None:
    """The fields of records stand under their set."""
    wrapper = learned(listing(number, 3 + number) for number in range(4)).records_of(None)
    lines = wrapper.outline().splitlines()
    place = next(number for number, line in enumerate(lines) if line.endswith("set of records"))
    assert [line.partition(":")[0] for line in lines[place + 1 : place + 4]] == ["  title", "  price", "  stock"]


def test_pages_of_two_templates_are_both_read(both: sl.Wrapper) -> None:
    """Each page is read by the template that it is of."""
    assert len(rules_of(both).templates) == 2
    assert read(both, listing(9, 3)) == lenses(9, 3)
    assert read(both, product(9)) == [{"title": "Camera 9", "Price": "99 €", "Weight": "950 g"}]
    assert {both.read(page).template for page in opened(product(8), listing(8, 4))} == {0, 1}


def test_the_schema_of_two_templates_is_either(both: sl.Wrapper) -> None:
    """A page is the one or the other; all fields are named."""
    assert isinstance(both.schema, Disjunction)
    assert len(both.schema.children) == 2
    assert {"Price", "Weight"} <= set(both.fields)
    assert both.outline().count("\n\n") == 1


def test_a_page_of_neither_template_is_refused(both: sl.Wrapper) -> None:
    """What is of none of the templates is of none."""
    with pytest.raises(sl.errors.VerificationError):
        both.extract(opened("<article><p>News</p></article>")[0])


def test_a_wrapper_is_never_changed() -> None:
    """Mending gives a new wrapper and leaves the old one as it was."""
    wrapper = sl.induce(shop_pages(4))
    before = wrapper.dumps()
    wrapper.rename("Price", "cost")
    wrapper.drop("Weight")
    wrapper.merge("Price", "Weight")
    wrapper.records_of(None)
    assert wrapper.dumps() == before
    with pytest.raises(AttributeError):
        wrapper.rendered = True  # type: ignore[misc]


def test_values_that_come_several_times_widen_the_schema() -> None:
    """Where a single value came twice on a page, the records of that page say that it may be a set."""

    def page(number: int, authors: int) -> str:
        names = "".join(f"<p class=author>Author {number}{own}</p>" for own in range(authors))
        return f"<h1>Book {number}</h1><div>{names}<p class=date>May {number}</p></div><footer>Books</footer>"

    wrapper = learned(page(number, 1) for number in range(4))
    one, two = (wrapper.extract(own) for own in opened(page(9, 1), page(9, 2)))
    assert str(dict(one.schema.fields)["author"]) == "text"
    assert str(dict(two.schema.fields)["author"]) == "{text}"
    assert two.to_dicts()[0]["author"] == ["Author 90", "Author 91"]


def test_records_of_pages_can_be_exported() -> None:
    """What is read is a set of records like any other."""
    records = sl.induce(shop_pages(4)).extract(shop_pages(5)[4])
    assert records.to_dicts(typed=True)[0]["title"] == "Camera 4"
    assert records.language == "en" or records.language is None


@pytest.mark.parametrize("deep", [100, 140, 200])
def test_wrappers_of_deep_pages_are_kept_and_mended(deep: int) -> None:
    """However deep a page is that can be learned from, its wrapper can be written, loaded and changed."""
    body = "{}<p>Name {}</p><b>{} €</b>{}{}"
    wrapper = learned(body.format("<div>" * deep, own, own, "</div>" * deep, FOOT) for own in range(4))
    assert sl.Wrapper.loads(wrapper.dumps()).fields == wrapper.fields
    assert wrapper.rename(wrapper.fields[0], "x").fields[0] == "x"


@pytest.mark.parametrize("around", ["<div>{}</div>", "<div class=box>{}</div>", "<section><div>{}</div></section>"])
def test_a_part_that_stands_in_another_place_is_read(around: str) -> None:
    """A table by labels is found by them, also where a page puts another element around it."""
    start, mark, end = product(9).partition("<table>")
    inside, close, rest = end.partition("</table>")
    moved = start + around.replace("{}", mark + inside + close) + rest
    found = read(learned(map(product, range(5))), moved)
    assert found == [{"title": "Camera 9", "Price": "99 €", "Weight": "950 g"}]


def test_types_learned_from_pages_are_decided_anew_on_others() -> None:
    """A wrapper that saw postcodes as numbers keeps a zero in front, and a code with a hyphen, as they are."""

    def page(number: int, code: str) -> sl.Page:
        facts = f"<p>Postal: <b>{code}</b></p><p>Area: <b>{number}5 m²</b></p><footer>Imprint and more</footer>"
        return sl.open(f"<!doctype html><title>Shop {number}</title><h1>Shop {number}</h1>{facts}", static=True)

    wrapper = sl.induce([page(1, "90210"), page(2, "10115"), page(3, "60601")])
    assert "Postal: number" in str(wrapper.schema)
    for code in ("04103", "12345-6789"):
        records = wrapper.extract(page(4, code))
        assert records.to_dicts(typed=True) == [{"title": "Shop 4", "Postal": code, "Area": 45.0}]
        assert records.to_pandas()["Postal"].tolist() == [code]
