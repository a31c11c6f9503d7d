"""The Studio: how fast it answers, what many clients do to it, and what kills do to what people saved."""

from bench.frame import Figure, Options, Outcome

__all__ = ["run"]

QUICK_KILLS, QUICK_SECONDS, QUICK_CLIENTS = 3, 10.0, 50  # with --limit


def run(options: Options) -> Outcome:
    """Measure everything; with a limit, less of it."""
    # Not at the top, since each of them is a program, too.
    from bench.studio.answers import answer_figures
    from bench.studio.kills import KILLS, kill_figures
    from bench.studio.load import CLIENTS, SECONDS, load_figures

    quick = options.limit is not None
    figures: list[Figure] = [*answer_figures()]
    figures += kill_figures(QUICK_KILLS if quick else KILLS)
    loaded, remarks = load_figures(QUICK_CLIENTS if quick else CLIENTS, QUICK_SECONDS if quick else SECONDS)
    return Outcome("studio", "", (), (*figures, *loaded), tuple(remarks))
