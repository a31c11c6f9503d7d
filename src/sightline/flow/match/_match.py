"""The verb: records and a catalogue in, pairs out."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sightline.arrays import FloatArray
from sightline.flow.match._columns import Compared, compared_columns, compared_texts, ids_of, names_in
from sightline.flow.match._evidence import AS_COLUMNS, EVIDENCE, Assignment, Compare, LikelyPairs
from sightline.flow.match._matches import Decision, Decisions, Matches, MatchEstimate, Pair
from sightline.flow.match._model import MatchModel, match_model
from sightline.flow.match._threshold import best_pairs, catalogue_chances
from sightline.flow.rows import RowLimits, RowSource, TextColumns, read_columns
from sightline.settings import Settings, setting


@dataclass(frozen=True, kw_only=True)
class MatchSettings(Settings):
    """When two records count as the same, and by which columns."""

    assignment: str = setting(
        "one-to-one",
        help="whether a record of the catalogue takes one record, or many, as with the offers of several shops",
        choices=("one-to-one", "many-to-one"),
    )
    on: str = setting(
        "", help="the columns to compare, such as `name, date of birth = dob`; all that both tables have if not said"
    )
    without: str = setting("", help="columns to leave out of the comparison")
    matched: float = setting(
        0.6, help="the least chance of a match; higher is surer, and leaves more to review", minimum=0, maximum=1
    )
    precision: float = setting(
        0.0,
        help="the share of all matches that must be right, as estimated from the tables; takes the place of --matched",
        minimum=0,
        maximum=1,
    )
    review: float = setting(0.02, help="the least chance of a pair that a person is asked about", minimum=0, maximum=1)
    review_share: float = setting(
        0.15,
        help="how many pairs to ask about at most, as a share of the records; twenty are always asked about",
        minimum=0,
        maximum=1,
    )


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
    pairs, one, two = compared(left, right, settings)
    known = Decisions(Path(decisions)) if decisions is not None else None
    model = taught_by(model_of(settings), known or ())
    pairs.evidence = in_catalogue(pairs, model_of(settings), settings)
    chances = model.chances(pairs.evidence)
    decided = _decided(pairs, one, two, known)
    chances = np.where(decided == 1, 1.0, np.where(decided == 0, 0.0, chances))
    zone = zones(pairs, chances, len(one.names), settings)
    zone[decided == 0] = ""
    unasked = int(np.sum((zone == "unasked") & ~np.isin(pairs.rows, pairs.rows[zone == "matched"])))
    zone[zone == "unasked"] = ""
    found = _pairs(pairs, chances, zone, model, (one, two), (ids_of(left), ids_of(right)), decided)
    return Matches(found, (one.roles, two.roles), unasked, _estimated(pairs, chances, zone, settings))


def compared(left: TextColumns, right: TextColumns, settings: MatchSettings) -> tuple[LikelyPairs, Compared, Compared]:
    """The pairs of two tables that may match, with the evidence for each, and both sides as they were compared."""
    without = names_in(settings.without)
    columns = compared_columns(left, right, names_in(settings.on), without)
    sides = compared_texts(left, right, columns, without)
    return Compare((left, right), sides, columns, _assignment(settings)).pairs(), *sides


def _assignment(settings: MatchSettings) -> Assignment:
    return "one-to-one" if settings.assignment == "one-to-one" else "many-to-one"


def in_catalogue(pairs: LikelyPairs, model: MatchModel, settings: MatchSettings) -> FloatArray:
    """The evidence as it counts in the catalogue of the pairs."""
    scores = model.scores(pairs.evidence)
    one_to_one = settings.assignment == "one-to-one"
    found = catalogue_chances(scores, pairs.rows, pairs.columns, pairs.records, one_to_one=one_to_one)
    return model.in_catalogue(pairs.evidence, found)


def _estimated(
    pairs: LikelyPairs, chances: FloatArray, zone: npt.NDArray[np.str_], settings: MatchSettings
) -> MatchEstimate:
    """How many matches there are, and how good those are that were found, as far as the tables tell."""
    is_best = best_pairs(chances, pairs.rows, pairs.columns, one_to_one=settings.assignment == "one-to-one")
    there = float(chances[is_best].sum())
    blocking = pairs.places.recall(np.where(is_best, chances, 0.0))
    matched = chances[zone == "matched"]
    total = there / max(blocking, 1e-9)
    return MatchEstimate(
        total,
        float(matched.mean()) if len(matched) else 1.0,
        min(1.0, float(matched.sum()) / total) if total else 1.0,
        blocking,
    )


def taught_by(model: MatchModel, known: Iterable[Decision]) -> MatchModel:
    """The model after the decisions of which the evidence is known."""
    useful = [decision for decision in known if len(decision.evidence) == len(EVIDENCE)]
    if not useful:
        return model
    same = np.array([float(decision.same) for decision in useful])
    return model.taught(np.array([decision.evidence for decision in useful]), same)


def model_of(settings: MatchSettings) -> MatchModel:
    """The model that nobody has taught yet."""
    return match_model(_assignment(settings))


def _decided(pairs: LikelyPairs, left: Compared, right: Compared, known: Decisions | None) -> FloatArray:
    """1 for pairs that a person called the same, 0 for those called different, -1 for the others."""
    decided = np.full(len(pairs), -1.0)
    said = {(decision.left, decision.right): decision.same for decision in known or ()}
    if not said:
        return decided
    rows_of: dict[str, list[int]] = {}
    for at, row in enumerate(pairs.rows.tolist()):
        rows_of.setdefault(left.labels[row], []).append(at)
    for (one, two), same in said.items():
        for at in rows_of.get(one, ()):
            if right.labels[int(pairs.columns[at])] == two:
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
            sides[0].labels[row],
            sides[1].labels[column],
            model.parts(evidence),
            tuple(evidence.tolist()),
            decided=bool(decided[at] >= 0),
            prices=(sides[0].prices[row], sides[1].prices[column]),
            columns=_column_parts(pairs, at, model),
        )
        of_row.setdefault(row, []).append(pair)
    found: list[Pair] = []
    for row, name in enumerate(sides[0].labels):
        own = sorted(of_row.get(row, ()), key=lambda pair: (pair.zone, -pair.score))
        found += own or [Pair(ids[0][row], None, 0.0, "new", name)]
    return tuple(found)


def _column_parts(pairs: LikelyPairs, at: int, model: MatchModel) -> dict[str, float]:
    """What each column adds to the log-odds of a pair, or takes from them."""
    alike, differ = model.weights[EVIDENCE.index("columns alike")], model.weights[EVIDENCE.index("columns differ")]
    parts = pairs.worth.parts[at].tolist()
    names = [*(pair.name for pair in pairs.columns_compared), *AS_COLUMNS]
    found = {name: part * (alike if part > 0 else differ) for name, part in zip(names, parts, strict=True)}
    worst = int(np.argmin(parts))
    if parts[worst] < 0:  # the column that differs most counts once more
        found[names[worst]] += parts[worst] * model.weights[EVIDENCE.index("worst column")]
    return found


# Which pairs count as matches, and which a person should look at.

_LEAST_REVIEWED = 20  # pairs: nobody minds to be asked about so many, however small the tables


def zones(pairs: LikelyPairs, chances: FloatArray, records: int, settings: MatchSettings) -> npt.NDArray[np.str_]:
    """`matched`, `review`, `unasked` or nothing for each pair; `records` is how many there are on the left.

    A pair matches if it is likely enough and its left record has no better partner; one to one, its right record has
    none either. Of the others, those are reviewed that come closest, as long as one of their records has no match;
    many to one, the left record, since nobody expects that each record of a catalogue is offered.
    Pairs that are as doubtful, but too many for a person, are `unasked`.
    """
    is_best = best_pairs(chances, pairs.rows, pairs.columns, one_to_one=settings.assignment == "one-to-one")
    is_match = is_best & (chances >= least_chance(chances[is_best], settings))
    taken = np.isin(pairs.rows, pairs.rows[is_match])
    if settings.assignment == "one-to-one":
        taken &= np.isin(pairs.columns, pairs.columns[is_match])
    doubtful = np.flatnonzero(~taken & (chances >= settings.review))
    zone = np.where(is_match, "matched", "")
    likeliest = doubtful[np.argsort(-chances[doubtful], kind="stable")]
    zone[likeliest] = "unasked"
    zone[likeliest[: max(_LEAST_REVIEWED, int(settings.review_share * records))]] = "review"
    return zone


def least_chance(best: FloatArray, settings: MatchSettings) -> float:
    """From which chance on pairs are matches: as set, or so that the wanted share of all of them is right."""
    if not settings.precision:
        return settings.matched
    falling = np.sort(best)[::-1]
    right = np.cumsum(falling) / np.arange(1, len(falling) + 1)
    enough = np.flatnonzero(right >= settings.precision)
    return float(falling[enough[-1]]) if len(enough) else float(np.nextafter(1.0, 2.0))
