"""Measures: one unit for a column, and conversion into it by pint."""

from collections import Counter
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

from sightline.data._types._lexicon import UNITS, Unit, find_unit

if TYPE_CHECKING:
    import pint

__all__ = ["commonest_unit", "convert", "convert_measure", "dimension_of"]

# More digits than any page shows; fewer would lose some, more would show the noise of binary fractions.
_DIGITS = 12

# The same word for different things, by country or by trade.
_DOUBTS = {
    "oz": "oz is an ounce of mass or of volume",
    "gal": "gal is a US or an imperial gallon",
    "mo": "a month is taken as a twelfth of a year",
}


def commonest_unit(units: Counter[Unit]) -> tuple[Unit, str | None]:
    """The unit in which a column is read: the commonest of its commonest dimension; and what is doubtful about it."""
    dimensions: Counter[str] = Counter()
    for unit, count in units.items():
        dimensions[unit.dimension] += count
    (dimension, _), *others = dimensions.most_common()
    chosen = max((unit for unit in units if unit.dimension == dimension), key=lambda unit: units[unit])
    doubt = _DOUBTS.get(chosen.symbol)
    if others:
        doubt = f"{dimension} or {others[0][0]}"
    return chosen, f"unit: {doubt}" if doubt else None


def convert(number: Decimal, unit: Unit, target: str) -> float | None:
    """A number of `unit` in the unit whose symbol is `target`; None when one is not the other's kind.

    >>> from sightline.data._types._lexicon import UNITS
    >>> convert(Decimal(500), UNITS["g"], "kg"), convert(Decimal(1), UNITS["%"], "kg")
    (0.5, None)
    """
    if unit.symbol == target:
        return float(number)
    wanted = UNITS.get(target)
    if wanted is None or wanted.dimension != unit.dimension:
        return None
    factor, offset = _conversion(unit.pint, wanted.pint)
    return float(f"{float(number) * factor + offset:.{_DIGITS}g}")


def convert_measure(number: float, unit: str, target: str) -> float | None:
    """A number in another unit, both named as people write them; None when a name is unknown or the dimensions differ.

    >>> convert_measure(20, "Zoll", "cm"), convert_measure(20, "kg", "cm")
    (50.8, None)
    """
    source, wanted = find_unit(unit), find_unit(target)
    return convert(Decimal(str(number)), source, wanted.symbol) if source and wanted else None


def dimension_of(unit: str) -> str | None:
    """What a unit measures, such as `mass`; None when it is not known.

    >>> dimension_of("kg"), dimension_of("furlong")
    ('mass', None)
    """
    found = find_unit(unit)
    return found.dimension if found else None


@cache
def _conversion(source: str, target: str) -> tuple[float, float]:
    registry = _registry()
    zero, one = (registry.Quantity(amount, source).to(target).magnitude for amount in (0.0, 1.0))
    return one - zero, zero


@cache
def _registry() -> "pint.UnitRegistry[float]":
    import pint  # slow to import, and needed only where a column mixes units

    return pint.UnitRegistry()
