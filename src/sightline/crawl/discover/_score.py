"""The score of a site: the chance, by a logistic model, that its pages hold the data of the domain.

The clues are shares between 0 and 1. Their weights are in `_weights.py`, fitted by `bench/crawl/fit_discovery.py`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from sightline.crawl._sites import site_part
from sightline.crawl.discover._phrases import weighted_share
from sightline.crawl.discover._usable import PageData
from sightline.crawl.discover._weights import BIAS, WEIGHTS

__all__ = ["CLUES", "OpenedPage", "SiteEvidence", "clues_of", "score_of"]

MANY_PAGES = 50  # distinct pages from which on more say nothing new
MANY_VALUES = 500
CLUES = {
    "support": "the share of the queries that found the site",
    "pages": "how many different pages they found, by their logarithm",
    "usable": "the share of opened pages with usable data, in the parts of the site that have any",
    "keys": "the share of the phrases that name values, on average over usable pages",
    "all keys": "the share of the phrases that name values on any page",
    "everywhere": "the share of the phrases that are anywhere in the data of any page",
    "titled": "the share of usable pages with a phrase in their title",
    "short": "the share of values of few words",
    "digits": "the share of values with digits",
    "different": "the share of values that are on one page only",
    "agreement": "how many names two usable pages have in common",
    "size": "how many values a page has, by their logarithm",
    "stuffed": "how many phrases there are among the words outside of the data",
}


@dataclass(frozen=True)
class OpenedPage:
    """A page that was opened: its data, or why there is none; how dense the phrases are in the rest of its text."""

    url: str
    data: PageData | None = None
    density: float = 0.0
    why_not: str = ""
    failed: bool = False


@dataclass(frozen=True)
class SiteEvidence:
    """All that is known of a site when it is scored."""

    support: float
    pages_found: int
    opened: tuple[OpenedPage, ...]

    @property
    def read(self) -> list[OpenedPage]:
        """The pages that could be opened."""
        return [page for page in self.opened if not page.failed]

    @property
    def data(self) -> list[PageData]:
        """The usable data of its pages."""
        return [page.data for page in self.opened if page.data is not None]


def score_of(clues: Mapping[str, float]) -> float:
    """The score of a site by its clues."""
    return 1 / (1 + math.exp(-(BIAS + sum(WEIGHTS[name] * clues[name] for name in CLUES))))


def clues_of(site: SiteEvidence, weights: Sequence[float]) -> dict[str, float]:
    """The clues of a site; `weights` are those of the phrases."""
    data = site.data
    read = site.read
    return {
        "support": site.support,
        "pages": _logarithmic(site.pages_found, MANY_PAGES),
        "usable": _usable(read),
        "keys": _mean([weighted_share(one.in_keys, weights) for one in data]),
        "all keys": weighted_share(frozenset().union(*(one.in_keys for one in data)), weights),
        "everywhere": weighted_share(frozenset().union(*(one.in_all for one in data)), weights),
        "titled": _mean([float(bool(one.in_title)) for one in data]),
        "short": _mean([one.short for one in data]),
        "digits": _mean([one.digits for one in data]),
        "different": _different(data),
        "agreement": _agreement(data),
        "size": _logarithmic(_mean([len(one.region.values) for one in data]), MANY_VALUES),
        "stuffed": _mean([page.density for page in read]),
    }


def _usable(read: Sequence[OpenedPage]) -> float:
    """A part is a first step of the path: the news of a shop do not speak against its catalogue.

    The page more says that one page is little evidence: 1 of 1 is a half, 4 of 4 are four fifths.
    """
    parts = {site_part(page.url) for page in read if page.data}
    beside = sum(site_part(page.url) in parts for page in read)
    return sum(page.data is not None for page in read) / (beside + 1)


def _different(data: Sequence[PageData]) -> float:
    """The share of distinct values that are on one page only; of one page alone nothing is known, so half."""
    if len(data) < 2:
        return 0.5 if data else 0.0
    values = [frozenset(one.region.values) for one in data]
    every = frozenset().union(*values)
    return sum(sum(value in page for page in values) == 1 for value in every) / len(every) if every else 0.0


def _agreement(data: Sequence[PageData]) -> float:
    """The mean overlap (Jaccard) of the names of two pages; of one page alone nothing is known, so half."""
    if len(data) < 2:
        return 0.5 if data else 0.0
    keys = [frozenset(key.casefold() for key in one.region.keys) for one in data]
    return _mean([len(one & other) / max(len(one | other), 1) for one, other in combinations(keys, 2)])


def _logarithmic(count: float, many: float) -> float:
    return min(1.0, math.log1p(count) / math.log1p(many))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
