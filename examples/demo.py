"""A tour of Sightline on the example pages, from tables and lists to wrappers, crawls, flows and the Studio.

Run it with `make demo`. It writes its results to the folder given as its argument.
"""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

import pypdfium2
from rich.console import Console
from rich.table import Table as Grid

import sightline as sl
from sightline import native
from sightline.checks import ExtractedNodes, find_outliers
from sightline.crawler import CrawlSettings, visits_in_order
from sightline.data import Records, Table, Value, export, result_marks
from sightline.draw import marks_of_page, picture, plot_harvest, plot_scores
from sightline.errors import MissingExtra
from sightline.extract.content import likelihoods
from sightline.extract.tables import trace_tables
from sightline.files import write_bytes
from sightline.jobs import Progress
from sightline.net import CrawlPolicy
from sightline.project import Project
from sightline.sources import BrowserSettings

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from sightline.flow.run import FlowRun

HERE = Path(__file__).parent
SCANNED_DOTS = 200  # to an inch
SHOP = HERE / "camera-shop"
ATLAS = HERE / "star-atlas"
PRICES = HERE / "prices"
console = Console(highlight=False)


def scene(number: int, title: str) -> None:
    """Print the heading of a scene."""
    console.print(f"\n[bold]{number}. {title}[/]")


def open_pages(out: Path) -> dict[str, sl.Page]:
    """Open all example pages in a real browser, several at a time, and save them as seen."""
    scene(1, "Pages as a person sees them: tree, boxes, styles and words in one call")
    settings = BrowserSettings(screenshot=True)
    grid = Grid("page", "nodes", "words", "texts seen", "hidden", "saved as", box=None, header_style="bold")
    opened: dict[str, sl.Page] = {}
    began = time.perf_counter()
    for result in sl.open_all([str(HERE / "*.html")], browser=settings):
        if result.error or result.page is None:
            raise SystemExit(f"sightline: {result.error}")
        page = result.page
        saved = sl.save(page, out / Path(result.source).with_suffix(".page").name)
        texts = page.is_text & ~page.is_blank
        seen = int((texts & page.visible).sum())
        size = f"{saved.name} ({saved.stat().st_size / 1000:.0f} kB)"
        grid.add_row(
            page.title[:20], f"{len(page):,}", f"{len(page.words):,}", str(seen), str(int(texts.sum()) - seen), size
        )
        opened[Path(result.source).stem] = page
    console.print(grid)
    console.print(f"[dim]{time.perf_counter() - began:.1f} s, including the start of the browser[/]")
    return opened


def show_hidden(page: sl.Page) -> None:
    """Show prices that are in the markup but invisible; a selector would take them for real ones."""
    scene(2, "What nobody can see is not data")
    inside_body = page.tag[page.parent] != page.string_id("style")
    hidden = (page.is_text & ~page.is_blank & ~page.visible & inside_body).nonzero()[0]
    for node in (int(node) for node in hidden):
        if "$" in page.strings[page.text[node]]:
            console.print(
                f"   [red]hidden[/] {page.node(node).raw_text.strip()[:40]:<42}[dim]…{page.xpath(node)[-25:]}[/]"
            )


def show_tables(pages: dict[str, sl.Page], out: Path) -> None:
    """Find the tables of all pages; show one of them typed and as triples, write it and draw it."""
    scene(3, "Tables, found by how they look and not by how they are coded")
    grid = Grid("page", "table", "coded as", "shape", "score", box=None, header_style="bold")
    began = time.perf_counter()
    found = {name: sl.tables(page) for name, page in pages.items()}
    seconds = time.perf_counter() - began
    for name, tables in found.items():
        for table in tables:
            title, shape = (table.caption or "")[:40], f"{len(table.rows)} × {table.width}"
            grid.add_row(name, title, _made_of(pages[name], table), shape, f"{table.score:.2f}")
    console.print(grid)
    console.print(f"[dim]{1000 * seconds:.0f} ms for {len(pages)} pages[/]")
    best = found["observatory"][0]
    _show_typed_table(best)
    _write_table(best, out)
    path = write_bytes(out / "tables.png", picture(pages["observatory"], result_marks(found["observatory"])))
    console.print(f"   {path}: every cell coloured by its role")


def _made_of(page: sl.Page, table: Table) -> str:
    """Return the element that holds the table's first cell; the search did not look at it."""
    origin = table.anchors[0].origin
    path = page.xpath(origin.nodes[0]) if origin else ""
    return next((tag for tag in ("table", "pre", "div") if f"/{tag}[" in path), "")


def _show_typed_table(table: Table) -> None:
    """Show records: sections become a column, totals are left out, values get the units of their headings."""
    rows = table.without_totals()
    grid = Grid(box=None, header_style="bold", padding=(0, 1, 0, 0))
    for column in rows.columns:
        grid.add_column(column.label.rpartition(" / ")[2], no_wrap=True)
    grid.add_row(*(f"[dim]{column.type}[/]" for column in rows.columns))
    for record in rows.records():
        grid.add_row(*(str(value.value) if isinstance(value, Value) else "" for value in record.values()))
    console.print("\n   As records without totals, each column with its type:")
    console.print(grid)
    console.print("\n   As triples:")
    for triple in rows.triples()[3:6]:
        console.print(f"   {triple.subject}  [dim]→[/] {triple.predicate}  [dim]→[/] {triple.object.text}")
    console.print()


def _write_table(table: Table, out: Path) -> None:
    for suffix in ("csv", "json", "xlsx", "parquet"):
        try:
            path = write_bytes(out / f"instruments.{suffix}", export(table, suffix))
            console.print(f"   {path}")
        except MissingExtra as missing:
            console.print(f"   no .{suffix}: pip install '.[{missing.extra}]'", style="dim", markup=False)


def show_refused(pages: dict[str, sl.Page]) -> None:
    """Show what looks like a table to a program but not to a person, with the evidence against it."""
    scene(4, "What was considered and rejected, and why")
    grid = Grid("page", "shape", "score", "decision", "evidence against it", box=None, header_style="bold")
    for name, page in pages.items():
        for one in trace_tables(page).candidates:
            if one.decision != "table":
                parts = sorted(one.evidence.items(), key=lambda part: part[1])[:2]
                against = ", ".join(f"{part} {weight:+.1f}" for part, weight in parts)
                shape = f"{one.shape[0]} × {one.shape[1]}"
                grid.add_row(name, shape, f"{one.score:.2f}", one.decision, against)
    console.print(grid)


def show_top(page: sl.Page) -> None:
    """Find the items that the title of an article promises, with their numbers and fields."""
    scene(5, "The items that a title promises, wherever they are on the page")
    top = sl.top_list(page)
    if top is None:
        raise SystemExit("sightline: the article has no list of the promised length.")
    console.print(f"   {top.caption!r} promises {top.k} items; found {len(top)}:")
    grid = Grid(box=None, header_style="bold", show_header=False)
    for item in top:
        year = item.components["year"]
        grid.add_row(str(item.rank), item.title.text, f"[dim]{year.text if isinstance(year, Value) else ''}[/]")
    console.print(grid)


def show_lists(pages: dict[str, sl.Page], out: Path) -> None:
    """Find every repeated region of a shop page, and show the typed columns of the first."""
    scene(6, "Everything that repeats: records with named fields, and one type for each column")
    found = sl.lists(pages["cameras"])
    for one in found:
        console.print(f"   {len(one):>3} × {one.caption}  [dim]{one.kind}, score {one.score:.2f}[/]")
    cameras = found[0]
    grid = Grid("field", "kind", "detail", "first value", "seen at", box=None, header_style="bold")
    for column in cameras.columns:
        kind = column.type
        decided = kind.currency or kind.unit or (f"decimal {kind.decimal}" if kind.decimal else "")
        origin = column.cells[0].origin if column.cells[0] else None
        place = "" if origin is None or origin.box is None else "x {:.0f}, y {:.0f}".format(*origin.box[:2])
        grid.add_row(column.name, kind.kind, decided, repr(column.values[0]), place)
    console.print(grid)
    for name, content in (("cameras.csv", cameras.to_csv()), ("cameras.jsonl", cameras.to_jsonl())):
        console.print(f"   {write_bytes(out / name, content.encode())}")


def learn_wrapper(out: Path) -> tuple[sl.Wrapper, list[sl.Page]]:
    """Learn a wrapper from four pages of a shop and read a fifth; a page of another template is rejected."""
    scene(7, "A wrapper learned from pages alone, which verifies every page it reads")
    *known, fresh = [
        sl.open(HERE / "cameras" / f"{name}.html")
        for name in ("arden-r5-mark-ii", "arden-r50", "lumora-s9", "fennel-x100", "kestrel-z8")
    ]
    began = time.perf_counter()
    wrapper = sl.induce(known).rename("now", "price").drop("crumbs")
    learned, began = time.perf_counter() - began, time.perf_counter()
    found = wrapper.read(fresh)
    read = time.perf_counter() - began
    console.print("\n".join(f"   {line}" for line in wrapper.outline().splitlines()), markup=False)
    console.print(f"   [dim]learned from {len(known)} pages in {1000 * learned:.0f} ms[/]\n")
    console.print(f"   A new page, read in {1000 * read:.1f} ms: [green]{found.verdict}[/]")
    for name, value in list(found.records.to_dicts(typed=True)[0].items())[:8]:
        console.print(f"   {name:<20}{value!s:.55}", markup=False)
    other = wrapper.read(sl.open(HERE / "observatory.html"))
    console.print(f"   A page of another template: [red]{other.verdict}[/], {len(other.records)} records")
    console.print(f"   {wrapper.save(out / 'cameras.wrapper.json')}")
    marks = found.records.marks()
    console.print(f"   {write_bytes(out / 'wrapper.png', picture(fresh, marks))}: every value labelled with its field")
    return wrapper, [*known, fresh]


def teach_wrapper(page: sl.Page, out: Path) -> None:
    """Teach a wrapper with three examples; after a redesign it notices, and proposes a repair."""
    scene(8, "A wrapper taught by pointing: three examples, readable rules, and a repair after a redesign")
    lesson = sl.teach(page)
    for name, text in (("name", "Arden R5 Mark II"), ("price", "$4,299.00"), ("stock", "In stock")):
        began = time.perf_counter()
        matches = lesson.want(name, text).matches(name)
        took = 1000 * (time.perf_counter() - began)
        console.print(f"   {name} = {text!r}: {len(matches)} matches after {took:.0f} ms", markup=False)
    wrapper = lesson.wrapper
    console.print("\n".join(f"   {line}" for line in wrapper.words().splitlines()), style="dim", markup=False)
    console.print(f"   {wrapper.save(out / 'taught.wrapper.json')}")
    marks = wrapper.extract(page).marks()
    console.print(f"   {write_bytes(out / 'taught.png', picture(page, marks))}: what the rules match")
    redesigned = sl.open(HERE / "redesigned" / "cameras.html")
    console.print(f"   The shop after a redesign: [red]{wrapper.read(redesigned).verdict}[/]; repair proposes:")
    proposal = wrapper.repair([redesigned])
    console.print("\n".join(f"   {line}" for line in proposal.diff().splitlines()), style="dim", markup=False)
    quoted = proposal.wrapper.extract(redesigned).to_dicts()[7]
    console.print(f"   {quoted}: the price is now on request, and the shipping fee is not taken for it", markup=False)


def show_content(page: sl.Page, out: Path) -> None:
    """Find the main text of an article, without menu, sidebar, newsletter box, comments and footer."""
    scene(9, "The main text, with title, byline and date; and the thing that a page is about")
    began = time.perf_counter()
    text = sl.content(page)
    took = 1000 * (time.perf_counter() - began)
    about = " · ".join(value.text for value in (text.title, text.byline, text.date) if value)
    console.print(f"   {about}", style="bold", markup=False)
    for part in text.parts[1:4]:
        console.print(f"   {part.text:.70}…", style="dim", markup=False)
    words = len(text.text.split())
    said = f"{len(text.comments)} comments apart; kind of page: {text.page_kind}"
    console.print(f"   {words} of {len(page.words)} words in {len(text)} parts, {took:.0f} ms; {said}")
    console.print(f"   {write_bytes(out / 'content.png', picture(page, text.marks()))}: every part framed")


def show_thing(out: Path) -> None:
    """Find what a page is about, and where it shows something else than it says for machines."""
    console.print("\n   What a page is about, with what it says for machines held against what it shows:")
    page = sl.open(HERE / "lamp.html")
    thing = sl.about(page)
    told = [f"{name} {thing[name]}" for name in ("name", "price", "priceCurrency", "sku", "gtin")]
    console.print(f"   {thing.kind}: {' · '.join(told)}", style="bold", markup=False)
    for doubt in thing.doubts:
        console.print(f"   {doubt.field}: {doubt.reason}", style="yellow", markup=False)
    console.print(f"   {write_bytes(out / 'thing.png', picture(page, thing.marks()))}: every value framed")


def check_run(wrapper: sl.Wrapper, pages: list[sl.Page], article: sl.Page, out: Path) -> None:
    """Check a good run and one with two columns swapped; then find the texts of an article that look different."""
    scene(10, "Checks: can you trust what was extracted?")
    found = [wrapper.read(page) for page in pages]
    swap = {"price": "Sensor", "Sensor": "price"}
    swapped = [
        Records([{swap.get(name, name): value for name, value in record.items()} for record in one.records])
        for one in found
    ]
    for what, run in (("as extracted", found), ("price and sensor swapped", swapped)):
        began = time.perf_counter()
        report = sl.check(run, wrapper, pages=pages)
        took = 1000 * (time.perf_counter() - began)
        colour = "green" if report.verdict == "ok" else "red"
        console.print(f"   {len(pages)} pages {what}: [{colour}]{report.verdict}[/] after {took:.0f} ms")
        for issue in report.issues[:2]:
            console.print(f"      {issue.check} of {issue.field}: {issue.reason:.48}…", style="dim", markup=False)
    everything = ExtractedNodes(article, article.is_text.nonzero()[0].tolist(), witness=likelihoods(article))
    outliers = find_outliers([everything])
    console.print(f"   Of all {len(outliers)} texts of an article {len(outliers.removed)} look different, such as:")
    for row in outliers.removed[:3]:
        console.print(f"      {row.text:.30}: {row.why[0]}", style="dim", markup=False)
    removed = [row.removed for row in outliers.rows]
    plot = plot_scores(outliers.scores, outliers.letters.astype(int), removed, cut=outliers.cut)
    console.print(f"   {write_bytes(out / 'outliers.png', plot)}: their scores and the cut-off")


def show_pdf(out: Path) -> None:
    """Open a PDF as a page: tables joined across sheets, one value taught by pointing, and clean XHTML."""
    scene(11, "PDFs are pages too")
    began = time.perf_counter()
    page = sl.open(HERE / "instruments.pdf", browser=BrowserSettings(screenshot=True))
    took = 1000 * (time.perf_counter() - began)
    console.print(
        f"   {page.title}: {len(page.sheets)} sheets, {len(page.words)} words in {took:.0f} ms, with a picture"
    )
    tables = sl.tables(page)
    for table in tables:
        sheets = sorted({cell.value.origin.sheet for cell in table.anchors if cell.value.origin})
        where = " and ".join(map(str, sheets))
        shape = f"{len(table.rows)} × {table.width}"
        console.print(f"   table {shape} on sheet {where}: {table.caption or 'without a caption'}", markup=False)
    lesson = sl.teach(page)
    lesson.want("total", "£67,970.40")
    taught = lesson.wrapper
    console.print(f"   One click teaches the total, {taught.extract(page).to_dicts()[0]['total']}:", markup=False)
    console.print("\n".join(f"      {line}" for line in taught.words().splitlines()), style="dim", markup=False)
    console.print(f"   {sl.save(page, out / 'quotation.html')}: headings, paragraphs, lists and tables as XHTML")
    console.print(f"   {write_bytes(out / 'quotation.png', picture(page, result_marks(tables)))}")
    _show_scan(out)


def _show_scan(out: Path) -> None:
    """The second sheet again, as the picture that a scanner would make of it."""
    sheet = pypdfium2.PdfDocument(HERE / "instruments.pdf")[1].render(scale=SCANNED_DOTS / 72).to_pil()
    scan = out / "scan.png"
    sheet.save(scan)
    began = time.perf_counter()
    page = sl.open(scan)
    first = sl.tables(page)[0]
    took = time.perf_counter() - began
    console.print(f"   {scan}, the second sheet as a mere picture, in {took:.1f} s: {page.notes[0]}", markup=False)
    console.print(
        f"   table {len(first.rows)} × {first.width}, row 2: {', '.join(map(str, first.rows[1]))}", markup=False
    )


def run_jobs(out: Path) -> None:
    """Run an extractor over many sources, one of which fails, keep the pages, and act on a page in a session."""
    scene(12, "Jobs over many sources, a project folder, and a tab that stays open")
    store, events = Project(out / "project"), list[Progress]()
    sources = [str(HERE / "cameras" / "*.html"), "no-such-page.html"]
    for outcome in sl.job(sources, "tables", static=True, on_progress=events.append):
        if outcome.error:
            console.print(f"   [red]failed[/] {outcome.error.message}")
        elif outcome.page:
            store.keep_page(outcome.page)
    last = events[-1]
    console.print(
        f"   {last.done} of {last.total} sources, {last.failed} failed, {last.bytes / 1000:.0f} kB in "
        f"{last.seconds:.1f} s; {len(list(store.page_ids()))} pages are in {store.folder}"
    )
    with _served(HERE) as address, sl.session() as session:
        session.goto(f"{address}/cameras.html").click("(//article//a | //main//a)[1]")
        console.print(f"   A session clicked the first link of the shop and came to “{session.capture().title}”")


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine while the block runs."""
    handler = partial(_QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


class _QuietHandler(SimpleHTTPRequestHandler):
    """Answers from a folder, with or without the suffix of a page, and prints nothing."""

    seen: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        """Add the suffix that links of the shop leave out."""
        self.seen.append(self.path)
        if not Path(self.path).suffix:
            self.path += ".html"
        super().do_GET()

    def log_message(self, format: str, *arguments: object) -> None:
        """Stay quiet."""


RACE = """<table><tr><th>Runner<th>100 m<th>Club's postcode<tr><td>Ada<td>12.31<td>04103<tr><td>Bo<td>12.40<td>10115
<tr><td>Cy<td>12.55<td>80331<tr><td>Di<td>13.02<td>20095<tr><td>Ed<td>DNF<td>50667</table>"""


JOB = """<!doctype html><title>{0}</title><h1>{0}</h1><p>Company: {1}</p><p>Published on {2}</p><p class=xg12>{3}</p>
<p>Apply with your papers by post.</p><nav><b>Next: {4}</b></nav>"""
JOBS = (
    ("Glass grinder", "Acme Ltd", "May 12, 2024", "full time", "Night guard"),
    ("Night guard", "Bolt & Co", "June 3, 2024", "nights only", "Lens cleaner"),
    ("Lens cleaner", "Cog Inc.", "June 9, 2024", "half time", "Dome painter"),
    ("Dome painter", "Dyn AG", "July 1, 2024", "by the job", "Glass grinder"),
)


def lose_nothing() -> None:
    """Type the columns of a table in which one value is no number; name fields, and take labels off their values."""
    scene(13, "Nothing lost or renamed silently: types that every value fits, names with evidence")
    race = sl.tables(RACE, static=True)[0]
    for column in race.columns:
        told = f"  [dim]{column.usual.kind} but for {', '.join(map(repr, column.misfits))}[/]" if column.misfits else ""
        console.print(f"   {column.name:<18}{column.type.kind:<8}{column.values[-1]!r}{told}")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        last = race.to_csv(coerce=True).split()[-1]
    console.print(f"   Coerced: {last}\n   [dim]{caught[0].message}[/]")
    jobs = [sl.open(JOB.format(*job), static=True) for job in JOBS]
    wrapper = sl.induce(jobs)
    console.print("   Names and values as people would write them, and what pages are not about is set aside:")
    for name, value in wrapper.extract(jobs[0])[0].items():
        whole = value.origin.original if isinstance(value, Value) and value.origin else ""
        console.print(f"   {name:<18}{value!s:<24}" + (f"[dim]on the page: {whole}[/]" if whole else ""))
    console.print(f"   [dim]set aside: {', '.join(wrapper.aside)}; all_fields() brings it back[/]")


ESCAPES = """<!doctype html><p id=p>A saved page</p><img src={site}/image><link rel=prefetch href={site}/prefetch>
<script type=speculationrules>{{"prefetch": [{{"urls": ["{site}/speculation"], "eagerness": "immediate"}}]}}</script>
<script>const told = text => p.append(', ' + text)
fetch('secret.txt').then(a => a.text()).then(told, () => told('which may not read its folder'))
fetch('{site}/fetch', {{mode: 'no-cors'}}).then(() => told('and sent it out'), () => told('nor reach the network'))
new WebSocket('{site}/socket'.replace('http', 'ws')); navigator.sendBeacon('{site}/beacon')</script>"""


def keep_in(out: Path) -> None:
    """Open a saved page that tries to read its folder and to send out what it finds."""
    scene(14, "A hostile page that was saved: its browser process can reach nothing")
    folder = out / "hostile"
    folder.mkdir(exist_ok=True)
    (folder / "secret.txt").write_text("secret")
    with _served(folder) as address:
        (folder / "page.html").write_text(ESCAPES.format(site=address))
        text = sl.open(folder / "page.html").text_of(0)
    console.print(f"   {' '.join(text.split())}\n   [dim]requests that arrived: {len(_QuietHandler.seen)}[/]")


STARS = (
    "Sirius",
    "Canopus",
    "Arcturus",
    "Vega",
    "Capella",
    "Rigel",
    "Procyon",
    "Betelgeuse",
    "Altair",
    "Spica",
    "Deneb",
)
PER_PAGE = 4


def collect_list(out: Path) -> None:
    """Serve a list over three pages with a details page for each star, and collect it with all details."""
    scene(15, "A list over three pages, each record once, with the details page of each")
    folder = out / "stars"
    folder.mkdir(exist_ok=True)
    last = -(-len(STARS) // PER_PAGE)
    for page in range(1, last + 1):
        items = "".join(
            f"<li><h3><a href=/{name.lower()}>{name}</a></h3><p class=place>No. {n + 1} by brightness</p>"
            for n, name in enumerate(STARS)
            if n // PER_PAGE == page - 1
        )
        on = f"<a href=/page-{page + 1}>Next</a>" if page < last else ""
        (folder / f"page-{page}.html").write_text(
            f"<title>Stars</title><h1>Stars</h1><ul>{items}</ul><p class=pager>Page {page} of {last} {on}</p>"
        )
    for n, name in enumerate(STARS):
        facts = f"<tr><th>Magnitude<td>{n / 8 - 1.4:.2f}<tr><th>Seen from<td>{('north', 'south')[n % 2]}"
        (folder / f"{name.lower()}.html").write_text(f"<title>{name}</title><h1>{name}</h1><table>{facts}</table>")
    with _served(folder) as address:
        found = sl.collect(f"{address}/page-1", static=True, details="auto", policy=CrawlPolicy(delay=0))
    found.records.to_csv(out / "stars.csv")
    console.print(f"   {len(found.records)} records of {len(found.pages)} pages · {found.verdict}; {found.stop.why}")
    row = found.records.to_dicts()[4]
    console.print(
        f"   {row['title']}: magnitude {row['Magnitude']}, seen from the {row['Seen from']} → {out / 'stars.csv'}"
    )


def play_script(out: Path) -> None:
    """Open a camera shop that hides some of its prices, and play the script that finds them in the cart."""
    sys.path.insert(0, str(SHOP))
    from shop import open_shop  # a program of its own, which the script is written for

    scene(16, "A navigation script: prices that a shop shows only in the cart")
    with open_shop() as shop, sl.session(policy=CrawlPolicy(delay=0)) as session:
        played = sl.play(SHOP / "cameras.nav.yaml", variables={"shop": shop}, session=session, trace=out / "trace")
    played.records.to_csv(out / "shop.csv")
    console.print(f"   {len(played.records)} cameras in {played.steps} steps · {played.verdict} → {out / 'shop.csv'}")
    for record in played.records.to_dicts()[:4]:
        console.print(f"   {record['name']}: {record['price']}")
    console.print(f"   every step with a picture: {out / 'trace' / 'index.html'}")


def crawl_site(out: Path) -> None:
    """Crawl a site for pages like two examples, once as the crawler has learned to and once breadth first."""
    sys.path.insert(0, str(ATLAS))
    from atlas import open_atlas  # a site of its own, with a calendar that never ends

    scene(17, "A crawl: every page like these two, of a site that nobody knows, and a kill that costs nothing")
    how = CrawlSettings(pages=400, render="never")
    grid = Grid("visited", "found", "harvest", "wait", box=None, header_style="bold")
    with open_atlas() as site:
        like = [f"{site}/star/7", f"{site}/star/118"]
        for rank in ("learned", "breadth"):
            folder = out / f"crawl-{rank}"
            shutil.rmtree(folder, ignore_errors=True)
            status = sl.crawl(f"{site}/", folder, like=like, settings=replace(how, pages=150, rank=rank))
            status = sl.crawl(f"{site}/", folder, like=like, settings=replace(how, rank=rank))  # goes on where it was
            grid.add_row(
                f"{status.visits} ({rank})", str(status.targets), f"{status.harvest:.0%}", f"{status.waiting:,}"
            )
    console.print(grid)
    records = sl.induce(
        [loaded.page for loaded in sl.open_all([str(out / "crawl-learned")], static=True) if loaded.page][:4]
    )
    console.print(
        f"   the folder is a source: {sum(1 for _ in sl.open_all([str(out / 'crawl-learned')], static=True))} pages"
    )
    console.print(f"   {', '.join(records.schema.names)} were learned from four of them")
    crawls = {rank: visits_in_order(out / f"crawl-{rank}") for rank in ("learned", "breadth")}
    console.print(f"   {write_bytes(out / 'harvest.png', plot_harvest(crawls, targets=240))}")


def settle_facts(out: Path) -> None:
    """Put the tables of four sites together, which write names, units and numbers each in their own way."""
    scene(18, "Facts: what the tables of several sites say together, and where they disagree")
    began = time.perf_counter()
    found = sl.facts(HERE / "spec-sites", static=True)
    took = 1000 * (time.perf_counter() - began)
    grid = Grid("subject", "attribute", "consensus", "support", "conflicts", box=None, header_style="bold")
    for fact in found.conflicting:
        others = "; ".join(f"{value.text} ({', '.join(value.sites)})" for value in fact.conflicts)
        support = f"{fact.sites} of {fact.of} sites"
        grid.add_row(fact.subject, fact.attribute, fact.value or "[red]none[/]", support, f"[dim]{others}[/]")
    console.print(grid)
    weight = found.get("Arden R50", "Weight")
    if weight and weight.consensus:
        spelled = ", ".join(weight.consensus.spellings)
        console.print(f"   {weight.value} was written as {spelled}; first seen at {weight.consensus.places[0].address}")
    console.print(f"   {len(found)} facts of {found.pages} pages in {took:.0f} ms · {found.verdict}")
    console.print(f"   {found.to_csv(out / 'facts.csv')}")


def match_records(out: Path) -> None:
    """Match the records of a shop to a catalogue that writes the same products in another way."""
    scene(19, "Matching: the same products, however each shop writes them")
    found = sl.match(HERE / "matching" / "shop.csv", HERE / "matching" / "catalogue.csv")
    colours = {"matched": "green", "review": "yellow", "new": "dim"}
    grid = Grid("zone", "chance", "record", "of the catalogue", "why", box=None, header_style="bold")
    for pair in found:
        chance = f"{pair.score:.0%}" if pair.right else ""
        why = pair.why[0] if pair.why else ""
        zone = f"[{colours[pair.zone]}]{pair.zone}[/]"
        grid.add_row(zone, chance, pair.left_text, pair.right_text, f"[dim]{why}[/]")
    console.print(grid)
    console.print(f"   {found.to_csv(out / 'pairs.csv')}; `sightline review` asks about the doubtful ones")


def draw(pages: dict[str, sl.Page], out: Path) -> None:
    """Draw pages that have lists with their lists, and the others with everything on them."""
    scene(20, "Pictures of what was found")
    for name, page in pages.items():
        marks = result_marks(sl.lists(page)) if name in ("cameras", "telescopes") else marks_of_page(page)
        console.print(f"   {write_bytes(out / f'{name}.png', picture(page, marks))}")


def reopen(out: Path) -> None:
    """Open the saved pages again: in milliseconds, without browser or network."""
    scene(21, "Saved pages open again without browser or network")
    for path in sorted(out.glob("*.page")):
        began = time.perf_counter()
        page = sl.open(path)
        console.print(
            f"   {path}: {len(page):,} nodes in {1000 * (time.perf_counter() - began):.1f} ms, id {page.id[:12]}…"
        )


def watch_prices(out: Path) -> None:
    """Read three competitors on two days, and say where our prices stand, what moved, and what a price was before."""
    scene(22, "A flow: from two shops and a PDF to price positions in a warehouse")
    try:
        import duckdb
    except ImportError:
        console.print("   no flow: pip install '.[flow]'", style="dim", markup=False)
        return
    sys.path.insert(0, str(PRICES))
    from offers import DATES  # what the competitors ask on each day
    from plot import plot_positions
    from shops import open_shops

    flow, warehouse, store = PRICES / "prices.flow.yaml", out / "prices.duckdb", out / "store"
    shutil.rmtree(store, ignore_errors=True)
    warehouse.unlink(missing_ok=True)
    runs = []
    with open_shops() as shops:
        given = {"north": shops.north, "south": shops.south, "warehouse": str(warehouse.absolute())}
        for day, pricelist in ((1, "pricelist.pdf"), (2, "pricelist-2.pdf")):
            shops.day = day
            runs.append(sl.run(flow, variables={**given, "date": DATES[day], "pricelist": pricelist}, store=store))
            _show_run(runs[-1], DATES[day])
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        _show_positions(connection)
        _show_price_before(connection, runs[0].state.when)
    command = ["history", str(flow), "last", "--since", runs[0].id, "--step", "to_offers", "--store", str(store)]
    moved = subprocess.run([sys.executable, "-m", "sightline", *command], capture_output=True, text=True, check=True)
    console.print(f"   $ sightline history prices.flow.yaml last --since {runs[0].id} --step to_offers", style="dim")
    for line in moved.stdout.splitlines()[:5]:
        console.print(f"   {line}", style="dim", markup=False)
    console.print(f"   {write_bytes(out / 'positions.png', plot_positions(warehouse))}: our prices and those of others")


def _show_run(run: "FlowRun", date: str) -> None:
    """Print what became of the offers of a day, and the verdict with its reasons."""
    steps = run.state.steps
    rows = " + ".join(str(steps[name].rows) for name in ("north", "south", "alpen"))
    zones = ", ".join(f"{count} {zone}" for zone, count in steps["known"].counts.items())
    took = sum(state.seconds for state in steps.values())
    console.print(f"   {date}: {rows} offers, {zones}; {took:.0f} s · [yellow]{run.verdict}[/]")
    for reason in run.state.reasons:
        console.print(f"      {reason}", style="dim", markup=False)


def _show_positions(connection: "DuckDBPyConnection") -> None:
    """Print where we are dearest, and what a person should look at."""
    grid = Grid("product", "ours", "cheapest", "at", "above", "rank", box=None, header_style="bold")
    dearest = """SELECT name, our_price, cheapest, cheapest_shop, percent_above, rank FROM positions
                 WHERE cheapest IS NOT NULL ORDER BY percent_above DESC, product LIMIT 6"""
    for name, ours, cheapest, shop, above, rank in connection.execute(dearest).fetchall():
        grid.add_row(name, f"{ours:,.2f}", f"{cheapest:,.2f}", shop, f"{above:+.1f} %", str(rank))
    console.print(grid)
    doubtful = connection.execute("SELECT name, candidate_name, chance FROM review ORDER BY chance DESC").fetchall()
    console.print(f"   {len(doubtful)} offers to review, such as")
    for name, candidate, chance in doubtful[:3]:
        console.print(f"      {chance:.0%} {name} = {candidate:.32}…", style="dim", markup=False)


def _show_price_before(connection: "DuckDBPyConnection", first: datetime) -> None:
    """Print what an offer costs now, and what it cost at the time of the first run."""
    at_that_time = """SELECT o.name, o.shop, o.shown, o.price, n.shown, n.price FROM offers o
                      JOIN offers n ON (n.shop, n.sku) = (o.shop, o.sku) AND n.valid_to IS NULL AND n.plausible
                      WHERE o.valid_from <= $1 AND o.valid_to > $1 AND o.shown <> n.shown AND o.shop = 'south'
                      ORDER BY o.price DESC"""
    name, shop, was, before, now, after = connection.execute(at_that_time, [first]).fetchall()[0]
    console.print(f"   {name} ({shop}): {before:,.2f} € net then ({was}), {after:,.2f} € now ({now})", markup=False)


def show_studio(out: Path) -> None:
    """Start the Studio on a page, work it in a browser of our own, and keep a picture of its screen."""
    scene(23, "The Studio: all of this by pointing, in your browser")
    shutil.rmtree(out / "studio", ignore_errors=True)
    with _studio(out / "studio", str(HERE / "cameras.html")) as (tab, address):
        tab.goto(address)
        _click_when_there(tab, "//a[starts-with(@href, '/pages/')]")
        _click_when_there(tab, "//ul[@aria-label='Candidates']//button")
        _wait_for(tab, "//*[@role='gridcell']")
        tab.hover(tab.located(xpath="//*[@id='cell-2-0']")[0])
        picture_path = write_bytes(out / "studio.png", tab.screenshot())
    console.print(f"   {picture_path}: the list found on cameras.html, each value linked to its place")
    console.print("   start it yourself: sightline studio examples/cameras.html", style="dim")


def show_flow_editor(out: Path) -> None:
    """Open the flow and its runs in the Studio: the drawing with its rows, and the pairs that wait for a person."""
    scene(24, "The Studio: the flow as a drawing, and the pairs that a person decides about")
    project = out / "store"
    if not (project / "flows").exists():
        console.print("   no flow: pip install '.[flow]'", style="dim", markup=False)
        return
    for file in (*PRICES.glob("*.csv"), *PRICES.glob("*.yaml"), *PRICES.glob("*.json"), *PRICES.glob("*.pdf")):
        shutil.copy(file, project)
    with _studio(project) as (tab, address):
        base, _, token = address.partition("?")
        tab.goto(f"{base}flows/prices?step=known&{token}")
        _wait_for(tab, "//*[contains(@class, 'react-flow__node')]")
        _wait_for(tab, "//caption[contains(., 'sample rows of known')]")
        drawn = write_bytes(out / "flow.png", tab.screenshot())
        tab.goto(f"{base}match/prices/known")
        _wait_for(tab, "//button[contains(., 'The same')]")
        review = write_bytes(out / "review.png", tab.screenshot())
    console.print(f"   {drawn}: three competitors and a catalogue, with some rows of every step")
    console.print(f"   {review}: two records side by side, what they share marked; Enter, x, n and s decide")
    console.print(f"   start it yourself: sightline studio --project {project}", style="dim")


def run_batch(out: Path) -> None:
    """Read all pages of the crawl in worker processes, kill the driver in the middle, and give the command again."""
    scene(25, "A batch: a wrapper over any number of pages, which a kill -9 costs nothing")
    pages, wrapper, folder = out / "crawl-learned", out / "stars.wrapper.json", out / "batch"
    shutil.rmtree(folder, ignore_errors=True)
    sl.induce([loaded.page for loaded in sl.open_all([str(pages)], static=True) if loaded.page][:4]).save(wrapper)
    command = [sys.executable, "-m", "sightline", "batch", str(wrapper), str(pages), str(folder), "--shard", "20"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as driver:
        while driver.poll() is None and not any((folder / "documents").glob("part-*.parquet")):
            time.sleep(0.02)
        driver.kill()
    done = len(list((folder / "documents").glob("part-*.parquet")))
    console.print(f"   killed after {done} of 12 shards of 20 pages; the same command goes on:")
    told = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    for line in told.splitlines()[1:9]:
        console.print(f"   {line}", markup=False)
    console.print(f"   {folder / 'summary.html'}: verdicts, fill rates, drift, slowest pages")


def show_speed(out: Path) -> None:
    """Read the same pages once more in this process, with the compiled kernels and without them."""
    scene(26, "Speed: from archived bytes to verified records, in one process")
    compiled = native.kernels
    ways = {native.in_use(): compiled} if compiled is None else {native.in_use(): compiled, "Python alone": None}
    for way, native.kernels in ways.items():
        wrapper, began = sl.Wrapper.load(out / "stars.wrapper.json"), time.perf_counter()
        pages = [one.page for one in sl.open_all([str(out / "crawl-learned")], static=True) if one.page]
        records = sum(len(wrapper.read(page).records.to_dicts()) for page in pages)
        pace = len(pages) / (time.perf_counter() - began)
        console.print(f"   {way:<18}{len(pages)} pages, {records} records: {pace:.0f} pages a second")
    native.kernels = compiled


def keep_secrets(out: Path) -> None:
    """Let a delivery fail whose address holds a password, and look for that password in everything it left."""
    scene(27, "A secret that no error, log or state repeats")
    folder, password = out / "secrets", "corr~ct/horse é"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "rows.csv").write_text("name,price\nArden R5,3899\n")
    (folder / "prices.flow.yaml").write_text(
        "flow: 1\nsecrets:\n  warehouse: {environment: WAREHOUSE}\nsteps:\n  rows: {read: rows.csv}\n"
        "  out: {deliver: rows, to: {secret: warehouse}}\n"
    )
    command = [sys.executable, "-m", "sightline", "run", str(folder / "prices.flow.yaml"), "--store", str(folder)]
    for scheme in ("mysql+pymysql", "postgresql"):
        address = f"{scheme}://anna:{quote(password, safe='')}@127.0.0.1:1/shop#prices"
        done = subprocess.run(
            command, env={**os.environ, "WAREHOUSE": address}, check=False, capture_output=True, text=True
        )
        _, _, problem = done.stdout.partition("✗ out")
        told = problem.split("verdict:")[0].strip() or done.stderr.strip()  # some are refused before the run
        console.print(f"   {told}", markup=False, soft_wrap=True)
    kept = [path for path in folder.rglob("*") if path.is_file()]
    told = [path for path in kept if password.encode() in path.read_bytes() or b"corr~ct" in path.read_bytes()]
    console.print(f"   the password is in {len(told)} of {len(kept)} files that the two runs left")


NIGHTS = """\
flow: 1
steps:
  shop: {{extract: "{address}/stars", take: tables, static: true, keep_last: 3 days}}
  list: {{read: "list-{{date}}.csv"}}
  seen: {{deliver: list, to: "stars.duckdb#seen", mode: history, key: star}}
  log: {{deliver: list, to: "stars.duckdb#log", mode: append}}
  page: {{deliver: shop, to: "stars.duckdb#page", mode: replace}}
"""
NIGHT_FILES = {  # the late day is filled in after the others, and the first one is corrected at last
    "2026-11-10": "star,magnitude\nVega,0.04\nAltair,0.77\n",
    "2026-11-11": "star,magnitude\nVega,0.03\nAltair,0.77\n",
    "2026-11-12": "star,magnitude\nVega,0.03\nAltair,0.76\n",
}


def pass_nights(out: Path) -> None:
    """Run a flow while its page is there and after it is gone, and run past days late and again."""
    scene(28, "Nights without a person: a page that is gone, a day that comes late, a day that is corrected")
    try:
        import duckdb
    except ImportError:
        console.print("   no flow: pip install '.[flow]'", style="dim", markup=False)
        return
    folder = out / "nights"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    rows = "".join(f"<tr><td>{name}<td>{at}" for at, name in enumerate(STARS, start=1))
    (folder / "stars.html").write_text(f"<title>Stars</title><table><tr><th>Star<th>Rank{rows}</table>")
    for day, text in {f"{datetime.now(UTC):%F}": NIGHT_FILES["2026-11-12"], **NIGHT_FILES}.items():
        (folder / f"list-{day}.csv").write_text(text)
    flow = folder / "nights.flow.yaml"
    with _served(folder) as address:
        flow.write_text(NIGHTS.format(address=address))
        _tell_run("tonight", sl.run(flow, fresh=True))
    _tell_run("the page is gone", sl.run(flow, fresh=True))
    lists = [line for line in flow.read_text().splitlines(keepends=True) if "shop" not in line]
    flow.write_text("".join(lists))  # a page cannot say what it was; dated files can
    _fill_in(flow, "2026-11-12", "2026-11-12")
    _fill_in(flow, "2026-11-10", "2026-11-12", "--missing")
    (folder / "list-2026-11-10.csv").write_text(NIGHT_FILES["2026-11-10"].replace("0.04", "0.05"))
    _fill_in(flow, "2026-11-10", "2026-11-10")
    with duckdb.connect(str(folder / "stars.duckdb"), read_only=True) as connection:
        for star, magnitude, since, until in connection.execute(
            "SELECT star, magnitude, strftime(valid_from, '%d'), strftime(valid_to, '%d') FROM seen ORDER BY 1, 3"
        ).fetchall():
            console.print(f"   {star:<8}{magnitude}   from the {since}th {f'to the {until}th' if until else 'on'}")
        rows, loads = connection.execute("SELECT count(*), count(DISTINCT _sightline_load) FROM log").fetchall()[0]
    console.print(f"   {rows} rows in the log, of {loads} due dates; the corrected day replaced its own", style="dim")


def _fill_in(flow: Path, first: str, last: str, *flags: str) -> None:
    command = ["run", str(flow), "--from", first, "--to", last, *flags]
    console.print(f"   $ sightline run nights.flow.yaml {' '.join(command[2:])}", style="dim", markup=False)
    done = subprocess.run([sys.executable, "-m", "sightline", *command], check=False, capture_output=True, text=True)
    console.print(f"   {done.stdout.strip().splitlines()[-1]}", markup=False)


def _tell_run(when: str, run: "FlowRun") -> None:
    """Print the verdict of a run, and why."""
    console.print(f"   {when}: [{'green' if run.verdict == 'ok' else 'yellow'}]{run.verdict}[/]")
    for reason in run.state.reasons[:2]:
        console.print(f"      {reason}", style="dim", markup=False)


@contextmanager
def _studio(project: Path, *sources: str) -> Iterator[tuple[sl.Session, str]]:
    """A Studio, a browser tab for it, and the address to open."""
    command = [sys.executable, "-m", "sightline", "studio", *sources, "--no-open", "--port", "0"]
    policy = CrawlPolicy(robots=False, delay=0)  # it is our own server
    with (
        subprocess.Popen([*command, "--project", str(project)], stdout=subprocess.PIPE, text=True) as studio,
        sl.session(policy=policy) as tab,
    ):
        assert studio.stdout is not None
        try:
            address = re.search(r"http://\S+token=\S+", studio.stdout.readline())
            if address is None:
                raise SystemExit("sightline: the Studio did not start; try `sightline studio`.")
            yield tab, address[0]
        finally:
            studio.terminate()


def _wait_for(tab: sl.Session, xpath: str) -> str:
    """The element, as soon as the screen shows it."""
    until = time.monotonic() + 30
    while not (found := tab.located(xpath=xpath)):
        if time.monotonic() > until:
            raise SystemExit(f"sightline: the Studio does not show {xpath}.")
        time.sleep(0.1)
    return found[0]


def _click_when_there(tab: sl.Session, xpath: str) -> None:
    tab.click(_wait_for(tab, xpath))


def main() -> None:
    """Run all scenes in order."""
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    out.mkdir(parents=True, exist_ok=True)
    pages = open_pages(out)
    show_hidden(pages["cameras"])
    show_tables(pages, out)
    show_refused(pages)
    show_top(pages["telescopes"])
    show_lists(pages, out)
    wrapper, shop = learn_wrapper(out)
    teach_wrapper(pages["cameras"], out)
    show_content(pages["comet"], out)
    show_thing(out)
    check_run(wrapper, shop, pages["comet"], out)
    show_pdf(out)
    run_jobs(out)
    lose_nothing()
    _QuietHandler.seen.clear()
    keep_in(out)
    collect_list(out)
    play_script(out)
    crawl_site(out)
    settle_facts(out)
    match_records(out)
    draw(pages, out)
    reopen(out)
    watch_prices(out)
    show_studio(out)
    show_flow_editor(out)
    run_batch(out)
    show_speed(out)
    keep_secrets(out)
    pass_nights(out)
    first = f"[bold]{out}/studio.png[/], [bold]{out}/flow.png[/] and [bold]{out}/tables.png[/]"
    console.print(f"\nEverything is in [bold]{out}/[/]; open {first} first. Next: sightline --help")


if __name__ == "__main__":
    main()
