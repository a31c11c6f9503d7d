"""Sightline turns what a person sees on a web page or in a PDF into verified, typed, traceable data.

>>> import sightline as sl
>>> page = sl.open(b"<h1>Prices</h1><p>Canon EOS 5D: 2,499", static=True)
>>> page.node(page.with_tag("h1")[0]).text
'Prices'
"""

from importlib import import_module
from typing import TYPE_CHECKING

from sightline import errors
from sightline._api import induce, lists, open, open_all, save, tables, teach, top_list
from sightline._version import __version__
from sightline.page import Node, Page
from sightline.sources import BrowserSettings, Limits, Loaded, Manners

if TYPE_CHECKING:
    from sightline.extract.lists import ListSettings, TopSettings
    from sightline.extract.schemas import InduceSettings
    from sightline.extract.tables import TableSettings
    from sightline.extract.wrappers import Lesson, TeachSettings, Wrapper

__all__ = [
    "BrowserSettings",
    "InduceSettings",
    "Lesson",
    "Limits",
    "ListSettings",
    "Loaded",
    "Manners",
    "Node",
    "Page",
    "TableSettings",
    "TeachSettings",
    "TopSettings",
    "Wrapper",
    "__version__",
    "errors",
    "induce",
    "lists",
    "open",
    "open_all",
    "save",
    "tables",
    "teach",
    "top_list",
]


_HOMES = {
    "InduceSettings": "schemas",
    "Lesson": "wrappers",
    "ListSettings": "lists",
    "TableSettings": "tables",
    "TeachSettings": "wrappers",
    "TopSettings": "lists",
    "Wrapper": "wrappers",
}


def __getattr__(name: str) -> object:
    """Import what belongs to an extractor when it is asked for: whoever only opens pages need not wait for it."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sightline' has no attribute {name!r}")
    return getattr(import_module(f"sightline.extract.{_HOMES[name]}"), name)
