"""Cookies and storage of a session in a file of the user's, so that the next session starts where this one ended.

A page's storage can be reached only from a page of its origin. So the tab shows an empty page at each origin, which the
browser is handed: the sites are not asked.
"""

import asyncio
import base64
from pathlib import Path
from typing import Any

from sightline.errors import UsageError
from sightline.net import COOKIE, LoginState
from sightline.sources.browser._pipe import CallError, CallTimeout, ConnectionLost
from sightline.sources.browser._tab import Tab
from sightline.sources.browser._visit import BLANK, Visit

CALL_SECONDS = 10.0
LOOK_EVERY_SECONDS = 0.02
GROUP = "sightline-state"
ADVICE = "give the file of another session, or a name that does not exist yet"
EMPTY_PAGE = base64.b64encode(b"<!doctype html>").decode()

# They give null on any other page: the tab may still be on its way.
READ = """function (origin) {
  return location.origin === origin ? Object.fromEntries(Object.entries(localStorage)) : null }"""
WRITE = """function (origin, items) {
  if (location.origin !== origin) return null;
  for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value);
  return items }"""
IS_BLANK = "function () { return location.protocol === 'about:' ? {} : null }"


class SessionState:
    """What a session keeps in its file: cookies, and the local storage of the origins that it went to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept = LoginState.read(path, ADVICE) if path.exists() else LoginState([], {})

    async def restore(self, tab: Tab) -> None:
        """Give a new tab what the file has."""
        await restore(tab, self._kept, str(self.path))

    async def save(self, tab: Tab, origins: set[str]) -> None:
        """Write what the tab's profile has now; a tab that is gone leaves the storage as it was."""
        asked = {"browserContextId": tab.context}
        told = await tab.connection.call("Storage.getCookies", asked, seconds=CALL_SECONDS)
        self._kept.cookies = [_cookie(one) for one in told["cookies"]]
        for origin in sorted(origins | self._kept.storage.keys()):
            self._kept.storage[origin] = await _on_empty_page(tab, origin, READ)
        self._kept.write(self.path)


async def restore(tab: Tab, kept: LoginState, name: str, *, only: str | None = None) -> None:
    """Give a tab that asks before it loads a document what a file of this name has; of `only` one origin's storage."""
    storage = {origin: items for origin, items in kept.storage.items() if items and only in (None, origin)}
    cookies = {"cookies": kept.cookies, "browserContextId": tab.context}
    try:
        await tab.connection.call("Storage.setCookies", cookies, seconds=CALL_SECONDS)
        for origin, items in storage.items():
            await _on_empty_page(tab, origin, WRITE, items)
    except CallError as problem:
        raise UsageError(f"{name}: the browser rejects its content ({problem}); {ADVICE}.") from problem
    if storage:
        await _leave(tab)


async def _on_empty_page(tab: Tab, origin: str, function: str, *arguments: object) -> dict[str, str]:
    """The value of a function on an empty page of an origin."""
    asking, tab.on_request = tab.on_request, _hand_over
    try:
        return await _at(tab, f"{origin}/", function, origin, *arguments)
    finally:
        tab.on_request = asking


async def _leave(tab: Tab) -> None:
    """Show a blank page, from which nothing leads back."""
    await _at(tab, BLANK, IS_BLANK)
    await tab.call("Page.resetNavigationHistory")


async def _at(tab: Tab, url: str, function: str, *arguments: object) -> dict[str, str]:
    """The value of a function at an address, as soon as it has one."""
    await tab.call("Page.navigate", {"url": url})
    try:
        async with asyncio.timeout(CALL_SECONDS):
            while (value := await _called(tab, function, *arguments)) is None:
                await asyncio.sleep(LOOK_EVERY_SECONDS)
    except TimeoutError as problem:
        raise CallError(f"{url} cannot be reached") from problem
    return value


async def _called(tab: Tab, function: str, *arguments: object) -> dict[str, str] | None:
    """The value of a function on the page; None while it is being replaced by the next."""
    try:
        options = {
            "functionDeclaration": function,
            "objectId": await tab.document_handle(GROUP),
            "arguments": [{"value": argument} for argument in arguments],
            "returnByValue": True,
        }
        answer = await tab.call("Runtime.callFunctionOn", options)
    except (ConnectionLost, CallTimeout):
        raise
    except CallError:
        return None
    value: dict[str, str] | None = answer["result"].get("value") if "exceptionDetails" not in answer else None
    return value


def _hand_over(tab: Tab, _: Visit | None, params: dict[str, Any]) -> None:
    """Answer for a site with an empty page."""
    headers = [{"name": "Content-Type", "value": "text/html"}]
    page = {"requestId": params["requestId"], "responseCode": 200, "responseHeaders": headers, "body": EMPTY_PAGE}
    tab.connection.send("Fetch.fulfillRequest", page, session=tab.session)


def _cookie(told: dict[str, Any]) -> dict[str, Any]:
    cookie = {name: told[name] for name in COOKIE if name in told}
    # The browser says -1 for a cookie that ends with its own end; a session's file is for going on after that.
    return cookie if told.get("session") else {**cookie, "expires": told["expires"]}
