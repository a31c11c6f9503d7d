"""Types, ranges and lengths of values, compared with good pages."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import NamedTuple

from sightline.checks._report import Issue
from sightline.checks.records._chance import chance_beyond, chance_fewer
from sightline.checks.records._run import FieldColumn, FieldValue, RecordRun, comparable_columns, origins, shown
from sightline.checks.records._run_profile import number_of
from sightline.checks.records._settings import FAR, CheckSettings
from sightline.data import ColumnType, FieldProfile, Profile, infer

__all__ = ["check_ranges", "check_types", "is_far", "known_count", "numbers_of"]

FEWEST = 3  # values needed to decide a type
# How far beyond the range the median of the values must lie, as a factor, if more values are out of it than by chance.
BEYOND_NUMBERS = 1.5
BEYOND_LENGTHS = 3.0
FEW_KNOWN = 6.0  # divided by the number of known values and added: three pages do not show the range
FAR_OFF = 10.0  # times; this far beyond the range, fewer values suffice than the chance of the settings requires
FAR_CHANCE = 0.05
SLACK = 12  # characters; short texts easily become three times as long
MOST_SAMPLED = 200
LEAST_UNREADABLE = 0.5  # of the values


def check_types(run: RecordRun, profile: Profile, settings: CheckSettings) -> Iterator[Issue]:
    """Report fields whose values have changed their type, unit or currency."""
    for column, field in comparable_columns(run, profile):
        cells = column.cells[:MOST_SAMPLED]
        if not cells:
            continue
        if field.type.kind == "text":
            yield from _no_text(column, field, cells, settings)
        else:
            yield from _unreadable(column, field, cells, settings)


def _unreadable(
    column: FieldColumn, field: FieldProfile, cells: Sequence[FieldValue], settings: CheckSettings
) -> Iterator[Issue]:
    wrong = [cell for cell, value in zip(cells, column.typed(field.type), strict=False) if value is None]
    if not wrong or len(wrong) < LEAST_UNREADABLE * len(cells):
        return
    known = known_count(field)
    readable = round(field.type.share * known)
    if chance_fewer(len(cells) - len(wrong), len(cells), readable, known) >= settings.chance:
        return
    now = infer([cell.value.text for cell in wrong], field.type.language)
    example = f"they are {now}" if now.kind != "text" else f"one is {shown(wrong[0].value.text)}"
    reason = f"{len(wrong)} of {len(cells)} values are not {field.type}; {example}."
    yield Issue("types", "suspicious", reason, field=column.name, evidence=origins(wrong))


def _no_text(
    column: FieldColumn, field: FieldProfile, cells: Sequence[FieldValue], settings: CheckSettings
) -> Iterator[Issue]:
    """Texts that have become numbers, dates or addresses although hardly any could be read as such."""
    known = known_count(field)
    if len(cells) < FEWEST or chance_beyond(len(cells), len(cells), known) >= settings.chance:
        return
    now = infer([cell.value.text for cell in cells], field.type.language)
    if now.kind == "text" or now.share < 1 or any(now.parse(text) is not None for text in field.examples):
        return
    if infer(field.examples[:1] * FEWEST, field.type.language).kind != "text" or field.distinct == 1:
        return
    reason = f"the values are {now} but used to be text; one is {shown(cells[0].value.text)}."
    yield Issue("types", "suspicious", reason, field=column.name, evidence=origins(cells))


def check_ranges(
    run: RecordRun, profile: Profile, settings: CheckSettings, *, check: str = "ranges"
) -> Iterator[Issue]:
    """Report fields whose numbers or lengths are far from those of good pages."""
    for column, field in comparable_columns(run, profile):
        numbers = numbers_of(column, field.type) if field.low is not None else []
        if numbers and field.low is not None and field.high is not None:
            known = known_count(field)
            bounds = _Bounds(field.low, field.high, known, BEYOND_NUMBERS + FEW_KNOWN / max(1, known), 0.0)
            yield from _beyond(column, numbers, bounds, settings, check)
            yield from _far(column, numbers, field, settings, check)
        elif field.longest:
            sizes = [(float(len(cell.value.text)), cell) for cell in column.cells]
            bounds = _Bounds(field.shortest, field.longest, known_count(field), BEYOND_LENGTHS, SLACK)
            yield from _beyond(column, sizes, bounds, settings, check)


def is_far(number: float | None, profile: FieldProfile, far: float = FAR) -> bool:
    """Whether a number is more than `far` times beyond the field's known range; without known numbers, nothing is.

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


def known_count(field: FieldProfile) -> int:
    """How many values a field's profile was made from; files older than the count still have examples."""
    return max(field.count, len(field.examples))


def numbers_of(column: FieldColumn, kind: ColumnType) -> list[tuple[float, FieldValue]]:
    """The values of a column that are numbers when read as the given type."""
    found = ((number_of(value), cell) for value, cell in zip(column.typed(kind), column.cells, strict=True))
    return [(number, cell) for number, cell in found if number is not None]


class _Bounds(NamedTuple):
    """A range of known values, their number, and how far beyond the range is too far."""

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
    """More values beyond one end of the range than chance allows, with their median clearly beyond it."""
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
                f"{len(out)} of {len(values)} {what} lie outside {bounds.low:g} to {bounds.high:g}, the range of "
                f"all good ones; one is {shown(out[0].value.text)}."
            )
            yield Issue(check, "suspicious", reason, field=column.name, evidence=origins(out))


def _is_far_off(middle: float, bounds: _Bounds) -> bool:
    """Whether the median is so far off that few values suffice; never true of lengths."""
    return not bounds.slack and (middle * FAR_OFF < bounds.low or middle > FAR_OFF * max(bounds.high, 1))


def _is_below(middle: float, bounds: _Bounds) -> bool:
    return middle + bounds.slack < bounds.low and middle * bounds.factor < bounds.low


def _is_above(middle: float, bounds: _Bounds) -> bool:
    return middle - bounds.slack > bounds.high and middle > bounds.factor * max(bounds.high, 0)


def _far(
    column: FieldColumn,
    numbers: Sequence[tuple[float, FieldValue]],
    field: FieldProfile,
    settings: CheckSettings,
    check: str,
) -> Iterator[Issue]:
    """Single numbers far from all good ones; if there are few, they are only a notice."""
    low, high = field.low or 0.0, field.high or 0.0
    out = [cell for number, cell in numbers if is_far(number, field, settings.far)]
    if out:
        # A single count of games or votes can be anything; a single price cannot.
        enough = known_count(field) >= FEWEST and (len(numbers) > 1 or field.type.kind == "money")
        many = enough and len(out) > LEAST_UNREADABLE * len(numbers)
        reason = f"{len(out)} of {len(numbers)} values are far outside {low:g} to {high:g}; {_some(out)}."
        yield Issue(check, "suspicious" if many else "notice", reason, field=column.name, evidence=origins(out))


def _some(cells: Sequence[FieldValue]) -> str:
    most = Counter(cell.value.text for cell in cells).most_common(1)[0][0]
    return f"one is {shown(most)}"
