"""The verb: records and a catalogue in, pairs out."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sightline.arrays import FloatArray
from sightline.flow.match._columns import Compared, compared_texts, ids_of
from sightline.flow.match._evidence import EVIDENCE, Compare, LikelyPairs, best_other
from sightline.flow.match._matches import Decision, Decisions, Matches, Pair
from sightline.flow.rows import RowLimits, RowSource, TextColumns, read_columns
from sightline.settings import Settings, setting

# What can be set about matching.


@dataclass(frozen=True, kw_only=True)
class MatchSettings(Settings):
    """When two records count as the same. The thresholds were chosen by `python -m bench.flow.fit_match`."""

    assignment: str = setting(
        "one-to-one",
        help="whether a record of the catalogue takes one record, or many, as with the offers of several shops",
        choices=("one-to-one", "many-to-one"),
    )
    matched: float = setting(
        0.35, help="the least chance of a match; higher is surer, and leaves more to review", minimum=0, maximum=1
    )
    review: float = setting(0.02, help="the least chance of a pair that a person is asked about", minimum=0, maximum=1)
    review_share: float = setting(
        0.15,
        help="how many pairs to ask about at most, as a share of the records; twenty are always asked about",
        minimum=0,
        maximum=1,
    )


# The chance that two records are the same thing: a logistic regression on the evidence.
#
# The weights come from `python -m bench.flow.fit_match`, which fits them on the product catalogues of
# docs/benchmarks.md and reports what they do on records, and on whole catalogues, that were left out. Decisions of a
# user move them: to the weights that explain the decisions best without going far from these.

_STEPS = 50
_ENOUGH = 1e-9
_FIRM = 20.0  # how far decisions move the weights: a hundred of them count about as much as the weights did before


@dataclass(frozen=True)
class MatchModel:
    """Weights of the evidence, and the log-odds of a pair without any."""

    weights: tuple[float, ...]
    bias: float

    def chances(self, evidence: FloatArray) -> FloatArray:
        """The chance of each pair."""
        return _chance(evidence @ np.array(self.weights) + self.bias)

    def parts(self, evidence: FloatArray) -> dict[str, float]:
        """What each figure of one pair adds to the log-odds, or takes from them.

        >>> model = MatchModel((1.0,) * len(EVIDENCE), -3.0)
        >>> model.parts(np.array([0.5, *[0.0] * (len(EVIDENCE) - 1)]))["letters"]
        0.5
        """
        return dict(zip(EVIDENCE, (np.array(self.weights) * evidence).tolist(), strict=True))

    def taught(self, evidence: FloatArray, same: FloatArray) -> "MatchModel":
        """The model after decisions: pairs with their evidence, and 1.0 where they are the same."""
        start = np.array([*self.weights, self.bias])
        solved = fitted(evidence, same, np.ones(len(same)), start, _FIRM)
        return MatchModel(tuple(solved[:-1].tolist()), float(solved[-1]))


def fitted(evidence: FloatArray, same: FloatArray, counts: FloatArray, start: FloatArray, firm: float) -> FloatArray:
    """Weights, the bias last, that explain the pairs best: Newton's method, held near `start` as firmly as asked.

    `counts` says how often each pair counts.
    """
    figures = np.hstack([evidence, np.ones((len(evidence), 1))])
    weights = start.copy()
    for _ in range(_STEPS):
        chance = _chance(figures @ weights)
        slope = figures.T @ (counts * (chance - same)) + firm * (weights - start)
        bend = (figures * (counts * chance * (1 - chance))[:, None]).T @ figures + firm * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if float(np.abs(step).max()) < _ENOUGH:
            break
    return weights


def _chance(odds: FloatArray) -> FloatArray:
    chance: FloatArray = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    return chance


# In the order of EVIDENCE.
ONE_TO_ONE = MatchModel((-1.54, -0.18, 0.63, 7.69, 5.11, 3.78, 0.74, -0.79, -1.68, -0.12, -1.29, -0.76, 0.3), -0.64)
MANY_TO_ONE = MatchModel((0.44, 0.87, 0.46, 9.14, 0.0, 4.15, 0.97, -0.74, -1.71, -0.09, -1.28, -0.22, 0.14), -1.96)


def match(
    records: RowSource,
    catalogue: RowSource,
    *,
    decisions: str | os.PathLike[str] | None = None,
    settings: MatchSettings | None = None,
    limits: RowLimits | None = None,
) -> Matches:
    """Find the record of a catalogue that each record is, if any.

    Both are files, lists of dicts, results or data frames. `decisions` is a file of what people decided before, and
    `limits` say what a file may cost.

    >>> shop = [{"id": "a", "name": "Sony Cyber-shot DSC-W150 black"}, {"id": "b", "name": "Garden hose, 20 m"}]
    >>> ours = [{"id": "1", "name": "SONY DSCW150 digital camera"}, {"id": "2", "name": "Canon EOS 5D"}]
    >>> [(pair.left, pair.right, pair.zone) for pair in match(shop, ours)]
    [('a', '1', 'matched'), ('b', None, 'new')]
    """
    settings = settings or MatchSettings()
    left = read_columns(records, "the records", limits)
    right = read_columns(catalogue, "the catalogue", limits)
    one, two = compared_texts(left, right)
    pairs = Compare(one, two).pairs()
    model = model_of(settings)
    known = Decisions(Path(decisions)) if decisions is not None else None
    if known is not None:
        model = taught_by(model, known)
    chances = model.chances(pairs.evidence)
    decided = _decided(pairs, one, two, known)
    chances = np.where(decided == 1, 1.0, np.where(decided == 0, 0.0, chances))
    zone = zones(pairs, chances, len(one.names), settings)
    zone[decided == 0] = ""
    unasked = int(np.sum((zone == "unasked") & ~np.isin(pairs.rows, pairs.rows[zone == "matched"])))
    zone[zone == "unasked"] = ""
    found = _pairs(pairs, chances, zone, model, (one, two), (ids_of(left), ids_of(right)), decided)
    return Matches(found, (one.roles, two.roles), unasked)


def likely_pairs(left: TextColumns, right: TextColumns) -> LikelyPairs:
    """The pairs of two tables that may match, with the evidence for each."""
    return Compare(*compared_texts(left, right)).pairs()


def taught_by(model: MatchModel, known: Iterable[Decision]) -> MatchModel:
    """The model after the decisions of which the evidence is known."""
    useful = [decision for decision in known if len(decision.evidence) == len(EVIDENCE)]
    if not useful:
        return model
    same = np.array([float(decision.same) for decision in useful])
    return model.taught(np.array([decision.evidence for decision in useful]), same)


def model_of(settings: MatchSettings) -> MatchModel:
    """The model that nobody has taught yet."""
    return ONE_TO_ONE if settings.assignment == "one-to-one" else MANY_TO_ONE


def _decided(pairs: LikelyPairs, left: Compared, right: Compared, known: Decisions | None) -> FloatArray:
    """1 for pairs that a person called the same, 0 for those called different, -1 for the others."""
    decided = np.full(len(pairs), -1.0)
    said = {(decision.left, decision.right): decision.same for decision in known or ()}
    if not said:
        return decided
    rows_of: dict[str, list[int]] = {}
    for at, row in enumerate(pairs.rows.tolist()):
        rows_of.setdefault(left.names[row], []).append(at)
    for (one, two), same in said.items():
        for at in rows_of.get(one, ()):
            if right.names[int(pairs.columns[at])] == two:
                decided[at] = float(same)
    return decided


def _pairs(  # noqa: PLR0913 - what is known about them
    pairs: LikelyPairs,
    chances: FloatArray,
    zone: "np.typing.NDArray[np.str_]",
    model: MatchModel,
    sides: tuple[Compared, Compared],
    ids: tuple[Sequence[str], Sequence[str]],
    decided: FloatArray,
) -> tuple[Pair, ...]:
    """The pairs of all zones in the order of the records, and each record without any as new."""
    of_row: dict[int, list[Pair]] = {}
    for at in np.flatnonzero(zone != "").tolist():
        row, column = int(pairs.rows[at]), int(pairs.columns[at])
        evidence = pairs.evidence[at]
        pair = Pair(
            ids[0][row],
            ids[1][column],
            float(chances[at]),
            "matched" if zone[at] == "matched" else "review",
            sides[0].names[row],
            sides[1].names[column],
            model.parts(evidence),
            tuple(evidence.tolist()),
            decided=bool(decided[at] >= 0),
            prices=(sides[0].prices[row], sides[1].prices[column]),
        )
        of_row.setdefault(row, []).append(pair)
    found: list[Pair] = []
    for row, name in enumerate(sides[0].names):
        own = sorted(of_row.get(row, ()), key=lambda pair: (pair.zone, -pair.score))
        found += own or [Pair(ids[0][row], None, 0.0, "new", name)]
    return tuple(found)


# Which pairs count as matches, and which a person should look at.

_LEAST_REVIEWED = 20  # pairs: nobody minds to be asked about so many, however small the tables


def zones(pairs: LikelyPairs, chances: FloatArray, records: int, settings: MatchSettings) -> npt.NDArray[np.str_]:
    """`matched`, `review`, `unasked` or nothing for each pair; `records` is how many there are on the left.

    A pair matches if it is likely enough and its left record has no better partner; one to one, its right record has
    none either. Of the others, those are reviewed that come closest, as long as one of their records has no match;
    many to one, the left record, since nobody expects that each record of a catalogue is offered.
    Pairs that are as doubtful, but too many for a person, are `unasked`.
    """
    is_best = chances > best_other(pairs.rows, chances)
    if settings.assignment == "one-to-one":
        is_best &= chances > best_other(pairs.columns, chances)
    is_match = is_best & (chances >= settings.matched)
    taken = np.isin(pairs.rows, pairs.rows[is_match])
    if settings.assignment == "one-to-one":
        taken &= np.isin(pairs.columns, pairs.columns[is_match])
    doubtful = np.flatnonzero(~taken & (chances >= settings.review))
    zone = np.where(is_match, "matched", "")
    likeliest = doubtful[np.argsort(-chances[doubtful], kind="stable")]
    zone[likeliest] = "unasked"
    zone[likeliest[: max(_LEAST_REVIEWED, int(settings.review_share * records))]] = "review"
    return zone
