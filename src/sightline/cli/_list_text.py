"""Lists for people: the name of each, and the first of its records with their parts side by side."""

from collections.abc import Sequence

from rich import box
from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import output, remark
from sightline.cli._text import clean, columns_that_fit, parts_of, place_of, print_drawn, widths_of
from sightline.data import ItemList
from sightline.extract.lists import ListTrace

__all__ = ["print_lists", "print_trace"]

ROWS = 5
STRONGEST = 4  # parts of the evidence that a trace tells; the others hardly moved the score
INDENT = "   "


def print_lists(lists: Sequence[ItemList], *, everything: bool) -> None:
    """Each list with its number, name and size, and its records; of a menu only what it leads to."""
    cut = False
    for number, one in enumerate(lists, start=1):
        if number > 1:
            output.print()
        output.print(_heading(number, one))
        cut |= _print_menu(one, everything) if one.kind == "navigation" else _print_records(one, everything)
    if cut:
        remark("This is the beginning of each list; --all shows all rows and columns.")


def print_trace(trace: ListTrace) -> None:
    """Every candidate: how it was found, where, what spoke for and against it, and what became of it."""
    names = ("found by", "records", "x, y, size", "score", "what spoke for and against it", "first record", "verdict")
    drawn = Drawn(*names, box=box.SQUARE)
    for one in trace.candidates:
        spoke = parts_of(one.evidence.items(), STRONGEST)
        texts = (
            *(f"{one.how} {one.tag}".strip(), f"{one.records:,}", place_of(one.box), f"{one.score:.2f}", spoke),
            *(one.example, one.verdict),
        )
        drawn.add_row(*map(Text, map(clean, texts)))
    print_drawn(drawn)


def _heading(number: int, one: ItemList) -> Text:
    """`2  Cameras · 10 records · score 0.99`."""
    facts = [f"{len(one):,} record{'s' * (len(one) != 1)}", f"score {one.score:.2f}"]
    if one.kind == "navigation":
        facts.append("navigation")
    name = clean(one.caption or "")
    joined = " · ".join(facts)
    return Text.assemble((f"{number:<2} ", "dim"), (name, "bold"), (f" · {joined}" if name else joined, "dim"))


def _print_menu(one: ItemList, everything: bool) -> bool:  # noqa: FBT001 - as the other printer is called
    """What a menu leads to, in one line; whether anything was left out."""
    line = Text(INDENT + " · ".join(clean(item.title.text) for item in one), style="dim")
    return _print_line(line, everything)


def _print_records(one: ItemList, everything: bool) -> bool:  # noqa: FBT001 - as the other printer is called
    """The records as rows under the names of their parts; whether anything was left out."""
    height = None if everything else ROWS
    lines = _lines(one, height)
    if len(one.columns) < 2:
        # One text a record needs neither a name nor a frame.
        shortened = [_print_line(Text(INDENT) + line[0], everything) for line in lines[1:] if line]
        return any(shortened) or len(lines) <= len(one)
    room = output.width - len(INDENT)
    fitting = len(one.columns) if everything else columns_that_fit(lines, room)
    print_drawn(_drawn([line[:fitting] for line in lines], None if everything else room), endless=everything)
    return len(lines) <= len(one) or fitting < len(one.columns)


def _print_line(line: Text, everything: bool) -> bool:  # noqa: FBT001 - handed on
    """One line, cut at the width of the terminal unless everything is asked for; whether it was."""
    cut = not everything and line.cell_len > output.width
    if cut:
        line.truncate(output.width, overflow="ellipsis")
    output.print(line)
    return cut


def _lines(one: ItemList, height: int | None) -> list[list[Text]]:
    """The names of the parts, then the records."""
    names = [Text(clean(column.name), style="italic dim") for column in one.columns]
    rows = zip(*(column.texts[:height] for column in one.columns), strict=True)
    return [names, *([Text(clean(text or "")) for text in row] for row in rows)]


def _drawn(lines: Sequence[Sequence[Text]], room: int | None) -> Drawn:
    drawn = Drawn(box=None, show_header=False, pad_edge=False, padding=(0, 1))
    drawn.add_column("", width=len(INDENT) - 1)
    for width in widths_of(lines, room):
        drawn.add_column("", no_wrap=True, overflow="ellipsis", width=width)
    for line in lines:
        drawn.add_row(Text(""), *line)
    return drawn
