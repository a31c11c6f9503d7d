"""The benchmark of types: its rules label what they know, and its counts notice what is lost or changed."""

from decimal import Decimal

import pytest
from bench.typing import _changed, _lost
from bench.typing.generated import generated_columns
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


def test_made_columns_are_the_same_each_time() -> None:
    """Chance is seeded, and every kind is among them, whole and spoiled."""
    first, second = list(generated_columns()), list(generated_columns())
    assert first == second
    assert {column.kind for column in first} == {"number", "money", "measure", "date", "time", "url", "email", "text"}
    assert len(first) > 2_000
