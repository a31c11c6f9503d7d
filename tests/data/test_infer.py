"""Typing: what a column is, decided once from all its values."""

import pickle
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest

from sightline.data import ColumnType, infer
from sightline.errors import UsageError

Texts = Sequence[str | None]


def read(texts: Texts, language: str | None = None) -> list[object]:
    """The column's own values."""
    column = infer(texts, language)
    return [None if text is None else column.parse(text) for text in texts]


@pytest.mark.parametrize(
    ("texts", "language", "expected"),
    [
        (["1.234,56", "3.350"], None, [1234.56, 3350.0]),
        (["1,234.56", "3,350"], "de", [1234.56, 3350.0]),
        (["3.350", "12.5"], "de", [3.35, 12.5]),
        (["3.350", "1.234.567"], "en", [3350, 1234567]),
        (["3.350", "0.5"], None, [3.35, 0.5]),
        (["1234.567", "3.350"], "de", [1234.567, 3.35]),
        (["1 234 567", "12"], "fr", [1234567, 12]),
        (["1\u202f234,5", "12\u00a0000"], "fr", [1234.5, 12000.0]),
        (["1’234.50", "12"], "de-CH", [1234.5, 12.0]),
        (["1'234", "3.350"], None, [1234.0, 3.35]),
        (["12,34,567", "1,00,000"], "en-IN", [1234567, 100000]),
        (["١٬٢٣٤", "٤٥٫٥"], "ar", [1234.0, 45.5]),
        (["１２", "３４"], "ja", [12, 34]),
        (["-5", "+7", "−9", "–11"], None, [-5, 7, -9, -11]),
        (["(1,234)", "7", "1,000,000"], "en", [-1234, 7, 1000000]),
        (["1.5e-3", "2.5E+2"], None, [0.0015, 250.0]),
        (["1999", "2024"], "en", [1999, 2024]),
        (["0", "0.5", ".75"], None, [0.0, 0.5, 0.75]),
        (["12[1]", "13*", "14¹", "15 †"], None, [12, 13, 14, 15]),
        (["1.5 million", "300k"], "en", [1500000.0, 300000.0]),
        (["5", "n/a", "–", "", "10-20", "7", "9", None], None, [5, None, None, None, None, 7, 9, None]),
    ],
)
def test_infer_numbers(texts: Texts, language: str | None, expected: list[object]) -> None:
    """Numbers are read by one decision for the whole column."""
    assert infer(texts, language).kind == "number"
    assert read(texts, language) == expected


@pytest.mark.parametrize(
    ("language", "value", "words"),
    [("de", 3350, "3350 (as in de) or 3.35"), ("en", 3.35, "3.35 (as in en) or 3350"), (None, 3.35, "no language")],
)
def test_infer_marks_an_open_separator(language: str | None, value: float, words: str) -> None:
    """Three digits after the only mark: the language decides, and the column says so."""
    column = infer(["3.350"], language)
    assert column.parse("3.350") == value
    assert words in column.ambiguous[0]


def test_infer_marks_a_column_written_both_ways() -> None:
    """Contradicting separators: the commoner way wins, the others are not read."""
    column = infer(["1,234.5", "2,345.5", "3,456.5", "4,567.5", "1.234,5"], "de")
    assert column.decimal == "."
    assert column.parse("1.234,5") is None
    assert column.ambiguous == ("decimal separator: both . and , are used for it",)


def test_infer_keeps_settled_columns_unmarked() -> None:
    """Where the values decide there is no doubt."""
    assert infer(["1.234,56", "3.350"]).ambiguous == ()


@pytest.mark.parametrize(
    "texts", [["⁰⁴⁵", "²³"], ["1.2.3", "1.2.4"], ["12.34.567", "1"], ["1,23,45"], ["192.168.0.1"], ["1 2", "3 4"]]
)
def test_infer_counts_grouping_only_in_threes(texts: Texts) -> None:
    """Digits in other groups are no number."""
    assert infer(texts).kind == "text"


@pytest.mark.parametrize("texts", [["001123", "12"], ["01067", "80331"], ["0049 30 123", "5"], ["+49 301 234"], ["00"]])
def test_infer_leaves_leading_zeros_and_telephones_alone(texts: Texts) -> None:
    """What a number would lose stays text."""
    column = infer(texts)
    assert column.kind == "text"
    assert read(texts) == list(texts)


def test_infer_says_that_zeros_are_the_reason() -> None:
    """A single leading zero makes the column text, and the type tells why."""
    assert infer(["12", "34", "007"]).leading_zeros


def test_infer_takes_enclosed_counts_as_positive() -> None:
    """When every number is in parentheses they are counts, and marked."""
    column = infer(["(12)", "(345)"])
    assert column.parse("(12)") == 12
    assert column.ambiguous[0].startswith("parentheses")


def test_infer_takes_long_digits_as_identifiers() -> None:
    """More digits than 64 bits hold are text."""
    assert infer(["12345678901234567890", "12345678901234567891"]).kind == "text"


@pytest.mark.parametrize(
    ("texts", "language", "currency", "expected"),
    [
        (["$5", "$1,234.50", "4"], "en-US", "USD", ["5", "1234.50", "4"]),
        (["1.234,50 €", "3 €"], "de", "EUR", ["1234.50", "3"]),
        (["CHF 1'234.50", "CHF 5.-"], "de-CH", "CHF", ["1234.50", "5"]),
        (["-$5.00", "$-6.00", "($7.00)", "$8"], "en-US", "USD", ["-5.00", "-6.00", "-7.00", "8"]),
        (["kr 5", "10 kr"], "da-DK", "DKK", ["5", "10"]),
        (["5 zł", "7,50 zł"], "pl", "PLN", ["5", "7.50"]),
        (["₹1,00,000", "₹5"], "en-IN", "INR", ["100000", "5"]),
        (["USD 5", "$7 USD"], None, "USD", ["5", "7"]),
        (["€ 3,5 Mio.", "€ 2 Mrd."], "de", "EUR", ["3500000.0", "2000000000"]),
        (["$1.2M", "$3bn"], "en-US", "USD", ["1200000.0", "3000000000"]),
        (["£5", "£6.99", "sold out", "£7", "£8"], "en", "GBP", ["5", "6.99", None, "7", "8"]),
        (["12,90 Kč", "5 Kč"], "cs", "CZK", ["12.90", "5"]),
        (["5,00 ₽", "7 ₽"], "ru", "RUB", ["5.00", "7"]),
    ],
)
def test_infer_money(texts: Texts, language: str | None, currency: str, expected: list[str | None]) -> None:
    """Money has one currency a column, and exact amounts."""
    column = infer(texts, language)
    assert (column.kind, column.currency) == ("money", currency)
    assert read(texts, language) == [amount and Decimal(amount) for amount in expected]


@pytest.mark.parametrize(
    ("language", "currency", "is_marked"),
    [("en", "USD", True), ("en-CA", "CAD", False), ("es-MX", "MXN", False), (None, "USD", True)],
)
def test_infer_reads_the_dollar_by_the_land(language: str | None, currency: str, is_marked: bool) -> None:
    """A shared sign means the money of the page's land; where the land is only supposed, the column is marked."""
    column = infer(["$5", "$6.50"], language)
    assert column.currency == currency
    assert bool(column.ambiguous) == is_marked


def test_infer_keeps_other_currencies_out() -> None:
    """The commonest currency is the column's; amounts in another are not read as it."""
    column = infer(["5 €", "6 €", "7 €", "8 €", "$9"], "de")
    assert column.currency == "EUR"
    assert column.parse("$9") is None
    assert column.ambiguous == ("currency: EUR or USD",)


@pytest.mark.parametrize("texts", [["2 pairs from $349", "3 pairs from $30"], ["5 reviews"], ["#1", "#2"], ["Room 5"]])
def test_infer_never_picks_a_number_out_of_words(texts: Texts) -> None:
    """A number among words is not the value."""
    assert infer(texts, "en").kind == "text"


@pytest.mark.parametrize(
    ("texts", "unit", "expected"),
    [
        (["5 kg", "500 g", "3 kg"], "kg", [5.0, 0.5, 3.0]),
        (["50 %", "12.5%", "-3 %"], "%", [50.0, 12.5, -3.0]),
        (["20 °C", "68 °F", "21 °C"], "°C", [20.0, 20.0, 21.0]),
        (["100 m²", "1 ha", "50 m²"], "m²", [100.0, 10000.0, 50.0]),
        (['5"', "2 ft", "7 in"], "in", [5.0, 24.0, 7.0]),
        (["512 MB", "1 GB", "256 MB"], "MB", [512.0, 1000.0, 256.0]),
        (["5 kg", "3", "4 kg"], "kg", [5.0, 3.0, 4.0]),
        (["90 km/h", "60 mph", "80 km/h"], "km/h", [90.0, 96.56064, 80.0]),
        (["5 kg", "6 kg", "7 kg", "8 kg", "9 m"], "kg", [5.0, 6.0, 7.0, 8.0, None]),
    ],
)
def test_infer_measures(texts: Texts, unit: str, expected: list[float | None]) -> None:
    """A column has one unit, its commonest; others of its kind are converted, the rest is not read."""
    column = infer(texts)
    assert (column.kind, column.unit) == ("measure", unit)
    assert read(texts) == expected


def test_infer_every_unit_is_known_to_pint() -> None:
    """The lexicon names no unit that cannot be converted within its dimension."""
    from sightline.data._types._lexicon import UNITS, convert

    first: dict[str, str] = {}
    for unit in UNITS.values():
        target = first.setdefault(unit.dimension, unit.symbol)
        assert convert(Decimal(1), unit, target) is not None


@pytest.mark.parametrize(
    ("texts", "language", "order", "expected"),
    [
        (["15/4/2024", "2/5/2024"], "en", "DMY", ["2024-04-15", "2024-05-02"]),
        (["4/15/2024", "5/2/2024"], "de", "MDY", ["2024-04-15", "2024-05-02"]),
        (["1/2/2024", "3/4/2024"], "en", "MDY", ["2024-01-02", "2024-03-04"]),
        (["1/2/2024", "3/4/2024"], "en-GB", "DMY", ["2024-02-01", "2024-04-03"]),
        (["01.02.2024", "03.04.2024"], "en", "DMY", ["2024-02-01", "2024-04-03"]),
        (["15.04.98", "02.05.24"], "de", "DMY", ["1998-04-15", "2024-05-02"]),
        (["2024-04-15", "2024/5/2"], None, "YMD", ["2024-04-15", "2024-05-02"]),
        (["24/04/15", "98/05/02"], None, "YMD", ["2024-04-15", "1998-05-02"]),
        (["2024年4月15日"], "ja", "YMD", ["2024-04-15"]),
        (["2024. 4. 15."], "ko", "YMD", ["2024-04-15"]),
        (["15. April 2024", "3. Mai 1999"], "de", "DMY", ["2024-04-15", "1999-05-03"]),
        (["April 15, 2024", "May 3rd, 1999"], "en", "MDY", ["2024-04-15", "1999-05-03"]),
        (["Mon, 15 Apr 2024", "Sun 5 May 2024"], None, "DMY", ["2024-04-15", "2024-05-05"]),
        (["15 de abril de 2024"], "es", "DMY", ["2024-04-15"]),
        (["15 kwietnia 2024", "3 maja 1999"], "pl", "DMY", ["2024-04-15", "1999-05-03"]),
        (["15 апреля 2024", "3 мая 1999"], None, "DMY", ["2024-04-15", "1999-05-03"]),
        (["Mo, 15.04.2024", "Do., 02.05.2024"], "de", "DMY", ["2024-04-15", "2024-05-02"]),
        (["15 Sept. 2024", "1 Oct 2024"], "en", "MDY", ["2024-09-15", "2024-10-01"]),
        (["15-Apr-24", "03-May-99"], "en", "MDY", ["2024-04-15", "1999-05-03"]),
    ],
)
def test_infer_dates(texts: Texts, language: str | None, order: str, expected: list[str]) -> None:
    """The order of day and month is decided once, from all values and the language."""
    column = infer(texts, language)
    assert (column.kind, column.date_order) == ("date", order)
    assert read(texts, language) == [date.fromisoformat(day) for day in expected]


def test_infer_marks_an_open_order_of_dates() -> None:
    """Days and months that are all below 13 are marked; a single day above 12 settles all."""
    assert infer(["1/2/2024", "3/4/2024"], "en").ambiguous
    assert infer(["1/2/2024", "3/13/2024"], "en").ambiguous == ()
    assert infer(["1/1/2024", "2/2/2024"], "en").ambiguous == ()


def test_infer_dates_without_a_year() -> None:
    """The column's order holds for all; without a known year the value is ISO's month and day."""
    texts = ["15/4", "16/4", "2/5"]
    assert read(texts) == ["--04-15", "--04-16", "--05-02"]
    column = infer(texts, year=2024)
    assert [column.parse(text) for text in texts] == [date(2024, 4, 15), date(2024, 4, 16), date(2024, 5, 2)]


@pytest.mark.parametrize("texts", [["4/5", "3/5", "5/5"], ["8/10"], ["15/20", "18/20"], ["1/2", "1/4", "2/3"]])
def test_infer_takes_marks_and_fractions_for_no_dates(texts: Texts) -> None:
    """Two numbers and a stroke need more to be a date."""
    assert infer(texts, "en").kind == "text"


@pytest.mark.parametrize(
    "texts", [["to", "on", "do"], ["April 2024"], ["March", "May"], ["Chapter 3 March"], ["99/99/2024"], ["yesterday"]]
)
def test_infer_reads_no_dates_into_words(texts: Texts) -> None:
    """No relative dates, no half dates, no clock."""
    assert infer(texts, "en").kind == "text"


def test_infer_marks_what_may_be_a_fraction() -> None:
    """Pairs of small numbers that are no proper fractions are dates, with doubt."""
    assert "date: or a fraction" in infer(["5/4", "2/7", "3/3"], "en-GB").ambiguous


def test_infer_dates_with_times() -> None:
    """One time in the column makes all of it stamps; zones make it UTC."""
    assert read(["15.04.2024 14:30", "16.04.2024"], "de") == [datetime(2024, 4, 15, 14, 30), datetime(2024, 4, 16)]
    zoned = read(["2024-04-15T10:00:00Z", "2024-04-16T10:00:00.5+02:00"])
    assert zoned[1] == datetime(2024, 4, 16, 8, 0, 0, 500000, tzinfo=UTC)


def test_infer_marks_missing_time_zones() -> None:
    """Times without a zone among others are taken as UTC, and the column says so."""
    column = infer(["2024-04-15T10:00:00Z", "2024-04-16 10:00"])
    assert "time zone" in column.ambiguous[0]
    assert column.parse("2024-04-16 10:00") == datetime(2024, 4, 16, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["9:05 pm", "12:00 am"], [time(21, 5), time(0, 0)]),
        (["14h30", "08h00"], [time(14, 30), time(8, 0)]),
        (["14:30 Uhr", "9:00 Uhr"], [time(14, 30), time(9, 0)]),
        (["23:59:59"], [time(23, 59, 59)]),
    ],
)
def test_infer_times(texts: Texts, expected: list[time]) -> None:
    """Times of day in their usual forms."""
    assert infer(texts).kind == "time"
    assert read(texts) == expected


def test_infer_marks_times_that_may_be_durations() -> None:
    """3:45 may be a quarter to four or the length of a song; 75:10 can only be a length."""
    assert infer(["3:45", "4:33"]).ambiguous == ("time: of the day, or a duration",)
    assert infer(["75:10", "80:00"]).kind == "text"


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["https://a.example/x?y=1", "www.b.example"], "url"),
        (["ada@engine.example", "mailto:bob@b.example"], "email"),
        (["plain", "words"], "text"),
        ([], "text"),
        (["", None, "n/a"], "text"),
        (["see https://a.example", "and https://b.example"], "text"),
    ],
)
def test_infer_kinds_of_addresses_and_texts(texts: Texts, kind: str) -> None:
    """Addresses are found when they are the whole value."""
    assert infer(texts).kind == kind


def test_infer_needs_four_in_five() -> None:
    """A few strangers do not change a column; more of them make it text."""
    assert infer(["1", "2", "3", "4", "call us"]).share == 0.8
    assert infer(["1", "2", "3", "call us"]).kind == "text"


def test_infer_lets_no_ranges_decide() -> None:
    """Ranges are no values, and a column of mostly ranges is text, so that none is lost."""
    assert infer(["5 kg", "7 kg", "5-7 kg"]).kind == "measure"
    assert infer(["1-2", "3-4", "5"]).kind == "text"


def test_infer_counts_long_texts_as_prose() -> None:
    """A page of text among numbers counts against them."""
    assert infer(["5", "5 " + "word " * 100]).kind == "text"


def test_column_type_survives_json_and_pickling() -> None:
    """A decision can be stored with a wrapper and sent to workers."""
    column = infer(["1.234,50 €", "x", "2 €", "3 €", "4 €"], "de")
    column.parse("5 €")
    assert ColumnType.from_json(column.to_json()) == column
    assert pickle.loads(pickle.dumps(column)) == column


def test_column_type_refuses_what_does_not_exist() -> None:
    """Wrong kinds, orders and names are said."""
    with pytest.raises(UsageError, match="kind of column"):
        ColumnType(kind="price")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="order of dates"):
        ColumnType(date_order="DYM")
    with pytest.raises(UsageError, match="has no size"):
        ColumnType.from_json({"kind": "text", "size": 3})


@pytest.mark.parametrize("language", ["", "*", "xx-YY", "x-klingon", "en-", "de-DE-u-co-phonebk", "zh-Hant-TW"])
def test_infer_lives_with_any_language(language: str) -> None:
    """A page may say anything about its language."""
    assert infer(["3.350", "1"], language).kind == "number"
    assert infer(["1/2/2024"], language).kind == "date"
