"""The frames of a tab in which our script listens: which one a report comes from, and where that frame is."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from sightline.page import ENTER
from sightline.sources.browser._element_scripts import WHOLE_PATH
from sightline.sources.browser._listen_scripts import HEARING
from sightline.sources.browser._pipe import CallError
from sightline.sources.browser._tab import Tab

__all__ = ["FrameWorlds"]

CALL_SECONDS = 5.0


class FrameWorlds:
    """The isolated worlds of one tab and its frames; a frame of another site may have a session of its own."""

    def __init__(self, tab: Tab, calls: Sequence[tuple[str, dict[str, Any]]]) -> None:
        self._tab = tab
        self._calls = calls
        self._frames: dict[tuple[str, int], str] = {}  # by session and number of the world
        self._worlds: dict[str, tuple[str, int]] = {}
        self._parents: dict[str, str] = {}
        self._paths: dict[str, str] = {}
        self.on_message: Callable[[str, str], None] | None = None

    def learn(self, tree: dict[str, Any]) -> None:
        """Learn the frames that are there."""
        left = [tree["frameTree"]]
        while left:
            one = left.pop()
            left += one.get("childFrames", ())
            if "parentId" in one["frame"]:
                self._parents[one["frame"]["id"]] = one["frame"]["parentId"]

    def see(self, method: str, params: dict[str, Any], session: str = "") -> None:
        """Process an event of the tab, or of a frame's own session."""
        session = session or self._tab.session
        if method == "Runtime.bindingCalled" and params["name"] == HEARING:
            frame = self._frames.get((session, params["executionContextId"]))
            if frame and self.on_message:
                self.on_message(frame, params["payload"])
        elif method == "Runtime.executionContextCreated" and params["context"]["name"] == HEARING:
            context = params["context"]
            frame = context["auxData"]["frameId"]
            self._frames[session, context["id"]] = frame
            self._worlds[frame] = (session, context["id"])
        elif method == "Page.frameAttached":
            self._parents[params["frameId"]] = params["parentFrameId"]
        elif method == "Page.frameDetached" and params.get("reason") != "swap":
            self._worlds.pop(params["frameId"], None)
        elif method == "Page.frameNavigated" and params["frame"]["id"] == self._tab.target:
            self._worlds = {frame: world for frame, world in self._worlds.items() if frame == self._tab.target}
        elif method == "Target.attachedToTarget":
            self._attached(params)
        elif method == "Inspector.targetCrashed" and session != self._tab.session:
            self._tab.connection.listen(session, None)

    async def refresh(self) -> None:
        """Learn anew where the frames are, for the moment when one can no longer be asked."""
        for frame in [frame for frame in self._worlds if frame != self._tab.target]:
            await self.path_of(frame)

    async def path_of(self, frame: str) -> str:
        """What comes before the path of an element in a frame: where the frame is, or was when it was last there."""
        if frame == self._tab.target:
            return ""
        with suppress(CallError, KeyError):
            self._paths[frame] = await self._look_up(frame)
        return self._paths.get(frame, "")

    async def _look_up(self, frame: str) -> str:
        parent = self._parents[frame]
        session, world = self._worlds[parent]
        owner = await self._call("DOM.getFrameOwner", {"frameId": frame}, session)
        place = {"backendNodeId": owner["backendNodeId"], "executionContextId": world}
        handle = (await self._call("DOM.resolveNode", place, session))["object"]["objectId"]
        options = {"functionDeclaration": WHOLE_PATH, "objectId": handle, "returnByValue": True}
        path = (await self._call("Runtime.callFunctionOn", options, session))["result"]["value"]
        self._tab.connection.send("Runtime.releaseObject", {"objectId": handle}, session=session)
        return f"{await self.path_of(parent)}{path}{ENTER}"

    async def _call(self, method: str, params: dict[str, Any], session: str) -> dict[str, Any]:
        return await self._tab.connection.call(method, params, session=session, seconds=CALL_SECONDS)

    def _attached(self, params: dict[str, Any]) -> None:
        """A frame has a process of its own: listen there, too, before it loads anything."""
        session, connection = params["sessionId"], self._tab.connection
        info = params["targetInfo"]
        if "parentFrameId" in info:
            self._parents.setdefault(info["targetId"], info["parentFrameId"])
        connection.listen(session, lambda method, inner: self.see(method, inner, session))
        for method, options in (("Page.enable", {}), ("Runtime.enable", {}), *self._calls):
            connection.send(method, options, session=session)
        connection.send("Runtime.runIfWaitingForDebugger", session=session)
