"""`sightline save`: captured pages, each in one `.page` file."""

import re
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from sightline import save as save_page
from sightline.cli._console import output
from sightline.cli._flags import takes
from sightline.cli._report import Reporter
from sightline.cli._sources import LOADING, Json, Sources, outcomes
from sightline.cli._text import clean
from sightline.errors import OutputError, UsageError
from sightline.page import Page

__all__ = ["register"]

SUFFIXES = (".page", ".html", ".xhtml")
LONGEST_NAME = 100
NOT_IN_NAMES = re.compile(r"[^\w.-]+")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes(**LOADING)(save))


def save(
    sources: Sources,
    *,
    out: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="A .page file, a folder for several pages, or an .html file for clean XHTML.",
            show_default=False,
        ),
    ],
    json: Json = False,
    **settings: Any,
) -> None:
    """Save pages exactly as rendered (tree, texts, boxes, styles), to reopen without network or browser.

    [bold]Examples[/]

      sightline save https://example.org/cameras -o cameras.page

      sightline save "pages/*.html" crawl.warc.gz -o captured/

      sightline save https://example.org --screenshot --scroll -o x.page

      sightline save report.pdf --sheets 1-20 -o report.html
    """
    names = _Names(out)
    if len(sources) > 1 and out.suffix in SUFFIXES:
        raise UsageError(f"{out} can hold only one page; name a folder to save several.")
    reporter = Reporter("saved", json=json)
    with reporter:
        for name, _, facts in reporter.found(
            outcomes(sources, settings, lambda page, source: _saved(page, names.take(source)))
        ):
            reporter.add(name, facts)
            if not json:
                output.print(f"{clean(name)} → {clean(facts['path'])} ({facts['bytes']:,} bytes)", markup=False)
    reporter.finish()


def _saved(page: Page, path: Path) -> dict[str, Any]:
    save_page(page, path)
    return {"path": str(path), "id": page.id, "bytes": path.stat().st_size, "nodes": len(page)}


class _Names:
    """Gives every page its own file: the named one, or one in the named folder."""

    def __init__(self, out: Path) -> None:
        self._single = out if out.suffix in SUFFIXES else None
        self._folder = out
        self._taken: set[str] = set()
        if out.suffix and not self._single and not out.is_dir():
            raise UsageError(
                f"{out}: pages are saved as .page or .html files; use one of these suffixes, or name a folder."
            )

    def take(self, source: str) -> Path:
        if self._single:
            if self._taken:
                raise UsageError(f"{self._single} can hold only one page; name a folder to save several.")
            self._taken.add(str(self._single))
            return self._single
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise OutputError(
                f"Could not create the folder {self._folder}: {problem.strerror}; choose another place."
            ) from problem
        return self._folder / self._fresh(_file_name(source))

    def _fresh(self, name: str) -> str:
        """The name, with a number if it is already in use; names that differ only in case count as the same."""
        candidate, count = name, 1
        while candidate.casefold() in self._taken:
            count += 1
            candidate = f"{name}-{count}"
        self._taken.add(candidate.casefold())
        return candidate + ".page"


def _file_name(source: str) -> str:
    """A plain file name derived from the source: never a path, never hidden, never too long."""
    place = urlsplit(source)
    word = f"{place.netloc}{place.path}" if place.scheme in ("http", "https") else Path(source).name
    if word.lower() in ("index.html", "index.htm"):
        word = f"{Path(source).absolute().parent.name}-{word}"
    plain = NOT_IN_NAMES.sub("-", word.removesuffix(".html").removesuffix(".htm")).strip("-.")
    return plain[:LONGEST_NAME] or "page"
