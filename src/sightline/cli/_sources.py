"""What every command that takes sources shares: its arguments, its loader, its results and its exit status."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from sightline import Page
from sightline._api import new_loader
from sightline.cli._console import complain, print_json, progress, remark
from sightline.errors import SightlineError
from sightline.settings import Settings, setting
from sightline.sources import BrowserSettings, Limits, Loaded, Manners, PdfSettings

__all__ = ["LOADING", "SUSPICIOUS", "Json", "ReadingSettings", "Sources", "Suspicious", "failure", "pages", "report"]

SUSPICIOUS = 3  # the exit status

Sources = Annotated[
    list[str],
    typer.Argument(metavar="SOURCE…", help="URLs, files, globs, folders, or - for standard input.", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output, and nothing else.")]


@dataclass(frozen=True, kw_only=True)
class ReadingSettings(Settings):
    """How sources are read."""

    static: bool = setting(default=False, help="whether to work from the HTML alone, without a browser")


LOADING: dict[str, type[Settings]] = {
    "reading": ReadingSettings,
    "browser": BrowserSettings,
    "pdf": PdfSettings,
    "limits": Limits,
    "manners": Manners,
}


def pages(sources: list[str], settings: dict[str, Any]) -> Iterator[Loaded]:
    """The pages of all sources, several at once, in order, with a bar on a terminal."""
    with new_loader(
        static=settings["reading"].static,
        settings=settings["browser"],
        limits=settings["limits"],
        manners=settings["manners"],
        pdf=settings["pdf"],
    ) as loader:
        total = len(sources) if not any(source == "-" for source in sources) else None
        yield from progress(loader.load_all(sources), total=total, what="Opening pages")


@dataclass(frozen=True)
class Suspicious:
    """What was found on a page, with reason to doubt it."""

    found: Any


def report(
    loaded: Iterator[Loaded],
    kind: str,
    found: Callable[[Page, str], Any],
    *,
    json: bool,
    show: Callable[[str, Page, Any], None],
) -> None:
    """Do something with every page and tell of it: by the JSON contract or page by page; leave with the status."""
    results: list[dict[str, Any]] = []
    for one in loaded:
        entry: dict[str, Any] = {"source": one.source, "kind": kind, "verdict": None, kind: None, "error": None}
        try:
            if one.error:
                raise one.error
            assert one.page is not None
            entry |= _judged(kind, found(one.page, one.source))
        except SightlineError as error:
            entry |= failure(error)
            complain(error.message)
        else:
            for note in one.page.notes:
                remark(f"{one.source}: {note}")
            if not json:
                show(one.source, one.page, entry[kind])
        results.append(entry)
    if json:
        print_json({"results": results})
    verdicts = {entry["verdict"] for entry in results}
    if verdicts & {"failed", "suspicious"}:
        raise typer.Exit(1 if "failed" in verdicts else SUSPICIOUS)


def failure(error: SightlineError) -> dict[str, Any]:
    """What a result says of an error."""
    return {"verdict": "failed", "error": {"type": type(error).__name__, "message": error.message}}


def _judged(kind: str, found: Any) -> dict[str, Any]:
    doubtful = isinstance(found, Suspicious)
    return {"verdict": "suspicious", kind: found.found} if doubtful else {"verdict": "ok", kind: found}
