"""Reviews: doubtful pairs of matching, side by side with the evidence; every answer takes effect on the others."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.errors import ConflictError
from sightline.flow.match import (
    MarkKind,
    MatchReason,
    RecordMarks,
    ReviewAnswer,
    ReviewPair,
    TextMark,
    WaitingPair,
    price_words,
)
from sightline.server._flow_run_desk import NeedsFlows
from sightline.server._review_desk import OpenReview, ReviewDesk
from sightline.server._shapes import HistoryShape, JsonResponse, encodable
from sightline.server._studio_of import IfMatch, StudioDep
from sightline.store import ANY

__all__ = ["router"]

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
}


class ReviewInfoShape(TypedDict):
    """A review in the list of reviews."""

    flow: str
    step: str
    run: str
    began: str
    pairs: int
    decided: int
    waiting: int


class MarkShape(TypedDict):
    """A span of a text, and what it says."""

    start: int
    end: int
    kind: MarkKind


class FieldShape(TypedDict):
    """A field of a record with its marks."""

    name: str
    text: str
    marks: list[MarkShape]


class RecordShape(TypedDict):
    """One of the two records of a pair."""

    id: str
    text: str
    fields: list[FieldShape]


class ReasonShape(TypedDict):
    """What speaks for a pair or against it; `detail` names what it is about."""

    speaks: str
    words: str
    detail: str
    weight: float


class ReviewPairShape(TypedDict):
    """A pair that waits; `price` says how the price of the record compares with that of the candidate."""

    id: str
    record: str
    score: float
    skipped: bool
    left: RecordShape
    right: RecordShape
    price: dict[str, Any] | None
    why: list[ReasonShape]


class ReviewShape(TypedDict):
    """A review: the pairs that are asked about next, how far it is, and what was learned."""

    flow: str
    step: str
    run: str
    began: str
    version: str
    pairs: list[ReviewPairShape]
    progress: dict[str, Any]
    histogram: dict[str, Any]
    line: float
    learned: str
    lessons: list[str]
    history: HistoryShape


class AnswerRequest(BaseModel):
    """An answer about a pair: the same, different, a new record that is none of the candidates, or skip it for now."""

    id: str = Field(max_length=100)
    answer: ReviewAnswer


class BulkRequest(BaseModel):
    """Accept the best candidate of each record whose chance is at least so high."""

    above: float = Field(ge=0, le=1)


@router.get("/reviews", response_model=list[ReviewInfoShape])
def list_reviews(studio: StudioDep) -> Response:
    """The reviews of all flows, those with most to decide first."""
    found = [_info(review) for review in studio.part(ReviewDesk).all()]
    return JsonResponse(sorted(found, key=lambda one: -int(one["waiting"])))


@router.get("/reviews/{flow}/{step}", response_model=ReviewShape)
def show_review(
    flow: str,
    step: str,
    studio: StudioDep,
    offset: Annotated[int, Query(ge=0)] = 0,
    limit: Annotated[int, Query(ge=0, le=MOST_PAIRS)] = AHEAD,
) -> Response:
    """The pairs that wait, in the order in which they are asked about: record by record, the likeliest first."""
    with studio.part(ReviewDesk).opened(flow, step) as review:
        return _answered(review, offset, limit)


@router.post("/reviews/{flow}/{step}/decisions", response_model=ReviewShape)
def decide(flow: str, step: str, wanted: AnswerRequest, studio: StudioDep) -> Response:
    """Answer about a pair. The answer is kept, the model is taught, and the others get their new chances at once."""
    with studio.part(ReviewDesk).opened(flow, step) as review:
        review.queue.answer(wanted.id, wanted.answer)
        return _changed(review)


@router.post("/reviews/{flow}/{step}/bulk", response_model=ReviewShape)
def decide_many(flow: str, step: str, wanted: BulkRequest, studio: StudioDep, version: IfMatch) -> Response:
    """Accept everything above a line, as one step that can be undone; the histogram tells before how many that are."""
    with studio.part(ReviewDesk).opened(flow, step) as review:
        _check(review, version)
        review.queue.accept_above(wanted.above)
        return _changed(review)


@router.post("/reviews/{flow}/{step}/undo", response_model=ReviewShape)
def undo_decision(flow: str, step: str, studio: StudioDep, version: IfMatch) -> Response:
    """Take back the last answer, also that of an earlier day."""
    with studio.part(ReviewDesk).opened(flow, step) as review:
        _check(review, version)
        review.queue.undo()
        return _changed(review)


@router.post("/reviews/{flow}/{step}/redo", response_model=ReviewShape)
def redo_decision(flow: str, step: str, studio: StudioDep, version: IfMatch) -> Response:
    """Give the answer again that was taken back last."""
    with studio.part(ReviewDesk).opened(flow, step) as review:
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
        "why": [
            _reason(reason, _detail(pair, marks, reason.figure, words), _numbers(pair, marks)) for reason in one.reasons
        ],
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


def _detail(pair: ReviewPair, marks: RecordMarks, figure: str, price: str | None) -> str:
    """What a reason is about: the model numbers, the numbers, or the prices."""
    if figure == "price apart":
        return price or ""
    kind = _SHOWN.get(figure)
    if kind is None:
        return ""
    left, right = marks.texts("left", kind, pair.left), marks.texts("right", kind, pair.right)
    if kind == "shared code":
        return ", ".join(dict.fromkeys((*left, *right)))
    return f"{', '.join(left)} – {', '.join(right)}" if left and right else ""
