"""Columns that have moved: by what they look like, where they stand, and by saying the same twice."""

from dataclasses import replace

from sightline.checks import PageRecords, check_records, profile_of_run
from sightline.data import Record, Records, Value

from ._shop import FIELDS, run_of_pages


def _moved(taken: PageRecords, moves: dict[str, str], *, in_place: bool = False) -> PageRecords:
    def of(record: Record, name: str) -> Value:
        found, place = record[moves.get(name, name)], record[name]
        assert isinstance(found, Value)
        assert isinstance(place, Value)
        return replace(found, origin=place.origin) if in_place else found

    return replace(taken, records=Records([{name: of(record, name) for name in FIELDS} for record in taken.records]))


def test_columns_moved_by_one_are_told() -> None:
    """Names are prices, prices pieces, pieces names: whether the wrapper took them or the site shows them so."""
    run = run_of_pages()
    moves = dict(zip(FIELDS, (*FIELDS[1:], FIELDS[0]), strict=True))
    for in_place in (False, True):
        planted = [_moved(own, moves, in_place=in_place) for own in run]
        assert check_records(planted, profile_of_run(run)).of("shift")


def test_two_columns_that_changed_places_are_told_by_name() -> None:
    """The reason names the other field, and the issue the first of them."""
    run = run_of_pages()
    planted = [_moved(own, {"name": "stock", "stock": "name"}) for own in run]
    [issue] = check_records(planted, profile_of_run(run)).of("shift")
    assert {issue.field} <= {"name", "stock"}
    assert "stock" in issue.reason or issue.field == "stock"
    assert check_records(run, profile_of_run(run)).of("shift") == ()


def test_columns_that_look_alike_are_told_by_their_places() -> None:
    """Two prices look the same; what stood in one element and stands in the other has moved."""
    run = [_doubled(own) for own in run_of_pages()]
    planted = [_exchanged(own) for own in run]
    [issue] = check_records(planted, profile_of_run(run)).of("shift")
    assert "stand where" in issue.reason
    assert check_records(run, profile_of_run(run)).verdict == "ok"


def test_a_field_that_repeats_another_is_told() -> None:
    """The wrapper takes the neighbour's node for both."""
    run = [_doubled(own) for own in run_of_pages()]
    planted = [
        replace(own, records=Records([record.replace(old=record["name"]) for record in own.records])) for own in run
    ]
    assert any(issue.field == "old" for issue in check_records(planted, profile_of_run(run)).of("shift"))


def _doubled(taken: PageRecords) -> PageRecords:
    """With the number of pieces as a second name: another value of the same look, in another element."""
    records = []
    for record in taken.records:
        stock, name = record["stock"], record["name"]
        assert isinstance(stock, Value)
        assert isinstance(name, Value)
        records.append(Record({"name": name, "old": replace(stock, text=f"{name.text[:-1]}{stock.text[0]}x")}))
    return replace(taken, records=Records(records))


def _exchanged(taken: PageRecords) -> PageRecords:
    return replace(taken, records=Records([{"name": own["old"], "old": own["name"]} for own in taken.records]))
