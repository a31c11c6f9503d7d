"""`sightline show` and `save`: what is on a page, as text or as a picture, and the page itself as a file."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from rich.text import Text

from sightline import save
from sightline.cli._console import output, remark
from sightline.cli._files import draw, prepare_image
from sightline.cli._flags import REQUIRED, flag, switch
from sightline.cli._sources import JsonFlags, Reporter, SourceOpening, Sources
from sightline.cli._text import clean
from sightline.errors import OutputError, UsageError
from sightline.geometry import as_box
from sightline.page import Page

ROWS = 40


@dataclass(frozen=True, kw_only=True)
class ShowFlags(JsonFlags):
    """How a page is shown."""

    image: Path | None = flag(None, help="draw the page with everything visible framed, to this PNG file")
    everything: bool = switch(help="list everything, not only the first lines", names="--all")


def show_command(sources: Sources, flags: ShowFlags, loading: SourceOpening) -> None:
    """Show what is on a page: its kind and size, and every visible text with its position.

    [bold]Examples[/]

      sightline show examples/cameras.html

      sightline show https://example.org --image page.png

      sightline show saved.page --json
    """
    loading = prepare_image(flags.image, sources, loading)
    reporter = Reporter("page", json=flags.json)
    with reporter:
        for name, page, facts in reporter.over(sources, loading, lambda page, _: describe(page)):
            if flags.image:
                from sightline.draw import marks_of_page  # slow to import, rarely needed

                draw(page, marks_of_page(page), flags.image)
            reporter.add(name, facts)
            if not flags.json:
                _print(name, facts, None if flags.everything else ROWS)
    reporter.finish()


def describe(page: Page) -> dict[str, Any]:
    """The facts about a page, as plain values for JSON."""
    texts = np.flatnonzero(page.is_text & ~page.is_blank & page.visible)
    return {
        "id": page.id,
        "url": page.url,
        "title": page.title,
        "kind": page.kind,
        "language": page.language,
        "nodes": len(page),
        "words": len(page.words),
        "visible_texts": len(texts),
        "hidden_texts": int((page.is_text & ~page.is_blank).sum()) - len(texts),
        "viewport": list(page.viewport),
        "box": page.bounds,
        "sheets": len(page.sheets),
        "screenshot": page.screenshot is not None,
        "notes": list(page.notes),
        "texts": [
            {
                "xpath": page.xpath(int(page.parent[node])) if page.parent[node] >= 0 else page.xpath(int(node)),
                "text": " ".join(page.strings[page.text[node]].split()),
                "box": as_box(page.box[node]),
            }
            for node in texts.tolist()
        ],
    }


def _print(source: str, facts: dict[str, Any], rows: int | None) -> None:
    output.print(Text(clean(facts["title"]) or "(no title)", style="bold"))
    output.print(Text(clean(facts["url"] or source), style="dim"))
    size = "no layout" if facts["box"] is None else f"{facts['box'][2]:,.0f} × {facts['box'][3]:,.0f} px"
    counts = f"{facts['nodes']:,} nodes · {facts['words']:,} words · {size}"
    hidden = f"{facts['visible_texts']:,} visible texts, {facts['hidden_texts']:,} hidden"
    output.print(f"{facts['kind']} · {counts} · {hidden}")
    shown = facts["texts"][:rows]
    output.print(Text(_line(("x", "y", "width", "height"), "what", "text"), style="bold"))
    for text in shown:
        output.print(Text(_line(_place(text["box"]), _tag(text["xpath"]), clean(text["text"]))))
    if len(facts["texts"]) > len(shown):
        remark(f"… {len(facts['texts']) - len(shown):,} more; --all shows them.")


def _line(numbers: tuple[str, ...], what: str, text: str) -> str:
    """One row of the listing, cut at the width of the terminal."""
    line = "".join(f"{number:>7}" for number in numbers) + f"  {what:<9} {text}"
    return line if len(line) <= output.width else line[: output.width - 1] + "…"


def _place(box: tuple[float, float, float, float] | None) -> tuple[str, ...]:
    if box is None:
        return ("", "", "", "")
    x0, y0, x1, y1 = box
    return tuple(f"{value:.0f}" for value in (x0, y0, x1 - x0, y1 - y0))


def _tag(xpath: str) -> str:
    return xpath.rpartition("/")[2].partition("[")[0]


# `sightline save`: captured pages, each in one `.page` file.

SUFFIXES = (".page", ".html", ".xhtml")
LONGEST_NAME = 100
NOT_IN_NAMES = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, kw_only=True)
class SaveFlags(JsonFlags):
    """Where pages are saved."""

    out: Path = flag(
        REQUIRED,
        help="a .page file, a folder for several pages, or an .html file for clean XHTML",
        names="--output -o",
    )


def save_command(sources: Sources, flags: SaveFlags, loading: SourceOpening) -> None:
    """Save pages exactly as rendered (tree, texts, boxes, styles), to reopen without network or browser.

    [bold]Examples[/]

      sightline save https://example.org/cameras -o cameras.page

      sightline save "pages/*.html" crawl.warc.gz -o captured/

      sightline save https://example.org --screenshot --scroll -o x.page

      sightline save report.pdf --sheets 1-20 -o report.html
    """
    names = _Names(flags.out)
    if len(sources) > 1 and flags.out.suffix in SUFFIXES:
        raise UsageError(f"{flags.out} can hold only one page; name a folder to save several.")
    reporter = Reporter("saved", json=flags.json)
    with reporter:
        for name, _, facts in reporter.over(sources, loading, lambda page, source: _saved(page, names.take(source))):
            reporter.add(name, facts)
            if not flags.json:
                output.print(f"{clean(name)} → {clean(facts['path'])} ({facts['bytes']:,} bytes)", markup=False)
    reporter.finish()


def _saved(page: Page, path: Path) -> dict[str, Any]:
    save(page, path)
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
