"""Tax in or out, by a table of rates for each country, from a date on."""

from decimal import Decimal
from typing import Any

from sightline.data import ColumnType, read_price
from sightline.flow.normalise._amounts import AmountNormaliser, Factor, MoneyRules, minor_units, settled_currency
from sightline.flow.normalise._cells import CellColumn, Labels
from sightline.flow.normalise._countries import country_code
from sightline.flow.normalise._dates import Day
from sightline.flow.normalise._normaliser import BatchCells
from sightline.flow.normalise._rates import STANDARD
from sightline.flow.normalise._settings import TaxSettings
from sightline.flow.normalise._steps import TaxStep

_ONE, _HUNDRED = Decimal(1), Decimal(100)
# The most minor units that CLDR has (CLF): room for any currency where it is not known which ones there are.
_MOST_UNITS = 4


class TaxNormaliser(AmountNormaliser):
    """Tax added or removed."""

    step: TaxStep

    @property
    def _settings(self) -> TaxSettings:
        return self.step.settings

    def rules_of(self, type: ColumnType) -> MoneyRules:
        """The currency only decides how many digits there are, so an amount needs none."""
        return MoneyRules(type, self._settings.currency or settled_currency(type), {}, is_needed=False)

    def _digits(self, code: str) -> int:
        return minor_units(code or None) if self._settings.digits is None else self._settings.digits

    def scale_of(self, column: CellColumn) -> int:
        """Digits for every currency that the column may have."""
        if self._settings.digits is not None:
            return self._settings.digits
        if not column.is_text:
            return self._digits(self.rules.currency or "")
        if not self.is_sampled or not self.seen.is_whole:
            return _MOST_UNITS
        prices = (read_price(text, self.rules.type) for text in self.seen.texts)
        codes = {self.resolve(price.sign, None)[0] for price in prices if price}
        return max((self._digits(code) for code in codes), default=self._digits(""))

    def beside(self, batch: BatchCells) -> Labels[Any]:
        """The country, or what is wrong with it, and the category."""
        countries = batch.texts(self.step.countries).mapped(country_code)
        return countries.joined(batch.texts(self.step.categories))

    def factor(self, sign: str, beside: tuple[Any, Day]) -> Factor | str:
        """One and the rate of tax of a country on a day."""
        ((country, unknown), category), day = beside
        code, problem = self.resolve(sign, None)
        if problem or country is None:
            return problem or unknown or "there is no country, and so no tax rate."
        if day is None or isinstance(day, str):
            return day or "there is no date, and so no tax rate."
        rate = self.step.table.rate(country, day, category or STANDARD)
        if isinstance(rate, str):
            return f"{rate}."
        up, down = (1 + rate / _HUNDRED, _ONE) if self.step.tax == "add" else (_ONE, 1 + rate / _HUNDRED)
        return Factor(up, down, self._digits(code))
