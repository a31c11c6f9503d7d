"""Discovery as a whole: over a folder of saved pages, and over HTTP."""

import asyncio
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

import sightline as sl
from sightline.crawler.discover import DiscoverSettings, LocalIndex, SearchAnswer, SearchResult, discover
from sightline.errors import SourceError, UnreachableError, UsageError
from sightline.jobs import Progress
from sightline.net import Document
from sightline.sources import Loader

from ..._server import Request, reply, serve_from_thread
from ._web import PHRASES, page, saved


class _Provider:
    """A provider whose answers a list gives, one a query; the last goes on for ever."""

    name = "list"

    def __init__(self, answers: Sequence[SearchAnswer | SourceError]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[tuple[str, ...], int]] = []

    def search(self, phrases: Sequence[str], page: int) -> SearchAnswer:
        self.asked.append((tuple(phrases), page))
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(answer, SourceError):
            raise answer
        return answer

    def saved(self, urls: Iterable[str]) -> dict[str, Document]:  # noqa: ARG002
        return {}


def test_sites_with_data_are_kept_and_the_others_told(tmp_path: Path) -> None:
    """The two shops, with their pages as templates; the blog and the forum are left out, with why."""
    found = sl.discover(PHRASES, search=f"index:{saved(tmp_path)}", static=True)
    assert {site.site for site in found.sites} == {"lumen.example", "pentara.example"}
    assert {site.site for site in found.left_out} == {"blog.example", "talk.example"}
    lumen = next(site for site in found.sites if site.site == "lumen.example")
    assert all(url.startswith("https://www.lumen.example/camera/") for url in (*lumen.pages, *lumen.templates))
    assert len(lumen.templates) >= 4
    assert any("megapixel, optical zoom" in why for why in lumen.why)
    blog = next(site for site in found.left_out if site.site == "blog.example")
    assert "no tables" in blog.why
    assert (found.verdict, found.ended, found.problems) == ("ok", found.ended, ())
    assert found.ended in ("rule", "exhausted")
    assert f"{found.queries} queries" in found.stopped


def test_same_seed_gives_the_same_result(tmp_path: Path) -> None:
    """Everything of it, queries and order."""
    folder = saved(tmp_path)
    one, two = (sl.discover(PHRASES, search=f"index:{folder}", static=True) for _ in range(2))
    assert one == two


def test_lists_and_wrappers_can_be_wanted(tmp_path: Path) -> None:
    """A wrapper keeps the site whose template it knows."""
    folder = saved(tmp_path)
    pages = [sl.open(page(f"https://www.lumen.example/camera/{n}"), static=True) for n in range(4)]
    wrapper = sl.induce(pages)
    found = sl.discover(PHRASES, search=f"index:{folder}", wrapper=wrapper, static=True)
    assert found.want == "wrapper"
    assert [site.site for site in found.sites] == ["lumen.example"]
    assert sl.discover(PHRASES, search=f"index:{folder}", want="lists", static=True).want == "lists"


def test_wants_that_contradict_are_refused() -> None:
    """Before anything is asked."""
    provider = _Provider([SearchAnswer()])
    with pytest.raises(UsageError, match="belong together"):
        discover(PHRASES, provider, want="wrapper", loader=Loader(static=True))
    with pytest.raises(UsageError, match="'pictures' cannot be looked for"):
        discover(PHRASES, provider, want="pictures", loader=Loader(static=True))  # type: ignore[arg-type]
    assert provider.asked == []


def test_budget_ends_it_and_is_suspicious(tmp_path: Path) -> None:
    """The sentence has the numbers and says how to go on."""
    index = LocalIndex(saved(tmp_path))
    found = discover(PHRASES, index, loader=Loader(static=True), settings=DiscoverSettings(queries=4))
    assert (found.queries, found.ended, found.verdict) == (4, "budget", "suspicious")
    assert found.stopped.startswith("The budget of 4 queries is spent")


def test_queries_without_results_are_no_error() -> None:
    """If no query at all finds anything, that is said after thirty."""
    found = discover([f"w{n}" for n in range(20)], _Provider([SearchAnswer()]), loader=Loader(static=True))
    assert (found.queries, found.sites, found.verdict) == (30, (), "suspicious")
    assert "None of 30 queries gave any result" in found.stopped


def test_provider_that_never_works_is_an_error() -> None:
    """After three tries, with its own words."""
    provider = _Provider([UnreachableError("list", "is down.")])
    with pytest.raises(UnreachableError, match="list: is down"):
        discover(PHRASES, provider, loader=Loader(static=True))
    assert len(provider.asked) == 3


def test_provider_that_fails_later_keeps_what_was_found() -> None:
    """And the verdict is not ok."""
    url = "http://127.0.0.1:9/camera"
    answers = [*[SearchAnswer((SearchResult(url),))] * 5, UnreachableError("list", "is down.")]
    found = discover(PHRASES, _Provider(answers), loader=Loader(static=True))
    assert found.ended == "failed"
    assert "failed 3 times in a row" in found.stopped
    assert found.problems[0] == "list: is down."
    assert found.verdict == "suspicious"


def test_results_are_read_page_by_page_until_there_are_enough_of_other_sites() -> None:
    """A site that fills the pages counts twice a query, but all its pages are known; pages that repeat end it."""
    spam = tuple(SearchResult(f"http://127.0.0.1:9/{n}") for n in range(10))
    more = (SearchResult("http://127.0.0.1:10/a"),)
    provider = _Provider([SearchAnswer(spam, more=True), SearchAnswer(more, more=True)])
    settings = DiscoverSettings(queries=1, sites=1, results=3)
    found = discover(PHRASES, provider, loader=Loader(static=True), settings=settings)
    assert [page for _, page in provider.asked] == [1, 2]
    assert "1 more sites (found by at most 1 query) were not looked at; raise `sites` to do so." in found.problems
    (site,) = found.left_out
    assert (site.site, len(site.pages)) == ("127.0.0.1:9", 10)


def test_whole_discovery_over_http() -> None:
    """A SearXNG names pages of a site, and the pages are fetched; one that fails is told with its cause."""
    cameras = {f"/camera/{n}": reply(page(f"https://www.lumen.example/camera/{n}").encode()) for n in range(5)}

    async def search(request: Request, writer: asyncio.StreamWriter) -> None:
        here = f"http://{request.headers['host']}"
        paths = [*cameras, "/gone"] if request.path == "/search" and request.query["pageno"] == "1" else []
        results = [{"url": f"{here}{path}", "title": "x", "content": "zoom"} for path in paths]
        writer.write(reply(json.dumps({"results": results}).encode(), 200 if request.path == "/search" else 404))
        await writer.drain()

    events: list[Progress] = []
    settings = DiscoverSettings(pages=20, finalists=5)
    with serve_from_thread(cameras, otherwise=search) as site:
        found = sl.discover(
            PHRASES, search=f"searxng:{site.url()}", static=True, settings=settings, on_progress=events.append
        )
    assert [one.site for one in found.sites] == [f"127.0.0.1:{site.port}"]
    assert {url.rpartition(":")[2].partition("/")[2] for url in found.sites[0].templates} == {
        f"camera/{n}" for n in range(5)
    }
    assert [problem.partition("/gone")[2] for problem in found.problems] == [
        ": answered with status 404; check the address."
    ]
    assert {event.what.split(",")[0] for event in events} == {"Searching", "Opening pages"}


def test_pages_that_fail_are_told_with_their_cause() -> None:
    """Their site is left out, and says so."""
    with serve_from_thread({}, otherwise=reply(b"gone", 404)) as site:
        provider = _Provider([SearchAnswer((SearchResult(site.url("/a")), SearchResult(site.url("/b"))))])
        found = discover(PHRASES, provider, loader=Loader(static=True))
    assert found.sites == ()
    assert len(found.problems) == 2
    assert all("answered with status 404" in problem for problem in found.problems)
    assert any("2 pages could not be opened" in why for why in found.left_out[0].why)
