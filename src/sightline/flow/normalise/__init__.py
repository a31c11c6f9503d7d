"""Normalising: columns in one currency, with or without tax, in one unit and spelling, with the originals beside them.

Each step is a pure function from a column to a `Normalised` one; `normalise_batches` does the same to a stream of Arrow
batches. Both are one implementation on Arrow, which is imported at the first call: it comes with the extra `flow`. The
steps are described in docs/normalising.md.
"""

from sightline.flow.normalise._functions import (
    TaxBasis,
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
from sightline.flow.normalise._normalised import Normalised, StepReport
from sightline.flow.normalise._rates import RateTable, TaxTable
from sightline.flow.normalise._settings import (
    CountrySettings,
    DateSettings,
    MoneySettings,
    NormaliseSettings,
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

__all__ = [
    "BatchStep",
    "CountrySettings",
    "CountryStep",
    "DateSettings",
    "DateStep",
    "FromColumn",
    "MoneySettings",
    "MoneyStep",
    "NormaliseSettings",
    "Normalised",
    "RateTable",
    "StepReport",
    "TaxBasis",
    "TaxSettings",
    "TaxStep",
    "TaxTable",
    "TextSettings",
    "TextStep",
    "TypingSettings",
    "TypingStep",
    "UnitSettings",
    "UnitStep",
    "add_tax",
    "clean_texts",
    "convert_money",
    "convert_units",
    "normalise_batches",
    "normalise_countries",
    "normalise_dates",
    "remove_tax",
    "type_column",
]
