"""Steps as they are declared for a stream of batches: what to do, to which column, and with what beside it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, TypeAlias

from sightline.data import ColumnType
from sightline.errors import MissingExtra, UsageError
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

if TYPE_CHECKING:
    from sightline.flow.normalise._stream import NormalisedBatches

TAXES = ("add", "remove")


@dataclass(frozen=True, slots=True)
class FromColumn:
    """The column that has a value for each row, where a plain value holds for all rows."""

    name: str


@dataclass(frozen=True, kw_only=True)
class MoneyStep:
    """Money to one currency, as `convert_money`; `type` and `date_type` are decided from the batches if not given."""

    rates: RateTable
    dates: FromColumn | date | str
    currencies: FromColumn | None = None
    settings: MoneySettings = field(default_factory=MoneySettings)
    type: ColumnType | None = None
    date_type: ColumnType | None = None


@dataclass(frozen=True, kw_only=True)
class TaxStep:
    """Tax added or removed, as by `add_tax` and `remove_tax`."""

    table: TaxTable
    tax: str
    countries: FromColumn | str
    dates: FromColumn | date | str
    categories: FromColumn | str = STANDARD
    settings: TaxSettings = field(default_factory=TaxSettings)
    type: ColumnType | None = None
    date_type: ColumnType | None = None

    def __post_init__(self) -> None:
        """Reject what is neither adding nor removing."""
        if self.tax not in TAXES:
            raise UsageError(f"{self.tax!r:.40} cannot be done with a tax; use add or remove.")


@dataclass(frozen=True, kw_only=True)
class UnitStep:
    """Measures to one unit, as `convert_units`."""

    settings: UnitSettings = field(default_factory=UnitSettings)
    type: ColumnType | None = None


@dataclass(frozen=True, kw_only=True)
class DateStep:
    """Dates to ISO 8601, as `normalise_dates`."""

    settings: DateSettings = field(default_factory=DateSettings)
    type: ColumnType | None = None


@dataclass(frozen=True, kw_only=True)
class CountryStep:
    """Countries to ISO 3166, as `normalise_countries`."""

    settings: CountrySettings = field(default_factory=CountrySettings)


@dataclass(frozen=True, kw_only=True)
class TextStep:
    """Clean texts, as `clean_texts`."""

    settings: TextSettings = field(default_factory=TextSettings)


@dataclass(frozen=True, kw_only=True)
class TypingStep:
    """Typed values, as `type_column`."""

    settings: TypingSettings = field(default_factory=TypingSettings)
    type: ColumnType | None = None


BatchStep: TypeAlias = MoneyStep | TaxStep | UnitStep | DateStep | CountryStep | TextStep | TypingStep
"""Any step of a stream."""


def columns_of(step: BatchStep) -> tuple[str, ...]:
    """The names of all columns that a step reads, its own first."""
    beside: Iterable[object] = ()
    if isinstance(step, MoneyStep):
        beside = (step.dates, step.currencies)
    elif isinstance(step, TaxStep):
        beside = (step.countries, step.dates, step.categories)
    return (step.settings.column, *(one.name for one in beside if isinstance(one, FromColumn)))


# Steps on a stream of batches.


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
