"""`python -m bench.lists.fit_fields`: what makes an inline element a part of its own, found by folds of sites.

For each of five folds of sites the shares with the best cell F1 on the other four are taken, and measured on it. The
figure over all folds is what pages of unseen sites can expect; `_inline_fields.py` has the shares.
"""

import hashlib
import itertools
from collections.abc import Sequence
from unittest.mock import patch

from bench.frame import Options, program
from bench.lists.pages import Truth, Way, found_lists, list_way, lists_truth, score_lists
from bench.lists.records import ListTruth
from bench.pages import rendered
from sightline.extract.lists import _inline_fields
from sightline.page import Page

FOLDS = 5
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5)
MOST = (0.6, 0.7, 0.8, 0.9)

Choice = tuple[float, float]


def main() -> None:
    """Measure every choice on every list, then choose without each fold in turn."""
    parser = program(__doc__)
    options = Options(data=parser.parse_args().data)
    truth = lists_truth(options)
    pages = rendered(truth.files, keep=False)
    way, plain = list_way(), list_way(["inline parts"])
    measured = {choice: _cells(truth, pages, way, choice) for choice in itertools.product(SHARES, MOST)}
    without = [page.best.cells.f1 for page in score_lists(truth, found_lists(truth, pages, plain))]
    fold = [_fold(one.id) for one in truth.known]
    for (share, most), figures in measured.items():
        print(f"share {share}, once and apart {most}: {_mean(figures):.4f}")
    unseen = []
    for number in range(FOLDS):
        best = max(measured, key=lambda choice: _mean(_of(measured[choice], fold, number, inside=False)))
        own = _of(measured[best], fold, number, inside=True)
        before = _mean(_of(without, fold, number, inside=True))
        print(f"fold {number + 1}: {best}, {_mean(own):.4f} on {len(own)} lists; without inline parts {before:.4f}")
        unseen.extend(own)
    print(f"out of fold {_mean(unseen):.4f}; without inline parts {_mean(without):.4f}")


def _cells(truth: Truth[ListTruth], pages: Sequence[Page], way: Way, choice: Choice) -> list[float]:
    share, most = choice
    with patch.multiple(_inline_fields, LEAST_SHARE=share, MOST_SINGLE=most, MOST_APART=most):
        return [page.best.cells.f1 for page in score_lists(truth, found_lists(truth, pages, way))]


def _fold(name: str) -> int:
    """The fold of a page: all lists and pages of a site are in one."""
    site = name.split("/", 1)[-1].split("#")[0].removesuffix("__1").split("__")[-1]
    return hashlib.blake2b(site.encode()).digest()[0] % FOLDS


def _of(figures: Sequence[float], fold: Sequence[int], number: int, *, inside: bool) -> list[float]:
    return [figure for figure, own in zip(figures, fold, strict=True) if (own == number) == inside]


def _mean(figures: Sequence[float]) -> float:
    return sum(figures) / len(figures)


if __name__ == "__main__":
    main()
