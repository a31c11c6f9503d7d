"""The first pages of a focused crawl, on all manuals: `python -m bench.crawl.early [--examples N] [case …]`.

For each case and some choices of examples: the targets among the first 200 pages for the learned ranking with its own
likeness, for the learned ranking with a likeness that makes no mistakes, for breadth-first, and for the oracle; the
share found at 20 % of the site; and by how much the crawl was ever behind breadth-first. What is told is the
distribution over cases, and each case's worst choice of examples.
"""

import argparse
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import mean, median, quantiles

import numpy as np

from bench.crawl.graph import FORMAT, Case, cases, maker_of
from bench.crawl.harvest import Crawl, Judge, crawl, examples_of, oracle, size_of, truth_of
from bench.crawl.parts import parts_of
from bench.crawl.sites import CACHE
from sightline.arrays import LongArray
from sightline.crawler.likeness import ProfileLikeness
from sightline.crawler.rank import BreadthFirst, LearnedRanking, Ranking

FIRST = 200
PART = 0.2
MOST = 1_000  # pages of a simulated crawl; 20 % of a site may be more
SEEDS = (1, 2, 3)
EXAMPLES = 3
EARLIEST = 50  # pages before which nothing is promised against breadth-first
SLACK = 0.05

RankingOf = Callable[[Sequence[str]], Ranking]


@dataclass(frozen=True)
class Run:
    """What a crawl found on one case with one choice of examples, beside the others."""

    case: str
    maker: str
    seed: int
    learned: LongArray
    """Targets found after each page."""
    breadth: LongArray
    oracle: LongArray
    part: int
    """Pages that are 20 % of the site."""

    def first(self, found: LongArray) -> int:
        """Targets among the first 200 pages."""
        return int(found[min(FIRST, len(found)) - 1])

    @property
    def of_oracle(self) -> float:
        """The targets of the first 200 pages, as a share of the oracle's."""
        return self.first(self.learned) / max(1, self.first(self.oracle))

    @property
    def of_breadth(self) -> float:
        """The same as a multiple of breadth-first's."""
        return self.first(self.learned) / max(1, self.first(self.breadth))

    @property
    def at_part(self) -> float:
        """Targets at 20 % of the site, as a share of the oracle's."""
        where = min(self.part, len(self.learned), len(self.oracle)) - 1
        return float(self.learned[where] / max(1, self.oracle[where]))

    @property
    def behind(self) -> float:
        """The most by which the crawl was behind breadth-first after the first pages, in shares of its targets."""
        many = min(len(self.learned), len(self.breadth), FIRST)
        mine, theirs = self.learned[EARLIEST:many], self.breadth[EARLIEST:many]
        return float(np.max((theirs - mine) / np.maximum(theirs, 1), initial=0.0))

    @property
    def breadth_rate(self) -> float:
        """The harvest of breadth-first in the first 200 pages."""
        return self.first(self.breadth) / min(FIRST, len(self.breadth))


def pages_of(case: Case) -> int:
    """How long a simulated crawl is."""
    return min(size_of(case), max(FIRST, min(MOST, round(PART * size_of(case)))))


@cache
def found_by_others(case: Case, count: int, seed: int) -> tuple[LongArray, LongArray]:
    """What breadth-first and the oracle find; kept on disk, since no change of ours changes it."""
    path = CACHE / "others" / f"{case.name}.{FORMAT}.{count}.{seed}.pickle"
    if not path.exists():
        examples, most = examples_of(case, count, seed), pages_of(case)
        both = (
            np.cumsum(crawl(case, BreadthFirst(), truth_of(case), most, examples).hits),
            _padded(np.cumsum(oracle(case, most, examples).hits), most),
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(both))
    breadth, best = pickle.loads(path.read_bytes())
    return breadth, best


def _padded(found: LongArray, size: int) -> LongArray:
    return np.pad(found, (0, size - len(found)), mode="edge")


def likeness_of(case: Case, examples: Sequence[int]) -> Judge:
    """The likeness to examples, by the parts that are kept."""
    parts = parts_of(case.site)
    likeness = ProfileLikeness.of_parts([parts.of(page) for page in examples])
    return lambda page: likeness.judge_parts(parts.of(page))


def run_of(
    case: Case,
    count: int,
    seed: int,
    ranking_of: RankingOf,
    judge_of: Callable[[Case, Sequence[int]], Judge],
    most: int | None = None,
) -> Run:
    """One crawl with the others beside it."""
    examples = examples_of(case, count, seed)
    ranking = ranking_of([case.graph.urls[page] for page in examples])
    done: Crawl = crawl(case, ranking, judge_of(case, examples), most or pages_of(case), examples)
    breadth, best = found_by_others(case, count, seed)
    found = np.cumsum(done.hits)
    return Run(case.name, maker_of(case.site), seed, found, breadth, best, max(1, round(PART * size_of(case))))


def first_pages(case: Case, seed: int = SEEDS[0]) -> Run:
    """A crawl as a user would start it, with one choice of examples."""
    done = run_of(case, EXAMPLES, seed, _learned, likeness_of)
    parts_of(case.site).keep()
    return done


def told(runs: Sequence[Run]) -> str:
    """The distribution over cases: medians and quartiles, and how often each goal is kept."""
    lines = []
    for name, value in (
        ("targets of the first 200 / oracle's", lambda run: run.of_oracle),
        ("targets of the first 200 / breadth-first's", lambda run: run.of_breadth),
        ("targets at 20 % / oracle's", lambda run: run.at_part),
    ):
        values = sorted(value(run) for run in runs)
        low, _, high = quantiles(values, n=4)
        lines.append(f"{name:44} lowest {values[0]:.2f}  {low:.2f}  median {median(values):.2f}  {high:.2f}")
    no_worse = mean(run.of_breadth >= 1 - SLACK for run in runs)
    always = mean(run.behind <= SLACK for run in runs)
    worst = max(run.behind for run in runs)
    lines.append(
        f"at least breadth-first - 5 % at 200: {no_worse:.0%}; from page {EARLIEST} on: {always:.0%}, "
        f"furthest behind {worst:.0%}"
    )
    poor = [run for run in runs if run.breadth_rate < 0.4]
    lines.append(
        f"twice breadth-first where that is below 0.4: {mean(run.of_breadth >= 2 for run in poor):.0%} "
        f"of {len(poor)}, median {median(run.of_breadth for run in poor):.2f} x"
    )
    return "\n".join(lines)


def _learned(examples: Sequence[str]) -> LearnedRanking:
    return LearnedRanking(examples=examples)


def _true(case: Case, _: Sequence[int]) -> Judge:
    return truth_of(case)


def main() -> None:
    """Print a line a case, and the distribution."""
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--examples", type=int, default=EXAMPLES)
    chosen = parser.parse_args()
    runs: dict[str, list[Run]] = {"likeness": [], "truth": []}
    print(
        f"{'case':24} {'maker':14} {'with the likeness':>18} {'by the rule':>18} {'breadth-first':>18} {'oracle':>12}"
    )
    for case in cases():
        if chosen.cases and not any(case.name.startswith(name) for name in chosen.cases):
            continue
        new = {
            name: [run_of(case, chosen.examples, seed, _learned, judge) for seed in SEEDS]
            for name, judge in (("likeness", likeness_of), ("truth", _true))
        }
        parts_of(case.site).keep()
        columns = [
            *(" ".join(f"{run.first(run.learned):4}" for run in new[name]) for name in ("likeness", "truth")),
            " ".join(f"{run.first(run.breadth):4}" for run in new["truth"]),
            " ".join(f"{run.first(run.oracle):3}" for run in new["truth"]),
        ]
        print(f"{case.name:24} {maker_of(case.site):14}", *(f"{column:>18}" for column in columns), flush=True)
        for name in runs:
            runs[name].extend(new[name])
    for name, several in runs.items():
        print(f"\n{name}, {len(several)} crawls\n{told(several)}")


if __name__ == "__main__":
    main()
