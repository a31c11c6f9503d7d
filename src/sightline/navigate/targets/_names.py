"""What the elements of a page are called: a role and a name, as a screen reader would say them.

This follows the rules of accessible names as far as pages are used by hand: labels, `aria-label`, texts, alternative
texts of pictures, placeholders and titles. Nothing else about a control is as stable, or as easy to read.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sightline.arrays import BoolArray, IntArray
from sightline.page import INNER, Page

ROLES = {
    "button": "a button, or a picture or summary that works as one",
    "link": "a link",
    "textbox": "anything to type into: text, search, password, number, date",
    "checkbox": "a checkbox",
    "radio": "a radio button",
    "switch": "a switch",
    "combobox": "a box to choose from",
    "option": "an option of a list that the page draws by itself",
    "slider": "a slider",
    "file": "an input that takes files",
    "tab": "a tab of the page, not of the browser",
    "menuitem": "an entry of a menu",
    "image": "a picture",
    "heading": "a heading",
    "frame": "a frame, by its title or name",
}
"""What a target can be, each with a few words for the documentation."""
CONTROLS = frozenset(ROLES) - {"image", "heading", "frame"}
FORM = frozenset(("textbox", "checkbox", "radio", "switch", "combobox", "slider", "file"))
BY_CONTENT = frozenset(("button", "link", "option", "tab", "menuitem", "heading", "checkbox", "radio", "switch"))
SYNONYMS = {
    "img": "image",
    "searchbox": "textbox",
    "spinbutton": "textbox",
    "listbox": "combobox",
    "menuitemcheckbox": "checkbox",
    "menuitemradio": "radio",
    "treeitem": "option",
}
OF_TAG = {
    "button": "button",
    "summary": "button",
    "textarea": "textbox",
    "select": "combobox",
    "img": "image",
    "iframe": "frame",
    "frame": "frame",
    **{f"h{level}": "heading" for level in range(1, 7)},
}
OF_INPUT = {
    **dict.fromkeys(("button", "submit", "reset", "image"), "button"),
    **{kind: kind for kind in ("checkbox", "radio", "file")},
    "range": "slider",
    "hidden": "",
}
OF_INPUT_BY_ITSELF = {"submit": "Submit", "reset": "Reset"}  # what a browser writes on them
CANDIDATES = (*OF_TAG, "a", "area", "input")
LONGEST = 200  # characters of a name; whatever is longer is a text


def squeezed(text: str) -> str:
    """A text with single blanks."""
    return " ".join(text.split())


def same_name(wanted: str, name: str) -> bool:
    """Whether a name is the wanted one: letter case and blanks do not matter, and `*` stands for anything.

    >>> same_name("add * to cart", "Add  EOS 5D to cart"), same_name("Cart", "Add to cart")
    (True, False)
    """
    wanted, name = squeezed(wanted).casefold(), squeezed(name).casefold()
    if "*" not in wanted:
        return wanted == name
    first, *others = wanted.split("*")
    if not name.startswith(first):
        return False
    at = len(first)
    for part in others[:-1]:
        at = name.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return name.endswith(others[-1]) and len(name) - len(others[-1]) >= at


@dataclass(frozen=True, slots=True)
class NamedElement:
    """An element with what it is and how it is called."""

    node: int
    role: str
    name: str


class NamedElements:
    """Everything on a page that has a role, with its name, if a person can see it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @cached_property
    def all(self) -> tuple[NamedElement, ...]:
        """All of them, in document order."""
        return tuple(NamedElement(node, role, self._name(node, role)) for node, role in self._roles())

    def of(self, node: int) -> NamedElement | None:
        """The element at a node, if it has a role."""
        return self._by_node.get(node)

    @cached_property
    def _by_node(self) -> dict[int, NamedElement]:
        return {one.node: one for one in self.all}

    # ------------------------------------------------------------------ roles

    def _roles(self) -> Iterator[tuple[int, str]]:
        page = self.page
        told, editable = page.attribute("role"), page.attribute("contenteditable")
        candidates = page.mask(*CANDIDATES) | (told >= 0) | (editable >= 0)
        for node in np.flatnonzero(candidates).tolist():
            role = self._told_role(int(told[node])) or self._own_role(node, int(editable[node]))
            if role and (page.visible[node] or (role in FORM and self._shown_by_label(node))):
                yield node, role

    def _told_role(self, told: int) -> str:
        words = self.page.strings[told].lower().split() if told >= 0 else []
        return next((role for word in words if (role := SYNONYMS.get(word, word)) in ROLES), "")

    def _own_role(self, node: int, editable: int) -> str:
        page = self.page
        tag = page.strings[int(page.tag[node])]
        if tag in ("a", "area"):
            return "link" if self._has(node, "href") else ""
        if tag == "input":
            return OF_INPUT.get(self._attribute(node, "type").lower(), "textbox")
        if editable >= 0 and page.strings[editable].lower() in ("", "true", "plaintext-only"):
            return "textbox"
        return OF_TAG.get(tag, "")

    def _shown_by_label(self, node: int) -> bool:
        """A checkbox that is drawn by its label, or a file input behind a button."""
        visible: BoolArray = self.page.visible
        return any(bool(visible[label]) for label in self._labels_of(node))

    # ------------------------------------------------------------------ names

    def _name(self, node: int, role: str) -> str:
        found = self._told_name(node) or (self._label(node) if role in FORM else "") or self._own_name(node, role)
        return squeezed(found or self._attribute(node, "title"))[:LONGEST]

    def _told_name(self, node: int) -> str:
        ids = self._attribute(node, "aria-labelledby").split()
        texts = (self._content(named) for one in ids if (named := self._with_id(one, node)) is not None)
        return squeezed(" ".join(texts)) or self._attribute(node, "aria-label").strip()

    def _label(self, node: int) -> str:
        return squeezed(" ".join(self._content(label, without=node) for label in self._labels_of(node)))

    def _own_name(self, node: int, role: str) -> str:
        tag = self.page.strings[int(self.page.tag[node])]
        if tag == "input":
            return self._input_name(node, role)
        if role == "image":
            return self._attribute(node, "alt")
        if role == "frame":
            return self._attribute(node, "title") or self._attribute(node, "name")
        if role in BY_CONTENT:
            return self._content(node)
        return self._attribute(node, "placeholder")

    def _input_name(self, node: int, role: str) -> str:
        if role == "button":
            kind = self._attribute(node, "type").lower()
            written = self._attribute(node, "alt" if kind == "image" else "value")
            return written or OF_INPUT_BY_ITSELF.get(kind, "")
        return self._attribute(node, "placeholder")

    def _content(self, node: int, without: int = -1) -> str:
        """What an element says: its visible texts, and what pictures in it are called."""
        page = self.page
        end = int(page.end[node])
        inner = [at for at in self._telling if node < at < end]
        if not inner and not node < without < end:
            return squeezed(page.text_of(node))
        return squeezed(" ".join(self._pieces(node, end, {*inner, without} - {-1}, without)))

    def _pieces(self, node: int, end: int, special: set[int], without: int) -> Iterator[str]:
        page, at = self.page, node
        for one in sorted(special):
            if at <= one < end:
                yield page.texts_between([at], [one])[0]
                yield "" if one == without else self._told_name(one) or self._attribute(one, "alt")
                at = int(page.end[one])
        yield page.texts_between([at], [end])[0]

    @cached_property
    def _telling(self) -> tuple[int, ...]:
        """Visible elements inside others that have a name of their own: pictures, and whatever has a label told."""
        page = self.page
        told = (page.mask("img") & (page.attribute("alt") >= 0)) | (page.attribute("aria-label") >= 0)
        return tuple(np.flatnonzero(told & page.visible & ~page.mask("input", "select", "textarea")).tolist())

    # ------------------------------------------------------------------ labels and ids

    def _labels_of(self, node: int) -> Sequence[int]:
        named = self._labels_for.get((self._scope(node), self._attribute(node, "id")), ())
        around = self._around(node, "label")
        return [*named, *([around] if around >= 0 and around not in named else [])]

    @cached_property
    def _labels_for(self) -> dict[tuple[int, str], list[int]]:
        found: dict[tuple[int, str], list[int]] = defaultdict(list)
        for label in self.page.with_tag("label").tolist():
            if wanted := self._attribute(label, "for"):
                found[self._scope(label), wanted].append(label)
        return dict(found)

    def _with_id(self, wanted: str, near: int) -> int | None:
        return self._ids.get((self._scope(near), wanted))

    @cached_property
    def _ids(self) -> dict[tuple[int, str], int]:
        column = self.page.attribute("id")
        found: dict[tuple[int, str], int] = {}
        for node in np.flatnonzero(column >= 0).tolist():
            found.setdefault((self._scope(node), self.page.strings[int(column[node])]), node)
        return found

    def _scope(self, node: int) -> int:
        """The frame or shadow tree of a node; ids are their own in each."""
        starts = self._inner
        inside = [start for start in starts if start <= node < int(self.page.end[start])]
        return inside[-1] if inside else -1

    @cached_property
    def _inner(self) -> list[int]:
        found: list[int] = np.flatnonzero(self.page.edge == INNER).tolist()
        return found

    def _around(self, node: int, tag: str) -> int:
        wanted, parent = self.page.string_id(tag), int(self.page.parent[node])
        while parent >= 0 and int(self.page.tag[parent]) != wanted:
            parent = int(self.page.parent[parent])
        return parent

    def _has(self, node: int, name: str) -> bool:
        return name in self.page.node(node).attributes

    def _attribute(self, node: int, name: str) -> str:
        column = self._columns.get(name)
        if column is None:
            column = self._columns[name] = self.page.attribute(name)
        number = int(column[node])
        return self.page.strings[number] if number >= 0 else ""

    @cached_property
    def _columns(self) -> dict[str, IntArray]:
        return {}
