"""A hand on an open page: mouse and keys as real input events, only where a person could reach."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from sightline.errors import UsageError
from sightline.sources.browser._actions import (
    KEYS,
    MODIFIERS,
    Action,
    Check,
    Click,
    Drag,
    Fill,
    Hover,
    Press,
    Scroll,
    Select,
    Upload,
)
from sightline.sources.browser._element_scripts import (
    CHOICES,
    DRAG_BEGAN,
    IS_ON,
    LABEL,
    OPTION,
    PICK,
    SET,
    TAKES_FILES,
    VALUES,
    WATCH_DRAG,
)
from sightline.sources.browser._elements import Elements, FoundElement, OutOfReach, Place
from sightline.sources.browser._tab import Tab

CONTROL = MODIFIERS["Control"][1]
KEY = "Input.dispatchKeyEvent"


class Hand:
    """Acts on one tab. Not for concurrent use."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self.elements: Elements = Elements(tab)

    async def do(self, action: Action) -> bool:
        """Do an action on the page; False for one that is not of a hand. OutOfReach if nobody could do it."""
        try:
            if isinstance(action, Click):
                await self._click_at(await self.elements.reach(action.xpath), count=action.count)
            elif isinstance(action, Drag):
                await self._drag(action)
            elif isinstance(action, Fill):
                await self._fill(action.xpath, action.text)
            elif isinstance(action, Hover):
                place = await self.elements.reach(action.xpath)
                await self._tab.call(MOUSE, {"type": "mouseMoved", "x": place.x, "y": place.y})
            elif isinstance(action, Select):
                await self._select(action.xpath, action.options)
            elif isinstance(action, Check):
                await self._check(action.xpath, on=action.on)
            elif isinstance(action, Upload):
                await self._upload(action.xpath, action.files)
            else:
                return await self._without_element(action)
        finally:
            self.elements.forget()
        return True

    async def _without_element(self, action: Action) -> bool:
        if isinstance(action, Press):
            await self.press(action.key)
        elif isinstance(action, Scroll):
            await self._tab.scroll_to(action.top)
        else:
            return False
        return True

    # ------------------------------------------------------------------ mouse and keys

    async def _click(self, element: FoundElement, *, modifiers: int = 0) -> None:
        """Move the mouse to the middle of an element and click there."""
        x, y = await self.elements.place(element)
        await self._click_at(Place(x, y, bool(element.frames)), modifiers=modifiers)

    async def _click_at(self, place: Place, *, modifiers: int = 0, count: int = 1) -> None:
        at = {"x": place.x, "y": place.y}
        clicks = [
            {"type": kind, **at, "button": "left", "modifiers": modifiers, "clickCount": number}
            for number in range(1, count + 1)
            for kind in ("mousePressed", "mouseReleased")
        ]
        *first, last = ({"type": "mouseMoved", **at}, *clicks)
        for event in first:
            # A frame in a process of its own has the mouse only when the browser has seen that it is there.
            if place.framed:
                await self._tab.call(MOUSE, event)
            else:
                self._tab.connection.send(MOUSE, event, session=self._tab.session)
        await self._tab.call(MOUSE, last)

    async def _drag(self, action: Drag) -> None:
        """Press on an element, move in steps as a hand would, and release."""
        element = await self.elements.find(action.xpath)
        target = await self.elements.find(action.to) if action.to is not None else None
        if target:
            await self.elements.place(target)  # a problem with it must show before anything is pressed
        x, y = await self.elements.place(element)
        drag = MouseDrag(self._tab, self.elements, element)
        await drag.press(x, y)
        try:
            end = (x + action.by[0], y + action.by[1])
            if target:
                await drag.begin()  # before the page scrolls away below the mouse
                await self.elements.show(target)
                left, top, right, bottom = await self.elements.box(target)
                end = ((left + right) / 2, (top + bottom) / 2)
            await drag.move(*end)
        finally:
            await drag.release()

    async def press(self, key: str) -> None:
        """Press and release a key, with the modifiers before it."""
        *first, last = key_events(chord(key))
        for event in first:
            self._tab.connection.send(KEY, event, session=self._tab.session)
        await self._tab.call(KEY, last)

    async def _fill(self, xpath: str, text: str) -> None:
        """Click into a field and type over its text; one with a picker of the browser gets its value from us."""
        field = await self.elements.reach_field(xpath, text)
        if field.way == "set":
            element = field.element or await self.elements.find(xpath)
            await self.elements.outcome(element, SET, text)
            return
        await self._click_at(field.at)
        problem = await self.elements.type(field, text)
        if problem:
            raise OutOfReach(problem, acted=True)

    async def _upload(self, xpath: str, files: tuple[str, ...]) -> None:
        """Give an input its files, as the system's dialog would, which no input event reaches."""
        missing = [file for file in files if not Path(file).is_file()]
        if missing or not files:
            raise UsageError(f"There is no file {missing[0]}." if missing else "Give at least one file to upload.")
        element = await self.elements.find(xpath)
        problem = await self.elements.run(element, TAKES_FILES, len(files))
        if problem:
            raise OutOfReach(problem)
        await self.elements.set_files(element, files)

    # ------------------------------------------------------------------ choices

    async def _check(self, xpath: str, *, on: bool) -> None:
        """Click a checkbox or the like unless it is as wanted; one that its page hides is clicked on its label."""
        element = await self.elements.find(xpath)
        before = await self.elements.run(element, IS_ON)
        if before is None:
            raise OutOfReach("is not a checkbox, radio button or switch")
        if before == on:
            return
        try:
            await self._click(element)
        except OutOfReach as problem:
            if problem.problem == "is disabled":
                raise
            await self._click_label(element, problem)
        if await self.elements.outcome(element, IS_ON) not in (on, None):
            raise OutOfReach(f"was clicked, but is still {'off' if on else 'on'}", acted=True)

    async def _click_label(self, element: FoundElement, problem: OutOfReach) -> None:
        try:
            label = await self.elements.related(element, LABEL)
        except OutOfReach:
            raise problem from None
        await self._click(label)

    async def _select(self, xpath: str, options: tuple[str, ...]) -> None:
        element = await self.elements.find(xpath)
        choices = await self.elements.run(element, CHOICES, list(options))
        if "problem" in choices:
            raise OutOfReach(choices["problem"])
        if choices["numbers"] == choices["chosen"]:
            return
        if choices["listed"]:
            await self._select_in_list(element, choices)
        else:
            await self.elements.place(element)
            await self._pick(element, choices["numbers"][0])
        if await self.elements.outcome(element, VALUES) not in (sorted(choices["numbers"]), None):
            raise OutOfReach("did not take the option", acted=True)

    async def _pick(self, element: FoundElement, number: int) -> None:
        step = await self.elements.run(element, PICK, number)
        if "problem" in step:
            raise OutOfReach(step["problem"])
        await self.press(step["key"])

    async def _select_in_list(self, element: FoundElement, choices: Mapping[str, list[int]]) -> None:
        """Click the options, all but the first with the Ctrl key held; no option at all means one more click."""
        wanted = choices["numbers"] or choices["chosen"][:1]
        for turn, number in enumerate(wanted):
            option = await self.elements.related(element, OPTION % number)
            await self._click(option, modifiers=CONTROL if turn else 0)
        if not choices["numbers"]:
            await self._click(await self.elements.related(element, OPTION % wanted[0]), modifiers=CONTROL)


# Keys by their names, as the DevTools protocol wants them: `a`, `Enter`, `Control+a`, `Shift+Tab`.

PLUS = "+"
SHIFT = MODIFIERS["Shift"][1]
# What a key types is not typed while one of these is held.
COMMANDING = MODIFIERS["Control"][1] | MODIFIERS["Alt"][1] | MODIFIERS["Meta"][1]


class Chord(NamedTuple):
    """A key and the modifiers that are held while it is pressed."""

    key: str
    modifiers: tuple[str, ...] = ()


def chord(text: str) -> Chord:
    """A key with modifiers, from what a user writes.

    >>> chord("Control+Shift+ArrowRight")
    Chord(key='ArrowRight', modifiers=('Control', 'Shift'))
    >>> chord("Control++"), chord("+")
    (Chord(key='+', modifiers=('Control',)), Chord(key='+', modifiers=()))
    """
    key = PLUS if text.endswith(PLUS) else text.rpartition(PLUS)[2]
    before = text.removesuffix(key).removesuffix(PLUS)
    modifiers = tuple(before.split(PLUS)) if before else ()
    for name in modifiers:
        if name not in MODIFIERS:
            raise UsageError(f"There is no modifier {name!r} in {text!r}; there are {', '.join(MODIFIERS)}.")
    if key not in KEYS and len(key) != 1:
        raise UsageError(f"There is no key {key!r}; give one character, or one of {', '.join(KEYS)}.")
    return Chord(key, modifiers)


def key_events(pressed: Chord) -> Iterator[dict[str, Any]]:
    """The events of pressing and releasing the keys of a chord."""
    held = 0
    for name in pressed.modifiers:
        held |= MODIFIERS[name][1]
        yield {"type": "rawKeyDown", **_modifier(name), "modifiers": held}
    event, text = _key(pressed.key, held)
    typed = {"text": text} if text and not held & COMMANDING else {}
    yield {"type": "keyDown" if typed else "rawKeyDown", **event, **typed, "modifiers": held}
    yield {"type": "keyUp", **event, "modifiers": held}
    for name in reversed(pressed.modifiers):
        held &= ~MODIFIERS[name][1]
        yield {"type": "keyUp", **_modifier(name), "modifiers": held}


def _modifier(name: str) -> dict[str, Any]:
    number, _ = MODIFIERS[name]
    return {"key": name, "code": f"{name}Left", "windowsVirtualKeyCode": number}


def _key(key: str, held: int) -> tuple[dict[str, Any], str]:
    """The event of a key, and what it types."""
    if key in KEYS:
        code, number, text = KEYS[key]
        return {"key": " " if key == "Space" else key, "code": code, "windowsVirtualKeyCode": number}, text
    typed = key.upper() if held & SHIFT else key
    code, number = "", 0
    if key.isascii() and key.isalnum():  # what scripts and the browser's own shortcuts ask for
        code, number = f"{'Digit' if key.isdigit() else 'Key'}{key.upper()}", ord(key.upper())
    return {"key": typed, "code": code, "windowsVirtualKeyCode": number}, typed


# The mouse held down: moved in steps, as a hand would, and released. Also what pages can drop on each other.

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
