"""HTML: a table as drawn, rows of columns, or a record; everything escaped."""

from collections.abc import Iterable, Sequence
from html import escape as escape_html
from typing import Any

from sightline.data._cell import Cell, Grid
from sightline.data._column import Column
from sightline.data._exports._text import xml_text

__all__ = ["escape", "grid_html", "html_document", "plain_html", "rows_html"]


def escape(text: str) -> str:
    """Text that cannot be markup, nor anything that a browser refuses."""
    return escape_html(xml_text(text))


def html_document(body: str) -> str:
    """A whole page around a piece of HTML."""
    return f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>Data</title>\n{body}\n'


def grid_html(grid: Grid, caption: str | None = None, *, limit: int | None = None) -> str:
    """A table with its spans and headings; beyond `limit` rows it says how many more there are."""
    shown = grid[:limit]
    lines = ["".join(_cell_html(cell, len(shown)) for cell in _starting(row, line)) for row, line in enumerate(shown)]
    return _table(lines, caption, len(grid) - len(shown), len(grid[0]) if grid else 1)


def _starting(row: int, line: Sequence[Cell]) -> Iterable[Cell]:
    return (cell for column, cell in enumerate(line) if (cell.row, cell.column) == (row, column))


def _cell_html(cell: Cell, height: int) -> str:
    tag = "td" if cell.role in ("data", "total", "hole") else "th"
    rows = min(cell.row_span, height - cell.row)
    spans = f' rowspan="{rows}"' * (rows > 1) + f' colspan="{cell.column_span}"' * (cell.column_span > 1)
    return f"<{tag}{spans}>{escape(cell.text)}</{tag}>"


def rows_html(columns: Sequence[Column], *, limit: int | None = None) -> str:
    """Names and rows; what was not found is a grey dash, an empty text is empty."""
    head = "".join(f"<th>{escape(column.name)}</th>" for column in columns)
    rows = list(zip(*(column.texts for column in columns), strict=True))
    lines = ["".join(f"<td>{_text_html(text)}</td>" for text in row) for row in rows[:limit]]
    return _table([head, *lines], None, len(rows) - len(lines), len(columns) or 1)


def _text_html(text: str | None) -> str:
    return '<span style="color:#999" title="not found">–</span>' if text is None else escape(text)


def _table(lines: Sequence[str], caption: str | None, more: int, width: int) -> str:
    title = f"<caption>{escape(caption)}</caption>\n" if caption else ""
    rest = f'<tr><td colspan="{width}">… {more} more row{"s" * (more > 1)}</td></tr>\n' if more else ""
    return f"<table>\n{title}{''.join(f'<tr>{line}</tr>{chr(10)}' for line in lines)}{rest}</table>"


# Records may hold long lists; a notebook needs to see only that they do.
_SHOWN_ITEMS = 10


def plain_html(data: Any) -> str:
    """Nested plain data: a dict as a two-column table, a list as a list."""
    if isinstance(data, dict):
        rows = [f"<th>{escape(name)}</th><td>{plain_html(content)}</td>" for name, content in data.items()]
        return _table(rows, None, 0, 2)
    if isinstance(data, list):
        items = "".join(f"<li>{plain_html(item)}</li>" for item in data[:_SHOWN_ITEMS])
        more = len(data) - _SHOWN_ITEMS
        return f"<ol>{items}{f'<li>… {more} more</li>' if more > 0 else ''}</ol>"
    return _text_html(None if data is None else str(data))
