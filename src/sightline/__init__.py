"""Sightline turns what a person sees on a web page or in a PDF into verified, typed, traceable data.

>>> import sightline as sl
>>> page = sl.open(b"<h1>Prices</h1><p>Canon EOS 5D: 2,499", static=True)
>>> page.node(page.with_tag("h1")[0]).text
'Prices'
"""

from typing import TYPE_CHECKING

from sightline import errors
from sightline._api import lists, open, open_all, save, tables, top_list
from sightline._version import __version__
from sightline.page import Node, Page
from sightline.sources import BrowserSettings, Limits, Loaded, Manners

if TYPE_CHECKING:
    from sightline.extract.lists import ListSettings, TopSettings
    from sightline.extract.tables import TableSettings

__all__ = [
    "BrowserSettings",
    "Limits",
    "ListSettings",
    "Loaded",
    "Manners",
    "Node",
    "Page",
    "TableSettings",
    "TopSettings",
    "__version__",
    "errors",
    "lists",
    "open",
    "open_all",
    "save",
    "tables",
    "top_list",
]


def __getattr__(name: str) -> object:
    """Import an extractor's settings when they are asked for: whoever only opens pages need not wait for it."""
    if name == "TableSettings":
        from sightline.extract.tables import TableSettings

        return TableSettings
    if name in ("ListSettings", "TopSettings"):
        from sightline.extract import lists as extractor

        return getattr(extractor, name)
    raise AttributeError(f"module 'sightline' has no attribute {name!r}")
