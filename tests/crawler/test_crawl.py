"""Whole crawls of sites on the loopback interface."""

import asyncio
import gzip
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import sightline as sl
from sightline.crawler import Crawler, CrawlSettings, CrawlStatus, changed_pages
from sightline.crawler._archive import archive_path
from sightline.crawler._state import STATE_FILE
from sightline.crawler.likeness import AnyLikeness, Judgement, Questions
from sightline.errors import UnreadableError, UsageError
from sightline.net import Document, Limits
from sightline.sources import PageOutline
from sightline.sources.files import documents

from .._server import Request, redirect, reply
from .._wait import LONG, wait_until
from ._site import crawl, html, links, serving, tree

HASTY = 2.0  # seconds: a host that is just busy answers within them


def addresses(folder: Path) -> list[str]:
    """The addresses of all answers in the archive, without their host."""
    found = documents(archive_path(folder, 1))
    return ["/" + one.url.split("/", 3)[3] for one in found if isinstance(one, Document)]


def told(status: CrawlStatus) -> str:
    """Everything that the crawl said."""
    return "\n".join(f"{event.what}: {event.text}" for event in status.events)


def test_crawl_visits_every_page_once(tmp_path: Path) -> None:
    """All pages of a site are visited, none is asked for twice, and each stands in the archive once."""
    pages = tree(3, 4)
    with serving(pages) as site:
        status = crawl(tmp_path, site.url())
    asked = Counter(path for path in site.paths() if "no-such-page" not in path)
    assert asked == Counter(dict.fromkeys(pages, 1))
    assert sorted(addresses(tmp_path)) == sorted(pages)
    assert (status.visits, status.waiting, status.stopped) == (len(pages), 0, "nothing is left to visit")
    assert status.verdict == "ok"


def test_budget_ends_a_crawl_and_more_of_it_goes_on(tmp_path: Path) -> None:
    """A crawl stops at its budget, says what is left, and goes on when it gets more; no page is asked for twice."""
    with serving(tree(3, 3)) as site:
        first = crawl(tmp_path, site.url(), pages=10)
        second = crawl(tmp_path, site.url(), pages=10)
        last = crawl(tmp_path, site.url(), pages=1_000)
    assert first.visits == second.visits == 10
    assert first.verdict == "suspicious"
    assert "the budget of 10 pages" in (first.stopped or "")
    assert last.visits == 40
    assert max(Counter(path for path in site.paths() if "no-such" not in path).values()) == 1


def test_crawl_stays_on_its_hosts(tmp_path: Path) -> None:
    """Links to other hosts are followed only if these are named."""
    with serving({"/": links("/x")}) as other, serving({"/": links(other.url("/"), "/a"), "/a": links()}) as site:
        alone = crawl(tmp_path / "alone", site.url())
        both = crawl(tmp_path / "both", site.url(), hosts=(f"127.0.0.1:{site.port}", f"127.0.0.1:{other.port}"))
    assert alone.visits == 2
    assert both.visits == 3
    assert {host.name for host in both.hosts} == {f"127.0.0.1:{site.port}", f"127.0.0.1:{other.port}"}


def test_robots_txt_is_obeyed(tmp_path: Path) -> None:
    """What robots.txt forbids is not asked for, and stands in the state with its cause."""
    pages = {"/robots.txt": b"User-agent: *\nDisallow: /private", "/": links("/private/a", "/b"), "/b": links()}
    with serving(pages) as site:
        status = crawl(tmp_path, site.url())
    assert "/private/a" not in site.paths()
    assert status.standings["refused"] == 1
    assert status.visits == 2


def test_robots_txt_that_forbids_everything_ends_the_crawl(tmp_path: Path) -> None:
    """Nothing is visited, the status is failed, and the reason is said."""
    with serving({"/robots.txt": b"User-agent: *\nDisallow: /", "/": links()}) as site:
        status = crawl(tmp_path, site.url())
    assert site.paths() == []
    assert status.verdict == "failed"
    assert "its robots.txt forbids every visit" in told(status)


def test_robots_txt_in_trouble_means_to_wait(tmp_path: Path) -> None:
    """While robots.txt answers 503 nothing is visited; once it is there, the same command goes on."""
    pages = {"/robots.txt": reply(b"", 503), "/": links()}
    with serving(pages) as site:
        first = crawl(tmp_path, site.url())
        pages["/robots.txt"] = b""
        second = crawl(tmp_path, site.url())
    assert first.visits == 0
    assert "which means to wait" in told(first)
    assert second.visits == 1


@pytest.mark.slow
def test_busy_site_is_asked_again(tmp_path: Path) -> None:
    """Answers 429 and 503 are waited for, as long as they ask, and the pages are not lost."""
    answers = {
        "/a": [reply(b"", 429, {"Retry-After": "0"}), links()],
        "/b": [reply(b"", 503), reply(b"", 503), links()],
    }

    def page(target: str) -> bytes | None:
        return answers[target].pop(0) if answers.get(target) else links("/a", "/b") if target == "/" else None

    with serving(page) as site:
        status = crawl(tmp_path, site.url())
    assert status.visits == 3
    assert Counter(site.paths())["/b"] == 3
    assert status.verdict == "ok"


def test_site_that_asks_for_too_long_a_rest_is_left_alone(tmp_path: Path) -> None:
    """A host that wants an hour is left alone, its addresses wait on, and the status says so."""
    with serving({"/": reply(b"", 429, {"Retry-After": "3600"})}) as site:
        status = crawl(tmp_path, site.url())
    assert "asks to come back in 3,600 s" in told(status)
    assert status.waiting == 1


def test_page_that_keeps_failing_is_given_up(tmp_path: Path) -> None:
    """A page that breaks off every time is tried as often as allowed; the others are visited."""

    async def hang_up(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.close()

    with serving({"/": links("/bad", "/good"), "/bad": hang_up, "/good": links()}) as site:
        status = crawl(tmp_path, site.url(), tries=3)
    assert Counter(site.paths())["/bad"] == 3
    assert status.standings == {"visited": 2, "failed": 1}
    assert status.verdict == "suspicious"


@pytest.mark.slow
def test_host_that_hangs_is_left_alone(tmp_path: Path) -> None:
    """A host that takes requests and never answers is left after some, while another host is visited to its end."""

    async def hang(_: Request, __: asyncio.StreamWriter) -> None:
        await asyncio.sleep(LONG)

    stuck = {"/": links(*(f"/{number}" for number in range(50)), title="Stuck")}
    hanging = {f"/{number}": hang for number in range(50)}
    with serving({**stuck, **hanging}) as slow, serving(tree(2, 3)) as good:
        how = CrawlSettings(render="never", sitemaps=False, retry_seconds=0.01, tries=10)
        first = [slow.url(), good.url()]
        status = Crawler(tmp_path, first=first, settings=how, limits=Limits(load_seconds=HASTY)).run()
    assert {host.name: host.visits for host in status.hosts} == {
        f"127.0.0.1:{slow.port}": 1,
        f"127.0.0.1:{good.port}": 13,
    }
    assert "6 requests in a row failed" in told(status)
    assert f"what is left waits for 127.0.0.1:{slow.port}" in (status.stopped or "")
    assert status.waiting == 50


def test_missing_pages_are_told(tmp_path: Path) -> None:
    """Pages that are gone are neither visits nor failures."""
    with serving({"/": links("/gone", "/here"), "/here": links()}) as site:
        status = crawl(tmp_path, site.url())
    assert status.standings == {"visited": 2, "gone": 1}


def test_redirects_are_followed_once(tmp_path: Path) -> None:
    """Where a redirect leads is visited, also from two sides; a circle and a chain without end come to an end."""

    def page(target: str) -> bytes | None:
        known = {"/": links("/old", "/older", "/circle", "/chain/1"), "/new": links()}
        moved = {"/old": "/new", "/older": "/new", "/circle": "/round", "/round": "/circle"}
        if target.startswith("/chain/"):
            return redirect(f"/chain/{int(target.rpartition('/')[2]) + 1}")
        return redirect(moved[target]) if target in moved else known.get(target)

    with serving(page) as site:
        status = crawl(tmp_path, site.url())
    assert status.standings["visited"] == 2
    assert "more than 20 redirects" in told(status)
    assert max(Counter(site.paths()).values()) == 1


def test_first_address_may_redirect_elsewhere(tmp_path: Path) -> None:
    """A site that moved is crawled at its new host."""
    with serving({"/": links("/a"), "/a": links()}) as new, serving({"/": redirect(new.url())}) as old:
        status = crawl(tmp_path, old.url())
    assert status.visits == 2


def test_answer_to_everything_is_no_page(tmp_path: Path) -> None:
    """A host that says 200 to every address: its page for what is missing is told by its looks."""

    def page(target: str) -> bytes | None:
        known = {"/": links("/a", "/lost-1", "/lost-2"), "/a": links(title="Here"), "/robots.txt": b""}
        return known.get(target, html(f"<h1>Sorry</h1><p>There is no {target}.</p>", title="Not found"))

    with serving(page) as site:
        status = crawl(tmp_path, site.url())
    assert status.standings == {"visited": 2, "gone": 2}
    assert "answers with status 200 where there is no page" in told(status)


def test_sitemaps_and_feeds_lead_to_pages(tmp_path: Path) -> None:
    """Pages that only a sitemap of sitemaps, a compressed one or a feed names are visited."""
    pages: dict[str, bytes] = {
        "/": html("", head='<link rel=alternate type="application/rss+xml" href="/feed">'),
        "/hidden": links(title="Hidden"),
        "/news": links(title="News"),
    }
    with serving(pages) as site:
        pages["/robots.txt"] = f"Sitemap: {site.url('/all.xml')}".encode()
        pages["/all.xml"] = f"<sitemapindex><loc>{site.url('/one.xml.gz')}</loc></sitemapindex>".encode()
        pages["/one.xml.gz"] = gzip.compress(f"<urlset><loc>{site.url('/hidden')}</loc></urlset>".encode())
        pages["/feed"] = f"<rss><item><link>{site.url('/news')}</link></item></rss>".encode()
        status = crawl(tmp_path, site.url(), sitemaps=True)
    assert sorted(addresses(tmp_path)) == ["/", "/hidden", "/news"]
    assert status.verdict == "ok"


@pytest.mark.slow
def test_huge_sitemap_is_cut_and_that_is_said(tmp_path: Path) -> None:
    """Of a sitemap with more addresses than allowed, the first are taken, and the rest is told."""
    served: list[int] = []

    def page(target: str) -> bytes | None:
        if target == "/sitemap.xml":
            return b"".join(b"<loc>http://127.0.0.1:%d/%d</loc>" % (served[0], number) for number in range(5_000))
        return links() if target == "/" else None

    with serving(page) as site:
        served.append(site.port)
        status = crawl(tmp_path, site.url(), sitemaps=True, sitemap_addresses=1_000, pages=5)
    assert status.known == 1_001
    assert "more than 1,000 addresses" in told(status)


def test_gzip_bomb_is_refused(tmp_path: Path) -> None:
    """A page that would become larger than allowed fails with its cause, and the crawl goes on."""
    bomb = gzip.compress(b"<p>" * 1_000_000)
    pages = {"/": links("/bomb", "/b"), "/bomb": reply(bomb, headers={"Content-Encoding": "gzip"}), "/b": links()}
    with serving(pages) as site:
        how = CrawlSettings(render="never", sitemaps=False)
        small = Limits(decoded_bytes=1_000_000)
        status = Crawler(tmp_path, first=[site.url()], settings=how, limits=small).run()
    assert status.standings == {"visited": 2, "failed": 1}


def test_nofollow_is_obeyed_by_choice(tmp_path: Path) -> None:
    """Links that say nofollow are followed unless the user wants otherwise."""
    pages = {
        "/": html('<a href="/a" rel="nofollow sponsored">a</a> <a href="/b">b</a>'),
        "/a": links(),
        "/b": links("/a"),
    }
    pages["/b"] = html('<a href="/c">c</a>', head='<meta name="robots" content="noindex, nofollow">')
    pages["/c"] = links()
    with serving(pages) as site:
        plain = crawl(tmp_path / "plain", site.url())
        obeying = crawl(tmp_path / "obeying", site.url(), nofollow=True, noindex=True)
    assert plain.visits == 4
    assert (obeying.visits, obeying.targets) == (2, 1)


def test_languages_leave_out_translations(tmp_path: Path) -> None:
    """Where a page names its translations, those into other languages are left out by choice."""
    head = '<link rel=alternate hreflang=de href="/de"><link rel=alternate hreflang=en-GB href="/en">'
    pages = {
        "/": html('<a href="/de">Deutsch</a> <a href="/en">English</a>', head=head),
        "/de": links(),
        "/en": links(),
    }
    pages["/de"] = html("<p>Guten Tag")
    with serving(pages) as site:
        crawl(tmp_path, site.url(), languages=("en",))
    assert sorted(addresses(tmp_path)) == ["/", "/en"]


def test_copies_count_once(tmp_path: Path) -> None:
    """Two addresses with the same bytes, and a page that names another address as its own, are one page each."""
    pages = {
        "/": links("/a", "/a-copy", "/b?view=print", "/b"),
        "/a": html("<p>Ann"),
        "/a-copy": html("<p>Ann"),
        "/b": html("<p>Bea"),
        "/b?view=print": html("<p>Bea, printed", head='<link rel=canonical href="/b">'),
    }
    with serving(pages) as site:
        status = crawl(tmp_path, site.url())
    assert status.standings == {"visited": 3, "duplicate": 2}
    assert status.targets == 3


def test_mirror_is_cut_off(tmp_path: Path) -> None:
    """A second host that shows the same pages is left after a few, and that is said."""
    ports: list[int] = []

    def page(target: str) -> bytes | None:
        both = [f"http://127.0.0.1:{port}/{number}" for port in ports for number in range(40)]
        return links(*both, title=target) if target == "/" or target[1:].isdecimal() else None

    with serving(page) as one, serving(page) as two:
        ports += [one.port, two.port]
        status = crawl(tmp_path, one.url(), hosts=tuple(f"127.0.0.1:{port}" for port in ports), hosts_at_once=1)
    assert status.targets == 41
    assert "shows the same pages as" in told(status)
    assert min(len(one.paths()), len(two.paths())) < 15


def test_traps_do_not_keep_a_crawl_from_ending(tmp_path: Path) -> None:
    """A site with a calendar, ever deeper paths and session names without end: all real pages, and an end."""

    def page(target: str) -> bytes | None:
        path, _, query = target.partition("?")
        real = [f"/article/{number}" for number in range(30)]
        if path == "/":
            return links(*real, "/calendar/2024/1", "/deep/a", "/visit?sid=s000000", title="Front")
        if path in real:
            return links("/", title=f"Article {path}", more=f"<p>{path * 20}</p>")
        if path.startswith("/calendar/"):
            year, month = map(int, path.split("/")[2:])
            return links(f"/calendar/{year + month // 12}/{month % 12 + 1}", title=f"{year}-{month}")
        if path.startswith("/deep/"):
            return links(*(f"{path}/{step}" for step in "ab"), title=f"Deep {path}")
        if path == "/visit":
            number = int(query[5:]) if query else 0
            return links(f"/visit?sid=s{number + 1:06}", "/", title="A visit")
        return None

    with serving(page) as site:
        status = crawl(tmp_path, site.url(), pages=5_000)
    assert status.stopped == "nothing is left to visit"
    assert status.visits < 1_000
    assert {f"/article/{number}" for number in range(30)} <= set(addresses(tmp_path))
    assert {event.what for event in status.events} >= {"calendar", "session", "depth"}


def test_again_tells_new_changed_and_gone(tmp_path: Path) -> None:
    """A repetition asks only for what has changed, and tells what is new, changed and gone."""
    pages: dict[str, bytes] = {
        "/": links("/a", "/b", "/c"),
        "/a": links(title="Ann"),
        "/b": links(title="Bea"),
        "/c": links(title="Cleo"),
    }

    async def unless_known(request: Request, writer: asyncio.StreamWriter) -> None:
        known = request.headers.get("if-none-match") == '"ann"'
        writer.write(reply(b"", 304) if known else reply(pages["/a"], headers={"ETag": '"ann"'}))
        await writer.drain()

    served = {**pages, "/a": unless_known}
    with serving(served) as site:
        crawl(tmp_path, site.url())
        served |= {"/": links("/a", "/b", "/d"), "/b": links(title="Beatrix"), "/d": links(title="Dora")}
        del served["/c"]
        status = crawl(tmp_path, site.url(), again=True)
        told_pages = {(what, url.rpartition("/")[2]) for what, url in changed_pages(tmp_path)}
        same = crawl(tmp_path, site.url(), again=True)
    assert status.changes == {"changed": 2, "gone": 1, "new": 1}
    assert told_pages == {("changed", ""), ("changed", "b"), ("gone", "c"), ("new", "d")}
    assert same.changes == {}


def test_again_needs_something_to_repeat(tmp_path: Path) -> None:
    """Without a crawl there is nothing to repeat, and the error says so."""
    with pytest.raises(UsageError, match="holds no crawl to repeat"):
        crawl(tmp_path, "http://127.0.0.1:8009/", again=True)


def test_crawl_needs_an_address(tmp_path: Path) -> None:
    """A crawl without addresses is an error, and so is one that is no web address."""
    with pytest.raises(UsageError, match="no address to begin with"):
        crawl(tmp_path)
    with pytest.raises(UsageError, match="not a web address"):
        crawl(tmp_path, "shop.example")


def test_crawl_says_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder nothing is written anywhere, and arguments that make no sense are named."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="needs a folder for what it finds"):
        sl.crawl("http://127.0.0.1/")
    with pytest.raises(UsageError, match="`first` of a crawl must be an address, or several, not 5"):
        sl.crawl(5, "crawl")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="`like` of a crawl must be an address, a file or a page, or several, not 7"):
        sl.crawl("http://127.0.0.1/", "crawl", like=["x.html", 7])  # type: ignore[list-item]
    assert list(tmp_path.iterdir()) == []


def test_folder_belongs_to_one_crawl_at_a_time(tmp_path: Path) -> None:
    """A second crawl into the same folder is refused while the first runs; stopped, the first ends in order."""
    asked, going_on = threading.Event(), threading.Event()

    async def slow(_: Request, writer: asyncio.StreamWriter) -> None:
        asked.set()
        while not going_on.is_set():
            await asyncio.sleep(0.01)
        writer.write(reply(links()))
        await writer.drain()

    with serving({"/": links("/slow", "/b"), "/slow": slow, "/b": links()}) as site:
        crawler = Crawler(tmp_path, first=[site.url()], settings=CrawlSettings(render="never", sitemaps=False))
        found: list[CrawlStatus] = []
        thread = threading.Thread(target=lambda: found.append(crawler.run()))
        thread.start()
        wait_until(asked.is_set)
        with pytest.raises(UsageError, match="Another crawl into"):
            crawl(tmp_path, site.url())
        crawler.stop()
        going_on.set()
        thread.join()
    assert found[0].stopped == "interrupted"
    assert found[0].visits == 2
    assert found[0].waiting == 1


def test_crawl_works_inside_a_running_loop(tmp_path: Path) -> None:
    """In a notebook, where an event loop runs already, a crawl is a plain call."""

    async def notebook() -> CrawlStatus:
        return crawl(tmp_path, site.url())

    with serving({"/": links()}) as site:
        assert asyncio.run(notebook()).visits == 1


def test_folder_is_a_source(tmp_path: Path) -> None:
    """The pages found are opened from the folder, each under its own address, and the others are not."""

    class Even(AnyLikeness):
        def judge(self, _text: str, _outline: PageOutline, url: str) -> Judgement:
            return Judgement(is_target=url.endswith(("0", "2")), likeness=1.0)

    with serving(tree(1, 4)) as site:
        crawl(tmp_path, site.url(), goal=lambda *_: Even())
        wanted = {site.url("/0"), site.url("/2")}
    opened = list(sl.open_all([str(tmp_path)], static=True))
    assert {loaded.source for loaded in opened} == wanted
    assert {loaded.page.url for loaded in opened if loaded.page} == wanted


class Asking(AnyLikeness):
    """A likeness that asks about every page."""

    def __init__(self, questions: Questions | None) -> None:
        self.questions = questions

    def judge(self, _text: str, _outline: PageOutline, url: str) -> Judgement:
        """What somebody says."""
        said = self.questions.answer(url) if self.questions else None
        return Judgement(is_target=bool(said), likeness=0.5)


def test_somebody_is_asked_three_times_at_most(tmp_path: Path) -> None:
    """What is answered is what counts, and the crawl goes on alone after the third question."""
    asked: list[str] = []

    def ask(url: str) -> bool:
        asked.append(url)
        return len(asked) == 2

    with serving(tree(2, 3)) as site:
        how = CrawlSettings(render="never", sitemaps=False)
        goal = lambda _texts, _urls, questions: Asking(questions)  # noqa: E731 - said once
        status = Crawler(tmp_path, first=[site.url()], goal=goal, settings=how, ask=ask).run()
    assert (status.visits, status.targets, len(asked)) == (13, 1, 3)


def test_a_crawl_that_is_stopped_waits_for_no_answer(tmp_path: Path) -> None:
    """Whoever presses Ctrl-C at a question has the crawl ended in order."""
    never = threading.Event()

    def ask(_url: str) -> None:
        crawler.stop()
        never.wait(LONG)

    with serving(tree(2, 3)) as site:
        how = CrawlSettings(render="never", sitemaps=False)
        goal = lambda _texts, _urls, questions: Asking(questions)  # noqa: E731 - said once
        crawler = Crawler(tmp_path, first=[site.url()], goal=goal, settings=how, ask=ask)
        status = crawler.run()
        never.set()
    assert status.visits == 1
    assert status.stopped == "interrupted"


SHOP = 6  # goods in each of some departments


def shop(target: str) -> bytes | None:
    """A shop whose goods lie in departments, among many pages of help and news."""
    departments = [f"/department/{number}" for number in range(8)]
    menu = "".join(f'<a href="{path}">{path}</a>' for path in (*departments, *(f"/help/{n}" for n in range(60))))
    kind, _, number = target[1:].partition("/")
    frame = f"<nav class=menu>{menu}</nav><main>{{}}</main>"
    if target == "/":
        return html(frame.format("<h1>Welcome</h1>"), title="Shop")
    if not number.isdecimal():
        return None
    if kind == "department" and int(number) < len(departments):
        goods = (int(number) * SHOP + place for place in range(SHOP))
        items = "".join(f"<li class=good><a href=/good/{good}>Camera {good}</a></li>" for good in goods)
        return html(frame.format(f"<h1>Department</h1><ul class=goods>{items}</ul>"), title=target)
    if kind == "good" and int(number) < SHOP * len(departments):
        body = f"<div class=card><h1>Camera {number}</h1><p class=price>{number}9 €</p><table><tr><td>Weight"
        return html(frame.format(body), title=target)
    if kind == "help" and int(number) < 400:
        return html(frame.format(f"<h2>Help</h2><p>Text</p><a href=/help/{int(number) + 60}>more</a>"), title=target)
    return None


@pytest.mark.slow
def test_like_finds_the_goods_first(tmp_path: Path) -> None:
    """With two examples, most goods are found before a fifth of the site is seen; breadth first finds few by then."""
    with serving(shop) as site:
        how = CrawlSettings(render="never", sitemaps=False, pages=90)
        focused = sl.crawl(site.url(), tmp_path / "a", like=[site.url("/good/1"), site.url("/good/9")], settings=how)
        plain = sl.crawl(site.url(), tmp_path / "b", like=[site.url("/good/1")], settings=replace(how, rank="breadth"))
    assert focused.targets >= 40
    assert plain.targets < focused.targets


@pytest.mark.slow
def test_published_ranking_is_selectable(tmp_path: Path) -> None:
    """The published ranking goes on from run to run, and changing to the learned one in between is no error."""
    with serving(shop) as site:
        like = [site.url("/good/1"), site.url("/good/9")]
        how = CrawlSettings(render="never", sitemaps=False, pages=30, rank="published")
        sl.crawl(site.url(), tmp_path, like=like, settings=how)
        sl.crawl(site.url(), tmp_path, like=like, settings=replace(how, pages=60))
        last = sl.crawl(site.url(), tmp_path, like=like, settings=replace(how, pages=150, rank="learned"))
    assert last.visits == 150
    assert last.targets >= 40


@pytest.mark.slow
def test_like_survives_a_stop(tmp_path: Path) -> None:
    """A focused crawl goes on with what it has learned, and asks for its examples only once."""
    with serving(shop) as site:
        how = CrawlSettings(render="never", sitemaps=False, pages=30)
        like = [site.url("/good/1"), site.url("/good/9")]
        for pages in (20, 40, 60, 90):
            status = sl.crawl(site.url(), tmp_path, like=like, settings=replace(how, pages=pages))
    assert status.targets >= 40
    assert max(Counter(site.paths()).values()) == 1


@pytest.mark.slow
def test_wrapper_tells_what_is_found(tmp_path: Path) -> None:
    """Pages that a wrapper can read are found; the others are visited and left out."""
    good = [sl.open(shop(f"/good/{number}") or b"", static=True) for number in (1, 2, 3)]
    wrapper = sl.induce(good)
    with serving(shop) as site:
        how = CrawlSettings(render="never", sitemaps=False, pages=120)
        status = sl.crawl(site.url(), tmp_path, wrapper=wrapper, settings=how)
    found = [loaded.source for loaded in sl.open_all([str(tmp_path)], static=True)]
    assert status.targets == len(found) >= 40
    assert all("/good/" in source for source in found)


@pytest.mark.slow
def test_examples_of_two_sites_are_kept_apart(tmp_path: Path) -> None:
    """Examples of a shop and of a blog in one crawl: each site is judged by its own."""

    def blog(target: str) -> bytes | None:
        posts = "".join(f"<a href=/post/{number}>Post {number}</a>" for number in range(30))
        others = "".join(f"<a href=/tag/{number}>Tag {number}</a>" for number in range(30))
        if target == "/":
            return html(f"<div id=front>{posts}{others}</div>")
        kind, _, number = target[1:].partition("/")
        if kind == "post":
            return html(f"<article class=post><h2>{number}</h2><p class=text>A story.</p></article>", title=target)
        return html(f"<ol class=tags><li>{number}</li></ol>", title=target) if kind == "tag" else None

    with serving(shop) as goods, serving(blog) as posts:
        like = [goods.url("/good/1"), goods.url("/good/9"), posts.url("/post/1"), posts.url("/post/2")]
        how = CrawlSettings(render="never", sitemaps=False, pages=250)
        status = sl.crawl([goods.url(), posts.url()], tmp_path, like=like, settings=how)
    found = {host.name: host.targets for host in status.hosts}
    assert found[f"127.0.0.1:{posts.port}"] == 30
    assert 40 <= found[f"127.0.0.1:{goods.port}"] <= 48


def test_a_damaged_state_is_made_anew_from_the_archive(tmp_path: Path) -> None:
    """The error says how to go on; whoever does what it says loses no page, and asks for none again."""
    pages = tree(2, 3)
    with serving(pages) as site:
        crawl(tmp_path, site.url())
        state = tmp_path / STATE_FILE
        content = state.read_bytes()
        state.write_bytes(content[:4_000] + b"\xff" * (len(content) - 4_000))
        for use in (CrawlStatus.of, lambda folder: crawl(folder, site.url())):
            with pytest.raises(UnreadableError, match=r"delete it .* the pages are in its archive"):
                use(tmp_path)
        for left in tmp_path.glob(f"{STATE_FILE}*"):
            left.unlink()
        status = crawl(tmp_path, site.url())
    assert (status.visits, status.waiting) == (len(pages), 0)
    assert sorted(set(addresses(tmp_path))) == sorted(pages)
    assert max(Counter(path for path in site.paths() if path in pages).values()) == 1
