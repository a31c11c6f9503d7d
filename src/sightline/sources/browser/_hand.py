"""A hand on an open page: mouse and keys as real input events, only where a person could reach."""

from collections.abc import Mapping
from pathlib import Path

from sightline.errors import UsageError
from sightline.sources.browser._actions import (
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
from sightline.sources.browser._dragging import MOUSE, MouseDrag
from sightline.sources.browser._element_scripts import (
    CHOICES,
    IS_ON,
    LABEL,
    OPTION,
    PICK,
    TAKES_FILES,
    VALUES,
)
from sightline.sources.browser._elements import Elements, FoundElement, OutOfReach, Place
from sightline.sources.browser._field_scripts import SET
from sightline.sources.browser._keyboard import chord, key_events
from sightline.sources.browser._tab import Tab

__all__ = ["Hand"]

CONTROL = MODIFIERS["Control"][1]
KEY = "Input.dispatchKeyEvent"


class Hand:
    """Acts on one tab. Not for concurrent use."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self.elements = Elements(tab)

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
