"""Teaching on pages of results: two cells of the first record, and whether all records come out, or a part in silence.

A page is taught as people do it on the command line: by the title of the first record and one more of its cells, or by
those of two records. Then the same page is read. A known record is found when it has the words of the title of a record
that was read; they are paired one to one. Lists of one text a record are taught by that text alone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, Literal

from rich.table import Table as Sheet

from bench.frame import Corpus, Figure, Options, shown
from bench.induce.sites import opened
from bench.lists.items import Bag, one_to_one
from bench.lists.pages import lists_truth
from bench.lists.records import ListTruth
from bench.measures import mean
from bench.pages import naming, rendered
from bench.teach.listing_truth import CORRECTIONS, corrected, is_legible
from bench.texts import bag_of
from sightline.errors import UsageError
from sightline.extract.wrappers.patterns import View, key_of, locate_text
from sightline.jobs import PageExamples, teach_pages
from sightline.page import Page, below

TITLE, CELL = "title", "cell"
ENOUGH = 0.95  # of the records, from which on a page counts as read
SHORTEST = 3  # characters of a cell that somebody would point at
CONTAINED = 0.8  # of a title's words that its record has, as in the score of lists
SHOWN = 0.5  # of a known record's letters that the page has, from which on it has the record
NEAR = 3  # times as far from its title as in the first record, up to which a cell is of the same record
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
LEAST_PAGES = {"one record": 0.92, "two records": 0.97}
MOST_SILENT = 0.01
ONE_BY_ONE = ", one by one"
WAYS = ("one record", "two records", "three records", f"two records{ONE_BY_ONE}", f"three records{ONE_BY_ONE}")
MOST_TAUGHT = 3
NUMBER = {way: 1 + ("one", "two", "three").index(way.split()[0]) for way in WAYS}
KINDS: tuple["Kind", ...] = ("rendered", "static")
SHEET = ("lists", "read", "a part said ok", "said ok", "records", "cells")

Kind = Literal["rendered", "static"]
Texts = Mapping[str, str]


@dataclass(frozen=True)
class Listed:
    """What became of one list taught in one way: the share of its records, of their second cells, and the verdict."""

    id: str
    kind: Kind
    way: str
    is_single: bool
    known: int
    read: int
    found: float
    cells: float | None
    verdict: str
    rules: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether nearly all records were found."""
        return self.found >= ENOUGH

    @property
    def is_silent(self) -> bool:
        """Whether a part was said to be right."""
        return self.verdict == "ok" and not self.is_whole


@dataclass(frozen=True)
class Listings:
    """All lists, rendered and parsed, with the files that they are on."""

    corpus: Corpus
    lists: Sequence[Listed]
    untaught: Sequence[str]

    def of(self, way: str, kind: Kind = "rendered", *, single: bool = False) -> list[Listed]:
        """The lists that were taught in one way."""
        return [one for one in self.lists if (one.way, one.kind, one.is_single) == (way, kind, single)]


# ---------------------------------------------------------------- what is taught


def examples_on(truth: ListTruth, page: Page) -> list[Texts]:
    """The title and one more cell of the first record, and of the next two that have both; of texts the first three.

    The title is the first cell that the page has as a heading, or else as a link, or else at all. The other cell is the
    first that the page has as a whole text. In the second record both are at the same places.
    """
    shown = _Shown(page, Counter(cell for cells in truth.records for cell in set(cells)))
    if all(len(cells) < 2 for cells in truth.records):
        return [{TITLE: cells[0]} for cells in truth.records[:MOST_TAUGHT] if cells and shown.rank(cells[0]) > 0]
    first = truth.records[0]
    title = shown.title(first)
    others = [cell for cell in _pointed_at(first) if cell != title and shown.rank(cell) > 0]
    if not title or not others:
        return []
    places = first.index(title), first.index(others[0])
    later = (_second(cells, places, shown) for cells in truth.records[1:] if len(cells) == len(first))
    farthest = NEAR * (shown.apart(title, others[0]) + 1)
    both = (
        record
        for record in later
        if record and record[TITLE] != title and shown.apart(record[TITLE], record[CELL]) <= farthest
    )
    return [{TITLE: title, CELL: others[0]}, *islice(both, MOST_TAUGHT - 1)]


def _second(cells: Sequence[str], places: tuple[int, int], shown: "_Shown") -> Texts | None:
    """The title and the other cell of a record, at these places; None if the page has not both as whole texts."""
    title, cell = (cells[place] for place in places)
    is_shown = title and cell not in ("", title) and shown.rank(title) > 0 and shown.rank(cell) > 0
    return {TITLE: title, CELL: cell} if is_shown else None


class _Shown:
    """How a page shows a text."""

    def __init__(self, page: Page, often: Counter[str]) -> None:
        self.view = View(page)
        self.often = often
        self.headings, self.links = (below(page.mask(*tags), page.end) for tags in (HEADINGS, ("a",)))

    def rank(self, text: str) -> int:
        """0 if it is not on the page as a whole text, more if it is one, a link, or a heading."""
        try:
            located = locate_text(self.view, text, 0, len(self.view.page))
        except UsageError:
            return 0
        if located.part or located.take != "text":
            return 0
        nodes = list(located.nodes)
        return 3 if self.headings[nodes].any() else 2 if self.links[nodes].any() else 1

    def apart(self, title: str, cell: str) -> int:
        """How many texts are between a title and a cell, where they are nearest to each other."""
        places = [[begin for begin, _ in self.view.places(text)] for text in (title, cell)]
        return min(abs(first - second) for first, second in product(*places))

    def title(self, cells: Sequence[str]) -> str | None:
        """The cell that is shown as a title, of several words and in no other record if there is one."""
        ranks = {cell: self.rank(cell) for cell in cells if any(map(str.isalpha, cell))}
        ranked = [
            (rank == max(ranks.values()), self.often[cell] == 1, len(cell.split()) > 1) for cell, rank in ranks.items()
        ]
        return max(zip(ranked, range(0, -len(ranked), -1), ranks, strict=True))[-1] if any(ranks.values()) else None


def _pointed_at(cells: Sequence[str]) -> list[str]:
    """The cells that somebody would point at."""
    return [cell for cell in cells if len(cell) >= SHORTEST and any(map(str.isalnum, cell))]


# ---------------------------------------------------------------- teaching and reading


def taught_listings(options: Options) -> Listings:
    """Every list of the set, taught on the page as the browser shows it, and as it is parsed."""
    truth = lists_truth(options)
    pages: dict[Kind, dict[str, Page]] = {
        "rendered": dict(zip(truth.names, rendered(truth.files, keep=options.keep_pages), strict=True)),
        "static": dict(zip(truth.names, opened(truth.files), strict=True)),
    }
    lists: list[Listed] = []
    untaught: list[str] = []
    for known in map(corrected, truth.known):
        for kind, by_name in pages.items():
            page = by_name[known.file]
            examples = examples_on(known, page)
            untaught += [] if examples or kind == "static" else [known.id]
            lists += _taught(known, kind, page, examples)
    return Listings(truth.corpus, lists, untaught)


def _taught(known: ListTruth, kind: Kind, page: Page, examples: Sequence[Texts]) -> Iterator[Listed]:
    for way in WAYS:
        if len(examples) >= NUMBER[way]:
            with naming(f"{known.id}, {way}"):
                yield taught_list(known, kind, way, page, examples)


def taught_list(known: ListTruth, kind: Kind, way: str, page: Page, examples: Sequence[Texts]) -> Listed:
    """What becomes of a list that is taught in one way, on a page opened in one way."""
    is_single = CELL not in examples[0]
    truth = on_page(known, page)
    try:
        wrapper = taught_wrapper(way, page, examples)
    except UsageError as problem:
        return Listed(known.id, kind, way, is_single, len(truth), 0, 0.0, None, "failed", str(problem))
    read = wrapper.read(page)
    records = list(_flat(read.records.to_dicts(), single=is_single))
    partners = one_to_one([_choices(truth, one.get(TITLE, "")) for one in records])
    cells = None if is_single else _cells(truth, records, partners)
    found = len(partners) / len(truth)
    return Listed(known.id, kind, way, is_single, len(truth), len(records), found, cells, read.verdict, wrapper.words())


def on_page(known: ListTruth, page: Page) -> list[Bag]:
    """The words of the records that the page shows, as often as it does.

    Some were damaged on their way through a spreadsheet, written down twice, or taken from another version of the page.
    """
    text = key_of(page.text_of(0))
    left: Counter[tuple[str, ...]] = Counter()
    kept = []
    for cells, (bag, _) in zip(known.records, known.bags, strict=True):
        keys = [key for cell in cells if (key := key_of(cell))]
        shown = sum(len(key) for key in keys if key in text)
        left[cells] += 1
        is_shown = shown >= SHOWN * sum(map(len, keys)) and text.count(max(keys, key=len, default="")) >= left[cells]
        if keys and is_shown and is_legible(cells):
            kept.append(bag)
    return kept or [bag for bag, _ in known.bags]


def taught_wrapper(way: str, page: Page, examples: Sequence[Texts]) -> Any:
    """The wrapper of a file of examples; one by one as of the arguments of a command."""
    some = examples[: NUMBER[way]]
    whole = len(some) > 1 and not way.endswith(ONE_BY_ONE)
    if CELL not in some[0]:
        given = PageExamples(page.url, {TITLE: [one[TITLE] for one in some]}, whole=whole)
    elif whole:
        records = [{name: [text] for name, text in one.items()} for one in some]
        given = PageExamples(page.url, records=records, whole=True)
    else:
        given = PageExamples(page.url, {name: [one[name] for one in some] for name in some[0]})
    return teach_pages([(page, given)]).wrapper


def _flat(records: Sequence[Mapping[str, Any]], *, single: bool) -> Iterator[dict[str, str]]:
    """Records with one text a field; where a list of texts was wanted, every text of the page's one record."""
    for record in records:
        if single:
            values = record.get(TITLE) or []
            yield from ({TITLE: text} for text in ([values] if isinstance(values, str) else values))
        else:
            yield {name: value if isinstance(value, str) else "" for name, value in record.items()}


def _choices(truth: Sequence[Bag], title: str) -> list[int]:
    """The known records that have the words of a title, those with the fewest others first."""
    bag = bag_of([title])
    near = [(record.total(), number) for number, record in enumerate(truth) if bag and _is_in(bag, record)]
    return [number for _, number in sorted(near)]


def _is_in(bag: Bag, record: Bag) -> bool:
    return (bag & record).total() >= CONTAINED * bag.total()


def _cells(truth: Sequence[Bag], records: Sequence[Mapping[str, str]], partners: Mapping[int, int]) -> float | None:
    """The share of the second cells that are in the known record, among those that were read."""
    read = [(bag, truth[other]) for one, other in partners.items() if (bag := bag_of([records[one].get(CELL, "")]))]
    return mean(_is_in(bag, record) for bag, record in read)


# ---------------------------------------------------------------- figures


def listing_figures(listings: Listings) -> tuple[Figure, ...]:
    """The share of pages with nearly all records, and of those with a part that is said to be right."""
    figures = []
    for way, bound in LEAST_PAGES.items():
        lists = listings.of(way)
        if lists:
            whole = mean(one.is_whole for one in lists) or 0.0
            figures.append(Figure.of(f"listings read, taught by {way}", whole, bound, "higher", "share"))
    for way in LEAST_PAGES:
        lists = listings.of(way)
        if lists:
            silent = mean(one.is_silent for one in lists) or 0.0
            name = f"listings, a part said ok, taught by {way}"
            figures.append(Figure.of(name, silent, MOST_SILENT, "lower", "share"))
    return tuple(figures)


def listing_details(listings: Listings) -> dict[str, float]:
    """The shares by how the page was opened, by the kind of list and by the way it was taught."""
    found: dict[str, float | None] = {}
    for kind, single, way in product(KINDS, (False, True), WAYS):
        lists = listings.of(way, kind, single=single)
        told = f"listings, {kind}, {'texts' if single else 'records'}, {way}"
        found[f"{told}: lists"] = float(len(lists))
        found[f"{told}: read"] = mean(one.is_whole for one in lists)
        found[f"{told}: a part said ok"] = mean(one.is_silent for one in lists)
        found[f"{told}: said ok"] = mean(one.verdict == "ok" for one in lists)
        found[f"{told}: records"] = mean(one.found for one in lists)
        found[f"{told}: cells"] = mean(one.cells for one in lists if one.cells is not None)
    return {name: round(value, 6) for name, value in found.items() if value is not None}


def listing_sheet(listings: Listings) -> Sheet:
    """The same as a table."""
    sheet = Sheet("", "lists", "read", "a part said ok", "said ok", "records", "cells", title="listings")
    details = listing_details(listings)
    for kind, single, way in product(KINDS, (False, True), WAYS):
        told = f"{kind}, {'texts' if single else 'records'}, {way}"
        values = [details.get(f"listings, {told}: {what}") for what in SHEET]
        if values[0]:
            sheet.add_row(told, f"{values[0]:.0f}", *map(shown, values[1:]))
    return sheet


def listing_remarks(listings: Listings) -> tuple[str, ...]:
    """What was measured, and what could not be."""
    pages = len(listings.of(WAYS[0]))
    return (
        f"Listings: {pages} pages of results, one a site, taught by the first record and by the first and a later one.",
        f"Listings left out, since the page lacks two cells of the first record: {len(listings.untaught)}.",
        f"Listings whose truth is corrected, with the reasons in bench/teach/listing_truth.py: {len(CORRECTIONS)}.",
    )


def report_listings(listings: Listings, named: Sequence[str], most: int) -> None:
    """Print the lists that were not read whole, those said to be right first."""
    lost = [one for one in listings.lists if not one.is_whole and (not named or any(part in one.id for part in named))]
    print("\nlistings: known records, records read, share found, verdict, the first rule")
    for one in sorted(lost, key=lambda one: (one.is_single, not one.is_silent, one.found))[:most]:
        rule = one.rules.partition("\n")[0]
        print(
            f"  {one.id}, {one.kind}, {one.way}: {one.known}, {one.read}, {one.found:.2f}, {one.verdict}; {rule:.100}"
        )
