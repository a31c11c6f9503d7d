"""Headings of several levels: the tree, and one flat name a column."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sightline.data._cell import Cell, Grid
from sightline.data._column import unique_names
from sightline.data._heading_text import read_title
from sightline.data._value import Value

__all__ = ["Heading", "flat_names", "heading_path", "heading_tree"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading over the columns from `start` up to, not including, `stop`, with those below it."""

    text: str
    start: int
    stop: int
    children: tuple["Heading", ...] = ()


def heading_tree(head: Grid) -> tuple[Heading, ...]:
    """The headings of the head rows as a tree; a cell that spans rows stands once."""
    width = len(head[0]) if head else 0
    return _level(head, 0, width, None)


def _level(head: Sequence[Sequence[Cell]], start: int, stop: int, above: Cell | None) -> tuple[Heading, ...]:
    if not head:
        return ()
    first, below = head[0], head[1:]
    if above is not None and all(first[column] is above for column in range(start, stop)):
        return _level(below, start, stop, above)
    headings = []
    while start < stop:
        cell, end = first[start], start + 1
        while end < stop and first[end] is cell:
            end += 1
        headings.append(Heading(cell.text, start, end, _level(below, start, end, cell)))
        start = end
    return tuple(headings)


def flat_names(head: Grid, sections: Sequence[Value | None], joiner: str = " / ") -> tuple[str, ...]:
    """One name a column: its section and its headings from top to bottom, each once; all different.

    There is one section, or None, for each column. A title over all columns, with headings below it, is in no name
    unless it has a unit.
    """
    named = _without_titles(head)
    columns = zip(*named, strict=True) if named else ((),) * len(sections)
    pairs = zip(sections, columns, strict=True)
    return unique_names(joiner.join(heading_path(cells, section)) for section, cells in pairs)


def _without_titles(head: Grid) -> Grid:
    """The head rows without the titles above those that tell columns apart; one with a unit says what values are."""
    several = [row for row, line in enumerate(head) if any(cell is not line[0] for cell in line)]
    if not several or not any(cell.text.strip() for cell in head[-1]):
        return head
    return tuple(line for row, line in enumerate(head) if row >= several[0] or read_title(line[0].text).unit)


def heading_path(cells: Iterable[Cell], section: Value | None = None) -> list[str]:
    """The texts of headings from the outermost to the innermost, without the empty and the repeated ones.

    >>> heading_path([Cell(0, 0, value=Value("2024")), Cell(1, 0), Cell(2, 0, value=Value("Q1"))], Value("North"))
    ['North', '2024', 'Q1']
    """
    texts = [" ".join(section.text.split())] if section and section.text.strip() else []
    for text in (" ".join(cell.text.split()) for cell in cells):
        if text and (not texts or texts[-1] != text):
            texts.append(text)
    return texts
