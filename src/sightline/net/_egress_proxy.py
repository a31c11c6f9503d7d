"""The browser's only way out in server use: a forward proxy on the loopback interface.

A page can make its browser ask for anything: images, frames, scripts' requests, WebSockets, redirects. Checks in
front of single paths miss some of them, so the browser gets no other path: this proxy looks every name up, refuses it
unless all its addresses are public, and dials the very address that it checked.

It listens on 127.0.0.1 only and asks for no password, since Chromium cannot be given one for a proxy. Another user of
the machine who finds the port gains nothing but a connection to the public internet, which is all it ever makes.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType

from sightline.errors import RefusedError, SourceError
from sightline.net._addresses import Location, Resolver, admit
from sightline.net._document import Limits

_HEAD_BYTES = 64 * 1024  # Chromium's own limit for headers is 256 KB; real requests stay below 16 KB
_HEAD_SECONDS = 10.0  # a browser on this machine sends its request at once
_DIAL_SECONDS = 10.0
_LINGER_SECONDS = 1.0
_IDLE_SECONDS = 60.0  # as long as a whole page may take
_CONNECTIONS = 512  # Chromium opens at most 6 a host and 32 a proxy for one context
_PIECE = 64 * 1024

_REQUEST_LINE = re.compile(rb"([A-Z]{1,20}) (\S{1,16384}) HTTP/1\.[01]\r\n")
_HOP_HEADERS = frozenset({b"connection", b"proxy-connection", b"keep-alive", b"proxy-authorization", b"te", b"trailer"})
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_.-]+):(\d{1,5})")


@dataclass
class Traffic:
    """The traffic of a proxy so far."""

    connections: int = 0
    refused: int = 0
    failed: int = 0
    bytes_up: int = 0
    bytes_down: int = 0


class _EndedError(Exception):
    """The client gets this status and nothing more."""

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


class EgressProxy:
    """A forward proxy for http requests and CONNECT tunnels (https, WebSockets) to public addresses.

    `resolver` may be replaced to decide otherwise which addresses are allowed.
    """

    def __init__(self, limits: Limits | None = None, *, resolver: Resolver | None = None) -> None:
        self.traffic: Traffic = Traffic()
        self._resolver = resolver or Resolver(public_only=True)
        self._most_bytes = (limits or Limits()).decoded_bytes
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "EgressProxy":
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_HEAD_BYTES)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def url(self) -> str:
        """The proxy's address, for a browser context or an HTTP client."""
        if self._server is None:
            raise RuntimeError("the proxy is not open")
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @property
    def browser_arguments(self) -> tuple[str, ...]:
        """Chromium's flags that leave it no way around the proxy: loopback, QUIC, WebRTC and DNS included."""
        return (
            f"--proxy-server={self.url}",
            "--proxy-bypass-list=<-loopback>",
            "--disable-quic",
            # The headless shell knows the first, the full browser the second.
            "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
            "--webrtc-ip-handling-policy=disable_non_proxied_udp",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        )

    async def close(self) -> None:
        """Stop listening and end every connection."""
        if self._server is not None:
            self._server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._server.wait_closed()
            self._server = None

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.traffic.connections += 1
        try:
            if len(self._tasks) > _CONNECTIONS:
                raise _EndedError("503 Too Many Connections")
            await self._answer(reader, writer)
        except _EndedError as end:
            writer.write(f"HTTP/1.1 {end.status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
            await _linger(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            self.traffic.failed += 1
        finally:
            await _close(writer)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await _head(reader, _HEAD_SECONDS)
        line = _REQUEST_LINE.match(head)
        if not line:
            raise _EndedError("400 Bad Request")
        target = line[2].decode("latin-1")
        location = self._location(target, tunnel=line[1] == b"CONNECT")
        far_reader, far_writer = await self._dial(location)
        try:
            tunnel = line[1] == b"CONNECT"
            if tunnel:
                writer.write(b"HTTP/1.1 200 Connection Established\r\n\r\n")
            else:
                far_writer.write(_request(line[1], location, head[line.end() :]))
            await self._relay((reader, writer), (far_reader, far_writer), tunnel=tunnel)
        finally:
            await _close(far_writer)

    def _location(self, target: str, *, tunnel: bool) -> Location:
        try:
            if not tunnel:
                return admit(target)
            authority = _AUTHORITY.fullmatch(target)
            if not authority:
                raise _EndedError("400 Bad Request")
            return admit(f"https://{target}/")
        except RefusedError as error:
            self.traffic.refused += 1
            raise _EndedError("403 Forbidden") from error

    async def _dial(self, location: Location) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to a checked address of the host; every refusal and failure looks the same to the page."""
        try:
            addresses = await self._resolver.resolve(location.host, location.port, source=location.url)
        except SourceError as error:
            self.traffic.refused += 1
            raise _EndedError("403 Forbidden") from error
        for address in addresses[:3]:
            with suppress(OSError):
                async with asyncio.timeout(_DIAL_SECONDS):
                    return await asyncio.open_connection(address, location.port, limit=_HEAD_BYTES)
        self.traffic.failed += 1
        raise _EndedError("502 Bad EgressProxy")

    async def _forward_head(self, far_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass the answer's head on, so changed that the client uses this connection for no second request."""
        while True:
            head = await _head(far_reader, _IDLE_SECONDS, "502 Bad EgressProxy")
            status = head[9:12]
            if status == b"101" or not status.startswith(b"1"):
                break
            writer.write(head)
        first, _, rest = head.partition(b"\r\n")
        headers = rest if status == b"101" else _without(rest) + b"Connection: close\r\n\r\n"
        writer.write(first + b"\r\n" + headers)
        self.traffic.bytes_down += len(head)

    async def _relay(
        self,
        near: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        far: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        *,
        tunnel: bool,
    ) -> None:
        # What the near side sends goes up at once: a server may want the whole body of a request before it answers.
        up = asyncio.create_task(self._pump(near[0], far[1], self._count_up))
        try:
            if not tunnel:
                await self._forward_head(far[0], near[1])
            # The far side ending ends the exchange; the near side may have sent all it had and still be listening.
            await self._pump(far[0], near[1], self._count_down)
        finally:
            up.cancel()
            await asyncio.gather(up, return_exceptions=True)

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, count: Callable[[int], None]
    ) -> None:
        passed = 0
        with suppress(OSError):
            while passed <= self._most_bytes:
                async with asyncio.timeout(_IDLE_SECONDS):
                    data = await reader.read(_PIECE)
                    if not data:
                        break
                    passed += len(data)
                    count(len(data))
                    writer.write(data)
                    await writer.drain()
            if writer.can_write_eof() and reader.at_eof():
                writer.write_eof()

    def _count_up(self, size: int) -> None:
        self.traffic.bytes_up += size

    def _count_down(self, size: int) -> None:
        self.traffic.bytes_down += size


async def _head(reader: asyncio.StreamReader, seconds: float, status: str = "400 Bad Request") -> bytes:
    """Read up to the empty line that ends a head."""
    try:
        async with asyncio.timeout(seconds):
            return await reader.readuntil(b"\r\n\r\n")
    except TimeoutError as error:
        raise _EndedError("408 Request Timeout") from error
    except (asyncio.LimitOverrunError, asyncio.IncompleteReadError) as error:
        raise _EndedError("431 Request Header Fields Too Large" if _is_long(error) else status) from error


def _is_long(error: Exception) -> bool:
    return isinstance(error, asyncio.LimitOverrunError)


def _request(method: bytes, location: Location, headers: bytes) -> bytes:
    """Write the request as the origin expects it: path only, its own host, and closed after the answer."""
    upgrade = re.search(rb"^upgrade:", headers, re.IGNORECASE | re.MULTILINE)
    connection = b"Upgrade" if upgrade else b"close"
    kept = _without(headers, also=frozenset({b"host"}))
    line = b"%s %s HTTP/1.1\r\nHost: %s\r\n" % (method, location.path.encode(), location.authority.encode())
    return line + kept + b"Connection: " + connection + b"\r\n\r\n"


def _without(headers: bytes, also: frozenset[bytes] = frozenset()) -> bytes:
    """Drop the headers that concern one connection only; what remains has no closing empty line."""
    lines = headers.split(b"\r\n")
    kept = (line for line in lines if line and line.partition(b":")[0].strip().lower() not in _HOP_HEADERS | also)
    return b"".join(line + b"\r\n" for line in kept)


async def _linger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Briefly read what the client still sends: closing with unread bytes would destroy the answer."""
    with suppress(OSError):
        writer.write_eof()
        async with asyncio.timeout(_LINGER_SECONDS):
            while await reader.read(_PIECE):
                pass


async def _close(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        writer.close()
        await writer.wait_closed()
