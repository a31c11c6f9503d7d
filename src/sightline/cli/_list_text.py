"""Lists for people: the name of each, and the first of its records with their parts side by side."""

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
    """Each list with its number, name and size, and its records; of a menu only what it leads to."""
    cut = False
    for number, one in enumerate(lists, start=1):
        if number > 1:
            output.print()
        output.print(_heading(number, one))
        cut |= _print_menu(one, everything) if one.kind == "navigation" else _print_records(one, everything)
    if cut:
        remark("This is the beginning of each list; --all shows all rows and columns.")


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
    columns = one.columns if everything else _telling(one.columns)
    if len(columns) < 2:
        return _print_texts([clean(item.text.text) for item in one], everything)
    fitting = print_rows(columns, None if everything else ROWS)
    return (not everything and len(one) > ROWS) or fitting < len(one.columns)


def _telling(columns: Sequence[Column]) -> list[Column]:
    """The columns that tell people something: what the records are called before the rest, links if nothing is cut."""
    shown = [one for one in columns if any(one.texts[:ROWS])]
    kept = sorted((one for one in shown if one.name not in ADDRESSES), key=lambda one: one.name not in NAMES)
    links = [one for one in shown if one.name == "link"]
    widths = widths_of(lines_of(kept + links, ROWS), None)
    has_room = len(kept) > 1 and sum(widths) + GAP * len(widths) < output.width - len(INDENT) + GAP
    return kept + links if has_room else kept


def _print_texts(texts: Sequence[str], everything: bool) -> bool:  # noqa: FBT001 - handed on
    """Records of one text, which need no name: in one line if they are short; whether anything was left out."""
    line = Text(INDENT + " · ".join(texts))
    if line.cell_len <= output.width:
        return _print_line(line, everything)
    shown = texts if everything else texts[:ROWS]
    shortened = [_print_line(Text(INDENT + text), everything) for text in shown]
    return any(shortened) or len(shown) < len(texts)


def _print_line(line: Text, everything: bool) -> bool:  # noqa: FBT001 - handed on
    """One line, cut at the width of the terminal unless everything is asked for; whether it was."""
    cut = not everything and line.cell_len > output.width
    if cut:
        line.truncate(output.width, overflow="ellipsis")
    output.print(line)
    return cut
