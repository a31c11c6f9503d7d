"""Fields that are empty where they were not, and pages that have hardly any of their fields."""

from dataclasses import replace

from sightline.checks import PageRecords, check_records, profile_of_run
from sightline.data import Record, Records

from ._shop import run_of_pages


def _without(taken: PageRecords, *names: str) -> PageRecords:
    records = [
        Record({name: None if name in names else own for name, own in record.items()}) for record in taken.records
    ]
    return replace(taken, records=Records.trusted(records, taken.records.schema), page=None)


def test_a_field_that_was_always_there_and_is_gone_is_told() -> None:
    """The field has a name, and how many have it now and had it then."""
    run = run_of_pages()
    [issue] = check_records([_without(own, "price") for own in run], profile_of_run(run)).of("fill")
    assert (issue.field, issue.severity) == ("price", "suspicious")
    assert "0 of 32 records" in issue.reason


def test_fields_that_are_sometimes_there_may_be_missing() -> None:
    """A field that half of the good records had says nothing when other records lack it."""
    run = run_of_pages()
    half = [own if number % 2 else _without(own, "stock") for number, own in enumerate(run)]
    assert check_records([_without(run[0], "stock")], profile_of_run(half)).of("fill") == ()


def test_of_three_pages_nobody_knows_which_fields_others_lack() -> None:
    """Other pages may lack what three pages had, and some what five had; if all of many lack that, it is told."""
    pages = [
        PageRecords(Records([{"name": f"Camera {number}", "weight": f"{number} g", "price": "5 €"}]))
        for number in range(20)
    ]
    three, five = profile_of_run(pages[:3]), profile_of_run(pages[:5])
    some = [_without(own, "weight") if number < 5 else own for number, own in enumerate(pages)]
    none = [_without(own, "weight") for own in pages]
    assert check_records(some, five).of("fill") == ()
    assert check_records(none, three).of("fill") == ()
    assert check_records(none, five).of("fill")


def test_a_page_with_hardly_any_field_is_another_page() -> None:
    """One of three fields: a wall in unknown words, whose heading was taken for the name."""
    pages = [
        PageRecords(Records([{"name": f"Camera {own}", "weight": f"{own} g", "price": "5 €"}])) for own in range(6)
    ]
    profile = profile_of_run(pages[:3])
    wall = replace(_without(pages[3], "weight", "price"), source="wall.html")
    [issue] = check_records([pages[4], pages[5], wall], profile).of("fill")
    assert issue.source == "wall.html"
    assert "1 of the 3 fields" in issue.reason
