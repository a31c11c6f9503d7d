"""Flows: matching; the time and memory of normalising and delivering; what kills do; nights of many flows.

The peer of matching is the best plain rule: names compared by groups of three letters, each record's best partner if
the liking is mutual, and the threshold chosen afterwards, so that no choice could do better.
"""

from collections.abc import Iterator

import numpy as np

from bench.flow.fit_match import Judged, all_judged, figures_within, fit, without
from bench.flow.fit_match import figures as matching_figures
from bench.flow.match_scale import CATALOGUE, RECORDS, measure
from bench.frame import Corpus, Figure, Options, Outcome, folder_of
from sightline.flow.match import EVIDENCE, MatchSettings, model_of, zones
from sightline.flow.match._model import match_model

__all__ = ["run"]

# The least F1 of the matched zone, with the domain left out of the fit, and the least precision of it.
F1 = {
    "abt-buy": 0.93,
    "walmart-amazon": 0.72,
    "restaurants": 0.97,
    "beers": 0.85,
    "songs": 0.90,
    "papers": 0.97,
    "febrl1": 0.99,
    "febrl2": 0.99,
    "febrl3": 0.99,
    "febrl4": 0.99,
}
PRECISION = 0.90
WITHIN = ("febrl1", "febrl2", "febrl3")  # tables with duplicates
MOST_SECONDS, MOST_MEGABYTES = 60, 1000


def run(options: Options) -> Outcome:
    """Measure everything."""
    # Not at the top, since each of them is a program, too.
    from bench.flow.deliver import deliver_figures
    from bench.flow.kills import kill_figures
    from bench.flow.many_flows import many_flow_figures
    from bench.flow.memory import memory_figures
    from bench.flow.month import month_figures
    from bench.flow.normalise import normalise_figures
    from bench.flow.schedule import schedule_figures

    figures: list[Figure] = []
    files = []
    figures += list(_match_figures())
    for name in ("match", "match2"):
        files += sorted(folder_of(name, options).rglob("*.csv"))
    figures += _scale_figures()
    figures += normalise_figures()
    figures += deliver_figures()
    figures += memory_figures()
    figures += kill_figures()
    figures += month_figures()
    figures += schedule_figures()
    figures += many_flow_figures()
    remarks = ("weights and lines, in and out of fold: python -m bench.flow.fit_match, bench.flow.fit_match_line",)
    return Outcome("flow", "plain rule", (Corpus("match", tuple(files)),), tuple(figures), remarks)


def _match_figures() -> Iterator[Figure]:
    """Every pair of tables by weights that did not know its domain, and by those of the package."""
    sets = {assignment: all_judged(assignment) for assignment in ("one-to-one", "many-to-one")}
    for one in sets["one-to-one"]:
        name, assignment = one.catalogue.name, one.catalogue.assignment
        settings = MatchSettings(assignment=assignment)
        own = next(other for other in sets[assignment] if other.catalogue.name == name)
        unseen = matching_figures(own, fit(without(sets[assignment], one.catalogue.domain)), settings)
        known = matching_figures(own, model_of(settings), settings)
        plain = _plain_rule(own) if assignment == "one-to-one" else None
        yield Figure.of(f"{name}: F1, domain left out", unseen["F1"], F1[name], "higher", "share", peer=plain)
        yield Figure.of(f"{name}: precision, domain left out", unseen["P"], PRECISION, "higher", "share")
        yield Figure.of(f"{name}: F1", known["F1"], None, "higher", "share")
        yield Figure.of(f"{name}: recall after review", known["R after review"], None, "higher", "share")
    for name in WITHIN:
        found = figures_within(name, match_model("within"))
        yield Figure.of(f"{name}, duplicates within: F1", found["F1"], 0.99, "higher", "share")


def _plain_rule(one: Judged) -> float:
    """The best F1 that any threshold gives to mutual best partners by letters."""
    letters = one.pairs.evidence[:, EVIDENCE.index("letters")]
    likings = zones(one.pairs, letters, 0, MatchSettings(matched=0.0)) == "matched"
    order = np.argsort(-letters[likings])
    hits = np.cumsum(one.same[likings][order])
    return float((2 * hits / (np.arange(1, len(hits) + 1) + len(one.catalogue.matches))).max())


def _scale_figures() -> list[Figure]:
    seconds, megabytes = measure()
    return [
        Figure.of(f"{RECORDS:,} records to {CATALOGUE:,}", seconds, MOST_SECONDS, "lower", "s by the clock"),
        Figure.of("memory of that", megabytes, MOST_MEGABYTES, "lower", "MB at the peak"),
    ]
