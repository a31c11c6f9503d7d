"""Money to one currency: signs, columns of currencies, dates, rounding; nothing is dropped and nothing guessed."""

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sightline.data import ColumnType, Origin, Value, infer_money
from sightline.errors import UsageError
from sightline.flow.normalise import MoneySettings, RateTable, convert_money
from sightline.flow.normalise._sample import TextSample, sampled_shapes

ECB = RateTable.read(Path(__file__).parent / "ecb-sample.csv")
DAY = date(2024, 5, 3)
CODES = ["EUR", "USD", "GBP", "CHF", "JPY", "SEK"]


def test_signs_beside_the_numbers_decide() -> None:
    """Every amount is converted from its own currency."""
    found = convert_money(["12,50 €", "£12,50", "CHF 1.200,00", "USD 3"], ECB, dates=DAY)
    assert found.values == [Decimal("12.50"), Decimal("14.58"), Decimal("1229.38"), Decimal("2.79")]
    assert not found.problems
    assert found.originals == ["12,50 €", "£12,50", "CHF 1.200,00", "USD 3"]


def test_cross_rates_go_through_the_base() -> None:
    """Pounds to yen: into euros and out again, rounded once, to whole yen."""
    found = convert_money(["£10.00"], ECB, MoneySettings(currency="JPY"), dates=DAY)
    assert found.values == [Decimal(1920)]
    assert Decimal(10) * Decimal("164.55") / Decimal("0.85718") == pytest.approx(
        Decimal("1919.667"), abs=Decimal("0.01")
    )


def test_halves_are_rounded_as_invoices_do() -> None:
    """Away from zero by default; to the even neighbour on demand; and a half is exact, also behind a division."""
    table = RateTable.read([{"date": "2024-05-03", "currency": "USD", "rate": "3"}])
    values = ["USD 0.015", "USD 0.045", "USD -0.015"]
    up = convert_money(values, table, dates=DAY)
    assert up.values == [Decimal("0.01"), Decimal("0.02"), Decimal("-0.01")]
    even = convert_money(values, table, MoneySettings(rounding="half-even"), dates=DAY)
    assert even.values == [Decimal("0.00"), Decimal("0.02"), Decimal("0.00")]
    more = convert_money(values, table, MoneySettings(digits=3), dates=DAY)
    assert more.values == [Decimal("0.005"), Decimal("0.015"), Decimal("-0.005")]


def test_what_is_almost_a_half_is_no_half() -> None:
    """A quotient with endless digits is rounded once, however close to a half it is."""
    table = RateTable.read([{"date": "2024-05-03", "currency": "USD", "rate": "2.00000000000000000001"}])
    found = convert_money(["USD 0.01", "USD 0.010000000000000001"], table, dates=DAY)
    assert found.values == [Decimal("0.00"), Decimal("0.01")]


@pytest.mark.parametrize(("sign", "codes"), [("$", "USD, ARS, AUD, CAD and others"), ("kr", "SEK, DKK, ISK, NOK")])
def test_sign_of_several_currencies_is_told(sign: str, codes: str) -> None:
    """A sign that may mean several currencies is never guessed at."""
    found = convert_money([f"5 {sign}", "6 €"], ECB, dates=DAY)
    assert found.values == [None, Decimal("6.00")]
    assert found.problems[0].startswith(f"{sign} may be {codes}; name it by from_currency")


@pytest.mark.parametrize(
    ("given", "type"),
    [
        (MoneySettings(signs=("$=USD",)), None),
        (MoneySettings(from_currency="USD"), None),
        (MoneySettings(language="en-US"), None),
        (MoneySettings(), ColumnType(kind="money", decimal=".", currency="USD")),
    ],
)
def test_sign_of_several_currencies_can_be_named(given: MoneySettings, type: ColumnType | None) -> None:
    """By the sign, by the currency of the column, by a language with its country, or by the type of the column."""
    assert convert_money(["$5"], ECB, given, dates=DAY, type=type).values == [Decimal("4.65")]


def test_code_that_is_spelled_out_settles_the_sign() -> None:
    """As in data: a column of $ with one USD is one of US dollars."""
    assert convert_money(["$5", "USD 5"], ECB, dates=DAY).values == [Decimal("4.65")] * 2


def test_column_of_currencies_decides() -> None:
    """Codes in any case, or signs; one that contradicts the text is told."""
    found = convert_money(["5", "5", "$5", "£5", "5"], ECB, dates=DAY, currencies=["GBP", "usd", "USD", "USD", None])
    assert found.values == [Decimal("5.83"), Decimal("4.65"), Decimal("4.65"), None, None]
    assert found.problems[3] == "£ beside the amount is not USD, which the column of currencies says."
    assert found.problems[4] == "the amount has no currency; name it by from_currency."


def test_unknown_currency_is_told() -> None:
    """An unknown code in the column, and one without rates."""
    found = convert_money(["5", "5"], ECB, dates=DAY, currencies=["XYZ", "THB"])
    assert found.problems[0] == "unknown currency 'XYZ'."
    assert found.problems[1].startswith("no rates for THB in the table")


def test_dates_may_be_texts_moments_or_missing() -> None:
    """The day that is written counts; without one there is no rate, unless none is needed."""
    days = ["3.5.2024", datetime(2024, 5, 3, 23, 59), "2024-05-03T10:00:00+02:00", None, "soon", None]
    found = convert_money(["£1", "£1", "£1", "£1", "£1", "1 €"], ECB, dates=days)
    assert found.values == [Decimal("1.17")] * 3 + [None, None, Decimal("1.00")]
    assert found.problems == {3: "there is no date, and so no rate.", 4: "'soon' is not a date (day first)."}


def test_rate_that_is_too_old_is_told() -> None:
    """The sentence names currency and date, and where the table ends."""
    found = convert_money(["£1"], ECB, dates="2024-05-11")
    assert found.problems == {0: "no rate for GBP on 2024-05-11; the table ends on 2024-05-06."}
    assert convert_money(["£1"], ECB, MoneySettings(max_age_days=5), dates="2024-05-11").read == 1


def test_typed_numbers_need_a_named_currency() -> None:
    """Numbers that were typed before keep every digit; a NaN is a missing value, True is no number."""
    values = [Decimal("1.10"), 2, 0.1, None, float("nan"), True]
    found = convert_money(values, ECB, MoneySettings(from_currency="EUR"), dates=DAY)
    assert found.values == [Decimal("1.10"), Decimal("2.00"), Decimal("0.10"), None, None, None]
    assert set(found.problems) == {5}
    assert found.missing == 2


def test_origin_stays_beside_the_value() -> None:
    """Values of a page keep their origins in the column of originals."""
    seen = Value("£5", origin=Origin("3f2a", (17,), (0.0, 0.0, 9.0, 9.0)))
    found = convert_money([seen], ECB, dates=DAY)
    assert found.values == [Decimal("5.83")]
    assert found.originals[0].origin.nodes == (17,)


def test_ambiguous_number_format_is_told() -> None:
    """3.350 alone may be two numbers: a note says how it was read, and the settings decide."""
    found = convert_money(["3.350 €"], ECB, dates=DAY)
    assert found.notes == ("decimal separator: 3.350 is 3.35 (no language known) or 3350",)
    decided = convert_money(["3.350 €"], ECB, MoneySettings(decimal=","), dates=DAY)
    assert (decided.values, decided.notes) == ([Decimal("3350.00")], ())


def test_column_does_not_flip() -> None:
    """One format for the column: what does not follow it is a problem, and is not read in another way."""
    found = convert_money(["1.234,50 €", "2.000,00 €", "3,99 €", "1,234.50 €"], ECB, dates=DAY)
    assert found.values == [Decimal("1234.50"), Decimal("2000.00"), Decimal("3.99"), None]
    assert found.problems == {3: "'1,234.50 €' is not an amount of money."}


def test_empty_column_is_an_empty_result() -> None:
    """No rows, no problems."""
    found = convert_money([], ECB, dates=[])
    assert (found.values, found.originals, found.problems) == ([], [], {})


def test_huge_cell_is_told_briefly() -> None:
    """A cell of five megabytes is quoted with forty characters, and kept as it is."""
    huge = "9" * 5_000_000
    found = convert_money([huge, "5 €", " " * 5_000_000 + "6 €"], ECB, dates=DAY)
    assert found.values == [None, Decimal("5.00"), Decimal("6.00")]
    assert len(found.problems[0]) < 100
    assert found.originals[0] is huge


def test_amount_that_no_database_holds_is_told() -> None:
    """More than 38 digits fit into no decimal column."""
    found = convert_money(["1.5e90 €", "5 €"], ECB, dates=DAY)
    assert found.problems == {0: "the result has more than 38 digits."}


@pytest.mark.parametrize(
    "wrong",
    [
        {"currency": "Euro"},
        {"currency": "XYZ"},
        {"from_currency": "$"},
        {"signs": ("$",)},
        {"rounding": "down"},
        {"digits": -1},
    ],
)
def test_wrong_settings_are_rejected(wrong: dict[str, object]) -> None:
    """Before any row is read."""
    with pytest.raises(UsageError):
        MoneySettings(**wrong)


def test_columns_of_different_lengths_are_rejected() -> None:
    """A shift by one row would be a silent error."""
    with pytest.raises(UsageError, match="2 values, but 1 dates"):
        convert_money(["£1", "£2"], ECB, dates=["2024-05-03"])
    with pytest.raises(UsageError, match="2 values, but 1 currencies"):
        convert_money(["£1", "£2"], ECB, dates=DAY, currencies=["GBP"])
    with pytest.raises(UsageError, match="is not a date"):
        convert_money(["£1"], ECB, dates="soon")
    with pytest.raises(UsageError, match="is date, and not money"):
        convert_money(["£1"], ECB, dates=DAY, type=ColumnType(kind="date"))


def test_names_of_the_columns() -> None:
    """The new column takes the old name and the originals move, or the other way round."""
    found = convert_money(["5 €"], ECB, MoneySettings(column="price"), dates=DAY)
    assert found.columns == {"price": [Decimal("5.00")], "price_original": ["5 €"]}
    found = convert_money(["5 €"], ECB, MoneySettings(column="price", into="price_eur"), dates=DAY)
    assert list(found.columns) == ["price_eur", "price"]


_AMOUNTS = st.decimals(min_value=-(10**12), max_value=10**12, places=2)
_TEXTS = st.lists(
    st.one_of(
        st.none(),
        st.text(max_size=30),
        st.text(alphabet="0123456789.,' €$£-()EUR[]*kM%e\0٣", max_size=14),
        st.builds("{}{}".format, st.sampled_from(["€", "CHF ", "-", "$", "~", ""]), _AMOUNTS),
    ),
    max_size=30,
)


@settings(max_examples=150, deadline=None)
@given(_AMOUNTS, st.sampled_from(CODES), st.sampled_from(CODES))
def test_there_and_back_again(amount: Decimal, source: str, target: str) -> None:
    """With enough digits on the way, the amount comes back to the cent."""
    there = convert_money([amount], ECB, MoneySettings(currency=target, from_currency=source, digits=10), dates=DAY)
    back = convert_money(there.values, ECB, MoneySettings(currency=source, from_currency=target, digits=2), dates=DAY)
    assert abs(back.values[0] - amount) <= Decimal("0.01")


@settings(max_examples=300, deadline=None)
@given(_TEXTS)
def test_nothing_is_lost_whatever_the_texts(texts: list[str | None]) -> None:
    """Originals, order and length are kept; a row has a value, a problem, or nothing to read; nothing is raised."""
    found = convert_money(texts, ECB, MoneySettings(from_currency="EUR"), dates=DAY)
    assert found.originals == texts
    assert len(found.values) == len(texts)
    assert all(found.values[row] is None for row in found.problems)
    assert list(found.problems) == sorted(found.problems)
    assert found.read + found.missing + len(found.problems) == len(texts)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(_TEXTS)
def test_reading_by_shapes_is_reading_one_by_one(texts: list[str | None]) -> None:
    """The quick way through a long column gives what the full reading of each cell gives."""
    type = ColumnType(kind="money", decimal=".", currency="EUR")
    together = convert_money(texts, ECB, dates=DAY, type=type)
    alone = [convert_money([text], ECB, dates=DAY, type=type) for text in texts]
    assert together.values == [one.values[0] for one in alone]
    assert list(together.problems.values()) == [one.problems[0] for one in alone if one.problems]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@example(["£٠", "0₦"], None)  # as many of each: the first decides
@given(_TEXTS.filter(bool), st.sampled_from([None, "de", "en"]))
def test_sample_decides_as_all_texts_would(texts: list[str | None], language: str | None) -> None:
    """One text of each shape leads to the same number format."""
    present = [text for text in texts if text is not None]
    sample = TextSample()
    sample.add(sampled_shapes(pa.array(texts, pa.string()), sample))
    sampled, whole = infer_money(sample.texts, language), infer_money(present, language)
    assert (sampled.decimal, sampled.currency, sampled.parentheses_negative) == (
        whole.decimal,
        whole.currency,
        whole.parentheses_negative,
    )
