"""What a lesson has gathered: its pages, the examples given on them, and what these say together."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from sightline.documents import check_document
from sightline.errors import UsageError
from sightline.extract.wrappers._listings import ITEMS
from sightline.extract.wrappers.patterns import (
    Located,
    RecordExample,
    Rule,
    SearchSpan,
    Taught,
    Values,
    View,
    key_of,
    label_key,
    locate_node,
    locate_point,
    locate_text,
    rule_from_json,
    rule_to_json,
    texts_in,
)
from sightline.page import Node, Page

if TYPE_CHECKING:
    from sightline.extract.wrappers._forms import StepAction
    from sightline.extract.wrappers._listings import Listing

# -- the steps of a lesson as data: what people said, one after another, in words and as plain JSON -----------------
# A lesson is the sum of its steps, so it is saved as their list, and going back is a position in it.

FORMAT = "sightline lesson"
VERSION = 1
LONGEST_WORDS = 60  # characters of an example in the words of a step

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step of a lesson: what was done, to which field or page, and with which example.

    An example is a `node`, a `text` or a `point`. `values` and `records` are what a page was shown with, `fields` and
    `into` what was grouped under which name, `to` the new name of a field. `page` is the id of the page.

    >>> LessonStep("rename", field="price", to="Price").words
    'renamed price → Price'
    """

    action: "StepAction"
    page: str = ""
    field: str = ""
    node: int | None = None
    text: str | None = None
    point: Point | None = None
    to: str = ""
    fields: tuple[str, ...] = ()
    into: str = ""
    rules: tuple[Rule, ...] = ()
    values: Mapping[str, Sequence[str]] | None = None
    records: Sequence[Mapping[str, Any]] = ()
    said: str = ""

    @property
    def words(self) -> str:
        """The step in words, for a list of what was done."""
        said = self.said or self.text or ""
        shown = f"“{said[:LONGEST_WORDS]}{'…' * (len(said) > LONGEST_WORDS)}”"
        return {
            "want": f"{self.field}: {shown}",
            "reject": f"rejected {shown} as {self.field}",
            "absent": f"no {self.field} on a page",
            "only": f"no other {self.field} on a page",
            "show": f"showed {', '.join([*(self.values or ()), *([self.into] if self.records else [])])}",
            "add page": "added a page",
            "remove page": "removed a page",
            "rename": f"renamed {self.field} → {self.to}",
            "drop": f"dropped {self.field}",
            "group": f"grouped {', '.join(self.fields)} as {self.into}",
            "rule": f"edited the rule of {self.field}",
        }[self.action]

    def to_json(self) -> dict[str, Any]:
        """The step as plain values; `words` are only for reading."""
        document: dict[str, Any] = {"action": self.action}
        for key in ("page", "field", "to", "into", "said"):
            if getattr(self, key):
                document[key] = getattr(self, key)
        for key in ("node", "text"):
            if getattr(self, key) is not None:
                document[key] = getattr(self, key)
        if self.point is not None:
            document["point"] = list(self.point)
        if self.fields:
            document["fields"] = list(self.fields)
        if self.rules:
            document["rules"] = [rule_to_json(rule) for rule in self.rules]
        if self.values is not None:
            document["values"] = {name: list(texts) for name, texts in self.values.items()}
        if self.records:
            document["records"] = list(self.records)
        return document | {"words": self.words}


def step_from_json(document: Any) -> LessonStep:
    """A step from plain values, such as a request's body; what cannot be one is an error.

    >>> step_from_json({"action": "want", "field": "price", "text": "$5", "page": "3f2a"}).words
    'price: “$5”'
    """
    from sightline.extract.wrappers._forms import StepForm  # only here: reading pages does not need it

    check_document(document, StepForm)
    point = document.get("point")
    return LessonStep(
        document["action"],
        document.get("page", ""),
        document.get("field", ""),
        document.get("node"),
        document.get("text"),
        None if point is None else (float(point[0]), float(point[1])),
        document.get("to", ""),
        tuple(document.get("fields", ())),
        document.get("into", ""),
        tuple(map(rule_from_json, document.get("rules", ()))),
        document.get("values"),
        tuple(document.get("records", ())),
        document.get("said", ""),
    )


def check_lesson(document: Any) -> None:
    """Refuse what is not a lesson of this version."""
    from sightline.extract.wrappers._forms import LessonForm

    again = "begin one with teach(page)"
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise UsageError(f"This is not a lesson; {again}.")
    if document.get("version") != VERSION:
        raise UsageError(
            f"This lesson has version {document.get('version')!r:.60}, but this Sightline reads version {VERSION}; "
            f"{again}."
        )
    try:
        check_document(document, LessonForm)
        if document["at"] > len(document.get("steps", ())):
            raise UsageError(f"it is at step {document['at']} of {len(document.get('steps', ()))}")
    except UsageError as problem:
        reason = str(problem).removesuffix(".")
        raise UsageError(f"This lesson is damaged ({reason}); fix the file, or {again}.") from problem


# -- what a lesson has gathered: its pages, the examples given on them, and what these say together -----------------

# -- what a lesson is given -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class GivenExample:
    """One example that was given: its page, its field, and whether it is wanted or rejected."""

    page: int
    name: str
    located: Located | None
    wanted: bool
    complete: bool = False


@dataclass(frozen=True, eq=False)
class ShownRecords:
    """Records that were shown on a page."""

    page: int
    name: str
    records: tuple[RecordExample, ...]


def examples_by_name(given: Sequence[GivenExample], page: int, *, wanted: bool) -> dict[str, list[Located]]:
    """The examples of a page that are wanted, or rejected, by their field."""
    found: dict[str, list[Located]] = {}
    for one in given:
        if one.page == page and one.wanted == wanted and one.located:
            found.setdefault(one.name, []).append(one.located)
    return found


def nodes_of(located: Sequence[Located]) -> list[int]:
    """All nodes of some examples."""
    return [node for one in located for node in one.nodes]


def checked_name(name: str) -> str:
    """The name of a field, if it can be one."""
    if not isinstance(name, str) or not name.strip():
        raise UsageError(f"A field cannot be named {name!r}; give it a name that says what it is, such as price.")
    if "." in name:
        raise UsageError(
            f"A field cannot be named {name!r}, since a dot separates a set from its fields; show records instead."
        )
    return name


def record_example(record: Mapping[str, Any]) -> RecordExample:
    """An example record, with the fields that have values."""
    found: dict[str, tuple[str | RecordExample, ...]] = {}
    for name, given in record.items():
        values = [given] if isinstance(given, str | Mapping) else given
        examples = tuple(
            record_example(value) if isinstance(value, Mapping) else _text(name, value) for value in values
        )
        if examples:
            found[checked_name(name)] = examples
    return found


def keep_located(view: View, record: RecordExample, lost: list[str]) -> RecordExample:
    """A record with only the texts that are on a page; adds what is wrong with the others to `lost`."""
    found: dict[str, tuple[str | RecordExample, ...]] = {}
    for name, values in record.items():
        kept: list[str | RecordExample] = []
        for value in values:
            if not isinstance(value, str):
                kept += [inner] if (inner := keep_located(view, value, lost)) else []
                continue
            try:
                locate_text(view, value, 0, len(view.page))
            except UsageError as problem:
                lost.append(f"{name}: {problem}")
            else:
                kept.append(value)
        if kept:
            found[name] = tuple(kept)
    return found


def locate_record(view: View, record: RecordExample) -> Values | None:
    """Where the texts of a record are on a page; None if it has records of its own."""
    found: dict[str, tuple[Located, ...]] = {}
    for name, values in record.items():
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) < len(values):
            return None
        found[name] = tuple(locate_text(view, text, 0, len(view.page)) for text in texts)
    return found


def names_in(record: RecordExample) -> Iterator[str]:
    """The names of all fields of a record, with those of the sets that they are in."""
    for name, values in record.items():
        yield name
        for value in values:
            if not isinstance(value, str):
                yield from (f"{name}.{inner}" for inner in names_in(value))


def without_field(given: GivenExample | ShownRecords, name: str) -> GivenExample | ShownRecords | None:
    """What was given without a field, which in shown records is named with its sets; None if nothing is left."""
    if given.name == name:
        return None
    if isinstance(given, GivenExample) or not name.startswith(f"{given.name}."):
        return given
    path = name.split(".")[1:]
    records = tuple(kept for record in given.records if (kept := _without(record, path)))
    return replace(given, records=records) if records else None


def _without(record: RecordExample, path: Sequence[str]) -> RecordExample:
    first, *rest = path
    if not rest:
        return {name: values for name, values in record.items() if name != first}
    inner = tuple(value if isinstance(value, str) else _without(value, rest) for value in record.get(first, ()))
    return {name: inner if name == first else values for name, values in record.items()}


def _text(name: str, given: object) -> str:
    if not isinstance(given, str):
        raise UsageError(f"An example of “{name}” must be a text or a record, not {given!r:.60}.")
    return given


# -- what a lesson has gathered: its pages, the examples given on them, and what these say together -----------------

POINT = 2  # numbers of a point

Example: TypeAlias = str | int | Node | tuple[float, float]
"""A text as shown on the page, a node or its number, or a point of a rendered page in CSS pixels."""


def locate_example(view: View, example: Example) -> Located:
    """Where an example is on a page."""
    if isinstance(example, Node):
        example = example.number
    if isinstance(example, tuple):
        if len(example) != POINT or not all(isinstance(coordinate, int | float) for coordinate in example):
            raise UsageError(f"A point on the page must be two numbers (x, y), not {example!r:.60}.")
        return locate_point(view, *example)
    if isinstance(example, str):
        return locate_text(view, example, 0, len(view.page))
    if not isinstance(example, int | np.integer) or isinstance(example, bool):
        raise UsageError(f"An example must be a text, a node, its number or a point (x, y), not {example!r:.60}.")
    return locate_node(view, int(example))


@dataclass(frozen=True, eq=False)
class DoneStep:
    """A step that was done: the number of its page, its examples, and the names of its fields by their first names.

    A field keeps its first name when it is renamed, so that its rules stay what they are.
    """

    step: LessonStep
    page: int = -1
    titles: dict[str, str] = field(default_factory=dict)
    given: tuple[GivenExample | ShownRecords, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The first names of its fields."""
        return tuple(self.titles)


class Gathered:
    """The pages of a lesson, the examples on them in the order in which they were given, and what was edited.

    `titles` are the names that fields have now, `rules` those that were edited by hand, `groups` the fields that form
    records; all by the fields' first names. `listings` are kept for all states of a lesson, as they take long to find.
    """

    def __init__(self, views: list[View], listings: "dict[View, list[Listing]] | None" = None) -> None:
        self.views = views
        self.listings = {} if listings is None else listings
        self.given: list[GivenExample | ShownRecords] = []
        self.lost: list[str] = []
        self.shown: dict[str, None] = {}  # the fields of pages shown as a whole, found or not
        self.titles: dict[str, str] = {}
        self.rules: dict[str, tuple[Rule, ...]] = {}
        self.groups: dict[str, tuple[str, ...]] = {}
        self.added: dict[int, None] = {}
        self.removed: set[int] = set()

    def of_fields(self, names: Collection[str]) -> "Gathered":
        """The same with the examples of some fields only."""
        part = Gathered(self.views, self.listings)
        part.given = [given for given in self.given if given.name in names]
        part.rules = self.rules
        return part

    def of_first_examples(self) -> "Gathered | None":
        """The same with the first wanted example of each field on each page alone; None if there are no others."""
        part = Gathered(self.views, self.listings)
        part.rules, known = self.rules, set[tuple[int, str]]()
        for given in self.given:
            if isinstance(given, ShownRecords) or given.complete:
                return None
            if not given.wanted or (given.page, given.name) not in known:
                part.given.append(given)
            if given.wanted:
                known.add((given.page, given.name))
        return part if len(part.given) < len(self.given) else None

    # ------------------------------------------------------------------ pages

    def view(self, page: Page) -> View:
        """The view of a page; a page outside the lesson gets a new one."""
        in_lesson = [view for view in self.views if view.page is page]
        return in_lesson[0] if in_lesson else View(page)

    @property
    def used(self) -> list[View]:
        """The pages that have examples."""
        return [self.views[number] for number in sorted({given.page for given in self.given})]

    # ------------------------------------------------------------------ examples

    @property
    def names(self) -> list[str]:
        """The fields and sets that have examples."""
        return list(dict.fromkeys(given.name for given in self.given if given.name))

    @property
    def examples(self) -> list[GivenExample]:
        """The examples of fields."""
        return [given for given in self.given if isinstance(given, GivenExample)]

    @property
    def located(self) -> list[tuple[GivenExample, Located]]:
        """The examples of fields that are on their pages, with where they are."""
        return [(given, given.located) for given in self.examples if given.located]

    @property
    def records_name(self) -> str:
        """What the records that examples imply are called: a name that no field and no group has."""
        taken = {*self.names, *self.groups, *self.titles.values()}
        return (
            ITEMS
            if ITEMS not in taken
            else next(name for number in count(2) if (name := f"{ITEMS} {number}") not in taken)
        )

    @property
    def implied_names(self) -> list[str]:
        """The names of what examples imply: the records of fields, and the fields of records that were shown."""
        shown = [
            f"{given.name}.{name}"
            for given in self.given
            if isinstance(given, ShownRecords)
            for record in given.records
            for name in names_in(record)
        ]
        return [*dict.fromkeys(shown), *([self.records_name] if self.examples else [])]

    def of(self, name: str) -> list[GivenExample]:
        """The examples of a field."""
        return [given for given in self.examples if given.name == name]

    # ------------------------------------------------------------------ what they say together

    def is_given_singly(self, name: str) -> bool:
        """Whether a field was taught by single examples; a page shown as a whole tells what is a list."""
        return not any(given.complete for given in self.of(name))

    def is_single(self, name: str) -> bool:
        """Whether at most one value was given on every page, which may stand for a list or for itself."""
        wanted = [given.page for given in self.of(name) if given.located and given.wanted]
        return self.is_given_singly(name) and len(set(wanted)) == len(wanted)

    @property
    def values(self) -> frozenset[str]:
        """The texts of all examples: none of them is a label."""
        single = [located.text for given, located in self.located if given.wanted]
        inside = [
            text
            for given in self.given
            if isinstance(given, ShownRecords)
            for record in given.records
            for text in texts_in(record)
        ]
        return frozenset(map(label_key, (*single, *inside)))

    def taught(self, name: str) -> list[Taught]:
        """The examples of a field, page by page; a page shown as a whole counts even if it has none."""
        found = []
        for number, view in enumerate(self.views):
            here = [given for given in self.given if given.page == number]
            examples = [given for given in here if isinstance(given, GivenExample) and given.name == name]
            whole = any(isinstance(given, ShownRecords) for given in here)
            if not examples and not whole:
                continue
            wanted = tuple(given.located for given in examples if given.located and given.wanted)
            unwanted = frozenset(
                node for given in examples if given.located and not given.wanted for node in given.located.nodes
            )
            texts = {key_of(located.text) for located in wanted}
            others = frozenset(
                node
                for given in here
                if isinstance(given, GivenExample) and given.name != name and given.wanted and given.located
                if given.located.places == 1 and key_of(given.located.text) not in texts
                for node in given.located.nodes
            )
            complete = whole or any(given.complete for given in examples)
            rejected = sum(given.located is not None and not given.wanted for given in examples)
            found.append(Taught(view, SearchSpan(0, len(view.page)), wanted, unwanted, others, complete, rejected))
        return found


def gather(steps: Iterable[DoneStep], views: list[View], listings: "dict[View, list[Listing]]") -> Gathered:
    """What the steps of a lesson amount to."""
    gathered = Gathered(views, listings)
    for done in steps:
        _apply(gathered, done)
    return gathered


def _apply(gathered: Gathered, done: DoneStep) -> None:
    step = done.step
    if done.given or step.action in ("show", "add page"):
        gathered.added[done.page] = None
        gathered.removed.discard(done.page)
        gathered.given += done.given
        gathered.lost += done.lost
        gathered.shown |= dict.fromkeys(done.names if step.action == "show" else ())
        for name in done.names:  # an example says more than a rule that was edited before
            gathered.rules.pop(name, None)
            if done.given and name not in gathered.titles and name != done.titles.get(name, name):
                gathered.titles[name] = done.titles[name]
    elif step.action == "remove page":
        gathered.removed.add(done.page)
        gathered.given = [given for given in gathered.given if given.page != done.page]
    elif step.action == "rename":
        gathered.titles[done.names[0]] = step.to
    elif step.action == "rule":
        gathered.rules[done.names[0]] = step.rules
    elif step.action == "group":
        _group(gathered, step.into, done.names)
    elif step.action == "drop":
        _drop(gathered, done.names)


def _group(gathered: Gathered, into: str, names: tuple[str, ...]) -> None:
    """Put fields into a group, and take them out of the group that they were in."""
    left = {group: tuple(name for name in inside if name not in names) for group, inside in gathered.groups.items()}
    gathered.groups = {group: inside for group, inside in left.items() if inside} | {into: names}


def _drop(gathered: Gathered, names: tuple[str, ...]) -> None:
    for name in names:
        gathered.given = [kept for given in gathered.given if (kept := without_field(given, name))]
        for known in (gathered.titles, gathered.rules, gathered.groups, gathered.shown):
            known.pop(name, None)
    left = {group: tuple(name for name in inside if name not in names) for group, inside in gathered.groups.items()}
    gathered.groups = {group: inside for group, inside in left.items() if inside}
