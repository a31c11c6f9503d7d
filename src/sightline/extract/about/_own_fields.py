"""Fields of one's own: for each that is asked for the likeliest text of the page, typed, with what speaks against it.

1. `ground`: the candidates of the page, the words around each, and what the page says of itself;
2. `likely`: how likely each candidate is the value, by trees that never saw the name of the field;
3. of one value the likeliest; of several the likeliest run of candidates that hang alike below the same labels, or the
   list that the page says of itself;
4. what was not found has no value, and what is near it is proposed.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from urllib.parse import urljoin

import numpy as np
import numpy.typing as npt

from sightline.data import ColumnType, ThingDoubt, ThingProposal, ThingValue, Typed, Value, infer, origin_of
from sightline.extract.about._asked import AskedField
from sightline.extract.about._candidates import candidates_of
from sightline.extract.about._context import context_of
from sightline.extract.about._kinds import FieldType
from sightline.extract.about._measures import looks_of
from sightline.extract.about._mentions import mentions_in
from sightline.extract.about._own_ground import FORMS, SAID, OwnGround, ground_of, letters_of
from sightline.extract.about._own_measures import is_heading, said_fit
from sightline.extract.about._own_model import likely_own
from sightline.extract.about._typed import typed
from sightline.page import Page

# The least chance by which a candidate is taken, and of one that has the form of its type (an amount, an address on the
# web). Out of fold four of five fields that pages do not have are below 0.1, from which on nothing is doubtful. The
# first was chosen with earlier trees: their mean F1 was 0.750 by it (0.752 with 0.01, 0.747 with 0.05).
LEAST, LEAST_FORMED, SURE = 0.03, 0.01, 0.1
LEAST_HEADING = 0.2  # of the heading, where no name is asked for
MOST_PROPOSED = 3
MOST_VALUES = 200
# Of a field with several values, chosen out of fold: how many of the likeliest candidates runs are tried from, and how
# likely beside the likeliest they must be; the same of the others in a run, after it and before it.
MOST_RUNS, LEAST_START, LEAST_AFTER, LEAST_BEFORE = 15, 0.3, 0.1, 0.5
WIDEST_GAP = 2  # blocks between two values of a run
NAMED = 0.8  # of the words that are asked, for a list that the page says to be the one that is meant
SAME_NAME = 0.99


@dataclass(frozen=True)
class OwnFields:
    """What was found of the fields that were asked for, in their order."""

    fields: dict[str, tuple[ThingValue, ...]]
    doubts: tuple[ThingDoubt, ...]
    proposals: dict[str, tuple[ThingProposal, ...]]


def read_own_fields(page: Page, asked: Sequence[AskedField]) -> OwnFields:
    """The fields that are asked for.

    >>> from sightline.testing import list_page
    >>> found = read_own_fields(list_page(["Frame size: 58 cm", "Colour: red"]), [AskedField("frame size")])
    >>> found.fields["frame size"][0].value.text
    '58 cm'
    """
    candidates = candidates_of(page)
    ground = ground_of(page, candidates, context_of(candidates), looks_of(candidates))
    fields: dict[str, tuple[ThingValue, ...]] = {}
    doubts: list[ThingDoubt] = []
    proposals: dict[str, tuple[ThingProposal, ...]] = {}
    for one in asked:
        reader = _Reader(page, ground, one, likely_own(one, ground))
        fields[one.name] = values = reader.values()
        own = list(reader.doubts(values))
        doubts += own
        if own or not values:
            proposals[one.name] = reader.proposals()
    return OwnFields(fields, tuple(doubts), proposals)


def chosen_rows(asked: AskedField, ground: OwnGround, likely: npt.NDArray[np.float64]) -> list[int]:
    """The candidates that are taken as the values of a field."""
    least = LEAST_FORMED if asked.likely_type in FORMS else LEAST
    likely = np.where(is_heading(asked, ground) & (likely < LEAST_HEADING), 0, likely)
    if not len(likely) or likely.max() < least:
        return []
    return _several(asked, ground, likely) if asked.many else [int(likely.argmax())]


def _several(asked: AskedField, ground: OwnGround, likely: npt.NDArray[np.float64]) -> list[int]:
    """Of all runs and lists the one that most speaks for: the sum of the chances by the root of how many there are."""
    starts = np.argsort(-likely, kind="stable")[:MOST_RUNS]
    starts = starts[likely[starts] >= LEAST_START * likely.max()]
    runs = [*_lists(asked, ground, likely), *(_run(ground, likely, start) for start in starts.tolist())]
    best = max(runs, key=lambda run: float(likely[run].sum()) / len(run) ** 0.5)
    distinct: dict[str, int] = {}
    for row in best:
        distinct.setdefault(letters_of(ground.rows[row].text), row)
    return list(distinct.values())[:MOST_VALUES]


def _run(ground: OwnGround, likely: npt.NDArray[np.float64], start: int) -> list[int]:
    """A candidate with those next to it that hang in the same way below the same labels."""
    least = likely[start]
    alike = np.flatnonzero((ground.alike == ground.alike[start]) & (likely >= LEAST_AFTER * least)).tolist()
    low = high = alike.index(start)
    block = [ground.rows[row].block for row in alike]
    while high + 1 < len(alike) and block[high + 1] - block[high] <= WIDEST_GAP:
        high += 1
    while low and block[low] - block[low - 1] <= WIDEST_GAP and likely[alike[low - 1]] >= LEAST_BEFORE * least:
        low -= 1
    return alike[low : high + 1]


def _lists(asked: AskedField, ground: OwnGround, likely: npt.NDArray[np.float64]) -> Iterator[list[int]]:
    """What the page says of itself under properties of that name, each list as the candidates that show it."""
    rows: dict[int, int] = {}
    for row, number in ground.said_by.T.tolist():
        if number not in rows or likely[row] > likely[rows[number]]:
            rows[number] = row
    lists: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for number in np.flatnonzero(said_fit(asked, ground)[0] >= NAMED).tolist():
        lists[ground.said[number].group].append(rows[number])
    yield from lists.values()


def texts_of(ground: OwnGround, rows: Sequence[int]) -> list[str]:
    """The texts of some candidates."""
    return [ground.rows[row].text for row in rows]


@dataclass(eq=False)
class _Reader:
    """One field on one page."""

    page: Page
    ground: OwnGround
    asked: AskedField
    likely: npt.NDArray[np.float64]

    def values(self) -> tuple[ThingValue, ...]:
        """The values of the field."""
        return tuple(
            ThingValue(self._value(row), self._where(row)) for row in chosen_rows(self.asked, self.ground, self.likely)
        )

    def _value(self, row: int) -> Value:
        one = self.ground.rows[row]
        origin = origin_of(self.page, one.nodes) if one.nodes else None
        return Value(one.text, self._typed(row), origin, float(self.likely[row]))

    def _where(self, row: int) -> str | None:
        """Where the page says it, under the property whose name fits best."""
        numbers = self.ground.said_by[1][self.ground.said_by[0] == row]
        if not len(numbers):
            return None
        found, told = said_fit(self.asked, self.ground)
        return self.ground.said[int(numbers[(found * told)[numbers].argmax()])].where

    # ------------------------------------------------------------------ types

    def _typed(self, row: int) -> Typed | None:
        """What a text says under the type that is asked for, by the rules of columns; None where it does not fit."""
        text, type = self.ground.rows[row].text, self.asked.type
        is_said = self.ground.kind[row] == SAID
        if type == "span":
            return typed(text, "span", language=self.page.language)
        if type == "url":
            return ColumnType(kind="url").parse(self._address(row))
        if type == "email":
            return ColumnType(kind="email").parse(text)
        if type in ("money", "number"):
            return self._number(text, type, is_said=is_said)
        if type == "date":
            return self._day(text)
        return None

    def _number(self, text: str, kind: str, *, is_said: bool) -> Typed | None:
        if is_said and isinstance(value := typed(text, "number", said=True), Decimal):
            return value
        column = infer([text], language=self.page.language)
        if column.kind in ("money", "number", "measure"):
            return column.parse(text)
        return next((one.value for one in mentions_in(text, self.page.language) if one.kind == kind), None)

    def _day(self, text: str) -> Typed | None:
        column = infer([text], language=self.page.language)
        value = column.parse(text) if column.kind == "date" else None
        return value if isinstance(value, date) else typed(text, "day", language=self.page.language)

    def _address(self, row: int) -> str:
        """Where a link leads to; of a text without one, the text."""
        node = self.ground.rows[row].holder
        while node > 0 and self.page.node(node).tag != "a":
            node = int(self.page.parent[node])
        href = self.page.node(node).attributes.get("href", "") if node > 0 else ""
        return urljoin(self.page.address, href.strip()) if href else self.ground.rows[row].text

    # ------------------------------------------------------------------ doubts and proposals

    def doubts(self, values: Sequence[ThingValue]) -> Iterator[ThingDoubt]:
        """What speaks against the values, or against there being none."""
        name = self.asked.name
        if not values:
            if self.asked.required:
                yield ThingDoubt(name, "It is required, and nothing on the page looks like it; check the proposals.")
            return
        value = values[0].value
        seen = None if value.origin is None else value.text
        chance = max(one.value.confidence or 0.0 for one in values)
        if chance < SURE:
            reason = f"Nothing on the page is called so; “{value.text[:60]}” is only the nearest. Check the proposals."
            yield ThingDoubt(name, reason, values[0].said and value.text, seen, value.origin)
        if self.asked.type in TYPED and (bad := next((one.value for one in values if one.value.value is None), None)):
            reason = f"“{bad.text[:60]}” cannot be read as {self.asked.type}; check it, or ask for the field as text."
            yield ThingDoubt(name, reason, None, bad.text, bad.origin)
        yield from self._contradiction(values[0])

    def _contradiction(self, one: ThingValue) -> Iterator[ThingDoubt]:
        """What the page says for machines under the very name, where that is another amount or day than it shows."""
        value = one.value
        if self.asked.type not in ("money", "number", "date") or value.value is None or value.origin is None:
            return
        found, told = said_fit(self.asked, self.ground)
        texts = [self.ground.said[number].text for number in np.flatnonzero(found * told >= SAME_NAME).tolist()]
        kind: FieldType = "day" if self.asked.type == "date" else "number"
        said = {text: typed(text, kind, language=self.page.language, said=True) for text in texts}
        others = [text for text, meant in said.items() if meant is not None]
        if others and all(_plain(said[text]) != _plain(value.value) for text in others):
            yield ThingDoubt.of_difference(self.asked.name, others[0], value.text, value.origin)

    def proposals(self) -> tuple[ThingProposal, ...]:
        """The nearest candidates, each text once."""
        nearest: dict[str, ThingProposal] = {}
        for row in np.argsort(-self.likely, kind="stable").tolist():
            if len(nearest) == MOST_PROPOSED or not self.likely[row]:
                break
            key = letters_of(self.ground.rows[row].text)
            if key and key not in nearest:
                nearest[key] = ThingProposal(self._value(row), self._where(row))
        return tuple(nearest.values())


TYPED = frozenset(("money", "number", "date", "span", "url", "email"))


def _plain(value: Typed | None) -> object:
    """A value as it is compared: an amount as a decimal, a moment as its day."""
    if isinstance(value, int | float | Decimal):
        return Decimal(str(value)).normalize()
    return value.isoformat()[:10] if isinstance(value, date) else value
