"""What a crawl may do, and how it goes about it."""

from dataclasses import dataclass
from typing import Literal

from sightline.settings import Settings, setting

__all__ = ["CrawlSettings"]


@dataclass(frozen=True, kw_only=True)
class CrawlSettings(Settings):
    """The settings of a crawl; they may be changed from one run to the next."""

    pages: int = setting(1_000, help="maximum number of pages to visit", minimum=1)
    hosts: tuple[str, ...] = setting((), help="hosts to go to beside those of the addresses to begin with")
    rank: Literal["learned", "published", "breadth"] = setting(
        "learned", help="how the next page is chosen", choices=("learned", "published", "breadth")
    )
    render: Literal["auto", "never", "always"] = setting(
        "auto",
        help="whether pages are opened in a browser: never, always, or where it shows more than the server sends",
        choices=("auto", "never", "always"),
    )
    clicks: int = setting(100, help="maximum number of links to follow from a first page", minimum=0)
    tries: int = setting(4, help="how often a page is asked for before it counts as failed", minimum=1)
    hosts_at_once: int = setting(64, help="how many hosts are visited at the same time", minimum=1)
    sitemaps: bool = setting(default=True, help="whether the sitemaps and feeds of a site are read")
    sitemap_addresses: int = setting(
        100_000, help="maximum number of addresses taken from a site's sitemaps", minimum=0
    )
    nofollow: bool = setting(default=False, help="whether links and pages that say `nofollow` are obeyed")
    noindex: bool = setting(default=False, help="whether pages that say `noindex` are left out of what is found")
    languages: tuple[str, ...] = setting((), help="languages of the pages to follow, where a site says which are which")
    retry_seconds: float = setting(
        1.0, help="seconds to wait after a failure; each further one in a row doubles them", minimum=0
    )
    patience: float = setting(300.0, help="seconds that a busy host may ask to wait before it is left alone", minimum=0)
    file_bytes: int = setting(1_000_000_000, help="bytes after which another WARC file is begun", minimum=1_000)
