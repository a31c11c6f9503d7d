"""`sightline crawl`."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

import sightline as sl

from .._server import Request
from .._wait import BOUND, wait_until
from ..crawler._site import html, links, serving, tree
from ._command import COMMAND, environment
from ._inside import sightline

QUIET = ("--render", "never", "--no-sitemaps")


def test_crawl_keeps_pages_and_tells_what_it_did(tmp_path: Path) -> None:
    """All pages of a small site are kept, the summary has the numbers, and the folder is a source."""
    with serving(tree(2, 3)) as site:
        done = sightline("crawl", site.url(), "-o", tmp_path / "shop", *QUIET)
    assert done.status == 0
    assert "13 pages visited · 13 found (100%) · 0 waiting · ok" in done.output
    assert "Finished: nothing is left to visit." in done.output
    shown = sightline("content", tmp_path / "shop", "--static", "--json")
    assert len(json.loads(shown.output)["results"]) == 13


@pytest.mark.skipif(sys.platform == "win32", reason="questions are asked on POSIX terminals only")
@pytest.mark.parametrize(("typed", "said"), [(b"y\n", True), (b"No\n", False), (b"\n", None), (b"", None)])
def test_crawl_asks_at_a_terminal(typed: bytes, said: bool | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Yes, no, and Enter for neither; without an answer, the crawl goes on after a while."""
    import pty

    from sightline.cli import _crawl

    terminal, end = pty.openpty()
    with os.fdopen(end) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        monkeypatch.setattr(_crawl, "ANSWER_SECONDS", 0.05 if not typed else BOUND)
        os.write(terminal, typed)
        assert _crawl._asked("https://shop.example/5d") is said
    os.close(terminal)


def test_crawl_asks_nobody_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a script nothing waits for an answer, nor where the flag says so, nor where the result is JSON."""
    from sightline.cli._crawl import CrawlFlags, _may_ask

    assert not _may_ask(CrawlFlags())
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert _may_ask(CrawlFlags()) is (sys.platform != "win32")
    assert not _may_ask(CrawlFlags(no_questions=True))
    assert not _may_ask(CrawlFlags(json=True))


def test_crawl_says_what_is_left(tmp_path: Path) -> None:
    """A budget that is used up makes the result suspicious; the status says the same, also as JSON and as a picture."""
    with serving(tree(2, 3)) as site:
        done = sightline("crawl", site.url(), "-o", tmp_path / "shop", "--pages", "4", *QUIET)
    assert done.status == 3
    assert "addresses still wait" in done.errors
    told = json.loads(sightline("crawl", "--status", tmp_path / "shop", "--json", "--plot", tmp_path / "h.png").output)
    assert told["results"][0]["kind"] == "crawl"
    assert told["results"][0]["crawl"]["visits"] == 4
    assert told["results"][0]["verdict"] == "suspicious"
    assert (tmp_path / "h.png").read_bytes().startswith(b"\x89PNG")


def test_crawl_again_tells_changes(tmp_path: Path) -> None:
    """A repetition lists the pages that are new, changed and gone."""
    pages = {"/": links("/a", "/b"), "/a": links(title="Ann"), "/b": links(title="Bea")}
    with serving(pages) as site:
        sightline("crawl", site.url(), "-o", tmp_path, *QUIET)
        pages["/a"] = links(title="Anna")
        del pages["/b"]
        done = sightline("crawl", site.url(), "-o", tmp_path, "--again", *QUIET)
    assert "Since the last time: 1 changed, 1 gone" in done.output
    assert f"changed: {site.url('/a')}" in done.output


def test_crawl_of_a_forbidden_site_fails(tmp_path: Path) -> None:
    """A site whose robots.txt forbids everything is an error that says so."""
    with serving({"/robots.txt": b"User-agent: *\nDisallow: /"}) as site:
        done = sightline("crawl", site.url(), "-o", tmp_path, *QUIET)
    assert done.status == 1
    assert "its robots.txt forbids every visit" in done.errors


def test_crawl_needs_a_folder_and_one_goal(tmp_path: Path) -> None:
    """Mistakes on the command line are named, with what to do."""
    assert "name one with -o FOLDER" in sightline("crawl", "https://example.org/").errors
    both = sightline("crawl", "https://example.org/", "--any", "--like", "x.html", "-o", tmp_path)
    assert "--like and --any exclude each other" in both.errors
    assert both.status == 2
    assert "is not the folder of a crawl" in sightline("crawl", "--status", tmp_path).errors


@pytest.mark.slow
def test_an_interrupted_crawl_ends_in_order(tmp_path: Path) -> None:
    """After Ctrl-C the status is 130, every page in the archive is in the state, and the same command goes on."""

    def endless(path: str) -> bytes | None:
        return links(f"/{int(path[1:] or 0) + 1}", title=f"Page {path}") if path[1:].isdigit() or path == "/" else None

    words = ["-o", str(tmp_path), "--pages", "100000", "--clicks", "100000", *QUIET]
    with serving(endless) as site:
        process = subprocess.Popen(
            [*COMMAND, "crawl", site.url(), *words], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            wait_until(lambda: len(site.requests) > 20)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=BOUND)
        finally:
            process.kill()
    assert process.returncode == 130
    assert b"Stopped: interrupted; the same command goes on." in output
    assert b"1 address still waits" in errors
    visits = json.loads(sightline("crawl", "--status", tmp_path, "--json").output)["results"][0]["crawl"]["visits"]
    archive = json.loads(sightline("content", tmp_path / "pages-00001.warc.gz", "--static", "--json").output)
    assert visits == len(archive["results"])


def test_crawl_says_which_pages_failed_and_why(tmp_path: Path) -> None:
    """A page that cannot be read is named with the cause, on the terminal and in the JSON."""
    pages = {"/": links("/broken"), "/broken": b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"}
    with serving(pages) as site:
        done = sightline("crawl", site.url(), "-o", tmp_path, "--tries", "1", *QUIET)
    assert "1 page could not be read." in done.errors
    assert f"{site.url('/broken')}: answered with status 500" in done.errors
    told = json.loads(sightline("crawl", "--status", tmp_path, "--json").output)["results"][0]["crawl"]
    assert [one["address"] for one in told["failed_pages"]] == [site.url("/broken")]


def test_a_crawl_keeps_its_goal(tmp_path: Path) -> None:
    """A crawl for pages like examples does not become one for every page because --like was forgotten."""
    with serving(tree(1, 3)) as site:
        like = ("--like", site.url("/1"))
        sightline("crawl", site.url(), *like, "-o", tmp_path, *QUIET)
        found = (tmp_path / "found.cdxj").read_bytes()
        done = sightline("crawl", site.url(), "--again", "-o", tmp_path, *QUIET)
        assert done.status == 2
        said = f"holds a crawl for pages like {site.url('/1')}, not for every page; give the same --like or --from"
        assert said in done.errors
        assert (tmp_path / "found.cdxj").read_bytes() == found
        assert sightline("crawl", site.url(), *like, "--again", "-o", tmp_path, *QUIET).status == 0


def test_a_crawl_keeps_its_examples(tmp_path: Path) -> None:
    """Other examples are refused with those that the folder was crawled for; the same ones in another order are not."""
    saved = tmp_path / "saved.html"
    saved.write_bytes(links("/", title="Saved"))
    with serving(tree(1, 3)) as site:
        one, two, file = ("--like", site.url("/1")), ("--like", site.url("/2")), ("--like", saved)
        command = ("crawl", site.url(), "-o", tmp_path / "crawl", *QUIET)
        sightline(*command, *one, *file)
        other = sightline(*command, *one, *two)
        assert sightline(*command, *file, *one).status == 0
        saved.write_bytes(links("/1", title="Another"))
        changed = sightline(*command, *one, *file)
    before = f"crawl holds a crawl for pages like {site.url('/1')} and 1 saved page"
    assert f"{before}, not for pages like {site.url('/1')} and {site.url('/2')}; give the same --like" in other.errors
    assert f"{before}, but they were other examples; give the same --like" in changed.errors
    assert (other.status, changed.status) == (2, 2)


def test_a_crawl_keeps_its_wrapper(tmp_path: Path) -> None:
    """Another wrapper is refused; the same one goes on, also after it was checked anew."""
    pages = [sl.open(html(f"<h1>Camera {n}</h1><p>Price: <b>{n}9 €</b></p>"), static=True) for n in range(1, 4)]
    wrapper = sl.induce(pages)
    name = wrapper.fields[0]
    wrapper.save(tmp_path / "a.json")
    wrapper.rename(name, "model").save(tmp_path / "b.json")
    replace(wrapper, checked=()).save(tmp_path / "c.json")
    with serving(tree(1, 2)) as site:
        command = ("crawl", site.url(), "-o", tmp_path / "crawl", *QUIET, "--wrapper")
        sightline(*command, tmp_path / "a.json")
        other = sightline(*command, tmp_path / "b.json")
        again = sightline(*command, tmp_path / "c.json")
    assert f"holds a crawl for pages with the fields {name}" in other.errors
    assert "not for pages with the fields model" in other.errors
    assert "give the same --wrapper, or choose another folder" in other.errors
    assert (other.status, again.status) == (2, 0)


def test_an_example_that_is_gone_is_left_out_if_others_remain(tmp_path: Path) -> None:
    """One dead site among those that were discovered does not end the crawl of all others, and is named."""
    with serving(tree(1, 3)) as site:
        gone, there = ("--like", site.url("/gone")), ("--like", site.url("/1"))
        done = sightline("crawl", site.url(), *gone, *there, "-o", tmp_path / "some", *QUIET)
        assert done.status == 0
        assert f"An example is left out: {site.url('/gone')}: answered with status 404" in done.errors
        alone = sightline("crawl", site.url(), *gone, "-o", tmp_path / "none", *QUIET)
        assert alone.status == 1
        assert "name an example that is there" in alone.errors
        assert not (tmp_path / "none").exists()
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "notes.txt").write_text("mine")
        inside = sightline("crawl", site.url(), *gone, "-o", tmp_path / "mine" / "new" / "crawl", *QUIET)
        assert inside.status == 1
        assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_what_cannot_begin_writes_nothing(tmp_path: Path) -> None:
    """A file, a folder of saved pages, and commands that lack something are refused, and nothing is left behind."""
    file, saved, new = tmp_path / "file", tmp_path / "saved", tmp_path / "new"
    file.write_text("x")
    saved.mkdir()
    (saved / "page.html").write_bytes(html("<p>Saved by hand.</p>"))
    for place in (file, file / "below"):
        assert (
            f"{file} is a file, and a crawl needs a folder"
            in sightline("crawl", "http://127.0.0.1/", "-o", place).errors
        )
    nowhere = sightline("crawl", "http://127.0.0.1/", "-o", "/proc/crawl")
    assert "Could not create /proc/crawl: No such file or directory; choose another folder." in nowhere.errors
    assert "has pages that are not of a crawl" in sightline("crawl", "http://127.0.0.1/", "-o", saved).errors
    assert "no address to begin with" in sightline("crawl", "-o", new).errors
    assert "no crawl to repeat" in sightline("crawl", "http://127.0.0.1/", "--again", "-o", new).errors
    pdf = sightline("crawl", "http://127.0.0.1/", "--like", "examples/instruments.pdf", "-o", new)
    assert "instruments.pdf is a PDF, and web pages cannot be compared with it" in pdf.errors
    assert [path.name for path in saved.iterdir()] == ["page.html"]
    assert not new.exists()


def test_a_crawl_can_be_read_while_it_runs(tmp_path: Path) -> None:
    """Commands that get the folder of a running or killed crawl read what was found, never everything visited."""
    seen: list[bool] = []

    def look(path: str) -> bytes | None:
        if path == "/":
            seen.append((tmp_path / "found.cdxj").exists())
        return links("/") if path == "/" else None

    with serving(look) as site:
        sightline("crawl", site.url(), "-o", tmp_path, *QUIET)
    assert seen == [True]


@pytest.mark.slow
def test_status_tells_a_running_crawl_from_a_killed_one(tmp_path: Path) -> None:
    """It is running while its process lives, stopped after a kill, and finished when nothing is left to visit."""
    asked, going_on = threading.Event(), threading.Event()
    status = ("crawl", "--status", tmp_path)

    async def slow(_: Request, writer: asyncio.StreamWriter) -> None:
        asked.set()
        while not going_on.is_set():
            await asyncio.sleep(0.01)
        writer.close()

    pages = {"/": links("/slow"), "/slow": slow}
    with serving(pages) as site:
        words = [*COMMAND, "crawl", site.url(), "-o", str(tmp_path), *QUIET]
        with subprocess.Popen(
            words, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                wait_until(asked.is_set)
                running = sightline(*status), sightline(*status, "--json").results[0]["crawl"]
            finally:
                process.kill()
        going_on.set()
        killed = sightline(*status), sightline(*status, "--json").results[0]["crawl"]
        pages["/slow"] = links()
        sightline("crawl", site.url(), "-o", tmp_path, *QUIET)
        finished = sightline(*status), sightline(*status, "--json").results[0]["crawl"]
    assert "Running." in running[0].output
    assert "Stopped: it was killed; the same command goes on." in killed[0].output
    assert "Finished: nothing is left to visit." in finished[0].output
    assert [told["state"] for _, told in (running, killed, finished)] == ["running", "stopped", "finished"]
    assert (running[1]["stopped"], killed[1]["stopped"]) == (None, None)


@pytest.mark.parametrize(
    ("plot", "said"),
    [
        ("gone/x.png", "gone/x.png: there is no folder gone; create it first"),
        ("x.jpg", "x.jpg: plots are drawn as .png files; give the file the suffix .png"),
    ],
)
def test_a_plot_that_cannot_be_drawn_is_told_before_the_crawl(tmp_path: Path, plot: str, said: str) -> None:
    """Nothing is visited, and no folder is made."""
    done = sightline("crawl", "http://127.0.0.1:9/", "-o", "crawl", "--plot", plot, folder=tmp_path)
    assert (done.status, said in done.errors) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_crawl_speaks_of_flags(tmp_path: Path) -> None:
    """Settings that an error or a remark names are flags, on the terminal and in the JSON."""
    pages = {
        "/robots.txt": b"User-agent: *\nDisallow: /private",
        "/": links("/a"),
        "/sitemap.xml": b"<urlset><url><loc>/a</loc></url><url><loc>/b</loc></url></urlset>",
    }
    with serving(pages) as site:
        pages["/sitemap.xml"] = pages["/sitemap.xml"].replace(b"<loc>", f"<loc>http://127.0.0.1:{site.port}".encode())
        refused = sightline("crawl", site.url(), "--like", site.url("/private/1"), "-o", tmp_path / "a", *QUIET)
        cut = ("crawl", site.url(), "-o", tmp_path / "b", "--static", "--sitemap-addresses", "1")
        told = sightline(*cut, "--json").results[0]["crawl"]
        shown = sightline("crawl", "--status", tmp_path / "b")
    assert "add the host to --ignore-robots-for" in refused.errors
    assert "Raise --sitemap-addresses to take more." in shown.errors
    assert any("Raise --sitemap-addresses to take more." in event["text"] for event in told["events"])


def test_crawl_knows_kinds_of_things(tmp_path: Path) -> None:
    """Without an example; a kind that there is not is an error that names those that there are."""
    lamp = (Path(__file__).parents[2] / "examples" / "lamp.html").read_bytes()
    with serving({"/": links("/lamp", "/help"), "/lamp": lamp, "/help": html("<h1>Help</h1>")}) as site:
        done = sightline("crawl", site.url(), "--kind", "product", "-o", tmp_path / "shop", *QUIET)
    assert "3 pages visited · 1 found" in done.output
    wrong = sightline("crawl", "https://shop.example/", "--kind", "lamp", "-o", tmp_path / "other", *QUIET)
    assert wrong.status == 2
    assert "no kind of thing 'lamp'; use one of product, recipe" in wrong.errors
    both = sightline("crawl", "https://shop.example/", "--kind", "product", "--any", "-o", tmp_path / "other")
    assert "--kind and --any exclude each other" in both.errors
