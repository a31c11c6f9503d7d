"""Elements of an open page by their XPaths, through frames of any origin and open shadow roots.

The paths are those of captured pages: ` >> ` enters a frame or a shadow root. An element that a hand could not reach
(covered, invisible, disabled) has a problem instead of a place.
"""

import io
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from sightline.errors import UsageError
from sightline.geometry import Box
from sightline.page import ENTER
from sightline.sources.browser._element_scripts import (
    AT_POINT,
    BOX,
    DRAWN,
    FACTS,
    FIELD,
    FIND,
    FRAME_CORNER,
    INSIDE,
    LOADED,
    LOCATE,
    PATH,
    PLACE,
    REACH,
    REACH_FIELD,
    SHOW,
    TYPE,
)
from sightline.sources.browser._pipe import CallError, CallTimeout, ConnectionLost
from sightline.sources.browser._tab import Tab

ANSWER_SECONDS = 10.0
FRAME = "frame"
GROUP = "sightline-elements"
# A text in quotes may have the characters that enter a frame (`//a[.='Home >> Cameras']`).
TOKENS = re.compile(rf"""{ENTER}|"[^"]*"|'[^']*'|.""", re.DOTALL)


class OutOfReach(Exception):
    """No hand could do this to the element; `problem` is a clause without a subject, `cover` what is in the way.

    `acted` says that something was done to it, and must not be done again.
    """

    def __init__(self, problem: str, cover: str = "", *, acted: bool = False) -> None:
        super().__init__(problem)
        self.acted = acted
        self.problem = problem
        self.cover = cover


@dataclass(frozen=True)
class FoundElement:
    """An element by its handle in one of the tab's DevTools sessions, with the frames around it, outermost first."""

    session: str
    handle: str
    frames: tuple["FoundElement", ...] = ()


class Place(NamedTuple):
    """A point of the window; `framed` if it may be inside of a frame."""

    x: float
    y: float
    framed: bool = False


@dataclass(frozen=True)
class InputField:
    """Where a field is, and how it is filled (`type` or `set`); with the element itself if it is in a frame."""

    way: str
    at: Place
    element: FoundElement | None = None


class Elements:
    """Finds elements of one tab."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._frame_sessions: dict[str, str] = {}
        self._holds = False  # whether the browser keeps anything for us

    async def find(self, xpath: str) -> FoundElement:
        """The first element with this path."""
        *outer, last = _pieces(xpath)
        root = await self._document_of_tab()
        for piece in outer:
            root = await self._inside(await self._child(root, piece))
        return await self._child(root, last)

    async def search(self, query: str) -> tuple[FoundElement, str, str]:
        """Where to look for the last part of a query, the full path of that place, and the last part itself."""
        *outer, last = _pieces(query)
        root, path = await self._document_of_tab(), ""
        for piece in outer:
            host = await self._child(root, piece)
            path += f"{await self.run(host, PATH)}{ENTER}"
            root = await self._inside(host)
        return root, path, last

    async def show(self, element: FoundElement) -> None:
        """Scroll to an element."""
        for one in (*element.frames, element):
            await self.run(one, SHOW)

    async def box(self, element: FoundElement) -> Box:
        """The box of an element in the window of the tab, which may be outside of what the window shows."""
        told = await self.run(element, BOX)
        x, y = 0.0, 0.0
        for frame in element.frames:
            corner = await self.run(frame, FRAME_CORNER)
            x, y = x + float(corner["x"]), y + float(corner["y"])
        return told["left"] + x, told["top"] + y, told["right"] + x, told["bottom"] + y

    async def place(self, element: FoundElement) -> tuple[float, float]:
        """The middle of an element in the window, after scrolling to it; it must be visible and not covered."""
        for frame in element.frames:
            await self.run(frame, SHOW)
        at = _reached(await self.run(element, PLACE))
        for one in (*element.frames[:1], element) if element.frames else ():
            await self.run(one, DRAWN)
        x, y = float(at["x"]), float(at["y"])
        for frame in reversed(element.frames):
            corner = await self.run(frame, FRAME_CORNER)
            x, y = x + float(corner["x"]), y + float(corner["y"])
            _reached(await self.run(frame, AT_POINT, x, y))
        return x, y

    async def reach(self, xpath: str) -> Place:
        """Find an element and its place; for an element of the page itself in one call."""
        if len(_pieces(xpath)) > 1:
            return Place(*await self.place(await self.find(xpath)), framed=True)
        at = _reached(await self._tab.ask(REACH, xpath))
        return Place(float(at["x"]), float(at["y"]))

    async def reach_field(self, xpath: str, text: str) -> InputField:
        """Find a field, its place, and how this text is put into it."""
        if len(_pieces(xpath)) == 1:
            at = _reached(await self._tab.ask(REACH_FIELD, xpath, text))
            return InputField(at["way"], Place(float(at["x"]), float(at["y"])))
        element = await self.find(xpath)
        way = _reached(await self.run(element, FIELD, text))["way"]
        return InputField(way, Place(*await self.place(element), framed=True), element)

    async def type(self, field: InputField, text: str) -> str | None:
        """Replace the text of the field that has the focus; the answer is why that failed, if it did."""
        if field.element:
            return str(await self.outcome(field.element, TYPE, text) or "")
        try:
            return str(await self._tab.ask(TYPE, text) or "")
        except (ConnectionLost, CallTimeout):
            raise
        except CallError:
            return None

    async def run(self, element: FoundElement, function: str, *arguments: object) -> Any:
        """The value that a function of ours has for an element."""
        return (await self._call(element, function, arguments, by_value=True)).get("value")

    async def outcome(self, element: FoundElement, function: str, *arguments: object) -> Any:
        """As `run`, after an action: None if the page is gone, as that is a consequence and not a failure."""
        try:
            return await self.run(element, function, *arguments)
        except (ConnectionLost, CallTimeout):
            raise
        except CallError:
            return None

    async def related(self, element: FoundElement, function: str) -> FoundElement:
        """The element that a function of ours gives for another one."""
        return self._element(await self._call(element, function, (), by_value=False), element)

    async def set_files(self, element: FoundElement, files: tuple[str, ...]) -> None:
        """Give a file input its files."""
        options = {"objectId": element.handle, "files": list(files)}
        await self._tab.connection.call(
            "DOM.setFileInputFiles", options, session=element.session, seconds=ANSWER_SECONDS
        )

    def forget(self) -> None:
        """Let the browser discard what was found; the next action finds it anew."""
        if not self._holds:
            return
        self._holds = False
        for session in (self._tab.session, *self._frame_sessions.values()):
            self._tab.connection.send("Runtime.releaseObjectGroup", {"objectGroup": GROUP}, session=session)
        for session in self._frame_sessions.values():
            self._tab.connection.send("Target.detachFromTarget", {"sessionId": session})
        self._frame_sessions.clear()

    # ------------------------------------------------------------------ on the way

    async def _document_of_tab(self) -> FoundElement:
        self._holds = True
        return FoundElement(self._tab.session, await self._tab.document_handle(GROUP))

    async def _child(self, root: FoundElement, path: str) -> FoundElement:
        return self._element(await self._call(root, FIND, (path,), by_value=False), root)

    async def _inside(self, element: FoundElement) -> FoundElement:
        """The document of a frame, or a shadow root."""
        inside = await self._call(element, INSIDE, (), by_value=False)
        if inside.get("value") == FRAME:
            return await self._frame(element)
        return self._element(inside, element)

    def _element(self, answer: dict[str, Any], near: FoundElement) -> FoundElement:
        if "objectId" not in answer:
            raise OutOfReach(str(answer.get("value")))
        return FoundElement(near.session, answer["objectId"], near.frames)

    async def _frame(self, element: FoundElement) -> FoundElement:
        """The document of a frame; one of another site may be a target of its own."""
        described = await self._tab.connection.call(
            "DOM.describeNode", {"objectId": element.handle}, session=element.session, seconds=ANSWER_SECONDS
        )
        frame = described["node"].get("frameId")
        if not frame:
            raise OutOfReach("has no page inside")
        around = (*element.frames, element)
        try:
            return FoundElement(element.session, await self._document(frame, element.session), around)
        except CallError:
            session = await self._session_of(frame)
            document = FoundElement(session, await self._document(frame, session), around)
            with suppress(CallTimeout):  # then it is used as far as it has loaded, as a page would be
                await self._call(document, LOADED, (), by_value=True)
            return document

    async def _document(self, frame: str, session: str) -> str:
        return await self._tab.document_handle(GROUP, frame=frame, session=session)

    async def _session_of(self, frame: str) -> str:
        if frame not in self._frame_sessions:
            attach = {"targetId": frame, "flatten": True}
            answer = await self._tab.connection.call("Target.attachToTarget", attach, seconds=ANSWER_SECONDS)
            self._frame_sessions[frame] = answer["sessionId"]
        return self._frame_sessions[frame]

    async def _call(
        self, element: FoundElement, function: str, arguments: tuple[object, ...], *, by_value: bool
    ) -> dict[str, Any]:
        options = {
            "functionDeclaration": function,
            "objectId": element.handle,
            "arguments": [{"value": argument} for argument in arguments],
            "returnByValue": by_value,
            "awaitPromise": by_value,
            "objectGroup": GROUP,
        }
        answer = await self._tab.connection.call(
            "Runtime.callFunctionOn", options, session=element.session, seconds=ANSWER_SECONDS
        )
        if "exceptionDetails" in answer:
            raise CallError(answer["exceptionDetails"].get("text", "a script of ours failed in the page"))
        result: dict[str, Any] = answer["result"]
        return result


def _pieces(path: str) -> list[str]:
    """The parts of a path, each inside a frame or shadow root of the one before.

    >>> _pieces("//iframe >> //a[.='Home >> Cameras']")
    ['//iframe', "//a[.='Home >> Cameras']"]
    """
    pieces = [""]
    for token in TOKENS.findall(path):
        if token == ENTER:
            pieces.append("")
        else:
            pieces[-1] += token
    return pieces


def _reached(answer: dict[str, Any]) -> dict[str, Any]:
    if "problem" in answer:
        raise OutOfReach(answer["problem"], answer.get("cover", ""))
    return answer


# What a session can ask about the live page without changing it: where elements are, what they are, how it looks.

MOST_TEXT = 500  # characters of an element's text: enough to recognise it by, whatever is inside
NOT_AN_XPATH = "is not an XPath"
HIDDEN = (64, 64, 64)  # the grey of what is painted over
MARGIN = 2  # pixels around what is painted over, for outlines and letters that reach out of their box
LOOKS = 5  # at boxes that move while the picture is taken


@dataclass(frozen=True)
class ElementFacts:
    """An element of the live page as it is now.

    `text` is what it shows, with blanks collapsed and up to 500 characters. What was typed into an input is not read.
    `checked` is None for whatever cannot be. `box` is where it is in the window: left, top, right and bottom.
    """

    tag: str
    text: str
    attributes: dict[str, str]
    checked: bool | None
    disabled: bool
    visible: bool
    box: Box


class ElementQuery(NamedTuple):
    """A CSS selector or an XPath; ` >> ` in front of its last part enters a frame or shadow root by XPath."""

    text: str
    css: bool = False


async def located(elements: Elements, query: ElementQuery) -> tuple[str, ...]:
    """The full paths of all elements that match; none if there is no such frame or shadow root."""
    try:
        root, path, last = await elements.search(query.text)
        found: list[str] | None = await elements.run(root, LOCATE, last, query.css)
    except OutOfReach as problem:
        _check_path(query.text, problem)
        return ()
    finally:
        elements.forget()
    if found is None:
        kind = "a CSS selector" if query.css else "an XPath of elements"
        raise UsageError(f"{last!r} is not {kind}; check its spelling.")
    return tuple(path + one for one in found)


async def element_facts(elements: Elements, xpath: str) -> ElementFacts | None:
    """What is at a path, or None."""
    try:
        found = await elements.find(xpath)
        facts = await elements.run(found, FACTS, MOST_TEXT)
        box = await elements.box(found)
    except OutOfReach as problem:
        _check_path(xpath, problem)
        return None
    finally:
        elements.forget()
    return ElementFacts(**{**facts, "attributes": dict(facts["attributes"]), "box": box})


async def picture(tab: Tab, elements: Elements, hide: Sequence[str]) -> bytes:
    """A PNG of the window, with the boxes of some elements painted over."""
    if not hide:
        return await tab.window_screenshot()
    try:
        found = [element for xpath in hide for element in await _all(elements, xpath)]
        painted: set[Box] = set()
        before = await _boxes(elements, found)
        for _ in range(LOOKS):  # a box that moves meanwhile must not uncover what was to be hidden
            content = await tab.window_screenshot()
            after = await _boxes(elements, found)
            painted = {*before, *after}
            if before == after:
                break
            before = after
    finally:
        elements.forget()
    return _painted_over(content, painted)


async def _all(elements: Elements, xpath: str) -> list[FoundElement]:
    """The element to hide, if it is there."""
    try:
        return [await elements.find(xpath)]
    except OutOfReach as problem:
        _check_path(xpath, problem)
        return []


async def _boxes(elements: Elements, found: Iterable[FoundElement]) -> list[Box]:
    return [await elements.box(element) for element in found]


def _painted_over(content: bytes, boxes: Iterable[Box]) -> bytes:
    from PIL import Image, ImageDraw  # slow to import, and most sessions paint nothing

    image = Image.open(io.BytesIO(content)).convert("RGB")
    brush = ImageDraw.Draw(image)
    for left, top, right, bottom in boxes:
        if right > left and bottom > top:
            brush.rectangle((left - MARGIN, top - MARGIN, right + MARGIN, bottom + MARGIN), fill=HIDDEN)
    painted = io.BytesIO()
    image.save(painted, "PNG")
    return painted.getvalue()


def _check_path(path: str, problem: OutOfReach) -> None:
    if problem.problem == NOT_AN_XPATH:
        raise UsageError(f"{path!r} {NOT_AN_XPATH}; check its spelling.") from problem
