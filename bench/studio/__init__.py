"""The Studio: how fast its screens and answers are, what many clients do to it, and what kills do to what was saved."""

from bench.frame import Figure, Options, Outcome

__all__ = ["run"]

QUICK_KILLS, QUICK_SECONDS, QUICK_CLIENTS, QUICK_ANSWERS = 3, 10.0, 50, 20  # with --limit


def run(options: Options) -> Outcome:
    """Measure everything; with a limit, less of it."""
    # Not at the top, since each of them is a program, too.
    from bench.studio.answers import answer_figures
    from bench.studio.flows import flow_figures
    from bench.studio.kills import KILLS, kill_figures
    from bench.studio.live import live_figures
    from bench.studio.load import CLIENTS, SECONDS, load_figures
    from bench.studio.recorded_journeys import journey_figures, journeys_told, walk_in_studio
    from bench.studio.review import ANSWERS, review_figures
    from bench.studio.run_page import run_page_figures
    from bench.studio.screens import screen_figures

    quick = options.limit is not None
    screens, foreign = screen_figures()
    figures: list[Figure] = [*screens, *answer_figures(), *flow_figures()]
    figures += [*review_figures(QUICK_ANSWERS if quick else ANSWERS), *run_page_figures()]
    figures += live_figures()
    journeys = walk_in_studio(options)
    figures += journey_figures(journeys)
    figures += kill_figures(QUICK_KILLS if quick else KILLS)
    loaded, remarks = load_figures(QUICK_CLIENTS if quick else CLIENTS, QUICK_SECONDS if quick else SECONDS)
    return Outcome("studio", "", (), (*figures, *loaded), (*foreign, *journeys_told(journeys), *remarks))
