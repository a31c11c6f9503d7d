"""Records from examples: which places belong together, and what a record is on the page."""

from collections.abc import Sequence
from dataclasses import dataclass

from sightline.extract.wrappers.patterns._locate import Located
from sightline.extract.wrappers.patterns._pattern import SearchSpan
from sightline.extract.wrappers.patterns._view import View

__all__ = ["Items", "is_whole_item", "item_span", "items_from", "nearest_places", "repeated_element"]


CELL_TAGS = frozenset(("td", "th"))
CONTAINER_TAGS = frozenset(("dl", "ul", "ol", "table", "tbody"))
ITEM_TAGS = frozenset(("li", "tr", "article", "dd", "option"))


@dataclass(frozen=True, slots=True)
class Items:
    """The nodes that records begin with, and whether a record extends up to the next one's."""

    nodes: tuple[int, ...]
    flat: bool


def nearest_places(view: View, examples: Sequence[Sequence[Located]], taken: frozenset[int]) -> list[int]:
    """For the values of one record, the nodes that belong together: in the smallest element, and nearest to each other.

    The value with the fewest places is the centre. Nodes of other records are not used again, but nodes with the same
    tag path as these are preferred.
    """
    path = view.page.path
    alike = frozenset(path[list(taken)].tolist())
    starts = [[node for node in located.nodes if node not in taken] for values in examples for located in values]
    starts = [[node for node in nodes if int(path[node]) in alike] or nodes for nodes in starts if nodes]
    if not starts:
        return []
    middle = min(starts, key=lambda nodes: len({int(view.first[node]) for node in nodes}))
    return min((_nearest_to(view, node, starts) for node in middle), key=lambda candidate: candidate[:2])[2]


def _nearest_to(view: View, node: int, starts: list[list[int]]) -> tuple[int, int, list[int]]:
    """The size of the smallest element around a node that holds all values, how far they are apart, and the values."""
    page = view.page
    holder = node
    while page.parent[holder] >= 0 and not all(
        any(holder <= other < page.end[holder] for other in nodes) for nodes in starts
    ):
        holder = int(page.parent[holder])
    centre = int(view.first[node])
    inside = [[other for other in nodes if holder <= other < page.end[holder]] or nodes for nodes in starts]
    chosen = [min(nodes, key=lambda other: (abs(int(view.first[other]) - centre), other)) for nodes in inside]
    firsts = [int(view.first[other]) for other in chosen]
    return int(view.last[holder] - view.first[holder]), max(firsts) - min(firsts), chosen


def items_from(view: View, records: Sequence[Sequence[int]], *, flat: bool = False) -> Items:
    """What the records are, given the nodes of each one's values: elements of their own, or runs of siblings.

    `flat` says that they are such runs on other pages; a single record cannot show that.
    """
    spans = [_covering(view, nodes) for nodes in records]
    if len(spans) == 1:
        if flat or view.page.strings[int(view.page.tag[spans[0]])] in CONTAINER_TAGS:
            return Items((_child_of(view, spans[0], min(records[0])),), flat=True)
        return Items((_single_record(view, spans[0]),), flat=False)
    others = [[*(node for other in records if other is not nodes for node in other)] for nodes in records]
    apart = [_highest_without(view, span, rest) for span, rest in zip(spans, others, strict=True)]
    if all(node >= 0 for node in apart):
        return Items(tuple(apart), flat=False)
    shared = _covering(view, [node for nodes in records for node in nodes])
    return Items(tuple(_child_of(view, shared, min(nodes)) for nodes in records), flat=True)


def item_span(view: View, items: Items, number: int) -> SearchSpan:
    """The span of one of the records."""
    node = items.nodes[number]
    page = view.page
    if not items.flat:
        return SearchSpan(node, int(page.end[node]))
    last = int(page.end[page.parent[node]])
    behind = items.nodes[number + 1] if number + 1 < len(items.nodes) else _next_alike(view, node)
    return SearchSpan(node, min(behind, last))


def _next_alike(view: View, node: int) -> int:
    """The next sibling with a node's tag: where the next record begins, as far as can be told."""
    page = view.page
    end = int(page.end[page.parent[node]])
    following = int(page.end[node])
    while following < end and page.tag[following] != page.tag[node]:
        following = int(page.end[following])
    return following


def _covering(view: View, nodes: Sequence[int]) -> int:
    """The lowest element that contains all of some nodes."""
    low, high = min(nodes), max(nodes)
    while view.page.end[low] <= high:
        low = int(view.page.parent[low])
    return low


def _highest_without(view: View, node: int, others: Sequence[int]) -> int:
    """The highest element from a node upwards that contains none of the others; -1 if the node itself contains one."""
    page = view.page
    if any(node <= other < page.end[node] for other in others):
        return -1
    parent = int(page.parent[node])
    while parent >= 0 and not any(parent <= other < page.end[parent] for other in others):
        node, parent = parent, int(page.parent[parent])
    return node


def _child_of(view: View, parent: int, node: int) -> int:
    while int(view.page.parent[node]) != parent:
        node = int(view.page.parent[node])
    return node


def _single_record(view: View, node: int) -> int:
    """The only record known: the element around its values, or a list item around that with no other text."""
    page = view.page
    element = node
    while (
        page.parent[element] >= 0 and view.first[element] == view.first[node] and view.last[element] == view.last[node]
    ):
        if page.strings[int(page.tag[element])] in ITEM_TAGS or has_alike(view, element):
            return element
        element = int(page.parent[element])
    return node


def repeated_element(view: View, node: int) -> int:
    """The lowest element from a node upwards that has similar siblings; the node itself if there is none.

    The cells of a table are not items, but fields of its rows.
    """
    element = node
    while view.page.parent[element] >= 0:
        if view.page.strings[int(view.page.tag[element])] not in CELL_TAGS and has_alike(view, element):
            return element
        element = int(view.page.parent[element])
    return node


def is_whole_item(view: View, node: int) -> bool:
    """Whether a node has all the text of the lowest element around it that has similar siblings."""
    item = repeated_element(view, node)
    return has_alike(view, item) and bool(view.first[item] == view.first[node] and view.last[item] == view.last[node])


def has_alike(view: View, node: int) -> bool:
    """Whether an element has a sibling with its tag and classes that also has text."""
    page = view.page
    sibling, end = int(page.parent[node]) + 1, int(page.end[page.parent[node]])
    while sibling < end:
        if sibling != node and view.alike(sibling, node) and view.last[sibling] > view.first[sibling]:
            return True
        sibling = int(page.end[sibling])
    return False
