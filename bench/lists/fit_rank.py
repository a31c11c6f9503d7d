"""`python -m bench.lists.fit_rank`: how much each measure of a region counts for its importance, by folds of sites.

Of each page of the set `lists` all returned regions are known with their measures and their record F1. The weights are
fitted so that the lists of the truth come first; of a page with two lists, neither competes with the other. For each of
five folds of sites they are fitted to the other four and rank the pages of the fold. Sites are dealt three times, as
one page more or less moves the mean by 0.004. `_measures.py` has the weights that all pages give, moved to the mean and
spread of the ones before, so that scores mean the same.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.fitting import Floats, Ranking, ranked_first
from bench.frame import Options, program
from bench.lists import records
from bench.lists.pages import _found, lists_truth
from bench.lists.records import ListTruth
from bench.pages import rendered
from sightline.extract.lists import _find
from sightline.extract.lists._measures import BIAS, MEASURES, WEIGHTS

FOLDS = 5
DEALS = 3
PENALTIES = (0.01, 0.02, 0.05)
SINCE = ("digits", "sentences", "paragraphs", "lines", "area", "before")  # measures added last
AS_GOOD = 0.02  # of F1 within which regions are equally right
LEAST_RIGHT = 0.3  # F1 of the best region, or else there is nothing to learn
GOOD = 0.9  # F1 from which a region is a list of the truth


@dataclass(frozen=True)
class Case:
    """A page: its file, its known lists, and the measures and record F1 (by list) of the regions returned."""

    name: str
    known: tuple[ListTruth, ...]
    measures: Floats
    rates: Floats


def main() -> None:
    """Rank every page by weights of other sites, then fit to all."""
    parser = program(__doc__)
    parser.add_argument("--keep-pages", action="store_true", help="take the pages of an earlier run")
    options = parser.parse_args()
    cases = read_cases(Options(data=options.data), keep=options.keep_pages)
    now = np.array([WEIGHTS[name] for name in MEASURES])
    print(f"as it is: first F1 {_first(cases, now, list(MEASURES)):.4f}")
    for names in ([name for name in MEASURES if name not in SINCE], list(MEASURES)):
        for penalty in PENALTIES:
            inside = _first(cases, ranked_first(_rankings(cases, names), penalty), names)
            unseen = _unseen(cases, names, penalty)
            print(f"{len(names)} measures, penalty {penalty}: in fold {inside:.4f}, out of fold {unseen:.4f}")
    for penalty in PENALTIES:
        weights, bias = _moved(cases, ranked_first(_rankings(cases, list(MEASURES)), penalty), now)
        print(
            penalty,
            {name: round(float(value), 2) for name, value in zip(MEASURES, weights, strict=True)},
            round(bias, 2),
        )


def read_cases(options: Options, *, keep: bool) -> list[Case]:
    """Every page with the regions that are returned of it."""
    truth = lists_truth(options)
    cases = []
    for name, page in zip(truth.names, rendered(truth.files, keep=keep), strict=True):
        search = _find._search(page, None)
        places = {tuple(evidence.items()): place for place, evidence in enumerate(search.evidence)}
        known = tuple(one for one in truth.known if one.file == name)
        found = [_found(one) for one in search.lists]
        rates = np.array([[records.compared(one, items).records.f1 for items in found] for one in known])
        cases.append(Case(name, known, search.measures[[places[one.evidence] for one in search.lists]], rates))
    return cases


def fold_of(name: str, deal: int) -> int:
    """The fold of a page's site in one deal; every site has one page."""
    return hashlib.blake2b(f"{deal}{name}".encode()).digest()[0] % FOLDS


def _rankings(cases: Sequence[Case], names: Sequence[str]) -> list[Ranking]:
    columns = [list(MEASURES).index(name) for name in names]
    found = []
    for case in cases:
        for own in case.rates:
            if not len(own) or own.max() < LEAST_RIGHT:
                continue
            right = own >= own.max() - AS_GOOD
            competes = right | (case.rates.max(axis=0) < GOOD)
            found.append(Ranking(case.measures[competes][:, columns], right[competes], 1 / len(case.known)))
    return found


def _unseen(cases: Sequence[Case], names: Sequence[str], penalty: float) -> float:
    figures = []
    for deal in range(DEALS):
        total = 0.0
        for number in range(FOLDS):
            others = [case for case in cases if fold_of(case.name, deal) != number]
            own = [case for case in cases if fold_of(case.name, deal) == number]
            lists = sum(len(case.known) for case in own)
            total += lists * _first(own, ranked_first(_rankings(others, names), penalty), names)
        figures.append(total / sum(len(case.known) for case in cases))
    return float(np.mean(figures))


def _first(cases: Sequence[Case], weights: Floats, names: Sequence[str]) -> float:
    """The mean F1 of the first region; of a page with several known lists, of the better of the first so many."""
    columns = [list(MEASURES).index(name) for name in names]
    found = []
    for case in cases:
        order = np.argsort(-(case.measures[:, columns] @ weights), kind="stable")
        pairs = zip(case.known, case.rates, strict=True)
        found += [own[order[: one.siblings]].max(initial=0.0) for one, own in pairs]
    return float(np.mean(found))


def _moved(cases: Sequence[Case], weights: Floats, now: Floats) -> tuple[Floats, float]:
    """Weights and bias that give all regions the mean and the spread that they have now."""
    rows = np.concatenate([case.measures for case in cases])
    before, after = rows @ now + BIAS, rows @ weights
    scale = before.std() / after.std()
    return scale * weights, float(before.mean() - scale * after.mean())


if __name__ == "__main__":
    main()
