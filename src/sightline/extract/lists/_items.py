"""Turn regions into lists: items with their titles, numbers, pictures, links and named parts."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import urljoin

from sightline.data import Field, Item, Record, Value, origins_at, shortened, values_at
from sightline.extract.lists._fields import TextRun, TextRunColumn, cell_place, columns_of, parts_of
from sightline.extract.lists._merge_columns import (
    fill_titles,
    headings_above,
    merge_columns,
    name_of,
    title_column,
    with_title_first,
)
from sightline.extract.lists._numbering import are_counting, read_number, without_numbers
from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._region import Region
from sightline.extract.lists._span_reader import NodeSpan, SpanReader
from sightline.signals import without_label

__all__ = ["ItemDraft", "address_values", "drafts_of", "first_link", "items_of", "picture_node"]

SAMPLE = 30  # texts of a column that are looked at to tell what it is


@dataclass(frozen=True)
class ItemDraft:
    """A region and its columns, before it becomes a list."""

    region: Region
    columns: list[TextRunColumn]

    @cached_property
    def records(self) -> list[NodeSpan]:
        """The records as spans of nodes."""
        return list(zip(self.region.start.tolist(), self.region.stop.tolist(), strict=True))


def drafts_of(
    signals: PageSignals, reader: SpanReader, regions: Sequence[Region], without: tuple[str, ...] = ()
) -> list[ItemDraft]:
    """The regions with their columns; reads all their texts at once."""
    drafts = [ItemDraft(region, columns_of(signals, region, parts_of(signals, region, without))) for region in regions]
    spans = [part.span for draft in drafts for column in draft.columns for part in column.parts]
    heads = [head for draft in drafts for head in headings_above(signals, draft.region).values()]
    reader.read([*heads, *spans, *(record for draft in drafts for record in draft.records)])
    if "merging" in without:
        return drafts
    return [replace(draft, columns=merge_columns(signals, reader, draft.columns)) for draft in drafts]


def items_of(
    signals: PageSignals, reader: SpanReader, draft: ItemDraft, known: Sequence[NodeSpan] = ()
) -> tuple[Item, ...]:
    """The items of a list; `known` titles are used as they are instead of being looked for."""
    parts = (part.span for column in draft.columns for part in column.parts)
    reader.locate([*known, *parts, *draft.records])
    ranks, draft = _split_off_numbers(reader, draft)
    title = _column_with(draft, known) if known else title_column(signals, reader, draft.columns)
    if title is not None:
        columns = with_title_first(draft.columns, title)
        draft = replace(draft, columns=columns if known else fill_titles(signals, reader, columns))
    cells = draft.columns[0].cells if title is not None else [()] * len(draft.region)
    is_titled = [title is not None and bool(known or cell) for cell in cells]
    names = _names(signals, reader, draft, has_title=title is not None)
    heads = [reader.value(title_span) for title_span in known] or [
        _title(reader, cell, record) for cell, record in zip(cells, draft.records, strict=True)
    ]
    found, shorter = without_numbers([head.text.replace("\n", " ") for head in heads])
    titles = [shortened(head, text) for head, text in zip(heads, shorter, strict=True)]
    levels = [None] * len(titles) if draft.region.level is None else draft.region.level.tolist()
    first = [title if is_own else None for title, is_own in zip(titles, is_titled, strict=True)]
    links = [_link_node(signals, cell, record) for cell, record in zip(cells, draft.records, strict=True)]
    fields = zip(
        titles,
        reader.values(draft.records),
        address_values(signals, [picture_node(signals, record) for record in draft.records]),
        address_values(signals, [None if node is None else (node, int(signals.hrefs[node])) for node in links]),
        ranks or found,
        _components(reader, draft, names, first),
        levels,
        strict=True,
    )
    return tuple(Item(*row) for row in fields)


def _split_off_numbers(reader: SpanReader, draft: ItemDraft) -> tuple[list[int | None], ItemDraft]:
    """The numbers in a first column of their own, and the draft without that column.

    "Step 3" counts, but a link that says "Camera 3" is what the item is called.
    """
    if len(draft.columns) < 2 or draft.columns[0].many:
        return [], draft
    cells = draft.columns[0].cells
    texts = [reader.text(cell[0].span) if cell else "" for cell in cells]
    if any(cell and cell[0].link >= 0 and any(map(str.isalpha, text)) for cell, text in zip(cells, texts, strict=True)):
        return [], draft
    read = [read_number(text) if text else (None, "") for text in texts]
    numbers = [None if rest else number for number, rest in read]
    if not are_counting(numbers):
        return [], draft
    return numbers, replace(draft, columns=draft.columns[1:])


def _column_with(draft: ItemDraft, titles: Sequence[NodeSpan]) -> int | None:
    """The column that holds most of the titles."""
    hits = [
        sum(
            any(part.first <= title[0] <= part.last for part in cell)
            for cell, title in zip(column.cells, titles, strict=True)
        )
        for column in draft.columns
    ]
    return max(range(len(hits)), key=hits.__getitem__) if any(hits) else None


def _names(signals: PageSignals, reader: SpanReader, draft: ItemDraft, *, has_title: bool) -> list[str]:
    """A distinct name for each column, "" for mere punctuation; the title's is "title" unless it is the only column."""
    names = ["title"] if has_title and len(draft.columns) > 1 else []
    times_used = dict.fromkeys(names, 1)
    above = headings_above(signals, draft.region)
    for column in draft.columns[len(names) :]:
        texts = [reader.text(part.span) for part in column.parts[:SAMPLE]]
        if len(draft.columns) > 1 and not any(map(str.isalnum, "".join(texts))):
            names.append("")  # bars, dots and arrows between the parts
            continue
        head = above.get(cell_place(signals, column.parts[0])) if above else None
        found = _heading(reader, head) or name_of(signals, column, texts)
        name = OWN_FIELDS.get(found.lower(), found)
        times_used[name] = times_used.get(name, 0) + 1
        names.append(name if times_used[name] == 1 else f"{name} {times_used[name]}")
    return names


def _heading(reader: SpanReader, head: NodeSpan | None) -> str:
    return reader.text(head).replace("\n", " ").strip() if head else ""


# A part must not hide an attribute that every item has.
OWN_FIELDS = {
    "title": "title text",
    "rank": "number",
    "level": "level text",
    "link": "link text",
    "image": "image text",
}


def _components(reader: SpanReader, draft: ItemDraft, names: list[str], titles: Sequence[Value | None]) -> list[Record]:
    """The parts of every item by name; the first is its title, if it has one."""
    columns = {name: _fields(reader, name, column) for name, column in zip(names, draft.columns, strict=True) if name}
    if any(titles):
        columns[names[0]] = [title or field for title, field in zip(titles, columns[names[0]], strict=True)]
    rows = zip(*columns.values(), strict=True) if columns else [()] * len(titles)
    return [Record(dict(zip(columns, row, strict=True))) for row in rows]


def _fields(reader: SpanReader, name: str, column: TextRunColumn) -> list[Field]:
    """What each record has in a column."""
    cells = [reader.values([part.span for part in cell]) for cell in column.cells]
    if name[:1].isupper():  # only labels begin with a capital
        cells = [[shortened(value, without_label(value.text, name)) for value in cell] for cell in cells]
    if column.many:
        return [tuple(cell) if cell else None for cell in cells]
    return [cell[0] if cell else None for cell in cells]


def _title(reader: SpanReader, cell: tuple[TextRun, ...], record: NodeSpan) -> Value:
    """The text that names an item: that of the title's column, or its first line."""
    if cell:
        return reader.value(cell[0].span)
    whole = reader.value(record)
    return replace(whole, text=whole.text.split("\n", 1)[0])


def _link_node(signals: PageSignals, cell: tuple[TextRun, ...], record: NodeSpan) -> int | None:
    """The link of the title, or else the first link of the item."""
    node = cell[0].link if cell else -1
    return node if node in signals.away else first_link(signals, record)


def first_link(signals: PageSignals, record: NodeSpan) -> int | None:
    """The first link of a record."""
    links = signals.links_in_order
    low = bisect_left(links, record[0])
    return links[low] if low < len(links) and links[low] < record[1] else None


def picture_node(signals: PageSignals, record: NodeSpan) -> tuple[int, int] | None:
    """The first picture of a record that has an address, and that address, as a string id."""
    images = signals.images_in_order
    for node in images[bisect_left(images, record[0]) : bisect_left(images, record[1])]:
        for source in signals.image_sources:
            if source[node] >= 0 and not signals.page.strings[source[node]].startswith("data:"):
                return node, int(source[node])
    return None


def address_values(signals: PageSignals, found: Sequence[tuple[int, int] | None]) -> list[Value | None]:
    """Addresses in full, each from a node and a string id, at the places of the nodes."""
    known = [one for one in found if one is not None]
    if not known:
        return [None] * len(found)
    page, nodes = signals.page, [node for node, _ in known]
    boxes = [None if x0 != x0 else (x0, y0, x1, y1) for x0, y0, x1, y1 in page.box[nodes].tolist()]
    addresses = [_absolute_url(signals, page.strings[string].strip()) for _, string in known]
    values = iter(values_at(addresses, origins_at(page, [(node,) for node in nodes], boxes)))
    return [None if one is None else next(values) for one in found]


def _absolute_url(signals: PageSignals, address: str) -> str:
    """The address in full; anything that is not an address stays as written."""
    # Joining is slow, and most addresses are absolute or begin at the site's root.
    if address.startswith(("http://", "https://")):
        return address
    base = signals.page.url
    if address.startswith("/") and not address.startswith("//") and signals.site and "/." not in address:
        return signals.site + address
    try:
        return urljoin(base, address)
    except ValueError:
        return address
