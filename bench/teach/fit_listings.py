"""`python -m bench.teach.fit_listings [NAME…]`: choose constants for teaching on lists, leaving out a site at a time.

For every value of a constant, all lists are taught or read again. The value that is best on all sites but one is used
on that site; the mean of these says what the choice is worth on sites that it was not made on. Every constant has the
measure of what it decides:

* `records_found`: of lists taught by one record, the share of the records found, and of their second cells
* `shown_anywhere`: the same of lists of which two records are shown, the first ones and others further down
* `texts_found`: of lists taught by one text, the share of the texts found
* `told_right`: of lists taught by one record and by two, the first ones and others, the share that is whole and `ok`,
  or a part and not `ok`; parts said `ok` and whole lists that are doubted are printed as well
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from bench.constants import Constant
from bench.frame import Options
from bench.induce.sites import opened
from bench.lists.pages import lists_truth
from bench.lists.records import ListTruth
from bench.pages import rendered
from bench.teach.listing_truth import corrected
from bench.teach.listings import WAYS, Listed, examples_on, taught_list, taught_wrapper
from sightline.extract.wrappers import _hypotheses, _listings
from sightline.extract.wrappers.patterns import _learn_region, _records
from sightline.page import Page

PLACES = (0.0, 0.34, 0.67, 1.0)  # of a list, from its first record to its last, where examples are taken


@dataclass(frozen=True)
class Trial(Constant):
    """A constant with the measure of its values: how good each site is."""

    measure: Callable[[], dict[str, float]]


# ---------------------------------------------------------------- measures


def records_found() -> dict[str, float]:
    """Of every site the mean of the share of records found and, where cells were read, that of right ones."""
    lists = ((known, page) for known, page in _parsed() if _has_cells(known))
    return {
        known.id: _goodness(taught_list(known, "static", WAYS[0], page, examples))
        for known, page in lists
        if (examples := examples_on(known, page))
    }


def shown_anywhere() -> dict[str, float]:
    """The same where two records are shown, from the first one on and further down."""
    found: dict[str, list[float]] = {}
    for known, page in _parsed():
        for turned in _turned(known):
            examples = examples_on(turned, page)
            if len(examples) > 1:
                one = taught_list(known, "static", WAYS[1], page, examples)
                found.setdefault(known.id, []).append(_goodness(one))
    return {site: _mean(several) for site, several in found.items()}


def texts_found() -> dict[str, float]:
    """Of every list of texts, taught by its first one, the share of them found."""
    lists = ((known, page) for known, page in _shown() if not _has_cells(known))
    return {
        known.id: taught_list(known, "rendered", WAYS[0], page, examples).found
        for known, page in lists
        if (examples := examples_on(known, page))
    }


def told_right() -> dict[str, float]:
    """Of every site the share of lists, taught from different records, whose verdict says whether they are whole."""
    found: dict[str, list[float]] = {}
    silent = doubted = whole = 0
    for known, page, wrapper, is_whole in _wrappers():
        is_ok = wrapper.read(page).verdict == "ok"
        whole += is_whole
        silent += is_ok and not is_whole
        doubted += is_whole and not is_ok
        found.setdefault(known.id, []).append(float(is_ok == is_whole))
    lists = sum(map(len, found.values()))
    print(f"  of {lists} lists {silent} are a part and said ok; of {whole} whole ones {doubted} are doubted")
    return {site: _mean(several) for site, several in found.items()}


def _goodness(one: Listed) -> float:
    return (one.found + (one.found * one.cells if one.cells is not None else 0.0)) / 2


TRIALS = (
    Trial(_learn_region, "EMPTY", (0.0, 1.0, 2.0, 4.0, 8.0), records_found),
    Trial(_listings, "RECURRING", (0.25, 0.5, 0.75, 0.9), records_found),
    Trial(_listings, "LEAST_SHARED", (0.0, 0.5, 0.75, 1.01), shown_anywhere),
    Trial(_hypotheses, "MOSTLY", (0.25, 0.5, 0.75, 1.0), texts_found),
    Trial(_records, "SHARED_LOOKS", (0.01, 0.5, 1.0, 1.01), told_right),
    Trial(_records, "LEAST_ALIKE", (1, 2, 3, 4), told_right),
    Trial(_records, "MOST_LEFT_OUT", (0.0, 0.05, 0.1, 0.2), told_right),
)


# ---------------------------------------------------------------- lists


@cache
def _parsed() -> list[tuple[ListTruth, Page]]:
    truth = lists_truth(Options())
    pages = dict(zip(truth.names, opened(truth.files), strict=True))
    return [(known, pages[known.file]) for known in map(corrected, truth.known)]


@cache
def _shown() -> list[tuple[ListTruth, Page]]:
    truth = lists_truth(Options())
    pages = dict(zip(truth.names, rendered(truth.files, keep=True), strict=True))
    return [(known, pages[known.file]) for known in map(corrected, truth.known)]


@cache
def _wrappers() -> list[tuple[ListTruth, Page, Any, bool]]:
    """What is learned from records at different places, and whether it reads the whole list."""
    found = []
    for known, page in _shown():
        for turned in _turned(known):
            examples = examples_on(turned, page)
            for way in WAYS[: len(examples)]:
                is_whole = taught_list(known, "rendered", way, page, examples).is_whole
                found.append((known, page, taught_wrapper(way, page, examples), is_whole))
    return found


def _turned(known: ListTruth) -> Iterator[ListTruth]:
    """A list of records that begins at different places, with what is before them at its end."""
    last = len(known.records) - 1
    for start in sorted({round(place * last) for place in PLACES}) if _has_cells(known) else ():
        yield replace(known, records=known.records[start:] + known.records[:start])


def _has_cells(known: ListTruth) -> bool:
    return any(len(cells) > 1 for cells in known.records)


# ---------------------------------------------------------------- the choice


def main() -> None:
    """Print the mean for every value, and the mean on sites that were left out of the choice."""
    for trial in TRIALS:
        if len(sys.argv) > 1 and trial.name not in sys.argv[1:]:
            continue
        results = {}
        for value in trial.values:
            with trial.set(value):
                results[value] = trial.measure()
            print(f"{trial.name} = {value:g}: {_mean(results[value].values()):.4f}")
        sites = list(results[trial.values[0]])
        held_out = [results[_best(results, without=site)][site] for site in sites]
        print(
            f"{trial.name}: {_mean(held_out):.4f} on sites left out; chosen {_best(results):g}, in use {trial.used:g}"
        )


def _best(results: Mapping[float, Mapping[str, float]], without: str = "") -> float:
    """The value with the best mean over all sites but one; of equal ones the first."""
    return max(results, key=lambda value: _mean(one for site, one in results[value].items() if site != without))


def _mean(values: Iterable[float]) -> float:
    several = list(values)
    return sum(several) / len(several)


if __name__ == "__main__":
    main()
