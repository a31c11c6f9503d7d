"""Fetches a document over HTTP without a browser; every redirect passes the same checks again."""

import asyncio
from dataclasses import dataclass

from sightline.errors import DeadlineError, LimitError, UnreachableError
from sightline.net._addresses import Location, join
from sightline.net._document import Document, media_type_and_charset
from sightline.net._door import Door
from sightline.net._wire import Answer

__all__ = ["Fetcher"]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass
class _Journey:
    """A fetch in progress: the addresses visited and the time left."""

    source: str
    seconds: float
    visited: list[str]


class Fetcher:
    """Turns a URL into a `Document`; sends each site only what it is to be sent."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def fetch(self, url: str, *, source: str | None = None) -> Document:
        """Fetch the document at `url`; `source` is its name in errors.

        Documents of any status are returned: the caller decides whether a 404 is worth reading.
        """
        journey = _Journey(source or url, self._door.limits.load_seconds, [])
        place = url
        for _ in range(self._door.limits.redirects + 1):
            location, answer = await self._hop(place, journey)
            target = answer.header("location")
            if answer.status not in _REDIRECTS or not target:
                return _document(journey.source, location, answer)
            place = join(location, target, source=journey.source)
        raise LimitError(
            journey.source,
            f"redirects more than {self._door.limits.redirects} times; raise `redirects` to follow further.",
            limit="redirects",
        )

    async def _hop(self, place: str, journey: _Journey) -> tuple[Location, Answer]:
        """One request; the time waited for the host's turn does not count against the site."""
        async with self._door.turn(place, source=journey.source) as location:
            if location.url in journey.visited:
                raise UnreachableError(
                    journey.source, f"redirects in a circle ({_circle(journey.visited, location.url)})."
                )
            journey.visited.append(location.url)
            if journey.seconds <= 0:
                raise DeadlineError(journey.source, "spent its time on redirects; raise load_seconds to wait longer.")
            clock = asyncio.get_running_loop().time
            start = clock()
            answer = await self._door.get(location, source=journey.source, seconds=journey.seconds)
            journey.seconds -= clock() - start
        return location, answer


def _document(source: str, location: Location, answer: Answer) -> Document:
    media_type, charset = media_type_and_charset(answer.header("content-type"))
    return Document(
        source=source,
        url=location.url,
        content=answer.content,
        media_type=media_type,
        charset=charset,
        status=answer.status,
        headers=answer.headers,
        notes=answer.notes,
    )


def _circle(visited: list[str], again: str) -> str:
    return " → ".join([*visited[visited.index(again) :], again])
