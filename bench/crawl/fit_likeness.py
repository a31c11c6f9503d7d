"""Fits the likeness to examples: `python -m bench.crawl.fit_likeness`, leaving out one maker at a time.

For all sites of one maker (Sphinx, Doxygen, …), the model is fitted on the others; these figures are what to expect on
a new site. Pages come in an order like that of a crawl: the first pages of the site, then others breadth-first with the
targets scattered among them. With three questions, the rule of the site answers. The weights printed last are those of
`sightline.crawler._profile`, fitted on all sites.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from statistics import mean, median, quantiles

import numpy as np

from bench.crawl.graph import Case, cases, maker_of
from bench.crawl.parts import parts_of
from sightline.arrays import BoolArray, FloatArray, LongArray
from sightline.crawler import _profile
from sightline.crawler._page_parts import GROUPS
from sightline.crawler.likeness import ProfileLikeness, Questions, SkeletonLikeness

COUNTS = (1, 2, 3, 5)
SEEDS = (1, 2)
TARGETS, OTHERS, FIRST = 200, 600, 40
FEWEST = 12  # targets, or there is nothing left to recognise
SHOWN = 2  # examples with which each case is shown
GOOD = 0.9  # precision and recall aimed at
REGULAR = 1e-3  # of the weights; 1e-4 to 1e-2 differ by 0.01 to 0.03 in F1
SHIFTS = np.arange(-1.5, 1.51, 0.25)

Figures = tuple[float, float, float]
"""Precision, recall and F1."""


@dataclass(frozen=True)
class Sample:
    """Some pages of a case: others in the order of a crawl, and targets."""

    case: Case
    targets: tuple[int, ...]
    others: tuple[int, ...]

    @property
    def maker(self) -> str:
        """The program that made the site."""
        return maker_of(self.case.site)

    def split(self, count: int, seed: int) -> tuple[list[int], list[int]]:
        """Examples, and the pages to judge in their order."""
        random = Random(f"{self.case.name} {count} {seed}")
        targets = random.sample(self.targets, len(self.targets))
        examples, left = targets[:count], targets[count:]
        mixed = list(self.others[FIRST:])
        places = sorted(random.sample(range(len(mixed) + len(left)), len(left)))
        for place, page in zip(places, left, strict=True):
            mixed.insert(place, page)
        return examples, [*self.others[:FIRST], *mixed]

    def parts(self, page: int) -> LongArray:
        """The parts of a page."""
        return parts_of(self.case.site).of(page)


def sample_of(case: Case) -> Sample:
    """Targets and others of a case, picked at random."""
    graph, wanted = case.graph, case.wanted
    random = Random(f"likeness {case.name}")
    targets = random.sample(sorted(wanted), min(TARGETS + max(COUNTS), len(wanted)))
    others = [page for page in range(len(graph.urls)) if page not in wanted]
    picked = random.sample(others[FIRST:], min(OTHERS - FIRST, len(others) - FIRST))
    sample = Sample(case, tuple(targets), (*others[:FIRST], *sorted(picked)))
    for page in (*sample.targets, *sample.others):
        sample.parts(page)
    parts_of(case.site).keep()
    return sample


@dataclass(frozen=True)
class Model:
    """What is fitted: weights, and a bias for each number of examples."""

    weights: FloatArray
    biases: dict[int, float]

    @contextmanager
    def used(self) -> Iterator[None]:
        """Let likenesses judge by this model."""
        before = _profile.WEIGHTS, _profile.BIASES
        one, two, three, five = (self.biases[count] for count in COUNTS)
        _profile.WEIGHTS, _profile.BIASES = self.weights, (one, two, three, (three + five) / 2, five)
        try:
            yield
        finally:
            _profile.WEIGHTS, _profile.BIASES = before


# The likeness over all groups alone; it decides what the first fit takes for the background.
PLAIN = Model(np.array([10.0, *[0.0] * (2 * len(GROUPS))]), {1: -5.0, 2: -6.5, 3: -7.0, 5: -7.5})


@dataclass(frozen=True)
class Judged:
    """What a likeness saw and said of the pages of a sample."""

    count: int
    features: FloatArray
    truth: BoolArray
    said: BoolArray

    @property
    def figures(self) -> Figures:
        """How well it did."""
        return figures_of(self.truth, self.said)


def judged(sample: Sample, count: int, seed: int, model: Model, *, most: int = 0) -> Judged:
    """Judge the pages of a sample in their order, with so many questions at most."""
    examples, pages = sample.split(count, seed)
    targets = set(sample.targets)
    asked = iter(pages)
    questions = Questions(lambda url: int(url) in targets, most)
    seen, said = [], []
    with model.used():
        likeness = ProfileLikeness.of_parts([sample.parts(page) for page in examples], questions)
        for page in asked:
            seen.append(likeness.features(sample.parts(page)))
            said.append(likeness.judge_parts(sample.parts(page), str(page)).is_target)
    return Judged(count, np.array(seen), np.array([page in targets for page in pages]), np.array(said))


def figures_of(truth: BoolArray, said: BoolArray) -> Figures:
    """Precision, recall and F1."""
    right = int((truth & said).sum())
    precision, recall = right / max(1, int(said.sum())), right / max(1, int(truth.sum()))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def fitted(several: Sequence[Judged]) -> Model:
    """A logistic regression in which all samples, and targets and others, weigh the same; a bias for each count."""
    counts = sorted({one.count for one in several})
    rows = np.concatenate(
        [np.hstack([one.features, np.tile(np.equal(counts, one.count), (len(one.truth), 1))]) for one in several]
    )
    truth = np.concatenate([one.truth for one in several]).astype(float)
    share = np.concatenate([np.where(one.truth, 1 / one.truth.sum(), 1 / (~one.truth).sum()) for one in several])
    share /= share.sum()
    size = several[0].features.shape[1]
    penalty = np.diag([REGULAR] * size + [1e-9] * len(counts))
    found = np.zeros(rows.shape[1])
    for _ in range(20):
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -30, 30)))
        slope = rows.T @ (share * (chance - truth)) + penalty @ found
        bend = (rows * (share * chance * (1 - chance))[:, None]).T @ rows + penalty
        found -= np.linalg.solve(bend, slope)
    weights = found[:size]
    biases = dict(zip(counts, found[size:].tolist(), strict=True))
    return Model(weights, {count: bias + _shift(several, weights, count, bias) for count, bias in biases.items()})


def _shift(several: Sequence[Judged], weights: FloatArray, count: int, bias: float) -> float:
    """What the best F1 needs beyond the most likely model: in a crawl, targets aren't half of all pages."""
    own = [one for one in several if one.count == count]
    return float(
        max(
            SHIFTS,
            key=lambda shift: mean(figures_of(one.truth, one.features @ weights + bias + shift >= 0)[2] for one in own),
        )
    )


def told(name: str, rows: Sequence[Figures]) -> str:
    """The distribution of the figures over cases."""
    precision, recall, f1 = zip(*rows, strict=True)
    good = mean(one[0] >= GOOD and one[1] >= GOOD for one in rows)
    return (
        f"{name:26} precision {mean(precision):.2f}  recall {mean(recall):.2f}  F1 mean {mean(f1):.3f} "
        f"quartiles {quantiles(f1, n=4)[0]:.2f} {median(f1):.2f} {quantiles(f1, n=4)[2]:.2f}  both ≥ {GOOD}: {good:.0%}"
    )


def _means(rows: Sequence[Figures]) -> Figures:
    precision, recall, f1 = (mean(column) for column in zip(*rows, strict=True))
    return precision, recall, f1


def by_skeleton(sample: Sample, count: int) -> Figures:
    """The figures of the published rule, with one choice of examples."""
    examples, pages = sample.split(count, SEEDS[0])
    outlines = sample.case.graph.outlines
    likeness = SkeletonLikeness([outlines[page].skeleton for page in examples])
    said = [likeness.judge("", outlines[page], "").is_target for page in pages]
    targets = set(sample.targets)
    return figures_of(np.array([page in targets for page in pages]), np.array(said))


def _asked(samples: Sequence[Sample], models: Mapping[str, Model], count: int) -> list[Figures]:
    """The figures with so many examples and three questions."""
    return [
        _means([judged(sample, count, seed, models[sample.maker], most=3).figures for seed in SEEDS])
        for sample in samples
    ]


def main() -> None:
    """Print precision, recall and F1 for each case with two examples, the distributions, and the weights."""
    samples = [sample_of(case) for case in cases() if len(case.wanted) >= FEWEST]

    def all_judged(model_of: Callable[[str], Model]) -> dict[str, list[Judged]]:
        return {
            sample.case.name: [
                judged(sample, count, seed, model_of(sample.maker)) for count in COUNTS for seed in SEEDS
            ]
            for sample in samples
        }

    seen = all_judged(lambda _: PLAIN)
    print("seen", flush=True)
    makers = sorted({sample.maker for sample in samples})
    models = {
        maker: fitted([one for sample in samples if sample.maker != maker for one in seen[sample.case.name]])
        for maker in makers
    }
    print("fitted", flush=True)
    for count in COUNTS:
        rows = []
        for sample in samples:
            rows.append(_means([judged(sample, count, seed, models[sample.maker]).figures for seed in SEEDS]))
            if count == SHOWN:
                shown = " / ".join(f"{value:.2f}" for value in rows[-1])
                print(f"{sample.case.name:26} {sample.maker:14} {shown}", flush=True)
        print(told(f"{count} examples", rows), flush=True)
        if count < 3:
            print(told(f"{count} examples, 3 questions", _asked(samples, models, count)), flush=True)
    final = fitted([one for several in seen.values() for one in several])
    print("WEIGHTS", np.round(final.weights, 2).tolist())
    print("BIASES", {count: round(bias, 2) for count, bias in final.biases.items()})
    for count in (2, 3):
        print(told(f"skeleton, {count} examples", [by_skeleton(sample, count) for sample in samples]), flush=True)


if __name__ == "__main__":
    main()
