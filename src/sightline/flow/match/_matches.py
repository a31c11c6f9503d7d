"""What matching found: pairs with their zones, and the records that are new."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import msgspec
import orjson

from sightline.data import Basic, Column, ColumnType, Exportable, Option, Record, Records, TupleOf, Value, XPath
from sightline.errors import ConflictError, OutputError, UnreadableError, UsageError
from sightline.files import read_bytes
from sightline.project import Journal, read_journal

# -- decisions of people about pairs: kept in a file, used again, and learned from ----------------------------------
# A decision is about two texts, not about two numbers: it holds when the tables are sorted anew, and is asked for
# again when a record changed.


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """That two records are the same, or not, with the evidence of the time.

    Without evidence it holds, but nothing is learned from it. What was answered by one stroke has one `stroke`, and is
    taken back by one.
    """

    left: str
    right: str
    same: bool
    evidence: tuple[float, ...] = ()
    stroke: str = ""


@dataclass(frozen=True)
class Decisions:
    """The decisions of a file, one JSON object per line; the last word on a pair counts.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = Decisions(Path(folder) / "decisions.jsonl")
    ...     kept.add(Decision("EOS 5D", "Canon EOS 5D", same=True))
    ...     kept.same("EOS 5D", "Canon EOS 5D"), kept.same("EOS 5D", "EOS 6D")
    (True, None)
    """

    path: Path

    def __iter__(self) -> Iterator[Decision]:
        return iter(self._latest().values())

    def same(self, left: str, right: str) -> bool | None:
        """What was decided about a pair, if anything."""
        found = self._latest().get((left, right))
        return found.same if found else None

    def add(self, *decisions: Decision) -> None:
        """Write some down at once, so that nothing is lost when a review is broken off."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with Journal(self.path) as journal:
                journal.add(*decisions)
        except OSError as problem:
            raise OutputError(
                f"The decision was not kept, since {self.path} cannot be written ({problem.strerror}); "
                "name another file with --decisions."
            ) from problem

    def take_back(self) -> Decision | None:
        """Forget the last decision; what it was, or None if there is none."""
        if not self.path.exists():
            return None
        with Journal(self.path) as journal:
            kept = self.all()
            if not kept:
                return None
            journal.replace(kept[:-1])
            return kept[-1]

    def take_back_all(self, last: Sequence[Decision]) -> None:
        """Forget the last decisions, if they are the last; somebody else may have added others meanwhile."""
        with Journal(self.path) as journal:
            kept = self.all()
            if not last or kept[-len(last) :] != list(last):
                raise ConflictError(str(self.path), "somebody else has decided meanwhile; load the review again.", "")
            journal.replace(kept[: -len(last)])

    def all(self) -> list[Decision]:
        """Every decision in the order in which they were made, also those that a later one about the pair replaced."""
        try:
            return read_journal(self.path).entries(Decision, "a decision")
        except OSError as problem:
            raise UnreadableError(str(self.path), f"cannot be read ({problem.strerror}); check its name.") from problem

    def _latest(self) -> dict[tuple[str, str], Decision]:
        return {(one.left, one.right): one for one in self.all()}


# -- what matching found: pairs with their zones, and the records that are new --------------------------------------

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
# What a figure says when it speaks for a pair, and when it speaks against one. What all columns say together is told
# column by column.
_SAID = {
    "ahead of other rights": ("nothing else in the catalogue is as alike", "another of the catalogue is more alike"),
    "ahead of other lefts": ("no other record is as alike", "another record is more alike"),
    "words of all columns": ("they share rare words", "they share few rare words"),
    "letters": ("their names are spelled alike", "their names are spelled differently"),
    "words": ("their names share rare words", "their names share few rare words"),
    "letters ahead of other rights": ("no other name in the catalogue is as alike", "another name is more alike"),
    "letters ahead of other lefts": ("no other record has a name as alike", "another record has a name more alike"),
    "shared code": ("they share a model number", ""),
    "codes begin alike": ("their model numbers begin alike", ""),
    "codes differ": ("", "their model numbers differ"),
    "numbers differ": ("", "each has numbers that the other has not"),
    "numbers shared": ("they share numbers", "they share few numbers"),
}
_SAID_AS_COLUMNS = {
    "numbers": ("their numbers agree", "their numbers differ"),
    "model numbers": ("their model numbers agree", "their model numbers differ"),
    "first word": ("they begin with the same word", "they begin with another word"),
}
_LEAST_SAID = 0.5  # of the log-odds; what adds less did not decide anything


class MatchReason(NamedTuple):
    """What a figure of the evidence says about a pair, and what it added to the log-odds."""

    figure: str
    words: str
    part: float


def reasons_of(parts: Mapping[str, float], columns: Mapping[str, float] | None = None) -> tuple[MatchReason, ...]:
    """What speaks for a pair (a positive part) and against it, the strongest first, without what decided nothing."""
    found = [MatchReason(name, _SAID.get(name, ("", ""))[part < 0], part) for name, part in parts.items()]
    found += [MatchReason(f"column {name}", _said_of(name, part), part) for name, part in (columns or {}).items()]
    weighty = sorted(found, key=lambda one: -abs(one.part))
    return tuple(one for one in weighty if one.words and abs(one.part) >= _LEAST_SAID)


def _said_of(column: str, part: float) -> str:
    """What a column says of a pair."""
    if column in _SAID_AS_COLUMNS:
        return _SAID_AS_COLUMNS[column][part < 0]
    return f"{column} {'agrees' if part > 0 else 'differs'}"


@dataclass(frozen=True, slots=True)
class Pair:
    """A record and its partner of the catalogue, by their ids; a new record has none.

    `score` is the chance that they are the same. `parts` says what each figure added to the log-odds of that, `columns`
    what each column did, and `decided` that a person said so. `prices` are those that were compared, 0 where there is
    none.
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
    columns: Mapping[str, float] | None = None

    @property
    def why(self) -> tuple[str, ...]:
        """What speaks for and against the pair, the strongest first."""
        if self.decided:
            return ("a person decided it",)
        return tuple(
            f"{'for' if one.part > 0 else 'against'}: {one.words}" for one in reasons_of(self.parts or {}, self.columns)
        )

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
class MatchEstimate:
    """What the tables tell about their matches without a truth: how many there are, and how good those found are.

    `blocking` is the share of all matches that was looked at; a match that shares no rare words or letters is missed.
    """

    matches: float = 0.0
    precision: float = 1.0
    recall: float = 1.0
    blocking: float = 1.0


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
    estimate: MatchEstimate = MatchEstimate()

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
            "estimate": {
                "matches": round(self.estimate.matches),
                "precision": round(self.estimate.precision, 3),
                "recall": round(self.estimate.recall, 3),
                "blocking": round(self.estimate.blocking, 4),
            },
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


# Doubtful pairs as a run writes them down for people: both records with their fields, one JSON object a line.

_MOST_BYTES = 1 << 30  # of a file of pairs; one has about a kilobyte
_NAME = "name"  # what the text of a record is called where its fields are not known


@dataclass(frozen=True)
class ReviewPair:
    """A doubtful pair, with the fields of both records; `price_field` is the one that holds the price."""

    pair: Pair
    left: Mapping[str, str]
    right: Mapping[str, str]
    price_field: str = ""

    @cached_property
    def id(self) -> str:
        """The same for the same two texts, in every run: decisions are about texts."""
        return _short(f"{self.pair.left_text}\0{self.pair.right_text}")

    @cached_property
    def record(self) -> str:
        """The same for all pairs of a record."""
        return _short(self.pair.left_text)


def _short(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def review_line(found: ReviewPair) -> bytes:
    """A pair as a line of the file."""
    pair = found.pair
    document = pair.to_json() | {
        "evidence": list(pair.evidence),
        "parts": dict(pair.parts or {}),
        "columns": dict(pair.columns or {}),
        "prices": list(pair.prices),
        "left_fields": dict(found.left),
        "right_fields": dict(found.right),
        "price_field": found.price_field,
    }
    return orjson.dumps(document) + b"\n"


def read_review(path: Path) -> list[ReviewPair]:
    """The pairs of a file, each two texts once; those that other versions wrote have no fields but their texts."""
    found: dict[str, ReviewPair] = {}
    for number, line in enumerate(read_bytes(path, "run the flow again", _MOST_BYTES).splitlines(), start=1):
        try:
            pair = _read(orjson.loads(line))
        except (orjson.JSONDecodeError, UsageError) as problem:
            where = f"{path}, line {number}"
            raise UnreadableError(where, f"this isn't a pair ({problem}); run the flow again.") from problem
        found.setdefault(pair.id, pair)
    return list(found.values())


def _read(document: Any) -> ReviewPair:
    try:
        pair = Pair(
            str(document["left"]),
            str(document["right"]),
            float(document["score"]),
            "review",
            str(document["left_text"]),
            str(document["right_text"] or ""),
            dict(document["parts"]),
            tuple(map(float, document["evidence"])),
        )
        left, right = document.get("left_fields"), document.get("right_fields")
        prices = _two(document.get("prices") or (0.0, 0.0))
        columns = {str(name): float(part) for name, part in (document.get("columns") or {}).items()}
        return ReviewPair(
            replace(pair, prices=prices, columns=columns),
            _texts(left) or {_NAME: pair.left_text},
            _texts(right) or {_NAME: pair.right_text},
            str(document.get("price_field") or ""),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise UsageError(f"{problem!r} is missing or makes no sense") from problem


def _two(prices: Sequence[float]) -> tuple[float, float]:
    left, right = prices
    return float(left), float(right)


def _texts(fields: Mapping[str, Any] | None) -> dict[str, str]:
    return {str(name): str(text) for name, text in (fields or {}).items() if text is not None}
