"""Captions of lists: the heading or bold line above a list that is about it."""

from bisect import bisect_left

from sightline.extract.lists._page_signals import PageSignals

__all__ = ["caption_of", "captions_of"]

FAR = 4  # steps up from a heading to an element that also holds the list
LONGEST = 200  # characters


def caption_of(signals: PageSignals, start: int) -> str | None:
    """The caption of the list that begins at a node, or None if nothing above it could name it."""
    return captions_of(signals, [start])[0]


def captions_of(signals: PageSignals, starts: list[int]) -> list[str | None]:
    """The captions of the lists that begin at some nodes, read all at once."""
    heads = [head_of(signals, start) for start in starts]
    known = [head for head in heads if head is not None]
    texts = dict(zip(known, signals.page.texts_of(known) if known else (), strict=True))
    return [None if head is None else texts[head].replace("\n", " ")[:LONGEST] or None for head in heads]


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
