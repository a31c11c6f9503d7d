"""The registry of methods: what can be run on a page, by name, with its settings.

Jobs, batches and flows run extractors; plugins add their own by the entry point group `sightline.extractors`, whose
entries each name an `Extractor`. The lab compares ours with the methods of papers, step by step and rule by rule. Other
people's libraries find main texts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from sightline.data import Content, Extraction, ItemList, Table, TraceStep, Verdict
from sightline.errors import UsageError
from sightline.page import Page
from sightline.plugins import plugins
from sightline.settings import Settings, describe

if TYPE_CHECKING:
    from sightline.extract.wrappers import Wrapper

ENTRY_POINTS = "sightline.extractors"
OWN_NAME = "sightline"  # our own extractor of main texts, where it is named among the others

LabTask: TypeAlias = Literal["top", "lists", "tables", "content", "structure"]
LAB_TASKS: tuple[LabTask, ...] = ("top", "lists", "tables", "content", "structure")  # in the order of the lab
Use: TypeAlias = Literal["anywhere", "lab", "main text"]


@dataclass(frozen=True)
class Extractor:
    """One extractor: its name, what it gives in the JSON contract, its settings, and the function that runs it.

    `extract` takes a page and keywords: `settings`, and whatever else the extractor can be asked for. How its results
    are drawn they say themselves (`Result.marks`).

    One with a `task` can be tried in the lab under its `title`: it takes `traced=True` and, if it `counts`, a number of
    items `k`. `rules` describes those that its settings can switch off; one from a `paper` is as published, without
    settings. `use` says where it can be named: anywhere, in the lab only, or only to find main texts.
    """

    name: str
    kind: str
    about: str
    extract: Callable[..., Extraction]
    settings: Callable[[], type[Settings]] | None = None
    task: LabTask | None = None
    title: str = ""
    paper: str | None = None
    rules: Callable[[], Mapping[str, str]] = dict
    counts: bool = False
    use: Use = "anywhere"

    def __call__(self, page: Page, **options: Any) -> Extraction:
        """Run it on a page."""
        return self.extract(page, **options)


@cache
def extractors() -> dict[str, Extractor]:
    """All extractors by name: ours, then those of plugins, which cannot take the name of ours.

    >>> list(extractors())[:4]
    ['tables', 'lists', 'top', 'content']
    """
    found = _used("anywhere")
    return found | plugins(ENTRY_POINTS, Extractor, found)


def extractor(name: str) -> Extractor:
    """The extractor of a name.

    >>> extractor("tabels")
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: There is no extractor 'tabels'; use one of tables, lists, top, content...
    """
    known = _used("anywhere")
    if name not in known:
        known = extractors()  # a look at plugins takes time
    if name not in known:
        raise UsageError(f"There is no extractor {name!r}; use one of {', '.join(known)}.")
    return known[name]


def text_extractors() -> dict[str, Extractor]:
    """Other people's extractors of main texts by name, each an extra.

    >>> list(text_extractors())
    ['trafilatura', 'readability', 'boilerpy3']
    """
    return _used("main text")


def _used(use: Use) -> dict[str, Extractor]:
    return {one.name: one for one in BUILT_IN if one.use == use}


def wrapper_extractor(wrapper: "Wrapper") -> Extractor:
    """A wrapper as an extractor; it refuses pages of another template with a `VerificationError`."""
    return Extractor(
        "wrapper",
        "records",
        "the records that a wrapper reads",
        lambda page: _records(page, wrapper),
    )


# ---------------------------------------------------------------- the lab


@dataclass(frozen=True)
class Tried:
    """What a method found on a page, every step on the way, and how long that took."""

    method: Extractor
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
    options: dict[str, Any] = {"settings": chosen.settings()(**given)} if chosen.settings else {}
    found = chosen(page, **options, **({"k": k} if chosen.counts else {}), traced=True)
    results = cast("tuple[Table | ItemList | Content, ...]", tuple(found.results))  # as those of the lab find
    steps = found.trace.steps() if found.trace else ()
    return Tried(chosen, results, steps, perf_counter() - began)


def _check_names(chosen: Extractor, given: Mapping[str, Any]) -> None:
    known = {one.name: one for one in describe(chosen.settings())} if chosen.settings else {}
    strange = next((name for name in given if name not in known), None)
    if strange is not None:
        shown = ", ".join(name for name, one in known.items() if not one.metadata["hidden"]) or "none"
        raise UsageError(f"The method {chosen.name!r} has no setting {strange!r:.60}; it has {shown}.")


def method(name: str) -> Extractor:
    """A method of the lab by its name."""
    found = methods().get(name)
    if found is None:
        raise UsageError(f"There is no method {name!r:.60}; choose one of {', '.join(methods())}.")
    return found


def methods() -> dict[str, Extractor]:
    """All methods of the lab by name, ours before those that they are compared with."""
    return {one.name: one for task in LAB_TASKS for one in BUILT_IN if one.task == task}


# ---------------------------------------------------------------- ours; each package is imported when it is first used


def _tables(
    page: Page, *, containing: str | None = None, first: int | None = None, settings: Any = None, traced: bool = False
) -> Extraction:
    from sightline.extract.tables import find_tables, trace_tables

    trace = trace_tables(page, containing=containing, settings=settings) if traced else None
    found = trace.found if trace else find_tables(page, containing=containing, settings=settings)
    return Extraction("tables", tuple(found[:first]), trace=trace)


def _lists(
    page: Page, *, containing: str | None = None, first: int | None = None, settings: Any = None, traced: bool = False
) -> Extraction:
    from sightline.extract.lists import find_lists, trace_lists

    trace = trace_lists(page, settings=settings) if traced else None
    found = trace.found if trace else find_lists(page, settings=settings)
    kept = [one for one in found if containing is None or _holds(one, containing)]
    return Extraction("lists", tuple(kept[:first]), trace=trace)


def _top(page: Page, *, k: int | None = None, settings: Any = None, traced: bool = False) -> Extraction:
    from sightline.extract.lists import find_top, trace_top

    trace = trace_top(page, k=k, settings=settings) if traced else None
    found = trace.found if trace else find_top(page, k=k, settings=settings)
    return Extraction("list", (found,) if found else (), single=True, trace=trace)


def _content(
    page: Page, *, by: str | None = None, clean: bool = False, settings: Any = None, traced: bool = False
) -> Extraction:
    from sightline.extract.content import find_content, trace_content

    trace = trace_content(page, settings=settings) if traced else None
    found = trace.found if trace else find_content(page, by=None if by == OWN_NAME else by, settings=settings)
    reasons: tuple[str, ...] = ()
    if clean:
        found, reasons = _cleaned(page, found)
    if len(found) and found.score:
        verdict: Verdict = "suspicious" if found.doubts else "ok"
        return Extraction(
            "content", (found,), single=True, verdict=verdict, reasons=(*found.doubts, *reasons), trace=trace
        )
    reason = "the page shows no text" if len(found) else "no text was found on the page"
    return Extraction("content", (found,), single=True, verdict="suspicious", reasons=(reason,), trace=trace)


def _about(page: Page, *, settings: Any = None, traced: bool = False) -> Extraction:
    from sightline.extract.about import trace_about

    trace = trace_about(page, settings=settings)
    found = trace.found
    reasons = tuple(f"{one.field}: {one.reason}" for one in found.doubts)
    if found.fields and not len(found):
        reasons = (*reasons, "none of the fields that were asked for was found; see the proposals.")
    elif found.kind is None and not found.fields:
        why = "is a list of things; `sightline lists` reads it" if found.is_list else "is about no single thing"
        reasons = (f"the page {why}.",)
    verdict: Verdict = "suspicious" if reasons else "ok"
    return Extraction("thing", (found,), single=True, verdict=verdict, reasons=reasons, trace=trace if traced else None)


def _cleaned(page: Page, found: Content) -> tuple[Content, tuple[str, ...]]:
    """The text without its visual outliers, and what became of them."""
    from sightline.extract.content import without_outliers

    if page.bounds is None:
        return found, ("it has no layout, so nothing can be left out for its looks; open it with a browser.",)
    kept = without_outliers(page, found)
    gone = len(found) - len(kept)
    return kept, (f"{gone} part{'s' * (gone > 1)} that look{'s' * (gone == 1)} unlike the rest left out.",) * bool(gone)


def _records(page: Page, wrapper: "Wrapper") -> Extraction:
    found = wrapper.read(page)
    if found.verdict == "failed":
        wrapper.extract(page)  # which says why it refuses the page
    reasons = tuple(problem.what for problem in found.problems)
    return Extraction("records", (found.records,), single=True, verdict=found.verdict, reasons=reasons)


def _holds(found: ItemList, word: str) -> bool:
    """Whether a text occurs in the caption of a list or in one of its items, in any case."""
    wanted = " ".join(word.split()).casefold()
    texts = (found.caption or "", *(item.text.text for item in found))
    return any(wanted in " ".join(text.split()).casefold() for text in texts)


def _basic_top(page: Page, *, k: int | None = None, traced: bool = False) -> Extraction:
    from sightline.extract.published import trace_basic_top

    trace = trace_basic_top(page, k=k)
    return Extraction("list", (trace.found,) if trace.found else (), single=True, trace=trace if traced else None)


def _ventrec(page: Page, *, traced: bool = False) -> Extraction:
    from sightline.extract.published import trace_ventrec

    trace = trace_ventrec(page)
    return Extraction("tables", trace.found, trace=trace if traced else None)


def _structure(page: Page, *, settings: Any = None, traced: bool = False) -> Extraction:
    from sightline.extract.structure import trace_structure
    from sightline.extract.tables import find_tables

    if page.kind != "pdf" or not len(page.with_tag("span")):
        raise UsageError("The structure is found on PDFs as they are printed; open a PDF.")
    trace = trace_structure(page, settings=settings)
    return Extraction("tables", tuple(find_tables(trace.found)), trace=trace if traced else None)


def _later(package: str, name: str) -> Callable[[], Any]:
    """What a package of extractors holds under a name, imported when it is asked for."""
    return lambda: getattr(import_module(f"sightline.extract.{package}"), name)


BUILT_IN = (
    Extractor(
        "tables",
        "tables",
        "Grids of cells from the boxes of elements and of words, scored by the evidence for and against them.",
        _tables,
        _later("tables", "TableSettings"),
        task="tables",
        title="Tables",
        rules=_later("tables", "RULES"),
    ),
    Extractor(
        "lists",
        "lists",
        "Everything that repeats, as records with named parts.",
        _lists,
        _later("lists", "ListSettings"),
        task="lists",
        title="Lists",
        rules=_later("lists", "LIST_RULES"),
    ),
    Extractor(
        "top",
        "list",
        "The k items that the title promises.",
        _top,
        _later("lists", "TopSettings"),
        task="top",
        title="Top-k list",
        rules=_later("lists", "TOP_RULES"),
        counts=True,
    ),
    Extractor(
        "content",
        "content",
        "The blocks of a page that it is about.",
        _content,
        _later("content", "ContentSettings"),
        task="content",
        title="Main text",
    ),
    Extractor(
        "about",
        "thing",
        "What a page is about: one thing, with what is seen and what is said of it compared.",
        _about,
        _later("about", "AboutSettings"),
    ),
    Extractor(
        "basic top-k",
        "list",
        "Exactly k nodes of one tag path, grown up to their items; the list with the most words wins.",
        _basic_top,
        task="top",
        title="Basic top-k",
        paper="Zhang, Zhu, Wang and Li, ICDE 2013",
        counts=True,
        use="lab",
    ),
    Extractor(
        "ventrec",
        "tables",
        "A box grows onto its twins, in all directions, until it is a table.",
        _ventrec,
        task="tables",
        title="VENTrec",
        paper="Gatterbauer and Bohunsky, AAAI 2006",
        use="lab",
    ),
    Extractor(
        "structure",
        "tables",
        "Edges, pieces of lines, areas, rows and columns, and what each part of a sheet is.",
        _structure,
        _later("structure", "StructureSettings"),
        task="structure",
        title="Structure of a PDF",
        rules=_later("structure", "RULES"),
        use="lab",
    ),
    *(
        Extractor(name, "content", f"The main text by {name}.", partial(_content, by=name), use="main text")
        for name in ("trafilatura", "readability", "boilerpy3")
    ),
)
