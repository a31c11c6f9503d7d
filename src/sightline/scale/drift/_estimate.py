"""What a sample says about the whole: verdicts, fill rates, hours, storage and cost before anything is started."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import fmean, median, stdev
from typing import Any

import msgspec

from sightline.scale.drift._detector import DriftBaseline, wilson
from sightline.scale.output import (
    STATUSES,
    DocumentStatus,
    FieldFill,
    PartCause,
    PartFacts,
    bytes_in_words,
    duration,
    one_line,
    percent,
)

MANY = 0.1
"""Of a sample: if more are not ok, somebody should look at them first. Wrappers that fit have fewer than that on 36 of
the 38 sites of the benchmark."""

CORE_HOUR_PRICE = 0.04
"""About what large clouds ask in 2026 for an hour of one core on demand, in dollars; spot machines cost a third."""

_SHOWN = 5  # causes


class EstimatedShare(msgspec.Struct, frozen=True):
    """A verdict in the sample, and between which shares it lies in the whole, with 95 % certainty."""

    status: str
    documents: int
    share: float
    low: float
    high: float


class EstimatedTime(msgspec.Struct, frozen=True):
    """How long a document takes, in seconds: the mean, the middle one, and what 95 % stay below."""

    mean: float
    median: float
    p95: float
    error: float = 0.0  # of the mean, as a standard deviation


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """What a sample says about the whole of a batch.

    `documents` is how many there are; `hours` are those of `workers` at once, with the range of 95 % certainty.
    """

    sample: int
    documents: int
    workers: int
    price: float
    verdicts: tuple[EstimatedShare, ...]
    fields: tuple[FieldFill, ...]
    seconds: EstimatedTime
    cpu: EstimatedTime
    rows: float
    file_bytes: float
    causes: tuple[PartCause, ...] = ()
    by_wrapper: bool = False

    @property
    def not_ok(self) -> int:
        """The documents of the sample that are not ok."""
        return sum(one.documents for one in self.verdicts if one.status != "ok")

    @property
    def hours(self) -> float:
        """How long the workers take for all documents."""
        return self.seconds.mean * self.documents / self.workers / 3600

    @property
    def hours_range(self) -> tuple[float, float]:
        """Between how many hours it takes, as far as chance in the choice of the sample goes."""
        reach = 1.96 * self.seconds.error / self.seconds.mean if self.seconds.mean else 0.0
        return max(0.0, self.hours * (1 - reach)), self.hours * (1 + reach)

    @property
    def cpu_hours(self) -> float:
        """The hours of one core that all documents take."""
        return self.cpu.mean * self.documents / 3600

    @property
    def cost(self) -> float:
        """What these hours cost."""
        return self.cpu_hours * self.price

    @property
    def storage(self) -> float:
        """The bytes of all part files."""
        return self.file_bytes * self.documents

    @property
    def baseline(self) -> DriftBaseline:
        """What a detector of drift compares the batch with."""
        return DriftBaseline(self.sample, self.not_ok)

    @property
    def advice(self) -> str:
        """One sentence, if many documents are not ok; else empty.

        It speaks only if more than `MANY` are not ok for certain, by the interval of the sample.
        """
        if not self.sample or wilson(self.not_ok, self.sample)[0] <= MANY:
            return ""
        why = next((f" ({one.reason.rstrip('.')})" for one in self.causes if one.reason), "")
        share = f"{100 * self.not_ok / self.sample:.0f} %"
        repair = "repair the wrapper with `sightline repair` or " if self.by_wrapper else ""
        return (
            f"{share} of the sample are not ok{why}; look at some of them, and {repair}leave those inputs out, "
            "before you start the whole."
        )

    def to_json(self) -> dict[str, Any]:
        """The estimate as plain values, with all that follows from the sample."""
        low, high = self.hours_range
        document: dict[str, Any] = msgspec.to_builtins(self)
        return document | {
            "hours": self.hours,
            "hours_low": low,
            "hours_high": high,
            "cpu_hours": self.cpu_hours,
            "cost": self.cost,
            "storage_bytes": self.storage,
            "advice": self.advice,
        }

    def to_text(self) -> str:
        """The estimate as plain text of at most 100 columns."""
        return _estimate_text(self)


def estimate(  # noqa: PLR0913 - keywords, known to the driver alone
    parts: Sequence[PartFacts],
    fields: Sequence[str],
    *,
    seconds: Sequence[float],
    cpu_seconds: Sequence[float],
    documents: int,
    workers: int = 1,
    price: float = CORE_HOUR_PRICE,
    by_wrapper: bool = False,
) -> Estimate:
    """What the shards of a sample, and the times of its documents, say about all documents."""
    count = sum(facts.documents for facts in parts)
    rows = sum(facts.rows for facts in parts)
    filled = [sum(column) for column in zip(*(facts.filled for facts in parts), strict=True)]
    return Estimate(
        sample=count,
        documents=documents,
        workers=max(1, workers),
        price=price,
        verdicts=tuple(_share(status, parts, count) for status in STATUSES),
        fields=tuple(FieldFill(name, one, one / max(1, rows)) for name, one in zip(fields, filled, strict=False)),
        seconds=_time(seconds),
        cpu=_time(cpu_seconds),
        rows=rows / max(1, count),
        file_bytes=sum(file.bytes for facts in parts for file in facts.files) / max(1, count),
        causes=_causes(parts)[:_SHOWN],
        by_wrapper=by_wrapper,
    )


def _causes(parts: Sequence[PartFacts]) -> tuple[PartCause, ...]:
    counted: Counter[tuple[DocumentStatus, str, str]] = Counter()
    for facts in parts:
        for one in facts.causes:
            counted[one.status, one.cause, one.reason] += one.documents
    return tuple(PartCause(*key, documents) for key, documents in counted.most_common())


def _share(status: str, parts: Sequence[PartFacts], count: int) -> EstimatedShare:
    found = sum(int(getattr(facts, status)) for facts in parts)
    return EstimatedShare(status, found, found / max(1, count), *wilson(found, count))


def _time(seconds: Sequence[float]) -> EstimatedTime:
    if not seconds:
        return EstimatedTime(0.0, 0.0, 0.0)
    error = stdev(seconds) / sqrt(len(seconds)) if len(seconds) > 1 else 0.0
    ranked = sorted(seconds)
    return EstimatedTime(fmean(seconds), median(ranked), ranked[int(0.95 * (len(ranked) - 1))], error)


# Which documents to try first: spread over all of them.


def spread_positions(total: int, count: int, *, seed: int = 0) -> list[int]:
    """Places among `total` documents, in order: one by chance from each of `count` equal stretches, or all of them.

    The same numbers give the same places.

    >>> [place // 100_000 for place in spread_positions(1_000_000, 10)]
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    >>> spread_positions(3, 10)
    [0, 1, 2]
    """
    if count >= total:
        return list(range(total))
    random = Random(seed)
    ends = [number * total // count for number in range(count + 1)]
    return [random.randrange(first, end) for first, end in pairwise(ends)]


# An estimate as plain text.

WIDTH = 100
_NAME_WIDTH = 28


def _estimate_text(found: Estimate) -> str:
    """All of it; every line fits into `WIDTH` columns."""
    parts = (_head, _verdicts, _fields, _cost, _advice)
    return "\n\n".join(text for part in parts if (text := "\n".join(part(found)))) + "\n"


def _head(found: Estimate) -> Iterator[str]:
    yield f"A sample of {found.sample:,} of {found.documents:,} documents"


def _verdicts(found: Estimate) -> Iterator[str]:
    yield "Verdicts, with the range of the whole (95 % certain)"
    for one in found.verdicts:
        reach = f"{percent(one.low)} to {percent(one.high)}"
        yield f"  {one.status:<{_NAME_WIDTH}}{one.documents:>10,}  {percent(one.share):>8}  {reach}"
    for cause in found.causes:
        told = f"{cause.status}: {cause.reason or cause.cause}"
        yield f"  {'':{_NAME_WIDTH}}{cause.documents:>10,}  {one_line(told, WIDTH - _NAME_WIDTH - 14)}"


def _fields(found: Estimate) -> Iterator[str]:
    if found.fields:
        yield "Fields: rows that have a value"
    for field in found.fields:
        yield f"  {one_line(field.name, _NAME_WIDTH - 2):<{_NAME_WIDTH}}{field.filled:>10,}  {percent(field.share):>8}"


def _cost(found: Estimate) -> Iterator[str]:
    low, high = (duration(3600 * hours) for hours in found.hours_range)
    workers = f"{found.workers:,} worker{'s' * (found.workers != 1)}"
    yield f"All {found.documents:,} documents"
    yield f"  {'time with ' + workers:<{_NAME_WIDTH}}{duration(3600 * found.hours):>10}  ({low} to {high})"
    yield f"  {'CPU hours':<{_NAME_WIDTH}}{found.cpu_hours:>10,.2f}  {found.cost:,.2f} at {found.price:g} an hour"
    yield f"  {'storage':<{_NAME_WIDTH}}{bytes_in_words(found.storage):>10}  {found.rows * found.documents:,.0f} rows"
    yield f"  {'a document, time':<{_NAME_WIDTH}}{_time_text(found.seconds)}"
    yield f"  {'a document, CPU':<{_NAME_WIDTH}}{_time_text(found.cpu)}"


def _time_text(time: EstimatedTime) -> str:
    return f"{duration(time.mean):>10}  median {duration(time.median)}, 95 % below {duration(time.p95)}"


def _advice(found: Estimate) -> Iterator[str]:
    line = ""
    for word in one_line(found.advice, 100 * WIDTH).split(" "):
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = ""
        line += f"{' ' * bool(line)}{word}"
    if line:
        yield line
