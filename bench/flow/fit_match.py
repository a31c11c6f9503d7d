"""Fits the weights of matching: `python -m bench.flow.fit_match [--write]`.

Every pair of tables counts alike. Domains are folds: what is told of restaurants, weights say that never saw one.
Printed are, for each pair of tables, precision, recall and F1 of the matched zone in and out of fold, the best F1 that
any line could give, and what is estimated without a truth. `--write` keeps the weights in `flow/match/weights.json`.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from bench.flow.catalogues import NAMES, Catalogue, load, persons_in_one
from bench.frame import Options
from sightline.arrays import FloatArray
from sightline.flow import match as matching
from sightline.flow.match import (
    EVIDENCE,
    DuplicateSettings,
    LikelyPairs,
    MatchModel,
    MatchSettings,
    compared,
    deduplicate,
    fitted,
    in_catalogue,
    zones,
)
from sightline.flow.match._duplicates import pairs_within
from sightline.flow.match._estimate import ColumnWorth
from sightline.flow.match._likely import LikelyPlaces
from sightline.flow.rows import TextColumns

SIZE = 10_000.0  # pairs that each catalogue counts for
HELD = 300.0  # holds weights of figures with a spread of one near 0; left out, F1 is .900 with 10, .908, .885 with 1000
AGAINST = ("codes differ", "numbers differ")
"""Figures that speak against a pair; all others speak for it, if for anything. `columns differ` is negative itself."""
LEFT_OUT = ("this catalogue",)
# What is known of a person in three of the sets is made in the same way; one counts for all.
TAUGHT = tuple(name for name in NAMES if name not in ("febrl1", "febrl2", "febrl3"))
FILE = Path(matching.__file__).parent / "weights.json"


@dataclass(frozen=True)
class Judged:
    """A pair of tables with its likely pairs, and which of them are true."""

    catalogue: Catalogue
    pairs: LikelyPairs
    same: FloatArray


def judged(catalogue: Catalogue, assignment: str) -> Judged:
    """Find the likely pairs of a catalogue."""
    settings = MatchSettings(assignment=assignment)
    pairs = compared(catalogue.left, catalogue.right, settings)[0]
    same = [(row, column) in catalogue.matches for row, column in zip(pairs.rows, pairs.columns, strict=True)]
    return Judged(catalogue, pairs, np.array(same, float))


def judged_within(catalogue: Catalogue) -> Judged:
    """Both tables of a catalogue as one; whether two records of the same table are the same, nobody knows."""
    left = catalogue.records
    names = [name for name in catalogue.left if name in catalogue.right and name != "id"]
    table = {name: [*catalogue.left[name], *catalogue.right[name]] for name in names}
    pairs = pairs_within(table, DuplicateSettings())[0]
    is_cross = (pairs.rows < left) & (pairs.columns >= left)
    kept = LikelyPairs(
        LikelyPlaces(
            *(one[is_cross] for one in (pairs.rows, pairs.columns, pairs.places.by_words, pairs.places.by_letters))
        ),
        pairs.evidence[is_cross],
        ColumnWorth(pairs.worth.parts[is_cross], pairs.worth.prior),
        pairs.columns_compared,
        pairs.records,
    )
    same = [(row, column - left) in catalogue.matches for row, column in zip(kept.rows, kept.columns, strict=True)]
    return Judged(catalogue, kept, np.array(same, float))


def figures_within(name: str, model: MatchModel) -> dict[str, float]:
    """Precision, recall and F1 of the pairs of a table with duplicates."""
    table, true = persons_in_one(name)
    with patch("sightline.flow.match._duplicates.match_model", lambda _: model):
        found = deduplicate(_rows(table))
    places = {key: row for row, key in enumerate(table["id"])}
    pairs = {
        (min(places[a], places[b]), max(places[a], places[b]))
        for own in found.duplicates
        for a, b in combinations(own, 2)
    }
    hits = len(pairs & true)
    precision, recall = hits / max(len(pairs), 1), hits / len(true)
    return {"F1": 2 * precision * recall / max(precision + recall, 1e-9), "P": precision, "R": recall}


def _rows(columns: TextColumns) -> list[dict[str, str | None]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def fit(sets: Sequence[Judged]) -> MatchModel:
    """Weights by all pairs of some catalogues, none of which counts against its meaning."""
    evidence = np.vstack([one.pairs.evidence for one in sets])
    same = np.concatenate([one.same for one in sets])
    counts = np.concatenate([np.full(len(one.same), SIZE / len(one.same)) for one in sets])
    usual = np.average(evidence, axis=0, weights=counts)
    spread = np.sqrt(np.average((evidence - usual) ** 2, axis=0, weights=counts))
    kept = (spread > 0) & np.array([name not in LEFT_OUT for name in EVIDENCE])
    sign = np.array([-1.0 if name in AGAINST else 1.0 for name in EVIDENCE])
    while True:
        figures = ((evidence - usual) / np.where(spread > 0, spread, 1.0))[:, kept]
        solved = fitted(figures, same, counts, np.zeros(kept.sum() + 1), HELD)
        wrong = sign[kept] * solved[:-1] < 0
        if not wrong.any():
            break
        worst = np.flatnonzero(kept)[int(np.argmin(sign[kept] * solved[:-1]))]
        kept[worst] = False
    weights = np.zeros(len(EVIDENCE))
    weights[kept] = solved[:-1] / spread[kept]
    weights[EVIDENCE.index("this catalogue")] = 1.0
    usual[EVIDENCE.index("this catalogue")] = 0.0
    spread[EVIDENCE.index("this catalogue")] = 1.0
    spread = np.where(spread > 0, spread, 1.0)
    return MatchModel(tuple(weights.tolist()), tuple(usual.tolist()), tuple(spread.tolist()), float(solved[-1]))


def figures(one: Judged, model: MatchModel, settings: MatchSettings) -> dict[str, float]:
    """Precision, recall and F1 of the matched zone, recall after review, and the best F1 of any line."""
    evidence = in_catalogue(one.pairs, model, settings)
    chances = model.chances(evidence)
    zone = zones(one.pairs, chances, one.catalogue.records, settings)
    true = len(one.catalogue.matches)
    hits = float(one.same[zone == "matched"].sum())
    precision, recall = hits / max((zone == "matched").sum(), 1), hits / true
    looked_at = zone == "review"
    everything = MatchSettings(assignment=settings.assignment, matched=0.0)
    best = np.flatnonzero(zones(one.pairs, chances, one.catalogue.records, everything) == "matched")
    found = np.cumsum(one.same[best[np.argsort(-model.scores(evidence)[best])]])
    return {
        "F1": 2 * precision * recall / max(precision + recall, 1e-9),
        "P": precision,
        "R": recall,
        "R after review": (hits + float(one.same[looked_at].sum())) / true,
        "best": float((2 * found / (np.arange(1, len(found) + 1) + true)).max()),
        "estimated P": float(chances[zone == "matched"].mean()),
    }


def without(sets: Sequence[Judged], domain: str) -> list[Judged]:
    """The catalogues that teach, without those of a domain."""
    return [one for one in sets if one.catalogue.name in TAUGHT and one.catalogue.domain != domain]


def all_judged(assignment: str) -> list[Judged]:
    """Every pair of tables, compared once and kept."""
    return [judged(load(name, Options()), assignment) for name in NAMES]


def _shown(values: Mapping[str, float]) -> str:
    return "  ".join(f"{name} {value:.3f}" for name, value in values.items())


def written(model: MatchModel) -> dict[str, Any]:
    """A model as plain values."""
    rows = zip(EVIDENCE, model.weights, model.usual, model.spread, strict=True)
    figures = {name: [round(value, 4) for value in values] for name, *values in rows}
    return {"bias": round(model.bias, 4), "figures": figures}


def main() -> None:
    """Fit, print, and write if asked to."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true")
    args = asked.parse_args()
    document = {}
    for assignment in ("one-to-one", "many-to-one"):
        print(assignment)
        settings = MatchSettings(assignment=assignment)
        sets = all_judged(assignment)
        whole = fit(without(sets, ""))
        for one in sets:
            if (one.catalogue.assignment == "many-to-one") and assignment == "one-to-one":
                continue
            unseen = fit(without(sets, one.catalogue.domain))
            print(f"  {one.catalogue.name:15} domain left out  {_shown(figures(one, unseen, settings))}")
            print(f"  {'':15} domain known     {_shown(figures(one, whole, settings))}", flush=True)
        document[assignment] = written(whole)
        print(json.dumps(document[assignment], indent=1))
    print("within")
    sets = [judged_within(load(name, Options())) for name in TAUGHT]
    whole, no_persons = fit(without(sets, "")), fit(without(sets, "persons"))
    for name in ("febrl1", "febrl2", "febrl3"):
        print(f"  {name:15} domain left out  {_shown(figures_within(name, no_persons))}")
        print(f"  {'':15} domain known     {_shown(figures_within(name, whole))}", flush=True)
    document["within"] = written(whole)
    if args.write:
        FILE.write_text(json.dumps(document, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
