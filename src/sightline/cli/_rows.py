"""Prints columns side by side below their names, as many as fit the terminal."""

from collections.abc import Sequence

from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import output
from sightline.cli._text import clean, columns_that_fit, print_drawn, widths_of
from sightline.data import Column

__all__ = ["GAP", "INDENT", "lines_of", "print_lines", "print_rows"]

INDENT = "   "
GAP = 2  # spaces between columns


def print_rows(columns: Sequence[Column], height: int | None) -> int:
    """Print `height` rows of as many columns as fit, or everything; return the number of columns printed."""
    lines = lines_of(columns, height)
    fitting = len(columns) if height is None else columns_that_fit(lines, _room(), GAP)
    print_lines([line[:fitting] for line in lines], everything=height is None)
    return fitting


def lines_of(columns: Sequence[Column], height: int | None) -> list[list[Text]]:
    """The names of the columns, then their rows."""
    names = [Text(clean(column.name), style="italic dim") for column in columns]
    rows = zip(*(column.texts[:height] for column in columns), strict=True)
    return [names, *([Text(clean(text or "")) for text in row] for row in rows)]


def print_lines(lines: Sequence[Sequence[Text]], *, everything: bool) -> None:
    """Print aligned rows of texts: long ones are cut until all fit, or kept whole."""
    drawn = Drawn(box=None, show_header=False, pad_edge=False, padding=(0, GAP, 0, 0))
    drawn.add_column("", width=len(INDENT) - GAP)
    whole = [max(text.cell_len for text in column) for column in zip(*lines, strict=True)]
    for width in whole if everything else widths_of(lines, _room(), GAP):
        drawn.add_column("", no_wrap=True, overflow="ellipsis", width=width)
    for line in lines:
        drawn.add_row(Text(""), *line)
    print_drawn(drawn, endless=everything)


def _room() -> int:
    return output.width - len(INDENT) + GAP  # no gap after the last column
