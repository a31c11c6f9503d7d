"""`sightline lists` and `top`: every list on pages, or the promised one, as text, JSON, files or a picture."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rich.padding import Padding
from rich.table import Table as Drawn
from rich.text import Text

from sightline.cli._console import output, remark
from sightline.cli._files import ExportSettings, FindingFlags, Findings, check_suffix, prepare_image
from sightline.cli._flags import flag
from sightline.cli._sources import Reporter, SourceOpening, Sources
from sightline.cli._text import GAP, INDENT, clean, counted, lines_of, print_drawn, print_rest, print_rows, widths_of
from sightline.data import Column, Extraction, Item, ItemList
from sightline.errors import UsageError
from sightline.extract.lists import ListSettings, TopSettings
from sightline.jobs import XPaths, extractor
from sightline.page import Page


@dataclass(frozen=True, kw_only=True)
class ListsFlags(FindingFlags):
    """What is wanted of the lists."""

    containing: str | None = flag(None, help="only lists that contain this text", metavar="WORD")
    first: int | None = flag(None, help="only the best N lists of each page", minimum=1)


def lists_command(
    sources: Sources, flags: ListsFlags, finding: ListSettings, written: ExportSettings, loading: SourceOpening
) -> None:
    """Find every list on pages: anything that repeats, as records with named parts; most important first.

    Search results, products, articles and plain bullet lists all count; menus are marked as navigation.

    For the one list that a title promises ("7 Telescopes Worth a Detour"), use sightline top.

    [bold]Examples[/]

      sightline lists examples/cameras.html

      sightline lists "pages/*.html" --first 1 -o records.csv

      sightline lists saved.page --containing Canon --json --origins

      sightline lists https://example.org --no-navigation --image lists.png --trace
    """
    loading = _prepared(flags, sources, loading)
    options = {"containing": flags.containing, "first": flags.first, "settings": finding, "traced": True}
    find = extractor("lists")
    reporter, findings = Reporter("lists", json=flags.json), Findings[ItemList](flags, written, XPaths())
    with reporter:
        for name, page, found in reporter.over(sources, loading, lambda page, _: find(page, **options)):
            if not len(found):
                remark(f"no list found; {_advice(page, found, flags)}.", source=name)
            some = _taken(reporter, findings, name, page, found)
            if findings.are_printed(name, found, some):
                print_lists(some, everything=flags.everything)
    findings.write("list", "--first 1 writes only the best")
    reporter.finish()


def _prepared(flags: FindingFlags, sources: list[str], loading: SourceOpening) -> SourceOpening:
    """How pages are opened; what cannot be written or drawn is rejected before."""
    if flags.out:
        check_suffix(flags.out, folder=True)
    return prepare_image(flags.image, sources, loading)


def _taken(
    reporter: Reporter, findings: Findings[ItemList], name: str, page: Page, found: Extraction
) -> list[ItemList]:
    """The lists of a page, kept and reported."""
    some = [result for result in found if isinstance(result, ItemList)]
    findings.take(name, page, found, some)
    flags = findings.flags
    reporter.add(name, found.to_json(origins=flags.origins, xpath=findings.xpaths, evidence=flags.trace))
    return some


def _advice(page: Page, found: Extraction, flags: ListsFlags) -> str:
    """What to try next, the most likely first."""
    rows = found.trace.steps()[-1].rows if found.trace else ()
    decisions = {row["decision"] for row in rows}
    if flags.containing and decisions & {"list", "navigation"}:
        return "leave out --containing"
    if page.kind == "static":
        return "its layout is unknown, so use a browser (leave out --static)"
    if not decisions:
        return "nothing on the page repeats; see what it contains with `sightline show`"
    if decisions == {"menu left out"}:
        return "the page has only menus, so leave out --no-navigation"
    return "try a lower --least-score" + ("" if flags.trace else ", or see every candidate with --trace")


# Prints lists: the name of each, and its first records with their parts side by side.

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
    facts = [counted(len(found), "record"), f"score {found.score:.2f}"]
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


# `sightline top`: the list that a page's title promises, as text, JSON, files or a picture.

FEWEST = 2
OTHERWISE = "or see every list with `sightline lists`"


@dataclass(frozen=True, kw_only=True)
class TopFlags(FindingFlags):
    """What is wanted of the list."""

    items: int | None = flag(
        None, help="look for N items (2 or more), whatever the title says", names="--items -k", metavar="N"
    )


def top_command(
    sources: Sources, flags: TopFlags, finding: TopSettings, written: ExportSettings, loading: SourceOpening
) -> None:
    """Find the list that a page's title promises: seven items under “7 Telescopes Worth a Detour”.

    The number is read from the titles of the page; if they have none, give it with -k.

    Each item has its title and full text, plus its number, picture and link if present.

    [bold]Examples[/]

      sightline top examples/telescopes.html

      sightline top https://example.org/stars -k 25

      sightline top "pages/*.html" -o items.xlsx

      sightline top saved.page --image top.png --trace
    """
    loading = _prepared(flags, sources, loading)
    _check_number(flags.items)
    options = {"k": flags.items, "settings": finding, "traced": True}
    find = extractor("top")
    reporter, findings = Reporter("list", json=flags.json), Findings[ItemList](flags, written, XPaths())
    with reporter:
        for name, page, found in reporter.over(sources, loading, lambda page, _: find(page, **options)):
            if not len(found):
                remark(f"{_advice_on_promise(found, flags.items, traced=flags.trace)}.", source=name)
            some = _taken(reporter, findings, name, page, found)
            for result in some if findings.are_printed(name, found, some) else ():
                print_top(result, page.title, everything=flags.everything)
    findings.write("list")
    reporter.finish()


def _check_number(k: int | None) -> None:
    """Reject a number that the search would reject on every page, before any is opened."""
    if k is not None and k < FEWEST:
        raise UsageError(f"-k {k}: a list has at least {FEWEST} items; give the number of items to look for.")


def _advice_on_promise(found: Extraction, k: int | None, *, traced: bool) -> str:
    """Why there is no list, and what to try next, the most likely first."""
    promises = found.trace.steps()[0].rows if found.trace else ()
    look = "" if traced else "see every candidate with --trace, "
    if not promises:
        return f"no title promises a number of items; give the number with -k N, {OTHERWISE}"
    if k is not None:
        return f"no list of {k} items found; try another -k, {look}{OTHERWISE}"
    numbers = " or ".join(dict.fromkeys(str(promise["k"]) for promise in promises))
    title = clean(promises[0]["title"])
    return f"no list of {numbers} items found for “{title}”; try another number with -k, {look}{OTHERWISE}"


# Prints the list that a title promises: one line per item, or everything.

ITEMS_SHOWN = 20
WIDE = 110  # characters; wider terminals have room for links
LINK = 0.3  # of the width
TITLE = 0.5  # of the room left by the number and the link
TITLES = 3  # of a candidate; enough to recognise it
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
    print_drawn(_drawn(_numbered(found.items)[:ITEMS_SHOWN]))
    print_rest(len(found) - ITEMS_SHOWN, "item")


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
