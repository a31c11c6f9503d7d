"""An estimate as plain text."""

from collections.abc import Iterator

from sightline.scale.drift._estimate import Estimate, EstimatedTime
from sightline.scale.output import bytes_in_words, duration, one_line, percent

__all__ = ["estimate_text"]

WIDTH = 100
_NAME = 28


def estimate_text(found: Estimate) -> str:
    """All of it; every line fits into `WIDTH` columns."""
    parts = (_head, _verdicts, _fields, _cost, _advice)
    return "\n\n".join(text for part in parts if (text := "\n".join(part(found)))) + "\n"


def _head(found: Estimate) -> Iterator[str]:
    yield f"A sample of {found.sample:,} of {found.documents:,} documents"


def _verdicts(found: Estimate) -> Iterator[str]:
    yield "Verdicts, with the range of the whole (95 % certain)"
    for one in found.verdicts:
        reach = f"{percent(one.low)} to {percent(one.high)}"
        yield f"  {one.status:<{_NAME}}{one.documents:>10,}  {percent(one.share):>8}  {reach}"
    for cause in found.causes:
        told = f"{cause.status}: {cause.reason or cause.cause}"
        yield f"  {'':{_NAME}}{cause.documents:>10,}  {one_line(told, WIDTH - _NAME - 14)}"


def _fields(found: Estimate) -> Iterator[str]:
    if found.fields:
        yield "Fields: rows that have a value"
    for field in found.fields:
        yield f"  {one_line(field.name, _NAME - 2):<{_NAME}}{field.filled:>10,}  {percent(field.share):>8}"


def _cost(found: Estimate) -> Iterator[str]:
    low, high = (duration(3600 * hours) for hours in found.hours_range)
    workers = f"{found.workers:,} worker{'s' * (found.workers != 1)}"
    yield f"All {found.documents:,} documents"
    yield f"  {'time with ' + workers:<{_NAME}}{duration(3600 * found.hours):>10}  ({low} to {high})"
    yield f"  {'CPU hours':<{_NAME}}{found.cpu_hours:>10,.2f}  {found.cost:,.2f} at {found.price:g} an hour"
    yield f"  {'storage':<{_NAME}}{bytes_in_words(found.storage):>10}  {found.rows * found.documents:,.0f} rows"
    yield f"  {'a document, time':<{_NAME}}{_time(found.seconds)}"
    yield f"  {'a document, CPU':<{_NAME}}{_time(found.cpu)}"


def _time(time: EstimatedTime) -> str:
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
