"""What all commands with sources share: arguments, loader and progress bar."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

import typer

from sightline.cli._console import showing_progress
from sightline.jobs import Job, Outcome, new_loader
from sightline.net import CrawlPolicy, Limits
from sightline.page import Page
from sightline.settings import Settings, setting
from sightline.sources import BrowserSettings, Loader, PdfSettings

__all__ = ["LOADING", "Json", "ReadingSettings", "Sources", "loader_for", "opened", "outcomes"]

T = TypeVar("T")

Sources = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE…",
        help="URLs, files, globs, folders, @FILE with one source a line, or - for standard input.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output, and nothing else.")]


@dataclass(frozen=True, kw_only=True)
class ReadingSettings(Settings):
    """How sources are read."""

    static: bool = setting(default=False, help="whether to use only the HTML, without a browser")


LOADING: dict[str, type[Settings]] = {
    "reading": ReadingSettings,
    "browser": BrowserSettings,
    "pdf": PdfSettings,
    "limits": Limits,
    "policy": CrawlPolicy,
}


def loader_for(settings: dict[str, Any]) -> Loader:
    """The loader that the flags of a command ask for."""
    return new_loader(
        static=settings["reading"].static,
        browser=settings["browser"],
        limits=settings["limits"],
        policy=settings["policy"],
        pdf=settings["pdf"],
    )


def outcomes(sources: list[str], settings: dict[str, Any], work: Callable[[Page, str], T]) -> Iterator[Outcome[T]]:
    """Apply a function to the pages of all sources, in order, with a progress bar on a terminal."""
    with loader_for(settings) as loader, showing_progress(lambda: loader.part) as on_progress:
        yield from Job(sources, work, loader, on_progress=on_progress)


def opened(sources: list[str], settings: dict[str, Any]) -> Iterator[Outcome[Page]]:
    """Open the pages of all sources, for commands that need them all together."""
    return outcomes(sources, settings, lambda page, _: page)
