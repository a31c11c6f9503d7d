"""Discovery: from a handful of phrases to the sites that hold the data of a domain (docs/discovery.md)."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.crawler.discover._discover import DiscoverSettings, discover
    from sightline.crawler.discover._found import DiscoveredSite, Discovery, DiscoveryEnd, Wanted
    from sightline.crawler.discover._index import LocalIndex
    from sightline.crawler.discover._provider import SearchAnswer, SearchProvider, SearchResult
    from sightline.crawler.discover._sample import read_phrases
    from sightline.crawler.discover._web_search import (
        VARIABLE,
        JsonSearch,
        SearchForm,
        SearxngSearch,
        asked_provider,
        provider_of,
    )

__all__ = [
    "VARIABLE",
    "DiscoverSettings",
    "DiscoveredSite",
    "Discovery",
    "DiscoveryEnd",
    "JsonSearch",
    "LocalIndex",
    "SearchAnswer",
    "SearchForm",
    "SearchProvider",
    "SearchResult",
    "SearxngSearch",
    "Wanted",
    "asked_provider",
    "discover",
    "provider_of",
    "read_phrases",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_discover": "discover DiscoverSettings",
        "_found": "DiscoveredSite Discovery DiscoveryEnd Wanted",
        "_index": "LocalIndex",
        "_sample": "read_phrases",
        "_provider": "SearchAnswer SearchProvider SearchResult",
        "_web_search": "JsonSearch SearchForm SearxngSearch VARIABLE asked_provider provider_of",
    },
)
