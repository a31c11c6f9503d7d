"""Days are found as people write them."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.signals import days_in

DAY = datetime.date(2024, 3, 5)


@pytest.mark.parametrize(
    "text",
    [
        *("5 March 2024", "March 5th, 2024", "5. März 2024", "5 de marzo de 2024", "le 5 mars 2024", "5 marca 2024"),
        *("5 марта 2024 г.", "2024年3月5日", "2024년 3월 5일", "05.03.2024", "2024-03-05", "05/03/2024", "٥ مارس ٢٠٢٤"),
        *("5 Μαρτίου 2024", "5 maaliskuuta 2024", "5. března 2024", "2024. március 5.", "5 มีนาคม 2567"),
    ],
)
def test_a_day_is_read_in_many_languages(text: str) -> None:
    """A day is read in many languages."""
    assert [found.day for found in days_in(f"Published {text} by Ada")] == [DAY]


def test_americans_write_the_month_first() -> None:
    """Americans write the month first."""
    assert next(days_in("3/5/2024", "en-US")).day == DAY
    assert next(days_in("3/5/2024", "en-GB")).day == datetime.date(2024, 5, 3)


def test_what_is_no_day_is_none() -> None:
    """What is no day is none."""
    assert list(days_in("31 February 2024, 12.345.2024, version 1.2.2024.7")) == []


@given(st.dates(datetime.date(1980, 1, 1), datetime.date(2099, 12, 31)))
def test_every_day_is_read_back(day: datetime.date) -> None:
    """Every day is read back."""
    assert [found.day for found in days_in(day.isoformat())] == [day]
    assert [found.day for found in days_in(f"{day:%d.%m.%Y}")] == [day]


@given(st.text(max_size=300))
def test_any_text_is_searched(text: str) -> None:
    """Any text is searched."""
    for found in days_in(text):
        assert 0 <= found.start < found.stop <= len(text)
