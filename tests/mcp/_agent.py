"""An agent: the real client of the `mcp` package, in a thread of its own, so that tests can call tools and wait."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.server import Server
from mcp.types import CallToolResult

from mcp import Client, StdioServerParameters

from .._wait import BOUND

COMMAND = str(Path(sys.executable).with_name("sightline"))
TOKEN = "a token that only the tests know"


class Agent:
    """A connected client. `call` gives the structured answer, `refusal` the sentence of an error."""

    def __init__(self, client: Client, loop: asyncio.AbstractEventLoop) -> None:
        self.client = client
        self._loop = loop
        self.progress: list[tuple[float, str]] = []

    def start(self, tool: str, **arguments: Any) -> "Future[CallToolResult]":
        """Begin a call."""

        async def heard(done: float, _total: float | None, message: str | None) -> None:
            self.progress.append((done, message or ""))

        calling = self.client.call_tool(tool, arguments, progress_callback=heard)
        return asyncio.run_coroutine_threadsafe(calling, self._loop)

    def result(self, tool: str, **arguments: Any) -> CallToolResult:
        """The whole result of a call."""
        return self.start(tool, **arguments).result(BOUND)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The answer of a call that succeeds."""
        found = self.result(tool, **arguments)
        assert not found.is_error, found.content
        answer: dict[str, Any] = found.structured_content
        return answer

    def refusal(self, tool: str, **arguments: Any) -> str:
        """What a call says that fails."""
        found = self.result(tool, **arguments)
        assert found.is_error
        assert found.structured_content is None
        return found.content[0].text  # type: ignore[union-attr]

    def ask(self, question: Callable[[Client], Any]) -> Any:
        """The answer to anything else that a client can ask."""
        return asyncio.run_coroutine_threadsafe(question(self.client), self._loop).result(BOUND)


@contextmanager
def connected(
    server: StdioServerParameters | Server[Any] | Callable[[], Any], *, mode: str = "auto"
) -> Iterator[Agent]:
    """A client of a server: a command, a server in this process, or a function that makes a transport."""
    ready: Future[tuple[Agent, asyncio.Event]] = Future()

    async def run() -> None:
        target = server() if callable(server) else server
        async with Client(target, mode=mode) as client:
            done = asyncio.Event()
            ready.set_result((Agent(client, asyncio.get_running_loop()), done))
            await done.wait()

    def work() -> None:
        try:
            asyncio.run(run())
        except BaseException as problem:
            if not ready.done():
                ready.set_exception(problem)
            raise

    thread = threading.Thread(target=work)
    thread.start()
    agent, done = ready.result(BOUND)
    try:
        yield agent
    finally:
        agent._loop.call_soon_threadsafe(done.set)
        thread.join(BOUND)


def command(*flags: str | Path) -> StdioServerParameters:
    """The server as a client configures it."""
    return StdioServerParameters(command=COMMAND, args=["mcp", *map(str, flags)], env=dict(os.environ))


@contextmanager
def served(*flags: str | Path) -> Iterator[str]:
    """The address of a server over HTTP, in a process of its own, which says when it is ready."""
    process = subprocess.Popen(
        [COMMAND, "mcp", "--http", "--port", "0", *map(str, flags)],
        stderr=subprocess.PIPE,
        env={**os.environ, "SIGHTLINE_MCP_TOKEN": TOKEN, "NO_COLOR": "1"},
        text=True,
    )
    assert process.stderr is not None
    try:
        said = process.stderr.readline()
        assert "http://" in said, said + process.stderr.read()
        yield said.split()[3].rstrip(";")
    finally:
        process.terminate()
        process.communicate(timeout=BOUND)


def over_http(address: str, token: str = TOKEN) -> Callable[[], Any]:
    """A function that makes a transport to that address, which brings the token."""

    @asynccontextmanager
    async def transport() -> AsyncIterator[Any]:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=BOUND) as carrier,
            streamable_http_client(address, http_client=carrier) as streams,
        ):
            yield streams

    return transport
