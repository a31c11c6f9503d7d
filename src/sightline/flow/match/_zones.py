"""Which pairs count as matches, and which a person should look at."""

import numpy as np
import numpy.typing as npt

from sightline.arrays import FloatArray
from sightline.flow.match._evidence import LikelyPairs
from sightline.flow.match._pairs import best_other
from sightline.flow.match._settings import MatchSettings

__all__ = ["zones"]

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
