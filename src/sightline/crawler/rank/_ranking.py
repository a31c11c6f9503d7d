"""What every ranking does: it sorts links into kinds, learns where they led, and chooses the kind to follow next.

The addresses that wait may be millions, so they stay on disk, sorted into kinds: links that stand at alike places and
have alike addresses. A ranking holds figures on kinds only. What it learns about a kind counts for every address of it
at once, and choosing one takes as long as looking through the kinds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from sightline.sources import Anchor, PageOutline

__all__ = ["BreadthFirst", "FoundLink", "Placed", "Ranking", "VisitedPage"]


@dataclass(frozen=True, slots=True)
class VisitedPage:
    """A page that was visited: the kind of link that led to it, and whether it is one of those looked for."""

    url: str
    outline: PageOutline
    kind: str
    depth: int
    is_target: bool
    likeness: float


class FoundLink(NamedTuple):
    """A link to a page that was not visited yet; `kind` is None unless its address waits already."""

    url: str
    anchor: Anchor
    kind: str | None = None


class Placed(NamedTuple):
    """Where an address waits: with others of its kind, the highest score first."""

    kind: str
    score: float


class Ranking(Protocol):
    """The ranking of one site; one object for each host of a crawl."""

    def learn(self, visit: VisitedPage, links: Sequence[FoundLink]) -> None:
        """Take in a page with its links to pages not yet visited, before they are placed."""

    def place(self, visit: VisitedPage, links: Sequence[FoundLink]) -> Sequence[Placed | None]:
        """The place of each link; None leaves an address where it waits."""

    def choose(self, waiting: Mapping[str, int]) -> str:
        """The kind to follow next, of those that have addresses waiting (at least one has)."""

    def rescored(self) -> Mapping[str, float]:
        """New scores of waiting addresses, for rankings that judge each address anew; empty for the others."""

    def dumps(self) -> bytes:
        """All that was learned, to go on after a stop."""


# Breadth-first: pages near the start come first, whatever they are.

_ONLY = "all"


class BreadthFirst:
    """Visits pages in the order of their depth; among those of one depth, in the order found."""

    def __init__(self, *, found: int = 0) -> None:
        self._found = found

    @classmethod
    def loads(cls, state: bytes) -> "BreadthFirst":
        """The ranking that `dumps` wrote down."""
        return cls(found=int(state))

    def learn(self, visit: VisitedPage, links: Sequence[FoundLink]) -> None:
        """Nothing to learn."""

    def place(self, visit: VisitedPage, links: Sequence[FoundLink]) -> Sequence[Placed | None]:
        """New addresses go behind all others of their depth."""
        placed: list[Placed | None] = []
        for link in links:
            if link.kind is None:
                self._found += 1
                placed.append(Placed(_ONLY, -(visit.depth + 1) - self._found * _STEP))
            else:
                placed.append(None)
        return placed

    def choose(self, waiting: Mapping[str, int]) -> str:
        """The kind to follow next."""
        return next(kind for kind, count in waiting.items() if count)

    def rescored(self) -> Mapping[str, float]:
        """Scores never change."""
        return {}

    def dumps(self) -> bytes:
        """How many addresses were found."""
        return str(self._found).encode()


# Small enough that the order found never weighs as much as a step in depth, for up to 10 ** 9 addresses.
_STEP = 1e-9
