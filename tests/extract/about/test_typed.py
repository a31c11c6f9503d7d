"""What data for machines says is read under the type of its field."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.about._kinds import FieldType
from sightline.extract.about._typed import clean, has_check_digit, iso_span, lines, typed


@pytest.mark.parametrize(
    ("text", "type", "value"),
    [
        ("1.299", "money", Decimal("1.299")),
        ("http://schema.org/OutOfStock", "availability", "OutOfStock"),
        ("in stock", "availability", "InStock"),
        ("PT90M", "span", "PT1H30M"),
        ("P0DT0H25M", "span", "PT25M"),
        ("25 minutes", "span", "PT25M"),
        ("2024-03-05T10:00:00+01:00", "day", date(2024, 3, 5)),
        ("€", "currency", "EUR"),
        ("978-3-16-148410-0", "gtin", "9783161484100"),
        ("soon", "day", None),
        ("unknown", "availability", None),
    ],
)
def test_what_is_said_is_typed(text: str, type: FieldType, value: Any) -> None:
    """What is said is typed."""
    assert typed(text, type, said=True) == value


def test_what_is_shown_has_the_marks_of_people() -> None:
    """What is shown has the marks of people."""
    assert typed("1.299,00 €", "money") == Decimal("1299.00")


def test_markup_in_data_is_no_text() -> None:
    """Markup in data is no text."""
    assert clean("Fish &amp;amp; <b>chips</b>") == "Fish & chips"  # written twice by mistake, as many pages do
    assert lines("<p>Mix.</p><p>Bake.</p>") == ["Mix.", "Bake."]


@given(st.integers(0, 10**12 - 1))
def test_a_wrong_digit_is_told(number: int) -> None:
    """A wrong digit is told."""
    digits = f"{number:012}"
    check = -sum(int(one) * (3 if place % 2 else 1) for place, one in enumerate(digits)) % 10
    assert has_check_digit(f"{digits}{check}")
    assert not has_check_digit(f"{digits}{(check + 1) % 10}")


@given(st.integers(0, 10_000))
def test_minutes_are_read_back(minutes: int) -> None:
    """Minutes are read back."""
    assert typed(iso_span(Decimal(minutes)), "span") == iso_span(Decimal(minutes))
