"""The hand of a person who works on a picture of the window: raw events of mouse and keys, in their order.

They take the way of a real mouse and a real keyboard, so that pages, and whoever records, hear what they always hear.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from sightline.sources.browser._actions import KEYS
from sightline.sources.browser._element_scripts import UNDER
from sightline.sources.browser._hand import COMMANDING, DROP, KEY, MOUSE
from sightline.sources.browser._pipe import CallError
from sightline.sources.browser._tab import Tab

BITS = {"left": 1, "right": 2, "middle": 4}
ASK_SECONDS = 0.5  # for a page to say what is under the mouse; one that is busy gets the click without being asked
MOVE_SECONDS = 0.5  # for a frame of another process to learn that the mouse is there
ARRIVED_SECONDS = 0.05  # after which a move has arrived, three pictures of the screen later
MOST_WAITING = 200  # events; a page that takes none of them for so long has no use for the next
ENTER = "\r"


@dataclass(frozen=True)
class MouseMotion:
    """The mouse at a point: `kind` is move, down or up; `buttons` are the bits of those that are held."""

    kind: str
    x: float
    y: float
    button: str = "none"
    buttons: int = 0
    count: int = 1
    modifiers: int = 0


@dataclass(frozen=True)
class WheelTurn:
    """The wheel turned at a point, by pixels."""

    x: float
    y: float
    by_x: float
    by_y: float
    modifiers: int = 0


@dataclass(frozen=True)
class KeyStroke:
    """A key that goes down or up, as browsers describe it; one that goes down may type a text."""

    down: bool
    key: str
    code: str = ""
    number: int = 0
    modifiers: int = 0
    repeated: bool = False


@dataclass(frozen=True)
class TypedText:
    """A text that comes at once: pasted, or composed by an input method."""

    text: str


LiveEvent = MouseMotion | WheelTurn | KeyStroke | TypedText
OnChoice = Callable[[dict[str, Any]], None]


class LiveHand:
    """Passes events on to the tab that is shown, one after the other; moves of the mouse replace those that wait."""

    def __init__(self, tab: Callable[[], Tab], on_choice: OnChoice) -> None:
        self._tab = tab
        self._on_choice = on_choice
        self._waiting: deque[LiveEvent] = deque()
        self._come = asyncio.Event()
        self._cargo: dict[str, Any] | None = None
        self._entered = False
        self._moved: tuple[str, float, float, float] | None = None  # where and when the mouse moved last, in which tab
        self._swallows = False  # the release after a press that opened options
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to pass events on."""
        self._task = asyncio.get_running_loop().create_task(self._work())

    async def close(self) -> None:
        """Drop what still waits."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def put(self, event: LiveEvent) -> None:
        """Take an event."""
        last = self._waiting[-1] if self._waiting else None
        if isinstance(event, MouseMotion) and event.kind == "move" and isinstance(last, MouseMotion):
            if last.kind == "move" and last.buttons == event.buttons == 0:
                self._waiting.pop()
        elif isinstance(event, WheelTurn) and isinstance(last, WheelTurn) and last.modifiers == event.modifiers:
            self._waiting.pop()
            event = replace(event, by_x=event.by_x + last.by_x, by_y=event.by_y + last.by_y)
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(event)
        self._come.set()

    async def under(self, x: float, y: float) -> dict[str, Any] | None:
        """What is at a point of the window; None if there is nothing, or no answer in time."""
        with suppress(CallError):
            found: dict[str, Any] | None = await self._tab().ask(UNDER, x, y, seconds=ASK_SECONDS)
            return found
        return None

    async def _work(self) -> None:
        while True:
            while self._waiting:
                with suppress(CallError):  # of a page that is being replaced
                    await self._pass_on(self._waiting.popleft())
            self._come.clear()
            await self._come.wait()

    async def _pass_on(self, event: LiveEvent) -> None:
        match event:
            case MouseMotion():
                await self._mouse(event)
            case WheelTurn():
                turn = {"type": "mouseWheel", "x": event.x, "y": event.y, "modifiers": event.modifiers}
                self._send(MOUSE, {**turn, "deltaX": event.by_x, "deltaY": event.by_y})
            case KeyStroke():
                self._send(KEY, key_event(event))
            case TypedText():
                self._send("Input.insertText", {"text": event.text})

    async def _mouse(self, event: MouseMotion) -> None:
        at = {"x": event.x, "y": event.y, "modifiers": event.modifiers}
        if event.kind == "down":
            await self._press(event, at)
        elif event.kind == "up":
            await self._release(event, at)
        elif self._cargo is not None:
            self._carry(at)
        else:
            held = next((name for name, bit in BITS.items() if event.buttons & bit), "none")
            moved = {"type": "mouseMoved", **at, "button": held, "buttons": event.buttons}
            if event.buttons:  # the page may begin to drag something, and then the next move is another event
                await self._tab().call(MOUSE, moved, seconds=MOVE_SECONDS)
            else:
                tab = self._tab()
                self._moved = (tab.session, event.x, event.y, asyncio.get_running_loop().time())
                self._send(MOUSE, moved)

    async def _press(self, event: MouseMotion, at: dict[str, float]) -> None:
        tab = self._tab()
        found, _ = await asyncio.gather(self.under(event.x, event.y), self._come_to(tab, at))
        if event.button == "left":
            if found and found["options"] is not None and not found["disabled"]:
                self._swallows = True
                self._on_choice(found)
                return
            # What pages drop on each other would otherwise be the system's, beyond our reach.
            tab.on_drag, self._entered = self._take, False
            self._send("Input.setInterceptDrags", {"enabled": True})
        buttons = event.buttons or BITS.get(event.button, 0)
        press = {"type": "mousePressed", "button": event.button, "buttons": buttons, "clickCount": event.count}
        self._send(MOUSE, {**press, **at})

    async def _come_to(self, tab: Tab, at: dict[str, float]) -> None:
        """Be there: a frame in a process of its own has the mouse only when the browser has seen that it is there.

        People point before they press, so that it is there already as a rule.
        """
        moved, self._moved = self._moved, None
        now = asyncio.get_running_loop().time()
        if moved and moved[:3] == (tab.session, at["x"], at["y"]) and now - moved[3] > ARRIVED_SECONDS:
            return
        with suppress(CallError):
            await tab.call(MOUSE, {"type": "mouseMoved", **at}, seconds=MOVE_SECONDS)

    async def _release(self, event: MouseMotion, at: dict[str, float]) -> None:
        if self._swallows:
            self._swallows = False
            return
        if self._cargo is not None:
            self._carry(at)
            self._send(DROP, {"type": "drop", "data": self._cargo, **at})
            self._cargo = None
        release = {"type": "mouseReleased", "button": event.button, "buttons": event.buttons, "clickCount": event.count}
        self._send(MOUSE, {**release, **at})

    def _take(self, cargo: dict[str, Any]) -> None:
        self._cargo = cargo

    def _carry(self, at: dict[str, float]) -> None:
        if not self._entered:
            self._send(DROP, {"type": "dragEnter", "data": self._cargo, **at})
        self._entered = True
        self._send(DROP, {"type": "dragOver", "data": self._cargo, **at})

    def _send(self, method: str, params: dict[str, Any]) -> None:
        tab = self._tab()
        tab.connection.send(method, params, session=tab.session)


def key_event(stroke: KeyStroke) -> dict[str, Any]:
    """A stroke as the DevTools protocol wants it.

    >>> key_event(KeyStroke(down=True, key="a", code="KeyA", number=65))["text"]
    'a'
    >>> "text" in key_event(KeyStroke(down=True, key="a", code="KeyA", number=65, modifiers=2))
    False
    """
    event: dict[str, Any] = {
        "key": stroke.key,
        "code": stroke.code,
        "windowsVirtualKeyCode": stroke.number or _number(stroke.key),
        "modifiers": stroke.modifiers,
    }
    if not stroke.down:
        return {**event, "type": "keyUp"}
    text = ENTER if stroke.key == "Enter" else stroke.key if len(stroke.key) == 1 else ""
    typed = {"text": text} if text and not stroke.modifiers & COMMANDING else {}
    repeated = {"autoRepeat": True} if stroke.repeated else {}
    return {**event, **typed, **repeated, "type": "keyDown" if typed else "rawKeyDown"}


def _number(key: str) -> int:
    if key in KEYS:
        return KEYS[key][1]
    return ord(key.upper()) if len(key) == 1 and key.isascii() and key.isalnum() else 0
