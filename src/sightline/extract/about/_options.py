"""What may be the value of a field once all is weighed: what is said, what programs hold, and what is seen.

Each value counts once, however often it is said or seen. What is measured of it tells where it is said, under which
keys a program holds it, how much what is seen of it looks like the field, and how it stands to what the page says
officially.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from sightline.data import Typed
from sightline.extract.about._candidates import Candidates
from sightline.extract.about._kinds import ThingField
from sightline.extract.about._said import SaidValue
from sightline.extract.about._state_values import StateValue
from sightline.extract.about._typed import clean, plain_words, typed
from sightline.page import Page

WEIGHED = ("name", "price", "sku", "brand", "recipeYield", "totalTime")
"""The fields whose values are weighed against each other."""
MOST_SEEN = 6  # of the likeliest candidates
NUMERIC = frozenset(("money", "number", "rating"))
TYPED = NUMERIC | {"day", "span"}
SYNTAXES = ("json-ld", "microdata", "rdfa", "microformats", "meta")
OLD = frozenset(("#old", "#saving", "#shipping", "#unit", "#instalment"))
APART = frozenset(("#related", "#menu", "#share", "#review", "#cart"))
OPTION_MEASURES = (
    *SYNTAXES,
    *("order", "said", "said otherwise", "states", "key", "key now", "key old", "key code", "above product"),
    *("above apart", "alike", "depth", "looks", "rank", "seen", "page looks", "in title", "in address", "in host"),
    *("letters", "figures", "decimals", "part of said", "holds said", "sources", "options", "of most"),
    *("higher beside", "lower beside", "higher anywhere", "lower anywhere"),
)
BESIDE = 4  # blocks within which the former price stands beside that of now
RIVAL = 0.4  # of how likely the likeliest is; what is less likely is no other price of the thing
MOST_TIMES = 5.0  # the higher one is that of a set, or something else
NOT_SEEN = 9.0
LETTER = re.compile(r"[^\W\d_]")
ADDRESS_CODE = re.compile(r"(?<![^\W_])[A-Za-z]{0,4}\d{4,14}[A-Za-z]{0,3}(?![^\W_])")
SAME_AMOUNT = 1e-6


@dataclass(eq=False)
class ValueOption:
    """One value with all places where it is said, held or seen."""

    text: str
    value: Typed | None
    said: list[tuple[int, SaidValue]] = field(default_factory=list)
    held: list[StateValue] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)


@dataclass(eq=False)
class ValueOptions:
    """The options of a field on a page."""

    page: Page
    field: ThingField
    candidates: Candidates
    likely: npt.NDArray[np.float64]
    said: Sequence[SaidValue]
    held: Sequence[StateValue]

    @cached_property
    def all(self) -> list[ValueOption]:
        """Every value that is said or held, or seen and likely."""
        found: dict[Any, ValueOption] = {}
        for order, one in enumerate(self.said):
            if option := self._option(found, clean(one.text), said=True):
                option.said.append((order, one))
        for each in self.held:
            if option := self._option(found, clean(each.text), said=True):
                option.held.append(each)
        if self.field.name == "sku":
            for code in ADDRESS_CODE.findall(self._path):
                self._option(found, code, said=True)
        self._add_seen(found)
        return list(found.values())

    def _add_seen(self, found: dict[Any, ValueOption]) -> None:
        """Add what is seen and likely, and to every option the places where it is seen."""
        for rank, row in enumerate(np.argsort(-self.likely, kind="stable")[:MOST_SEEN].tolist()):
            if self.likely[row] > 0 and (option := self._seen_option(found, row)):
                option.ranks.append(rank)
        for row in np.flatnonzero(self.likely > 0).tolist():
            if option := found.get(self._key_of(row)):
                option.seen.append(row)

    def _option(self, found: dict[Any, ValueOption], text: str, *, said: bool) -> ValueOption | None:
        if self.field.name == "brand" and not LETTER.search(text):
            return None
        value = typed(text, self.field.type, language=self.page.language, base=self.page.address, said=said)
        if not text or (self.field.type in TYPED and (value is None or (self.field.type == "money" and value == 0))):
            return None
        return found.setdefault(_key(text, value), ValueOption(text, value))

    def _seen_option(self, found: dict[Any, ValueOption], row: int) -> ValueOption | None:
        key = self._key_of(row)
        if key is None:
            return None
        one = self.candidates.all[row]
        return found.setdefault(key, ValueOption(one.text, self._value_of(row)))

    def _value_of(self, row: int) -> Typed | None:
        one = self.candidates.all[row]
        if one.value is not None and self.field.type in NUMERIC | {"day"}:
            value: Typed = one.value[0] if isinstance(one.value, tuple) else one.value
            return value
        return typed(one.text, self.field.type, language=self.page.language, base=self.page.address)

    def _key_of(self, row: int) -> Any:
        value = self._value_of(row)
        if self.field.type in TYPED and value is None:
            return None
        return _key(self.candidates.all[row].text, value)

    # ------------------------------------------------------------------ measures

    def measures(self) -> npt.NDArray[np.float32]:
        """A row for each option, in the order of `OPTION_MEASURES`."""
        rows = [self._row(one) for one in self.all]
        return np.array(rows, dtype=np.float32).reshape(-1, len(OPTION_MEASURES))

    def _row(self, one: ValueOption) -> list[float]:
        first = dict.fromkeys(SYNTAXES, NOT_SEEN)
        for order, said in one.said:
            first[said.syntax] = min(first[said.syntax], order)
        keys = [each.key for each in one.held]
        above = [each.above for each in one.held]
        concept = f"#{self.field.name}"
        looks = max((float(self.likely[row]) for row in one.seen), default=0.0)
        plain = plain_words(one.text)
        others = [plain_words(clean(said.text)) for said in self.said]
        others = [other for other in others if other != plain]
        return [
            *(float(first[name] < NOT_SEEN) for name in SYNTAXES),
            float(min(first.values())),
            float(bool(one.said)),
            float(bool(self.said) and not one.said),
            float(np.log1p(len(one.held))),
            float(any(concept in key for key in keys)),
            float(any("#now" in key for key in keys)),
            float(bool(keys) and all(key & OLD for key in keys)),
            float(any("#number" in key for key in keys)),
            float(any("#product" in over for over in above)),
            float(bool(above) and all(over & APART for over in above)),
            float(np.log1p(min((each.alike for each in one.held), default=0))),
            float(min((len(each.path) for each in one.held), default=0)),
            looks,
            float(min(one.ranks, default=NOT_SEEN)),
            float(bool(one.seen)),
            self._best,
            float(bool(plain) and plain in self._title),
            float(len(one.text) > 3 and one.text.casefold() in self._address),
            float(len(plain) > 3 and plain.replace(" ", "") in self._host),
            float(np.log1p(len(one.text))),
            sum(map(str.isdigit, one.text)) / max(1, len(one.text)),
            float(_decimals(one.value)),
            float(bool(plain) and any(plain in other for other in others)),
            float(bool(plain) and any(other and other in plain for other in others)),
            float(bool(one.said) + bool(one.held) + bool(one.seen)),
            float(np.log1p(len(self.all))),
            len(one.held) / max(1, self._most_held),
            *self._beside(one),
        ]

    def _beside(self, one: ValueOption) -> tuple[float, float, float, float]:
        """How much more and less the other likely amounts are, near it and anywhere, in logarithms; 0 without one."""
        own = float(one.value) if isinstance(one.value, Decimal) and self.field.type == "money" else 0.0
        values, blocks = self._rivals
        if own <= 0 or not len(values):
            return (0.0, 0.0, 0.0, 0.0)
        ratio = np.log(values / own)
        rows = [row for row in one.seen if self.likely[row] >= RIVAL * self._best]
        near = np.zeros(len(values), dtype=bool)
        for row in rows:
            near |= np.abs(blocks - self.candidates.block[row]) <= BESIDE
        limit = np.log(MOST_TIMES)
        found = [
            float(chosen[sign * chosen > SAME_AMOUNT][sign * chosen[sign * chosen > SAME_AMOUNT] < limit].size > 0)
            for chosen in (ratio[near], ratio)
            for sign in (1, -1)
        ]
        return (found[0], found[1], found[2], found[3])

    @cached_property
    def _rivals(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]:
        """The amounts of all likely candidates, and their blocks."""
        if self.field.type != "money" or not len(self.likely):
            return np.zeros(0), np.zeros(0, dtype=np.int32)
        rows = [row for row in np.flatnonzero(self.likely >= RIVAL * self._best).tolist() if self._best > 0]
        amounts = [self._value_of(row) for row in rows]
        kept = [
            (float(value), row)
            for value, row in zip(amounts, rows, strict=True)
            if isinstance(value, Decimal) and value > 0
        ]
        return np.array([value for value, _ in kept]), self.candidates.block[[row for _, row in kept]]

    @cached_property
    def _best(self) -> float:
        return float(self.likely.max()) if len(self.likely) else 0.0

    @cached_property
    def _most_held(self) -> int:
        return max((len(one.held) for one in self.all), default=0)

    @cached_property
    def _title(self) -> str:
        return plain_words(self.page.title)

    @cached_property
    def _address(self) -> str:
        return self.page.address.casefold()

    @cached_property
    def _path(self) -> str:
        """What of the address tells one page of a site from the others."""
        told = urlsplit(self.page.address)
        return f"{told.path}?{told.query}"

    @cached_property
    def _host(self) -> str:
        return (urlsplit(self.page.address).hostname or "").casefold()


def _decimals(value: Typed | None) -> int:
    return -value.as_tuple().exponent if hasattr(value, "as_tuple") else 0  # type: ignore[union-attr, operator]


def _key(text: str, value: Typed | None) -> Any:
    """What makes two values the same: what they mean, or else their words."""
    return plain_words(text) if value is None else value
