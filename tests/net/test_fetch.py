"""Fetching over real sockets: redirects, limits, bombs, slow and lying servers."""

import asyncio
import gzip
import shutil
import ssl
import subprocess
import tracemalloc
import zlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import brotli
import pytest
import zstandard

from sightline.errors import (
    DeadlineError,
    LimitError,
    RefusedError,
    SourceError,
    UnreachableError,
    UnreadableError,
)
from sightline.net._addresses import Resolver
from sightline.net._document import CrawlPolicy, Document, Limits
from sightline.net._request_policy import Fetcher, RequestPolicy

from .._server import Handler, Request, Site, redirect, reply, serve, serve_from_thread

MB = 1_000_000
POLITE = CrawlPolicy(delay=0)


def fetch(
    routes: dict[str, Handler],
    path: str = "/",
    limits: Limits | None = None,
    policy: CrawlPolicy = POLITE,
    resolver: Resolver | None = None,
) -> tuple[Document | SourceError, Site]:
    """Serve the routes, fetch one path, and give the document or the error."""

    async def run() -> tuple[Document | SourceError, Site]:
        async with serve(routes) as site, RequestPolicy(limits, policy, resolver=resolver) as requests:
            url = site.url(path) if path.startswith("/") else path.replace("PORT", str(site.port))
            try:
                return await Fetcher(requests).fetch(url), site
            except SourceError as error:
                return error, site

    return asyncio.run(run())


def fetched(routes: dict[str, Handler], path: str = "/", limits: Limits | None = None) -> Document:
    """Give the document, which must have come."""
    document, _ = fetch(routes, path, limits)
    assert isinstance(document, Document), document
    return document


def test_fetch_gives_content_and_what_is_known_of_it() -> None:
    """Bytes, type, charset, status and headers arrive as they were sent, under our own name."""
    document, site = fetch({"/": reply(b"<p>x", headers={"Content-Type": "text/html; charset=koi8-r", "X-A": "b"})})
    assert isinstance(document, Document)
    assert (document.content, document.media_type, document.charset) == (b"<p>x", "text/html", "koi8-r")
    assert (document.status, document.header("x-a"), document.notes) == (200, "b", ())
    page = site.requests[-1]
    assert page.headers["user-agent"].startswith("Sightline/")
    assert "cookie" not in page.headers
    assert "authorization" not in page.headers


def test_fetch_returns_error_pages_with_their_status() -> None:
    """A 404 is a document whose status says so."""
    assert fetched({}).status == 404


CODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}


def _raw_deflate(content: bytes) -> bytes:
    return zlib.compress(content)[2:-4]


@pytest.mark.parametrize("coding", sorted(CODERS))
def test_fetch_undoes_every_coding(coding: str) -> None:
    """What a server may compress with is undone."""
    content = b"<p>" + b"some words " * 100_000
    assert fetched({"/": reply(CODERS[coding](content), headers={"Content-Encoding": coding})}).content == content


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (gzip.compress(brotli.compress(b"<p>twice"), mtime=0), "br, gzip"),
        (_raw_deflate(b"<p>twice"), "deflate"),
        (gzip.compress(b"<p>", mtime=0) + gzip.compress(b"twice", mtime=0), "gzip"),
        (zstandard.compress(b"<p>") + zstandard.compress(b"twice"), "zstd"),
        (gzip.compress(b"<p>twice", mtime=0) + b"\0\0\0", "gzip"),
        (b"<p>twice", "identity"),
        (b"<p>twice", "nonsense"),
    ],
)
def test_fetch_undoes_odd_codings(body: bytes, coding: str) -> None:
    """Double, raw, joined and unknown codings are read as browsers read them."""
    assert fetched({"/": reply(body, headers={"Content-Encoding": coding})}).content == b"<p>twice"


BOMBS = {
    "gzip": lambda: gzip.compress(b"\0" * 100 * MB),
    "deflate": lambda: zlib.compress(b"\0" * 100 * MB),
    "br": lambda: brotli.compress(b"\0" * 100 * MB, quality=1),
    "zstd": lambda: zstandard.compress(b"\0" * 100 * MB),
    "gzip, gzip": lambda: gzip.compress(gzip.compress(b"\0" * 100 * MB)),
    "br, gzip": lambda: gzip.compress(brotli.compress(b"\0" * 100 * MB, quality=1)),
}


@pytest.mark.slow
@pytest.mark.parametrize("coding", sorted(BOMBS))
def test_fetch_stops_bombs_by_counting(coding: str) -> None:
    """A bomb is a LimitError, and takes less than twice the limit of memory."""
    answer = reply(BOMBS[coding](), headers={"Content-Encoding": coding})
    limits = Limits(decoded_bytes=8 * MB)
    fetch({"/": reply(b"warm")})
    tracemalloc.start()
    try:
        error, _ = fetch({"/": answer}, limits=limits)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert isinstance(error, LimitError), error
    assert error.limit == "decoded_bytes"
    assert peak < 2 * limits.decoded_bytes, peak


def test_fetch_refuses_many_layers() -> None:
    """More layers of compression than any server uses are a limit reached."""
    body = b"x"
    for _ in range(5):
        body = gzip.compress(body)
    error, _ = fetch({"/": reply(body, headers={"Content-Encoding": ", ".join(["gzip"] * 5)})})
    assert isinstance(error, LimitError)


def test_fetch_counts_bytes_on_the_wire() -> None:
    """A document larger than the limit is refused with the setting's name."""
    error, _ = fetch({"/": reply(b"x" * 3 * MB)}, limits=Limits(document_bytes=2 * MB))
    assert isinstance(error, LimitError)
    assert (error.limit, "2 MB" in str(error)) == ("document_bytes", True)


async def _forever(_request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"x" * 100)
        await writer.drain()
        await asyncio.sleep(0)


async def _slow_head(_request: Request, writer: asyncio.StreamWriter) -> None:
    for byte in b"HTTP/1.1 200 OK\r\nX: " + b"y" * 1_000_000:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.01)


async def _silence(_request: Request, _writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize("handler", [_forever, _slow_head, _silence])
def test_fetch_ends_slow_servers_at_the_deadline(
    handler: Callable[[Request, asyncio.StreamWriter], Awaitable[None]],
) -> None:
    """Endless bodies, slow heads and silence end when the time to load is over."""
    error, _ = fetch({"/": handler}, limits=Limits(load_seconds=0.4), policy=CrawlPolicy(delay=0, robots=False))
    assert isinstance(error, DeadlineError)
    assert "load_seconds" in str(error)


@pytest.mark.parametrize(
    ("answer", "content", "noted"),
    [
        (reply(b"<p>short", length=5_000), b"<p>short", True),
        (reply(b"<p>long, and more", length=7), b"<p>long", False),
        (
            reply(gzip.compress(b"<p>" + bytes(range(256)) * 400)[:2_00], headers={"Content-Encoding": "gzip"}),
            b"",
            True,
        ),
    ],
)
def test_fetch_tolerates_lies_about_the_length(answer: bytes, content: bytes, noted: bool) -> None:
    """What came is kept, and what is missing is noted."""
    document = fetched({"/": answer})
    assert document.content.startswith(content or b"<p>")
    assert bool(document.notes) is noted


def test_fetch_refuses_broken_compression() -> None:
    """Bytes that are not what Content-Encoding says are unreadable, not empty."""
    error, _ = fetch({"/": reply(b"<p>plain", headers={"Content-Encoding": "br"})})
    assert isinstance(error, UnreadableError)


def test_fetch_follows_redirects_by_hand() -> None:
    """Every kind of redirect is followed, relative ones too, and the last address is kept."""
    routes: dict[str, Handler] = {
        "/": redirect("a", 301),
        "/a": redirect("/b?x=1", 303),
        "/b?x=1": redirect("c", 308),
        "/c": reply(b"end"),
    }
    document, site = fetch(routes)
    assert isinstance(document, Document)
    assert (document.content, document.url) == (b"end", site.url("/c"))
    assert site.paths() == ["/", "/a", "/b?x=1", "/c"]


def test_fetch_names_redirect_loops() -> None:
    """A circle of redirects is named and ended at once."""
    error, site = fetch({"/": redirect("/a"), "/a": redirect("/b"), "/b": redirect("/a")})
    assert isinstance(error, UnreachableError)
    assert str(error).count("/a") == 2
    assert len(site.paths()) == 3


def test_fetch_limits_redirects() -> None:
    """After as many redirects as allowed the next is an error, and no further request is made."""
    routes: dict[str, Handler] = {f"/{n}": redirect(f"/{n + 1}") for n in range(60)}
    error, site = fetch(routes, "/0")
    assert isinstance(error, LimitError)
    assert (error.limit, len(site.paths())) == ("redirects", 21)


@pytest.mark.parametrize("target", ["file:///etc/passwd", "data:text/html,x", "//user@127.0.0.1/"])
def test_fetch_checks_every_hop(target: str) -> None:
    """A redirect is admitted like an address that the user names."""
    error, _ = fetch({"/": redirect("/a"), "/a": redirect(target)})
    assert isinstance(error, RefusedError)


def test_fetch_sends_nothing_private_to_another_origin() -> None:
    """Cookies that one answer sets are sent to nobody."""

    async def run() -> list[dict[str, str]]:
        async with serve({"/": reply(b"end")}) as other:
            hop = reply(status=302, headers={"Location": other.url(), "Set-Cookie": "secret=1; Path=/"})
            async with serve({"/": hop}) as site, RequestPolicy(None, POLITE) as requests:
                await Fetcher(requests).fetch(site.url())
            return [request.headers for request in other.requests + site.requests]

    assert not any("cookie" in headers or "authorization" in headers for headers in asyncio.run(run()))


def test_fetch_reports_what_cannot_be_reached() -> None:
    """Nothing listening and an answer that is no HTTP are unreachable."""

    async def garbage(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"\x00\x01 what?\r\n\r\n")

    for error, _ in (
        fetch({}, "http://127.0.0.1:9999/"),
        fetch({"/": garbage}),
    ):
        assert isinstance(error, UnreachableError), error
        assert str(error).endswith(".")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl to make a certificate with")
def test_fetch_verifies_certificates(tmp_path: Path) -> None:
    """A certificate that nobody vouches for is refused before anything is sent."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    )
    subprocess.run([*command.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)

    async def run() -> tuple[SourceError, int]:
        async with serve({"/": reply(b"secret")}, context) as site, RequestPolicy(None, POLITE) as requests:
            with pytest.raises(UnreachableError) as caught:
                await Fetcher(requests).fetch(site.url().replace("http:", "https:"))
            return caught.value, len(site.requests)

    error, requests = asyncio.run(run())
    assert "certificate" in str(error).lower()
    assert requests == 0


# -- server use ----------------------------------------------------------------------------------------------------

SERVER = CrawlPolicy(delay=0, public_only=True)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0x7f.1", "[::ffff:127.0.0.1]", "[::1]", "0"])
def test_fetch_in_server_use_never_reaches_loopback(host: str) -> None:
    """No spelling of the loopback address makes a connection, and all get the same answer."""
    error, site = fetch({"/": reply(b"secret")}, f"http://{host}:PORT/", policy=SERVER)
    assert isinstance(error, RefusedError)
    assert (error.problem, site.connections) == (Resolver.OPAQUE, 0)


def _resolver(table: dict[str, list[str]]) -> Resolver:
    """Look names up in a table; only 127.0.0.1 counts as public, which stands for the internet here."""

    async def lookup(host: str, _port: int) -> list[str]:
        answers = table.get(host, [host])
        return [answers.pop(0)] if len(answers) > 1 else answers

    return Resolver(public_only=True, lookup=lookup, allowed=lambda address: address == "127.0.0.1")


def test_fetch_in_server_use_dials_the_checked_address() -> None:
    """The name goes into Host, the connection to the address that was checked."""
    routes: dict[str, Handler] = {"/": reply(b"found")}
    document, site = fetch(
        routes, "http://site.example:PORT/", policy=SERVER, resolver=_resolver({"site.example": ["127.0.0.1"]})
    )
    assert isinstance(document, Document), document
    assert document.content == b"found"
    assert {request.headers["host"] for request in site.requests} == {f"site.example:{site.port}"}


def test_fetch_in_server_use_survives_rebinding() -> None:
    """A name that is public when checked and private when dialled again is refused, not dialled."""
    answers = {"rebind.example": ["127.0.0.1", "127.0.0.2"]}
    error, site = fetch({}, "http://rebind.example:PORT/", policy=SERVER, resolver=_resolver(answers))
    assert isinstance(error, RefusedError)
    assert site.connections == 0


@pytest.mark.parametrize("middle", ["http://10.0.0.1/", "http://private.example/", "http://169.254.169.254/"])
def test_fetch_in_server_use_checks_every_hop(middle: str) -> None:
    """A redirect to a private address is refused, also in the middle of a chain."""
    table = {"site.example": ["127.0.0.1"], "private.example": ["192.168.1.1"]}
    error, site = fetch({"/": redirect(middle)}, "http://site.example:PORT/", policy=SERVER, resolver=_resolver(table))
    assert isinstance(error, RefusedError)
    assert error.problem == Resolver.OPAQUE
    assert site.paths() == ["/"]


def asked(site: Site, path: str, **sent: Any) -> Document:
    """Fetch one path of a site that is served elsewhere."""

    async def run() -> Document:
        async with RequestPolicy(None, POLITE) as requests:
            return await Fetcher(requests).fetch(site.url(path), **sent)

    return asyncio.run(run())


def test_what_is_posted_goes_to_one_address_with_its_headers() -> None:
    """A redirect of it is an error, as it may do something else there."""
    routes: dict[str, Handler] = {"/api": reply(b"[1]"), "/away": redirect("/api", 307)}
    with serve_from_thread(routes, bodies=True) as site:
        found = asked(site, "/api", headers={"x-token": "t"}, posted=b'{"a": 1}')
        with pytest.raises(UnreachableError, match="redirects what is posted"):
            asked(site, "/away", posted=b"{}")
        (request, _) = (one for one in site.requests if one.method == "POST")
    assert found.content == b"[1]"
    assert (request.body, request.headers["x-token"]) == (b'{"a": 1}', "t")


def test_headers_of_one_request_stay_at_its_origin() -> None:
    """Where it is redirected to another one, they are left out."""
    with serve_from_thread({"/x": reply(b"x")}) as other, serve_from_thread({"/x": redirect(other.url("/x"))}) as site:
        asked(site, "/x", headers={"x-token": "t"})
    assert [one.headers.get("x-token") for one in site.requests if one.path == "/x"] == ["t"]
    assert [one.headers.get("x-token") for one in other.requests if one.path == "/x"] == [None]
