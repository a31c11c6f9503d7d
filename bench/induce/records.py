"""How well the records of list pages are cut out, and their cells; the list that serves best is chosen once a site."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bench.induce.attributes import assign
from bench.induce.columns import Columns, Trail, columns_of, key, record_sets
from bench.measures import f1

SEGMENT = 0.5  # a record stands for a true one when it holds more than this share of its cells
LONGER, MORE = 3, 40  # a cell lies in a text at most so many times as long, and so many characters more
SHORT = 3  # texts up to this length hold nothing but themselves

Cells = frozenset[tuple[str, str]]
TrueRecord = Mapping[str, Sequence[str]]


@dataclass
class CellCounts:
    """How often each true cell, and each column that was found, is there in matched records, and where they agree."""

    true: Counter[str] = field(default_factory=Counter)
    found: Counter[Trail] = field(default_factory=Counter)
    hits: Counter[tuple[str, Trail]] = field(default_factory=Counter)

    def best(self) -> Mapping[str, Trail]:
        """The column of each attribute, one to one, that agrees best with it."""
        return assign({pair: f1(count, self.found[pair[1]], self.true[pair[0]]) for pair, count in self.hits.items()})

    def f1(self, columns: Mapping[str, Trail]) -> float:
        """The F-measure of the cells in these columns."""
        right = sum(self.hits[pair] for pair in columns.items())
        return f1(right, sum(self.found[column] for column in columns.values()), self.true.total())


@dataclass(frozen=True)
class RecordScore:
    """The records of a site: how many there are, how many were found, and how well their cells are read."""

    trail: Trail
    true: int
    predicted: int
    matched: int
    cell_f1: float
    columns: Mapping[str, Trail]
    missed: tuple[tuple[str, ...], ...] = ()

    @property
    def precision(self) -> float:
        """The share of the records found that are records."""
        return self.matched / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of the records known that were found."""
        return self.matched / self.true if self.true else 0.0

    @property
    def f1(self) -> float:
        """The F-measure of the two."""
        return f1(self.matched, self.predicted, self.true)


def record_score(
    truth: Sequence[Sequence[TrueRecord]],
    found: Sequence[Sequence[object]],
    columns_for: Callable[[CellCounts], Mapping[str, Trail]] = CellCounts.best,
) -> RecordScore:
    """The list of a site that serves best, against the records of its pages; `columns_for` finds the columns."""
    true = [[_compared(record) for record in page] for page in truth]
    sets = [record_sets(records) for records in found]
    scores = [
        _score_of(
            trail, true, [[columns_of(record) for record in of_page.get(trail, ())] for of_page in sets], columns_for
        )
        for trail in sorted({trail for of_page in sets for trail in of_page} or {()})
    ]
    return max(scores, key=lambda score: (score.f1, score.cell_f1, -len(score.trail)))


def _compared(record: TrueRecord) -> dict[str, list[str]]:
    texts = {name: [compared for text in several if (compared := key(text))] for name, several in record.items()}
    return {name: several for name, several in texts.items() if several}


def _score_of(
    trail: Trail,
    true: Sequence[Sequence[TrueRecord]],
    found: Sequence[Sequence[Columns]],
    columns_for: Callable[[CellCounts], Mapping[str, Trail]],
) -> RecordScore:
    matched = predicted = 0
    cells = CellCounts()
    missed = []
    for records, guesses in zip(true, ([guess for guess in page if guess] for page in found), strict=True):
        pairs = _pairs(records, guesses)
        matched, predicted = matched + len(pairs), predicted + len(guesses)
        cells.true.update(name for record in records for name in record)
        cells.found.update(column for guess in guesses for column in guess)
        for number, place in pairs.items():
            for name, texts in records[number].items():
                cells.hits.update((name, column) for column, got in guesses[place].items() if set(got) == set(texts))
        missed += [_shown(record) for number, record in enumerate(records) if number not in pairs]
    columns = columns_for(cells)
    total = sum(len(page) for page in true)
    return RecordScore(trail, total, predicted, matched, cells.f1(columns), columns, tuple(missed))


def _shown(record: TrueRecord) -> tuple[str, ...]:
    return tuple(text for texts in record.values() for text in texts)


def _pairs(true: Sequence[TrueRecord], found: Sequence[Columns]) -> dict[int, int]:
    """The place of the record that was found for each true one.

    It holds more than half of the cells of this one and of no other. True records that are equal are taken in order.
    Two true records in one (merged), or a second part of one that is taken already (split, repeated), match nothing.
    """
    cells = [frozenset((name, text) for name, texts in record.items() for text in texts) for record in true]
    with_text: dict[str, set[int]] = defaultdict(set)
    for number, record in enumerate(cells):
        for _, text in record:
            with_text[text].add(number)
    pairs: dict[int, int] = {}
    for place, guess in enumerate(found):
        values = {text for texts in guess.values() for text in texts}
        near = {number for value in values for number in with_text.get(value, ())}
        taken = _record_for(values, cells, sorted(near) or range(len(cells)), pairs)
        if taken is not None:
            pairs[taken] = place
    return pairs


def _record_for(
    values: set[str], cells: Sequence[Cells], candidates: Iterable[int], taken: Collection[int]
) -> int | None:
    """The free record that these values are; None where there is none, or where they are two."""
    long = [value for value in values if len(value) > SHORT]

    def holds(text: str) -> bool:
        return text in values or any(_lies_in(text, value) for value in long)

    shares = {
        number: sum(holds(text) for _, text in cells[number]) / len(cells[number])
        for number in candidates
        if cells[number]
    }
    held = {number: share for number, share in shares.items() if share > SEGMENT}
    if not held:
        return None
    top = max(held.values())
    best = [number for number, share in held.items() if share == top]
    first = cells[best[0]]
    # Another record that shares its cells with the best one (same author, same date) is no sign of a merge.
    others = (cells[number] - first for number in held if cells[number] != first)
    if any(rest and all(holds(text) for _, text in rest) for rest in others):
        return None
    return next((number for number in best if number not in taken), None)


def _lies_in(short: str, long: str) -> bool:
    return short in long and len(long) <= LONGER * len(short) + MORE
