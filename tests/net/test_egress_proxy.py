"""The browser's way out in server use: what passes, what does not, and what it survives."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from typing import TypeVar

import httpx2
import pytest

from sightline.net import _egress_proxy
from sightline.net._addresses import Resolver
from sightline.net._document import Limits
from sightline.net._egress_proxy import EgressProxy

from .._server import Handler, Request, Site, redirect, reply, serve
from .._wait import BOUND, happened

T = TypeVar("T")
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")


def _resolver() -> Resolver:
    """Let `public.example` stand for the internet: it lies on 127.0.0.1, which no other name may reach."""

    async def lookup(host: str, _port: int) -> list[str]:
        return ["127.0.0.1"] if host == "public.example" else [host if host[0].isdigit() else "10.0.0.1"]

    class Named(Resolver):
        async def resolve(self, host: str, port: int, *, source: str) -> list[str]:
            self._allowed = lambda _address: host == "public.example"
            return await super().resolve(host, port, source=source)

    return Named(public_only=True, lookup=lookup)


def through(
    routes: dict[str, Handler],
    work: Callable[[EgressProxy, Site], Awaitable[T]],
    limits: Limits | None = None,
    *,
    bodies: bool = False,
) -> T:
    """Run a gateway before a site and let `work` use both; with `bodies` the site reads them before it answers."""

    async def run() -> T:
        async with serve(routes, bodies=bodies) as site, EgressProxy(limits, resolver=_resolver()) as gateway:
            return await work(gateway, site)

    return asyncio.run(run())


async def _get(gateway: EgressProxy, url: str, *, follow: bool = False) -> httpx2.Response:
    async with httpx2.AsyncClient(proxy=gateway.url, trust_env=False, follow_redirects=follow) as client:
        return await client.get(url)


def test_gateway_passes_plain_requests_on() -> None:
    """A request reaches the site by path, under its own name and without the proxy's headers."""

    async def work(gateway: EgressProxy, site: Site) -> tuple[httpx2.Response, Request, int]:
        answer = await _get(gateway, f"http://public.example:{site.port}/a?b")
        return answer, site.requests[0], gateway.traffic.bytes_down

    answer, request, down = through({"/a?b": reply(b"found", headers={"Keep-Alive": "5"})}, work)
    assert (answer.status_code, answer.content) == (200, b"found")
    assert request.target == "/a?b"
    assert request.headers["host"].startswith("public.example:")
    assert request.headers["connection"] == "close"
    assert not [name for name in request.headers if name.startswith("proxy")]
    assert answer.headers["connection"] == "close"
    assert down > 5


def test_gateway_passes_bodies_on() -> None:
    """What a page posts arrives whole."""
    received: list[bytes] = []

    async def sink(request: Request, writer: asyncio.StreamWriter) -> None:
        received.append(request.headers["content-length"].encode())
        writer.write(reply(b"thanks"))

    async def work(gateway: EgressProxy, site: Site) -> bytes:
        async with httpx2.AsyncClient(proxy=gateway.url, trust_env=False) as client:
            return (await client.post(f"http://public.example:{site.port}/", content=b"x" * 1000)).content

    assert (through({"/": sink}, work), received) == (b"thanks", [b"1000"])


@pytest.mark.parametrize("size", [1_000, 3_000_000])
def test_gateway_sends_a_body_before_the_answer_comes(size: int) -> None:
    """Most servers read the whole of a form before they answer; none of it waits for that answer."""
    received: list[int] = []

    async def sink(request: Request, writer: asyncio.StreamWriter) -> None:
        received.append(len(request.body))
        writer.write(reply(b"thanks"))

    async def work(gateway: EgressProxy, site: Site) -> bytes:
        async with httpx2.AsyncClient(proxy=gateway.url, trust_env=False, timeout=BOUND) as client:
            return (await client.post(f"http://public.example:{site.port}/", content=b"x" * size)).content

    assert (through({"/": sink}, work, bodies=True), received) == (b"thanks", [size])


def test_gateway_opens_tunnels() -> None:
    """CONNECT gives a raw connection in both directions, as https and WebSockets need."""

    async def work(gateway: EgressProxy, site: Site) -> bytes:
        reader, writer = await _connect(gateway)
        writer.write(f"CONNECT public.example:{site.port} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        writer.write(b"GET /t HTTP/1.1\r\nHost: y\r\n\r\n")
        content = await reader.read()
        writer.close()
        await writer.wait_closed()
        return content

    assert through({"/t": reply(b"through")}, work).endswith(b"through")


async def _connect(gateway: EgressProxy) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", int(gateway.url.rpartition(":")[2]))


async def _say(gateway: EgressProxy, data: bytes) -> bytes:
    reader, writer = await _connect(gateway)
    writer.write(data)
    try:
        return await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()


def test_gateway_switches_protocols() -> None:
    """A WebSocket over plain http is upgraded and then carries raw bytes."""

    async def upgrade(request: Request, writer: asyncio.StreamWriter) -> None:
        assert request.headers["connection"] == "Upgrade"
        writer.write(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nframes")

    async def work(gateway: EgressProxy, site: Site) -> bytes:
        head = f"GET http://public.example:{site.port}/ws HTTP/1.1\r\nHost: x\r\n"
        return await _say(gateway, head.encode() + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n")

    answer = through({"/ws": upgrade}, work)
    assert b"Upgrade: websocket" in answer
    assert answer.endswith(b"frames")


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "10.0.0.1", "169.254.169.254", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "intra"]
)
def test_gateway_refuses_private_targets(host: str) -> None:
    """Requests and tunnels to private addresses get 403 and no connection."""

    async def work(gateway: EgressProxy, site: Site) -> tuple[bytes, bytes, int, int]:
        plain = await _say(gateway, f"GET http://{host}:{site.port}/ HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        tunnel = await _say(gateway, f"CONNECT {host}:{site.port} HTTP/1.1\r\n\r\n".encode())
        return plain, tunnel, site.connections, gateway.traffic.refused

    plain, tunnel, connections, refused = through({"/": reply(b"secret")}, work)
    assert plain == tunnel
    assert plain.startswith(b"HTTP/1.1 403")
    assert (connections, refused) == (0, 2)


def test_gateway_checks_every_redirect() -> None:
    """Each hop is a request of its own, so a redirect to a private address ends at 403."""

    async def work(gateway: EgressProxy, site: Site) -> tuple[int, list[str]]:
        answer = await _get(gateway, f"http://public.example:{site.port}/", follow=True)
        return answer.status_code, site.paths()

    assert through({"/": redirect("http://127.0.0.1:8000/secret")}, work) == (403, ["/"])


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET /origin-form HTTP/1.1\r\n\r\n", b"403"),
        (b"GET file:///etc/passwd HTTP/1.1\r\n\r\n", b"403"),
        (b"CONNECT public.example HTTP/1.1\r\n\r\n", b"400"),
        (b"CONNECT public.example:22 HTTP/1.1\r\n\r\n", b"403"),
        (b"CONNECT user@public.example:443 HTTP/1.1\r\n\r\n", b"400"),
        (b"CONNECT public.example:99999 HTTP/1.1\r\n\r\n", b"403"),
        (b"GET http://public.example:1234/ HTTP/1.1\r\n\r\n", b"502"),
        (b"GET http://public.example/ HTTP/1.1\r\n" + b"X: " + b"y" * 200_000 + b"\r\n\r\n", b"431"),
    ],
)
def test_gateway_answers_bad_requests(data: bytes, status: bytes) -> None:
    """Whatever is no proper request to a proxy gets an error status and is closed."""

    async def work(gateway: EgressProxy, _site: Site) -> bytes:
        return await _say(gateway, data)

    assert through({}, work).split(b" ")[1] == status


BEGUN = b"GET http://public.example/ HT"


def test_gateway_ends_slow_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that does not finish its request is cut off, and others are served meanwhile."""
    monkeypatch.setattr(_egress_proxy, "_HEAD_SECONDS", BOUND)

    async def work(gateway: EgressProxy, site: Site) -> tuple[int, bool, bytes]:
        slow = asyncio.create_task(_say(gateway, BEGUN))
        answer = await _get(gateway, f"http://public.example:{site.port}/")
        waits = not slow.done()
        slow.cancel()
        await asyncio.gather(slow, return_exceptions=True)
        monkeypatch.setattr(_egress_proxy, "_HEAD_SECONDS", 0.1)
        return answer.status_code, waits, await _say(gateway, BEGUN)

    status, waits, cut_off = through({"/": reply(b"x")}, work)
    assert (status, waits, cut_off.split(b" ")[1]) == (200, True, b"408")


def test_gateway_ends_endless_answers() -> None:
    """A connection carries no more bytes than a document may have."""

    async def endless(_request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x" * 65_536)
            await writer.drain()

    async def work(gateway: EgressProxy, site: Site) -> int:
        return len(await _say(gateway, f"GET http://public.example:{site.port}/ HTTP/1.1\r\n\r\n".encode()))

    assert 500_000 < through({"/": endless}, work, Limits(decoded_bytes=500_000)) < 1_000_000


def test_gateway_closes_with_connections_open() -> None:
    """Closing ends waiting clients instead of waiting for them."""

    async def work(gateway: EgressProxy, _site: Site) -> bytes:
        reader, writer = await _connect(gateway)
        await happened(lambda: gateway.traffic.connections)
        await gateway.close()
        content = await reader.read()
        writer.close()
        await writer.wait_closed()
        return content

    assert through({}, work) == b""


PAGE = """<!doctype html><title>start</title><p id=x>page</p>
<img src="http://127.0.0.1:{port}/img"><iframe src="http://localhost:{port}/frame"></iframe>
<link rel=stylesheet href="http://[::1]:{port}/css"><link rel=prefetch href="http://127.0.0.1:{port}/prefetch">
<script>fetch("http://127.0.0.1:{port}/fetch").catch(() => 0); new WebSocket("ws://127.0.0.1:{port}/ws");
navigator.sendBeacon("http://127.0.0.1:{port}/beacon"); fetch("/hop").catch(() => 0);
new RTCPeerConnection({{iceServers: [{{urls: "turn:127.0.0.1:{port}?transport=tcp", username: "u", credential: "c"}}]}})
  .createDataChannel("x");</script>"""


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
def test_gateway_keeps_a_browser_away_from_loopback() -> None:
    """A page that tries every way to reach a listener on this machine makes no connection to it."""

    async def run() -> tuple[bytes, int, list[str]]:
        async with serve({}) as canary:
            page = reply(PAGE.format(port=canary.port).encode())
            hop = redirect(f"http://127.0.0.1:{canary.port}/hop")
            async with serve({"/": page, "/hop": hop}) as site, EgressProxy(resolver=_resolver()) as gateway:
                url = f"http://public.example:{site.port}/"
                return await _dump(gateway, url), canary.connections, site.paths()

    content, connections, paths = asyncio.run(run())
    assert b"page" in content
    assert connections == 0
    assert {"/", "/hop"} <= set(paths)


async def _dump(gateway: EgressProxy, url: str) -> bytes:
    assert CHROMIUM is not None
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", "--dump-dom"]
    process = await asyncio.create_subprocess_exec(
        CHROMIUM,
        *flags,
        *gateway.browser_arguments,
        url,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    async with asyncio.timeout(BOUND):
        return (await process.communicate())[0]
