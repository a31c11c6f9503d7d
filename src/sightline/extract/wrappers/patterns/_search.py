"""The search for rules: all conjunctions of few conditions, ranked by how likely they are to hold elsewhere.

Every condition is a row of bits over the nodes of all contexts with examples, so a conjunction is one `and`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sightline.extract.wrappers.patterns._conditions import Condition, mask_of
from sightline.extract.wrappers.patterns._propose import NEGATED, conditions_on, is_called
from sightline.extract.wrappers.patterns._view import View

MOST_CONDITIONS = 90  # the cheapest, for pairs
MOST_FOR_THREE = 36  # the cheapest, for conjunctions of three
ANCHORLESS = 1.6  # nothing in the rule names what it matches
LENGTH = 0.25  # for each condition
FIRST, LAST = 0.7, 1.2
SINGLE_EXTRA = 2.0
NEAR_EXTRA = 0.12
FEW = 2  # nodes for each example; a text nearly always belongs to several nested nodes
FEW_OF_ALL = 2.0  # the same, if the examples were declared complete
FEW_EXTRA = 0.8  # hardly more matches than examples: then the examples are probably all there is
FAR_EXTRA = 1.2
SWALLOWED = 3.0
MORE = 0.5  # for a rule that matches more of the same, where there must be more
OTHER = 2.0  # it matches the value of another field
CALLED = 0.3  # for a condition that has the name of the field
MOST_NODES = 24  # with the text of one example; a text in many places says little about any of them
MOST_REFUSED = 6  # unwanted nodes whose conditions are negated
CELL_TAGS = ("td", "th")
MOST_JUDGED = 600  # conjunctions of one length, the cheapest
KEPT = 200
MOST_SEARCHES = 64  # that a view keeps: those of a dozen fields, each with a few variants
ANCHORS = frozenset(
    (
        *("class", "id", "attribute", "after", "beside", "following", "under", "column", "said", "begins"),
        *("right of", "below"),
    )
)
ANCHOR_TAGS = frozenset(("h1", "time", "address"))


@dataclass(frozen=True, slots=True)
class Aim:
    """What to search for: a field by its name, and what it is like.

    `values` are texts that are data, and so not labels. `single`: a context has at most one value. `most` is the most
    conditions in a rule. `take` is "text" or an attribute. `more`: the wanted values are known to be only some of
    those there are; `complete`: they were declared to be all.
    """

    name: str
    values: frozenset[str] = frozenset()
    single: bool = False
    most: int = 3
    take: str = "text"
    more: bool = False
    complete: bool = False


@dataclass(frozen=True, eq=False)
class WantedValue:
    """One value that was given: the nodes with its text, any of which will do."""

    nodes: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Context:
    """Where a pattern looks: a span of nodes, and what is wanted there and what is not.

    `others` are the values of other fields; `container` holds the list that a single wanted value may belong to.
    """

    view: View
    start: int
    stop: int
    wanted: tuple[WantedValue, ...] = ()
    unwanted: frozenset[int] = frozenset()
    others: frozenset[int] = frozenset()
    container: int | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What it consists of, to be compared with others: the same view, and the same nodes of it."""
        wanted = tuple(value.nodes for value in self.wanted)
        return self.view, self.start, self.stop, wanted, self.unwanted, self.others, self.container


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A conjunction that is consistent with the examples, which of its matches are picked, and its cost."""

    conditions: tuple[Condition, ...]
    pick: str
    cost: float
    extras: int
    covered: npt.NDArray[np.bool_]
    count: int


@dataclass(frozen=True, eq=False)
class _Table:
    """The conditions as rows, and the nodes of all contexts as columns."""

    conditions: list[Condition]
    costs: npt.NDArray[np.float64]
    rows: npt.NDArray[np.bool_]
    member: npt.NDArray[np.int64]  # for each column the number of the value that it says, or -1
    context: npt.NDArray[np.int64]
    near: npt.NDArray[np.bool_]
    barred: npt.NDArray[np.bool_]
    swallows: npt.NDArray[np.bool_]
    others: npt.NDArray[np.bool_]
    values: int


def search(aim: Aim, contexts: Sequence[Context]) -> list[Hypothesis]:
    """The rules that match the wanted values in as many contexts as one rule can, the best first.

    With every example of a lesson all fields are searched for again, most of them with the same examples; what was
    found for these is kept with the view.
    """
    costs = _propose(aim, contexts)
    if not costs:
        return []
    known = contexts[0].view.searches
    key = replace(aim, values=frozenset()), tuple(context.key for context in contexts), tuple(costs.items())
    if key not in known:
        if len(known) >= MOST_SEARCHES:
            known.pop(next(iter(known)))
        known[key] = _search(aim, contexts, costs)
    return list(known[key])


def _search(aim: Aim, contexts: Sequence[Context], costs: dict[Condition, float]) -> list[Hypothesis]:
    table = _table(aim, contexts, costs)
    ways = [way for combos in _combinations(table, aim.most) for way in _ways(table, combos, aim)]
    places = [(way, place) for way in ways for place in way.best()]
    if not places:
        return []
    counts, costs_of_all, sizes = np.array([way.rank(place) for way, place in places]).T
    best = np.lexsort((sizes, costs_of_all, counts))[:KEPT].tolist()  # sorted before any is made: most are not kept
    return [way.hypothesis(place, table.conditions) for way, place in (places[number] for number in best)]


def _propose(aim: Aim, contexts: Sequence[Context]) -> dict[Condition, float]:
    """Conditions that hold for wanted values, and negations of those that hold for unwanted ones, with costs."""
    costs: dict[Condition, float] = {}
    for context in contexts:
        for wanted in (*context.wanted[:2], *context.wanted[-1:]):
            for node in wanted.nodes[:MOST_NODES]:
                for condition, cost in conditions_on(context.view, node, context.start, aim.values):
                    named_cost = cost - CALLED * is_called(condition, aim.name)
                    costs[condition] = min(named_cost, costs.get(condition, np.inf))
    for context in contexts:
        for node in sorted(context.unwanted)[:MOST_REFUSED]:
            for condition, cost in conditions_on(context.view, node, context.start, aim.values):
                if condition not in costs:
                    denied = replace(condition, negated=True)
                    costs[denied] = min(cost + NEGATED, costs.get(denied, np.inf))
    return costs


def _table(aim: Aim, contexts: Sequence[Context], costs: dict[Condition, float]) -> _Table:
    order = sorted(costs, key=lambda condition: costs[condition])
    columns = [_columns(aim, context) for context in contexts]
    says, total = [], 0
    for context, nodes in zip(contexts, columns, strict=True):
        value_of_node = np.full(len(context.view.page), -1)
        for wanted in context.wanted:
            value_of_node[list(wanted.nodes)] = total
            total += 1
        says.append(value_of_node[nodes])
    member = np.concatenate(says)

    def in_columns(mark: Callable[[Context], npt.NDArray[np.bool_]]) -> npt.NDArray[np.bool_]:
        return np.concatenate([mark(context)[nodes] for context, nodes in zip(contexts, columns, strict=True)])

    matrix = np.array([in_columns(partial(_mask, condition)) for condition in order])
    kept = _useful(order, matrix, member)
    return _Table(
        conditions=[order[number] for number in kept],
        costs=np.array([costs[order[number]] for number in kept]),
        rows=matrix[kept],
        member=member,
        context=np.repeat(np.arange(len(contexts)), [len(nodes) for nodes in columns]),
        near=in_columns(_near),
        barred=in_columns(lambda context: _marked(context, context.unwanted)),
        swallows=in_columns(_swallows),
        others=in_columns(lambda context: _marked(context, context.others)),
        values=total,
    )


def _columns(aim: Aim, context: Context) -> npt.NDArray[np.int64]:
    """The nodes of a context that can be a value."""
    nodes = context.view.candidates if aim.take == "text" else context.view.with_attribute(aim.take)
    return nodes[np.searchsorted(nodes, context.start) : np.searchsorted(nodes, context.stop)]


def _mask(condition: Condition, context: Context) -> npt.NDArray[np.bool_]:
    return mask_of(context.view, condition)


def _marked(context: Context, nodes: frozenset[int]) -> npt.NDArray[np.bool_]:
    found = np.zeros(len(context.view.page), dtype=bool)
    found[list(nodes)] = True
    return found


def _near(context: Context) -> npt.NDArray[np.bool_]:
    """Nodes with the same path in the smallest element that holds all wanted values: probably more of the same."""
    page = context.view.page
    near = np.zeros(len(page), dtype=bool)
    if not context.wanted:
        return near
    firsts = [min(wanted.nodes) for wanted in context.wanted]
    low, high = min(firsts), max(firsts)
    node = int(page.parent[low]) if context.container is None else context.container
    while node >= 0 and page.end[node] <= high:
        node = int(page.parent[node])
    inside = slice(max(node, context.start), page.end[node])
    alike = [node_alike for wanted in context.wanted for node_alike in wanted.nodes]
    near[inside] = np.isin(page.path[inside], page.path[alike])
    cells = [node_alike for node_alike in alike if page.strings[int(page.tag[node_alike])] in CELL_TAGS]
    if cells:  # more of the same is in the same column
        near &= ~np.isin(page.tag, page.tag[cells]) | np.isin(page.position, page.position[cells])
    return near


def _swallows(context: Context) -> npt.NDArray[np.bool_]:
    """The elements that contain a wanted value and more: a rule that matches them does not give the value."""
    view = context.view
    found = np.zeros(len(view.page), dtype=bool)
    for wanted in context.wanted:
        is_value = np.zeros(len(view.page), dtype=bool)
        is_value[list(wanted.nodes)] = True
        found |= view.holding(is_value) & ~is_value
    return found


def _useful(conditions: Sequence[Condition], matrix: npt.NDArray[np.bool_], says: npt.NDArray[np.int64]) -> list[int]:
    """The cheapest conditions; of those that hold for the same nodes, preferably one that names what it matches."""
    by_nodes: dict[bytes, int] = {}
    for number in range(len(matrix)):
        if not (matrix[number] & (says >= 0)).any():
            continue
        key = np.packbits(matrix[number]).tobytes()
        first = by_nodes.setdefault(key, number)
        if _is_anchor(conditions[number]) and not _is_anchor(conditions[first]):
            by_nodes[key] = number
    return sorted(by_nodes.values())[:MOST_CONDITIONS]


def _combinations(table: _Table, most: int) -> list[npt.NDArray[np.int64]]:
    count = len(table.conditions)
    found = [np.arange(count)[:, None]]
    if most > 1:
        found.append(np.array(np.triu_indices(count, 1)).T)
    few = min(count, MOST_FOR_THREE)
    if most > 2 and few > 2:
        first, second, third = np.meshgrid(*[np.arange(few)] * 3, indexing="ij")
        rising = (first < second) & (second < third)
        found.append(np.stack([first[rising], second[rising], third[rising]], axis=1))
    return [combos for combos in found if len(combos)]


def _ways(table: _Table, combos: npt.NDArray[np.int64], aim: Aim) -> "list[_Way]":
    """The combinations that match a wanted value and nothing unwanted, with their costs."""
    covered = _covered(table, combos)
    count = covered.sum(axis=1)
    base = table.costs[combos].sum(axis=1) + LENGTH * combos.shape[1]
    base += np.where(_anchored(table)[combos].any(axis=1), 0, ANCHORLESS)
    refused = np.asarray(_all_of(table.rows[:, table.barred], combos).any(axis=1))
    chosen = np.flatnonzero((count > 0) & (aim.single | ~refused))
    chosen = chosen[np.lexsort((base[chosen], -count[chosen]))][:MOST_JUDGED]
    if not len(chosen):
        return []
    full = _all_of(table.rows, combos[chosen])
    extra = full & (table.member < 0)
    near = np.count_nonzero(extra & table.near, axis=1)
    far = np.count_nonzero(extra, axis=1) - near
    taking_all = base[chosen] + _extra_costs(table, extra, near, far, aim)
    own, extras = combos[chosen], near + far
    if not aim.single:
        return [_Way("all", own, taking_all, covered[chosen], np.ones(len(chosen), dtype=bool), extras)]
    first, last = _pick(table, full, "first"), _pick(table, full, "last")
    some, none = extras > 0, np.zeros_like(extras)
    return [
        _Way("all", own, taking_all, first.covered, ~refused[chosen] & ~first.wrong, extras),
        _Way("first", own, base[chosen] + FIRST, first.covered, some & first.right, none),
        _Way("last", own, base[chosen] + LAST, last.covered, some & last.right, none),
    ]


@dataclass(frozen=True, eq=False)
class _Way:
    """One way of picking matches, for many combinations: its cost, what it covers, and for which it is allowed."""

    pick: str
    combos: npt.NDArray[np.int64]
    cost: npt.NDArray[np.float64]
    covered: npt.NDArray[np.bool_]
    allowed: npt.NDArray[np.bool_]
    extras: npt.NDArray[np.int64]

    @cached_property
    def count(self) -> npt.NDArray[np.int64]:
        """How many of the wanted values each combination matches."""
        return np.asarray(self.covered.sum(axis=1))

    def best(self) -> list[int]:
        """The combinations worth keeping: those that cover most, then the cheapest."""
        count = self.count
        right = np.flatnonzero(self.allowed & (count > 0))
        order: list[int] = right[np.lexsort((self.cost[right], -count[right]))][:KEPT].tolist()
        return order

    def rank(self, place: int) -> tuple[float, float, int]:
        """What a combination is sorted by: how many values it lacks, its cost, and how long it is."""
        return -float(self.count[place]), float(self.cost[place]), self.combos.shape[1]

    def hypothesis(self, place: int, conditions: Sequence[Condition]) -> Hypothesis:
        """One of the combinations, in full."""
        return Hypothesis(
            tuple(conditions[number] for number in self.combos[place].tolist()),
            self.pick,
            float(self.cost[place]),
            int(self.extras[place]),
            self.covered[place],
            int(self.count[place]),
        )


def _covered(table: _Table, combos: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which of the wanted values each combination matches; one that no column says is matched by none."""
    inside = np.flatnonzero(table.member >= 0)
    order = inside[np.argsort(table.member[inside], kind="stable")]
    said, bounds = np.unique(table.member[order], return_index=True)
    covered = np.zeros((len(combos), table.values), dtype=bool)
    if len(said):
        covered[:, said] = np.logical_or.reduceat(_all_of(table.rows[:, order], combos), bounds, axis=1)
    return covered


def _extra_costs(
    table: _Table,
    extra: npt.NDArray[np.bool_],
    near: npt.NDArray[np.int64],
    far: npt.NDArray[np.int64],
    aim: Aim,
) -> npt.NDArray[np.float64]:
    """The cost of matching more than is wanted."""
    costs = SWALLOWED * (extra & table.swallows).any(axis=1) + OTHER * (extra & table.others).any(axis=1)
    if aim.single:
        return np.asarray(costs + SINGLE_EXTRA * np.log2(1 + near + far))
    costs = costs + NEAR_EXTRA * np.log2(1 + near) + FAR_EXTRA * np.log2(1 + far)
    few_cost = FEW_OF_ALL if aim.complete else FEW_EXTRA
    few = -MORE * np.log2(1 + near) if aim.more else few_cost * (near <= FEW * table.values) * (near > 0)
    return np.asarray(costs + few)


@dataclass(frozen=True, eq=False)
class _Picked:
    """The result of picking one match in each context, for many combinations.

    `covered` are the values that are picked. `wrong`: something else is picked where a value is wanted. `right`:
    nothing else is picked anywhere.
    """

    covered: npt.NDArray[np.bool_]
    wrong: npt.NDArray[np.bool_]
    right: npt.NDArray[np.bool_]


def _pick(table: _Table, full: npt.NDArray[np.bool_], pick: str) -> _Picked:
    """Pick the first, or the last, match in every context."""
    edges = np.concatenate([[0], np.flatnonzero(np.diff(table.context)) + 1, [len(table.context)]])
    covered = np.zeros((len(full), table.values), dtype=bool)
    wrong, right = np.zeros(len(full), dtype=bool), np.ones(len(full), dtype=bool)
    for start, stop in pairwise(edges.tolist()):
        part = full[:, start:stop]
        place = part.argmax(axis=1) if pick == "first" else part.shape[1] - 1 - part[:, ::-1].argmax(axis=1)
        matched = part.any(axis=1)
        value = table.member[start:stop][place]
        is_value = matched & (value >= 0)
        covered[np.flatnonzero(is_value), value[is_value]] = True
        right &= ~matched | ((value >= 0) & ~table.barred[start:stop][place])
        if (table.member[start:stop] >= 0).any():
            wrong |= matched & (value < 0)
    return _Picked(covered, wrong, right)


def _anchored(table: _Table) -> npt.NDArray[np.bool_]:
    return np.array([_is_anchor(condition) for condition in table.conditions])


def _is_anchor(condition: Condition) -> bool:
    """Whether a condition names what it matches, rather than just saying where it is."""
    names = condition.test in ANCHORS or (condition.test == "tag" and condition.value in ANCHOR_TAGS)
    return names and not condition.negated


def _all_of(rows: npt.NDArray[np.bool_], combos: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    found = rows[combos[:, 0]]
    for place in range(1, combos.shape[1]):
        found = found & rows[combos[:, place]]
    return found
