"""Markdown of main texts beside trafilatura's: which tables, items, code, links and headings of ten pages are kept.

Run it as `python -m bench.content.markdown [FILE …]`. The reference is the page itself: what its tags say around the
main text that Sightline keeps. An element counts as kept if a reader of CommonMark finds one of its kind with the same
letters and digits, in a table with as many rows and columns as well.
"""

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from rich.console import Console
from rich.table import Table

import sightline as sl
from bench.frame import Options, folder_of
from sightline.arrays import BoolArray, prefix_sum
from sightline.page import Page, nearest

# Real pages with tables, lists and code: handbooks, encyclopaedic articles, references, recipes.
PAGES: Mapping[str, Sequence[str]] = {
    "content2": [f"dev-{number}.html" for number in ("0666", "0683", "2534", "2684", "2855", "2879", "4677")],
    "tables": [
        f"debian_docs/{name}/index.html"
        for name in (
            "installation-guide-amd64_ch03s03_0196",
            "maint-guide_advanced.en_e8da",
            "python-epr-doc_usermanual_5d7d",
        )
    ],
}
KINDS = ("tables", "items", "code", "links", "headings")
HEADINGS = tuple(f"h{level}" for level in range(1, 7))
LETTERS = re.compile(r"[\W_]+")
READER = MarkdownIt("commonmark").enable("table")

# The letters of each element, by kind; those of a table begin with its rows and columns.
Elements = Mapping[str, Counter[str]]


def letters_of(text: str) -> str:
    """The letters and digits of a text, by which elements are compared.

    >>> letters_of("One, *two*")
    'onetwo'
    """
    return LETTERS.sub("", unicodedata.normalize("NFKC", text)).casefold()


# ---------------------------------------------------------------- what the page has


@dataclass(frozen=True)
class KeptText:
    """The text nodes of a page that belong to its main text."""

    page: Page
    kept: BoolArray

    def text(self, node: int, without: Sequence[int] = ()) -> str:
        """The kept letters below a node, without those below some others."""
        inside = np.arange(node, int(self.page.end[node]))
        inside = inside[self.kept[inside]]
        for other in without:
            inside = inside[(inside < other) | (inside >= self.page.end[other])]
        return letters_of("".join(self.page.strings[text] for text in self.page.text[inside].tolist()))

    def holding(self, *tags: str) -> list[int]:
        """The elements of these tags with any kept text."""
        total = prefix_sum(self.kept)
        return [node for node in self.page.with_tag(*tags).tolist() if total[self.page.end[node]] > total[node]]


def elements_of(page: Page, nodes: Sequence[int]) -> Elements:
    """The elements of a page around some text nodes, by its tags alone."""
    kept = np.zeros(len(page), dtype=bool)
    kept[list(nodes)] = True
    text = KeptText(page, kept)
    code = text.holding("pre")
    return {
        "tables": Counter(_tables_of(text)),
        "items": Counter(_items_of(text)),
        "code": Counter(text.text(node) for node in code),
        "links": Counter(_links_of(text, code)),
        "headings": Counter(text.text(node) for node in text.holding(*HEADINGS)),
    }


def _tables_of(text: KeptText) -> Iterator[str]:
    """Tables of at least two rows and columns with nothing but text in them: no other table, no heading, no code."""
    page = text.page
    others = prefix_sum(page.mask("table", "pre", *HEADINGS))
    table_of = nearest(page.parent, page.mask("table"))
    for table in text.holding("table"):
        if others[page.end[table]] - others[table] > 1:
            continue
        rows = [row for row in text.holding("tr") if table_of[row] == table]
        cells = [[cell.number for cell in page.node(row).children if cell.tag in ("td", "th")] for row in rows]
        filled = [sum(bool(text.text(cell)) for cell in row) for row in cells]
        columns = max((_width(page, row) for row in cells), default=0)
        if len(rows) > 1 and max(filled) > 1:
            captions = [node for node in text.holding("caption") if table_of[node] == table]
            yield f"{len(rows)}x{columns} {text.text(table, captions)}"


def _width(page: Page, row: Sequence[int]) -> int:
    """The columns of a row, counting what its cells span."""
    spans = (page.node(cell).attributes.get("colspan", "1") for cell in row)
    return sum(int(span) if span.isdigit() else 1 for span in spans)


def _items_of(text: KeptText) -> Iterator[str]:
    """The own text of each item outside of tables, whose cells hold no lists, without the lists inside of it."""
    tables = text.page.with_tag("table")
    for item in text.holding("li"):
        if ((tables < item) & (text.page.end[tables] > item)).any():
            continue
        inner = [node for node in text.holding("ul", "ol") if item < node < text.page.end[item]]
        own = text.text(item, inner)
        yield from [own] if own else []


def _links_of(text: KeptText, code: Sequence[int]) -> Iterator[str]:
    """The text of each link that leads somewhere, outside of code, where Markdown has none."""
    page = text.page
    for link in text.holding("a"):
        address = page.node(link).attributes.get("href", "").strip()
        if address and not address.startswith("javascript:") and not any(pre < link < page.end[pre] for pre in code):
            own = text.text(link)
            yield from [own] if own else []


# ---------------------------------------------------------------- what Markdown has


def elements_in(markdown: str) -> Elements:
    r"""The elements of a Markdown text, as a reader of CommonMark with GitHub's tables sees them.

    >>> elements_in("# One\n\n- [two](x.html)")["items"]
    Counter({'two': 1})
    """
    found = list(SyntaxTreeNode(READER.parse(markdown)).walk())
    lists = ("bullet_list", "ordered_list")
    return {
        "tables": Counter(_written_table(node) for node in found if node.type == "table"),
        "items": Counter(filter(None, (_words(node, lists) for node in found if node.type == "list_item"))),
        "code": Counter(letters_of(node.content) for node in found if node.type in ("fence", "code_block")),
        "links": Counter(filter(None, (_words(node) for node in found if node.type == "link"))),
        "headings": Counter(_words(node) for node in found if node.type == "heading"),
    }


def _written_table(table: SyntaxTreeNode) -> str:
    rows = [[_words(cell) for cell in row.children] for row in table.walk() if row.type == "tr"]
    filled = [row for row in rows if any(row)]
    return f"{len(filled)}x{max(map(len, rows))} {''.join(''.join(row) for row in filled)}"


def _words(node: SyntaxTreeNode, without: Sequence[str] = ()) -> str:
    """The letters below a node of Markdown, without those below nodes of some kinds."""
    if node.type in ("text", "code_inline", "fence", "code_block"):
        return letters_of(node.content)
    return "".join(_words(child, without) for child in node.children if child.type not in without)


# ---------------------------------------------------------------- the comparison


@dataclass(frozen=True)
class Comparison:
    """What a page has, what each way of writing it kept, and what the peer could have kept of the text it chose."""

    name: str
    wanted: Elements
    ours: Elements
    theirs: Elements
    their_letters: str

    def shown(self, kind: str) -> tuple[int, int, int, int]:
        """How many there are of a kind, how many we kept, the peer kept, and how many are in the text that it chose."""
        wanted = self.wanted[kind]
        chosen = sum(count for text, count in wanted.items() if _body(kind, text) in self.their_letters)
        return wanted.total(), (wanted & self.ours[kind]).total(), (wanted & self.theirs[kind]).total(), chosen


def _body(kind: str, text: str) -> str:
    return text.partition(" ")[2] if kind == "tables" else text


def compared(path: Path) -> Comparison:
    """A page, its Markdown and the peer's."""
    page = sl.open(path, static=True)
    found = sl.content(page)
    theirs = _their_markdown(path)
    their_letters = _words(SyntaxTreeNode(READER.parse(theirs)))
    return Comparison(
        path.parent.name if path.stem == "index" else path.stem,
        elements_of(page, found.nodes),
        elements_in(found.to_markdown()),
        elements_in(theirs),
        their_letters,
    )


def _their_markdown(path: Path) -> str:
    extract = import_module("trafilatura").extract
    marks = {"include_tables": True, "include_links": True, "include_formatting": True}
    return extract(path.read_bytes(), output_format="markdown", **marks) or ""


def view(comparisons: Sequence[Comparison]) -> Table:
    """A row for each page: of every kind how many there are, how many we kept, and the peer."""
    table = Table("page", *KINDS, title="on the page: kept by Sightline, by trafilatura")
    for one in comparisons:
        table.add_row(one.name, *("{}: {}, {}".format(*one.shown(kind)) for kind in KINDS))
    sums = {kind: np.array([one.shown(kind) for one in comparisons]).sum(axis=0).tolist() for kind in KINDS}
    table.add_section()
    table.add_row("all", *("{}: {}, {}".format(*sums[kind]) for kind in KINDS))
    table.add_row("in the text that trafilatura chose", *(f"{sums[kind][3]}" for kind in KINDS))
    return table


def main(files: Sequence[str]) -> None:
    """Print the comparison on some files, or else on the ten pages."""
    paths = [Path(file) for file in files]
    if not paths:
        paths = [folder_of(name, Options()) / "pages" / file for name, chosen in PAGES.items() for file in chosen]
    Console(width=None if sys.stdout.isatty() else 140).print(view([compared(path) for path in paths]))


if __name__ == "__main__":
    main(sys.argv[1:])
