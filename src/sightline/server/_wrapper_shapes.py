"""A wrapper as the API shows it: its schema as a tree, how it was learned, and the history of its edits."""

from collections.abc import Sequence
from typing import Any

from fastapi import Response
from typing_extensions import TypedDict

from sightline.data import Verdict, worst_verdict
from sightline.extract.wrappers import SchemaPart, Templates, Wrapper
from sightline.jobs import StoredWrapper
from sightline.server._shapes import (
    BoxShape,
    HistoryShape,
    JsonResponse,
    TypeShape,
    box_shape,
    encodable,
    history_shape,
    type_shape,
)
from sightline.server._studio import Studio
from sightline.server._wrapper_desk import WrapperDesk

__all__ = ["WrapperShape", "learned_how", "verdict_of", "wrapper_answer"]


class SchemaExampleShape(TypedDict):
    """A value of a field; without a page, if the page is not in the project."""

    page: str | None
    text: str
    box: BoxShape | None


class SchemaShape(TypedDict):
    """A field or a set of the schema."""

    name: str
    path: str
    node: str
    type: TypeShape | None
    optional: bool
    dropped: bool
    aside: bool
    examples: list[SchemaExampleShape]
    children: list["SchemaShape"]


class TrainingShape(TypedDict):
    """How a wrapper was learned."""

    pages: int
    needed: int
    complying: int
    left_out: list[str]


class LearnedPageShape(TypedDict):
    """A page that a wrapper was learned from; its id if it is in the project."""

    id: str | None
    name: str
    verdict: Verdict
    found: float
    known: float


class WrapperShape(TypedDict):
    """The state of a wrapper."""

    name: str
    version: str
    learned: str
    words: str
    schema: list[SchemaShape]
    records_of: str | None
    sets: list[str]
    templates: int
    needs: str
    language: str | None
    training: TrainingShape
    pages: list[LearnedPageShape]
    history: HistoryShape


def wrapper_answer(studio: Studio, name: str, *, status: int = 200) -> Response:
    """The state of a wrapper, as an answer."""
    stored = studio.part(WrapperDesk).load(name)
    return JsonResponse(_state(studio, stored), status, headers={"ETag": f'"{stored.version}"'})


def learned_how(wrapper: Wrapper) -> str:
    """Whether a wrapper was taught, or learned from pages alone."""
    return "from pages" if isinstance(wrapper.rules, Templates) else "by examples"


def verdict_of(wrapper: Wrapper) -> Verdict:
    """The worst verdict on the pages that a wrapper was learned from."""
    return worst_verdict([page.verdict for page in wrapper.checked])


def _state(studio: Studio, stored: StoredWrapper) -> dict[str, Any]:
    wrapper, tree = stored.wrapper, studio.part(WrapperDesk).tree(stored)
    training = wrapper.training
    return {
        "name": stored.name,
        "version": stored.version,
        "learned": learned_how(wrapper),
        "words": encodable(wrapper.words()),
        "schema": [_part(part) for part in tree],
        "records_of": next(filter(None, wrapper.rules.each), None),
        "sets": [part.path for part in tree if part.kind == "set" and part.children],
        "templates": len(wrapper.rules.templates) if isinstance(wrapper.rules, Templates) else 1,
        "needs": wrapper.needs,
        "language": wrapper.language,
        "training": {
            "pages": training.pages,
            "needed": training.needed,
            "complying": training.complying,
            "left_out": list(training.left_out),
        },
        "pages": _pages(studio, stored),
        "history": history_shape(stored.history.steps),
    }


def _part(part: SchemaPart) -> dict[str, Any]:
    return {
        "name": encodable(part.name),
        "path": encodable(part.path),
        "node": part.kind,
        "type": type_shape(part.type) if part.type else None,
        "optional": part.optional,
        "dropped": part.dropped,
        "aside": part.aside,
        "examples": [
            {
                "page": value.origin.page if value.origin else None,
                "text": encodable(value.text),
                "box": box_shape(value.origin.box) if value.origin else None,
            }
            for value in part.examples
        ],
        "children": [_part(child) for child in part.children],
    }


def _pages(studio: Studio, stored: StoredWrapper) -> list[dict[str, Any]]:
    """The pages that a wrapper was learned from, each with its id as far as it is in the project."""
    checked = stored.wrapper.checked
    ids: Sequence[str | None] = stored.history.pages if len(stored.history.pages) == len(checked) else ()
    known = [page_id if page_id and studio.store.has_page(page_id) else None for page_id in ids]
    return [
        {
            "id": known[place] if place < len(known) else None,
            "name": encodable(page.page),
            "verdict": page.verdict,
            "found": page.found,
            "known": page.known,
        }
        for place, page in enumerate(checked)
    ]
