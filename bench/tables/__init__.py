"""Tables: how well they are read from what a page shows, beside libraries that read its tags, and what it costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial

from rich.table import Column
from rich.table import Table as Sheet

from bench.ablation import Worth, ablated, publish_ablations
from bench.frame import Figure, Options, Outcome, asked_to_show, shown, thinned
from bench.pages import rendered
from bench.searches import Timing, cost, dear, timings
from bench.tables.adjacency import KINDS, PageScore, Summary, groups, summary
from bench.tables.pages import (
    DEFAULT,
    LATER,
    PLAIN,
    RENDERING,
    SHORT_CELLS,
    Peer,
    Truth,
    found_on,
    peers,
    read_truth,
    scores,
    settings_without,
    ways,
)
from bench.tables.report import report
from bench.tables.speed import DEAR, growths, large
from sightline.extract.tables import RULES
from sightline.page import Page

__all__ = ["ablate", "run", "show"]

TIMED = 50  # pages; more would not move the median
PEER = "pandas"
KNOWN_PEERS = ("pandas", "crawl4ai")
# F-measures of table detection, as its authors published them for the plain method and with the rule of 20 words.
PUBLISHED = {PLAIN: 0.898, SHORT_CELLS: 0.928}

Groups = Mapping[str, Summary]


@dataclass(frozen=True)
class Detection:
    """Tables found, whatever is right or wrong inside them beyond what finding asks for."""

    hits: int
    handed_out: int
    known: int

    @property
    def precision(self) -> float:
        """The share of the tables handed out that are data tables."""
        return self.hits / max(1, self.handed_out)

    @property
    def recall(self) -> float:
        """The share of the data tables that were handed out."""
        return self.hits / max(1, self.known)

    @property
    def f(self) -> float:
        """The F-measure of the two."""
        return 2 * self.hits / max(1, self.handed_out + self.known)


def run(options: Options) -> Outcome:
    """Read every page in every way, and with every peer."""
    by_way = ways(options.without)
    truth = read_truth(options)
    # First what is timed: with hundreds of pages in memory, Python's collector would be measured as well.
    timed = timings(thinned(truth.files, TIMED), {DEFAULT: by_way[DEFAULT]})
    grown = (*growths(by_way[DEFAULT]), *large())
    pages = rendered(truth.files, keep=options.keep_pages)
    ours = {name: scores(truth, found_on(truth, pages, way)) for name, way in by_way.items()}
    later = read_truth(options, name=LATER)
    of_later = groups(scores(later, found_on(later, rendered(later.files, keep=options.keep_pages), by_way[DEFAULT])))
    others = {peer.name: peer for peer in peers(truth)}
    results = {name: groups(read) for name, read in ours.items()}
    results |= {name: groups(scores(truth, peer.found)) for name, peer in others.items()}
    return Outcome(
        task="tables",
        peer="peer",
        corpora=(truth.corpus, later.corpus),
        figures=(
            *_quality(results),
            *_plain(ours, results),
            *_of_later(of_later),
            cost("finding tables", timed, DEFAULT, DEAR),
            *grown,
        ),
        remarks=_remarks(options, truth, others),
        details=_details(results, ours, timed),
        views=(_side_by_side(results), _by_part(results)),
    )


def show(options: Options) -> None:
    """Print what is wrong on the pages asked for: `worst`, a number, a kind, or parts of names of pages."""
    number, named = asked_to_show(options, KINDS)
    kind = next((word for word in options.show if word in KINDS), "")
    way = ways(options.without)[DEFAULT]
    truth = read_truth(options, named)
    found = found_on(truth, rendered(truth.files, keep=options.keep_pages), way)
    report(scores(truth, found), found, most=number, kind=kind)


def ablate(options: Options) -> None:
    """Leave out every rule in turn."""
    settings_without(*options.without)  # refuses unknown names before anything takes its time
    truth = read_truth(options)
    found = ablated(truth.corpus, RULES, options, partial(worth, truth, rendered(truth.files, keep=options.keep_pages)))
    publish_ablations("tables", [found], options, lower_is_better=("layout",))


def worth(truth: Truth, pages: Sequence[Page], without: Sequence[str]) -> Worth:
    """The figures that the rules are judged by: F1 from the rendering alone, the rest with the markup as a witness."""
    by_way = ways(without)
    default, rendering = (scores(truth, found_on(truth, pages, by_way[name])) for name in (DEFAULT, RENDERING))
    whole = summary(default)
    others = {"layout": whole.layout_handed_out, "precision": whole.hit_share, "header": whole.header}
    found = {kind: summary(rendering, kind).f1 for kind in KINDS} | others
    return {name: value or 0.0 for name, value in found.items()}


def _quality(results: Mapping[str, Groups]) -> tuple[Figure, ...]:
    return (
        _figure("F1, markup, rendering alone", results, RENDERING, ("markup", "f1"), 0.98),
        _figure("F1, visual, rendering alone", results, RENDERING, ("visual", "f1"), 0.93),
        _figure("F1, ascii, rendering alone", results, RENDERING, ("ascii", "f1"), 0.90),
        _figure("layout tables handed out", results, DEFAULT, ("all", "layout_handed_out"), 0.05),
        _figure("precision on complete pages", results, DEFAULT, ("all", "hit_share"), 0.93),
        _figure("header rows right", results, DEFAULT, ("all", "header"), 0.95),
        _figure("header rows right, tables with headings", results, DEFAULT, ("all", "with_headings"), 0.97),
        _figure("header rows right, tables without headings", results, DEFAULT, ("all", "without_headings"), 0.95),
    )


def _of_later(found: Groups) -> tuple[Figure, ...]:
    """The same of pages that came later, which no rule was made by."""
    bounds = (
        ("F1, markup", "markup", "f1", 0.96),
        ("F1, visual", "visual", "f1", 0.98),
        ("F1, ascii", "ascii", "f1", 0.98),
    )
    wanted = (
        *bounds,
        ("precision on complete pages", "all", "hit_share", 0.94),
        ("header rows right", "all", "header", 0.95),
    )
    return tuple(
        Figure.of(f"later pages: {name}", value, bound, "higher", "share")
        for name, group, field, bound in wanted
        if (value := _value(found, (group, field))) is not None
    )


def _figure(name: str, results: Mapping[str, Groups], way: str, where: tuple[str, str], bound: float) -> Figure:
    ours = _value(results[way], where) or 0.0
    peer = _value(results[PEER], where) if PEER in results else None
    better = "lower" if where[1] == "layout_handed_out" else "higher"
    return Figure.of(name, ours, bound, better, "share", peer=peer)


def _value(of: Groups, where: tuple[str, str]) -> float | None:
    group, field = where
    found: float | None = getattr(of[group], field) if group in of else None
    return found


def _plain(ours: Mapping[str, Sequence[PageScore]], results: Mapping[str, Groups]) -> tuple[Figure, ...]:
    """The published method alone; its figures are for comparison, and nobody's aim."""
    found = {name: detection(ours[name]).f for name in PUBLISHED}
    return (
        *(
            Figure.of(f"{name}: F of detection", f, None, "higher", "share", peer=PUBLISHED[name])
            for name, f in found.items()
        ),
        *(
            Figure.of(f"{name}: mean F1", value, None, "higher", "share")
            for name in PUBLISHED
            for value in [results[name]["all"].f1 or 0.0]
        ),
    )


def detection(pages: Sequence[PageScore]) -> Detection:
    """How well tables were found, over the pages whose data tables are all known."""
    complete = [page for page in pages if page.truth.is_complete]
    hits = sum(page.hits for page in complete)
    handed_out = hits + sum(len(page.wrong) for page in complete)
    return Detection(hits, handed_out, sum(len(page.tables) for page in complete))


def _remarks(options: Options, truth: Truth, others: Mapping[str, Peer]) -> tuple[str, ...]:
    missing = [name for name in KNOWN_PEERS if name not in others]
    tables = sum(len(page.tables) for page in truth.pages)
    return (
        f"{len(truth.pages)} pages with {tables} tables; F1 and found are means over tables.",
        *(f"{name} {peer.version}, in the same run on the same files." for name, peer in others.items()),
        *(f"{name}: not installed (docs/benchmarks.md tells how)." for name in missing),
        *((f"Rules left out: {', '.join(options.without)}; nothing is written down.",) if options.without else ()),
    )


def _details(
    results: Mapping[str, Groups], ours: Mapping[str, Sequence[PageScore]], timed: Sequence[Timing]
) -> dict[str, float]:
    details = {"share of pages where finding tables takes longer than the bound": dear(timed, DEFAULT, DEAR)}
    for name, of in results.items():
        for group, found in of.items():
            details[f"{name}, {group}: F1"] = found.f1 or 0.0
        values = {field.name: getattr(of["all"], field.name) for field in fields(Summary)}
        details |= {f"{name}, all: {field}": value for field, value in values.items() if value is not None}
    for name, pages in ours.items():
        found = detection(pages)
        details |= {f"{name}, detection: precision": found.precision, f"{name}, detection: recall": found.recall}
    return {name: round(value, 6) for name, value in details.items()}


def _side_by_side(results: Mapping[str, Groups]) -> Sheet:
    columns = {
        **{f"F1 {kind}": (kind, "f1") for kind in KINDS},
        "found": ("all", "found"),
        "header": ("all", "header"),
        "layout": ("all", "layout_handed_out"),
        "precision": ("all", "hit_share"),
        "extra": ("all", "extra"),
    }
    sheet = Sheet("", *columns, title="side by side")
    for name, of in results.items():
        values = (_value(of, where) for where in columns.values())
        sheet.add_row(name, *map(shown, values))
    return sheet


def _by_part(results: Mapping[str, Groups]) -> Sheet:
    names = [name for name in results if name != PLAIN]  # as many as fit beside the names
    sheet = Sheet(Column("set / part", no_wrap=True), "tables", *names, title="F1 by set and part")
    for group, whole in results[DEFAULT].items():
        if group not in ("all", *KINDS):
            values = (results[name][group].f1 for name in names)
            sheet.add_row(group, str(whole.tables), *map(shown, values))
    return sheet
