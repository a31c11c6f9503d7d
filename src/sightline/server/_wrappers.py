"""Wrappers: what was learned, to be looked at, edited, tried on pages, repaired and taken away as a file or as code."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NotRequired

from fastapi import APIRouter, File, Query, Response, UploadFile
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from sightline.data import Verdict
from sightline.errors import UsageError
from sightline.extract.wrappers import Proposal, Templates, Wrapper, machine_of
from sightline.server._job_registry import JobHandle
from sightline.server._jobs import accepted
from sightline.server._lesson_shapes import ProblemResponse, problem_shapes
from sightline.server._pages import attachment, file_name
from sightline.server._problems import ProblemError, without_folders
from sightline.server._shapes import (
    BoxResponse,
    GridResponse,
    JobResponse,
    JsonResponse,
    RowsView,
    box_shape,
    encodable,
)
from sightline.server._studio import IfMatch, MaybeMatch, Studio, StudioDep
from sightline.server._wrapper_desk import (
    KeptRepair,
    WrapperDesk,
    WrapperResponse,
    learned_how,
    verdict_of,
    wrapper_answer,
)

__all__ = ["router"]

router = APIRouter(tags=["wrappers"])

LONGEST = 1_000  # characters of a name
MOST_WRAPPER_BYTES = 64_000_000  # as the library reads them
MOST_REPAIR_PAGES = 100
SUFFIXES = (".wrapper.json", ".json")
FRAMEWORKS = ("scrapy", "web-poet")


class WrapperInfoResponse(TypedDict):
    """A wrapper in the list of wrappers; one that cannot be read says why."""

    name: str
    version: str
    learned: str
    fields: list[str]
    pages: int
    needs: str
    changed: str
    verdict: Verdict
    problem: str | None


class WrapperEdit(BaseModel):
    """One edit; which members it has depends on the action."""

    model_config = ConfigDict(extra="forbid")

    action: Literal["rename", "drop", "restore", "merge", "split", "records", "undo", "redo"]
    field: str | None = Field(default=None, max_length=LONGEST)
    to: str | None = Field(default=None, max_length=LONGEST)
    fields: list[str] | None = None
    into: str | None = Field(default=None, max_length=LONGEST)
    of: str | None = Field(default=None, max_length=LONGEST)


class ReadRequest(BaseModel):
    """A page to be read; `explained` asks for every text of it and what it was read as."""

    page: str
    explained: bool = False


class RepairRequest(BaseModel):
    """The pages as they are now."""

    pages: list[str] = Field(min_length=1, max_length=MOST_REPAIR_PAGES)


class AcceptRequest(BaseModel):
    """The fields that get the proposed rules."""

    fields: list[str]


class PlacedProblemResponse(ProblemResponse):
    """A problem on a page, with the place of what it is about."""

    xpath: str


class ExplainedResponse(TypedDict):
    """What a wrapper takes a text of a page for."""

    text: str
    box: BoxResponse | None
    role: str
    field: str | None
    why: str


class ReadingResponse(TypedDict):
    """What a wrapper finds on a page, with the verdict and the reasons."""

    verdict: Verdict
    problems: list[PlacedProblemResponse]
    found: float
    filled: float
    known: float
    rows: GridResponse
    explained: NotRequired[list[ExplainedResponse]]


_NEEDED = {
    "rename": ("field", "to"),
    "drop": ("field",),
    "restore": ("field",),
    "merge": ("fields",),
    "split": ("field",),
}


@router.get("/wrappers", response_model=list[WrapperInfoResponse])
def list_wrappers(studio: StudioDep) -> Response:
    """All wrappers, the last changed first."""
    desk = studio.part(WrapperDesk)
    found = sorted(((desk.documents.changed(name), name) for name in desk.documents.names()), reverse=True)
    return JsonResponse([shape for changed, name in found if (shape := _info(desk, name, changed))])


@router.post("/wrappers", status_code=201, response_model=WrapperResponse)
def upload_wrapper(file: Annotated[UploadFile, File()], studio: StudioDep) -> Response:
    """Add a wrapper file to the project."""
    content = file.file.read(MOST_WRAPPER_BYTES + 1)
    if len(content) > MOST_WRAPPER_BYTES:
        raise ProblemError("too-large", "A wrapper has at most 64 MB; this file has more.")
    stem = file.filename or "wrapper"
    for suffix in SUFFIXES:
        stem = stem.removesuffix(suffix)
    desk = studio.part(WrapperDesk)
    name = desk.documents.free_name(stem)
    desk.put(name, Wrapper.loads(content), ())
    return wrapper_answer(studio, name, status=201)


@router.get("/wrappers/{name}", response_model=WrapperResponse)
def show_wrapper(name: str, studio: StudioDep) -> Response:
    """A wrapper, with its schema and examples of every field from every page."""
    return wrapper_answer(studio, name)


@router.delete("/wrappers/{name}", status_code=204)
def delete_wrapper(name: str, expected: MaybeMatch, studio: StudioDep) -> Response:
    """Delete a wrapper; lessons and runs that were made with it stay."""
    studio.part(WrapperDesk).delete(name, expected)
    return Response(status_code=204)


@router.get("/wrappers/{name}/download", response_class=Response)
def download_wrapper(name: str, studio: StudioDep) -> Response:
    """The wrapper as a file, which the command line and Python read."""
    content = studio.part(WrapperDesk).content(name)
    return Response(content, media_type="application/json", headers=attachment(f"{file_name(name)}.wrapper.json"))


@router.get("/wrappers/{name}/code", response_class=Response)
def show_code(name: str, studio: StudioDep, framework: Annotated[str, Query(alias="for")] = "scrapy") -> Response:
    """The wrapper as Python code for scrapy or web-poet."""
    if framework not in FRAMEWORKS:
        raise UsageError(f"There is no code for {framework!r:.40}; use one of {', '.join(FRAMEWORKS)}.")
    wrapper, _ = studio.part(WrapperDesk).wrapper(name)
    words = [word for word in "".join(letter if letter.isalnum() else " " for letter in name).split() if word]
    title = "".join(word[:1].upper() + word[1:] for word in words)
    code = wrapper.to_code(framework, name=title if title.isidentifier() else "Item")
    headers = attachment(f"{file_name(name)}.py")
    return Response(code, media_type="text/x-python; charset=utf-8", headers=headers)


@router.post("/wrappers/{name}/edits", response_model=WrapperResponse)
def edit_wrapper(name: str, change: WrapperEdit, expected: IfMatch, studio: StudioDep) -> Response:
    """Edit a wrapper, or undo or redo an edit; `If-Match` names the version that was edited."""
    lacking = next((key for key in _NEEDED.get(change.action, ()) if getattr(change, key) is None), None)
    if lacking:
        raise UsageError(f"The edit {change.action!r} needs {lacking!r}.")
    studio.part(WrapperDesk).edit(name, expected, change.model_dump(exclude_none=True))
    return wrapper_answer(studio, name)


@router.post("/wrappers/{name}/read", response_model=ReadingResponse)
def read_page(name: str, wanted: ReadRequest, studio: StudioDep) -> Response:
    """What a wrapper finds on a page."""
    wrapper, _ = studio.part(WrapperDesk).wrapper(name)
    page = studio.page(wanted.page)
    found = wrapper.read(page)
    document = {
        "verdict": found.verdict,
        "problems": problem_shapes(page, found.problems),
        "found": round(found.found, 4),
        "filled": round(found.filled, 4),
        "known": round(found.known, 4),
        "rows": RowsView(found.records.columns, page=page.whole_id).window(),
    }
    if wanted.explained:
        document["explained"] = [
            {
                "text": encodable(text.text),
                "box": box_shape(text.box),
                "role": text.role,
                "field": text.field,
                "why": encodable(text.why),
            }
            for text in wrapper.explain(page)
        ]
    return JsonResponse(document)


class StateResponse(TypedDict):
    """A state of a machine."""

    id: str
    label: str
    kind: Literal["start", "end", "text", "field", "set", "row", "group"]
    level: int
    seen: int
    parent: str | None


_Move = TypedDict("_Move", {"from": str})


class MoveResponse(_Move):
    """A move of a machine from one state to another."""

    to: str
    share: float | None
    words: str


class MachineResponse(TypedDict):
    """The finite-state machine of a wrapper."""

    states: list[StateResponse]
    moves: list[MoveResponse]
    cut: bool


@router.get("/wrappers/{name}/machine", response_model=MachineResponse)
def show_machine(name: str, studio: StudioDep, template: Annotated[int, Query(ge=0)] = 0) -> Response:
    """The finite-state machine of an induced wrapper; of several templates, the first unless another is asked for."""
    wrapper, _ = studio.part(WrapperDesk).wrapper(name)
    if not isinstance(wrapper.rules, Templates):
        raise UsageError("This wrapper was taught by examples, so it has rules instead of a machine.")
    if template >= len(wrapper.rules.templates):
        raise ProblemError("not-found", f"This wrapper has {len(wrapper.rules.templates)} templates.")
    machine = machine_of(wrapper.rules.templates[template])
    states = [
        {
            "id": state.id,
            "label": encodable(state.label),
            "kind": state.kind,
            "level": state.level,
            "seen": state.seen,
            "parent": state.parent,
        }
        for state in machine.states
    ]
    moves = [
        {"from": move.start, "to": move.stop, "share": move.share, "words": encodable(move.words)}
        for move in machine.moves
    ]
    return JsonResponse({"states": states, "moves": moves, "cut": machine.cut})


# ---------------------------------------------------------------------- repair


@router.post("/wrappers/{name}/repair", status_code=202, response_model=JobResponse)
def repair_wrapper(name: str, wanted: RepairRequest, studio: StudioDep) -> Response:
    """Propose what a wrapper must become to read pages as they are now; the result of the job names the repair."""
    desk = studio.part(WrapperDesk)
    desk.wrapper(name)
    for page_id in wanted.pages:
        studio.check_page(page_id)

    def work(job: JobHandle) -> dict[str, Any]:
        wrapper, _ = desk.wrapper(name)
        pages = []
        for page_id in wanted.pages:
            pages.append(studio.page(page_id))
            job.progress(len(pages), len(wanted.pages) + 1, "Opening")
        job.progress(len(pages), len(pages) + 1, "Learning")
        return {"repair": desk.keep_repair(name, wanted.pages, wrapper.repair(pages))}

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
    kept = studio.part(WrapperDesk).repair(repair_id)
    return JsonResponse(_repair(studio, kept))


@router.post("/repairs/{repair_id}/accept", response_model=WrapperResponse)
def accept_repair(repair_id: str, wanted: AcceptRequest, expected: IfMatch, studio: StudioDep) -> Response:
    """Give some fields the proposed rules; the others keep theirs. A step that can be undone."""
    desk = studio.part(WrapperDesk)
    kept = desk.repair(repair_id)
    pages = [studio.page(page_id) for page_id in kept.pages if studio.store.has_page(page_id)]
    made = kept.proposal.accept(*wanted.fields, pages=pages)
    if made is kept.proposal.old:
        raise UsageError("None of these fields has a new rule; choose one that was found again.")
    desk.edit(kept.name, expected, {"action": "repair", "fields": wanted.fields, "wrapper": made.to_json()})
    return wrapper_answer(studio, kept.name)


def _repair(studio: Studio, kept: KeptRepair) -> dict[str, Any]:
    proposal = kept.proposal
    new_page = studio.page(kept.pages[0])
    desk = studio.part(WrapperDesk)
    stored = desk.load(kept.name)
    before = next(iter(desk.pages(stored)), None)
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


def _info(desk: WrapperDesk, name: str, changed: float) -> dict[str, Any] | None:
    about = {"name": name, "changed": datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds")}
    try:
        wrapper, version = desk.wrapper(name)
    except ProblemError:
        return None  # deleted meanwhile
    except UsageError as problem:  # a damaged file is listed with what is wrong, so that people can mend or delete it
        empty = {"version": "", "learned": "", "fields": [], "pages": 0, "needs": "static", "verdict": "failed"}
        return about | empty | {"problem": without_folders(problem.message)}
    return about | {
        "version": version,
        "learned": learned_how(wrapper),
        "fields": wrapper.fields,
        "pages": wrapper.training.pages,
        "needs": wrapper.needs,
        "verdict": verdict_of(wrapper),
        "problem": None,
    }
