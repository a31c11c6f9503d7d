"""What is pressed or chosen to turn a page: buttons and boxes, and the addresses that their code or form holds."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlencode

import numpy as np

from sightline.navigate.paging._words import link_words
from sightline.page import Page, full_address
from sightline.signals import class_words, word_set

LONGEST_BUTTON = 40  # characters of what a button says
LABELS = ("aria-label", "value", "title")
ASKED = ("href", "type", "role", "class", "disabled", "aria-disabled", "aria-current", "onclick", "formaction", "name")
OF_FORMS = ("action", "method", "onchange", "selected")
# Attributes in which scripts keep where a button leads.
KEPT = (
    "data-href",
    "data-url",
    "data-link",
    "data-next",
    "data-next-url",
    "data-page-url",
    "data-target-url",
    "hx-get",
)
# What the number of the page itself is called.
CURRENT = word_set("active current selected here on aktiv aktuell actif activo attivo")
MOST_NODES = 40  # in a button or a block of numbers
BLOCK_AROUND = 4  # elements around a number in which the others of a pager may be
FORM_AROUND = 12  # elements around a button in which its form may be
SERIES = 2  # numbers that make a pager
MOST_DIGITS = 5
MOST_NUMBERED = 500  # buttons with numbers that are looked at; a calendar has some dozens
MOST_HIDDEN = 30  # fields of a form that are sent along
LONGEST_CODE = 1_000  # characters of a script in an attribute
_QUOTED = re.compile(r"""(['"])((?:https?://|\.{0,2}/|\?)[^'"\s<>{}]{1,500})\1""")
_BEFORE_VALUE = re.compile(r"""(['"])((?:https?://|\.{0,2}/|\?)[^'"\s<>{}]{0,500}[=/])\1\s*\+\s*this\.""")
_ADDRESS = re.compile(r"(?:https?://|\.{0,2}/|\?)[^\s<>{}]{1,500}")


class PageBox(NamedTuple):
    """A box to choose pages from: what follows the present one, where that leads, and all addresses in it."""

    node: int
    choice: str
    address: str
    addresses: tuple[str, ...]


class _NumberBlock(NamedTuple):
    """An element that holds nothing but numbers and a few words."""

    first: int
    stop: int
    numbers: tuple[int, ...]


class Buttons:
    """The elements of a page that are pressed, and the boxes that are chosen from."""

    def __init__(self, page: Page, base: str = "") -> None:
        self.page = page
        self.base = base
        self.columns = {name: page.attribute(name) for name in (*ASKED, *LABELS, *OF_FORMS, *KEPT)}

    def attribute(self, name: str, node: int) -> str:
        """An attribute of an element, or ""."""
        number = int(self.columns[name][node])
        return self.page.strings[number].strip() if number >= 0 else ""

    def first(self) -> int | None:
        """The first visible one that loads more or turns the page; else the number that follows that of the page."""
        for node, said in self.pressed.items():
            words = link_words(said[: LONGEST_BUTTON + 1])
            if len(said) <= LONGEST_BUTTON and (words.more or words.next) and not words.previous:
                return node
        return self._next_number()

    @cached_property
    def pressed(self) -> dict[int, str]:
        """All visible ones that can be pressed now, in order, with what they say."""
        page = self.page
        nodes = {*page.with_tag("button", "a", "input").tolist(), *np.flatnonzero(self.columns["role"] >= 0).tolist()}
        return {
            node: self.said(node)
            for node in sorted(map(int, nodes))
            if page.visible[node] and self._is_pressed(node) and not self._is_disabled(node)
        }

    @cached_property
    def addresses(self) -> dict[int, str]:
        """Where the pressed ones lead, as far as their attributes, their code or their form say so."""
        found = {node: full_address(self.base, self._written(node)) for node in self.pressed}
        return {node: address for node, address in found.items() if address}

    def box(self) -> PageBox | None:
        """The first visible box that offers the pages of a list by their numbers, unless its last one is chosen."""
        options = self.page.with_tag("option").tolist()
        for box in map(int, self.page.with_tag("select").tolist()):
            inside = options[bisect_left(options, box) : bisect_left(options, int(self.page.end[box]))]
            texts = [_written_in(self.page, option) for option in inside]
            numbers = [_page_number(text) for text in texts]
            if len(numbers) < SERIES or numbers != list(range(1, len(numbers) + 1)) or not self.page.visible[box]:
                continue
            here = next((place for place, option in enumerate(inside) if self.columns["selected"][option] >= 0), 0)
            if here + 1 >= len(texts):
                return None
            ways = [self._chosen(box, option, text) for option, text in zip(inside, texts, strict=True)]
            ways = [full_address(self.base, way) for way in ways]
            return PageBox(box, texts[here + 1], ways[here + 1], tuple(filter(None, ways[:here] + ways[here + 1 :])))
        return None

    def _written(self, node: int) -> str:
        """The address that a button is written with; "" if only its script knows."""
        kept = next((way for name in KEPT if _ADDRESS.fullmatch(way := self.attribute(name, node))), "")
        if kept:
            return kept
        code = self.attribute("onclick", node) or self.attribute("href", node)
        quoted = _QUOTED.search(code, 0, LONGEST_CODE)
        return quoted[2] if quoted else self._sent(node)

    def _chosen(self, box: int, option: int, text: str) -> str:
        """Where a choice leads: its value, what a script puts before that, or what its form sends."""
        value = self.attribute("value", option) or text
        if _ADDRESS.fullmatch(value):
            return value
        before = _BEFORE_VALUE.search(self.attribute("onchange", box), 0, LONGEST_CODE)
        if before:
            return before[2] + value
        return self._sent(box, value)

    def _sent(self, node: int, value: str | None = None) -> str:
        """The address that a form asks for if an element of it is used; "" for forms that post."""
        tag, name = self.page.strings[self.page.tag[node]], self.attribute("name", node)
        form = self._form_of(node) if name and (tag in ("button", "select") or tag == "input") else None
        if form is None or self.attribute("method", form).lower() == "post":
            return ""
        sent = [(key, kept) for one, key, kept in self._hidden(form) if one != node]
        sent.append((name, value if value is not None else self.attribute("value", node)))
        action = self.attribute("formaction", node) or self.attribute("action", form) or self.base
        return f"{action.partition('#')[0].partition('?')[0]}?{urlencode(sent)}"

    def _form_of(self, node: int) -> int | None:
        above = int(self.page.parent[node])
        for _ in range(FORM_AROUND):
            if above < 0:
                break
            if self.page.strings[self.page.tag[above]] == "form":
                return above
            above = int(self.page.parent[above])
        return None

    def _hidden(self, form: int) -> Iterator[tuple[int, str, str]]:
        inputs = self._inputs
        inside = inputs[bisect_left(inputs, form) : bisect_left(inputs, int(self.page.end[form]))]
        for node in inside[:MOST_HIDDEN]:
            if self.attribute("type", node).lower() == "hidden" and self.attribute("name", node):
                yield node, self.attribute("name", node), self.attribute("value", node)

    @cached_property
    def _inputs(self) -> list[int]:
        return list(map(int, self.page.with_tag("input").tolist()))

    def _next_number(self) -> int | None:
        """The button with the number after the one that is not a button, among buttons with numbers."""
        numbered = {
            node: int(said) for node, said in self.pressed.items() if said.isdecimal() and len(said) <= MOST_DIGITS
        }
        for node in list(numbered)[:MOST_NUMBERED]:
            block = _block_of_numbers(self.page, node)
            if block is None:
                continue
            inside = {numbered[one]: one for one in range(block.first, block.stop) if one in numbered}
            here = [number for number in block.numbers if number not in inside]
            here += [number for number, one in inside.items() if self._is_current(one)]
            if len(inside) + 1 >= SERIES and here and here[0] + 1 in inside:
                return inside[here[0] + 1]
        return None

    def _is_current(self, node: int) -> bool:
        """Whether a button is marked as that of the page itself."""
        words = class_words(self.attribute("class", node))
        return bool(self.attribute("aria-current", node)) or not CURRENT.isdisjoint(words)

    def _is_pressed(self, node: int) -> bool:
        """Whether an element is a button; a link that leads nowhere is one."""
        tag = self.page.strings[self.page.tag[node]]
        href = self.attribute("href", node)
        return (
            tag == "button"
            or self.attribute("role", node) == "button"
            or (tag == "a" and (not href or href.startswith(("#", "javascript:"))))
            or (tag == "input" and self.attribute("type", node).lower() in ("button", "submit"))
        )

    def _is_disabled(self, node: int) -> bool:
        """Whether a button cannot be pressed now, as “next” on the last page."""
        called = self.attribute("class", node).lower().split()
        says = self.columns["disabled"][node] >= 0 or self.attribute("aria-disabled", node) == "true"
        return says or "disabled" in called

    def said(self, node: int) -> str:
        """What stands on a button, or else what it is called."""
        return _written_in(self.page, node) or next(filter(None, (self.attribute(name, node) for name in LABELS)), "")


def _written_in(page: Page, node: int) -> str:
    """What is written in an element, shown or not: a box shows only one of its choices."""
    texts = page.text[node : min(int(page.end[node]), node + MOST_NODES)]
    return " ".join(" ".join(page.strings[number] for number in texts[texts >= 0].tolist()).split())


def _page_number(text: str) -> int | None:
    """The number of a page, as in “Page 3”, “3” or “3 of 12”."""
    found = re.fullmatch(r"(?:\D{0,12}\s)?(\d{1,4})(?:\s?(?:/|of|von|de|di)\s?\d{1,5})?", text)
    return int(found[1]) if found else None


def _block_of_numbers(page: Page, node: int) -> _NumberBlock | None:
    """The largest small element around a number in which others stand."""
    found = None
    above = int(page.parent[node])
    for _ in range(BLOCK_AROUND):
        if above < 0 or page.end[above] - above > MOST_NODES:
            break
        texts = page.text[above : page.end[above]]
        said = [page.strings[number].strip() for number in texts[texts >= 0].tolist()]
        numbers = tuple(int(text) for text in said if text.isdecimal() and len(text) <= MOST_DIGITS)
        if len(numbers) >= SERIES:
            found = _NumberBlock(above, int(page.end[above]), numbers)
        above = int(page.parent[above])
    return found
