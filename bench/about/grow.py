"""Learn how the values of fields look: `python -m bench.about.grow [--write]`.

For each field the words around its values are weighed, by role (the names of elements, labels, headings, the words
themselves), by how much likelier they stand around a value than around anything else of its kind. Trees then judge by
these weights and by all measures. The trees of a fold are grown without its sites, from weights in which the page's own
site has no part. The truth is that of `things`; of other pages it is what they say about themselves.
"""

import lzma
import pickle
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from bench.about.samples import SAME, Sample, described, things
from bench.fitting import dealt
from bench.forests import SAME_EACH_TIME, grown
from bench.frame import CACHE, Options, program
from sightline.extract.about._candidates import NUMBER_OF
from sightline.extract.about._context import ROLES
from sightline.extract.about._kinds import KINDS
from sightline.extract.about._model import NAMES, word_measures
from sightline.files import write_bytes
from sightline.trees import read_forest

KEPT = CACHE / "about.pickle"
TOLD = CACHE / "about-told.pickle"  # what was said out of fold, for the growing of kinds
FOLDS = 5
ROUNDS = 150
# Pages of `content` name their thing in other words than their heading; with them, the names of 0.77 of the recipes are
# right out of fold, without them 0.86. Every other field gains from them.
TEACHERS = {"name": ("things",)}
OTHER_WEIGHT = 0.5
MOST_DRAWN = 250  # candidates of a page beside its values, in the mean
OTHER_PAGES = 80  # pages without the field that are shown as well, so that a chance means the same everywhere
PRIOR = 0.1  # pages on which a word is taken to stand around a value, and around anything else
FEWEST_SITES = 2
LEAST_WEIGHT = 0.5
SETTINGS = {
    **SAME_EACH_TIME,
    "objective": "binary",
    "num_leaves": 8,
    "learning_rate": 0.08,
    "min_data_in_leaf": 10,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5,
    "verbose": -1,
}
FOLDS_FILE = Path(__file__).with_name("folds.json.xz")
PACKAGE = Path(__file__).parents[2] / "src/sightline/extract/about"

GROUNDS: dict[str, "Ground"] = {}
WORKERS = 2

Weights = dict[str, dict[str, float]]
Bools = npt.NDArray[np.bool_]


@dataclass(eq=False)
class Ground:
    """The pages that teach a field: those that have it, and some that do not."""

    name: str
    samples: Sequence[Sample]
    others: Sequence[Sample]

    @cached_property
    def asked(self) -> dict[str, Bools]:
        """Of each page the candidates that may be a value of the field, by their kind."""
        kinds = [NUMBER_OF[kind] for kind in SAME[self.name][0]]
        return {one.id: np.isin([each.kind for each in one.found], kinds) for one in chain(self.samples, self.others)}

    @cached_property
    def fold(self) -> dict[str, int]:
        """The fold of each site."""
        return dealt((one.site for one in chain(self.samples, self.others)), FOLDS, seed=1)

    def labels(self, one: Sample) -> Bools:
        """Which candidates are values of the field."""
        found = one.labels.get(self.name)
        return np.zeros(len(one.found), dtype=bool) if found is None else self.asked[one.id] & found.astype(bool)

    def weights(self, folds: Iterable[int]) -> Weights:
        """Of each word in each role, how much likelier it stands around a value on the pages of some folds."""
        tallies = [self.tallies[fold] for fold in folds]
        return {role: _weighed([tally[role] for tally in tallies]) for role in ROLES}

    @cached_property
    def tallies(self) -> list[dict[str, "Tally"]]:
        """What stands around values, and around anything else, on the pages of each fold."""
        found = [{role: Tally() for role in ROLES} for _ in range(FOLDS)]
        pages = [one for one in self.samples if self.labels(one).any()]
        counts = Counter(one.site for one in pages)
        for one in pages:
            labels, share = self.labels(one), counts[one.site] ** -0.5
            for role in ROLES:
                found[self.fold[one.site]][role].add(one, role, labels, self.asked[one.id], share)
        return found

    def rows(self, one: Sample, weights: Weights) -> npt.NDArray[np.float32]:
        """All measures of the candidates of a page that may be a value, a row each."""
        asked = self.asked[one.id]
        return np.concatenate([one.matrix, word_measures(one.context, weights)])[:, asked].T

    def taught(self, folds: Sequence[int]) -> tuple[Weights, dict[str, Any]]:
        """Weights of words and trees from the pages of some folds."""
        pages = [one for one in self.samples if self.fold[one.site] in folds and self.labels(one).any()]
        counts = Counter(one.site for one in pages)
        rows, goals, shares = [], [], []
        chance = np.random.default_rng(1)
        for fold in folds:
            outside = self.weights([one for one in folds if one != fold])
            for one in chain(pages, self.others):
                labels = self.labels(one)[self.asked[one.id]]
                if self.fold[one.site] == fold and len(labels):
                    own = counts[one.site] ** -0.5 if counts[one.site] else OTHER_WEIGHT
                    share = own * np.where(labels, 1 / max(1, labels.sum()), 1 / len(labels))
                    drawn = labels | (chance.random(len(labels)) < MOST_DRAWN / len(labels))
                    rows.append(self.rows(one, outside)[drawn])
                    goals.append(labels[drawn].astype(float))
                    shares.append(np.where(labels, share, share * max(1.0, len(labels) / MOST_DRAWN))[drawn])
        matrix, goal, weight = np.concatenate(rows), np.concatenate(goals), np.concatenate(shares)
        return self.weights(folds), grown(matrix, goal, weight / weight.mean(), NAMES, SETTINGS, ROUNDS)

    def told(self, one: Sample, model: Mapping[str, Any]) -> npt.NDArray[np.float64]:
        """How likely each candidate of a page is a value; 0 where it cannot be."""
        asked = self.asked[one.id]
        likely = np.zeros(len(asked))
        if asked.any():
            read = read_forest(tuple(model["names"]), "\n".join(model["trees"]), model["bias"])
            places = [NAMES.index(name) for name in read.names]
            likely[asked] = read.likely(self.rows(one, model["words"])[:, places])
        return likely

    @cached_property
    def models(self) -> list[dict[str, Any]]:
        """What was learned without each fold."""
        return [self.model([one for one in range(FOLDS) if one != fold]) for fold in range(FOLDS)]

    def model(self, folds: Sequence[int]) -> dict[str, Any]:
        """What the pages of some folds teach, as plain values."""
        weights, forest = self.taught(folds)
        return {"words": weights, **forest, "trees": forest["trees"].split("\n")}

    def out_of_fold(self) -> dict[str, npt.NDArray[np.float64]]:
        """What is said of each page by what was learned without its site."""
        pages = chain(self.samples, self.others)
        return {one.id: self.told(one, self.models[self.fold[one.site]]) for one in pages}


@dataclass
class Tally:
    """On how many pages each word stands around a value, around anything else, and on how many sites it stands."""

    with_value: Counter[str] = field(default_factory=Counter)
    without: Counter[str] = field(default_factory=Counter)
    sites: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, one: Sample, role: str, labels: Bools, asked: Bools, share: float) -> None:
        """Count a page."""
        words, of = one.context.words[role], one.context.of[role]
        for counter, chosen in ((self.with_value, labels), (self.without, asked & ~labels)):
            times = np.bincount(of[chosen], minlength=len(words))
            total = times.sum()
            for number in np.flatnonzero(times).tolist():
                for word in set(words[number]):
                    counter[word] += share * times[number] / total
                    self.sites[word].add(one.site)


def _weighed(tallies: Sequence[Tally]) -> dict[str, float]:
    with_value, without, sites = Counter[str](), Counter[str](), Counter[str]()
    for tally in tallies:
        with_value.update(tally.with_value)
        without.update(tally.without)
        sites.update({word: len(own) for word, own in tally.sites.items()})
    told = {
        word: round(float(np.log((with_value[word] + PRIOR) / (without[word] + PRIOR))), 2)
        for word in sorted(sites)
        if sites[word] >= FEWEST_SITES
    }
    return {word: weight for word, weight in told.items() if abs(weight) >= LEAST_WEIGHT}


def grounds(samples: Sequence[Sample]) -> Iterator[Ground]:
    """The ground of every field."""
    for name in SAME:
        own = [one for one in samples if name in one.labels and one.source in TEACHERS.get(name, (one.source,))]
        without = [one for one in samples if name not in {each.name for each in KINDS[one.kind].fields}]
        chance = np.random.default_rng(1)
        picked = chance.permutation(len(without))[:OTHER_PAGES].tolist()
        yield Ground(name, own, [without[number] for number in picked])


def main() -> None:
    """Grow and judge the model of every field."""
    parser = program(__doc__)
    parser.add_argument("--write", action="store_true", help="write the model")
    parser.add_argument("--fields", nargs="*", default=list(SAME), help="only these")
    arguments = parser.parse_args()
    options = Options(data=arguments.data)
    samples = gathered(options)
    GROUNDS.update({one.name: one for one in grounds(samples) if one.name in arguments.fields})
    all_told: dict[str, dict[str, npt.NDArray[np.float64]]] = {}
    folds: dict[str, dict[str, Any]] = {}
    with ProcessPoolExecutor(WORKERS, get_context("fork")) as pool:  # they share what was read
        pairs = zip(GROUNDS, pool.map(partial(_grown, write=arguments.write), GROUNDS), strict=True)
        for name, (said, told, kept) in pairs:
            print(name, said, flush=True)
            all_told[name], folds[name] = told, kept
    if arguments.write:
        for name, kept in folds.items():
            write_bytes(PACKAGE / f"fields/{name}.json", orjson.dumps(kept.pop("all")) + b"\n")
        write_bytes(TOLD, pickle.dumps(all_told))
        write_bytes(FOLDS_FILE, lzma.compress(orjson.dumps(folds)))


def gathered(options: Options) -> list[Sample]:
    """All pages, as they were read last where that is kept."""
    if KEPT.exists():
        samples: list[Sample] = pickle.loads(KEPT.read_bytes())
        return samples
    with ProcessPoolExecutor(WORKERS) as pool:
        samples = [one for part in pool.map(_read, (things, described), [options] * 2) for one in part]
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(KEPT, pickle.dumps(samples))
    return samples


def _read(read: Callable[[Options], Iterator[Sample]], options: Options) -> list[Sample]:
    return list(read(options))


def _grown(name: str, *, write: bool) -> tuple[str, dict[str, npt.NDArray[np.float64]], dict[str, Any]]:
    """What is told of a field out of fold, that in words, and what to keep: its folds, their models, that of all."""
    ground = GROUNDS[name]
    told = ground.out_of_fold()
    kept = {"fold": ground.fold, "models": ground.models, "all": ground.model(range(FOLDS))} if write else {}
    return _told(ground, told), told, kept


def _told(ground: Ground, told: Mapping[str, npt.NDArray[np.float64]]) -> str:
    """Of each source the share of pages whose likeliest candidate is right, and where one is right at all."""
    rows: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for one in ground.samples:
        labels, likely = ground.labels(one), told[one.id]
        rows[f"{one.source} {one.kind}"].append((bool(labels.any()), bool(len(likely) and labels[likely.argmax()])))
    return "; ".join(
        f"{name} {len(found)}: {np.mean([right for _, right in found]):.3f} of {np.mean([may for may, _ in found]):.3f}"
        for name, found in rows.items()
    )


if __name__ == "__main__":
    main()
