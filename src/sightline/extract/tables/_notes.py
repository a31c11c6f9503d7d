"""Marks of footnotes in cells: "12,345[1]" is the value 12,345 with the note [1].

Only what the page sets as a mark is one: a superscript in brackets, of signs such as † and *, or that leads to a place
on the same page. A bare raised 2 may be a square, and a bare raised "st" an ordinal; they stay.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sightline.data import Cell, shortened
from sightline.page import Page
from sightline.signals import within

__all__ = ["NO_MARKS", "NoteMarks", "note_marks", "with_notes_apart"]

LONGEST_MARK = 12  # characters, as in "[note 12]"
_SURE = re.compile(r"[\[(]\s?(?:\w+\s)?\w{1,4}\s?[\])]|[*†‡§¶#‖]{1,3}")
_LINKED = re.compile(r"\w{1,3}|\w+ \w{1,3}")


class NoteMarks(NamedTuple):
    """The superscripts of a page that are marks of notes, in order, and their texts."""

    nodes: npt.NDArray[Any]
    texts: list[str]


NO_MARKS = NoteMarks(np.zeros(0, dtype=np.int64), [])


def note_marks(page: Page) -> NoteMarks:
    """The marks of notes on a page.

    >>> from sightline.testing import element, page_of
    >>> cell = element("td", "12,345", element("sup", "[1]"), " m", element("sup", "2"))
    >>> note_marks(page_of(element("table", element("tr", cell)), kind="static")).texts
    ['[1]']
    """
    raised = page.with_tag("sup")
    if not len(raised):
        return NO_MARKS
    texts = [" ".join(text.split()) for text in page.texts_of(raised)]
    linked = _leading_to_the_page(page, raised)
    marks = [
        (node, text)
        for node, text, leads in zip(raised.tolist(), texts, linked, strict=True)
        if len(text) <= LONGEST_MARK and (_SURE.fullmatch(text) or (leads and _LINKED.fullmatch(text)))
    ]
    return NoteMarks(np.array([node for node, _ in marks], dtype=np.int64), [text for _, text in marks])


def _leading_to_the_page(page: Page, raised: npt.NDArray[Any]) -> list[bool]:
    """Which superscripts hold a link to a place on the same page, or are in one."""
    addresses, links = page.attribute("href"), page.with_tag("a")
    jumps = [addresses[link] >= 0 and page.strings[addresses[link]].startswith("#") for link in links.tolist()]
    links = links[np.array(jumps, dtype=np.bool_)]
    first, last = np.searchsorted(links, (raised, page.end[raised]))
    return list((last > first) | within(raised, links, page.end))


def with_notes_apart(
    page: Page, marks: NoteMarks, cells: tuple[Cell, ...], nodes: Sequence[Sequence[int]]
) -> tuple[Cell, ...]:
    """The cells with the marks in them apart from their values; `nodes` are those of each cell.

    A cell that is nothing but a mark stays as it is: there the mark is the value.
    """
    if not len(marks.nodes):
        return cells
    first = marks.nodes.searchsorted([several[0] if several else 0 for several in nodes]).tolist()
    last = marks.nodes.searchsorted([page.end[several[-1]] if several else 0 for several in nodes]).tolist()
    return tuple(
        _apart(cell, marks.texts[low:high]) if high > low else cell
        for cell, low, high in zip(cells, first, last, strict=True)
    )


def _apart(cell: Cell, marks: Sequence[str]) -> Cell:
    rest, notes = cell.text, list[str]()
    for mark in reversed(marks):
        shorter = _without(rest, mark)
        notes += [mark] if shorter != rest else []
        rest = shorter
    if not notes or not rest:
        return cell
    return replace(cell, value=shortened(cell.value, rest), notes=tuple(map(_plain, reversed(notes))))


def _plain(mark: str) -> str:
    """A mark in letters that are not raised."""
    return unicodedata.normalize("NFKC", mark)


def _without(text: str, mark: str) -> str:
    """A text without a mark: its last one in brackets or of signs, a bare word or number only at the end."""
    before, _, after = text.rpartition(mark)
    if (not _SURE.fullmatch(mark) and after.strip()) or mark not in text:
        return text
    joint = " " if before.strip() and after.strip() and after[0].isalnum() else ""
    return f"{before.rstrip()}{joint}{after}".strip()
