"""Pages to bytes and back."""

from sightline.page._codec import MAX_BYTES, dumps, loads_fields
from sightline.page._page import Page

__all__ = ["dumps", "loads"]


def loads(content: bytes, *, name: str = "the data", max_bytes: int = MAX_BYTES) -> Page:
    """The page in the bytes of a `.page` file; `name` is what errors call it.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one", "two"])
    >>> loads(dumps(page)).id == page.id
    True
    """
    return Page(**loads_fields(content, name=name, max_bytes=max_bytes))
