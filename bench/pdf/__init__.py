"""PDFs: tables, labels and fields beside other libraries, what it costs, and what hostile files do."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from rich.table import Column
from rich.table import Table as Sheet

from bench.frame import CACHE, MOST_SHOWN, Corpus, Figure, Options, Outcome, asked_to_show, folder_of, thinned
from bench.pdf.headings import Headings, headings_of, share_right
from bench.pdf.held_out import HeldOut, figures_of, read_held_out
from bench.pdf.icdar import (
    WITHOUT_REGIONS,
    Document,
    Found,
    Score,
    Summary,
    export,
    read_documents,
    score,
    structure_score,
    summary,
)
from bench.pdf.invoices import COPIES, FIELDS, WAYS, Reading, read_invoices
from bench.pdf.labels import LABELS, Confusion, compare, read_words
from bench.pdf.limits import Answer, Hostile, hostile_files, open_hostile, thousand_sheets
from bench.pdf.ours import Timing, labelled, opened, read_tables, timed
from bench.pdf.peers import LINES, TIMED, VECTOR, Peer, read_by_peers
from bench.pdf.printed import BARE, Printed, Result, corpus_of, print_sheets, result
from bench.pdf.printed import scores as printed_scores
from bench.pdf.report import report_headings, report_invoices, report_labels, report_tables
from bench.pdf.twins import TwinDocument, read_twins
from sightline.errors import SightlineError

__all__ = ["run", "show"]

T = TypeVar("T")

LEAST_F1, LEAST_REGIONS, LEAST_LABELS, LEAST_HEADINGS = 0.93, 0.96, 0.85, 0.93
MOST_MILLISECONDS, FASTER_THAN_LINES, FASTER_THAN_VECTOR = 16.0, 5.0, 2.5
MOST_OPENING, MOST_CHILD = 1000.0, 2000.0  # megabytes
MEGABYTE = 1_000_000
OURS = "sightline"
EXPORTED = CACHE / "pdf-export"

# Goals of our own, set after the first draw was seen: they are held by the gate.
PRINTED, FALSE = 0.97, 2


@dataclass(frozen=True)
class Sets:
    """The files of all parts."""

    documents: tuple[Document, ...]
    further: tuple[Document, ...]
    manuals: tuple[TwinDocument, ...]
    manuals_truth: Path
    pages: tuple[Path, ...]
    invoices: Path
    hostile: tuple[Path, ...]
    printed: tuple[Printed, ...]

    @property
    def files(self) -> list[Path]:
        """The documents whose tables are known."""
        return [document.path for document in self.documents]

    @property
    def corpora(self) -> tuple[Corpus, ...]:
        """Each part with its truth."""
        words = (file for path in self.pages for file in (path, path.with_suffix(".txt")))
        invoices = (self.invoices / f"{name}.{kind}" for name in FIELDS for kind in ("pdf", "json"))
        return (
            Corpus("icdar2013", tuple(file for document in self.documents for file in document.files)),
            Corpus("pdf2", tuple(file for document in self.further for file in document.files)),
            Corpus("twins", (self.manuals_truth, *(manual.path for manual in self.manuals))),
            Corpus("docbank", tuple(words)),
            Corpus("invoices", tuple(invoices)),
            Corpus("hostile", self.hostile),
            corpus_of(self.printed),
        )


@dataclass(frozen=True)
class Ours:
    """Everything that was measured of ours."""

    tables: Summary
    held_out: HeldOut
    headings: Sequence[Headings]
    printed: Result
    labels: Confusion
    invoices: Sequence[Reading]
    timing: Timing | None
    opening: Answer
    hostile: Hostile
    problems: Sequence[str]


def run(options: Options) -> Outcome:
    """Read everything, ours first, then the peers."""
    sets = _sets(options)
    timing = timed(sets.files)  # first, with nothing else in memory
    found, problems = _found(sets.documents)
    printed, unread = _found_printed(sets.printed)
    labels, more = _labels(sets.pages)
    invoices, others = read_invoices(sets.invoices)
    ours = Ours(
        summary(_scores(sets.documents, found)),
        read_held_out({"ICDAR 2013, EU": sets.documents, "ICDAR 2013, US half": sets.further}, sets.manuals),
        _headings(sets.documents, found),
        result(sets.printed, list(printed.values())),
        sum(labels.values(), Confusion(Counter())),
        invoices,
        timing,
        thousand_sheets(sets.files),
        open_hostile(sets.hostile),
        (*problems, *unread, *more, *others),
    )
    peers = read_by_peers(sets.files)
    results = {OURS: ours.tables} | _peer_results(sets.documents, peers)
    of_printed = {OURS: ours.printed} | _printed_by_peers(sets.printed)
    return Outcome(
        task="pdf",
        peer="best peer",
        corpora=sets.corpora,
        figures=(
            *_quality(ours, results),
            *figures_of(ours.held_out),
            *_of_printed(of_printed),
            *_cost(ours, peers),
            *_safety(ours),
        ),
        remarks=_remarks(ours, peers),
        details=_details(ours, results, peers) | _details_of_printed(of_printed),
        views=(
            _goals(ours, results, peers),
            _by_style(sets.printed, of_printed),
            _by_label(ours.labels),
            _side_by_side(results),
        ),
    )


def show(options: Options) -> None:
    """Print what is wrong: `worst`, a number, parts of names; `export` writes the tables for the reference scorer."""
    number, named = asked_to_show(options, ("export", "invoices"))
    sets = _sets(options)
    documents = {one.name: one for one in sets.documents if _is_named(one.name, named)}
    found, problems = _found(list(documents.values()))
    if "export" in options.show:
        print(*export(found, EXPORTED))
        return
    truths = {name: document.structures for name, document in documents.items()}
    report_tables(truths, found, _scores(list(documents.values()), found), number)
    report_headings(_headings(list(documents.values()), found))
    problems += _show_printed(sets.printed, named, number)
    labels, more = _labels([path for path in sets.pages if _is_named(path.stem, named)])
    report_labels(labels, number)
    readings, others = read_invoices(sets.invoices) if not named else ([], [])
    report_invoices(readings)
    print(*dict.fromkeys((*problems, *more, *others)), sep="\n")


def _show_printed(documents: Sequence[Printed], named: Sequence[str], number: int) -> list[str]:
    """The worst sheets of every style, and those that have a table though there is none; returns what was not read."""
    found, problems = _found_printed(documents)
    for document in documents:
        sheets = {name: own for name, own in document.by_sheet(found[document.style]).items() if _is_named(name, named)}
        truths = {name: (own,) for name, own in document.truth.items()}
        scores = [one for one in printed_scores(document, found[document.style]) if one.name in sheets]
        if document.style == BARE:
            scores = [Score(name, structure_score((), own), None) for name, own in sheets.items() if own]
        if scores:
            report_tables(truths, sheets, scores, number)
    return problems


def _is_named(name: str, named: Sequence[str]) -> bool:
    return not named or any(word in name for word in named)


def _sets(options: Options) -> Sets:
    folder = folder_of("pdf", options)
    documents = read_documents(folder / "icdar2013")
    further = read_documents(folder_of("pdf2", options) / "icdar2013")
    twins = folder_of("twins", options)
    pages = sorted((folder / "docbank").glob("*.pdf"))
    hostile = hostile_files(folder_of("hostile", options) / "pdf")
    tables = folder_of("tables", options) / "truth.jsonl"
    if not documents or not pages or not hostile:
        raise SystemExit(f"bench: a part of the set pdf is missing in {folder}; see docs/benchmarks.md.")
    if not tables.exists():
        raise SystemExit(f"bench: {tables}, from which tables are printed, is missing; see docs/benchmarks.md.")
    return Sets(
        tuple(thinned(documents, options.limit)),
        tuple(thinned(further, options.limit)),
        tuple(thinned(read_twins(twins), options.limit)),
        twins / "truth.jsonl",
        tuple(thinned(pages, options.limit)),
        folder / "invoices",
        tuple(thinned(hostile, options.limit)),
        print_sheets(tables, options.limit),
    )


def _found(documents: Sequence[Document]) -> tuple[dict[str, list[Found]], list[str]]:
    """Our tables of every document; one that cannot be read has none."""
    return _each({document.name: document.path for document in documents}, read_tables)


def _found_printed(documents: Sequence[Printed]) -> tuple[dict[str, list[Found]], list[str]]:
    """Our tables of every style."""
    return _each({document.style: document.path for document in documents}, read_tables)


def _labels(pages: Sequence[Path]) -> tuple[dict[str, Confusion], list[str]]:
    """The labels of every page against the truth; on one that cannot be read all words are missed."""
    words, problems = _each({path.stem: path for path in pages}, lambda path: labelled(opened(path)))
    truth = {path.stem: read_words(path.with_suffix(".txt")) for path in pages}
    return {name: compare(truth[name], own) for name, own in words.items()}, problems


def _each(paths: Mapping[str, Path], read: Callable[[Path], list[T]]) -> tuple[dict[str, list[T]], list[str]]:
    """What is read of every file, nothing where it cannot be, and why it could not."""
    found: dict[str, list[T]] = {}
    problems = []
    for name, path in paths.items():
        try:
            found[name] = read(path)
        except SightlineError as problem:
            found[name] = []
            problems.append(str(problem))
    return found, problems


def _scores(documents: Iterable[Document], found: Mapping[str, Sequence[Found]]) -> list[Score]:
    return [score(document, found[document.name]) for document in documents]


def _headings(documents: Iterable[Document], found: Mapping[str, Sequence[Found]]) -> list[Headings]:
    return [one for document in documents for one in headings_of(document, found[document.name])]


def _peer_results(documents: Sequence[Document], peers: Mapping[str, Peer]) -> dict[str, Summary]:
    return {
        name: summary([score(document, tables) for document, tables in zip(documents, peer.found, strict=True)])
        for name, peer in peers.items()
        if not peer.missing
    }


def _printed_by_peers(documents: Sequence[Printed]) -> dict[str, Result]:
    """What the peers that are fast enough make of what was printed; their times are taken elsewhere."""
    peers = read_by_peers([document.path for document in documents], TIMED, is_timed=False)
    return {name: result(documents, peer.found) for name, peer in peers.items() if not peer.missing}


# ---------------------------------------------------------------------- figures


def _quality(ours: Ours, results: Mapping[str, Summary]) -> tuple[Figure, ...]:
    right = _right(ours.invoices)
    best_f1, best_region = (_best(results, field) for field in ("f1", "region_f1"))
    whole = ours.tables.region_f1_known
    return (
        _share("ICDAR 2013: F1 averaged over documents", ours.tables.f1, best_f1, LEAST_F1),
        _share("ICDAR 2013: F1 of all relations", ours.tables.pooled, _best(results, "pooled"), None),
        _share("table regions: character F", ours.tables.region_f1, best_region, LEAST_REGIONS),
        _share("table regions: the same, of documents that have them", whole, _best(results, "region_f1_known"), None),
        _share("header rows right, ICDAR EU", share_right(ours.headings), None, LEAST_HEADINGS),
        _share("docbank: words whose block is labelled right", ours.labels.right, None, LEAST_LABELS),
        *(_share(f"docbank: F1 of {label}", ours.labels.f1(label), None, None) for label in LABELS),
        _share("invoices: amounts and dates right", right["either"], None, 1.0),
        *(_share(f"invoices: right {way}", right[way], None, None) for way in WAYS),
    )


def _of_printed(results: Mapping[str, Result]) -> tuple[Figure, ...]:
    ours = results[OURS]
    peers = [own for name, own in results.items() if name != OURS]
    best = {style: max((own.styles[style] for own in peers), default=None) for style in ours.styles}
    false = ours.false.total()
    spaced = max((own.spaced for own in peers), default=None)
    least = min((own.false.total() for own in peers), default=None)
    return (
        _share(
            "printed tables: F1, mean of all styles", ours.f1, max((own.f1 for own in peers), default=None), PRINTED
        ),
        *(_share(f"printed tables: F1, {style}", value, best[style], None) for style, value in ours.styles.items()),
        _share("printed tables: cells with their blanks right", ours.spaced, spaced, None),
        _share("printed tables: header rows right", ours.headings, None, None),
        Figure.of("printed sheets without tables: false tables", false, FALSE, "lower", "tables", peer=least),
    )


def _share(name: str, ours: float, peer: float | None, bound: float | None) -> Figure:
    return Figure.of(name, ours, bound, "higher", "share", peer=peer)


def _best(results: Mapping[str, Summary], field: str) -> float | None:
    return max((getattr(own, field) for name, own in results.items() if name != OURS), default=None)


def _right(readings: Sequence[Reading]) -> dict[str, float]:
    """The share of fields that a way reads right on all copies, and that at least one way does."""
    wrong = {(one.way, one.invoice, one.field.name) for one in readings if not one.right}
    fields = {(one.invoice, one.field.name) for one in readings}
    right = {way: {field for field in fields if (way, *field) not in wrong} for way in WAYS}
    right["either"] = set().union(*right.values())
    return {way: len(own) / max(1, len(fields)) for way, own in right.items()}


def _cost(ours: Ours, peers: Mapping[str, Peer]) -> tuple[Figure, ...]:
    """Ours by itself and against the peers whose time was taken in this run; nothing where we read nothing."""
    if ours.timing is None:
        return ()
    own = ours.timing.whole
    figures = [Figure.of("processor time a sheet, ms", own, MOST_MILLISECONDS, "lower", "ms")]
    for name, bound in ((LINES, FASTER_THAN_LINES), (VECTOR, FASTER_THAN_VECTOR)):
        peer = peers[name].milliseconds
        if peer is not None:
            figures.append(Figure(f"{name} / ours, ms a sheet", own, peer, peer / own, bound, "higher", "x"))
    return tuple(figures)


def _safety(ours: Ours) -> tuple[Figure, ...]:
    hostile = ours.hostile
    ends = hostile.ends
    opening, child = ours.opening.bytes / MEGABYTE, hostile.child_bytes / MEGABYTE
    read = [Figure.of("memory while 1,000 sheets open, MB", opening, MOST_OPENING, "lower", "MB")]
    return (
        *(read if ours.opening.end == "page" else ()),
        _share("hostile PDFs that end in a page or one error", hostile.good, None, 1.0),
        *(
            Figure.of(f"hostile PDFs: {what}", ends[end], 0.0, "lower", "files")
            for what, end in (("crashes of the caller", "crash"), ("hangs", "hang"), ("errors not ours", "foreign"))
        ),
        Figure.of("hostile PDFs: memory of the child, MB", child, MOST_CHILD, "lower", "MB"),
    )


def _remarks(ours: Ours, peers: Mapping[str, Peer]) -> tuple[str, ...]:
    hostile, opening = ours.hostile, ours.opening
    ends = hostile.ends
    kept = [peer.name for peer in peers.values() if peer.is_kept]
    pages = f"{ends['page']} pages, {ends['error']} errors"
    return (
        f"hostile: {len(hostile.answers)} files, {pages}; the slowest took {hostile.slowest:.1f} s.",
        *(f"hostile: {line}" for line in hostile.bad[:MOST_SHOWN]),
        f"1,000 sheets: {opening.end} of {opening.sheets} sheets after {opening.seconds:.1f} s. {opening.text}",
        "Regions: the mean is over all documents, as the reference has it, though nothing can be compared in "
        f"{', '.join(sorted(WITHOUT_REGIONS))}.",
        *(f"{peer.name}: {peer.missing}; see docs/benchmarks.md." for peer in peers.values() if peer.missing),
        *(f"{peer.name} {peer.version}: {len(peer.errors)} errors." for peer in peers.values() if peer.errors),
        *((f"Kept from an earlier run, times as well: {', '.join(kept)}.",) if kept else ()),
        *((f"Not read or taught: {len(ours.problems)}, such as {ours.problems[0]}",) if ours.problems else ()),
    )


def _details(ours: Ours, results: Mapping[str, Summary], peers: Mapping[str, Peer]) -> dict[str, float]:
    details: dict[str, float] = {}
    for name, found in results.items():
        details |= {f"{name}: {field}": value for field, value in asdict(found).items()}
    for name, peer in peers.items():
        if peer.milliseconds is not None:
            details[f"{name}: processor time a sheet, ms"] = peer.milliseconds
    if ours.timing is not None:
        details["opening alone: processor time a sheet, ms"] = ours.timing.opening
    for label, values in ours.labels.by_label().items():
        details |= {f"docbank, {label}: {part}": value for part, value in zip("PRF", values, strict=True)}
    details["docbank: words missed"] = ours.labels.missed
    for way in WAYS:
        for copy in COPIES:
            own = [one.right for one in ours.invoices if (one.way, one.copy) == (way, copy)]
            details[f"invoices, {way}, {copy}: right"] = sum(own) / max(1, len(own))
    details |= {f"hostile: {end}": count for end, count in ours.hostile.ends.items()}
    return {name: round(float(value), 6) for name, value in details.items()}


def _details_of_printed(results: Mapping[str, Result]) -> dict[str, float]:
    details: dict[str, float] = {}
    for name, own in results.items():
        details |= {f"{name}: printed, {style}: F1": round(value, 6) for style, value in own.styles.items()}
        details |= {f"{name}: printed, {style}: tables right": count for style, count in own.right.items()}
        details |= {f"{name}: printed, {kind}: false tables": count for kind, count in own.false.items()}
    return details


# ---------------------------------------------------------------------- views


def _goals(ours: Ours, results: Mapping[str, Summary], peers: Mapping[str, Peer]) -> Sheet:
    """The figures that were asked for, each with its goal, ours, and every peer's."""
    heads = [name.replace(", ", "\n") for name in peers]
    sheet = Sheet(Column("what", no_wrap=True), "goal", OURS, *heads, title="goals", padding=0)
    times = {name: "–" if peer.milliseconds is None else f"{peer.milliseconds:.1f}" for name, peer in peers.items()}
    own = "–" if ours.timing is None else f"{ours.timing.whole:.1f}"
    right = f"{_right(ours.invoices)['either']:.3f}"
    memory = f"{ours.opening.bytes / MEGABYTE:,.0f}" if ours.opening.end == "page" else "–"
    bare = [""] * len(peers)
    sheet.add_row("F1 by document", f"≥ {LEAST_F1}", *_row(results, peers, "f1"))
    sheet.add_row("region F", f"≥ {LEAST_REGIONS}", *_row(results, peers, "region_f1"))
    sheet.add_row("header rows right", f"≥ {LEAST_HEADINGS}", f"{share_right(ours.headings):.3f}", *bare)
    sheet.add_row("words labelled right", f"≥ {LEAST_LABELS}", f"{ours.labels.right:.3f}", *bare)
    sheet.add_row("invoice fields right", "all", right, *bare)
    sheet.add_row("CPU a sheet, ms", f"≤ {MOST_MILLISECONDS:g}", own, *times.values())
    sheet.add_row("1,000 sheets, MB", f"≤ {MOST_OPENING:g}", memory, *bare)
    sheet.add_row("hostile ended well", "all", f"{ours.hostile.good:.4f}", *bare)
    return sheet


def _row(results: Mapping[str, Summary], peers: Mapping[str, Peer], field: str) -> list[str]:
    return [f"{getattr(results[name], field):.3f}" if name in results else "–" for name in (OURS, *peers)]


def _by_label(labels: Confusion) -> Sheet:
    sheet = Sheet("docbank", "P", "R", "F1", title=f"labels of {labels.words:,} words, {labels.missed:.3f} missed")
    for label, values in labels.by_label().items():
        sheet.add_row(label, *(f"{value:.3f}" for value in values))
    return sheet


def _side_by_side(results: Mapping[str, Summary]) -> Sheet:
    shares = ("precision", "recall", "f1", "pooled", "region_precision", "region_recall", "region_f1")
    counts = ("complete", "pure", "missed", "false")
    heads = ("P", "R", "F1", "pooled", "region P", "R", "F", *counts)
    sheet = Sheet(Column("", no_wrap=True), *heads, title="ICDAR 2013, side by side")
    for name, own in results.items():
        values = [f"{getattr(own, field):.3f}" for field in shares]
        sheet.add_row(name, *values, *(str(getattr(own, field)) for field in counts))
    return sheet


def _by_style(documents: Sequence[Printed], results: Mapping[str, Result]) -> Sheet:
    """F1 of every style with the tables that are right to the last cell, and the false tables."""
    sheet = Sheet(Column("printed", no_wrap=True), "tables", *results, title="printed tables: F1, tables all right")
    for document in documents:
        style = document.style
        if style != BARE:
            values = (f"{own.styles[style]:.3f}, {own.right[style]}" for own in results.values())
            sheet.add_row(style, str(len(document.sheets)), *values)
    sheet.add_row("all styles", "", *(f"{own.f1:.3f}" for own in results.values()))
    sheet.add_row("cells with their blanks", "", *(f"{own.spaced:.3f}" for own in results.values()))
    sheet.add_row("false tables on sheets without", "", *(str(own.false.total()) for own in results.values()))
    return sheet
