"""Sightline turns what a person sees on a web page or in a PDF into verified, typed, traceable data.

>>> import sightline as sl
>>> page = sl.open(b"<h1>Prices</h1><p>Canon EOS 5D: 2,499", static=True)
>>> page.node(page.with_tag("h1")[0]).text
'Prices'
"""

from importlib import import_module
from typing import TYPE_CHECKING

from sightline import errors
from sightline._api import check, content, induce, lists, open, open_all, save, tables, teach, top_list
from sightline._version import __version__
from sightline.page import Node, Page
from sightline.sources import BrowserSettings, Limits, Loaded, Manners

if TYPE_CHECKING:
    from sightline.checks import CheckSettings, OutlierSettings, Report
    from sightline.extract.content import ContentSettings
    from sightline.extract.lists import ListSettings, TopSettings
    from sightline.extract.schemas import InduceSettings
    from sightline.extract.tables import TableSettings
    from sightline.extract.wrappers import Lesson, TeachSettings, Wrapper

__all__ = [
    "BrowserSettings",
    "CheckSettings",
    "ContentSettings",
    "InduceSettings",
    "Lesson",
    "Limits",
    "ListSettings",
    "Loaded",
    "Manners",
    "Node",
    "OutlierSettings",
    "Page",
    "Report",
    "TableSettings",
    "TeachSettings",
    "TopSettings",
    "Wrapper",
    "__version__",
    "check",
    "content",
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
    "CheckSettings": "checks",
    "ContentSettings": "extract.content",
    "InduceSettings": "extract.schemas",
    "Lesson": "extract.wrappers",
    "ListSettings": "extract.lists",
    "OutlierSettings": "checks",
    "Report": "checks",
    "TableSettings": "extract.tables",
    "TeachSettings": "extract.wrappers",
    "TopSettings": "extract.lists",
    "Wrapper": "extract.wrappers",
}


def __getattr__(name: str) -> object:
    """Import what belongs to an extractor or a check when it is asked for: whoever only opens pages need not wait."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sightline' has no attribute {name!r}")
    return getattr(import_module(f"sightline.{_HOMES[name]}"), name)
