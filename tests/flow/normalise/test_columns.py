"""Units, dates, countries, texts and types of columns: originals kept, problems told, no exception on any text."""

import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.data import ColumnType, infer
from sightline.errors import MissingExtra, UsageError
from sightline.flow.normalise import (
    CountrySettings,
    DateSettings,
    Normalised,
    TextSettings,
    TypingSettings,
    UnitSettings,
    clean_texts,
    convert_units,
    normalise_countries,
    normalise_dates,
    type_column,
)

# ---------------------------------------------------------------------- units


def test_measures_get_one_unit() -> None:
    """Every spelling of a unit, in the number format of the column; temperatures have another zero."""
    assert convert_units(["1,5 kg", "500 Gramm", "2 lbs"]).values == [1.5, 0.5, 0.90718474]
    assert convert_units(["212 °F", "0 °C"], UnitSettings(unit="°C")).values == [100.0, 0.0]


def test_numbers_without_a_unit_need_one() -> None:
    """From the settings, or from a column that mostly has one."""
    alone = convert_units(["5", 7])
    assert alone.values == [None, None]
    assert alone.problems[0] == "'5' has no unit; name it by from_unit."
    assert convert_units(["5", 7], UnitSettings(unit="kg", from_unit="g")).values == [0.005, 0.007]
    assert convert_units(["5 g", "6 g", "7"]).values == [0.005, 0.006, 0.007]


def test_other_dimensions_are_told() -> None:
    """A length in a column of masses stays in the originals, with what it is."""
    found = convert_units(["5 kg", "20 cm", "€5", "5 pairs", "heavy", "n/a"])
    assert found.values == [5.0, None, None, None, None, None]
    assert found.problems == {
        1: "'20 cm' is a length, not a mass.",
        2: "'€5' is money, not a mass.",
        3: "'pairs' is not a unit that can be read.",
        4: "'heavy' is not a measure.",
    }


@pytest.mark.parametrize("wrong", [{"unit": "furlong"}, {"unit": "kg", "from_unit": "cm"}])
def test_wrong_units_are_rejected(wrong: dict[str, str]) -> None:
    """Before any row is read."""
    with pytest.raises(UsageError):
        UnitSettings(**wrong)


@settings(max_examples=100, deadline=None)
@given(st.floats(min_value=-1e9, max_value=1e9), st.sampled_from(["g", "lb", "oz", "t"]))
def test_units_there_and_back_again(number: float, unit: str) -> None:
    """Kilograms in another unit and back are the same kilograms."""
    there = convert_units([number], UnitSettings(unit=unit, from_unit="kg")).values
    assert convert_units(there, UnitSettings(unit="kg", from_unit=unit)).values[0] == pytest.approx(number, rel=1e-9)


# ---------------------------------------------------------------------- dates


def test_order_is_decided_once() -> None:
    """A day above 12 decides for all; what does not fit is told."""
    found = normalise_dates(["4/15/2024", "5/20/2024", "5/2/2024", "31/12/2024"])
    assert found.values == ["2024-04-15", "2024-05-20", "2024-05-02", None]
    assert found.problems == {3: "'31/12/2024' is not a date (month first)."}
    assert found.notes == ("date order: written both ways",)


def test_undecided_order_is_told_or_named() -> None:
    """A note says how it was taken; the settings settle it."""
    assert normalise_dates(["1/2/2024"]).notes == (
        "date order: 1/2/2024 is day first (no language known) or month first",
    )
    named = normalise_dates(["1/2/2024"], DateSettings(order="MDY"))
    assert (named.values, named.notes) == (["2024-01-02"], ())


def test_few_dates_among_other_texts_are_read() -> None:
    """The order is that of the dates, whatever stands between them."""
    found = normalise_dates(["soon", "13/4/2024", "later", "2/5/2024", "ask"])
    assert found.values == [None, "2024-04-13", None, "2024-05-02", None]


def test_typed_dates_stay_as_they_are() -> None:
    """Also those of the first century, and as dates if wanted."""
    days = [date(5, 1, 2), datetime(2024, 5, 3, 14, 30), "3 May 2024", None]
    assert normalise_dates(days).values == ["0005-01-02", "2024-05-03T14:30:00", "2024-05-03", None]
    assert normalise_dates(days, DateSettings(form="date")).values[2] == date(2024, 5, 3)


def test_dates_without_a_year() -> None:
    """ISO 8601 has a form for them; as dates they need a year."""
    assert normalise_dates(["15/4", "16/4"]).values == ["--04-15", "--04-16"]
    assert normalise_dates(["15/4"], DateSettings(form="date")).problems == {0: "'15/4' has no year; name it by year."}
    assert normalise_dates(["15/4"], DateSettings(form="date", year=2024)).values == [date(2024, 4, 15)]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.dates(min_value=date(1970, 1, 1), max_value=date(2068, 12, 31)), min_size=1, max_size=20))
def test_dates_there_and_back_again(days: list[date]) -> None:
    """Written in any order that is named, they come back."""
    for order, form in (("DMY", "%d.%m.%Y"), ("MDY", "%m/%d/%Y"), ("YMD", "%Y-%m-%d")):
        found = normalise_dates([day.strftime(form) for day in days], DateSettings(order=order, form="date"))
        assert found.values == days


# ---------------------------------------------------------------------- countries


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "code"),
    [
        *(("Austria", "AT"), ("ÖSTERREICH", "AT"), ("at", "AT"), ("AUT", "AT"), ("040", "AT"), ("Autriche", "AT")),
        *(
            ("UK", "GB"),
            ("England", "GB"),
            ("U.S.A.", "US"),
            ("The Netherlands", "NL"),
            ("Holland", "NL"),
            ("EL", "GR"),
        ),
        *(
            ("Cote d'Ivoire", "CI"),
            ("Россия", "RU"),
            ("中国", "CN"),
            ("المغرب", "MA"),
            ("Türkei", "TR"),
            ("Turkey", "TR"),
        ),
        *(("Czech Republic", "CZ"), ("Kosovo", "XK"), ("Hong Kong", "HK"), ("Korea, Republic of", "KR")),
        ("Ubelgiji", "BE"),
    ],
)
def test_country_has_its_code(name: str, code: str) -> None:
    """Names in many languages, codes of three kinds, and what people say."""
    assert normalise_countries([name]).values == [code]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Congo", "may be CD or CG"),
        ("Korea", "may be KP or KR"),
        ("YU", "may be RS or ME"),
        ("EU", "is not a country that is known"),
        ("Atlantis", "is not a country that is known"),
        ("x" * 5_000_000, "is not a country that is known"),
    ],
)
def test_doubtful_country_is_told(name: str, said: str) -> None:
    """A name of two countries, a former country with several heirs, and what is no country."""
    found = normalise_countries([name])
    assert found.values == [None]
    assert said in found.problems[0]


def test_language_settles_a_name() -> None:
    """Kongo is one country in Norwegian and another in Polish."""
    assert normalise_countries(["Kongo"]).problems
    assert normalise_countries(["Kongo"], CountrySettings(language="nb")).values == ["CD"]
    assert normalise_countries(["Kongo"], CountrySettings(language="pl-PL")).values == ["CG"]
    assert normalise_countries(["Austria"], CountrySettings(language="no such language")).values == ["AT"]


# ---------------------------------------------------------------------- texts


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("Cafe\u0301", "Café"),
        (" a \u00a0\t b\n", "a b"),
        ("Tom &amp; Jerry&nbsp;&#8211; &eacute;", "Tom & Jerry – é"),
        ("&amp;eacute;", "é"),
        ("AT&T; x=1&copy=2", "AT&T; x=1&copy=2"),
        ("soft\u00adhyphen\ufeff", "softhyphen"),
        ("\u200b \u00a0", None),
        ("family 👨\u200d👩\u200d👧", "family 👨\u200d👩\u200d👧"),
    ],
)
def test_text_is_cleaned(given_text: str, expected: str | None) -> None:
    """One Unicode form, single blanks, no entities; nothing that has a meaning goes."""
    assert clean_texts([given_text]).values == [expected]


def test_case_and_form_are_chosen() -> None:
    """Neither changes unasked."""
    assert clean_texts(["Straße ①"]).values == ["Straße ①"]
    assert clean_texts(["Straße ①"], TextSettings(case="fold", form="NFKC")).values == ["strasse 1"]
    assert clean_texts(["Ab"], TextSettings(case="upper")).values == ["AB"]
    kept = " &amp; e\u0301 "
    assert clean_texts([kept], TextSettings(form="keep", blanks=False, entities=False)).values == [kept]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_cleaning_a_clean_text_changes_nothing(text: str) -> None:
    """Once is enough, apart from entities that were escaped more than twice."""
    once = clean_texts([text]).values
    assert clean_texts(once, TextSettings(entities=False)).values == once


# ---------------------------------------------------------------------- types


def test_column_has_one_type() -> None:
    """Decided from all values; what does not fit is None, with its problem."""
    found = type_column(["1.234,56", "3.350", "12", "8", "7", "ask us"])
    assert found.values == [1234.56, 3350.0, 12.0, 8.0, 7.0, None]
    assert found.problems == {5: "'ask us' is not a number."}
    assert found.type is not None
    assert found.type.decimal == ","


def test_other_currency_is_not_flipped() -> None:
    """A pound among euros is a problem of its row, and the doubt is noted."""
    found = type_column(["5 €", "6 €", "7 €", "8 €", "£9"])
    assert found.values == [Decimal(5), Decimal(6), Decimal(7), Decimal(8), None]
    assert found.problems == {4: "'£9' is not an amount of EUR."}
    assert found.notes == ("currency: EUR or GBP",)


def test_codes_keep_their_zeros() -> None:
    """Postcodes stay texts."""
    assert type_column(["01067", "80331"]).values == ["01067", "80331"]


def test_lost_digits_are_noted() -> None:
    """A float holds fifteen digits; the original has them all."""
    found = type_column(["0.12345678901234567", "1.5", "2.5", "3.5", "4.5"])
    assert found.notes == ("exactness: '0.12345678901234567' and the like say more than their typed values",)


def test_ambiguity_is_noted() -> None:
    """A date whose order nobody knows is read one way, and the note says so."""
    assert type_column(["1/2/2024", "3/4/2024"]).notes[0].startswith("date order: ")
    assert type_column(["1/2/2024"], TypingSettings(language="en-US")).values == [date(2024, 1, 2)]


_ANY = st.one_of(
    st.none(),
    st.text(max_size=25),
    st.text(alphabet="0123456789.,/-: €$kgm&;#xa()[]\0", max_size=14),
    st.sampled_from(["15/4/2024", "5 kg", "n/a", "Congo", "-5", "1.5e9", "007", "3pm"]),
    st.integers(),
    st.floats(),
    st.dates(),
    st.decimals(),
    st.booleans(),
)
STEPS: list[Callable[[list[Any]], Normalised]] = [
    convert_units,
    normalise_dates,
    normalise_countries,
    clean_texts,
    type_column,
]


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
@settings(max_examples=150, deadline=None)
@given(values=st.lists(_ANY, max_size=15))
def test_every_step_keeps_originals_order_and_length(
    step: Callable[[list[Any]], Normalised], values: list[Any]
) -> None:
    """Whatever the cells hold: nothing is raised, and a row has a value, a problem, or nothing to read."""
    found = step(values)
    assert all(original is value for original, value in zip(found.originals, values, strict=True))
    assert len(found.values) == len(values)
    assert all(found.values[row] is None for row in found.problems)
    assert found.read + found.missing + len(found.problems) == len(values)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_every_step_takes_empty_columns_and_huge_cells(step: Callable[[list[Any]], Normalised]) -> None:
    """No rows give no rows; five megabytes in a cell are kept, and quoted briefly."""
    assert step([]).values == []
    huge = "9 " * 2_500_000
    found = step([huge, "5 kg", None])
    assert found.originals[0] is huge
    assert all(len(problem) < 120 for problem in found.problems.values())


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(alphabet="0123456789.,' €$-()EUR*kM%e", max_size=12), min_size=1, max_size=30))
def test_typing_by_shapes_is_typing_one_by_one(texts: list[str]) -> None:
    """The quick way gives what `infer` and `parse` give."""
    found = type_column(texts)
    decided = infer(texts)
    assert found.type is not None
    assert (found.type.kind, found.type.decimal, found.type.currency) == (
        decided.kind,
        decided.decimal,
        decided.currency,
    )
    if decided.kind != "text":
        assert found.values == [decided.parse(text) for text in texts]


def test_given_type_is_followed() -> None:
    """A type that was decided before, such as for the batches of a stream, is not decided again."""
    number = ColumnType(kind="number", decimal=",")
    assert type_column(["3.350"], type=number).values == [3350.0]
    with pytest.raises(UsageError, match="is number, and not date"):
        normalise_dates(["3.350"], type=number)


def test_without_pyarrow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A column needs what batches need, and the error says how to get it."""
    monkeypatch.delitem(sys.modules, "sightline.flow.normalise._stream", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow.compute", None)
    with pytest.raises(MissingExtra, match=r"sightline-data\[flow\]"):
        clean_texts(["a"])


def test_equal_values_that_are_written_differently_are_told_apart() -> None:
    """True is not 1, and a moment keeps its zone; texts that are not Unicode stay as they are."""
    assert convert_units([True, 1, Decimal("1.50")], UnitSettings(unit="kg", from_unit="g")).values == [
        None,
        0.001,
        0.0015,
    ]
    moments = [datetime(2024, 5, 3, 12, tzinfo=UTC), datetime(2024, 5, 3, 14, tzinfo=timezone(timedelta(hours=2)))]
    assert normalise_dates(moments).values == ["2024-05-03T12:00:00+00:00", "2024-05-03T14:00:00+02:00"]
    assert clean_texts([" \ud800 x", "y"]).values == ["\ud800 x", "y"]
