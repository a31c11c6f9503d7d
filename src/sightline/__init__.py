"""Sightline turns what a person sees on a web page or in a PDF into verified, typed, traceable data.

>>> import sightline as sl
>>> page = sl.open(b"<h1>Prices</h1><p>Canon EOS 5D: 2,499", static=True)
>>> page.node(page.with_tag("h1")[0]).text
'Prices'
"""

import warnings
from importlib import import_module
from typing import TYPE_CHECKING

from sightline import errors
from sightline._lazy import lazily
from sightline._version import __version__

if TYPE_CHECKING:
    from sightline._api import (
        about,
        check,
        collect,
        content,
        deduplicate,
        discover,
        facts,
        induce,
        job,
        lists,
        match,
        next_page,
        open,
        open_all,
        play,
        run,
        save,
        session,
        tables,
        teach,
        top_list,
    )
    from sightline.crawler import crawl
    from sightline.data import Content, ItemList, Records, Table
    from sightline.extract.wrappers import Wrapper
    from sightline.navigate import Script
    from sightline.page import Page
    from sightline.scale import batch
    from sightline.sources import Session

__all__ = [
    "Content",
    "ItemList",
    "Page",
    "Records",
    "Script",
    "Session",
    "Table",
    "Wrapper",
    "__version__",
    "about",
    "batch",
    "check",
    "collect",
    "content",
    "crawl",
    "deduplicate",
    "discover",
    "errors",
    "facts",
    "induce",
    "job",
    "lists",
    "match",
    "next_page",
    "open",
    "open_all",
    "play",
    "run",
    "save",
    "session",
    "tables",
    "teach",
    "top_list",
]

# Where each public name lives. Nothing is imported before it is used, so that `import sightline` costs next to nothing.
_public = lazily(
    __name__,
    {
        "_api": "about check collect content deduplicate discover facts induce job lists match next_page open open_all "
        "play run save session tables teach top_list",
        "crawler": "crawl",
        "data": "Content ItemList Records Table",
        "extract.wrappers": "Wrapper",
        "navigate": "Script",
        "page": "Page",
        "scale": "batch",
        "sources": "Session",
    },
)

# Names that were here until 0.1, and where they are now. They work with a warning until 0.3.
_MOVED = {
    name: home
    for home, names in {
        "checks": "CheckSettings OutlierSettings Report",
        "crawler": "CrawlSettings CrawlStatus",
        "crawler.discover": "Discovery",
        "data": "Column ColumnType Item Origin Record Value",
        "extract.content": "ContentSettings",
        "extract.lists": "ListSettings TopSettings",
        "extract.schemas": "InduceSettings",
        "extract.tables": "TableSettings",
        "extract.wrappers": "Lesson TeachSettings",
        "flow.match": "MatchSettings",
        "jobs": "Cancel Job Progress",
        "navigate": "Collection Paging Played",
        "net": "CrawlPolicy Limits",
        "page": "Node",
        "sources": "BrowserSettings Loaded SessionSettings",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> object:
    if name not in _MOVED:
        return _public(name)
    home = f"sightline.{_MOVED[name]}"
    warnings.warn(f"sightline.{name} is now {home}.{name}; import it from there.", DeprecationWarning, stacklevel=2)
    value: object = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    """Every public name, also those that are not imported yet."""
    return __all__
