"""The benchmark of types: its rules label what they know, and its counts notice what is lost or changed."""

from decimal import Decimal

import pytest
from bench.typing import _changed, _lost
from bench.typing.generated import generated_columns
from bench.typing.hard import HardColumn, Judgement, hard_columns, judged
from bench.typing.labelled import LabelledColumn, _kind

from sightline.data import Column, ColumnType, Value


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["1,234", "5", "n/a"], "number"),
        (["$5", "$1,200.50"], "money"),
        (["5 kg", "7 kg"], "measure"),
        (["May 5, 2024", "June 6, 2023"], "date"),
        (["12.31", "DNF"], "text"),
        (["words", "more words"], "text"),
        (["12.31", "12.31 (PB)"], None),
        (["04103", "10115"], None),
    ],
)
def test_rules_label_what_they_know(texts: list[str], kind: str | None) -> None:
    """A rule judges by the whole form of every text, and leaves the rest alone."""
    assert _kind(texts) == kind


def _column(texts: tuple[str, ...], type: ColumnType) -> Column:
    return Column("x", tuple(map(Value, texts)), type, coerce=True)


def test_counts_notice_what_is_lost_and_what_is_changed() -> None:
    """A text without a value is lost, unless it says nothing; a value that differs is changed."""
    texts = ("1.5", "DNF", "n/a", "2.5")
    values = (Decimal("1.5"), None, None, Decimal("2.25"))
    labelled = LabelledColumn("x", "", texts, "number", values=values)
    column = _column(texts, ColumnType(kind="number"))
    assert _lost(labelled, column) == ["DNF"]
    assert _changed(labelled, column) == ["'2.5' became 2.5"]


@pytest.mark.slow
def test_made_columns_are_the_same_each_time() -> None:
    """Chance is seeded, and every kind is among them, whole and spoiled."""
    first, second = list(generated_columns()), list(generated_columns())
    assert first == second
    assert {column.kind for column in first} == {"number", "money", "measure", "date", "time", "url", "email", "text"}
    assert len(first) > 2_000


def test_hard_cells_are_enough_and_the_same_each_time() -> None:
    """At least two thousand labelled cells, of every sort that the figure is about."""
    first = list(hard_columns())
    assert first == list(hard_columns())
    assert sum(len(column.texts) for column in first) >= 2_000
    assert all(len(column.texts) == len(column.values) for column in first)
    assert any("3.350" in column.texts for column in first)
    assert any("2 pairs from $349" in column.texts for column in first)


@pytest.mark.parametrize(
    ("got", "notes", "expected"),
    [
        ([Decimal("3.35"), "2 for $5"], (), Judgement(right=2)),
        ([3350, None], ("decimal separator: 3.350 is …",), Judgement(right=1, marked=1)),
        ([3350, None], ("date order: …",), Judgement(right=1, wrong=1, flipped=1)),
        ([3350, 2], (), Judgement(wrong=2, flipped=2)),
        (["3.350", Decimal(5)], ("decimal separator: …",), Judgement(wrong=2, flipped=1)),
    ],
)
def test_judgement_notices_flips(got: list[object], notes: tuple[str, ...], expected: Judgement) -> None:
    """Another reading counts as told only if its own topic is; a number for what is none is never right."""
    column = HardColumn("x", ("3.350", "2 for $5"), (Decimal("3.35"), None))
    assert judged(column, got, notes) == expected


def test_tables_keep_texts_that_types_would_lose() -> None:
    """One cell that is no price makes a column of a table one of texts."""
    assert HardColumn("x", ("$5", "2 for $5"), (Decimal(5), None)).in_tables.values == (None, None)
    assert HardColumn("x", ("$5",), (Decimal(5),)).in_tables.values == (Decimal(5),)
