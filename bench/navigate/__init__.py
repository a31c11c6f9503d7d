"""Getting to the data: where pages of lists lead, beside a plain rule, and what it costs."""

import statistics
from time import process_time

from bench.frame import Figure, Options, Outcome
from bench.navigate.fit_paging import out_of_fold
from bench.navigate.paging import Answer, KnownPage, PagingScore, plain_rule, read_pages, score
from sightline import next_page

__all__ = ["run"]

LEAST_NEXT_F1 = 0.92
MOST_GIVEN = 0.05
LEAST_PAGES_F1 = 0.90


def run(options: Options) -> Outcome:
    """Find the next page and all pages of every list, with weights that were fitted on other sites and on all."""
    pages, corpus = read_pages(options)
    seconds, answers = zip(*(_timed(page) for page in pages), strict=True)
    known = score(pages, answers)
    held_out = out_of_fold(pages)
    plain = score(pages, [plain_rule(page) for page in pages])
    milliseconds = 1000 * statistics.mean(seconds)
    return Outcome(
        task="navigate",
        peer="plain rule",
        corpora=(corpus,),
        figures=(*_figures(held_out, plain), *_time(milliseconds)),
        remarks=(
            f"Figures are of sites that the weights were not fitted on, the mean of several folds; with the weights in "
            f"use, fitted on all sites, next F1 is {known.next_f1:.3f}, given {known.given:.3f} and pages F1 "
            f"{known.pages_f1:.3f}.",
            "The plain rule: `rel=next`, or else the first link that says next in a dozen languages or is called so.",
        ),
    )


def _timed(page: KnownPage) -> tuple[float, Answer]:
    began = process_time()
    found = next_page(page.page, url=page.url)
    return process_time() - began, Answer(found.next, frozenset(found.pages))


def _figures(ours: PagingScore, plain: PagingScore) -> tuple[Figure, ...]:
    return (
        Figure("paging: next F1", ours.next_f1, plain.next_f1, ours.next_f1, LEAST_NEXT_F1, "higher", "share"),
        Figure("paging: given where there is none", ours.given, plain.given, ours.given, MOST_GIVEN, "lower", "share"),
        Figure("paging: all pages F1", ours.pages_f1, plain.pages_f1, ours.pages_f1, LEAST_PAGES_F1, "higher", "share"),
    )


def _time(milliseconds: float) -> tuple[Figure, ...]:
    return (Figure("paging: CPU of a page, ms", milliseconds, None, milliseconds, None, "lower", "ms"),)
