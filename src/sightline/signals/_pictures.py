"""The pictures of a page that have an address."""

from sightline.arrays import IntArray
from sightline.page import Page

__all__ = ["PICTURE_SOURCES", "pictures_of"]

# Pages that load their pictures lazily keep the address in another attribute.
PICTURE_SOURCES = ("data-src", "data-lazy-src", "data-original", "src")


def pictures_of(page: Page) -> tuple[IntArray, list[str]]:
    """The visible pictures with an address, and these as the page writes them.

    >>> from sightline.testing import element, page_of
    >>> icon, bee = element("img", src="data:image/gif;base64,R0"), element("img", data_src="bee.png", src="0.gif")
    >>> pictures_of(page_of(element("body", icon, bee), kind="static"))[1]
    ['bee.png']
    """
    nodes = page.with_tag("img")
    nodes = nodes[page.visible[nodes]]
    columns = [page.attribute(name)[nodes].tolist() for name in PICTURE_SOURCES]
    written = [_first_address(page, numbers) for numbers in zip(*columns, strict=True)]
    kept = [place for place, address in enumerate(written) if address]
    return nodes[kept], [written[place] for place in kept]


def _first_address(page: Page, numbers: tuple[int, ...]) -> str:
    said = (page.strings[number].strip() for number in numbers if number >= 0)
    return next((address for address in said if address and not address.startswith("data:")), "")
