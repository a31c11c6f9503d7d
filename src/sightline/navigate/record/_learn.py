"""What an element is called on a captured page, so that a script can name it and find it again.

Its role and name come first. Where several elements share them, what is remembered of this one decides, or else its
number. An element without a name is found by its text, by an attribute of its own, or as a last resort by its path;
whatever is less than certain comes with a doubt in words.
"""

import re
from dataclasses import dataclass, replace

import numpy as np

from sightline.navigate.script import VARIABLE
from sightline.navigate.targets import (
    CONTROLS,
    TEXT,
    NamedElements,
    Target,
    find_named,
    find_target,
    remember,
    squeezed,
)
from sightline.page import ENTER, Page
from sightline.sources import UserEvent

LONGEST_NAME = 80  # characters of a name or text in a script; longer ones are cut where words end
OWN = ("id", "name", "data-testid", "data-test", "aria-label", "title", "type")  # attributes that single out an element
# An identity with many digits, or with the marks of a framework, is another one tomorrow.
MADE_UP = re.compile(r"\d{3,}|^:|[0-9a-f]{8}|--")
PLAIN_VALUE = re.compile(r"[A-Za-z_][\w-]*")


@dataclass(frozen=True)
class Learned:
    """How a script names an element, its role if it has one, and why that may not find it again."""

    target: Target
    role: str = ""
    doubt: str = ""


def learn(elements: NamedElements | None, xpath: str, tag: str = "", proof: str = "") -> Learned:
    """What the element at a path is called; `tag` makes sure that the page still was the one that was seen.

    `proof` is a condition in XPath that the element fulfils: without a page to learn from, nothing else at its path may
    be taken for it.
    """
    node = elements.page.find(xpath) if elements else None
    if elements is None or node is None or (tag and elements.page.node(node).tag != tag):
        return Learned(Target(xpath=xpath + proof), doubt=_unseen(elements, xpath))
    page = elements.page
    control = _control(elements, node)
    if control is not None:
        one = elements.of(control)
        if one is not None and one.name:
            return _named(elements, control, Target(kind=one.role, name=_short(elements, one.role, one.name)), one.role)
        return _unnamed(page, control, one.role if one else "")
    return _by_text(elements, node) or _unnamed(page, node, "")


def checked_before(elements: NamedElements | None, xpath: str) -> bool | None:
    """Whether a drawn checkbox or switch was on; None for whatever is neither."""
    node = elements.page.find(xpath) if elements else None
    control = _control(elements, node) if elements and node is not None else None
    if elements is None or control is None:
        return None
    one = elements.of(control)
    told = elements.page.node(control).attributes.get("aria-checked")
    return told == "true" if told and one and one.role in ("checkbox", "switch", "radio") else None


def is_shown(page: Page, xpath: str) -> bool:
    """Whether an element is on the page and can be seen."""
    node = page.find(xpath)
    return node is not None and bool(page.visible[node])


def _unseen(elements: NamedElements | None, xpath: str) -> str:
    if elements is None:
        return "it was used before the page was at rest, so it is found by its path only"
    inner = xpath.rpartition(ENTER)[0]
    if inner and elements.page.find(inner) is not None:
        return "it is in a frame that captured pages leave out, so it is found by its path only"
    return "the page changed just before, so it is found by its path only"


def _control(elements: NamedElements, node: int) -> int | None:
    """The control that an element is, or is in: the picture in a button is the button."""
    page, at = elements.page, node
    while at >= 0:
        one = elements.of(at)
        if one is not None and one.role in CONTROLS:
            return at
        at = int(page.parent[at])
    return None


def _named(elements: NamedElements, node: int, target: Target, role: str) -> Learned:
    """A target with a name, made certain by memory, or else by its number."""
    found = find_named(elements, target)
    if elements.of(node) is not None:
        target = replace(target, memory=remember(elements, node))
    if found == [node]:
        return Learned(target, role)
    if find_target(elements, target).one == node:
        return Learned(target, role)
    if node in found:
        number = found.index(node) + 1
        doubt = f"the page has {len(found)} of this name, and this is number {number} of them"
        return Learned(replace(target, number=number), role, doubt)
    return _unnamed(elements.page, node, role)


def _short(elements: NamedElements, role: str, name: str) -> str:
    """A name that is not longer than people read, if it still tells the element from others."""
    name = VARIABLE.sub("*", name)
    if len(name) <= LONGEST_NAME:
        return name
    cut = name[:LONGEST_NAME].rpartition(" ")[0] or name[:LONGEST_NAME]
    short = f"{cut}*"
    whole, few = (find_named(elements, Target(kind=role, name=one)) for one in (name, short))
    return short if len(few) <= len(whole) else name


def _by_text(elements: NamedElements, node: int) -> Learned | None:
    text = squeezed(elements.page.text_of(node))
    if not text or len(text) > LONGEST_NAME or VARIABLE.search(text):
        return None
    target = Target(kind=TEXT, name=text)
    found = find_named(elements, target)
    inside = [
        one for one in found if node <= one < int(elements.page.end[node]) or _is_within(elements.page, node, one)
    ]
    if len(inside) != 1:
        return None
    if len(found) == 1:
        return Learned(target)
    number = found.index(inside[0]) + 1
    doubt = f"the page says “{text}” {len(found)} times, and this is number {number} of them"
    return Learned(replace(target, number=number), doubt=doubt)


def _is_within(page: Page, node: int, other: int) -> bool:
    return other <= node < int(page.end[other])


def _unnamed(page: Page, node: int, role: str) -> Learned:
    """A target by an attribute of its own, or by its path."""
    what = f"this {role}" if role else "this"
    selector = _selector(page, node) if ENTER not in page.xpath(node) else ""
    if selector:
        return Learned(Target(css=selector), role, f"{what} has no name, so it is found by {selector}")
    return Learned(Target(xpath=page.xpath(node)), role, f"{what} has no name, so it is found by its path only")


def _selector(page: Page, node: int) -> str:
    """A CSS selector of one attribute or class that only this element has; nothing if there is none."""
    given = page.node(node).attributes
    tag = page.node(node).tag
    same = np.flatnonzero(page.tag == page.tag[node])
    for key in OWN:
        value = given.get(key, "")
        if not value or MADE_UP.search(value) or '"' in value or "\\" in value:
            continue
        column = page.attribute(key)
        if int((column[same] == column[node]).sum()) == 1:
            if key == "id" and PLAIN_VALUE.fullmatch(value):
                return f"#{value}"
            return f'{tag}[{key}="{value}"]'
    for token in given.get("class", "").split():
        if PLAIN_VALUE.fullmatch(token) and not MADE_UP.search(token):
            owners = [one for one in same.tolist() if token in page.node(one).attributes.get("class", "").split()]
            if owners == [node]:
                return f"{tag}.{token}"
    return ""


# Acts: events of a person with what they were about, learned on the page of that moment; the page itself is let go.

KEPT = 2  # pages whose elements are known: the one of the event, and the one before the mouse moved
ROOT = 2  # steps of a path that everything has: html and body
LONGEST = 80  # characters of a text that are known for certain to be all of it
NEAR = 3  # steps of a path from what opens a menu up to what has the menu in it, too
ABOUT_ELEMENTS = frozenset(("click", "drag", "input", "choice", "check", "files", "key"))


@dataclass(frozen=True, kw_only=True)
class Act:
    """An event without its page, and what the script needs to know of it.

    `opener` is what the mouse had to come to before the element could be seen; `was_on` the state of a drawn switch;
    `height` and `nodes` say how much there was on the page.
    """

    event: UserEvent
    target: Learned | None = None
    onto: Learned | None = None
    opener: Learned | None = None
    was_on: bool | None = None
    height: float = 0.0
    nodes: int = 0

    @property
    def kind(self) -> str:
        """The kind of the event."""
        return self.event.kind

    @property
    def about(self) -> str:
        """The path of the control: that of the input whose label was clicked."""
        return self.event.label_of or self.event.xpath


class Understanding:
    """Learns what events are about, one after the other."""

    def __init__(self) -> None:
        self._unhovered: Page | None = None  # the page at rest before the mouse came to a control
        self._over: list[UserEvent] = []
        self._known: list[NamedElements] = []

    def of(self, event: UserEvent) -> Act:
        """The act of an event."""
        page = event.page
        act = Act(event=replace(event, page=None), height=_height(page), nodes=len(page) if page is not None else 0)
        if event.kind == "over":
            if not self._over:
                self._unhovered = page
            self._over.append(event)
        elif event.kind in ABOUT_ELEMENTS:
            opener = self._opener(event)
            self._over = []
            path = event.label_of or event.xpath
            act = replace(
                act,
                target=learn(self._elements(page), path, "" if event.label_of else event.tag, _proof(event)),
                onto=learn(self._elements(page), event.onto) if event.onto else None,
                opener=opener,
                was_on=checked_before(self._elements(page), path),
            )
        return act

    def _opener(self, event: UserEvent) -> Learned | None:
        """What the mouse came to last before the element could be seen, if the two belong together."""
        before = self._unhovered
        if event.kind != "click" or before is None or event.page is None or before is event.page:
            return None
        if is_shown(before, event.xpath) or not is_shown(event.page, event.xpath):
            return None
        for over in reversed(self._over):
            apart = over.page is not None and over.xpath != event.xpath and is_shown(over.page, over.xpath)
            if apart and not event.xpath.startswith(f"{over.xpath}/") and _are_near(over.xpath, event.xpath):
                return learn(self._elements(over.page), over.xpath, over.tag)
        return None

    def _elements(self, page: Page | None) -> NamedElements | None:
        """The elements of a page; those of the last pages are kept, as several events are about one."""
        if page is None:
            return None
        known = next((one for one in self._known if one.page is page), None) or NamedElements(page)
        self._known = [known, *(one for one in self._known if one is not known)][:KEPT]
        return known


def _are_near(opener: str, element: str) -> bool:
    """Whether an element is inside of what is close around another one."""
    above, enter, path = opener.rpartition(ENTER)
    _, *steps = path.split("/")
    for up in range(1, NEAR + 1):
        around = steps[:-up]
        if len(around) > ROOT and element.startswith(f"{above}{enter}/{'/'.join(around)}/"):
            return True
    return False


def _proof(event: UserEvent) -> str:
    """What is true of the element of an event, as a condition in XPath."""
    if event.label_of:
        return ""
    for what, value in (("@id", event.identity), ("@name", event.named), ("normalize-space()", event.text)):
        if value and len(value) < LONGEST and '"' not in value:
            return f'[{what}="{value}"]'
    return ""


def _height(page: Page | None) -> float:
    return float(page.bounds[3]) if page is not None and page.bounds else 0.0
