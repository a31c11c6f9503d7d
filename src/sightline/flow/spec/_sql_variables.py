"""Variables in SQL: `{name}` is bound as a value, and never pasted into the text of a query."""

import re
from collections.abc import Callable, Iterator

from sightline.yaml import VARIABLE

# What SQL reads as one piece: comments, names in quotes, texts in quotes or dollars, and our variables.
_PIECES = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?\*/)"
    r'|(?P<name>"(?:[^"]|"")*")'
    r"|(?P<text>'(?:[^']|'')*')"
    r"|(?P<dollars>\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)"
    rf"|(?P<variable>{VARIABLE.pattern})",
    re.DOTALL,
)


def sql_variables(sql: str) -> tuple[str, ...]:
    """The variables that a query names, each once; those in comments are none.

    >>> sql_variables("SELECT '{day}' AS day FROM a WHERE price > {least} -- {no}")
    ('day', 'least')
    """
    return tuple(dict.fromkeys(name for piece in _PIECES.finditer(sql) for name in _named(piece)))


def bound_sql(sql: str, mark: Callable[[str], str], text_mark: Callable[[str], str] | None = None) -> str:
    r"""The query with a mark of its database for each variable; one inside of a text becomes a sum of texts.

    Where a database asks for the type of a value, `text_mark` is the mark of those inside of texts.

    >>> bound_sql("SELECT 'of {day}' AS title FROM a WHERE price > {least}", lambda name: f":{name}")
    "SELECT ('of ' || :day || '') AS title FROM a WHERE price > :least"
    """

    def replaced(piece: re.Match[str]) -> str:
        names = list(_named(piece))
        if not names:
            return piece[0]
        if piece["variable"]:
            return mark(names[0])
        parts = VARIABLE.split(piece["text"][1:-1])
        shown = [(text_mark or mark)(part) if place % 2 else f"'{part}'" for place, part in enumerate(parts)]
        if len(parts) == 3 and not parts[0] and not parts[2]:
            return shown[1]
        return f"({' || '.join(shown)})"

    return _PIECES.sub(replaced, sql)


def variables_in_names(sql: str) -> tuple[str, ...]:
    """The variables inside of names in double quotes or of texts in dollars, which no database binds."""
    pieces = (piece["name"] or piece["dollars"] or "" for piece in _PIECES.finditer(sql))
    return tuple(dict.fromkeys(name for piece in pieces for name in VARIABLE.findall(piece)))


def _named(piece: re.Match[str]) -> Iterator[str]:
    yield from VARIABLE.findall(piece["text"] or piece["variable"] or "")
