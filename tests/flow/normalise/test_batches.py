"""Steps on batches of Arrow: what they store, wherever the batches end, is what the whole column says."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from sightline.data import ColumnType, infer
from sightline.errors import UsageError
from sightline.flow.normalise import (
    BatchStep,
    CountrySettings,
    CountryStep,
    DateSettings,
    DateStep,
    FromColumn,
    MoneySettings,
    MoneyStep,
    Normalised,
    RateTable,
    TaxBasis,
    TaxSettings,
    TaxStep,
    TaxTable,
    TextSettings,
    TextStep,
    TypingSettings,
    TypingStep,
    UnitSettings,
    UnitStep,
    add_tax,
    clean_texts,
    convert_money,
    convert_units,
    normalise_batches,
    normalise_countries,
    normalise_dates,
    remove_tax,
    type_column,
)
from sightline.flow.normalise._sample import TextSample, sampled_shapes

ECB = RateTable.read(Path(__file__).parent / "ecb-sample.csv")
TAX = TaxTable.read(
    [
        {"country": "DE", "from": "2007-01-01", "rate": "19"},
        {"country": "DE", "from": "2020-07-01", "rate": "16"},
        {"country": "CH", "from": "2024-01-01", "rate": "8.1"},
    ]
)
DAY = date(2024, 5, 3)


def cut(columns: dict[str, Any], size: int) -> list[pa.RecordBatch]:
    """A table in batches of so many rows."""
    table = pa.table(columns)
    return table.to_batches(max_chunksize=size) or [pa.RecordBatch.from_pylist([], schema=table.schema)]


def check_same(columns: dict[str, Any], step: BatchStep, expected: Normalised, size: int = 3) -> pa.Table:
    """The batches say what the column says; returns them as a table."""
    batches = cut(columns, size)
    found = normalise_batches(lambda: batches, [step])
    table = pa.Table.from_batches(list(found))
    table.validate(full=True)
    names = step.settings
    values = table[names.new_name].to_pylist()
    assert list(map(_told, values)) == list(map(_told, expected.values))
    rows = len(values)
    assert table[names.problem_name].to_pylist() == [expected.problems.get(row) for row in range(rows)]
    (report,) = found.reports
    assert (report.read, report.missing, report.unread) == (expected.read, expected.missing, len(expected.problems))
    assert (report.causes, report.summary, report.notes) == (expected.causes, expected.summary, expected.notes)
    assert report.type == expected.type
    return table


def _told(value: Any) -> Any:
    """A value as Arrow stores it: a moment of a known zone is one in UTC."""
    if isinstance(value, datetime) and value.tzinfo:
        return value.astimezone(UTC)
    return value


# ---------------------------------------------------------------------- the same as the whole column says

_AMOUNTS = st.decimals(min_value=-(10**12), max_value=10**12, places=2)
_SIGNS = st.sampled_from(["€", "CHF ", "-", "$", "~", "", "£", "EUR ", "(", "5 "])
_ODD = st.one_of(
    st.none(),
    st.text(max_size=30).filter(lambda text: text.isprintable() or "\n" in text),
    st.text(alphabet="0123456789.,' €$£-()EUR[]*kM%e\0٣", max_size=14),
)
_PRICES = st.one_of(
    _ODD,
    st.builds("{}{}".format, _SIGNS, _AMOUNTS),
    st.builds("{:,} {}".format, _AMOUNTS, st.sampled_from(["€", "GBP", "kr", "", "million €", "kg"])),
    st.builds("{}{}".format, _SIGNS, st.integers(-(10**22), 10**22)),
    st.sampled_from(["1.5e90 €", "n/a", "ask us", "12,50 €", "CHF 1.200,00", "USD 3", "5 kr", "5 [2]", "9" * 300]),
)
_DATES = st.sampled_from(
    ["2024-05-03", "3.5.2024", "2024-05-06T10:00:00+02:00", "soon", None, "2024-06-30", "4/5/2024"]
)
_SIZES = st.integers(1, 9)


@example([("£12.00", "2024-05-03")], 1, "EUR", None, "half-up")
@given(
    st.lists(st.tuples(_PRICES, _DATES), max_size=25),
    _SIZES,
    st.sampled_from(["EUR", "JPY", "GBP"]),
    st.sampled_from([None, 0, 1, 10]),
    st.sampled_from(["half-up", "half-even"]),
)
def test_money_is_the_same(
    rows: list[tuple[str | None, str | None]], size: int, currency: str, digits: int | None, rounding: str
) -> None:
    """Digit by digit, and problem by problem, wherever the batches end."""
    prices, days = [price for price, _ in rows], [day for _, day in rows]
    chosen = MoneySettings(column="price", currency=currency, digits=digits, rounding=rounding)
    step = MoneyStep(rates=ECB, dates=FromColumn("day"), settings=chosen)
    columns = {"price": pa.array(prices, pa.string()), "day": pa.array(days, pa.string())}
    table = check_same(columns, step, convert_money(prices, ECB, chosen, dates=days), size)
    assert table["price_original"].to_pylist() == prices


@given(st.lists(st.tuples(_PRICES, st.sampled_from(["GBP", "usd", "€", "XYZ", "", None, "$"])), max_size=20), _SIZES)
def test_column_of_currencies_is_the_same(rows: list[tuple[str | None, str | None]], size: int) -> None:
    """Codes and signs of another column, and what contradicts them."""
    prices, currencies = [price for price, _ in rows], [code for _, code in rows]
    chosen = MoneySettings(column="price", from_currency="EUR")
    step = MoneyStep(rates=ECB, dates=DAY, currencies=FromColumn("currency"), settings=chosen)
    columns = {"price": pa.array(prices, pa.string()), "currency": pa.array(currencies, pa.string())}
    check_same(columns, step, convert_money(prices, ECB, chosen, dates=DAY, currencies=currencies), size)


_NUMBERS: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    (pa.int8(), st.integers(-128, 127)),
    (pa.uint64(), st.integers(0, 2**64 - 1)),
    (pa.float64(), st.one_of(st.floats(), st.floats(-(10**6), 10**6).map(lambda number: round(number, 2)))),
    (pa.float32(), st.floats(width=32)),
    (pa.decimal128(38, 4), st.decimals(min_value=-(10**20), max_value=10**20, places=4)),
    (pa.decimal128(20, 12), st.decimals(min_value=-(10**7), max_value=10**7, places=12)),
    (pa.bool_(), st.booleans()),
    (pa.date32(), st.dates()),
    (pa.list_(pa.int8()), st.lists(st.integers(0, 9), max_size=2)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "values"), _NUMBERS, ids=lambda one: str(one) if isinstance(one, pa.DataType) else "")
@settings(max_examples=40, deadline=None)
@given(data=st.data(), size=_SIZES, rounding=st.sampled_from(["half-up", "half-even"]))
def test_typed_columns_are_the_same(kind: Any, values: Any, data: st.DataObject, size: int, rounding: str) -> None:
    """Numbers keep every digit, in whatever type they come, under money, tax and units."""
    cells = pa.array(data.draw(st.lists(st.one_of(st.none(), values), max_size=12)), kind)
    given_values = cells.to_pylist()
    money = MoneySettings(from_currency="CHF", rounding=rounding)
    expected = convert_money(given_values, ECB, money, dates=DAY)
    check_same({"value": cells}, MoneyStep(rates=ECB, dates=DAY, settings=money), expected, size)
    chosen = TaxSettings(rounding=rounding)
    taxed = remove_tax(given_values, TAX, TaxBasis("DE", DAY), chosen)
    check_same(
        {"value": cells}, TaxStep(table=TAX, tax="remove", countries="DE", dates=DAY, settings=chosen), taxed, size
    )
    grams = UnitSettings(unit="kg", from_unit="g")
    check_same({"value": cells}, UnitStep(settings=grams), convert_units(given_values, grams), size)


@pytest.mark.slow
@given(
    st.lists(st.tuples(_PRICES, st.sampled_from(["DE", "Schweiz", "Congo", None, "FR"]), _DATES), max_size=20),
    _SIZES,
    st.sampled_from(["add", "remove"]),
    st.sampled_from([None, 2, 7]),
)
def test_tax_is_the_same(rows: list[tuple[Any, Any, Any]], size: int, tax: str, digits: int | None) -> None:
    """In and out, by country and day, with the digits of each currency."""
    prices, countries, days = ([row[place] for row in rows] for place in range(3))
    chosen = TaxSettings(column="price", digits=digits)
    names = {"countries": FromColumn("country"), "dates": FromColumn("day")}
    step = TaxStep(table=TAX, tax=tax, settings=chosen, **names)
    columns = {"price": prices, "country": countries, "day": days}
    typed = {name: pa.array(cells, pa.string()) for name, cells in columns.items()}
    taxed = add_tax if tax == "add" else remove_tax
    check_same(typed, step, taxed(prices, TAX, TaxBasis(countries, days), chosen), size)


_CELLS = st.one_of(
    _PRICES,
    st.sampled_from(["15/4/2024", "2/5/2024", "5 kg", "500 g", "20 cm", "-5", "007", "3pm", "1,234.5", "Congo", "AT"]),
    st.sampled_from(["15/4", "2024-05-03 10:00", "2024-05-03T10:00:00+02:00", "a@b.example", "https://a.example/"]),
    st.builds("{} kg".format, st.integers(0, 10**6)),
    st.builds("{:.3f}".format, st.floats(-(10**9), 10**9)),
    st.sampled_from([" Caf\u0065\u0301 &amp; Bar", "plain words", "Straße  ①", "AT&T", " "]),
)
OTHERS: list[tuple[Callable[..., Normalised], type, list[Any]]] = [
    (convert_units, UnitStep, [UnitSettings(), UnitSettings(unit="cm", from_unit="mm")]),
    (normalise_dates, DateStep, [DateSettings(), DateSettings(order="MDY", year=2024), DateSettings(form="date")]),
    (normalise_countries, CountryStep, [CountrySettings(), CountrySettings(language="nb")]),
    (clean_texts, TextStep, [TextSettings(), *(TextSettings(case=case) for case in ("lower", "upper", "fold"))]),
    (clean_texts, TextStep, [TextSettings(blanks=False), TextSettings(entities=False, form="NFKC")]),
    (type_column, TypingStep, [TypingSettings(), TypingSettings(year=2024, language="de")]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("function", "step", "several"), OTHERS, ids=lambda one: getattr(one, "__name__", ""))
@given(cells=st.lists(_CELLS, max_size=20), size=_SIZES, data=st.data())
def test_other_steps_are_the_same(function: Any, step: Any, several: Any, cells: Any, size: int, data: Any) -> None:
    """Units, dates, countries, texts and types, of any texts."""
    chosen = data.draw(st.sampled_from(several))
    expected = function(cells, chosen)
    assume(all(_fits(value) for value in expected.values if isinstance(value, Decimal)))
    check_same({"value": pa.array(cells, pa.string())}, step(settings=chosen), expected, size)


def _fits(number: Decimal) -> bool:
    return abs(number) < 10**20 and number == round(number, 10)


def test_typed_money_that_a_column_cannot_hold_is_told() -> None:
    """A column of Arrow has one scale and 38 digits; what does not fit is a problem, and not rounded."""
    texts = ["5 €", ".1E40 €", "1e-12 €", *["6 €"] * 9]
    found = normalise_batches(lambda: [pa.record_batch({"value": texts})], [TypingStep()])
    (batch,) = found
    assert batch["value"].to_pylist() == [5, None, None, *[6] * 9]
    assert batch["value_problem"].to_pylist()[1:3] == [
        "'.1E40 €' has more than 38 digits.",
        "'1e-12 €' has more than 10 digits behind the point.",
    ]
    assert found.reports[0].unread == 2


@pytest.mark.parametrize(
    "kind", [pa.int64(), pa.float64(), pa.decimal128(25, 3), pa.date32(), pa.timestamp("us", "UTC")]
)
@pytest.mark.parametrize(("function", "step", "several"), OTHERS, ids=lambda one: getattr(one, "__name__", ""))
def test_other_steps_take_typed_columns(function: Any, step: Any, several: Any, kind: Any) -> None:
    """Numbers, dates and moments."""
    cells = pa.array([5, None, 19_000, 5], pa.int32()).cast(pa.int64())
    typed = cells.cast(pa.int32()).cast(kind) if kind == pa.date32() else cells.cast(kind)
    for chosen in several:
        check_same({"value": typed}, step(settings=chosen), function(typed.to_pylist(), chosen))


# ---------------------------------------------------------------------- decided from the whole column


def test_last_batch_decides_too() -> None:
    """A day above 12 and a decimal comma that come late hold for the first row as well."""
    batches = cut({"day": ["1/2/2024", "2/3/2024", "3/25/2024"], "price": ["1.250 €", "3.350 €", "7,50 €"]}, 1)
    steps = [
        DateStep(settings=DateSettings(column="day")),
        MoneyStep(rates=ECB, dates=DAY, settings=MoneySettings(column="price")),
    ]
    table = pa.Table.from_batches(normalise_batches(lambda: batches, steps))
    assert table["day"].to_pylist() == ["2024-01-02", "2024-02-03", "2024-03-25"]
    assert table["price"].to_pylist() == [Decimal("1250.00"), Decimal("3350.00"), Decimal("7.50")]


def _counting(batches: Sequence[pa.RecordBatch]) -> tuple[Callable[[], Iterator[pa.RecordBatch]], list[int]]:
    taken: list[int] = []

    def open_batches() -> Iterator[pa.RecordBatch]:
        taken.append(0)
        for batch in batches:
            taken[-1] += 1
            yield batch

    return open_batches, taken


def test_known_types_save_the_first_pass() -> None:
    """The steps that `decide` returns need the batches once, and make the same of them."""
    batches = cut({"price": ["£1.50", "2.25 €"], "day": ["3.5.2024", "2024-05-03"]}, 1)
    open_batches, taken = _counting(batches)
    first = normalise_batches(
        open_batches, [MoneyStep(rates=ECB, dates=FromColumn("day"), settings=MoneySettings(column="price"))]
    )
    once = list(first)
    assert taken == [2, 2]
    again = normalise_batches(open_batches, first.decide())
    assert list(again) == once
    assert taken == [2, 2, 2]
    assert again.reports[0].notes == first.reports[0].notes


def test_typed_columns_need_one_look() -> None:
    """Numbers and dates decide nothing, so the first pass ends with the first batch."""
    batches = cut({"price": [1.5, 2.5, 3.5], "day": [DAY, DAY, DAY]}, 1)
    open_batches, taken = _counting(batches)
    chosen = MoneySettings(column="price", from_currency="GBP")
    step = MoneyStep(rates=ECB, dates=FromColumn("day"), settings=chosen)
    assert len(list(normalise_batches(open_batches, [step]))) == 3
    assert taken == [1, 3]


def test_steps_on_texts_that_a_step_made_are_decided_after_it() -> None:
    """Cleaned texts are typed; dates in ISO 8601 are what money looks up."""
    batches = cut({"price": ["&nbsp;£1.50", "2&#46;25 €"], "day": ["25/3/2024", "2/5/2024"]}, 1)
    steps: list[BatchStep] = [
        TextStep(settings=TextSettings(column="price")),
        DateStep(settings=DateSettings(column="day")),
        MoneyStep(rates=ECB, dates=FromColumn("day"), settings=MoneySettings(column="price", max_age_days=60)),
    ]
    found = normalise_batches(lambda: batches, steps)
    rows = pa.Table.from_batches(found).to_pylist()
    assert [row["price_original"] for row in rows] == ["&nbsp;£1.50", "2&#46;25 €"]
    assert [row["day"] for row in rows] == ["2024-03-25", "2024-05-02"]
    assert rows[1]["price"] == Decimal("2.25")


def test_batches_may_be_taken_again() -> None:
    """Each time from the first row on, with counts that begin at nothing."""
    found = normalise_batches(lambda: cut({"value": ["a", "b"]}, 1), [CountryStep()])
    assert list(found) == list(found)
    assert found.reports[0].rows == 2


# ---------------------------------------------------------------------- columns and their names


def test_two_steps_on_one_column_keep_the_first_original() -> None:
    """Money, then tax: the original is what came, and the problem is that of the step that had it."""
    batches = cut({"id": [1, 2, 3], "price": ["£119", "ask", "119 €"], "country": ["DE", "DE", "Atlantis"]}, 2)
    steps = [
        MoneyStep(rates=ECB, dates=DAY, settings=MoneySettings(column="price")),
        TaxStep(
            table=TAX,
            tax="remove",
            countries=FromColumn("country"),
            dates=DAY,
            settings=TaxSettings(column="price", currency="EUR"),
        ),
    ]
    found = normalise_batches(lambda: batches, steps)
    table = pa.Table.from_batches(found)
    assert table.column_names == ["id", "price", "price_original", "price_problem", "country"]
    assert table["price"].to_pylist() == [Decimal("119.68"), None, None]
    assert table["price_original"].to_pylist() == ["£119", "ask", "119 €"]
    assert table["price_problem"].to_pylist() == [
        None,
        "'ask' is not an amount of money.",
        "'Atlantis' is not a country that is known.",
    ]
    assert [report.summary for report in found.reports] == [
        "price: 2 read, 0 missing, 1 not read ('ask' is not an amount of money.)",
        "price: 1 read, 1 missing, 1 not read ('Atlantis' is not a country that is known.)",
    ]


def test_into_keeps_what_is_between_two_steps() -> None:
    """With names of their own, every column stays."""
    batches = cut({"price": ["£119"]}, 1)
    steps = [
        MoneyStep(rates=ECB, dates=DAY, settings=MoneySettings(column="price", into="gross")),
        TaxStep(table=TAX, tax="remove", countries="DE", dates=DAY, settings=TaxSettings(column="gross", into="net")),
    ]
    (row,) = pa.Table.from_batches(normalise_batches(lambda: batches, steps)).to_pylist()
    assert row == {
        "price": "£119",
        "gross": Decimal("138.83"),
        "net": Decimal("119.68"),
        "net_problem": None,
        "gross_problem": None,
    }


@pytest.mark.parametrize(
    ("columns", "step", "said"),
    [
        ({"prise": ["5 €"]}, MoneyStep(rates=ECB, dates=DAY, settings=MoneySettings(column="price")), "mean 'prise'"),
        ({"value": ["5 €"]}, MoneyStep(rates=ECB, dates=FromColumn("on")), "no column 'on'"),
        ({"value": ["a"], "value_original": ["b"]}, TextStep(), "'value_original' already"),
        ({"value": ["a"], "value_problem": ["b"]}, TextStep(), "'value_problem' already"),
        ({"value": ["a"], "new": ["b"]}, TextStep(settings=TextSettings(into="new")), "'new' already"),
    ],
)
def test_wrong_columns_are_rejected(columns: dict[str, Any], step: BatchStep, said: str) -> None:
    """A missing column, and one that would be overwritten."""
    with pytest.raises(UsageError, match=said):
        list(normalise_batches(lambda: cut(columns, 1), [step]))


def test_wrong_steps_are_rejected() -> None:
    """Before any batch is opened."""
    with pytest.raises(UsageError, match="add or remove"):
        TaxStep(table=TAX, tax="double", countries="DE", dates=DAY)
    two = [TextStep(settings=TextSettings(column=name, into="new")) for name in "ab"]
    with pytest.raises(UsageError, match="Two steps make"):
        normalise_batches(list, two)
    with pytest.raises(UsageError, match="is not a date"):
        normalise_batches(list, [MoneyStep(rates=ECB, dates="soon")])
    with pytest.raises(UsageError, match="is date, and not money"):
        normalise_batches(list, [MoneyStep(rates=ECB, dates=DAY, type=ColumnType(kind="date"))])


# ---------------------------------------------------------------------- whatever the batches hold


@pytest.mark.parametrize(
    "kind",
    [
        pa.dictionary(pa.int8(), pa.string()),
        pa.large_string(),
        pa.string_view(),
        pa.binary(),
        pa.run_end_encoded(pa.int32(), pa.string()),
    ],
    ids=str,
)
def test_texts_of_every_type(kind: Any) -> None:
    """However Arrow stores texts, they are read alike, and the originals are theirs."""
    texts = ["£12.00", None, "ask", "£12.00", "5 €"]
    plain = pa.array(texts, pa.string())
    column = pa.compute.run_end_encode(plain) if pa.types.is_run_end_encoded(kind) else plain.cast(kind)
    step = MoneyStep(rates=ECB, dates=DAY)
    table = check_same({"value": column}, step, convert_money(texts, ECB, dates=DAY), 5)
    kept = table["value_original"].to_pylist()
    assert [one.decode() if isinstance(one, bytes) else one for one in kept] == texts


STEPS = [
    MoneyStep(rates=ECB, dates=DAY),
    TaxStep(table=TAX, tax="add", countries="DE", dates=DAY),
    UnitStep(),
    DateStep(),
    CountryStep(),
    TextStep(),
    TypingStep(),
]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: type(step).__name__)
def test_invalid_utf8_is_told(step: BatchStep) -> None:
    """Bytes that are no text are written as escapes, in a batch that everybody can read; a note counts them."""
    broken = pa.array([b"5 \xff kg", b"6 kg", None], pa.binary()).view(pa.string())
    found = normalise_batches(lambda: [pa.record_batch({"value": broken})], [step])
    (batch,) = found
    batch.validate(full=True)
    assert batch["value_original"].to_pylist() == ["5 \\xff kg", "6 kg", None]
    assert found.reports[0].notes[-1] == "encoding: 1 texts are not UTF-8; their bytes are written as \\xff"


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS, ids=lambda step: type(step).__name__)
def test_huge_cells_and_empty_batches(step: BatchStep) -> None:
    """Fifty megabytes in a cell are kept and quoted briefly; no rows give no rows, and no batches no batches."""
    huge = "9 " * 25_000_000
    batches = [pa.record_batch({"value": pa.array(cells, pa.string())}) for cells in ([huge, "5"], [], [None, "6"])]
    found = normalise_batches(lambda: batches, [step])
    made = list(found)
    assert [batch.num_rows for batch in made] == [2, 0, 2]
    assert made[0]["value_original"][0].as_py() == huge
    assert len({str(batch.schema) for batch in made}) == 1
    assert all(len(cause) < 120 for cause in found.reports[0].causes)
    assert list(normalise_batches(list, [step])) == []


@pytest.mark.parametrize(
    "kind", [pa.date32(), pa.date64(), pa.timestamp("s"), pa.timestamp("ns"), pa.timestamp("us", "Asia/Tokyo")], ids=str
)
def test_dates_of_every_type(kind: Any) -> None:
    """The day of a moment is the one of its own zone."""
    moments = pa.array([datetime(2024, 5, 3, 22, tzinfo=UTC), None], pa.timestamp("s", "UTC"))
    days = moments.cast(pa.timestamp("s")).cast(kind) if "Tokyo" not in str(kind) else moments.cast(kind)
    found = normalise_batches(
        lambda: [pa.record_batch({"value": ["£1", "£1"], "day": days})],
        [MoneyStep(rates=ECB, dates=FromColumn("day"), settings=MoneySettings(max_age_days=0))],
    )
    (batch,) = found
    said = "no rate for GBP on 2024-05-04; the last one before is of 2024-05-03." if "Tokyo" in str(kind) else None
    assert batch["value_problem"].to_pylist() == [said, "there is no date, and so no rate."]


def test_days_that_python_does_not_have_are_told() -> None:
    """A date of the year 10000 is no reason to stop."""
    days = pa.array([2_932_897, 0], pa.int32()).cast(pa.date32())
    found = normalise_batches(
        lambda: [pa.record_batch({"value": ["£1", "1 €"], "day": days})],
        [MoneyStep(rates=ECB, dates=FromColumn("day"))],
    )
    (batch,) = found
    assert batch["value_problem"].to_pylist() == ["'10000-01-01' is not a date (day first).", None]


def test_sliced_batches_are_read_where_they_begin() -> None:
    """A batch that is a part of another one has its own rows, under all types."""
    texts = pa.array(["£1", "£2", None, "£4"])
    for cells in (texts, texts.cast(pa.large_string())):
        batch = pa.record_batch({"value": cells}).slice(1, 3)
        (made,) = normalise_batches(lambda batch=batch: [batch], [MoneyStep(rates=ECB, dates=DAY)])
        assert made["value"].to_pylist() == [Decimal("2.33"), None, Decimal("4.67")]
    numbers = pa.array([Decimal("1.50"), Decimal("2.50"), None])
    batch = pa.record_batch({"value": numbers}).slice(1, 2)
    (made,) = normalise_batches(
        lambda: [batch], [MoneyStep(rates=ECB, dates=DAY, settings=MoneySettings(from_currency="EUR"))]
    )
    assert made["value"].to_pylist() == [Decimal("2.50"), None]


def test_causes_are_bounded_and_nothing_is_lost() -> None:
    """Of three thousand different problems a thousand are kept apart; each row has its own in the batch."""
    texts = [f"ask {word}" for word in range(3_000)]
    found = normalise_batches(lambda: cut({"value": texts}, 700), [MoneyStep(rates=ECB, dates=DAY)])
    table = pa.Table.from_batches(found)
    (report,) = found.reports
    assert report.unread == sum(report.causes.values()) == 3_000
    assert len(report.causes) == 1_001
    assert table["value_problem"].to_pylist()[-1] == "'ask 2999' is not an amount of money."


@given(st.lists(_CELLS, max_size=40), st.integers(1, 6))
def test_full_sample_counts_every_text(cells: list[str | None], most: int) -> None:
    """Texts that have no room of their own are counted with others; none is counted twice or not at all."""
    sample = TextSample(most=most)
    for batch in cut({"value": pa.array(cells, pa.string())}, 4):
        sample.add(sampled_shapes(batch["value"], sample))
    assert sum(sample.texts.values()) + sample.left_out == sum(cell is not None for cell in cells)
    assert len(sample.own_texts) <= most


def test_full_sample_still_sees_the_last_day() -> None:
    """More moments than there is room for: a day above 12 in the last of them decides their order."""
    sample = TextSample(most=50)
    moments = [
        f"{number % 12 + 1:02}/0{number % 9 + 1}/2024 10:{number % 60:02}:{number % 7:02}" for number in range(4_000)
    ]
    for batch in cut({"value": [*moments, "02/25/2024 10:00:00"]}, 500):
        sample.add(sampled_shapes(batch["value"], sample))
    assert not sample.is_whole
    assert infer(sample.texts).date_order == "MDY"


def test_other_columns_stay_as_they_are() -> None:
    """Types, metadata and order of what no step reads."""
    fields = [pa.field("id", pa.int8(), nullable=False, metadata={"a": "b"}), pa.field("value", pa.string())]
    schema = pa.schema([*fields, pa.field("tags", pa.list_(pa.string()))], metadata={"c": "d"})
    batch = pa.RecordBatch.from_pylist([{"id": 1, "value": " x ", "tags": ["y"]}], schema=schema)
    (made,) = normalise_batches(lambda: [batch], [TextStep()])
    assert made.schema.names == ["id", "value", "value_original", "value_problem", "tags"]
    assert made.schema.field("id").equals(fields[0], check_metadata=True)
    assert made.schema.metadata == {b"c": b"d"}
    assert made["tags"].equals(batch["tags"])


def test_doubled_names_are_rejected() -> None:
    """One of two columns of a name would be lost."""
    batch = pa.record_batch([pa.array(["a"]), pa.array(["b"])], names=["value", "value"])
    with pytest.raises(UsageError, match="two columns 'value'"):
        list(normalise_batches(lambda: [batch], [TextStep()]))


def test_taker_may_stop_early() -> None:
    """What was made ahead is dropped, and an error of the source comes through."""
    taken: list[int] = []

    def open_batches() -> Iterator[pa.RecordBatch]:
        for number in range(100):
            taken.append(number)
            yield pa.record_batch({"value": ["x"]})
        raise OSError("the source is gone")

    batches = iter(normalise_batches(open_batches, [TextStep()]))
    next(batches)
    batches.close()
    assert len(taken) < 10
    with pytest.raises(OSError, match="is gone"):
        list(normalise_batches(open_batches, [TextStep()]))
