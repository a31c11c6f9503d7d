"""Names for the columns of records: from the page's own names, from labels, or from what the columns hold."""

from collections.abc import Iterator, Sequence

import numpy as np

from sightline.extract.lists._fields import TextRunColumn
from sightline.extract.lists._page_signals import HEADINGS, PageSignals
from sightline.extract.lists._region import Region
from sightline.extract.lists._span_reader import NodeSpan
from sightline.signals import class_name, fits_name, kind_name, label_of

__all__ = ["headings_above", "name_of", "page_name"]

CLIMB = 3  # elements around a text whose names may name it


def name_of(signals: PageSignals, column: TextRunColumn, texts: Sequence[str]) -> str:
    """The name of a column: what the page calls it, or what it holds."""
    is_heading = _is_heading(signals, column.parts[0].holder)
    return page_name(signals, column, texts) or kind_name(texts) or ("title" if is_heading else "text")


def page_name(signals: PageSignals, column: TextRunColumn, texts: Sequence[str]) -> str:
    """What the page calls a column, if anything: a label in its texts, a microdata property, a class."""
    return label_of(texts) or next(_own_names(signals, column.parts[0].holder, texts), "")


def headings_above(signals: PageSignals, region: Region) -> dict[int, NodeSpan]:
    """The headings of a table's columns, by column, if they are one row above its rows; `tables` reads several rows."""
    if region.tag != "tr":
        return {}
    page = signals.page
    first = int(region.start[0])
    table = int(page.parent[first])
    while table >= 0 and page.strings[page.tag[table]] != "table":
        table = int(page.parent[table])
    heads = page.with_tag("th")
    heads = heads[(heads > table) & (heads < first)]
    if table < 0 or len(np.unique(page.parent[heads])) != 1:
        return {}
    return {signals.cell_places[head]: (head, int(page.end[head])) for head in heads.tolist()}


def _own_names(signals: PageSignals, node: int, texts: Sequence[str]) -> Iterator[str]:
    page = signals.page
    for _ in range(CLIMB):
        if node < 0:
            return
        prop = int(signals.itemprops[node])
        if prop >= 0 and page.strings[prop].strip():
            yield page.strings[prop].split()[0]
        for token in page.strings[signals.classes[node]].split() if signals.classes[node] >= 0 else ():
            name = class_name(token)
            if name and fits_name(name, texts):
                yield name
        if page.is_block[node]:
            return
        node = int(page.parent[node])


def _is_heading(signals: PageSignals, node: int) -> bool:
    return bool(signals.in_heading[node]) or signals.page.strings[signals.page.tag[node]] in HEADINGS
