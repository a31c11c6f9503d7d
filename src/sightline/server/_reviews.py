"""Reviews: doubtful pairs of matching, side by side with the evidence; every answer takes effect on the others."""

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.errors import ConflictError, SightlineError
from sightline.flow import run as flow_run  # its names are imported when used: Arrow and DuckDB take long
from sightline.flow.match import (
    Decisions,
    MarkKind,
    MatchReason,
    RecordMarks,
    ReviewAnswer,
    ReviewPair,
    ReviewQueue,
    TextMark,
    WaitingPair,
    price_words,
    read_review,
    record_marks,
)
from sightline.flow.run import RunState
from sightline.flow.spec import MatchStep
from sightline.project import ANY
from sightline.server._caches import Cache
from sightline.server._flow_runs import FlowRuns, NeedsFlows
from sightline.server._problems import ProblemError
from sightline.server._shapes import HistoryResponse, JsonResponse, encodable
from sightline.server._studio import IfMatch, Studio, StudioDep

# Open reviews: the queues of doubtful pairs that people are deciding about, one for each step that matches.

LOOKED_AT = 20  # runs in which the pairs of a step are looked for; a run that failed before it has none
CACHED_MARKS = 4_000

_Sign = tuple[int, int]


@dataclass
class OpenReview:
    """A queue that is open, and of what it was made; a change of either file by somebody else makes it anew."""

    flow: str
    step: str
    run: RunState
    queue: ReviewQueue
    path: Path
    decisions: Path
    written: _Sign
    kept: _Sign
    name: str = field(default_factory=lambda: secrets.token_hex(4))
    changes: int = 0
    _marks: Cache[str, RecordMarks] = field(default_factory=lambda: Cache(CACHED_MARKS))

    @property
    def version(self) -> str:
        """Another one after every answer."""
        return f"{self.name}-{self.changes}"

    @property
    def is_current(self) -> bool:
        """Whether nobody else has decided, and no other run was made."""
        return _sign(self.path) == self.written and _sign(self.decisions) == self.kept

    def changed(self) -> None:
        """Note that the queue has changed and written its file."""
        self.changes += 1
        self.kept = _sign(self.decisions)

    def marks(self, pair: ReviewPair) -> RecordMarks:
        """The marks of a pair, in all its texts but the prices, which are compared as amounts."""
        left, right = (
            {name: text for name, text in fields.items() if name != pair.price_field}
            for fields in (pair.left, pair.right)
        )
        return self._marks.get(pair.id, lambda: record_marks(left, right))


class OpenReviews:
    """The reviews of a project."""

    def __init__(self, studio: Studio) -> None:
        self._runs = studio.part(FlowRuns)
        self._open: dict[tuple[str, str], OpenReview] = {}
        self._lock = threading.RLock()

    def all(self) -> list[OpenReview]:
        """The reviews of all flows of the project; what cannot be read is left out here, and told when it is opened."""
        found = []
        for name in self._runs.names():
            for step in self._steps(name):
                try:
                    with self.opened(name, step) as review:
                        found.append(review)
                except (ProblemError, SightlineError):
                    continue
        return found

    @contextmanager
    def opened(self, flow: str, step: str) -> Iterator[OpenReview]:
        """The review of a step of the last run; one answer is taken at a time."""
        with self._lock:
            review = self._open.get((flow, step))
            path, run = self._last(flow, step)
            if review is None or review.path != path or not review.is_current:
                review = self._open[flow, step] = self._begun(flow, step, path, run)
            yield review

    def _steps(self, name: str) -> list[str]:
        """The steps of the last run that match."""
        for state in self._runs.states(name, 1):
            flow = self._runs.flow_of(state)
            return [one.name for one in flow.steps.values() if isinstance(one, MatchStep)] if flow else []
        return []

    def _last(self, name: str, step: str) -> tuple[Path, RunState]:
        store = self._runs.store(name)
        for state in self._runs.states(name, LOOKED_AT):
            flow = self._runs.flow_of(state)
            if flow and isinstance(flow.steps.get(step), MatchStep) and store.run(state.id).review(step).exists():
                return store.run(state.id).review(step), state
        raise ProblemError("not-found", f"No run of {name} has pairs of `{step}` to review; run the flow first.")

    def _begun(self, name: str, step: str, path: Path, run: RunState) -> OpenReview:
        flow = self._runs.flow_of(run)
        own = flow.steps[step] if flow else None
        assert flow is not None  # both for the type checker: `_last` has looked
        assert isinstance(own, MatchStep)
        decisions = flow_run.decisions_of(flow, self._runs.store(name), own)
        signs = _sign(path), _sign(decisions)
        queue = ReviewQueue(read_review(path), Decisions(decisions), flow_run.match_settings(own))
        return OpenReview(name, step, run, queue, path, decisions, *signs)


def _sign(path: Path) -> _Sign:
    """By what it is seen that a file was changed."""
    try:
        known = path.stat()
    except FileNotFoundError:
        return 0, 0
    return known.st_size, known.st_mtime_ns


router = APIRouter(tags=["reviews"], dependencies=[NeedsFlows])

MOST_PAIRS = 200
AHEAD = 12  # pairs that come with an answer: the candidates of this record and of the next
MOST_WORDS = 30  # steps of the history that are told

# The marks that show what a figure of the evidence says.
_SHOWN: dict[str, MarkKind] = {
    "shared code": "shared code",
    "codes differ": "other code",
    "codes begin alike": "other code",
    "numbers differ": "other number",
    "numbers shared": "shared number",
}
_SHOWN_AGAINST: dict[str, MarkKind] = {"column numbers": "other number", "column model numbers": "other code"}
"""The same of what counts as a column, where it speaks against a pair."""


class ReviewInfoResponse(TypedDict):
    """A review in the list of reviews."""

    flow: str
    step: str
    run: str
    began: str
    pairs: int
    decided: int
    waiting: int


class MarkResponse(TypedDict):
    """A span of a text, and what it says."""

    start: int
    end: int
    kind: MarkKind


class FieldResponse(TypedDict):
    """A field of a record with its marks."""

    name: str
    text: str
    marks: list[MarkResponse]


class RecordResponse(TypedDict):
    """One of the two records of a pair."""

    id: str
    text: str
    fields: list[FieldResponse]


class ReasonResponse(TypedDict):
    """What speaks for a pair or against it; `detail` names what it is about."""

    speaks: Literal["for", "against"]
    words: str
    detail: str
    weight: float


class PriceResponse(TypedDict):
    """How the prices of a pair compare."""

    field: str
    words: str
    ratio: float


class ReviewProgressResponse(TypedDict):
    """How far a review is; `seconds` for a pair, and `left` for all of them."""

    pairs: int
    decided: int
    waiting: int
    skipped: int
    records: int
    seconds: float | None
    left: float | None


class ChancesResponse(TypedDict):
    """How many pairs have which chance."""

    edges: list[float]
    counts: list[int]


class ReviewPairResponse(TypedDict):
    """A pair that waits; `price` says how the price of the record compares with that of the candidate."""

    id: str
    record: str
    score: float
    skipped: bool
    left: RecordResponse
    right: RecordResponse
    price: PriceResponse | None
    why: list[ReasonResponse]


class ReviewResponse(TypedDict):
    """A review: the pairs that are asked about next, how far it is, and what was learned."""

    flow: str
    step: str
    run: str
    began: str
    version: str
    pairs: list[ReviewPairResponse]
    progress: ReviewProgressResponse
    histogram: ChancesResponse
    line: float
    learned: str
    lessons: list[str]
    history: HistoryResponse


class AnswerRequest(BaseModel):
    """An answer about a pair: the same, different, a new record that is none of the candidates, or skip it for now."""

    id: str = Field(max_length=100)
    answer: ReviewAnswer


class BulkRequest(BaseModel):
    """Accept the best candidate of each record whose chance is at least so high."""

    above: float = Field(ge=0, le=1)


@router.get("/reviews", response_model=list[ReviewInfoResponse])
def list_reviews(studio: StudioDep) -> Response:
    """The reviews of all flows, those with most to decide first."""
    found = [_info(review) for review in studio.part(OpenReviews).all()]
    return JsonResponse(sorted(found, key=lambda one: -int(one["waiting"])))


@router.get("/reviews/{flow}/{step}", response_model=ReviewResponse)
def show_review(
    flow: str,
    step: str,
    studio: StudioDep,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=0, le=MOST_PAIRS)] = AHEAD,
) -> Response:
    """The pairs that wait, in the order in which they are asked about: record by record, the likeliest first."""
    with studio.part(OpenReviews).opened(flow, step) as review:
        return _answered(review, offset, limit)


@router.post("/reviews/{flow}/{step}/decisions", response_model=ReviewResponse)
def decide(flow: str, step: str, wanted: AnswerRequest, studio: StudioDep) -> Response:
    """Answer about a pair. The answer is kept, the model is taught, and the others get their new chances at once."""
    with studio.part(OpenReviews).opened(flow, step) as review:
        review.queue.answer(wanted.id, wanted.answer)
        return _changed(review)


@router.post("/reviews/{flow}/{step}/bulk", response_model=ReviewResponse)
def decide_many(flow: str, step: str, wanted: BulkRequest, studio: StudioDep, version: IfMatch) -> Response:
    """Accept everything above a line, as one step that can be undone; the histogram tells before how many that are."""
    with studio.part(OpenReviews).opened(flow, step) as review:
        _check(review, version)
        review.queue.accept_above(wanted.above)
        return _changed(review)


@router.post("/reviews/{flow}/{step}/undo", response_model=ReviewResponse)
def undo_decision(flow: str, step: str, studio: StudioDep, version: IfMatch) -> Response:
    """Take back the last answer, also that of an earlier day."""
    with studio.part(OpenReviews).opened(flow, step) as review:
        _check(review, version)
        review.queue.undo()
        return _changed(review)


@router.post("/reviews/{flow}/{step}/redo", response_model=ReviewResponse)
def redo_decision(flow: str, step: str, studio: StudioDep, version: IfMatch) -> Response:
    """Give the answer again that was taken back last."""
    with studio.part(OpenReviews).opened(flow, step) as review:
        _check(review, version)
        review.queue.redo()
        return _changed(review)


def _check(review: OpenReview, version: str) -> None:
    """Refuse what was meant for another state: between two people, `the last answer` may be somebody else's."""
    if version not in (review.version, ANY):
        told = "somebody else has decided meanwhile; look at the review again, then repeat it."
        raise ConflictError(review.step, told, review.version)


def _changed(review: OpenReview) -> Response:
    review.changed()
    return _answered(review, 0, AHEAD)


# ---------------------------------------------------------------------- shapes


def _info(review: OpenReview) -> dict[str, Any]:
    progress = review.queue.progress
    return {
        "flow": review.flow,
        "step": review.step,
        "run": review.run.id,
        "began": review.run.began,
        "pairs": progress.pairs,
        "decided": progress.decided,
        "waiting": progress.waiting,
    }


def _answered(review: OpenReview, offset: int, limit: int) -> Response:
    queue = review.queue
    progress = queue.progress
    counts = queue.histogram
    words = [stroke.words for stroke in (*queue.done[-MOST_WORDS:], *reversed(queue.undone))]
    document = {
        "flow": review.flow,
        "step": review.step,
        "run": review.run.id,
        "began": review.run.began,
        "version": review.version,
        "pairs": [_pair(review, one) for one in _window(review, offset, limit)],
        "progress": {
            "pairs": progress.pairs,
            "decided": progress.decided,
            "waiting": progress.waiting,
            "skipped": progress.skipped,
            "records": progress.records,
            "seconds": progress.seconds,
            "left": progress.left,
        },
        "histogram": {"edges": [place / len(counts) for place in range(len(counts) + 1)], "counts": counts},
        "line": queue.settings.matched,
        "learned": queue.learned,
        "lessons": queue.lessons,
        "history": {"steps": [encodable(one) for one in words], "at": len(queue.done[-MOST_WORDS:])},
    }
    return JsonResponse(document, headers={"ETag": f'"{review.version}"'})


def _window(review: OpenReview, offset: int, limit: int) -> list[WaitingPair]:
    """Some pairs; at the beginning with all candidates of the first record, which are looked at together."""
    found = review.queue.waiting(offset, limit)
    if offset or not found:
        return found
    own = review.queue.candidates(found[0].found.id)
    return [*own, *found[len(own) :]] if len(own) > len(found) else found


def _pair(review: OpenReview, one: WaitingPair) -> dict[str, Any]:
    pair, marks = one.found, review.marks(one.found)
    words = price_words(*pair.pair.prices)
    left, right = pair.pair.prices
    return {
        "id": pair.id,
        "record": pair.record,
        "score": round(one.score, 4),
        "skipped": one.is_skipped,
        "left": _record(pair.pair.left, pair.pair.left_text, pair.left, marks.left),
        "right": _record(pair.pair.right or "", pair.pair.right_text, pair.right, marks.right),
        "price": {"field": pair.price_field, "words": words, "ratio": round(left / right, 4)} if words else None,
        "why": [_reason(reason, _detail(pair, marks, reason, words), _numbers(pair, marks)) for reason in one.reasons],
    }


def _reason(reason: MatchReason, detail: str, numbers: str) -> dict[str, Any]:
    """What speaks for a pair or against it; what counts as a model number may be a pace or capacity that both have."""
    is_number = reason.figure == "shared code" and not detail and bool(numbers)
    return {
        "speaks": "for" if reason.part > 0 else "against",
        "words": "they share a number" if is_number else reason.words,
        "detail": encodable(numbers if is_number else detail),
        "weight": round(reason.part, 3),
    }


def _numbers(pair: ReviewPair, marks: RecordMarks) -> str:
    return ", ".join(marks.texts("left", "shared number", pair.left))


def _record(own: str, text: str, fields: Any, marks: Any) -> dict[str, Any]:
    return {
        "id": encodable(own),
        "text": encodable(text),
        "fields": [
            {"name": encodable(name), "text": encodable(value), "marks": [_mark(mark) for mark in marks.get(name, ())]}
            for name, value in fields.items()
        ],
    }


def _mark(mark: TextMark) -> dict[str, Any]:
    return {"start": mark.start, "end": mark.end, "kind": mark.kind}


def _detail(pair: ReviewPair, marks: RecordMarks, reason: MatchReason, price: str | None) -> str:
    """What a reason is about: the model numbers, the numbers, or the prices."""
    if pair.price_field and reason.figure == f"column {pair.price_field}":
        return price or ""
    kind = _SHOWN.get(reason.figure) or (_SHOWN_AGAINST.get(reason.figure) if reason.part < 0 else None)
    if kind is None:
        return ""
    left, right = marks.texts("left", kind, pair.left), marks.texts("right", kind, pair.right)
    if kind in ("shared code", "shared number"):
        return ", ".join(dict.fromkeys((*left, *right)))
    return f"{', '.join(left)} – {', '.join(right)}" if left and right else ""
