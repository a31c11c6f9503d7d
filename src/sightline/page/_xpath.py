"""XPaths of nodes, and the nodes of XPaths.

Positions are those that the browser's DOM had when the page was captured, so that a path stays valid
on a part of a page as well. What XPath cannot cross, a frame or a shadow root, is written as `>>`.
"""

import re
from collections.abc import Iterable

import numpy as np

from sightline.page._columns import INNER, SLOTTED, shadow_host
from sightline.page._page_columns import PageColumns

ENTER = " >> "
ROOT = -1

FOREIGN_ROOTS = ("svg", "math")
# Inside these, HTML begins again (HTML standard, "HTML integration points").
HTML_ISLANDS = ("foreignObject", "foreignobject", "desc", "title", "annotation-xml")
NAME = re.compile(r"[a-z_][\w.-]*", re.ASCII)
# A name with an apostrophe in it is put in double quotes; one with both kinds cannot be written, and is not found.
STEP = re.compile(r"""/(?:\*\[name\(\)=(?:'([^']*)'|"([^"]*)")\]|([^/\[\]]+))(?:\[(\d+)\])?""")


def of(page: PageColumns, number: int) -> str:
    """The path of one node, from the root of its document."""
    above, chain = _chain(page, number)
    parts: list[str] = []
    foreign = _is_foreign_path(above)
    for node, edge in chain:
        tag = page.strings[page.tag[node]]
        if edge == INNER and parts:
            parts.append(ENTER)
        foreign = (edge != INNER and foreign) or tag in FOREIGN_ROOTS
        parts.append(_step(tag, int(page.position[node]), foreign=foreign))
        foreign = foreign and tag not in HTML_ISLANDS
    return above + "".join(parts)


def of_many(page: PageColumns, numbers: Iterable[int]) -> list[str]:
    """The paths of many nodes; what they have in common is written once."""
    if page.part or page.edge.any():
        return [of(page, number) for number in numbers]
    known = {ROOT: ("", False)}  # with whether what stands below is SVG or MathML
    return [_written(page, number, known) for number in numbers]


def _written(page: PageColumns, number: int, known: dict[int, tuple[str, bool]]) -> str:
    chain: list[int] = []
    while number not in known:
        chain.append(number)
        number = int(page.parent[number])
    path, foreign = known[number]
    for node in reversed(chain):
        tag = page.strings[page.tag[node]]
        foreign = foreign or tag in FOREIGN_ROOTS
        path += _step(tag, int(page.position[node]), foreign=foreign)
        foreign = foreign and tag not in HTML_ISLANDS
        known[node] = path, foreign
    return path


def find(page: PageColumns, xpath: str) -> int | None:
    """The node whose path is `xpath`, or None; steps without a position take the first."""
    above = page.part.above if page.part else ""
    if xpath.startswith(above) and (found := _follow(page, ROOT, xpath[len(above) :])) is not None:
        return found
    # On a part of a shadow tree, what it shows in its slots belongs to a host outside.
    for node in np.flatnonzero((page.edge == SLOTTED) & (page.parent >= 0)).tolist() if page.part else ():
        path = of(page, node) if shadow_host(page.parent, page.edge, node)[0] < 0 else ""
        if path and xpath.startswith(path):
            return _follow(page, node, xpath[len(path) :]) if len(xpath) > len(path) else node
    return None


def _follow(page: PageColumns, start: int, path: str) -> int | None:
    """Where the steps of a path lead from a node, or None."""
    node = start
    for index, piece in enumerate(path.split(ENTER)):
        steps = list(STEP.finditer(piece))
        if "".join(step.group() for step in steps) != piece or not (steps or (index == 0 and start >= 0)):
            return None
        for depth, step in enumerate(steps):
            found = _child(page, node, step, inner=bool(index) and depth == 0)
            if found is None:
                return None
            node = found
    return node


def _chain(page: PageColumns, number: int) -> tuple[str, list[tuple[int, int]]]:
    """The nodes on the DOM's way to `number`, each with its edge, and the path above the first of them."""
    above = page.part.above if page.part else ""
    chain: list[tuple[int, int]] = []
    node = number
    while node >= 0:
        edge = int(page.edge[node])
        chain.append((node, edge))
        if edge == SLOTTED and page.parent[node] >= 0:
            node, outside = shadow_host(page.parent, page.edge, node)
            above = above.rsplit(ENTER, outside)[0] if outside else above
        else:
            node = int(page.parent[node])
    return above, chain[::-1]


def _step(tag: str, position: int, *, foreign: bool) -> str:
    if tag == "#text":
        return f"/text()[{position}]"
    if foreign or not NAME.fullmatch(tag):
        quoted = f'"{tag}"' if "'" in tag else f"'{tag}'"
        return f"/*[name()={quoted}][{position}]"
    return f"/{tag}[{position}]"


def _is_foreign_path(path: str) -> bool:
    """Whether what stands below a path is SVG or MathML."""
    foreign = False
    for step in STEP.finditer(path.rpartition(ENTER)[2]):
        tag = step[1] or step[2] or step[3]
        foreign = (foreign or tag in FOREIGN_ROOTS) and tag not in HTML_ISLANDS
    return foreign


def _child(page: PageColumns, parent: int, step: re.Match[str], *, inner: bool) -> int | None:
    single, double, plain, position = step.groups()
    tag = page.string_id("#text" if plain == "text()" else single or double or plain)
    inside = slice(parent + 1, page.end[parent] if parent >= 0 else len(page))
    candidates = np.flatnonzero((page.tag[inside] == tag) & (page.position[inside] == int(position or 1)))
    for node in candidates + parent + 1:
        edge = page.edge[node]
        if edge == SLOTTED and page.parent[node] >= 0:
            if shadow_host(page.parent, page.edge, int(node)) == (parent, 0) and not inner:
                return int(node)
        elif page.parent[node] == parent and (parent < 0 or (edge == INNER) == inner):
            return int(node)
    return None
