"""Why a site has its score, in words."""

from collections.abc import Iterator, Mapping

from sightline.crawl.discover._phrases import DomainPhrases
from sightline.crawl.discover._score import SiteEvidence
from sightline.crawl.discover._usable import PageData

__all__ = ["data_in_words", "reasons_for"]

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

    >>> from sightline.crawl.discover._usable import DataRegion
    >>> data_in_words(PageData(DataRegion((), (), 12, 6), frozenset(), frozenset(), 0, 0))
    '12 records × 6 fields'
    """
    return f"{_counted(data.region.records, 'record')} × {_counted(data.region.fields, 'field')}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
