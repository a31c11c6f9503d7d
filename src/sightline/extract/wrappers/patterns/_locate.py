"""Where an example is: the nodes that have its text, as a whole, as part of their text, or in an attribute."""

import re
from dataclasses import dataclass

import numpy as np
from rapidfuzz import fuzz, process

from sightline.errors import UsageError
from sightline.extract.schemas import collapse_spaces
from sightline.extract.wrappers.patterns._view import View, joined_address, key_of

__all__ = ["ADDRESSES", "MOST_PLACES", "Located", "address_of", "locate_node", "locate_point", "locate_text"]

MOST_PLACES = 60  # of one example that are considered; more would not tell which one is meant
LONGEST_AROUND = 300  # characters of a text that an example can be part of
CLOSE = 70  # of 100; anything less similar is no help
ADDRESSES = frozenset(("href", "src", "action", "poster", "data-src"))
WORDED = ("href", "src", "content", "datetime", "alt", "title", "value", "data-src", "poster", "aria-label")


@dataclass(frozen=True, slots=True)
class Located:
    """The nodes that have the text of an example, any of which will do.

    `take` is where it was read, `part` whether it is only part of their text, `places` how often it occurs.
    """

    text: str
    nodes: tuple[int, ...]
    take: str = "text"
    part: bool = False
    places: int = 1


def locate_text(view: View, text: str, start: int, stop: int, *, parts: bool = False) -> Located:
    """The nodes of a span with a text; with `parts`, also those that contain it as a part."""
    if not key_of(text):
        raise UsageError("The example is empty; give a text that is on the page.")
    runs = [run for run in view.places(text) if start <= view.leaves[run[0]] < stop]
    whole = [nodes for run in runs[:MOST_PLACES] if (nodes := view.nodes_of(*run))]
    if whole and not parts:
        return Located(text, _flat(whole), places=len(runs))
    holders = _holders(view, text, start, stop)
    if holders or whole:
        return Located(text, _flat([*whole, holders]), part=True, places=len(runs) or len(holders))
    found = _in_attributes(view, text, start, stop)
    if found is None:
        raise UsageError(_not_found_message(view, text))
    return found


def locate_node(view: View, node: int) -> Located:
    """A node that was pointed at, with those that have the same text."""
    page = view.page
    if not 0 <= node < len(page):
        raise UsageError(f"The page has no node {node}; its nodes are numbered 0 to {len(page) - 1}.")
    if view.last[node] == view.first[node]:
        tag = page.strings[int(page.tag[node])]
        attributes = page.node(node).attributes
        take = next((name for name in ("src", "href", "content") if attributes.get(name)), None)
        if take and page.visible[node]:
            return Located(address_of(view, node, take), (node,), take)
        reason = "it is not visible" if not page.visible[node] else "it has no text"
        raise UsageError(f"Node {node} <{tag}> cannot be an example, since {reason}; point at a visible text.")
    nodes = view.nodes_of(int(view.first[node]), int(view.last[node]))
    return Located(view.text(node), tuple(nodes) or (node,))


def locate_point(view: View, x: float, y: float) -> Located:
    """What is at a point of a rendered page."""
    box = view.page.box[view.leaves]
    hit = np.flatnonzero((box[:, 0] <= x) & (x <= box[:, 2]) & (box[:, 1] <= y) & (y <= box[:, 3]))
    if not len(hit):
        reason = "the page is not rendered" if view.page.kind == "static" else "there is no text"
        raise UsageError(f"There is nothing to point at in ({x:g}, {y:g}): {reason}; give a text or a node instead.")
    return locate_node(view, int(view.leaves[hit[-1]]))


def address_of(view: View, node: int, name: str) -> str:
    """An attribute of a node; addresses are made absolute."""
    number = int(view.attribute(name)[node])
    text = view.page.strings[number].strip() if number >= 0 else ""
    return joined_address(view.base, text) if name in ADDRESSES and view.base else text


def _flat(groups: list[list[int]]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(node for group in groups for node in group))


def _holders(view: View, text: str, start: int, stop: int) -> list[int]:
    """The lowest elements, and texts, that contain an example as whole words, if their text is not too long."""
    found: list[int] = []
    pattern = _whole_words(text)
    for begin, end in view.around(text)[:MOST_PLACES]:
        leaf = int(view.leaves[begin])
        if not start <= leaf < stop:
            continue
        nodes = [view.holder(begin, end)]
        nodes += [leaf] if end - begin == 1 and view.may_be_value[leaf] else []
        found += [
            node
            for node in nodes
            if len(around := view.text(node)) <= len(text) + LONGEST_AROUND and pattern.search(around)
        ]
    return found


def _whole_words(text: str) -> re.Pattern[str]:
    """An expression for a text as whole words, whatever white space separates them."""
    words = r"\s*".join(map(re.escape, collapse_spaces(text).split(" ")))
    return re.compile(rf"(?<!\w){words}(?!\w)" if text[:1].isalnum() and text[-1:].isalnum() else words, re.IGNORECASE)


def _in_attributes(view: View, text: str, start: int, stop: int) -> Located | None:
    wanted = text.strip()
    for name in WORDED:
        column = view.attribute(name)[start:stop]
        nodes = [
            node for node in (np.flatnonzero(column >= 0) + start).tolist() if _attribute_is(view, node, name, wanted)
        ]
        if nodes:
            return Located(text, tuple(nodes), name, places=len(nodes))
    return None


def _attribute_is(view: View, node: int, name: str, wanted: str) -> bool:
    value = view.page.strings[int(view.attribute(name)[node])].strip()
    return value == wanted or address_of(view, node, name) == wanted


def _not_found_message(view: View, text: str) -> str:
    hidden = any(key_of(text) == key_of(string) for string in view.page.strings if len(string) < LONGEST_AROUND)
    if hidden:
        return f"“{text}” is on the page but not visible, so it cannot be an example; give a text that people can read."
    best = process.extractOne(
        collapse_spaces(text), list(dict.fromkeys(view.texts)), scorer=fuzz.ratio, score_cutoff=CLOSE
    )
    closest = f"the closest text is “{best[0]}”" if best else "nothing on it is similar"
    return f"“{text}” is not on the page; {closest}. Give a text exactly as it is shown."
