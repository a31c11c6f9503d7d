"""What this server is and can do, for the front end and for whoever asks."""

from typing import Any

from fastapi import APIRouter, Response
from typing_extensions import TypedDict

from sightline._version import __version__
from sightline.data import FORMATS
from sightline.extras import EXTRAS, Extra, install_command, is_installed
from sightline.server._flow_scheduler import FlowScheduler
from sightline.server._shapes import JsonResponse
from sightline.server._studio import StudioDep

router = APIRouter(tags=["about"])

_NAMES = {
    "csv": "CSV",
    "jsonl": "JSON lines",
    "json": "JSON",
    "xml": "XML",
    "xlsx": "Excel",
    "parquet": "Parquet",
    "html": "HTML",
}
_NEEDS = {"xlsx": "excel", "parquet": "parquet"}  # the extras of formats


class FormatResponse(TypedDict):
    """A format of exports."""

    suffix: str
    name: str
    available: bool


class PartResponse(TypedDict):
    """An optional part of Sightline, and the command that installs it."""

    name: str
    enables: str
    installed: bool
    command: str


class FolderResponse(TypedDict):
    """The folder of the project."""

    name: str
    folder: str


class BrowserResponse(TypedDict):
    """Whether pages are rendered, also in words."""

    available: bool
    words: str


class LimitsResponse(TypedDict):
    """What may be uploaded."""

    upload_bytes: int
    upload_files: int
    request_bytes: int


class AboutResponse(TypedDict):
    """What this server is and can do."""

    version: str
    project: FolderResponse
    formats: list[FormatResponse]
    browser: BrowserResponse
    parts: list[PartResponse]
    limits: LimitsResponse
    schedule: str
    private_allowed: bool


@router.get("/about", response_model=AboutResponse)
def show_about(studio: StudioDep) -> Response:
    """Version, project, formats of exports, the browser, optional parts, and limits."""
    browser = studio.has_browser
    words = "Pages are rendered." if browser else "No browser was found; pages are read without one, as text."
    return JsonResponse(
        {
            "version": __version__,
            "project": {"name": studio.folder.resolve().name, "folder": str(studio.folder.resolve())},
            "formats": [
                {"suffix": suffix, "name": _NAMES.get(suffix, suffix), "available": _is_available(suffix)}
                for suffix in FORMATS
            ],
            "browser": {"available": browser, "words": words},
            "parts": [_part(extra) for extra in EXTRAS.values()],
            "limits": {
                "upload_bytes": studio.settings.upload_bytes,
                "upload_files": studio.settings.upload_files,
                "request_bytes": studio.settings.request_bytes,
            },
            "schedule": studio.part(FlowScheduler).words,
            "private_allowed": studio.settings.allow_private,
        }
    )


def _is_available(suffix: str) -> bool:
    return suffix not in _NEEDS or is_installed(_NEEDS[suffix])


def _part(extra: Extra) -> dict[str, Any]:
    """An optional part, and the command that turns it on."""
    return {
        "name": extra.name,
        "enables": extra.enables,
        "installed": extra.is_installed,
        "command": install_command(extra.name),
    }
