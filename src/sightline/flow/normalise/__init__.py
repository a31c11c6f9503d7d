"""Normalising: columns in one currency, with or without tax, in one unit and spelling, with the originals beside them.

Each step is a pure function from a column to a `Normalised` one. The steps are described in docs/normalising.md.
"""

from sightline.flow.normalise._countries import normalise_countries
from sightline.flow.normalise._dates import normalise_dates
from sightline.flow.normalise._money import convert_money
from sightline.flow.normalise._normalised import Normalised
from sightline.flow.normalise._rates import RateTable
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
from sightline.flow.normalise._tax import TaxBasis, TaxTable, add_tax, remove_tax
from sightline.flow.normalise._texts import clean_texts
from sightline.flow.normalise._typing import type_column
from sightline.flow.normalise._units import convert_units

__all__ = [
    "CountrySettings",
    "DateSettings",
    "MoneySettings",
    "NormaliseSettings",
    "Normalised",
    "RateTable",
    "TaxBasis",
    "TaxSettings",
    "TaxTable",
    "TextSettings",
    "TypingSettings",
    "UnitSettings",
    "add_tax",
    "clean_texts",
    "convert_money",
    "convert_units",
    "normalise_countries",
    "normalise_dates",
    "remove_tax",
    "type_column",
]
