"""What the browser makes of the answers that sites give: pages, errors, redirects, downloads and worse."""

import asyncio
import gzip
from pathlib import Path

import pytest

from sightline.errors import (
    BlockedError,
    DeadlineError,
    LimitError,
    RefusedError,
    UnreachableError,
    UnreadableError,
)
from sightline.net import CrawlPolicy, Limits
from sightline.sources import Loader

from ..._wait import LONG, happened
from ._site import Request, asked, html, redirect, reply, shared_loader, site, texts

SOON = Limits(load_seconds=3, settle_seconds=1, page_seconds=LONG)  # for what never ends
PATIENT = Limits(load_seconds=LONG, settle_seconds=LONG, page_seconds=LONG)  # only an event ends the wait


def _typed(content: bytes, kind: str) -> bytes:
    return reply(content, headers={"Content-Type": kind})


@pytest.mark.slow
def test_browser_renders_a_url() -> None:
    """A URL becomes a page with its own address, title, boxes and words, and the site sees our name."""
    with site({"/a": html("<title>Cameras</title><h1>EOS 5D</h1>")}) as here:
        page = shared_loader().load(here.url("/a"))
        assert (page.url, page.title, page.kind) == (here.url("/a"), "Cameras", "rendered")
        assert texts(page) == ["EOS 5D"]
        assert len(page.words) == 2
        assert page.notes == ()
        request = next(request for request in here.requests if request.target == "/a")
        assert request.headers["user-agent"].startswith("Sightline/")


@pytest.mark.parametrize("fragment", ["", "#part"])
def test_browser_keeps_fixed_boxes_at_the_top(fragment: str) -> None:
    """A fragment scrolls the page for its reader, but boxes are those of a page at its top."""
    body = "<div id=bar style='position:fixed;top:0;height:10px'>bar</div><p style='height:5000px'>x<p id=part>end"
    with site({"/": html(body)}) as here:
        page = shared_loader().load(here.url("/") + fragment)
        bar = page.box[page.with_tag("div")[0]]
        assert bar[1] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "kind", "words"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><text y='20'>drawn</text></svg>", "image/svg+xml", ["drawn"]),
        (b"<?xml version='1.0'?><a><b>data</b></a>", "application/xml", None),
        (b"plain words", "text/plain", ["plain words"]),
        (
            b"<html xmlns='http://www.w3.org/1999/xhtml'><body><p>strict</p></body></html>",
            "application/xhtml+xml",
            ["strict"],
        ),
    ],
)
def test_browser_reads_markup_of_other_kinds(content: bytes, kind: str, words: list[str] | None) -> None:
    """SVG, XML, plain text and XHTML are pages too."""
    with site({"/": _typed(content, kind)}) as here:
        page = shared_loader().load(here.url())
        assert words is None or texts(page) == words
        assert len(page) > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["image/png", "application/json", "application/octet-stream"])
def test_browser_refuses_what_is_no_page(kind: str) -> None:
    """An image, a file of data or a download is named as what it is."""
    with site({"/": _typed(b"\x00\x01\x02", kind)}) as here, pytest.raises(UnreadableError, match=kind):
        shared_loader().load(here.url())


@pytest.mark.slow
def test_pdf_behind_an_address_is_a_page() -> None:
    """What a browser would only offer to download is fetched and read; what only says that it is a PDF is refused."""
    content = (Path(__file__).parents[3] / "examples" / "instruments.pdf").read_bytes()
    answers = {"/x.pdf": _typed(content, "application/pdf"), "/no.pdf": _typed(b"\x00\x01\x02", "application/pdf")}
    with site(answers) as here:
        page = shared_loader().load(here.url("/x.pdf"))
        assert (page.kind, len(page.sheets), page.url) == ("pdf", 2, here.url("/x.pdf"))
        with pytest.raises(UnreadableError, match=r"no\.pdf"):
            shared_loader().load(here.url("/no.pdf"))


def test_browser_refuses_an_attachment() -> None:
    """A page that is to be saved instead of shown is a download, and is not saved anywhere."""
    answer = html("<p>x", headers={"Content-Disposition": "attachment; filename=x.html"})
    with site({"/": answer}) as here, pytest.raises(UnreadableError, match="download"):
        shared_loader().load(here.url())


@pytest.mark.parametrize("status", [404, 410, 500])
def test_browser_takes_an_error_status_for_an_error(status: int) -> None:
    """The page that comes with an error status is not extracted, whatever it looks like."""
    with site({"/": html("<p>Sorry", status)}) as here, pytest.raises(UnreachableError, match=str(status)) as caught:
        shared_loader().load(here.url())
    assert caught.value.source == here.url()


@pytest.mark.slow
@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b'{"error": "gone"}', "application/json"),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"PK\x03\x04", "application/zip"),
    ],
)
def test_an_error_status_is_told_whatever_comes_with_it(content: bytes, media_type: str, *, static: bool) -> None:
    """A 404 is a 404, also if its body is JSON, a picture or a download."""
    with site({"/": reply(content, 404, {"Content-Type": media_type})}) as here:
        loader = Loader(static=static, policy=shared_loader().policy)
        with pytest.raises(UnreachableError, match="status 404"):
            loader.load(here.url())


def test_browser_tells_an_answer_without_content() -> None:
    """Status 204 leaves the old page in place; we say so instead of reading that."""
    with site({"/": b"HTTP/1.1 204 No Content\r\n\r\n"}) as here, pytest.raises(UnreachableError, match="204"):
        shared_loader().load(here.url())


def test_browser_recognises_a_wall() -> None:
    """A log-in wall is no content."""
    wall = html("<title>Just a moment...</title>", 403, {"cf-mitigated": "challenge"})
    with site({"/": wall}) as here, pytest.raises(BlockedError):
        shared_loader().load(here.url())


def test_browser_obeys_robots() -> None:
    """A page that robots.txt forbids is not asked for."""
    routes = {"/robots.txt": _typed(b"User-agent: *\nDisallow: /", "text/plain"), "/x": html("x")}
    with site(routes) as here, pytest.raises(RefusedError, match=r"robots\.txt"):
        shared_loader().load(here.url("/x"))
    assert here.paths() == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "way",
    [
        redirect("/end"),
        html("<meta http-equiv=refresh content='0;url=/end'>"),
        html("<meta http-equiv=refresh content='0.3;url=/end'>"),
        html("<p>x<script>location.href = '/end'</script>"),
        html("<p>x<script>onload = () => location.replace('/end')</script>"),
        html("<p>x<script>setTimeout(() => location.assign('/end'), 20)</script>"),
        html("<form action=/end></form><script>document.forms[0].submit()</script>"),
    ],
)
def test_browser_follows_every_kind_of_redirect(way: bytes) -> None:
    """Headers, refresh tags and scripts all lead to the page that a person would end up on."""
    end = html("<title>End</title><p>arrived")
    with site({"/": way, "/end": end, "/end?": end}) as here:
        page = shared_loader().load(here.url())
        assert (page.title, texts(page)) == ("End", ["arrived"])
        assert page.url.startswith(here.url("/end"))
        assert page.notes == ()


def test_browser_stays_on_a_page_that_reloads_later() -> None:
    """A page that is to be renewed in an hour is complete now."""
    with site({"/": html("<meta http-equiv=refresh content=3600><p>news")}) as here:
        assert texts(shared_loader().load(here.url())) == ["news"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "way",
    [
        redirect("/"),
        html("<meta http-equiv=refresh content=0>"),
        html("<p>x<script>location.href = '/?' + Math.random()</script>"),
    ],
)
def test_browser_stops_a_circle_of_redirects(way: bytes) -> None:
    """A circle ends at the limit, whoever draws it."""

    async def anything(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(way)

    class Everywhere(dict[str, object]):
        def get(self, key: str, default: object = None) -> object:
            return default if key == "/robots.txt" else anything

    with site(Everywhere()) as here, pytest.raises(LimitError, match="redirects") as caught:  # type: ignore[arg-type]
        shared_loader(None, Limits(redirects=5, load_seconds=5)).load(here.url())
    assert caught.value.limit == "redirects"


@pytest.mark.slow
@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "data:text/html,<p>inside", "chrome://version", "javascript:1"]
)
def test_browser_follows_no_redirect_out_of_the_web(target: str) -> None:
    """Whatever a server answers, nothing but http(s) is opened."""
    with site({"/": redirect(target)}) as here, pytest.raises((UnreachableError, UnreadableError)):
        shared_loader(None, SOON).load(here.url())


def test_browser_names_a_host_that_does_not_resolve() -> None:
    """A name without an address is an error that says so."""
    with pytest.raises(UnreachableError, match=r"no-such-host\.invalid"):
        shared_loader(None, None, CrawlPolicy(robots=False)).load("http://no-such-host.invalid/")


@pytest.mark.slow
def test_browser_names_a_port_that_nobody_listens_on() -> None:
    """A refused connection is an error that says so."""
    with site({}) as here:
        url = here.url()
    with pytest.raises(UnreachableError, match="refuse"):
        shared_loader(None, None, CrawlPolicy(robots=False)).load(url)


@pytest.mark.slow
def test_browser_opens_a_page_whose_address_ends_like_a_film() -> None:
    """`/wiki/File:Song.ogg` is a page about a song, and blocking films must not block it."""
    routes = {"/File:a.ogg": html("<p>about"), "/short": redirect("/File:a.mp4"), "/File:a.mp4": html("<p>about")}
    with site(routes) as here:
        assert texts(shared_loader().load(here.url("/File:a.ogg"))) == ["about"]
        assert texts(shared_loader().load(here.url("/short"))) == ["about"]


def test_browser_answers_dialogs() -> None:
    """Questions and warnings of a page are clicked away, also one with half a character and one on leaving."""
    body = """<p id=p><script>alert('\\ud800'); confirm('really?'); prompt('name?'); print();
    onbeforeunload = event => { event.preventDefault(); return 'stay' }; p.textContent = 'done'</script>"""
    with site({"/": html(body), "/next": html("<p>next")}) as here:
        assert texts(shared_loader().load(here.url())) == ["done"]
        assert texts(shared_loader().load(here.url("/next"))) == ["next"]


def test_browser_opens_no_window_for_a_page() -> None:
    """Windows that a page opens do not open, so nothing of them is loaded."""
    body = "<p>x<a id=a target=_blank href=/two>l</a><script>window.open('/one'); a.click()</script>"
    with site({"/": html(body), "/one": html("1"), "/two": html("2")}) as here:
        shared_loader().load(here.url())
        assert asked(here) == ["/"]


@pytest.mark.slow
def test_browser_captures_a_page_that_never_stops_loading() -> None:
    """A body without end and an image without end are cut off at the limits, with a note."""

    async def endless(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<!doctype html><p>first")
        while True:
            writer.write(b"<p>more")
            await writer.drain()
            await asyncio.sleep(0.05)

    async def silent(_: Request, __: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    with site({"/": endless, "/image": html("<p>text<img src=/slow.png>"), "/slow.png": silent}) as here:
        page = shared_loader(None, SOON).load(here.url())
        assert texts(page)[0] == "first"
        assert any("still loading" in note for note in page.notes)
        page = shared_loader(None, SOON).load(here.url("/image"))
        assert texts(page) == ["text"]
        assert any("still loading" in note for note in page.notes)


@pytest.mark.slow
def test_browser_gives_up_on_a_site_that_does_not_answer() -> None:
    """A connection without an answer ends at load_seconds, and the message names page and setting."""

    async def silent(_: Request, __: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    with site({"/": silent, "/robots.txt": reply(b"", 404)}) as here:
        with pytest.raises(DeadlineError, match="load_seconds") as caught:
            shared_loader(None, SOON).load(here.url())
        assert caught.value.source == here.url()


@pytest.mark.slow
def test_browser_limits_the_bytes_of_a_document() -> None:
    """A document larger than allowed, on the wire or unpacked, is an error that names the limit."""
    large = b"<p>" + b"word " * 400_000
    packed = gzip.compress(large)
    routes = {
        "/large": reply(large),
        "/packed": reply(packed, headers={"Content-Encoding": "gzip"}),
    }
    limits = Limits(document_bytes=100_000, decoded_bytes=1_000_000)
    with site(routes) as here:
        with pytest.raises(LimitError, match="document_bytes"):
            shared_loader(None, limits).load(here.url("/large"))
        with pytest.raises(LimitError, match="decoded_bytes"):
            shared_loader(None, limits).load(here.url("/packed"))


@pytest.mark.slow
def test_browser_limits_the_parts_of_a_page() -> None:
    """Of a page that wants more parts than allowed, the rest is left out and a note says so."""
    next_one = "const i = new Image(); i.onerror = () => n < 1000 && want(n + 1); i.src = '/' + n"
    body = f"<p>text<script>function want(n) {{ {next_one} }}; want(1)</script>"
    with site({"/": html(body)}) as here:
        page = shared_loader(None, Limits(subresources=20, settle_seconds=3)).load(here.url())
        assert any("subresources" in note for note in page.notes)
        assert 20 <= len(here.paths()) < 1000


@pytest.mark.slow
def test_browser_limits_the_elements_of_a_page() -> None:
    """A page that makes more elements than allowed is an error that names the limit."""
    body = "<body><script>for (let i = 0; i < 3000; i++) document.body.append(document.createElement('i'))</script>"
    with site({"/": html(body)}) as here, pytest.raises(LimitError, match="nodes") as caught:
        shared_loader(None, Limits(nodes=1000)).load(here.url())
    assert caught.value.limit == "nodes"


def test_browser_ignores_connections_that_stay_open() -> None:
    """Event streams and sockets are open for good; a page with one has come to rest all the same."""

    async def stream(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
        await writer.drain()
        await asyncio.Event().wait()

    with site({"/": html("<p>text<script>new EventSource('/events')</script>"), "/events": stream}) as here:
        assert shared_loader(None, PATIENT).load(here.url()).notes == ()


def test_browser_waits_for_what_scripts_fetch() -> None:
    """Content that comes only after the load is part of the page."""
    script = "fetch('/data').then(r => r.text()).then(t => p.textContent = t); onload = () => fetch('/loaded')"

    async def after_the_load(_: Request, writer: asyncio.StreamWriter) -> None:
        await happened(lambda: "/loaded" in here.paths())
        writer.write(reply(b"fetched"))

    with site({"/": html(f"<p id=p>…<script>{script}</script>"), "/data": after_the_load}) as here:
        assert texts(shared_loader(None, PATIENT).load(here.url())) == ["fetched"]


def test_loader_names_each_failing_url_and_goes_on() -> None:
    """Of several URLs each has its own result, in order; errors stop no other."""
    with site({"/a": html("<p>a"), "/b": html("gone", 410), "/c": html("<p>c")}) as here, Loader() as loader:
        found = list(loader.load_all([here.url("/a"), here.url("/b"), "nowhere.html", here.url("/c")]))
    assert [one.source.rpartition("/")[2] for one in found] == ["a", "b", "nowhere.html", "c"]
    assert [type(one.error).__name__ for one in found] == [
        "NoneType",
        "UnreachableError",
        "UnreachableError",
        "NoneType",
    ]
