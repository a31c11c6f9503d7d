"""Steps on columns of Python and on streams of batches; originals are kept, and what could not be read is told.

What does the work is imported at the first call, since it needs the extra `flow`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from sightline.data import ColumnType
from sightline.errors import MissingExtra, UsageError
from sightline.flow.normalise._normalised import Normalised
from sightline.flow.normalise._rates import STANDARD, RateTable, TaxTable
from sightline.flow.normalise._settings import (
    CountrySettings,
    DateSettings,
    MoneySettings,
    TaxSettings,
    TextSettings,
    TypingSettings,
    UnitSettings,
)
from sightline.flow.normalise._steps import (
    BatchStep,
    CountryStep,
    DateStep,
    FromColumn,
    MoneyStep,
    TaxStep,
    TextStep,
    TypingStep,
    UnitStep,
)

if TYPE_CHECKING:
    from sightline.flow.normalise._stream import NormalisedBatches


def convert_money(
    values: Sequence[Any],
    rates: RateTable,
    settings: MoneySettings | None = None,
    *,
    dates: Sequence[Any] | date | str,
    currencies: Sequence[Any] | None = None,
    type: ColumnType | None = None,
) -> Normalised:
    """A column of prices in one currency, as decimals.

    `dates` has the day of each price, or is one day for all. `currencies`, if given, has the currency of each price, as
    a code or a sign; otherwise it is beside the number, in the settings or in `type`. The number format of the column
    is decided once, from all its texts, unless `type` says it.

    >>> table = RateTable.read([{"date": "2024-05-03", "currency": "GBP", "rate": "0.85718"}])
    >>> found = convert_money(["£12.00", "5 €", "$3", "ask us"], table, dates="2024-05-05")
    >>> [str(value) for value in found.values]
    ['14.00', '5.00', 'None', 'None']
    >>> found.problems[3]
    "'ask us' is not an amount of money."
    """
    chosen = settings or MoneySettings()
    beside = _Beside(chosen.column, values)
    if currencies is not None and len(currencies) != len(values):
        raise UsageError(f"There are {len(values)} values, but {len(currencies)} currencies; give one for each row.")
    step = MoneyStep(
        rates=rates,
        dates=beside.dates(dates),
        currencies=None if currencies is None else beside.column("currencies", currencies),
        settings=chosen,
        type=type,
    )
    return _normalised(step, beside.columns)


@dataclass(frozen=True, slots=True)
class TaxBasis:
    """What decides the rate of a row: a column, or one value for all rows."""

    countries: Sequence[Any] | str
    dates: Sequence[Any] | date | str
    categories: Sequence[Any] | str = STANDARD


def add_tax(
    values: Sequence[Any],
    table: TaxTable,
    basis: TaxBasis,
    settings: TaxSettings | None = None,
    *,
    type: ColumnType | None = None,
) -> Normalised:
    """Gross amounts from net ones, rounded to the minor units of their currency.

    >>> table = TaxTable.read([{"country": "DE", "from": "2007-01-01", "rate": "19"}])
    >>> add_tax(["100 €", "n/a"], table, TaxBasis("Germany", "2024-05-03")).values
    [Decimal('119.00'), None]
    """
    return _taxed("add", values, table, basis, settings or TaxSettings(), type)


def remove_tax(
    values: Sequence[Any],
    table: TaxTable,
    basis: TaxBasis,
    settings: TaxSettings | None = None,
    *,
    type: ColumnType | None = None,
) -> Normalised:
    """Net amounts from gross ones, rounded to the minor units of their currency.

    >>> table = TaxTable.read([{"country": "DE", "from": "2007-01-01", "rate": "19"}])
    >>> remove_tax(["119 €"], table, TaxBasis("DE", "2024-05-03")).values
    [Decimal('100.00')]
    """
    return _taxed("remove", values, table, basis, settings or TaxSettings(), type)


def _taxed(
    tax: str, values: Sequence[Any], table: TaxTable, basis: TaxBasis, settings: TaxSettings, type: ColumnType | None
) -> Normalised:
    beside = _Beside(settings.column, values)
    step = TaxStep(
        table=table,
        tax=tax,
        countries=beside.texts("countries", basis.countries),
        categories=beside.texts("categories", basis.categories),
        dates=beside.dates(basis.dates),
        settings=settings,
        type=type,
    )
    return _normalised(step, beside.columns)


def convert_units(
    values: Sequence[Any], settings: UnitSettings | None = None, *, type: ColumnType | None = None
) -> Normalised:
    """A column of measures in one unit, as floats.

    Numbers without a unit are in `from_unit` of the settings, or in the unit that most of the column has.

    >>> found = convert_units(["1.5 kg", "500 g", "3 lb", "20 cm"], UnitSettings(unit="kg"))
    >>> found.values
    [1.5, 0.5, 1.36077711, None]
    >>> found.problems
    {3: "'20 cm' is a length, not a mass."}
    """
    chosen = settings or UnitSettings()
    return _normalised(UnitStep(settings=chosen, type=type), {chosen.column: values})


def normalise_dates(
    values: Sequence[Any], settings: DateSettings | None = None, *, type: ColumnType | None = None
) -> Normalised:
    """A column of dates as ISO 8601 texts, or as dates of Python.

    The order is decided once for the column: from days above 12, the language, or the settings. If nothing decides it,
    `notes` says how it was taken.

    >>> found = normalise_dates(["15/4/2024", "2/5/2024", "n/a", "soon"])
    >>> found.values, found.problems
    (['2024-04-15', '2024-05-02', None, None], {3: "'soon' is not a date (day first)."})
    """
    chosen = settings or DateSettings()
    return _normalised(DateStep(settings=chosen, type=type), {chosen.column: values})


def normalise_countries(values: Sequence[Any], settings: CountrySettings | None = None) -> Normalised:
    """A column of countries as two-letter codes.

    >>> found = normalise_countries(["Österreich", "AUT", "États-Unis", "日本", "Congo", "Atlantis"])
    >>> found.values
    ['AT', 'AT', 'US', 'JP', None, None]
    >>> found.problems
    {4: "'Congo' may be CD or CG; write the code.", 5: "'Atlantis' is not a country that is known."}
    """
    chosen = settings or CountrySettings()
    return _normalised(CountryStep(settings=chosen), {chosen.column: values})


def clean_texts(values: Sequence[Any], settings: TextSettings | None = None) -> Normalised:
    """A column of clean texts; what is empty afterwards is None.

    >>> clean_texts(["  Caf\u0065\u0301\u00a0 &amp; Bar ", "AT&T", " "]).values
    ['Café & Bar', 'AT&T', None]
    """
    chosen = settings or TextSettings()
    return _normalised(TextStep(settings=chosen), {chosen.column: values})


def type_column(
    values: Sequence[Any], settings: TypingSettings | None = None, *, type: ColumnType | None = None
) -> Normalised:
    """A column of typed values, by the type that all its texts together have, or by the given one.

    A value that does not fit the type is None, with its problem; none is read in another way than the others.

    >>> found = type_column(["1.234,56", "3.350", "n/a", "ask"])
    >>> found.values, found.type.kind
    (['1.234,56', '3.350', None, 'ask'], 'text')
    >>> type_column(["1.234,56", "3.350", "7", "8", "ask"]).values
    [1234.56, 3350.0, 7.0, 8.0, None]
    """
    chosen = settings or TypingSettings()
    return _normalised(TypingStep(settings=chosen, type=type), {chosen.column: values})


class _Beside:
    """The columns that a step reads, its own first, by names that differ."""

    def __init__(self, name: str, values: Sequence[Any]) -> None:
        self._own, self._rows = name, len(values)
        self.columns: dict[str, Sequence[Any]] = {name: values}

    def column(self, what: str, values: Sequence[Any]) -> FromColumn:
        """One more."""
        name = f"{self._own}, {what}"
        self.columns[name] = values
        return FromColumn(name)

    def dates(self, dates: Sequence[Any] | date | str) -> FromColumn | date | str:
        """The day of each row, or the one for all."""
        if isinstance(dates, date | str):
            return dates
        if len(dates) != self._rows:
            raise UsageError(
                f"There are {self._rows} values, but {len(dates)} dates; give one for each row, or one date for all."
            )
        return self.column("dates", dates)

    def texts(self, what: str, values: Sequence[Any] | str) -> FromColumn | str:
        """What each row has, or the one text for all."""
        if isinstance(values, str):
            return values
        if len(values) != self._rows:
            raise UsageError(
                f"There are {self._rows} values, but {len(values)} {what}; give one for each row, or one for all."
            )
        return self.column(what, values)


def _normalised(step: BatchStep, columns: Mapping[str, Sequence[Any]]) -> Normalised:
    try:
        from sightline.flow.normalise._stream import normalised_column
    except ImportError as problem:
        raise MissingExtra("flow", "Normalising") from problem
    return normalised_column(step, columns)


def normalise_batches(open_batches: Callable[[], Iterable[Any]], steps: Sequence[BatchStep]) -> "NormalisedBatches":
    """Record batches of Arrow with the columns that the steps make, in memory for some batches only.

    `open_batches` opens the batches from the first row on. It is called twice: the number format, the order of dates
    and the type of a column are decided from all its rows before the first one is converted. If all steps that decide
    something have a `type` (and a `date_type` where there is a column of dates), it is called once; `decide()` returns
    such steps.

    Each step puts three columns side by side: the new one, the original and the problems, as texts. A later step on a
    column that a step made keeps no original of its own, since the first one is there. `reports` has the counts, the
    causes and the notes of each step when all batches have been taken.

    >>> import pyarrow as pa
    >>> from sightline.flow.normalise import MoneySettings, MoneyStep, RateTable
    >>> batch = pa.record_batch({"price": ["12 EUR", "ask us"]})
    >>> rates = RateTable.read([{"date": "2024-05-03", "currency": "GBP", "rate": "0.85718"}])
    >>> step = MoneyStep(rates=rates, dates="2024-05-03", settings=MoneySettings(column="price"))
    >>> found = normalise_batches(lambda: [batch], [step])
    >>> [made.to_pylist()[0] for made in found]
    [{'price': Decimal('12.00'), 'price_original': '12 EUR', 'price_problem': None}]
    >>> found.reports[0].summary
    "price: 1 read, 0 missing, 1 not read ('ask us' is not an amount of money.)"
    """
    try:
        from sightline.flow.normalise._stream import NormalisedBatches
    except ImportError as problem:
        raise MissingExtra("flow", "Normalising batches") from problem
    return NormalisedBatches(open_batches, steps)
