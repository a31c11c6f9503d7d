"""The sites of the set: pages of one template each, what is known of them, and which of them are learnt from."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sightline as sl
from bench.frame import Corpus, Options, folder_of, thinned
from bench.pages import json_lines
from sightline.page import Page

TRAINING = 10  # pages to learn from; at most half of the site's
SEED = 7
LARGE = 100  # pages of a site that growth and shares of training pages are measured on
TASK = "induce"
SETS = ("sites", "sites2")

Texts = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class PageTruth:
    """The values that stand on a page: its own, and those of its records."""

    file: str
    fields: Texts
    records: tuple[Texts, ...] = ()

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> "PageTruth":
        """A line of the truth."""
        return cls(line["file"], line.get("fields") or {}, tuple(line.get("records") or ()))

    @property
    def all_columns(self) -> Texts:
        """Every column that the page has, those of its records with all their texts."""
        found = {name: list(texts) for name, texts in self.fields.items()}
        for record in self.records:
            for name, texts in record.items():
                found.setdefault(f"record.{name}", []).extend(texts)
        return found


@dataclass(frozen=True)
class Site:
    """Pages of one template."""

    name: str
    vertical: str
    complete: bool  # the truth names every column
    any_of: frozenset[str]  # attributes of which one of several true texts is enough
    folder: Path
    truth: Mapping[str, PageTruth]

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of all pages, by name."""
        return tuple(self.folder / "pages" / name for name in sorted(self.truth))

    @property
    def split(self) -> tuple[list[str], list[str]]:
        """The pages to learn from, chosen by chance and always the same, and all others."""
        order = sorted(self.truth)
        random.Random(f"{SEED}:{self.name}").shuffle(order)
        count = min(TRAINING, len(order) // 2)
        return order[:count], sorted(order[count:])

    @property
    def is_large(self) -> bool:
        """Whether it has pages enough to see how work grows."""
        return len(self.truth) >= LARGE

    def paths(self, names: Sequence[str]) -> list[Path]:
        """Where these pages lie."""
        return [self.folder / "pages" / name for name in names]


def read_sites(options: Options, named: Sequence[str] = (), *, data: str = "sites") -> list[Site]:
    """The sites to induce wrappers of, evenly thinned out; with names, those that have one of them as a part."""
    folder = folder_of(data, options)
    return [site_of(folder, entry) for entry in listed_for(TASK, folder, options, named)]


def listed_for(task: str, folder: Path, options: Options, named: Sequence[str]) -> list[dict[str, Any]]:
    """What `sites.json` says of the sites of a task."""
    entries = [entry for entry in listing(folder) if task in entry.get("tasks", [task])]
    chosen = [entry for entry in entries if not named or any(name in entry["site"] for name in named)]
    if not chosen:
        raise SystemExit(f"bench: no site is named {', '.join(named)}.")
    return thinned(chosen, options.limit)


def listing(folder: Path) -> list[dict[str, Any]]:
    """All that `sites.json` says."""
    path = folder / "sites.json"
    if not path.exists():
        raise SystemExit(f"bench: {path} is missing; see docs/benchmarks.md for how to rebuild the set.")
    entries: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return entries


def corpus_of(sites: Sequence[Site], name: str = "sites") -> Corpus:
    """Pages and truth: figures are comparable only where both are the same."""
    files = [path for site in sites for path in (site.folder / "truth.jsonl", *site.files)]
    return Corpus(name, (*(site.folder.parent / "sites.json" for site in sites[:1]), *files))


def opened(paths: Sequence[Path]) -> list[Page]:
    """Pages from their files, without a browser: the style sheets of most sites are long gone."""
    return [sl.open(path.read_bytes(), static=True) for path in paths]


def site_of(folder: Path, entry: Mapping[str, Any]) -> Site:
    """A site with its truth."""
    known = [PageTruth.from_json(line) for line in json_lines(folder / entry["site"] / "truth.jsonl")]
    return Site(
        entry["site"],
        entry.get("vertical") or "",
        bool(entry.get("complete")),
        frozenset(entry.get("any") or ()),
        folder / entry["site"],
        {page.file: page for page in known},
    )
