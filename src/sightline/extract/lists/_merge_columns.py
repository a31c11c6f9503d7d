"""Columns that are one thing under two names: a price and a sale price, a title with a link and one without.

Parts are told apart by their path and class, and a page may give one thing several of them. Two columns are one if no
record has both, if they are in the same place among the columns that they share records with, and if they have the
same name, hold the same kind of data, or look the same, without anything that speaks against it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sightline.extract.lists._fields import TextRun, TextRunColumn, cell_place
from sightline.extract.lists._names import page_name
from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._span_reader import SpanReader
from sightline.signals import kind_name

__all__ = ["are_apart", "merge_columns"]

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
