"""Where a click leads goes through the request policy as well: robots.txt, address rules, pace and limits."""

import asyncio
import time
from collections.abc import Iterator

import pytest

import sightline as sl
from sightline.errors import LimitError, RefusedError
from sightline.net import CrawlPolicy, Limits

from .._server import Handler, Request, Site
from .browser._site import asked, html, redirect, reply, site, texts

PRIVATE = html("<title>Private</title>")
START = html("""<title>Start</title>
<a id=open href=/second>second</a><a id=link href=/private/a>link</a><a id=moved href=/moved>moved</a>
<form action=/private/b method=post><button id=form>form</button></form>
<button id=script onclick="setTimeout(() => location = '/private/c', 50)">script</button>
<button id=replace onclick="location.replace('/private/d')">replace</button>
<iframe src=/private/frame></iframe>
<p>still here</p>""")
ROBOTS = reply(b"User-agent: *\nDisallow: /private\nAllow: /private/frame")


@pytest.fixture(scope="module")
def here() -> Iterator[Site]:
    """A site with a part that robots.txt forbids."""
    routes: dict[str, Handler] = {
        "/": START,
        "/second": html("<title>Second</title><a href=/>start</a>"),
        "/moved": redirect("/private/moved"),
        "/private/frame": html("<p>a frame"),
        "/robots.txt": ROBOTS,
    }
    with site(routes | {f"/private/{name}": PRIVATE for name in ("a", "b", "c", "d", "moved")}) as one:
        yield one


@pytest.fixture(scope="module")
def session() -> Iterator[sl.Session]:
    """One session for all tests of this module."""
    with sl.session() as one:
        yield one


def private(here: Site) -> list[str]:
    """What was asked for although it is forbidden; frames are parts of a page, which nobody asks about."""
    return [path for path in asked(here) if path.startswith("/private") and path != "/private/frame"]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["link", "form", "script", "replace", "moved"])
def test_click_does_not_lead_to_what_robots_forbids(here: Site, session: sl.Session, way: str) -> None:
    """The request is never sent, the error names the page, and the session is still on the page before."""
    session.goto(here.url("/"))
    with pytest.raises(RefusedError, match=r"/private/.*robots\.txt of 127\.0\.0\.1 does not allow it"):
        session.click(f"//*[@id='{way}']")
    assert private(here) == []
    page = session.capture()
    assert (page.title, texts(page)[-1]) == ("Start", "still here")
    assert session.click("//*[@id='open']").capture().title == "Second"


def test_goto_does_not_follow_a_redirect_to_what_robots_forbids(here: Site, session: sl.Session) -> None:
    """The error is that of the forbidden page, and the session is on the page before."""
    session.goto(here.url("/second"))
    with pytest.raises(RefusedError, match=r"/private/moved.*robots"):
        session.goto(here.url("/moved"))
    assert private(here) == []
    assert session.click("//a").capture().title == "Start"


def test_click_obeys_the_robots_of_another_host(session: sl.Session) -> None:
    """Each origin has its own file, which is fetched before the first page of it."""
    with site({"/robots.txt": reply(b"User-agent: *\nDisallow: /"), "/": PRIVATE}) as other:
        link = f"http://localhost:{other.port}/"
        with site({"/": html(f"<title>Links</title><a href={link}>other</a>")}) as links:
            session.goto(links.url("/"))
            with pytest.raises(RefusedError, match=r"robots\.txt of localhost"):
                session.click("//a")
        assert [request.target for request in other.requests] == ["/robots.txt"]


@pytest.mark.slow
def test_ignored_robots_are_ignored_for_clicks(here: Site) -> None:
    """The setting that holds for goto holds for clicks."""
    with sl.session(policy=CrawlPolicy(ignore_robots_for=("127.0.0.1",))) as free:
        assert free.goto(here.url("/")).click("//*[@id='link']").capture().title == "Private"
    here.requests.clear()


@pytest.mark.slow
def test_clicks_keep_the_pace_of_the_site() -> None:
    """A click waits for its turn, and that does not count as time of the page."""
    times: list[float] = []

    async def page(_: Request, writer: asyncio.StreamWriter) -> None:
        times.append(time.monotonic())
        writer.write(html("<title>Slow down</title><a href=/>again</a>"))

    delay = 6
    limits = Limits(page_seconds=delay - 1, load_seconds=delay - 1)
    robots = reply(f"User-agent: *\nCrawl-delay: {delay}".encode())
    with site({"/": page, "/robots.txt": robots}) as slow, sl.session(limits=limits) as session:
        page_after = session.goto(slow.url("/")).click("//a").capture()
    assert page_after.title == "Slow down"
    assert not page_after.gaps
    assert times[1] - times[0] >= delay


@pytest.mark.slow
def test_redirects_after_a_click_have_a_limit() -> None:
    """Two pages that lead to each other by script are stopped."""
    routes = {name: html(f"<script>location = '{other}'</script>") for name, other in (("/a", "/b"), ("/b", "/a"))}
    with (
        site({"/": html("<a href=/a>in</a>"), **routes}) as circle,
        sl.session(limits=Limits(redirects=3)) as session,
        pytest.raises(LimitError, match="redirects more than 3 times"),
    ):
        session.goto(circle.url("/")).click("//a")
