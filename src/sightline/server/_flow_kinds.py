"""The kinds of steps that a flow can have, each with an editor for its keys."""

from typing import NotRequired

from fastapi import APIRouter, Response
from typing_extensions import TypedDict

from sightline.flow.spec import (
    flow_kinds,
)
from sightline.server._flows import (
    StepGroup,
)
from sightline.server._shapes import Json, JsonResponse

__all__ = ["router"]

router = APIRouter(tags=["flows"])


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
