"""`sightline crawl`: the pages of a site, those that matter first, kept in a folder."""

import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sightline.cli._console import live, output, print_json, remark
from sightline.cli._files import check_file
from sightline.cli._flags import argument, flag, switch, the_one
from sightline.cli._signals import INTERRUPTED
from sightline.cli._sources import Fetching, JsonFlags, entry, exit_with, in_flags
from sightline.cli._text import clean, counted
from sightline.crawler import CrawlSettings
from sightline.errors import UsageError
from sightline.files import write_bytes

if TYPE_CHECKING:
    from rich.table import Table as Drawn

    from sightline.crawler import CrawlStatus, OnStatus

SHOWN_HOSTS = 12  # on the terminal; the status as JSON has them all
SHOWN_EVENTS = 8
SHOWN_CHANGES = 10
SHOWN_FAILURES = 5
ANSWER_SECONDS = 60.0
ANSWERS = {"y": True, "n": False}


@dataclass(frozen=True, kw_only=True)
class CrawlFlags(JsonFlags):
    """What is looked for, and where it is kept."""

    like: tuple[str, ...] = flag(
        (), help="look for pages like this one, an address or a file; may be repeated", metavar="PAGE"
    )
    wrapper: Path | None = flag(None, help="look for pages that this wrapper can read", names="--wrapper -w")
    kind: str | None = flag(
        None,
        help="look for pages about one thing of this kind, such as product, recipe or article; no example is needed",
        metavar="KIND",
    )
    anything: bool = switch(help="look for every page. This is the default", names="--any")
    found: Path | None = flag(
        None, help="begin at what `sightline discover` found, with its examples", names="--from", metavar="FILE"
    )
    out: Path | None = flag(None, help="keep pages and state in this folder", names="--output -o", metavar="FOLDER")
    again: bool = switch(help="visit everything once more, and tell what is new, changed and gone")
    no_questions: bool = switch(help="never ask whether a page in doubt is one of those looked for")
    static: bool = switch(help="use no browser: the same as --render never")
    status: Path | None = flag(None, help="only show how the crawl in this folder stands", metavar="FOLDER")
    plot: Path | None = flag(None, help="draw the harvest into this .png file", metavar="FILE")


def crawl_command(
    addresses: Annotated[list[str] | None, argument(metavar="[URL]...", help="The addresses to begin at.")] = None,
    *,
    flags: CrawlFlags,
    crawl: CrawlSettings,
    fetching: Fetching,
) -> None:
    """Visit the pages of a site, those that you look for first, and keep them in a folder.

    Say what you look for by examples, by a wrapper, or by the kind of thing that pages are about. It learns which links
    lead to such pages, so it finds most of them long before it has seen the site.
    Killed or interrupted, the same command goes on where it was: no page is lost, none is fetched twice.

    The folder is a source for other commands: they read the pages that were found.

    [bold]Examples[/]

      sightline crawl https://shop.example/ --like https://shop.example/cameras/eos-5d -o shop/

      sightline crawl https://shop.example/ --kind product -o shop/

      sightline about shop/ -o products.csv

      sightline crawl https://shop.example/ --wrapper cameras.wrapper.json --pages 5000 -o shop/

      sightline extract cameras.wrapper.json shop/ -o cameras.csv

      sightline crawl --status shop/ --plot harvest.png

      sightline crawl https://shop.example/ --like https://shop.example/cameras/eos-5d --again -o shop/
    """
    out, plot = flags.out, flags.plot
    if plot is not None:
        check_file(plot, ".png", "plots are drawn as .png files")
    if flags.status is not None:
        _show_status(flags.status, plot, json=flags.json)
        return
    if out is None:
        raise UsageError("A crawl needs a folder for what it finds; name one with -o FOLDER.")
    by_kind = flags.kind is not None
    the_one(
        {"--like": bool(flags.like), "--wrapper": flags.wrapper is not None, "--kind": by_kind, "--any": flags.anything}
    )
    state = _crawled(addresses or [], out, flags, crawl, fetching)
    if plot:
        _plot(out, plot)
    _tell(out, state, json=flags.json)
    if state.stopped == "interrupted":
        raise typer.Exit(INTERRUPTED)
    exit_with(state.verdict)


def _crawled(
    addresses: list[str], out: Path, flags: CrawlFlags, settings: CrawlSettings, fetching: Fetching
) -> "CrawlStatus":
    from sightline import Wrapper  # which help does not need, and crawls seldom
    from sightline.crawler import crawl

    how = replace(settings, render="never") if flags.static else settings
    first, examples = list(addresses), list(flags.like)
    if flags.found is not None:
        first, known = _from_discovery(flags.found, first, examples)
        examples = examples if flags.kind else known
    with _watching(how.pages) as on_status:
        return crawl(
            first,
            out,
            like=examples,
            wrapper=Wrapper.load(flags.wrapper) if flags.wrapper else None,
            kind=flags.kind,
            again=flags.again,
            settings=how,
            limits=fetching.limits,
            policy=fetching.policy,
            browser=fetching.browser,
            ask=_asked if _may_ask(flags) else None,
            on_status=on_status,
        )


def _may_ask(flags: CrawlFlags) -> bool:
    """Whether somebody sits at a terminal; on Windows, an answer cannot be waited for with an end."""
    is_there = sys.stdin.isatty() and sys.stderr.isatty() and sys.platform != "win32"
    return is_there and not flags.no_questions and not flags.json


def _asked(url: str) -> bool | None:
    """Ask whether a page is one of those looked for; without an answer, the crawl goes on after a while."""
    remark(f"Is this one of the pages you look for? {clean(url)}  [y/n, Enter: don't know]")
    if not select.select([sys.stdin], [], [], ANSWER_SECONDS)[0]:
        remark("No answer; the crawl goes on.")
        return None
    return ANSWERS.get(sys.stdin.readline().strip().lower()[:1])


def _from_discovery(file: Path, first: list[str], like: list[str]) -> tuple[list[str], list[str]]:
    from sightline.crawler.discover import Discovery

    found = Discovery.load(file)
    pages = [page for site in found.sites for page in (*site.pages, *site.templates)]
    if saved := next((page for page in pages if page.startswith("file:")), None):
        raise UsageError(
            f"{file} has files such as {saved}, and a crawl visits addresses on the web; run `sightline discover` "
            "again with --base URL, the address under which their folder is served."
        )
    return [*first, *dict.fromkeys(pages)], [*like, *(page for site in found.sites for page in site.templates)]


# -- what people see -------------------------------------------------------------------------------------------------


@contextmanager
def _watching(pages: int) -> Iterator["OnStatus | None"]:
    """A table on the terminal that shows how the crawl goes on; nothing if standard error isn't a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from time import monotonic

    begin = monotonic()
    with live() as show:
        yield lambda status: show(_drawn(status, pages, monotonic() - begin))


def _drawn(status: "CrawlStatus", pages: int, seconds: float) -> "Drawn":
    from rich.table import Table

    rate = status.visits / seconds if seconds else 0.0
    drawn = Table(
        title=_line(status, pages, f"{rate:.1f} a second"), title_justify="left", box=None, padding=(0, 2, 0, 0)
    )
    for name in ("host", "visited", "found", "failed", "waiting", "a second", ""):
        drawn.add_column(name, justify="left" if name in ("host", "") else "right", style="dim")
    for host in sorted(status.hosts, key=lambda host: (-host.visits, -host.waiting))[:SHOWN_HOSTS]:
        numbers = (host.visits, host.targets, host.failed, host.waiting)
        drawn.add_row(clean(host.name), *(f"{number:,}" for number in numbers), f"{host.rate:.1f}", clean(host.doing))
    if len(status.hosts) > SHOWN_HOSTS:
        drawn.add_row(f"… and {len(status.hosts) - SHOWN_HOSTS:,} more")
    return drawn


def _line(status: "CrawlStatus", pages: int | None, more: str = "") -> str:
    """A crawl in one line."""
    of = f" of {pages:,}" if pages else ""
    share = f" ({status.harvest:.0%})" if status.harvest is not None else ""
    parts = [f"{status.visits:,}{of} pages visited", f"{status.targets:,} found{share}", f"{status.waiting:,} waiting"]
    failed = status.standings.get("failed", 0)
    return " · ".join([*parts, *([f"{failed:,} failed"] if failed else []), *([more] if more else [])])


def _stand(status: "CrawlStatus") -> str:
    """Whether a crawl runs, can go on, or is done."""
    if status.state == "running":
        return "Running."
    if status.state == "finished":
        return f"Finished: {clean(status.stopped or '')}."
    how = "the same command with more --pages goes on" if status.is_at_budget else "the same command goes on"
    return f"Stopped: {clean(status.stopped or 'it was killed')}; {how}."


def _in_flags(text: str) -> str:
    """A sentence with the flags of this command for the names that Python knows."""
    return in_flags(text, of=(CrawlSettings,))


def _tell(folder: Path, status: "CrawlStatus", *, json: bool) -> None:
    """What a crawl came to."""
    for event in reversed(status.events[:SHOWN_EVENTS]):
        remark(clean(_in_flags(event.text)), source=event.host)
    if len(status.events) > SHOWN_EVENTS:
        remark(f"… and {len(status.events) - SHOWN_EVENTS:,} more remarks: sightline crawl --status {folder} --json")
    if json:
        print_json({"results": [entry(str(folder), "crawl", _documented(folder, status), status.verdict)]})
        return
    output.print(f"{_line(status, None)} · {status.verdict}", markup=False)
    output.print(_stand(status), markup=False)
    for host in status.hosts[:SHOWN_HOSTS] if len(status.hosts) > 1 else ():
        counts = f"{counted(host.visits, 'page')}, {host.targets:,} found, {host.waiting:,} waiting"
        output.print(
            f"  {clean(host.name)}: {counts}{f', {host.failed:,} failed' if host.failed else ''}", markup=False
        )
    _tell_changes(folder, status)
    for doubt in status.doubts:
        remark(f"{doubt[0].upper()}{_in_flags(doubt[1:])}.")
    _tell_failures(folder, status)
    remark(f"Kept in {folder}/: pages-*.warc.gz, pages.cdxj (all pages), found.cdxj (those found), crawl.sqlite")


def _tell_changes(folder: Path, status: "CrawlStatus") -> None:
    if not status.changes:
        return
    from sightline.crawler import changed_pages

    counts = ", ".join(f"{count:,} {what}" for what, count in status.changes.items())
    output.print(f"Since the last time: {counts}", markup=False)
    changes = changed_pages(folder)
    for what, url in changes[:SHOWN_CHANGES]:
        output.print(f"  {what}: {clean(url)}", markup=False)
    if len(changes) > SHOWN_CHANGES:
        output.print(f"  … and {len(changes) - SHOWN_CHANGES:,} more", markup=False)


def _tell_failures(folder: Path, status: "CrawlStatus") -> None:
    if not status.standings.get("failed"):
        return
    from sightline.crawler import failed_pages

    failures = failed_pages(folder)
    for url, cause in failures[:SHOWN_FAILURES]:
        remark(clean(_in_flags(cause)), source=clean(url))
    if len(failures) > SHOWN_FAILURES:
        remark(f"… and {len(failures) - SHOWN_FAILURES:,} more failures: sightline crawl --status {folder} --json")


def _documented(folder: Path, status: "CrawlStatus") -> dict[str, Any]:
    from sightline.crawler import changed_pages, failed_pages

    told = status.to_json()
    return {
        **told,
        "doubts": [_in_flags(doubt) for doubt in told["doubts"]],
        "events": [{**event, "text": _in_flags(event["text"])} for event in told["events"]],
        "changed_pages": [
            {"what": what, "address": url} for what, url in (changed_pages(folder) if status.changes else ())
        ],
        "failed_pages": [{"address": url, "cause": _in_flags(cause)} for url, cause in failed_pages(folder)],
    }


def _show_status(folder: Path, plot: Path | None, *, json: bool) -> None:
    from sightline.crawler import CrawlStatus

    status = CrawlStatus.of(folder)
    if plot:
        _plot(folder, plot)
    _tell(folder, status, json=json)


def _plot(folder: Path, file: Path) -> None:
    from sightline.crawler import visits_in_order
    from sightline.draw import plot_harvest

    write_bytes(file, plot_harvest({"found": visits_in_order(folder)}))
    remark(f"Written: {file}")
