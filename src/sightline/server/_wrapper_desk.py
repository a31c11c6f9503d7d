"""The wrappers of a project as the Studio uses them: the last ones stay in memory, and repairs wait for an answer."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fastapi import Response
from typing_extensions import TypedDict

from sightline.data import Verdict, worst_verdict
from sightline.extract.wrappers import Proposal, SchemaPart, Templates, Wrapper, schema_tree
from sightline.jobs import ProjectWrappers, StoredWrapper
from sightline.page import Page
from sightline.server._caches import Cache
from sightline.server._problems import ProblemError, found_document
from sightline.server._shapes import (
    BoxResponse,
    HistoryResponse,
    JsonResponse,
    TypeResponse,
    box_shape,
    encodable,
    history_shape,
    type_shape,
)
from sightline.server._studio import Studio
from sightline.store import EditStep, StoredDocument

__all__ = ["KeptRepair", "WrapperDesk", "WrapperResponse", "learned_how", "verdict_of", "wrapper_answer"]

CACHED = 32  # wrappers in memory; the largest of the benchmark's sites has 1.2 MB as a file
TREES = 32
MOST_EXAMPLE_PAGES = 12  # pages that the schema's examples come from; each is read for them, and nobody looks at more
MOST_REPAIRS = 20  # proposals that wait for an answer


@dataclass(frozen=True, eq=False)
class KeptRepair:
    """A proposal that waits for an answer, and what it was made of."""

    id: str
    name: str
    pages: tuple[str, ...]
    proposal: Proposal


class WrapperDesk:
    """Wrappers by name. Asking for one that is not there is a problem with the code `not-found`."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._loaded: Cache[tuple[str, str], Wrapper] = Cache(CACHED)
        self._trees: Cache[tuple[str, str], tuple[SchemaPart, ...]] = Cache(TREES)
        self._wrappers = ProjectWrappers(studio.store, self._read)
        self.documents = self._wrappers.documents
        self._lock = threading.Lock()
        self._repairs: OrderedDict[str, KeptRepair] = OrderedDict()

    def _read(self, stored: StoredDocument) -> Wrapper:
        return self._loaded.get((stored.name, stored.version), lambda: Wrapper.loads(stored.content))

    def wrapper(self, name: str) -> tuple[Wrapper, str]:
        """A wrapper and its version."""
        stored = found_document(self.documents, name)
        return self._read(stored), stored.version

    def load(self, name: str) -> StoredWrapper:
        """A wrapper with its history."""
        found_document(self.documents, name)
        return self._wrappers.load(name)

    def content(self, name: str) -> bytes:
        """The file of a wrapper."""
        stored = found_document(self.documents, name)
        self._read(stored)  # a damaged file is an error instead of a download
        return stored.content

    def put(self, name: str, wrapper: Wrapper, pages: Sequence[str], *, replaces: bool = False) -> None:
        """Save a wrapper that was learned. Only one that it `replaces` may be there already."""
        self._wrappers.put(name, wrapper, pages, replaces=replaces)

    def edit(self, name: str, expected: str, step: EditStep) -> None:
        """Change a wrapper by a step, or undo or redo one; refused if it has another version than expected."""
        found_document(self.documents, name)
        self._wrappers.edit(name, expected, step)

    def delete(self, name: str, expected: str) -> None:
        """Delete a wrapper and its history."""
        found_document(self.documents, name)
        self._wrappers.delete(name, expected)

    def pages(self, stored: StoredWrapper) -> list[Page]:
        """The pages that a wrapper was learned from, as far as they are in the project."""
        known = [page_id for page_id in stored.history.pages if self._studio.store.has_page(page_id)]
        return [self._studio.page(page_id) for page_id in known[:MOST_EXAMPLE_PAGES]]

    def tree(self, stored: StoredWrapper) -> tuple[SchemaPart, ...]:
        """The schema of a wrapper with examples from its pages; kept, since all of them are read for it."""
        key = stored.name, stored.version
        return self._trees.get(key, lambda: schema_tree(stored.wrapper, self.pages(stored)))

    # ------------------------------------------------------------------ repairs

    def keep_repair(self, name: str, pages: Sequence[str], proposal: Proposal) -> str:
        """Keep a proposal until somebody answers it; the last few are kept."""
        kept = KeptRepair(secrets.token_hex(8), name, tuple(pages), proposal)
        with self._lock:
            self._repairs[kept.id] = kept
            while len(self._repairs) > MOST_REPAIRS:
                self._repairs.popitem(last=False)
        return kept.id

    def repair(self, repair_id: str) -> KeptRepair:
        """A proposal by its id."""
        with self._lock:
            found = self._repairs.get(repair_id)
        if found is None:
            raise ProblemError("gone", "This proposal is no longer kept; ask for the repair again.")
        return found


# A wrapper as the API shows it: its schema as a tree, how it was learned, and the history of its edits.


class SchemaExampleResponse(TypedDict):
    """A value of a field; without a page, if the page is not in the project."""

    page: str | None
    text: str
    box: BoxResponse | None


class SchemaResponse(TypedDict):
    """A field or a set of the schema."""

    name: str
    path: str
    node: Literal["field", "set", "tuple", "option", "alternatives"]
    type: TypeResponse | None
    optional: bool
    dropped: bool
    aside: bool
    examples: list[SchemaExampleResponse]
    children: list["SchemaResponse"]


class TrainingResponse(TypedDict):
    """How a wrapper was learned."""

    pages: int
    needed: int
    complying: int
    left_out: list[str]


class LearnedPageResponse(TypedDict):
    """A page that a wrapper was learned from; its id if it is in the project."""

    id: str | None
    name: str
    verdict: Verdict
    found: float
    known: float


class WrapperResponse(TypedDict):
    """The state of a wrapper."""

    name: str
    version: str
    learned: str
    words: str
    schema: list[SchemaResponse]
    records_of: str | None
    sets: list[str]
    templates: int
    needs: str
    language: str | None
    training: TrainingResponse
    pages: list[LearnedPageResponse]
    history: HistoryResponse


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
