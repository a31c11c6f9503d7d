"""Pages that were captured before, in place of those at their addresses: nothing is fetched and nothing pressed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sightline.errors import UnreachableError
from sightline.page import Page


@dataclass(frozen=True)
class CapturedVisit:
    """A page that was open once: its address, the way to it (opened, button, box, scroll), and how to read it."""

    address: str
    way: str
    read: Callable[[], Page]


class CapturedPages:
    """The pages that somebody visited, in their order."""

    def __init__(self, visits: Sequence[CapturedVisit]) -> None:
        self._visits = list(visits)
        self._at = -1

    def page(self, address: str) -> Page:
        """The page that was opened at an address."""
        for place, visit in enumerate(self._visits):
            if visit.address == address and visit.way == "opened":
                self._at = place
                return visit.read()
        raise UnreachableError(address, "was not captured, and captured pages are all that is read here.")

    def following(self, way: str) -> Page | None:
        """The page that the last one led to, if it was reached in this way."""
        if self._at + 1 >= len(self._visits) or self._visits[self._at + 1].way != way:
            return None
        self._at += 1
        return self._visits[self._at].read()
