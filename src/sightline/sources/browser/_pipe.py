"""A thin DevTools client on the browser's debugging pipe: JSON messages, each ended by a NUL.

One connection serves all tabs (flat sessions). Large answers are available as raw bytes on request, so that callers
can parse them more cheaply than into a heap of Python objects.
"""

import asyncio
import os
import re
from collections.abc import Callable
from io import FileIO
from typing import Any

import orjson

from sightline.sources.browser._listen_scripts import HEARING

Listener = Callable[[str, dict[str, Any]], None]

ANSWER = re.compile(rb'\{"id":(\d+)[,}]')
# What a page logs is irrelevant to us, and may be a lot; but what our own script reports is not.
CHATTER = b'{"method":"Runtime.'
REPORTED = HEARING.encode()
CRASHED = "Inspector.targetCrashed"
DETACHED = "Target.detachedFromTarget"
# An escaped backslash, a whole pair of surrogates, or (the only group) half of one.
SURROGATES = re.compile(rb"\\\\|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F]..)")


class CallError(Exception):
    """The browser answered a call with an error."""


class CallTimeout(CallError):
    """The browser gave no answer in time. Not a TimeoutError: that is for the deadline of a whole page."""


class ConnectionLost(CallError):
    """The browser or the tab died during a call."""


class ScriptFailed(CallError):
    """A script of ours raised an error in the page."""


def read_json(message: bytes) -> Any:
    """A message; scripts can put half of a surrogate pair into a page: JSON forbids it, browsers show U+FFFD."""
    try:
        return orjson.loads(message)
    except orjson.JSONDecodeError:
        return orjson.loads(SURROGATES.sub(lambda found: rb"\ufffd" if found[1] else found[0], message))


class Connection(asyncio.Protocol):
    """Calls to the browser, answers and events from it. Lives in one event loop."""

    def __init__(self) -> None:
        self._number = 0
        self._pending: dict[int, tuple[asyncio.Future[bytes], str | None]] = {}
        self._listeners: dict[str | None, Listener] = {}
        self._dead: set[str] = set()
        self._parts: list[bytes] = []
        self._files: tuple[FileIO, ...] = ()
        self._writer: asyncio.WriteTransport | None = None
        self._reader: asyncio.ReadTransport | None = None
        self.lost: asyncio.Event = asyncio.Event()

    async def open(self, read_fd: int, write_fd: int) -> None:
        """Take over both ends of the pipe."""
        loop = asyncio.get_running_loop()
        reading, writing = os.fdopen(read_fd, "rb", 0), os.fdopen(write_fd, "wb", 0)
        self._files = (reading, writing)
        self._reader, _ = await loop.connect_read_pipe(lambda: self, reading)
        self._writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, writing)

    def close(self) -> None:
        """Close the pipe, which makes the browser quit."""
        for transport in (self._writer, self._reader):
            if transport is not None:
                transport.close()

    def abandon(self) -> None:
        """Close our copy of the pipe in a forked child, which must not keep the parent's browser alive."""
        for file in self._files:
            file.close()

    # ------------------------------------------------------------------ calls

    async def call(
        self, method: str, params: dict[str, Any] | None = None, *, session: str | None = None, seconds: float
    ) -> dict[str, Any]:
        """Call a method and read its answer."""
        message = read_json(await self.call_raw(method, params, session=session, seconds=seconds))
        if "error" in message:
            raise CallError(f"{method}: {message['error'].get('message', 'no reason given')}")
        result: dict[str, Any] = message["result"]
        return result

    async def call_raw(
        self, method: str, params: dict[str, Any] | None = None, *, session: str | None = None, seconds: float
    ) -> bytes:
        """Call a method and return the bytes of its answer as they came."""
        if self.lost.is_set() or session in self._dead:
            raise ConnectionLost(f"{method}: the {'browser' if self.lost.is_set() else 'tab'} is gone")
        number = self.send(method, params, session=session)
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._pending[number] = (future, session)
        try:
            done, _ = await asyncio.wait((future,), timeout=max(seconds, 0.0))
            if not done:
                raise CallTimeout(f"{method}: no answer within {seconds:g} s")
            return future.result()
        finally:
            self._pending.pop(number, None)

    def send(self, method: str, params: dict[str, Any] | None = None, *, session: str | None = None) -> int:
        """Send a message without waiting for its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(orjson.dumps(message) + b"\0")
        return self._number

    def listen(self, session: str | None, listener: Listener | None) -> None:
        """Set the listener for the events of a session, or remove it."""
        if listener is None:
            self._listeners.pop(session, None)
            self._dead.discard(session or "")
        else:
            self._listeners[session] = listener

    def drop_session(self, session: str, reason: str) -> None:
        """Fail all present and future calls in a session: a dead tab never answers."""
        self._dead.add(session)
        for future, owner in list(self._pending.values()):
            if owner == session and not future.done():
                future.set_exception(ConnectionLost(reason))

    # ------------------------------------------------------------------ asyncio's side

    def data_received(self, data: bytes) -> None:
        """Cut the stream into messages."""
        *complete, rest = data.split(b"\0")
        for piece in complete:
            self._parts.append(piece)
            message = b"".join(self._parts) if len(self._parts) > 1 else piece
            self._parts = []
            self._dispatch(message)
        if rest:
            self._parts.append(rest)

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail all pending calls, and notify every listener."""
        self.lost.set()
        for future, _ in list(self._pending.values()):
            if not future.done():
                future.set_exception(ConnectionLost(f"the browser is gone ({exc or 'it closed the pipe'})"))
        for listener in list(self._listeners.values()):
            listener(CRASHED, {})

    def _dispatch(self, message: bytes) -> None:
        answer = ANSWER.match(message)
        if answer:
            future, _ = self._pending.get(int(answer[1]), (None, None))
            if future is not None and not future.done():
                future.set_result(message)
            return
        if message.startswith(CHATTER) and REPORTED not in message:
            return
        event = read_json(message)
        session, method, params = event.get("sessionId"), event.get("method", ""), event.get("params", {})
        if method == DETACHED:
            session, method = params.get("sessionId"), CRASHED
        if method == CRASHED and session in self._listeners:
            self.drop_session(session, "the tab crashed")
        listener = self._listeners.get(session)
        if listener:
            listener(method, params)
