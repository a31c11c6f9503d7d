"""robots.txt: fetched once per origin, obeyed for every address of it (RFC 9309)."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from protego import Protego

from sightline.errors import DeadlineError, RefusedError, UnreachableError, UnreadableError
from sightline.net._addresses import Location, admit, join
from sightline.net._http_client import Answer, HttpClient
from sightline.net._limits import PRODUCT

__all__ = ["Robots", "RobotsRules"]

_ROBOTS_BYTES = 500 * 1024  # what RFC 9309 asks to read at least; the rest is left out
_ROBOTS_REDIRECTS = 5  # what RFC 9309 asks to follow at least
_ROBOTS_SECONDS = 15.0  # half of a page's time to load: a site that is slower for a small file is in trouble
_KEPT_SECONDS = 24 * 3600.0  # RFC 9309: not to be used longer than 24 hours
_KEPT_ORIGINS = 10_000
_REDIRECTS = frozenset({301, 302, 303, 307, 308})

Turn = Callable[[Location, str], AbstractAsyncContextManager[None]]
"""What a request for robots.txt must go through: the address check and the host's lane."""


@dataclass(frozen=True)
class RobotsRules:
    """The rules of an origin's robots.txt for us."""

    parsed: Protego
    crawl_delay: float
    fetched_at: float

    def allow(self, location: Location) -> bool:
        """Whether this address may be visited."""
        return bool(self.parsed.can_fetch(location.url, PRODUCT))

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The addresses of the sitemaps that the file names."""
        return tuple(self.parsed.sitemaps)

    @property
    def forbids_everything(self) -> bool:
        """Whether no address of the site may be visited, as far as its front page and an odd address tell."""
        return not any(self.parsed.can_fetch(address, PRODUCT) for address in ("/", "/a", "/index.html"))


class Robots:
    """Knows the rules of every origin visited so far."""

    def __init__(self, wire: HttpClient, turn: Turn) -> None:
        self._wire = wire
        self._turn = turn
        self._rules: dict[str, RobotsRules] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def rules(self, location: Location, *, source: str) -> RobotsRules:
        """Return the rules for this address; RefusedError if the site asks to wait, else why they are unavailable."""
        origin = location.origin
        if known := self._fresh(origin):
            return known
        async with self._lock(origin):
            known = self._fresh(origin)
            if known is None:
                begin = asyncio.get_running_loop().time()
                known = _rules_of(await self._text(location, source), begin)
                self._remember(origin, known)
        return known

    def _fresh(self, origin: str) -> RobotsRules | None:
        """The rules of an origin, unless they are unknown or too old."""
        known = self._rules.get(origin)
        is_old = known is None or asyncio.get_running_loop().time() - known.fetched_at > _KEPT_SECONDS
        return None if is_old else known

    def known(self, location: Location) -> RobotsRules | None:
        """The rules for this address if they were fetched before, however long ago."""
        return self._rules.get(location.origin)

    def _remember(self, origin: str, rules: RobotsRules) -> None:
        if len(self._rules) >= _KEPT_ORIGINS:
            self._rules.pop(next(iter(self._rules)))
        self._rules[origin] = rules

    @asynccontextmanager
    async def _lock(self, origin: str) -> AsyncIterator[None]:
        """Hold an origin, so that two visitors of a new one fetch its file once."""
        lock = self._locks.setdefault(origin, asyncio.Lock())
        try:
            async with lock:
                yield
        finally:
            if not lock.locked():
                self._locks.pop(origin, None)

    async def _text(self, location: Location, source: str) -> bytes:
        """Return the file's bytes; nothing for a site that has none."""
        answer = await self._fetch(location, source)
        if answer.status == 429 or answer.status >= 500:
            problem = f"its robots.txt answers with status {answer.status}, which means to wait; try again later."
            raise RefusedError(source, problem)
        return answer.content if answer.status < 300 else b""

    async def _fetch(self, location: Location, source: str) -> Answer:
        place = admit(f"{location.origin}/robots.txt", source=source)
        answer = Answer(404, (), b"")
        for _ in range(_ROBOTS_REDIRECTS + 1):
            async with self._turn(place, source):
                answer = await self._get(place, source)
            target = answer.header("location")
            if answer.status not in _REDIRECTS or not target:
                return answer
            place = admit(join(place, target, source=source), source=source)
        return Answer(404, (), b"")  # RFC 9309: too many redirects count as a file that does not exist

    async def _get(self, place: Location, source: str) -> Answer:
        try:
            return await self._wire.get(place, source=source, seconds=_ROBOTS_SECONDS, limit=_ROBOTS_BYTES, cut=True)
        except (UnreachableError, DeadlineError, UnreadableError) as error:
            raise type(error)(source, f"{error.problem.rstrip('.')} (while fetching robots.txt).") from error


def _rules_of(content: bytes, now: float) -> RobotsRules:
    text = content.decode("utf-8-sig", "replace")
    parsed = Protego.parse(text)
    return RobotsRules(parsed, _delay_of(parsed), now)


def _delay_of(parsed: Protego) -> float:
    """Return the longer of Crawl-delay and what Request-rate comes to; 0 without either or with nonsense."""
    asked = [float(parsed.crawl_delay(PRODUCT) or 0.0)]
    rate = parsed.request_rate(PRODUCT)
    if rate is not None and rate.requests:
        asked.append(rate.seconds / rate.requests)
    return max((delay for delay in asked if math.isfinite(delay) and delay >= 0), default=0.0)
