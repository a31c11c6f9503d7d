"""Other people's main-text extractors, applied to the rendered page: each an extra, imported when needed.

They read HTML, so they get that of the page; `located` leads from their text back to its nodes.
"""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType

from sightline.errors import MissingExtra
from sightline.page import Page

__all__ = ["LIBRARIES"]

# Elements that end a line in the text that readability-lxml keeps.
LINES = frozenset(
    (
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "br",
            "caption",
            "dd",
            "div",
            "dt",
            "figcaption",
            "figure",
            "footer",
        ),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "td"),
        *("th", "tr", "ul"),
    )
)
# lxml rejects text with these characters.
UNWRITABLE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# The best of boilerpy3's extractors on the set `content`, with F1 0.73; ArticleExtractor has 0.69, its default 0.71.
BOILERPY = "CanolaExtractor"


def trafilatura(page: Page) -> str:
    """The main text by trafilatura; without comments, which is better on the set `content` (F1 0.80, not 0.79)."""
    text: str | None = _module("trafilatura", "trafilatura").extract(_html(page), include_comments=False)
    return text or ""


def readability(page: Page) -> str:
    """The main text by readability-lxml: the text of the part that it keeps."""
    library = _module("readability.readability", "readability")
    try:
        summary: str = library.Document(_html(page)).summary(html_partial=True)
    except library.Unparseable:  # a page without any text
        return ""
    return _lines(summary)


def boilerpy3(page: Page) -> str:
    """The main text by boilerpy3."""
    extractors = _module("boilerpy3.extractors", "boilerpy3")
    text: str = getattr(extractors, BOILERPY)(raise_on_failure=False).get_content(_html(page))
    return text


def _module(name: str, extra: str) -> ModuleType:
    try:
        return import_module(name)
    except ImportError as problem:
        raise MissingExtra(extra, f"Main text by {extra}") from problem


def _html(page: Page) -> str:
    return UNWRITABLE.sub(" ", page.to_html())


def _lines(html: str) -> str:
    """The text of some HTML, a line for every block."""
    lxml = import_module("lxml.html")
    parts = []
    for event, element in lxml.etree.iterwalk(lxml.document_fromstring(f"<div>{html}</div>"), events=("start", "end")):
        parts.append("\n" if element.tag in LINES else "")
        parts.append((element.text if event == "start" else element.tail) or "")
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(filter(None, lines))


LIBRARIES: Mapping[str, Callable[[Page], str]] = {
    "trafilatura": trafilatura,
    "readability": readability,
    "boilerpy3": boilerpy3,
}
