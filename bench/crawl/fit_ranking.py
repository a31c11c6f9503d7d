"""Compares settings of the learned ranking: `python -m bench.crawl.fit_ranking`, leaving out one site at a time.

Pages are judged by the rule of the site, so that the figures are those of the ranking alone. For each site, the
settings that are best on the others are applied to it; the mean of these figures is what to expect on a new site.
"""

from multiprocessing import Pool
from statistics import mean

from bench.crawl.graph import Case, cases
from bench.crawl.harvest import crawl, examples_of, measured, size_of, truth_of
from sightline.crawler.rank import LearnedRanking, LearnedSettings

SETTINGS = {
    "as it is": LearnedSettings(),
    "alone 0.5": LearnedSettings(alone=0.5),
    "alone 2": LearnedSettings(alone=2.0),
    "hope 0.25": LearnedSettings(hope=0.25),
    "hope 0.25, alone 2": LearnedSettings(hope=0.25, alone=2.0),
    "hope 1": LearnedSettings(hope=1.0),
    "prior 1": LearnedSettings(prior=1.0),
    "prior 4": LearnedSettings(prior=4.0),
    "window 10": LearnedSettings(window=10),
    "window 100": LearnedSettings(window=100),
    "sharing 0.3": LearnedSettings(sharing=0.3),
    "sharing 3": LearnedSettings(sharing=3.0),
    "rate 0.1": LearnedSettings(rate=0.1),
    "rate 1": LearnedSettings(rate=1.0),
    "no bonus": LearnedSettings(example_bonus=0.0),
}
PART = 0.25  # of each site is visited
SEEDS = (1, 2, 3)  # of the examples


def figure(job: tuple[Case, str, int]) -> float:
    """The mean of the share found at 20 % of the site, the harvest until 80 % are found, and that from page 200 on."""
    case, name, seed = job
    examples = examples_of(case, seed=seed)
    ranking = LearnedRanking(examples=[case.graph.urls[page] for page in examples], settings=SETTINGS[name])
    done = measured(case, crawl(case, ranking, truth_of(case), round(PART * size_of(case)), examples))
    return (done.at_part + done.overall + done.rate) / 3


def main() -> None:
    """Print the figures of all settings on all cases, and the choice that each site leaves to the others."""
    all_cases = cases()
    for case in all_cases:
        size_of(case)  # read before the processes part, so that they share it
    print(f"{'':20}", *(case.name[:4] for case in all_cases), "mean")
    figures: dict[str, dict[str, float]] = {}
    with Pool() as pool:
        for name in SETTINGS:
            jobs = [(case, name, seed) for case in all_cases for seed in SEEDS]
            values = iter(pool.map(figure, jobs, chunksize=1))
            figures[name] = {case.name: mean(next(values) for _ in SEEDS) for case in all_cases}
            shown = (f"{value:4.2f}" for value in figures[name].values())
            print(f"{name:20}", *shown, f"{mean(figures[name].values()):.3f}", flush=True)
    held_out = []
    for case in all_cases:
        others = [one.name for one in all_cases if one.site != case.site]
        best = max(SETTINGS, key=lambda name: mean(figures[name][other] for other in others))
        held_out.append(figures[best][case.name])
        print(f"without {case.name:22} {best:20} {held_out[-1]:.3f}")
    print(f"on sites left out: {mean(held_out):.3f}")


if __name__ == "__main__":
    main()
