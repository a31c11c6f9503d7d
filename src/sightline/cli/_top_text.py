"""Prints the list that a title promises: one line per item, or everything."""

import re
from collections.abc import Sequence

from rich.padding import Padding
from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import output
from sightline.cli._text import clean, print_drawn, print_rest
from sightline.data import Item, ItemList

__all__ = ["print_top"]

ROWS = 20
GAP = 2  # spaces between columns
WIDE = 110  # characters; wider terminals have room for links
LINK = 0.3  # of the width
TITLE = 0.5  # of the room left by the number and the link
TITLES = 3  # of a candidate; enough to recognise it
STRONGEST = 4  # parts of the evidence in a trace; the others hardly move the score
STRENGTHS = {3: "plainly", 2: "probably", 1: "hardly"}
_JOINTS = re.compile(r"^[\s:;,.·–—-]+")


def print_top(found: ItemList, title: str, *, everything: bool) -> None:
    """Print the title, how many of the promised items were found, and the items."""
    name = clean(found.caption or title)
    if name:
        output.print(Text(name, style="bold"))
    output.print(Text(f"{len(found):,} of {found.k:,} items · score {found.score:.2f}", style="dim"))
    if everything:
        for number, item in _numbered(found.items):
            _print_whole(number, item)
        return
    print_drawn(_drawn(_numbered(found.items)[:ROWS]))
    print_rest(len(found) - ROWS, "item")


def _numbered(items: Sequence[Item]) -> list[tuple[int, Item]]:
    """The items with their numbers on the page, or else counted."""
    return [(place if item.rank is None else item.rank, item) for place, item in enumerate(items, start=1)]


def _drawn(items: Sequence[tuple[int, Item]]) -> Drawn:
    """One line per item: number, title, the first words of the text, and the link if there is room."""
    rests = [" · ".join(rest_of(item)) for _, item in items]
    links = [clean(item.link.text) if item.link else "" for _, item in items]
    widths = _widths([number for number, _ in items], [item for _, item in items], rests, links)
    drawn = Drawn(box=None, show_header=False, pad_edge=False, padding=(0, GAP, 0, 0))
    for place, width in enumerate(widths):
        drawn.add_column("", no_wrap=True, overflow="ellipsis", width=width, justify="left" if place else "right")
    for (number, item), rest, link in zip(items, rests, links, strict=True):
        texts = (Text(str(number), "dim"), Text(clean(item.title.text), "bold"), Text(rest, "dim"), Text(link, "dim"))
        drawn.add_row(*texts[: len(widths)])
    return drawn


def _widths(numbers: Sequence[int], items: Sequence[Item], rests: Sequence[str], links: Sequence[str]) -> list[int]:
    """The widths of number, title, text and link, without trailing columns that are empty or do not fit."""
    first = max((len(str(number)) for number in numbers), default=1)
    link = int(output.width * LINK) if any(links) and output.width >= WIDE else 0
    room = output.width - first - GAP - (link + GAP if link else 0) - 1
    longest = max((Text(clean(item.title.text)).cell_len for item in items), default=1)
    if not any(rests):
        title = max(min(longest, room), 1)
        return [first, title, *([0, link] if link else [])]
    title = max(min(longest, int(room * TITLE)), 1)
    return [first, title, max(room - title - GAP, 1), *([link] if link else [])]


def _print_whole(number: int, item: Item) -> None:
    """Print a whole item: its title, its text line by line, its link."""
    indent = len(str(number)) + GAP
    output.print(Text.assemble((f"{number}{' ' * GAP}", "dim"), (clean(item.title.text), "bold")))
    for line in rest_of(item):
        # A terminal would break long lines at its edge; a program that reads them needs them whole.
        drawn = Padding(Text(line, style="dim"), (0, 0, 0, indent), expand=False)
        output.print(drawn if output.is_terminal else Text(" " * indent + line), soft_wrap=not output.is_terminal)
    if item.link:
        output.print(Text(" " * indent + clean(item.link.text), style="dim"))


def rest_of(item: Item) -> list[str]:
    r"""The lines of an item without its number and title, which are printed separately.

    >>> from sightline.data import Value
    >>> rest_of(Item(Value("Rigel"), Value("2. Rigel: blue\nIn Orion")))
    ['blue', 'In Orion']
    """
    title = clean(item.title.text)
    lines = [line for line in map(clean, item.text.text.splitlines()) if line]
    place = next((place for place, line in enumerate(lines) if title in line), None)
    if place is None:
        return lines
    ahead, _, behind = lines[place].partition(title)
    before = [line for line in (*lines[:place], ahead.rstrip()) if any(letter.isalpha() for letter in line)]
    return [*before, *filter(None, [_JOINTS.sub("", behind)]), *lines[place + 1 :]]
