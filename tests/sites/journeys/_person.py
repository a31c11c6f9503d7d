"""A person who follows a plan: real input events at the places of elements, after each page has come to rest."""

import asyncio
from pathlib import Path
from typing import Any

from sightline.navigate.record import Recorder
from sightline.sources import Session
from sightline.sources._loop import RUNTIME
from sightline.sources.browser._hand import chord, key_events

from ..._wait import wait_until

__all__ = ["Person"]

MOUSE = "Input.dispatchMouseEvent"


class Person:
    """Acts in a session that is recorded. Elements are named by their keys (`data-k`), or by an XPath."""

    def __init__(self, session: Session, recorder: Recorder, files: Path) -> None:
        self.session = session
        self.recorder = recorder
        self.files = files

    # ------------------------------------------------------------------ the mouse

    def click(self, what: str, inside: str = "") -> None:
        """Click an element; `inside` is the path of a frame or shadow host."""
        x, y = self._place(what, inside)
        self._mouse("mouseMoved", x, y)
        self._press_and_release(x, y)

    def hover(self, what: str) -> None:
        """Move the mouse to an element."""
        self._mouse("mouseMoved", *self._place(what))

    def click_and_answer(self, what: str, *, accept: bool, text: str | None = None) -> None:
        """Click what opens a dialog, and answer it."""
        x, y = self._place(what)
        self._mouse("mouseMoved", x, y)
        tab = self._tab
        for kind in ("mousePressed", "mouseReleased"):  # the answer to the second comes after that to the dialog
            RUNTIME.loop.call_soon_threadsafe(
                lambda kind=kind: tab.connection.send(MOUSE, _left(kind, x, y), session=tab.session)
            )
        listening = self.recorder.listening
        assert listening is not None
        wait_until(lambda: listening.dialog)
        self._call("Page.handleJavaScriptDialog", {"accept": accept, **({} if text is None else {"promptText": text})})

    def drag(self, what: str, *, by: tuple[float, float] | None = None, onto: str = "") -> None:
        """Drag an element by some pixels, or onto another one."""
        self.recorder.rest()
        self.session.drag(_path(what), by=by, **({"to": _path(onto)} if onto else {}))

    def wheel(self, pixels: int) -> None:
        """Scroll with the wheel."""
        self.recorder.rest()
        self._call(MOUSE, {"type": "mouseWheel", "x": 600, "y": 400, "deltaX": 0, "deltaY": pixels})

    def see(self, what: str) -> None:
        """Look until an element is there."""
        wait_until(lambda: self.session.located(xpath=_path(what)))

    # ------------------------------------------------------------------ keys

    def type(self, what: str, text: str, inside: str = "") -> None:
        """Click into an input and type, one key after the other."""
        self.click(what, inside)
        for letter in text:
            self._keys("Enter" if letter == "\n" else letter)

    def press(self, *keys: str) -> None:
        """Press keys, with a look at the page before each."""
        for key in keys:
            self.recorder.rest()
            self._keys(key)

    # ------------------------------------------------------------------ what the system's windows do

    def select(self, what: str, *options: str) -> None:
        """Choose from a list that the system shows."""
        self.recorder.rest()
        self.session.select(_path(what), *options)

    def choose_file(self, what: str, name: str) -> None:
        """Choose a file in the system's window."""
        self.recorder.rest()
        self.session.upload(_path(what), self.files / name)

    def back(self) -> None:
        """Press the browser's back button."""
        self.recorder.rest()
        self.session.back()

    def tab(self, number: int) -> None:
        """Go to another tab."""
        self.recorder.rest()
        self.session.tab(number)

    # ------------------------------------------------------------------ on the way

    @property
    def _tab(self) -> Any:
        return self.session._opened().tabs.current.tab

    def _place(self, what: str, inside: str = "") -> tuple[float, float]:
        self.recorder.rest()
        elements = self.session._opened().tabs.current.hand.elements

        async def place() -> tuple[float, float]:
            try:
                return await elements.place(await elements.find(inside + _path(what)))
            finally:
                elements.forget()

        return RUNTIME.run(place())

    def _press_and_release(self, x: float, y: float) -> None:
        self._mouse("mousePressed", x, y)
        self._mouse("mouseReleased", x, y)

    def _mouse(self, kind: str, x: float, y: float) -> None:
        self._call(MOUSE, _left(kind, x, y) if kind != "mouseMoved" else {"type": kind, "x": x, "y": y})

    def _keys(self, key: str) -> None:
        async def press() -> None:
            await asyncio.gather(*(self._tab.call("Input.dispatchKeyEvent", event) for event in key_events(chord(key))))

        RUNTIME.run(press())

    def _call(self, method: str, params: dict[str, Any]) -> None:
        RUNTIME.run(self._tab.call(method, params))


def _left(kind: str, x: float, y: float) -> dict[str, Any]:
    return {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}


def _path(what: str) -> str:
    return what if what.startswith("/") else f"//*[@data-k='{what}']"
