"""Lessons: teaching a wrapper step by step, with what each step would match and has matched."""

from datetime import UTC, datetime
from typing import Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from sightline.documents import decoded_document
from sightline.errors import UsageError
from sightline.extract.wrappers import Lesson, step_from_json
from sightline.page import Page, link_of
from sightline.project import ANY
from sightline.server._open_lessons import (
    ConditionResponse,
    LessonResponse,
    LiveLesson,
    OpenLessons,
    condition_shape,
    lesson_shape,
    node_box,
    teach_rows,
)
from sightline.server._problems import ProblemError, without_folders
from sightline.server._shapes import BoxResponse, JsonResponse, encodable
from sightline.server._studio import IfMatch, MaybeMatch, Studio, StudioDep
from sightline.server._wrappers import WrapperResponse, Wrappers, wrapper_answer

router = APIRouter(tags=["lessons"])

LONGEST = 1_000  # characters of a name
LONGEST_TEXT = 100_000  # characters of an example


class LessonInfoResponse(TypedDict):
    """A lesson in the list of lessons."""

    name: str
    title: str
    pages: int
    fields: int
    changed: str


class NewLesson(BaseModel):
    """The page that a lesson begins with, and its name."""

    page: str
    name: str | None = Field(default=None, max_length=LONGEST)


class NameRequest(BaseModel):
    """A name for what is made."""

    name: str | None = Field(default=None, max_length=LONGEST)


class StepRequest(BaseModel):
    """One step; which members it has depends on the action."""

    model_config = ConfigDict(extra="forbid")

    action: Literal[
        "want",
        "reject",
        "absent",
        "only",
        "add page",
        "remove page",
        "rename",
        "drop",
        "group",
        "rule",
        "answer",
        "undo",
        "redo",
        "go to",
    ]
    page: str | None = None
    field: str | None = Field(default=None, max_length=LONGEST)
    node: int | None = Field(default=None, ge=0)
    text: str | None = Field(default=None, max_length=LONGEST_TEXT)
    point: tuple[float, float] | None = None
    to: str | None = Field(default=None, max_length=LONGEST)
    fields: list[str] | None = None
    into: str | None = Field(default=None, max_length=LONGEST)
    rules: list[dict[str, Any]] | None = None
    link: bool | None = None
    """Of the node, where it leads instead of what it says."""
    yes: bool | None = None
    at: int | None = Field(default=None, ge=0)


class PreviewRequest(BaseModel):
    """An example that nobody has given yet."""

    field: str = Field(max_length=LONGEST)
    node: int = Field(ge=0)
    page: str
    wanted: bool = True


_NEEDED = {
    "want": ("field",),
    "reject": ("field",),
    "absent": ("field",),
    "only": ("field",),
    "add page": ("page",),
    "remove page": ("page",),
    "rename": ("field", "to"),
    "drop": ("field",),
    "group": ("fields", "into"),
    "rule": ("field", "rules"),
    "answer": ("yes",),
    "go to": ("at",),
}


@router.get("/lessons", response_model=list[LessonInfoResponse])
def list_lessons(studio: StudioDep) -> Response:
    """All lessons, the last changed first."""
    lessons = studio.part(OpenLessons)
    found = sorted(((lessons.documents.changed(name), name) for name in lessons.documents.names()), reverse=True)
    return JsonResponse([shape for changed, name in found if (shape := _info(lessons, name, changed))])


@router.post("/lessons", status_code=201, response_model=LessonResponse)
def begin_lesson(wanted: NewLesson, studio: StudioDep) -> Response:
    """Begin a lesson on a page."""
    lessons = studio.part(OpenLessons)
    return _answer(studio, lessons.begin(wanted.page, wanted.name), wanted.page, status=201)


@router.post("/pages/{page_id}/results/{key}/lesson", status_code=201, response_model=LessonResponse)
def lesson_of_result(page_id: str, key: str, wanted: NameRequest, studio: StudioDep) -> Response:
    """Begin a lesson whose examples are the first rows of a result: "make it a wrapper"."""
    one = next((found for found in studio.survey(page_id) if found.key == key), None)
    if one is None:
        raise ProblemError("not-found", "There is no such result on this page.")
    columns = one.result.columns

    def teach(lesson: Lesson, page: Page) -> None:
        teach_rows(lesson, page, columns)
        if not lesson.at:
            raise UsageError("This result has no values with a place on the page, so nothing can be learned from it.")

    return _answer(studio, studio.part(OpenLessons).begin(page_id, wanted.name, teach), page_id, status=201)


@router.get("/lessons/{name}", response_model=LessonResponse)
def show_lesson(name: str, studio: StudioDep, page: str | None = None) -> Response:
    """A lesson, with what it matches on a page and the verdicts of all its pages."""
    return _answer(studio, name, page)


@router.delete("/lessons/{name}", status_code=204)
def delete_lesson(name: str, expected: MaybeMatch, studio: StudioDep) -> Response:
    """Delete a lesson; wrappers that were made of it stay."""
    studio.part(OpenLessons).delete(name, expected)
    return Response(status_code=204)


@router.post("/lessons/{name}/steps", response_model=LessonResponse)
def take_step(name: str, step: StepRequest, expected: IfMatch, studio: StudioDep, page: str | None = None) -> Response:
    """Take a step, or go back or forth; answers with the state after it, on the page that `page` names."""
    shown = page or (step.page if step.action != "remove page" else None)
    lessons = studio.part(OpenLessons)
    with lessons.open(name) as live:  # held until the answer is made, so that it is the state after this very step
        with lessons.changing(name, expected):
            _take(live, step, shown)
        there = shown is not None and live.page(shown) in live.lesson.pages
        return _state(studio, live, shown if there else None, patient=False)


class PreviewMatchResponse(TypedDict):
    """A node that an example would match."""

    node: int
    box: BoxResponse | None
    text: str


class ExamplePreviewResponse(TypedDict):
    """What an example would match, or why nothing."""

    matches: list[PreviewMatchResponse]
    words: str
    problem: str | None


class CompletionResponse(TypedDict):
    """A condition that a rule could have."""

    condition: ConditionResponse
    words: str
    matches: int
    keeps_examples: bool


@router.post("/lessons/{name}/preview", response_model=ExamplePreviewResponse)
def preview_example(name: str, example: PreviewRequest, studio: StudioDep) -> Response:
    """What an example would match; changes nothing."""
    with studio.part(OpenLessons).open(name) as live:
        page = live.page(example.page)
        try:
            preview = live.lesson.preview(example.field, example.node, page, wanted=example.wanted)
        except UsageError as problem:  # no rule would tell it from the rest: that is an answer, not a failure
            return JsonResponse({"matches": [], "words": "", "problem": encodable(without_folders(problem.message))})
        matches = [
            {"node": match.node, "box": node_box(page, match.node), "text": encodable(match.text)}
            for match in preview.matches
        ]
        return JsonResponse({"matches": matches, "words": encodable(preview.words), "problem": None})


@router.get("/lessons/{name}/completions", response_model=list[CompletionResponse])
def list_completions(
    name: str, field: str, studio: StudioDep, page: str | None = None, q: str = Query(default="", max_length=LONGEST)
) -> Response:
    """Conditions for a rule of a field: in words, what each alone would match, and whether it keeps the examples."""
    with studio.part(OpenLessons).open(name) as live:
        offered = live.lesson.completions(field, live.page(page) if page else None, q)
        return JsonResponse(
            [
                {
                    "condition": condition_shape(one.condition),
                    "words": encodable(one.words),
                    "matches": one.matches,
                    "keeps_examples": one.keeps_examples,
                }
                for one in offered
            ]
        )


@router.post("/lessons/{name}/wrapper", status_code=201, response_model=WrapperResponse)
def save_wrapper(name: str, wanted: NameRequest, studio: StudioDep) -> Response:
    """Save the wrapper that the lesson has taught; the one that was saved from it before is replaced."""
    wrappers = studio.part(Wrappers)
    with studio.part(OpenLessons).changing(name, ANY) as live:
        lesson = live.lesson
        made = lesson.wrapper
        pages = list(dict.fromkeys(example.page.id for own in lesson.names for example in lesson.examples(own)))
        chosen = wanted.name or live.saved_as or name
        wrappers.put(chosen, made, pages or [page.id for page in lesson.pages], replaces=live.saved_as == chosen)
        live.saved_as = chosen
    return wrapper_answer(studio, chosen, status=201)


# ---------------------------------------------------------------------- parts


def _answer(studio: Studio, name: str, page: str | None, *, status: int = 200) -> Response:
    with studio.part(OpenLessons).open(name) as live:
        return _state(studio, live, page, patient=True, status=status)


def _state(studio: Studio, live: LiveLesson, page: str | None, *, patient: bool, status: int = 200) -> Response:
    document = lesson_shape(studio, live, page, patient=patient)
    return JsonResponse(document, status, headers={"ETag": f'"{live.version}"'})


def _take(live: LiveLesson, request: StepRequest, shown: str | None) -> None:
    lesson = live.lesson
    lacking = next((key for key in _NEEDED.get(request.action, ()) if getattr(request, key) is None), None)
    if lacking:
        raise UsageError(f"The step {request.action!r} needs {lacking!r}.")
    if request.action == "undo":
        lesson.undo()
    elif request.action == "redo":
        lesson.redo()
    elif request.action == "go to":
        lesson.go_to(request.at or 0)
    elif request.action == "answer":
        page = live.page(shown) if shown else lesson.pages[-1]
        question = lesson.question(page=page)
        if question is None:
            raise UsageError("There is no question to answer any more.")
        (lesson.want if request.yes else lesson.reject)(question.name, question.node, page=page)
    else:
        members = request.model_dump(exclude_none=True, exclude={"yes", "at", "link"})
        named = request.page or shown
        on_page = live.page(named) if named else None
        if request.link and on_page is not None and request.node is not None:
            del members["node"]
            members["text"] = _link(on_page, request.node)
        in_lesson = request.action in ("want", "reject", "absent", "only", "add page", "remove page")
        lesson.do(step_from_json(members), on_page if in_lesson else None)


def _link(page: Page, node: int) -> str:
    found = link_of(page, node) if node < len(page) else ""
    if not found:
        raise UsageError("This leads nowhere, so it has no address to take; click a link.")
    return found


def _info(lessons: OpenLessons, name: str, changed: float) -> dict[str, Any] | None:
    """A lesson in the list, from its file alone."""
    stored = lessons.documents.find(name)
    if stored is None:
        return None
    try:
        document = decoded_document(stored.content)
        steps = document["steps"][: document["at"]]
        fields = {step["field"] for step in steps if step["action"] == "want"}
        pages = {*document["pages"], *(step["page"] for step in steps if step.get("page"))}
    except (UsageError, KeyError, TypeError):
        fields, pages = set(), set()  # damaged: opening it says what is wrong
    return {
        "name": name,
        "title": name,
        "pages": len(pages),
        "fields": len(fields),
        "changed": datetime.fromtimestamp(changed, UTC).isoformat(timespec="seconds"),
    }
