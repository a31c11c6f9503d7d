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

__all__ = ["Learned", "checked_before", "is_shown", "learn"]

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
