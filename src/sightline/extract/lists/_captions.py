"""Captions of lists: the heading or bold line above a list that is about it."""

from bisect import bisect_left

from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._span_reader import NodeSpan, SpanReader

__all__ = ["caption_of", "caption_spans"]

FAR = 4  # steps up from a heading to an element that also holds the list
LONGEST = 200  # characters


def caption_of(signals: PageSignals, reader: SpanReader, start: int) -> str | None:
    """The caption of the list that begins at a node, or None if nothing above it could name it."""
    head = head_of(signals, start)
    if head is None:
        return None
    span = head, int(signals.page.end[head])
    reader.read([span])
    return reader.value(span).text.replace("\n", " ")[:LONGEST] or None


def caption_spans(signals: PageSignals, starts: list[int]) -> list[NodeSpan]:
    """The spans to read for the captions of lists that begin at some nodes."""
    heads = [head for start in starts if (head := head_of(signals, start)) is not None]
    return [(head, int(signals.page.end[head])) for head in heads]


def head_of(signals: PageSignals, start: int) -> int | None:
    """The bold line right above a node, or the last heading before it if an element a few steps up holds both."""
    start = _table_around(signals, start)
    place = bisect_left(signals.leaf_list, start)
    above = signals.leaf_list[place - 1] if place else None
    if above is not None and signals.bold_list[above] and not signals.heading_list[above]:
        return int(signals.page.parent[above])
    before = int(signals.heading_nodes.searchsorted(start)) - 1
    if before < 0:
        return None
    heading = int(signals.heading_nodes[before])
    node = heading
    for _ in range(FAR):
        node = int(signals.page.parent[node])
        if node < 0:
            return None
        if signals.page.end[node] > start:
            return heading
    return None


def _table_around(signals: PageSignals, start: int) -> int:
    """The table of a row, above which its caption stands; any other node itself."""
    page = signals.page
    if page.strings[page.tag[start]] != "tr":
        return start
    node = start
    while node >= 0 and page.strings[page.tag[node]] != "table":
        node = int(page.parent[node])
    return node if node >= 0 else start
