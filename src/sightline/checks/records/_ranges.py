"""Types, ranges and lengths of values, against those of good pages."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import NamedTuple

from sightline.checks._report import Issue
from sightline.checks.records._chance import chance_beyond, chance_fewer
from sightline.checks.records._run import FieldColumn, FieldValue, RecordRun, origins, shown, telling
from sightline.checks.records._run_profile import number_of
from sightline.checks.records._settings import FAR, CheckSettings
from sightline.data import ColumnType, FieldProfile, Profile, infer

__all__ = ["check_ranges", "check_types", "is_far", "known_count", "numbers_of"]

FEWEST = 3  # values that a type is decided by
# How far the middle of the values must lie beyond the range, as a factor, where more values than chance allows do so.
BEYOND_NUMBERS = 1.5
BEYOND_LENGTHS = 3.0
FEW_KNOWN = 6.0  # added to it, divided by the number of known values: of three pages nobody knows the range
FAR_OFF = 10.0  # times; so far beyond, fewer values than the chance of the settings asks for are enough
FAR_CHANCE = 0.05
SLACK = 12  # characters; short texts are soon three times as long
MOST_SAMPLED = 200
LEAST_UNREADABLE = 0.5  # of the values


def check_types(run: RecordRun, profile: Profile, settings: CheckSettings) -> Iterator[Issue]:
    """Tell fields whose values are of another type, unit or currency than they were."""
    for column, own in telling(run, profile):
        cells = column.cells[:MOST_SAMPLED]
        if not cells:
            continue
        if own.type.kind == "text":
            yield from _no_text(column, own, cells, settings)
        else:
            yield from _unreadable(column, own, cells, settings)


def _unreadable(
    column: FieldColumn, own: FieldProfile, cells: Sequence[FieldValue], settings: CheckSettings
) -> Iterator[Issue]:
    wrong = [cell for cell, value in zip(cells, column.typed(own.type), strict=False) if value is None]
    if not wrong or len(wrong) < LEAST_UNREADABLE * len(cells):
        return
    known = known_count(own)
    readable = round(own.type.share * known)
    if chance_fewer(len(cells) - len(wrong), len(cells), readable, known) >= settings.chance:
        return
    now = infer([cell.value.text for cell in wrong], own.type.language)
    told = f"they are {now}" if now.kind != "text" else f"one is {shown(wrong[0].value.text)}"
    reason = f"{len(wrong)} of {len(cells)} values are no {own.type}; {told}."
    yield Issue("types", "suspicious", reason, field=column.name, evidence=origins(wrong))


def _no_text(
    column: FieldColumn, own: FieldProfile, cells: Sequence[FieldValue], settings: CheckSettings
) -> Iterator[Issue]:
    """Texts that have become numbers, dates or addresses, where hardly any could be read as such."""
    known = known_count(own)
    if len(cells) < FEWEST or chance_beyond(len(cells), len(cells), known) >= settings.chance:
        return
    now = infer([cell.value.text for cell in cells], own.type.language)
    if now.kind == "text" or now.share < 1 or any(now.parse(text) is not None for text in own.examples):
        return
    if infer(own.examples[:1] * FEWEST, own.type.language).kind != "text" or own.distinct == 1:
        return
    reason = f"the values are {now}, and were text; one is {shown(cells[0].value.text)}."
    yield Issue("types", "suspicious", reason, field=column.name, evidence=origins(cells))


def check_ranges(
    run: RecordRun, profile: Profile, settings: CheckSettings, *, check: str = "ranges"
) -> Iterator[Issue]:
    """Tell fields whose numbers or lengths are far from those of good pages."""
    for column, own in telling(run, profile):
        numbers = numbers_of(column, own.type) if own.low is not None else []
        if numbers and own.low is not None and own.high is not None:
            known = known_count(own)
            bounds = _Bounds(own.low, own.high, known, BEYOND_NUMBERS + FEW_KNOWN / max(1, known), 0.0)
            yield from _beyond(column, numbers, bounds, settings, check)
            yield from _far(column, numbers, own, settings, check)
        elif own.longest:
            sizes = [(float(len(cell.value.text)), cell) for cell in column.cells]
            bounds = _Bounds(own.shortest, own.longest, known_count(own), BEYOND_LENGTHS, SLACK)
            yield from _beyond(column, sizes, bounds, settings, check)


def is_far(number: float | None, profile: FieldProfile, far: float = FAR) -> bool:
    """Whether a number is so many times beyond all that the field had; nothing is far from no numbers at all.

    >>> price = FieldProfile("price", low=10, high=60)
    >>> is_far(0.4, price), is_far(5, price), is_far(2_000, price), is_far(-7, price)
    (True, False, True, True)
    """
    low, high = profile.low, profile.high
    if number is None or low is None or high is None:
        return False
    if number < 0:
        return low >= 0 or number < far * min(low, -1)
    if number == 0:
        return low > 0 and profile.type.kind == "money"
    return number > far * max(high, 1) or number * far < low


def known_count(own: FieldProfile) -> int:
    """How many values a field's profile was made of; files from before it was counted have some of them."""
    return max(own.count, len(own.examples))


def numbers_of(column: FieldColumn, kind: ColumnType) -> list[tuple[float, FieldValue]]:
    """The values of a column that are numbers, read as the field's type says."""
    found = ((number_of(value), cell) for value, cell in zip(column.typed(kind), column.cells, strict=True))
    return [(number, cell) for number, cell in found if number is not None]


class _Bounds(NamedTuple):
    """A range of known values, how many these were, and how far beyond it is too far."""

    low: float
    high: float
    known: int
    factor: float
    slack: float


def _beyond(
    column: FieldColumn,
    values: Sequence[tuple[float, FieldValue]],
    bounds: _Bounds,
    settings: CheckSettings,
    check: str,
) -> Iterator[Issue]:
    """More values beyond one end of the range than chance allows, and their middle clearly beyond it."""
    if not values:
        return
    middle = median(value for value, _ in values)
    sides: tuple[tuple[bool, Callable[[float], bool]], ...] = (
        (_is_below(middle, bounds), lambda value: value < bounds.low),
        (_is_above(middle, bounds), lambda value: value > bounds.high),
    )
    for is_clear, is_beyond in sides:
        out = [cell for value, cell in values if is_beyond(value)]
        chance = FAR_CHANCE if _is_far_off(middle, bounds) else settings.chance
        if is_clear and chance_beyond(len(out), len(values), bounds.known) < chance:
            what = "lengths" if bounds.slack else "values"
            reason = (
                f"{len(out)} of {len(values)} {what} lie outside {bounds.low:g} to {bounds.high:g}, which all good "
                f"ones were in; one is {shown(out[0].value.text)}."
            )
            yield Issue(check, "suspicious", reason, field=column.name, evidence=origins(out))


def _is_far_off(middle: float, bounds: _Bounds) -> bool:
    """Whether the middle lies so far off that few values are enough; lengths never do."""
    return not bounds.slack and (middle * FAR_OFF < bounds.low or middle > FAR_OFF * max(bounds.high, 1))


def _is_below(middle: float, bounds: _Bounds) -> bool:
    return middle + bounds.slack < bounds.low and middle * bounds.factor < bounds.low


def _is_above(middle: float, bounds: _Bounds) -> bool:
    return middle - bounds.slack > bounds.high and middle > bounds.factor * max(bounds.high, 0)


def _far(
    column: FieldColumn,
    numbers: Sequence[tuple[float, FieldValue]],
    own: FieldProfile,
    settings: CheckSettings,
    check: str,
) -> Iterator[Issue]:
    """Single numbers that are far from all that were good; a few of them are told and change nothing."""
    low, high = own.low or 0.0, own.high or 0.0
    out = [cell for number, cell in numbers if is_far(number, own, settings.far)]
    if out:
        # A single number of games or votes may be anything; a single price may not.
        enough = known_count(own) >= FEWEST and (len(numbers) > 1 or own.type.kind == "money")
        many = enough and len(out) > LEAST_UNREADABLE * len(numbers)
        reason = f"{len(out)} of {len(numbers)} values are far from {low:g} to {high:g}; {_some(out)}."
        yield Issue(check, "suspicious" if many else "notice", reason, field=column.name, evidence=origins(out))


def _some(cells: Sequence[FieldValue]) -> str:
    most = Counter(cell.value.text for cell in cells).most_common(1)[0][0]
    return f"one is {shown(most)}"
