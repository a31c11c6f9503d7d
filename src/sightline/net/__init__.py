"""All network access: addresses, robots.txt, pace, limits, and the bytes that come back."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.net._access import COOKIE, LoginState, Proxy, SiteAccess, origins_of, remember_request
    from sightline.net._addresses import Location, admit, is_loopback
    from sightline.net._document import (
        AGAIN,
        BUSY,
        PAGE_MAGIC,
        PRODUCT,
        CrawlPolicy,
        Document,
        DocumentKind,
        Limits,
        asked_pause,
        backoff,
        jittered,
        media_type_and_charset,
        media_type_of,
        megabytes,
        readable_kind,
        sniff,
        status_problem,
    )
    from sightline.net._egress_proxy import EgressProxy
    from sightline.net._http_client import Answer
    from sightline.net._inflate import DamagedStreamError, Inflater, TooLargeError, codings
    from sightline.net._page_answer import page_answer
    from sightline.net._request_policy import Fetcher, RequestPolicy, RobotsRules

__all__ = [
    "AGAIN",
    "BUSY",
    "COOKIE",
    "PAGE_MAGIC",
    "PRODUCT",
    "Answer",
    "CrawlPolicy",
    "DamagedStreamError",
    "Document",
    "DocumentKind",
    "EgressProxy",
    "Fetcher",
    "Inflater",
    "Limits",
    "Location",
    "LoginState",
    "Proxy",
    "RequestPolicy",
    "RobotsRules",
    "SiteAccess",
    "TooLargeError",
    "admit",
    "asked_pause",
    "backoff",
    "codings",
    "is_loopback",
    "jittered",
    "media_type_and_charset",
    "media_type_of",
    "megabytes",
    "origins_of",
    "page_answer",
    "readable_kind",
    "remember_request",
    "sniff",
    "status_problem",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_access": "SiteAccess Proxy origins_of remember_request COOKIE LoginState",
        "_addresses": "Location admit is_loopback",
        "_document": "PAGE_MAGIC Document DocumentKind media_type_and_charset media_type_of readable_kind sniff "
        "PRODUCT Limits CrawlPolicy megabytes AGAIN BUSY asked_pause backoff jittered "
        "status_problem",
        "_request_policy": "RequestPolicy Fetcher RobotsRules",
        "_egress_proxy": "EgressProxy",
        "_inflate": "DamagedStreamError Inflater TooLargeError codings",
        "_http_client": "Answer",
        "_page_answer": "page_answer",
    },
)
