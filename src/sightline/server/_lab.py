"""The lab: any method on any page, step by step, with each of its rules to switch off."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.data import Content, ItemList, Table, TraceStep
from sightline.geometry import Box, union_of
from sightline.jobs import Extractor, methods, try_method
from sightline.page import Page
from sightline.server._shapes import BoxResponse, GridResponse, Json, JsonResponse, RowsView, box_shape
from sightline.server._studio import Studio, StudioDep
from sightline.settings import describe

router = APIRouter(prefix="/lab", tags=["lab"])

MOST_ROWS = 300  # of a step; people look at twenty, and a page can have thousands
MOST_BOXES = 5_000  # of a step; a large page has as many blocks
MOST_EVIDENCE = 4  # parts of the evidence that are shown; the others hardly move a score
SHOWN_TEXTS = 3  # of several in one cell; enough to recognise them


class RuleResponse(TypedDict):
    """A rule that can be switched off, in words."""

    name: str
    words: str


class SettingResponse(TypedDict):
    """A setting of a method."""

    name: str
    kind: str
    default: Json
    help: str
    minimum: float | None
    maximum: float | None
    choices: list[str]


class MethodResponse(TypedDict):
    """A method of the lab."""

    name: str
    title: str
    paper: str | None
    kind: str
    about: str
    counts: bool
    rules: list[RuleResponse]
    settings: list[SettingResponse]


class TryRequest(BaseModel):
    """What to try: a method on a page, without some of its rules."""

    page: str = Field(max_length=128)
    method: str = Field(max_length=40)
    k: int | None = Field(default=None, ge=1, le=10_000)
    without: list[str] = Field(default_factory=list, max_length=100)
    settings: dict[str, Any] = Field(default_factory=dict)


class StepResponse(TypedDict):
    """A step of a method: what it examined, and where; `cut` is how many rows there were before some were left out."""

    name: str
    about: str
    columns: list[str]
    rows: list[dict[str, Any]]
    boxes: list[BoxResponse]
    cut: int | None


class ItemResponse(TypedDict):
    """An item of what a method found."""

    title: str
    box: BoxResponse | None


class FoundResponse(TypedDict):
    """What a method found."""

    key: str
    kind: Literal["table", "list", "top", "content"]
    caption: str | None
    score: float
    box: BoxResponse | None
    items: list[ItemResponse]


class TryResponse(TypedDict):
    """What came of a try."""

    method: str
    found: list[FoundResponse]
    rows: GridResponse | None
    steps: list[StepResponse]
    seconds: float


@router.get("/methods", response_model=list[MethodResponse])
def list_methods() -> Response:
    """The methods that can be tried, with their rules and settings."""
    return JsonResponse([_method_shape(one) for one in methods().values()])


@router.post("/tries", response_model=TryResponse)
def try_on_page(wanted: TryRequest, studio: StudioDep) -> Response:
    """Run a method on a kept page and give every step."""
    page = _page(studio, wanted)
    tried = try_method(page, wanted.method, k=wanted.k, without=tuple(wanted.without), settings=wanted.settings)
    first = next(iter(tried.found), None)
    return JsonResponse(
        {
            "method": wanted.method,
            "found": [_found_shape(one, number, tried.method) for number, one in enumerate(tried.found, start=1)],
            "rows": None if first is None else RowsView(first.columns, page=wanted.page).window(),
            "steps": [_step_shape(step) for step in tried.steps],
            "seconds": round(tried.seconds, 4),
        }
    )


def _page(studio: Studio, wanted: TryRequest) -> Page:
    """The page; for the structure of a PDF as it is printed, before anything was found on it."""
    return studio.bare_page(wanted.page) if wanted.method == "structure" else studio.page(wanted.page)


def _method_shape(one: Extractor) -> dict[str, Any]:
    settings = (
        [] if one.settings is None else [field for field in describe(one.settings()) if not field.metadata["hidden"]]
    )
    return {
        "name": one.name,
        "title": one.title,
        "paper": one.paper,
        "kind": one.task,
        "about": one.about,
        "counts": one.counts,
        "rules": [{"name": name, "words": words} for name, words in one.rules().items()],
        "settings": [
            {
                "name": field.name,
                "kind": type(field.default).__name__,
                "default": field.default,
                "help": field.metadata["help"],
                "minimum": field.metadata["minimum"],
                "maximum": field.metadata["maximum"],
                "choices": list(field.metadata["choices"]),
            }
            for field in settings
        ],
    }


def _found_shape(result: Table | ItemList | Content, number: int, by: Extractor) -> dict[str, Any]:
    items = _items(result)
    box = union_of(box for _, box in items if box) if isinstance(result, Content) else result.box
    return {
        "key": f"{by.name}-{number}",
        "kind": {"lists": "list", "tables": "table", "structure": "table"}.get(by.task or "", by.task),
        "caption": None if isinstance(result, Content) else result.caption,
        "score": round(result.score, 4),
        "box": box_shape(box),
        "items": [{"title": title, "box": box_shape(place)} for title, place in items],
    }


def _items(result: Table | ItemList | Content) -> list[tuple[str, Box | None]]:
    """What a result consists of, and where: items by their title, rows by their first cell, blocks by their text."""
    if isinstance(result, ItemList):
        return [(item.title.text, item.text.origin.box if item.text.origin else None) for item in result]
    if isinstance(result, Table):
        return [
            (
                line[0].text if line else "",
                union_of(cell.origin.box for cell in line if cell.origin and cell.origin.box),
            )
            for line in result.cells
        ]
    return [(part.value.text, part.value.origin.box if part.value.origin else None) for part in result.parts]


def _step_shape(step: TraceStep) -> dict[str, Any]:
    rows = step.rows[:MOST_ROWS]
    columns = [name for name in (rows[0] if rows else {}) if name != "box"]
    return {
        "name": step.name,
        "about": step.about,
        "columns": columns,
        "rows": [{name: _fact(name, value) for name, value in row.items()} for row in rows],
        "boxes": [box_shape(box) for box in step.boxes[:MOST_BOXES]],
        "cut": len(step.rows) if len(step.rows) > MOST_ROWS else None,
    }


def _fact(name: str, fact: Any) -> Any:
    """A fact of a row as people read it; a box stays one, to be drawn.

    >>> _fact("evidence", {"lines": 0.5, "gaps": -0.25}), _fact("titles", ("a", "b", "c", "d")), _fact("score", 0.98765)
    ('lines +0.50, gaps −0.25', 'a · b · c · …', 0.9877)
    """
    if name == "box":
        return box_shape(fact)
    if isinstance(fact, Mapping):
        strongest = sorted(fact.items(), key=lambda part: -abs(part[1]))[:MOST_EVIDENCE]
        return ", ".join(f"{part} {value:+.2f}".replace("-", "−") for part, value in strongest)
    if isinstance(fact, str) or not isinstance(fact, Sequence):
        return round(fact, 4) if isinstance(fact, float) else fact
    more = " · …" if len(fact) > SHOWN_TEXTS else ""
    return " · ".join(map(str, fact[:SHOWN_TEXTS])) + more
