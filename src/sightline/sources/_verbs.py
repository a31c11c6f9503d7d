"""What a session and its frames have in common: the actions on elements, each named by its XPath."""

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Self

from sightline.errors import UsageError
from sightline.page import ENTER
from sightline.sources.browser import (
    Action,
    Check,
    Click,
    Drag,
    ElementFacts,
    ElementQuery,
    Fill,
    Hover,
    Select,
    Upload,
)

__all__ = ["ElementVerbs", "SessionFrame"]


class ElementVerbs(ABC):
    """Actions on elements; each returns the object itself, so that they can be chained."""

    @abstractmethod
    def act(self, action: Action) -> Self:
        """Do something on the page, and wait until it is at rest again."""

    @abstractmethod
    def locate(self, query: ElementQuery) -> tuple[str, ...]:
        """The full paths of all elements that match."""

    @abstractmethod
    def facts(self, xpath: str) -> ElementFacts | None:
        """What is at a full path, or None."""

    def located(self, *, css: str | None = None, xpath: str | None = None) -> tuple[str, ...]:
        """The full paths of all elements that match a CSS selector or an XPath now, as captured pages have them."""
        if (css is None) == (xpath is None):
            raise UsageError("Give a CSS selector or an XPath, one of the two: located(css=…) or located(xpath=…).")
        text = css if css is not None else xpath or ""
        return self.locate(ElementQuery(self._path(text), css is not None))

    def element(self, xpath: str) -> ElementFacts | None:
        """What is at a path now: its tag, text, attributes and state; None if nothing is."""
        return self.facts(self._path(xpath))

    def click(self, xpath: str) -> Self:
        """Click in the middle of an element."""
        return self.act(Click(self._path(xpath)))

    def double_click(self, xpath: str) -> Self:
        """Click twice in the middle of an element."""
        return self.act(Click(self._path(xpath), count=2))

    def drag(self, xpath: str, *, to: str | None = None, by: tuple[float, float] | None = None) -> Self:
        """Press the mouse on an element, move it over another one or by so many pixels, and release it."""
        if (to is None) == (by is None):
            raise UsageError("Say where to drag: drag(xpath, to=xpath) or drag(xpath, by=(right, down)).")
        return self.act(Drag(self._path(xpath), None if to is None else self._path(to), by or (0.0, 0.0)))

    def fill(self, xpath: str, text: str) -> Self:
        """Replace the text of an input, or the value of a date, time, colour or slider."""
        return self.act(Fill(self._path(xpath), text))

    def select(self, xpath: str, *options: str) -> Self:
        """Choose options of a `<select>` by their texts or values; a list for several can also be cleared."""
        return self.act(Select(self._path(xpath), options))

    def check(self, xpath: str) -> Self:
        """Turn on a checkbox, radio button or switch; nothing happens if it is on."""
        return self.act(Check(self._path(xpath)))

    def uncheck(self, xpath: str) -> Self:
        """Turn off a checkbox or switch; nothing happens if it is off."""
        return self.act(Check(self._path(xpath), on=False))

    def hover(self, xpath: str) -> Self:
        """Move the mouse to the middle of an element."""
        return self.act(Hover(self._path(xpath)))

    def upload(self, xpath: str, *files: str | os.PathLike[str]) -> Self:
        """Choose files for an `<input type=file>`, which may be hidden behind a button of the page."""
        return self.act(Upload(self._path(xpath), tuple(str(Path(file).absolute()) for file in files)))

    def frame(self, xpath: str) -> "SessionFrame":
        """The inside of a frame, or of an element with an open shadow root; paths there start anew."""
        return SessionFrame(self, self._path(xpath))

    def _path(self, xpath: str) -> str:
        return xpath


class SessionFrame(ElementVerbs):
    """The inside of a frame or shadow root of a session's page."""

    def __init__(self, around: ElementVerbs, xpath: str) -> None:
        self._around = around
        self._xpath = xpath

    def act(self, action: Action) -> Self:
        """Do something on the page; the paths of actions are those of the whole page."""
        self._around.act(action)
        return self

    def locate(self, query: ElementQuery) -> tuple[str, ...]:
        """The full paths of all elements that match; the query is one of the whole page."""
        return self._around.locate(query)

    def facts(self, xpath: str) -> ElementFacts | None:
        """What is at a path of the whole page, or None."""
        return self._around.facts(xpath)

    def _path(self, xpath: str) -> str:
        return f"{self._xpath}{ENTER}{xpath}"
