"""A small HTTP server on the loopback interface whose answers are written byte by byte."""

import asyncio
import ssl
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from ._wait import BOUND

Handler = bytes | Callable[["Request", asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Request:
    """One request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes = b""

    @property
    def path(self) -> str:
        """What was asked for, without its query."""
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        """The parameters of the address."""
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))

    @property
    def form(self) -> dict[str, str]:
        """The fields that a form sent."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))


@dataclass
class Site:
    """A running server: where it is and what it was asked."""

    port: int
    requests: list[Request] = field(default_factory=list)
    connections: int = 0

    def url(self, path: str = "/") -> str:
        """Give the address of a path on this server."""
        return f"http://127.0.0.1:{self.port}{path}"

    def paths(self) -> list[str]:
        """Give the paths asked for, in order, robots.txt left out."""
        return [request.target for request in self.requests if request.target != "/robots.txt"]


def reply(
    content: bytes = b"", status: int = 200, headers: Mapping[str, str] | None = None, *, length: int | None = None
) -> bytes:
    """Write a whole answer, ready to be sent; `length` lies about the content's."""
    lines = {"Content-Type": "text/html", "Content-Length": str(len(content) if length is None else length)}
    lines |= headers or {}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} Whatever\r\n{head}Connection: close\r\n\r\n".encode("latin-1") + content


def redirect(target: str, status: int = 302) -> bytes:
    """Write an answer that leads elsewhere."""
    return reply(status=status, headers={"Location": target})


NOT_FOUND = reply(b"not found", 404)


@asynccontextmanager
async def serve(
    routes: Mapping[str, Handler],
    context: ssl.SSLContext | None = None,
    *,
    otherwise: Handler = NOT_FOUND,
    bodies: bool = False,
) -> AsyncIterator[Site]:
    """Answer these paths, and all others with `otherwise`, while the block runs; with a context, over TLS.

    With `bodies`, what a request brings along is read before it is answered.
    """
    site = Site(0)
    tasks: set[asyncio.Task[None]] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        site.connections += 1
        try:
            await talk(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            writer.transport.abort()
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        method, target, _ = first.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0))) if bodies else b""
        request = Request(method, target, headers, body)
        site.requests.append(request)
        handler = routes.get(target, otherwise)
        if isinstance(handler, bytes):
            writer.write(handler)
            await writer.drain()
        else:
            await handler(request, writer)

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(answer(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=context)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()


@contextmanager
def serve_from_thread(
    routes: Mapping[str, Handler], *, otherwise: Handler = NOT_FOUND, bodies: bool = False
) -> Iterator[Site]:
    """Serve from a thread of its own while the block runs, for tests that block."""
    ready: Future[tuple[Site, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def run() -> None:
        async with serve(routes, otherwise=otherwise, bodies=bodies) as one:
            done = asyncio.Event()
            ready.set_result((one, asyncio.get_running_loop(), done))
            await done.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    one, loop, done = ready.result(BOUND)
    try:
        yield one
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
