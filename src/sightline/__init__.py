"""Sightline turns what a person sees on a web page or in a PDF into verified, typed, traceable data.

>>> import sightline as sl
>>> page = sl.open(b"<h1>Prices</h1><p>Canon EOS 5D: 2,499", static=True)
>>> page.node(page.with_tag("h1")[0]).text
'Prices'
"""

from typing import TYPE_CHECKING

from sightline import errors
from sightline._lazy import lazily
from sightline._version import __version__

if TYPE_CHECKING:
    from sightline._api import (
        check,
        collect,
        content,
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
    from sightline.checks import CheckSettings, OutlierSettings, Report
    from sightline.crawl import CrawlSettings, CrawlStatus, crawl
    from sightline.crawl.discover import Discovery
    from sightline.data import Column, ColumnType, Content, Item, ItemList, Origin, Record, Records, Table, Value
    from sightline.extract.content import ContentSettings
    from sightline.extract.lists import ListSettings, TopSettings
    from sightline.extract.schemas import InduceSettings
    from sightline.extract.tables import TableSettings
    from sightline.extract.wrappers import Lesson, TeachSettings, Wrapper
    from sightline.flow.match import MatchSettings
    from sightline.jobs import Cancel, Job, Progress
    from sightline.navigate import Collection, Paging, Played, Script
    from sightline.net import CrawlPolicy, Limits
    from sightline.page import Node, Page
    from sightline.scale import batch
    from sightline.sources import BrowserSettings, Loaded, Session, SessionSettings
    from sightline.store import Store

__all__ = [
    "BrowserSettings",
    "Cancel",
    "CheckSettings",
    "Collection",
    "Column",
    "ColumnType",
    "Content",
    "ContentSettings",
    "CrawlPolicy",
    "CrawlSettings",
    "CrawlStatus",
    "Discovery",
    "InduceSettings",
    "Item",
    "ItemList",
    "Job",
    "Lesson",
    "Limits",
    "ListSettings",
    "Loaded",
    "MatchSettings",
    "Node",
    "Origin",
    "OutlierSettings",
    "Page",
    "Paging",
    "Played",
    "Progress",
    "Record",
    "Records",
    "Report",
    "Script",
    "Session",
    "SessionSettings",
    "Store",
    "Table",
    "TableSettings",
    "TeachSettings",
    "TopSettings",
    "Value",
    "Wrapper",
    "__version__",
    "batch",
    "check",
    "collect",
    "content",
    "crawl",
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
__getattr__ = lazily(
    __name__,
    {
        "_api": "check collect content discover facts induce job lists match next_page open open_all play run save "
        "session tables teach top_list",
        "checks": "CheckSettings OutlierSettings Report",
        "crawl": "CrawlSettings CrawlStatus crawl",
        "crawl.discover": "Discovery",
        "data": "Column ColumnType Content Item ItemList Origin Record Records Table Value",
        "extract.content": "ContentSettings",
        "extract.lists": "ListSettings TopSettings",
        "extract.schemas": "InduceSettings",
        "extract.tables": "TableSettings",
        "extract.wrappers": "Lesson TeachSettings Wrapper",
        "flow.match": "MatchSettings",
        "jobs": "Cancel Job Progress",
        "navigate": "Collection Paging Played Script",
        "net": "Limits CrawlPolicy",
        "page": "Node Page",
        "scale": "batch",
        "sources": "BrowserSettings Loaded Session SessionSettings",
        "store": "Store",
    },
)


def __dir__() -> list[str]:
    """Every public name, also those that are not imported yet."""
    return sorted({*globals(), *__all__})
