"""Columns that are one thing under two names: a price and a sale price, a title with a link and one without.

Parts are told apart by their path and class, and a page may give one thing several of them. Two columns are one if no
record has both, if they are in the same place among the columns that they share records with, and if they have the
same name, hold the same kind of data, or look the same, without anything that speaks against it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

import numpy as np

from sightline.extract.lists._fields import TextRun, TextRunColumn, cell_place
from sightline.extract.lists._page_signals import HEADINGS, PageSignals
from sightline.extract.lists._region import Region
from sightline.extract.lists._span_reader import NodeSpan, SpanReader
from sightline.signals import class_name, fits_name, kind_name, label_of

__all__ = ["are_apart", "fill_titles", "headings_above", "merge_columns", "name_of", "title_column", "with_title_first"]

SAMPLE = 30  # texts of a column that are looked at to tell what it is
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
