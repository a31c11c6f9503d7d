"""Runs: a wrapper over many pages, checked; the rows of it, and what differs from another run."""

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.data import Table, Verdict
from sightline.errors import UsageError
from sightline.extract.wrappers import Wrapper
from sightline.jobs import CheckedPage, Outcome, check_run, checked_records, row_differences
from sightline.server._board import JobHandle
from sightline.server._exported import exported_file
from sightline.server._jobs import accepted
from sightline.server._pages import check_address
from sightline.server._run_desk import RunDesk
from sightline.server._shapes import GridShape, JobShape, JsonResponse
from sightline.server._studio import Studio
from sightline.server._studio_of import StudioDep, WindowDep
from sightline.server._wrapper_desk import WrapperDesk

__all__ = ["router"]

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


class RunInfoShape(TypedDict):
    """A run in the list of runs."""

    id: str
    name: str
    verdict: Verdict
    began: str
    sources: int
    rows: int


class RunShape(RunInfoShape):
    """A run with what its checks found."""

    pages: list[dict[str, Any]]
    issues: list[dict[str, Any]]
    fill: list[dict[str, Any]]
    outliers: dict[str, Any] | None


class DifferenceShape(TypedDict):
    """What differs between two runs."""

    key: str | None
    added: int
    removed: int
    changed: int
    same: int
    rows: list[dict[str, Any]]


@router.get("/runs", response_model=list[RunInfoShape])
def list_runs(studio: StudioDep) -> Response:
    """All runs, the newest first."""
    found = studio.part(RunDesk).runs()
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


@router.post("/runs", status_code=202, response_model=JobShape)
def start_run(wanted: RunRequest, studio: StudioDep) -> Response:
    """Run a wrapper over pages and check what it gives; the result of the job names the run."""
    wrapper, _ = studio.part(WrapperDesk).wrapper(wanted.wrapper)
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
        return {"run": studio.part(RunDesk).keep(wanted.wrapper, run, by_source), "verdict": run.report.verdict}

    return accepted(studio.board.start("run", wanted.wrapper, work))


@router.get("/runs/{run_id}", response_model=RunShape)
def show_run(run_id: str, studio: StudioDep) -> Response:
    """A run: the verdict on each page, issues with their places, fill rates, and outlier scores with their cut."""
    run, details = studio.part(RunDesk).run(run_id)
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


@router.get("/runs/{run_id}/rows", response_model=GridShape)
def show_rows(run_id: str, studio: StudioDep, window: WindowDep) -> Response:
    """A window of the rows of a run; each cell names its page."""
    return JsonResponse(studio.part(RunDesk).view(run_id).window(window.offset, window.limit))


@router.get("/runs/{run_id}/export", response_class=Response)
def export_run(run_id: str, studio: StudioDep, format: str = "csv", *, typed: bool = False) -> Response:
    """The rows of a run as a file."""
    desk = studio.part(RunDesk)
    run, _ = desk.run(run_id)
    return exported_file(Table.from_columns(desk.columns(run_id)), format, run.name, typed=typed)


@router.get("/runs/{run_id}/diff/{other_id}", response_model=DifferenceShape)
def compare_runs(
    run_id: str, other_id: str, studio: StudioDep, key: Annotated[str | None, Query(max_length=1_000)] = None
) -> Response:
    """What differs from one run to another, row by row."""
    desk = studio.part(RunDesk)
    found = row_differences(desk.columns(run_id), desk.columns(other_id), key)
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
