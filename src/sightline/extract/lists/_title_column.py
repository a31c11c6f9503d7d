"""The column that names the items of a list, filled wherever an item has a title."""

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from sightline.extract.lists._fields import TextRun, TextRunColumn
from sightline.extract.lists._merge_columns import are_apart
from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._span_reader import SpanReader

__all__ = ["fill_titles", "title_column", "with_title_first"]

SAMPLE = 30  # texts of a column that are looked at to tell what it is
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
