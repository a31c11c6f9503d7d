"""A job opens sources, does something with each page, and hands out what became of every source."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import sightline as sl
from sightline.data import Extraction, Table
from sightline.errors import JobCancelled, UsageError
from sightline.jobs import Cancel, Job, Progress, extractors
from sightline.net import CrawlPolicy, Limits
from sightline.page import Page
from sightline.plugins import _loaded
from sightline.sources import BrowserSettings, Loader

from .._wait import BOUND, LONG
from ..sources.browser._site import Request, html, site

PAGES = [f"<title>Page {number}</title><p>{number}".encode() for number in range(5)]


def title(page: Page, _: str) -> str:
    """The work of these jobs."""
    return page.title


def static_job(**how: object) -> Job[str]:
    """A job on five small pages, without a browser."""
    return Job(PAGES, title, Loader(static=True), **how)  # type: ignore[arg-type]


def test_outcomes_come_in_the_order_of_the_sources() -> None:
    """Each outcome has its page and what was found on it."""
    found = list(static_job())
    assert [outcome.found for outcome in found] == [f"Page {number}" for number in range(5)]
    assert all(outcome.page is not None and outcome.error is None for outcome in found)


def test_a_source_that_fails_stops_no_other(tmp_path: Path) -> None:
    """It has its error in its place; so has a page on which the work fails."""
    (tmp_path / "a.html").write_text("<title>A")
    (tmp_path / "b.html").write_text("<title>B")

    def work(page: Page, source: str) -> str:
        if page.title == "B":
            raise UsageError(f"{source}: not this one.")
        return page.title

    sources = [str(tmp_path / name) for name in ("a.html", "gone.html", "b.html")]
    good, gone, refused = Job(sources, work, Loader(static=True))
    assert good.found == "A"
    assert gone.error is not None and gone.page is None and "no such file" in gone.error.message
    assert refused.error is not None and refused.page is not None and refused.notes == ()


def test_a_mistake_of_the_work_is_not_hidden() -> None:
    """Only our own errors become outcomes; anything else is a defect and goes through."""

    def work(_page: Page, _source: str) -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(Job(PAGES[:1], work, Loader(static=True)))


def test_progress_counts_sources_failures_and_bytes(tmp_path: Path) -> None:
    """One event at the start and one for each source, with the totals that are known."""
    (tmp_path / "a.html").write_text("<p>" + "x" * 1000)
    events: list[Progress] = []
    sources = [str(tmp_path / "*.html"), str(tmp_path / "gone.html")]
    loader = Loader(static=True)
    list(Job(sources, title, loader))  # what an earlier job read does not count
    list(Job(sources, title, loader, on_progress=events.append))
    assert [(event.done, event.total, event.failed) for event in events] == [(0, 2, 0), (1, 2, 0), (2, 2, 1)]
    assert events[1].current == str(tmp_path / "a.html")
    assert events[-1].bytes == 1003
    assert all(event.rate is None or event.rate > 0 for event in events)


def test_progress_has_no_total_where_only_reading_can_tell(tmp_path: Path) -> None:
    """Nobody knows how many pages an archive holds before it was read."""
    events: list[Progress] = []
    list(Job([str(tmp_path / "x.warc")], title, Loader(static=True), on_progress=events.append))
    assert [event.total for event in events] == [None, None]
    assert events[-1].remaining is None


def test_cancelling_ends_a_job_with_an_error() -> None:
    """What was handed out stays, and nobody takes it for all."""
    job = static_job()
    taken = []
    with pytest.raises(JobCancelled, match="after 2 sources") as problem:
        for outcome in job:
            taken.append(outcome)
            if len(taken) == 2:
                job.cancel.cancel()
    assert (problem.value.done, len(taken)) == (2, 2)


def test_cancelling_from_another_thread_ends_the_wait() -> None:
    """A page that never answers is given up as soon as somebody asks, while another thread waits for it."""
    asked, release = threading.Event(), asyncio.Event()

    async def never(_: Request, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await release.wait()
        writer.close()

    cancel = Cancel()

    def stop() -> None:
        asked.wait(BOUND)
        cancel.cancel()

    with site({"/slow": never}) as server:
        thread = threading.Thread(target=stop)
        thread.start()
        limits, policy = Limits(load_seconds=LONG, page_seconds=LONG), CrawlPolicy(robots=False)
        with Loader(static=True, limits=limits, policy=policy) as loader, pytest.raises(JobCancelled):
            list(Job([server.url("/slow")], title, loader, cancel=cancel))
        thread.join()


def test_a_job_runs_once() -> None:
    """A second run would open every page again without anybody having asked for it."""
    job = static_job()
    list(job)
    with pytest.raises(UsageError, match="has run already"):
        iter(job)


def test_a_job_runs_inside_an_event_loop() -> None:
    """`async for` hands out the same outcomes, and the loop goes on meanwhile."""

    async def run() -> list[str | None]:
        return [outcome.found async for outcome in static_job()]

    assert asyncio.run(run()) == [f"Page {number}" for number in range(5)]


def test_outcomes_out_of_order_come_as_soon_as_they_are_there() -> None:
    """The slow one of two pages is first in the order of the sources and last out of it."""
    handed_out = threading.Event()

    async def slow(_: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.to_thread(handed_out.wait, BOUND)
        writer.write(html("<title>slow</title>"))
        writer.close()

    with site({"/slow": slow, "/quick": html("<title>quick</title>")}) as server:
        sources = [server.url("/slow"), server.url("/quick").replace("127.0.0.1", "localhost")]
        settings, policy = BrowserSettings(tabs=2), CrawlPolicy(robots=False)
        with Loader(policy=policy, browser=settings) as loader:
            outcomes = iter(Job(sources, title, loader, in_order=False))
            assert next(outcomes).found == "quick"
            handed_out.set()
            assert next(outcomes).found == "slow"


def test_job_runs_extractors_by_name() -> None:
    """A name, a wrapper or a function; options go to the extractor."""
    page = b"<table><tr><th>Name<th>Price<tr><td>EOS<td>5<tr><td>R5<td>7</table>"
    (outcome,) = sl.job([page], "tables", static=True, containing="EOS")
    assert outcome.found is not None
    assert [table.to_dicts() for table in outcome.found if isinstance(table, Table)] == [
        [{"Name": "EOS", "Price": "5"}, {"Name": "R5", "Price": "7"}]
    ]
    (outcome,) = sl.job([page], "tables", static=True, containing="Nikon")
    assert outcome.found is not None and len(outcome.found) == 0
    (outcome,) = sl.job([page], lambda page: Extraction(page.title or "none"), static=True)
    assert outcome.found == Extraction("none")


def test_job_refuses_a_name_that_no_extractor_has() -> None:
    """The message lists those that there are."""
    with pytest.raises(UsageError, match="There is no extractor 'prices'; use one of tables, lists, top, content"):
        sl.job(["x.html"], "prices")


@pytest.fixture
def fresh_registry() -> Iterator[None]:
    """A registry that looks for plugins anew, before and after."""
    extractors.cache_clear()
    _loaded.cache_clear()
    yield
    extractors.cache_clear()
    _loaded.cache_clear()


@pytest.mark.usefixtures("fresh_registry")
def test_plugins_add_extractors_by_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package with an entry point gives an extractor that jobs run by its name."""
    (tmp_path / "titles.py").write_text(
        "from sightline.data import Extraction\n"
        "from sightline.jobs import Extractor\n"
        "titles = Extractor('titles', 'titles', 'titles of pages', lambda page: Extraction(page.title))\n"
    )
    metadata = tmp_path / "titles-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: titles\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[sightline.extractors]\ntitles = titles:titles\n")
    monkeypatch.syspath_prepend(tmp_path)
    (outcome,) = sl.job([b"<title>Bees"], "titles", static=True)
    assert outcome.found == Extraction("Bees")


@pytest.mark.usefixtures("fresh_registry")
def test_a_plugin_that_is_no_extractor_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says which package to mend or uninstall."""
    (tmp_path / "broken.py").write_text("thing = 5\n")
    metadata = tmp_path / "broken-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[sightline.extractors]\nbroken = broken:thing\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match=r"The plugin broken \(broken:thing\) names 5"):
        extractors()
