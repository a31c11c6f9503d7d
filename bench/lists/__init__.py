"""Lists: how well records and promised items are found, beside plain readings of the tags, and what it costs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial

from rich.table import Column
from rich.table import Table as Sheet

from bench.ablation import Worth, ablated, publish_ablations
from bench.frame import Figure, Options, Outcome, asked_to_show, shown, side_by_side, thinned
from bench.lists import records, topk
from bench.lists.pages import (
    BASIC,
    DEFAULT,
    LIST_PEERS,
    TOP_PEERS,
    Known,
    Truth,
    found_lists,
    found_tops,
    list_way,
    lists_truth,
    read_by_tags,
    score_lists,
    score_tops,
    split,
    top_truth,
    top_way,
    top_ways,
)
from bench.lists.published import table_1, table_2, table_3
from bench.lists.report import report_lists, report_tops
from bench.lists.speed import DEAR, DEAR_TOP, Split, growths, parts_rendered, parts_static
from bench.pages import rendered
from bench.searches import Timing, cost, dear, timings
from sightline.extract import lists as engine
from sightline.page import Page

__all__ = ["ablate", "run", "show"]

TIMED = 50  # pages of a set; more would not move the median
LIST_PEER, TOP_PEER = "siblings", "headings"
SETS = ("lists", "topk")
LATER = "lists2"  # lists that came later
# MDR of pydepta, which no longer installs: best F1 and first F1 on these sets, as they were given with the data.
GIVEN = {"estuka2017_srr": (0.807, 0.696), "recipe_lists": (0.219, 0.113)}
# The figures that rules are judged by.
OF_LISTS = ("best_f1", "best_cells", "first_f1")
OF_TOPS = ("paper_precision", "paper_recall", "item_f1", "exact_k", "strict_recall", "false_alarms")
FEW = 20  # lists; the means of smaller parts are in the details only

ListGroups = Mapping[str, records.Summary]
TopGroups = Mapping[str, topk.Summary]


@dataclass(frozen=True)
class Times:
    """What was timed: finding lists, finding top-k lists on rendered pages and on parsed ones, and growth."""

    lists: Sequence[Timing]
    tops: Sequence[Timing]
    static: Sequence[Split]
    growth: tuple[Figure, ...]


def run(options: Options) -> Outcome:
    """Read every page of both sets in every way, and with every peer."""
    split(options.without)  # refuses unknown names before anything takes its time
    known, promised = lists_truth(options), top_truth(options)
    # First what is timed: with hundreds of pages in memory, Python's collector would be measured as well.
    times = _times(options, known, promised)
    lists, tops = _lists(options, known), _tops(options, promised)
    later = lists_truth(options, of=LATER)
    of_later = found_lists(later, rendered(later.files, keep=options.keep_pages), list_way(options.without))
    of_tops = {name: of["all"] for name, of in tops.items()}
    return Outcome(
        task="lists",
        peer="peer",
        corpora=(known.corpus, promised.corpus, later.corpus),
        figures=(
            *_top_figures(of_tops),
            *_list_figures(lists),
            *_of_later(records.summary(score_lists(later, of_later))),
            cost("finding lists", times.lists, DEFAULT, DEAR),
            cost("finding the top k", times.tops, DEFAULT, DEAR_TOP),
            *times.growth,
        ),
        remarks=_remarks(options, known, promised),
        details=_details(lists, tops, times),
        views=(
            _side_by_side(lists),
            _by_part(lists),
            _tops_side_by_side(tops),
            table_1(of_tops),
            table_2(of_tops),
            table_3(parts_rendered(times.tops, BASIC, DEFAULT), times.static),
        ),
    )


def _of_later(found: records.Summary) -> tuple[Figure, ...]:
    """The figures of lists that came later, which no rule was made by."""
    wanted = (
        ("best, F1", found.best_f1, 0.95),
        ("first, F1", found.first_f1, 0.88),
        ("cells, F1", found.best_cells, 0.82),
    )
    return tuple(
        Figure.of(f"later lists: {name}", value, bound, "higher", "share")
        for name, value, bound in wanted
        if value is not None
    )


def show(options: Options) -> None:
    """Print what is wrong on the pages asked for: `worst`, a number, a set, or parts of names of pages."""
    number, named = asked_to_show(options, SETS)
    sets = [word for word in options.show if word in SETS] or SETS
    known, promised = lists_truth(options, named), top_truth(options, named)
    asked = [truth.set for truth in (known, promised) if truth.set in sets and truth.known]
    if not asked:
        raise SystemExit(f"bench: no page of {' or '.join(sets)} is named {', '.join(named)}.")
    if "lists" in asked:
        lists = found_lists(known, rendered(known.files, keep=options.keep_pages), list_way(options.without))
        report_lists(score_lists(known, lists), lists, most=number)
    if "topk" in asked:
        way = top_ways(options.without)[DEFAULT]
        tops = found_tops(promised, rendered(promised.files, keep=options.keep_pages), way)
        report_tops(score_tops(promised, tops), tops, most=number)


def ablate(options: Options) -> None:
    """Leave out every rule of both sets in turn."""
    split(options.without)  # refuses unknown names before anything takes its time
    known, promised = lists_truth(options), top_truth(options)
    found = (
        ablated(known.corpus, engine.LIST_RULES, options, _worth_of(known, list_worth, options)),
        ablated(promised.corpus, engine.TOP_RULES, options, _worth_of(promised, top_worth, options)),
    )
    publish_ablations("lists", found, options, lower_is_better=("false_alarms",))


def _worth_of(
    truth: Truth[Known], worth: Callable[[Truth[Known], Sequence[Page], Sequence[str]], Worth], options: Options
) -> Callable[[Sequence[str]], Worth]:
    return partial(worth, truth, rendered(truth.files, keep=options.keep_pages))


def list_worth(truth: Truth[records.ListTruth], pages: Sequence[Page], without: Sequence[str]) -> Worth:
    """The figures of lists with these rules left out."""
    found = records.summary(score_lists(truth, found_lists(truth, pages, list_way(without))))
    return {name: getattr(found, name) or 0.0 for name in OF_LISTS}


def top_worth(truth: Truth[topk.TopTruth], pages: Sequence[Page], without: Sequence[str]) -> Worth:
    """The figures of top-k lists with these rules left out."""
    found = topk.summary(score_tops(truth, found_tops(truth, pages, top_way(without))))
    return {name: getattr(found, name) or 0.0 for name in OF_TOPS}


def _times(options: Options, known: Truth[records.ListTruth], promised: Truth[topk.TopTruth]) -> Times:
    lists, tops = list_way(options.without), top_ways(options.without)
    some = thinned(promised.files, TIMED)
    return Times(
        timings(thinned(known.files, TIMED), {DEFAULT: lists}),
        timings(some, {name: tops[name] for name in (BASIC, DEFAULT)}),
        parts_static(some, tops[BASIC], tops[DEFAULT]),
        growths(lists, tops[DEFAULT]),
    )


def _lists(options: Options, truth: Truth[records.ListTruth]) -> dict[str, ListGroups]:
    """The figures of lists by who found them; the pages are let go of again."""
    pages = rendered(truth.files, keep=options.keep_pages)
    found = {DEFAULT: found_lists(truth, pages, list_way(options.without))}
    found |= {name: read_by_tags(truth, reader) for name, reader in LIST_PEERS.items()}
    return {name: records.groups(score_lists(truth, lists)) for name, lists in found.items()}


def _tops(options: Options, truth: Truth[topk.TopTruth]) -> dict[str, TopGroups]:
    """The same of top-k lists."""
    pages = rendered(truth.files, keep=options.keep_pages)
    found = {name: found_tops(truth, pages, way) for name, way in top_ways(options.without).items()}
    found |= {name: read_by_tags(truth, reader) for name, reader in TOP_PEERS.items()}
    return {name: topk.groups(score_tops(truth, tops)) for name, tops in found.items()}


def _top_figures(results: Mapping[str, topk.Summary]) -> tuple[Figure, ...]:
    wanted = (
        ("top k: P as published", "paper_precision", 0.97),
        ("top k: R as published", "paper_recall", 0.93),
        ("top k: item F1", "item_f1", 0.92),
        ("top k: exactly k items", "exact_k", 0.97),
        ("top k: pages without a list taken for one", "false_alarms", 0.03),
    )
    return tuple(_figure(name, results[DEFAULT], results[TOP_PEER], field, bound) for name, field, bound in wanted)


def _list_figures(results: Mapping[str, ListGroups]) -> tuple[Figure, ...]:
    wanted = (
        ("lists: best record F1", "best_f1", 0.96),
        ("lists: best cell F1", "best_cells", 0.88),
        ("lists: first-ranked record F1", "first_f1", 0.80),
    )
    ours, peer = (results[name]["all"] for name in (DEFAULT, LIST_PEER))
    return tuple(_figure(name, ours, peer, field, bound) for name, field, bound in wanted)


def _figure(name: str, ours: object, peer: object, field: str, bound: float) -> Figure:
    value: float = getattr(ours, field) or 0.0
    return Figure.of(
        name, value, bound, "lower" if field == "false_alarms" else "higher", "share", peer=getattr(peer, field)
    )


def _remarks(options: Options, known: Truth[records.ListTruth], promised: Truth[topk.TopTruth]) -> tuple[str, ...]:
    sizes = sum(len(one.records) for one in known.known), sum(len(one.items) for one in promised.known)
    positive = sum(one.has_list for one in promised.known)
    return (
        f"{len(known.names)} pages with {len(known.known)} lists of {sizes[0]:,} records.",
        f"{positive} pages that promise {sizes[1]:,} items, {len(promised.known) - positive} that promise none.",
        "siblings, headings, tag paths: readings of the tags without a browser, in the same run on the same files.",
        "DEPTA: given with the data, not measured; it no longer installs.",
        *((f"Rules left out: {', '.join(options.without)}; nothing is written down.",) if options.without else ()),
    )


def _details(lists: Mapping[str, ListGroups], tops: Mapping[str, TopGroups], times: Times) -> dict[str, float]:
    details = {
        f"share of pages where finding {what} takes longer than the bound": dear(measured, DEFAULT, bound)
        for what, measured, bound in (("lists", times.lists, DEAR), ("the top k", times.tops, DEAR_TOP))
    }
    for results in (lists, tops):
        for name, of in results.items():
            for group, found in of.items():
                values = {field.name: getattr(found, field.name) for field in fields(found)}
                details |= {f"{name}, {group}: {key}": value for key, value in values.items() if value is not None}
    return {name: round(value, 6) for name, value in details.items()}


def _side_by_side(results: Mapping[str, ListGroups]) -> Sheet:
    columns = {
        "best P": "best_precision",
        "best R": "best_recall",
        "best F1": "best_f1",
        "cells": "best_cells",
        "good": "good",
        "first P": "first_precision",
        "first R": "first_recall",
        "first F1": "first_f1",
    }
    return side_by_side("lists, side by side", columns, {name: of["all"] for name, of in results.items()})


def _by_part(results: Mapping[str, ListGroups]) -> Sheet:
    heads = [f"{name}, {what}" for name in (*results, "DEPTA (given)") for what in ("best", "first")]
    sheet = Sheet(Column("set / part", no_wrap=True), "lists", *heads, title="record F1 by set and part")
    for group, whole in results[DEFAULT].items():
        if whole.lists >= FEW or " / " not in group:
            both = [(of[group].best_f1, of[group].first_f1) for of in results.values()]
            values = [shown(value) for pair in both for value in pair]
            given = [f"{value:.3f}" for value in GIVEN[group]] if group in GIVEN else ["–", "–"]
            sheet.add_row(group, str(whole.lists), *values, *given)
    return sheet


def _tops_side_by_side(results: Mapping[str, TopGroups]) -> Sheet:
    columns = {
        "P": "paper_precision",
        "R": "paper_recall",
        "exact k": "exact_k",
        "item F1": "item_f1",
        "near F1": "near_f1",
        "perfect": "strict_recall",
        "no list": "false_alarms",
    }
    sheet = Sheet("", "part", "pages", *columns, title="top-k lists, side by side")
    for name in (DEFAULT, BASIC, *TOP_PEERS):
        for part, of in results[name].items():
            sheet.add_row(name, part, str(of.pages), *(shown(getattr(of, field)) for field in columns.values()))
        sheet.add_section()
    return sheet
