"""The pages with a main text, what is known of them, and how they are opened."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sightline as sl
from bench.frame import Corpus, Options, folder_of, thinned
from bench.tables import adjacency
from bench.tables import pages as tables
from sightline.page import Page

__all__ = ["PageTruth", "Truth", "read_truth", "rendered", "static"]

SET = "content"


@dataclass(frozen=True)
class PageTruth:
    """What is known of a page: its main text, snippets that must and must not be in it, title, author and date."""

    id: str
    file: str
    type: str
    css: bool
    text: str
    present: tuple[str, ...]
    absent: tuple[str, ...]
    fields: Mapping[str, str]

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> "PageTruth":
        """A line of `truth.jsonl`."""
        return cls(
            id=line["id"],
            file=line["file"],
            type=line["type"],
            css=line["css"],
            text=line["text"] or "",
            present=tuple(line["with"]),
            absent=tuple(line["without"]),
            fields={name: line[name] for name in ("title", "author", "date") if line.get(name)},
        )


@dataclass(frozen=True)
class Truth:
    """What is known of the pages that are measured on, with the folder that they lie in."""

    folder: Path
    pages: tuple[PageTruth, ...]

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the pages."""
        return tuple(self.folder / page.file for page in self.pages)

    @property
    def corpus(self) -> Corpus:
        """Pages and truth: figures are comparable only where both are the same."""
        return Corpus(SET, (self.folder / "truth.jsonl", *self.files))


def read_truth(options: Options, named: Sequence[str] = ()) -> Truth:
    """What is known of the pages; of those only that have one of the names in their id or type, if any."""
    folder = folder_of(SET, options)
    path = folder / "truth.jsonl"
    if not path.exists():
        raise SystemExit(f"bench: {path} is missing; see docs/benchmarks.md for how to rebuild the set.")
    lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    pages = [PageTruth.from_json(json.loads(line)) for line in lines]
    chosen = [page for page in pages if not named or any(name in f"{page.id} {page.type}" for name in named)]
    if not chosen:
        raise SystemExit(f"bench: no page of {SET} is named {', '.join(named)}.")
    return Truth(folder, tuple(thinned(chosen, options.limit)))


def rendered(truth: Truth, *, keep: bool) -> list[Page]:
    """Every page as the browser shows it; with `keep` those of an earlier run are taken, whatever has changed since."""
    alone = tuple(adjacency.PageTruth(page.file, SET, "", page.file, ()) for page in truth.pages)
    return tables.rendered(tables.Truth(truth.folder, alone), keep=keep)


def static(truth: Truth) -> list[Page]:
    """Every page without a browser."""
    found = []
    for loaded in sl.open_all([str(path) for path in truth.files], static=True):
        if loaded.page is None:
            raise SystemExit(f"bench: {loaded.error}")
        found.append(loaded.page)
    return found
