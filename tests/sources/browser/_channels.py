"""Every way in which a page can make its browser send something, each to a listener of its own."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from string import Template

from ..._server import Handler, Request
from ..._wait import happened

__all__ = ["CHANNELS", "HOLD_SECONDS", "Canaries", "Channel", "answers", "canaries", "markup"]

HOLD_SECONDS = 3.0  # how long the page below stays busy; on an idle machine every channel is used within 2 s


@dataclass(frozen=True)
class Channel:
    """One way out: markup in which `$host` stands for the address of its listener, `$port` for its port."""

    name: str
    markup: str
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def used(self) -> bool:
        """Whether an unprotected browser, headless shell or full, gets through here."""
        return self.name not in UNUSED


def _script(name: str, source: str) -> Channel:
    """A channel used by a script; what it throws concerns only itself."""
    return Channel(name, "<script>(async () => {" + source + "})().catch(() => 0)</script>")


def _ice(name: str, server: str) -> Channel:
    """A channel that WebRTC opens when it looks for its own address."""
    return _script(
        name,
        "const peer = new RTCPeerConnection({iceServers: [{urls: '" + server + "', username: 'u', credential: 'c'}]});"
        "peer.createDataChannel('x'); await peer.setLocalDescription(await peer.createOffer());"
        "window.kept_$port = peer",
    )


def _rules(name: str, action: str, options: str = "") -> Channel:
    rule = f'{{"urls": ["http://$host/rule"], "eagerness": "immediate"{options}}}'
    return Channel(name, f'<script type="speculationrules">{{"{action}": [{rule}]}}</script>')


CHANNELS = (
    Channel("image", "<img src=http://$host/i.png>"),
    Channel("image set", "<img srcset='http://$host/i.png 1x'>"),
    Channel("background", "<p style='background: url(http://$host/i.png)'>b</p>"),
    Channel("style sheet", "<link rel=stylesheet href=http://$host/s.css>"),
    Channel("style import", "<style>@import 'http://$host/s.css';</style>"),
    Channel(
        "font",
        "<style>@font-face { font-family: f$port; src: url(http://$host/f) }</style>"
        "<p style='font-family: f$port'>f</p>",
    ),
    Channel("script", "<script async src=http://$host/s.js></script>"),
    _script("module", "await import('http://$host/m.js')"),
    Channel("svg use", "<svg><image href=http://$host/i.svg /></svg>"),
    Channel("frame", "<iframe src=http://$host/f></iframe>"),
    Channel("object", "<object data=http://$host/o></object>"),
    Channel("embedded pdf", "<embed type=application/pdf src=http://$host/p.pdf>"),
    Channel("video", "<video src=http://$host/v autoplay muted></video>"),
    Channel(
        "fenced frame",
        "<script>try { const f = document.createElement('fencedframe'); document.body.append(f);"
        "f.config = new FencedFrameConfig('http://$host/f') } catch (e) { }</script>",
    ),
    Channel("favicon", "<link rel=icon href=http://$host/i.ico>"),
    Channel("manifest", "<link rel=manifest href=http://$host/m.json>"),
    _script("fetch", "await fetch('http://$host/f', {mode: 'no-cors'})"),
    _script("fetch kept alive", "await fetch('http://$host/f', {mode: 'no-cors', keepalive: true})"),
    _script("fetch later", "fetchLater('http://$host/f', {activateAfter: 0})"),
    _script(
        "XMLHttpRequest", "const request = new XMLHttpRequest(); request.open('GET', 'http://$host/x'); request.send()"
    ),
    _script("beacon", "navigator.sendBeacon('http://$host/b', 'x')"),
    Channel(
        "ping",
        "<iframe name=void></iframe><a id=ping$port href=about:blank target=void ping=http://$host/p>p</a>"
        "<script>ping$port.click()</script>",
    ),
    Channel(
        "form",
        "<iframe name=form$port></iframe><form id=f$port target=form$port method=post action=http://$host/f></form>"
        "<script>f$port.submit()</script>",
    ),
    _script("new window", "window.open('http://$host/w')"),
    Channel(
        "download", '<iframe srcdoc="<a id=d download href=http://$host/d>d</a><script>d.click()</script>"></iframe>'
    ),
    _script("event stream", "new EventSource('http://$host/e')"),
    _script("WebSocket", "new WebSocket('ws://$host/w')"),
    _script("WebSocket stream", "new WebSocketStream('ws://$host/w')"),
    _script("WebTransport", "new WebTransport('https://$host/t')"),
    _ice("WebRTC, STUN", "stun:$host"),
    _ice("WebRTC, TURN over UDP", "turn:$host"),
    _ice("WebRTC, TURN over TCP", "turn:$host?transport=tcp"),
    _ice("WebRTC, TURN over TLS", "turns:$host?transport=tcp"),
    Channel("prefetch", "<link rel=prefetch href=http://$host/p>"),
    Channel("preload", "<link rel=preload as=image href=http://$host/p>"),
    Channel("module preload", "<link rel=modulepreload href=http://$host/p.js>"),
    Channel("DNS prefetch", "<link rel=dns-prefetch href=http://name-$port.example/>"),
    Channel("preconnect", "<link rel=preconnect href=http://$host/>"),
    Channel("old prerender", "<link rel=prerender href=http://$host/>"),
    Channel("compression dictionary", "<link rel=compression-dictionary href=http://$host/d>"),
    _rules("speculative prefetch", "prefetch"),
    _rules("anonymous prefetch", "prefetch", ', "requires": ["anonymous-client-ip-when-cross-origin"]'),
    _rules("prerender", "prerender"),
    _rules("prerender until script", "prerender_until_script"),
    _script("worker", "new Worker(URL.createObjectURL(new Blob([\"fetch('http://$host/w', {mode: 'no-cors'})\"])))"),
    _script(
        "shared worker",
        "new SharedWorker(URL.createObjectURL(new Blob([\"fetch('http://$host/w', {mode: 'no-cors'})\"])))",
    ),
    _script("service worker", "await navigator.serviceWorker.register('/worker.js?$host')"),
    _script("worklet", "await CSS.paintWorklet.addModule('http://$host/w.js')"),
    _script(
        "background fetch",
        "const ready = await navigator.serviceWorker.register('/idle.js');"
        "await navigator.serviceWorker.ready; await ready.backgroundFetch.fetch('x$port', ['http://$host/b'])",
    ),
    _script(
        "payment",
        "await new PaymentRequest([{supportedMethods: 'https://$host/p'}],"
        "{total: {label: 'x', amount: {currency: 'EUR', value: '1'}}}).canMakePayment()",
    ),
    _script(
        "federated log-in",
        "await navigator.credentials.get({identity:{providers: [{configURL: 'https://$host/c.json', clientId: '1'}]}})",
    ),
    _script(
        "advertisement auction",
        "await navigator.joinAdInterestGroup({owner: 'https://$host', name: 'x',"
        "biddingLogicURL: 'https://$host/b.js', updateURL: 'https://$host/u'}, 1000);"
        "await navigator.runAdAuction({seller: 'https://$host', decisionLogicURL: 'https://$host/d.js',"
        "interestGroupBuyers: ['https://$host']})",
    ),
    Channel("attribution", "<img attributionsrc=http://$host/a>"),
    Channel(
        "policy report",
        "<img src=http://refused.invalid/csp>",
        (("Content-Security-Policy-Report-Only", "img-src 'none'; report-uri http://$host/r"),),
    ),
    Channel(
        "report",
        "<style>@font-face { font-family: r; src: url(/r.woff) }</style><p style='font-family: r'>r</p>",
        (
            ("Reporting-Endpoints", 'default="https://$host/r", x$port="https://$host/r"'),
            ("Content-Security-Policy-Report-Only", "font-src 'none'; report-to x$port"),
        ),
    ),
    Channel(
        "network error log",
        "<img src=/missing.png>",
        (
            ("Report-To", '{"group": "n$port", "max_age": 9, "endpoints": [{"url": "https://$host/n"}]}'),
            ("NEL", '{"report_to": "n$port", "max_age": 9, "success_fraction": 1.0}'),
        ),
    ),
    Channel("link header", "", (("Link", "<http://$host/l.css>; rel=preload; as=style"),)),
    Channel(
        "refresh in a frame", "<iframe srcdoc=\"<meta http-equiv=refresh content='0;url=http://$host/'>\"></iframe>"
    ),
    Channel(
        "subtitles",
        "<video crossorigin><track default kind=subtitles src=http://$host/t.vtt></video>"
        "<script>document.querySelector('track[src*=\"$port\"]').track.mode = 'showing'</script>",
    ),
    Channel("mask", "<p style='mask-image: url(http://$host/m.svg)'>m</p>"),
)


# Turned off by our flags (`fetch later` to `federated log-in`), or not done by a browser without a window or for a site
# without a certificate. They are tried all the same: the next version may do them.
UNUSED = frozenset(
    (
        *("embedded pdf", "fenced frame", "favicon", "manifest", "new window", "preconnect", "old prerender"),
        *("anonymous prefetch", "prerender until script", "advertisement auction", "attribution", "report"),
        *("DNS prefetch", "network error log", "WebRTC, STUN", "WebRTC, TURN over UDP"),
        *("fetch later", "background fetch", "payment", "federated log-in"),
    )
)


@dataclass
class Canaries:
    """The listeners: where each channel's is, and how often anything arrived there."""

    ports: dict[str, int] = field(default_factory=dict)
    hits: dict[str, int] = field(default_factory=dict)

    def hit(self) -> list[str]:
        """The channels through which something arrived."""
        return [name for name, count in self.hits.items() if count]

    def filled(self, channel: Channel, text: str) -> str:
        """A text of the channel with its own listener in it."""
        port = self.ports[channel.name]
        return Template(text).safe_substitute(host=f"127.0.0.1:{port}", port=port)


@asynccontextmanager
async def canaries() -> AsyncIterator[Canaries]:
    """Listen for TCP and UDP on one port for each channel; nothing is answered."""
    found = Canaries()
    servers: list[asyncio.AbstractServer] = []
    transports: list[asyncio.DatagramTransport] = []
    loop = asyncio.get_running_loop()
    try:
        for channel in CHANNELS:
            arrived = _counting(found, channel.name)
            server = await asyncio.start_server(lambda _, writer, arrived=arrived: arrived(writer), sock=_both())
            servers.append(server)
            port = found.ports[channel.name] = server.sockets[0].getsockname()[1]
            transport, _ = await loop.create_datagram_endpoint(
                lambda arrived=arrived: _Datagrams(arrived), local_addr=("127.0.0.1", port)
            )
            transports.append(transport)
        yield found
    finally:
        for transport in transports:
            transport.close()
        for server in servers:
            server.close()
            await server.wait_closed()


def _both() -> socket.socket:
    """A TCP socket on a port that is free for UDP as well."""
    for _ in range(100):
        listener = socket.create_server(("127.0.0.1", 0))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
            try:
                datagrams.bind(listener.getsockname())
            except OSError:
                listener.close()
                continue
        return listener
    raise OSError("no port is free for both TCP and UDP")


def _counting(found: Canaries, name: str) -> Callable[[asyncio.StreamWriter | None], None]:
    found.hits[name] = 0

    def arrived(writer: asyncio.StreamWriter | None) -> None:
        found.hits[name] += 1
        if writer:
            writer.close()

    return arrived


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, arrived: Callable[[None], None]) -> None:
        self._arrived = arrived

    def datagram_received(self, _data: bytes, _address: object) -> None:
        self._arrived(None)


def markup(found: Canaries) -> str:
    """A page that uses every channel and stays busy until all had their chance."""
    body = "\n".join(found.filled(channel, channel.markup) for channel in CHANNELS)
    busy = f"""<p id=busy></p><script>const began = performance.now();
const turn = setInterval(() => {{ const now = performance.now() - began; busy.append(document.createElement('i'));
if (now > {HOLD_SECONDS * 1000}) {{ clearInterval(turn); busy.textContent = 'done' }} }}, 50)</script>"""
    head = "<head><title>channels</title></head>"
    return f"<!doctype html><html>{head}<body><p>page</p><img src=/wait.png>{busy}\n{body}</body></html>"


def answers(found: Canaries) -> dict[str, Handler]:
    """The site that the page lies on, with the headers that some channels need and the scripts of its workers.

    An image that the page waits for is not answered before all channels that can be used have been.
    """
    headers = [(name, found.filled(channel, value)) for channel in CHANNELS for name, value in channel.headers]
    port = found.ports["service worker"]

    async def all_used(_: Request, writer: asyncio.StreamWriter) -> None:
        await happened(lambda: all(found.hits[channel.name] for channel in CHANNELS if channel.used))
        writer.write(_answer("", "image/png"))

    worker = f"fetch('http://127.0.0.1:{port}/w', {{mode: 'no-cors'}})"
    return {
        "/": _answer(markup(found), "text/html", headers),
        f"/worker.js?127.0.0.1:{port}": _answer(worker, "text/javascript"),
        "/idle.js": _answer("0", "text/javascript"),
        "/wait.png": all_used,
    }


def _answer(text: str, media_type: str, headers: Iterable[tuple[str, str]] = ()) -> bytes:
    """An answer in which a header may come more than once."""
    content = text.encode()
    lines = [("Content-Type", media_type), ("Content-Length", len(content)), ("Connection", "close"), *headers]
    head = "".join(f"{name}: {value}\r\n" for name, value in lines)
    return f"HTTP/1.1 200 OK\r\n{head}\r\n".encode() + content
