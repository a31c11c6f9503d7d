"""Names for the columns of records: from what the page calls them, from labels, or from what they hold."""

from collections.abc import Iterator, Sequence

import numpy as np

from sightline.extract.lists._fields import TextRunColumn
from sightline.extract.lists._page_signals import HEADINGS, PageSignals
from sightline.extract.lists._region import Region
from sightline.extract.lists._span_reader import NodeSpan
from sightline.signals import class_name, kind_name, label_of

__all__ = ["headings_above", "name_of"]

CLIMB = 3  # elements above a text whose names may be its name


def name_of(seen: PageSignals, column: TextRunColumn, texts: Sequence[str]) -> str:
    """What a column is called by the page (a label in its texts, itemprop, class), or by what it holds."""
    part = column.parts[0]
    named = label_of(texts) or next(_own_names(seen, part.holder), "")
    return named or kind_name(texts) or ("title" if _is_heading(seen, part.holder) else "text")


def headings_above(seen: PageSignals, region: Region) -> dict[int, NodeSpan]:
    """The headings of a table above its rows, by the place of their column; several rows of them are for `tables`."""
    if region.tag != "tr":
        return {}
    page = seen.page
    first = int(region.start[0])
    table = int(page.parent[first])
    while table >= 0 and page.strings[page.tag[table]] != "table":
        table = int(page.parent[table])
    heads = page.with_tag("th")
    heads = heads[(heads > table) & (heads < first)]
    if table < 0 or len(np.unique(page.parent[heads])) != 1:
        return {}
    return {seen.cell_places[head]: (head, int(page.end[head])) for head in heads.tolist()}


def _own_names(seen: PageSignals, node: int) -> Iterator[str]:
    page = seen.page
    for _ in range(CLIMB):
        if node < 0:
            return
        prop = int(seen.itemprops[node])
        if prop >= 0 and page.strings[prop].strip():
            yield page.strings[prop].split()[0]
        for token in page.strings[seen.classes[node]].split() if seen.classes[node] >= 0 else ():
            name = class_name(token)
            if name:
                yield name
        if page.is_block[node]:
            return
        node = int(page.parent[node])


def _is_heading(seen: PageSignals, node: int) -> bool:
    return bool(seen.in_heading[node]) or seen.page.strings[seen.page.tag[node]] in HEADINGS
