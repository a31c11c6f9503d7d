"""JSON and JSON lines; the hierarchy is kept."""

from collections.abc import Iterable
from datetime import date, time
from decimal import Decimal
from typing import Any

import orjson

from sightline.data._exports._text import encodable

__all__ = ["json_bytes", "json_lines", "jsonable"]


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
