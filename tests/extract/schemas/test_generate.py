"""The schema of a template: types, options, sets, records and alternatives."""

import pytest

from sightline.data import Basic, Option, SetOf, TupleOf

from .._templates import FOOT, learned, listed, listing, product, rules_of


def test_fields_have_the_type_of_their_values() -> None:
    """Money, measures, dates and numbers are told from the values of all pages."""

    def page(number: int) -> str:
        rows = [
            ("Price", f"{number}9 €"),
            ("Weight", f"{number}5 g"),
            ("Since", f"2020-01-1{number}"),
            ("Sold", f"{number}7"),
        ]
        return product(number, rows=rows)

    fields = dict(learned(map(page, range(1, 5))).schema.fields)  # type: ignore[union-attr]
    told = {name: str(fields[name]) for name in ("title", "Price", "Weight", "Since", "Sold")}
    assert told == {"title": "text", "Price": "money EUR", "Weight": "measure g", "Since": "date", "Sold": "number"}


def test_the_language_of_the_pages_counts() -> None:
    """A comma is what the language of most pages makes of it."""
    pages = [f"<html lang=de><body><h1>Ding {n}</h1><p>{n}.000,50</p>{FOOT}" for n in range(1, 5)]
    import sightline as sl

    wrapper = sl.induce([sl.open(page.encode(), static=True) for page in pages])
    assert wrapper.language == "de"
    records = wrapper.extract(sl.open(pages[0].encode(), static=True))
    assert 1000.5 in records.to_dicts(typed=True)[0].values()


def test_what_pages_lack_is_optional() -> None:
    """A field that some training pages did not have is an option, the others are not."""
    pages = [product(number, more=f"<i class=note>Note {number}</i>" if number % 2 else "") for number in range(4)]
    fields = dict(learned(pages).schema.fields)  # type: ignore[union-attr]
    assert isinstance(fields["note"], Option)
    assert isinstance(fields["title"], Basic)


def test_sets_of_values_and_of_records() -> None:
    """A set of texts is a set of a basic type, one of records a set of tuples."""

    def page(number: int) -> str:
        parts = listed(*(f"Part {number}{own}" for own in range(1 + number % 3)))
        likes = listed(
            *(f"<b>User {number}{own}</b> <i>{own + 1} stars</i>" for own in range(2 + number % 3)), tag="ol"
        )
        return product(number, more=f"<h2>Parts</h2>{parts}<h2>Reviews</h2>{likes}")

    fields = dict(learned(map(page, range(6))).records_of(None).schema.fields)  # type: ignore[union-attr]
    assert isinstance(fields["Parts"], SetOf)
    assert isinstance(fields["Parts"].item, Basic)
    assert isinstance(fields["Reviews"], SetOf)
    assert isinstance(fields["Reviews"].item, TupleOf)


def test_the_schema_of_a_list_page_is_that_of_its_items() -> None:
    """What is handed out is what the schema describes."""
    wrapper = learned(listing(number, 2 + number) for number in range(4))
    assert str(wrapper.schema) == "(title: text, price: money EUR, stock: text?)"


@pytest.mark.parametrize("count", [3, 12])
def test_records_comply_with_the_schema(count: int) -> None:
    """What a wrapper reads can be made into a checked set of records again."""
    wrapper = learned(listing(number, 2 + number) for number in range(4))
    from sightline.data import Records

    from .._templates import opened

    found = wrapper.extract(opened(listing(9, count))[0])
    assert Records(list(found), found.schema).to_dicts() == found.to_dicts()


def test_a_list_with_one_field_is_no_list_page() -> None:
    """A set of single values is a field of the page, which is one record."""
    pages = [f"<h1>Thing</h1>{listed(*(f'Part {n}{own}' for own in range(n)))}{FOOT}" for n in (2, 3, 4, 5)]
    assert rules_of(learned(pages)).each == ("",)


def test_alternatives_of_one_name_are_a_disjunction() -> None:
    """Merged fields of different types are one field that is either."""
    wrapper = learned(map(product, range(4))).merge("Price", "Weight", into="fact")
    assert str(dict(wrapper.schema.fields)["fact"]) == "[money EUR | measure g]"  # type: ignore[union-attr]
