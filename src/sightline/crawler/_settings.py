"""What a crawl may do, and how it goes about it."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sightline.errors import UsageError
from sightline.settings import Settings, setting

if TYPE_CHECKING:
    from sightline.extract.wrappers import Wrapper


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


# What a crawl looks for, as its state keeps it, so that one folder never mixes what was found for two reasons.

_NAMED = 2  # examples in a message
_FIELDS = 4  # of a wrapper, in a message
# What a wrapper file says about its making; the same rules find the same pages.
_NOT_RULES = ("training", "checked", "profile")
_HINTS = {
    "any": "leave out --like and --wrapper",
    "like": "give the same --like or --from",
    "wrapper": "give the same --wrapper",
}
_OTHERS = {"any": "", "like": "they were other examples", "wrapper": "it was another wrapper"}


@dataclass(frozen=True)
class CrawlTarget:
    """The pages that a crawl looks for: `key` tells whether they are the same, `words` are for people.

    >>> shop = CrawlTarget.of_examples(["https://shop.example/5d", "https://shop.example/r5"], [])
    >>> shop.words
    'pages like https://shop.example/5d and https://shop.example/r5'
    >>> shop == CrawlTarget.loads(shop.dumps())
    True
    >>> CrawlTarget().check_same(shop, Path("shop"))
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: shop holds a crawl for pages like https://shop.example/5d and ..., not for every page;
    give the same --like or --from, or choose another folder.
    """

    kind: Literal["any", "like", "wrapper"] = "any"
    key: str = ""
    words: str = "every page"

    @classmethod
    def of_examples(cls, urls: Sequence[str], texts: Sequence[str]) -> "CrawlTarget":
        """Pages like examples, given by their addresses and by the HTML of those that are at hand, in any order."""
        names = sorted({*urls, *(_digest(text) for text in texts)})
        shown = [*urls[:_NAMED], *([f"{len(urls) - _NAMED} more"] if len(urls) > _NAMED else [])]
        if texts:
            shown.append(f"{len(texts)} saved page{'s' * (len(texts) != 1)}")
        listed = " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
        return cls("like", _digest("\n".join(names)), f"pages like {listed}")

    @classmethod
    def of_wrapper(cls, wrapper: "Wrapper") -> "CrawlTarget":
        """Pages that a wrapper can read."""
        rules = {name: value for name, value in wrapper.to_json().items() if name not in _NOT_RULES}
        fields = ", ".join(wrapper.fields[:_FIELDS]) + ", …" * (len(wrapper.fields) > _FIELDS)
        return cls(
            "wrapper", _digest(json.dumps(rules, sort_keys=True)), f"pages with the fields {fields} of a wrapper"
        )

    def dumps(self) -> str:
        """The target as a text for the state."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, text: str) -> "CrawlTarget":
        """The inverse of `dumps`."""
        return cls(**json.loads(text))

    def check_same(self, before: "CrawlTarget", folder: Path) -> None:
        """Refuse to look for something else than before: found pages of two kinds could not be told apart."""
        if (self.kind, self.key) == (before.kind, before.key):
            return
        difference = f"not for {self.words}" if self.words != before.words else f"but {_OTHERS[self.kind]}"
        raise UsageError(
            f"{folder} holds a crawl for {before.words}, {difference}; {_HINTS[before.kind]}, or choose another folder."
        )


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
