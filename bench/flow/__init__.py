"""Flows: matching; the time and memory of normalising and delivering; what kills do; nights of many flows.

The peer of matching is the best plain rule: names compared by groups of three letters, each record's best partner if
the liking is mutual, and the threshold chosen afterwards, so that no choice could do better.
"""

import numpy as np

from bench.flow.catalogues import NAMES, load
from bench.flow.fit_match import Judged, judged
from bench.flow.match_scale import CATALOGUE, RECORDS, measure
from bench.frame import Corpus, Figure, Options, Outcome, folder_of
from sightline.flow.match import EVIDENCE, MatchSettings, match, zones
from sightline.flow.rows import TextColumns

__all__ = ["run"]

F1 = {"abt-buy": 0.92, "walmart-amazon": 0.68}
AFTER_REVIEW = {"abt-buy": 0.95, "walmart-amazon": 0.85}
PRECISION = 0.95  # of abt-buy
MOST_REVIEWED, MOST_SECONDS, MOST_MEGABYTES = 0.15, 60, 1000


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
    for name in NAMES:
        figures += _match_figures(name, options)
        files += sorted((folder_of("match", options) / name).glob("*.csv"))
    figures += _scale_figures()
    figures += normalise_figures()
    figures += deliver_figures()
    figures += memory_figures()
    figures += kill_figures()
    figures += month_figures()
    figures += schedule_figures()
    figures += many_flow_figures()
    remarks = ("records left out, catalogues left out: python -m bench.flow.fit_match",)
    return Outcome("flow", "plain rule", (Corpus("match", tuple(files)),), tuple(figures), remarks)


def _match_figures(name: str, options: Options) -> list[Figure]:
    catalogue = load(name, options)
    found = match(_rows(catalogue.left), _rows(catalogue.right))
    rows, columns = ({key: row for row, key in enumerate(side["id"])} for side in (catalogue.left, catalogue.right))
    pairs = {
        zone: {(rows[pair.left], columns[pair.right]) for pair in found if pair.zone == zone}
        for zone in ("matched", "review")
    }
    hits, true = len(pairs["matched"] & catalogue.matches), len(catalogue.matches)
    precision, recall = hits / len(pairs["matched"]), hits / true
    after = len((pairs["matched"] | pairs["review"]) & catalogue.matches) / true
    f1 = 2 * precision * recall / (precision + recall)
    share = len(pairs["review"]) / catalogue.records
    plain = _plain_rule(judged(catalogue, "one-to-one"))
    figures = [
        Figure.of(f"{name}: F1 of the matched zone", f1, F1[name], "higher", "share", peer=plain),
        Figure.of(f"{name}: recall after review", after, AFTER_REVIEW[name], "higher", "share"),
        Figure.of(f"{name}: pairs to review a record", share, MOST_REVIEWED, "lower", "share"),
    ]
    bound = PRECISION if name == "abt-buy" else None
    zone = f"{name}: precision of the matched zone"
    return [*figures, Figure.of(zone, precision, bound, "higher", "share")]


def _rows(columns: TextColumns) -> list[dict[str, str | None]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


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
