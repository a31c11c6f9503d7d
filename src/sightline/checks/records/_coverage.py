"""Whether all records were extracted, judged by the page's counter, its structure and the counts of good pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sightline.checks._report import Issue
from sightline.checks.records._run import RecordRun, ValuePlaces
from sightline.checks.records._settings import CheckSettings
from sightline.data import Profile, origin_of

LIST = 2  # records that make a page a list
MOST_ON_A_PAGE = 1_000
LONGEST_LINE = 120  # characters; a counter has a line to itself

# A page is short if it has less than this share of the fewest records of a good page. The last page of a list has
# fewer, so a single page is reported only below the second share, several pages of a run below the first.
FEWER = 0.7
FAR_FEWER = 0.25
MORE = 4.0
SEVERAL = 1 / 3  # of the pages of a run
MOST_NAMED = 5  # pages named individually
MANY = 4  # records; smaller counts say nothing

_N = r"(\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+|\d+)"
_TO = r"\s*(?:-|–|—|to|bis|through|à|a|al|até|tot|t/m|до|～|~)\s*"
_OF = r"\s*(?:of|out of|von|sur|de|di|van|из|av|af|z|/)\s*(?:about|over|more than|ca\.|circa|rund|environ|etwa)?\s*"
_SHOWING = (
    r"(?:showing|displaying|viewing|shown|zeige|angezeigt|affichage|affichés?|mostrando|visualizzat[io]|getoond|"
    r"показано)"
)
_RANGE = re.compile(rf"(?<![\d/.-]){_N}{_TO}{_N}{_OF}{_N}(?![\d/])", re.IGNORECASE)
_SHOWN_RANGE = re.compile(rf"{_SHOWING}\D{{0,20}}{_N}{_TO}{_N}(?![\d/])", re.IGNORECASE)
_SHOWN_OF = re.compile(rf"{_SHOWING}\D{{0,20}}{_N}{_OF}{_N}(?![\d/])", re.IGNORECASE)
_TOTAL = re.compile(
    rf"(?<![\d/.,-]){_N}\s*(?:results?|items?|products?|matches|hits|records?|entries|listings?|Ergebnisse?|Treffer|"
    r"Artikel|Produkte|Einträge|résultats?|produits?|resultados?|productos?|risultati|prodotti|resultaten|producten|"
    r"результат\w*|товар\w*|件)(?![\w(])",
    re.IGNORECASE,
)


class Announced(NamedTuple):
    """What a page says about its records: how many it shows, how many there are in all, and in which words."""

    here: int | None
    total: int | None
    words: str


def announced_counts(text: str) -> list[Announced]:
    r"""The counters in the text of a page.

    >>> announced_counts("Cameras\n1–24 of 312")
    [Announced(here=24, total=312, words='1–24 of 312')]
    >>> [counter.here for counter in announced_counts("Showing 24 of 1,312 results")]
    [24]
    >>> announced_counts("312 results")[0].total
    312
    """
    found: list[Announced] = []
    for line in text.splitlines():
        if len(line) <= LONGEST_LINE and any(map(str.isdigit, line)):
            found += _in_line(line)
    return found


def _in_line(line: str) -> Iterator[Announced]:
    found = False
    for pattern in (_RANGE, _SHOWN_RANGE):
        for match in pattern.finditer(line):
            first, last, *rest = map(_number, match.groups())
            if 0 < first <= last <= (rest[0] if rest else last) and last - first < MOST_ON_A_PAGE:
                found = True
                yield Announced(last - first + 1, rest[0] if rest else None, match[0])
        if found:
            return
    for match in _SHOWN_OF.finditer(line):
        here, total = map(_number, match.groups())
        if 0 < here <= total and here <= MOST_ON_A_PAGE:
            yield Announced(here, total, match[0])
            return
    for match in _TOTAL.finditer(line):
        yield Announced(None, _number(match[1]), match[0])


def _number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def check_coverage(run: RecordRun, profile: Profile | None, settings: CheckSettings) -> Iterator[Issue]:
    """Compare the number of records of every list page with its counter, the nearest one if there are several."""
    short: dict[tuple[str, int], list[tuple[int, str | None]]] = defaultdict(list)
    for page_records, size in zip(run.pages, sizes_of(run, profile), strict=True):
        if page_records.page is None or not _is_list(size, profile):
            continue
        counters = announced_counts(page_records.page.text_of())
        here = [counter for counter in counters if counter.here is not None]
        totals = {counter.total or 0 for counter in counters}
        if here:
            nearest = min(here, key=lambda counter: abs((counter.here or 0) - size))
            yield from _compared(nearest, nearest.here or 0, size, page_records.name, settings)
        elif totals and profile is not None:
            # A total says how many records this page has only if they fit on one page; and if counters disagree, it is
            # unclear which of them counts the records.
            if size < min(totals) and max(totals) <= profile.most:
                nearest = min(counters, key=lambda counter: counter.total or 0)
                yield from _compared(nearest, nearest.total or 0, size, page_records.name, settings)
            elif size < FEWER * profile.most < min(totals):
                short[page_records.page.title, min(totals)].append((size, page_records.name))
    for (_, total), pages in short.items():
        yield from _short(total, pages)


def _short(total: int, pages: Sequence[tuple[int, str | None]]) -> Iterator[Issue]:
    """Only the last page of a list may have fewer records than the others."""
    for size, source in pages[:MOST_NAMED] if len(pages) > 1 else ():
        reason = (
            f"{size} records, as on {len(pages) - 1} more pages that announce {total}: only one can be the last page."
        )
        yield Issue("coverage", "suspicious", reason, source=source)


def _compared(
    counter: Announced, expected: int, size: int, source: str | None, settings: CheckSettings
) -> Iterator[Issue]:
    if settings.least_coverage * expected <= size and settings.least_coverage * size <= expected:
        return
    if abs(size - expected) <= 1:
        return
    reason = f"the page announces {expected} records (“{counter.words}”), but {size} were extracted."
    yield Issue("coverage", "suspicious", reason, source=source)


def _is_list(size: int, profile: Profile | None) -> bool:
    return size >= LIST or (profile is not None and profile.most >= LIST)


def sizes_of(run: RecordRun, profile: Profile | None) -> list[int]:
    """The number of records of each page; for pages of one record, the items of their sets if the profile has them."""
    sizes = [len(page_records.records) for page_records in run.pages]
    if profile is None or profile.most < LIST or max(sizes, default=0) > 1:
        return sizes
    inner: Counter[int] = Counter()
    for group in run.lists(profile):
        inner[group.page] += len(group.records)
    return [inner[number] for number in range(len(sizes))]


def check_count(run: RecordRun, profile: Profile, *, check: str = "count") -> Iterator[Issue]:
    """Compare the number of records per page with that of good pages."""
    if profile.pages == 0 or profile.least < MANY:
        return
    sizes = sizes_of(run, profile)
    few = [number for number, size in enumerate(sizes) if size < FEWER * profile.least]
    far = [
        number for number in few if sizes[number] < FAR_FEWER * profile.least or len(few) > max(1, SEVERAL * len(sizes))
    ]
    many = [number for number, size in enumerate(sizes) if size > MORE * profile.most]
    for number in (far + many)[:MOST_NAMED]:
        reason = f"{sizes[number]} records; good pages had {profile.least} to {profile.most}."
        yield Issue(check, "suspicious", reason, source=run.pages[number].name)


def check_gaps(run: RecordRun, profile: Profile | None, settings: CheckSettings) -> Iterator[Issue]:
    """Look for elements with the same structure as the records that were not extracted."""
    for group in run.lists(profile):
        places = run.places[group.page]
        if places is None or len(group.records) < LIST:
            continue
        left = _left_out(run.nodes(group), run.units(group), places)
        if left and len(group.records) < settings.least_coverage * (len(group.records) + len(left)):
            name = f" of “{group.scope}”" if group.scope else ""
            reason = (
                f"{len(left)} elements beside the {len(group.records)} records{name} have the same structure but "
                f"were not extracted; the first is {places.page.xpath(left[0])}."
            )
            evidence = tuple(origin_of(places.page, [node]) for node in left)
            yield Issue("coverage", "suspicious", reason, source=run.pages[group.page].name, evidence=evidence)


def _left_out(nodes: Sequence[Sequence[int]], units: Sequence[int | None], places: ValuePlaces) -> list[int]:
    """The elements beside those of the records that have the same structure and hold no record."""
    elements = [unit for unit in units if unit is not None]
    elements = elements if len(elements) >= LIST else _parts(nodes, places)
    parents = Counter(places.parent[unit] for unit in elements)
    signatures = {_signature(places, unit) for unit in elements}
    extracted = set(elements)
    return [
        child
        for parent, count in parents.items()
        if parent >= 0 and count >= LIST
        for child in _children(places, parent)
        if child not in extracted and _signature(places, child) in signatures
    ]


def _parts(nodes: Sequence[Sequence[int]], places: ValuePlaces) -> list[int]:
    """The elements that make up records without a single element each, such as a term and its description."""
    extracted = np.unique([node for several in nodes for node in several])
    if not len(extracted):
        return []
    children = list(_children(places, places.lowest_common([int(extracted[0]), int(extracted[-1])])))
    first, last = (
        np.searchsorted(extracted, children),
        np.searchsorted(extracted, [places.end[child] for child in children]),
    )
    return [child for child, start, stop in zip(children, first, last, strict=True) if start < stop]


def _signature(places: ValuePlaces, node: int) -> tuple[str, ...]:
    """The tag and classes of an element and of its children."""
    children = (child for child in _children(places, node) if not places.page.is_text[child])
    return places.signature(node), *map(places.signature, children)


def _children(places: ValuePlaces, node: int) -> Iterator[int]:
    child, end = node + 1, places.end[node]
    while child < end:
        yield child
        child = places.end[child]
