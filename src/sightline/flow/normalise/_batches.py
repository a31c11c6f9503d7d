"""Steps on a stream of batches: the same values as the functions for columns, some ten times as fast."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sightline.errors import MissingExtra
from sightline.flow.normalise._steps import BatchStep

if TYPE_CHECKING:
    from sightline.flow.normalise._arrow import NormalisedBatches

__all__ = ["normalise_batches"]


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
        from sightline.flow.normalise._arrow import NormalisedBatches
    except ImportError as problem:
        raise MissingExtra("flow", "Normalising batches") from problem
    return NormalisedBatches(open_batches, steps)
