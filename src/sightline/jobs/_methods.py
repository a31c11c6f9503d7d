"""Methods to compare on one page: ours with each of its rules, and those of the papers as published; step by step."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Literal, TypeAlias

from sightline.data import Content, ItemList, Table, TraceStep
from sightline.errors import UsageError
from sightline.page import Page
from sightline.settings import Settings, describe

__all__ = ["Method", "MethodKind", "Tried", "method", "methods", "try_method"]

MethodKind: TypeAlias = Literal["tables", "lists", "top", "content", "structure"]


@dataclass(frozen=True)
class Method:
    """A method: what it finds, which paper it is from if any, and the rules and settings that can be changed.

    `run` takes a page, the values of settings by name, and the number of items that is asked for.
    """

    name: str
    title: str
    about: str
    kind: MethodKind
    run: Callable[[Page, Mapping[str, Any], int | None], "Outcomes"]
    paper: str | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    settings: type[Settings] | None = None
    counts: bool = False  # whether it can be asked for a number of items


Outcomes: TypeAlias = tuple[tuple[Table | ItemList | Content, ...], tuple[TraceStep, ...]]


@dataclass(frozen=True)
class Tried:
    """What a method found on a page, every step on the way, and how long that took."""

    method: Method
    found: tuple[Table | ItemList | Content, ...]
    steps: tuple[TraceStep, ...]
    seconds: float


def try_method(
    page: Page,
    name: str,
    *,
    k: int | None = None,
    without: tuple[str, ...] = (),
    settings: Mapping[str, Any] | None = None,
) -> Tried:
    """Run a method on a page, `without` some of its rules.

    >>> from sightline.testing import list_page
    >>> tried = try_method(list_page(["Sirius", "Rigel", "Vega"]), "basic top-k", k=3)
    >>> len(tried.found[0]), [step.name for step in tried.steps]
    (3, ['promise', 'classes', 'growth', 'choice'])
    >>> try_method(list_page(["Sirius"]), "guessing")
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: There is no method 'guessing'; choose one of top, basic top-k, lists, tables, ...
    """
    chosen = method(name)
    if k is not None and not chosen.counts:
        raise UsageError(f"The method {name!r} cannot be asked for a number of items; leave out k.")
    if (without or settings) and chosen.settings is None:
        raise UsageError(f"The method {name!r} is as its paper has it, so nothing about it can be changed.")
    given = {**(settings or {}), **({"without": without} if without else {})}
    _check_names(chosen, given)
    began = perf_counter()
    found, steps = chosen.run(page, given, k)
    return Tried(chosen, found, steps, perf_counter() - began)


def _check_names(chosen: Method, given: Mapping[str, Any]) -> None:
    known = {one.name: one for one in describe(chosen.settings)} if chosen.settings else {}
    strange = next((name for name in given if name not in known), None)
    if strange is not None:
        shown = ", ".join(name for name, one in known.items() if not one.metadata["hidden"]) or "none"
        raise UsageError(f"The method {chosen.name!r} has no setting {strange!r:.60}; it has {shown}.")


def method(name: str) -> Method:
    """A method by its name."""
    found = methods().get(name)
    if found is None:
        raise UsageError(f"There is no method {name!r:.60}; choose one of {', '.join(methods())}.")
    return found


def methods() -> dict[str, Method]:
    """All methods by name, ours before those that they are compared with."""
    from sightline.extract.content import ContentSettings
    from sightline.extract.lists import LIST_RULES, TOP_RULES, ListSettings, TopSettings
    from sightline.extract.structure import RULES as STRUCTURE_RULES
    from sightline.extract.structure import StructureSettings
    from sightline.extract.tables import RULES as TABLE_RULES
    from sightline.extract.tables import TableSettings

    found = (
        Method(
            "top",
            "Top-k list",
            "The k items that the title promises.",
            "top",
            _top,
            rules=TOP_RULES,
            settings=TopSettings,
            counts=True,
        ),
        Method(
            "basic top-k",
            "Basic top-k",
            "Exactly k nodes of one tag path, grown up to their items; the list with the most words wins.",
            "top",
            _basic_top,
            paper="Zhang, Zhu, Wang and Li, ICDE 2013",
            counts=True,
        ),
        Method(
            "lists",
            "Lists",
            "Everything that repeats, as records with named parts.",
            "lists",
            _lists,
            rules=LIST_RULES,
            settings=ListSettings,
        ),
        Method(
            "tables",
            "Tables",
            "Grids of cells from the boxes of elements and of words, scored by the evidence for and against them.",
            "tables",
            _tables,
            rules=TABLE_RULES,
            settings=TableSettings,
        ),
        Method(
            "ventrec",
            "VENTrec",
            "A box grows onto its twins, in all directions, until it is a table.",
            "tables",
            _ventrec,
            paper="Gatterbauer and Bohunsky, AAAI 2006",
        ),
        Method(
            "content",
            "Main text",
            "The blocks of a page that it is about.",
            "content",
            _content,
            settings=ContentSettings,
        ),
        Method(
            "structure",
            "Structure of a PDF",
            "Edges, pieces of lines, areas, rows and columns, and what each part of a sheet is.",
            "structure",
            _structure,
            rules=STRUCTURE_RULES,
            settings=StructureSettings,
        ),
    )
    return {one.name: one for one in found}


def _top(page: Page, settings: Mapping[str, Any], k: int | None) -> Outcomes:
    from sightline.extract.lists import TopSettings, trace_top

    trace = trace_top(page, k=k, settings=TopSettings(**settings))
    return ((trace.found,) if trace.found else ()), trace.steps()


def _basic_top(page: Page, _settings: Mapping[str, Any], k: int | None) -> Outcomes:
    from sightline.extract.published import trace_basic_top

    trace = trace_basic_top(page, k=k)
    return ((trace.found,) if trace.found else ()), trace.steps()


def _lists(page: Page, settings: Mapping[str, Any], _k: int | None) -> Outcomes:
    from sightline.extract.lists import ListSettings, trace_lists

    trace = trace_lists(page, settings=ListSettings(**settings))
    return trace.found, trace.steps()


def _tables(page: Page, settings: Mapping[str, Any], _k: int | None) -> Outcomes:
    from sightline.extract.tables import TableSettings, trace_tables

    trace = trace_tables(page, settings=TableSettings(**settings))
    return trace.found, trace.steps()


def _ventrec(page: Page, _settings: Mapping[str, Any], _k: int | None) -> Outcomes:
    from sightline.extract.published import trace_ventrec

    trace = trace_ventrec(page)
    return trace.found, trace.steps()


def _content(page: Page, settings: Mapping[str, Any], _k: int | None) -> Outcomes:
    from sightline.extract.content import ContentSettings, trace_content

    trace = trace_content(page, settings=ContentSettings(**settings))
    return (trace.found,), trace.steps()


def _structure(page: Page, settings: Mapping[str, Any], _k: int | None) -> Outcomes:
    from sightline.extract.structure import StructureSettings, trace_structure
    from sightline.extract.tables import find_tables

    if page.kind != "pdf" or not len(page.with_tag("span")):
        raise UsageError("The structure is found on PDFs as they are printed; open a PDF.")
    trace = trace_structure(page, settings=StructureSettings(**settings))
    return tuple(find_tables(trace.found)), trace.steps()
