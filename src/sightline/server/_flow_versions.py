"""Versions of a flow: every one that it had, each as it was, and what differs between two of them."""

from dataclasses import asdict
from typing import Any, Literal, NotRequired

from fastapi import APIRouter, Response
from typing_extensions import TypedDict

from sightline.flow.spec import LineDifference, StepDifference, flow_difference, flow_kinds
from sightline.project import Steps
from sightline.server._flows import FlowNodeResponse, FlowResponse, StepGroup, StudioFlows, flow_state, node_shape
from sightline.server._shapes import Json, JsonResponse, encodable
from sightline.server._studio import StudioDep

router = APIRouter(tags=["flows"])


class VersionResponse(TypedDict):
    """A version of a flow: when it was saved last, and by what change."""

    version: str
    saved: str
    words: str
    current: bool


class KeyDifferenceResponse(TypedDict):
    """A key that differs; null is a key that is not there."""

    key: str
    before: Json
    after: Json


class StepDifferenceResponse(TypedDict):
    """What became of a step."""

    name: str
    change: Literal["added", "removed", "changed", "renamed", "same"]
    before: NotRequired[FlowNodeResponse]
    after: NotRequired[FlowNodeResponse]
    keys: list[KeyDifferenceResponse]


class LineDifferenceResponse(TypedDict):
    """A line of the text, with its numbers."""

    kind: Literal["same", "added", "removed"]
    text: str
    before: int | None
    after: int | None


class FlowDifferenceResponse(TypedDict):
    """What differs between two versions of a flow."""

    steps: list[StepDifferenceResponse]
    lines: list[LineDifferenceResponse]


@router.get("/flows/{name}/versions", response_model=list[VersionResponse])
def list_versions(name: str, studio: StudioDep) -> Response:
    """All versions that are kept, the newest first, each once."""
    stored = studio.part(StudioFlows).load(name)
    newest = {save.version: save for save in stored.history.saves}
    ordered = sorted(newest.values(), key=lambda save: save.saved, reverse=True)
    return JsonResponse([asdict(save) | {"current": save.version == stored.version} for save in ordered])


@router.get("/flows/{name}/versions/{version}", response_model=FlowResponse)
def show_version(name: str, version: str, studio: StudioDep) -> Response:
    """A flow as it was at a version."""
    draft = studio.part(StudioFlows).version(name, version)
    return JsonResponse(flow_state(draft, draft, Steps()) | {"name": name, "version": version})


@router.get("/flows/{name}/versions/{version}/diff/{other}", response_model=FlowDifferenceResponse)
def compare_versions(name: str, version: str, other: str, studio: StudioDep) -> Response:
    """What differs between a version and another one, which is taken for the later."""
    flows = studio.part(StudioFlows)
    found = flow_difference(flows.version(name, version), flows.version(name, other))
    return JsonResponse({"steps": list(map(_step, found.steps)), "lines": list(map(_line, found.lines))})


def _step(step: StepDifference) -> dict[str, Any]:
    shape: dict[str, Any] = {"name": step.name, "change": step.change, "keys": [asdict(key) for key in step.keys]}
    if step.before is not None:
        shape["before"] = node_shape(step.before)
    if step.after is not None:
        shape["after"] = node_shape(step.after)
    return shape


def _line(line: LineDifference) -> dict[str, Any]:
    return {"kind": line.kind, "text": encodable(line.text), "before": line.before, "after": line.after}


# -- the kinds of steps that a flow can have, each with an editor for its keys --------------------------------------


class EditorResponse(TypedDict):
    """How a key is edited; `many` values have commas between them, and `columns` are names of columns."""

    kind: str
    options: NotRequired[list[str]]
    suffixes: NotRequired[list[str]]
    minimum: NotRequired[float]
    whole: NotRequired[bool]
    many: NotRequired[bool]
    columns: NotRequired[bool]
    kinds: "NotRequired[list[NormalKindResponse]]"


class KeyResponse(TypedDict):
    """A key of a step."""

    key: str
    required: bool
    default: Json
    label: str
    about: str
    form: EditorResponse


class NormalKindResponse(TypedDict):
    """A kind of values that columns are normalised to."""

    word: str
    title: str
    about: str
    keys: list[KeyResponse]


class PortResponse(TypedDict):
    """A key that names the steps whose rows are taken."""

    key: str
    many: bool
    label: str


class StepKindResponse(NormalKindResponse):
    """A kind of steps."""

    group: StepGroup
    ports: list[PortResponse]


@router.get("/flow-kinds", response_model=list[StepKindResponse])
def list_kinds() -> Response:
    """The kinds of steps, each with its ports and a form for each of its keys."""
    return JsonResponse(flow_kinds())
