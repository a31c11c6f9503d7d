"""`python -m bench.teach.fit_listings`: choose the constants for records in regions, by leaving out one site at a time.

For every value of a constant, all pages of results are taught by one record. The value that is best on all sites but
one is used on that site; the mean of these says what the choice is worth on sites that it was not made on.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType

from bench.frame import Options
from bench.induce.sites import opened
from bench.lists.pages import lists_truth
from bench.teach.listings import WAYS, examples_on, taught_list
from sightline.extract.wrappers import _listings
from sightline.extract.wrappers.patterns import _learn_region

TRIED: Mapping[tuple[ModuleType, str], Sequence[float]] = {
    (_learn_region, "EMPTY"): (0.0, 1.0, 2.0, 4.0, 8.0),
    (_listings, "RECURRING"): (0.25, 0.5, 0.75, 0.9),
}


def goodness(options: Options) -> dict[str, float]:
    """Of every site the mean of the share of records found and, where cells were read, that of right ones."""
    truth = lists_truth(options)
    found = {}
    for known, path in zip(truth.known, (truth.folder / one.file for one in truth.known), strict=True):
        if any(len(cells) > 1 for cells in known.records):
            [page] = opened([path])
            if examples := examples_on(known, page):
                one = taught_list(known, "static", WAYS[0], page, examples)
                found[known.id] = (one.found + (one.found * one.cells if one.cells is not None else 0.0)) / 2
    return found


def main() -> None:
    """Print the mean for every value, and the mean on sites that were left out of the choice."""
    for (module, name), values in TRIED.items():
        default = getattr(module, name)
        results = {}
        for value in values:
            setattr(module, name, value)
            results[value] = goodness(Options())
            print(f"{name} = {value:g}: {_mean(results[value].values()):.4f}")
        setattr(module, name, default)
        sites = list(results[values[0]])
        held_out = [results[_best(results, without=site)][site] for site in sites]
        print(f"{name}: {_mean(held_out):.4f} on sites left out; chosen {_best(results):g}, in use {default:g}")


def _best(results: Mapping[float, Mapping[str, float]], without: str = "") -> float:
    """The value with the best mean over all sites but one; of equal ones the first."""
    return max(results, key=lambda value: _mean(one for site, one in results[value].items() if site != without))


def _mean(values: Iterable[float]) -> float:
    several = list(values)
    return sum(several) / len(several)


if __name__ == "__main__":
    main()
