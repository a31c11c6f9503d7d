"""What a wrapper's paths into the pages' own data are worth: `python -m bench.behind.paths [--limit N]`.

A wrapper is induced from pages of each site, with every path that holds on them. Pages that it has not seen are read,
and path and rule are compared: how many fields have a path, how often both differ, and who is right then. What the
requirements of a path are to be is chosen by folds: for each site by what is best on all others.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import process_time
from typing import NamedTuple

from rich.table import Table

import sightline as sl
from bench.frame import Options, program
from bench.induce.sites import SETS, PageTruth, Site, read_sites
from sightline.data import Records
from sightline.extract.behind import SeenPage, Shown, ValuePath, carried_by
from sightline.extract.behind._value_paths import LEAST_PAGES, LEAST_TEXTS, _text, find_paths
from sightline.extract.wrappers._data_rules import _alike, single_values
from sightline.page import Page

UNSEEN = 30  # pages of a site that are read
SHOWN_PAGES = (2, 3, 5, 10)  # to learn from
REQUIRED = tuple(product((2, 3, 4, 5), (1, 2, 3, 4)))  # pages, and different texts
# A path that contradicts what is right makes a good page doubtful: it costs so many fields that are confirmed.
COST_OF_DOUBT = 20


class Outcome(NamedTuple):
    """What became of a field with a path on a page that was not learned from."""

    site: str
    field: str
    pages: int
    texts: int
    learned_from: int
    kind: str


@dataclass(frozen=True)
class Learned:
    """A wrapper's paths with how many pages and different texts speak for each field."""

    paths: dict[str, list[ValuePath]]
    support: dict[str, tuple[int, int]]
    fields: int


def seen_pages(wrapper: sl.Wrapper, pages: Iterable[Page]) -> list[SeenPage]:
    """What a wrapper reads on pages that carry data, typed."""
    found = []
    for page in pages:
        read = wrapper.read(page)
        if read.verdict != "failed":
            values = single_values_of(wrapper, read)
            found.append(SeenPage(carried_by(page), values, page.url, page.language or "en"))
    return found


def single_values_of(wrapper: sl.Wrapper, read: object) -> dict[str, Shown]:
    """The fields of a page that is one record."""
    from dataclasses import replace

    typed = replace(read, records=read.records.typed())  # type: ignore[type-var, attr-defined]
    return single_values(typed, wrapper.rules.each[typed.template])  # type: ignore[arg-type, attr-defined]


def learned(wrapper: sl.Wrapper, pages: Sequence[Page]) -> Learned:
    """Every path that holds on two pages, whatever else is asked of it."""
    seen = _alike([one for one in seen_pages(wrapper, pages) if one.shown])
    paths = find_paths(seen, least_pages=2, least_texts=1)
    support = {}
    for name, several in paths.items():
        texts = [
            _text(one.shown[name])
            for one in seen
            if name in one.shown and any(path.raw(one.carried) is not None for path in several)
        ]
        support[name] = len(texts), len(set(texts))
    return Learned(paths, support, len({name for one in seen for name in one.shown}))


def outcomes(site: Site, wrapper: sl.Wrapper, made: Learned, count: int, pages: Sequence[Page], truths: Sequence[PageTruth]) -> Iterator[Outcome]:
    """Each field with a path on each page that was not learned from."""
    for page, truth in zip(pages, truths, strict=True):
        for one in seen_pages(wrapper, [page]):
            true = {" ".join(text.split()) for texts in truth.all_columns.values() for text in texts}
            for name, paths in made.paths.items():
                said = [(path, raw) for path in paths if (raw := path.raw(one.carried)) is not None]
                kind = _kind(one, name, said, true)
                yield Outcome(site.name, name, *made.support[name], count, kind)


def _kind(one: SeenPage, name: str, said: Sequence[tuple[ValuePath, object]], true: set[str]) -> str:
    shown = one.shown.get(name)
    if not said:
        return "no data" if shown is not None else "neither"
    if shown is None:
        texts = {path.shown(raw) for path, raw in said} - {None, ""}
        return "only data" if len(texts) == 1 else "only data, unknown"
    if any(path.agrees(shown, raw, one.base) for path, raw in said):
        return "same"
    seen, told = _text(shown), {path.shown(raw) or str(raw) for path, raw in said}
    is_true = seen in true if isinstance(seen, str) else set(seen or ()) <= true
    by_data = any(isinstance(text, str) and text in true for text in told)
    return "differ: seen is right" if is_true else "differ: data is right" if by_data else "differ: nobody knows"


def measured(options: Options, *, verbose: bool) -> tuple[list[Outcome], Counter[str]]:
    """All outcomes on all sites, and counts of fields."""
    found: list[Outcome] = []
    fields: Counter[str] = Counter()
    for data in SETS:
        for site in read_sites(options, data=data):
            training, rest = site.split
            unseen = rest[:: max(1, len(rest) // UNSEEN)][:UNSEEN]
            pages = [sl.open(path.read_bytes(), static=True) for path in site.paths(training)]
            fields["sites"] += 1
            if not any(map(carried_by, pages)):
                continue
            fields["sites with data"] += 1
            tests = [sl.open(path.read_bytes(), static=True) for path in site.paths(unseen)]
            for count in SHOWN_PAGES:
                if count > len(pages):
                    continue
                try:
                    wrapper = sl.induce(pages[:count])
                except sl.UsageError:
                    continue
                began = process_time()
                made = learned(wrapper, pages[:count])
                seconds = process_time() - began
                fields[f"fields from {count}"] += made.fields
                fields[f"fields with a path from {count}"] += len(made.paths)
                several = list(outcomes(site, wrapper, made, count, tests, [site.truth[name] for name in unseen]))
                found += several
                if verbose:
                    print(site.name, count, f"{len(made.paths)}/{made.fields} fields", f"{1000 * seconds:.0f} ms", dict(Counter(one.kind for one in several)), flush=True)
                    for name, paths in made.paths.items():
                        kinds = Counter(one.kind for one in several if one.field == name)
                        print("   ", name, made.support[name], " | ".join(path.told for path in paths), dict(kinds))
    return found, fields


def worth(several: Iterable[Outcome]) -> float:
    """What confirmed values are worth, less the false doubts."""
    kinds = Counter(one.kind for one in several)
    return kinds["same"] - COST_OF_DOUBT * kinds["differ: seen is right"]


def asked(found: Iterable[Outcome], pages: int, texts: int) -> list[Outcome]:
    """The outcomes of the fields whose paths meet requirements."""
    return [one for one in found if one.pages >= pages and one.texts >= texts]


def by_folds(found: Sequence[Outcome]) -> Iterator[tuple[tuple[int, int], list[Outcome]]]:
    """For each site the requirements that are best on all others, and what they give there."""
    for site in dict.fromkeys(one.site for one in found):
        others = [one for one in found if one.site != site]
        best = max(REQUIRED, key=lambda way: worth(asked(others, *way)))
        yield best, asked([one for one in found if one.site == site], *best)


def main() -> None:
    """Print what every requirement gives, and what folds over the sites choose."""
    parser = program(__doc__)
    parser.add_argument("--verbose", action="store_true")
    given: argparse.Namespace = parser.parse_args()
    found, fields = measured(Options(data=given.data, limit=given.limit), verbose=given.verbose)
    print(dict(fields))
    kinds = sorted({one.kind for one in found})
    table = Table("pages", "texts", "fields", *kinds, "worth")
    for pages, texts in REQUIRED:
        several = asked(found, pages, texts)
        counted = Counter(one.kind for one in several)
        names = {(one.site, one.field, one.learned_from) for one in several}
        table.add_row(*map(str, (pages, texts, len(names), *(counted[kind] for kind in kinds), worth(several))))
    sl_console(table)
    chosen = list(by_folds(found))
    print("chosen by folds:", Counter(best for best, _ in chosen))
    counted = Counter(one.kind for _, several in chosen for one in several)
    print("out of fold:", dict(counted))
    now = Counter(one.kind for one in asked(found, LEAST_PAGES, LEAST_TEXTS))
    print(f"as set ({LEAST_PAGES} pages, {LEAST_TEXTS} texts):", dict(now))


def sl_console(table: Table) -> None:
    """Print a table."""
    from rich.console import Console

    Console(width=160).print(table)


if __name__ == "__main__":
    main()
