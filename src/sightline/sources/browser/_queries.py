"""What a session can ask about the live page without changing it: where elements are, what they are, how it looks."""

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sightline.errors import UsageError
from sightline.geometry import Box
from sightline.sources.browser._element_scripts import FACTS, LOCATE
from sightline.sources.browser._elements import Elements, FoundElement, OutOfReach
from sightline.sources.browser._tab import Tab

__all__ = ["ElementFacts", "ElementQuery", "element_facts", "located", "picture"]

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
