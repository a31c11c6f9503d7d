"""The pictures of a page that have an address."""

from sightline.page import ABSENT, Page

__all__ = ["PICTURE_SOURCES", "picture_address"]

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
