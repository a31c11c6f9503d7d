"""Lessons that are open: the live objects, which answer at once, and their files, which survive."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import orjson

from sightline.data import Column, infer
from sightline.documents import decoded_document
from sightline.errors import UsageError
from sightline.extract.wrappers import Lesson, LessonStep
from sightline.page import Page
from sightline.server._problems import ProblemError, found_document
from sightline.server._studio import Studio
from sightline.store import StoredDocument, check_version

__all__ = ["LessonDesk", "LiveLesson", "teach_rows"]

# A lesson keeps what it found out about its pages: after a dozen clicks 2 to 26 MB for each of nine pages of 4,000 to
# 7,000 nodes. One that is not open is replayed from its steps, of which only the last is learned from.
MOST_LIVE = 8
# Of the rows that have a column, from which on it is one that rows have; and of the rows that examples of fewer columns
# must find to be better than those of all.
FULL = 0.8
SAVED_AS = "saved as"


class LiveLesson:
    """An open lesson, the version of its file, and the lock that its users take turns by."""

    def __init__(self, studio: Studio, name: str) -> None:
        self._studio = studio
        self.name = name
        self.lock = threading.RLock()
        self.lesson = Lesson()
        self.version = ""
        self.saved_as: str | None = None
        self._pages: dict[str, Page] = {}

    def page(self, page_id: str) -> Page:
        """A page by its id; always the same object, by which a lesson knows it."""
        if page_id not in self._pages:
            self._pages[page_id] = self._studio.page(page_id)
        return self._pages[page_id]

    def load(self, stored: StoredDocument) -> None:
        """Replay the steps of the file."""
        document = decoded_document(stored.content)

        def page(page_id: str) -> Page:
            try:
                return self.page(page_id)
            except ProblemError as problem:
                told = "A page of this lesson was deleted from the project; open it again, or delete the lesson."
                raise ProblemError("gone", told, page=page_id) from problem

        self.lesson = Lesson.from_json(document, page)
        saved_as = document.get(SAVED_AS)
        self.saved_as = saved_as if isinstance(saved_as, str) else None
        self.version = stored.version

    def content(self) -> bytes:
        """The bytes of its file."""
        document = self.lesson.to_json() | {SAVED_AS: self.saved_as}
        return orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n"


class LessonDesk:
    """The lessons of a project; the last few that were used stay open."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self.documents = studio.store.documents("lessons", ".lesson.json", "a lesson")
        self._live: OrderedDict[str, LiveLesson] = OrderedDict()
        self._lock = threading.Lock()
        threading.Thread(target=_warm_up, name="warm-up", daemon=True).start()

    @contextmanager
    def open(self, name: str) -> Iterator[LiveLesson]:
        """A lesson as its file has it, held against all others in this process."""
        live = self._slot(name)
        with live.lock:
            stored = found_document(self.documents, name)
            if stored.version != live.version:
                live.version = ""  # whatever fails now, the next one begins anew
                live.load(stored)
            yield live

    @contextmanager
    def changing(self, name: str, expected: str) -> Iterator[LiveLesson]:
        """A lesson to be changed, which is saved at the end; one that has another version than expected is refused."""
        with self.open(name) as live:
            check_version(name, live.version, expected)
            before, live.version = live.version, ""
            try:
                yield live
            except UsageError:
                live.version = before  # the step was refused, so nothing has changed
                raise
            live.version = self.documents.save(name, live.content(), expected=before)

    def begin(self, page_id: str, name: str | None, teach: Callable[[Lesson, Page], Any] | None = None) -> str:
        """A new lesson on a page, saved under this name or a free one like the page's title."""
        info = self._studio.info(page_id)
        chosen = name or self.documents.free_name(info.title or "lesson")
        live = LiveLesson(self._studio, chosen)
        page = live.page(page_id)
        live.lesson.on(page)
        if teach is not None:
            teach(live.lesson, page)
        live.version = self.documents.save(chosen, live.content(), expected=None)
        with self._lock:
            self._live[chosen] = live
        return chosen

    def delete(self, name: str, expected: str) -> None:
        """Delete a lesson; wrappers that were made of it stay."""
        found_document(self.documents, name)
        self.documents.delete(name, expected=expected)
        with self._lock:
            self._live.pop(name, None)

    def _slot(self, name: str) -> LiveLesson:
        with self._lock:
            live = self._live.get(name)
            if live is None:
                live = self._live[name] = LiveLesson(self._studio, name)
            self._live.move_to_end(name)
            while len(self._live) > MOST_LIVE:
                self._live.popitem(last=False)
            return live


def _warm_up() -> None:
    """Load what reads dates: the first column of dates takes 0.4 s otherwise, while somebody waits for a click."""
    infer(["3 May 2024", "17 June 2024"], "en")


def teach_rows(lesson: Lesson, page: Page, columns: Sequence[Column]) -> None:
    """Give the first rows of a result as examples, so that the lesson finds all of its rows.

    Examples of every column are tried first; where they do not give the rows, a column that most of them lack may be
    the reason, or that two rows are not told apart. What comes closest to the result is kept.
    """
    wanted = max((len(column.cells) for column in columns), default=0)
    full = [column for column in columns if sum(cell is not None for cell in column.cells) >= FULL * wanted]
    tries: list[tuple[Sequence[Column], int, bool]] = [(columns, 2, False), (full, 2, False), (full, 1, False)]
    best: tuple[int, tuple[LessonStep, ...]] | None = None
    for some, rows, shown in (*tries, (full, 3, True)):
        lesson.go_to(0)
        (_show_rows if shown else _point_at_rows)(lesson, page, some, rows)
        found = lesson.found(page) if lesson.at else None
        away = abs(wanted - len(found.records)) if found else wanted + 1
        if best is None or (away < best[0] and away <= (1 - FULL) * wanted):
            best = away, lesson.steps[: lesson.at]
        if not away:
            return
    lesson.go_to(0)
    for step in best[1] if best else ():
        lesson.do(step, page)


def _point_at_rows(lesson: Lesson, page: Page, columns: Sequence[Column], rows: int) -> None:
    for column in columns:
        for row in _telling_rows(columns)[:rows]:
            cell = column.cells[row]
            nodes = cell.origin.nodes if cell and cell.origin and cell.origin.page == page.whole_id else ()
            if nodes:
                _want(lesson, _field_name(column), int(nodes[0]), page)


def _show_rows(lesson: Lesson, page: Page, columns: Sequence[Column], rows: int) -> None:
    records = [
        {_field_name(column): cell.text for column in columns if (cell := column.cells[row]) and cell.text}
        for row in _telling_rows(columns)[:rows]
    ]
    try:
        lesson.show(page, records=records)
    except UsageError:  # texts that are put together, such as those of a list, are not on the page as they are
        return


def _want(lesson: Lesson, name: str, node: int, page: Page) -> None:
    try:
        lesson.want(name, node, page=page)
    except UsageError:  # a picture without an address, or a cell that is not visible: no example
        return
    if lesson.problems:
        lesson.undo()


def _field_name(column: Column) -> str:
    return column.name.replace(".", " ").strip() or "value"


def _telling_rows(columns: Sequence[Column]) -> list[int]:
    """The rows with the most cells, the first of them first: those that show all there is."""
    count = max((len(column.cells) for column in columns), default=0)
    filled = [sum(column.cells[row] is not None for column in columns) for row in range(count)]
    return [row for row in range(count) if filled[row] == max(filled)]
