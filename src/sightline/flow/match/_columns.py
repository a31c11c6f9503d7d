"""Which columns of two tables are compared, and as what.

Columns that have the same name on both sides are compared; where no name is shared, those whose values are alike. What
a column is, its values say: identifiers, days and numbers are compared as such, prices are numbers under a name for
prices, model numbers are codes, and of the texts the shortest that tells records apart is their name.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from statistics import median

from sightline.data import ColumnType, infer
from sightline.errors import UsageError
from sightline.flow.match._texts import codes_of, words_of
from sightline.flow.match._values import ValueKind, kind_of_values
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
_LEAST_ALIKE = 0.1  # of the words of two columns that no name joins; less is shared by columns of any two tables


@dataclass(frozen=True)
class ColumnPair:
    """A column of each side that are compared with each other, and as what."""

    left: str
    right: str
    kind: ValueKind
    role: str

    @property
    def name(self) -> str:
        """What the pair is called; both names where they differ."""
        return self.left if self.left == self.right else f"{self.left} = {self.right}"


@dataclass(frozen=True)
class Compared:
    """One side of a comparison: for each record its name with its codes, its description and its price (0: none)."""

    names: list[str]
    descriptions: list[str]
    prices: list[float]
    labels: list[str]
    """What each record is called: its name, with its other values where another record has the same name."""
    roles: Mapping[str, str]
    """What each column was taken for: `name`, `code`, `description`, `group`, `price`, `number`, `date`,
    `identifier`, or `left out`."""


def names_in(text: str) -> tuple[str, ...]:
    """The names of columns that a user lists.

    >>> names_in("name, born = date of birth")
    ('name', 'born = date of birth')
    """
    return tuple(name.strip() for name in text.split(",") if name.strip())


def ids_of(columns: TextColumns) -> list[str]:
    """What the records are called in the result: their `id`, or their number from 1 on."""
    own = next((values for name, values in columns.items() if _is_id(name)), None)
    rows = len(next(iter(columns.values()), ()))
    if own is None:
        return [str(number) for number in range(1, rows + 1)]
    return [value or str(number) for number, value in enumerate(own, start=1)]


def compared_columns(
    left: TextColumns, right: TextColumns, on: Sequence[str] = (), without: Sequence[str] = ()
) -> tuple[ColumnPair, ...]:
    """The pairs of columns that are compared, of those named in `on` (all, if none is) but not in `without`."""
    names = _chosen(left, right, on, without)
    both = {pair: (_some(left[pair[0]]), _some(right[pair[1]])) for pair in names}
    kinds = {pair: kind_of_values(*values) for pair, values in both.items()}
    roles = _roles(
        {"\0".join(pair): [*one, *two] for pair, (one, two) in both.items()}, set(map("\0".join, _typed(kinds)))
    )
    found = []
    for one, two in names:
        role = roles[f"{one}\0{two}"]
        if role != "left out":
            kind = "code" if role == "code" else kinds[one, two]
            found.append(ColumnPair(one, two, kind, _role_of_kind(kind, role)))
    if on and not found:
        raise UsageError(f"The columns {', '.join(on)} are empty; name others to compare by.")
    return tuple(found)


def _typed(kinds: Mapping[tuple[str, str], ValueKind]) -> list[tuple[str, str]]:
    """The columns whose values are typed so surely that they are no texts, whatever characters are in them."""
    return [pair for pair, kind in kinds.items() if kind in ("day", "digits")]


def compared_texts(
    left: TextColumns, right: TextColumns, pairs: Sequence[ColumnPair] | None = None, without: Sequence[str] = ()
) -> tuple[Compared, Compared]:
    """Both sides, ready to be compared as texts, by the pairs of columns that were found."""
    pairs = compared_columns(left, right, (), without) if pairs is None else pairs
    roles_left, roles_right = {one.left: one.role for one in pairs}, {one.right: one.role for one in pairs}
    if not pairs:  # nothing is joined: all texts of one side are held against all of the other
        roles_left, roles_right = (
            _roles({name: _some(values) for name, values in side.items() if not _is_id(name) and name not in without})
            for side in (left, right)
        )
    is_known = _has_rows(left) and _has_rows(right)  # what the columns of an empty table are, nobody can tell
    for side, own in (("left", roles_left), ("right", roles_right)):
        if set(own.values()) <= {"left out", "price", "number"} and (is_known or not own):
            raise UsageError(
                f"The {side} table has no column of names or codes; give both tables one, for instance `name`."
            )
    prices = _prices(left, right, (roles_left, roles_right))
    return _side(left, roles_left, prices[0]), _side(right, roles_right, prices[1])


# ------------------------------------------------------------------ which columns belong together


def _chosen(left: TextColumns, right: TextColumns, on: Sequence[str], without: Sequence[str]) -> list[tuple[str, str]]:
    if on:
        names = [_named(left, right, one) for one in on]
    else:
        names = [(name, name) for name in left if name in right and not _is_id(name)] or _joined_by_values(left, right)
    for one in without:
        if one not in left and one not in right:
            raise UsageError(f"No column is called {one!r}; the tables have {_listed(left)} and {_listed(right)}.")
    chosen = [pair for pair in names if not set(pair) & set(without)]
    if names and not chosen:
        raise UsageError("No column is left to compare; leave fewer of them out.")
    return chosen


def _named(left: TextColumns, right: TextColumns, one: str) -> tuple[str, str]:
    """The two columns that a user names, as `name` or as `name=title`."""
    own, is_two, other = (part.strip() for part in one.partition("="))
    other = other if is_two else own
    for name, side, what in ((own, left, "left"), (other, right, "right")):
        if name not in side:
            raise UsageError(f"The {what} table has no column {name!r}; it has {_listed(side)}.")
    return own, other


def _listed(columns: TextColumns) -> str:
    return ", ".join(columns) or "none"


def _joined_by_values(left: TextColumns, right: TextColumns) -> list[tuple[str, str]]:
    """Columns without a common name whose values use the same words, the most alike first, each once."""
    words = [
        {name: _word_counts(values) for name, values in side.items() if not _is_id(name)} for side in (left, right)
    ]
    alike = sorted(
        ((_cosine(one, two), name, other) for name, one in words[0].items() for other, two in words[1].items()),
        key=lambda found: -found[0],
    )
    joined: dict[str, str] = {}
    for share, name, other in alike:
        if share >= _LEAST_ALIKE and name not in joined and other not in joined.values():
            joined[name] = other
    return [(name, joined[name]) for name in left if name in joined]


def _word_counts(values: Sequence[str | None]) -> Counter[str]:
    return Counter(word for value in _some(values) if value for word in set(words_of(value)))


def _cosine(one: Counter[str], two: Counter[str]) -> float:
    shared = sum(count * two[word] for word, count in one.items())
    sizes = [math.sqrt(sum(count * count for count in side.values())) for side in (one, two)]
    return shared / (sizes[0] * sizes[1]) if shared else 0.0


# ------------------------------------------------------------------ what a column is


def _has_rows(columns: TextColumns) -> bool:
    return any(columns.values())


def _is_id(name: str) -> bool:
    return name.strip().lower() == _ID


def _some(values: Sequence[str | None]) -> list[str | None]:
    return list(values[:_LOOKED_AT])


def _role_of_kind(kind: ValueKind, role: str) -> str:
    """What a column is to a reader: what its kind says, where that says more than that it is a text."""
    if role in ("price", "code"):
        return role
    said = {"digits": "identifier", "number": "number", "day": "date"}
    return said.get(kind, "group" if role == "number" else role)


def _roles(columns: Mapping[str, Sequence[str | None]], typed: Collection[str] = ()) -> dict[str, str]:
    """What each column is; of the texts, the one that tells records apart best in few words is their name."""
    texts: dict[str, list[str]] = {}
    roles: dict[str, str] = {}
    for name, values in columns.items():
        known = [value for value in values if value]
        roles[name] = _role(name, known, is_typed=name in typed)
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


def _role(name: str, values: Sequence[str], *, is_typed: bool) -> str:
    if not values:
        return "left out"
    is_amount = infer(values).kind in _AMOUNTS
    if is_amount and _PRICE.search(name):
        return "price"
    if _CODE.search(name) or (not is_typed and sum(map(_is_like_code, values)) >= _MOSTLY * len(values)):
        return "code"
    return "number" if is_amount or is_typed else "text"


def _is_like_code(value: str) -> bool:
    return len(codes_of(value)) == 1 and len(value.split()) == 1 and not value.isdigit()


# ------------------------------------------------------------------ the texts and prices of a side


def _side(columns: TextColumns, roles: Mapping[str, str], prices: list[float]) -> Compared:
    rows = len(next(iter(columns.values()), ()))
    names = _joined(columns, [name for name, role in roles.items() if role in ("name", "code")], rows)
    others = [name for name, role in roles.items() if role not in ("name", "code", "description", "left out")]
    return Compared(
        names,
        _joined(columns, [name for name, role in roles.items() if role == "description"], rows),
        prices,
        _labels(names, _joined(columns, others, rows, ", ")),
        {name: roles.get(name, "left out") for name in columns if not _is_id(name)},
    )


def _labels(names: Sequence[str], others: Sequence[str]) -> list[str]:
    """What records are called: decisions are about these, so different records need different ones."""
    times = Counter(names)
    return [
        name if name and times[name] == 1 else " · ".join(part for part in (name, other) if part)
        for name, other in zip(names, others, strict=True)
    ]


def _joined(columns: TextColumns, names: Sequence[str], rows: int, between: str = " ") -> list[str]:
    return [between.join(value for name in names if (value := columns[name][row])) for row in range(rows)]


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
