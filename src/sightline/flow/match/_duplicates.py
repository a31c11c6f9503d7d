"""The records of one table that are the same thing: clusters of them, each record in one.

Pairs are found, compared and judged as those of two tables are, but a record may have any number of partners. Likely
pairs are joined, the likeliest first, as long as the records of both clusters are alike on the whole: that A is like B
and B like C does not make A and C the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from sightline.arrays import FloatArray, LongArray
from sightline.data import Basic, Column, ColumnType, Exportable, Option, Record, Records, TupleOf, Value, XPath
from sightline.flow.match._columns import compared_columns, compared_texts, ids_of, names_in
from sightline.flow.match._evidence import Compare, LikelyPairs
from sightline.flow.match._matches import MatchEstimate
from sightline.flow.match._model import match_model
from sightline.flow.match._threshold import catalogue_chances_within
from sightline.flow.rows import RowLimits, RowSource, TextColumns, read_columns
from sightline.settings import Settings, setting

_UNLIKE = -6.0  # log-odds of two records that were not even compared, since they share nothing rare
_FEW = 30.0  # records, of which the columns by themselves tell as much as their scores do
_MOST_ODDS = 6.0  # of a pair: one that is surer does not outweigh several that speak against it


@dataclass(frozen=True, kw_only=True)
class DuplicateSettings(Settings):
    """When two records of a table count as the same, and by which columns."""

    on: str = setting("", help="the columns to compare; all if not said")
    without: str = setting("", help="columns to leave out of the comparison")
    matched: float = setting(0.5, help="the least chance that two records are the same", minimum=0, maximum=1)
    precision: float = setting(
        0.0,
        help="the share of all pairs that must be right, as estimated from the table; takes the place of --matched",
        minimum=0,
        maximum=1,
    )


_TEXT = Basic(ColumnType())
_NUMBER = Basic(ColumnType(kind="number"))
_SCHEMA = TupleOf((("record", _TEXT), ("thing", _NUMBER), ("of", _NUMBER), ("score", Option(_NUMBER))))


@dataclass(frozen=True)
class Duplicates(Exportable):
    """The records of a table with the thing that each is: every format of tables holds record, thing, of and score.

    `clusters` are the ids of the records that are one thing, the largest first; a record without a duplicate is in a
    cluster of its own. `scores` says of each record how likely it is the same as the record of its cluster that is most
    like it.
    """

    result_kind: ClassVar[str] = "duplicates"

    clusters: tuple[tuple[str, ...], ...]
    scores: Mapping[str, float]
    roles: Mapping[str, str]
    estimate: MatchEstimate

    def __len__(self) -> int:
        return sum(map(len, self.clusters))

    @property
    def duplicates(self) -> tuple[tuple[str, ...], ...]:
        """The clusters of more than one record."""
        return tuple(own for own in self.clusters if len(own) > 1)

    @property
    def columns(self) -> tuple[Column, ...]:
        """One row for each record."""
        return self._records.columns

    @cached_property
    def _records(self) -> Records:
        rows = [
            _row(record, number, len(own), self.scores.get(record))
            for number, own in enumerate(self.clusters, start=1)
            for record in own
        ]
        return Records.trusted(rows, _SCHEMA)

    def to_json(self, *, origins: bool = False, xpath: XPath | None = None) -> dict[str, Any]:  # noqa: ARG002
        """The clusters of more than one record, and what the columns were taken for."""
        return {
            "clusters": [list(own) for own in self.duplicates],
            "records": len(self),
            "columns": dict(self.roles),
            "estimate": {"pairs": round(self.estimate.matches), "precision": round(self.estimate.precision, 3)},
        }


def _row(record: str, thing: int, of: int, score: float | None) -> Record:
    return Record(
        {
            "record": Value(record, record),
            "thing": Value(str(thing), thing),
            "of": Value(str(of), of),
            "score": None if score is None else Value(f"{score:.4f}", round(score, 4)),
        }
    )


def deduplicate(
    records: RowSource, *, settings: DuplicateSettings | None = None, limits: RowLimits | None = None
) -> Duplicates:
    """Find the records of a table that are the same thing.

    >>> rows = [
    ...     {"id": "a", "name": "John Smith", "born": "1956-04-09", "phone": "0171 2345678"},
    ...     {"id": "b", "name": "JOHN SMITH", "born": "09.04.1956", "phone": "0171-2345678"},
    ...     {"id": "c", "name": "Mary Miller", "born": "1971-12-30", "phone": "0181 9876543"},
    ... ]
    >>> deduplicate(rows).duplicates
    (('a', 'b'),)
    """
    settings = settings or DuplicateSettings()
    table = read_columns(records, "the records", limits)
    ids = ids_of(table)
    pairs, roles = pairs_within(table, settings)
    odds = odds_within(pairs)
    chances = 1 / (1 + np.exp(-odds))
    least = _least_odds(odds, chances, settings)
    clusters = _clusters(pairs.rows, pairs.columns, odds - least, len(ids))
    ordered = sorted(clusters, key=lambda own: (-len(own), own[0]))
    matched = chances[odds >= least]
    estimate = MatchEstimate(float(chances.sum()), float(matched.mean()) if len(matched) else 1.0)
    return Duplicates(
        tuple(tuple(ids[row] for row in own) for own in ordered),
        _nearest(pairs, chances, clusters, ids),
        roles,
        estimate,
    )


def pairs_within(table: TextColumns, settings: DuplicateSettings) -> tuple[LikelyPairs, Mapping[str, str]]:
    """The pairs of a table that may be the same, and what its columns were taken for."""
    without = names_in(settings.without)
    columns = compared_columns(table, table, names_in(settings.on), without)
    side = compared_texts(table, table, columns, without)[0]
    return Compare((table, table), (side, side), columns, "within").pairs(), side.roles


def odds_within(pairs: LikelyPairs) -> FloatArray:
    """The log-odds that both records of each pair are the same, as estimated for the table.

    A small table tells little about how alike its records are by chance; there the columns by themselves count more.
    """
    scores = match_model("within").scores(pairs.evidence)
    found = catalogue_chances_within(scores, pairs.rows, pairs.columns, pairs.worth.odds, pairs.records[0])
    known = pairs.records[0] / (pairs.records[0] + _FEW)
    odds = known * (found.slope * scores + found.shift) + (1 - known) * pairs.worth.odds
    return np.clip(odds, -30, 30)


def _least_odds(odds: FloatArray, chances: FloatArray, settings: DuplicateSettings) -> float:
    if not settings.precision:
        return float(np.log(max(settings.matched, 1e-12) / max(1 - settings.matched, 1e-12)))
    order = np.argsort(-odds)
    right = np.cumsum(chances[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(right >= settings.precision)
    return float(odds[order[enough[-1]]]) if len(enough) else np.inf


def _clusters(rows: LongArray, columns: LongArray, odds: FloatArray, records: int) -> list[list[int]]:
    """Join likely pairs, the likeliest first, where both clusters are alike on the whole."""
    held = np.clip(odds, _UNLIKE, _MOST_ODDS)
    known = {
        (row, column): one for row, column, one in zip(rows.tolist(), columns.tolist(), held.tolist(), strict=True)
    }
    members = [[record] for record in range(records)]
    for at in np.argsort(-odds, kind="stable").tolist():
        if odds[at] < 0:
            break
        one, two = members[int(rows[at])], members[int(columns[at])]
        if one is not two and _alike(one, two, known):
            one += two
            for record in two:
                members[record] = one
    return [own for record, own in enumerate(members) if min(own) == record]


def _alike(one: Sequence[int], two: Sequence[int], known: Mapping[tuple[int, int], float]) -> bool:
    """Whether the records of two clusters are the same, taken together."""
    return sum(known.get((min(a, b), max(a, b)), _UNLIKE) for a in one for b in two) >= 0


def _nearest(
    pairs: LikelyPairs, chances: FloatArray, clusters: Sequence[Sequence[int]], ids: Sequence[str]
) -> dict[str, float]:
    """Of each record that has a duplicate, how likely it is the same as the one most like it."""
    of = np.zeros(len(ids), np.int64)
    for number, own in enumerate(clusters):
        of[list(own)] = number
    together = of[pairs.rows] == of[pairs.columns]
    best = np.zeros(len(ids))
    for side in (pairs.rows, pairs.columns):
        np.maximum.at(best, side[together], chances[together])
    return {ids[record]: float(best[record]) for own in clusters if len(own) > 1 for record in own}
