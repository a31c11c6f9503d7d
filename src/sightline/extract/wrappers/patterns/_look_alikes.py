"""Look-alikes: elements that resemble the records of a page and are none, and how likely it is that they should be.

An element resembles the records if the same tags lead from it to values, whatever its classes are and wherever it is.
Those with the same tag path and classes are one group. Each group is measured, and a fitted model says how likely it is
that it has records that were left out. `python -m bench.teach.fit_look_alikes` fits the weights.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from sightline.arrays import BoolArray, LongArray
from sightline.extract.wrappers.patterns._view import View
from sightline.signals import text_kind

MOST_WAYS = 3  # in which the tags lead from a record to the values of a field
LEAST_FIELDS = 0.5  # of the fields: an element with fewer resembles no record
MOST_GROUPS = 12  # the largest ones are measured
SOME = 5  # elements of a group, and records, whose insides are compared
SAME_WIDTH = 2.0  # pixels that those may differ by which are equally wide
APART = frozenset(("nav", "header", "footer", "aside"))
MEASURES = (
    "number",
    "share",
    "same path",
    "siblings",
    "tail",
    "classes",
    "unclassed",
    "fields",
    "value classes",
    "shape",
    "length",
    "near",
    "between",
    "apart",
    "kinds",
    "looks",
    "widths",
    "one field",
    "dropped",
)


@dataclass(frozen=True, eq=False)
class LookAlikes:
    """A group of elements that resemble the records, and what was measured of it."""

    nodes: LongArray
    measures: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class _Taken:
    """The records that were read: the nodes of the values of each field, and the tags that lead to them."""

    view: View
    records: LongArray
    values: Sequence[LongArray]
    ways: Sequence[Sequence[str]]
    paths: LongArray


def look_alikes(
    view: View, records: LongArray, dropped: LongArray, fields: Sequence[Sequence[int]]
) -> Iterator[LookAlikes]:
    """The groups of elements apart from the records that resemble them, the largest first."""
    values = [np.unique(np.asarray(nodes, dtype=np.int64)) for nodes in fields if len(nodes)]
    if not values or not len(records):
        return
    ways = [_ways(view, records, nodes) for nodes in values]
    taken = _Taken(view, records, values, ways, np.unique(view.page.path[records]).astype(np.int64))
    nodes, having = _resembling(taken)
    if not len(nodes):
        return
    keys = np.stack([view.page.path[nodes].astype(np.int64), view.attribute("class")[nodes].astype(np.int64)])
    _, group, sizes = np.unique(keys, axis=1, return_inverse=True, return_counts=True)
    for number in np.argsort(-sizes, kind="stable")[:MOST_GROUPS].tolist():
        inside = group.reshape(-1) == number
        yield LookAlikes(nodes[inside], _measures(taken, nodes[inside], having[:, inside], dropped))


def _ways(view: View, records: LongArray, values: LongArray) -> list[str]:
    """The tags that lead from a record to its values, the most frequent first."""
    page = view.page
    of = records[np.maximum(np.searchsorted(records, values, side="right") - 1, 0)]
    pairs, counts = np.unique(np.stack([page.path[of], page.path[values]]), axis=1, return_counts=True)
    found: Counter[str] = Counter()
    for (outer, inner), count in zip(pairs.T.tolist(), counts.tolist(), strict=True):
        found[page.path_names[inner].removeprefix(page.path_names[outer])] += count
    return [way for way, _ in found.most_common(MOST_WAYS)]


def _resembling(taken: _Taken) -> tuple[LongArray, BoolArray]:
    """The elements from which the same tags lead to values, and for each field which of them have it."""
    from sightline.extract.wrappers.patterns._records import apart_from

    view, page = taken.view, taken.view.page
    names = page.path_names
    number = {name: place for place, name in enumerate(names)}
    endings = tuple({"/" + names[path].rpartition("/")[2] for path in taken.paths.tolist()})
    inner: list[list[int]] = [[] for _ in taken.ways]
    outer = []
    for place, name in enumerate(names):
        if not name.endswith(endings):
            continue
        found = [[there for way in ways if (there := number.get(name + way, -1)) >= 0] for ways in taken.ways]
        if sum(map(bool, found)) >= LEAST_FIELDS * len(found):
            outer.append(place)
            for known, more in zip(inner, found, strict=True):
                known.extend(more)
    nodes = np.flatnonzero(np.isin(page.path, outer) & (view.last > view.first))
    nodes = apart_from(view, nodes, taken.records)
    having = np.zeros((len(inner), len(nodes)), dtype=np.bool_)
    for place, paths in enumerate(inner):
        there = np.flatnonzero(np.isin(page.path, paths) & (view.last > view.first))
        having[place] = np.searchsorted(there, page.end[nodes]) > np.searchsorted(there, nodes)
    kept = having.sum(axis=0) >= LEAST_FIELDS * len(inner)
    return nodes[kept], having[:, kept]


def _measures(taken: _Taken, nodes: LongArray, having: BoolArray, dropped: LongArray) -> tuple[float, ...]:
    view, page, records = taken.view, taken.view.page, taken.records
    own = page.path_names[int(page.path[nodes[0]])].split("/")
    paths = [page.path_names[path].split("/") for path in taken.paths.tolist()]
    tail = max(_shared_tail(own, path) / max(1, len(path) - 1) for path in paths)
    some, others = _some(nodes), _some(records)
    classes, usual = view.classes(int(nodes[0])), frozenset[str]().union(*(view.classes(one) for one in others))
    leaves = np.mean(view.last[nodes] - view.first[nodes]), np.mean(view.last[records] - view.first[records])
    before, behind = view.first[records[0]] - view.last[nodes[-1]], view.first[nodes[0]] - view.last[records[-1]]
    gap = max(0, int(before), int(behind)) / max(1, len(view.leaves))
    shapes = [frozenset[str]().union(*(_shape(view, one) for one in several)) for several in (some, others)]
    inside = _values_in(taken, nodes)
    values = {
        "number": np.log1p(len(nodes)),
        "share": len(nodes) / (len(nodes) + len(records)),
        "same path": bool(np.isin(page.path[nodes[0]], taken.paths)),
        "siblings": np.isin(page.parent[nodes], page.parent[records]).mean(),
        "tail": tail,
        "classes": _alike(classes, usual),
        "unclassed": not classes and not usual,
        "fields": having.mean(),
        "value classes": np.mean([_shares(view.attribute("class"), *both) for both in inside]),
        "shape": _alike(*shapes),
        "length": min(leaves) / max(*leaves, 1.0),
        "near": 1 - gap,
        "between": bool(records[0] < nodes[0] < records[-1]),
        "apart": bool(APART & set(own)) and not any(APART & set(path) for path in paths),
        "kinds": np.mean([_same_kinds(view, *both) for both in inside]),
        "looks": np.mean([_shares(view.look, *both) for both in inside]) if page.kind == "rendered" else 0.0,
        "widths": _as_wide(view, nodes, records) if page.kind == "rendered" else 0.0,
        "one field": len(taken.values) == 1,
        "dropped": np.isin(nodes, dropped).mean(),
    }
    return tuple(float(values[name]) for name in MEASURES)


def _some(nodes: LongArray) -> list[int]:
    return [int(node) for node in nodes[:: -(-len(nodes) // SOME)]]


def _shared_tail(first: Sequence[str], second: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(reversed(first), reversed(second))))


def _alike(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / len(first | second) if first | second else 0.0


def _shape(view: View, node: int) -> frozenset[str]:
    """The tag paths inside an element, from it on."""
    page = view.page
    own = len(page.path_names[int(page.path[node])])
    return frozenset(page.path_names[path][own:] for path in np.unique(page.path[node + 1 : page.end[node]]).tolist())


def _values_in(taken: _Taken, nodes: LongArray) -> list[tuple[LongArray, LongArray]]:
    """For each field, the nodes of a group that are where the values of records are, and these values."""
    page = taken.view.page
    number = {name: place for place, name in enumerate(page.path_names)}
    own = page.path_names[int(page.path[nodes[0]])]
    found = []
    for ways, values in zip(taken.ways, taken.values, strict=True):
        there = np.flatnonzero(np.isin(page.path, [number.get(own + way, -1) for way in ways]))
        place = np.searchsorted(nodes, there, side="right") - 1
        found.append((there[(place >= 0) & (there < page.end[nodes[place]])], values))
    return found


def _shares(column: LongArray, nodes: LongArray, values: LongArray) -> float:
    """The share of some nodes whose entry in a column some value has."""
    return float(np.isin(column[nodes], column[values]).mean()) if len(nodes) else 0.0


def _same_kinds(view: View, nodes: LongArray, values: LongArray) -> float:
    """The share of some nodes whose text is of the kind of most values."""
    if not len(nodes):
        return 0.0
    kinds = [[text_kind(view.text(one)) for one in _some(several)] for several in (nodes, values)]
    usual = Counter(kinds[1]).most_common(1)[0][0]
    return kinds[0].count(usual) / len(kinds[0])


def _as_wide(view: View, nodes: LongArray, records: LongArray) -> float:
    width = view.page.box[:, 2] - view.page.box[:, 0]
    usual = np.nanmedian(width[records]) if np.isfinite(width[records]).any() else np.nan
    return float((np.abs(width[nodes] - usual) <= SAME_WIDTH).mean())
