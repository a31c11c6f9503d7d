"""From regions to lists: the items with their titles, numbers, pictures, links and named parts."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from urllib.parse import urljoin

from sightline.data import Item, Record, Value
from sightline.extract.lists._fields import TextRun, TextRunColumn, cell_place, columns_of, parts_of
from sightline.extract.lists._names import headings_above, name_of
from sightline.extract.lists._numbering import counting, read_number, without_numbers
from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._region import Region
from sightline.extract.lists._span_reader import NodeSpan, SpanReader
from sightline.signals import without_label

__all__ = ["ItemDraft", "drafts_of", "items_of"]

SAMPLE = 30  # texts of a column that tell what it is
LONG_TITLE = 12  # words; titles may be longer, and seldom are
LONGEST_TITLE = 25  # words; what is longer is told, not called


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
    seen: PageSignals, reader: SpanReader, regions: Sequence[Region], without: tuple[str, ...] = ()
) -> list[ItemDraft]:
    """The regions with their columns; all their texts are read at once."""
    cut = "pieces" not in without
    drafts = [ItemDraft(region, columns_of(seen, region, parts_of(seen, region, cut=cut))) for region in regions]
    spans = [span(part) for draft in drafts for column in draft.columns for part in column.parts]
    reader.read_later(head for draft in drafts for head in headings_above(seen, draft.region).values())
    reader.read(spans + [record for draft in drafts for record in draft.records])
    return drafts


def span(part: TextRun) -> NodeSpan:
    """The nodes of a part."""
    return part.first, part.last + 1


def items_of(
    seen: PageSignals, reader: SpanReader, draft: ItemDraft, known: Sequence[NodeSpan] = ()
) -> tuple[Item, ...]:
    """The items of a list; where their titles are `known`, these are not looked for."""
    ranks, draft = _numbered(reader, draft)
    title = _column_with(draft, known) if known else title_column(seen, reader, draft)
    names = _names(seen, reader, draft, title)
    heads = [reader.value(one) for one in known] or [
        _title(reader, draft, title, row) for row in range(len(draft.region))
    ]
    found, shorter = without_numbers([head.text.replace("\n", " ") for head in heads])
    titles = [with_text(head, text) for head, text in zip(heads, shorter, strict=True)]
    return tuple(
        Item(
            title=titles[row],
            text=reader.value(record),
            image=picture_in(seen, reader, record),
            link=_link(seen, reader, draft, title, row),
            rank=(ranks or found)[row],
            components=_components(reader, draft, names, row, title, titles[row]),
            level=None if draft.region.level is None else int(draft.region.level[row]),
        )
        for row, record in enumerate(draft.records)
    )


def with_text(value: Value, text: str) -> Value:
    """A value with another text at the same place; most often it is the same."""
    return value if value.text == text else replace(value, text=text)


def _numbered(reader: SpanReader, draft: ItemDraft) -> tuple[list[int | None], ItemDraft]:
    """The numbers that stand in a column of their own before everything else, and the draft without it."""
    if len(draft.columns) < 2 or draft.columns[0].many:
        return [], draft
    read = [read_number(reader.value(span(cell[0])).text) if cell else (None, "") for cell in draft.columns[0].cells]
    numbers = [None if rest else number for number, rest in read]
    if not counting(numbers):
        return [], draft
    return numbers, replace(draft, columns=draft.columns[1:])


def title_column(seen: PageSignals, reader: SpanReader, draft: ItemDraft) -> int | None:
    """The column that says what each item is: a heading, a link or the largest text, early, and in most items."""
    size, best, found = seen.sizes, 0.0, None
    largest = max((median(size[part.first] for part in column.parts) for column in draft.columns), default=0.0)
    for place, column in enumerate(draft.columns):
        score = _titleness(seen, reader, column) - 0.15 * place
        score += 0.5 * (median(size[part.first] for part in column.parts) >= largest > 0)
        if score > best:
            best, found = score, place
    return found


def _column_with(draft: ItemDraft, titles: Sequence[NodeSpan]) -> int | None:
    """The column in which most of the titles stand."""
    hits = [
        sum(
            any(part.first <= title[0] <= part.last for part in cell)
            for cell, title in zip(column.cells, titles, strict=True)
        )
        for column in draft.columns
    ]
    return max(range(len(hits)), key=hits.__getitem__) if any(hits) else None


def _titleness(seen: PageSignals, reader: SpanReader, column: TextRunColumn) -> float:
    """How much the texts of a column look like titles; -1 when they cannot be."""
    parts = column.parts[:SAMPLE]
    values = [reader.value(span(cell[0])).text for cell in column.cells if cell][:SAMPLE]
    words = median(len(value.split()) for value in values)
    if words > LONGEST_TITLE or not any(map(str.isalpha, "".join(values))):
        return -1.0
    count, several = len(parts), len(set(values))
    score = 2.0 * sum(map(bool, column.cells)) / len(column.cells)
    score += 1.5 * sum(seen.heading_list[part.first] for part in parts) / count
    score += 0.8 * sum(part.link >= 0 for part in parts) / count
    score += 0.5 * sum(seen.bold_list[part.first] for part in parts) / count
    score += 0.5 * several / len(values)
    numbers = sum(any(map(str.isdigit, value)) for value in values) / len(values)
    score -= 0.6 * numbers + 0.1 * (words < 2) + 0.6 * (words > LONG_TITLE)
    return score - 1.0 * (len(values) > 2 and several == 1)


def _names(seen: PageSignals, reader: SpanReader, draft: ItemDraft, title: int | None) -> list[str]:
    """One name a column, all different, none for mere marks; the title's is "title" if anything is beside it."""
    alone = len(draft.columns) == 1
    taken = {"title": 1} if title is not None and not alone else {}
    above = headings_above(seen, draft.region)
    names = []
    for place, column in enumerate(draft.columns):
        if place == title and not alone:
            names.append("title")
            continue
        texts = [reader.value(span(part)).text for part in column.parts[:SAMPLE]]
        if len(draft.columns) > 1 and not any(map(str.isalnum, "".join(texts))):
            names.append("")  # bars, points and arrows between the parts
            continue
        head = above.get(cell_place(seen, column.parts[0])) if above else None
        found = _heading(reader, head) or name_of(seen, column, texts)
        name = OWN_FIELDS.get(found.lower(), found)
        taken[name] = taken.get(name, 0) + 1
        names.append(name if taken[name] == 1 else f"{name} {taken[name]}")
    return names


def _heading(reader: SpanReader, head: NodeSpan | None) -> str:
    return reader.value(head).text.replace("\n", " ").strip() if head else ""


# What items have of their own must not be hidden by a part of that name.
OWN_FIELDS = {
    "title": "title text",
    "rank": "number",
    "level": "level text",
    "link": "link text",
    "image": "image text",
}


def _components(
    reader: SpanReader, draft: ItemDraft, names: list[str], row: int, title: int | None, head: Value
) -> Record:
    fields: dict[str, Value | tuple[Value, ...] | None] = {}
    for place, (name, column) in enumerate(zip(names, draft.columns, strict=True)):
        if not name:
            continue
        values = tuple(reader.value(span(part)) for part in column.cells[row])
        if values and place == title:
            values = (head, *values[1:])
        elif name[:1].isupper():  # only labels are
            values = tuple(with_text(value, without_label(value.text, name)) for value in values)
        fields[name] = (values if column.many else values[0]) if values else None
    return Record(fields)


def _title(reader: SpanReader, draft: ItemDraft, title: int | None, row: int) -> Value:
    """The text that an item is called by: that of the title's column, or its first line."""
    cell = draft.columns[title].cells[row] if title is not None else ()
    if cell:
        return reader.value(span(cell[0]))
    whole = reader.value(draft.records[row])
    return replace(whole, text=whole.text.split("\n", 1)[0])


def _link(seen: PageSignals, reader: SpanReader, draft: ItemDraft, title: int | None, row: int) -> Value | None:
    """Where the title leads, or else the first link of the item."""
    cell = draft.columns[title].cells[row] if title is not None else ()
    node = cell[0].link if cell else -1
    if node not in seen.away:
        return link_in(seen, reader, draft.records[row])
    return _address(seen, reader, node, int(seen.hrefs[node]))


def link_in(seen: PageSignals, reader: SpanReader, record: NodeSpan) -> Value | None:
    """The first link of a record."""
    low = bisect_left(seen.links_in_order, record[0])
    if low == len(seen.links_in_order) or seen.links_in_order[low] >= record[1]:
        return None
    node = seen.links_in_order[low]
    return _address(seen, reader, node, int(seen.hrefs[node]))


def picture_in(seen: PageSignals, reader: SpanReader, record: NodeSpan) -> Value | None:
    """The first picture of a record that has an address."""
    images = seen.images_in_order
    for node in images[bisect_left(images, record[0]) : bisect_left(images, record[1])]:
        for source in seen.image_sources:
            if source[node] >= 0 and not seen.page.strings[source[node]].startswith("data:"):
                return _address(seen, reader, node, int(source[node]))
    return None


def _address(seen: PageSignals, reader: SpanReader, node: int, string: int) -> Value:
    return Value(_resolved(seen, seen.page.strings[string].strip()), origin=reader.place(node))


def _resolved(seen: PageSignals, address: str) -> str:
    """The address in full; what is no address stays as it is written."""
    # Joining is slow, and most addresses are whole or begin at the site's root.
    if address.startswith(("http://", "https://")):
        return address
    base = seen.page.url
    if address.startswith("/") and not address.startswith("//") and seen.site and "/." not in address:
        return seen.site + address
    try:
        return urljoin(base, address)
    except ValueError:
        return address
