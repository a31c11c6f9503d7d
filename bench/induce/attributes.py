"""How well the true attributes of whole pages are found: every one by the column of the site that serves it best."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bench.induce.columns import Columns, Trail, key
from bench.measures import f1

CORRECT = 0.95  # page F1 from which an attribute counts as found (ExAlg: "correct")
COLUMN_RIGHT = 0.8  # value F1 from which a column counts as that of an attribute
TIE = 1e-3  # weight of the value F1 beside the page F1: decides between columns of equal page F1

Pair = tuple[str, Trail]
Texts = Mapping[str, Sequence[str]]
Weights = Mapping[tuple[str, Trail], float]


@dataclass
class Agreement:
    """Counts of agreement between attributes and columns over the pages of a site."""

    true_pages: Counter[str] = field(default_factory=Counter)
    true_values: Counter[str] = field(default_factory=Counter)
    anywhere: Counter[str] = field(default_factory=Counter)  # true values that are some value of their page
    column_pages: Counter[Trail] = field(default_factory=Counter)
    column_values: Counter[Trail] = field(default_factory=Counter)
    hits: Counter[Pair] = field(default_factory=Counter)  # pages whose values are all right, and nothing else
    shared: Counter[Pair] = field(default_factory=Counter)  # values that are right
    doubles: Counter[Pair] = field(default_factory=Counter)  # right ones that say the same again

    def page_f1(self, attribute: str, column: Trail | None) -> float:
        """The F-measure of pages that are right."""
        if column is None:
            return 0.0
        return f1(self.hits[attribute, column], self.column_pages[column], self.true_pages[attribute])

    def value_f1(self, attribute: str, column: Trail) -> float:
        """The F-measure of values that are right."""
        values = self.column_values[column] - self.doubles[attribute, column]
        return f1(self.shared[attribute, column], values, self.true_values[attribute])


@dataclass(frozen=True)
class Attribute:
    """How well one attribute of a site was found, and by which column."""

    name: str
    column: Trail | None
    page_f1: float
    cells: int
    found: int  # cells that are a value of the column
    anywhere: int  # cells that are a value of any column

    @property
    def correct(self) -> bool:
        """Whether the column can be used as it is."""
        return self.page_f1 >= CORRECT


@dataclass(frozen=True)
class ColumnScore:
    """The columns of a site against all that its truth names."""

    precision: float
    recall: float
    f1: float
    true: int
    predicted: int
    right: int
    wrong: tuple[Trail, ...] = ()


def agreement(truth: Sequence[Texts], found: Sequence[Columns], any_of: Collection[str] = ()) -> Agreement:
    """Count page by page; of the attributes in `any_of` one of the true texts is enough, and all of them are one."""
    counts = Agreement()
    for page, columns in zip(truth, found, strict=True):
        holders: dict[str, set[Trail]] = defaultdict(set)
        for column, texts in columns.items():
            counts.column_pages[column] += 1
            counts.column_values[column] += len(set(texts))
            for text in texts:
                holders[text].add(column)
        for attribute, true in page.items():
            if wanted := {compared for text in true if (compared := key(text))}:
                _count(counts, attribute, wanted, columns, holders, one=attribute in any_of)
    return counts


def attribute_scores(counts: Agreement) -> list[Attribute]:
    """Every attribute with the column that serves it best, one to one."""
    pairs = {pair: counts.page_f1(*pair) + TIE * counts.value_f1(*pair) for pair in counts.shared}
    chosen = assign(pairs)
    return [
        Attribute(
            name,
            column := chosen.get(name),
            counts.page_f1(name, column),
            counts.true_values[name],
            counts.shared[name, column] if column is not None else 0,
            counts.anywhere[name],
        )
        for name in sorted(counts.true_pages)
    ]


def column_score(counts: Agreement) -> ColumnScore:
    """The columns that are those of an attribute; one that repeats an attribute is neither right nor wrong."""
    weights = {pair: counts.value_f1(*pair) for pair in counts.shared}
    right = {name: column for name, column in assign(weights).items() if weights[name, column] >= COLUMN_RIGHT}
    used = set(right.values())
    repeats = {column for (_, column), weight in weights.items() if weight >= COLUMN_RIGHT} - used
    wrong = tuple(sorted(counts.column_pages.keys() - used - repeats))
    counted, true = len(used) + len(wrong), len(counts.true_pages)
    return ColumnScore(
        len(right) / counted if counted else 0.0,
        len(right) / true if true else 0.0,
        f1(len(right), counted, true),
        true,
        len(counts.column_pages),
        len(right),
        wrong,
    )


def _count(
    counts: Agreement,
    attribute: str,
    wanted: set[str],
    columns: Columns,
    holders: Mapping[str, set[Trail]],
    *,
    one: bool,
) -> None:
    counts.true_pages[attribute] += 1
    counts.true_values[attribute] += 1 if one else len(wanted)
    standing = sum(text in holders for text in wanted)
    counts.anywhere[attribute] += min(standing, 1) if one else standing
    overlap = Counter(column for text in wanted for column in holders.get(text, ()))
    for column, shared in overlap.items():
        pair, values = (attribute, column), len(set(columns[column]))
        counts.shared[pair] += 1 if one else shared
        counts.doubles[pair] += shared - 1 if one else 0
        counts.hits[pair] += shared == values and (one or shared == len(wanted))


# ---------------------------------------------------------------- which column stands for which attribute


def assign(weights: Weights) -> dict[str, Trail]:
    """The best map of attributes to columns; an attribute without a column of any weight has none.

    >>> assign({("a", ("x",)): 0.9, ("a", ("y",)): 0.8, ("b", ("x",)): 0.85})
    {'a': ('y',), 'b': ('x',)}
    """
    attributes = sorted({attribute for attribute, _ in weights})
    columns = _promising(attributes, weights)
    if not columns:
        return {}
    # As many columns of no weight as there are attributes: whoever gets one of them has none.
    cost = np.zeros((len(attributes), len(columns) + len(attributes)))
    for row, attribute in enumerate(attributes):
        for place, column in enumerate(columns):
            cost[row, place] = -weights.get((attribute, column), 0.0)
    chosen = {
        attribute: columns[place]
        for attribute, place in zip(attributes, _cheapest(cost), strict=True)
        if place < len(columns)
    }
    return {attribute: column for attribute, column in chosen.items() if weights.get((attribute, column), 0.0) > 0}


def _promising(attributes: list[str], weights: Weights) -> list[Trail]:
    """For every attribute as many of its best columns as there are attributes: no more can be needed."""
    ranked: dict[str, list[tuple[float, Trail]]] = {attribute: [] for attribute in attributes}
    for (attribute, column), weight in weights.items():
        if weight > 0:
            ranked[attribute].append((-weight, column))
    return sorted({column for several in ranked.values() for _, column in sorted(several)[: len(attributes)]})


def _cheapest(cost: npt.NDArray[np.float64]) -> list[int]:
    """The column of every row, so that their costs are least in sum (Hungarian method); at least as many columns."""
    rows, columns = cost.shape
    padded = np.zeros((rows + 1, columns + 1))
    padded[1:, 1:] = cost
    of_row, of_column = np.zeros(rows + 1), np.zeros(columns + 1)
    taken = np.zeros(columns + 1, dtype=np.int64)  # the row of every column; number 0 is nobody
    for row in range(1, rows + 1):
        taken[0] = row
        _augment(padded, of_row, of_column, taken)
    places = [0] * rows
    for place, row in enumerate(taken.tolist()[1:]):
        if row:
            places[row - 1] = place
    return places


def _augment(
    cost: npt.NDArray[np.float64],
    of_row: npt.NDArray[np.float64],
    of_column: npt.NDArray[np.float64],
    taken: npt.NDArray[np.int64],
) -> None:
    """Find a column for the row that waits in column 0, along the cheapest way of others giving up theirs."""
    least = np.full(len(taken), np.inf)
    way = np.zeros(len(taken), dtype=np.int64)
    used = np.zeros(len(taken), dtype=np.bool_)
    here = 0
    while True:
        used[here] = True
        row = taken[here]
        reduced = cost[row] - of_row[row] - of_column
        nearer = ~used & (reduced < least)
        least[nearer], way[nearer] = reduced[nearer], here
        here = int(np.where(used, np.inf, least).argmin())
        step = least[here]
        of_row[taken[used]] += step
        of_column[used] -= step
        least[~used] -= step
        if not taken[here]:
            break
    while here:
        taken[here], here = taken[way[here]], int(way[here])
