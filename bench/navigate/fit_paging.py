"""`python -m bench.navigate.fit_paging`: fit the weights of the clues for next pages, and choose the thresholds.

The weights are those that make the true answers likeliest, held near a first guess by judgement: with some seventy next
pages, most clues are too rare to be weighed by these alone. Which of a page's links is the next one, or none, is one
choice (a softmax); whether a link is a page of the list is one choice a link. How firmly the guess holds, and the
thresholds, are chosen by leaving out whole sites, in ten folds, three times; `out_of_fold` gives the figures that the
bench reports. With `--write` the weights are written to the package.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.fitting import Floats as Array
from bench.fitting import chances, logistic, newton
from bench.frame import Options
from bench.navigate.paging import Answer, KnownPage, PagingScore, read_pages, score
from sightline.navigate.paging import _find
from sightline.navigate.paging._find import BIAS, LEAST_NEXT, LEAST_PAGE

FOLDS = 10
SPLITS = 3
FIRMNESS = 1.0  # of the first guess for the next page; 0.1, 0.3, 1 and 3 were tried
PAGE_FIRMNESS = 3.0
THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
MOST_GIVEN = 0.05  # of the pages without a next page may be given one
BIAS_FIRMNESS = 0.1
WEIGHTS = Path(_find.__file__).with_name("_weights.py")

NEXT_GUESS = {
    BIAS: -8.5,
    "said next": 3.0,
    "label next": 2.5,
    "called next": 2.0,
    "around next": 1.5,
    "rel next": 4.0,
    "declared next": 2.0,
    "declared only": -3.0,
    "arrow on alone": 1.5,
    "arrows on alone": 1.0,
    "arrow on": 0.5,
    "arrows on": 0.5,
    "number after the current": 2.0,
    "number before the current": -2.0,
    "number two": 0.5,
    "is a number": -1.0,
    "in a series": 1.5,
    "nearest on": 1.5,
    "follows in a series": 3.0,
    "next on the same path": 5.5,
    "next of one step": 1.5,
    "more of the same list": 3.0,
    "same list": 2.0,
    "same site": 1.0,
    "counts pages": 1.0,
    "one step on": 1.5,
    "steps back": -1.0,
    "in a pager": 1.5,
    "numbers beside": 1.0,
    "one number beside": 0.5,
    "said previous": -3.0,
    "label previous": -1.5,
    "called previous": -1.5,
    "around previous": -1.0,
    "arrow back": -2.0,
    "said first": -2.0,
    "said last": -2.0,
    "said all": -2.0,
    "counts on a page": -4.0,
    "in a calendar or slider": -3.0,
    "in a story": -0.5,
    "long": -3.0,
}
PAGE_GUESS = {
    BIAS: -6.5,
    "said next": 3.0,
    "said previous": 3.0,
    "label next": 2.0,
    "label previous": 2.0,
    "said first": 2.0,
    "said last": 2.0,
    "called next": 1.5,
    "called previous": 1.5,
    "in a pager": 2.0,
    "is a number": 1.0,
    "number with numbers": 2.0,
    "number and same list": 1.0,
    "numbers beside": 1.5,
    "in a series": 3.0,
    "same list": 2.0,
    "same site": 1.0,
    "counts pages": 1.5,
    "arrow on alone": 1.0,
    "arrows on alone": 1.0,
    "arrow back": 1.0,
    "said older": 4.0,
    "said newer": 4.0,
    "letter with letters": 6.0,
    "more of the same list": 4.0,
    "said all": -2.0,
    "counts on a page": -5.0,
    "in a calendar or slider": -3.0,
    "long": -3.0,
}


@dataclass(frozen=True, eq=False)
class Sample:
    """The links of a page: their addresses, their clues as a matrix, and which are the next page and any page."""

    page: KnownPage
    addresses: tuple[str, ...]
    clues: Array
    is_next: Array
    is_page: Array


def samples_of(pages: Sequence[KnownPage]) -> tuple[list[Sample], list[str]]:
    """The links of all pages, and the names of the clues, the bias last."""
    found = [(page, page.candidates) for page in pages]
    seen = {name for _, candidates in found for candidate in candidates for name in candidate.clues}
    names = sorted((seen | NEXT_GUESS.keys() | PAGE_GUESS.keys()) - {BIAS})  # those that no page has stay as guessed
    place = {name: number for number, name in enumerate(names)}
    samples = []
    for page, candidates in found:
        clues = np.zeros((len(candidates), len(names) + 1))
        clues[:, -1] = 1.0
        for row, candidate in enumerate(candidates):
            for name, value in candidate.clues.items():
                clues[row, place[name]] = value
        addresses = tuple(candidate.address for candidate in candidates)
        is_next, is_page = (
            np.array([address in wanted for address in addresses], dtype=float) for wanted in (page.next, page.all)
        )
        samples.append(Sample(page, addresses, clues, is_next, is_page))
    return samples, [*names, BIAS]


def fit_next(samples: Sequence[Sample], guess: Array, firmness: float) -> Array:
    """The weights of the next page, by Newton's method on the softmax over each page's links and none."""

    def slope_and_curve(weights: Array) -> tuple[Array, Array]:
        slope, curve = np.zeros_like(weights), np.zeros((len(weights), len(weights)))
        for sample in samples:
            chance = next_chances(sample.clues, weights)
            wanted = chance * sample.is_next
            wanted = wanted / wanted.sum() if sample.is_next.any() else wanted
            mean = chance @ sample.clues
            slope += sample.clues.T @ (chance - wanted)
            curve += (sample.clues * chance[:, None]).T @ sample.clues - np.outer(mean, mean)
        return slope, curve

    return newton(guess, _held(guess, firmness), slope_and_curve, longest=1.0)


def fit_pages(samples: Sequence[Sample], guess: Array, firmness: float) -> Array:
    """The weights of any page, by Newton's method on the logistic loss."""
    clues = np.concatenate([sample.clues for sample in samples])
    wanted = np.concatenate([sample.is_page for sample in samples])
    return newton(guess, _held(guess, firmness), logistic(clues, wanted), longest=1.0)


def _held(guess: Array, firmness: float) -> Array:
    return np.array([*[firmness] * (len(guess) - 1), min(firmness, BIAS_FIRMNESS)])


def next_chances(clues: Array, weights: Array) -> Array:
    """For each link the chance that it is the next page."""
    scores = clues @ weights
    highest = max(0.0, scores.max(initial=0.0))
    odds = np.exp(scores - highest)
    whole: Array = odds / (odds.sum() + np.exp(-highest))
    return whole


def answer(sample: Sample, for_next: Array, for_pages: Array, least_next: float, least_page: float) -> Answer:
    """What the weights say about a page."""
    of_next = next_chances(sample.clues, for_next)
    best = int(np.argmax(of_next)) if len(of_next) else -1
    chosen = sample.addresses[best] if best >= 0 and of_next[best] >= least_next else None
    is_page = chances(sample.clues @ for_pages) >= least_page
    pages = [address for address, is_one in zip(sample.addresses, is_page, strict=True) if is_one]
    return Answer(chosen, frozenset(pages))


def out_of_fold(pages: Sequence[KnownPage]) -> PagingScore:
    """The figures on sites that the weights were not fitted on: the mean of several ways to make the folds."""
    samples, names = samples_of(pages)
    fitted = _fitted_by_folds(samples, names, FIRMNESS)
    return _mean([_scored(samples, weights, LEAST_NEXT, LEAST_PAGE) for weights in fitted])


def _fitted_by_folds(
    samples: Sequence[Sample], names: Sequence[str], firmness: float
) -> list[list[tuple[Array, Array]]]:
    """For every split the weights for each page, fitted without its site and the others of its fold."""
    guesses = [_guess(guess, names) for guess in (NEXT_GUESS, PAGE_GUESS)]
    domains = sorted({sample.page.domain for sample in samples})
    splits = []
    for seed in range(SPLITS):
        order = np.random.default_rng(seed).permutation(len(domains))
        fold = {domains[number]: place % FOLDS for place, number in enumerate(order.tolist())}
        by_fold = {}
        for left_out in range(FOLDS):
            rest = [one for one in samples if fold[one.page.domain] != left_out and len(one.addresses)]
            by_fold[left_out] = (fit_next(rest, guesses[0], firmness), fit_pages(rest, guesses[1], PAGE_FIRMNESS))
        splits.append([by_fold[fold[sample.page.domain]] for sample in samples])
    return splits


def _scored(
    samples: Sequence[Sample], weights: Sequence[tuple[Array, Array]], least_next: float, least_page: float
) -> PagingScore:
    answers = [answer(sample, *own, least_next, least_page) for sample, own in zip(samples, weights, strict=True)]
    return score([sample.page for sample in samples], answers)


def _mean(scores: Sequence[PagingScore]) -> PagingScore:
    values = {name: float(np.mean([getattr(one, name) for one in scores])) for name in PagingScore.__annotations__}
    return PagingScore(**values)


def _guess(guess: Mapping[str, float], names: Sequence[str]) -> Array:
    return np.array([guess.get(name, 0.0) for name in names])


def main() -> None:
    """Print the figures for every firmness and threshold, and write the weights if asked to."""
    pages, _ = read_pages(Options())
    samples, names = samples_of(pages)
    for firmness in (0.3, 1.0, 3.0):
        fitted = _fitted_by_folds(samples, names, firmness)
        for threshold in THRESHOLDS:
            found = _mean([_scored(samples, weights, threshold, LEAST_PAGE) for weights in fitted])
            print(f"{firmness:g} {threshold:g}: next F1 {found.next_f1:.4f}, given {found.given:.4f}", end="  ")
            found = _mean([_scored(samples, weights, LEAST_NEXT, threshold) for weights in fitted])
            print(f"pages F1 {found.pages_f1:.4f}")
    if "--write" in sys.argv:
        whole = [sample for sample in samples if len(sample.addresses)]
        for_next = fit_next(whole, _guess(NEXT_GUESS, names), FIRMNESS)
        for_pages = fit_pages(whole, _guess(PAGE_GUESS, names), PAGE_FIRMNESS)
        WEIGHTS.write_text(_module(names, for_next, for_pages), "utf-8")
        print(f"written to {WEIGHTS}")


def _module(names: Sequence[str], for_next: Array, for_pages: Array) -> str:
    lines = ['"""The weights of the clues for next pages, fitted by `bench/navigate/fit_paging.py`."""', ""]
    lines += ['__all__ = ["NEXT_WEIGHTS", "PAGE_WEIGHTS"]', ""]
    for title, weights in (("NEXT_WEIGHTS", for_next), ("PAGE_WEIGHTS", for_pages)):
        lines += [f"{title}: dict[str, float] = {{"]
        lines += [f'    "{name}": {weight:.3f},' for name, weight in zip(names, weights, strict=True)]
        lines += ["}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
