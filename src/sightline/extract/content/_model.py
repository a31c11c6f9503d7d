"""What tells content from the rest: the decision trees in `forest.json`, and those in `kinds.json` that judge pages.

Both are grown by `python -m bench.content.grow`; docs/content.md has a card of the model.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
import orjson

from sightline.arrays import FloatArray, LongArray, prefix_sum
from sightline.extract.content._measures import Measured, measure
from sightline.page import Page
from sightline.signals import text_blocks
from sightline.trees import Forest, load_forest, read_forest

# Of which kind a page is: article, documentation, service, forum, product, collection or listing.
#
# It is judged by what its blocks are like on the whole, and by the words of its address. What belongs to the main text
# is not the same on all kinds of pages: an article has a clear end, and what is said around it is many times as much; a
# listing is a list of what others would call boilerplate.

ADDRESS = "address: "
PAGE_KINDS = ("article", "documentation", "service", "forum", "product", "collection", "listing")
# Words of addresses by which sites tell their pages apart. Set by hand; the trees ask for about half of them.
ADDRESS_WORDS = (
    *("product", "products", "shop", "item", "p", "dp", "pd", "ip", "collections", "collection", "category"),
    *("categories", "c", "browse", "search", "tag", "tags", "forum", "forums", "thread", "threads", "topic", "topics"),
    *("t", "questions", "community", "discussion", "comments", "viewtopic", "showthread", "docs", "doc"),
    *("documentation", "guide", "guides", "manual", "reference", "api", "wiki", "help", "support", "learn", "tutorial"),
    *("blog", "blogs", "news", "article", "articles", "post", "posts", "story", "services", "service", "solutions"),
    *("about", "pricing", "events", "jobs", "reviews", "best", "list", "listing", "listings", "archive", "author"),
)
WORD_BREAKS = re.compile(r"[/_.\-]+")
DATED = re.compile(r"\d{4}/\d")
NUMBERED = re.compile(r"\d{4,}")


WAYS = ("mean", "by words", "most")  # in which the measures of blocks become one of their page
LOOKS = ("parts", "length", "hyphens", "dated", "numbered", "asks", "known")  # what else an address tells
ADDRESS_MEASURES = tuple(f"{ADDRESS}{name}" for name in (*ADDRESS_WORDS, *LOOKS))


@dataclass(frozen=True, eq=False)
class PageKinds:
    """A forest in which the trees of each kind, as many as `sizes` says, tell how likely a page is of it."""

    forest: Forest
    sizes: Mapping[str, int]

    def likely(self, page: Page, measured: Measured) -> dict[str, float]:
        """How likely a page is of each kind; the numbers need not add up to 1."""
        row = _page_row(page, measured, self.columns)[self._places].astype(np.float32)
        sums = np.add.reduceat(self.forest.said(row[:, None])[:, 0].astype(np.float64), self._firsts)
        return dict(zip(self.sizes, (1 / (1 + np.exp(-sums))).tolist(), strict=True))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The measures of blocks that are asked in any way."""
        asked = (name.rpartition(": ") for name in self.forest.names if not name.startswith(ADDRESS))
        return tuple(dict.fromkeys(name for name, _, _ in asked))

    @cached_property
    def _firsts(self) -> LongArray:
        """Where the trees of each kind begin."""
        return prefix_sum(list(self.sizes.values()))[:-1]

    @cached_property
    def _places(self) -> npt.NDArray[np.intp]:
        """Where what is asked stands in the row of a page."""
        place = {name: number for number, name in enumerate(_names(self.columns))}
        return np.array([place[name] for name in self.forest.names], dtype=np.intp)


def page_measures(page: Page, measured: Measured) -> dict[str, float]:
    """What the blocks of a page are like: the mean of each measure, its mean over words, and the most; and the address.

    >>> from sightline.extract.content._measures import measure
    >>> from sightline.signals import text_blocks
    >>> from sightline.testing import list_page
    >>> page = list_page(["one two", "three"])
    >>> page_measures(page, measure(text_blocks(page)))["words: most"]
    2.0
    """
    columns = tuple(measured.columns)
    return dict(zip(_names(columns), _page_row(page, measured, columns).tolist(), strict=True))


def _names(columns: tuple[str, ...]) -> list[str]:
    """What is known of a page, in the order of `_page_row`."""
    return [*(f"{name}: {way}" for way in WAYS for name in columns), *ADDRESS_MEASURES]


def _page_row(page: Page, measured: Measured, columns: tuple[str, ...]) -> FloatArray:
    """What is known of a page: some measures of its blocks, each in all ways, and its address."""
    table = measured.chosen(columns)
    words = np.maximum(measured.counts.words, 1)
    address = address_measures(page.address)
    return np.concatenate([table.mean(axis=1), table @ words / words.sum(), table.max(axis=1), address])


def address_measures(address: str) -> list[float]:
    """What an address says: its words, how long and deep it is, and whether it is dated or numbered.

    >>> said = dict(zip(ADDRESS_MEASURES, address_measures("https://shop.example.org/products/blue-lamp-10023")))
    >>> said["address: products"], said["address: parts"], said["address: numbered"]
    (1.0, 2.0, 1.0)
    """
    told = urlsplit(address)
    path, host = told.path.lower(), (told.hostname or "").lower()
    parts = [part for part in path.split("/") if part]
    last = parts[-1] if parts else ""
    words = {*WORD_BREAKS.split(path), *host.split(".")}
    looks = (
        len(parts),
        len(path),
        last.count("-"),
        bool(DATED.search(path)),
        bool(NUMBERED.search(last)),
        bool(told.query),
        bool(host),
    )
    return [*(float(word in words) for word in ADDRESS_WORDS), *map(float, looks)]


PACKAGE = "sightline.extract.content"


@dataclass(frozen=True, eq=False)
class ContentModel:
    """Trees that say how likely a block is content, and trees that say of which kind a page is."""

    forest: Forest
    kinds: PageKinds

    def likely(self, measured: Measured) -> FloatArray:
        """How likely each of the measured blocks is to be content."""
        return self.forest.likely_by_columns(measured.chosen(self.forest.names).astype(np.float32))

    @cached_property
    def asked(self) -> frozenset[str]:
        """The measures of blocks that any tree asks for."""
        return frozenset([*self.forest.names, *self.kinds.columns])


def read_kinds(document: Mapping[str, Any]) -> PageKinds:
    """The trees of the kinds of pages, from plain values: those of all kinds in a row, and how many each has."""
    forest = read_forest(tuple(document["measures"]), "\n".join(document["trees"]), 0.0)
    return PageKinds(forest, document["sizes"])


@lru_cache(maxsize=1)
def the_model() -> ContentModel:
    """The model that comes with the package, read when it is first needed."""
    kinds = orjson.loads(resources.files(PACKAGE).joinpath("kinds.json").read_bytes())
    return ContentModel(load_forest(PACKAGE, "forest.json"), read_kinds(kinds))


# How likely every text of a page is to be content, according to the model: for checks of other extractors.


def likelihoods(page: Page, model: ContentModel | None = None) -> npt.NDArray[np.float64]:
    """One number from 0 to 1 for every text node of a page, in order; NaN for those that cannot be read.

    >>> from sightline.testing import list_page
    >>> len(likelihoods(list_page(["one", "two"])))
    2
    """
    by_node = np.full(len(page), np.nan)
    blocks = text_blocks(page)
    if len(blocks):
        model = model or the_model()
        likely = model.likely(measure(blocks, model.asked))
        by_node[blocks.nodes] = likely[blocks.block_of]
    found: npt.NDArray[np.float64] = by_node[page.is_text]
    return found
