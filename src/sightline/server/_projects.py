"""Projects: those that were opened before, and opening another one in the same server."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.errors import UsageError
from sightline.project import KnownProject, check_name, known_projects, remember_project
from sightline.server._job_registry import ENDED
from sightline.server._recordings import Recordings
from sightline.server._shapes import JsonResponse
from sightline.server._studio import Studio, StudioDep

router = APIRouter(tags=["projects"])

LONGEST_PATH = 4_096


class ProjectResponse(TypedDict):
    """A project; `opened` is when it was last."""

    name: str
    folder: str
    opened: str | None
    current: bool


class ProjectRequest(BaseModel):
    """A project that was opened before, or a new folder beside one of them."""

    folder: str = Field(min_length=1, max_length=LONGEST_PATH)


@router.get("/projects", response_model=list[ProjectResponse])
def list_projects(studio: StudioDep) -> Response:
    """The projects that were opened before, this one first."""
    return JsonResponse(project_shapes(studio))


@router.post("/projects/open", response_model=ProjectResponse)
def open_project(wanted: ProjectRequest, request: Request, studio: StudioDep) -> Response:
    """Go on with another project. Nothing may be running, since that would end with this one.

    Not every folder of the machine can be opened from a browser: only projects that were opened before, and new folders
    beside them.
    """
    folder = _allowed(studio, wanted.folder)
    running = [job.title for job in studio.board.list() if job.state not in ENDED]
    running += [f"Recording {one.name}" for one in studio.part(Recordings).list()]
    if running:
        raise UsageError(f"{running[0]} is still going on here; wait for its end, or cancel it, and open then.")
    opened = Studio(replace(studio.settings, project=str(folder)))
    request.app.state.switch(opened)
    remember_project(folder)
    return JsonResponse(_shape(KnownProject(str(folder), ""), folder) | {"opened": None})


def project_shapes(studio: Studio) -> list[dict[str, Any]]:
    """This project, and those that were opened before."""
    here = studio.folder.resolve()
    known = known_projects()
    own = next((one for one in known if one.folder == str(here)), KnownProject(str(here), ""))
    return [_shape(one, here) for one in (own, *(one for one in known if one != own))]


def _shape(project: KnownProject, here: Path) -> dict[str, Any]:
    return {
        "name": project.name,
        "folder": project.folder,
        "opened": project.opened or None,
        "current": project.folder == str(here),
    }


def _allowed(studio: Studio, wanted: str) -> Path:
    try:
        folder = Path(wanted).expanduser().resolve()
    except (RuntimeError, ValueError, OSError) as problem:  # nobody's home, what no path can hold, and what is locked
        raise UsageError(f"{wanted!r:.100} is not a folder that can be opened; choose another.") from problem
    known = {Path(one["folder"]) for one in project_shapes(studio)}
    if folder in known:
        return folder
    if folder.parent not in {one.parent for one in known}:
        raise UsageError(
            f"{wanted} isn't a project that was opened before, nor beside one; run `sightline studio --project` there."
        )
    check_name(folder.name, "a project")
    if _is_taken(folder):
        raise UsageError(f"{wanted} is there already, and no project; choose another name.")
    return folder


def _is_taken(folder: Path) -> bool:
    """Whether something else is there already; an empty folder can become a project."""
    try:
        if not folder.exists() or (folder / "project.json").exists():
            return False
        return not folder.is_dir() or any(folder.iterdir())
    except OSError:  # somebody else's
        return True
