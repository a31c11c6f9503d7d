"""Which columns of two tables are compared, and as what.

TextColumns that have the same name on both sides are compared; where no name is shared, all are. What a column is, its
content says: prices are numbers under a name for prices, model numbers are codes, and of the texts the shortest that
tells records apart is their name.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import chain, pairwise, product
from statistics import median

import numpy as np

from sightline.arrays import FloatArray, LongArray
from sightline.data import ColumnType, infer
from sightline.errors import UsageError
from sightline.flow.rows import TextColumns

_PRICE = re.compile(r"price|preis|prix|precio|cost|amount|betrag|msrp|rrp", re.IGNORECASE)
_CODE = re.compile(r"(?:^|[^a-z])(?:sku|mpn|ean|gtin|upc|isbn|asin)|model|part.?n|article.?n|artikel", re.IGNORECASE)
_AMOUNTS = ("number", "money")
_ID = "id"
_MOSTLY = 0.8
# Of texts whose values differ about as often, the shortest is the name; one with clearly more words describes it. Texts
# with few different values, such as brands and categories, tell groups of records, not records.
_ABOUT_AS_GOOD, _LONGER, _LEAST_DISTINCT = 0.7, 1.5, 0.5
_LOOKED_AT = 500  # values of a column that say what it is


@dataclass(frozen=True)
class Compared:
    """One side of a comparison: for each record its name with its codes, its description and its price (0: none)."""

    names: list[str]
    descriptions: list[str]
    prices: list[float]
    roles: Mapping[str, str]
    """What each column was taken for: `name`, `code`, `description`, `group`, `price`, or `left out`."""


def ids_of(columns: TextColumns) -> list[str]:
    """What the records are called in the result: their `id`, or their number from 1 on."""
    own = next((values for name, values in columns.items() if name.strip().lower() == _ID), None)
    rows = len(next(iter(columns.values()), ()))
    if own is None:
        return [str(number) for number in range(1, rows + 1)]
    return [value or str(number) for number, value in enumerate(own, start=1)]


def compared_texts(left: TextColumns, right: TextColumns) -> tuple[Compared, Compared]:
    """Both sides, ready to be compared."""
    shared = [name for name in left if name in right and not _is_id(name)]
    if shared:
        both = {name: [*_some(left[name]), *_some(right[name])] for name in shared}
        roles_left = roles_right = _roles(both)
    else:
        roles_left = _roles({name: _some(values) for name, values in left.items() if not _is_id(name)})
        roles_right = _roles({name: _some(values) for name, values in right.items() if not _is_id(name)})
    is_known = _has_rows(left) and _has_rows(right)  # what the columns of an empty table are, nobody can tell
    for side, own in (("left", roles_left), ("right", roles_right)):
        if not {"name", "code"} & set(own.values()) and (is_known or not own):
            raise UsageError(
                f"The {side} table has no column of names or codes; give both tables one, for instance `name`."
            )
    prices = _prices(left, right, (roles_left, roles_right))
    return _side(left, roles_left, prices[0]), _side(right, roles_right, prices[1])


def _has_rows(columns: TextColumns) -> bool:
    return any(columns.values())


def _is_id(name: str) -> bool:
    return name.strip().lower() == _ID


def _some(values: Sequence[str | None]) -> list[str | None]:
    return list(values[:_LOOKED_AT])


def _roles(columns: Mapping[str, Sequence[str | None]]) -> dict[str, str]:
    """What each column is; of the texts, the one that tells records apart best in few words is their name."""
    texts: dict[str, list[str]] = {}
    roles: dict[str, str] = {}
    for name, values in columns.items():
        known = [value for value in values if value]
        roles[name] = _role(name, known)
        if roles[name] == "text":
            texts[name] = known
    distinct = {name: len(set(known)) / max(len(columns[name]), 1) for name, known in texts.items()}
    words = {name: sum(len(value.split()) for value in known) / max(len(known), 1) for name, known in texts.items()}
    telling = [name for name in texts if distinct[name] >= _ABOUT_AS_GOOD * max(distinct.values())]
    title = min(telling, key=lambda name: words[name], default="")
    for name in texts:
        is_long = words[name] > _LONGER * words[title]
        roles[name] = "description" if is_long else "name" if distinct[name] >= _LEAST_DISTINCT else "group"
    if title:
        roles[title] = "name"
    return roles


def _role(name: str, values: Sequence[str]) -> str:
    if not values:
        return "left out"
    is_amount = infer(values).kind in _AMOUNTS
    if is_amount and _PRICE.search(name):
        return "price"
    if _CODE.search(name) or sum(map(_is_like_code, values)) >= _MOSTLY * len(values):
        return "code"
    return "left out" if is_amount else "text"


def _is_like_code(value: str) -> bool:
    return len(codes_of(value)) == 1 and len(value.split()) == 1 and not value.isdigit()


def _side(columns: TextColumns, roles: Mapping[str, str], prices: list[float]) -> Compared:
    rows = len(next(iter(columns.values()), ()))
    return Compared(
        _joined(columns, [name for name, role in roles.items() if role in ("name", "code")], rows),
        _joined(columns, [name for name, role in roles.items() if role == "description"], rows),
        prices,
        roles,
    )


def _joined(columns: TextColumns, names: Sequence[str], rows: int) -> list[str]:
    return [" ".join(value for name in names if (value := columns[name][row])) for row in range(rows)]


def _prices(
    left: TextColumns, right: TextColumns, roles: tuple[Mapping[str, str], Mapping[str, str]]
) -> tuple[list[float], list[float]]:
    """The first price of each record, or 0.

    Where a column alone does not tell whether 2.849 is less than three or nearly three thousand, the other side does:
    prices of the same things are about the same.
    """
    readings = product(_readings(left, roles[0]), _readings(right, roles[1]))
    return min(readings, key=lambda both: _apart(*both))


def _readings(columns: TextColumns, roles: Mapping[str, str]) -> list[list[float]]:
    """The prices of one side in each way that they can be read."""
    rows = len(next(iter(columns.values()), ()))
    readings = [[0.0] * rows]
    for name in reversed([name for name, role in roles.items() if role == "price"]):
        kinds = _kinds(columns[name])
        readings = [_filled(prices, columns[name], kind) for prices in readings for kind in kinds]
    return readings


def _kinds(texts: Sequence[str | None]) -> list[ColumnType]:
    """How the numbers of a column can be read."""
    decided = infer(texts)
    if not any(doubt.startswith("decimal separator") for doubt in decided.ambiguous):
        return [decided]
    other = "," if decided.decimal == "." else "."
    return [decided, replace(decided, decimal=other, grouping=decided.decimal, integer=False)]


def _filled(prices: list[float], texts: Sequence[str | None], kind: ColumnType) -> list[float]:
    read = [kind.parse(text) if text else None for text in texts]
    return [
        float(value) if isinstance(value, int | float | Decimal) and value > 0 else before
        for before, value in zip(prices, read, strict=True)
    ]


def _apart(left: list[float], right: list[float]) -> float:
    """How far the middle prices of both sides are apart."""
    known = [[price for price in side if price] for side in (left, right)]
    return abs(math.log(median(known[0]) / median(known[1]))) if all(known) else 0.0


# -- what records are compared by -----------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W_]+(?:[-/.][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MARKS = re.compile(r"[\W_]")
_LEAST_CODE = 4  # characters of a model number; of one that is all digits, one more
_LONGEST_CODE = 24
_LEAST_PREFIX = 4


@dataclass(frozen=True)
class TokenRows:
    """The tokens of many records: those of record `i` are `ids[offsets[i]:offsets[i + 1]]`, each once, with weights."""

    offsets: LongArray
    ids: LongArray
    weights: FloatArray
    vocabulary: int

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def totals(self) -> FloatArray:
        """The sum of the weights of each record."""
        sums = np.concatenate([[0.0], np.cumsum(self.weights)])
        totals: FloatArray = sums[self.offsets[1:]] - sums[self.offsets[:-1]]
        return totals

    def counts(self) -> LongArray:
        """How many tokens each record has."""
        return np.diff(self.offsets)


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters; model numbers stay together.

    >>> words_of("Panasonic KX-TG9343T, cordless")
    ['panasonic', 'kx-tg9343t', 'cordless']
    """
    return _WORD.findall(text.lower())


def gram_rows(left: Sequence[str], right: Sequence[str]) -> tuple[TokenRows, TokenRows]:
    """Every three characters in a row of each text, with one blank between words; as `token_rows`, but much faster.

    >>> gram_rows(["A4, b"], ["A4"])[0].counts().tolist()  # " a4", "a4 ", "4 b", " b "
    [4]
    """
    lines = [f" {' '.join(words_of(text))} " for text in (*left, *right)]
    letters = np.frombuffer("".join(lines).encode("utf-32-le", "surrogatepass"), np.uint32)
    kinds, short = np.unique(letters, return_inverse=True)
    rows = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    inside = rows[:-2] == rows[2:]
    grams = ((short[:-2] * len(kinds) + short[1:-1]) * len(kinds) + short[2:])[inside]
    rows = rows[:-2][inside]
    del letters, short, inside
    numbers, count = _renumbered(grams, len(kinds) ** 3)
    # Each gram of a text counts once.
    tokens = np.sort(rows * count + numbers)
    tokens = tokens[np.concatenate([[True], tokens[1:] != tokens[:-1]])] if len(tokens) else tokens
    sizes = np.bincount(tokens // count, minlength=len(lines))
    return _both(sizes, tokens % count, count, len(left), None)


_MOST_POSSIBLE = 50_000_000  # numbers that a table of all of them may have; beyond, they are sorted


def _renumbered(values: LongArray, possible: int) -> tuple[LongArray, int]:
    """The same values as numbers from 0 on without gaps, and how many there are (at least one)."""
    if possible > _MOST_POSSIBLE:
        found, numbers = np.unique(values, return_inverse=True)
        return numbers, max(len(found), 1)
    is_there = np.zeros(max(possible, 1), bool)
    is_there[values] = True
    numbers_of = np.cumsum(is_there, dtype=np.int32) - 1
    return numbers_of[values].astype(np.int64), max(int(numbers_of[-1]) + 1, 1)


def codes_of(text: str) -> set[str]:
    """What may be a model number: letters and digits, without the marks between them.

    >>> sorted(codes_of("Panasonic KX-TG9343T, 2.4 GHz"))
    ['kxtg9343t']
    """
    return {code for word in text.lower().split() if is_code(code := plain_code(word))}


def codes_written_apart(text: str) -> set[str]:
    """Model numbers, and what would be one if two words were written as one.

    >>> sorted(codes_written_apart("D-Link DGS 1008P"))
    ['1008p', 'dgs1008p']
    """
    plain = [plain_code(word) for word in text.lower().split()]
    joined = [first + second for first, second in pairwise(plain)]
    return {code for code in (*plain, *joined) if is_code(code)}


@lru_cache(maxsize=100_000)
def plain_code(word: str) -> str:
    """A word without the marks in it."""
    return _MARKS.sub("", word)


@lru_cache(maxsize=100_000)
def is_code(code: str) -> bool:
    """Whether letters and digits without marks may be a model number."""
    digits = sum(character.isdigit() for character in code)
    return bool(digits) and _LEAST_CODE + (digits == len(code)) <= len(code) <= _LONGEST_CODE


def prefixes_of(codes: Iterable[str]) -> set[str]:
    """How model numbers begin: variants of a product often differ in the last characters."""
    return {code[:length] for code in codes for length in range(_LEAST_PREFIX, len(code) + 1)}


def numbers_of(text: str) -> set[str]:
    """The numbers of a text, without zeros at their ends.

    >>> sorted(numbers_of("24 inch, 1.50 m"))
    ['1.5', '24']
    """
    return {plain_number(number) for number in _NUMBER.findall(text)}


def plain_number(number: str) -> str:
    """A number with a point, without zeros at its end."""
    number = number.replace(",", ".")
    return number.rstrip("0").rstrip(".") if "." in number else number


def token_rows(
    left: Iterable[Iterable[str]],
    right: Iterable[Iterable[str]],
    weigh: Callable[[str], float] | None = None,
    *,
    by_rarity: bool = True,
) -> tuple[TokenRows, TokenRows]:
    """The tokens of both sides under the same numbers, each weighted by how rare it is, by `weigh`, or by both."""
    numbers: dict[str, int] = {}
    rows = [{numbers.setdefault(token, len(numbers)) for token in tokens} for tokens in left]
    count = len(rows)
    rows += [{numbers.setdefault(token, len(numbers)) for token in tokens} for tokens in right]
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    ids = np.fromiter(chain.from_iterable(rows), np.int64, int(sizes.sum()))
    factors = np.fromiter(map(weigh, numbers), np.float64, len(numbers)) if weigh else None
    return _both(sizes, ids, len(numbers), count, factors, by_rarity=by_rarity)


def _both(
    sizes: LongArray, ids: LongArray, vocabulary: int, left: int, factors: FloatArray | None, *, by_rarity: bool = True
) -> tuple[TokenRows, TokenRows]:
    """The first `left` records and the others, with the weights of their tokens."""
    weights = np.ones(vocabulary) if factors is None else factors
    if by_rarity:
        frequency = np.maximum(np.bincount(ids, minlength=vocabulary), 1)
        weights = weights * np.log1p(len(sizes) / frequency) / math.log1p(max(len(sizes), 1))
    cut = int(sizes[:left].sum())
    parts = (sizes[:left], ids[:cut]), (sizes[left:], ids[cut:])
    rows = [
        TokenRows(np.concatenate([[0], np.cumsum(size)]), own, weights[own], max(vocabulary, 1)) for size, own in parts
    ]
    return rows[0], rows[1]
