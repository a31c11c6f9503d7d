"""`python -m bench.navigate.fit_paging`: fit the weights of the clues for next pages, and choose what they are held by.

Which of a page's links is the next one, or none, is one choice (a softmax); whether a link is a page of the list is one
choice a link. The weights make the truth likeliest, each held near nothing: nothing about them is set by hand. All
pages with known next pages are used, those of a site counting the less the more there are.
How firmly weights are held, and the least chance that is told, are chosen by folds of whole sites within what they are
fitted on, so that neither has seen the sites that it is judged by. `out_of_fold` and `out_of_set` give the figures that
the bench reports. With `--write` the weights are written to the package; `--ablate` tells what each clue is worth.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.fitting import Floats as Array
from bench.fitting import chances, dealt, logistic, newton
from bench.frame import Options
from bench.navigate.paging import SETS, Answer, KnownPage, PagingScore, further_pages, read_pages, score
from sightline.navigate.paging import _find
from sightline.navigate.paging._find import BIAS, LEAST_NEXT, LEAST_PAGE
from sightline.navigate.paging._weights import NEXT_WEIGHTS, PAGE_WEIGHTS

FOLDS = 10
INNER = 3
SPLITS = 2
FIRMNESS = (0.1, 0.3)
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8)
MOST_GIVEN = 0.06  # of the pages without a next page may be given one
PAGE_FIRMNESS = 1.0  # 0.3, 1 and 3 were tried
BIAS_FIRMNESS, BIAS_GUESS = 0.02, -5.0
FURTHER_SETS = (("further",), ("made",))
MADE = 0.5
MADE_PAGES = 0.3  # the same for all pages of a list
WEBLOG = "weblog"  # the sets call its newer page next, people its older one: it says nothing about next
FOR_ALL_PAGES = ("letters", "older", WEBLOG)  # families of which the sets have next to nothing
WEIGHTS = Path(_find.__file__).with_name("_weights.py")

# What each model weighs. All others that were tried are worth nothing on sites left out; see docs/ablation.md.
NEXT_CLUES = (
    *("says next", "says older", "says newer", "arrow on", "arrow on alone", "arrow back", "around next"),
    *("called previous", "in a pager", "in a calendar or slider", "in a story", "long", "is a number", "number two"),
    *("number after the current", "number of the list", "counts pages", "one step on", "nearest on"),
    *("next in the list", "arrow on in the list", "more of the list", "leads to a date"),
    *("follows in a series", "just next on the path"),  # against silence: numbers only, and addresses without numbers
)
PAGE_CLUES = (
    *("says first", "says older", "says newer", "around next", "called previous", "in a pager"),
    *("in a calendar or slider", "is a number", "number two", "number before the current", "numbers beside"),
    *("number of the list", "in a series", "counts pages", "counts on a page", "one step on", "nearest on"),
    *("next in the list", "letter with letters"),
)
CLUES = tuple(dict.fromkeys((*NEXT_CLUES, *PAGE_CLUES)))
FOR_NEXT, FOR_PAGES = ([*map(CLUES.index, names), -1] for names in (NEXT_CLUES, PAGE_CLUES))


@dataclass(frozen=True, eq=False)
class Sample:
    """The links of a page: their addresses, their clues as a matrix, and which are the next page and any page.

    Links with the same clues have one row of `kinds`: how many they are, and how many of them are the next page.
    """

    page: KnownPage
    addresses: tuple[str, ...]
    clues: Array
    is_next: Array
    is_page: Array
    kinds: Array
    counts: Array
    right: Array


@dataclass(frozen=True)
class Choice:
    """What is chosen besides weights: how firmly these are held, and from which chance on a next page is told."""

    firmness: float
    least: float


def samples_of(pages: Sequence[KnownPage], for_next: Sequence[int] = FOR_NEXT) -> list[Sample]:
    """The links of all pages; the bias is the last column."""
    place = {name: number for number, name in enumerate(CLUES)}
    samples = []
    for page in pages:
        candidates = page.candidates
        clues = np.zeros((len(candidates), len(CLUES) + 1))
        clues[:, -1] = 1.0
        for row, candidate in enumerate(candidates):
            for name in candidate.clues.keys() & place.keys():
                clues[row, place[name]] = candidate.clues[name]
        addresses = tuple(candidate.address for candidate in candidates)
        is_next, is_page = (
            np.array([address in wanted for address in addresses], dtype=float) for wanted in (page.next, page.all)
        )
        samples.append(Sample(page, addresses, clues, is_next, is_page, *_kinds(clues[:, for_next], is_next)))
    return samples


def _kinds(clues: Array, is_next: Array) -> tuple[Array, Array, Array]:
    if not len(clues):
        return clues, np.zeros(0), np.zeros(0)
    kinds, own, counts = np.unique(clues, axis=0, return_inverse=True, return_counts=True)
    right = np.zeros(len(kinds))
    np.add.at(right, own.ravel(), is_next)
    return kinds, counts.astype(np.float64), right


def fit_next(samples: Sequence[Sample], firmness: float) -> Array:
    """The weights of the next page, by Newton's method on the softmax over each page's links and none."""
    samples = [sample for sample in samples if sample.addresses and sample.page.family != WEBLOG]
    kinds = np.concatenate([sample.kinds for sample in samples])
    counts, right = (np.concatenate([getattr(one, name) for one in samples]) for name in ("counts", "right"))
    size = np.array([len(sample.kinds) for sample in samples])
    begins, owner = np.cumsum(size) - size, np.repeat(np.arange(len(size)), size)
    has_next = np.add.reduceat(right, begins) > 0
    worth = worth_of(samples)

    def slope_and_curve(weights: Array) -> tuple[Array, Array]:
        chance = _shares(kinds @ weights + np.log(counts), begins, owner)
        wanted = chance * right / counts
        whole = np.add.reduceat(wanted, begins)
        wanted = np.where(has_next[owner], wanted / np.maximum(whole[owner], 1e-12), 0.0)
        mean = np.add.reduceat(kinds * chance[:, None], begins)
        curve = (kinds * (chance * worth[owner])[:, None]).T @ kinds - (mean * worth[:, None]).T @ mean
        return kinds.T @ ((chance - wanted) * worth[owner]), curve

    return newton(*_start(kinds.shape[1], firmness), slope_and_curve, longest=1.0, settled=1e-4)


def fit_pages(samples: Sequence[Sample], firmness: float = PAGE_FIRMNESS) -> Array:
    """The weights of any page, by Newton's method on the logistic loss."""
    samples = [one for one in samples if one.addresses and (one.page.set in SETS or one.page.family in FOR_ALL_PAGES)]
    clues = np.concatenate([sample.clues[:, FOR_PAGES] for sample in samples])
    counts = np.concatenate(
        [np.full(len(one.addresses), 1.0 if one.page.set in SETS else MADE_PAGES) for one in samples]
    )
    wanted = np.concatenate([sample.is_page for sample in samples])
    return newton(*_start(clues.shape[1], firmness), logistic(clues, wanted, counts), longest=1.0)


def worth_of(samples: Sequence[Sample]) -> Array:
    """What each page counts: the pages of a site together the root of how many they are; a made-up one counts less."""
    sites = Counter(sample.page.site for sample in samples)
    return np.array([MADE if one.page.set == "made" else 1 / np.sqrt(sites[one.page.site]) for one in samples])


def _start(size: int, firmness: float) -> tuple[Array, Array]:
    start, held = np.zeros(size), np.full(size, firmness)
    start[-1], held[-1] = BIAS_GUESS, BIAS_FIRMNESS
    return start, held


def _shares(scores: Array, begins: npt.NDArray[np.int64], owner: npt.NDArray[np.int64]) -> Array:
    highest = np.maximum(0.0, np.maximum.reduceat(scores, begins))
    odds = np.exp(scores - highest[owner])
    shares: Array = odds / (np.add.reduceat(odds, begins) + np.exp(-highest))[owner]
    return shares


def next_chances(sample: Sample, weights: Array, columns: Sequence[int] = FOR_NEXT) -> Array:
    """For each link the chance that it is the next page."""
    if not len(sample.clues):
        return np.zeros(0)
    return _shares(
        sample.clues[:, columns] @ weights, np.zeros(1, dtype=np.int64), np.zeros(len(sample.clues), dtype=np.int64)
    )


def next_of(sample: Sample, weights: Array, least: float, columns: Sequence[int] = FOR_NEXT) -> str | None:
    """The next page that the weights tell, if any link is one by at least this chance."""
    of_next = next_chances(sample, weights, columns)
    return sample.addresses[int(np.argmax(of_next))] if of_next.sum() >= least else None


def answer(sample: Sample, for_next: Array, for_pages: Array, choice: Choice, least_page: float) -> Answer:
    """What the weights say about a page."""
    is_page = chances(sample.clues[:, FOR_PAGES] @ for_pages) >= least_page
    pages = [address for address, is_one in zip(sample.addresses, is_page, strict=True) if is_one]
    return Answer(next_of(sample, for_next, choice.least), frozenset(pages))


def folds_of(samples: Sequence[Sample], count: int, seed: int = 0) -> Iterator[tuple[list[Sample], list[int]]]:
    """For each fold what is outside of it, and the places of what is inside; no site is in both."""
    fold = dealt((sample.page.site for sample in samples), count, seed)
    for left_out in range(count):
        inside = [place for place, one in enumerate(samples) if fold[one.page.site] == left_out]
        yield [one for one in samples if fold[one.page.site] != left_out], inside


def choose(samples: Sequence[Sample]) -> Choice:
    """The firmness by which sites left out are told best, and the chance with the best F1 that gives few too many."""
    told = {firmness: _left_out(samples, firmness) for firmness in FIRMNESS}
    worth = worth_of(samples)
    firmness = min(told, key=lambda one: float(np.average(_losses(samples, told[one]), weights=worth)))
    real = [place for place, sample in enumerate(samples) if sample.page.set != "made"]

    def merit(least: float) -> tuple[bool, float]:
        found = [next_of(samples[place], told[firmness][place], least) for place in real]
        scored = score([samples[place].page for place in real], [Answer(one, frozenset()) for one in found])
        return scored.given <= MOST_GIVEN, scored.next_f1

    return Choice(firmness, max(THRESHOLDS, key=merit))


def _left_out(samples: Sequence[Sample], firmness: float) -> list[Array]:
    """The weights for each page, fitted without its site."""
    told: dict[int, Array] = {}
    for outside, inside in folds_of(samples, INNER):
        told |= dict.fromkeys(inside, fit_next(outside, firmness))
    return [told[place] for place in range(len(samples))]


def _losses(samples: Sequence[Sample], weights: Sequence[Array], columns: Sequence[int] = FOR_NEXT) -> list[float]:
    """How unlikely the truth of each page is."""
    found = []
    for sample, own in zip(samples, weights, strict=True):
        of_next = next_chances(sample, own, columns)
        truth = of_next @ sample.is_next if sample.is_next.any() else 1 - of_next.sum()
        found.append(-float(np.log(max(truth, 0.01))))
    return found


def out_of_fold(samples: Sequence[Sample], splits: int = SPLITS) -> PagingScore:
    """The figures on sites that neither weights nor choices have seen: the mean of several ways to make the folds."""
    scores = []
    for seed in range(splits):
        answers: dict[int, Answer] = {}
        for outside, inside in folds_of(samples, FOLDS, seed):
            choice = choose(outside)
            weights = fit_next(outside, choice.firmness), fit_pages(outside)
            answers |= {place: answer(samples[place], *weights, choice, LEAST_PAGE) for place in inside}
        real = [place for place, sample in enumerate(samples) if sample.page.set in SETS]
        scores.append(score([samples[place].page for place in real], [answers[place] for place in real]))
    values = {name: float(np.mean([getattr(one, name) for one in scores])) for name in PagingScore.__annotations__}
    return PagingScore(**values)


def out_of_set(samples: Sequence[Sample], judged: str, *, further: bool = True) -> PagingScore:
    """The figures on one set of the two by the weights of the other, with or without the further pages."""
    of_set = [sample for sample in samples if sample.page.set == judged]
    sites = {sample.page.site for sample in of_set}
    used = [one for one in samples if one.page.site not in sites and (further or one.page.set in SETS)]
    choice = choose(used)
    weights = fit_next(used, choice.firmness), fit_pages(used)
    return score([one.page for one in of_set], [answer(one, *weights, choice, LEAST_PAGE) for one in of_set])


def in_fold(samples: Sequence[Sample]) -> PagingScore:
    """The figures by the weights in use, which have seen all of it."""
    for_next, for_pages = (np.array(list(weights.values())) for weights in (NEXT_WEIGHTS, PAGE_WEIGHTS))
    real = [sample for sample in samples if sample.page.set in SETS]
    choice = Choice(0.0, LEAST_NEXT)
    return score([one.page for one in real], [answer(one, for_next, for_pages, choice, LEAST_PAGE) for one in real])


def read_samples(options: Options) -> list[Sample]:
    """The pages of the sets and the further ones, as they are fitted."""
    return samples_of([*read_pages(options)[0], *further_pages(options)])


def ablate(pages: Sequence[KnownPage]) -> None:
    """Print what each clue is worth over sites that it was not made on: loss and figures without it."""
    for without in (None, *NEXT_CLUES):
        columns = [place for place in FOR_NEXT if place < 0 or CLUES[place] != without]
        samples = samples_of(pages, columns)
        weights = _left_out(samples, FIRMNESS[0])
        losses, worth = np.array(_losses(samples, weights, columns)), worth_of(samples)
        kinds = [[place for place, one in enumerate(pages) if one.set in names] for names in (SETS, *FURTHER_SETS)]
        told = [
            Answer(next_of(sample, own, LEAST_NEXT, columns), frozenset())
            for sample, own in zip(samples, weights, strict=True)
        ]
        found = [score([pages[place] for place in kind], [told[place] for place in kind]) for kind in kinds]
        loss = [f"{np.average(losses[kind], weights=worth[kind]):.3f}" for kind in kinds]
        print(f"| {without or 'none'} |", " | ".join([*loss, *(f"{one.next_f1:.3f}" for one in found)]), end=" | ")
        print(f"{found[0].given:.1%} |", flush=True)


def main() -> None:
    """Print the figures, and write the weights if asked to."""
    if "--ablate" in sys.argv:
        ablate([*read_pages(Options())[0], *further_pages(Options())])
        return
    samples = read_samples(Options())
    choice = choose(samples)
    print(f"chosen: {choice}; LEAST_NEXT is {LEAST_NEXT}")
    if "--write" in sys.argv:
        text = _module(fit_next(samples, choice.firmness), fit_pages(samples))
        WEIGHTS.write_text(text, "utf-8")
        print(f"written to {WEIGHTS}")
        return
    print("in fold", in_fold(samples))
    print("out of fold", out_of_fold(samples))
    for judged in SETS:
        print("out of set", judged, out_of_set(samples, judged))
        print("out of set, without further pages", judged, out_of_set(samples, judged, further=False))


def _module(for_next: Array, for_pages: Array) -> str:
    lines = ['"""The weights of the clues for next pages, written by `bench/navigate/fit_paging.py`."""', ""]
    lines += ['__all__ = ["NEXT_WEIGHTS", "PAGE_WEIGHTS"]', ""]
    for title, names, weights in (("NEXT_WEIGHTS", NEXT_CLUES, for_next), ("PAGE_WEIGHTS", PAGE_CLUES, for_pages)):
        lines += [f"{title}: dict[str, float] = {{"]
        lines += [f'    "{name}": {weight:.3f},' for name, weight in zip([*names, BIAS], weights, strict=True)]
        lines += ["}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
