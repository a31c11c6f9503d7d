"""How well a thing is found: field by field, as a careful person would compare."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.about.samples import listed, minutes, number, plain

SETS = frozenset(("recipeIngredient", "recipeInstructions", "keywords"))
SEVERAL = frozenset(("article author",))  # fields that are sets on one kind of page alone
# Signs that the truth has in place of codes.
SIGNS = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "zł": "PLN",
    "руб.": "RUB",
    "₽": "RUB",
    "kr": "SEK",
    "R$": "BRL",
    "₪": "ILS",
}


@dataclass(frozen=True)
class FieldScore:
    """Of a field on pages of a kind: how much was right of what was given, and of what is there."""

    pages: int
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True)
class PageFields:
    """A page: its true kind and fields, and those that were found."""

    kind: str
    truth: Mapping[str, Sequence[Any]]
    found_kind: str | None
    found: Mapping[str, Any]


def field_scores(pages: Iterable[PageFields]) -> dict[tuple[str, str], FieldScore]:
    """The score of each field on the pages of each kind.

    >>> page = PageFields("product", {"price": ["49"]}, "product", {"price": 49.0})
    >>> field_scores([page])["product", "price"].f1
    1.0
    """
    by_kind: dict[str, list[PageFields]] = defaultdict(list)
    for page in pages:
        by_kind[page.kind].append(page)
    return {
        (kind, name): _scored(kind, name, own)
        for kind, own in by_kind.items()
        for name in sorted({name for page in own for name in page.truth})
    }


def _scored(kind: str, name: str, pages: Sequence[PageFields]) -> FieldScore:
    right, given, there = 0.0, 0, 0
    for page in pages:
        found = listed(page.found.get(name))
        there += name in page.truth
        given += bool(found)
        if found and name in page.truth:
            right += worth(kind, name, page.truth[name], found)
    return FieldScore(there, right / given if given else 0.0, right / there if there else 0.0)


def worth(kind: str, name: str, true: Sequence[Any], found: Sequence[Any]) -> float:
    """How much of a field of a page is right, from 0 to 1."""
    if name == "articleBody":
        return _f1(_words(true), _words(found))
    if name in SETS or f"{kind} {name}" in SEVERAL:
        return _f1(Counter(filter(None, map(plain, true))), Counter(filter(None, map(plain, found))))
    return float(any(same_value(name, one, found[0]) for one in true))


def same_value(name: str, true: Any, found: Any) -> bool:
    """Whether a value says the same as one of the truth: amounts and spans as numbers, days by the day, else words."""
    if name in ("price", "ratingValue"):
        return number(true) is not None and number(true) == number(found)
    if name == "totalTime":
        return minutes(true) is not None and minutes(true) == minutes(found)
    if name == "recipeYield":
        return (number(true) is not None and number(true) == number(found)) or plain(true) == plain(found)
    if name == "datePublished":
        return str(true)[:10] == str(found)[:10]
    if name == "priceCurrency":
        return SIGNS.get(str(true), str(true)).upper() == str(found).upper()
    if name == "image":
        return _file(true) == _file(found)
    return plain(true) == plain(found)


def _file(address: Any) -> str:
    return re.sub(r"\?.*", "", str(address)).rpartition("/")[2]


def _words(texts: Sequence[Any]) -> Counter[str]:
    return Counter(plain(" ".join(map(str, texts))).split())


def _f1(true: Counter[str], found: Counter[str]) -> float:
    both = (true & found).total()
    return 2 * both / (true.total() + found.total()) if both else 0.0
