"""Whether what an extractor found on a page is data of the domain, and what speaks for it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sightline.crawler.discover._phrases import DomainPhrases, weighted_share
from sightline.data import Extraction, ItemList, Records, Table

__all__ = ["DataRegion", "PageData", "read_regions", "usable_region"]

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
