"""Look-alikes: elements that resemble the records of a page and are none, and how likely it is that they should be.

An element resembles the records if the same tags lead from it to values, or to it, whatever its classes are and
wherever it is. Those with the same tag path and classes are one group. Each group is measured, and a fitted model says
how likely it is that it has records that were left out. `python -m bench.teach.fit_look_alikes` fits the weights.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from sightline.arrays import BoolArray, LongArray
from sightline.extract.wrappers.patterns._view import View

MOST_WAYS = 3  # in which the tags lead from a record to the values of a field
LEAST_TOLD = 2  # fields: what has one text only resembles too much, and out of set nothing was gained by it
LEAST_FIELDS = 0.5  # of the fields: an element with fewer resembles no record
TAIL = 3  # of the last tags that lead to an element: with the same ones it resembles the records whatever is in it
MOST_GROUPS = 16  # the largest ones are measured
SOME = 5  # elements of a group, and records, whose insides are compared
APART = frozenset(("nav", "header", "footer", "aside"))
# Of the measures: what each says for records among the elements.
WEIGHTS = {
    "share": 3.28,
    "same path": -1.99,
    "siblings": -1.49,
    "tail": 5.50,
    "classes": 3.15,
    "unclassed": 0.43,
    "fields": 2.26,
    "length": 3.31,
    "between": 1.64,
    "apart": -2.84,
}
CONSTANT = -10.08
LEFT_OUT = 0.3  # of the chance that records are among them, from which on a page is doubted


@dataclass(frozen=True, eq=False)
class LookAlikes:
    """A group of elements that resemble the records, and what was measured of it."""

    nodes: LongArray
    measures: tuple[float, ...]

    @property
    def chance(self) -> float:
        """How likely records are among them."""
        score = CONSTANT + sum(weight * value for weight, value in zip(WEIGHTS.values(), self.measures, strict=True))
        return float(1 / (1 + np.exp(-score)))


@dataclass(frozen=True, eq=False)
class _Taken:
    """The records that were read: the nodes of the values of each field, and the tags that lead to them."""

    view: View
    records: LongArray
    values: Sequence[LongArray]
    ways: Sequence[Sequence[str]]
    paths: LongArray


def look_alikes(view: View, records: LongArray, fields: Sequence[Sequence[int]]) -> Iterator[LookAlikes]:
    """The groups of elements apart from the records that resemble them, the largest first."""
    values = [np.unique(np.asarray(nodes, dtype=np.int64)) for nodes in fields if len(nodes)]
    if len(values) < LEAST_TOLD or not len(records):
        return
    ways = [_ways(view, records, nodes) for nodes in values]
    taken = _Taken(view, records, values, ways, np.unique(view.page.path[records]).astype(np.int64))
    nodes, having = _resembling(taken)
    if not len(nodes):
        return
    keys = view.page.path[nodes].astype(np.int64) * len(view.page.strings) + view.attribute("class")[nodes]
    _, group, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    for number in np.argsort(-sizes, kind="stable")[:MOST_GROUPS].tolist():
        inside = group == number
        yield LookAlikes(nodes[inside], _measures(taken, nodes[inside], having[:, inside]))


def apart_from(view: View, nodes: LongArray, records: LongArray) -> LongArray:
    """Those of some elements that are in no record, have none in them, and are not in another one of them."""
    end = view.page.end
    number = np.searchsorted(records, nodes, side="right") - 1
    apart = (number < 0) | (nodes >= end[records[number]])
    apart &= np.searchsorted(records, end[nodes]) == number + 1
    nodes = nodes[apart]
    if not len(nodes):
        return nodes
    ends = np.maximum.accumulate(end[nodes])
    outer: LongArray = nodes[np.concatenate([[True], nodes[1:] >= ends[:-1]])]
    return outer


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
    view, page = taken.view, taken.view.page
    names = page.path_names
    number = {name: place for place, name in enumerate(names)}
    tails = {"/" + "/".join(names[path].split("/")[-TAIL:]) for path in taken.paths.tolist()}
    endings = tuple({"/" + names[path].rpartition("/")[2] for path in taken.paths.tolist()})
    inner: list[list[int]] = [[] for _ in taken.ways]
    outer = []
    for place, name in enumerate(names):
        if not name.endswith(endings):
            continue
        found = [[there for way in ways if (there := number.get(name + way, -1)) >= 0] for ways in taken.ways]
        if name.endswith(tuple(tails)) or sum(map(bool, found)) >= LEAST_FIELDS * len(found):
            outer.append(place)
            for known, more in zip(inner, found, strict=True):
                known.extend(more)
    nodes = np.flatnonzero(np.isin(page.path, outer) & (view.last > view.first))
    nodes = apart_from(view, nodes, taken.records)
    having: BoolArray = np.zeros((len(inner), len(nodes)), dtype=np.bool_)
    for field, inside in enumerate(inner):
        values = np.flatnonzero(np.isin(page.path, inside) & (view.last > view.first))
        having[field] = np.searchsorted(values, page.end[nodes]) > np.searchsorted(values, nodes)
    tailed = np.array([name.endswith(tuple(tails)) for name in names])
    kept = tailed[page.path[nodes]] | (having.sum(axis=0) >= LEAST_FIELDS * len(inner))
    return nodes[kept], having[:, kept]


def _measures(taken: _Taken, nodes: LongArray, having: BoolArray) -> tuple[float, ...]:
    view, page, records = taken.view, taken.view.page, taken.records
    own = page.path_names[int(page.path[nodes[0]])].split("/")
    paths = [page.path_names[path].split("/") for path in taken.paths.tolist()]
    tail = max(_shared_tail(own, path) / max(1, len(path) - 1) for path in paths)
    some, others = _some(nodes), _some(records)
    classes, usual = (frozenset[str]().union(*(view.classes(one) for one in several)) for several in (some, others))
    leaves = np.mean(view.last[nodes] - view.first[nodes]), np.mean(view.last[records] - view.first[records])
    values = {
        "share": len(nodes) / (len(nodes) + len(records)),
        "same path": bool(np.isin(page.path[nodes[0]], taken.paths)),
        "siblings": np.isin(page.parent[nodes], page.parent[records]).mean(),
        "tail": tail,
        "classes": _alike(classes, usual),
        "unclassed": not classes and not usual,
        "fields": having.mean(),
        "length": min(leaves) / max(*leaves, 1.0),
        "between": bool(records[0] < nodes[0] < records[-1]),
        "apart": bool(APART & set(own)) and not any(APART & set(path) for path in paths),
    }
    return tuple(float(values[name]) for name in WEIGHTS)


def _some(nodes: LongArray) -> list[int]:
    return [int(node) for node in nodes[:: -(-len(nodes) // SOME)]]


def _shared_tail(first: Sequence[str], second: Sequence[str]) -> int:
    both = zip(reversed(first), reversed(second), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))


def _alike(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / len(first | second) if first | second else 0.0
