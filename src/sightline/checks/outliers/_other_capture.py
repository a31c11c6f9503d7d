"""Maps nodes of one capture of a page to another, such as from parsed HTML to the rendered page.

Scripts and frames change a tree, so a node is looked up by its XPath and, if the text there differs, by its text; of
several matches, the one nearest to its place wins.
"""

from collections import defaultdict
from collections.abc import Sequence

from sightline.page import Page

__all__ = ["map_nodes"]


def map_nodes(nodes: Sequence[int], page: Page, onto: Page) -> list[int | None]:
    """For each node of a page, the same node on another capture; None if that has nothing like it.

    >>> from sightline.testing import list_page
    >>> map_nodes([4, 6], list_page(["one", "two"]), list_page(["new", "one", "two"]))
    [6, 8]
    """
    by_text: dict[str, list[int]] = defaultdict(list)
    for node in onto.is_text.nonzero()[0].tolist():
        by_text[_text(onto, node)].append(node)
    return [_same(node, page, onto, by_text) if 0 <= node < len(page) else None for node in map(int, nodes)]


def _same(node: int, page: Page, onto: Page, by_text: dict[str, list[int]]) -> int | None:
    there = onto.find(page.xpath(node))
    wanted = _text(page, node)
    if there is not None and _text(onto, there) == wanted:
        return there
    texts = by_text.get(wanted, []) if page.is_text[node] else _elements(wanted, page, node, onto, by_text)
    place = node / max(1, len(page))
    return min(texts, key=lambda other: abs(other / max(1, len(onto)) - place), default=None)


def _elements(wanted: str, page: Page, node: int, onto: Page, by_text: dict[str, list[int]]) -> list[int]:
    """The elements of the same tag and text: ancestors of its first text, up to where they hold more text."""
    first = next(
        (other for other in range(node, int(page.end[node])) if page.is_text[other] and not page.is_blank[other]), None
    )
    if first is None:
        return []
    found = []
    for text in by_text.get(_text(page, first), []):
        around = int(onto.parent[text])
        while around >= 0 and len(_text(onto, around)) <= len(wanted):
            if _text(onto, around) == wanted and onto.strings[onto.tag[around]] == page.strings[page.tag[node]]:
                found.append(around)
                break
            around = int(onto.parent[around])
    return found


def _text(page: Page, node: int) -> str:
    """The text of a node, hidden or not, with single spaces."""
    below = page.text[node : page.end[node]]
    return " ".join("".join(page.strings[text] for text in below.tolist() if text >= 0).split())
