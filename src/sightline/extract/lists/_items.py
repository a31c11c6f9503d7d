"""Turn regions into lists: items with their titles, numbers, pictures, links and named parts."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from urllib.parse import urljoin

import numpy as np

from sightline.data import Field, Item, Record, Value, origins_at, shortened, values_at
from sightline.extract.lists._fields import TextRun, TextRunColumn, cell_place, columns_of, parts_of
from sightline.extract.lists._page_signals import HEADINGS, PageSignals
from sightline.extract.lists._region import Region
from sightline.extract.lists._span_reader import NodeSpan, SpanReader, are_counting, read_number, without_numbers
from sightline.signals import class_name, fits_name, kind_name, label_of, without_label

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


# -- columns that are one thing under two names ---------------------------------------------------------------------
# Parts are told apart by their path and class, and a page may give one thing several of them. Two columns are one if
# no record has both, if they are in the same place among the columns that they share records with, and if they have
# the same name, hold the same kind of data, or look the same, without anything that speaks against it.

SAME_SIZE = 0.5  # pixels


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A column, the records that have it as bits, and what else decides, read only where it is asked for."""

    signals: PageSignals
    reader: SpanReader
    column: TextRunColumn
    rows: int

    @cached_property
    def parts(self) -> list[TextRun]:
        return self.column.parts[:SAMPLE]

    @cached_property
    def texts(self) -> list[str]:
        return [self.reader.text(part.span) for part in self.parts]

    @cached_property
    def name(self) -> str:
        return page_name(self.signals, self.column, self.texts)

    @cached_property
    def kind(self) -> str:
        return kind_name(self.texts)

    @cached_property
    def cell(self) -> int:
        return cell_place(self.signals, self.parts[0])

    @cached_property
    def size(self) -> float:
        sizes = sorted(self.signals.sizes[part.first] for part in self.parts)
        return sizes[len(sizes) // 2]

    @cached_property
    def look(self) -> tuple[bool, bool, bool]:
        """Whether most of it is bold, links, headings."""
        bold, heading = self.signals.bold_list, self.signals.heading_list
        marks = [(bold[part.first], part.link >= 0, heading[part.first]) for part in self.parts]
        is_bold, is_link, is_heading = (2 * sum(several) > len(marks) for several in zip(*marks, strict=True))
        return is_bold, is_link, is_heading


def merge_columns(signals: PageSignals, reader: SpanReader, columns: Sequence[TextRunColumn]) -> list[TextRunColumn]:
    """The columns, in order, with those joined that are one thing; columns of lists stay as they are."""
    if len(columns) < 2:
        return list(columns)
    kept: list[_Candidate] = []
    for column in columns:
        new = _Candidate(signals, reader, column, _rows(column))
        apart = (place for place, one in enumerate(kept) if not one.rows & new.rows)  # hardly any are
        place = next((place for place in apart if _are_one(kept[place], new, kept[place + 1 :])), None)
        if place is None:
            kept.append(new)
        else:
            one = kept[place]
            kept[place] = _Candidate(signals, reader, _joined(one.column, column), one.rows | new.rows)
    return [one.column for one in kept]


def _rows(column: TextRunColumn) -> int:
    return sum(1 << row for row, cell in enumerate(column.cells) if cell)


def are_apart(first: TextRunColumn, second: TextRunColumn) -> bool:
    """Whether no record has both columns."""
    return not any(one and other for one, other in zip(first.cells, second.cells, strict=True))


def _are_one(first: _Candidate, second: _Candidate, between: Sequence[_Candidate]) -> bool:
    """Whether two columns that no record has both of are one thing."""
    if first.column.many or second.column.many or first.cell != second.cell:
        return False
    # A column that both share records with, behind the one and before the other, means that they have two places.
    if any(other.rows & first.rows and other.rows & second.rows for other in between):
        return False
    if first.name and first.name == second.name:
        return not (first.kind and second.kind) or first.kind == second.kind
    # Under two names they are one only if both hold, say, prices; where the page names at most one, looks decide.
    is_open = not (first.name and second.name) or bool(first.kind)
    return is_open and first.kind == second.kind and _look_alike(first, second)


def _look_alike(first: _Candidate, second: _Candidate) -> bool:
    return first.look == second.look and abs(first.size - second.size) < SAME_SIZE


def _joined(first: TextRunColumn, second: TextRunColumn) -> TextRunColumn:
    return TextRunColumn([one or other for one, other in zip(first.cells, second.cells, strict=True)], many=False)


# Names for the columns of records: from the page's own names, from labels, or from what the columns hold.

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


# The column that names the items of a list, filled wherever an item has a title.

LONG_TITLE = 12  # words; titles are rarely longer
LONGEST_TITLE = 25  # words; anything longer is prose, not a title


def title_column(signals: PageSignals, reader: SpanReader, columns: Sequence[TextRunColumn]) -> int | None:
    """The column that names each item: a heading, a link or the largest text, early, and present in most items."""
    size, best, found = signals.sizes, 0.0, None
    largest = max((median(size[part.first] for part in column.parts) for column in columns), default=0.0)
    for place, column in enumerate(columns):
        score = _title_score(signals, reader, column) - 0.15 * place
        score += 0.5 * (median(size[part.first] for part in column.parts) >= largest > 0)
        if score > best:
            best, found = score, place
    return found


def with_title_first(columns: Sequence[TextRunColumn], title: int) -> list[TextRunColumn]:
    """The columns with that of the title first, one text an item; what is behind it there is a column of its own."""
    own = columns[title]
    if not own.many:
        return [own, *columns[:title], *columns[title + 1 :]]
    rest = [cell[1:] for cell in own.cells]
    behind = TextRunColumn(rest, many=any(len(cell) > 1 for cell in rest))
    heads = TextRunColumn([cell[:1] for cell in own.cells], many=False)
    return [heads, *columns[:title], *([behind] if behind.parts else []), *columns[title + 1 :]]


def fill_titles(signals: PageSignals, reader: SpanReader, columns: Sequence[TextRunColumn]) -> list[TextRunColumn]:
    """The columns with the first, that of the titles, filled from others where it is empty.

    Some items have their title elsewhere, such as in a heading without a link. Only a column that no item has besides
    the title's can be that.
    """
    own, *others = columns
    if all(own.cells):
        return list(columns)
    heads, cells = list(own.cells), [list(column.cells) for column in others]
    spare = [place for place, column in enumerate(others) if are_apart(own, column)]
    for row in (row for row, cell in enumerate(heads) if not cell):
        filled = [place for place in spare if cells[place][row] and _can_be_title(reader, cells[place][row][0])]
        if filled:
            place = max(filled, key=lambda place: _title_marks(signals, cells[place][row][0]))
            heads[row], cells[place][row] = cells[place][row][:1], cells[place][row][1:]
    kept = [replace(column, cells=left) for column, left in zip(others, cells, strict=True)]
    return [replace(own, cells=heads), *(column for column in kept if column.parts)]


def _can_be_title(reader: SpanReader, part: TextRun) -> bool:
    text = reader.text(part.span)
    return len(text.split()) <= LONGEST_TITLE and any(map(str.isalpha, text))


def _title_marks(signals: PageSignals, part: TextRun) -> tuple[bool, bool, bool, float]:
    """What makes one text more of a title than another of the same item; of equals the first is taken."""
    is_heading, is_bold = signals.heading_list[part.first], signals.bold_list[part.first]
    return is_heading, part.link >= 0, is_bold, signals.sizes[part.first]


def _title_score(signals: PageSignals, reader: SpanReader, column: TextRunColumn) -> float:
    """How much the texts of a column look like titles; -1 if they cannot be."""
    parts = column.parts[:SAMPLE]
    values = [reader.text(cell[0].span) for cell in column.cells if cell][:SAMPLE]
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
    if column.many:  # an item has many tags, but one title
        score -= 1.0 * sum(len(cell) > 1 for cell in column.cells) / len(column.cells)
    return score - 1.0 * (len(values) > 2 and several == 1)
