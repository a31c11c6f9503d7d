"""The policy of requests: the checks that every request passes before it is sent."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from types import TracebackType

from protego import Protego

from sightline.errors import DeadlineError, LimitError, RefusedError, UnreachableError, UnreadableError
from sightline.net._access import SiteAccess
from sightline.net._addresses import Location, Resolver, admit, is_loopback, join
from sightline.net._document import PRODUCT, CrawlPolicy, Document, Limits, media_type_and_charset
from sightline.net._http_client import Answer, HttpClient

# -- robots.txt: fetched once per origin, obeyed for every address of it (RFC 9309) ---------------------------------

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


# -- the policy of requests: the checks that every request passes before it is sent ---------------------------------


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
        posted: bytes | None = None,
    ) -> Answer:
        """One answer to a request that carries what its site is to be sent; beyond `limit` bytes it is cut."""
        carried = {**self.access.headers_for(location), **(headers or {})}
        return await self.wire.get(
            location,
            source=source,
            seconds=seconds,
            limit=limit,
            cut=limit is not None,
            headers=carried,
            posted=posted,
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


@dataclass
class _Journey:
    """A fetch in progress: the addresses visited and the time left."""

    source: str
    seconds: float
    visited: list[str]
    headers: Mapping[str, str]
    posted: bytes | None

    def headers_for(self, location: Location) -> Mapping[str, str]:
        """What was to be sent along, at the origin that it is for; another one gets nothing of it."""
        own = not self.visited or admit(self.visited[0]).origin == location.origin
        return self.headers if own else {}


class Fetcher:
    """Turns a URL into a `Document`; sends each site only what it is to be sent."""

    def __init__(self, requests: RequestPolicy) -> None:
        self._requests = requests

    async def fetch(
        self,
        url: str,
        *,
        source: str | None = None,
        headers: Mapping[str, str] | None = None,
        posted: bytes | None = None,
    ) -> Document:
        """Fetch the document at `url`; `source` is its name in errors.

        Documents of any status are returned: the caller decides whether a 404 is worth reading. `headers` go to the
        origin of `url` alone. What is `posted` goes to that address alone: a redirect of it is an error.
        """
        journey = _Journey(source or url, self._requests.limits.load_seconds, [], headers or {}, posted)
        place = url
        for _ in range(self._requests.limits.redirects + 1):
            location, answer = await self._hop(place, journey)
            target = answer.header("location")
            if answer.status not in _REDIRECTS or not target:
                return _document(journey.source, location, answer)
            if posted is not None:
                raise UnreachableError(journey.source, "redirects what is posted to it, which is not followed.")
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
            headers = journey.headers_for(location)
            journey.visited.append(location.url)
            if journey.seconds <= 0:
                raise DeadlineError(journey.source, "spent its time on redirects; raise load_seconds to wait longer.")
            clock = asyncio.get_running_loop().time
            start = clock()
            answer = await self._requests.get(
                location,
                source=journey.source,
                seconds=journey.seconds,
                headers=headers,
                posted=journey.posted,
            )
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
