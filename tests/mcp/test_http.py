"""`sightline mcp --http`: who is let in, several clients at once, and clients that go away."""

import asyncio
import http.client
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from sightline.mcp import McpSettings
from sightline.mcp._desk import Desk, ProjectFolder
from sightline.mcp._protocol import protocol_server

from .._server import NOT_FOUND, Request, reply, serve_from_thread
from .._wait import BOUND, wait_until
from ._agent import TOKEN, connected, over_http, served

PAGE = b"<title>Stars</title><table><tr><th>Star<th>Magnitude<tr><td>Sirius<td>-1.46<tr><td>Vega<td>0.03</table>"
HASTY = 5.0  # seconds: enough for a busy machine to ask, and the page never ends
INITIALIZE = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", '
    b'"capabilities": {}, "clientInfo": {"name": "tests", "version": "1"}}}'
)


class Together:
    """Answers only when as many requests are here as were announced: they cannot have come one after another."""

    def __init__(self, count: int) -> None:
        self._missing = count
        self._all = asyncio.Event()

    async def __call__(self, _request: Request, writer: asyncio.StreamWriter) -> None:
        """Wait for the others."""
        self._missing -= 1
        if not self._missing:
            self._all.set()
        await self._all.wait()
        writer.write(reply(PAGE))
        await writer.drain()


class Endless:
    """Never comes to the end of an answer; knows when it was asked, and when whoever asked went away."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.left = threading.Event()

    async def __call__(self, request: Request, writer: asyncio.StreamWriter) -> None:
        """Begin an answer that never ends, until nobody listens."""
        if request.target == "/robots.txt":
            writer.write(NOT_FOUND)
            return
        writer.write(b"HTTP/1.1 200 OK\r\n")
        self.asked.set()
        try:
            while True:
                writer.write(b"X-Wait: 1\r\n")
                await writer.drain()
                await asyncio.sleep(0.02)
        finally:
            self.left.set()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all tests; it may open pages on this machine."""
    project = tmp_path_factory.mktemp("project")
    with served("--project", project, "--static", "--allow-private", "--calls", "3") as address:
        yield address


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Host": "rebound.example"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Content-Length": "2000000"}, 413),
    ],
)
def test_only_those_with_the_token_are_let_in(address: str, headers: dict[str, str], status: int) -> None:
    """Not without the token, not under another name of this machine, not from a page of a browser."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.netloc, timeout=BOUND)
    common = {
        "Authorization": f"Bearer {TOKEN}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    connection.request("POST", place.path, INITIALIZE, common | headers)
    answer = connection.getresponse()
    assert answer.status == status
    if status == 401:
        assert answer.getheader("WWW-Authenticate") == "Bearer"
        assert b"the token that the server printed" in answer.read()
    connection.close()


def test_two_clients_work_at_once(address: str) -> None:
    """Neither waits for the other, and a page that one opened is the other's, too."""
    with (
        serve_from_thread({"/a": (both := Together(2)), "/b": both}) as site,
        connected(over_http(address)) as one,
        connected(over_http(address), mode="legacy") as other,
    ):
        # Under two names, since a host is asked one request at a time.
        begun = [one.start("open", source=site.url("/a"))]
        begun.append(other.start("open", source=site.url("/b").replace("127.0.0.1", "localhost")))
        pages = [call.result(BOUND).structured_content["page"] for call in begun]
        assert pages[0] != pages[1]
        assert other.call("tables", page=pages[0])["from_page"]["rows"] == [["Sirius", "-1.46"], ["Vega", "0.03"]]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_client_may_cancel_a_call(address: str, mode: str) -> None:
    """The request to the site is given up, and the client goes on."""
    with serve_from_thread({"/": (endless := Endless())}) as site, connected(over_http(address), mode=mode) as agent:
        call = agent.start("open", source=site.url("/"))
        assert endless.asked.wait(BOUND)
        call.cancel()
        assert endless.left.wait(BOUND)
        assert "There is no tool" in agent.refusal("nothing")


def test_client_may_go_away_in_the_middle_of_a_call(address: str) -> None:
    """Its work ends with it, and the next client finds a free server, though so many calls are allowed at once."""
    for _ in range(4):
        with serve_from_thread({"/": (endless := Endless())}) as site:
            with connected(over_http(address)) as agent:
                agent.start("open", source=site.url("/"))
                assert endless.asked.wait(BOUND)
            assert endless.left.wait(BOUND)
    with serve_from_thread({"/": reply(PAGE)}) as site, connected(over_http(address)) as agent:
        assert agent.call("open", source=site.url("/"))["summary"].startswith("1 table")


def test_page_that_answers_with_an_error_is_told(address: str) -> None:
    """A status of the site is a sentence of ours."""
    with serve_from_thread({}) as site, connected(over_http(address)) as agent:
        assert "answered with status 404" in agent.refusal("open", source=site.url("/missing"))


def test_next_page_is_found(address: str) -> None:
    """Where a list goes on is said by the page, and so marked."""
    pager = b"<p>Page 1 of 3 <a href='?page=2'>2</a> <a href='?page=3'>3</a> <a href='?page=2'>Next</a>"
    with serve_from_thread({"/list": reply(pager)}) as site, connected(over_http(address)) as agent:
        found = agent.call("next", page=site.url("/list"))
        assert (found["way"], found["pages_in_all"]) == ("link", 3)
        assert found["from_page"]["next"] == site.url("/list?page=2")
        assert len(found["from_page"]["pages"]) == 2


@pytest.mark.slow
def test_call_that_takes_too_long_ends(tmp_path: Path) -> None:
    """Whatever is slow, the agent hears within the time that was set, and the work is given up."""
    settings = McpSettings(static=True, allow_private=True, call_seconds=HASTY)
    server = protocol_server(Desk(ProjectFolder(tmp_path), settings))
    with serve_from_thread({"/": (endless := Endless())}) as site, connected(server) as agent:
        assert f"took longer than {HASTY:g} seconds" in agent.refusal("open", source=site.url("/"))
        wait_until(endless.left.is_set)


@pytest.mark.slow
def test_short_token_is_refused(tmp_path: Path) -> None:
    """A token that is guessed protects nothing."""
    from sightline.errors import UsageError
    from sightline.mcp import serve_http

    with pytest.raises(UsageError, match="short ones are guessed"):
        serve_http(tmp_path, token="abc")
