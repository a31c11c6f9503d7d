"""What every format needs: texts that can be encoded, and that no spreadsheet executes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from functools import lru_cache
from html import escape as escape_html
from typing import Any

import orjson

from sightline.data._cell import Cell, Grid
from sightline.data._column import Column
from sightline.data._result import box_json
from sightline.data._types import Typed
from sightline.geometry import Box

_SURROGATES = re.compile("[\ud800-\udfff]")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

# Blanks and invisible marks that an importing program may drop, so that what follows comes first.
_SKIPPED = " \u00a0\u200b\u200e\u200f\u2060\u3000\ufeff"
# What spreadsheets take as the start of a formula, also in its full-width form.
_ALWAYS = "=@＝＠\t\r"
_SIGNS = "+-＋－"
_AFTER_A_BREAK = re.compile(rf"([;\t\r\n])([{_SKIPPED}\"]*)((?=[=+\-@＝＋－＠])[^;\t\r\n]*)")
# After a sign, only names can run: of a function, a cell or a program, at the start or behind an operator. Numbers,
# telephone numbers and dates have none; a unit behind a number has no operator before it.
_OPERATORS = frozenset("-+*/^&=(<>,!|@＋－＝＠（")
_MARKS = re.compile(r"\W+")


def encodable(text: str) -> str:
    r"""The text with lone surrogates, which no encoding can write, replaced.

    >>> encodable("a\ud800b")
    'a�b'
    """
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def xml_text(text: str) -> str:
    r"""The text with every character that XML 1.0 forbids replaced.

    >>> xml_text("a\x00b\x1bc")
    'a�b�c'
    """
    return _NOT_IN_XML.sub("\ufffd", text)


def defused(text: str) -> str:
    """The text with an apostrophe in front if a spreadsheet could run it; numbers, telephone numbers and dates stay.

    Where semicolons separate fields, a spreadsheet splits a file at each of them, and at line breaks within a quoted
    field as well; so what follows one inside of a text is treated like the beginning.

    >>> [defused(text) for text in ("=1+1", "-5 kg", "+1-793-555-0100", "--", "-1+A1", "@SUM(A1)", "a=b")]
    ["'=1+1", '-5 kg', '+1-793-555-0100', '--', "'-1+A1", "'@SUM(A1)", 'a=b']
    >>> defused("a;=1+1")
    "a;'=1+1"
    """
    return _AFTER_A_BREAK.sub(_defused_piece, f"'{text}" if _may_run(text) else text)


def _may_run(text: str) -> bool:
    bare = text.lstrip(_SKIPPED + '"')
    if not bare:
        return False
    return bare[0] in _ALWAYS or (bare[0] in _SIGNS and _names_something(bare))


def _names_something(text: str) -> bool:
    """Whether a name stands behind an operator, whatever other marks are between them."""
    for marks in _MARKS.finditer(text):  # run by run, so that a long row of signs is read once
        following = text[marks.end() : marks.end() + 1]
        if following and not following.isdecimal() and not _OPERATORS.isdisjoint(marks[0]):
            return True
    return False


def _defused_piece(piece: re.Match[str]) -> str:
    separator, blanks, rest = piece.groups()
    return f"{separator}'{blanks}{rest}" if _may_run(rest) else piece[0]


# JSON and JSON lines; the hierarchy is kept.

# JSON allows these as they are, but many readers take them for the end of a line.
_LINE_ENDS = {code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)}


def jsonable(data: Any) -> Any:
    """Plain JSON of nested data: exact numbers become floats, dates and times ISO 8601 texts.

    >>> from decimal import Decimal
    >>> jsonable({"price": Decimal("12.50")})
    {'price': 12.5}
    """
    if isinstance(data, str):
        return encodable(data)
    if isinstance(data, dict):
        return {encodable(key): jsonable(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [jsonable(item) for item in data]
    if isinstance(data, Decimal):
        return float(data)
    return data.isoformat() if isinstance(data, date | time) else data


def json_bytes(data: Any) -> bytes:
    """One indented JSON document in UTF-8."""
    return orjson.dumps(jsonable(data), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def json_lines(rows: Iterable[dict[str, Any]]) -> str:
    r"""One JSON object a line.

    >>> json_lines([{"source": "a.html", "words": 7}])
    '{"source":"a.html","words":7}\n'
    """
    lines = (orjson.dumps(jsonable(row), option=orjson.OPT_APPEND_NEWLINE).decode() for row in rows)
    return "".join(lines).translate(_LINE_ENDS)


# CSV according to RFC 4180: commas, CRLF, doubled quotes; safe to open in a spreadsheet.

# Semicolons and tabs too, since spreadsheets of many countries split at them.
_NEEDS_QUOTES = re.compile(r'[",;\t\r\n]|\A\s|\s\Z')

# Most fields are words and numbers, which need no quotes and run nothing; to see that at once saves half of the time.
_PLAIN = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z .%/:-]*[0-9A-Za-z.%])?")


def csv_text(columns: Sequence[Column], *, typed: bool = False, raw: bool = False) -> str:
    """One line of names, then the rows; what was not found is an empty field, an empty text is `""`."""
    rows = zip(*(_fields(column, typed=typed) for column in columns), strict=True)
    lines = [[column.name for column in columns], *map(list, rows)]
    alone = len(columns) == 1
    return "".join(",".join(_written(field, alone=alone, raw=raw) for field in line) + "\r\n" for line in lines)


def _fields(column: Column, *, typed: bool) -> list[str | None]:
    if not typed:
        return list(column.texts)
    pairs = zip(column.texts, column.values, strict=True)
    # A coerced column has its texts beside it, so what does not fit is left out.
    return [(None if column.coerce else text) if value is None else _plain(value) for text, value in pairs]


def _plain(value: Typed) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else _exact(value)


def _exact(value: Typed) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else f"{value:f}"


def _written(field: str | None, *, alone: bool, raw: bool) -> str:
    if field is None:
        return '""' if alone else ""  # a line with nothing on it would be skipped by readers
    if _PLAIN.fullmatch(field):
        return field
    text = encodable(field).replace("\x00", "\ufffd")
    if not raw:
        text = defused(text)
    if not text or _NEEDS_QUOTES.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text


# -- HTML: a table as drawn, rows of columns, or a record; everything escaped ---------------------------------------


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


# -- XML that is well-formed for any text; the hierarchy is kept ----------------------------------------------------
# A field is an element of its name, a list has one `<item>` each, and what was not found has no element at all.

# A part of what XML allows, on which all its editions agree.
# Not compiled yet: sets of this many characters take milliseconds, which only XML exports should pay for.
_NOT_IN_NAME = r"[^A-Za-z0-9_.\-À-ÖØ-öø-ÿА-яЁё\u4e00-\u9fa5]"
_STARTS_NAME = r"[A-Za-z_À-ÖØ-öø-ÿА-яЁё\u4e00-\u9fa5]"
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"})
_IN_ATTRIBUTE = str.maketrans({"\t": "&#9;", "\n": "&#10;"})


def xml_document(body: str) -> str:
    """The body with the declaration in front."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}'


def xml_rows(rows: Iterable[dict[str, Any]], root: str = "records", row: str = "record") -> str:
    """A root element with one element a row."""
    return f"<{root}>\n{''.join(xml_row(fields, row) for fields in rows)}</{root}>\n"


def xml_row(fields: dict[str, Any], row: str = "record") -> str:
    r"""One row as a line.

    >>> xml_row({"name": "EOS 5D", "tags": ["new", "black"]})
    '<record><name>EOS 5D</name><tags><item>new</item><item>black</item></tags></record>\n'
    """
    return f"<{row}>{_xml_fields(jsonable(fields))}</{row}>\n"


def _xml_fields(fields: dict[str, Any]) -> str:
    return "".join(_element(name, content) for name, content in fields.items() if content is not None)


def _element(name: str, content: Any) -> str:
    tag, attribute = _tag(name)
    return f"<{tag}{attribute}>{_content(content)}</{tag}>"


def _content(content: Any) -> str:
    if isinstance(content, dict):
        return _xml_fields(content)
    if isinstance(content, list):
        return "".join("<item/>" if item is None else _element("item", item) for item in content)
    return escaped(str(content))


def escaped(text: str) -> str:
    """A text that stands between two tags."""
    return xml_text(text).translate(_ESCAPES)


def in_attribute(text: str) -> str:
    """A text that stands between the quotes of an attribute, where a parser would turn line ends into blanks."""
    return escaped(text).translate(_IN_ATTRIBUTE)


@lru_cache(maxsize=1024)
def _tag(name: str) -> tuple[str, str]:
    """An element's name, and the attribute that holds the field's name where the two differ."""
    tag = re.sub(_NOT_IN_NAME, "_", name)
    if not re.match(_STARTS_NAME, tag) or tag[:3].lower() == "xml":
        tag = f"_{tag}"
    return tag, "" if tag == name else f' name="{in_attribute(name)}"'


# XML of a table as seen: rows of cells with place, spans, role and box; what VENTrec writes, and nothing lost.


def grid_xml(grid: Grid, caption: str | None, heads: Mapping[str, int], box: Box | None) -> str:
    """A document with one `<row>` a row, in which each cell stands once, where it begins; holes have no element."""
    about = {} if caption is None else {"caption": caption}
    rows = "".join(f"<row>{''.join(map(_cell, _xml_starting(row, line)))}</row>\n" for row, line in enumerate(grid))
    return xml_document(f"<table{_attributes(about | _texts(heads) | _sides(box))}>\n{rows}</table>\n")


def _xml_starting(row: int, line: Sequence[Cell]) -> list[Cell]:
    places = enumerate(line)
    return [cell for place, cell in places if (cell.row, cell.column) == (row, place) and cell.role != "hole"]


def _cell(cell: Cell) -> str:
    spans = {"row-span": cell.row_span, "column-span": cell.column_span}
    place = _texts({"row": cell.row, "column": cell.column} | spans)
    sides = _sides(cell.origin.box if cell.origin else None)
    return f"<cell{_attributes(place | {'role': cell.role} | sides)}>{escaped(cell.text)}</cell>"


def _texts(numbers: Mapping[str, int]) -> dict[str, str]:
    return {name: str(number) for name, number in numbers.items()}


def _sides(box: Box | None) -> dict[str, str]:
    sides = box_json(box) or ()
    return dict(zip(("x0", "y0", "x1", "y1"), (f"{side:.10g}" for side in sides), strict=False))


def _attributes(attributes: Mapping[str, str]) -> str:
    return "".join(f' {name}="{in_attribute(text)}"' for name, text in attributes.items())
