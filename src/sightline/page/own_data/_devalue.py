"""Data that is written flat, as Nuxt does: a list of values, in which objects hold the places of their values.

The format is that of https://github.com/sveltejs/devalue, with the names that Nuxt has for reactive values.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sightline.page.own_data._limits import DEEPEST, OwnBudget

MOST_REVIVED = 100_000  # values; what is shared in the list is written out, which may multiply it
WRAPPERS = frozenset(("Ref", "Reactive", "ShallowRef", "ShallowReactive", "EmptyRef", "EmptyShallowRef", "Object"))
PLAIN = frozenset(("Date", "BigInt", "URL", "NuxtError", "RegExp"))


@dataclass(frozen=True)
class FlatPart:
    """A container that is filled, by what it is made of and what it is within."""

    made: Any
    places: list[tuple[Any, Any]]
    around: tuple[int, ...]


def revived(flat: Any, budget: OwnBudget, what: str) -> Any:
    """The data that a flat list means; None where it is no such list.

    >>> revived([["Reactive", 1], {"name": 2, "tags": 3}, "Bees", [2, 2]], OwnBudget(), "It")
    {'name': 'Bees', 'tags': ['Bees', 'Bees']}
    """
    if not isinstance(flat, list) or not flat:
        return None
    return _Revival(flat, budget, what).data()


class _Revival:
    """One list and what is made of it."""

    def __init__(self, flat: list[Any], budget: OwnBudget, what: str) -> None:
        self.flat, self.budget, self.what = flat, budget, what
        self.waiting: list[FlatPart] = []
        self.count = 0

    def data(self) -> Any:
        whole: list[Any] = []
        self.waiting.append(FlatPart(whole, [(None, 0)], ()))
        for waiting in self._open():
            for key, place in waiting.places:
                value = self._value(place, waiting.around)
                if isinstance(waiting.made, list):
                    waiting.made.append(value)
                else:
                    waiting.made[key] = value
        return whole[0]

    def _open(self) -> Iterator[FlatPart]:
        """What is to be filled, the outermost first, until there is too much."""
        at = 0
        while at < len(self.waiting):
            one = self.waiting[at]
            self.count += len(one.places)
            if self.count > MOST_REVIVED:
                self.budget.tell(f"{self.what} was read up to {MOST_REVIVED:,} values.")
                return
            yield one
            at += 1

    def _value(self, place: Any, around: tuple[int, ...]) -> Any:
        for _ in range(DEEPEST):
            if not isinstance(place, int) or not 0 <= place < len(self.flat) or place in around:
                return None
            value = self.flat[place]
            if not (isinstance(value, list) and len(value) > 1 and value[0] in WRAPPERS):
                break
            place = value[1]
        else:
            return None
        if not isinstance(value, dict | list) or len(around) >= DEEPEST:
            return None if isinstance(value, dict | list) else value
        return self._container(value, (*around, place))

    def _container(self, value: dict[str, Any] | list[Any], around: tuple[int, ...]) -> Any:
        if isinstance(value, dict):
            return self._filled({}, list(value.items()), around)
        kind = value[0] if value and isinstance(value[0], str) else ""
        if not kind:
            return self._filled([], [(None, place) for place in value], around)
        if kind in PLAIN:
            return value[1] if len(value) > 1 and isinstance(value[1], str) else None
        if kind == "Set":
            return self._filled([], [(None, place) for place in value[1:]], around)
        if kind == "null":  # an object without a prototype
            return self._filled({}, list(zip(map(str, value[1::2]), value[2::2], strict=False)), around)
        if kind == "Map":
            keys = [self._value(place, around) for place in value[1::2]]
            return self._filled({}, list(zip(map(str, keys), value[2::2], strict=False)), around)
        return None

    def _filled(self, made: Any, places: list[tuple[Any, Any]], around: tuple[int, ...]) -> Any:
        self.waiting.append(FlatPart(made, places, around))
        return made
