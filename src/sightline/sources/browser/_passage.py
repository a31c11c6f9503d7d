"""The way of a session's pages through the request policy: every top-level request waits for its turn, or is aborted.

A click, a script or a redirect may lead anywhere. The browser asks here before it leaves for another page; robots.txt,
address rules and pace hold as for an address that the user gave. Parts of a page and its frames go by unasked.
"""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any, Protocol
from urllib.parse import urlsplit

from sightline.errors import SourceError, UsageError
from sightline.net import RequestPolicy
from sightline.sources.browser._tab import Tab
from sightline.sources.browser._visit import Visit

__all__ = ["Logins", "Passage", "Waiting"]

WEB = ("http://", "https://")


class Waiting(Protocol):
    """A deadline that does not run while a page waits for its turn."""

    def pause(self) -> None:
        """Stop the clock."""

    def resume(self) -> None:
        """Let it run again."""


class Passage:
    """Lets the pages of one session ask one at a time; holds the host's turn until the action is over."""

    def __init__(self, requests: RequestPolicy) -> None:
        self._requests = requests
        self._turn = AsyncExitStack()
        self._origin = ""
        self._one_by_one = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._acting = False
        self._refused: SourceError | None = None
        self.deadline: Waiting | None = None
        self.on_refused: Callable[[SourceError], None] | None = None  # told at once, for a person who clicked
        self.origins: set[str] = set()  # those that pages were let through to

    async def begin_action(self) -> None:
        """Forget what was refused before."""
        await self._give_back()
        self._acting = True
        self._refused = None

    async def end_action(self) -> None:
        """Give the host's turn back, from which its delay counts."""
        self._acting = False
        self.deadline = None
        await self._give_back()

    def check(self) -> None:
        """Raise why a page of this action was refused, if one was."""
        if self._refused:
            raise self._refused

    async def close(self) -> None:
        """Abandon whatever still waits."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._release()

    async def enter(self, url: str) -> str:
        """Wait for the turn of an address, and return the form of it that the browser takes; a SourceError refuses."""
        async with self._one_by_one:
            location = await self._requests.check(url)
            if location.origin == self._origin:
                self._requests.check_known_robots(location, source=url)
            else:
                # The turn before goes back first: who holds one host and waits for another may wait forever.
                await self._release()
                location = await self._turn.enter_async_context(self._requests.turn(url))
                self._origin = location.origin
        self.origins.add(location.origin)
        return location.browser_url

    def ask(self, tab: Tab, visit: Visit | None, params: dict[str, Any]) -> None:
        """Decide about a document that a tab is about to request."""
        top = params.get("frameId") == tab.target and params.get("resourceType") == "Document"
        if top and params["request"]["url"].startswith(WEB):
            task = asyncio.get_running_loop().create_task(self._decide(tab, visit, params))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            tab.let_through(params)

    async def _decide(self, tab: Tab, visit: Visit | None, params: dict[str, Any]) -> None:
        number = {"requestId": params["requestId"]}
        waiting = [one for one in (visit, self.deadline) if one]
        for one in waiting:
            one.pause()
        try:
            await self.enter(params["request"]["url"])
        except SourceError as problem:
            self._refused = self._refused or problem
            if self.on_refused:
                self.on_refused(problem)
            # Aborting leaves the page in place; after any other reason there would be an error page instead.
            tab.connection.send("Fetch.failRequest", {**number, "errorReason": "Aborted"}, session=tab.session)
        else:
            tab.let_through(params)
        finally:
            for one in waiting:
                one.resume()
        if not self._acting:
            await self._give_back()

    async def _give_back(self) -> None:
        """Release the turn, unless a page is waiting for the next one: that releases it itself."""
        if not self._one_by_one.locked():
            await self._release()

    async def _release(self) -> None:
        self._origin = ""
        await self._turn.aclose()
        self._turn = AsyncExitStack()


# Users and passwords for sites that ask for them by HTTP (basic authentication), each for one origin only.

DEFAULT_PORTS = {"http": 80, "https": 443}


class Logins:
    """The logins of one session. A password is sent to its own origin only, and once for each request."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, int], tuple[str, str]] = {}
        self._tried: set[str] = set()

    def add(self, address: str, user: str, password: str) -> None:
        """Remember a login for the origin of an address."""
        origin = _origin(address)
        if origin is None:
            raise UsageError(f"{address} is not the address of a site; give one that starts with https:// or http://.")
        self._known[origin] = (user, password)

    def begin_action(self) -> None:
        """Let every login be tried again."""
        self._tried.clear()

    def answer(self, tab: Tab, params: dict[str, Any]) -> None:
        """Answer a site that asks for a user; unknown or rejected ones are not asked again, but see its error page."""
        number, challenge = params["requestId"], params["authChallenge"]
        origin = _origin(challenge.get("origin", "")) if challenge.get("source") != "Proxy" else None
        login = self._known.get(origin) if origin and number not in self._tried else None
        self._tried.add(number)
        reply = {"response": "CancelAuth"}
        if login:
            reply = {"response": "ProvideCredentials", "username": login[0], "password": login[1]}
        answer = {"requestId": number, "authChallengeResponse": reply}
        tab.connection.send("Fetch.continueWithAuth", answer, session=tab.session)


def _origin(address: str) -> tuple[str, str, int] | None:
    try:
        place = urlsplit(address)
        port = place.port or DEFAULT_PORTS.get(place.scheme)
    except ValueError:
        return None
    return (place.scheme, place.hostname, port) if place.hostname and port else None
