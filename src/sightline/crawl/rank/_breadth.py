"""Breadth-first: pages near the start come first, whatever they are."""

from collections.abc import Mapping, Sequence

from sightline.crawl.rank._ranking import FoundLink, Placed, VisitedPage

__all__ = ["BreadthFirst"]

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
