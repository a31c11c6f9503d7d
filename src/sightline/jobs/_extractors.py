"""The registry of extractors: what can be run on a page, by name, with its settings.

Plugins add their own by the entry point group `sightline.extractors`; each entry names an `Extractor`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sightline.data import Content, Extraction, ItemList, Verdict
from sightline.errors import UsageError
from sightline.page import Page
from sightline.settings import Settings

if TYPE_CHECKING:
    from sightline.extract.wrappers import Wrapper

__all__ = ["ENTRY_POINTS", "Extractor", "extractor", "extractors", "wrapper_extractor"]

ENTRY_POINTS = "sightline.extractors"


@dataclass(frozen=True)
class Extractor:
    """One extractor: its name, what it gives in the JSON contract, its settings, and the function that runs it.

    `extract` takes a page and keywords: `settings`, and whatever else the extractor can be asked for. How its results
    are drawn they say themselves (`Result.marks`).
    """

    name: str
    kind: str
    about: str
    extract: Callable[..., Extraction]
    settings: Callable[[], type[Settings]] | None = None

    def __call__(self, page: Page, **options: Any) -> Extraction:
        """Run it on a page."""
        return self.extract(page, **options)


@cache
def extractors() -> dict[str, Extractor]:
    """All extractors by name: ours, then those of plugins, which cannot take the name of ours.

    >>> list(extractors())[:4]
    ['tables', 'lists', 'top', 'content']
    """
    from importlib.metadata import entry_points  # slow to import

    found = {entry.name: entry for entry in BUILT_IN}
    for point in entry_points(group=ENTRY_POINTS):
        plugin = point.load()
        if not isinstance(plugin, Extractor):
            raise UsageError(
                f"The plugin {point.name} ({point.value}) names {plugin!r:.60}, not a sightline.jobs.Extractor; "
                "fix its entry point or uninstall it."
            )
        if plugin.name in found:
            raise UsageError(f"Two extractors are called {plugin.name!r}; uninstall the plugin {point.value}.")
        found[plugin.name] = plugin
    return found


def extractor(name: str) -> Extractor:
    """The extractor of a name.

    >>> extractor("tabels")
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: There is no extractor 'tabels'; use one of tables, lists, top, content...
    """
    built_in = next((entry for entry in BUILT_IN if entry.name == name), None)
    if built_in:
        return built_in  # without a look at plugins, which takes time
    known = extractors()
    if name not in known:
        raise UsageError(f"There is no extractor {name!r}; use one of {', '.join(known)}.")
    return known[name]


def wrapper_extractor(wrapper: "Wrapper") -> Extractor:
    """A wrapper as an extractor; it refuses pages of another template with a `VerificationError`."""
    return Extractor(
        "wrapper",
        "records",
        "the records that a wrapper reads",
        lambda page: _records(page, wrapper),
    )


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


def _content(page: Page, *, by: str | None = None, clean: bool = False, settings: Any = None) -> Extraction:
    from sightline.extract.content import OWN_NAME, find_content

    found = find_content(page, by=None if by == OWN_NAME else by, settings=settings)
    reasons: tuple[str, ...] = ()
    if clean:
        found, reasons = _cleaned(page, found)
    if len(found) and found.score:
        verdict: Verdict = "suspicious" if found.doubts else "ok"
        return Extraction("content", (found,), single=True, verdict=verdict, reasons=(*found.doubts, *reasons))
    reason = "the page shows no text" if len(found) else "no text was found on the page"
    return Extraction("content", (found,), single=True, verdict="suspicious", reasons=(reason,))


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


def _table_settings() -> type[Settings]:
    from sightline.extract.tables import TableSettings

    return TableSettings


def _list_settings() -> type[Settings]:
    from sightline.extract.lists import ListSettings

    return ListSettings


def _top_settings() -> type[Settings]:
    from sightline.extract.lists import TopSettings

    return TopSettings


def _content_settings() -> type[Settings]:
    from sightline.extract.content import ContentSettings

    return ContentSettings


BUILT_IN = (
    Extractor("tables", "tables", "the data tables of a page, best first", _tables, _table_settings),
    Extractor("lists", "lists", "every repeated region of a page, as records", _lists, _list_settings),
    Extractor("top", "list", "the k items that the title of a page promises", _top, _top_settings),
    Extractor("content", "content", "the main text of a page", _content, _content_settings),
)
