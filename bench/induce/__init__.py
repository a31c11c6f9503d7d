"""Induction: how well wrappers learned from pages alone read further pages, beside tag paths, and what it costs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.table import Column
from rich.table import Table as Sheet

from bench.ablation import Worth, ablated, publish_ablations
from bench.frame import MOST_SHOWN, Figure, Options, Outcome, asked_to_show, folder_of, shown, side_by_side, thinned
from bench.induce.clutter import HELD_OUT, JUDGED, Judged, clutter_figures, judged
from bench.induce.generated import generated_sites
from bench.induce.listed import listed_sites
from bench.induce.peers import PEERS
from bench.induce.report import report
from bench.induce.scores import SiteScore, Summary, summary
from bench.induce.sites import SETS, Site, corpus_of, read_sites
from bench.induce.speed import (
    Large,
    Needed,
    Reading,
    large_sites,
    learning,
    readings,
    speed_figures,
    throughput_figures,
)
from bench.induce.ways import (
    DEFAULT,
    TWINS,
    Foreign,
    SiteReading,
    foreign_pages,
    read_by_paths,
    read_site,
    settings_without,
    share,
    wrapper_of,
)
from sightline import Wrapper
from sightline.extract.schemas import INDUCE_RULES, InduceSettings

__all__ = ["ablate", "run", "show"]

# name, field of the summary, bound
WANTED: tuple[tuple[str, str, float | None], ...] = (
    ("fields: page F1", "page_f1", 0.97),
    ("fields: cell recall", "cell_recall", 0.95),
    ("columns: P", "column_precision", None),
    ("columns: R", "column_recall", None),
    ("columns: F", "column_f1", 0.80),
    ("lists: record F1", "record_f1", 0.95),
    ("lists: cell F1", "record_cells", 0.90),
)
# Of sites made for this benchmark, which are the same for everybody: name, field of the summary, bound.
WANTED_OF_GENERATED: tuple[tuple[str, str, float | None], ...] = (
    ("generated sites: page F1", "page_f1", 0.97),
    ("generated sites: column F", "column_f1", 0.95),
    ("generated lists: cell F1", "record_cells", 0.95),
)
# Of the results of real sites, which are learned from two pages of a few records each.
WANTED_OF_LISTED: tuple[tuple[str, str, float | None], ...] = (
    ("results: record F1", "record_f1", None),
    ("results: cell F1", "record_cells", None),
    ("results: column F", "column_f1", None),
)
# Of the sites of `sites2`, which came later, and which only the weights of `fit_main` have seen.
WANTED_OF_LATER: tuple[tuple[str, str, float | None], ...] = (
    ("later sites: page F1", "page_f1", 0.95),
    ("later sites: cell recall", "cell_recall", 0.95),
    ("later sites: record F1", "record_f1", 0.98),
    ("later sites: column F", "column_f1", None),
)
# By what rules are judged that are left out.
JUDGING = (
    *("page_f1", "cell_recall", "record_f1", "record_cells"),
    *("column_precision", "column_recall", "column_f1"),
)
GOOD_NAMES = 0.80
REFUSED = 0.99
WRONGLY_REFUSED = 0.03  # ours: a page of the site itself that is refused costs a person a look


@dataclass(frozen=True)
class Times:
    """What was timed, and how many pages were needed to learn from."""

    large: Mapping[str, Large]
    read: Sequence[Reading]
    needed: Mapping[str, Needed]


def run(options: Options) -> Outcome:
    """Learn a wrapper of every site, and read its other pages, those of all others, and all of them by tag paths."""
    settings = settings_without(options.without)  # refuses unknown names before anything takes its time
    sites = read_sites(options)
    # First what is timed: with hundreds of pages in memory, Python's collector would be measured as well.
    large = large_sites(sites, settings)
    wrappers = {site.name: wrapper for site in sites if (wrapper := wrapper_of(site, settings)) is not None}
    read = readings(sites, wrappers)
    times = Times(large, read, learning(sites, settings))
    ours = [read_site(site, wrappers.get(site.name)) for site in sites]
    scores = {DEFAULT: [reading.score for reading in ours]}
    scores |= {name: [read_by_paths(site, peer) for site in sites] for name, peer in PEERS.items()}
    foreign = foreign_pages(sites, wrappers)
    made = _generated(settings, options.limit)
    results_pages = _listed(settings, options)
    later_sites = read_sites(options, data=SETS[1])
    later = [read_site(site, wrapper_of(site, settings)).score for site in later_sites]
    results = {name: summary(of) for name, of in scores.items()}
    return Outcome(
        task="induce",
        peer="best peer",
        corpora=(corpus_of(sites), corpus_of(later_sites, SETS[1])),
        figures=(
            *_quality(results),
            *_figures_of(made, WANTED_OF_GENERATED),
            *_figures_of(results_pages, WANTED_OF_LISTED),
            *_figures_of(later, WANTED_OF_LATER),
            *_names(ours),
            *clutter_figures(sites, wrappers),
            *_refusals(ours, foreign),
            *speed_figures(times.large, times.read, times.needed),
            *throughput_figures(sites, wrappers),
        ),
        remarks=(*_remarks(options, ours, foreign, times), *_label_remarks(ours, wrappers)),
        details=_details(scores, results, ours, times)
        | _details_of_made("generated", made)
        | _details_of_made("listed", results_pages)
        | _details_of_made("later", later),
        views=(_side_by_side(results), _by_vertical(scores)),
    )


def show(options: Options) -> None:
    """Print what is wrong on the sites asked for: `worst`, a number, or parts of names of sites."""
    number, named = asked_to_show(options)
    settings = settings_without(options.without)
    report([read_site(site, wrapper_of(site, settings)) for site in read_sites(options, named)], most=number)


def ablate(options: Options) -> None:
    """Leave out every rule in turn."""
    settings_without(options.without)  # refuses unknown names before anything takes its time
    sites = read_sites(options)
    found = ablated(corpus_of(sites), INDUCE_RULES, options, partial(worth, sites))
    publish_ablations("induce", [found], options, lower_is_better=("refused",))


def worth(sites: Sequence[Site], without: Sequence[str]) -> Worth:
    """The figures that the rules are judged by, with these left out."""
    settings = settings_without(without)
    read = [read_site(site, wrapper_of(site, settings)) for site in sites]
    found = summary([reading.score for reading in read])
    values = {name: getattr(found, name) or 0.0 for name in JUDGING}
    names = [one.good for reading in read for one in reading.named]
    return values | {"names": sum(names) / max(1, len(names)), "refused": _wrongly_refused(read)}


def _wrongly_refused(read: Sequence[SiteReading]) -> float:
    return sum(len(reading.refused) for reading in read) / max(1, sum(len(reading.files) for reading in read))


def _quality(results: Mapping[str, Summary]) -> tuple[Figure, ...]:
    """Ours beside the best of the peers, which is not the same one everywhere."""
    figures = []
    for name, field, bound in WANTED:
        ours: float | None = getattr(results[DEFAULT], field)
        others = [getattr(of, field) for peer, of in results.items() if peer != DEFAULT]
        if ours is not None:
            best = max((value for value in others if value is not None), default=None)
            figures.append(Figure.of(name, ours, bound, "higher", "share", peer=best))
    return tuple(figures)


def _generated(settings: InduceSettings, limit: int | None) -> list[SiteScore]:
    """How well the sites that were made for this benchmark are read."""
    with TemporaryDirectory() as folder:
        sites = thinned(list(generated_sites(Path(folder))), limit)
        return [read_site(site, wrapper_of(site, settings)).score for site in sites]


def _listed(settings: InduceSettings, options: Options) -> list[SiteScore]:
    """How well the results of real sites are read, where the set of lists is at hand."""
    if not (folder_of("lists", options) / "truth.jsonl").exists():
        return []
    with TemporaryDirectory() as folder:
        return [read_site(site, wrapper_of(site, settings)).score for site in listed_sites(options, Path(folder))]


def _figures_of(made: Sequence[SiteScore], wanted: Sequence[tuple[str, str, float | None]]) -> tuple[Figure, ...]:
    of_all = summary(made)
    return tuple(
        Figure.of(name, value, bound, "higher", "share")
        for name, field, bound in wanted
        if (value := getattr(of_all, field)) is not None
    )


def _details_of_made(told: str, made: Sequence[SiteScore]) -> dict[str, float]:
    """Page F1 and column F of every kind; of lists the cells of their records."""
    kinds = dict.fromkeys(one.site.vertical for one in made)
    found = {kind: summary([one for one in made if one.site.vertical == kind]) for kind in kinds}
    return {f"{told}, {kind}: {key}": round(value, 6) for kind, of in found.items() for key, value in of.items()}


def _names(ours: Sequence[SiteReading]) -> tuple[Figure, ...]:
    good = [one.good for reading in ours for one in reading.named]
    value = sum(good) / len(good) if good else None
    if value is None:
        return ()
    return (Figure.of("names that a person would give", value, GOOD_NAMES, "higher", "share"),)


def _refusals(ours: Sequence[SiteReading], foreign: Sequence[Foreign]) -> tuple[Figure, ...]:
    wrongly = _wrongly_refused(ours)
    twins = [one for one in foreign if _are_twins(one)]
    figures = [
        Figure.of(name, value, REFUSED, "higher", "share")
        for name, of in (("foreign pages refused", foreign), ("of those, of the same site", twins))
        if of
        for value in [share(of)]
    ]
    own = Figure.of("own pages refused", wrongly, WRONGLY_REFUSED, "lower", "share")
    return (*figures, own)


def _are_twins(one: Foreign) -> bool:
    return any({one.wrapper, one.site} == set(pair) for pair in TWINS)


def _remarks(
    options: Options, ours: Sequence[SiteReading], foreign: Sequence[Foreign], times: Times
) -> tuple[str, ...]:
    pages = sum(len(reading.score.site.truth) for reading in ours)
    attributes = [one for reading in ours for one in reading.score.attributes]
    with_labels = sum(len(reading.named) for reading in ours)
    needed = [
        f"{name} {one.used} of {one.pages} ({one.complying} comply, page F1 {shown(one.page_f1)})"
        for name, one in times.needed.items()
    ]
    return (
        f"{len(ours)} sites, {pages:,} pages; learned from 10 of each, or half of them; read without a browser.",
        "Peers: columns by tag paths, in the same run on the same files; of each figure the best of them.",
        f"Names: of {sum(one.correct for one in attributes)} attributes that were found of {len(attributes)}, "
        f"{with_labels} have labels.",
        *((f"Pages needed: {', '.join(needed)}; published: 14.4 %.",) if needed else ()),
        *_let_through(foreign),
        *((f"Rules left out: {', '.join(options.without)}; nothing is written down.",) if options.without else ()),
    )


def _label_remarks(ours: Sequence[SiteReading], wrappers: Mapping[str, Wrapper]) -> tuple[str, ...]:
    """What the truth says about labels, and which names nobody has judged."""
    published = [score for reading in ours if (score := reading.score.page_f1_as_published) is not None]
    return (
        "Where the true texts of an attribute all begin with its label or a colon, both forms count as true; "
        f"as published, page F1 is {shown(sum(published) / max(1, len(published)))}.",
        *(
            f"{title}: {', '.join(names.wrong) or 'none'}{_unknown(names)}."
            for title, path in (("Wrong names", JUDGED), ("Wrong names on sites held out", HELD_OUT))
            if (names := judged(wrappers, path)).right
        ),
    )


def _unknown(names: Judged) -> str:
    return f"; nobody has judged {', '.join(names.unknown)}" if names.unknown else ""


def _let_through(foreign: Sequence[Foreign]) -> tuple[str, ...]:
    """Whose pages were taken for whose, most often first."""
    through = Counter((one.site, one.wrapper) for one in foreign if not one.refused)
    told = [f"{site} by {wrapper} ({count})" for (site, wrapper), count in through.most_common(MOST_SHOWN)]
    more = f" and {len(through) - len(told)} more" if len(through) > len(told) else ""
    first = f"{len(foreign):,} foreign pages shown to wrappers, {through.total()} not refused"
    return (f"{first}: {', '.join(told)}{more}." if told else f"{first}.",)


def _details(
    scores: Mapping[str, Sequence[SiteScore]],
    results: Mapping[str, Summary],
    ours: Sequence[SiteReading],
    times: Times,
) -> dict[str, float]:
    details: dict[str, float] = {}
    for name, of in scores.items():
        details |= {f"{name}: {key}": value for key, value in results[name].items()}
        for one in of:
            details |= {f"{name}, {one.site.name}: {key}": value for key, value in summary([one]).items()}
    for reading in ours:
        details[f"{reading.score.site.name}: own pages refused"] = len(reading.refused) / max(1, len(reading.files))
    for name, large in times.large.items():
        details |= {f"{name}: learning / reading": large.learn / large.read}
        details |= {f"{name}: seconds of learning": large.learn, f"{name}: growth": large.many / large.few}
    return {name: round(value, 6) for name, value in details.items()}


def _side_by_side(results: Mapping[str, Summary]) -> Sheet:
    columns = {
        "page F1": "page_f1",
        "cells R": "cell_recall",
        "anywhere": "anywhere",
        "correct": "correct",
        "records": "record_f1",
        "their cells": "record_cells",
        "col. P": "column_precision",
        "col. R": "column_recall",
        "col. F": "column_f1",
    }
    return side_by_side("side by side", columns, results)


def _by_vertical(scores: Mapping[str, Sequence[SiteScore]]) -> Sheet:
    sheet = Sheet(Column("vertical", no_wrap=True), "sites", *scores, title="page F1 by vertical")
    for vertical in dict.fromkeys(one.site.vertical for one in scores[DEFAULT]):
        of = {name: [one for one in several if one.site.vertical == vertical] for name, several in scores.items()}
        sheet.add_row(vertical, str(len(of[DEFAULT])), *(shown(summary(several).page_f1) for several in of.values()))
    return sheet
