"""The fields of a thing: what the page says of each, what is seen, and where both do not agree."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sightline.data import Content, ThingDoubt, ThingValue, Typed, Value, origin_of
from sightline.extract.about._candidates import NUMBER_OF, Candidates, ValueCandidate
from sightline.extract.about._groups import best_group
from sightline.extract.about._kinds import ThingField, ThingKind
from sightline.extract.about._said import SaidThing, SaidValue, said_values, thing_of_kind
from sightline.extract.about._stock import stock_seen
from sightline.extract.about._typed import GONE, ISO_DAY, clean, has_check_digit, lines, typed
from sightline.extract.content import find_content
from sightline.page import Page
from sightline.page.own_data import read_descriptions

# The least chance by which a candidate is taken where the page says nothing of a field.
LEAST_ANYWHERE = 0.5
# The least chance by which what is seen speaks against what is said. Out of fold, with 0.5 for prices 0.84 of those
# that were planted are caught (0.38 with 0.9) and none is false; with 0.8 for days 0.32 are, and 1.5 % of the pages
# are doubted without one (0.40 and 3 % with 0.6).
SURE: Mapping[str, float] = {"price": 0.5, "datePublished": 0.8}
GROUPED = frozenset(("recipeIngredient", "recipeInstructions"))
OF_CONTENT = frozenset(("name", "author"))
MOST_SAID = 400
LONGEST_DAY = 40  # characters


@dataclass(eq=False)
class FieldReader:
    """Reads the fields of a kind from a page."""

    page: Page
    candidates: Candidates
    likely: Mapping[str, npt.NDArray[np.float64]]
    kind: ThingKind
    said: Sequence[SaidThing]

    def read(self) -> tuple[dict[str, tuple[ThingValue, ...]], list[ThingDoubt]]:
        """The values of all fields that have one, and the doubts."""
        fields: dict[str, tuple[ThingValue, ...]] = {}
        doubts: list[ThingDoubt] = []
        thing = thing_of_kind(self.said, self.kind)
        for one in self.kind.fields:
            told = said_values(self.page, thing, one)
            values, own_doubts = self._field(one, told)
            if values:
                fields[one.name] = values
            doubts += own_doubts
        return fields, doubts

    def _field(self, one: ThingField, told: Sequence[SaidValue]) -> tuple[tuple[ThingValue, ...], list[ThingDoubt]]:
        if one.type == "body":
            return self._body(), []
        if self.kind.name == "article" and one.name in OF_CONTENT and (values := self._of_content(one)):
            return values, []
        if one.type == "availability":
            return self._availability(one, told)
        if one.type == "currency" and not told:
            return self._currency(), []
        values = self._told(one, told)
        if one.name in GROUPED:
            return (values or self._group(one), [])
        seen = self._seen(one)
        if not values:
            return ((seen[0],) if seen and seen[1] >= LEAST_ANYWHERE else ()), []
        return values, list(self._doubts(one, values, seen))

    # ------------------------------------------------------------------ what is said

    def _told(self, one: ThingField, told: Sequence[SaidValue]) -> tuple[ThingValue, ...]:
        found: dict[Any, ThingValue] = {}
        for each in told[:MOST_SAID]:
            texts = lines(each.text) if one.type == "texts" else [clean(each.text)]
            for text in texts:
                value = typed(text, one.type, language=self.page.language, base=self.page.address, said=True)
                if not text or (
                    value is None and one.type in ("money", "currency", "availability", "day", "span", "rating")
                ):
                    continue
                key = text if value is None else value
                if key not in found:
                    found[key] = ThingValue(self._located(one, text, value), _where(each))
        values = tuple(found.values())
        return values if one.many else values[:1]

    def _located(self, one: ThingField, text: str, value: Typed | None) -> Value:
        """A value that is said, with the place where it is seen, if it is."""
        places = self._by_text.get(_plain(text), [])
        if value is not None:
            places = [*places, *self._by_value.get(_comparable(value), [])]
        if not places:
            return Value(text, value)
        likely = self.likely.get(one.name)
        best = max(places, key=lambda place: likely[place]) if likely is not None else places[0]
        return Value(text, value, origin_of(self.page, self.candidates.all[best].nodes))

    @cached_property
    def _by_text(self) -> dict[str, list[int]]:
        found = defaultdict(list)
        for place, one in enumerate(self.candidates.all):
            found[_plain(one.text)].append(place)
        return found

    @cached_property
    def _by_value(self) -> dict[Any, list[int]]:
        found = defaultdict(list)
        for place, one in enumerate(self.candidates.all):
            if one.value is not None:
                found[_comparable(one.value[0] if isinstance(one.value, tuple) else one.value)].append(place)
        return found

    # ------------------------------------------------------------------ what is seen

    def _seen(self, one: ThingField) -> tuple[ThingValue, float] | None:
        """The likeliest candidate, and how likely it is."""
        likely = self.likely.get(one.name)
        if likely is None or not len(likely):
            return None
        best = int(likely.argmax())
        return ThingValue(self._value(one, self.candidates.all[best], float(likely[best]))), float(likely[best])

    def _value(self, one: ThingField, seen: ValueCandidate, chance: float | None = None) -> Value:
        value = typed(seen.text, one.type, language=self.page.language, base=self.page.address)
        if seen.value is not None and one.type in ("money", "day", "number", "rating"):
            value = seen.value[0] if isinstance(seen.value, tuple) else seen.value
        return Value(seen.text, value, origin_of(self.page, seen.nodes), chance)

    def _group(self, one: ThingField) -> tuple[ThingValue, ...]:
        rows = best_group(self.candidates, self.likely[one.name]) if len(self.candidates) else []
        return tuple(
            ThingValue(self._value(one, self.candidates.all[row], float(self.likely[one.name][row]))) for row in rows
        )

    @cached_property
    def _content(self) -> Content:
        """The main text, with its title and its authors."""
        return find_content(self.page)

    def _body(self) -> tuple[ThingValue, ...]:
        """The main text as one value."""
        found = self._content
        if not len(found):
            return ()
        return (ThingValue(Value(found.text, None, origin_of(self.page, found.nodes) if found.nodes else None)),)

    def _of_content(self, one: ThingField) -> tuple[ThingValue, ...]:
        """The title and the authors of an article, which the search for the main text tells better."""
        title, authors = self._content.title, self._content.authors
        values = ((title,) if title else ()) if one.name == "name" else authors
        return tuple(ThingValue(value, self._said_where(one, value.text)) for value in values)

    def _said_where(self, one: ThingField, text: str) -> str | None:
        """Where the page says a text, if it does."""
        told = said_values(self.page, thing_of_kind(self.said, self.kind), one)
        return next((_where(each) for each in told if _plain(clean(each.text)) == _plain(text)), None)

    def _currency(self) -> tuple[ThingValue, ...]:
        """The currency beside the price that is seen."""
        likely, money = self.likely["price"], NUMBER_OF["money"]
        places = [place for place in np.argsort(-likely)[:3].tolist() if likely[place] >= LEAST_ANYWHERE]
        best = next((place for place in places if self.candidates.kind[place] == money), None)
        if best is None:
            return ()
        seen = self.candidates.all[best]
        return (ThingValue(Value(seen.value[1], seen.value[1], origin_of(self.page, seen.nodes))),)

    def _availability(
        self, one: ThingField, told: Sequence[SaidValue]
    ) -> tuple[tuple[ThingValue, ...], list[ThingDoubt]]:
        values = self._told(one, told)
        seen = stock_seen(self.candidates, self.likely)
        if seen is None:
            return values, []
        state, row, chance = seen
        place = Value(state, state, origin_of(self.page, self.candidates.all[row].nodes), chance)
        if not values:
            return (ThingValue(place),), []
        said = str(values[0].value.value)
        if (said in GONE) == (state in GONE):
            return (ThingValue(Value(said, said, place.origin), values[0].said),), []
        shown = self.candidates.all[row].text
        reason = f"The page says {said} for machines but shows “{shown[:60]}”; check which holds."
        return values, [ThingDoubt(one.name, reason, said, shown, place.origin)]

    # ------------------------------------------------------------------ where both do not agree

    def _doubts(
        self, one: ThingField, values: Sequence[ThingValue], seen: tuple[ThingValue, float] | None
    ) -> Iterator[ThingDoubt]:
        value = values[0].value
        if one.type == "gtin" and value.value and not has_check_digit(str(value.value)):
            yield ThingDoubt(one.name, f"{value.text} has a wrong check digit; check it on the page.", value.text)
        if one.name in SURE and value.origin is None and seen and seen[1] >= SURE[one.name]:
            shown = seen[0].value
            if shown.value is not None and not self._is_said(shown.value, value.value):
                reason = f"The page says {value.text} for machines but shows {shown.text}; check which holds."
                yield ThingDoubt(one.name, reason, value.text, shown.text, shown.origin)

    def _is_said(self, shown: Typed, said: Typed | None) -> bool:
        """Whether the page says elsewhere what it shows: the day of a change, or the price of another offer."""
        if isinstance(shown, date):
            is_next = isinstance(said, date) and abs(shown.toordinal() - said.toordinal()) <= 1  # as zones of time go
            return is_next or shown in self._said_days
        return _comparable(shown) in self._said_amounts

    @cached_property
    def _said_days(self) -> frozenset[Typed | None]:
        values = read_descriptions(self.page).values()
        texts = (value.value for value in values if isinstance(value.value, str) and len(value.value) <= LONGEST_DAY)
        return frozenset(typed(text, "day") for text in texts if ISO_DAY.match(text))

    @cached_property
    def _said_amounts(self) -> frozenset[Any]:
        values = read_descriptions(self.page).values()
        prices = (one for one in values if any("price" in str(step).casefold() for step in one.path))
        amounts = (typed(str(one.value), "money", said=True) for one in prices)
        return frozenset(_comparable(amount) for amount in amounts if amount is not None)


def _where(said: SaidValue) -> str:
    """Where something is said: the syntax, the number of the document from 1, and the path in it."""
    return f"{said.syntax} {said.document + 1}: {'.'.join(map(str, said.path))}"


def _plain(text: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in text.casefold()).split())


def _comparable(value: Any) -> Any:
    return value.normalize() if hasattr(value, "normalize") else value
