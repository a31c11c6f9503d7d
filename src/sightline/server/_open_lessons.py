"""Lessons that are open, and how the API shows one: its fields and what they match, its rows and its pages."""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import orjson
from typing_extensions import TypedDict

from sightline.data import Column, Verdict, infer
from sightline.documents import decoded_document
from sightline.errors import UsageError
from sightline.extract.wrappers import Condition, Found, Lesson, LessonStep, Pattern, Patterns, Problem, Rule
from sightline.extract.wrappers.patterns import (
    PatternReading,
    condition_in_words,
    condition_to_json,
    pattern_in_words,
    pattern_paths,
    rule_in_words,
)
from sightline.page import Page
from sightline.project import StoredDocument, check_version
from sightline.server._problems import ProblemError, found_document
from sightline.server._shapes import BoxResponse, GridResponse, HistoryResponse, RowsView, box_shape, encodable
from sightline.server._studio import Studio

# Lessons that are open: the live objects, which answer at once, and their files, which survive.

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


class OpenLessons:
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


MOST_MATCHES = 2_000  # of a field on one page; more are not told apart on a screen
ROWS = 500  # of a page, in the state of a lesson
# Seconds for the verdicts of pages that are not shown, while somebody waits for a click; the others come when the
# lesson is asked for again.
FOR_OTHERS = 0.06
MARKS = {
    "lone": "takes one of several that look alike",
    "partial": "does not take all of its examples",
    "loose": "takes more than what was shown of its page",
    "unsure": "was found again after the pages changed, and is not confirmed yet",
    "optional": "may be missing",
}
ONCE = "seen on one page only"
_FIELD = re.compile(r"^(?:the field )?“([^”]+)”")


class MatchResponse(TypedDict):
    """A value, or a record, that a rule matches."""

    node: int
    box: BoxResponse | None
    text: str
    record: int | None


class ExampleResponse(TypedDict):
    """An example as it was given."""

    page: str
    node: int | None
    text: str
    wanted: bool
    box: BoxResponse | None


_Condition = TypedDict("_Condition", {"not": bool})


class ConditionResponse(_Condition):
    """A condition of a rule, also in words."""

    way: str
    test: str
    value: str
    words: str


class FieldRuleResponse(TypedDict):
    """A rule of a field, also in words."""

    words: str
    pick: str
    conditions: list[ConditionResponse]


class LessonFieldResponse(TypedDict):
    """A field, or a set of records; fields of records name the set as their parent."""

    name: str
    path: str
    parent: str | None
    is_set: bool
    many: bool
    words: str
    rules: list[FieldRuleResponse]
    take: str
    cut: str | None
    edited: bool
    marks: list[str]
    error: str | None
    examples: list[ExampleResponse]
    matches: list[MatchResponse]
    values: int


class ProblemResponse(TypedDict):
    """What is wrong on a page, where, and with which field."""

    what: str
    box: BoxResponse | None
    field: str | None


class LessonPageResponse(TypedDict):
    """A page of a lesson; its verdict is null as long as nobody has looked."""

    id: str
    title: str
    verdict: Verdict | None
    problems: list[ProblemResponse]
    records: int
    examples: int


class QuestionResponse(TypedDict):
    """The node that should be answered next."""

    field: str
    page: str
    node: int
    box: BoxResponse | None
    text: str
    share: float
    words: str


class LessonResponse(TypedDict):
    """The state of a lesson."""

    name: str
    version: str
    page: str
    pages: list[LessonPageResponse]
    fields: list[LessonFieldResponse]
    rows: GridResponse
    question: QuestionResponse | None
    notes: list[str]
    history: HistoryResponse
    saved_as: str | None


def lesson_shape(studio: Studio, live: LiveLesson, page_id: str | None, *, patient: bool) -> dict[str, Any]:
    """The state of a lesson, with what it matches on a page; if `patient`, with the verdicts of all pages."""
    lesson = live.lesson
    shown = live.page(page_id) if page_id else lesson.pages[-1]
    found = lesson.found(shown)
    return {
        "name": live.name,
        "version": live.version,
        "page": shown.id,
        "pages": _pages(studio, lesson, shown, patient=patient),
        "fields": _fields(lesson, shown),
        "rows": _rows(found, shown),
        "question": _question(lesson, shown),
        "notes": [encodable(note) for note in lesson.notes] if not lesson.problems else [],
        "history": {"steps": [encodable(step.words) for step in lesson.steps], "at": lesson.at},
        "saved_as": live.saved_as,
    }


def _rows(found: Found | None, page: Page) -> dict[str, Any]:
    if found is None:
        return {"offset": 0, "total": 0, "columns": [], "row_boxes": []}
    return RowsView(found.records.columns, page=page.whole_id).window(0, ROWS)


def _question(lesson: Lesson, page: Page) -> dict[str, Any] | None:
    question = lesson.question(page=page) if lesson.draft else None
    if question is None:
        return None
    text = encodable(question.text)
    return {
        "field": question.name,
        "page": page.id,
        "node": question.node,
        "box": node_box(page, question.node),
        "text": text,
        "share": round(question.share, 3),
        "words": f"Is “{text[:60]}{'…' * (len(text) > 60)}” a value of {question.name}?",
    }


# ---------------------------------------------------------------------- pages


def _pages(studio: Studio, lesson: Lesson, shown: Page, *, patient: bool) -> list[dict[str, Any]]:
    counts: dict[str, int] = {}
    for name in lesson.names:
        for example in lesson.examples(name):
            counts[example.page.id] = counts.get(example.page.id, 0) + 1
    began = perf_counter()
    shapes = []
    for page in sorted(lesson.pages, key=lambda page: page is not shown):
        late = not patient and perf_counter() - began > FOR_OTHERS
        found = None if late else lesson.found(page)
        shapes.append(
            {
                "id": page.id,
                "title": studio.info(page.id).title or page.url,
                "verdict": found.verdict if found else None,
                "problems": problem_shapes(page, found.problems) if found else [],
                "records": len(found.records) if found else 0,
                "examples": counts.get(page.id, 0),
            }
        )
    order = [page.id for page in lesson.pages]
    return sorted(shapes, key=lambda shape: order.index(str(shape["id"])))


def problem_shapes(page: Page, problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """What is wrong on a page, with its place and the field that it is about, where there is one."""
    shapes = []
    for problem in problems:
        named = _FIELD.match(problem.what)
        node = page.find(problem.xpath) if problem.xpath else None
        shapes.append(
            {
                "what": encodable(problem.what),
                "xpath": problem.xpath or None,
                "box": None if node is None else node_box(page, node),
                "field": named[1] if named else None,
            }
        )
    return shapes


def node_box(page: Page, node: int) -> list[float] | None:
    """Where a node is on its page; None if it was not laid out."""
    x0, y0, x1, y1 = page.box[node].tolist()
    return box_shape((x0, y0, x1, y1))


# ---------------------------------------------------------------------- fields


def _fields(lesson: Lesson, page: Page) -> list[dict[str, Any]]:
    made = lesson.draft
    patterns = made.rules.patterns if made and isinstance(made.rules, Patterns) else ()
    reading = lesson.reading(page) if patterns else None
    edited, problems = set(lesson.edited), lesson.problems
    known = [_field(lesson, page, path, pattern, reading, edited) for path, pattern in pattern_paths(patterns)]
    return known + [_failed(lesson, name, problem, edited) for name, problem in problems.items()]


def _field(
    lesson: Lesson, page: Page, path: str, pattern: Pattern, reading: PatternReading | None, edited: set[str]
) -> dict[str, Any]:
    parent = path.rpartition(".")[0] or None
    matches = match_shapes(page, path, reading) if reading else []
    marks = [words for mark, words in MARKS.items() if getattr(pattern, mark)]
    return {
        "name": pattern.name,
        "path": path,
        "parent": parent,
        "is_set": bool(pattern.fields),
        "many": pattern.many,
        "words": pattern_in_words(pattern).partition(": ")[2],
        "rules": [_rule(rule, many=pattern.many) for rule in pattern.rules],
        "take": pattern.take,
        "cut": pattern.cut,
        "edited": pattern.name in edited or path in edited,
        "marks": marks + ([ONCE] if pattern.pages == 1 and not parent else []),
        "error": None,
        "examples": _examples(lesson, path),
        "matches": matches[:MOST_MATCHES],
        "values": len(matches),
    }


def _failed(lesson: Lesson, name: str, problem: str, edited: set[str]) -> dict[str, Any]:
    """A field that no rule was found for, with the reason."""
    return {
        "name": name,
        "path": name,
        "parent": None,
        "is_set": False,
        "many": False,
        "words": "",
        "rules": [],
        "take": "text",
        "cut": None,
        "edited": name in edited,
        "marks": [],
        "error": encodable(problem),
        "examples": _examples(lesson, name),
        "matches": [],
        "values": 0,
    }


def _rule(rule: Rule, *, many: bool) -> dict[str, Any]:
    return {
        "words": rule_in_words(rule, many=many),
        "pick": rule.pick,
        "conditions": [condition_shape(condition) for condition in rule.conditions],
    }


def condition_shape(condition: Condition) -> dict[str, Any]:
    """A condition with its words."""
    return {"not": False, **condition_to_json(condition), "words": encodable(condition_in_words(condition))}


def _examples(lesson: Lesson, path: str) -> list[dict[str, Any]]:
    return [
        {
            "page": example.page.id,
            "node": example.node,
            "text": encodable(example.text),
            "wanted": example.wanted,
            "box": None if example.node is None else node_box(example.page, example.node),
        }
        for example in lesson.examples(path)
    ]


def match_shapes(page: Page, path: str, reading: PatternReading) -> list[dict[str, Any]]:
    """The values of a field on a page, or the records of a set, in order."""
    items = reading.items.get(path)
    if items is not None:
        return [
            {"node": node, "box": node_box(page, node), "text": "", "record": number}
            for number, node in enumerate(items.kept)
        ]
    in_records = "." in path
    return [
        {
            "node": value.node,
            "box": node_box(page, value.node),
            "text": encodable(value.text),
            "record": value.record - 1 if in_records else None,
        }
        for value in reading.of(path)
    ]
