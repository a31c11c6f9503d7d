"""Navigation scripts: to be read in words, changed step by step, and taken away as files."""

from typing import Any, Literal, TypeAlias

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field

from sightline.errors import UsageError
from sightline.navigate.script import Script
from sightline.server._open_scripts import OpenScripts, ScriptInfoResponse, ScriptResponse, script_answer, script_infos
from sightline.server._pages import attachment, file_name
from sightline.server._recordings import Recordings
from sightline.server._shapes import JsonResponse
from sightline.server._studio import IfMatch, MaybeMatch, StudioDep

router = APIRouter(tags=["scripts"])

LONGEST_TEXT = 2_000_000  # characters of a script
LONGEST_PLACE = 100
MOST_PLACES = 200


ScriptAction: TypeAlias = Literal[
    "insert",
    "move",
    "remove",
    "change",
    "target",
    "wrap",
    "unwrap",
    "variables",
    "about",
    "text",
    "undo",
    "redo",
]


class NewScript(BaseModel):
    """A script, and what it shall be called."""

    name: str = Field(max_length=200)
    text: str = Field(max_length=LONGEST_TEXT)


class ScriptEdit(BaseModel):
    """One edit; which members it has depends on the action."""

    model_config = ConfigDict(extra="forbid")

    action: ScriptAction
    place: str | None = Field(default=None, max_length=LONGEST_PLACE)
    to: str | None = Field(default=None, max_length=LONGEST_PLACE)
    places: list[str] | None = Field(default=None, max_length=MOST_PLACES)
    step: dict[str, Any] | None = None
    key: str | None = Field(default=None, max_length=100)
    value: Any = None
    values: dict[str, str] | None = None
    text: str | None = Field(default=None, max_length=LONGEST_TEXT)


_NEEDED = {
    "insert": ("place", "step"),
    "move": ("place", "to"),
    "remove": ("place",),
    "change": ("place", "key"),
    "target": ("place", "value"),
    "wrap": ("places", "step"),
    "unwrap": ("place",),
    "variables": ("values",),
    "about": ("text",),
    "text": ("text",),
}


@router.get("/scripts", response_model=list[ScriptInfoResponse])
def list_scripts(studio: StudioDep) -> Response:
    """All scripts, the last changed first."""
    return JsonResponse(script_infos(studio.part(OpenScripts)))


@router.post("/scripts", status_code=201, response_model=ScriptResponse)
def add_script(wanted: NewScript, studio: StudioDep) -> Response:
    """Add a script that somebody has written."""
    Script.loads(wanted.text, wanted.name)
    return script_answer(studio.part(OpenScripts).create(wanted.name, wanted.text), 201)


@router.get("/scripts/{name}", response_model=ScriptResponse)
def show_script(name: str, studio: StudioDep) -> Response:
    """A script with its steps in words; one that cannot be read has its text and its problems."""
    return script_answer(studio.part(OpenScripts).open(name))


@router.delete("/scripts/{name}", status_code=204)
def delete_script(name: str, expected: MaybeMatch, studio: StudioDep) -> Response:
    """Delete a script."""
    studio.part(OpenScripts).delete(name, expected)
    return Response(status_code=204)


@router.get("/scripts/{name}/download", response_class=Response)
def download_script(name: str, studio: StudioDep) -> Response:
    """The script as a file, which `sightline play` plays."""
    text = studio.part(OpenScripts).open(name).text
    headers = attachment(f"{file_name(name)}.nav.yaml")
    return Response(text, media_type="application/yaml; charset=utf-8", headers=headers)


@router.post("/scripts/{name}/edits", response_model=ScriptResponse)
def edit_script(name: str, change: ScriptEdit, expected: IfMatch, studio: StudioDep) -> Response:
    """Edit a script, or undo or redo an edit; `If-Match` names the version that was edited."""
    lacking = next((key for key in _NEEDED.get(change.action, ()) if getattr(change, key) is None), None)
    if lacking:
        raise UsageError(f"The edit {change.action!r} needs {lacking!r}.")
    edit = change.model_dump(exclude_none=True) | {"value": change.value}
    made = studio.part(OpenScripts).edit(name, expected, edit)
    live = studio.part(Recordings).of_script(name)
    if live is not None:
        live.script_changed()
    return script_answer(made)
