"""The public verbs: one line of wiring each."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sightline.errors import UsageError
from sightline.files import write_bytes
from sightline.jobs import new_loader
from sightline.net import CrawlPolicy, Document, Limits
from sightline.page import Page, dumps
from sightline.sources import BrowserSettings, Loaded, Loader, PdfSettings, sheets_text

if TYPE_CHECKING:
    from datetime import date, datetime

    from sightline.checks import CheckSettings, OutlierSettings, Report
    from sightline.crawler.discover import DiscoverSettings, Discovery, SearchProvider, Wanted
    from sightline.crawler.facts import Facts, FactSettings
    from sightline.data import Content, Extraction, ItemList, Profile, Records, Table, Thing
    from sightline.extract.about import AboutSettings
    from sightline.extract.content import ContentSettings
    from sightline.extract.lists import Following, ListSettings, TopSettings
    from sightline.extract.schemas import InduceSettings
    from sightline.extract.tables import TableSettings
    from sightline.extract.wrappers import Found, Lesson, TeachSettings, Wrapper
    from sightline.flow.match import Duplicates, DuplicateSettings, Matches, MatchSettings
    from sightline.flow.rows import RowLimits, RowSource
    from sightline.flow.run import FlowEvent, FlowRun
    from sightline.flow.spec import Flow
    from sightline.jobs import Cancel, Job, OnProgress
    from sightline.navigate import Collection, Paging, Played, Script
    from sightline.sources import Session, SessionSettings

Source: TypeAlias = Page | str | os.PathLike[str] | bytes
"""A page, or what `open` opens: a URL, a path, HTML or bytes."""


@lru_cache(maxsize=4)
def _loader(
    static: bool,  # noqa: FBT001 - the key of a cache
    browser: BrowserSettings | None,
    limits: Limits | None,
    policy: CrawlPolicy | None,
    pdf: PdfSettings | None,
) -> Loader:
    """One loader for equal settings, so that pages opened one by one share a browser."""
    return new_loader(static=static, browser=browser, limits=limits, policy=policy, pdf=pdf)


def open(  # noqa: PLR0913 - keywords, each of them said seldom
    source: str | os.PathLike[str] | bytes,
    *,
    url: str = "",
    static: bool = False,
    sheets: Iterable[int] | str | None = None,
    password: str | None = None,
    ocr: bool = True,
    browser: BrowserSettings | None = None,
    limits: Limits | None = None,
    policy: CrawlPolicy | None = None,
) -> Page:
    """Open a page: a URL, a file (HTML, MHTML, PDF, picture, `.page`, a WARC of one page), bytes, or HTML as a text.

    It is rendered unless `static`. A text that begins with `<` is HTML. `url` is the address that HTML or bytes came
    from, where their links begin. Of a PDF, `sheets` says which are read (`range(1, 20)` or `"1-19"`; all if not said)
    and `password` opens it. Text in scanned sheets and pictures is recognised if the extra `ocr` is installed, unless
    `ocr` is False.

    >>> open(b"<title>Cameras</title><p>EOS 5D", static=True).title
    'Cameras'
    >>> open("<h1>EOS 5D</h1>", url="https://example.org/5d", static=True).url
    'https://example.org/5d'
    """
    return _loader(static, browser, limits, policy, _pdf(sheets, password, ocr=ocr)).load(_document(source, url))


def _document(source: str | os.PathLike[str] | bytes, url: str) -> "str | os.PathLike[str] | bytes | Document":
    """What is opened: HTML and bytes with an address are a document, all else is opened by its name."""
    if isinstance(source, str) and source.removeprefix("\ufeff").lstrip().startswith("<"):  # a byte order mark may lead
        content = source.encode("utf-8", "replace")
        return Document(source="<text>", url=url, content=content, media_type="text/html", charset="utf-8")
    if isinstance(source, bytes) and url:
        return Document(source=url, url=url, content=source)
    if url:
        raise UsageError(f"url is the address of HTML or bytes; {source!r:.60} is opened by its own name.")
    return source


def _pdf(sheets: Iterable[int] | str | None, password: str | None, *, ocr: bool) -> PdfSettings | None:
    if sheets is None and not password and ocr:
        return None
    return PdfSettings(sheets=sheets_text(sheets), password=password or "", ocr=ocr)


def open_all(  # noqa: PLR0913
    sources: Iterable[str],
    *,
    static: bool = False,
    sheets: Iterable[int] | str | None = None,
    password: str | None = None,
    ocr: bool = True,
    browser: BrowserSettings | None = None,
    limits: Limits | None = None,
    policy: CrawlPolicy | None = None,
) -> Iterator[Loaded]:
    """Open any number of sources (also globs, folders, WARCs, `-`), several at once; one result each, in order."""
    return _loader(static, browser, limits, policy, _pdf(sheets, password, ocr=ocr)).load_all(sources)


def session(
    *,
    browser: BrowserSettings | None = None,
    limits: Limits | None = None,
    policy: CrawlPolicy | None = None,
    settings: "SessionSettings | None" = None,
    downloads: str | os.PathLike[str] | None = None,
    state: str | os.PathLike[str] | None = None,
) -> "Session":
    """A browser tab that stays open: `goto`, `click`, `fill` and more, and `capture` to get a page.

    Use it with `with`, so that the browser is closed in the end. Downloads are stored if there is a folder for
    them; cookies and storage are kept from one session to the next in the file `state`.
    """
    from sightline.sources import Session

    return Session(browser=browser, limits=limits, policy=policy, settings=settings, downloads=downloads, state=state)


def job(  # noqa: PLR0913
    sources: Iterable[str],
    extractor: "str | Wrapper | Callable[[Page], Extraction]",
    *,
    static: bool = False,
    in_order: bool = True,
    on_progress: "OnProgress | None" = None,
    cancel: "Cancel | None" = None,
    browser: BrowserSettings | None = None,
    limits: Limits | None = None,
    policy: CrawlPolicy | None = None,
    **options: Any,
) -> "Job[Extraction]":
    """Run an extractor over any number of sources; iterate over the job to get one outcome for each, as they come.

    `extractor` is a name (`tables`, `lists`, `top`, `content`, or that of a plugin), a wrapper, or a function; what is
    given beyond the arguments here goes to it, such as `containing="Price"`.

    >>> found = [outcome.found for outcome in job([b"<ul><li>Sirius<li>Vega<li>Rigel</ul>"], "lists", static=True)]
    >>> [len(result) for result in found[0]]
    [3]
    """
    from sightline.extract.wrappers import Wrapper
    from sightline.jobs import Job, wrapper_extractor
    from sightline.jobs import extractor as named

    chosen: Callable[..., Extraction]
    if isinstance(extractor, str):
        chosen = named(extractor)
    else:
        chosen = wrapper_extractor(extractor) if isinstance(extractor, Wrapper) else extractor
    extract = partial(chosen, **options)
    loader = _loader(static, browser, limits, policy, None)
    return Job(
        sources, lambda page, _: extract(page), loader, in_order=in_order, on_progress=on_progress, cancel=cancel
    )


def save(page: Page, path: str | os.PathLike[str]) -> Path:
    """Save a page as one `.page` file, to be opened again as it is, or as clean XHTML by the suffix `.html`.

    Nothing half-written is ever left.

    >>> save(open(b"<p>x", static=True), "page.txt")
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: page.txt: pages are saved as .page files, or as .html; give the file such a suffix.
    """
    suffix = Path(path).suffix.lower()
    if suffix in (".html", ".xhtml"):
        return write_bytes(path, page.to_xhtml().encode())
    if suffix != ".page":
        raise UsageError(f"{path}: pages are saved as .page files, or as .html; give the file such a suffix.")
    return write_bytes(path, dumps(page))


def tables(
    source: Source, *, containing: str | None = None, static: bool = False, settings: "TableSettings | None" = None
) -> "list[Table]":
    """The data tables of a page as people see them, best first; with `containing` only those with that text in them.

    Like the other verbs it takes a page, or anything that `open` opens, rendered unless `static`.

    >>> [table.to_dicts() for table in tables("<table><tr><th>Star<th>Magnitude<tr><td>Vega<td>0.03", static=True)]
    [[{'Star': 'Vega', 'Magnitude': '0.03'}]]
    """
    from sightline.extract.tables import find_tables  # an extractor is imported when it is called

    return find_tables(_page("Tables", source, static=static), containing=containing, settings=settings)


def top_list(
    source: Source,
    *,
    k: int | None = None,
    static: bool = False,
    settings: "TopSettings | None" = None,
    following: "Following | None" = None,
) -> "ItemList | None":
    """The k items that the title of a page promises, or None; `k` says how many, whatever the title says.

    `following` gives the page behind a page, for lists that go on over several.

    >>> page = open(b"<title>3 bright stars</title><ol><li>Sirius<li>Canopus<li>Arcturus</ol>", static=True)
    >>> [item.title.text for item in top_list(page)]
    ['Sirius', 'Canopus', 'Arcturus']
    """
    from sightline.extract.lists import find_top

    return find_top(_page("Lists", source, static=static), k=k, settings=settings, following=following)


def lists(source: Source, *, static: bool = False, settings: "ListSettings | None" = None) -> "list[ItemList]":
    """Every repeated region of a page, as a list of records with named parts; the most important first.

    >>> page = open(b"<ul><li>Sirius<li>Canopus<li>Arcturus</ul>", static=True)
    >>> [len(found) for found in lists(page)]
    [3]
    """
    from sightline.extract.lists import find_lists

    return find_lists(_page("Lists", source, static=static), settings=settings)


def next_page(source: Source, *, url: str = "", static: bool = False) -> "Paging":
    """Where a page of a list leads: `next`, all `pages` that it links to, and the evidence.

    `url` is the address of a saved page that does not know its own.

    >>> html = "<p>Page 1 of 3 <a href='?page=2'>2</a> <a href='?page=3'>3</a> <a href='?page=2'>Next</a>"
    >>> found = next_page(open(html, url="https://example.org/cameras", static=True))
    >>> found.next, found.total
    ('https://example.org/cameras?page=2', 3)
    """
    from sightline.navigate import find_paging

    return find_paging(_page("Pages", source, static=static), url=url)


def collect(  # noqa: PLR0913 - keywords, each of them said seldom
    address: str,
    *,
    what: Literal["lists", "tables", "top"] = "lists",
    wrapper: "Wrapper | None" = None,
    details: "Wrapper | Literal['auto'] | None" = None,
    pages: int = 100,
    behind: bool = True,
    static: bool = False,
    journal: str | os.PathLike[str] | None = None,
    on_progress: "OnProgress | None" = None,
    browser: BrowserSettings | None = None,
    limits: Limits | None = None,
    policy: CrawlPolicy | None = None,
) -> "Collection":
    """All records of the list that begins at an address, over all its pages, each once; see `Collection`.

    Records are read by a `wrapper`, or else those of the most important list; with `what="tables"` the rows of the main
    table, and with `what="top"` the items that the title promises. `details` reads the page that each record
    leads to, by a wrapper, or with `auto` by one that is induced from the first of them. At most so many `pages` are
    read; those that the data behind the first ones gives without a browser come that way unless `behind` is False. With
    `journal`, the name of a file, an interrupted collection goes on where it was.
    """
    from sightline.navigate.collect import collect as collect_list

    loader = _loader(static, browser, limits, policy, None)
    found = collect_list(
        address,
        what=what,
        wrapper=wrapper,
        details=details,
        pages=pages,
        behind=behind,
        loader=loader,
        journal=journal,
        on_progress=on_progress,
    )
    if journal is not None:
        Path(journal).unlink(missing_ok=True)
    return found


def facts(  # noqa: PLR0913 - keywords, each of them said seldom
    *sources: Source,
    static: bool = False,
    on_progress: "OnProgress | None" = None,
    cancel: "Cancel | None" = None,
    settings: "FactSettings | None" = None,
    browser: BrowserSettings | None = None,
    limits: Limits | None = None,
    policy: CrawlPolicy | None = None,
) -> "Facts":
    """What the tables of many pages say together: each subject and attribute with its consensus, support and conflicts.

    Sources are those of `open_all`: a folder of a crawl, WARCs, globs, files, addresses; or pages. They are read one by
    one, and only what they state is kept. `settings` are `sightline.crawler.facts.FactSettings`.

    >>> page = "<h1>EOS 5D</h1><table><tr><th>Weight<td>{}<tr><th>Sensor<td>full frame</table>"
    >>> said = {"a": "675 g", "b": "0.675 kg", "c": "657 g"}
    >>> pages = [open(page.format(text), url=f"https://{host}.example/", static=True) for host, text in said.items()]
    >>> weight = facts(*pages).get("eos-5d", "weight")
    >>> weight.value, weight.sites, weight.of, [other.text for other in weight.conflicts]
    ('675 g', 2, 3, ['657 g'])
    """
    from sightline.crawler.facts import facts_of, state
    from sightline.jobs import Job, Outcome

    for source in sources:
        if not isinstance(source, Page | str | bytes | os.PathLike):
            raise UsageError(
                f"Facts are found on pages, sources or HTML, each an argument of its own, not on {source!r:.60}; "
                "write facts(*pages) for several."
            )
    loader = _loader(static, browser, limits, policy, None)
    pages = [source for source in sources if isinstance(source, Page)]
    others = [source for source in sources if not isinstance(source, Page)]
    named = [source if isinstance(source, bytes) else os.fspath(source) for source in others]
    given = (Outcome(page.url, page, state(page, page.url)) for page in pages)
    job = Job(named, state, loader, on_progress=on_progress, cancel=cancel)
    return facts_of(chain(given, job), settings)


def match(
    records: "RowSource",
    catalogue: "RowSource",
    *,
    decisions: str | os.PathLike[str] | None = None,
    settings: "MatchSettings | None" = None,
    limits: "RowLimits | None" = None,
) -> "Matches":
    """Find the record of a catalogue that each record is, if any; doubtful pairs are put aside for review.

    Both are tables: files (.csv .tsv .jsonl .json .parquet .xlsx), lists of dicts, results such as `Records`, or data
    frames. `decisions` is the file that `sightline review` writes. `settings` are `sightline.flow.match.MatchSettings`;
    `limits`, what a file may cost, are `sightline.flow.rows.RowLimits`.

    >>> shop = [{"id": "a", "name": "Sony Cyber-shot DSC-W150 black"}, {"id": "b", "name": "Garden hose, 20 m"}]
    >>> ours = [{"id": "1", "name": "SONY DSCW150 digital camera"}, {"id": "2", "name": "Canon EOS 5D"}]
    >>> [(pair.left, pair.right, pair.zone) for pair in match(shop, ours)]
    [('a', '1', 'matched'), ('b', None, 'new')]
    """
    from sightline.flow.match import match

    return match(records, catalogue, decisions=decisions, settings=settings, limits=limits)


def deduplicate(
    records: "RowSource", *, settings: "DuplicateSettings | None" = None, limits: "RowLimits | None" = None
) -> "Duplicates":
    """Find the records of a table that are the same thing: clusters of them, each record in one.

    The table is a file (.csv .tsv .jsonl .json .parquet .xlsx), a list of dicts, a result such as `Records`, or a data
    frame. `settings` are `sightline.flow.match.DuplicateSettings`; `limits` say what a file may cost.

    >>> rows = [
    ...     {"id": "a", "name": "John Smith", "born": "1956-04-09", "phone": "0171 2345678"},
    ...     {"id": "b", "name": "JOHN SMITH", "born": "09.04.1956", "phone": "0171-2345678"},
    ...     {"id": "c", "name": "Mary Miller", "born": "1971-12-30", "phone": "0181 9876543"},
    ... ]
    >>> deduplicate(rows).duplicates
    (('a', 'b'),)
    """
    from sightline.flow.match import deduplicate

    return deduplicate(records, settings=settings, limits=limits)


def run(  # noqa: PLR0913 - keywords, each of them said seldom
    flow: "str | os.PathLike[str] | Flow",
    *,
    variables: Mapping[str, str] | None = None,
    store: str | os.PathLike[str] | None = None,
    due: "datetime | date | None" = None,
    fresh: bool = False,
    resume: str = "",
    on_event: "Callable[[FlowEvent], None] | None" = None,
    cancel: "Cancel | None" = None,
    trust: bool = False,
) -> "FlowRun":
    """Run a flow, given by its file: read, integrate, normalise, match, check and deliver, each row once.

    The run is for the time `due`, or for the due date of that day; now, if that is not said. One that was interrupted
    goes on where it was if it is for the same time, made from the same flow and files, and young enough, or the one to
    `resume`; not if a `fresh` one is wanted. `variables` replace those of the flow. The state is kept in the folder
    `store`, which is beside the file if not said. Python code that the flow names is run only with `trust`.
    """
    from datetime import datetime

    from sightline.flow.run import FlowStore, due_on_day, run_flow
    from sightline.flow.spec import Flow

    plan = flow if isinstance(flow, Flow) else Flow.load(flow)
    plan = plan.with_variables(variables or {})
    store = plan.folder / "store" if store is None else store
    if due is not None and not isinstance(due, datetime):
        due = due_on_day(plan, FlowStore(store, plan.name), due)
    return run_flow(
        plan,
        store=store,
        due=due,
        fresh=fresh,
        resume=resume,
        on_event=on_event,
        cancel=cancel,
        trust=trust,
    )


def discover(  # noqa: PLR0913 - keywords, each of them said seldom
    phrases: str | os.PathLike[str] | Iterable[str],
    *,
    search: "str | SearchProvider | None" = None,
    base: str = "",
    want: "Wanted | None" = None,
    wrapper: "Wrapper | None" = None,
    static: bool = False,
    on_progress: "OnProgress | None" = None,
    settings: "DiscoverSettings | None" = None,
    limits: Limits | None = None,
    policy: CrawlPolicy | None = None,
) -> "Discovery":
    """The sites that hold the data of a domain, found by random combinations of its phrases; see `Discovery`.

    `phrases` are texts, or the name of a file with one a line. `search` says who is asked: `index:FOLDER` for saved
    pages, `searxng:https://HOST`, the name of a file that describes an endpoint, or a provider of your own; if it is
    not given, the variable SIGHTLINE_SEARCH says it. `base` is the address under which the folder of an index is
    served, for pages that do not know their own. Sites are kept whose pages have usable tables, lists
    (`want="lists"`), or records of a `wrapper`.
    """
    from sightline.crawler.discover import asked_provider, read_phrases
    from sightline.crawler.discover import discover as find_sites

    texts = read_phrases(phrases) if isinstance(phrases, str | os.PathLike) else phrases
    loader = _loader(static, None, limits, policy, None)
    with asked_provider(search, loader, on_progress, base=base) as provider:
        return find_sites(
            texts,
            provider,
            want=want or ("tables" if wrapper is None else "wrapper"),
            wrapper=wrapper,
            loader=loader,
            settings=settings,
            on_progress=on_progress,
        )


def play(  # noqa: PLR0913 - keywords, each of them said seldom
    script: "str | os.PathLike[str] | Script",
    *,
    variables: Mapping[str, str] | None = None,
    session: "Session | None" = None,
    start: int = 1,
    slow: float = 0.0,
    trace: str | os.PathLike[str] | None = None,
    on_progress: "OnProgress | None" = None,
) -> "Played":
    """Play a navigation script, given by its file: what it extracted, how it ended, and what may be wrong.

    `variables` replace those of the script. It is played in a `session`, or in one of its own; from the step number
    `start` on; with a pause of `slow` seconds between steps. `trace` names a folder for a picture of every step.
    """
    from sightline.navigate import Played, Playing, Script, TraceFolder, missing_secret
    from sightline.sources import Session

    plan = script if isinstance(script, Script) else Script.load(script)
    for name, value in (variables or {}).items():
        if not isinstance(value, str):
            raise UsageError(f"The variable `{name}` is {value!r}, which isn't text; put it in quotes.")
    if missing := missing_secret(plan, start):
        return Played({}, "failed", missing)
    folder = None if trace is None else TraceFolder.at(trace)
    with nullcontext(session) if session is not None else Session() as tab:
        return Playing(plan, tab, variables=variables, slow=slow, trace=folder, on_progress=on_progress).run(start)


def induce(
    pages: Sequence[Page], *, settings: "InduceSettings | None" = None, on_progress: "OnProgress | None" = None
) -> "Wrapper":
    """A wrapper for the template that several pages were made by, learned from the pages alone.

    >>> shop = [f"<h1>Camera {number}</h1><p>Price: <b>{number}9 €</b></p><p>In our shop" for number in range(1, 4)]
    >>> pages = [open(page.encode(), static=True) for page in shop]
    >>> induce(pages).extract(pages[1]).to_dicts()
    [{'title': 'Camera 2', 'Price': '29 €'}]
    """
    from sightline.extract.wrappers import induce as learn
    from sightline.jobs import Meter

    meter = Meter("Learning", on_progress, total=len(pages))
    return learn(pages, settings=settings, progress=lambda _, complying: meter.at(complying))


def teach(page: Page | None = None, *, settings: "TeachSettings | None" = None) -> "Lesson":
    """A lesson that makes a wrapper from examples, given one by one (`want`, `reject`) or all at once (`show`).

    >>> page = open(b"<h1>EOS 5D</h1><p>Price: <b>$500</b></p>", static=True)
    >>> lesson = teach(page).want("name", "EOS 5D").want("price", "$500")
    >>> print(lesson.wrapper.words())
    name: the `h1`, and what a comma joins to it  (seen on one page only)
    price: the element right after “price”, and what a comma joins to it  (seen on one page only)
    """
    from sightline.extract.wrappers import Lesson

    return Lesson(page, settings=settings)


def content(
    source: Source,
    *,
    by: str | None = None,
    clean: bool = False,
    static: bool = False,
    settings: "ContentSettings | None" = None,
) -> "Content":
    """The main text of a page as parts with their places; `by` names another extractor to find it.

    With `clean`, parts that look unlike the rest are left out; this needs a page with a layout.

    >>> page = open(b"<h1>Bees</h1><p>Bees dance to tell the others where the flowers are.", static=True)
    >>> content(page).title.text
    'Bees'
    """
    from sightline.extract.content import find_content, without_outliers

    page = _page("Main texts", source, static=static)
    found = find_content(page, by=by, settings=settings)
    return without_outliers(page, found) if clean else found


def about(
    source: Source,
    *,
    kind: str | None = None,
    fields: str | Mapping[str, Any] | None = None,
    static: bool = False,
    settings: "AboutSettings | None" = None,
) -> "Thing":
    """What a page is about: a product, an article, a recipe, a job …, with its fields by the names of schema.org.

    What the page says for machines is compared with what it shows; where they differ, `doubts` says so. `kind` is what
    to read the page as. The kind of the result is None if the page is about no single thing.

    `fields` asks for fields of one's own instead: names, or a JSON Schema. What was not found is None, and `proposals`
    has what comes nearest.

    >>> said = '{"@type": "Product", "name": "Lamp", "offers": {"price": "5.00", "priceCurrency": "EUR"}}'
    >>> html = f'<h1>Lamp</h1><p>5.00 EUR<script type="application/ld+json">{said}</script>'
    >>> thing = about(open(html.encode(), static=True), kind="product")
    >>> thing["name"], thing["price"]
    ('Lamp', Decimal('5.00'))
    >>> thing = about(b"<h1>Lamp</h1><p>Colour: brass", fields="name, colour", static=True)
    >>> thing["name"], thing["colour"]
    ('Lamp', 'brass')
    """
    from sightline.extract.about import AboutSettings, asked_text, find_about

    page = _page("What a page is about", source, static=static)
    given = AboutSettings(kind=kind or "", fields="" if fields is None else asked_text(fields))
    return find_about(page, settings=settings or given)


def check(
    found: "Records | Found | Content | Sequence[Records | Found | Content]",
    wrapper: "Wrapper | None" = None,
    *,
    pages: Page | Sequence[Page] | None = None,
    last: "Profile | None" = None,
    settings: "CheckSettings | OutlierSettings | None" = None,
) -> "Report":
    """Whether what was found can be trusted: a verdict and its reasons, never an exception for bad data.

    Records, also as `wrapper.read` gives them, are held against what the wrapper read when it was good, and against
    `last`, the profile of the last good run. A main text is searched for parts that look unlike the rest, so it needs
    its page. `pages` are in step with what was found.

    >>> from sightline.data import Records
    >>> print(check(Records([])))
    failed
      failed: count: nothing was extracted.
    >>> check([Records([{"name": "EOS 5D"}]), Records([{"name": "R5"}])]).verdict
    'ok'
    """
    from sightline.jobs import check_found

    return check_found(found, wrapper, pages=pages, last=last, settings=settings)


def _page(what: str, source: object, *, static: bool) -> Page:
    """A page as it is given, or of a source that is opened for it."""
    if isinstance(source, Page):
        return source
    if not isinstance(source, str | bytes | os.PathLike):
        raise UsageError(f"{what} are found on a page, a source or HTML, not on {source!r:.60}.")
    return open(source, static=static)
