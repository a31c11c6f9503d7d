"""The score of a site: the chance, by a logistic model, that its pages hold the data of the domain.

The clues are shares between 0 and 1. Their weights are in `_weights.py`, fitted by `bench/crawl/fit_discovery.py`.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from sightline.crawler._addresses import site_part
from sightline.crawler.discover._sample import DomainPhrases, weighted_share
from sightline.data import Extraction, ItemList, Records, Table

# -- whether what an extractor found on a page is data of the domain, and what speaks for it ------------------------

# What people would call a table or list of data, by judgement; below these, phrases in a sentence or a menu would pass.
# How good it is, is left to the score, whose weights are fitted.
LEAST_PHRASES = 2
LEAST_RECORDS, LEAST_FIELDS = 2, 2
LEAST_SINGLE_FIELDS = 4  # of a table about one thing, such as a camera's specifications
LEAST_VALUES = 6
NAME_WORDS = 5  # of a heading or label; the title of a thread has more
SHORT_WORDS = 6  # of a value; a definition or a post has more
MOST_VALUES = 2_000  # that are looked at; more of the same say nothing new
_UNNAMED = re.compile(r"column \d+")
_DIGIT = re.compile(r"\d")
_LABEL = re.compile(r"\s*([^:]{2,40}):\s")


@dataclass(frozen=True)
class DataRegion:
    """A table or list in plain texts: what names its values, the values, and its size."""

    keys: tuple[str, ...]
    values: tuple[str, ...]
    records: int
    fields: int
    caption: str = ""

    @property
    def is_large_enough(self) -> bool:
        """Whether it has several records of several fields, or many fields of one thing."""
        several = self.records >= LEAST_RECORDS and self.fields >= LEAST_FIELDS
        return (several or self.fields >= LEAST_SINGLE_FIELDS) and len(self.values) >= min(
            LEAST_VALUES, LEAST_SINGLE_FIELDS
        )


@dataclass(frozen=True)
class PageData:
    """The best region of a page, measured; all shares are between 0 and 1."""

    region: DataRegion
    in_keys: frozenset[int]
    in_all: frozenset[int]
    short: float
    digits: float
    in_title: frozenset[int] = frozenset()

    def score(self, weights: Sequence[float]) -> float:
        """How much of the domain it has: the phrases that name values and those anywhere in it, to equal parts."""
        return (weighted_share(self.in_keys, weights) + weighted_share(self.in_all, weights)) / 2


def read_regions(found: Extraction) -> list[DataRegion]:
    """The regions of an extraction; navigation is none."""
    return [region for result in found for region in _regions_of(result)]


def _regions_of(result: object) -> Iterator[DataRegion]:
    if isinstance(result, Table):
        yield _of_table(result)
    elif isinstance(result, ItemList):
        if result.kind != "navigation":
            yield _of_list(result)
    elif isinstance(result, Records):
        yield _of_records(result)


def _of_table(table: Table) -> DataRegion:
    """Names are the headings, and the texts of the first column where these are words and not numbers."""
    upright = table.upright
    names = [name for name in table.names if not _UNNAMED.fullmatch(name)]
    body = upright.rows[upright.header_rows :]
    stubs = [row[0] for row in body if row] if upright.width > 1 and upright is table else []
    beside = 1 if stubs else 0
    values = [text for row in body for text in row[beside:] if text.strip()]
    return DataRegion(
        keys=tuple(dict.fromkeys(filter(_is_name, (*names, *stubs)))),
        values=tuple(values[:MOST_VALUES]),
        records=len(body),
        fields=upright.width,
        caption=table.caption or "",
    )


def _is_name(text: str) -> bool:
    """Whether a text may name values: few words, and no number in front."""
    return bool(text.strip()) and len(text.split()) <= NAME_WORDS and not _DIGIT.match(text)


def _of_list(found: ItemList) -> DataRegion:
    """Names are those of the parts, and the labels that texts have before colons."""
    texts = [text for item in found for text in _parts(item.components.values(), item.text.text)]
    labels = [label[1] for label in map(_LABEL.match, texts) if label]
    names = list(dict.fromkeys(name for item in found for name in item.components))
    return DataRegion(
        tuple(dict.fromkeys((*names, *labels))),
        tuple(texts[:MOST_VALUES]),
        len(found),
        max(len(names), 1),
        found.caption or "",
    )


def _of_records(found: Records) -> DataRegion:
    names = list(dict.fromkeys(name for record in found for name in record))
    values = [str(value) for row in found.to_dicts() for value in row.values() if value]
    return DataRegion(tuple(names), tuple(values[:MOST_VALUES]), len(found), len(names))


def _parts(components: Iterable[object], whole: str) -> list[str]:
    texts = [str(text) for part in components if (text := getattr(part, "text", None))]
    return texts or [whole]


def usable_region(
    regions: Iterable[DataRegion],
    phrases: DomainPhrases,
    weights: Sequence[float],
    *,
    title: str = "",
    verified: bool = False,
) -> PageData | None:
    """The region with most of the domain in it, among those that are usable; None if none is.

    The `title` of the page says what its data are about, so phrases in it count with those in the data; but there must
    be some in the data. What a wrapper has read is `verified`: it is what was wanted, whatever its size and words.
    """
    measured = [
        _measured(region, phrases) for region in regions if region.is_large_enough or (verified and region.records)
    ]
    titled = phrases.found_in(title)
    usable = [
        replace(one, in_title=titled)
        for one in measured
        if verified or (one.in_all and len(one.in_all | titled) >= LEAST_PHRASES)
    ]
    return max(usable, key=lambda one: (one.score(weights), len(one.region.values)), default=None)


def _measured(region: DataRegion, phrases: DomainPhrases) -> PageData:
    in_keys = phrases.found_in(" \n ".join(region.keys))
    in_all = in_keys | phrases.found_in(" \n ".join((region.caption, *region.values)))
    count = max(len(region.values), 1)
    return PageData(
        region,
        in_keys,
        in_all,
        sum(len(value.split()) <= SHORT_WORDS for value in region.values) / count,
        sum(bool(_DIGIT.search(value)) for value in region.values) / count,
    )


# -- the score of a site: the chance, by a logistic model, that its pages hold the data of the domain ---------------

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


# Why a site has its score, in words.

NAMED = 4  # phrases that a reason names
# Below or above these a clue is worth a sentence; they decide on words only, never on a score.
FEW_DIFFERENT, FEW_SHORT, MANY_STUFFED, FEW_KEYS = 0.3, 0.6, 0.4, 0.15


def reasons_for(
    site: SiteEvidence, clues: Mapping[str, float], support: int, fruitful: int, phrases: DomainPhrases
) -> Iterator[str]:
    """The reasons, most important first."""
    yield f"found by {support} of {fruitful} queries, on {_counted(site.pages_found, 'page')}"
    yield from _about_pages(site)
    if site.data:
        yield from _about_data(site, clues, phrases)
    if clues["stuffed"] >= MANY_STUFFED:
        yield "its text is stuffed with the phrases"


def _about_pages(site: SiteEvidence) -> Iterator[str]:
    failed = len(site.opened) - len(site.read)
    if site.read:
        yield f"{len(site.data)} of {_counted(len(site.read), 'opened page')} with usable data"
    if failed:
        causes = [page.why_not for page in site.opened if page.failed]
        yield f"{_counted(failed, 'page')} could not be opened: {causes[0]}"
    if site.read and not site.data:
        yield "; ".join(dict.fromkeys(page.why_not for page in site.read))


def _about_data(site: SiteEvidence, clues: Mapping[str, float], phrases: DomainPhrases) -> Iterator[str]:
    keys = frozenset().union(*(one.in_keys for one in site.data))
    if clues["all keys"] >= FEW_KEYS:
        named = [phrases.texts[number] for number in sorted(keys)]
        rest = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
        yield f"the data name {', '.join(named[:NAMED])}{rest} of {len(phrases)} phrases"
    else:
        yield "few phrases name the data"
    if clues["different"] < FEW_DIFFERENT:
        yield "the same values on several pages"
    if clues["short"] < FEW_SHORT:
        yield "long texts instead of values"


def data_in_words(data: PageData) -> str:
    """The size of what was found.

    >>> from sightline.crawler.discover._score import DataRegion
    >>> data_in_words(PageData(DataRegion((), (), 12, 6), frozenset(), frozenset(), 0, 0))
    '12 records × 6 fields'
    """
    return f"{_counted(data.region.records, 'record')} × {_counted(data.region.fields, 'field')}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"


# The weights of the clues for sites, fitted by `python -m bench.crawl.fit_discovery --write`.

BIAS = -28.119
WEIGHTS: dict[str, float] = {
    "support": 0.000,
    "pages": 1.705,
    "usable": 5.989,
    "keys": 7.069,
    "all keys": 0.000,
    "everywhere": 7.854,
    "titled": 0.843,
    "short": 10.372,
    "digits": 0.795,
    "different": 0.000,
    "agreement": 6.848,
    "size": 6.037,
    "stuffed": -10.115,
}
