"""Results: what is on a page, ranked; the rows of each; how people change them; and files of them."""

from time import perf_counter
from typing import Any, Literal

import orjson
from fastapi import APIRouter, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.data import FORMATS, Content, Exportable, Records, Verdict, export
from sightline.documents import decoded_document
from sightline.errors import UsageError
from sightline.jobs import SurveyedResult, XPaths
from sightline.navigate.collect import MOST_PAGES, collect
from sightline.project import Documents, Steps, StoredRun
from sightline.server._edits import EditedResult, edited, next_steps
from sightline.server._job_registry import JobHandle
from sightline.server._jobs import accepted
from sightline.server._pages import attachment, file_name
from sightline.server._problems import ProblemError
from sightline.server._shapes import (
    BoxResponse,
    ColumnResponse,
    GridResponse,
    HistoryResponse,
    JobResponse,
    JsonResponse,
    box_shape,
    encodable,
    history_shape,
)
from sightline.server._studio import AskedRows, IfMatch, Studio, StudioDep, WindowDep

router = APIRouter(prefix="/pages/{page_id}/results", tags=["results"])

NEW = "0" * 16
"""The version of a result that nobody has changed yet."""

MOST_PARTS = 500  # boxes of one result; more are not told apart on a screen
TEXTS = {"md": "text/markdown; charset=utf-8", "txt": "text/plain; charset=utf-8"}


class ResultResponse(TypedDict):
    """A result without its rows."""

    key: str
    kind: Literal["table", "list", "top", "content"]
    caption: str | None
    score: float
    box: BoxResponse | None
    parts: list[BoxResponse]
    sheet: int
    rows: int
    columns: list[ColumnResponse]
    verdict: Verdict
    reasons: list[str]
    navigation: bool
    reading_of: str | None


class ResultsResponse(TypedDict):
    """What is on a page."""

    summary: str
    results: list[ResultResponse]
    seconds: float


class ResultStateResponse(TypedDict):
    """A result with a window of its rows, and how it was changed."""

    info: ResultResponse
    rows: GridResponse
    dropped: list[str]
    history: HistoryResponse
    version: str


class EditRequest(BaseModel):
    """One change of a result; which members it has depends on the action."""

    action: Literal["rename", "type", "drop", "restore", "headers", "undo", "redo"]
    column: str | None = Field(default=None, max_length=1_000)
    to: str | None = Field(default=None, max_length=1_000)
    kind: str | None = Field(default=None, max_length=20)
    count: int | None = Field(default=None, ge=0, le=1_000)


class CollectRequest(BaseModel):
    """How many pages of a list are read, and whether the page of each record is read as well."""

    pages: int = Field(default=MOST_PAGES, ge=1, le=10_000)
    details: bool = False


_NEEDED = {
    "rename": ("column", "to"),
    "type": ("column", "kind"),
    "drop": ("column",),
    "restore": ("column",),
    "headers": ("count",),
}


@router.get("", response_model=ResultsResponse)
def list_results(page_id: str, studio: StudioDep) -> Response:
    """What is on a page: tables, lists, the list that the title promises, and the article; best first."""
    began = perf_counter()
    found = studio.survey(page_id)
    results = [_info(studio, page_id, one, _view(studio, page_id, one)[0]) for one in found]
    seconds = round(perf_counter() - began, 4)
    return JsonResponse({"summary": found.summary, "results": results, "seconds": seconds})


@router.get("/{key}", response_model=ResultStateResponse)
def show_result(page_id: str, key: str, studio: StudioDep, window: WindowDep) -> Response:
    """A result with a window of its rows."""
    return _state(studio, page_id, _found(studio, page_id, key), window)


@router.post("/{key}/edits", response_model=ResultStateResponse)
def edit_result(
    page_id: str, key: str, change: EditRequest, expected: IfMatch, studio: StudioDep, window: WindowDep
) -> Response:
    """Change a result, or undo or redo a change; `If-Match` names the version that was changed."""
    one = _found(studio, page_id, key)
    step = {"action": change.action} | {name: _given(change, name) for name in _NEEDED.get(change.action, ())}
    documents = _documents(studio, page_id)
    steps, version = _steps(documents, key)
    if expected not in (version, "*"):
        raise ProblemError(
            "conflict", "Somebody else has changed this result meanwhile; load it again.", version=version
        )
    after = next_steps(one.result, page_id, steps, step)
    content = orjson.dumps(after.to_json(), option=orjson.OPT_INDENT_2)
    documents.save(key, content, expected=None if version == NEW else version)
    return _state(studio, page_id, one, window)


@router.get("/{key}/export", response_class=Response)
def export_result(
    page_id: str,
    key: str,
    studio: StudioDep,
    format: str = "csv",
    *,
    origins: bool = False,
    typed: bool | None = None,
) -> Response:
    """A result as a file: csv, jsonl, json, xml, xlsx, parquet or html; a text also as md or txt.

    `origins` adds where each value was seen (JSON, JSON lines, XML). `typed` writes plain numbers and ISO dates; if it
    is not said, it is done once somebody has chosen the type of a column.
    """
    one = _found(studio, page_id, key)
    view, _, _ = _view(studio, page_id, one)
    info = studio.info(page_id)
    caption = one.result.caption if not isinstance(one.result, Content) else None
    title = caption or info.title or info.source
    suffix = format.lower().lstrip(".")
    if suffix in TEXTS and isinstance(one.result, Content):
        text = one.result.to_markdown() if suffix == "md" else one.result.text
        headers = attachment(f"{file_name(title)}.{suffix}")
        return Response(encodable(text), media_type=TEXTS[suffix], headers=headers)
    return exported_file(
        view.exported(),
        format,
        title,
        origins=origins,
        xpath=_xpaths(studio, page_id, view) if origins else None,
        typed=view.is_typed if typed is None else typed,
    )


@router.post("/{key}/collect", status_code=202, response_model=JobResponse)
def collect_result(page_id: str, key: str, wanted: CollectRequest, studio: StudioDep) -> Response:
    """Collect a list or table over all its pages; the result of the job names the run with its rows."""
    one = _found(studio, page_id, key)
    info = studio.info(page_id)
    if one.kind == "content":
        raise UsageError("A text has no further pages to collect; choose a list or a table.")
    if not info.url.startswith(("http://", "https://")):
        raise UsageError("This page is a file, so its next pages cannot be visited; open it by its address.")
    title = one.result.caption if not isinstance(one.result, Content) and one.result.caption else info.title

    def work(job: JobHandle) -> dict[str, Any]:
        found = collect(
            info.url,
            what={"table": "tables", "top": "top"}.get(one.kind, "lists"),  # type: ignore[arg-type]
            like=None if one.kind == "top" else one.result,  # type: ignore[arg-type]
            details="auto" if wanted.details else None,
            pages=wanted.pages,
            loader=studio.loader(),
            on_progress=job.on_progress,
        )
        reasons = (found.stop.why, *found.doubts)
        return {"run": _kept_run(studio, title, found.records, found.verdict, len(found.pages), reasons)}

    return accepted(studio.board.start("collect", title, work))


def _kept_run(
    studio: Studio, title: str, records: Records, verdict: Verdict, sources: int, reasons: tuple[str, ...]
) -> str:
    """Keep what was collected as a run with its rows; its id."""
    run = StoredRun(file_name(title), verdict, sources=sources, reasons=reasons)
    run_id = studio.store.keep_run(run).stem
    studio.store.keep_rows(run_id, records.columns)
    return run_id


# ---------------------------------------------------------------------- parts


def _found(studio: Studio, page_id: str, key: str) -> SurveyedResult:
    found = next((one for one in studio.survey(page_id) if one.key == key), None)
    if found is None:
        keys = ", ".join(one.key for one in studio.survey(page_id)) or "none"
        raise ProblemError("not-found", f"There is no such result on this page; it has {keys}.")
    return found


def _given(change: EditRequest, name: str) -> Any:
    value = getattr(change, name)
    if value is None:
        raise UsageError(f"The change {change.action!r} needs {name!r}.")
    return value


def _documents(studio: Studio, page_id: str) -> Documents:
    return studio.store.documents(f"results/{page_id}", ".json", "a result")


def _steps(documents: Documents, key: str) -> tuple[Steps, str]:
    """The steps of a result and its version; damaged ones are as good as none."""
    stored = documents.find(key)
    if stored is None:
        return Steps(), NEW
    try:
        return Steps.from_json(decoded_document(stored.content)), stored.version
    except UsageError:
        return Steps(), stored.version


def _view(studio: Studio, page_id: str, one: SurveyedResult) -> tuple[EditedResult, Steps, str]:
    """A result as it was changed, with the steps and the version; what was made of a version is kept."""
    steps, version = _steps(_documents(studio, page_id), one.key)
    view = studio.views.get((page_id, one.key, version), lambda: edited(one.result, page_id, steps))
    return view, steps, version


def _state(studio: Studio, page_id: str, one: SurveyedResult, window: AskedRows) -> Response:
    view, steps, version = _view(studio, page_id, one)
    document = {
        "info": _info(studio, page_id, one, view),
        "rows": view.view.window(window.offset, window.limit),
        "dropped": view.dropped,
        "history": history_shape(steps),
        "version": version,
    }
    return JsonResponse(document, headers={"ETag": f'"{version}"'})


def _info(studio: Studio, page_id: str, one: SurveyedResult, view: EditedResult) -> dict[str, Any]:
    """A result without its rows; made once for each version."""
    if view.info is None:
        view.info = _new_info(studio, page_id, one, view)
    return view.info


def _new_info(studio: Studio, page_id: str, one: SurveyedResult, view: EditedResult) -> dict[str, Any]:
    box = one.box
    caption = one.result.title.text if isinstance(one.result, Content) and one.result.title else view.caption
    return {
        "key": one.key,
        "kind": one.kind,
        "caption": encodable(caption) if caption else None,
        "score": round(one.result.score, 4),
        "box": box_shape(box),
        "parts": [box_shape(part) for part in one.parts(MOST_PARTS)],
        "sheet": studio.page(page_id).sheet_of(box),
        "rows": view.view.total,
        "columns": view.view.shapes,
        "verdict": one.verdict,
        "reasons": list(one.reasons),
        "navigation": one.is_navigation,
        "reading_of": one.reading_of,
    }


def _xpaths(studio: Studio, page_id: str, view: EditedResult) -> XPaths:
    xpaths = XPaths()
    xpaths.add_results(studio.page(page_id), [view.result])
    return xpaths


# Results and runs as files to download, in any format that the library writes.

MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "jsonl": "application/jsonl",
    "json": "application/json",
    "xml": "application/xml",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
    "html": "text/html; charset=utf-8",
}


def exported_file(result: Exportable, format: str, title: str, **how: Any) -> Response:
    """The file of a result, named by a title; `how` goes to `sightline.data.export`."""
    name = format.lower().lstrip(".")
    if name not in FORMATS:
        raise UsageError(f"There is no format {format!r:.20}; use one of {', '.join(FORMATS)}.")
    headers = attachment(f"{file_name(title)}.{name}")
    media_type = MEDIA_TYPES.get(name, "application/octet-stream")
    return Response(export(result, name, **how), media_type=media_type, headers=headers)
