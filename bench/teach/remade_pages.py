"""Pages of one thing that are made anew: `python -m bench.teach.remade_pages` tells what is wrong and said to be ok.

Every site is taught by one page and by three; some of the others are then rewritten, and read, and read again after
repair, which is given the pages that were shown as they are now, and some others. The ways: `tags` gives elements other
tags, classes and ids; `rows` turns the order of the rows of every table, definition list and list round, so that each
value stands where its neighbour stood; `gone` takes one field away from every page, another one on each, so that a
neighbour may be taken for it; `all` does all of it. With names, what became of each site.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lxml import etree
from rich.console import Console
from rich.table import Table as Sheet

import sightline as sl
from bench.frame import Options, folder_of, shown
from bench.induce.sites import SETS, PageTruth, listing, site_of
from bench.measures import mean
from bench.pages import naming
from bench.teach.evolution import LEARNED, SURVIVES
from bench.teach.lessons import FAILED, Delivered, TaughtSite
from bench.teach.remade import LEAST_SIBLINGS, change_tags, parsed, plain, written
from bench.teach.scores import Measured, flat, measured, rate
from bench.teach.ways import mended, read_pages, taught
from sightline.page import Page

KS = (1, 3)
PAGES = 12  # of a site that are rewritten
FOR_REPAIR = 6  # of them, that repair is given beside those that were shown
WAYS = ("tags", "rows", "gone", "all")
ROWS = frozenset(("tr", "dt", "dd", "li", "div", "p"))
LONGEST_ROW = 200  # characters


@dataclass(frozen=True)
class Reread:
    """A site taught on so many pages and made anew in one way: as it was, before repair and after."""

    site: str
    k: int
    way: str
    basis: Measured
    before: Measured
    after: Measured


def turn_rows(root: etree._Element) -> None:
    """The rows of each group the other way round; a definition keeps its term."""
    for parent in list(root.iter(etree.Element)):
        rows = list(parent)
        kinds = {(row.tag, row.get("class")) for row in rows}
        short = all(row.tag in ROWS and len(plain(" ".join(row.itertext()))) <= LONGEST_ROW for row in rows)
        if len(rows) < LEAST_SIBLINGS or len(kinds) > 2 or not short or any(plain(row.tail) for row in rows):
            continue
        groups = [[row, *rows[place + 1 : place + 2]] for place, row in enumerate(rows) if row.tag == "dt"]
        in_order = [row for group in reversed(groups) for row in group] if groups else list(reversed(rows))
        if len(in_order) == len(rows):
            parent[:] = in_order


def take_away(root: etree._Element, page: PageTruth, name: str) -> PageTruth:
    """The page without a field, if its values have elements of their own."""
    values = {plain(text) for text in page.fields[name]}
    nodes = [node for node in root.iter(etree.Element) if plain(" ".join(node.itertext())) in values]
    outer = [node for node in nodes if node.getparent() is not None and node.getparent() not in nodes]
    for node in outer:
        node.text, node.attrib["hidden"] = None, ""
        for child in list(node):
            node.remove(child)
    left = plain(" ".join(root.itertext()))
    is_gone = not any(value in left for value in values)
    fields = {own: texts for own, texts in page.fields.items() if own != name} if is_gone else page.fields
    return PageTruth(page.file, fields, page.records)


def rewritten(content: bytes, page: PageTruth, way: str, number: int) -> tuple[Page, PageTruth]:
    """A page made anew in one way, and what is true of it; a number says which of its fields may go."""
    root = parsed(content)
    names = sorted(name for name, texts in page.fields.items() if texts)
    if way in ("gone", "all") and len(names) > 1:
        page = take_away(root, page, names[number % len(names)])
    if way in ("rows", "all"):
        turn_rows(root)
    if way in ("tags", "all"):
        change_tags(root)
    return sl.open(written(root), static=True), page


def reread_sites(options: Options, named: Sequence[str] = ()) -> Iterator[Reread]:
    """All sites of both sets, in all ways."""
    for name in SETS:
        folder = folder_of(name, options)
        for entry in listing(folder):
            if not named or any(part in entry["site"] for part in named):
                own = TaughtSite(site_of(folder, entry), entry.get("standing") or {})
                yield from _reread(own)


def _reread(own: TaughtSite) -> Iterator[Reread]:
    site = own.site
    names = [name for name in own.test if any(site.truth[name].fields.values())][:PAGES]
    contents = {name: path.read_bytes() for name, path in zip(names, site.paths(names), strict=True)}
    for k in KS:
        job = own.job(k) if k in own.ks and names else None
        wrapper = taught(site.name, job.examples) if job else None
        if job is None or wrapper is None:
            continue
        asked = frozenset(name for example in job.examples for name in example.fields)
        old = [sl.open(contents[name], static=True) for name in names]
        basis = _measured(own, [site.truth[name] for name in names], read_pages(site.name, wrapper, old), asked)
        shown_pages = [example.path.name for example in job.examples]
        shown_contents = {path.name: path.read_bytes() for path in site.paths(shown_pages)}
        for way in WAYS:
            with naming(f"{site.name}, {way}"):
                made = [rewritten(contents[name], site.truth[name], way, place) for place, name in enumerate(names)]
                examples = [
                    rewritten(shown_contents[name], site.truth[name], way, place)[0]
                    for place, name in enumerate(shown_pages)
                ]
            pages, truth = [page for page, _ in made], [known for _, known in made]
            before = read_pages(site.name, wrapper, pages)
            again = mended(site.name, wrapper, [*examples, *pages[:FOR_REPAIR]])
            after = read_pages(site.name, again, pages) if again else [FAILED] * len(pages)
            scores = (_measured(own, truth, found, asked) for found in (before, after))
            yield Reread(site.name, k, way, basis, *scores)


def _measured(
    own: TaughtSite, truth: Sequence[PageTruth], found: Sequence[Delivered], asked: frozenset[str]
) -> Measured:
    return measured([flat(page, asked) for page in truth], found, any_of=own.site.any_of)


def main() -> None:
    """Print the shares of each way; with names of sites, what became of each."""
    named = sys.argv[1:]
    found = list(reread_sites(Options(), named))
    for one in found if named else ():
        counts = [_told(one.before.counts), _told(one.after.counts)]
        print(
            f"{one.site} {one.k} {one.way}: {one.basis.value_f1:.2f}; {one.before.value_f1:.2f} {counts[0]} -> ", end=""
        )
        print(f"{one.after.value_f1:.2f} {counts[1]}")
    sheet = Sheet("", "sites", "survive", "after repair", "wrong and ok", "after repair", "pages ok", "after repair")
    for k in KS:
        for way in WAYS:
            some = [one for one in found if (one.k, one.way) == (k, way) and one.basis.value_f1 >= LEARNED]
            values = [
                mean(one.before.value_f1 >= SURVIVES * one.basis.value_f1 for one in some),
                mean(one.after.value_f1 >= SURVIVES * one.basis.value_f1 for one in some),
                rate([one.before for one in some], "ok_wrong", "ok_delivered"),
                rate([one.after for one in some], "ok_wrong", "ok_delivered"),
                rate([one.before for one in some], "ok", "pages"),
                rate([one.after for one in some], "ok", "pages"),
            ]
            sheet.add_row(f"{way}, taught on {k}", str(len(some)), *map(shown, values))
    Console(width=120).print(sheet)


def _told(counts: Mapping[str, int]) -> str:
    return f"ok {counts['ok']}/{counts['pages']}, wrong {counts['ok_wrong']}/{counts['ok_delivered']}"


if __name__ == "__main__":
    main()
