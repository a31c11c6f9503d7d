"""A thin DevTools client on the browser's debugging pipe: JSON messages, each ended by a NUL.

One connection serves all tabs (flat sessions). Big answers are handed out as raw bytes on request, so that whoever
wants them can read them in a cheaper way than as one heap of Python objects.
"""

import asyncio
import os
import re
from collections.abc import Callable
from typing import Any

import orjson

__all__ = ["CallError", "Connection", "ConnectionLost", "Listener"]

Listener = Callable[[str, dict[str, Any]], None]

ANSWER = re.compile(rb'\{"id":(\d+)[,}]')
SESSION_LOST = frozenset(("Inspector.targetCrashed", "Target.detachedFromTarget", "Target.targetCrashed"))


class CallError(Exception):
    """The browser answered a call with an error."""


class ConnectionLost(CallError):  # noqa: N818 - it is what happened, not a mistake of the caller
    """The browser or the tab died while a call was under way."""


class Connection(asyncio.Protocol):
    """Calls to the browser, answers and events from it. Lives in one event loop."""

    def __init__(self) -> None:
        self._number = 0
        self._pending: dict[int, tuple[asyncio.Future[bytes], str | None]] = {}
        self._listeners: dict[str | None, Listener] = {}
        self._parts: list[bytes] = []
        self._writer: asyncio.WriteTransport | None = None
        self._reader: asyncio.ReadTransport | None = None
        self.lost = asyncio.Event()

    async def open(self, read_fd: int, write_fd: int) -> None:
        """Take over both ends of the pipe."""
        loop = asyncio.get_running_loop()
        self._reader, _ = await loop.connect_read_pipe(lambda: self, os.fdopen(read_fd, "rb", 0))
        self._writer, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(write_fd, "wb", 0))

    def close(self) -> None:
        """Let go of the pipe, which makes the browser quit."""
        for transport in (self._writer, self._reader):
            if transport is not None:
                transport.close()

    # ------------------------------------------------------------------ calls

    async def call(
        self, method: str, params: dict[str, Any] | None = None, *, session: str | None = None, seconds: float
    ) -> dict[str, Any]:
        """Call a method and read its answer."""
        message = orjson.loads(await self.call_raw(method, params, session=session, seconds=seconds))
        if "error" in message:
            raise CallError(f"{method}: {message['error'].get('message', 'no reason given')}")
        result: dict[str, Any] = message["result"]
        return result

    async def call_raw(
        self, method: str, params: dict[str, Any] | None = None, *, session: str | None = None, seconds: float
    ) -> bytes:
        """Call a method and return the bytes of its answer as they came."""
        number = self.send(method, params, session=session)
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._pending[number] = (future, session)
        if self.lost.is_set():
            raise ConnectionLost(f"{method}: the browser is gone")
        try:
            async with asyncio.timeout(seconds):
                return await future
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
        """Give the events of a session to a listener, or to nobody."""
        if listener is None:
            self._listeners.pop(session, None)
        else:
            self._listeners[session] = listener

    def drop_session(self, session: str, reason: str) -> None:
        """Fail every call under way in a session: a dead tab never answers by itself."""
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
        """Fail everything under way."""
        self.lost.set()
        for future, _ in list(self._pending.values()):
            if not future.done():
                future.set_exception(ConnectionLost(f"the browser is gone ({exc or 'it closed the pipe'})"))

    def _dispatch(self, message: bytes) -> None:
        answer = ANSWER.match(message)
        if answer:
            future, _ = self._pending.get(int(answer[1]), (None, None))
            if future is not None and not future.done():
                future.set_result(message)
            return
        event = orjson.loads(message)
        session, method = event.get("sessionId"), event.get("method", "")
        if method in SESSION_LOST and session:
            self.drop_session(session, "the tab crashed")
        listener = self._listeners.get(session)
        if listener:
            listener(method, event.get("params", {}))
