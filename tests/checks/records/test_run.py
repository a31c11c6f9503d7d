"""Runs: the columns of nested records, and which field of a profile is which."""

import pytest

from sightline.checks import PageRecords
from sightline.checks.records._run import matched_columns, run_of
from sightline.data import Basic, FieldProfile, Option, Profile, Records, TupleOf
from sightline.errors import UsageError


def test_columns_count_the_records_that_could_have_a_value() -> None:
    """Nested fields are counted by the records that they are in, and fields without any value are columns too."""
    schema = TupleOf((("a", Basic()), ("b", Option(Basic()))))
    run = run_of([PageRecords(Records([{"a": "1", "b": None}, {"a": "2", "b": None}], schema))])
    assert {name: (own.filled, own.holders) for name, own in run.columns.items()} == {"a": (2, 2), "b": (0, 2)}
    nested = run_of([PageRecords(Records([{"a": "1", "set": [{"c": ["x", "y"]}, {"c": None}]}]))])
    assert nested.columns["set.c"].texts == ["x", "y"]
    assert (nested.columns["set.c"].filled, nested.columns["set.c"].holders) == (1, 2)
    assert [(group.scope, len(group.records)) for group in nested.groups] == [("", 1), ("set", 2)]


def test_names_with_points_are_names() -> None:
    """A field whose own name has a point belongs to the records that have it."""
    run = run_of([PageRecords(Records([{"a.b": "1"}, {"a.b": "2"}]))])
    assert run.columns["a.b"].fill == 1.0


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("name", "price"), ["name", "price"]),
        (("items.name", "items.price", "total"), ["items.name", "items.price"]),
        (("other.name",), ["other.name"]),
        ((), []),
    ],
)
def test_fields_are_found_in_the_set_that_the_records_are_of(names: tuple[str, ...], expected: list[str]) -> None:
    """The profile of a list names its fields with the set before them; records have them without."""
    run = run_of([PageRecords(Records([{"name": "A", "price": "5"}]))])
    profile = Profile(fields=tuple(map(FieldProfile, names)))
    assert [own.name for _, own in matched_columns(run, profile)] == expected


def test_wrong_types_are_refused() -> None:
    """What was taken are records, from a page, with a verdict."""
    with pytest.raises(UsageError):
        PageRecords([{"a": "1"}])  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        PageRecords(Records([]), page="x.html")  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        PageRecords(Records([]), verdict="good")  # type: ignore[arg-type]
