"""A small HTTP server on the loopback interface whose answers are written byte by byte."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

Handler = bytes | Callable[["Request", asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Request:
    """One request as it arrived."""

    method: str
    target: str
    headers: dict[str, str]


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


@asynccontextmanager
async def serve(routes: Mapping[str, Handler], context: ssl.SSLContext | None = None) -> AsyncIterator[Site]:
    """Answer these paths, and 404 for all others, while the block runs; with a context, over TLS."""
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
        request = Request(method, target, headers)
        site.requests.append(request)
        handler = routes.get(target, reply(b"not found", 404))
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
