"""HTML to a page without a browser: the tree that a browser builds, without boxes.

The parser is lexbor (through selectolax): it agrees with Chromium's tree where others do not.
"""

from collections.abc import Iterable

from selectolax.lexbor import LexborHTMLParser

from sightline.collector import collector_off
from sightline.errors import LimitError
from sightline.net import Limits
from sightline.page import Page, Words, no_boxes, no_edges, no_ints, single_page_title
from sightline.sources.html._columns import walk
from sightline.sources.html._guard import MOST_ATTRIBUTES, MOST_OPTIONS, Flattener, fewer_attributes
from sightline.sources.html._tree import Tree, too_deep

__all__ = ["parse", "within_limits"]

# Text between tags costs no tag of its own, so a page has at most twice as many nodes as tags, and the closing tags
# about halve that again; four tags a node is more than any real page has.
TAGS_PER_NODE = 4
# This many nested elements, or options, take the parser one second; beyond that the guards have to check.
HARMLESS_TAGS = 15_000


def parse(
    text: str, *, url: str = "", limits: Limits | None = None, notes: Iterable[str] = (), scripting: bool = True
) -> Page:
    """The page of an HTML text; without `scripting`, the content of `noscript` is part of it.

    `notes` are those of its document, which say what is missing from it.

    >>> parse("<title>Hi</title><p>one<p>two", url="https://example.org/").title
    'Hi'
    """
    limits = limits or Limits()
    flags: list[str] = []
    gaps = list(notes)
    text = within_limits(text, url, limits, flags)
    parser = LexborHTMLParser(text, scripting=scripting)
    with collector_off():
        tree = walk(parser, scripting=scripting)
    if len(tree.parent) > limits.nodes:
        gaps.append(
            f"The page has {len(tree.parent):,} nodes; only {limits.nodes:,} were read; raise `nodes` to read all."
        )
        tree = tree.first(limits.nodes)
    shallow = tree.flattened(limits.depth)
    if shallow is not tree:
        flags.append(too_deep(limits.depth))
    return _page(shallow, url, tuple(dict.fromkeys((*gaps, *flags))), tuple(gaps))


def within_limits(text: str, url: str, limits: Limits, flags: list[str]) -> str:
    """Reject far too many tags; simplify what would take the parser minutes."""
    tags = text.count("<")
    if tags > TAGS_PER_NODE * limits.nodes:
        problem = f"has about {tags:,} tags, far more than {limits.nodes:,} nodes; raise the limit `nodes` to read it."
        raise LimitError(url or "the document", problem, limit="nodes")
    fewer = fewer_attributes(text)
    if len(fewer) < len(text):
        flags.append(f"A tag has more than {MOST_ATTRIBUTES:,} attributes; the rest of them was left out.")
    if tags <= HARMLESS_TAGS:
        return fewer
    simple = Flattener(limits.depth)
    flat = simple.read(fewer)
    if simple.too_deep:
        flags.append(too_deep(limits.depth))
    if simple.too_many_options:
        flags.append(f"A select element has more than {MOST_OPTIONS:,} options; only the text of the rest was read.")
    return flat


def _page(tree: Tree, url: str, notes: tuple[str, ...], gaps: tuple[str, ...]) -> Page:
    count = len(tree.parent)
    page = Page(
        strings=tree.strings,
        parent=tree.parent,
        end=tree.end,
        tag=tree.tag,
        text=tree.text,
        attributes=tree.attributes,
        box=no_boxes(count),
        style_of=no_ints(count),
        words=Words.empty(),
        edge=no_edges(count),
        url=url,
        title=single_page_title(tree.strings, tree.tag, tree.text),
        kind="static",
        notes=notes,
        gaps=gaps,
    )
    if tree.numbered:
        page.leave(tree.numbered)
    return page
