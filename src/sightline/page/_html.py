"""Writes a page as HTML again, so that any HTML reader can read what was rendered.

Shadow trees and the documents of frames stand where they are shown; a frame is written as `<div>`, and so are `html`
and `body` inside of it, as HTML has no other place for them. A page knows no comments and no doctype: it is written as
one of the HTML of today, with an empty comment between texts that would run together.

Read again, a page of the static parser gives the same tags, attributes and texts, but for trees that no HTML leads to
from the outside: a table in a paragraph (as old pages without a doctype have it), links or forms in each other, what
stands beside the rows of a table, and elements in `noscript` where it was read without scripts.
"""

import re
from collections.abc import Iterator
from html import escape

import numpy as np

from sightline.arrays import BoolArray
from sightline.page._columns import INNER, below
from sightline.page._page_columns import PageColumns
from sightline.page._xpath import FOREIGN_ROOTS, HTML_ISLANDS

VOID = frozenset(
    (
        *("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen"),
        *("link", "meta", "param", "source", "track", "wbr"),
    )
)
RAW = ("script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext")
# The parser drops the first line break of these.
LINE_DROPPED = frozenset(("pre", "listing", "textarea"))
FRAMES = ("iframe", "frame", "frameset")
WRITABLE = re.compile(r"[^\s/>=\0]+")  # what a parser takes for one name


def html_of(page: PageColumns, number: int) -> str:
    """The node and all below it."""
    doctype = "<!DOCTYPE html>" if page.strings[page.tag[number]] == "html" else ""
    return doctype + "".join(HtmlWriter(page).pieces(number))


class HtmlWriter:
    """Writes nodes of one page."""

    def __init__(self, page: PageColumns) -> None:
        self.page = page
        self.foreign = _foreign(page)
        self.raw = _under(page, RAW) & ~self.foreign
        self.names = _names(page)

    def pieces(self, number: int) -> Iterator[str]:
        """The tags and texts of a subtree in their order."""
        open: list[tuple[int, str]] = []  # where each element ends, and its closing tag
        texts = self.page.text.tolist()
        ends = self.page.end.tolist()
        after_text = False
        for node in range(number, ends[number]):
            while open and open[-1][0] <= node:
                yield open.pop()[1]
                after_text = False
            if texts[node] >= 0:
                yield "<!---->" if after_text else ""
                yield self._text(node)
                after_text = True
            elif name := self.names[node]:
                yield f"<{name}{self._attributes(node)}>"
                after_text = False
                if name not in VOID or self.foreign[node]:
                    open.append((ends[node], f"</{name}>"))
        yield from (closing for _, closing in reversed(open))

    def _text(self, node: int) -> str:
        text: str = self.page.strings[self.page.text[node]]
        if self.raw[node]:
            return text
        above = int(self.page.parent[node])
        line = above == node - 1 and text.startswith("\n") and self.names[above] in LINE_DROPPED
        return ("\n" if line else "") + _escaped(text)

    def _attributes(self, node: int) -> str:
        rows = slice(self.page.attributes.start[node], self.page.attributes.start[node + 1])
        names, values = self.page.attributes.name[rows].tolist(), self.page.attributes.value[rows].tolist()
        return "".join(map(self._attribute, names, values))

    def _attribute(self, name: int, value: int) -> str:
        written = self.page.strings[name]
        if not WRITABLE.fullmatch(written):
            return ""
        return f' {written}="{_escaped(self.page.strings[value])}"' if value >= 0 else f" {written}"


def _escaped(text: str) -> str:
    """For texts and attributes alike; a bare carriage return would be read as a line break."""
    return escape(text).replace("\r", "&#13;")


def _names(page: PageColumns) -> list[str]:
    """How each element is called; nothing for those that are not written, though what is in them is."""
    names = [page.strings[tag] for tag in page.tag.tolist()]
    inner = np.flatnonzero(page.edge == INNER).tolist()
    framed = {int(page.parent[node]) for node in inner} & set(page.with_tag(*FRAMES).tolist())
    if not framed:
        return names
    inside = np.zeros(len(page), dtype=bool)
    inside[list(framed)] = True
    for node in np.flatnonzero(below(inside, page.end)).tolist():
        names[node] = {"html": "div", "body": "div", "head": ""}.get(names[node], names[node])
    for node in (*framed, *page.with_tag("frameset").tolist()):
        names[node] = "div"
    return names


def _under(page: PageColumns, tags: tuple[str, ...]) -> BoolArray:
    """The text nodes directly in one of these elements."""
    marked = np.zeros(len(page) + 1, dtype=bool)  # the last row stands for what is above the root
    marked[page.with_tag(*tags)] = True
    under: BoolArray = marked[page.parent] & page.is_text
    return under


def _foreign(page: PageColumns) -> BoolArray:
    """What is SVG or MathML, where all names are plain ones."""
    roots, islands = (np.zeros(len(page), dtype=bool) for _ in range(2))
    roots[page.with_tag(*FOREIGN_ROOTS)] = True
    inside = below(roots, page.end)
    islands[page.with_tag(*HTML_ISLANDS)] = True
    islands &= inside
    starts = np.flatnonzero(islands)
    kept = below(islands, page.end)
    kept[starts] = False  # the island itself is foreign still
    return inside & ~kept


# -- A page as clean XHTML: its text and structure, without its looks -----------------------------------------------
# Well-formed, so that any XML tool can read it; without scripts, styles, pictures, comments and internal marks. For a
# PDF, this is the document that people would have preferred in the first place.

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml"{language}>\n'
)
LEFT_OUT = (
    "head",
    "script",
    "style",
    "template",
    "noscript",
    "iframe",
    "object",
    "svg",
    "canvas",
    "meta",
    "link",
    "img",
)
KEPT = ("id", "class", "href", "role", "colspan", "rowspan", "lang", "title", "scope", "headers", "alt", "datetime")
OWN_LINE = frozenset(
    (
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "caption",
            "dd",
            "div",
            "dl",
            "dt",
            "figcaption",
            "figure",
        ),
        *("footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "main", "nav", "ol", "p", "pre", "section"),
        *("table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
    )
)
EMPTY = frozenset(("br", "hr", "wbr", "col"))
NAME = re.compile(r"[a-z][a-z0-9-]*")
# What XML cannot hold, whatever it is written as.
IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
SOFT_HYPHEN = "\u00ad"
BLANKS = {ord("\n"): "&#10;", ord("\r"): "&#13;", ord("\t"): "&#9;"}


def xhtml_of(page: PageColumns) -> str:
    """The whole page."""
    body = page.with_tag("body")
    start = int(body[0]) if len(body) else 0
    language = f" lang={_quoted(page.language)}" if page.language else ""
    pieces = [HEAD.format(language=language), f"<head><title>{_text(page.title)}</title></head>\n"]
    pieces += _written(page, start)
    return "".join([*pieces, "\n</html>\n"])


def _written(page: PageColumns, start: int) -> list[str]:
    hidden = np.zeros(len(page), dtype=bool)
    for node in page.with_tag(*LEFT_OUT).tolist():
        hidden[node : page.end[node]] = True
    texts, tags, ends = page.text.tolist(), page.tag.tolist(), page.end.tolist()
    first, names, values = page.attributes.start.tolist(), page.attributes.name.tolist(), page.attributes.value.tolist()
    pieces: list[str] = []
    open: list[tuple[int, str]] = []
    for node in range(start, ends[start]):
        while open and open[-1][0] <= node:
            pieces.append(open.pop()[1])
        if hidden[node]:
            continue
        if texts[node] >= 0:
            pieces.append(_text(page.strings[texts[node]]))
            continue
        name = page.strings[tags[node]]
        if not NAME.fullmatch(name):
            continue
        told = {page.strings[names[row]]: page.strings[values[row]] for row in range(first[node], first[node + 1])}
        attributes = "".join(f" {key}={_quoted(_plain(told[key]))}" for key in KEPT if key in told)
        line = "\n" if name in OWN_LINE else ""
        if name in EMPTY:
            pieces.append(f"{line}<{name}{attributes} />")
            continue
        pieces.append(f"{line}<{name}{attributes}>")
        open.append((ends[node], f"</{name}>"))
    pieces += [closing for _, closing in reversed(open)]
    return pieces


def _plain(text: str) -> str:
    return IMPOSSIBLE.sub("\ufffd", text)


def _text(text: str) -> str:
    return escape(_plain(text).replace(SOFT_HYPHEN, ""), quote=False)


def _quoted(text: str) -> str:
    """An attribute's value; blanks other than spaces are written out, since XML readers turn them into spaces."""
    return f'"{escape(text).translate(BLANKS)}"'
