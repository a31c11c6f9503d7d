"""Types, ranges and lengths of values, compared with good pages."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import exp, lgamma
from statistics import median
from typing import NamedTuple

from sightline.checks._report import Issue
from sightline.checks.records._run import (
    FieldColumn,
    FieldValue,
    RecordRun,
    comparable_columns,
    matched_columns,
    origins,
    shown,
)
from sightline.checks.records._run_profile import number_of
from sightline.checks.records._settings import FAR, CheckSettings
from sightline.data import ColumnType, FieldProfile, Profile, infer

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


# How many records have a field, compared with good pages.

# Records of one page have or lack a field together: if pages have several records, only fields that nearly all have
# are counted.
NEARLY_ALWAYS = 0.95
# Of the fields that all good pages had. Clean pages of sites learned from three pages have half or more.
LEAST_OF_ALWAYS = 0.5
FEWEST_ALWAYS = 2  # fields; half of a single one says nothing
MOST_NAMED = 5  # pages named individually
LEAST_DROP = 0.3  # of all records; smaller losses occur on clean runs of sites learned from three pages


def check_fill(run: RecordRun, profile: Profile, settings: CheckSettings, *, check: str = "fill") -> Iterator[Issue]:
    """Report fields that far fewer records have than on good pages."""
    for column, field in comparable_columns(run, profile):
        if not column.holders or not field.fill - column.fill >= LEAST_DROP:
            continue
        if field.fill < NEARLY_ALWAYS and column.holders > len(run.pages):
            continue
        known = known_holders(field, profile)
        if chance_fewer(column.filled, column.holders, round(min(1.0, field.fill) * known), known) < settings.chance:
            reason = f"{column.filled} of {column.holders} records have it; {field.fill:.0%} used to."
            yield Issue(check, "suspicious", reason, field=column.name)


def check_hollow(run: RecordRun, profile: Profile) -> Iterator[Issue]:
    """Report pages of a single record that have hardly any of the fields all good pages had.

    Such a page is a different page: a wall in unfamiliar words, a removed page, the front page.
    """
    if any(len(page_records.records) > 1 for page_records in run.pages):
        return
    always = [
        column for column, field in matched_columns(run, profile) if field.fill >= NEARLY_ALWAYS and not column.scope
    ]
    filled = Counter(page for column in always for page in {cell.page for cell in column.cells})
    few = [number for number in range(len(run.pages)) if filled[number] < LEAST_OF_ALWAYS * len(always)]
    if len(always) < FEWEST_ALWAYS:
        return
    for number in few[:MOST_NAMED]:
        reason = f"it has {filled[number]} of the {len(always)} fields that all good pages had: it is a different page."
        yield Issue("fill", "suspicious", reason, source=run.pages[number].name)


def known_holders(field: FieldProfile, profile: Profile) -> int:
    """How many records the profile of a field was made from, as far as it says."""
    each = max(1.0, (field.least + field.most) / 2)
    values = max(field.count, len(field.examples)) / each
    return max(1, round(values / min(1.0, field.fill)) if field.fill > 0 else profile.pages)


# Fees in place of prices: amounts of the right type that are the same everywhere, or are labelled as fees.

FEWEST_FEES = 3  # values that can be "the same everywhere"
DIFFERENT = 0.6  # of the known values must differ before equal values mean anything
MANY = 6  # amounts; fewer say nothing
FEWER = 2  # times fewer different amounts than before
SAME = 0.6  # of the values; clean fields whose numbers differed repeat one of them less often
MOST_LOOKED_AT = 60  # values of a field whose labels are examined
CALLED = 0.5  # of the values are labelled with a word for a fee
PRICES = re.compile(r"price|cost|amount|msrp|preis|prix|precio|prezzo|prijs|preço|цена|价格", re.IGNORECASE)
WORDS = re.compile(
    r"shipping|delivery|postage|handling|surcharge|deposit|\bfees?\b|\bp&p\b|versand|liefer(?:ung|kosten)|porto\b|gebühr|"
    r"\bfrais\b|livraison|\benv[ií]o\b|gastos|spedizione|consegna|verzend|bezorg|frete|доставк|wysyłk|送料|运费",
    re.IGNORECASE,
)


def check_fees(run: RecordRun, profile: Profile, settings: CheckSettings) -> Iterator[Issue]:
    """Report fields of amounts that are now all the same, or that are labelled as fees."""
    for column, field in comparable_columns(run, profile):
        if column.cells and (field.type.kind == "money" or (field.type.kind == "number" and PRICES.search(field.name))):
            yield from _same(column, field, settings)
            yield from _called(run, column, field)
            yield from _elsewhere(run, column, field)


def _same(column: FieldColumn, field: FieldProfile, settings: CheckSettings) -> Iterator[Issue]:
    numbers = numbers_of(column, field.type)
    known, distinct = known_count(field), max(field.distinct, len(set(field.examples)))
    if len(numbers) < FEWEST_FEES or distinct < max(FEWEST_FEES, DIFFERENT * known):
        return
    if _are_few(numbers, known, distinct):
        kinds = len({number for number, _ in numbers})
        reason = f"{len(numbers)} values are only {kinds} different amounts; {distinct} of {known} used to differ."
        yield Issue("fees", "suspicious", reason, field=column.name, evidence=origins([cell for _, cell in numbers]))
        return
    [(most, times)] = Counter(number for number, _ in numbers).most_common(1)
    share = times / len(numbers)
    # The amount that is now everywhere can have occurred at most this often among the known values.
    if share < SAME or chance_rare(share, known, known - distinct + 1) >= settings.chance:
        return
    same = [cell for number, cell in numbers if number == most]
    reason = f"{times} of {len(numbers)} values are {shown(same[0].value.text)}; {distinct} of {known} used to differ."
    yield Issue("fees", "suspicious", reason, field=column.name, evidence=origins(same))


def _are_few(numbers: Sequence[tuple[float, FieldValue]], known: int, distinct: int) -> bool:
    """Whether there are far fewer different amounts than before, among at least as many values."""
    kinds = len({number for number, _ in numbers})
    return len(numbers) >= max(MANY, known) and distinct >= MANY and FEWER * kinds <= distinct


def _called(run: RecordRun, column: FieldColumn, field: FieldProfile) -> Iterator[Issue]:
    if any(map(WORDS.search, (*field.labels, *field.examples, field.name))):
        return
    cells = column.cells[:MOST_LOOKED_AT]
    fees = [cell for cell in cells if WORDS.search(cell.value.text)] or _labelled(run, cells)
    if fees and len(fees) >= CALLED * len(cells):
        reason = f"{len(fees)} of {len(cells)} values are labelled as a fee; one is {shown(fees[0].value.text)}."
        yield Issue("fees", "suspicious", reason, field=column.name, evidence=origins(fees))


def _elsewhere(run: RecordRun, column: FieldColumn, field: FieldProfile) -> Iterator[Issue]:
    """Amounts outside the known range that are also in elements where no good value was."""
    if field.low is None or field.high is None or not field.places:
        return
    numbers = {id(cell.value): number for number, cell in numbers_of(column, field.type)}
    standing = list(run.standing(column.cells[:MOST_LOOKED_AT]))
    other = [
        cell
        for cell, places, node in standing
        if not field.low <= numbers.get(id(cell.value), field.low) <= field.high
        and places.place(node) not in field.places
    ]
    if other and len(other) >= CALLED * len(standing):
        reason = (
            f"{len(other)} of {len(standing)} values lie outside {field.low:g} to {field.high:g} and stand where "
            f"no good value did; one is {shown(other[0].value.text)}."
        )
        yield Issue("fees", "suspicious", reason, field=column.name, evidence=origins(other))


def _labelled(run: RecordRun, cells: Sequence[FieldValue]) -> list[FieldValue]:
    """The values with a word for a fee before them; a label that contains an amount is itself the fee."""
    labels = ((cell, places.label(node) or "") for cell, places, node in run.standing(cells))
    return [cell for cell, label in labels if WORDS.search(label) and not any(map(str.isdigit, label))]


# -- how likely a difference is by chance: small exact tests, since profiles often cover only three pages -----------


def chance_beyond(beyond: int, now: int, known: int) -> float:
    """The chance that `beyond` of `now` new values exceed all `known` ones on one side, if all have one distribution.

    >>> chance_beyond(1, 1, 3), round(chance_beyond(5, 5, 3), 4)
    (0.25, 0.0179)
    """
    chance = 1.0
    for number in range(min(beyond, now)):
        chance *= (now - number) / (now + known - number)
    return chance


def chance_fewer(filled: int, holders: int, known_filled: int, known_holders: int) -> float:
    """The chance that at most `filled` of `holders` have a field, given how many had it (Fisher's test, one-sided).

    >>> round(chance_fewer(0, 20, 3, 3), 4), round(chance_fewer(18, 20, 3, 3), 2)
    (0.0006, 0.75)
    """
    total, drawn = filled + known_filled, holders
    everyone = holders + known_holders
    lowest = max(0, total - known_holders)
    log_chances = (
        _choose(total, count) + _choose(everyone - total, drawn - count) for count in range(lowest, filled + 1)
    )
    whole = _choose(everyone, drawn)
    return min(1.0, sum(exp(log_chance - whole) for log_chance in log_chances))


def chance_rare(share: float, known: int, most: int) -> float:
    """The chance that a value with this share of all occurred at most `most` times among `known`.

    >>> round(chance_rare(0.9, 3, 1), 3), chance_rare(1.0, 3, 1)
    (0.028, 0.0)
    """
    if share >= 1.0:
        return 0.0 if most < known else 1.0
    return sum(
        exp(_choose(known, count)) * share**count * (1 - share) ** (known - count)
        for count in range(min(most, known) + 1)
    )


def _choose(total: int, chosen: int) -> float:
    """The logarithm of the binomial coefficient; minus infinity out of bounds."""
    if chosen < 0 or chosen > total:
        return float("-inf")
    return lgamma(total + 1) - lgamma(chosen + 1) - lgamma(total - chosen + 1)
