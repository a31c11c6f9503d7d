"""What differs between the rows of two runs."""

from collections import Counter
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Column, Value
from sightline.errors import UsageError
from sightline.jobs import row_differences

Row: TypeAlias = tuple[str | None, str | None]
ROW = st.tuples(st.sampled_from(["A", "B", None]), st.sampled_from(["1", "2", None]))


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


def test_one_of_several_rows_with_the_same_key_is_gone() -> None:
    """The rows that stay are the same, although the one before them is gone."""
    old = _columns(name=["A", "A", "A", *"bcdefghijklmnopqrstuvwx"], price=["1", "2", "3", *["9"] * 23])
    new = _columns(name=["A", "A", *"bcdefghijklmnopqrstuvwx"], price=["2", "3", *["9"] * 23])
    found = row_differences(old, new)
    assert (found.key, found.added, found.removed, found.changed, found.same) == ("name", 0, 1, 0, 25)


def test_texts_that_only_look_alike_when_joined_are_not_the_same() -> None:
    """Where one cell ends is part of a row."""
    old = _columns(a=["x", "x"], b=["y | z", "y | z"], c=["w", "w"])
    new = _columns(a=["x", "x"], b=["y", "y"], c=["z | w", "z | w"])
    found = row_differences(old, new)
    assert (found.added, found.removed, found.same) == (2, 2, 0)


def test_tables_without_a_column_in_common_share_no_row() -> None:
    """They are not the same because nothing can be compared."""
    found = row_differences(_columns(a=["x"]), _columns(b=["x", "y"]))
    assert (found.added, found.removed, found.same) == (2, 1, 0)


@given(st.lists(ROW, max_size=12), st.lists(ROW, max_size=12))
def test_whole_rows_differ_as_multisets_do(before: list[Row], after: list[Row]) -> None:
    """As `Counter` says, for any two tables; a key is only used where it tells rows apart."""
    old, new = Counter(before), Counter(after)
    tables = [_columns(a=[row[0] for row in rows], b=[row[1] for row in rows]) for rows in (before, after)]
    found = row_differences(*tables)
    assert found.same == (old & new).total()
    assert found.added + found.changed == (new - old).total()
    assert found.removed + found.changed == (old - new).total()
