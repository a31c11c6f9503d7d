"""Matching of records to a catalogue: which of them are the same thing, how sure that is, and why.

How it works is described in docs/matching.md.
"""

from sightline.flow.match._columns import Compared, compared_texts, ids_of
from sightline.flow.match._evidence import (
    EVIDENCE,
    Compare,
    LikelyPairs,
    MarkKind,
    RecordMarks,
    TextMark,
    price_words,
    record_marks,
)
from sightline.flow.match._match import (
    MANY_TO_ONE,
    ONE_TO_ONE,
    MatchModel,
    MatchSettings,
    fitted,
    likely_pairs,
    match,
    zones,
)
from sightline.flow.match._matches import (
    Decision,
    Decisions,
    Matches,
    MatchReason,
    Pair,
    ReviewPair,
    Zone,
    read_review,
    review_line,
)
from sightline.flow.match._review import ReviewAnswer, ReviewProgress, ReviewQueue, ReviewStroke, WaitingPair

__all__ = [
    "EVIDENCE",
    "MANY_TO_ONE",
    "ONE_TO_ONE",
    "Compare",
    "Compared",
    "Decision",
    "Decisions",
    "LikelyPairs",
    "MarkKind",
    "MatchModel",
    "MatchReason",
    "MatchSettings",
    "Matches",
    "Pair",
    "RecordMarks",
    "ReviewAnswer",
    "ReviewPair",
    "ReviewProgress",
    "ReviewQueue",
    "ReviewStroke",
    "TextMark",
    "WaitingPair",
    "Zone",
    "compared_texts",
    "fitted",
    "ids_of",
    "likely_pairs",
    "match",
    "price_words",
    "read_review",
    "record_marks",
    "review_line",
    "zones",
]
