"""What a template consists of: bodies of slots, rows identified by their label, and leaves.

A template is a machine in layers. The children of an element are a word, and the slots of its body are the states that
read it: an optional slot may be passed over, a set read again, and rows are read by their label in any order. What a
slot has read is read by the body inside it, down to the leaves.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeGuard, TypeVar

from sightline.data import ColumnType
from sightline.extract.schemas._outline import Alphabet

ANCHORED = 0.8  # of what was in a slot began with the same text

Take: TypeAlias = Literal["one", "set", "group", "rest"]
"""What a slot takes: one child, a run of them, a run that is cut into groups of several, or all the rest."""


Matters: TypeAlias = Literal["symbols", "texts", "makes"]
"""What decides how a word is read: symbols alone, also texts that pages share, or also what elements contain."""


@dataclass(eq=False)
class Leaf:
    """One text, or free text with all its markup (`prose`).

    `fixed` is its constant text if it belongs to the template. Otherwise it is a field, unless it was dropped. What
    its texts begin with, such as a label, is its `lead`, which values leave out. A field that is `aside` was dropped
    because it is not what the pages are about. Where its texts lead is a field of its own, the `link`. Its parts are
    fields `within` it.
    """

    texts: list[str] = field(default_factory=list)
    fixed: str | None = None
    prose: bool = False
    name: str = ""
    type: ColumnType = field(default_factory=ColumnType)
    dropped: bool = False
    lead: str = ""
    aside: bool = False
    link: "Reference | None" = None
    within: "list[Within]" = field(default_factory=list)

    @property
    def is_field(self) -> bool:
        """Whether it is extracted."""
        return self.fixed is None and not self.dropped


@dataclass(eq=False)
class Reference(Leaf):
    """An address beside the texts: where a text leads, or a picture of one of the `elements`."""

    elements: tuple[str, ...] = ()


@dataclass(eq=False)
class Within(Leaf):
    """A part of a text: the value at a place between the `joints` of its wording; without joints, each paragraph."""

    joints: tuple[str, ...] = ()
    place: int = 0


class Usual(NamedTuple):
    """What is usual in a slot filled `present` times: kind and content of texts, symbols inside, and tags."""

    present: int
    kind: int
    content: int
    core: frozenset[int]
    tags: frozenset[str]


@dataclass(eq=False)
class Slot:
    """A place among the children of an element, and what occurred there."""

    take: Take
    symbols: Counter[int] = field(default_factory=Counter)
    contents: Counter[int] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    kinds: Counter[int] = field(default_factory=Counter)
    makes: Counter[int] = field(default_factory=Counter)
    single: bool = False
    present: int = 0
    inner: "Inner | None" = None
    landmarks: frozenset[int] = frozenset()
    members: frozenset[int] = frozenset()
    name: str = ""
    place: float = 0.0
    usual: Usual | None = None
    image: Reference | None = None

    is_set: bool = field(init=False, default=False)  # it takes a run of items
    takes_run: bool = field(init=False, default=False)  # what it takes is read as it is, not what is inside

    def __post_init__(self) -> None:
        """Say in plain words what is asked for at every element."""
        self.is_set = self.take in ("set", "group")
        self.takes_run = self.take in ("group", "rest")

    @cached_property
    def is_of_values(self) -> bool:
        """Whether the items of a set are single values, not records: everything in them has the set's name."""
        return {leaf.name for leaf in leaves_in(self.inner) if leaf.fixed is None} == {self.name}


@dataclass(eq=False)
class TemplateRow:
    """A row, or a heading and what follows it, identified by its label."""

    label: str
    present: int = 0
    inner: "Inner | None" = None
    place: float = 0.0
    is_set: ClassVar[bool] = False
    takes_run: ClassVar[bool] = True


@dataclass(eq=False)
class TemplateBody:
    """The content of an element: slots in order, and rows by their label, in any order.

    `alias` maps a symbol to the one that it is a variant of; texts in `constants` occur among the items of a set
    without being items; with `open_rows` there may be rows with unknown labels; symbols in `bags` go to their slot
    wherever they are; a `headed` body is a heading and free text. `memo` caches how words were read (None for those
    that their symbols do not determine), `programs` what elements of one shape contain, `remembered` how many values
    they take, and `plan` what all words have in common.
    """

    total: int = 0
    slots: list[Slot] = field(default_factory=list)
    alias: dict[int, int] = field(default_factory=dict)
    constants: frozenset[int] = frozenset()
    bags: dict[int, Slot] = field(default_factory=dict)
    headed: bool = False
    row_symbols: frozenset[int] = frozenset()
    row_members: frozenset[int] | None = None
    open_rows: bool = False
    rows: dict[int, TemplateRow] = field(default_factory=dict)
    memo: "dict[tuple[int, ...], Parsed | None]" = field(default_factory=dict)
    programs: "dict[int, Program]" = field(default_factory=dict)
    remembered: int = 0
    repeats: bool = False
    matters: Matters | None = None
    plan: Any = None  # the `BodyPlan` of who parses, which knows templates and is not known here
    _takers: "list[Taker] | None" = None

    def forget(self) -> None:
        """Drop what is known of words read so far: slots or rows have changed."""
        self._takers = None
        self.memo.clear()
        self.programs.clear()
        self.remembered = 0
        self.repeats = False
        self.plan = None

    @property
    def takers(self) -> "list[Taker]":
        """Slots and rows, in their usual order."""
        if self._takers is None:
            takers: list[Taker] = [*self.slots, *self.rows.values()]
            if len(takers) > 1:  # as in few bodies
                takers.sort(key=_place_of)
            self._takers = takers
        return self._takers


def _place_of(taker: "Taker") -> float:
    return taker.place


_second = itemgetter(1)


Inner: TypeAlias = Leaf | TemplateBody
Taker: TypeAlias = Slot | TemplateRow
ParsedPart: TypeAlias = tuple[Slot | TemplateRow | None, int, int]
"""What takes the children from one place up to another; None if nothing does."""


class Parsed(NamedTuple):
    """How a word was read: its parts in order, and the required slots and rows that were missing.

    Where shapes do not determine it, the kinds of the texts matter, and which of the `words`, by their numbers, these
    begin with.
    """

    parts: list[ParsedPart]
    missing: tuple[Taker, ...]
    words: Mapping[str, int] | None = None


class Program(NamedTuple):
    """What an element of a known shape contains, as it was read from the node `first` and the text `leaf` on.

    `steps` are the values to take, `fields` and `landmarks` what else was found. It holds only where texts are of the
    same kinds and begin with the same words, as far as these matter (`marks`).
    """

    first: int
    steps: "tuple[ProgramStep, ...]"
    fields: tuple[int, ...]
    landmarks: tuple[int, ...]
    leaf: int
    marks: "tuple[DecidingText, ...]"


DecidingText: TypeAlias = tuple[int, int, Mapping[str, int], int]
"""A text that mattered to how an element was read: its leaf, its kind, some words, and the number of its first one."""


class ItemSteps(NamedTuple):
    """The items of a set, each with its own steps."""

    slot: Slot
    items: "tuple[tuple[ProgramStep, ...], ...]"


class ProgramSteps(NamedTuple):
    """A program that was run `shift` nodes behind the place where it was made."""

    program: Program
    shift: int


ProgramStep: TypeAlias = tuple[Leaf, int, int] | ItemSteps | ProgramSteps
"""A value to take, from one node to another; or several of them."""


@dataclass(frozen=True, eq=False)
class Template:
    """The template of a set of pages: its alphabet, the body around their root, and the picture of what they show."""

    alphabet: Alphabet
    root: TemplateBody
    image: Reference | None = None

    @cached_property
    def landmarks(self) -> frozenset[int]:
        """The fixed texts that all pages had, outside sets, by identity: how the template is recognised."""
        return frozenset(id(part) for part in self._required if not isinstance(part, Slot) and part.fixed is not None)

    @cached_property
    def required_fields(self) -> frozenset[int]:
        """The fields and sets that all pages had, by identity."""
        return frozenset(id(part) for part in self._required if isinstance(part, Slot) or part.fixed is None)

    @cached_property
    def _required(self) -> "list[Leaf | Slot]":
        return list(_required(self.root))

    @cached_property
    def anchors(self) -> dict[tuple[int, int], Taker]:
        """Elements with fields that are recognised wherever they are, by their symbol and first text."""
        found: dict[tuple[int, int], Taker] = {}
        for key, taker in _anchors(self.root, []):
            if key not in found or taker.present > found[key].present:
                found[key] = taker
        with_fields = _with_fields(self.root, set())
        return {key: taker for key, taker in found.items() if id(taker.inner) in with_fields}


def _anchors(inner: Inner | None, found: list[tuple[tuple[int, int], Taker]]) -> list[tuple[tuple[int, int], Taker]]:
    """Elements identified by a label, outside sets: their symbol and first text."""
    if not isinstance(inner, TemplateBody):
        return found
    for label, row in inner.rows.items():
        if inner.row_members is None:
            found += [((symbol, label), row) for symbol in inner.row_symbols]
        _anchors(row.inner, found)
    for slot in inner.slots:
        if slot.take == "one" and isinstance(slot.inner, TemplateBody):
            text, count = max(slot.contents.items(), key=_second, default=(0, 0))
            if text and count >= ANCHORED * slot.present:
                first = next(leaves_in(slot.inner), None)
                if first is not None and first.fixed is not None:
                    found += [((symbol, text), slot) for symbol in slot.symbols]
            _anchors(slot.inner, found)
    return found


def _with_fields(inner: Inner | None, found: set[int]) -> set[int]:
    """By identity, everything with a field in it."""
    if isinstance(inner, Leaf):
        if inner.is_field:
            found.add(id(inner))
    elif inner is not None:
        for taker in inner.takers:
            _with_fields(taker.inner, found)
            if id(taker.inner) in found:
                found.add(id(inner))
    return found


def takes_open_rows(taker: Taker, body: TemplateBody) -> bool:
    """Whether this is where rows with unknown labels go."""
    if not body.open_rows or isinstance(taker, TemplateRow) or taker.take == "one":
        return False
    return not body.row_symbols.isdisjoint(taker.symbols)


def is_required(taker: Taker, body: Inner | None) -> bool:
    """Whether something was there every time, and more than once."""
    return isinstance(body, TemplateBody) and taker.present >= body.total > 1


def _required(inner: Inner | None) -> Iterator[Leaf | Slot]:
    """The leaves that all pages had, outside sets; and the sets with fields in them."""
    waiting: list[Inner | Slot | None] = [inner]
    while waiting:
        one = waiting.pop()
        if isinstance(one, TemplateBody):
            required = [taker for taker in one.takers if is_required(taker, one)]
            waiting += [
                taker if _is_named_set(taker) else taker.inner
                for taker in reversed(required)
                if _is_named_set(taker) or not taker.is_set
            ]
        elif one is not None:
            yield one


def _is_named_set(taker: Taker) -> TypeGuard[Slot]:
    return isinstance(taker, Slot) and taker.is_set and bool(taker.name)


def leaves_in(inner: Inner | None) -> Iterator[Leaf]:
    """All leaves below, in order."""
    waiting = [inner]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Leaf):
            yield one
        elif one is not None:
            waiting += [taker.inner for taker in reversed(one.takers)]


def fields_within(inner: Inner | None) -> "Iterator[Within]":
    """The fields that are parts of the texts below, in order."""
    return (part for leaf in leaves_in(inner) for part in leaf.within)


def copy_template(template: Template) -> Template:
    """An independent copy of a template, to be changed; caches of pages read are not copied."""
    root = _copy(template.root)
    assert isinstance(root, TemplateBody)
    return Template(template.alphabet, root, _copy_leaf(template.image))


def _copy(inner: Inner | None) -> Inner | None:
    if isinstance(inner, Leaf):
        return _copy_leaf(inner)
    if inner is None:
        return None
    slots = {
        id(slot): replace(slot, inner=_copy(slot.inner), image=_copy_leaf(slot.image), usual=None)
        for slot in inner.slots
    }
    return replace(
        inner,
        slots=list(slots.values()),
        bags={symbol: slots[id(slot)] for symbol, slot in inner.bags.items()},
        rows={label: replace(row, inner=_copy(row.inner)) for label, row in inner.rows.items()},
        memo={},
        programs={},
        remembered=0,
        repeats=False,
        plan=None,
        _takers=None,
    )


LeafKind = TypeVar("LeafKind", bound=Leaf | None)


def _copy_leaf(leaf: LeafKind) -> LeafKind:
    if leaf is None:
        return leaf
    within = list(map(_copy_leaf, leaf.within))
    return replace(leaf, texts=list(leaf.texts), link=_copy_leaf(leaf.link), within=within)


def references_in(inner: Inner | None) -> "Iterator[Reference]":
    """The references of one record: where its texts lead. Those of records in it are their own."""
    waiting = [inner]
    while waiting:
        one = waiting.pop()
        if isinstance(one, TemplateBody):
            waiting += [taker.inner for taker in reversed(one.takers) if not taker.is_set]
        elif one is not None and one.link is not None:
            yield one.link
