"""What lets us into a site reaches that site, with and without a browser, and nobody else; a proxy is gone through."""

import asyncio
import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import sightline as sl
from sightline.crawler import CrawlSettings
from sightline.errors import SourceError
from sightline.net import CrawlPolicy
from sightline.sources import Loader

from .._server import Request, Site, redirect, reply, serve_from_thread

TOKEN = "T0ken-for-the-shop"
KEYS = {"header": (f"X-Token: {TOKEN}",), "cookie": ("session=abc-123",)}
WAYS = pytest.mark.parametrize("static", [True, False], ids=["static", "rendered"])
PAGE = b"""<title>Shop</title><p>Welcome</p><img src="/own.png"><img src="%(other)s/theirs.png">
<iframe src="%(other)s/frame"></iframe><script>fetch("/api"); fetch("%(other)s/spy").catch(() => 0)</script>"""


def has_keys(request: Request) -> bool:
    """Whether both arrived."""
    return request.headers.get("x-token") == TOKEN and "session=abc-123" in request.headers.get("cookie", "")


def has_none(request: Request) -> bool:
    """Whether nothing arrived."""
    return TOKEN not in str(request.headers) and "abc-123" not in str(request.headers)


@contextmanager
def two_sites() -> Iterator[tuple[Site, Site]]:
    """The one that is named, and another on the same host, which it shows parts of and leads to."""
    with serve_from_thread({"/": reply(b"<p>Other")}, otherwise=reply(b"<p>part")) as other:
        routes = {
            "/": reply(PAGE % {b"other": other.url("").encode()}, headers={"Set-Cookie": "own=1"}),
            "/own.png": reply(b"x"),
            "/api": reply(b"{}"),
            "/away": redirect(other.url("/")),
        }
        with serve_from_thread(routes) as site:
            yield site, other


@pytest.mark.slow
@WAYS
def test_headers_and_cookies_reach_the_named_site_and_no_other(static: bool) -> None:
    """Parts, frames and scripts of the page included; robots.txt is asked for without them."""
    with two_sites() as (site, other):
        with Loader(static=static, policy=CrawlPolicy(**KEYS)) as loader:
            assert "Welcome" in loader.load(site.url()).text_of(0)
            assert "Other" in loader.load(site.url("/away")).text_of(0)
        asked = {one.target: one for one in site.requests}
        assert has_none(asked.pop("/robots.txt"))
        assert {"/", "/away"} <= set(asked) and all(map(has_keys, asked.values()))
        assert static or {"/own.png", "/api"} <= set(asked)
        assert static or "own=1" in asked["/api"].headers["cookie"]  # what the site sets is sent as well
        assert other.requests and all(map(has_none, other.requests))
        assert static or {"/theirs.png", "/frame", "/spy"} <= set(other.paths())


@pytest.mark.slow
def test_a_session_sends_them_to_the_first_site_only() -> None:
    """A click or a later address may lead anywhere."""
    with two_sites() as (site, other):
        with sl.session(policy=CrawlPolicy(**KEYS, delay=0)) as session:
            session.goto(site.url())
            session.goto(other.url("/"))
            with session.aside() as tab:
                tab.goto(site.url("/api"))
        asked = [one for one in site.requests if one.target != "/robots.txt"]
        assert {"/", "/own.png", "/api"} <= set(site.paths()) and all(map(has_keys, asked))
        assert "/" in other.paths() and all(map(has_none, other.requests))


@pytest.mark.slow
@WAYS
def test_collecting_sends_them_to_the_first_site_only(static: bool) -> None:
    """The pages with the details may be of others."""
    rows = "".join(f"<li><a href='%s/item-{n}'>Camera {n}</a> <span>{n}00 EUR</span></li>" for n in range(1, 7))
    with serve_from_thread({}, otherwise=reply(b"<h1>Camera</h1><p>Weight 300 g</p>")) as other:
        listing = f"<h1>Cameras</h1><ul>{rows.replace('%s', other.url(''))}</ul><a rel=next href='/2'>Next</a>"
        second = listing.replace("Camera ", "Lens ").replace("item-", "lens-").replace("/2", "/1")
        with serve_from_thread({"/1": reply(listing.encode()), "/2": reply(second.encode())}) as site:
            sl.collect(site.url("/1"), details="auto", static=static, policy=CrawlPolicy(**KEYS, delay=0))
            asked = [one for one in site.requests if one.target in ("/1", "/2")]
            assert {"/1", "/2"} <= set(site.paths()) and all(map(has_keys, asked))
            assert other.paths() and all(map(has_none, other.requests))


@pytest.mark.slow
@pytest.mark.parametrize("render", ["never", "always"])
def test_a_crawl_sends_them_to_the_sites_that_it_began_with(tmp_path: Path, render: str) -> None:
    """Also when it goes on without being told where it began."""
    with serve_from_thread({"/": reply(b"<p>Theirs")}) as other:
        links = f"<a href='/a'>a</a><a href='{other.url('/')}'>theirs</a>".encode()
        with serve_from_thread({"/": reply(links), "/a": reply(b"<a href='/b'>b</a>"), "/b": reply(b"b")}) as site:
            settings = {"policy": CrawlPolicy(**KEYS, delay=0), "folder": tmp_path / "crawl"}
            hosts = tuple(f"127.0.0.1:{one.port}" for one in (site, other))
            sl.crawl(site.url(), **settings, settings=CrawlSettings(render=render, pages=1, hosts=hosts))
            sl.crawl(**settings, settings=CrawlSettings(render=render, hosts=hosts))
            pages = [one for one in site.requests if one.target in ("/", "/a", "/b")]
            assert {"/", "/a", "/b"} <= set(site.paths()) and all(map(has_keys, pages))
            assert "/" in other.paths() and all(map(has_none, other.requests))


async def _members(request: Request, writer: asyncio.StreamWriter) -> None:
    """Lets in who has the cookie, and gives it to who asks."""
    if request.path == "/in":
        writer.write(reply(b"<script>localStorage.user = 'Anna'</script>in", headers={"Set-Cookie": "pass=open-77"}))
        return
    inside = "pass=open-77" in request.headers.get("cookie", "")
    stored = b"<p id=user></p><script>user.textContent = localStorage.user ?? 'nobody'</script>"
    writer.write(reply((b"<p>Members only: the list" if inside else b"<p>Please log in") + stored))


@pytest.mark.slow
@WAYS
def test_a_recorded_log_in_opens_the_page(tmp_path: Path, static: bool) -> None:
    """With cookies, and in a browser with storage; the file stays as it is, and so does the next page without it."""
    file = tmp_path / "in.json"
    with serve_from_thread({}, otherwise=_members) as site:
        with sl.session(state=file) as session:
            session.goto(site.url("/in"))
        before = file.read_bytes()
        with Loader(static=static, policy=CrawlPolicy(state=str(file), delay=0)) as loader:
            pages = [one.page for one in loader.load_all([site.url("/1"), site.url("/2")])]
        texts = [page.text_of(0) for page in pages if page]
        assert len(texts) == 2 and all("Members only" in text for text in texts)
        assert static or all("Anna" in text for text in texts)
        with Loader(static=static) as loader:
            assert "Please log in" in loader.load(site.url("/1")).text_of(0)
        assert file.read_bytes() == before
        records = sl.session(policy=CrawlPolicy(state=str(file)))
        with records as session:
            assert "Members only" in session.goto(site.url("/3")).capture().text_of(0)
        assert file.read_bytes() == before


@contextmanager
def a_proxy(user: str = "") -> Iterator[Site]:
    """A proxy that answers for every site itself, if it is told who asks."""
    expected = f"Basic {base64.b64encode(user.encode()).decode()}" if user else None

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        if expected and request.headers.get("proxy-authorization") != expected:
            writer.write(reply(b"who?", 407, {"Proxy-Authenticate": 'Basic realm="proxy"'}))
        elif request.target.endswith("/robots.txt"):
            writer.write(reply(b"", 404))
        else:
            writer.write(reply(f"<p>{request.target} by proxy".encode()))

    with serve_from_thread({}, otherwise=answer) as proxy:
        yield proxy


@pytest.mark.slow
@WAYS
@pytest.mark.parametrize("user", ["", "anna:pr0xy-pass"], ids=["open", "with a password"])
def test_all_requests_go_through_the_proxy(static: bool, user: str) -> None:
    """Those of names that only the proxy knows, and those of this machine."""
    with a_proxy(user) as proxy:
        address = proxy.url("").replace("://", f"://{user}@" if user else "://")
        with Loader(static=static, policy=CrawlPolicy(proxy=address, delay=0)) as loader:
            for url in ("http://only-the-proxy-knows.invalid/a", "http://127.0.0.1:9876/b"):
                assert loader.load(url).text_of(0).strip() == f"{url} by proxy"
        asked = {one.target for one in proxy.requests}
        assert {"http://only-the-proxy-knows.invalid/robots.txt", "http://127.0.0.1:9876/b"} <= asked


def test_a_session_goes_through_the_proxy() -> None:
    """As every page does."""
    with a_proxy("anna:pr0xy-pass") as proxy:
        address = proxy.url("").replace("://", "://anna:pr0xy-pass@")
        with sl.session(policy=CrawlPolicy(proxy=address)) as session:
            assert "by proxy" in session.goto("http://only-the-proxy-knows.invalid/").capture().text_of(0)


@WAYS
def test_wrong_password_of_the_proxy_ends_in_one_error(static: bool) -> None:
    """Which does not repeat it."""
    with a_proxy("anna:right-one") as proxy:
        address = proxy.url("").replace("://", "://anna:wr0ng-one@")
        policy = CrawlPolicy(proxy=address, robots=False)
        with Loader(static=static, policy=policy) as loader, pytest.raises(SourceError) as caught:
            loader.load("http://only-the-proxy-knows.invalid/")
        assert "wr0ng-one" not in str(caught.value)
