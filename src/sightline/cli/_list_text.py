"""Prints lists: the name of each, and its first records with their parts side by side."""

from collections.abc import Sequence

from rich.text import Text

from sightline.cli._console import output, remark
from sightline.cli._rows import GAP, INDENT, lines_of, print_rows
from sightline.cli._text import clean, widths_of
from sightline.data import Column, ItemList

__all__ = ["print_lists"]

ROWS = 5
STRONGEST = 4  # parts of the evidence that a trace tells; the others hardly moved the score
NAMES = ("rank", "level", "title")
ADDRESSES = ("link", "image")


def print_lists(lists: Sequence[ItemList], *, everything: bool) -> None:
    """Print each list with its number, name, size and records; for a menu, only its entries."""
    cut = False
    for number, found in enumerate(lists, start=1):
        if number > 1:
            output.print()
        output.print(_heading(number, found))
        cut |= _print_menu(found, everything) if found.kind == "navigation" else _print_records(found, everything)
    if cut:
        remark("Only the start of each list is shown; --all shows all rows and columns.")


def _heading(number: int, found: ItemList) -> Text:
    """`2  Cameras · 10 records · score 0.99`."""
    facts = [f"{len(found):,} record{'s' * (len(found) != 1)}", f"score {found.score:.2f}"]
    if found.kind == "navigation":
        facts.append("navigation")
    name = clean(found.caption or "")
    joined = " · ".join(facts)
    return Text.assemble((f"{number:<2} ", "dim"), (name, "bold"), (f" · {joined}" if name else joined, "dim"))


def _print_menu(found: ItemList, everything: bool) -> bool:  # noqa: FBT001 - as the other printer is called
    """Print the entries of a menu on one line; return whether anything was left out."""
    line = Text(INDENT + " · ".join(clean(item.title.text) for item in found), style="dim")
    return _print_line(line, everything)


def _print_records(found: ItemList, everything: bool) -> bool:  # noqa: FBT001 - as the other printer is called
    """Print the records as rows under the names of their parts; return whether anything was left out."""
    columns = found.columns if everything else _informative(found.columns)
    if len(columns) < 2:
        return _print_texts([clean(item.text.text) for item in found], everything)
    fitting = print_rows(columns, None if everything else ROWS)
    return (not everything and len(found) > ROWS) or fitting < len(found.columns)


def _informative(columns: Sequence[Column]) -> list[Column]:
    """The columns worth showing: names and titles first, links only if nothing has to be cut."""
    shown = [column for column in columns if any(column.texts[:ROWS])]
    kept = sorted(
        (column for column in shown if column.name not in ADDRESSES), key=lambda column: column.name not in NAMES
    )
    links = [column for column in shown if column.name == "link"]
    widths = widths_of(lines_of(kept + links, ROWS), None)
    has_room = len(kept) > 1 and sum(widths) + GAP * len(widths) < output.width - len(INDENT) + GAP
    return kept + links if has_room else kept


def _print_texts(texts: Sequence[str], everything: bool) -> bool:  # noqa: FBT001 - handed on
    """Print records of a single text, on one line if short; return whether anything was left out."""
    line = Text(INDENT + " · ".join(texts))
    if line.cell_len <= output.width:
        return _print_line(line, everything)
    shown = texts if everything else texts[:ROWS]
    shortened = [_print_line(Text(INDENT + text), everything) for text in shown]
    return any(shortened) or len(shown) < len(texts)


def _print_line(line: Text, everything: bool) -> bool:  # noqa: FBT001 - handed on
    """Print a line, cut at the terminal's width unless everything is wanted; return whether it was cut."""
    cut = not everything and line.cell_len > output.width
    if cut:
        line.truncate(output.width, overflow="ellipsis")
    output.print(line)
    return cut
