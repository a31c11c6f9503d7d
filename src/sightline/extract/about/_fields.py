"""The fields of a thing: what the page says of each, what is seen, and where both do not agree."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sightline.data import Content, Origin, ThingDoubt, ThingValue, Typed, Value, origin_of
from sightline.extract.about._candidates import NUMBER_OF, Candidates, ValueCandidate
from sightline.extract.about._groups import best_group
from sightline.extract.about._kinds import ThingField, ThingKind
from sightline.extract.about._measures import main_heading
from sightline.extract.about._options import WEIGHED, ValueOption, ValueOptions
from sightline.extract.about._said import SaidThing, SaidValue, said_values, thing_of_kind
from sightline.extract.about._state_values import StateValue, state_values
from sightline.extract.about._stock import EVEN, stock_seen
from sightline.extract.about._typed import GONE, ISO_DAY, clean, has_check_digit, lines, plain_words, typed
from sightline.extract.about._weighing import weighers
from sightline.extract.content import find_content
from sightline.page import OwnPath, Page
from sightline.page.own_data import read_descriptions

# The least chance by which a candidate is taken where the page says nothing of a field.
LEAST_ANYWHERE = 0.5
# The least chance by which what is seen speaks against what is said. Out of fold, with 0.9 for days 0.80 of 218 that
# were planted are caught, and 2.6 % of 307 pages with a day are doubted without one, some of them rightly (0.83 and
# 4.2 % with 0.8, 0.72 and 1.6 % with 0.95); with 0.5 for prices 0.86 are, and none is false.
SURE: Mapping[str, float] = {"price": 0.5, "datePublished": 0.9}
# The chances by what is seen from which availability speaks against what is said.
SURELY_THERE, SURELY_GONE = 0.8, 0.3
SOLD = frozenset(("product", "book", "event"))  # kinds whose pages show in the same ways whether they can be had
GROUPED = frozenset(("recipeIngredient", "recipeInstructions"))
PUBLISHING = re.compile(r"publish|pubdate|created|upload|issued", re.IGNORECASE)
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
        if self._is_of_content(one, told) and (values := self._of_content(one)):
            return values, []
        if one.type == "availability":
            return self._availability(one, told)
        if one.type == "currency" and not told:
            return self._currency(), []
        if one.name in WEIGHED:
            return self._weighed(one, told)
        values = self._told(one, told)
        if one.name in GROUPED:
            return (values or self._group(one), [])
        seen = self._seen(one) if not values or one.name in SURE else None
        if not values:
            return ((seen[0],) if seen and seen[1] >= LEAST_ANYWHERE else ()), []
        return values, list(self._doubts(one, values, seen))

    def _is_of_content(self, one: ThingField, told: Sequence[SaidValue]) -> bool:
        """Whether the search for the main text tells a field best: authors of articles, and titles that are said."""
        return self.kind.name == "article" and (one.name == "author" or (one.name == "name" and bool(told)))

    # ------------------------------------------------------------------ what is weighed

    def _weighed(self, one: ThingField, told: Sequence[SaidValue]) -> tuple[tuple[ThingValue, ...], list[ThingDoubt]]:
        """The likeliest of all values that are said, held by programs, or seen."""
        if one.name == "name" and (value := self._said_in_heading(told)):
            return (value,), []
        likely = self.likely.get(one.name, np.zeros(len(self.candidates)))
        options = ValueOptions(self.page, one, self.candidates, likely, told, self._held.get(one.name, ()))
        chances, weigher = weighers()[one.name].likely(options), weighers()[one.name]
        if not len(chances) or chances.max() < weigher.least:
            return (), []
        best = options.all[int(chances.argmax())]
        value = self._of_option(best, likely, float(chances.max()))
        return (value,), list(self._rivals(one, options, best))

    def _said_in_heading(self, told: Sequence[SaidValue]) -> ThingValue | None:
        """A name that is said first and stands in the main heading: nothing more likely can be found."""
        row = main_heading(self.page) if told else None
        if row is None:
            return None
        text, blocks = clean(told[0].text), self.candidates.blocks
        if not plain_words(text) or plain_words(text) != plain_words(blocks.texts[row]):
            return None
        origin = origin_of(self.page, blocks.nodes[blocks.first[row] : blocks.first[row + 1]].tolist())
        return ThingValue(Value(text, None, origin), _where(told[0]))

    def _of_option(self, option: ValueOption, likely: npt.NDArray[np.float64], chance: float) -> ThingValue:
        """A weighed value with where it is seen, and where the page says it or a program holds it."""
        origin = None
        if option.seen:
            row = max(option.seen, key=lambda row: float(likely[row]))
            origin = origin_of(self.page, self.candidates.all[row].nodes)
        where = None
        if option.said:
            where = _where(option.said[0][1])
        elif option.held:
            where = _where_held(self.page, option.held[0])
        elif origin is None:
            where = "address"
        return ThingValue(Value(option.text, option.value, origin, chance), where)

    def _rivals(self, one: ThingField, options: ValueOptions, best: ValueOption) -> Iterator[ThingDoubt]:
        """The doubts of a value that is said otherwise, or that is said while another one is shown."""
        described = (each for each in options.all if any(said.syntax != "meta" for _, said in each.said))
        said = next(described, None)
        if (
            said is not None and not best.said and not _is_shorter_form(best.text, said.text)
        ):  # what is said of the thing is never replaced in silence
            if best.seen:
                yield ThingDoubt.of_difference(one.name, said.text, best.text, self._origin(best))
            else:
                reason = f"The page says {said.text} for machines but its programs hold {best.text}; check which holds."
                yield ThingDoubt(one.name, reason, said.text)
            return
        if one.name not in SURE:
            return
        first = next((each for each in options.all if any(order == 0 for order, _ in each.said)), None)
        if first is not None and first is not best:
            yield ThingDoubt.of_difference(one.name, first.text, best.text, self._origin(best))
            return
        likely = options.likely
        if best.said and not best.seen and len(likely) and likely.max() >= SURE[one.name]:
            rival = next((each for each in options.all if int(likely.argmax()) in each.seen), None)
            if (
                rival is not None
                and rival.value is not None
                and not rival.said
                and not self._is_said(rival.value, best.value)
            ):
                yield ThingDoubt.of_difference(one.name, best.text, rival.text, self._origin(rival))

    def _origin(self, option: ValueOption | None) -> Origin | None:
        if option is None or not option.seen:
            return None
        return origin_of(self.page, self.candidates.all[option.seen[0]].nodes)

    @cached_property
    def _held(self) -> Mapping[str, Sequence[StateValue]]:
        """What the programs of the page hold of a product."""
        return state_values(self.page) if self.kind.name == "product" else {}

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
        places = self._by_text.get(plain_words(text), [])
        if value is not None:
            places = [*places, *self._by_value.get(_comparable(value), [])]
        if not places:
            return Value(text, value)
        best = places[0]
        if one.name in SURE and len(places) > 1:
            likely = self.likely[one.name]
            best = max(places, key=lambda place: float(likely[place]))
        return Value(text, value, origin_of(self.page, self.candidates.all[best].nodes))

    @cached_property
    def _by_text(self) -> dict[str, list[int]]:
        found = defaultdict(list)
        for place, one in enumerate(self.candidates.all):
            found[plain_words(one.text)].append(place)
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
        return next((_where(each) for each in told if plain_words(clean(each.text)) == plain_words(text)), None)

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
        said = str(values[0].value.value) if values else None
        seen = stock_seen(self.candidates, self.likely, said) if self.kind.name in SOLD else None
        if seen is None:
            return values, []
        is_there = seen.chance >= EVEN
        origin = origin_of(self.page, seen.nodes) if seen.nodes else None
        state = "InStock" if is_there else "OutOfStock"
        found = ThingValue(Value(state, state, origin, max(seen.chance, 1 - seen.chance)))
        if said is None:
            return (found,), []
        is_said, least = said not in GONE, seen.seen_chance
        if is_said == is_there:
            found = ThingValue(Value(said, said, origin), values[0].said)
        if is_said != is_there or (least < SURELY_GONE if is_said else least > SURELY_THERE):
            return (found,), [ThingDoubt.of_difference(one.name, said, seen.text, origin, in_words=True)]
        return (found,), []

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
                yield ThingDoubt.of_difference(one.name, value.text, shown.text, shown.origin)

    def _is_said(self, shown: Typed, said: Typed | None) -> bool:
        """Whether the page says elsewhere what it shows: the day of a change, or the price of another offer."""
        if isinstance(shown, date):
            is_next = isinstance(said, date) and abs(shown.toordinal() - said.toordinal()) <= 1  # as zones of time go
            return is_next or shown in self._said_days
        return _comparable(shown) in self._said_amounts

    @cached_property
    def _said_days(self) -> frozenset[Typed | None]:
        """The days that the page says for something else, such as a change; pages show these alone, too."""
        values = read_descriptions(self.page).values()
        others = (one for one in values if isinstance(one.value, str) and not _is_publishing(one.path))
        texts = (str(one.value) for one in others if len(str(one.value)) <= LONGEST_DAY)
        return frozenset(typed(text, "day") for text in texts if ISO_DAY.match(text))

    @cached_property
    def _said_amounts(self) -> frozenset[Any]:
        values = read_descriptions(self.page).values()
        prices = (one for one in values if any("price" in str(step).casefold() for step in one.path))
        amounts = (typed(str(one.value), "money", said=True) for one in prices)
        return frozenset(_comparable(amount) for amount in amounts if amount is not None)


def _is_shorter_form(text: str, said: str) -> bool:
    """Whether a text is but a part of what is said, as headings say names without the place or the shop."""
    return f" {plain_words(text)} " in f" {plain_words(said)} "


def _is_publishing(path: OwnPath) -> bool:
    """Whether a path leads to the day on which something was published."""
    key = next((step for step in reversed(path) if isinstance(step, str)), "")
    return bool(PUBLISHING.search(key))


def _where_held(page: Page, held: StateValue) -> str:
    """Where a program holds something: the name of its state, and the path in it."""
    name = page.own_data.documents[held.document].name or f"{held.document + 1}"
    return f"state {name}: {'.'.join(map(str, held.path))}"


def _where(said: SaidValue) -> str:
    """Where something is said: the syntax, the number of the document from 1, and the path in it."""
    return f"{said.syntax} {said.document + 1}: {'.'.join(map(str, said.path))}"


def _comparable(value: Any) -> Any:
    return value.normalize() if hasattr(value, "normalize") else value
