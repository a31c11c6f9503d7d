"""Money to one currency: converted by the rate of the day."""

from decimal import Decimal
from typing import Any

from sightline.data import ColumnType
from sightline.flow.normalise._amounts import (
    AmountNormaliser,
    Factor,
    MoneyRules,
    code_text,
    minor_units,
    settled_currency,
)
from sightline.flow.normalise._cells import CellColumn, Labels
from sightline.flow.normalise._dates import Day
from sightline.flow.normalise._normaliser import BatchCells
from sightline.flow.normalise._settings import MoneySettings
from sightline.flow.normalise._steps import MoneyStep

_ONE = Decimal(1)


class MoneyNormaliser(AmountNormaliser):
    """Money to one currency."""

    step: MoneyStep

    @property
    def _settings(self) -> MoneySettings:
        return self.step.settings

    @property
    def _digits(self) -> int:
        digits = self._settings.digits
        return minor_units(self._settings.currency) if digits is None else digits

    def rules_of(self, type: ColumnType) -> MoneyRules:
        """Every amount needs a currency."""
        currency = self._settings.from_currency or settled_currency(type)
        return MoneyRules(type, currency, self._settings.meanings, is_needed=True)

    def scale_of(self, _column: CellColumn) -> int:
        """The digits of the currency, or those of the settings."""
        return self._digits

    def beside(self, batch: BatchCells) -> Labels[str | None]:
        """What the column of currencies says; None without one."""
        if self.step.currencies is None:
            return Labels.same(None, batch.rows)
        return batch.texts(self.step.currencies).mapped(code_text)

    def factor(self, sign: str, beside: tuple[Any, Day]) -> Factor | str:
        """What the target costs of the base, over what the source costs of it."""
        named, day = beside
        code, problem = self.resolve(sign, named)
        if problem or code == self._settings.currency:
            return problem or Factor(_ONE, _ONE, self._digits)
        if day is None or isinstance(day, str):
            return day or "there is no date, and so no rate."
        into, out_of = (
            self.step.rates.rate(one, day, self._settings.max_age_days) for one in (self._settings.currency, code)
        )
        if isinstance(out_of, str) or isinstance(into, str):
            return f"{out_of if isinstance(out_of, str) else into}."
        return Factor(into, out_of, self._digits)
