"""An amount of another role in the place of a price: of the right type, but the same everywhere, or named so."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sightline.checks._report import Issue
from sightline.checks.records._chance import chance_rare
from sightline.checks.records._ranges import known_count, numbers_of
from sightline.checks.records._run import FieldColumn, FieldValue, RecordRun, origins, shown, telling
from sightline.checks.records._settings import CheckSettings
from sightline.data import FieldProfile, Profile

__all__ = ["check_fees"]

FEWEST = 3  # values that can be "the same everywhere"
DIFFERENT = 0.6  # of the values were, of which it can be said at all that they are the same now
MANY = 6  # amounts, from which on it says something that there are
FEWER = 2  # times fewer of them
SAME = 0.6  # of the values; clean fields of numbers that had different values repeat one in fewer places
MOST_LOOKED_AT = 60  # values of a field whose labels are read
CALLED = 0.5  # of the values have a fee's word beside them
PRICES = re.compile(r"price|cost|amount|msrp|preis|prix|precio|prezzo|prijs|preço|цена|价格", re.IGNORECASE)
WORDS = re.compile(
    r"shipping|delivery|postage|handling|surcharge|deposit|\bfees?\b|\bp&p\b|versand|liefer(?:ung|kosten)|porto\b|gebühr|"
    r"\bfrais\b|livraison|\benv[ií]o\b|gastos|spedizione|consegna|verzend|bezorg|frete|доставк|wysyłk|送料|运费",
    re.IGNORECASE,
)


def check_fees(run: RecordRun, profile: Profile, settings: CheckSettings) -> Iterator[Issue]:
    """Tell fields of amounts that are one and the same amount now, or that a fee's word stands beside."""
    for column, own in telling(run, profile):
        if column.cells and (own.type.kind == "money" or (own.type.kind == "number" and PRICES.search(own.name))):
            yield from _same(column, own, settings)
            yield from _called(run, column, own)
            yield from _elsewhere(run, column, own)


def _same(column: FieldColumn, own: FieldProfile, settings: CheckSettings) -> Iterator[Issue]:
    numbers = numbers_of(column, own.type)
    known, distinct = known_count(own), max(own.distinct, len(set(own.examples)))
    if len(numbers) < FEWEST or distinct < max(FEWEST, DIFFERENT * known):
        return
    if _are_few(numbers, known, distinct):
        kinds = len({number for number, _ in numbers})
        reason = f"{len(numbers)} values are {kinds} amounts only, where {distinct} of {known} were different."
        yield Issue("fees", "suspicious", reason, field=column.name, evidence=origins([cell for _, cell in numbers]))
        return
    [(most, times)] = Counter(number for number, _ in numbers).most_common(1)
    share = times / len(numbers)
    # What is the same everywhere now was seen at most once more often than the values differ.
    if share < SAME or chance_rare(share, known, known - distinct + 1) >= settings.chance:
        return
    same = [cell for number, cell in numbers if number == most]
    reason = (
        f"{times} of {len(numbers)} values are {shown(same[0].value.text)}, where {distinct} of {known} were different."
    )
    yield Issue("fees", "suspicious", reason, field=column.name, evidence=origins(same))


def _are_few(numbers: Sequence[tuple[float, FieldValue]], known: int, distinct: int) -> bool:
    """Whether there are far fewer different amounts than there were, among at least as many values."""
    kinds = len({number for number, _ in numbers})
    return len(numbers) >= max(MANY, known) and distinct >= MANY and FEWER * kinds <= distinct


def _called(run: RecordRun, column: FieldColumn, own: FieldProfile) -> Iterator[Issue]:
    if any(map(WORDS.search, (*own.labels, *own.examples, own.name))):
        return
    cells = column.cells[:MOST_LOOKED_AT]
    fees = [cell for cell in cells if WORDS.search(cell.value.text)] or _labelled(run, cells)
    if fees and len(fees) >= CALLED * len(cells):
        reason = f"{len(fees)} of {len(cells)} values are called a fee; one is {shown(fees[0].value.text)}."
        yield Issue("fees", "suspicious", reason, field=column.name, evidence=origins(fees))


def _elsewhere(run: RecordRun, column: FieldColumn, own: FieldProfile) -> Iterator[Issue]:
    """Amounts outside of the range that also stand in other elements than any good one did."""
    if own.low is None or own.high is None or not own.places:
        return
    numbers = {id(cell.value): number for number, cell in numbers_of(column, own.type)}
    standing = list(run.standing(column.cells[:MOST_LOOKED_AT]))
    other = [
        cell
        for cell, places, node in standing
        if not own.low <= numbers.get(id(cell.value), own.low) <= own.high and places.place(node) not in own.places
    ]
    if other and len(other) >= CALLED * len(standing):
        reason = (
            f"{len(other)} of {len(standing)} values lie outside {own.low:g} to {own.high:g} and stand where no good "
            f"one did; one is {shown(other[0].value.text)}."
        )
        yield Issue("fees", "suspicious", reason, field=column.name, evidence=origins(other))


def _labelled(run: RecordRun, cells: Sequence[FieldValue]) -> list[FieldValue]:
    """Those of some values that have a fee's word before them; a text with an amount is the fee itself, beside them."""
    labels = ((cell, places.label(node) or "") for cell, places, node in run.standing(cells))
    return [cell for cell, label in labels if WORDS.search(label) and not any(map(str.isdigit, label))]
