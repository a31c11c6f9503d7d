"""Which columns of two tables are compared, and as what.

TextColumns that have the same name on both sides are compared; where no name is shared, all are. What a column is, its
content says: prices are numbers under a name for prices, model numbers are codes, and of the texts the shortest that
tells records apart is their name.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from statistics import median

from sightline.data import ColumnType, infer
from sightline.errors import UsageError
from sightline.flow.match._texts import codes_of
from sightline.flow.rows import TextColumns

__all__ = ["Compared", "compared_texts", "ids_of"]


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
