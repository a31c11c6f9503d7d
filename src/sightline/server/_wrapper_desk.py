"""The wrappers of a project as the Studio uses them: the last ones stay in memory, and repairs wait for an answer."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from sightline.extract.wrappers import Proposal, SchemaPart, Wrapper, schema_tree
from sightline.jobs import ProjectWrappers, StoredWrapper
from sightline.page import Page
from sightline.server._caches import Cache
from sightline.server._found import found_document
from sightline.server._problems import ProblemError
from sightline.server._studio import Studio
from sightline.store import EditStep, StoredDocument

__all__ = ["KeptRepair", "WrapperDesk"]

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
