"""The score of lists: which records were found, each alone and whole, and which of their cells.

A record found matches a known one when it has at least 80 % of the words of its fields, and what is left of it does not
have more than half of the words of another: two records in one are none. They are paired one to one. Cells count within
pairs, and are equal word for word.

`best` is the list of a page that fits best, so that it says what was found; `first` is the one ranked first (of a page
with several known lists, the better of the first so many), so that it says how well lists are ranked. Means are over
known lists; where a list is known only in part, recall alone counts.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bench.lists.items import NOTHING, Bag, Found, FoundList, Rates, cell_words, one_to_one, rates
from bench.measures import mean
from bench.texts import bag_of, common

CONTAINED = 0.8  # of a record's words from which it counts as found
MERGED = 0.5  # of another record's words above which it is in there, too
GOOD = 0.9  # F1 from which a list counts as good


@dataclass(frozen=True)
class ListTruth:
    """A list that a page has; `siblings` tells how many known lists the page has, this one included."""

    id: str
    set: str
    part: str
    file: str
    records: tuple[tuple[str, ...], ...]
    is_complete: bool = True
    siblings: int = 1

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> "ListTruth":
        """One line of `truth.jsonl`."""
        records = tuple(tuple(record["fields"]) for record in line["records"])
        known = line["id"], line["set"], str(line.get("part")), line["file"]
        return cls(*known, records, bool(line.get("complete")), max(1, line.get("lists_on_page", 1)))

    @cached_property
    def bags(self) -> tuple[tuple[Bag, int], ...]:
        """The words of every record, and how many they are."""
        bags = [bag_of(fields) for fields in self.records]
        return tuple((bag, bag.total()) for bag in bags)

    @cached_property
    def cells(self) -> tuple[Counter[str], ...]:
        """The filled cells of every record."""
        return tuple(Counter(key for text in fields if (key := cell_words(text))) for fields in self.records)


@dataclass(frozen=True)
class ListScore:
    """How well one list fits; `partners` gives the known record of each found one that has any. `place` is its rank."""

    records: Rates = NOTHING
    cells: Rates = NOTHING
    size: int = 0
    partners: Mapping[int, int] = field(default_factory=dict)
    place: int | None = None


@dataclass(frozen=True)
class PageScore:
    """How well a known list was found among those of its page."""

    truth: ListTruth
    best: ListScore
    first: ListScore
    found: int


@dataclass(frozen=True)
class Summary:
    """The means of several lists; None where there is nothing to take one of."""

    lists: int
    best_precision: float | None
    best_recall: float | None
    best_f1: float | None
    best_cells: float | None
    good: float | None
    first_precision: float | None
    first_recall: float | None
    first_f1: float | None
    first_cells: float | None
    any: float | None


def compared(truth: ListTruth, found: FoundList, place: int | None = None) -> ListScore:
    """One list that was found against the known one; items without any word are none."""
    filled = [item for item in found if item.bag]
    partners = one_to_one([list(_choices(truth, item)) for item in filled])
    same = sum((filled[one].cells & truth.cells[other]).total() for one, other in partners.items())
    cells, known = (sum(several.total() for several in both) for both in ([one.cells for one in filled], truth.cells))
    records = rates(len(partners), len(filled), len(truth.records))
    return ListScore(records, rates(same, cells, known), len(filled), partners, place)


def score(truth: ListTruth, found: Sequence[FoundList]) -> PageScore:
    """The lists of a page, in their ranking, against one that it has."""
    scored = [compared(truth, one, place) for place, one in enumerate(found)]
    best, first = (max(several, key=_fit(truth), default=ListScore()) for several in (scored, scored[: truth.siblings]))
    return PageScore(truth, best, first, len(scored))


def summary(pages: Sequence[PageScore]) -> Summary:
    """The means over known lists."""
    whole = [page for page in pages if page.truth.is_complete]
    return Summary(
        len(pages),
        mean(page.best.records.precision for page in whole),
        mean(page.best.records.recall for page in pages),
        mean(page.best.records.f1 for page in whole),
        mean(page.best.cells.f1 for page in whole),
        mean(page.best.records.f1 >= GOOD for page in whole),
        mean(page.first.records.precision for page in whole),
        mean(page.first.records.recall for page in pages),
        mean(page.first.records.f1 for page in whole),
        mean(page.first.cells.f1 for page in whole),
        mean(page.found > 0 for page in pages),
    )


def groups(pages: Sequence[PageScore]) -> dict[str, Summary]:
    """Summaries of everything, of each set, and of the parts of a set that has several."""
    found = {"all": summary(pages)}
    for name in sorted({page.truth.set for page in pages}):
        own = [page for page in pages if page.truth.set == name]
        found[name] = summary(own)
        parts = sorted({page.truth.part for page in own})
        for part in parts if len(parts) > 1 else ():
            found[f"{name} / {part}"] = summary([page for page in own if page.truth.part == part])
    return found


def _fit(truth: ListTruth) -> Any:
    """What the best list is best by; of a part of a list the shorter one that has it."""
    if truth.is_complete:
        return lambda one: (one.records.f1, one.cells.f1)
    return lambda one: (one.records.recall, -one.size)


def _choices(truth: ListTruth, item: Found) -> Iterator[int]:
    """The known records that an item may be taken for, the most likely first."""
    size = item.bag.total()
    near = []
    for number, (bag, total) in enumerate(truth.bags):
        if total and size >= CONTAINED * total:
            share = common(bag, item.bag) / total
            if share >= CONTAINED:
                near.append((-share, abs(size - total), number))
    for _, _, number in sorted(near):
        if not _has_another(truth, item.bag - truth.bags[number][0], number):
            yield number


def _has_another(truth: ListTruth, rest: Bag, number: int) -> bool:
    """Whether what is left of an item, besides the record of this number, has most of another record."""
    left = rest.total()
    return any(
        left > MERGED * total and common(bag, rest) > MERGED * total
        for other, (bag, total) in enumerate(truth.bags)
        if total and other != number
    )
