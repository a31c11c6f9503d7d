"""Batches over many pages: how fast, at what overhead, what they survive, and what a long manifest costs.

The peer of speed is a bare loop over the same pages. Parts of it are programs of their own: `python -m
bench.scale.speed`, `faults`, `manifest`, `corpus`.
"""

from bench.frame import Options, Outcome

__all__ = ["run"]

FEW_KILLS = (5, 3, 1, 1)  # of workers, drivers, raylets and heads, with a limit


def run(options: Options) -> Outcome:
    """Measure everything; with a limit, on so many pages, with few kills."""
    # Not at the top, since each of them is a program, too.
    from bench.scale.corpus import ScalePages, scale_corpus
    from bench.scale.damage import damage_figures, measure_damage
    from bench.scale.faults import DRIVERS, HEADS, RAYLETS, WORKERS, fault_figures, run_campaigns
    from bench.scale.manifest import DOCUMENTS, FINISHED, manifest_figures
    from bench.scale.speed import PAGES, measure_speeds, speed_figures

    limit = options.limit
    campaigns = run_campaigns(*(FEW_KILLS if limit else (WORKERS, DRIVERS, RAYLETS, HEADS)))
    return Outcome(
        task="scale",
        peer="bare loop",
        corpora=(scale_corpus(ScalePages.load(options)),),
        figures=(
            *speed_figures(measure_speeds(options, limit or PAGES)),
            *fault_figures(campaigns),
            *damage_figures(measure_damage()),
            *manifest_figures(min(limit or DOCUMENTS, DOCUMENTS), min(limit or FINISHED, FINISHED)),
        ),
        remarks=(
            "Times of speed include the start of all processes, and of Ray. What the second core of this machine gives "
            "to two bare loops is beside the gain of two workers.",
            "Every kill is a SIGKILL at a random instant; each batch had two pages that crash, two that hang and two "
            "that eat all memory. All processes ran on one machine.",
            *(problem for one in campaigns for problem in one.problems),
        ),
    )
