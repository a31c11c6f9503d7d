"""A first look at a page: what is on it, in one line, and which of it is worth reading."""

from collections.abc import Iterable
from typing import Any

from sightline.data import Content, ItemList, Result
from sightline.mcp._answers import ToolAnswer, also_said, without_empty
from sightline.mcp._desk import Desk, DeskPage
from sightline.mcp._texts import as_said

__all__ = ["survey"]

MOST_CANDIDATES = 8  # a page has seldom more that matter; the tools themselves number all of them
MOST_NAMES = 8  # columns of a candidate
LONGEST_NAME = 40
LONGEST_TITLE = 200
MENU = "navigation"


def survey(desk: Desk, opened: DeskPage) -> ToolAnswer:
    """What is on a page: a summary, and candidates to read, each with the tool and the number that read it."""
    tables = list(desk.find("tables", opened.id))
    lists = [one for one in desk.find("lists", opened.id) if isinstance(one, ItemList)]
    top = list(desk.find("top", opened.id))
    (text,) = desk.find("content", opened.id).results
    candidates = [
        *(_candidate("top", None, one) for one in top),
        *(_candidate("tables", number, one) for number, one in enumerate(tables, start=1)),
        *(_candidate("lists", number, one) for number, one in enumerate(lists, start=1) if one.kind != MENU),
    ]
    page = opened.page
    assert page is not None
    answer = {
        "page": opened.id,
        "summary": _summary(top, len(tables), lists, text),
        "kind": page.kind,
        "candidates_left_out": max(0, len(candidates) - MOST_CANDIDATES),
    }
    return also_said(
        answer,
        title=as_said(page.title, LONGEST_TITLE),
        address=as_said(page.url, LONGEST_TITLE),
        notes=[as_said(note, LONGEST_TITLE) for note in page.notes],  # they may name what the page tried to load
        candidates=candidates[:MOST_CANDIDATES],
    )


def _candidate(tool: str, number: int | None, result: Result) -> ToolAnswer:
    columns = result.columns
    caption = getattr(result, "caption", None)
    return without_empty(
        {
            "tool": tool,
            "number": number,
            "rows": len(columns[0].cells) if columns else 0,
            "caption": as_said(caption, 2 * LONGEST_NAME) if caption else None,
            "columns": [as_said(column.name, LONGEST_NAME) for column in columns[:MOST_NAMES]],
        }
    )


def _summary(top: list[Any], tables: int, lists: Iterable[ItemList], text: Result) -> str:
    """What is on a page, in one line.

    >>> _summary([], 3, [], Content())
    '3 tables'
    """
    kinds = [one.kind == MENU for one in lists]
    words = len(text.text.split()) if isinstance(text, Content) and text.score else 0
    parts = [
        f"the list of {len(top[0])} that its title promises" if top else "",
        _counted(tables, "table"),
        _counted(kinds.count(False), "list"),
        _counted(kinds.count(True), "menu"),
        f"a main text of {words:,} words" if words else "",
    ]
    return ", ".join(part for part in parts if part) or "nothing that could be read: no table, no list, no text"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}" if count else ""
