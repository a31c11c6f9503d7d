"""Chooses the settings of the learned ranking: `python -m bench.crawl.fit_ranking`, leaving out one maker at a time.

Pages are judged by the rule of the site, so that the figures are those of the ranking alone. For all sites of one
maker (Sphinx, Doxygen, …), the settings that are best on the others are applied to them; the mean of these figures is
what to expect on a new site. The last lines say how far each setting ever was behind breadth-first.
"""

from collections.abc import Sequence
from functools import partial
from statistics import mean

from bench.crawl.early import EXAMPLES, FIRST, SLACK, Run, run_of
from bench.crawl.graph import Case, cases, maker_of
from bench.crawl.harvest import Judge, size_of, truth_of
from sightline.crawler.rank import BaselineSettings, LearnedRanking, LearnedSettings

SETTINGS = {
    "as it is": LearnedSettings(),
    "no breadth-first": LearnedSettings(baseline=BaselineSettings(allowance=1e9)),
    "allowance 1": LearnedSettings(baseline=BaselineSettings(allowance=1.0)),
    "allowance 6": LearnedSettings(baseline=BaselineSettings(allowance=6.0)),
    "hope of breadth-first 1": LearnedSettings(baseline=BaselineSettings(prior=1.0)),
    "hope of breadth-first 4": LearnedSettings(baseline=BaselineSettings(prior=4.0)),
    "four generations": LearnedSettings(generations=4),
    "kept 0.5": LearnedSettings(kept=0.5),
    "kept 0.9": LearnedSettings(kept=0.9),
    "hope 0.25": LearnedSettings(hope=0.25),
    "hope 1": LearnedSettings(hope=1.0),
    "prior 4": LearnedSettings(prior=4.0),
}
SEEDS = (1,)  # of the examples; more take long and change little


def figure(run: Run) -> float:
    """The targets of the first 200 pages as a share of the oracle's, less what is lost against breadth-first."""
    return min(1.0, run.of_oracle) - max(0.0, run.behind - SLACK)


def runs_of(case: Case) -> dict[str, list[Run]]:
    """The first 200 pages of a case with each of the settings."""
    most = min(FIRST, size_of(case))
    return {
        name: [
            run_of(
                case,
                EXAMPLES,
                seed,
                partial(_ranking, chosen),
                _true,
                most,
            )
            for seed in SEEDS
        ]
        for name, chosen in SETTINGS.items()
    }


def _ranking(settings: LearnedSettings, examples: Sequence[str]) -> LearnedRanking:
    return LearnedRanking(examples=examples, settings=settings)


def _true(case: Case, _: Sequence[int]) -> Judge:
    return truth_of(case)


def best_on(figures: dict[str, dict[str, float]], chosen: Sequence[Case]) -> str:
    """The settings that are best on some cases."""
    return max(SETTINGS, key=lambda name: mean(figures[name][case.name] for case in chosen))


def main() -> None:
    """Print the figures of all settings, and the choice that each maker leaves to the others."""
    figures: dict[str, dict[str, float]] = {name: {} for name in SETTINGS}
    behind: dict[str, list[float]] = {name: [] for name in SETTINGS}
    several = cases()
    for case in several:
        for name, runs in runs_of(case).items():
            figures[name][case.name] = mean(map(figure, runs))
            behind[name].extend(run.behind for run in runs)
        print(f"{case.name:26}", *(f"{figures[name][case.name]:5.2f}" for name in SETTINGS), flush=True)
    for name in SETTINGS:
        kept = mean(value <= SLACK for value in behind[name])
        print(
            f"{name:24} mean {mean(figures[name].values()):.3f}   never behind breadth-first by more than {SLACK:.0%}: "
            f"{kept:.0%}   furthest behind: {max(behind[name]):.0%}"
        )
    left_out = []
    for maker in sorted({maker_of(case.site) for case in several}):
        name = best_on(figures, [case for case in several if maker_of(case.site) != maker])
        own = [figures[name][case.name] for case in several if maker_of(case.site) == maker]
        left_out.extend(own)
        print(f"without {maker:16} {name:24} {mean(own):.3f}")
    print(f"on makers left out: {mean(left_out):.3f}; best on all: {best_on(figures, several)}")


if __name__ == "__main__":
    main()
