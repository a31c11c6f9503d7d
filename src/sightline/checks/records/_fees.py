"""Fees in place of prices: amounts of the right type that are the same everywhere, or are labelled as fees."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sightline.checks._report import Issue
from sightline.checks.records._chance import chance_rare
from sightline.checks.records._ranges import known_count, numbers_of
from sightline.checks.records._run import FieldColumn, FieldValue, RecordRun, comparable_columns, origins, shown
from sightline.checks.records._settings import CheckSettings
from sightline.data import FieldProfile, Profile

__all__ = ["check_fees"]

FEWEST = 3  # values that can be "the same everywhere"
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
    if len(numbers) < FEWEST or distinct < max(FEWEST, DIFFERENT * known):
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
