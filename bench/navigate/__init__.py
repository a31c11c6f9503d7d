"""Getting to the data: where pages of lists lead, lists collected whole, and what the actions of a session cost."""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from time import process_time

from bench.frame import Figure, Options, Outcome
from bench.navigate.actions import action_figures, action_remark, desk, measure
from bench.navigate.fit_memory import cases_of
from bench.navigate.fit_memory import out_of_fold as memory_out_of_fold
from bench.navigate.fit_paging import in_fold, out_of_fold, out_of_set, read_samples
from bench.navigate.journeys import journey_corpus, journey_figures, journeys_told, memory_figures, walk_all
from bench.navigate.long_session import long_session, long_session_figures
from bench.navigate.paging import SETS, KnownPage, PagingScore, plain_rule, read_pages, score
from bench.navigate.served import Run, collect_all, run_figures, served_corpus
from bench.navigate.typed_secrets import secret_figures, type_secrets
from sightline import next_page

__all__ = ["run"]

LEAST_NEXT_F1 = 0.91
MOST_GIVEN = 0.08
LEAST_PAGES_F1 = 0.92


def run(options: Options) -> Outcome:
    """Find the next page and all pages of every list, by weights fitted on other sites; and collect served lists."""
    pages, corpora = read_pages(options)
    seconds = [_timed(page) for page in pages]
    samples = read_samples(options)
    known, held_out = in_fold(samples), out_of_fold(samples)
    crossed = {name: out_of_set(samples, name) for name in SETS}
    plain = score(pages, [plain_rule(page) for page in pages])
    runs = collect_all(options)
    costs = measure()
    journeys = walk_all(options)
    memory = memory_out_of_fold(cases_of(options))
    walked = long_session() if options.limit is None else None
    milliseconds = 1000 * statistics.mean(seconds)
    return Outcome(
        task="navigate",
        peer="plain rule",
        corpora=(*corpora, served_corpus(), desk(), journey_corpus()),
        figures=(
            *_figures(held_out, plain),
            *_crossed(crossed, pages),
            *_time(milliseconds),
            *run_figures(runs),
            *action_figures(costs),
            *journey_figures(journeys),
            *memory_figures(memory),
            *(long_session_figures(walked) if walked else ()),
            *secret_figures(type_secrets()),
        ),
        remarks=(
            "Figures are of sites that the weights were not fitted on, over both sets, the mean of several folds; with "
            f"the weights in use, fitted on all sites, next F1 is {known.next_f1:.3f}, given {known.given:.3f} and "
            f"pages F1 {known.pages_f1:.3f}.",
            "Out of set: the set is judged by weights that were fitted without any of its sites.",
            "The plain rule: `rel=next`, or else the first link that says next in a dozen languages or is called so.",
            *_told(runs),
            *journeys_told(journeys),
            action_remark(costs),
        ),
    )


def _told(runs: Sequence[Run]) -> Iterator[str]:
    """How many lists were collected, and what is wrong with those that are not as they should be."""
    yield f"{len(runs)} lists were collected in a browser, {sum(run.is_right for run in runs)} of them without fault."
    yield from (f"Wrong: {run.name} with {run.pages} pages ({run.said})." for run in runs if not run.is_right)


def _timed(page: KnownPage) -> float:
    began = process_time()
    next_page(page.page, url=page.url)
    return process_time() - began


def _crossed(crossed: Mapping[str, PagingScore], pages: Sequence[KnownPage]) -> Iterator[Figure]:
    """The figures on each set by the weights of the other, and what the plain rule has there."""
    for name, found in crossed.items():
        of_set = [page for page in pages if page.set == name]
        plain = score(of_set, [plain_rule(page) for page in of_set])
        yield Figure.of(f"{name} out of set: next F1", found.next_f1, None, "higher", "share", peer=plain.next_f1)
        yield Figure.of(f"{name} out of set: given", found.given, None, "lower", "share", peer=plain.given)


def _figures(ours: PagingScore, plain: PagingScore) -> tuple[Figure, ...]:
    return (
        Figure.of("paging: next F1", ours.next_f1, LEAST_NEXT_F1, "higher", "share", peer=plain.next_f1),
        Figure.of("paging: given where there is none", ours.given, MOST_GIVEN, "lower", "share", peer=plain.given),
        Figure.of("paging: all pages F1", ours.pages_f1, LEAST_PAGES_F1, "higher", "share", peer=plain.pages_f1),
    )


def _time(milliseconds: float) -> tuple[Figure, ...]:
    return (Figure.of("paging: CPU of a page, ms", milliseconds, None, "lower", "ms"),)
