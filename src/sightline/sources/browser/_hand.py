"""A hand on an open page: mouse and keys as real input events, only where a person could reach."""

from collections.abc import Mapping
from pathlib import Path

from sightline.errors import UsageError
from sightline.sources.browser._actions import KEYS, Action, Check, Click, Fill, Hover, Press, Scroll, Select, Upload
from sightline.sources.browser._element_scripts import (
    CHOICES,
    IS_ON,
    LABEL,
    OPTION,
    PICK,
    SELECT_TEXT,
    TAKES_FILES,
    VALUES,
)
from sightline.sources.browser._elements import Elements, FoundElement, OutOfReach
from sightline.sources.browser._tab import Tab

__all__ = ["Hand"]

CONTROL = 2  # the protocol's number of the Ctrl key among the modifiers


class Hand:
    """Acts on one tab. Not for concurrent use."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self.elements = Elements(tab)

    async def do(self, action: Action) -> bool:
        """Do an action on the page; False for one that is not of a hand. OutOfReach if nobody could do it."""
        try:
            if isinstance(action, Click):
                await self._click(await self.elements.find(action.xpath))
            elif isinstance(action, Fill):
                await self._fill(action.xpath, action.text)
            elif isinstance(action, Hover):
                await self._move(*await self.elements.place(await self.elements.find(action.xpath)))
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

    async def _move(self, x: float, y: float) -> None:
        await self._tab.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})

    async def _click(self, element: FoundElement, *, modifiers: int = 0) -> None:
        """Move the mouse to the middle of an element and click there."""
        x, y = await self.elements.place(element)
        event = {"x": x, "y": y, "button": "left", "clickCount": 1, "modifiers": modifiers}
        await self._move(x, y)
        await self._tab.call("Input.dispatchMouseEvent", {"type": "mousePressed", **event})
        await self._tab.call("Input.dispatchMouseEvent", {"type": "mouseReleased", **event})

    async def press(self, key: str) -> None:
        """Press and release a key."""
        if key not in KEYS and len(key) != 1:
            raise UsageError(f"There is no key {key!r}; give one character, or one of {', '.join(KEYS)}.")
        code, number, text = KEYS.get(key, ("", 0, key))
        event = {"key": " " if key == "Space" else key, "code": code, "windowsVirtualKeyCode": number}
        down = {"type": "keyDown" if text else "rawKeyDown", **event, **({"text": text} if text else {})}
        await self._tab.call("Input.dispatchKeyEvent", down)
        await self._tab.call("Input.dispatchKeyEvent", {"type": "keyUp", **event})

    async def _fill(self, xpath: str, text: str) -> None:
        """Click into an input, select its text and type another over it."""
        element = await self.elements.find(xpath)
        await self._click(element)
        await self.elements.run(element, SELECT_TEXT)
        if text:
            await self._tab.call("Input.insertText", {"text": text})
        else:
            await self.press("Delete")

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
            raise OutOfReach(f"was clicked, but is still {'off' if on else 'on'}")

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
            raise OutOfReach("did not take the option")

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
