"""What pages say about themselves, in JSON-LD, in meta elements and in their title."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from sightline.page import ABSENT, Page
from sightline.page.own_data import published_json_ld

# A run of blanks is tried from its first, or from where the mark before it ended, and not from each of its blanks.
TITLE_MARKS = re.compile(r"(?:(?<!\s)|(?<=[:|]\s))\s++[|–—·»:-]\s+|:\s|\s\|\s?")
MADE = frozenset(["@type", "@id", "@context", "url", "image", "logo", "sameAs", "inLanguage"])


def published_data(page: Page) -> dict[str, list[str]]:
    """What a page says about itself, by name: its JSON-LD, its meta elements, and its title with the parts of it.

    >>> from sightline.testing import element, page_of
    >>> head = element("head", element("meta", name="author", content="Ada"))
    >>> published_data(page_of(head, kind="static", title="Bees | News"))
    {'author': ['Ada'], 'title': ['Bees | News', 'Bees', 'News']}
    """
    by_name: dict[str, list[str]] = defaultdict(list)
    for name, text in described_by(page):
        by_name[name].append(text)
    names, properties, contents = (page.attribute(name) for name in ("name", "property", "content"))
    for meta in page.with_tag("meta").tolist():
        number = max(int(names[meta]), int(properties[meta]))
        if number >= 0 and contents[meta] >= 0:
            by_name[page.strings[number]].append(page.strings[contents[meta]])
    if page.title:
        by_name["title"] += dict.fromkeys([page.title, *(part.strip() for part in TITLE_MARKS.split(page.title))])
    return dict(by_name)


def described_by(page: Page) -> Iterator[tuple[str, str]]:
    """What the JSON-LD of a page says, each text with its name."""
    for document in json_ld(page):
        yield from _pairs(document, "")


def json_ld(page: Page) -> Iterator[Any]:
    """The documents in the JSON-LD of a page, as `page.own_data` has them."""
    return (document.data for document in published_json_ld(page).documents)


def _pairs(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """Every name with a text; a thing's own name is listed under what the thing is to the page."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in MADE:
                inner_name = name if key in ("name", "@value", "@graph") and (name or key == "@graph") else str(key)
                yield from _pairs(inner, inner_name)
    elif isinstance(value, list):
        for inner in value:
            yield from _pairs(inner, name)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and name:
        yield name, str(value)


# -- the pictures of a page that have an address --------------------------------------------------------------------

# Pages that load their pictures lazily keep the address in another attribute.
PICTURE_SOURCES = ("data-src", "data-lazy-src", "data-original", "src")


def picture_address(page: Page, node: int) -> str:
    """The address of a picture as the page writes it; empty where it has none or nobody sees it.

    >>> from sightline.testing import element, page_of
    >>> icon, bee = element("img", src="data:image/gif;base64,R0"), element("img", data_src="bee.png", src="0.gif")
    >>> page = page_of(element("body", icon, bee), kind="static")
    >>> [picture_address(page, node) for node in page.with_tag("img").tolist()]
    ['', 'bee.png']
    """
    if not page.visible[node]:
        return ""
    numbers = (page.attribute_of(node, name) for name in PICTURE_SOURCES)
    said = (page.strings[number].strip() for number in numbers if number != ABSENT)
    return next((address for address in said if address and not address.startswith("data:")), "")
