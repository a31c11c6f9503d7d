"""Data files of a project: what flows read, beside them in the project folder."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from typing_extensions import TypedDict

from sightline.errors import JobCancelled, SightlineError, UsageError
from sightline.files import write_bytes
from sightline.jobs import Cancel
from sightline.net import megabytes
from sightline.project import check_name
from sightline.server._caches import Cache
from sightline.server._flow_jobs import plain_row
from sightline.server._pages import attachment
from sightline.server._problems import ProblemError
from sightline.server._shapes import Json, JsonResponse
from sightline.server._studio import Studio, StudioDep

router = APIRouter(tags=["files"])

TABLES = (".csv", ".tsv", ".xlsx", ".json", ".jsonl", ".parquet")
PAGES = (".html", ".htm", ".mhtml", ".pdf", ".page", ".warc", ".gz")
# What has a place of its own in the Studio, or is kept by it.
OWN = (".flow.yaml", ".nav.yaml", ".lock", ".part")
OWN_NAMES = ("project.json",)
SHOWN_ROWS = 20
MOST_COUNTED = 50_000_000  # bytes of a file whose rows are counted for a list
SUMMARIES = 500


class FileResponse(TypedDict):
    """A data file; rows and columns of a table that can be read."""

    name: str
    bytes: int
    changed: str
    kind: str
    rows: int | None
    columns: list[str] | None


class FilePreviewResponse(TypedDict):
    """The first rows of a table."""

    columns: dict[str, str]
    rows: list[dict[str, Json]]
    count: int


class DataFiles:
    """What is known of data files, as long as they do not change."""

    def __init__(self, studio: Studio) -> None:
        self.folder = studio.folder
        self._known: Cache[tuple[str, int, int], tuple[int, list[str]] | None] = Cache(SUMMARIES)

    def paths(self) -> list[Path]:
        """The data files in the project folder, by name."""
        found = [
            path for path in self.folder.iterdir() if path.is_file() and not path.is_symlink() and _is_data(path.name)
        ]
        return sorted(found, key=lambda path: path.name.casefold())

    def path(self, name: str) -> Path:
        """A file of the folder; a name that leads elsewhere, or that the Studio keeps for itself, is refused."""
        check_name(name, "a data file")
        if not _is_data(name):
            raise UsageError(f"{name!r:.60} is not a data file; give one that ends in {', '.join(TABLES)}, or a page.")
        return self.folder / name

    def found(self, name: str) -> Path:
        """A file that is there."""
        try:
            path = self.path(name)
        except UsageError as problem:
            raise ProblemError("not-found", problem.message) from problem
        if not path.is_file() or path.is_symlink():
            raise ProblemError("not-found", "There is no such file in the project folder; it may have been deleted.")
        return path

    def summary(self, path: Path, cancel: Cancel) -> tuple[int, list[str]] | None:
        """How many rows a table has, and its columns; None if it isn't a table, cannot be read, or is large."""
        stat = path.stat()
        if path.suffix.lower() not in TABLES or stat.st_size > MOST_COUNTED:
            return None
        return self._known.get((path.name, stat.st_mtime_ns, stat.st_size), lambda: _summary(path, cancel))


def _is_data(name: str) -> bool:
    return not name.startswith(".") and not name.endswith(OWN) and name not in OWN_NAMES and "." in name


def _summary(path: Path, cancel: Cancel) -> tuple[int, list[str]] | None:
    from sightline.flow.rows import read_batches

    try:
        rows = read_batches(path, check=cancel.check)
        return sum(batch.num_rows for batch in rows.batches()), _shown(rows.schema.names)
    except JobCancelled:
        raise
    except SightlineError:
        return None


def _shown(names: list[str]) -> list[str]:
    return [name for name in names if not name.startswith("_")]


@router.get("/files", response_model=list[FileResponse])
async def list_files(request: Request, studio: StudioDep) -> Response:
    """The data files beside the flows."""
    files = studio.part(DataFiles)

    def shapes(cancel: Cancel) -> list[dict[str, Any]]:
        return [_shape(files, path, cancel) for path in files.paths()]

    return JsonResponse(await while_connected(request, shapes))


@router.get("/files/{name}/preview", response_model=FilePreviewResponse)
async def preview_file(request: Request, name: str, studio: StudioDep) -> Response:
    """The columns of a table with their types, its first rows, and how many there are."""
    path = studio.part(DataFiles).found(name)
    return JsonResponse(await while_connected(request, lambda cancel: _preview(path, cancel)))


def _preview(path: Path, cancel: Cancel) -> dict[str, Any]:
    from sightline.flow.rows import read_batches

    rows = read_batches(path, check=cancel.check)
    shown: list[dict[str, Any]] = []
    count = 0
    for batch in rows.batches():
        count += batch.num_rows
        if len(shown) < SHOWN_ROWS:
            shown += [plain_row(row) for row in batch.slice(0, SHOWN_ROWS - len(shown)).to_pylist()]
    columns = {field.name: str(field.type) for field in rows.schema}
    return {"columns": columns, "rows": shown, "count": count}


@router.get("/files/{name}/download", response_class=Response)
def download_file(name: str, studio: StudioDep) -> Response:
    """The file itself."""
    path = studio.part(DataFiles).found(name)
    return Response(path.read_bytes(), media_type="application/octet-stream", headers=attachment(path.name))


@router.post("/files", status_code=201, response_model=FileResponse)
async def add_file(
    request: Request,
    studio: StudioDep,
    name: Annotated[str, Query(max_length=200)],
    replace: Annotated[bool, Query()] = False,  # noqa: FBT002 - a part of the address
) -> Response:
    """Put a file beside the flows, with the body of the request as content; `replace` allows for one that is there."""
    files = studio.part(DataFiles)
    path = files.path(name)
    most, content = studio.settings.upload_bytes, bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > most:
            raise ProblemError("too-large", f"{name} is larger than {megabytes(most)}, the most that can be uploaded.")

    def write(cancel: Cancel) -> dict[str, Any]:
        if path.exists() and not replace:
            raise ProblemError("conflict", f"There is a file {name} already; replace it, or choose another name.")
        write_bytes(path, bytes(content))
        return _shape(files, path, cancel)

    return JsonResponse(await while_connected(request, write), 201)


@router.delete("/files/{name}", status_code=204)
def delete_file(name: str, studio: StudioDep) -> Response:
    """Delete a data file; flows that read it then say that it is missing."""
    studio.part(DataFiles).found(name).unlink(missing_ok=True)
    return Response(status_code=204)


def _shape(files: DataFiles, path: Path, cancel: Cancel) -> dict[str, Any]:
    stat = path.stat()
    known = files.summary(path, cancel)
    suffix = path.suffix.lower()
    return {
        "name": path.name,
        "bytes": stat.st_size,
        "changed": datetime.fromtimestamp(stat.st_mtime, UTC).isoformat(timespec="milliseconds"),
        "kind": "table" if suffix in TABLES else "page" if suffix in PAGES else "other",
        "rows": known[0] if known else None,
        "columns": known[1] if known else None,
    }


# Work that ends when whoever asked for it has gone.

LOOKS = 0.5  # seconds between two looks at whether the client is still there

Found = TypeVar("Found")


async def while_connected(request: Request, work: Callable[[Cancel], Found]) -> Found:
    """Do something in a thread of its own; once the client has gone, it is asked to stop."""
    cancel = Cancel()
    watching = asyncio.create_task(_watch(request, cancel))
    try:
        return await run_in_threadpool(work, cancel)
    finally:
        watching.cancel()


async def _watch(request: Request, cancel: Cancel) -> None:
    while not await request.is_disconnected():
        await asyncio.sleep(LOOKS)
    cancel.cancel()
