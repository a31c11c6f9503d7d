"""Cells that can be read in two ways: labelled one by one, in columns as shops and tables have them.

Every column has one convention, which its maker chose by chance: a decimal mark, an order of dates, a currency. A cell
is right if it is read by that convention; where its column does not show which one it is, it is enough that this is
told. A cell that is no value of its column's kind (2 pairs from $349) must stay a text. What is read by another
convention than the one of its column, and told nowhere, is a silent flip.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from bench.frame import Counts

COLUMNS = 30  # of each sort
ROWS = (8, 24)
# The share of cells that may be something else before a column is one of texts; see KIND_SHARE of `sightline.data`.
MOST_OTHERS = 0.2


@dataclass(frozen=True)
class HardColumn:
    """Texts, and what each says; None where it must stay a text."""

    sort: str
    texts: tuple[str, ...]
    values: tuple[Decimal | date | None, ...]
    language: str | None = None

    @property
    def in_tables(self) -> "HardColumn":
        """What tables should make of it: all texts, if typed values would lose one of them."""
        return self if None not in self.values else replace(self, values=(None,) * len(self.texts))


@dataclass
class Judgement(Counts):
    """How many cells of a column are right, told as ambiguous, wrong, and silently read in another way."""

    right: int = 0
    marked: int = 0
    wrong: int = 0
    flipped: int = 0

    @property
    def cells(self) -> int:
        """All of them."""
        return self.right + self.marked + self.wrong


def judged(column: HardColumn, values: Sequence[object], notes: Sequence[str]) -> Judgement:
    """Compare what was read with what was meant; `notes` is what was told about the whole column."""
    total = Judgement()
    for text, true, got in zip(column.texts, column.values, values, strict=True):
        topic = "date order" if isinstance(true, date) else "decimal separator"
        total += _judged(text, true, got, is_told=any(note.startswith(topic) for note in notes))
    return total


def _judged(text: str, true: Decimal | date | None, got: object, *, is_told: bool) -> Judgement:
    is_text = got is None or got == text
    if is_text if true is None else _is(true, got):
        return Judgement(right=1)
    if is_told and true is not None and not is_text:
        return Judgement(marked=1)
    return Judgement(wrong=1, flipped=0 if is_text else 1)


def _is(true: Decimal | date, got: object) -> bool:
    if isinstance(true, Decimal):
        return isinstance(got, int | float | Decimal) and Decimal(str(got)) == true
    return got == true


def hard_columns(seed: int = 22) -> Iterator[HardColumn]:
    """All sorts, the same each time."""
    chance = random.Random(seed)
    for sort, make in MAKERS.items():
        for _ in range(COLUMNS):
            texts, values, language = make(chance)
            yield HardColumn(sort, tuple(texts), tuple(values), language)


Made = tuple[list[str], list[Decimal | date | None], str | None]


def _count(chance: random.Random) -> int:
    return chance.randint(*ROWS)


def _written(chance: random.Random, mark: str, places: int) -> tuple[str, Decimal]:
    """A number with thousands marks, and what it is."""
    number = Decimal(chance.randint(1, 9_999_999)).scaleb(-places)
    text = f"{number:,.{places}f}"
    return (text if mark == "." else text.translate(str.maketrans(".,", ",."))), number


def _numbers(chance: random.Random) -> Made:
    """1.234,56 and 3.350 in one column, or 1,234.56 and 3,350."""
    mark = chance.choice(".,")
    pairs = [_written(chance, mark, chance.choice((0, 0, 1, 2, 2))) for _ in range(_count(chance))]
    pairs += [_written(chance, mark, 2), ("3.350" if mark == "," else "3,350", Decimal(3350))]
    chance.shuffle(pairs)
    return [text for text, _ in pairs], [value for _, value in pairs], None


def _open_numbers(chance: random.Random) -> Made:
    """Only 3.350 and the like: thousands, or three digits behind the point, as its language says or nobody."""
    is_grouped = chance.random() < 0.5
    language = chance.choice((None, "de" if is_grouped else "en"))
    whole = [chance.randint(1_000, 999_999) for _ in range(_count(chance))]
    texts = [f"{number // 1000}.{number % 1000:03}" for number in whole]
    return texts, [Decimal(number) if is_grouped else Decimal(number).scaleb(-3) for number in whole], language


def _days(chance: random.Random, last: int) -> list[date]:
    first = date(2023, 1, 1)
    days = (first + timedelta(chance.randint(0, 900)) for _ in range(_count(chance)))
    return [day.replace(day=min(day.day, last)) for day in days]


def _dates(chance: random.Random) -> Made:
    """Dates in figures, of which at least one has a day above 12."""
    days = [*_days(chance, 28), date(2024, chance.randint(1, 12), chance.randint(13, 28))]
    form = chance.choice(("%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%d/%m/%y", "%m/%d/%y"))
    return [day.strftime(form) for day in days], list(days), None


def _open_dates(chance: random.Random) -> Made:
    """Dates in figures without a day above 12; the language says the order, or nobody."""
    order = chance.choice(("%d/%m/%Y", "%m/%d/%Y"))
    language = chance.choice((None, "en-US" if order.startswith("%m") else "en-GB"))
    days = _days(chance, 12)
    return [day.strftime(order) for day in days], list(days), language


def _promotions(chance: random.Random) -> Made:
    """Prices, and a few that are more than one."""
    prices = [Decimal(chance.randint(500, 99_999)).scaleb(-2) for _ in range(max(_count(chance), 10))]
    texts: list[str] = [f"${price:,}" for price in prices]
    values: list[Decimal | date | None] = list(prices)
    odd = ("2 pairs from $349", "3 for $10", "from $99 or $120", "$5 off $50", "2 pairs from $1,349.00", "$10 to $20")
    for place in chance.sample(range(len(texts)), max(1, int(len(texts) * MOST_OTHERS) - 1)):
        texts[place], values[place] = chance.choice(odd), None
    return texts, values, "en-US"


def _codes(chance: random.Random) -> Made:
    """Article numbers, dialling codes and postcodes, some with zeros in front."""
    length = chance.randint(3, 8)
    texts = [f"{chance.randint(0, 10**length - 1):0{length}}" for _ in range(_count(chance))]
    texts.append(f"{chance.randint(0, 10 ** (length - 1) - 1):0{length}}")
    return texts, [None] * len(texts), None


def _currencies(chance: random.Random) -> Made:
    """Prices in euros, and a few in another currency, which are not so many euros."""
    prices = [Decimal(chance.randint(500, 99_999)).scaleb(-2) for _ in range(max(_count(chance), 10))]
    texts = [f"€{price}" for price in prices]
    values: list[Decimal | date | None] = list(prices)
    for place in chance.sample(range(len(texts)), max(1, int(len(texts) * MOST_OTHERS) - 1)):
        texts[place], values[place] = chance.choice(("£{}", "CHF {}", "{} USD", "${}")).format(prices[place]), None
    return texts, values, None


MAKERS: dict[str, Callable[[random.Random], Made]] = {
    "1.234,56 and 3.350": _numbers,
    "3.350 alone": _open_numbers,
    "dates that show their order": _dates,
    "ambiguous dates": _open_dates,
    "2 pairs from $349": _promotions,
    "leading zeros": _codes,
    "mixed currencies": _currencies,
}
