"""Wrappers: what was learned, to be looked at, edited, tried on pages, repaired and taken away as a file or as code."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NotRequired

from fastapi import APIRouter, File, Query, Response, UploadFile
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from sightline.data import Verdict, worst_verdict
from sightline.errors import UsageError
from sightline.extract.schemas import InduceSettings
from sightline.extract.wrappers import Proposal, SchemaPart, Templates, Wrapper, induce, machine_of, schema_tree
from sightline.jobs import ProjectWrappers, StoredWrapper
from sightline.page import Page
from sightline.project import EditStep, StoredDocument
from sightline.server._caches import Cache
from sightline.server._job_registry import JobHandle
from sightline.server._jobs import accepted
from sightline.server._open_lessons import ProblemResponse, problem_shapes
from sightline.server._pages import attachment, file_name
from sightline.server._problems import ProblemError, found_document, without_folders
from sightline.server._shapes import (
    BoxResponse,
    GridResponse,
    HistoryResponse,
    JobResponse,
    JsonResponse,
    RowsView,
    TypeResponse,
    box_shape,
    encodable,
    history_shape,
    type_shape,
)
from sightline.server._studio import IfMatch, MaybeMatch, Studio, StudioDep

# The wrappers of a project as the Studio uses them: the last ones stay in memory, and repairs wait for an answer.

CACHED = 32  # wrappers in memory; the largest of the benchmark's sites has 1.2 MB as a file
TREES = 32
MOST_EXAMPLE_PAGES = 12  # pages that the schema's examples come from; each is read for them, and nobody looks at more
MOST_REPAIRS = 20  # proposals that wait for an answer


@dataclass(frozen=True, eq=False)
class KeptRepair:
    """A proposal that waits for an answer, and what it was made of."""

    id: str
    name: str
    pages: tuple[str, ...]
    proposal: Proposal


class Wrappers:
    """Wrappers by name. Asking for one that is not there is a problem with the code `not-found`."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._loaded: Cache[tuple[str, str], Wrapper] = Cache(CACHED)
        self._trees: Cache[tuple[str, str], tuple[SchemaPart, ...]] = Cache(TREES)
        self._wrappers = ProjectWrappers(studio.store, self._read)
        self.documents = self._wrappers.documents
        self._lock = threading.Lock()
        self._repairs: OrderedDict[str, KeptRepair] = OrderedDict()

    def _read(self, stored: StoredDocument) -> Wrapper:
        return self._loaded.get((stored.name, stored.version), lambda: Wrapper.loads(stored.content))

    def wrapper(self, name: str) -> tuple[Wrapper, str]:
        """A wrapper and its version."""
        stored = found_document(self.documents, name)
        return self._read(stored), stored.version

    def load(self, name: str) -> StoredWrapper:
        """A wrapper with its history."""
        found_document(self.documents, name)
        return self._wrappers.load(name)

    def content(self, name: str) -> bytes:
        """The file of a wrapper."""
        stored = found_document(self.documents, name)
        self._read(stored)  # a damaged file is an error instead of a download
        return stored.content

    def put(self, name: str, wrapper: Wrapper, pages: Sequence[str], *, replaces: bool = False) -> None:
        """Save a wrapper that was learned. Only one that it `replaces` may be there already."""
        self._wrappers.put(name, wrapper, pages, replaces=replaces)

    def edit(self, name: str, expected: str, step: EditStep) -> None:
        """Change a wrapper by a step, or undo or redo one; refused if it has another version than expected."""
        found_document(self.documents, name)
        self._wrappers.edit(name, expected, step)

    def delete(self, name: str, expected: str) -> None:
        """Delete a wrapper and its history."""
        found_document(self.documents, name)
        self._wrappers.delete(name, expected)

    def pages(self, stored: StoredWrapper) -> list[Page]:
        """The pages that a wrapper was learned from, as far as they are in the project."""
        known = [page_id for page_id in stored.history.pages if self._studio.store.has_page(page_id)]
        return [self._studio.page(page_id) for page_id in known[:MOST_EXAMPLE_PAGES]]

    def tree(self, stored: StoredWrapper) -> tuple[SchemaPart, ...]:
        """The schema of a wrapper with examples from its pages; kept, since all of them are read for it."""
        key = stored.name, stored.version
        return self._trees.get(key, lambda: schema_tree(stored.wrapper, self.pages(stored)))

    # ------------------------------------------------------------------ repairs

    def keep_repair(self, name: str, pages: Sequence[str], proposal: Proposal) -> str:
        """Keep a proposal until somebody answers it; the last few are kept."""
        kept = KeptRepair(secrets.token_hex(8), name, tuple(pages), proposal)
        with self._lock:
            self._repairs[kept.id] = kept
            while len(self._repairs) > MOST_REPAIRS:
                self._repairs.popitem(last=False)
        return kept.id

    def repair(self, repair_id: str) -> KeptRepair:
        """A proposal by its id."""
        with self._lock:
            found = self._repairs.get(repair_id)
        if found is None:
            raise ProblemError("gone", "This proposal is no longer kept; ask for the repair again.")
        return found


# A wrapper as the API shows it: its schema as a tree, how it was learned, and the history of its edits.


class SchemaExampleResponse(TypedDict):
    """A value of a field; without a page, if the page is not in the project."""

    page: str | None
    text: str
    box: BoxResponse | None


class SchemaResponse(TypedDict):
    """A field or a set of the schema."""

    name: str
    path: str
    node: Literal["field", "set", "tuple", "option", "alternatives"]
    type: TypeResponse | None
    optional: bool
    dropped: bool
    aside: bool
    examples: list[SchemaExampleResponse]
    children: list["SchemaResponse"]


class TrainingResponse(TypedDict):
    """How a wrapper was learned."""

    pages: int
    needed: int
    complying: int
    left_out: list[str]


class LearnedPageResponse(TypedDict):
    """A page that a wrapper was learned from; its id if it is in the project."""

    id: str | None
    name: str
    verdict: Verdict
    found: float
    known: float


class WrapperResponse(TypedDict):
    """The state of a wrapper."""

    name: str
    version: str
    learned: str
    words: str
    schema: list[SchemaResponse]
    records_of: str | None
    sets: list[str]
    templates: int
    needs: str
    language: str | None
    training: TrainingResponse
    pages: list[LearnedPageResponse]
    history: HistoryResponse


def wrapper_answer(studio: Studio, name: str, *, status: int = 200) -> Response:
    """The state of a wrapper, as an answer."""
    stored = studio.part(Wrappers).load(name)
    return JsonResponse(_state(studio, stored), status, headers={"ETag": f'"{stored.version}"'})


def learned_how(wrapper: Wrapper) -> str:
    """Whether a wrapper was taught, or learned from pages alone."""
    return "from pages" if isinstance(wrapper.rules, Templates) else "by examples"


def verdict_of(wrapper: Wrapper) -> Verdict:
    """The worst verdict on the pages that a wrapper was learned from."""
    return worst_verdict([page.verdict for page in wrapper.checked])


def _state(studio: Studio, stored: StoredWrapper) -> dict[str, Any]:
    wrapper, tree = stored.wrapper, studio.part(Wrappers).tree(stored)
    training = wrapper.training
    return {
        "name": stored.name,
        "version": stored.version,
        "learned": learned_how(wrapper),
        "words": encodable(wrapper.words()),
        "schema": [_part(part) for part in tree],
        "records_of": next(filter(None, wrapper.rules.each), None),
        "sets": [part.path for part in tree if part.kind == "set" and part.children],
        "templates": len(wrapper.rules.templates) if isinstance(wrapper.rules, Templates) else 1,
        "needs": wrapper.needs,
        "language": wrapper.language,
        "training": {
            "pages": training.pages,
            "needed": training.needed,
            "complying": training.complying,
            "left_out": list(training.left_out),
        },
        "pages": _pages(studio, stored),
        "history": history_shape(stored.history.steps),
    }


def _part(part: SchemaPart) -> dict[str, Any]:
    return {
        "name": encodable(part.name),
        "path": encodable(part.path),
        "node": part.kind,
        "type": type_shape(part.type) if part.type else None,
        "optional": part.optional,
        "dropped": part.dropped,
        "aside": part.aside,
        "examples": [
            {
                "page": value.origin.page if value.origin else None,
                "text": encodable(value.text),
                "box": box_shape(value.origin.box) if value.origin else None,
            }
            for value in part.examples
        ],
        "children": [_part(child) for child in part.children],
    }


def _pages(studio: Studio, stored: StoredWrapper) -> list[dict[str, Any]]:
    """The pages that a wrapper was learned from, each with its id as far as it is in the project."""
    checked = stored.wrapper.checked
    ids: Sequence[str | None] = stored.history.pages if len(stored.history.pages) == len(checked) else ()
    known = [page_id if page_id and studio.store.has_page(page_id) else None for page_id in ids]
    return [
        {
            "id": known[place] if place < len(known) else None,
            "name": encodable(page.page),
            "verdict": page.verdict,
            "found": page.found,
            "known": page.known,
        }
        for place, page in enumerate(checked)
    ]


router = APIRouter(tags=["wrappers"])

LONGEST = 1_000  # characters of a name
MOST_WRAPPER_BYTES = 64_000_000  # as the library reads them
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
    wrappers = studio.part(Wrappers)
    found = sorted(((wrappers.documents.changed(name), name) for name in wrappers.documents.names()), reverse=True)
    return JsonResponse([shape for changed, name in found if (shape := _info(wrappers, name, changed))])


@router.post("/wrappers", status_code=201, response_model=WrapperResponse)
def upload_wrapper(file: Annotated[UploadFile, File()], studio: StudioDep) -> Response:
    """Add a wrapper file to the project."""
    content = file.file.read(MOST_WRAPPER_BYTES + 1)
    if len(content) > MOST_WRAPPER_BYTES:
        raise ProblemError("too-large", "A wrapper has at most 64 MB; this file has more.")
    stem = file.filename or "wrapper"
    for suffix in SUFFIXES:
        stem = stem.removesuffix(suffix)
    wrappers = studio.part(Wrappers)
    name = wrappers.documents.free_name(stem)
    wrappers.put(name, Wrapper.loads(content), ())
    return wrapper_answer(studio, name, status=201)


@router.get("/wrappers/{name}", response_model=WrapperResponse)
def show_wrapper(name: str, studio: StudioDep) -> Response:
    """A wrapper, with its schema and examples of every field from every page."""
    return wrapper_answer(studio, name)


@router.delete("/wrappers/{name}", status_code=204)
def delete_wrapper(name: str, expected: MaybeMatch, studio: StudioDep) -> Response:
    """Delete a wrapper; lessons and runs that were made with it stay."""
    studio.part(Wrappers).delete(name, expected)
    return Response(status_code=204)


@router.get("/wrappers/{name}/download", response_class=Response)
def download_wrapper(name: str, studio: StudioDep) -> Response:
    """The wrapper as a file, which the command line and Python read."""
    content = studio.part(Wrappers).content(name)
    return Response(content, media_type="application/json", headers=attachment(f"{file_name(name)}.wrapper.json"))


@router.get("/wrappers/{name}/code", response_class=Response)
def show_code(name: str, studio: StudioDep, framework: Annotated[str, Query(alias="for")] = "scrapy") -> Response:
    """The wrapper as Python code for scrapy or web-poet."""
    if framework not in FRAMEWORKS:
        raise UsageError(f"There is no code for {framework!r:.40}; use one of {', '.join(FRAMEWORKS)}.")
    wrapper, _ = studio.part(Wrappers).wrapper(name)
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
    studio.part(Wrappers).edit(name, expected, change.model_dump(exclude_none=True))
    return wrapper_answer(studio, name)


@router.post("/wrappers/{name}/read", response_model=ReadingResponse)
def read_page(name: str, wanted: ReadRequest, studio: StudioDep) -> Response:
    """What a wrapper finds on a page."""
    wrapper, _ = studio.part(Wrappers).wrapper(name)
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
    wrapper, _ = studio.part(Wrappers).wrapper(name)
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


def _info(wrappers: Wrappers, name: str, changed: float) -> dict[str, Any] | None:
    about = {"name": name, "changed": datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds")}
    try:
        wrapper, version = wrappers.wrapper(name)
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


# Inductions: wrappers learned from several pages alone.


MOST_PAGES = 500  # as many as one upload brings


class InductionRequest(BaseModel):
    """The pages to learn from; `all_fields` keeps also what the pages are not about, such as menus."""

    pages: list[str] = Field(min_length=1, max_length=MOST_PAGES)
    name: str | None = Field(default=None, max_length=1_000)
    all_fields: bool = False


@router.post("/inductions", status_code=202, response_model=JobResponse)
def start_induction(wanted: InductionRequest, studio: StudioDep) -> Response:
    """Learn a wrapper from pages alone; the result of the job names it."""
    ids = list(dict.fromkeys(wanted.pages))
    for page_id in ids:
        studio.check_page(page_id)
    wrappers = studio.part(Wrappers)
    infos = [studio.info(page_id) for page_id in ids]
    chosen = wanted.name or wrappers.documents.free_name(infos[0].title or "wrapper")
    wrappers.documents.path(chosen)  # a name that no file can have is refused before anything is done

    def work(job: JobHandle) -> dict[str, Any]:
        pages = []
        for page_id in ids:
            pages.append(studio.page(page_id))
            job.progress(len(pages), len(ids), "Opening")
        made = induce(
            pages,
            names=[info.url or info.source or info.title for info in infos],
            settings=InduceSettings(all_fields=wanted.all_fields),
            progress=lambda _, complying: job.progress(complying, len(ids), "Learning"),
        )
        job.progress(len(ids), len(ids), "Saving")
        wrappers.put(chosen, made, ids)
        return {"wrapper": chosen}

    return accepted(studio.board.start("induce", chosen, work))
