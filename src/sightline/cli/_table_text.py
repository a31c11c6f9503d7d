"""Prints tables as drawings, as far as the terminal has room."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import output
from sightline.cli._text import (
    WIDEST,
    clean,
    columns_that_fit,
    print_drawn,
    print_rest,
    widths_of,
)

__all__ = ["print_tables", "print_triples"]

ROWS = 20
STYLES = {
    "column header": "bold",
    "corner": "bold",
    "row header": "bold",
    "section": "bold italic",
    "total": "italic",
    "note": "dim",
}


def print_tables(tables: Sequence[Mapping[str, Any]], *, everything: bool) -> None:
    """Print each table of the JSON contract with its caption, shape and score."""
    for number, table in enumerate(tables, start=1):
        height, width = len(table["rows"]), len(table["rows"][0]) if table["rows"] else 0
        shape = f"{height} rows × {width} columns"
        kind = "one record · " if table.get("kind") == "record" else ""
        _title(table, f"table {number} of {len(tables)} · {kind}{shape} · score {table['score']:.2f}")
        lines = _lines(table, None if everything else ROWS)
        fitting = width if everything else columns_that_fit(lines, output.width)
        room = None if everything else output.width
        print_drawn(_grid([line[:fitting] for line in lines], table["header_rows"], room), endless=everything)
        print_rest(height - len(lines), "row")
        print_rest(width - fitting, "column")
        for doubt in table.get("doubts", ()):
            output.print(Text(f"doubt: {clean(doubt)}", style="yellow"))


def print_triples(tables: Sequence[Mapping[str, Any]], *, everything: bool) -> None:
    """Print the triples of each table."""
    for number, table in enumerate(tables, start=1):
        triples = table["triples"]
        _title(table, f"table {number} of {len(tables)} · {len(triples)} triples")
        height = None if everything else ROWS
        drawn = _drawn("subject", "predicate", "object")
        for triple in triples[:height]:
            drawn.add_row(*(Text(clean(_text(triple[name]))) for name in ("subject", "predicate", "object")))
        print_drawn(drawn)
        print_rest(len(triples) - len(triples[:height]), "triple")


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
    for width in widths_of(lines, room):
        drawn.add_column("", no_wrap=True, overflow="ellipsis", width=width)
    for row, line in enumerate(lines, start=1):
        drawn.add_row(*line, end_section=row == header_rows)
    return drawn


def _cell(cell: Mapping[str, Any] | None) -> Text:
    """The text of a cell at its first place; the other places it covers stay empty."""
    return Text(clean(cell["text"]), style=STYLES.get(cell["role"], "")) if cell else Text("")


def _drawn(*names: str) -> Drawn:
    drawn = Drawn(box=box.SQUARE)
    for name in names:
        drawn.add_column(name, no_wrap=True, overflow="ellipsis", max_width=WIDEST)
    return drawn


def _text(plain: str | Mapping[str, Any]) -> str:
    """The text of a value, with or without its origin around it."""
    return plain if isinstance(plain, str) else str(plain["text"])
