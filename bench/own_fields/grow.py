"""Learn to find fields by what they are called: `python -m bench.own_fields.grow [--write]`.

A sample is a candidate on a page beside a field that the page is asked for. Trees judge by how well the words of the
field fit those around the candidate, never by the words themselves, so they work for names that they have not seen.
The trees of a fold are grown without the vertical that they are judged on, and without the products of `things` where
that is a shop or a camera.
"""

import lzma
import pickle
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from bench.forests import SAME_EACH_TIME, grown
from bench.frame import CACHE, Corpus, Options, program
from bench.own_fields.samples import FOREIGN, OwnSample, own_pages, read_sample, read_things
from bench.own_fields.scores import OwnFound, by_vertical, summary
from sightline.extract.about._asked import AskedField
from sightline.extract.about._concepts import SIGN
from sightline.extract.about._own_fields import chosen_rows, texts_of
from sightline.extract.about._own_measures import NAMES, asked_measures, fitting
from sightline.extract.about._own_model import likely_own, read_own_forest
from sightline.files import write_bytes

KEPT = "own-fields-{}.pickle"  # in the cache, by what made it
FOLDS_FILE = Path(__file__).with_name("folds.json.xz")
PACKAGE = Path(__file__).parents[2] / "src/sightline/extract/about"
PACKAGE_FILE = PACKAGE / "own_fields.json"
ALIKE = {"shop": ("product",), "camera": ("product",)}  # what of `things` a vertical must not know
TAUGHT_A_SITE = 4  # pages
MOST_DRAWN = 40  # candidates of a page beside its values, in the mean; and as many whose label fits
WELL_LABELLED = 0.3
MOST_WEIGHED = 100  # candidates of a page that count in full
WORKERS = 2
BOUNDS = (0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 1.01)
ROUNDS = 200
FOREIGN_A_PAGE = 2
FOREIGN_WEIGHT, REWORDED_WEIGHT = 0.2, 0.5
SETTINGS = {
    **SAME_EACH_TIME,
    "objective": "binary",
    "num_leaves": 5,
    "learning_rate": 0.05,
    "min_data_in_leaf": 50,
    "feature_fraction": 0.25,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 5,
    "max_bin": 63,
}
CONCEPTS: dict[str, list[str]] = orjson.loads((PACKAGE / "concepts.json").read_bytes())
SAMPLES: list["Asked"] = []


@dataclass(frozen=True, eq=False)
class Asked:
    """A field that a page is asked for, with the measures of the candidates that may be its value, a row each."""

    sample: OwnSample
    field: AskedField
    rows: npt.NDArray[np.float32]
    labels: npt.NDArray[np.bool_]
    meant: AskedField
    """The field itself where it is asked for in another word."""

    @property
    def is_own(self) -> bool:
        """Whether the page may have the field."""
        return self.meant in self.sample.page.asked

    @property
    def weight(self) -> float:
        """How much it counts beside a field that the page has, by its own name."""
        return REWORDED_WEIGHT if self.field is not self.meant else 1.0 if self.is_own else FOREIGN_WEIGHT

    @property
    def group(self) -> tuple[str, str]:
        """The site and the field."""
        return self.sample.page.site, self.meant.name


def asked_of(sample: OwnSample) -> Iterator[Asked]:
    """All fields that a page is asked for, also in another word that means the same, and some that it does not have."""
    own = {field.name for field in sample.page.asked}
    chance = np.random.default_rng(len(sample.ground))
    others = [name for name in FOREIGN if name not in own]
    picked = [AskedField(others[number]) for number in chance.permutation(len(others))[:FOREIGN_A_PAGE].tolist()]
    words = [(other, field) for field in sample.page.asked for other in _reworded(field, chance)]
    for field, meant in (*((one, one) for one in (*sample.page.asked, *picked)), *words):
        if len(sample.ground):
            may = fitting(field, sample.ground)
            rows = asked_measures(field, sample.ground)[:, may].T
            labels = sample.labels(meant)[may] if meant.name in own else np.zeros(int(may.sum()), dtype=bool)
            yield Asked(sample, field, np.ascontiguousarray(rows), labels, meant)


def _reworded(field: AskedField, chance: np.random.Generator) -> Iterator[AskedField]:
    """A field of one word in another that means the same, if there is one: few pages label it so, but others do."""
    if len(field.words) == len(field.concepts) == 1:
        same = CONCEPTS[field.concepts[0].removeprefix(SIGN)]
        if field.words[0] in same:
            yield replace(field, name=same[int(chance.integers(len(same)))], title="")


def taught(samples: Sequence[Asked]) -> dict[str, Any]:
    """Trees from some samples, as plain values; each field of each vertical counts by the root of its sites."""
    pages = Counter(one.group for one in samples if one.field is one.meant)
    sites = Counter((v, name) for v, _, name in {(one.sample.page.vertical, *one.group) for one in samples})
    chance = np.random.default_rng(1)
    label = NAMES.index("best label")
    rows, goals, weights = [], [], []
    for one in samples:
        near = (one.rows[:, label] > WELL_LABELLED) & ~one.labels
        share = np.where(near, min(1.0, MOST_DRAWN / max(1, near.sum())), min(1.0, MOST_DRAWN / len(one.labels)))
        drawn = one.labels | (chance.random(len(share)) < share)
        own = 1 / pages[one.group] / sites[one.sample.page.vertical, one.meant.name] ** 0.5
        own *= one.weight
        right = own / max(1, one.labels.sum()) ** 0.5
        wrong = own / share * min(1.0, MOST_WEIGHED / len(share))
        rows.append(one.rows[drawn])
        goals.append(one.labels[drawn].astype(float))
        weights.append(np.where(one.labels, right, wrong)[drawn])
    weight = np.concatenate(weights)
    model = grown(np.concatenate(rows), np.concatenate(goals), weight / weight.mean(), NAMES, SETTINGS, ROUNDS)
    return {**model, "trees": model["trees"].split("\n")}


def without(vertical: str) -> list[Asked]:
    """All samples but those of a vertical and of what is like it."""
    out = {vertical, *ALIKE.get(vertical, ())}
    return [one for one in SAMPLES if one.sample.page.vertical not in out]


def _fold(vertical: str) -> dict[str, Any]:
    return taught(without(vertical))


def found_by(model: dict[str, Any], verticals: Collection[str], *, reworded: bool = False) -> Iterator[OwnFound]:
    """What trees find on the pages of some verticals, by the names of the truth or by other words."""
    forest = read_own_forest(model)
    for one in SAMPLES:
        page = one.sample.page
        if page.vertical in verticals and not page.only_teaches and (one.field is not one.meant) == reworded:
            likely = likely_own(one.field, one.sample.ground, forest)
            rows = chosen_rows(one.field, one.sample.ground, likely)
            yield OwnFound(page, one.meant, texts_of(one.sample.ground, rows), float(likely.max(initial=0)))


def own_of(found: Iterable[OwnFound]) -> list[OwnFound]:
    """What was found of fields that the pages may have."""
    return [one for one in found if one.field in one.page.asked]


def told_by_chance(found: Sequence[OwnFound]) -> Iterator[str]:
    """How much is right of what is found with a chance up to each bound, and of how much there is nothing to find."""
    for low, high in pairwise(BOUNDS):
        several = [one for one in found if low <= one.chance < high]
        own = [one for one in several if one.field in one.page.asked]
        if own:
            right = fmean(one.worth for one in own)
            yield f"{low:g} to {high:g}: {len(own)} asked, {right:.3f} right; {len(several) - len(own)} foreign"


def gathered(options: Options) -> list[OwnSample]:
    """All pages that teach, as the same code read them last where that is kept."""
    sources = Corpus("about", tuple(sorted((*PACKAGE.glob("*.py"), PACKAGE / "concepts.json"))))
    kept = CACHE / KEPT.format(sources.hash)
    if kept.exists():
        samples: list[OwnSample] = pickle.loads(kept.read_bytes())
        return samples
    for old in CACHE.glob(KEPT.format("*")):
        old.unlink()
    pages = list(own_pages(options, TAUGHT_A_SITE))
    with ProcessPoolExecutor(WORKERS) as pool:
        samples = [*pool.map(read_sample, pages, chunksize=20), *read_things(options)]
    write_bytes(kept, pickle.dumps(samples))
    return samples


def main() -> None:
    """Grow the trees of each fold and of all, and judge them."""
    parser = program(__doc__)
    parser.add_argument("--write", action="store_true", help="write the models")
    arguments = parser.parse_args()
    samples = gathered(Options(data=arguments.data))
    SAMPLES.extend(asked for sample in samples for asked in asked_of(sample))
    verticals = sorted({one.page.vertical for one in samples if not one.page.only_teaches})
    with ProcessPoolExecutor(WORKERS, get_context("fork")) as pool:  # they share what was read
        folds = dict(zip(verticals, pool.map(_fold, verticals), strict=True))
    whole = taught(SAMPLES)
    outside = [found for vertical in verticals for found in found_by(folds[vertical], {vertical})]
    print("out of fold", summary(by_vertical(own_of(outside))))
    print(*told_by_chance(outside), sep="\n")
    others = [found for vertical in verticals for found in found_by(folds[vertical], {vertical}, reworded=True)]
    print("out of fold, in other words", summary(by_vertical(others)))
    print("in fold", summary(by_vertical(own_of(found_by(whole, verticals)))))
    if arguments.write:
        write_bytes(PACKAGE_FILE, orjson.dumps(whole) + b"\n")
        write_bytes(FOLDS_FILE, lzma.compress(orjson.dumps(folds)))


if __name__ == "__main__":
    main()
