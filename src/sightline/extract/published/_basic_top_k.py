"""Basic top-k, as published in Zhang, Zhu, Wang & Li, "Automatic Extraction of Top-k Lists from the Web" (ICDE 2013).

Exactly k nodes of one tag path, grown up to the items that they are parts of; the list with the most text wins. None of
the paper's optimisations is in it. What Sightline does instead is in `sightline.extract.lists`.
"""

from dataclasses import replace

from sightline.data import Item, ItemList
from sightline.extract.lists import PageSignals, Promise, SpanReader, path_lists, promises_of
from sightline.geometry import union_of
from sightline.page import Page

__all__ = ["basic_top"]


def basic_top(page: Page, *, k: int | None = None) -> ItemList | None:
    """The list with the most text among those of exactly k nodes of one tag path, or None.

    >>> from sightline.testing import list_page
    >>> len(basic_top(list_page(["Sirius", "Rigel"]), k=2))
    2
    """
    signals = PageSignals(page)
    promises = [Promise(k, "", 3)] if k is not None else promises_of(signals)[:1]
    if not promises:
        return None
    lists = path_lists(signals, range(promises[0].k, promises[0].k + 1)).values()
    words = signals.tallies.words
    best = max(lists, key=lambda nodes: int((words[page.end[nodes]] - words[nodes]).sum()), default=None)
    if best is None:
        return None
    reader = SpanReader(signals)
    records = list(zip(best.tolist(), page.end[best].tolist(), strict=True))
    reader.read(records)
    values = [reader.value(record) for record in records]
    items = tuple(Item(replace(value, text=value.text.split("\n", 1)[0]), value) for value in values)
    box = union_of(item.text.origin.box for item in items if item.text.origin)
    return ItemList(items, promises[0].k, "items", promises[0].title or None, box, 1.0, page.language)
