"""New tabs and windows that pages of sessions open: each is stopped before its first request, until it has an owner."""

from collections.abc import Callable
from typing import Any

from sightline.sources.browser._pipe import Connection

__all__ = ["Windows"]

CALL_SECONDS = 10.0
PAGES_ONLY = [{"type": "page", "exclude": False}, {"exclude": True}]

Owner = Callable[[str, dict[str, Any]], None]
"""Takes the DevTools session of a new tab, and the browser's description of it."""


class Windows:
    """Hands new tabs of one browser process to whoever owns the tab that opened them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._owners: dict[str, Owner] = {}

    async def watch(self) -> None:
        """Hear of every new tab, before it loads anything."""
        self._connection.listen(None, self._hear)
        attach = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": PAGES_ONLY}
        await self._connection.call("Target.setAutoAttach", attach, seconds=CALL_SECONDS)

    def claim(self, target: str, owner: Owner) -> None:
        """Take the tabs that this one opens."""
        self._owners[target] = owner

    def release(self, target: str) -> None:
        """Take no more of them."""
        self._owners.pop(target, None)

    def turn_away(self, session: str, target: str) -> None:
        """Close a new tab. It must go on first, as its opener waits with it; but none of its requests does."""
        self._connection.send("Fetch.enable", session=session)
        self._connection.send("Runtime.runIfWaitingForDebugger", session=session)
        self._connection.send("Target.closeTarget", {"targetId": target})

    def _hear(self, method: str, params: dict[str, Any]) -> None:
        if method != "Target.attachedToTarget" or not params.get("waitingForDebugger"):
            return
        info, session = params["targetInfo"], params["sessionId"]
        opener = info.get("openerId")
        owner = self._owners.get(opener or "")
        if owner:
            owner(session, info)
        elif opener:
            self.turn_away(session, info["targetId"])
        else:  # one of our own, which has a session besides this one
            self._connection.send("Runtime.runIfWaitingForDebugger", session=session)
            self._connection.send("Target.detachFromTarget", {"sessionId": session})
