"""What is typed in a text is read as it is written in many languages."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.about._mentions import mentions_in, plain_number


def _of(kind: str, text: str) -> list[str]:
    return [str(one.value) for one in mentions_in(text) if one.kind == kind]


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("$1,299.00", "1299.00", "USD"),
        ("49,- €", "49", "EUR"),
        ("1 299 kr", "1299", "SEK"),
        ("2 499,00 zł", "2499.00", "PLN"),
        ("1.299 руб.", "1299", "RUB"),
        ("EUR 5.00", "5.00", "EUR"),
        ("R$ 1.759,99", "1759.99", "BRL"),
    ],
)
def test_money_is_read_with_its_currency(text: str, amount: str, currency: str) -> None:
    """Money is read with its currency."""
    found = [(one.value, one.currency) for one in mentions_in(f"Now {text} only") if one.kind == "money"]
    assert found[0] == (Decimal(amount), currency)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("1 hour 20 min", "80"), ("30 Minuten", "30"), ("1½ heures", "90.0"), ("45 分", "45"), ("2 godziny", "120")],
)
def test_a_span_of_time_is_one_however_it_is_parted(text: str, minutes: str) -> None:
    """A span of time is one however it is parted."""
    assert _of("span", text) == [minutes]


def test_a_code_with_points_is_no_number() -> None:
    """A code with points is no number."""
    assert _of("number", "Article 904.230.19") == []
    assert _of("code", "Article 904.230.19") == ["904.230.19"]


def test_the_place_of_a_mention_is_where_it_stands() -> None:
    """The place of a mention is where it stands."""
    text = "Price: 12 € (was 15 €)"
    assert [text[one.start : one.stop] for one in mentions_in(text) if one.kind == "money"] == ["12 €", "15 €"]


@given(st.text(max_size=300))
def test_any_text_is_searched_and_every_place_is_in_it(text: str) -> None:
    """Any text is searched and every place is in it."""
    for one in mentions_in(text):
        assert 0 <= one.start < one.stop <= len(text)


@given(st.decimals(min_value=0, max_value=999_999, places=2))
def test_a_number_is_read_back_from_either_way_to_write_it(amount: Decimal) -> None:
    """A number is read back from either way to write it."""
    english = f"{amount:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert plain_number(english) == plain_number(german) == amount
