"""Which sites the queries found, and whether more queries would find others that matter.

A site matters when at least `LEAST_SUPPORT` queries found it, and at least one in `ONE_IN` of those with results; so
the long tail of sites that one query or two come across does not keep a discovery going for ever. From the counts
follows, as Good and Turing have shown, how likely the next find is one by which a site begins to matter: sites found
exactly r - 1 times so far have together the share r · Q(r) / U of all finds to come, where Q(r) is the number of sites
found by exactly r queries, U the number of finds (pairs of a query and a site), and r the support needed.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from math import ceil

from sightline.crawl._sites import site_part
from sightline.crawl.discover._provider import SearchResult

__all__ = ["FoundPage", "FoundSite", "SiteTally"]

# Chosen with `quiet` and `unseen` by `python -m bench.crawl.fit_discovery`, which replays the rule on queries that went
# on to 150: with 3, 20, 20 and 0.02 all relevant sites are found in generated webs (81 queries), and 85 % of those that
# 150 queries find among real sites. Shorter quiet costs up to a fifth of the latter.
LEAST_SUPPORT = 3
ONE_IN = 20


@dataclass
class FoundPage:
    """A page of a site: which queries found it, and its best place among their results."""

    url: str
    queries: set[int] = field(default_factory=set)
    best: int = 10**9
    title: str = ""


@dataclass
class FoundSite:
    """A site: its pages, which queries found it, and which phrases these were made of."""

    site: str
    pages: dict[str, FoundPage] = field(default_factory=dict)
    queries: set[int] = field(default_factory=set)

    @property
    def support(self) -> int:
        """How many queries found it; how many of its pages each found makes no difference."""
        return len(self.queries)

    def spread_pages(self, most: int | None, first: Container[tuple[str, int]] = ()) -> list[FoundPage]:
        """The pages that most queries found, taken in turn from the parts of the site; from the parts `first` before.

        News and help pages have many phrases, too; two pages of one part would say nothing of the others.
        """
        parts = defaultdict(list)
        for page in sorted(self.pages.values(), key=lambda page: (-len(page.queries), page.best, page.url)):
            parts[site_part(page.url)].append(page)
        turns = [*zip_longest(*(pages for part, pages in parts.items() if part in first))]
        turns += zip_longest(*(pages for part, pages in parts.items() if part not in first))
        return [page for turn in turns for page in turn if page is not None][:most]


class SiteTally:
    """Counts finds query by query.

    >>> tally = SiteTally()
    >>> for number in range(3):
    ...     tally.add(number, [("shop.example", SearchResult("https://shop.example/5d"))])
    >>> tally.needed, [site.site for site in tally.ranked()], tally.quiet_for
    (3, ['shop.example'], 0)
    """

    def __init__(self, least_support: int = LEAST_SUPPORT, one_in: int = ONE_IN) -> None:
        self._least_support = least_support
        self._one_in = one_in
        self.sites: dict[str, FoundSite] = {}
        self.asked = 0
        self.fruitful = 0
        self.quiet_for = 0  # queries in a row that brought no new site that matters
        self._mattered: set[str] = set()

    @property
    def needed(self) -> int:
        """The support by which a site matters now."""
        return max(self._least_support, ceil(self.fruitful / self._one_in))

    @property
    def mattering(self) -> int:
        """How many sites matter now."""
        return sum(site.support >= self.needed for site in self.sites.values())

    @property
    def unseen(self) -> float:
        """The estimated chance that the next find is of a site that begins to matter by it; 1 before the first find."""
        supports = Counter(site.support for site in self.sites.values())
        finds = sum(support * count for support, count in supports.items())
        return self.needed * supports[self.needed] / finds if finds else 1.0

    def add(self, query: int, results: Iterable[tuple[str, SearchResult]]) -> None:
        """Count the results of a query, each with its site."""
        self.asked += 1
        found = list(results)
        self.fruitful += bool(found)
        for place, (site, result) in enumerate(found):
            one = self.sites.setdefault(site, FoundSite(site))
            one.queries.add(query)
            page = one.pages.setdefault(result.url, FoundPage(result.url))
            page.queries.add(query)
            page.best = min(page.best, place)
            page.title = page.title or result.title
        matter = {site for site, _ in found if self.sites[site].support >= self.needed}
        new = matter - self._mattered
        self._mattered |= new
        self.quiet_for = 0 if new else self.quiet_for + bool(found)

    def ranked(self) -> Sequence[FoundSite]:
        """The sites, those found by most queries first; among equals those with more pages."""
        return sorted(self.sites.values(), key=lambda site: (-site.support, -len(site.pages), site.site))
