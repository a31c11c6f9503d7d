"""Compares settings of the learned ranking: `python -m bench.crawl.fit_ranking`, leaving out one site at a time.

Pages are judged by the rule of the site, so that the figures are those of the ranking alone. For each site, the
settings that are best on the others are applied to it; the mean of these figures is what to expect on a new site.
"""

from statistics import mean

from bench.crawl.graph import Case, cases
from bench.crawl.harvest import crawl, examples_of, measured, size_of, truth_of
from sightline.crawl.rank import LearnedRanking, LearnedSettings

SETTINGS = {
    "as it is": LearnedSettings(),
    "hope 0.2": LearnedSettings(hope=0.2),
    "hope 1": LearnedSettings(hope=1.0),
    "prior 1": LearnedSettings(prior=1.0),
    "prior 5": LearnedSettings(prior=5.0),
    "window 10": LearnedSettings(window=10),
    "window 80": LearnedSettings(window=80),
    "sharing 3": LearnedSettings(sharing=3.0),
    "rate 0.1": LearnedSettings(rate=0.1),
    "rate 1": LearnedSettings(rate=1.0),
    "margin 0.5": LearnedSettings(margin=0.5),
    "no bonus": LearnedSettings(example_bonus=0.0),
}
PART = 0.25  # of each site is visited


def figure(case: Case, settings: LearnedSettings) -> float:
    """The mean of the share found at 20 % of the site and the harvest until 80 % are found."""
    examples = [case.graph.urls[page] for page in examples_of(case)]
    ranking = LearnedRanking(examples=examples, settings=settings)
    done = measured(case, crawl(case, ranking, truth_of(case), round(PART * size_of(case))))
    return (done.at_part + done.overall) / 2


def main() -> None:
    """Print the figures of all settings on all cases, and the choice that each site leaves to the others."""
    all_cases = cases()
    figures: dict[str, dict[str, float]] = {}
    for name, settings in SETTINGS.items():
        figures[name] = {case.name: figure(case, settings) for case in all_cases}
        print(
            f"{name:12}", *(f"{value:.2f}" for value in figures[name].values()), f"{mean(figures[name].values()):.3f}"
        )
    held_out = []
    for case in all_cases:
        others = [one.name for one in all_cases if one.site != case.site]
        best = max(SETTINGS, key=lambda name: mean(figures[name][other] for other in others))
        held_out.append(figures[best][case.name])
        print(f"without {case.name:22} {best:12} {held_out[-1]:.3f}")
    print(f"on sites left out: {mean(held_out):.3f}")


if __name__ == "__main__":
    main()
