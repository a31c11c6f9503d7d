"""Finding pages: discovery by queries, focused crawling, and the facts that many pages agree on."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.crawler._addresses import site_of
    from sightline.crawler._crawl import Crawler, OnStatus
    from sightline.crawler._settings import (
        CrawlEvent,
        CrawlSettings,
        CrawlStatus,
        HostStatus,
        changed_pages,
        failed_pages,
        visits_in_order,
    )
    from sightline.crawler._verb import crawl

__all__ = [
    "CrawlEvent",
    "CrawlSettings",
    "CrawlStatus",
    "Crawler",
    "HostStatus",
    "OnStatus",
    "changed_pages",
    "crawl",
    "failed_pages",
    "site_of",
    "visits_in_order",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_crawl": "Crawler OnStatus",
        "_settings": "CrawlSettings CrawlEvent CrawlStatus HostStatus changed_pages failed_pages visits_in_order",
        "_addresses": "site_of",
        "_verb": "crawl",
    },
)
