"""robots.txt: obeyed, cached, and what its absence or failure means."""

import asyncio

import pytest

from sightline.errors import RefusedError, SourceError, UnreachableError
from sightline.net._document import CrawlPolicy
from sightline.net._request_policy import RequestPolicy

from .._server import Handler, Site, redirect, reply, serve

AT_ONCE = CrawlPolicy(delay=0)


def visit(
    robots: Handler | None, *paths: str, policy: CrawlPolicy | None = None
) -> tuple[list[SourceError | None], Site]:
    """Ask for a turn for each path and give the errors."""

    async def run() -> tuple[list[SourceError | None], Site]:
        routes = {} if robots is None else {"/robots.txt": robots}
        async with serve(routes) as site, RequestPolicy(None, policy or CrawlPolicy(delay=0)) as requests:
            return [await _turn(requests, site.url(path)) for path in paths], site

    return asyncio.run(run())


async def _turn(requests: RequestPolicy, url: str) -> SourceError | None:
    try:
        async with requests.turn(url):
            return None
    except SourceError as error:
        return error


RULES = reply(b"User-agent: *\nDisallow: /private/\nAllow: /private/open\n", headers={"Content-Type": "text/plain"})


def test_robots_is_obeyed_and_fetched_once() -> None:
    """Forbidden paths are refused with a hint, others not, and one file serves them all."""
    errors, site = visit(RULES, "/", "/private/x", "/private/open", "/x")
    assert [type(error) for error in errors] == [type(None), RefusedError, type(None), type(None)]
    assert "ignore_robots_for" in str(errors[1])
    assert [request.target for request in site.requests] == ["/robots.txt"]


def test_robots_rules_for_us_come_first() -> None:
    """A group that names us counts instead of the group for all."""
    rules = reply(b"User-agent: *\nDisallow: /\n\nUser-agent: Sightline\nDisallow: /no\n")
    errors, _ = visit(rules, "/yes", "/no")
    assert [error is None for error in errors] == [True, False]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_robots_missing_means_allowed(status: int) -> None:
    """A site without the file forbids nothing."""
    errors, _ = visit(reply(b"User-agent: *\nDisallow: /", status), "/private/x")
    assert errors == [None]


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_robots_failing_means_wait(status: int) -> None:
    """A server error is a refusal that says to try later."""
    (error,), _ = visit(reply(b"", status), "/")
    assert isinstance(error, RefusedError)
    assert f"answers with status {status}" in str(error)
    assert "later" in str(error)


def test_robots_unreachable_is_unreachable() -> None:
    """A site that cannot be reached for its robots.txt is reported as unreachable."""

    async def run() -> SourceError | None:
        async with RequestPolicy(None, AT_ONCE) as requests:
            return await _turn(requests, "http://127.0.0.1:9999/x")

    assert isinstance(asyncio.run(run()), UnreachableError)


def test_robots_redirects_are_followed() -> None:
    """The file may lie elsewhere; a circle of redirects counts as no file."""

    async def run() -> list[SourceError | None]:
        async with serve({"/r": reply(b"User-agent: *\nDisallow: /no")}) as other:
            async with (
                serve({"/robots.txt": redirect(other.url("/r"))}) as site,
                RequestPolicy(None, AT_ONCE) as requests,
            ):
                found = [await _turn(requests, site.url("/no"))]
            async with (
                serve({"/robots.txt": redirect("/robots.txt")}) as site,
                RequestPolicy(None, AT_ONCE) as requests,
            ):
                return [*found, await _turn(requests, site.url("/no"))]

    assert [error is None for error in asyncio.run(run())] == [False, True]


def test_robots_reads_the_beginning_of_a_huge_file() -> None:
    """Only the first 500 KB count, and a file without end does no harm."""
    rules = b"User-agent: *\nDisallow: /no\n" + b"# padding\n" * 200_000 + b"Disallow: /late\n"
    errors, _ = visit(reply(rules), "/no", "/late")
    assert [error is None for error in errors] == [False, True]


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00garbage", b"<html>not robots</html>", b"Crawl-delay: nan", b"\xef\xbb\xbf"]
)
def test_robots_takes_nonsense(content: bytes) -> None:
    """A file that is no robots.txt forbids nothing."""
    errors, _ = visit(reply(content), "/")
    assert errors == [None]


def test_robots_is_not_asked_where_the_user_says_so() -> None:
    """A host the user vouches for, or robots switched off, makes no request for the file."""
    for policy in (CrawlPolicy(delay=0, ignore_robots_for=("127.0.0.1",)), CrawlPolicy(delay=0, robots=False)):
        errors, site = visit(RULES, "/private/x", policy=policy)
        assert (errors, site.requests) == ([None], [])


def test_robots_is_fetched_once_by_many_at_a_time() -> None:
    """Visitors who come together wait for one request."""

    async def run() -> int:
        async with serve({"/robots.txt": RULES}) as site, RequestPolicy(None, AT_ONCE) as requests:
            await asyncio.gather(*(_turn(requests, site.url(f"/{n}")) for n in range(10)))
            return len(site.requests)

    assert asyncio.run(run()) == 1
