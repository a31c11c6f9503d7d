"""The common shape of results: what every extractor returns, and what can be printed, drawn, checked and stored."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    Protocol,
    Self,
    TypeAlias,
    TypeVar,
    get_args,
    runtime_checkable,
)

from sightline.data._column import Column
from sightline.data._value import Origin, Value
from sightline.geometry import Box

# -- results that make their larger parts when they are first asked for ---------------------------------------------

Kind = TypeVar("Kind", bound="type[MadeLater]")


Make: TypeAlias = Callable[[], Mapping[str, object]]


class MadeLater:
    """A frozen dataclass some of whose fields, `late_fields`, can be made when one of them is first asked for.

    Until then the object refers to what they are made of, such as a page; a copy or a pickle has them made.
    """

    late_fields: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def made_later(cls, make: Make | Mapping[str, Make], **details: Any) -> Self:
        """An object with these details; `make` makes its late fields, or some for each name. Nothing is checked."""
        made = cls.__new__(cls)
        makes = make if isinstance(make, Mapping) else dict.fromkeys(cls.late_fields, make)
        made.__dict__.update(details, _later=makes)
        return made

    if not TYPE_CHECKING:  # for type checkers there are the fields alone

        def __getattr__(self, name: str) -> object:
            """A late field; Python asks here only for what is not there."""
            make = self.__dict__.get("_later", {}).get(name)
            if make:
                self.__dict__.update(make())
                if all(field in self.__dict__ for field in self.late_fields):
                    self.__dict__.pop("_later", None)
            elif name not in self.__dict__:  # another thread may have made it meanwhile
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            return self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what the late fields are made of."""
        made = {name: getattr(self, name) for name in self.late_fields}
        return made | {name: value for name, value in self.__dict__.items() if name != "_later"}


def late(*names: str) -> Callable[[Kind], Kind]:
    """Let these fields of a dataclass be made later: the class drops their defaults, which its constructor keeps.

    With a default on the class, Python would never ask for what is not there yet.
    """

    def mark(kind: Kind) -> Kind:
        kind.late_fields = names
        for name in names:
            if name in kind.__dict__:
                delattr(kind, name)
        return kind

    return mark


# -- from the model to plain Python and JSON, for users who do not know our classes ---------------------------------

XPath: TypeAlias = Callable[[Origin], str | None]
"""Finds the XPath of an origin, which takes the page itself."""


@dataclass(frozen=True, slots=True)
class Plain:
    """How to convert values: as seen, typed, or with their origins."""

    typed: bool = False
    origins: bool = False
    xpath: XPath | None = None

    def of(self, value: Value | None) -> Any:
        """One value; None stays None.

        >>> Plain().of(Value("5 kg", 5.0)), Plain(typed=True).of(Value("5 kg", 5.0))
        ('5 kg', 5.0)
        >>> Plain(origins=True).of(Value("5 kg", 5.0))
        {'text': '5 kg', 'value': 5.0, 'xpath': None, 'box': None}
        """
        if value is None:
            return None
        if self.origins:
            return {"text": value.text, "value": value.value, **self.place(value.origin)}
        return value.value if self.typed and value.value is not None else value.text

    def place(self, origin: Origin | None) -> dict[str, Any]:
        """Box and XPath of an origin, as the JSON contract names them, and the whole text that a value is part of."""
        xpath = self.xpath(origin) if origin and self.xpath else None
        place = {"xpath": xpath, "box": box_json(origin.box) if origin else None}
        return place | {"original": origin.original} if origin and origin.original else place


def box_json(box: Box | None) -> list[float] | None:
    """A box for JSON; an undefined box (NaN) is null."""
    return None if box is None or box[0] != box[0] else list(box)


# -- the common shape of results ------------------------------------------------------------------------------------

# What to draw over the picture of a page: boxes in the colour of what they are.

SERIES = 6  # colours that can be told apart beside each other


@dataclass(frozen=True)
class Mark:
    """A box to draw: what is in it (which decides the colour), and how the legend and a badge name it.

    A hollow mark is only a frame; a thin one is the frame of a part inside another frame.
    """

    box: Box
    kind: str = "other"
    label: str = ""
    hollow: bool = False
    thin: bool = False
    badge: str = ""


def series(number: int) -> str:
    """The kind of mark for the n-th of several alike things; colours come again after the last.

    >>> series(1), series(7)
    ('series 1', 'series 1')
    """
    return f"series {(number - 1) % SERIES + 1}"


# The verdict on a page or a run.

Verdict: TypeAlias = Literal["ok", "suspicious", "failed"]
"""Whether data can be trusted: `ok` as far as can be told, `suspicious` with reasons to check, or `failed`."""


def verdict_of_pages(verdicts: Collection[Verdict], *, most_suspicious: float = 0.0) -> Verdict:
    """The verdict on a run by those on its pages; `most_suspicious` is the share of them that may be so in an ok run.

    Checks and repairs judge by it, so that neither calls a run ok if one of its pages was suspicious when it was read.

    >>> verdict_of_pages(["ok", "suspicious"]), verdict_of_pages(["failed", "ok"]), verdict_of_pages(["failed"])
    ('suspicious', 'suspicious', 'failed')
    """
    failed, suspicious = (sum(verdict == word for verdict in verdicts) for word in ("failed", "suspicious"))
    if failed and failed == len(verdicts):
        return "failed"
    return "suspicious" if failed or suspicious > most_suspicious * len(verdicts) else "ok"


def worst_verdict(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of some verdicts; `ok` if there is none.

    >>> worst_verdict(["ok", "failed", "suspicious"]), worst_verdict([])
    ('failed', 'ok')
    """
    return max(verdicts, key=get_args(Verdict).index, default="ok")


@runtime_checkable
class Result(Protocol):
    """Something found on a page. `Table`, `ItemList`, `Content` and `Records` are results.

    >>> from sightline.data import Table
    >>> isinstance(Table.from_rows([["a"], ["1"]]), Result)
    True
    """

    result_kind: ClassVar[str]

    def values(self) -> Iterator[Value]:
        """Every value, with its origin."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The flat, typed columns."""

    def to_json(self, *, origins: bool = False, xpath: XPath | None = None) -> dict[str, Any]:
        """The document of the JSON contract."""

    def marks(self, number: int = 1) -> list[Mark]:
        """What to draw; `number` is its place among the results of the page."""


def result_marks(results: Iterable[Result]) -> list[Mark]:
    """What to draw of several results of one page, each by its number."""
    return [mark for number, result in enumerate(results, start=1) for mark in result.marks(number)]


@dataclass(frozen=True)
class TraceStep:
    """A step of a search: its name, what it does, what it examined, and where that is on the page.

    Each row is one candidate that the step examined, as plain facts by name.
    """

    name: str
    about: str
    rows: tuple[dict[str, Any], ...] = ()
    boxes: tuple[Box, ...] = ()


@runtime_checkable
class Trace(Protocol):
    """Every step of a search, to show why something was found or left out."""

    @property
    def found(self) -> Any:
        """What the search found: the same as without a trace."""

    def steps(self) -> tuple[TraceStep, ...]:
        """The steps, in order."""


@dataclass(frozen=True)
class Extraction:
    """What an extractor found on a page, with a verdict.

    `kind` names it in the JSON contract (`tables`, `lists`, `list`, `content`, `records`). An extractor that finds at
    most one result is `single`: its document is not in a list.

    >>> from sightline.data import Table
    >>> found = Extraction("tables", (Table.from_rows([["a"], ["1"]]),))
    >>> len(found), found.to_json()[0]["rows"]
    (1, [['a'], ['1']])
    """

    kind: str
    results: Sequence[Result] = ()
    single: bool = False
    verdict: Verdict = "ok"
    reasons: tuple[str, ...] = ()
    trace: Trace | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def values(self) -> Iterator[Value]:
        """Every value of every result."""
        return (value for result in self.results for value in result.values())

    def marks(self) -> list[Mark]:
        """What to draw of all results."""
        return result_marks(self.results)

    def to_json(self, **how: Any) -> Any:
        """The documents of the JSON contract: a list, or a single document, or None if nothing was found."""
        documents = [result.to_json(**how) for result in self.results]
        return next(iter(documents), None) if self.single else documents
