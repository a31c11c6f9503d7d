"""XPaths of nodes, and the way back.

Positions are those that the browser's DOM had when the page was captured, so that a path stays valid
on a part of a page as well. What XPath cannot cross, a frame or a shadow root, is written as `>>`.
"""

import re
from typing import TYPE_CHECKING

import numpy as np

from sightline.page import _tree
from sightline.page._columns import IntArray

if TYPE_CHECKING:
    from sightline.page._page import Page

__all__ = ["ENTER", "INNER", "PLAIN", "SLOTTED", "find", "of", "positions"]

# What stands between a node and its parent column (the column `edge`).
PLAIN = 0  # an ordinary child
INNER = 1  # the parent is a frame or a shadow host, this is the top of what is inside
SLOTTED = 2  # shown in a slot of a shadow tree; in the DOM it is a child of the host

ENTER = " >> "

FOREIGN_ROOTS = ("svg", "math")
# Inside these, HTML begins again (HTML standard, "HTML integration points").
HTML_ISLANDS = ("foreignObject", "foreignobject", "desc", "title", "annotation-xml")
NAME = re.compile(r"[a-z_][\w.-]*", re.ASCII)
STEP = re.compile(r"/(?:\*\[name\(\)='([^']*)'\]|([^/\[\]]+))(?:\[(\d+)\])?")


def of(page: "Page", number: int) -> str:
    """The path of one node, from the root of its document."""
    chain = _chain(page, number)
    above = page.part.above if page.part else ""
    parts: list[str] = []
    foreign = _is_foreign_path(above)
    for node, edge in chain:
        tag = page.strings[page.tag[node]]
        foreign = edge != INNER and (foreign or tag in FOREIGN_ROOTS)
        if edge == INNER and parts:
            parts.append(ENTER)
        parts.append(_step(tag, int(page.position[node]), foreign=foreign))
        foreign = foreign and tag not in HTML_ISLANDS
    return above + "".join(parts)


def positions(page: "Page") -> IntArray:
    """The position of every node among the children of its DOM parent that have its tag and its side of the shadow."""
    slotted = np.flatnonzero(page.edge == SLOTTED)
    parent = page.parent.copy()
    parent[slotted] = [_host(page, int(node)) for node in slotted]
    side = (page.edge == INNER).astype(np.int32)
    return _tree.positions(parent * 2 + side, page.tag)


def find(page: "Page", xpath: str) -> int | None:
    """The node whose path is `xpath`, or None; steps without a position take the first."""
    above = page.part.above if page.part else ""
    if not xpath.startswith(above):
        return None
    node = -1
    for index, piece in enumerate(xpath[len(above) :].split(ENTER)):
        steps = list(STEP.finditer(piece))
        if not steps or "".join(step.group() for step in steps) != piece:
            return None
        for depth, step in enumerate(steps):
            found = _child(page, node, step, inner=bool(index) and depth == 0)
            if found is None:
                return None
            node = found
    return node


def _chain(page: "Page", number: int) -> list[tuple[int, int]]:
    """The nodes on the DOM's way from the root to `number`, each with its edge."""
    chain = []
    node = number
    while node >= 0:
        edge = int(page.edge[node])
        chain.append((node, edge))
        node = _host(page, node) if edge == SLOTTED else int(page.parent[node])
    return chain[::-1]


def _host(page: "Page", slotted: int) -> int:
    """The shadow host whose slot shows the node: climb to the top of the shadow tree, then one more."""
    node = int(page.parent[slotted])
    while node >= 0 and page.edge[node] != INNER:
        node = _host(page, node) if page.edge[node] == SLOTTED else int(page.parent[node])
    return int(page.parent[node]) if node >= 0 else -1


def _step(tag: str, position: int, *, foreign: bool) -> str:
    if tag == "#text":
        return f"/text()[{position}]"
    if foreign or not NAME.fullmatch(tag):
        return f"/*[name()='{tag}'][{position}]"
    return f"/{tag}[{position}]"


def _is_foreign_path(above: str) -> bool:
    last = above.rpartition("/")[2]
    return last.startswith("*[name()=") and not any(f"'{name}'" in last for name in HTML_ISLANDS)


def _child(page: "Page", parent: int, step: re.Match[str], *, inner: bool) -> int | None:
    named, plain, position = step.groups()
    tag = page.string_id("#text" if plain == "text()" else named or plain)
    candidates = np.flatnonzero((page.tag == tag) & (page.position == int(position or 1)))
    for node in candidates:
        edge = page.edge[node]
        if edge == SLOTTED:
            if _host(page, int(node)) == parent and not inner:
                return int(node)
        elif page.parent[node] == parent and (parent < 0 or (edge == INNER) == inner):
            return int(node)
    return None
