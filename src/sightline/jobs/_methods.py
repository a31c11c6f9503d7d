"""Methods to compare on one page: ours with each of its rules, and those of the papers as published; step by step."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Literal, TypeAlias

from sightline.data import Content, ItemList, Table, TraceStep
from sightline.errors import UsageError
from sightline.page import Page
from sightline.settings import Settings

__all__ = ["Method", "MethodKind", "Tried", "method", "methods", "try_method"]

MethodKind: TypeAlias = Literal["tables", "lists", "top", "content", "structure"]


@dataclass(frozen=True)
class Method:
    """A method: what it finds, which paper it is from if any, and the rules and settings that can be changed.

    `run` takes a page, the settings if it has any, and the number of items that is asked for.
    """

    name: str
    title: str
    about: str
    kind: MethodKind
    run: Callable[[Page, Settings | None, int | None], "Outcomes"]
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
    given = chosen.settings(**_with_rules(settings or {}, without)) if chosen.settings else None
    began = perf_counter()
    found, steps = chosen.run(page, given, k)
    return Tried(chosen, found, steps, perf_counter() - began)


def _with_rules(settings: Mapping[str, Any], without: tuple[str, ...]) -> dict[str, Any]:
    return {**settings, "without": without} if without else dict(settings)


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


def _top(page: Page, settings: Settings | None, k: int | None) -> Outcomes:
    from sightline.extract.lists import TopSettings, trace_top

    assert settings is None or isinstance(settings, TopSettings)
    trace = trace_top(page, k=k, settings=settings)
    return ((trace.found,) if trace.found else ()), trace.steps()


def _basic_top(page: Page, _settings: Settings | None, k: int | None) -> Outcomes:
    from sightline.extract.published import trace_basic_top

    trace = trace_basic_top(page, k=k)
    return ((trace.found,) if trace.found else ()), trace.steps()


def _lists(page: Page, settings: Settings | None, _k: int | None) -> Outcomes:
    from sightline.extract.lists import ListSettings, trace_lists

    assert settings is None or isinstance(settings, ListSettings)
    trace = trace_lists(page, settings=settings)
    return trace.found, trace.steps()


def _tables(page: Page, settings: Settings | None, _k: int | None) -> Outcomes:
    from sightline.extract.tables import TableSettings, trace_tables

    assert settings is None or isinstance(settings, TableSettings)
    trace = trace_tables(page, settings=settings)
    return trace.found, trace.steps()


def _ventrec(page: Page, _settings: Settings | None, _k: int | None) -> Outcomes:
    from sightline.extract.published import trace_ventrec

    trace = trace_ventrec(page)
    return trace.found, trace.steps()


def _content(page: Page, settings: Settings | None, _k: int | None) -> Outcomes:
    from sightline.extract.content import ContentSettings, trace_content

    assert settings is None or isinstance(settings, ContentSettings)
    trace = trace_content(page, settings=settings)
    return (trace.found,), trace.steps()


def _structure(page: Page, settings: Settings | None, _k: int | None) -> Outcomes:
    from sightline.extract.structure import StructureSettings, trace_structure
    from sightline.extract.tables import find_tables

    assert settings is None or isinstance(settings, StructureSettings)
    if page.kind != "pdf" or not len(page.with_tag("span")):
        raise UsageError("The structure is found on PDFs as they are printed; open a PDF.")
    trace = trace_structure(page, settings=settings)
    return tuple(find_tables(trace.found)), trace.steps()
