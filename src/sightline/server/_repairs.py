"""Repairs: what a wrapper must become to read pages as they are now, and which of it people accept."""

from typing import Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.data import Verdict
from sightline.errors import UsageError
from sightline.extract.wrappers import Proposal
from sightline.server._job_registry import JobHandle
from sightline.server._jobs import accepted
from sightline.server._shapes import (
    BoxResponse,
    GridResponse,
    JobResponse,
    JsonResponse,
    RowsView,
    box_shape,
    encodable,
)
from sightline.server._studio import IfMatch, Studio, StudioDep
from sightline.server._wrappers import (
    KeptRepair,
    WrapperResponse,
    Wrappers,
    wrapper_answer,
)

router = APIRouter(tags=["wrappers"])

MOST_REPAIR_PAGES = 100


class RepairRequest(BaseModel):
    """The pages as they are now."""

    pages: list[str] = Field(min_length=1, max_length=MOST_REPAIR_PAGES)


class AcceptRequest(BaseModel):
    """The fields that get the proposed rules."""

    fields: list[str]


@router.post("/wrappers/{name}/repair", status_code=202, response_model=JobResponse)
def repair_wrapper(name: str, wanted: RepairRequest, studio: StudioDep) -> Response:
    """Propose what a wrapper must become to read pages as they are now; the result of the job names the repair."""
    wrappers = studio.part(Wrappers)
    wrappers.wrapper(name)
    for page_id in wanted.pages:
        studio.check_page(page_id)

    def work(job: JobHandle) -> dict[str, Any]:
        wrapper, _ = wrappers.wrapper(name)
        pages = []
        for page_id in wanted.pages:
            pages.append(studio.page(page_id))
            job.progress(len(pages), len(wanted.pages) + 1, "Opening")
        job.progress(len(pages), len(pages) + 1, "Learning")
        return {"repair": wrappers.keep_repair(name, wanted.pages, wrapper.repair(pages))}

    return accepted(studio.board.start("repair", name, work))


class FieldChangeResponse(TypedDict):
    """What a repair proposes for a field."""

    field: str
    status: Literal["kept", "found again", "unsure", "missing"]
    confidence: float
    before: str
    after: str
    old: list[str]
    new: list[str]
    why: str
    box_new: BoxResponse | None
    page: str | None


class RepairResponse(TypedDict):
    """A proposal, with the rows as they were and as they would be."""

    wrapper: str
    pages: list[str]
    confidence: float
    verdict: Verdict
    is_needed: bool
    changes: list[FieldChangeResponse]
    old_page: str | None
    old: GridResponse | None
    new_page: str
    new: GridResponse


@router.get("/repairs/{repair_id}", response_model=RepairResponse)
def show_repair(repair_id: str, studio: StudioDep) -> Response:
    """A proposal, field by field, with the rows as they were and as they would be."""
    kept = studio.part(Wrappers).repair(repair_id)
    return JsonResponse(_repair(studio, kept))


@router.post("/repairs/{repair_id}/accept", response_model=WrapperResponse)
def accept_repair(repair_id: str, wanted: AcceptRequest, expected: IfMatch, studio: StudioDep) -> Response:
    """Give some fields the proposed rules; the others keep theirs. A step that can be undone."""
    wrappers = studio.part(Wrappers)
    kept = wrappers.repair(repair_id)
    pages = [studio.page(page_id) for page_id in kept.pages if studio.store.has_page(page_id)]
    made = kept.proposal.accept(*wanted.fields, pages=pages)
    if made is kept.proposal.old:
        raise UsageError("None of these fields has a new rule; choose one that was found again.")
    wrappers.edit(kept.name, expected, {"action": "repair", "fields": wanted.fields, "wrapper": made.to_json()})
    return wrapper_answer(studio, kept.name)


def _repair(studio: Studio, kept: KeptRepair) -> dict[str, Any]:
    proposal = kept.proposal
    new_page = studio.page(kept.pages[0])
    wrappers = studio.part(Wrappers)
    stored = wrappers.load(kept.name)
    before = next(iter(wrappers.pages(stored)), None)
    old = proposal.old or stored.wrapper
    return {
        "wrapper": kept.name,
        "pages": list(kept.pages),
        "confidence": round(proposal.confidence, 4),
        "verdict": proposal.verdict,
        "is_needed": proposal.is_needed,
        "changes": _changes(proposal),
        "old_page": before.id if before else None,
        "old": RowsView(old.read(before).records.columns, page=before.whole_id).window() if before else None,
        "new_page": new_page.id,
        "new": RowsView(proposal.wrapper.read(new_page).records.columns, page=new_page.whole_id).window(),
    }


def _changes(proposal: Proposal) -> list[dict[str, Any]]:
    shapes = []
    for change in proposal.details:
        inside = f"{change.name}."
        places = proposal.evidence.get(change.name) or next(
            (values for name, values in proposal.evidence.items() if name.startswith(inside)), ()
        )
        origin = next((value.origin for value in places if value.origin), None)
        shapes.append(
            {
                "field": change.name,
                "status": change.status,
                "confidence": round(change.confidence, 4),
                "before": encodable(change.before),
                "after": encodable(change.after),
                "old": [encodable(text) for text in change.old],
                "new": [encodable(text) for text in change.new],
                "why": encodable(change.why),
                "box_new": box_shape(origin.box) if origin else None,
                "page": origin.page if origin else None,
            }
        )
    return shapes
