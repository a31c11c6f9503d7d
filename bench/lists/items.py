"""Items that were found, as the JSON contract hands them out, and how they are paired with those that are known."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bench.measures import harmonic, share
from bench.texts import bag_of, words

Bag = Counter[str]
Trail = list[tuple[int, int]]


@dataclass(frozen=True)
class Found:
    """An item that was found: its title, its whole text, and its parts where it was taken apart."""

    title: str = ""
    text: str = ""
    parts: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, item: Mapping[str, Any]) -> "Found":
        """An item of the JSON contract; the names of its parts say nothing here."""
        return cls(item.get("title") or "", item.get("text") or "", tuple(_texts(item.get("components"))))

    @cached_property
    def bag(self) -> Bag:
        """The words: those of the text, and what title or parts say beyond it. A word in both is one word."""
        found = bag_of([self.text] if self.text else self.parts)
        for piece in (self.title, *self.parts):
            found |= bag_of([piece])
        return found

    @cached_property
    def cells(self) -> Counter[str]:
        """What stands in the cells of its row: the parts, or else the title and the rest of the text."""
        rest = self.text.replace(self.title, " ", 1) if self.title else self.text
        return Counter(key for text in self.parts or (self.title, rest) if (key := cell_words(text)))


FoundList = Sequence[Found]


@dataclass(frozen=True)
class Rates:
    """Precision, recall and F1."""

    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0


NOTHING = Rates()


def rates(hits: float, found: float, known: float) -> Rates:
    """How many of those found are right, and how many of those known were found; 0 where there are none.

    >>> rates(3, 4, 6)
    Rates(precision=0.75, recall=0.5, f1=0.6)
    """
    precision, recall = share(hits, found), share(hits, known)
    return Rates(precision, recall, harmonic(precision, recall))


def cell_words(text: str) -> str:
    """What cells of records are compared by: their words.

    >>> cell_words(" 1,000 Points! ")
    '1000 points'
    """
    return " ".join(words(text))


def one_to_one(choices: Sequence[Sequence[int]]) -> dict[int, int]:
    """Pairs as many as possible with one of their choices each, earlier choices preferred.

    >>> one_to_one([[7, 8], [7], []])
    {0: 8, 1: 7}
    """
    taken: dict[int, int] = {}
    for number in range(len(choices)):
        # Along the way everybody takes the next one's choice: a pair more, and nobody loses theirs.
        taken |= {choice: one for one, choice in _way_to_a_free_one(number, choices, taken)}
    return {one: choice for choice, one in sorted(taken.items(), key=lambda pair: pair[1])}


def _way_to_a_free_one(start: int, choices: Sequence[Sequence[int]], taken: Mapping[int, int]) -> Trail:
    """Who takes which choice so that `start` gets one; depth first, by hand, as hundreds of equal records go deep."""
    seen: set[int] = set()
    trail: Trail = []
    waiting = [(start, iter(choices[start]))]
    while waiting:
        one, untried = waiting[-1]
        choice = next((choice for choice in untried if choice not in seen), None)
        if choice is None:
            waiting.pop()
            del trail[-1:]
            continue
        seen.add(choice)
        trail.append((one, choice))
        if choice not in taken:
            return trail
        waiting.append((taken[choice], iter(choices[taken[choice]])))
    return []


def _texts(value: object) -> Iterator[str]:
    """The texts of plain JSON values, however nested."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
    elif value is not None:
        yield str(value)
