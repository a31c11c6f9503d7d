"""What matching found: pairs with their zones, and the records that are new."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from sightline.data import Basic, Column, ColumnType, Exportable, Option, Record, Records, TupleOf, Value, XPath
from sightline.flow.match._decisions import Decision

__all__ = ["MatchReason", "Matches", "Pair", "Zone", "reasons_of"]

Zone: TypeAlias = Literal["matched", "review", "new"]
"""`matched` pairs are the same, `review` ones may be, and a `new` record has no partner."""

_TEXT = Basic(ColumnType())
_SCHEMA = TupleOf(
    (
        ("left", _TEXT),
        ("right", Option(_TEXT)),
        ("score", Option(Basic(ColumnType(kind="number")))),
        ("zone", _TEXT),
    )
)
# What a figure says when it speaks for a pair, and when it speaks against one; letters and words show in the texts.
_SAID = {
    "ahead of other rights": ("nothing else in the catalogue is as alike", "another of the catalogue is more alike"),
    "ahead of other lefts": ("no other record is as alike", "another record is more alike"),
    "shared code": ("they share a model number", ""),
    "codes begin alike": ("their model numbers begin alike", ""),
    "codes differ": ("", "their model numbers differ"),
    "numbers differ": ("", "each has numbers that the other has not"),
    "price apart": ("", "their prices differ"),
    "names contained": ("one name contains the other", ""),
    "first word": ("they begin with the same word", ""),
}
_LEAST_SAID = 0.5  # of the log-odds; what adds less did not decide anything


class MatchReason(NamedTuple):
    """What a figure of the evidence says about a pair, and what it added to the log-odds."""

    figure: str
    words: str
    part: float


def reasons_of(parts: Mapping[str, float]) -> tuple[MatchReason, ...]:
    """What speaks for a pair (a positive part) and against it, the strongest first, without what decided nothing."""
    weighty = sorted(parts.items(), key=lambda one: -abs(one[1]))
    found = (MatchReason(name, _SAID.get(name, ("", ""))[part < 0], part) for name, part in weighty)
    return tuple(one for one in found if one.words and abs(one.part) >= _LEAST_SAID)


@dataclass(frozen=True, slots=True)
class Pair:
    """A record and its partner of the catalogue, by their ids; a new record has none.

    `score` is the chance that they are the same. `parts` says what each figure added to the log-odds of that, and
    `decided` that a person said so. `prices` are those that were compared, 0 where there is none.
    """

    left: str
    right: str | None
    score: float
    zone: Zone
    left_text: str = ""
    right_text: str = ""
    parts: Mapping[str, float] | None = None
    evidence: tuple[float, ...] = ()
    decided: bool = False
    prices: tuple[float, float] = (0.0, 0.0)

    @property
    def why(self) -> tuple[str, ...]:
        """What speaks for and against the pair, the strongest first."""
        if self.decided:
            return ("a person decided it",)
        return tuple(f"{'for' if one.part > 0 else 'against'}: {one.words}" for one in reasons_of(self.parts or {}))

    def decision(self, *, same: bool) -> Decision:
        """The decision of a person about this pair."""
        return Decision(self.left_text, self.right_text, same, self.evidence)

    def to_json(self) -> dict[str, Any]:
        """The pair as a plain dict, with both texts and why."""
        return {
            "left": self.left,
            "right": self.right,
            "score": round(self.score, 4),
            "zone": self.zone,
            "left_text": self.left_text,
            "right_text": self.right_text or None,
            "why": list(self.why),
        }


@dataclass(frozen=True)
class Matches(Exportable):
    """Pairs in the order of the records; every format of tables holds them: left, right, score, zone.

    `roles` says what each column of the two tables was taken for. `unasked` counts doubtful pairs of records without a
    match that are too many to ask about.
    """

    result_kind: ClassVar[str] = "matches"

    pairs: tuple[Pair, ...]
    roles: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {})
    unasked: int = 0

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[Pair]:
        return iter(self.pairs)

    def of(self, zone: Zone) -> tuple[Pair, ...]:
        """The pairs of a zone."""
        return tuple(pair for pair in self.pairs if pair.zone == zone)

    @property
    def columns(self) -> tuple[Column, ...]:
        """One row for each pair."""
        return self._records.columns

    @cached_property
    def _records(self) -> Records:
        return Records.trusted([_row(pair) for pair in self.pairs], _SCHEMA)

    def to_json(self, *, origins: bool = False, xpath: XPath | None = None) -> dict[str, Any]:  # noqa: ARG002
        """All pairs with their texts and reasons, and what the columns were taken for."""
        left, right = self.roles
        return {
            "pairs": [pair.to_json() for pair in self.pairs],
            "columns": {"left": dict(left), "right": dict(right)},
            "unasked": self.unasked,
        }


def _row(pair: Pair) -> Record:
    has_partner = pair.right is not None
    return Record(
        {
            "left": Value(pair.left, pair.left),
            "right": Value(pair.right, pair.right) if pair.right is not None else None,
            "score": Value(f"{pair.score:.4f}", round(pair.score, 4)) if has_partner else None,
            "zone": Value(pair.zone, pair.zone),
        }
    )
