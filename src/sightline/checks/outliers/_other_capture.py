"""From the nodes of one capture of a page to those of another, such as from parsed HTML to the rendered page.

Scripts and frames change a tree, so a node is looked for where its XPath leads and, if another text stands there, by
its text: of several, the one that stands nearest to its place.
"""

from collections import defaultdict
from collections.abc import Sequence

from sightline.page import Page

__all__ = ["mapped"]


def mapped(nodes: Sequence[int], page: Page, onto: Page) -> list[int | None]:
    """For each node of a page the same one on another capture of it; None where that has nothing like it.

    >>> from sightline.testing import list_page
    >>> mapped([4, 6], list_page(["one", "two"]), list_page(["new", "one", "two"]))
    [6, 8]
    """
    by_text: dict[str, list[int]] = defaultdict(list)
    for node in onto.is_text.nonzero()[0].tolist():
        by_text[_text(onto, node)].append(node)
    return [_same(node, page, onto, by_text) if 0 <= node < len(page) else None for node in map(int, nodes)]


def _same(node: int, page: Page, onto: Page, by_text: dict[str, list[int]]) -> int | None:
    there = onto.find(page.xpath(node))
    own = _text(page, node)
    if there is not None and _text(onto, there) == own:
        return there
    texts = by_text.get(own, []) if page.is_text[node] else _elements(own, page, node, onto, by_text)
    place = node / max(1, len(page))
    return min(texts, key=lambda other: abs(other / max(1, len(onto)) - place), default=None)


def _elements(own: str, page: Page, node: int, onto: Page, by_text: dict[str, list[int]]) -> list[int]:
    """The elements of the same tag and text: around the text that begins it, at most so far up as it has more."""
    first = next(
        (other for other in range(node, int(page.end[node])) if page.is_text[other] and not page.is_blank[other]), None
    )
    if first is None:
        return []
    found = []
    for text in by_text.get(_text(page, first), []):
        around = int(onto.parent[text])
        while around >= 0 and len(_text(onto, around)) <= len(own):
            if _text(onto, around) == own and onto.strings[onto.tag[around]] == page.strings[page.tag[node]]:
                found.append(around)
                break
            around = int(onto.parent[around])
    return found


def _text(page: Page, node: int) -> str:
    """What a node says, hidden or not, with single blanks."""
    below = page.text[node : page.end[node]]
    return " ".join("".join(page.strings[text] for text in below.tolist() if text >= 0).split())
