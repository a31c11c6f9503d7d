"""The DevTools client, against a plain pipe that plays the browser."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import orjson
import pytest

from sightline.sources.browser._pipe import CallError, CallTimeout, Connection, ConnectionLost, read_json

from ..._wait import BOUND, happened

T = TypeVar("T")


class _FarEnd:
    """The browser's end of both pipes."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing

    async def heard(self) -> dict[str, Any]:
        message = await asyncio.to_thread(os.read, self._reading, 1 << 16)
        found: dict[str, Any] = orjson.loads(message.rstrip(b"\0").split(b"\0")[-1])
        return found

    def say(self, *pieces: bytes) -> None:
        for piece in pieces:
            os.write(self._writing, piece)

    def close(self) -> None:
        os.close(self._writing)


def talking(work: Callable[[Connection, _FarEnd], Awaitable[T]]) -> T:
    """Run `work` with a connection and its far end."""

    async def run() -> T:
        near_read, far_write = os.pipe()
        far_read, near_write = os.pipe()
        connection = Connection()
        await connection.open(near_read, near_write)
        try:
            return await work(connection, _FarEnd(far_read, far_write))
        finally:
            connection.close()
            await asyncio.sleep(0)
            os.close(far_read)

    return asyncio.run(run())


def test_pipe_answers_calls() -> None:
    """A call is one message, its answer the result with the same number, however the bytes are cut."""

    async def work(connection: Connection, far: _FarEnd) -> tuple[dict[str, Any], dict[str, Any]]:
        calling = asyncio.create_task(connection.call("Page.x", {"a": 1}, session="S", seconds=BOUND))
        heard = await far.heard()
        far.say(b'{"id":1,"res', b'ult":{"b"', b":2}}\0")
        return heard, await calling

    heard, answer = talking(work)
    assert heard == {"id": 1, "method": "Page.x", "params": {"a": 1}, "sessionId": "S"}
    assert answer == {"b": 2}


def test_pipe_raises_the_browsers_errors() -> None:
    """An error in the answer names the method and the reason."""

    async def work(connection: Connection, far: _FarEnd) -> None:
        calling = asyncio.create_task(connection.call("Page.x", seconds=BOUND))
        await far.heard()
        far.say(b'{"id":1,"error":{"code":1,"message":"no such page"}}\0')
        await calling

    with pytest.raises(CallError, match=r"Page\.x: no such page"):
        talking(work)


def test_pipe_gives_up_waiting() -> None:
    """A call without an answer ends in its own error, never in the TimeoutError of somebody's deadline."""

    async def work(connection: Connection, _: _FarEnd) -> None:
        await connection.call("Page.x", seconds=0.05)

    with pytest.raises(CallTimeout, match=r"Page\.x: no answer within 0\.05 s") as caught:
        talking(work)
    assert not isinstance(caught.value, TimeoutError)


def test_pipe_gives_events_to_their_listeners() -> None:
    """Events reach the listener of their session; what a page prints reaches nobody."""
    seen: list[tuple[str, dict[str, Any]]] = []

    async def work(connection: Connection, far: _FarEnd) -> None:
        connection.listen("S", lambda method, params: seen.append((method, params)))
        far.say(
            b'{"method":"Page.a","params":{"n":1},"sessionId":"S"}\0{"method":"Page.b","params":{},"sessionId":"T"}\0'
        )
        far.say(b'{"method":"Runtime.consoleAPICalled","params":{},"sessionId":"S"}\0')
        far.say(b'{"method":"Page.c","params":{"t":"\\ud800"},"sessionId":"S"}\0')
        await happened(lambda: len(seen) == 2)
        connection.listen("S", None)

    talking(work)
    assert seen == [("Page.a", {"n": 1}), ("Page.c", {"t": "\ufffd"})]


@pytest.mark.parametrize(
    "event",
    [
        b'{"method":"Inspector.targetCrashed","params":{},"sessionId":"S"}\0',
        b'{"method":"Target.detachedFromTarget","params":{"sessionId":"S"}}\0',
    ],
)
def test_pipe_fails_the_calls_of_a_dead_tab(event: bytes) -> None:
    """When a tab dies its calls fail at once, those to come as well; the calls of others go on."""

    async def work(connection: Connection, far: _FarEnd) -> tuple[list[str], dict[str, Any]]:
        problems = []
        connection.listen("S", lambda *_: None)
        dying = asyncio.create_task(connection.call("Page.x", session="S", seconds=BOUND))
        living = asyncio.create_task(connection.call("Page.y", session="T", seconds=BOUND))
        await far.heard()
        far.say(event)
        for _ in range(2):
            try:
                await dying
            except ConnectionLost as problem:
                problems.append(str(problem))
            dying = asyncio.create_task(connection.call("Page.z", session="S", seconds=BOUND))
        await asyncio.gather(dying, return_exceptions=True)
        far.say(b'{"id":2,"result":{}}\0')
        return problems, await living

    problems, answer = talking(work)
    assert problems == ["the tab crashed", "Page.z: the tab is gone"]
    assert answer == {}


def test_pipe_fails_everything_when_the_browser_goes() -> None:
    """When the pipe closes, calls fail and every listener hears of it."""
    seen: list[str] = []

    async def work(connection: Connection, far: _FarEnd) -> None:
        connection.listen("S", lambda method, _: seen.append(method))
        calling = asyncio.create_task(connection.call("Page.x", seconds=BOUND))
        await far.heard()
        far.close()
        with pytest.raises(ConnectionLost):
            await calling
        assert connection.lost.is_set()
        await connection.call("Page.y", seconds=BOUND)

    with pytest.raises(ConnectionLost, match="browser is gone"):
        talking(work)
    assert seen == ["Inspector.targetCrashed"]


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        (rb"a\ud83d b", "a\ufffd b"),
        (rb"\ude00\ud83d", "\ufffd\ufffd"),
        (rb"\ud83d\ude00 \ud83d", "😀 \ufffd"),
        (rb"\\ud83d \ud83d", "\\ud83d \ufffd"),
        (rb"\\\ud83d", "\\\ufffd"),
    ],
)
def test_pipe_reads_half_characters(text: bytes, meaning: str) -> None:
    """Half of a surrogate pair is U+FFFD; whole pairs and backslashes stay what they are."""
    assert read_json(b'{"a":"' + text + b'"}') == {"a": meaning}
