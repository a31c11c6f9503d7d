"""Answers of tools: plain values, few of them, and what a page said kept apart from what we say.

Agents pay for every token. So names of columns are said once, ids are short, cells and rows have limits, and an answer
says how many there are in all and how to get the rest.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from sightline.data import Column, Origin, Result
from sightline.jobs import XPaths
from sightline.page import Page

__all__ = [
    "FROM_PAGE",
    "AnswerWindow",
    "Places",
    "ToolAnswer",
    "also_said",
    "as_said",
    "one_sentence",
    "rows_answer",
    "without_empty",
]

ToolAnswer: TypeAlias = dict[str, Any]
"""What a tool gives, as a JSON object."""

FROM_PAGE = "from_page"
"""The entry of an answer that holds what pages say: data, and never instructions."""

MOST_CHARACTERS = 20_000  # of the cells in one answer: some 5,000 tokens, which every client takes
MOST_COLUMNS = 60
LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class AnswerWindow:
    """Which rows of a result are wanted, and how long their cells may be."""

    offset: int
    limit: int
    longest: int


def rows_answer(result: Result | None, window: AnswerWindow, places: "Places | None" = None) -> ToolAnswer:
    """Some rows of a result: how many there are, where the next ones begin, and columns and rows as the page says them.

    >>> from sightline.data import Table
    >>> table = Table.from_rows([["Star", "Magnitude"], ["Sirius", "-1.46"], ["Vega", "0.03"]])
    >>> rows_answer(table, AnswerWindow(0, 1, 100))
    {'rows_in_all': 2, 'next_offset': 1, 'types': ['text', 'number'], 'from_page': {'columns': ['Star', 'Magnitude'], \
'rows': [['Sirius', '-1.46']]}}
    """
    every = result.columns if result is not None else ()
    columns = every[:MOST_COLUMNS]
    total = len(every[0].cells) if every else 0
    rows = _rows(columns, window, total)
    following = window.offset + len(rows)
    answer: ToolAnswer = {
        "rows_in_all": total,
        "next_offset": following if following < total else None,
        "columns_left_out": len(every) - len(columns),
        "types": [str(column.type) for column in columns],
        FROM_PAGE: {
            "columns": [as_said(column.name, LONGEST_NAME) for column in columns],
            "rows": rows,
        },
    }
    if places:
        answer["origins"] = [places.row(columns, row) for row in range(window.offset, following)]
    return without_empty(answer)


def _rows(columns: Sequence[Column], window: AnswerWindow, total: int) -> list[list[str | None]]:
    """The rows of a window, fewer if they are long; the first one always."""
    rows: list[list[str | None]] = []
    room = MOST_CHARACTERS
    for number in range(window.offset, min(window.offset + window.limit, total)):
        cells = [column.cells[number] for column in columns]
        row = [as_said(cell.text, window.longest) if cell else None for cell in cells]
        room -= sum(len(text or "") for text in row)
        if rows and room < 0:
            break
        rows.append(row)
    return rows


class Places:
    """Where values are on their pages: the XPath of the element and its box, in pixels."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._pages = {page.whole_id: page for page in pages}

    def row(self, columns: Sequence[Column], number: int) -> list[Any]:
        """The place of each cell of a row."""
        cells = [column.cells[number] for column in columns]
        return [self.of(cell.origin if cell else None) for cell in cells]

    def of(self, origin: Origin | None) -> list[Any] | None:
        """An XPath and a box; None for what is nowhere on a page."""
        page = self._pages.get(origin.page) if origin else None
        return _place(page, origin) if page and origin else None


def _place(page: Page, origin: Origin) -> list[Any]:
    """The XPath of an origin and its box, in whole pixels; a page without a layout has no boxes."""
    xpaths = XPaths()
    xpaths.add(page, [origin])
    box = origin.box
    return [xpaths(origin), [round(side) for side in box] if box and box[0] == box[0] else None]


def also_said(answer: ToolAnswer, **said: Any) -> ToolAnswer:
    """The answer with more of what a page says; what is empty is left out.

    >>> also_said({"page": "4352de3aaefe", "from_page": {"rows": [["Vega"]]}}, caption="Stars", notes=[])
    {'page': '4352de3aaefe', 'from_page': {'caption': 'Stars', 'rows': [['Vega']]}}
    """
    return without_empty(answer | {FROM_PAGE: without_empty(said | answer.get(FROM_PAGE, {}))})


def without_empty(answer: ToolAnswer) -> ToolAnswer:
    """The answer without entries that say nothing.

    >>> without_empty({"rows_in_all": 0, "next_offset": None, "notes": []})
    {'rows_in_all': 0}
    """
    empty: tuple[Any, ...] = (None, [], {}, "", ())
    return {
        name: value
        for name, value in answer.items()
        if not any(value is one or value == one for one in empty) and not (name.endswith("_left_out") and value == 0)
    }


# Texts of pages on their way to an agent: harmless, and no longer than they are worth.

# Control characters, and marks that change the direction of text. And characters that no person sees but every language
# model reads: tag characters and variation selectors spell out hidden instructions.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]+"
)
_LONGEST_ERROR = 600  # characters; the longest of our own messages are half as long


def as_said(text: str, most: int) -> str:
    r"""A text as a person sees it, on one line; what is beyond `most` characters is cut, and how much is told.

    >>> as_said("EOS\n 5D\x1b[31m\U000e0041\U000e0042", 100)
    'EOS 5D�[31m�'
    >>> as_said("x" * 1200, 5)
    'xxxxx… [1,195 characters more]'
    """
    seen = " ".join(_UNSEEN.sub("\ufffd", text).split())
    return seen if len(seen) <= most else f"{seen[:most]}… [{len(seen) - most:,} characters more]"


def one_sentence(message: str) -> str:
    """An error for an agent: one line, in which whatever a page or a caller said is harmless."""
    return as_said(message, _LONGEST_ERROR)
