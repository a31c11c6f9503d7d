"""Fits the weights of matching: `python -m bench.flow.fit_match`.

Both catalogues count alike. Printed are figures on records left out (five folds of both catalogues) and on a catalogue
left out, for several thresholds, and the weights fitted to everything, to be put into `flow/match/_match.py`.
"""

from dataclasses import dataclass, replace

import numpy as np

from bench.flow.catalogues import NAMES, Catalogue, load
from bench.frame import Options
from sightline.arrays import FloatArray
from sightline.flow.match import (
    EVIDENCE,
    LikelyPairs,
    MatchModel,
    MatchSettings,
    fitted,
    likely_pairs,
    zones,
)

FOLDS = 5
HELD = 1.0  # holds weights near 0; less changes no figure by more than 0.002, and 10 costs 0.01
MATCHED = (0.3, 0.35, 0.4, 0.5, 0.6)
REVIEW = (0.01, 0.02, 0.05, 0.1)
COLUMN_MARGIN = EVIDENCE.index("ahead of other lefts")


@dataclass(frozen=True)
class Compared:
    """A catalogue with its likely pairs, and which of them are true."""

    catalogue: Catalogue
    pairs: LikelyPairs
    same: FloatArray


def compared(catalogue: Catalogue) -> Compared:
    """Find the likely pairs of a catalogue."""
    pairs = likely_pairs(catalogue.left, catalogue.right)
    same = [(row, column) in catalogue.matches for row, column in zip(pairs.rows, pairs.columns, strict=True)]
    return Compared(catalogue, pairs, np.array(same, float))


def fit(sets: list[Compared], chosen: list[np.ndarray], *, one_to_one: bool) -> MatchModel:
    """Weights from some pairs of each catalogue."""
    evidence = np.vstack([one.pairs.evidence[part] for one, part in zip(sets, chosen, strict=True)])
    if not one_to_one:  # many records may belong to one of the catalogue, so being ahead of others means nothing
        evidence[:, COLUMN_MARGIN] = 0
    same = np.concatenate([one.same[part] for one, part in zip(sets, chosen, strict=True)])
    counts = np.concatenate([np.full(part.sum(), SIZE / part.sum()) for part in chosen])
    solved = fitted(evidence, same, counts, np.zeros(len(EVIDENCE) + 1), HELD)
    return MatchModel(tuple(solved[:-1].tolist()), float(solved[-1]))


SIZE = 15_000  # pairs that each catalogue counts for


def left_out(sets: list[Compared], *, one_to_one: bool) -> list[FloatArray]:
    """The chance of every pair, by weights that never saw its left record."""
    chances = [np.zeros(len(one.same)) for one in sets]
    for fold in range(FOLDS):
        held = [one.pairs.rows % FOLDS == fold for one in sets]
        model = fit(sets, [~part for part in held], one_to_one=one_to_one)
        for chance, one, part in zip(chances, sets, held, strict=True):
            chance[part] = model.chances(one.pairs.evidence[part])
    return chances


def figures(one: Compared, chances: FloatArray, settings: MatchSettings) -> dict[str, float]:
    """Precision, recall and F1 of the matched zone, recall after review, and the share of records to review."""
    zone = zones(one.pairs, chances, one.catalogue.records, settings)
    true = len(one.catalogue.matches)
    hits = float(one.same[zone == "matched"].sum())
    precision, recall = hits / max((zone == "matched").sum(), 1), hits / true
    looked_at = zone == "review"
    return {
        "F1": 2 * precision * recall / max(precision + recall, 1e-9),
        "P": precision,
        "R": recall,
        "R after review": (hits + float(one.same[looked_at].sum())) / true,
        "pairs": looked_at.sum() / one.catalogue.records,
        "records": len(np.unique(one.pairs.rows[looked_at])) / one.catalogue.records,
    }


def _shown(values: dict[str, float]) -> str:
    return "  ".join(f"{name} {value:.3f}" for name, value in values.items())


def main() -> None:
    """Print everything."""
    sets = [compared(load(name, Options())) for name in NAMES]
    whole = [np.ones(len(one.same), bool) for one in sets]
    for assignment in ("one-to-one", "many-to-one"):
        print(assignment)
        one_to_one = assignment == "one-to-one"
        usual = MatchSettings(assignment=assignment)
        chances = left_out(sets, one_to_one=one_to_one)
        tried = [replace(usual, matched=matched) for matched in MATCHED]
        for settings in [*tried, *(replace(usual, review=review) for review in REVIEW)]:
            for one, chance in zip(sets, chances, strict=True):
                print(f"  records left out, {one.catalogue.name:15} {settings.matched} {settings.review}", end="  ")
                print(_shown(figures(one, chance, settings)))
        for one in sets:
            others = [other for other in sets if other is not one]
            model = fit(others, [np.ones(len(other.same), bool) for other in others], one_to_one=one_to_one)
            print(f"  catalogue left out, {one.catalogue.name:15}", end="  ")
            print(_shown(figures(one, model.chances(one.pairs.evidence), usual)))
        model = fit(sets, whole, one_to_one=one_to_one)
        print("  ", tuple(round(weight, 2) for weight in model.weights), round(model.bias, 2))


if __name__ == "__main__":
    main()
