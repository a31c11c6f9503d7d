"""What a wrapper's paths into the pages' own data are worth: `python -m bench.behind.paths [--limit N] [--verbose]`.

A wrapper is induced from pages of each site, or taught as by `python -m bench teach`, with every path that holds on two
of them. Pages that it has not seen are read, and path and rule are compared: how many fields have a path, how often the
two differ, and who is right then. As a control the pages get the data of one another: every path that is found so is
there by chance. What is to be asked of a path is chosen by folds: for each site by what is best on all others.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, product
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import sightline as sl
from bench.frame import Options, folder_of, program
from bench.induce.sites import SETS, listed_for, read_sites, site_of
from bench.pages import json_lines
from bench.teach.lessons import TASK, Example, TaughtSite
from bench.teach.ways import taught
from sightline.data import Value, named_values
from sightline.extract.behind import CarryingPage, ValuePath, carried_by, find_paths
from sightline.extract.behind._value_paths import LEAST_PAGES, LEAST_TEXTS
from sightline.extract.wrappers import Found, Wrapper
from sightline.extract.wrappers._data_rules import DataRules, alike, single_values
from sightline.page import Page

UNSEEN = 20  # pages of a site that are read
SHOWN_PAGES = (2, 3, 5, 10)  # to learn from
FEWEST = 3  # pages of a site, of which each in turn is left out where there are no more than
SMALL = 7
REQUIRED = tuple(product((2, 3, 4, 5), (1, 2, 3, 4)))  # pages, and different texts
# What a false doubt makes of a good page takes as many confirmed values to make up for it.
COST_OF_DOUBT = 20
ANY = {"json-ld": 2, "state": 2}
FALSE = ("differ: seen is right", "differ: nobody knows")


class Case(NamedTuple):
    """Pages to learn from, and others with the texts that are true of them."""

    site: str
    training: tuple[Path, ...]
    unseen: tuple[tuple[Path, frozenset[str]], ...]
    examples: tuple[Example, ...] = ()
    """What is shown of the pages to learn from; without any the wrapper is induced."""


class Outcome(NamedTuple):
    """What became of a field with a path on a page that was not learned from; `case` and `field` name the field."""

    site: str
    case: tuple[Path, ...]
    field: str
    pages: int
    texts: int
    syntax: str
    kind: str


@dataclass
class Measured:
    """Outcomes, the evidence of paths that were found by chance, and counts."""

    outcomes: list[Outcome] = field(default_factory=list)
    by_chance: list[Outcome] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    given: Counter[str] = field(default_factory=Counter)


# ---------------------------------------------------------------- pages


def cases(options: Options) -> Iterator[Case]:
    """Of each site the pages of its split by several numbers; of small sites each page in turn against the others."""
    for name, truth in (*_sites(options), *_things(options)):
        paths = list(truth)
        if FEWEST <= len(paths) <= SMALL:
            for path in paths:
                yield Case(name, tuple(one for one in paths if one != path), ((path, truth[path]),))
        elif len(paths) > SMALL:
            for count in SHOWN_PAGES:
                rest = paths[max(SHOWN_PAGES) :] or paths[count:]
                unseen = rest[:: max(1, len(rest) // UNSEEN)][:UNSEEN]
                yield Case(name, tuple(paths[:count]), tuple((path, truth[path]) for path in unseen))


def _taught(options: Options) -> Iterator[Case]:
    """The examples of the sites that are taught, several pages each."""
    for data in SETS:
        folder = folder_of(data, options)
        for entry in listed_for(TASK, folder, options, ()):
            own = TaughtSite(site_of(folder, entry), entry.get("standing") or {})
            unseen = tuple(
                (own.site.folder / "pages" / name, _texts(own.site.truth[name].all_columns.values()))
                for name in own.test[:UNSEEN]
            )
            for examples in (own.job(k).examples for k in own.ks if k > 1):
                yield Case(own.site.name, tuple(one.path for one in examples), unseen, examples)


def _sites(options: Options) -> Iterator[tuple[str, dict[Path, frozenset[str]]]]:
    for data in SETS:
        for site in read_sites(options, data=data):
            training, rest = site.split
            yield (
                site.name,
                {
                    site.folder / "pages" / name: _texts(site.truth[name].all_columns.values())
                    for name in (*training, *rest)
                },
            )


def _things(options: Options) -> Iterator[tuple[str, dict[Path, frozenset[str]]]]:
    """The sites with several pages among those about one thing."""
    folder = folder_of("things", options)
    by_site: dict[str, dict[Path, frozenset[str]]] = defaultdict(dict)
    for line in json_lines(folder / "truth.jsonl"):
        texts = (value if isinstance(value, list) else [value] for value in line["fields"].values())
        by_site[f"{line['kind']}-{line['site']}"][folder / line["file"]] = _texts(texts)
    yield from by_site.items()


def _texts(several: Iterable[Iterable[object]]) -> frozenset[str]:
    return frozenset(" ".join(str(text).split()) for texts in several for text in texts)


# ---------------------------------------------------------------- what holds


def measured(options: Options, *, verbose: bool) -> Measured:
    """All outcomes on all sites."""
    found = Measured()
    pages: dict[Path, Page] = {}
    known: set[str] = set()
    last = ""
    for case in chain(cases(options), _taught(options)):
        if case.site != last:
            pages.clear()
            last = case.site
            known.add(case.site)
        for path in (*case.training, *(path for path, _ in case.unseen)):
            if path not in pages:
                pages[path] = sl.open(path.read_bytes(), static=True)
        training = [pages[path] for path in case.training]
        whole = _learned(case, training) if all(map(carried_by, training)) else None
        if whole is None:
            continue
        wrapper = replace(whole, behind=DataRules())
        found.counts["wrappers"] += 1
        found.counts["wrappers with paths"] += bool(whole.behind)
        found.counts["lists with an array"] += len(whole.behind.lists)
        _compare(whole, wrapper, [(pages[path], true) for path, true in case.unseen], found)
        several = list(_outcomes(case, wrapper, training, pages, found))
        found.outcomes += several
        if verbose:
            print(case.site, len(training), dict(Counter(one.kind for one in several)), flush=True)
    found.counts["sites"] = len(known)
    return found


def _learned(case: Case, training: Sequence[Page]) -> Wrapper | None:
    if case.examples:
        return taught(case.site, case.examples)
    try:
        return sl.induce(training)
    except sl.UsageError:
        return None


def _compare(whole: Wrapper, without: Wrapper, unseen: Sequence[tuple[Page, frozenset[str]]], found: Measured) -> None:
    """What the paths make of the verdicts on other pages, and whether what they give is true."""
    if not whole.behind:
        return
    for page, true in unseen:
        before, now = without.read(page), whole.read(page)
        found.verdicts[f"{before.verdict} → {now.verdict}"] += 1
        if before.verdict != now.verdict:
            print(*(f"  {problem.what}" for problem in now.problems), sep="\n")
        for name in now.from_data:
            texts = {str(value) for name_of, value in _named(now) if name_of == name}
            found.given["true" if texts and true.issuperset(texts) else "not in the truth"] += 1


def _named(found: Found) -> Iterator[tuple[str, Value]]:
    return (pair for record in found.records for pair in named_values(record))


def _outcomes(
    case: Case, wrapper: Wrapper, training: Sequence[Page], pages: dict[Path, Page], found: Measured
) -> Iterator[Outcome]:
    seen = alike([one for page in training for one in _seen(wrapper, page)])
    paths = find_paths(seen, least_pages=ANY, least_texts=1)
    turned = [one._replace(carried=other.carried) for one, other in zip(seen, [*seen[1:], *seen[:1]], strict=True)]
    chance = find_paths(turned, least_pages=ANY, least_texts=1)
    found.by_chance += [
        Outcome(case.site, case.training, name, *_support(turned, name, several), several[0].source.syntax, "chance")
        for name, several in chance.items()
    ]
    found.counts["fields"] += len({name for one in seen for name in one.shown})
    for path, true in case.unseen:
        for one in alike(_seen(wrapper, pages[path])):
            for name, several in paths.items():
                kind = _kind(one, name, several, true)
                yield Outcome(
                    case.site, case.training, name, *_support(seen, name, several), several[0].source.syntax, kind
                )


def _seen(wrapper: Wrapper, page: Page) -> list[CarryingPage]:
    read = wrapper.read(page)
    if read.verdict == "failed":
        return []
    typed = replace(read, records=read.records.typed())
    values = single_values(typed, wrapper.rules.each[read.template])
    return [CarryingPage(carried_by(page), values, page.url, page.language or "en")] if values else []


def _support(seen: Sequence[CarryingPage], name: str, paths: Sequence[ValuePath]) -> tuple[int, int]:
    """On how many pages the first path of a field was held against it, and against how many texts."""
    both = [one.shown[name] for one in seen if name in one.shown and paths[0].raw(one.carried) is not None]
    texts = {tuple(map(str, shown)) if isinstance(shown, tuple) else str(shown) for shown in both}
    return len(both), len(texts)


def _kind(one: CarryingPage, name: str, paths: Sequence[ValuePath], true: frozenset[str]) -> str:
    said = [(path, raw) for path in paths if (raw := path.raw(one.carried)) is not None]
    shown = one.shown.get(name)
    if not said:
        return "no data" if shown is not None else "neither"
    if shown is None:
        return "only data"
    if any(path.agrees(shown, raw, one.base) for path, raw in said):
        return "same"
    texts = [str(value) for value in (shown if isinstance(shown, tuple) else (shown,))]
    if true.issuperset(texts):
        return "differ: seen is right"
    return "differ: data is right" if any(str(raw) in true for _, raw in said) else "differ: nobody knows"


# ---------------------------------------------------------------- what is to be asked


def asked(found: Iterable[Outcome], syntax: str, pages: int, texts: int) -> list[Outcome]:
    """The outcomes of the fields whose paths into one kind of data meet requirements."""
    return [one for one in found if one.syntax == syntax and one.pages >= pages and one.texts >= texts]


def worth(found: Measured, syntax: str, pages: int, texts: int, *, without: str = "") -> float:
    """What confirmed values are worth, less the false doubts; a path by chance is as bad as a doubt."""
    kinds = Counter(one.kind for one in asked(found.outcomes, syntax, pages, texts) if one.site != without)
    chance = sum(one.site != without for one in asked(found.by_chance, syntax, pages, texts))
    return kinds["same"] - COST_OF_DOUBT * (sum(kinds[kind] for kind in FALSE) + chance)


def by_folds(found: Measured, syntax: str) -> Iterator[tuple[tuple[int, int], list[Outcome]]]:
    """For each site the requirements that are best on all others, and what they give there."""
    for site in dict.fromkeys(one.site for one in found.outcomes):
        best = max(REQUIRED, key=lambda way: worth(found, syntax, *way, without=site))
        yield best, asked([one for one in found.outcomes if one.site == site], syntax, *best)


def fields_of(found: Iterable[Outcome]) -> int:
    """How many fields there are, each once for every set of pages that it was learned from."""
    return len({(one.case, one.field) for one in found})


def main() -> None:
    """Print what every requirement gives, and what folds over the sites choose."""
    parser = program(__doc__)
    parser.add_argument("--limit", type=int, help="at most this many sites of a set")
    parser.add_argument("--verbose", action="store_true", help="print a line for every wrapper")
    given: argparse.Namespace = parser.parse_args()
    found = measured(Options(data=given.data, limit=given.limit), verbose=given.verbose)
    kinds = sorted({one.kind for one in found.outcomes})
    for syntax in ANY:
        table = Table("pages", "texts", "fields", *kinds, "by chance", "worth", title=syntax)
        for way in REQUIRED:
            several = asked(found.outcomes, syntax, *way)
            counted = Counter(one.kind for one in several)
            figures = (*way, fields_of(several), *(counted[kind] for kind in kinds))
            chance = len(asked(found.by_chance, syntax, *way))
            table.add_row(*map(str, (*figures, chance, worth(found, syntax, *way))))
        Console(width=140).print(table)
        chosen = list(by_folds(found, syntax))
        print("chosen by folds:", dict(Counter(best for best, _ in chosen)))
        print("out of fold:", dict(Counter(one.kind for _, several in chosen for one in several)))
    print(json.dumps({**found.counts, "sites with paths": len({one.site for one in found.outcomes})}))
    print("verdicts without and with the paths:", dict(found.verdicts))
    print("given by the data alone:", dict(found.given))
    print(f"as set: {LEAST_PAGES} pages, {LEAST_TEXTS} texts")


if __name__ == "__main__":
    main()
