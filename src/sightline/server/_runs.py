"""Runs: a wrapper over many pages, checked; the rows of it, and what differs from another run."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.checks import Issue, Outliers, PageRecords, Severity
from sightline.data import Column, Records, Table, Verdict, join_records, worst_verdict
from sightline.documents import MOST_BYTES, decoded_document
from sightline.errors import UsageError
from sightline.extract.wrappers import Wrapper
from sightline.files import make_folder, read_bytes, write_bytes
from sightline.jobs import (
    CheckedPage,
    CheckedRun,
    Outcome,
    check_run,
    checked_records,
    record_outliers,
    row_differences,
)
from sightline.project import StoredRun, check_name
from sightline.server._caches import Cache
from sightline.server._job_registry import JobHandle
from sightline.server._jobs import accepted
from sightline.server._pages import check_address
from sightline.server._problems import ProblemError, names_not_found
from sightline.server._results import exported_file
from sightline.server._shapes import (
    BoxResponse,
    GridResponse,
    JobResponse,
    JsonResponse,
    RowsView,
    box_shape,
    encodable,
)
from sightline.server._studio import Studio, StudioDep, WindowDep
from sightline.server._wrappers import Wrappers

router = APIRouter(tags=["runs"])

MOST_SOURCES = 10_000
LONGEST_SOURCE = 8_192


class RunRequest(BaseModel):
    """A wrapper, and the pages of the project or addresses that it reads."""

    wrapper: str = Field(max_length=1_000)
    pages: list[str] = Field(default_factory=list, max_length=MOST_SOURCES)
    sources: list[Annotated[str, Field(max_length=LONGEST_SOURCE)]] = Field(
        default_factory=list, max_length=MOST_SOURCES
    )


class RunInfoResponse(TypedDict):
    """A run in the list of runs."""

    id: str
    name: str
    verdict: Verdict
    began: str
    sources: int
    rows: int


class CheckedPageResponse(TypedDict):
    """What a run read on a page."""

    id: str | None
    source: str
    title: str
    verdict: Verdict
    records: int
    issues: int


class IssueResponse(TypedDict):
    """What a check found, and where."""

    check: str
    severity: Severity
    field: str | None
    source: str | None
    page: str | None
    reason: str
    boxes: list[BoxResponse]


class FillResponse(TypedDict):
    """How many cells of a field are filled."""

    field: str
    filled: int
    of: int


class OutlierScoreResponse(TypedDict):
    """How far a value is from the others."""

    page: str
    box: BoxResponse | None
    text: str
    score: float
    removed: bool
    why: list[str]


class OutliersResponse(TypedDict):
    """Outlier scores, the highest first, and from which on a value is one."""

    method: str
    cut: float
    share: float
    scores: list[OutlierScoreResponse]


class RowDifferenceResponse(TypedDict):
    """A row that differs between two runs."""

    key: str
    kind: Literal["added", "removed", "changed"]
    before: dict[str, str | None] | None
    after: dict[str, str | None] | None
    fields: list[str]


class RunResponse(RunInfoResponse):
    """A run with what its checks found."""

    pages: list[CheckedPageResponse]
    issues: list[IssueResponse]
    fill: list[FillResponse]
    outliers: OutliersResponse | None


class DifferenceResponse(TypedDict):
    """What differs between two runs."""

    key: str | None
    added: int
    removed: int
    changed: int
    same: int
    rows: list[RowDifferenceResponse]


@router.get("/runs", response_model=list[RunInfoResponse])
def list_runs(studio: StudioDep) -> Response:
    """All runs, the newest first."""
    found = studio.part(CheckedRuns).runs()
    return JsonResponse(
        [
            {
                "id": run_id,
                "name": run.name,
                "verdict": run.verdict,
                "began": run.began,
                "sources": run.sources,
                "rows": rows,
            }
            for run_id, run, rows in found
        ]
    )


@router.post("/runs", status_code=202, response_model=JobResponse)
def start_run(wanted: RunRequest, studio: StudioDep) -> Response:
    """Run a wrapper over pages and check what it gives; the result of the job names the run."""
    wrapper, _ = studio.part(Wrappers).wrapper(wanted.wrapper)
    ids, sources = list(dict.fromkeys(wanted.pages)), [check_address(source) for source in wanted.sources]
    for page_id in ids:
        studio.check_page(page_id)
    if not ids and not sources:
        raise UsageError("A run needs pages or addresses; name some.")

    def work(job: JobHandle) -> dict[str, Any]:
        by_source: dict[str, str] = {}
        outcomes = list(_outcomes(studio, job, wrapper, ids, sources, by_source))
        job.progress(len(outcomes), len(outcomes), "Checking")
        last = studio.store.profile(wanted.wrapper)
        run = check_run(outcomes, profile=wrapper.profile, last=last)
        return {"run": studio.part(CheckedRuns).keep(wanted.wrapper, run, by_source), "verdict": run.report.verdict}

    return accepted(studio.board.start("run", wanted.wrapper, work))


@router.get("/runs/{run_id}", response_model=RunResponse)
def show_run(run_id: str, studio: StudioDep) -> Response:
    """A run: the verdict on each page, issues with their places, fill rates, and outlier scores with their cut."""
    run, details = studio.part(CheckedRuns).run(run_id)
    return JsonResponse(
        {
            "id": run_id,
            "name": run.name,
            "verdict": run.verdict,
            "began": run.began,
            "sources": run.sources,
            **details,
        }
    )


@router.get("/runs/{run_id}/rows", response_model=GridResponse)
def show_rows(run_id: str, studio: StudioDep, window: WindowDep) -> Response:
    """A window of the rows of a run; each cell names its page."""
    return JsonResponse(studio.part(CheckedRuns).view(run_id).window(window.offset, window.limit))


@router.get("/runs/{run_id}/export", response_class=Response)
def export_run(run_id: str, studio: StudioDep, format: str = "csv", *, typed: bool = False) -> Response:
    """The rows of a run as a file."""
    runs = studio.part(CheckedRuns)
    run, _ = runs.run(run_id)
    return exported_file(Table.from_columns(runs.columns(run_id)), format, run.name, typed=typed)


@router.get("/runs/{run_id}/diff/{other_id}", response_model=DifferenceResponse)
def compare_runs(
    run_id: str, other_id: str, studio: StudioDep, key: Annotated[str | None, Query(max_length=1_000)] = None
) -> Response:
    """What differs from one run to another, row by row."""
    runs = studio.part(CheckedRuns)
    found = row_differences(runs.columns(run_id), runs.columns(other_id), key)
    rows = [
        {"key": row.key, "kind": row.kind, "before": row.before, "after": row.after, "fields": list(row.fields)}
        for row in found.rows
    ]
    counts = {"added": found.added, "removed": found.removed, "changed": found.changed, "same": found.same}
    return JsonResponse({"key": found.key, **counts, "rows": rows})


def _outcomes(
    studio: Studio,
    job: JobHandle,
    wrapper: Wrapper,
    ids: list[str],
    sources: list[str],
    by_source: dict[str, str],
) -> Iterator[Outcome[CheckedPage]]:
    """What a wrapper reads on each page; `by_source` gets the ids of the pages."""
    read = checked_records(wrapper)
    for number, page_id in enumerate(ids):
        job.progress(number, len(ids) + len(sources), "Reading")
        info = studio.info(page_id)
        source = _free(info.source or info.url or info.title or page_id, by_source)
        by_source[source] = page_id
        page = studio.page(page_id)
        yield _told(job, Outcome(source, page, read(page, source)), page_id)
    if not sources:
        return
    for loaded, kept in studio.opened(job, sources, len(sources), static=wrapper.needs == "static"):
        if kept is not None:
            by_source[loaded.source] = kept.id
        found = read(loaded.page, loaded.source) if loaded.page is not None else None
        yield _told(job, Outcome(loaded.source, loaded.page, found, loaded.error), kept.id if kept else None)


def _told(job: JobHandle, outcome: Outcome[CheckedPage], page_id: str | None) -> Outcome[CheckedPage]:
    """An outcome, after it was handed out as a partial result."""
    verdict = getattr(outcome.found, "verdict", "failed")
    job.found({"page": page_id, "source": outcome.source, "verdict": verdict})
    return outcome


def _free(source: str, taken: dict[str, str]) -> str:
    """A source that no other page of the run has: a file may be opened twice."""
    names = (source, *(f"{source} ({number})" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


# What is kept of a run for those who check it: verdicts, issues with their places, fill rates and outlier scores.

CACHED = 8  # runs whose rows stay in memory
MOST_SCORES = 3_000  # outlier scores of a run; the highest, since those are what people look for
MOST_LOOKED_AT = 40  # pages whose values are compared by their looks; each takes about a tenth of a second
MOST_ISSUES = 1_000


class CheckedRuns:
    """The runs of a project, with what their checks found."""

    def __init__(self, studio: Studio) -> None:
        self._store = studio.store
        self._views: Cache[str, RowsView] = Cache(CACHED)

    def keep(self, name: str, run: CheckedRun, ids: dict[str, str]) -> str:
        """Keep a checked run; `ids` are those of the pages, by their sources. Returns the run's id."""
        records = join_records([read.records for read in run.records]) if run.records else Records([])
        reasons = tuple(str(issue) for issue in run.report.issues[:MOST_ISSUES])
        stored = StoredRun(name, run.report.verdict, "", len(run.sources), reasons, tuple(ids.values()))
        run_id = self._store.keep_run(stored).stem
        self._store.keep_rows(run_id, records.columns)
        details = _details(run, ids, records)
        path = self._store.folder / "runs" / f"{run_id}.check"
        make_folder(path.parent)
        write_bytes(path, orjson.dumps(details))
        if run.report.verdict == "ok" and run.records:
            self._store.keep_profile(name, run.profile)
        return run_id

    def runs(self) -> list[tuple[str, StoredRun, int]]:
        """All runs with their ids and numbers of rows, the newest first."""
        return [(run.id, run, self._count(run.id)) for run in reversed(self._store.runs())]

    def run(self, run_id: str) -> tuple[StoredRun, dict[str, Any]]:
        """A run, and what its checks found; of a run that was not checked, only its verdict and reasons."""
        found = next((run for run in self._store.runs() if run.id == _checked_id(run_id)), None)
        if found is None:
            raise ProblemError("not-found", "There is no such run in the project.")
        return found, self._details(run_id) or _bare(found)

    def view(self, run_id: str) -> RowsView:
        """The rows of a run."""
        return self._views.get(run_id, lambda: RowsView(self.columns(run_id), page=ANYWHERE))

    def columns(self, run_id: str) -> tuple[Column, ...]:
        """The rows of a run as columns."""
        self.run(run_id)
        return self._store.rows(run_id) or ()

    def _details(self, run_id: str) -> dict[str, Any] | None:
        path = self._store.folder / "runs" / f"{_checked_id(run_id)}.check"
        if not path.exists():
            return None
        found = decoded_document(read_bytes(path, "run it again", MOST_BYTES))
        return found if isinstance(found, dict) else None

    def _count(self, run_id: str) -> int:
        details = self._details(run_id)
        if details:
            return int(details["rows"])
        columns = self._store.rows(run_id)
        return len(columns[0].cells) if columns else 0


# The rows of a run are of many pages, so every cell names its own; no page has this id.
ANYWHERE = "-"


def _checked_id(run_id: str) -> str:
    with names_not_found():
        return check_name(run_id, "a run")


def _bare(run: StoredRun) -> dict[str, Any]:
    issues: list[dict[str, Any]] = [
        {
            "check": "run",
            "severity": "notice" if run.verdict == "ok" else run.verdict,
            "field": None,
            "source": None,
            "page": None,
            "reason": reason,
            "boxes": [],
        }
        for reason in run.reasons
    ]
    return {"pages": [], "issues": issues, "fill": [], "outliers": None, "rows": 0}


# ---------------------------------------------------------------------- what is kept


def _details(run: CheckedRun, ids: dict[str, str], records: Records) -> dict[str, Any]:
    issues = [_issue(issue, ids) for issue in run.report.issues[:MOST_ISSUES]]
    read = {one.source: one for one in run.records}
    return {
        "pages": [_page(source, read.get(source), run, ids) for source, _ in run.sources],
        "issues": issues,
        "fill": [
            {"field": column.name, "filled": sum(cell is not None for cell in column.cells), "of": len(column.cells)}
            for column in records.columns
        ],
        "outliers": _outliers(record_outliers(run.records[:MOST_LOOKED_AT])),
        "rows": len(records),
    }


def _page(source: str, read: PageRecords | None, run: CheckedRun, ids: dict[str, str]) -> dict[str, Any]:
    about = run.about(source)
    verdicts: list[Verdict] = [about.verdict, read.verdict if read else "failed"]
    return {
        "id": ids.get(source),
        "source": encodable(source),
        "title": encodable(read.page.title if read and read.page else ""),
        "verdict": worst_verdict(verdicts),
        "records": len(read.records) if read else 0,
        "issues": len(about.issues),
    }


def _issue(issue: Issue, ids: dict[str, str]) -> dict[str, Any]:
    page = issue.evidence[0].page if issue.evidence else ids.get(issue.source or "")
    here = [origin for origin in issue.evidence if origin.page == page]
    return {
        "check": issue.check,
        "severity": issue.severity,
        "field": issue.field,
        "source": encodable(issue.source) if issue.source else None,
        "page": page,
        "reason": encodable(issue.reason),
        "boxes": [box for origin in here if (box := box_shape(origin.box))],
    }


def _outliers(found: Outliers | None) -> dict[str, Any] | None:
    if found is None or not len(found):
        return None
    rows = sorted(found.rows, key=lambda row: -row.score)[:MOST_SCORES]
    return {
        "method": found.method,
        "cut": found.cut,
        "share": round(found.share, 4),
        "scores": [
            {
                "page": row.page,
                "box": box_shape(row.origin.box),
                "text": encodable(row.text[:200]),
                "score": round(row.score, 4),
                "removed": row.removed,
                "why": list(row.why),
            }
            for row in rows
        ],
    }
