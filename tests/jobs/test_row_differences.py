"""What differs between the rows of two runs."""

import pytest

from sightline.data import Column, Value
from sightline.errors import UsageError
from sightline.jobs import row_differences


def _columns(**columns: list[str | None]) -> list[Column]:
    return [
        Column(name, tuple(None if text is None else Value(text) for text in texts)) for name, texts in columns.items()
    ]


def test_rows_are_matched_by_the_column_that_tells_them_apart() -> None:
    """Not by one that repeats, nor by one that changes more."""
    old = _columns(kind=["a", "a", "a"], name=["x", "y", "z"], price=["1", "2", "3"])
    new = _columns(kind=["a", "a", "a"], name=["z", "y", "w"], price=["4", "2", "5"])
    found = row_differences(old, new)
    assert (found.key, found.added, found.removed, found.changed, found.same) == ("name", 1, 1, 1, 1)
    changed = next(row for row in found.rows if row.kind == "changed")
    assert changed.fields == ("price",)
    assert changed.before is not None
    assert changed.after is not None
    assert (changed.before["price"], changed.after["price"]) == ("3", "4")


def test_without_such_a_column_whole_rows_are_compared() -> None:
    """As often as each comes."""
    found = row_differences(_columns(a=["x", "x", "y"]), _columns(a=["x", "y", "y"]))
    assert (found.key, found.added, found.removed, found.changed, found.same) == (None, 1, 1, 0, 2)


def test_a_column_that_only_one_run_has_does_not_count() -> None:
    """A field that was added later is no difference of all rows."""
    found = row_differences(_columns(name=["x", "y"]), _columns(name=["x", "y"], more=["1", "2"]))
    assert found.same == 2


def test_a_key_can_be_named() -> None:
    """One that is not in both is an error."""
    old, new = _columns(a=["x", "y"], b=["1", "2"]), _columns(a=["x", "z"], b=["1", "2"])
    assert row_differences(old, new, "b").changed == 1
    with pytest.raises(UsageError, match="compare by one of a, b"):
        row_differences(old, new, "c")


def test_nothing_differs_from_nothing() -> None:
    """Runs without rows are compared as well."""
    found = row_differences([], [])
    assert (found.added, found.removed, found.rows) == (0, 0, ())
