"""The requests as a whole: what it checks before a visit and how long it keeps a host closed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from sightline.errors import RefusedError
from sightline.net._addresses import Resolver
from sightline.net._document import CrawlPolicy
from sightline.net._request_policy import Pace, RequestPolicy

from .._server import Handler, reply, serve


def delay_of(robots: bytes | None, policy: CrawlPolicy, host: str = "127.0.0.1") -> float:
    """Visit a host and tell for how long its policy keeps it closed afterwards; `test_pace` shows that it does."""
    delays: dict[str, float] = {}

    class Noting(Pace):
        @asynccontextmanager
        async def turn(self, host: str, *, delay: float) -> AsyncIterator[None]:
            delays[host] = delay
            yield

    async def lookup(_host: str, _port: int) -> list[str]:
        return ["127.0.0.1"]

    async def run() -> float:
        routes: dict[str, Handler] = {"/robots.txt": reply(robots)} if robots is not None else {}
        resolver = Resolver(public_only=True, lookup=lookup, allowed=lambda _address: True)
        async with serve(routes) as site, RequestPolicy(None, policy, resolver=resolver) as requests:
            requests._pace = Noting()
            async with requests.turn(f"http://{host}:{site.port}/a"):
                return delays[host]

    return asyncio.run(run())


def test_door_keeps_the_longer_of_delay_and_crawl_delay() -> None:
    """Our own delay holds unless the site asks for a longer one."""
    asks = b"User-agent: *\nCrawl-delay: 0.4\n"
    assert delay_of(None, CrawlPolicy(delay=0.2), "site.example") == 0.2
    assert delay_of(asks, CrawlPolicy(delay=0.2), "site.example") == 0.4
    assert delay_of(asks, CrawlPolicy(delay=0.5), "site.example") == 0.5
    assert delay_of(b"User-agent: *\nRequest-rate: 2/1\n", CrawlPolicy(delay=0.2), "site.example") == 0.5


def test_door_is_quick_on_this_machine() -> None:
    """Loopback hosts are visited one at a time but without our own delay."""
    assert delay_of(None, CrawlPolicy(delay=5.0)) == 0


def test_door_gives_the_parsed_address() -> None:
    """What goes through the request policy is the one spelling that was checked."""

    async def run() -> str:
        async with (
            serve({}) as site,
            RequestPolicy(None, CrawlPolicy(delay=0)) as requests,
            requests.turn(f" HTTP://127.1:{site.port}/a#b") as location,
        ):
            return location.url.replace(str(site.port), "PORT")

    assert asyncio.run(run()) == "http://127.0.0.1:PORT/a"


@pytest.mark.parametrize("url", ["file:///etc/passwd", "http://user@example.com/", "javascript:1"])
def test_door_names_the_source_of_a_refusal(url: str) -> None:
    """The error speaks of what the user named, not of what it led to."""

    async def run() -> None:
        async with RequestPolicy() as requests, requests.turn(url, source="my list, line 3"):
            pass

    with pytest.raises(RefusedError) as caught:
        asyncio.run(run())
    assert caught.value.source == "my list, line 3"


def test_door_checks_without_taking_a_turn() -> None:
    """Sub-resources are checked for scheme and address only."""

    async def run() -> None:
        async with RequestPolicy(None, CrawlPolicy(public_only=True)) as requests:
            for url in ("http://127.0.0.1/x.png", "http://[::1]/", "file:///x"):
                with pytest.raises(RefusedError):
                    await requests.check(url)

    asyncio.run(run())
