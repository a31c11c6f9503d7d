"""Chooses how the line between matches and others is found: `python -m bench.flow.fit_match_line`.

Eight pairs of tables, one to one and many to one, and four small parts of each (twelve matches among some twenty
records) are judged by weights that did not know their domain. Each setting is tried; the best over all is printed,
and for each domain the figure of the setting that was best without it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import numpy as np

from bench.flow.catalogues import NAMES, Catalogue, load
from bench.flow.fit_match import Judged, all_judged, fit, judged, without
from bench.frame import Options
from sightline.arrays import BoolArray, FloatArray
from sightline.flow.match import _threshold
from sightline.flow.match._threshold import best_pairs, catalogue_chances

SMALL, MATCHED, ALONE = 4, 12, (5, 8)  # parts of each set, their matches, and records without a partner on both sides
SETTINGS: dict[str, tuple[Any, ...]] = {
    "_SHIFT_SPREAD": (0.5, 1.0),
    "_TEMPER": (100.0, 200.0, 400.0),
    "_RIGHT_COUNT": (10.0, 30.0),
    "_EXPECTED": (0.0, 1.0, 3.0),
    "_HARDER": (2.0, 3.0),
    "_RIGHT": (1.5, 2.0),
}
LINES = (0.4, 0.5, 0.6, 0.7)
WORTH = {"one-to-one": 0.5, "many-to-one": 0.25, "small": 0.25}
LEFT_OUT = ("febrl2", "febrl3")  # made like the others of persons


@dataclass(frozen=True)
class Scored:
    """A pair of tables with the scores of its pairs, and which of them are true."""

    kind: str
    domain: str
    one: Judged
    scores: FloatArray

    def f1(self) -> list[float]:
        """F1 of the matched zone with each line, by the settings as they are now."""
        pairs, one_to_one = self.one.pairs, self.kind != "many-to-one"
        found = catalogue_chances(self.scores, pairs.rows, pairs.columns, pairs.records, one_to_one=one_to_one)
        is_best = best_pairs(self.scores, pairs.rows, pairs.columns, one_to_one=one_to_one)
        chances = 1 / (1 + np.exp(-np.clip(found.slope * self.scores + found.shift, -30, 30)))
        return [self._f1(is_best & (chances >= line)) for line in LINES]

    def _f1(self, matched: BoolArray) -> float:
        return 2 * float(self.one.same[matched].sum()) / (int(matched.sum()) + len(self.one.catalogue.matches))


def part_of(catalogue: Catalogue, seed: int) -> Catalogue:
    """A few matches of two tables, with records that have no partner."""
    random = Random(f"{catalogue.name} {seed}")
    matches = random.sample(sorted(catalogue.matches), MATCHED)
    sizes = catalogue.records, len(next(iter(catalogue.right.values())))
    kept: list[list[int]] = []
    for side in (0, 1):
        own = [pair[side] for pair in matches]
        others = sorted(set(range(sizes[side])) - {pair[side] for pair in catalogue.matches})
        others = others or sorted(set(range(sizes[side])) - set(own))
        kept.append(list(dict.fromkeys(own + random.sample(others, min(ALONE[side], len(others))))))
    left, right = (
        {name: [values[row] for row in rows] for name, values in table.items()}
        for table, rows in zip((catalogue.left, catalogue.right), kept, strict=True)
    )
    places = [{row: place for place, row in enumerate(rows)} for rows in kept]
    true = {(places[0][a], places[1][b]) for a, b in catalogue.matches if a in places[0] and b in places[1]}
    return Catalogue(catalogue.name, left, right, frozenset(true))


def all_scored() -> Iterator[Scored]:
    """Everything that is judged, by weights that did not know its domain."""
    for assignment in ("one-to-one", "many-to-one"):
        sets = all_judged(assignment)
        for one in sets:
            if one.catalogue.name in LEFT_OUT:
                continue
            domain = one.catalogue.domain
            model = fit(without(sets, domain))
            yield Scored(assignment, domain, one, model.scores(one.pairs.evidence))
            if assignment == "one-to-one":
                parts = (
                    judged(part_of(load(one.catalogue.name, Options()), seed), assignment) for seed in range(SMALL)
                )
                yield from (Scored("small", domain, part, model.scores(part.pairs.evidence)) for part in parts)


def worth(figures: FloatArray, scored: Sequence[Scored], domain: str = "") -> float:
    """The weighed mean of F1 over the kinds of sets, without a domain."""
    means = {
        kind: np.mean(
            [f1 for f1, one in zip(figures, scored, strict=True) if one.kind == kind and one.domain != domain]
        )
        for kind in WORTH
    }
    return float(sum(share * means[kind] for kind, share in WORTH.items()))


def main() -> None:
    """Try all settings, and print the best."""
    scored = list(all_scored())
    tried: list[tuple[dict[str, Any], FloatArray]] = []
    for values in product(*SETTINGS.values()):
        chosen = dict(zip(SETTINGS, values, strict=True))
        for name, value in chosen.items():
            setattr(_threshold, name, value)
        figures = np.array([one.f1() for one in scored])
        tried += [({**chosen, "line": line}, figures[:, at]) for at, line in enumerate(LINES)]
    best = max(tried, key=lambda one: worth(one[1], scored))
    print("best over all", json.dumps(best[0]), round(worth(best[1], scored), 4))
    for kind in WORTH:
        print(f"  {kind:12} {np.mean([f1 for f1, one in zip(best[1], scored, strict=True) if one.kind == kind]):.4f}")
    for domain in dict.fromkeys(load(name, Options()).domain for name in NAMES):
        unseen = max(tried, key=lambda one: worth(one[1], scored, domain))
        told = [
            f"{one.one.catalogue.name} {f1:.3f}"
            for f1, one in zip(unseen[1], scored, strict=True)
            if one.domain == domain and one.kind == "one-to-one"
        ]
        print(f"  chosen without {domain:12} {', '.join(told)}")


if __name__ == "__main__":
    main()
