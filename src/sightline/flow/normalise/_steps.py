"""Steps as they are declared for a stream of batches: what to do, to which column, and with what beside it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import TypeAlias

from sightline.data import ColumnType
from sightline.errors import UsageError
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
