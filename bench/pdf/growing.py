"""What the trees for PDFs are grown and judged with: folds of families, the weights of documents, and the files.

A family is a tool chain, a package, a document of the competition, or a style. Beside the trees of the package, those
of each fold are kept, which were grown without its families. `Growth` is what the scripts have in common.
"""

import json
import lzma
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from bench.fitting import dealt
from bench.forests import SAME_EACH_TIME, grown
from bench.frame import CACHE, Options, program
from bench.packages import download
from bench.pdf.known import KnownDocument, known_documents
from sightline.files import write_bytes
from sightline.trees import Forest, dump_forest, read_forest

HERE = Path(__file__).parent
PACKAGE = HERE.parents[1] / "src/sightline/extract/structure"
MANUALS = CACHE / "pdf-manuals"
PACKAGES = HERE / "manuals.txt"
FOLDS = 8
WORKERS = 2
# Chosen out of fold; the loss of no set changes by more than a tenth with twice or half of any of them.
SETTINGS = {
    "learning_rate": 0.08,
    "min_data_in_leaf": 20,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5,
    **SAME_EACH_TIME,
}

Matrix = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]


class Sample(Protocol):
    """What all samples have: where they come from, and what was measured."""

    @property
    def source(self) -> str:
        """The set."""

    @property
    def family(self) -> str:
        """What must not be on both sides of a fold."""

    @property
    def document(self) -> str:
        """The file."""

    @property
    def measures(self) -> tuple[float, ...]:
        """In the order of the names."""


S = TypeVar("S", bound=Sample)


@dataclass(frozen=True, eq=False)
class Ground:
    """Samples with their goals, and how trees are grown from them."""

    samples: Sequence[Sample]
    goals: Sequence[float]
    names: Sequence[str]
    settings: Mapping[str, Any]
    rounds: int

    @cached_property
    def matrix(self) -> Matrix:
        """What was measured."""
        return np.array([one.measures for one in self.samples], dtype=np.float32)

    @cached_property
    def sources(self) -> list[str]:
        """The sets."""
        return list(dict.fromkeys(one.source for one in self.samples))

    @cached_property
    def fold(self) -> dict[str, int]:
        """The fold of each family."""
        return dealt((one.family for one in self.samples), FOLDS, seed=1)

    @cached_property
    def models(self) -> list[dict[str, Any]]:
        """The trees that were grown without each fold."""
        return [self.model(one != number for one in self._folds) for number in range(FOLDS)]

    @property
    def _folds(self) -> list[int]:
        return [self.fold[one.family] for one in self.samples]

    def model(self, chosen: Iterable[bool] | None = None) -> dict[str, Any]:
        """Trees grown on some samples, or all; the more a document has, the less each of its samples counts."""
        held = np.ones(len(self.samples), dtype=bool) if chosen is None else np.array(list(chosen))
        counts = Counter(one.document for one, is_held in zip(self.samples, held, strict=True) if is_held)
        weight = np.array([counts[one.document] ** -0.5 if counts[one.document] else 0.0 for one in self.samples])
        goals = np.array(self.goals, dtype=float)
        settings = {**SETTINGS, **self.settings}
        weight = weight[held] / weight[held].mean()
        return grown(self.matrix[held], goals[held], weight, tuple(self.names), settings, self.rounds)

    def likely(self, model: Mapping[str, Any]) -> Floats:
        """What trees say of all samples."""
        forest = _read(model)
        places = [list(self.names).index(name) for name in forest.names]
        return forest.likely(self.matrix[:, places])

    def out_of_fold(self) -> Floats:
        """What is said of each sample by trees that do not know its family."""
        return np.choose(np.array(self._folds), [self.likely(model) for model in self.models])

    def out_of_set(self, source: str) -> Floats:
        """What is said of all samples by trees that know nothing of a set."""
        return self.likely(self.model(one.source != source for one in self.samples))


Told = Callable[[Sequence[S], Iterable[bool], str | None], str]
"""How well samples are judged: what is said of each, and the set to tell of, or None for all."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Growth(Generic[S]):
    """How the trees of one question are grown, from gathering the samples to writing the files.

    `of_document` and `of_manuals` gather samples from a known document and from the folder of an unpacked package;
    `goal` is what the trees learn of a sample, and `is_one` what the answer should be. They say yes from `least` on;
    how well they do out of fold is told for each of `thresholds`.
    """

    name: str
    about: str | None
    of_document: Callable[[KnownDocument], Iterable[S]]
    of_manuals: Callable[[Path], Iterable[S]]
    goal: Callable[[S], float]
    is_one: Callable[[S], bool]
    told: Told[S]
    measures: Iterable[str]
    settings: Mapping[str, Any]
    rounds: int
    least: float
    thresholds: Sequence[float]

    def main(self) -> None:
        """Gather the samples, tell how well trees judge families and sets they have not seen, and write the trees."""
        parser = program(self.about)
        parser.add_argument("--write", action="store_true", help="write the trees")
        parser.add_argument("--manuals", type=Path, default=MANUALS, help="folder of unpacked packages")
        arguments = parser.parse_args()
        samples = self.gathered(Options(data=arguments.data), arguments.manuals)
        counts = Counter((one.source, self.is_one(one)) for one in samples)
        print(len(samples), f"samples for the trees of {self.name}:", dict(counts))
        ground = Ground(samples, [self.goal(one) for one in samples], tuple(self.measures), self.settings, self.rounds)
        likely = ground.out_of_fold()
        for least in self.thresholds:
            print(f"out of fold, at least {least}:", self.told(samples, likely >= least, None))
        for source in ground.sources:
            said = ground.out_of_set(source) >= self.least
            print(f"out of set, {source}:", self.told(samples, said, source))
        whole = ground.model()
        print("in fold:", self.told(samples, ground.likely(whole) >= self.least, None))
        if arguments.write:
            self.write(ground, whole)

    def gathered(self, options: Options, manuals: Path) -> list[S]:
        """The samples of all sets and of all manuals."""
        download(manuals, PACKAGES.read_text("utf-8").split())
        found = [sample for document in known_documents(options) for sample in self.of_document(document)]
        folders = sorted(path for path in manuals.iterdir() if path.is_dir())
        with ProcessPoolExecutor(WORKERS) as pool:
            for several in pool.map(self.of_manuals, folders):
                found += several
        return found

    def write(self, ground: Ground, whole: Mapping[str, Any]) -> None:
        """Write the trees of the package, and those of the folds."""
        write_bytes(PACKAGE / f"{self.name}.json", dump_forest(**whole))
        document = {"fold": ground.fold, "models": ground.models}
        write_bytes(_folds_file(self.name), lzma.compress(json.dumps(document).encode()))


def held_out(name: str) -> tuple[Mapping[str, int], list[Forest]]:
    """The fold of each family, and the trees that were grown without each fold."""
    document = json.loads(lzma.decompress(_folds_file(name).read_bytes()))
    return document["fold"], [_read(model) for model in document["models"]]


def _folds_file(name: str) -> Path:
    return HERE / f"folds_{name}.json.xz"


def _read(model: Mapping[str, Any]) -> Forest:
    return read_forest(tuple(model["names"]), model["trees"], model["bias"])
