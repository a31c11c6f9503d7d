"""Turn regions into lists: items with their titles, numbers, pictures, links and named parts."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from urllib.parse import urljoin

from sightline.data import Item, Record, Value
from sightline.extract.lists._fields import TextRun, TextRunColumn, cell_place, columns_of, parts_of
from sightline.extract.lists._names import headings_above, name_of
from sightline.extract.lists._numbering import are_counting, read_number, without_numbers
from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._region import Region
from sightline.extract.lists._span_reader import NodeSpan, SpanReader
from sightline.signals import without_label

__all__ = ["ItemDraft", "drafts_of", "items_of"]

SAMPLE = 30  # texts of a column that are looked at to tell what it is
LONG_TITLE = 12  # words; titles are rarely longer
LONGEST_TITLE = 25  # words; anything longer is prose, not a title


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
    cut = "pieces" not in without
    drafts = [ItemDraft(region, columns_of(signals, region, parts_of(signals, region, cut=cut))) for region in regions]
    spans = [span(part) for draft in drafts for column in draft.columns for part in column.parts]
    reader.read_later(head for draft in drafts for head in headings_above(signals, draft.region).values())
    reader.read(spans + [record for draft in drafts for record in draft.records])
    return drafts


def span(part: TextRun) -> NodeSpan:
    """The nodes of a part."""
    return part.first, part.last + 1


def items_of(
    signals: PageSignals, reader: SpanReader, draft: ItemDraft, known: Sequence[NodeSpan] = ()
) -> tuple[Item, ...]:
    """The items of a list; `known` titles are used as they are instead of being looked for."""
    ranks, draft = _split_off_numbers(reader, draft)
    title = _column_with(draft, known) if known else title_column(signals, reader, draft)
    names = _names(signals, reader, draft, title)
    heads = [reader.value(title_span) for title_span in known] or [
        _title(reader, draft, title, row) for row in range(len(draft.region))
    ]
    found, shorter = without_numbers([head.text.replace("\n", " ") for head in heads])
    titles = [with_text(head, text) for head, text in zip(heads, shorter, strict=True)]
    return tuple(
        Item(
            title=titles[row],
            text=reader.value(record),
            image=picture_in(signals, reader, record),
            link=_link(signals, reader, draft, title, row),
            rank=(ranks or found)[row],
            components=_components(reader, draft, names, row, title, titles[row]),
            level=None if draft.region.level is None else int(draft.region.level[row]),
        )
        for row, record in enumerate(draft.records)
    )


def with_text(value: Value, text: str) -> Value:
    """The value with another text, at the same place; itself if the text is the same."""
    return value if value.text == text else replace(value, text=text)


def _split_off_numbers(reader: SpanReader, draft: ItemDraft) -> tuple[list[int | None], ItemDraft]:
    """The numbers in a first column of their own, and the draft without that column."""
    if len(draft.columns) < 2 or draft.columns[0].many:
        return [], draft
    read = [read_number(reader.value(span(cell[0])).text) if cell else (None, "") for cell in draft.columns[0].cells]
    numbers = [None if rest else number for number, rest in read]
    if not are_counting(numbers):
        return [], draft
    return numbers, replace(draft, columns=draft.columns[1:])


def title_column(signals: PageSignals, reader: SpanReader, draft: ItemDraft) -> int | None:
    """The column that names each item: a heading, a link or the largest text, early, and present in most items."""
    size, best, found = signals.sizes, 0.0, None
    largest = max((median(size[part.first] for part in column.parts) for column in draft.columns), default=0.0)
    for place, column in enumerate(draft.columns):
        score = _title_score(signals, reader, column) - 0.15 * place
        score += 0.5 * (median(size[part.first] for part in column.parts) >= largest > 0)
        if score > best:
            best, found = score, place
    return found


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


def _title_score(signals: PageSignals, reader: SpanReader, column: TextRunColumn) -> float:
    """How much the texts of a column look like titles; -1 if they cannot be."""
    parts = column.parts[:SAMPLE]
    values = [reader.value(span(cell[0])).text for cell in column.cells if cell][:SAMPLE]
    words = median(len(value.split()) for value in values)
    if words > LONGEST_TITLE or not any(map(str.isalpha, "".join(values))):
        return -1.0
    count, several = len(parts), len(set(values))
    score = 2.0 * sum(map(bool, column.cells)) / len(column.cells)
    score += 1.5 * sum(signals.heading_list[part.first] for part in parts) / count
    score += 0.8 * sum(part.link >= 0 for part in parts) / count
    score += 0.5 * sum(signals.bold_list[part.first] for part in parts) / count
    score += 0.5 * several / len(values)
    numbers = sum(any(map(str.isdigit, value)) for value in values) / len(values)
    score -= 0.6 * numbers + 0.1 * (words < 2) + 0.6 * (words > LONG_TITLE)
    return score - 1.0 * (len(values) > 2 and several == 1)


def _names(signals: PageSignals, reader: SpanReader, draft: ItemDraft, title: int | None) -> list[str]:
    """A distinct name for each column, "" for mere punctuation; the title's is "title" unless it is the only column."""
    alone = len(draft.columns) == 1
    times_used = {"title": 1} if title is not None and not alone else {}
    above = headings_above(signals, draft.region)
    names = []
    for place, column in enumerate(draft.columns):
        if place == title and not alone:
            names.append("title")
            continue
        texts = [reader.value(span(part)).text for part in column.parts[:SAMPLE]]
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
    return reader.value(head).text.replace("\n", " ").strip() if head else ""


# A part must not hide an attribute that every item has.
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
        elif name[:1].isupper():  # only labels begin with a capital
            values = tuple(with_text(value, without_label(value.text, name)) for value in values)
        fields[name] = (values if column.many else values[0]) if values else None
    return Record(fields)


def _title(reader: SpanReader, draft: ItemDraft, title: int | None, row: int) -> Value:
    """The text that names an item: that of the title's column, or its first line."""
    cell = draft.columns[title].cells[row] if title is not None else ()
    if cell:
        return reader.value(span(cell[0]))
    whole = reader.value(draft.records[row])
    return replace(whole, text=whole.text.split("\n", 1)[0])


def _link(signals: PageSignals, reader: SpanReader, draft: ItemDraft, title: int | None, row: int) -> Value | None:
    """The link of the title, or else the first link of the item."""
    cell = draft.columns[title].cells[row] if title is not None else ()
    node = cell[0].link if cell else -1
    if node not in signals.away:
        return link_in(signals, reader, draft.records[row])
    return _url_value(signals, reader, node, int(signals.hrefs[node]))


def link_in(signals: PageSignals, reader: SpanReader, record: NodeSpan) -> Value | None:
    """The first link of a record."""
    low = bisect_left(signals.links_in_order, record[0])
    if low == len(signals.links_in_order) or signals.links_in_order[low] >= record[1]:
        return None
    node = signals.links_in_order[low]
    return _url_value(signals, reader, node, int(signals.hrefs[node]))


def picture_in(signals: PageSignals, reader: SpanReader, record: NodeSpan) -> Value | None:
    """The first picture of a record that has an address."""
    images = signals.images_in_order
    for node in images[bisect_left(images, record[0]) : bisect_left(images, record[1])]:
        for source in signals.image_sources:
            if source[node] >= 0 and not signals.page.strings[source[node]].startswith("data:"):
                return _url_value(signals, reader, node, int(source[node]))
    return None


def _url_value(signals: PageSignals, reader: SpanReader, node: int, string: int) -> Value:
    return Value(_absolute_url(signals, signals.page.strings[string].strip()), origin=reader.place(node))


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
