"""`python -m bench.crawl.fit_discovery`: fit the weights by which sites are scored, and choose the rule of the stop.

The webs are those of the bench, ten of each of three domains, and those of real sites of six subjects amid generated
ones (`discovery_real.py`). The weights are a logistic regression of “is relevant” on the clues
of the sites that have usable data, held near zero as firmly as serves best when whole domains are left out. The rule of
the stop is replayed on queries that went on to 150, for every choice of its numbers: how many queries it takes, and how
many of the relevant sites are found by then. With `--write` the weights are written to the package; `out_of_fold` gives
the rankings that the bench reports.
"""

import pickle
import statistics
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np

from bench.crawl.discovery import LONG, SEEDS, Looked, Observed, all_in_first, average_precision, observe, precision
from bench.crawl.discovery_domains import DOMAINS
from bench.crawl.discovery_real import real_runs
from bench.fitting import Floats as Array
from bench.fitting import chances, logistic, newton
from bench.frame import Options
from sightline.crawler.discover import SearchResult
from sightline.crawler.discover._sample import SiteTally
from sightline.crawler.discover._score import CLUES

AGAINST = ("stuffed",)  # clues that speak against a site
FIRMNESSES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
# Chosen by `main`, whole domains left out: precision at six is flat from 0.03 to 1, and real sites want less.
FIRMNESS = 0.1
WEIGHTS = Path(__file__).parents[2] / "src/sightline/crawler/discover/_score.py"


def fit(runs: Sequence[Observed], firmness: float = FIRMNESS) -> Array:
    """The weights of the clues, and the bias last.

    Each clue speaks for a site, and stuffed phrases against it; one whose weight would have the other sign says more
    about these webs than about sites, and is left out (its weight is 0).
    """
    looked = [one for run in runs for one in run.looked if one.has_data]
    clues = np.array([_row(one) for one in looked])
    wanted = np.array([float(one.is_relevant) for one in looked])
    signs = np.array([*(-1.0 if name in AGAINST else 1.0 for name in CLUES), 0.0])
    kept = np.ones(len(signs), bool)
    while True:
        weights = np.zeros(len(signs))
        held = np.array([*[firmness] * (int(kept.sum()) - 1), 1e-6])  # the bias is free
        own = clues[:, kept]
        weights[kept] = newton(np.zeros(len(held)), held, logistic(own, wanted), longest=2.0)
        wrong = weights * signs < 0
        if not wrong.any():
            return weights
        kept[int(np.argmin(weights * signs))] = False


def out_of_fold(runs: Sequence[Observed], firmness: float = FIRMNESS) -> list[list[Looked]]:
    """Each run ranked by weights that were fitted on the other domains; generated and real books are one domain."""
    folds = {_fold(run) for run in runs}
    weights = {fold: fit([run for run in runs if _fold(run) != fold], firmness) for fold in folds}
    return [ranked(run, weights[_fold(run)]) for run in runs]


def _fold(run: Observed) -> str:
    return run.domain.removesuffix("s")


def ranked(run: Observed, weights: Array) -> list[Looked]:
    """The sites that have data by these weights, then the others."""
    return sorted(run.looked, key=lambda one: (not one.has_data, -float(_row(one) @ weights), one.site))


def _row(one: Looked) -> Array:
    return np.array([*(one.clues[name] for name in CLUES), 1.0])


def stops(runs: Sequence[Observed]) -> Iterator[str]:
    """For every choice of the rule's numbers: the queries it takes, and the relevant sites found by then."""
    for one_in, support, quiet, unseen in product((20, 40), (2, 3), (10, 15, 20, 25), (0.01, 0.02)):
        ends = [_stop(run, SiteTally(support, one_in), quiet, unseen) for run in runs]
        asked = statistics.mean(count for count, _ in ends)
        every = sum(found for _, found in ends) / sum(len(set().union(*run.finds) & {*run.relevant}) for run in runs)
        by_rule = statistics.mean(count < len(run.finds) for (count, _), run in zip(ends, runs, strict=True))
        numbers = f"1 in {one_in}, support {support}, quiet {quiet}, unseen {unseen:g}"
        yield f"{numbers}: {asked:.0f} queries, {every:.3f} of what 150 find, by rule {by_rule:.3f}"


def _stop(run: Observed, tally: SiteTally, quiet: int, unseen: float) -> tuple[int, int]:
    for number, sites in enumerate(run.finds):
        tally.add(number, [(site, SearchResult(f"https://{site}/")) for site in sites])
        if tally.quiet_for >= quiet and tally.unseen <= unseen:
            break
    return tally.asked, sum(site in tally.sites for site in run.relevant)


def main() -> None:
    """Print what each choice gives, and write the weights if asked to."""
    runs = list(_runs())
    real = real_runs(Options(), long=LONG)
    for name, some in (("generated", runs), ("real", real)):
        for line in stops(some):
            print(f"{name}: {line}")
    runs += real
    for firmness in FIRMNESSES:
        folds = out_of_fold(runs, firmness)
        made = folds[: -len(real)]
        every, at_six = statistics.mean(map(all_in_first, made)), statistics.mean(map(precision, made))
        among = statistics.mean(map(average_precision, folds[-len(real) :]))
        print(
            f"firmness {firmness:g}: all 6 in the first 10 {every:.3f}, precision at 6 {at_six:.3f}, real {among:.3f}"
        )
    weights = fit(runs)
    for name, weight in zip((*CLUES, "bias"), weights, strict=True):
        print(f"  {name}: {weight:+.2f}")
    for least in (0.1, 0.2, 0.3, 0.4, 0.5):
        print(f"least score {least}: {_kept(runs, least)}")
    if "--write" in sys.argv:
        WEIGHTS.write_text(_module(weights), "utf-8")
        print(f"written to {WEIGHTS}")


def _kept(runs: Sequence[Observed], least: float) -> str:
    """Precision and recall of the sites that a least score keeps, whole domains left out."""
    right = kept = 0
    for fold in {_fold(run) for run in runs}:
        weights = fit([run for run in runs if _fold(run) != fold])
        for run in runs:
            chosen = [
                one
                for one in run.looked
                if _fold(run) == fold and one.has_data and chances(_row(one) @ weights) >= least
            ]
            kept += len(chosen)
            right += sum(one.is_relevant for one in chosen)
    return f"precision {right / max(kept, 1):.3f}, recall {right / sum(len(run.relevant) for run in runs):.3f}"


def _runs() -> Iterator[Observed]:
    """The observations; with `--keep FILE` they are stored there, for another fit of the same webs."""
    kept = Path(sys.argv[sys.argv.index("--keep") + 1]) if "--keep" in sys.argv else None
    if kept and kept.exists():
        yield from pickle.loads(kept.read_bytes())
        return
    runs = []
    for seed, domain in product(SEEDS, DOMAINS):
        runs.append(observe(domain, seed, long=LONG))
        print(f"{domain.name} {seed}: {runs[-1].queries} queries", flush=True)
    if kept:
        kept.write_bytes(pickle.dumps(runs))
    yield from runs


def _module(weights: Array) -> str:
    lines = ['"""The weights of the clues for sites, fitted by `python -m bench.crawl.fit_discovery --write`."""', ""]
    lines += ['__all__ = ["BIAS", "WEIGHTS"]', "", f"BIAS = {weights[-1]:.3f}", "WEIGHTS: dict[str, float] = {"]
    lines += [f'    "{name}": {weight:.3f},' for name, weight in zip(CLUES, weights[:-1], strict=True)]
    return "\n".join([*lines, "}"]) + "\n"


if __name__ == "__main__":
    main()
