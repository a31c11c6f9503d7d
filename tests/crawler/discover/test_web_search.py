"""Search engines that answer in JSON, asked over HTTP on loopback."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from sightline.crawler.discover import JsonSearch, SearchForm, SearchResult, SearxngSearch
from sightline.errors import RefusedError, UnreachableError, UnreadableError, UsageError
from sightline.net import CrawlPolicy
from sightline.sources import Loader

from ..._server import Request, Site, reply, serve_from_thread

Answering = Callable[[Request], bytes]


@contextmanager
def _engine(answering: Answering) -> Iterator[Site]:
    """A search engine whose answers a function makes; it has no robots.txt."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b"", 404) if request.path == "/robots.txt" else answering(request))
        await writer.drain()

    with serve_from_thread({}, otherwise=answer) as site:
        yield site


def _json(document: Any, status: int = 200, **headers: str) -> bytes:
    return reply(json.dumps(document).encode(), status, {"Content-Type": "application/json", **headers})


def _searxng(request: Request) -> bytes:
    """What SearXNG answers: two pages of results, and an engine behind it that failed."""
    results = {
        "1": [{"url": "https://a.example/1", "title": "A", "content": "on zoom", "engine": "x", "score": 1.0}],
        "2": [{"url": "https://b.example/2", "title": "B", "content": None}, {"title": "no address"}],
    }
    found = results.get(request.query["pageno"], [])
    document = {"query": request.query["q"], "number_of_results": 0, "results": found, "answers": []}
    return _json({**document, "unresponsive_engines": [["qwant", "timeout"]]})


def test_searxng_is_asked_page_by_page() -> None:
    """By its JSON API, with phrases in quotation marks; failed engines are told, a count of 0 means nothing."""
    with _engine(_searxng) as site, Loader(static=True) as loader:
        engine = SearxngSearch(site.url("/"), loader)
        first, second, third = (engine.search(["optical zoom", "ISO"], page) for page in (1, 2, 3))
    assert first.results == (SearchResult("https://a.example/1", "A", "on zoom"),)
    assert second.results == (SearchResult("https://b.example/2", "B", ""),)
    assert (first.more, third.more, third.results) == (True, False, ())
    assert first.total is None
    assert first.problems == ("The engine qwant did not answer (timeout).",)
    assert site.requests[1].query == {"q": '"optical zoom" ISO', "format": "json", "pageno": "1"}
    assert site.requests[1].headers["user-agent"].startswith("Sightline/")
    assert engine.name == f"searxng:{site.url()[:-1]}"


def test_robots_of_the_search_are_obeyed_unless_told_otherwise() -> None:
    """SearXNG's own robots.txt forbids queries; the owner of an instance says that it is theirs."""

    def forbidding(request: Request) -> bytes:
        return _searxng(request)

    rules = {"/robots.txt": reply(b"User-agent: *\nDisallow: /*?*q=*\n", headers={"Content-Type": "text/plain"})}

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(forbidding(request))
        await writer.drain()

    with serve_from_thread(rules, otherwise=answer) as site:
        with Loader(static=True) as loader, pytest.raises(RefusedError, match=r"ignore_robots_for.*127\.0\.0\.1"):
            SearxngSearch(site.url(), loader).search(["a", "b"], 1)
        assert site.paths() == []
        with Loader(static=True, policy=CrawlPolicy(ignore_robots_for=("127.0.0.1",))) as loader:
            assert SearxngSearch(site.url(), loader).search(["a", "b"], 1).results


def test_searxng_without_json_says_what_to_change() -> None:
    """Its default is to answer 403."""
    with (
        _engine(lambda _: reply(b"Forbidden", 403)) as site,
        Loader(static=True) as loader,
        pytest.raises(UnreachableError, match=r"status 403; .* `search.formats` in its settings.yml"),
    ):
        SearxngSearch(site.url(), loader).search(["a"], 1)


@pytest.mark.parametrize(
    ("content", "said"), [(b"<html>", "did not answer in JSON"), (b'{"hits": []}', "no list `results`")]
)
def test_answer_of_another_form_is_an_error(content: bytes, said: str) -> None:
    """And not a query without results."""
    with (
        _engine(lambda _: reply(content)) as site,
        Loader(static=True) as loader,
        pytest.raises(UnreadableError, match=said),
    ):
        SearxngSearch(site.url(), loader).search(["a"], 1)


def test_busy_engine_is_asked_again_as_late_as_it_wishes() -> None:
    """A few times, and not if it wants hours."""
    waits: list[float] = []
    answers = iter([_json({}, 429, **{"Retry-After": "7"}), _json({}, 503), None])

    def busy(request: Request) -> bytes:
        return next(answers) or _searxng(request)

    with _engine(busy) as site, Loader(static=True) as loader:
        assert SearxngSearch(site.url(), loader, wait=waits.append).search(["a"], 1).results
    assert [asked <= waited <= 1.25 * asked for asked, waited in zip((7.0, 4.0), waits, strict=True)] == [True, True]
    with (
        _engine(lambda _: _json({}, 429, **{"Retry-After": "7200"})) as site,
        Loader(static=True) as loader,
        pytest.raises(UnreachableError, match="status 429; it is too busy"),
    ):
        SearxngSearch(site.url(), loader, wait=waits.append).search(["a"], 1)
    assert len(waits) == 2


def _hits(request: Request) -> bytes:
    start = int(request.query.get("from", 0))
    every = [
        {"_source": {"link": f"https://s{n}.example/", "name": f"S{n}", "text": [f"zoom {n}", "ISO"]}} for n in range(5)
    ]
    return _json({"hits": {"total": {"value": 5}, "hits": every[start : start + 2]}})


def test_any_json_endpoint_is_read_by_its_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """Template, paths and offsets; the key comes from the environment and is in no name."""
    monkeypatch.setenv("SEARCH_KEY", "s3cr&t")
    with _engine(_hits) as site, Loader(static=True) as loader:
        template = site.url("/find?q={searchTerms}&from={start}&n={count?}&key={env:SEARCH_KEY}")
        form = SearchForm(
            template, "hits.hits", "_source.link", "_source.name", "_source.text", "hits.total.value", size=2
        )
        engine = JsonSearch(form, loader)
        first, last = engine.search(["optical zoom"], 1), engine.search(["optical zoom"], 4)
    assert [one.url for one in first.results] == ["https://s0.example/", "https://s1.example/"]
    assert first.results[0].snippet == "zoom 0 ISO"
    assert (first.total, first.more, last.results, last.more) == (5, True, (), False)
    assert site.requests[1].query == {"q": '"optical zoom"', "from": "0", "n": "2", "key": "s3cr&t"}
    assert "s3cr" not in engine.name


def test_endpoint_without_pages_is_asked_once() -> None:
    """A second page would be the first again."""
    with _engine(lambda _: _json({"results": [{"url": "https://a.example/"}]})) as site, Loader(static=True) as loader:
        engine = JsonSearch(SearchForm(site.url("/?q={query}")), loader)
        assert not engine.search(["a"], 1).more
        assert engine.search(["a"], 2).results == ()
        assert len(site.paths()) == 1


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"results": {"a": 1}}, "no list at `results`"),
        ({"results": [{"link": "x"}]}, "no result has an address at `url`"),
    ],
)
def test_path_that_leads_nowhere_is_named(document: object, said: str) -> None:
    """So that the form can be mended."""
    with (
        _engine(lambda _: _json(document)) as site,
        Loader(static=True) as loader,
        pytest.raises(UnreadableError, match=said),
    ):
        JsonSearch(SearchForm(site.url("/?q={query}")), loader).search(["a"], 1)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("https://a.example/?q=x", "write it with https:// and {query}"),
        ("ftp://a.example/{query}", "write it with https:// and {query}"),
        ("https://a.example/?q={query}&p={pgae}", "there is no place {pgae}"),
    ],
)
def test_template_with_a_mistake_is_refused(address: str, said: str) -> None:
    """Before anything is asked."""
    with pytest.raises(UsageError, match=said):
        SearchForm(address)


def test_missing_key_is_named() -> None:
    """By its variable."""
    with pytest.raises(UsageError, match="the variable SIGHTLINE_NO_SUCH_KEY is not set"):
        SearchForm("https://a.example/?q={query}&key={env:SIGHTLINE_NO_SUCH_KEY}").filled("x", 1)
