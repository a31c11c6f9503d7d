"""Random conjunctions of phrases, common ones less often.

How common a phrase is, is learned from the results: the share of those results of queries *without* the phrase whose
title or snippet has it. No provider needs to tell counts for this, which most metasearch engines do not.
"""

import math
import os
import random
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, zip_longest
from math import ceil

from sightline.crawler._addresses import site_part
from sightline.crawler.discover._provider import SearchResult
from sightline.errors import UsageError
from sightline.files import read_bytes

# -- the phrases of a domain: their file, and where they occur in a text --------------------------------------------

MOST_BYTES = 1_000_000
LEAST_PHRASES = 2  # a conjunction joins at least two
_ADVICE = "give a text file with one phrase a line"
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class DomainPhrases:
    """The phrases of a domain, each once, in the order in which they were given.

    Case, hyphens and a plural `s` make no difference:

    >>> DomainPhrases.of(["optical zoom", "megapixel", "ISO"]).found_in("20 Megapixels, 3x optical-zoom, isolated")
    frozenset({0, 1})
    """

    texts: tuple[str, ...]

    @classmethod
    def of(cls, phrases: Iterable[str]) -> "DomainPhrases":
        """Tidy phrases; fewer than two are an error, since queries join several.

        >>> DomainPhrases.of(["Zoom ", "zoom", "", "ISO"]).texts
        ('Zoom', 'ISO')
        """
        if isinstance(phrases, str):
            raise UsageError(f"The phrases must be a list of texts, not one text; write [{phrases!r}, …].")
        tidy: dict[str, str] = {}
        for phrase in (" ".join(one.split()) for one in phrases):
            if _WORD.search(phrase):
                tidy.setdefault(phrase.casefold(), phrase)
        kept = tuple(tidy.values())
        if len(kept) < LEAST_PHRASES:
            raise UsageError(
                f"Queries join several phrases, and {len(kept)} cannot be joined; give at least {LEAST_PHRASES}, "
                "better ten or more."
            )
        return cls(kept)

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(_pattern(text) for text in self.texts)

    def found_in(self, text: str) -> frozenset[int]:
        """The numbers of the phrases that occur in a text."""
        folded = text.casefold()
        return frozenset(number for number, pattern in enumerate(self._patterns) if pattern.search(folded))

    def count_in(self, text: str) -> int:
        """How often phrases occur in a text, all together."""
        folded = text.casefold()
        return sum(len(pattern.findall(folded)) for pattern in self._patterns)


def _pattern(phrase: str) -> re.Pattern[str]:
    words = _WORD.findall(phrase.casefold())
    joined = r"[\W_]{1,3}".join(map(re.escape, words))
    return re.compile(rf"(?<![^\W_]){joined}(?:e?s)?(?![^\W_])")


def rarity_weights(commonness: Sequence[float]) -> list[float]:
    """How much each phrase says about the domain, summing to 1: rare ones more, as the logarithm of their rarity.

    >>> [round(weight, 2) for weight in rarity_weights([0.5, 0.05])]
    [0.19, 0.81]
    """
    raw = [-math.log(min(max(common, 0.001), 0.95)) for common in commonness]
    whole = sum(raw)
    return [weight / whole for weight in raw]


def weighted_share(found: Iterable[int], weights: Sequence[float]) -> float:
    """The share of the phrases that were found, rare ones counting more."""
    return sum(weights[number] for number in found)


def read_phrases(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """The phrases of a file: one a line; empty lines and lines that begin with `#` are skipped."""
    content = read_bytes(path, _ADVICE, MOST_BYTES)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise UsageError(f"{path}: the phrases are not UTF-8 text; save the file as UTF-8.") from problem
    lines = (line.strip() for line in text.splitlines())
    try:
        return DomainPhrases.of(line for line in lines if line and not line.startswith("#")).texts
    except UsageError as problem:
        raise UsageError(f"{path}: {problem.message[:1].lower()}{problem.message[1:]}") from problem


def quoted(phrases: Iterable[str]) -> str:
    """Phrases as search engines take them: those of several words in quotation marks.

    >>> quoted(["optical zoom", "ISO"])
    '"optical zoom" ISO'
    """
    plain = (phrase.replace('"', " ") for phrase in phrases)
    return " ".join(f'"{phrase}"' if len(phrase.split()) > 1 else phrase for phrase in plain)


# -- random conjunctions of phrases, common ones less often ---------------------------------------------------------

SIZES = (2, 3, 4)
# The weight of a phrase is 1 / (FLOOR + commonness): one that is in every second result is drawn about ten times less
# often than one that is in none. By judgement, as are the numbers below; they decide on the pace, not on the result.
FLOOR = 0.05
# What is assumed before any result: 1 of 20 results has the phrase, as if 20 had been seen.
PRIOR_RESULTS, PRIOR_HITS = 20.0, 1.0
TRIES = 50  # draws of a query that was asked already, before the combinations are gone through in order


class QuerySampler:
    """Proposes queries and learns from their results; the same seed and the same results give the same queries.

    >>> sampler = QuerySampler(DomainPhrases.of(["zoom", "ISO", "lens"]), seed=1)
    >>> len({sampler.next() for _ in range(4)}), sampler.next()  # all pairs, all three, and no more
    (4, None)
    """

    def __init__(self, phrases: DomainPhrases, seed: int) -> None:
        self._phrases = phrases
        self._random = random.Random(seed)
        self._sizes = [size for size in SIZES if size <= len(phrases)]
        self._asked: set[frozenset[int]] = set()
        self._hits = [PRIOR_HITS] * len(phrases)
        self._seen = [PRIOR_RESULTS] * len(phrases)
        self._tries = dict.fromkeys(self._sizes, 0)
        self._fruitful = dict.fromkeys(self._sizes, 0)

    @property
    def commonness(self) -> list[float]:
        """For each phrase the estimated share of results that have it."""
        return [hits / seen for hits, seen in zip(self._hits, self._seen, strict=True)]

    def next(self) -> tuple[int, ...] | None:
        """The numbers of the phrases of a new query; None when every conjunction was asked."""
        for _ in range(TRIES):
            chosen = frozenset(self._draw(self._size()))
            if chosen not in self._asked:
                break
        else:
            rest = next(self._unasked(), None)
            if rest is None:
                return None
            chosen = rest
        self._asked.add(chosen)
        return tuple(sorted(chosen))

    def learn(self, query: Iterable[int], results: Sequence[SearchResult]) -> None:
        """Take what a query has brought into account."""
        inside = frozenset(query)
        self._tries[len(inside)] += 1
        self._fruitful[len(inside)] += bool(results)
        for result in results:
            found = self._phrases.found_in(f"{result.title} {result.snippet}")
            for number in range(len(self._phrases)):
                if number not in inside:
                    self._seen[number] += 1
                    self._hits[number] += number in found

    def _size(self) -> int:
        """A number of phrases; sizes whose queries mostly give nothing become rare."""
        weights = [(self._fruitful[size] + 1) / (self._tries[size] + 1) for size in self._sizes]
        return self._random.choices(self._sizes, weights)[0]

    def _draw(self, size: int) -> list[int]:
        """Some phrases without repetition, each with its weight."""
        weights = [1 / (FLOOR + common) for common in self.commonness]
        chosen: list[int] = []
        for _ in range(size):
            rest = [number for number in range(len(weights)) if number not in chosen]
            chosen.append(self._random.choices(rest, [weights[number] for number in rest])[0])
        return chosen

    def _unasked(self) -> Iterator[frozenset[int]]:
        """The conjunctions that were not asked yet, the smallest first."""
        for size in self._sizes:
            for chosen in combinations(range(len(self._phrases)), size):
                if frozenset(chosen) not in self._asked:
                    yield frozenset(chosen)


# Which sites the queries found, and whether more queries would find others that matter.
#
# A site matters when at least `LEAST_SUPPORT` queries found it, and at least one in `ONE_IN` of those with results; so
# the long tail of sites that one query or two come across does not keep a discovery going for ever. From the counts
# follows, as Good and Turing have shown, how likely the next find is one by which a site begins to matter: sites found
# exactly r - 1 times so far have together the share r · Q(r) / U of all finds to come, where Q(r) is the number of
# sites found by exactly r queries, U the number of finds (pairs of a query and a site), and r the support needed.

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
