"""The policy of requests: the checks that every request passes before it is sent."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import TracebackType

from sightline.errors import DeadlineError, LimitError, RefusedError, UnreachableError
from sightline.net._access import SiteAccess
from sightline.net._addresses import Location, Resolver, admit, is_loopback, join
from sightline.net._document import Document, media_type_and_charset
from sightline.net._http_client import Answer, HttpClient
from sightline.net._limits import CrawlPolicy, Limits
from sightline.net._robots import Robots, RobotsRules

__all__ = ["Fetcher", "Pace", "RequestPolicy"]


class RequestPolicy:
    """Admits addresses: http(s) only, public ones only in server use, robots.txt obeyed, each host at its pace.

    A policy belongs to one event loop; open it with `async with`. `limits` and `policy` are the settings it keeps;
    `keep_alive` leaves connections open between the visits of a host; `named` are the origins that the user named.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        policy: CrawlPolicy | None = None,
        *,
        resolver: Resolver | None = None,
        keep_alive: bool = False,
        named: set[str] | None = None,
    ) -> None:
        self.limits: Limits = limits or Limits()
        self.policy: CrawlPolicy = policy or CrawlPolicy()
        self.access: SiteAccess = self.policy.access(set() if named is None else named)
        self.resolver: Resolver = resolver or Resolver(public_only=self.policy.public_only)
        self.wire: HttpClient = HttpClient(
            self.limits, self.policy, self.resolver, keep_alive=keep_alive, proxy=self.access.proxy
        )
        self._pace = Pace()
        self._robots = Robots(self.wire, self._plain_turn)

    async def __aenter__(self) -> "RequestPolicy":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.wire.close()

    @asynccontextmanager
    async def turn(self, url: str, *, source: str | None = None, pause: float = 0.0) -> AsyncIterator[Location]:
        """Hold the host of `url` while it is visited; a RefusedError says why it must not be.

        The host is free for the next visitor when the block ends and the delay has passed, at least `pause` seconds.
        """
        location = await self.check(url, source=source)
        delay = max(pause, await self._delay(location, source or url))
        async with self._pace.turn(location.host, delay=delay):
            yield location

    async def check(self, url: str, *, source: str | None = None) -> Location:
        """Make only the scheme and address checks, for sub-resources and hops that need no separate turn."""
        location = admit(url, source=source)
        if self.policy.public_only:
            await self.resolver.resolve(location.host, location.port, source=source or url)
        return location

    async def get(
        self,
        location: Location,
        *,
        source: str,
        seconds: float,
        limit: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """One answer to a request that carries what its site is to be sent; beyond `limit` bytes it is cut."""
        carried = {**self.access.headers_for(location), **(headers or {})}
        return await self.wire.get(
            location, source=source, seconds=seconds, limit=limit, cut=limit is not None, headers=carried
        )

    async def rules(self, url: str) -> RobotsRules | None:
        """The rules of the site's robots.txt, None if it is not asked; a RefusedError says that the site wants rest."""
        location = await self.check(url)
        return await self._robots.rules(location, source=url) if self._obeys_robots(location) else None

    def check_known_robots(self, location: Location, *, source: str) -> None:
        """Refuse what robots.txt forbids on an origin whose turn the caller holds, so that its rules are known."""
        if self._obeys_robots(location):
            _check_rules(self._robots.known(location), location, source)

    def _obeys_robots(self, location: Location) -> bool:
        return self.policy.robots and location.host not in self.policy.ignore_robots_for

    async def _delay(self, location: Location, source: str) -> float:
        """How long to keep the host closed after this visit; consults robots.txt, which may forbid it."""
        crawl_delay = 0.0
        if self._obeys_robots(location):
            rules = await self._robots.rules(location, source=source)
            _check_rules(rules, location, source)
            crawl_delay = rules.crawl_delay
        return max(crawl_delay, 0.0 if is_loopback(location.host) else self.policy.delay)

    @asynccontextmanager
    async def _plain_turn(self, location: Location, source: str) -> AsyncIterator[None]:
        """Let robots.txt itself through: checked and one at a time, but the page may follow immediately."""
        await self.check(location.url, source=source)
        async with self._pace.turn(location.host, delay=0.0):
            yield


def _check_rules(rules: RobotsRules | None, location: Location, source: str) -> None:
    if rules and not rules.allow(location):
        problem = f"the robots.txt of {location.host} does not allow it"
        raise RefusedError(source, f"{problem}; if the site is yours, add the host to ignore_robots_for.")


# Per-host pacing: one request at a time, and a pause after each.

_REMEMBERED_HOSTS = 10_000  # a crawl visits far fewer hosts at once; idle ones are forgotten beyond this


@dataclass
class _Lane:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    free_at: float = 0.0
    users: int = 0


class Pace:
    """Lets requests to a host through one by one, at least `delay` seconds after the end of the previous one."""

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}

    @asynccontextmanager
    async def turn(self, host: str, *, delay: float) -> AsyncIterator[None]:
        """Wait for the host to be free, hold it, and keep it closed for `delay` seconds afterwards."""
        clock = asyncio.get_running_loop().time
        lane = self._lane(host)
        lane.users += 1
        try:
            async with lane.lock:
                await asyncio.sleep(max(0.0, lane.free_at - clock()))
                try:
                    yield
                finally:
                    lane.free_at = clock() + delay
        finally:
            lane.users -= 1

    def _lane(self, host: str) -> _Lane:
        if host not in self._lanes and len(self._lanes) >= _REMEMBERED_HOSTS:
            now = asyncio.get_running_loop().time()
            self._lanes = {name: lane for name, lane in self._lanes.items() if lane.users or lane.free_at > now}
        return self._lanes.setdefault(host, _Lane())


# Fetches a document over HTTP without a browser; every redirect passes the same checks again.

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass
class _Journey:
    """A fetch in progress: the addresses visited and the time left."""

    source: str
    seconds: float
    visited: list[str]


class Fetcher:
    """Turns a URL into a `Document`; sends each site only what it is to be sent."""

    def __init__(self, requests: RequestPolicy) -> None:
        self._requests = requests

    async def fetch(self, url: str, *, source: str | None = None) -> Document:
        """Fetch the document at `url`; `source` is its name in errors.

        Documents of any status are returned: the caller decides whether a 404 is worth reading.
        """
        journey = _Journey(source or url, self._requests.limits.load_seconds, [])
        place = url
        for _ in range(self._requests.limits.redirects + 1):
            location, answer = await self._hop(place, journey)
            target = answer.header("location")
            if answer.status not in _REDIRECTS or not target:
                return _document(journey.source, location, answer)
            place = join(location, target, source=journey.source)
        raise LimitError(
            journey.source,
            f"redirects more than {self._requests.limits.redirects} times; raise `redirects` to follow further.",
            limit="redirects",
        )

    async def _hop(self, place: str, journey: _Journey) -> tuple[Location, Answer]:
        """One request; the time waited for the host's turn does not count against the site."""
        async with self._requests.turn(place, source=journey.source) as location:
            if location.url in journey.visited:
                raise UnreachableError(
                    journey.source, f"redirects in a circle ({_circle(journey.visited, location.url)})."
                )
            journey.visited.append(location.url)
            if journey.seconds <= 0:
                raise DeadlineError(journey.source, "spent its time on redirects; raise load_seconds to wait longer.")
            clock = asyncio.get_running_loop().time
            start = clock()
            answer = await self._requests.get(location, source=journey.source, seconds=journey.seconds)
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
