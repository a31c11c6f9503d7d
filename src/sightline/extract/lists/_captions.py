"""What a list is called: the heading, or the bold line, that stands above it and is about it."""

from bisect import bisect_left

from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._span_reader import NodeSpan, SpanReader

__all__ = ["caption_of", "caption_spans"]

FAR = 4  # steps up from a heading to an element that holds the list as well
LONGEST = 200  # characters


def caption_of(seen: PageSignals, reader: SpanReader, start: int) -> str | None:
    """The name of a list that begins at a node; None where nothing stands above it that could name it."""
    head = head_of(seen, start)
    if head is None:
        return None
    span = head, int(seen.page.end[head])
    reader.read([span])
    return reader.value(span).text.replace("\n", " ")[:LONGEST] or None


def caption_spans(seen: PageSignals, starts: list[int]) -> list[NodeSpan]:
    """What must be read to name the lists that begin at some nodes."""
    heads = [head for start in starts if (head := head_of(seen, start)) is not None]
    return [(head, int(seen.page.end[head])) for head in heads]


def head_of(seen: PageSignals, start: int) -> int | None:
    """The last heading before a node, if the element around it, some steps up, holds the node too; or a bold line."""
    start = _table(seen, start)
    place = bisect_left(seen.leaf_list, start)
    above = seen.leaf_list[place - 1] if place else None
    if above is not None and seen.bold_list[above] and not seen.heading_list[above]:
        return int(seen.page.parent[above])
    before = int(seen.heading_nodes.searchsorted(start)) - 1
    if before < 0:
        return None
    heading = int(seen.heading_nodes[before])
    node = heading
    for _ in range(FAR):
        node = int(seen.page.parent[node])
        if node < 0:
            return None
        if seen.page.end[node] > start:
            return heading
    return None


def _table(seen: PageSignals, start: int) -> int:
    """The table that a row is in, above which its name stands; another node itself."""
    page = seen.page
    if page.strings[page.tag[start]] != "tr":
        return start
    node = start
    while node >= 0 and page.strings[page.tag[node]] != "table":
        node = int(page.parent[node])
    return node if node >= 0 else start
