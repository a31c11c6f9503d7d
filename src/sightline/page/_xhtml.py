"""A page as clean XHTML: its text and structure, without its looks.

Well-formed, so that any XML tool can read it; without scripts, styles, pictures, comments and internal marks. For a
PDF, this is the document that people would have preferred in the first place.
"""

import re
from html import escape

import numpy as np

from sightline.page._page_columns import PageColumns

__all__ = ["of"]

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


def of(page: PageColumns) -> str:
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
