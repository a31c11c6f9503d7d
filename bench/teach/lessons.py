"""What is taught and then read: examples of sites and of redesigns, the same for ours and the peers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.frame import Corpus, Options, folder_of, thinned
from bench.induce.sites import PageTruth, Site, Texts, listed_for, listing, site_of

TASK = "teach"
KS = (1, 3, 5)  # example pages; the test pages are the same for all of them
RECORDS = 3  # shown of a page with a list
FEWEST_TO_INDUCE = 4  # pages of a version


@dataclass(frozen=True)
class Delivered:
    """What came out of a page, and whether it was said to be right; a failed page has no records."""

    records: list[Any]
    verdict: str

    @classmethod
    def by_peer(cls, records: list[Any]) -> "Delivered":
        """Peers give no verdict: whatever they deliver is as good as `ok`."""
        return cls(records, "ok" if records else "failed")


FAILED = Delivered([], "failed")


@dataclass(frozen=True)
class Example:
    """A page and what is shown of it: all its fields, and the first records."""

    path: Path
    fields: Texts
    records: tuple[Texts, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The attributes that something is shown of."""
        return frozenset(self.fields) | _filled(self.records)


@dataclass(frozen=True)
class Job:
    """Pages to be taught from, and pages to be read after that."""

    examples: tuple[Example, ...]
    read: tuple[Path, ...]

    @property
    def taught(self) -> frozenset[str]:
        """The attributes that something was shown of; no others are asked for."""
        return frozenset().union(*(example.names for example in self.examples))


@dataclass(frozen=True)
class TaughtSite:
    """A site of the set, and the share of every attribute's values that are the whole text of a node."""

    site: Site
    standing: Mapping[str, float]

    @property
    def test(self) -> list[str]:
        """The pages that are never shown, whatever the number of examples."""
        return sorted(example_order(self.site.truth)[max(self.ks, default=0) :])

    @property
    def ks(self) -> list[int]:
        """The numbers of examples that leave a page to test."""
        return [k for k in KS if k < len(self.site.truth)]

    def job(self, k: int) -> Job:
        """What is taught with so many example pages, and read."""
        names = example_order(self.site.truth)[:k]
        shown = [_example(self.site, path, self.site.truth[path.name]) for path in self.site.paths(names)]
        return Job(tuple(shown), tuple(self.site.paths(self.test)))


@dataclass(frozen=True)
class Step:
    """A redesign: pages of a site before, and those of the next version. Files lie in the folders themselves."""

    site: str
    source: str  # the set that the site comes from
    old: Site
    new: Site

    @property
    def name(self) -> str:
        """The site, and from where to where."""
        return f"{self.site} {self.old.folder.name}>{self.new.folder.name}"

    @property
    def basis(self) -> list[str]:
        """Pages that tell how well the old version was learned: all but the example, or that where it is alone."""
        example = example_order(self.old.truth)[0]
        return sorted(set(self.old.truth) - {example}) or [example]

    @property
    def fresh(self) -> list[str]:
        """The pages of the new version."""
        return sorted(self.new.truth)

    @property
    def can_be_induced(self) -> bool:
        """Whether the old version has pages enough to learn from them alone."""
        return len(self.old.truth) >= FEWEST_TO_INDUCE

    @property
    def job(self) -> Job:
        """What is taught on the old version, and read there and then on the new one."""
        example = example_order(self.old.truth)[0]
        shown = _example(self.old, self.old.folder / example, self.old.truth[example])
        return Job((shown,), (*self.old_paths(self.basis), *self.new_paths))

    def old_paths(self, names: Sequence[str]) -> list[Path]:
        """Where these pages of the old version lie."""
        return [self.old.folder / name for name in names]

    @property
    def new_paths(self) -> list[Path]:
        """Where the pages of the new version lie."""
        return [self.new.folder / name for name in self.fresh]


def names_on(page: PageTruth) -> frozenset[str]:
    """The attributes that a page has values of, its own and those of its records."""
    return frozenset(name for name, texts in page.fields.items() if texts) | _filled(page.records)


def example_order(truth: Mapping[str, PageTruth]) -> list[str]:
    """The pages with the most attributes first, else as the truth lists them: the first of them are the examples."""
    return sorted(truth, key=lambda name: -len(names_on(truth[name])))


def read_taught_sites(options: Options, named: Sequence[str] = ()) -> list[TaughtSite]:
    """The sites to teach, evenly thinned out; with names, those that have one of them as a part."""
    folder = folder_of("sites", options)
    entries = listed_for(TASK, folder, options, named)
    return [TaughtSite(site_of(folder, entry), entry.get("standing") or {}) for entry in entries]


def read_steps(options: Options) -> list[Step]:
    """Every redesign of every site, from each version to the next."""
    folder = folder_of("evolution", options)
    steps = []
    for entry in thinned(listing(folder), options.limit):
        home = folder / entry["site"]
        names = [version["version"] for version in json.loads((home / "versions.json").read_text("utf-8"))]
        versions = [site_of(home / "versions", {**entry, "site": name}) for name in names]
        steps += [Step(entry["site"], entry.get("set") or "", old, new) for old, new in pairwise(versions)]
    return steps


def corpora(sites: Sequence[TaughtSite], steps: Sequence[Step]) -> tuple[Corpus, Corpus]:
    """Pages and truth of both sets: figures are comparable only where all of them are the same."""
    pages = [path for own in sites for path in (own.site.folder / "truth.jsonl", *own.site.files)]
    versions = {version.folder: version for step in steps for version in (step.old, step.new)}
    later = [
        path
        for folder, version in versions.items()
        for path in (folder / "truth.jsonl", *(folder / name for name in sorted(version.truth)))
    ]
    listed = tuple(own.site.folder.parent / "sites.json" for own in sites[:1])
    return Corpus("sites", (*listed, *pages)), Corpus("evolution", tuple(later))


def _filled(records: Sequence[Texts]) -> frozenset[str]:
    return frozenset(name for record in records for name, texts in record.items() if texts)


def _example(site: Site, path: Path, page: PageTruth) -> Example:
    """All fields of a page (one text where several are only spellings), and its first records."""
    fields = {name: texts[:1] if name in site.any_of else texts for name, texts in page.fields.items() if texts}
    return Example(path, fields, page.records[:RECORDS])
