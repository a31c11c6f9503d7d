"""Typing, for whatever a page may say."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal

import pytest
from babel import Locale
from babel.dates import format_date
from babel.numbers import format_currency, format_decimal
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.data import ColumnType, Table, infer

from .._effort import growth

LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "sv", "de-CH", "en-IN", "ja", "ar", "fi", "tr"]
KINDS = ["number", "money", "date", "time", "url", "email", "measure", "text"]
NUMBERS = st.lists(st.decimals(-(10**9), 10**9, places=2, allow_nan=False), min_size=1, max_size=8)
DAYS = st.lists(st.dates(date(1970, 1, 1), date(2068, 12, 31)), min_size=1, max_size=6)
SPICY = st.text(alphabet="0123456789.,'- ()/:$€%kgEe+\u202f٣apmh@w–[]*²", max_size=14)


def in_cldr(language: str) -> Locale:
    """The locale of a language tag."""
    return Locale.parse(language.replace("-", "_"))


@given(numbers=NUMBERS, language=st.sampled_from(LANGUAGES))
def test_infer_reads_back_numbers_of_any_language(numbers: list[Decimal], language: str) -> None:
    """Numbers written as CLDR has it for a language are read again as the same numbers."""
    texts = [format_decimal(number, format="#,##0.00", locale=in_cldr(language)) for number in numbers]
    column = infer(texts, language)
    assert column.kind == "number"
    assert [column.parse(text) for text in texts] == [float(number) for number in numbers]


@given(numbers=NUMBERS, language=st.sampled_from(["en-US", "de-DE", "fr-FR", "pl-PL", "de-CH", "en-IN", "ja-JP"]))
def test_infer_reads_back_money_of_any_language(numbers: list[Decimal], language: str) -> None:
    """Money written as CLDR has it is read again exactly."""
    texts = [format_currency(number, "EUR", locale=in_cldr(language)) for number in numbers]
    column = infer(texts, language)
    assert (column.kind, column.currency) == ("money", "EUR")
    assert [column.parse(text) for text in texts] == numbers


@settings(max_examples=60)
@given(days=DAYS, language=st.sampled_from(["en", "de", "fr", "es", "it", "nl", "pl", "ru", "sv"]))
def test_infer_reads_back_dates_of_any_language(days: list[date], language: str) -> None:
    """Long dates, with the names of months, are read again as the same days."""
    texts = [format_date(day, format="long", locale=in_cldr(language)) for day in days]
    column = infer(texts, language)
    assert column.kind == "date"
    assert [column.parse(text) for text in texts] == days


@given(days=DAYS, pattern=st.sampled_from(["%d/%m/%Y", "%m/%d/%Y", "%Y-%m-%d", "%d.%m.%Y"]))
def test_infer_keeps_one_order_for_all_dates(days: list[date], pattern: str) -> None:
    """All days of a column have the order of day and month that one of them proves."""
    proof = date(2024, 12, 31)
    texts = [day.strftime(pattern) for day in [*days, proof]]
    column = infer(texts, "en")
    assert [column.parse(text) for text in texts] == [*days, proof]
    assert column.ambiguous == ()


@given(st.lists(st.none() | SPICY | st.text(max_size=10), max_size=6), st.sampled_from([None, "de", "en", "??"]))
def test_infer_never_fails(texts: list[str | None], language: str | None) -> None:
    """Any texts have a type, which reads any of them, and says what share it could."""
    column = infer(texts, language)
    assert 0 <= column.share <= 1
    for text in filter(None, texts):
        column.parse(text)
    assert ColumnType.from_json(column.to_json()) == column


@given(SPICY, st.sampled_from(KINDS))
def test_parse_never_fails_and_keeps_to_its_kind(text: str, kind: str) -> None:
    """Every kind reads any text as its own sort of value or not at all."""
    sorts: dict[str, type | tuple[type, ...]] = {
        "number": (int, float),
        "money": Decimal,
        "date": (date, datetime, str),
        "measure": float,
    }
    column = ColumnType(kind=kind, unit="kg" if kind == "measure" else None)  # type: ignore[arg-type]
    value = column.parse(text)
    assert value is None or kind not in sorts or isinstance(value, sorts[kind])


@given(st.lists(st.from_regex(r"0[0-9]{1,8}", fullmatch=True) | st.integers(0, 10**6).map(str), min_size=1))
def test_infer_loses_no_leading_zero(texts: list[str]) -> None:
    """Whatever stands beside it, a leading zero survives."""
    if any(text[0] == "0" and len(text) > 1 for text in texts):
        column = infer(texts)
        assert [column.parse(text) for text in texts] == texts


HOSTILE = {
    "blanks": " " * 10**6,
    "blanks between": "5" + " " * 10**6 + "kg",
    "no-break blanks": "\u00a0" * 10**6,
    "brackets": "<" * 10**6,
    "digits": "9" * 10**6,
    "grouped digits": "1," * 500_000,
    "parentheses": "(" * 10**6,
    "notes": "[" * 10**6,
    "minuses": "-" * 10**6,
    "dots of an address": "a@" + "a." * 500_000,
    "a long address": "http://" + "a" * 10**6,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_infer_and_parse_end_on_hostile_text(text: str) -> None:
    """A megabyte of anything is dismissed by every kind; what went over it again and again would not end."""
    assert infer([text, "5"]).kind == ("text" if text.strip() else "number")
    for kind in KINDS:
        read = ColumnType(kind=kind, unit="kg").parse(text)  # type: ignore[arg-type]
        assert read in (None, text)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_text_exports_end_on_hostile_text(text: str) -> None:
    """A megabyte in one cell is written by all text formats."""
    table = Table.from_rows([["name"], [text]])
    assert table.to_csv() and table.to_xml() and table.to_html() and table.to_jsonl()


@pytest.mark.parametrize("shape", ["#", "$#,###.##", "# kg", "#. April 2024", "Item # of the list"])
def test_infer_grows_with_the_column_alone(shape: str) -> None:
    """Different values, four times as many, are decided and read with four times the work at most."""

    def reading(count: int) -> Callable[[], object]:
        texts = [shape.replace("#,###.##", f"{number:,}.50").replace("#", str(number)) for number in range(count)]
        if "April" in shape:
            texts = [
                shape.replace("#", str(number % 28 + 1)).replace("2024", str(1000 + number)) for number in range(count)
            ]
        return lambda: list(map(infer(texts, "de").parse, texts))

    assert growth(reading, 250) < 6
