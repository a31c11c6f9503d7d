"""The mouse held down: moved in steps, as a hand would, and released. Also what pages can drop on each other."""

import asyncio
from contextlib import suppress
from typing import Any

from sightline.sources.browser._element_scripts import DRAG_BEGAN, WATCH_DRAG
from sightline.sources.browser._elements import Elements, FoundElement
from sightline.sources.browser._tab import Tab

__all__ = ["MOUSE", "MouseDrag"]

MOUSE = "Input.dispatchMouseEvent"
DROP = "Input.dispatchDragEvent"
LEFT = 1  # the bit of the left button among those that are held
# Browsers begin to drag after a few pixels, and lists that are sorted by hand look at every move.
STEPS = 10
FIRST_PIXELS = 5
BEGIN_SECONDS = 2.0  # for the browser to say what is dragged, once the page has begun to


class MouseDrag:
    """One drag from an element; what pages drop on each other would otherwise be the system's, beyond our reach."""

    def __init__(self, tab: Tab, elements: Elements, element: FoundElement) -> None:
        self._tab = tab
        self._elements = elements
        self._element = element
        self._at = (0.0, 0.0)
        self._cargo: dict[str, Any] | None = None
        self._begun = asyncio.Event()

    async def press(self, x: float, y: float) -> None:
        """Press the left button at a point of the window."""
        self._tab.on_drag = self._take
        await self._elements.run(self._element, WATCH_DRAG)
        await self._tab.call("Input.setInterceptDrags", {"enabled": True})
        await self._tab.call(MOUSE, {"type": "mouseMoved", "x": x, "y": y})
        await self._tab.call(MOUSE, {"type": "mousePressed", "x": x, "y": y, "button": "left", "clickCount": 1})
        self._at = (x, y)

    async def begin(self) -> None:
        """Move far enough for the browser to see that something is dragged."""
        await self.move(self._at[0] + FIRST_PIXELS, self._at[1] + FIRST_PIXELS, steps=2)

    async def move(self, x: float, y: float, *, steps: int = STEPS) -> None:
        """Move to a point, with the button held."""
        begin = self._at
        for step in range(1, steps + 1):
            part = step / steps
            self._at = (begin[0] + (x - begin[0]) * part, begin[1] + (y - begin[1]) * part)
            if self._cargo is None:
                moved = {"type": "mouseMoved", "button": "left", "buttons": LEFT, **self._place()}
                await self._tab.call(MOUSE, moved)
                await self._look()
            else:
                await self._carry("dragOver")

    async def release(self) -> None:
        """Let go, and drop what is carried."""
        try:
            if self._cargo is not None:
                await self._carry("dragOver")
                await self._carry("drop")
            released = {"type": "mouseReleased", "button": "left", "clickCount": 1, **self._place()}
            await self._tab.call(MOUSE, released)
        finally:
            self._tab.on_drag = None
            self._tab.connection.send("Input.setInterceptDrags", {"enabled": False}, session=self._tab.session)

    async def _look(self) -> None:
        """If the page has begun to drag something, take it over."""
        if not await self._elements.outcome(self._element, DRAG_BEGAN):
            return
        with suppress(TimeoutError):  # then the page has thought better of it
            async with asyncio.timeout(BEGIN_SECONDS):
                await self._begun.wait()
        if self._cargo is not None:
            await self._carry("dragEnter")

    async def _carry(self, kind: str) -> None:
        await self._tab.call(DROP, {"type": kind, "data": self._cargo, **self._place()})

    def _place(self) -> dict[str, float]:
        return {"x": self._at[0], "y": self._at[1]}

    def _take(self, cargo: dict[str, Any]) -> None:
        self._cargo = cargo
        self._begun.set()
