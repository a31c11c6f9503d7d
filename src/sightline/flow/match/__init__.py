"""Matching of records to a catalogue: which of them are the same thing, how sure that is, and why.

How it works is described in docs/matching.md.
"""

from sightline.flow.match._columns import ColumnPair, Compared, compared_columns, compared_texts, ids_of
from sightline.flow.match._duplicates import Duplicates, DuplicateSettings, deduplicate
from sightline.flow.match._evidence import EVIDENCE, LikelyPairs
from sightline.flow.match._marks import MarkKind, RecordMarks, TextMark, price_words, record_marks
from sightline.flow.match._match import MatchSettings, compared, in_catalogue, match, model_of, zones
from sightline.flow.match._matches import (
    Decision,
    Decisions,
    Matches,
    MatchEstimate,
    MatchReason,
    Pair,
    ReviewPair,
    Zone,
    read_review,
    review_line,
)
from sightline.flow.match._model import MatchModel, fitted
from sightline.flow.match._review import ReviewAnswer, ReviewProgress, ReviewQueue, ReviewStroke, WaitingPair

__all__ = [
    "EVIDENCE",
    "ColumnPair",
    "Compared",
    "Decision",
    "Decisions",
    "DuplicateSettings",
    "Duplicates",
    "LikelyPairs",
    "MarkKind",
    "MatchEstimate",
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
    "compared",
    "compared_columns",
    "compared_texts",
    "deduplicate",
    "fitted",
    "ids_of",
    "in_catalogue",
    "match",
    "model_of",
    "price_words",
    "read_review",
    "record_marks",
    "review_line",
    "zones",
]
