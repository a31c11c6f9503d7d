"""`python -m bench.navigate.fit_memory`: fit the weights of an element's memory, and choose its limits.

The truth comes from real redesigns: a control whose role and name are unique in two versions of a page, and the same in
both, is one control. Then the later version is made harder: its name is reworded, wholly or in part, its classes are
renamed, or it is taken away. Relocation must find the right control, or nothing; what is wrong must stay below
`MOST_WRONG`. Weights and limits are chosen on some sites and measured on others, in folds over whole sites;
`out_of_fold` gives the figures that the bench reports. With `--write` they are written to the package.
"""

import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.frame import Options, folder_of
from sightline import open as open_page
from sightline.navigate.targets import _find
from sightline.navigate.targets._find import (
    LEAST,
    LEAST_ALONE,
    MARGIN,
    WEIGHTS,
    Remembered,
    remember_all,
    similarities,
    was_another,
)
from sightline.navigate.targets._names import CONTROLS, NamedElement, NamedElements

Array = npt.NDArray[np.float64]

FOLDS = 5
MOST_WRONG = 0.005  # of all cases may be relocated to another control
TRAINED_WRONG = 0.001  # of those that weights are fitted on: other sites are always a little worse
FIRMNESS = 0.004  # of the guess: the share that must be found more for a weight to be doubled
GUESS = {
    "name": 3.0,
    "id": 2.0,
    "called": 2.0,
    "href": 2.0,
    "hints": 1.5,
    "type": 0.7,
    "classes": 0.7,
    "heading": 0.7,
    "beside": 1.2,
    "place": 0.6,
}
FROM_A_PAGE = 25  # controls of one page; menus of hundreds of links would decide everything
FROM_A_SITE = 6  # pairs of pages
ROUNDS = 4
STEPS = (0.25, 0.5, 0.8, 1.25, 2.0)  # by which a weight is multiplied to see whether it is better so
LEAST_WEIGHT, MOST_WEIGHT = 0.05, 8.0
LEASTS = tuple(np.arange(0.30, 0.95, 0.03).round(2))
MARGINS = tuple(np.arange(0.02, 0.30, 0.02).round(2))
NAMES = tuple(WEIGHTS)
MODULE = Path(_find.__file__)


@dataclass(frozen=True, eq=False)
class Case:
    """A control to find again: how alike each candidate is in each respect, and which one it is (-1 if it is gone)."""

    site: str
    kind: str
    alike: Array
    known: Array
    truth: int


@dataclass(frozen=True)
class MemoryScore:
    """Shares: of the controls that are there, how many were found; of all cases, how many were found wrongly."""

    found: float
    wrong: float


@dataclass(frozen=True)
class Fit:
    """Weights and limits."""

    weights: Array
    least: float
    margin: float
    alone: float

    def clear(self, best: Array, margin: Array, alone: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Which cases are clear."""
        return (best >= np.where(alone, self.alone, self.least)) & (margin >= self.margin)


# ---------------------------------------------------------------------- cases


def cases_of(options: Options) -> list[Case]:
    """All cases of all sites."""
    chance = random.Random(20)
    pairs = list(_pairs(folder_of("evolution", options)))
    elements = {path: NamedElements(open_page(path, static=True)) for _, *two in pairs for path in two}
    names = _names_by_role(elements.values())
    return [case for site, old, new in pairs for case in _cases(site, elements[old], elements[new], names, chance)]


def _pairs(folder: Path) -> Iterator[tuple[str, Path, Path]]:
    """Pages of one name in two versions that follow each other, a few of each site."""
    for home in sorted(one for one in folder.iterdir() if (one / "versions.json").exists()):
        listed = [version["version"] for version in json.loads((home / "versions.json").read_text("utf-8"))]
        found = [
            (home.name, page, later)
            for old, new in pairwise(listed)
            for page in sorted((home / "versions" / str(old)).glob("*.html"))
            if (later := home / "versions" / str(new) / page.name).exists()
        ]
        every = max(1, len(found) // FROM_A_SITE)
        yield from found[::every][:FROM_A_SITE]


def _names_by_role(pages: Iterable[NamedElements]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for page in pages:
        for one in page.all:
            if one.name:
                found[one.role].append(one.name)
    return found


def _unique(elements: NamedElements) -> dict[tuple[str, str], NamedElement]:
    groups: dict[tuple[str, str], list[NamedElement]] = defaultdict(list)
    for one in elements.all:
        if one.role in CONTROLS and one.name:
            groups[one.role, one.name].append(one)
    return {key: own[0] for key, own in groups.items() if len(own) == 1}


def _cases(
    site: str, old: NamedElements, new: NamedElements, names: dict[str, list[str]], chance: random.Random
) -> Iterator[Case]:
    before, after = _unique(old), _unique(new)
    shared = [key for key in before if key in after]
    was_of, now_of = remember_all(old), remember_all(new)
    for key in chance.sample(shared, min(len(shared), FROM_A_PAGE)):
        was, own = was_of[before[key].node], after[key].node
        there = {one.node: now_of[one.node] for one in new.all if one.role == key[0]}
        other = chance.choice(names[key[0]])
        half = " ".join([*key[1].split()[: max(1, len(key[1].split()) // 2)], *other.split()[:2]])
        changes = {
            "reworded": replace(there[own], name=other),
            "reworded in part": replace(there[own], name=half),
            "reworded, classes renamed": replace(there[own], name=other, classes=()),
        }
        rest = {node: one for node, one in there.items() if node != own and not was_another(was, one.name)}
        leads = there[own].attributes.get("href")
        if leads:  # whatever leads to the same place would not be wrong
            rest = {node: one for node, one in rest.items() if one.attributes.get("href") != leads}
        for kind, changed in changes.items():
            yield _case(site, kind, was, {own: changed, **rest}, own)
        yield _case(site, "gone", was, rest, -1)


def _case(site: str, kind: str, was: Remembered, there: dict[int, Remembered], own: int) -> Case:
    known = similarities(was, was)
    rows = [[similarities(was, now).get(name, 0.0) for name in NAMES] for now in there.values()]
    alike = np.array(rows, dtype=float).reshape(len(rows), len(NAMES))
    truth = list(there).index(own) if own >= 0 else -1
    return Case(site, kind, alike, np.array([name in known for name in NAMES], dtype=float), truth)


# ---------------------------------------------------------------------- scores


class _Sheet:
    """All cases as one matrix, to be scored at once."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = [case for case in cases if len(case.alike)]
        self.empty = sum(case.truth >= 0 for case in cases if not len(case.alike))
        self._rows = np.concatenate([case.alike * case.known for case in self._cases])
        self._known = np.array([case.known for case in self._cases])
        sizes = [len(case.alike) for case in self._cases]
        self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self._of = np.repeat(np.arange(len(sizes)), sizes)
        self._truth = np.array([case.truth for case in self._cases])
        self._sizes = np.array(sizes)

    @property
    def alone(self) -> npt.NDArray[np.bool_]:
        """Whether there is only one candidate."""
        found: npt.NDArray[np.bool_] = self._sizes == 1
        return found

    def ranked(self, weights: Array) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
        """For each case the best score, how much less the next has, and whether the best is right."""
        scores = (self._rows @ weights) / np.maximum(1e-9, self._known @ weights)[self._of]
        best = np.maximum.reduceat(scores, self._starts)
        first = np.full(len(best), -1)
        at = np.flatnonzero(scores == best[self._of])
        first[self._of[at][::-1]] = at[::-1]
        others = scores.copy()
        others[first] = -np.inf
        second = np.maximum.reduceat(others, self._starts)
        margin = np.where(self._sizes > 1, best - second, 1.0)
        return best, margin, (first - self._starts) == self._truth

    @property
    def there(self) -> int:
        """How many controls can be found."""
        return int((self._truth >= 0).sum()) + self.empty

    @property
    def count(self) -> int:
        """How many cases there are."""
        return len(self._cases) + self.empty


def scored(sheet: _Sheet, fit: Fit) -> MemoryScore:
    """What these weights and limits come to."""
    best, margin, right = sheet.ranked(fit.weights)
    clear = fit.clear(best, margin, sheet.alone)
    return MemoryScore((clear & right).sum() / sheet.there, (clear & ~right).sum() / sheet.count)


def _best_limits(sheet: _Sheet, weights: Array) -> tuple[float, Fit]:
    best, margin, right = sheet.ranked(weights)
    alone = sheet.alone
    top: tuple[float, Fit] = (-1.0, Fit(weights, 1.0, 1.0, 1.0))
    of_one = [(one, *_counts((best >= one) & alone, right)) for one in LEASTS]
    for least in LEASTS:
        for gap in MARGINS:
            good, bad = _counts((best >= least) & (margin >= gap) & ~alone, right)
            for single, good_alone, bad_alone in of_one:
                if (bad + bad_alone) / sheet.count <= TRAINED_WRONG and (good + good_alone) / sheet.there > top[0]:
                    top = (good + good_alone) / sheet.there, Fit(weights, float(least), float(gap), float(single))
    return top


def _counts(clear: npt.NDArray[np.bool_], right: npt.NDArray[np.bool_]) -> tuple[int, int]:
    return int((clear & right).sum()), int((clear & ~right).sum())


def fitted(cases: Sequence[Case]) -> Fit:
    """The weights, one changed after the other, and the limits with which most is found and hardly anything wrongly."""
    sheet = _Sheet(cases)
    guess = np.array([GUESS[name] for name in NAMES])
    top = _best_limits(sheet, guess)
    for _ in range(ROUNDS):
        before = top[0]
        for number in range(len(NAMES)):
            for step in STEPS:
                weights = top[1].weights.copy()
                weights[number] = min(MOST_WEIGHT, max(LEAST_WEIGHT, weights[number] * step))
                found, fit = _best_limits(sheet, weights)
                far = float(np.abs(np.log2(weights / guess)).sum())
                top = max(top, (found - FIRMNESS * far, fit), key=lambda one: one[0])
        if top[0] <= before:
            break
    return top[1]


def out_of_fold(cases: Sequence[Case]) -> MemoryScore:
    """The score on sites that weights and limits were not chosen on."""
    sites = sorted({case.site for case in cases})
    totals = np.zeros(4)
    for fold in range(FOLDS):
        held = {site for number, site in enumerate(sites) if number % FOLDS == fold}
        fit = fitted([case for case in cases if case.site not in held])
        sheet = _Sheet([case for case in cases if case.site in held])
        score = scored(sheet, fit)
        totals += (score.found * sheet.there, sheet.there, score.wrong * sheet.count, sheet.count)
    return MemoryScore(totals[0] / totals[1], totals[2] / totals[3])


def current() -> Fit:
    """The weights and limits in use."""
    return Fit(np.array([WEIGHTS[name] for name in NAMES]), LEAST, MARGIN, LEAST_ALONE)


# ---------------------------------------------------------------------- the package


def main() -> None:
    """Print the figures out of fold, by kind of case and in use, and write the fit on all sites if asked to."""
    cases = cases_of(Options())
    print(f"{len(cases)} cases of {len({case.site for case in cases})} sites")
    _print("in use", cases, current())
    held = out_of_fold(cases)
    print(f"out of fold: found {held.found:.4f}, wrong {held.wrong:.4f}")
    fit = fitted(cases)
    _print("fitted on all", cases, fit)
    print({name: round(float(weight), 2) for name, weight in zip(NAMES, fit.weights, strict=True)}, fit)
    if "--write" in sys.argv:
        if held.wrong > MOST_WRONG:
            raise SystemExit(f"fit_memory: {held.wrong:.4f} wrong out of fold is more than {MOST_WRONG}; not written.")
        MODULE.write_text(_written(MODULE.read_text("utf-8"), fit), "utf-8")
        print(f"written to {MODULE}")


def _print(title: str, cases: Sequence[Case], fit: Fit) -> None:
    whole = scored(_Sheet(cases), fit)
    print(f"{title}: found {whole.found:.4f}, wrong {whole.wrong:.4f}")
    for kind in dict.fromkeys(case.kind for case in cases):
        sheet = _Sheet([case for case in cases if case.kind == kind])
        best, margin, right = sheet.ranked(fit.weights)
        clear = fit.clear(best, margin, sheet.alone)
        print(f"  {kind}: right {(clear & right).mean():.4f}, wrong {(clear & ~right).mean():.4f}")


def _written(module: str, fit: Fit) -> str:
    lines = [f'    "{name}": {weight:.2f},' for name, weight in zip(NAMES, fit.weights, strict=True)]
    table = "WEIGHTS: dict[str, float] = {\n" + "\n".join(lines) + "\n}"
    module = re.sub(r"WEIGHTS: dict\[str, float\] = \{.*?\n\}", table, module, flags=re.DOTALL)
    module = re.sub(r"^LEAST = [\d.]+", f"LEAST = {fit.least:.2f}", module, flags=re.MULTILINE)
    module = re.sub(r"^LEAST_ALONE = [\d.]+", f"LEAST_ALONE = {fit.alone:.2f}", module, flags=re.MULTILINE)
    return re.sub(r"^MARGIN = [\d.]+", f"MARGIN = {fit.margin:.2f}", module, flags=re.MULTILINE)


if __name__ == "__main__":
    main()
