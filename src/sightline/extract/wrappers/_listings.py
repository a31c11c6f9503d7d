"""Examples on pages of results: the repeated region that they are in, and which of its records each is in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

import numpy as np

from sightline.arrays import LongArray
from sightline.extract.wrappers.patterns import (
    Located,
    Pattern,
    RegionShown,
    Rule,
    SearchSpan,
    Values,
    View,
    repeated_element,
    same_make,
    telling_kinds,
)

if TYPE_CHECKING:
    from sightline.extract.lists import RankedRegion

Examples = Mapping[str, Sequence[Located]]
"""The examples of each field on one page, in the order in which they were given."""

# Rows that hold the records of a better region side by side are never meant; any other region may be.
NEVER_MEANT = "holds a whole list"
# Of the share of records that have the fields, where another region has more: so a part of a record that merely repeats
# in it is not taken for the record. Chosen by `python -m bench.teach.fit_listings`: with 0.5 such parts are taken, and
# more than 0.75 gains nothing.
RECURRING = 0.75
# Of the records of a list that have the fields; below, most are about something else, such as the blocks of a page
# about one thing. What isn't a list in its own right must have them in nearly all of its records.
LEAST_RECURRING = 0.5
NEARLY_ALL = 0.9
# Of the fields that what is before the first record has, from which on it is a record, too. Of lists of which two
# records are shown, at four places each, 94.8 % are read whole with 0.5, and 94.5 % with more.
LEAST_SHARED = 0.5


@dataclass(frozen=True, eq=False)
class Listing:
    """The records of a repeated region; if `whole`, each is one element. `is_list`: it is a list in its own right."""

    start: LongArray
    stop: LongArray
    flat: bool = False
    whole: bool = True
    is_list: bool = True

    def numbers(self, nodes: Sequence[int] | LongArray) -> LongArray:
        """For each node, the number of the record that it is in, or -1."""
        wanted = np.asarray(nodes, dtype=np.int64)
        number = np.searchsorted(self.start, wanted, side="right") - 1
        found: LongArray = np.where((number >= 0) & (wanted < self.stop[number]), number, -1)
        return found


def listings_of(view: View) -> list[Listing]:
    """The repeated regions of a page whose records are elements, or runs of elements; the best first."""
    from sightline.extract.lists import rank_regions  # only here: reading by a wrapper does not need it

    return [
        _listing(ranked)
        for ranked in rank_regions(view.page)
        if ranked.decision != NEVER_MEANT and not view.page.is_text[ranked.region.start].any()
    ]


def _listing(ranked: "RankedRegion") -> Listing:
    region, is_list = ranked.region, ranked.decision == "list"
    start, stop = region.start.astype(np.int64), region.stop.astype(np.int64)
    return Listing(start, stop, region.how == "forest", region.how == "units" and region.level is None, is_list)


def _with_same_make(view: View, listing: Listing, records: Sequence[Values]) -> Listing:
    """A listing with elements of its make elsewhere: the first result may be apart from the others."""
    if not listing.whole or not view.classes(int(listing.start[0])):
        return listing
    fields: dict[str, list[int]] = {}
    for record in records:
        for name, several in record.items():
            fields.setdefault(name, []).extend(node for located in several for node in located.nodes)
    more = same_make(view, listing.start, [telling_kinds(view, nodes) for nodes in fields.values()])
    if not len(more):
        return listing
    start = np.sort(np.concatenate([listing.start, more]))
    return Listing(start, view.page.end[start].astype(np.int64))


def rows_of(examples: Examples) -> list[Values]:
    """Records as examples give them one by one: the first of every field are one record, the second ones another."""
    return [
        {name: (located,) for name, located in zip(examples, row, strict=True) if located is not None}
        for row in zip_longest(*examples.values())
    ]


def shown_in_listing(
    view: View, listings: Sequence[Listing], records: Sequence[Values], *, from_start: bool = False
) -> RegionShown | None:
    """The listing that records are in, each in another of its own; None if there is none.

    Of several, the one with the smallest such records counts, if most of the others have the fields as well.
    `from_start`: what is before the first of the records, and lacks its fields, is none.
    """
    found = list(_candidates(view, listings, records)) or list(
        _candidates(view, [_with_same_make(view, listing, records) for listing in listings], records)
    )
    found = [candidate for candidate in found if candidate.is_likely]
    if not found:
        return None
    most = max(candidate.recurring for candidate in found)
    kept = [candidate for candidate in found if candidate.recurring >= RECURRING * most]
    best = min(kept, key=lambda candidate: candidate.size)
    return region_of(view, best.listing, best.given, _before_first(view, best) if from_start else frozenset())


def region_of(
    view: View, listing: Listing, given: Mapping[int, Values], gone: frozenset[int] = frozenset()
) -> RegionShown:
    """A listing as it is shown: its records but those that are gone, with the values that were given."""
    spans = zip(listing.start.tolist(), listing.stop.tolist(), strict=True)
    items = tuple(SearchSpan(start, stop) for start, stop in spans)
    left = [number for number in range(len(items)) if number not in gone]
    inside = {left.index(number): _inside(items[number], values) for number, values in given.items()}
    barred = frozenset(items[number].start for number in gone)
    return RegionShown(view, tuple(items[number] for number in left), listing.flat, inside, barred)


def _before_first(view: View, best: "_Candidate") -> frozenset[int]:
    """The records before the first given one that lack its fields, such as a row of headings: they are none.

    Those with its fields are records all the same: an example in a region means the region.
    """
    fields = _having(view, best.listing, best.given)
    shares = [sum(number in having for having in fields) / len(fields) for number in range(min(best.given))]
    return frozenset(number for number, share in enumerate(shares) if share < LEAST_SHARED)


def items_beside(view: View, listings: Sequence[Listing], examples: Sequence[Located]) -> list[int]:
    """The other items of the list in which each example is a whole item; none if there is no such list."""
    shown = shown_in_listing(view, listings, rows_of({"": examples}))
    if shown is None or shown.flat:
        return []
    wholes = [
        view.first[node] == view.first[item.start] and view.last[node] == view.last[item.start]
        for number, values in shown.given.items()
        for item, node in [(shown.items[number], values[""][0].nodes[0])]
    ]
    return [item.start for number, item in enumerate(shown.items) if number not in shown.given] if all(wholes) else []


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A listing, which of its records were given, the nodes in these, and the share of all records with such fields.

    It is `repeated` if no field is in one record alone.
    """

    listing: Listing
    given: Mapping[int, Values]
    size: int
    recurring: float
    repeated: bool

    @property
    def is_likely(self) -> bool:
        """Whether the records are what was pointed at: enough of them have the fields."""
        return self.repeated and self.recurring >= (LEAST_RECURRING if self.listing.is_list else NEARLY_ALL)


def _candidates(view: View, listings: Sequence[Listing], records: Sequence[Values]) -> Iterator[_Candidate]:
    for listing in listings:
        given = _records_of(listing, records)
        if given:
            size = sum(int(listing.stop[number] - listing.start[number]) for number in given)
            counts = _counts(view, listing, given)
            share = sum(counts) / len(counts) / len(listing.start)
            yield _Candidate(listing, given, size, share, min(counts) > 1)


def _records_of(listing: Listing, records: Sequence[Values]) -> dict[int, Values]:
    """Which record of a listing each example record is; nothing unless each is another one."""
    found: dict[int, Values] = {}
    for record in records:
        places = [set(listing.numbers(located.nodes).tolist()) for several in record.values() for located in several]
        shared = set.intersection(*places) - {-1} - found.keys()
        if not shared:
            return {}
        found[min(shared)] = record
    return found


def _counts(view: View, listing: Listing, given: Mapping[int, Values]) -> list[int]:
    """For each field, the number of records that have it."""
    return [len(having) for having in _having(view, listing, given)]


def _having(view: View, listing: Listing, given: Mapping[int, Values]) -> list[set[int]]:
    """For each value, the records that have its field: elements with its tag path, or its classes."""
    found = []
    for number, values in given.items():
        for several in values.values():
            nodes = np.array([node for located in several for node in located.nodes])
            alike = _alike(view, listing, number, nodes[listing.numbers(nodes) == number])
            found.append(set(listing.numbers(alike).tolist()) - {-1})
    return found


def values_like(view: View, listing: Listing, number: int, located: Located) -> LongArray:
    """The first value of each record of a listing that is like one in a record: with its tag path, or its classes."""
    nodes = np.array(located.nodes)
    alike = _alike(view, listing, number, nodes[listing.numbers(nodes) == number])
    numbers = listing.numbers(alike)
    inside = numbers >= 0
    found: LongArray = alike[inside][np.unique(numbers[inside], return_index=True)[1]]
    return found


def _alike(view: View, listing: Listing, number: int, nodes: LongArray) -> LongArray:
    """The nodes like some of a record: with the same tags from the record to them, or the same tag and classes."""
    page, classes = view.page, view.attribute("class")
    inside = np.arange(int(listing.start[0]), int(listing.stop[-1]))
    classed = nodes[classes[nodes] >= 0]
    same_class = np.isin(classes[inside], classes[classed]) & np.isin(page.tag[inside], page.tag[classed])
    found: LongArray = inside[np.isin(page.path[inside], _paths(view, listing, number, nodes)) | same_class]
    return found


def _paths(view: View, listing: Listing, number: int, nodes: LongArray) -> list[int]:
    """The tag paths of some nodes of a record, as they are in every record: those may be at different depths."""
    names, path = view.page.path_names, view.page.path
    own = names[int(path[listing.start[number]])]
    others = {names[record] for record in np.unique(path[listing.start]).tolist()} - {own}
    wanted = {names[node] for node in np.unique(path[nodes]).tolist()}
    wanted |= {other + name.removeprefix(own) for other in others for name in wanted}
    return [place for place, name in enumerate(names) if name in wanted]


def _inside(item: SearchSpan, values: Values) -> Values:
    """The values with only those of their places that are in an item."""
    return {name: tuple(_within(located, item) for located in several) for name, several in values.items()}


def _within(located: Located, item: SearchSpan) -> Located:
    return replace(located, nodes=tuple(node for node in located.nodes if item.start <= node < item.stop))


# Lists that run through a page in step, and the records that they form.

ITEMS = "items"
LEAST_TOGETHER = 2  # lists that form records, and records that a page has at least
IN_STEP = 0.5  # as many values in one list as in the other
OUT_OF_STEP = 0.2  # of the records may have two of what all others have one of
SHOWN = 5  # records that rules are learned from


def shares_items(view: View, node: int, others: Sequence[int]) -> bool:
    """Whether a node is in one of the items that the other nodes are in, one in each."""
    item = repeated_element(view, node)
    container = int(view.page.parent[item])
    inside = [other for other in others if container < other < view.page.end[container]]
    same_item = [other for other in inside if item <= other < view.page.end[item]]
    return len(same_item) == 1 and len(inside) >= LEAST_TOGETHER


def single_field_records(pattern: Pattern, name: str) -> Pattern:
    """Records with one field each, for a page from which only a list is wanted."""
    field = replace(
        pattern,
        rules=(Rule((), "first"),),
        whole=True,
        many=False,
        joined=False,
        lined=False,
        needs_all=False,
        optional=False,
    )
    return replace(pattern, name=name, take="text", cut=None, fields=(field,)) if pattern.take == "text" else pattern


def in_step(leading: Sequence[int], nodes: Sequence[int]) -> bool:
    """Whether there is mostly one of the other nodes between two leading nodes, and hardly ever more."""
    if len(nodes) < LEAST_TOGETHER or not leading:
        return False
    counts = np.bincount(np.searchsorted(leading, nodes, side="right"), minlength=len(leading) + 1)
    return bool((counts > 1).sum() <= OUT_OF_STEP * len(leading) and len(nodes) >= IN_STEP * len(leading))


def first_records(view: View, nodes: Mapping[str, Sequence[int]], leading: str) -> list[dict[str, tuple[str, ...]]]:
    """The first records that lists form: the values nearest to each leading one."""
    found: list[dict[str, tuple[str, ...]]] = []
    behind = all(column[0] >= nodes[leading][0] for column in nodes.values())
    edges = [*nodes[leading], len(view.page)]
    for start, stop in list(pairwise(edges))[:SHOWN]:
        low, high = (start, stop) if behind else (_start_behind_previous(edges, start), start + 1)
        texts = {
            name: tuple(view.text(node) for node in column if low <= node < high) for name, column in nodes.items()
        }
        found.append({name: values[:1] for name, values in texts.items() if values})
    return found


def _start_behind_previous(edges: Sequence[int], start: int) -> int:
    """Where the values of a record that ends with a leading node begin: behind the leading node before it."""
    earlier = [edge for edge in edges if edge < start]
    return earlier[-1] + 1 if earlier else 0
