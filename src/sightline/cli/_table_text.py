"""Tables for people: as drawn, as far as the terminal has room."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from rich import box
from rich.measure import Measurement
from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import output, remark
from sightline.extract.tables import TableTrace
from sightline.geometry import Box

__all__ = ["print_tables", "print_trace", "print_triples"]

ROWS = 20
LEAST_PART = 0.005  # what two decimals show
WIDEST, NARROWEST = 40, 12
BORDERS = 3  # of each column: a line and two blanks
ENDLESS = 1_000_000  # a line that the terminal breaks, since all was asked for
STYLES = {
    "column header": "bold",
    "corner": "bold",
    "row header": "bold",
    "section": "bold italic",
    "total": "italic",
    "note": "dim",
}
# A page's text must not steer the terminal.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


def print_tables(tables: Sequence[Mapping[str, Any]], *, everything: bool) -> None:
    """Each table of the JSON contract with its caption, shape and score."""
    for number, table in enumerate(tables, start=1):
        height, width = len(table["rows"]), len(table["rows"][0]) if table["rows"] else 0
        shape = f"{height} rows × {width} columns"
        _title(table, f"table {number} of {len(tables)} · {shape} · score {table['score']:.2f}")
        lines = _lines(table, None if everything else ROWS)
        fitting = width if everything else _columns_that_fit(lines, output.width)
        room = None if everything else output.width
        _print(_grid([line[:fitting] for line in lines], table["header_rows"], room), endless=everything)
        _more(height - len(lines), "row")
        _more(width - fitting, "column")


def print_triples(tables: Sequence[Mapping[str, Any]], *, everything: bool) -> None:
    """The triples of each table."""
    for number, table in enumerate(tables, start=1):
        triples = table["triples"]
        _title(table, f"table {number} of {len(tables)} · {len(triples)} triples")
        height = None if everything else ROWS
        drawn = _drawn("subject", "predicate", "object")
        for triple in triples[:height]:
            drawn.add_row(*(Text(clean(_text(triple[name]))) for name in ("subject", "predicate", "object")))
        _print(drawn)
        _more(len(triples) - len(triples[:height]), "triple")


def print_trace(trace: TableTrace) -> None:
    """Every candidate: how it was found, where, what spoke for and against it, and what became of it."""
    drawn = Drawn("method", "shape", "x, y, size", "score", "what spoke for and against it", "verdict", box=box.SQUARE)
    for one in trace.candidates:
        shape = f"{one.shape[0]} × {one.shape[1]}"
        texts = (one.method, shape, _place(one.box), f"{one.score:.2f}", _parts(one.evidence.items()), one.verdict)
        drawn.add_row(*map(Text, map(clean, texts)))
    _print(drawn)


def clean(text: str) -> str:
    r"""A text on one line, with nothing in it that a terminal obeys.

    >>> clean("a\n b\x1b[31m")
    'a b�[31m'
    """
    return _CONTROLS.sub("\ufffd", " ".join(text.split()))


def _title(table: Mapping[str, Any], facts: str) -> None:
    if table["caption"]:
        output.print(Text(clean(table["caption"]), style="bold"))
    output.print(Text(facts, style="dim"))


def _lines(table: Mapping[str, Any], height: int | None) -> list[list[Text]]:
    cells = {(cell["row"], cell["column"]): cell for cell in table["cells"]}
    rows = enumerate(table["rows"][:height])
    return [[_cell(cells.get((row, column))) for column in range(len(line))] for row, line in rows]


def _grid(lines: Sequence[Sequence[Text]], header_rows: int, room: int | None) -> Drawn:
    drawn = Drawn(box=box.SQUARE, show_header=False)
    for width in _widths(lines, room):
        drawn.add_column("", no_wrap=True, overflow="ellipsis", width=width)
    for row, line in enumerate(lines, start=1):
        drawn.add_row(*line, end_section=row == header_rows)
    return drawn


def _widths(lines: Sequence[Sequence[Text]], room: int | None) -> list[int]:
    """How wide each column is drawn: as its longest text, or cut with the other long ones until all have room.

    >>> _widths([[Text("1994"), Text("a long text that is cut"), Text("another one that is cut")]], 40)
    [4, 13, 13]
    """
    wanted = [min(max(text.cell_len for text in column), WIDEST) for column in zip(*lines, strict=True)]
    if room is None:
        return wanted
    cap = WIDEST
    while cap > 1 and sum(min(width, cap) for width in wanted) + BORDERS * len(wanted) >= room:
        cap -= 1
    return [min(width, cap) for width in wanted]


def _cell(cell: Mapping[str, Any] | None) -> Text:
    """The text of a cell where it begins; the other places that it covers stay empty."""
    return Text(clean(cell["text"]), style=STYLES.get(cell["role"], "")) if cell else Text("")


def _drawn(*names: str) -> Drawn:
    drawn = Drawn(box=box.SQUARE)
    for name in names:
        drawn.add_column(name, no_wrap=True, overflow="ellipsis", max_width=WIDEST)
    return drawn


def _print(drawn: Drawn, *, endless: bool = False) -> None:
    if endless:
        drawn.width = Measurement.get(output, output.options.update(max_width=ENDLESS), drawn).maximum
    output.print(drawn, soft_wrap=False, crop=not endless)


def _columns_that_fit(lines: Sequence[Sequence[Text]], room: int) -> int:
    """How many columns can be drawn side by side without cutting any below what can still be read.

    >>> _columns_that_fit([[Text("a"), Text("bb"), Text("a long text that is cut")]], 30)
    3
    >>> _columns_that_fit([[Text("a long text that is cut")]], 5)
    1
    """
    widths = (max(text.cell_len for text in column) for column in zip(*lines, strict=True))
    ends = accumulate(min(width, NARROWEST) + BORDERS for width in widths)
    fitting: int = sum(end < room for end in ends)
    return max(fitting, 1)


def _more(rest: int, what: str) -> None:
    if rest > 0:
        remark(f"… {rest:,} more {what}{'s' * (rest > 1)}; --all shows them.")


def _text(plain: str | Mapping[str, Any]) -> str:
    """The text of a value, with or without its origin around it."""
    return plain if isinstance(plain, str) else str(plain["text"])


def _place(place: Box | None) -> str:
    if place is None:
        return ""
    x0, y0, x1, y1 = place
    return f"{x0:.0f}, {y0:.0f}, {x1 - x0:.0f} × {y1 - y0:.0f}"


def _parts(evidence: Iterable[tuple[str, float]]) -> str:
    """The parts of a score, the weightiest first; those that say nothing are left out.

    >>> _parts([("lines", 0.25), ("prose", -0.5), ("code", 0.0)])
    'prose -0.50, lines +0.25'
    """
    telling = [(name, part) for name, part in evidence if abs(part) >= LEAST_PART]
    return ", ".join(f"{name} {part:+.2f}" for name, part in sorted(telling, key=lambda pair: -abs(pair[1])))
