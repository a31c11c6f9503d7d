"""The common shape of results: what every extractor returns, and what can be printed, drawn, checked and stored."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, get_args, runtime_checkable

from sightline.data._column import Column
from sightline.data._plain_python import XPath
from sightline.data._value import Value
from sightline.geometry import Box

__all__ = [
    "SERIES",
    "Extraction",
    "Mark",
    "Result",
    "Trace",
    "TraceStep",
    "Verdict",
    "result_marks",
    "series",
    "verdict_of_pages",
    "worst_verdict",
]

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
