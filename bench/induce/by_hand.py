"""What people write instead: eight fields by CSS selectors, with parsel or selectolax, from bytes to a dict."""

from collections.abc import Callable, Mapping
from itertools import islice

from parsel import Selector
from selectolax.lexbor import LexborHTMLParser

from sightline.data import Records, Value
from sightline.page import Node, Page

FIELDS = 8

Spider = Callable[[bytes, Mapping[str, str]], dict[str, str | None]]


def selectors_of(page: Page, records: Records) -> dict[str, str]:
    """A selector for each of the first eight values of a page, as people write them: by ids, classes and tags."""
    found = {
        name: _selector(page.node(value.origin.nodes[0]))
        for record in records
        for name, value in record.items()
        if isinstance(value, Value) and value.origin is not None
    }
    return dict(islice(found.items(), FIELDS))


def by_parsel(content: bytes, selectors: Mapping[str, str]) -> dict[str, str | None]:
    """The fields as a Scrapy spider reads them."""
    page = Selector(body=content, encoding="utf-8")
    return {name: page.css(f"{css}::text").get() for name, css in selectors.items()}


def by_selectolax(content: bytes, selectors: Mapping[str, str]) -> dict[str, str | None]:
    """The fields as the fastest parser of Python reads them."""
    page = LexborHTMLParser(content)
    return {name: node.text() if (node := page.css_first(css)) else None for name, css in selectors.items()}


def _selector(node: Node) -> str:
    """The element of a text: by its id, or its class within the element around it."""
    own = node.parent if node.tag == "#text" and node.parent else node
    if _is_plain(own.attributes.get("id", "")):
        return f"#{own.attributes['id']}"
    around = f"{_step(own.parent)} " if own.parent is not None else ""
    return around + _step(own)


def _step(node: Node) -> str:
    classes = node.attributes.get("class", "").split()
    return node.tag + "".join(f".{name}" for name in classes[:1] if _is_plain(name))


def _is_plain(name: str) -> bool:
    """Whether a name can stand in a selector as it is."""
    return name.replace("-", "a").replace("_", "a").isalnum() and name.isascii() and name[:1].isalpha()
