"""The verb: records and a catalogue in, pairs out."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from sightline.arrays import FloatArray
from sightline.flow.match._columns import Compared, compared_texts, ids_of
from sightline.flow.match._decisions import Decision, Decisions
from sightline.flow.match._evidence import EVIDENCE, Compare, LikelyPairs
from sightline.flow.match._matches import Matches, Pair
from sightline.flow.match._model import MANY_TO_ONE, ONE_TO_ONE, MatchModel
from sightline.flow.match._settings import MatchSettings
from sightline.flow.match._zones import zones
from sightline.flow.rows import RowLimits, RowSource, TextColumns, read_columns

__all__ = ["likely_pairs", "match", "model_of", "taught_by"]


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
