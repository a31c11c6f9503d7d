"""Tables as they are read by trees that have not seen the document's family: `python -m bench pdf` tells the figures.

The trees of the package were grown from these very documents. So that what is told of them holds for others, each is
read here by trees that were grown without its tool chain, or, of the competition's, without the document.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from unittest.mock import patch

from bench.frame import Figure
from bench.pdf.growing import held_out
from bench.pdf.icdar import Document, Found, Score, score, summary
from bench.pdf.ours import read_tables
from bench.pdf.twins import TwinDocument, TwinScore, mean_f1
from bench.pdf.twins import score as score_twins
from sightline.errors import SightlineError
from sightline.extract.structure import _table_measures, _table_rows
from sightline.trees import Forest

TREES = {"tables": (_table_measures, "forest"), "rows": (_table_rows, "row_forest")}  # and what gives them
RULES = {"grid": "lines around all cells", "horizontal": "lines across alone", "none": "no lines"}
LEAST_COMPETITION, LEAST_TWINS = 0.955, 0.87
LEAST_BY_RULES = {"grid": 0.97, "horizontal": 0.85, "none": 0.70}
LEAST_OVERLEAF, LEAST_EXACT, LEAST_HEADER = 0.88, 0.78, 0.95


@dataclass(frozen=True)
class HeldOut:
    """What was found in documents of the competition by set, in manuals, and how many tables too many in these."""

    competition: Mapping[str, Sequence[Score]]
    manuals: Sequence[TwinScore]
    extra: int


def read_held_out(competition: Mapping[str, Sequence[Document]], manuals: Iterable[TwinDocument]) -> HeldOut:
    """Read all documents, each by trees that do not know its family."""
    reading = Unseen()

    def tables(path: Path, family: str) -> list[Found]:
        """The tables of a document; one that cannot be read has none."""
        with reading.family(family), suppress(SightlineError):
            return read_tables(path)
        return []

    scores = {
        name: [score(document, tables(document.path, document.name)) for document in documents]
        for name, documents in competition.items()
    }
    told = [score_twins(manual, tables(manual.path, manual.tool_chain)) for manual in manuals]
    return HeldOut(scores, list(chain.from_iterable(own for own, _ in told)), sum(extra for _, extra in told))


class Unseen:
    """Reading by trees that do not know a family."""

    def __init__(self) -> None:
        self.trees = [(module, name, *held_out(kind)) for kind, (module, name) in TREES.items()]

    @contextmanager
    def family(self, family: str) -> Iterator[None]:
        """Read by these trees; where no tree knows a family, by those of the package."""
        with ExitStack() as stack:
            for module, name, fold, forests in self.trees:
                if family in fold:
                    stack.enter_context(patch.object(module, name, partial(_given, forests[fold[family]])))
            yield


def _given(forest: Forest) -> Forest:
    return forest


def figures_of(read: HeldOut) -> tuple[Figure, ...]:
    """The figures of the documents that were read by trees that do not know them."""
    every = list(chain.from_iterable(read.competition.values()))
    heads = [one.header for one in read.manuals if one.header is not None]
    by_rules = {rules: [one for one in read.manuals if one.table.rules == rules] for rules in RULES}
    overleaf = [one for one in read.manuals if len(one.table.pages) > 1]
    return (
        _share("held out: ICDAR 2013, all open documents: F1", summary(every).f1, LEAST_COMPETITION),
        *(_share(f"held out: {name}: F1", summary(own).f1, None) for name, own in read.competition.items()),
        _share("held out: twins: F1 by table", mean_f1(read.manuals), LEAST_TWINS),
        *(
            _share(f"held out: twins, {told}: F1", mean_f1(by_rules[rules]), LEAST_BY_RULES[rules])
            for rules, told in RULES.items()
        ),
        _share("held out: twins, over several sheets: F1", mean_f1(overleaf), LEAST_OVERLEAF),
        _share("held out: twins: exact grids", _mean(one.exact for one in read.manuals), LEAST_EXACT),
        _share("held out: twins: header rows right", _mean(heads), LEAST_HEADER),
        Figure.of("held out: twins: tables too many", read.extra, None, "lower", "tables"),
    )


def _share(name: str, value: float, bound: float | None) -> Figure:
    return Figure.of(name, value, bound, "higher", "share")


def _mean(values: Iterable[bool]) -> float:
    known = list(values)
    return sum(known) / max(1, len(known))
