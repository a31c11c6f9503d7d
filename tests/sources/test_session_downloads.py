"""Downloads of a session: stored in a folder of their own, limited in size, and refused without a folder."""

import asyncio
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import sightline as sl
from sightline.errors import ActionError, DeadlineError, LimitError, OutputError, RefusedError, UsageError
from sightline.net import Limits
from sightline.sources import SessionSettings

from .._server import Request, Site
from .._wait import wait_until
from .browser._site import asked, html, reply, site

START = html("""<title>Start</title><a id=file href=/file>file</a><a id=huge href=/huge>huge</a>
<a id=endless href=/endless>endless</a><a id=slow href=/slow>slow</a><a id=private href=/private>private</a>
<a id=blob download="made.txt" href="data:text/plain,made by the page">made</a>
<a id=page href=/second>page</a><button id=idle>idle</button>""")
ATTACHED = {"Content-Type": "application/zip", "Content-Disposition": 'attachment; filename="../../report.zip"'}
FIVE_GIGABYTES = 5_000_000_000
CHUNK = b"x" * 100_000


async def endless(_: Request, writer: asyncio.StreamWriter) -> None:
    """Sends bytes for ever, without saying how many they will be."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\nConnection: close\r\n\r\n")
    while True:
        writer.write(CHUNK)
        await writer.drain()


async def slow(_: Request, writer: asyncio.StreamWriter) -> None:
    """Sends a part, and never the rest."""
    writer.write(reply(CHUNK, headers=ATTACHED, length=2 * len(CHUNK)))
    await writer.drain()
    await asyncio.Event().wait()


@pytest.fixture(scope="module")
def here() -> Iterator[Site]:
    """A site that offers files."""
    routes = {
        "/": START,
        "/file": reply(b"PK content", headers=ATTACHED),
        "/huge": reply(CHUNK, headers=ATTACHED, length=FIVE_GIGABYTES),
        "/endless": endless,
        "/slow": slow,
        "/private": reply(b"secret", headers=ATTACHED),
        "/second": html("<title>Second</title>"),
        "/robots.txt": reply(b"User-agent: *\nDisallow: /private"),
    }
    with site(routes) as one:
        yield one


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that does not exist yet."""
    return tmp_path / "quarantine"


@pytest.fixture
def session(here: Site, folder: Path) -> Iterator[sl.Session]:
    """A session that stores downloads of up to a megabyte."""
    options = SessionSettings(download_bytes=1_000_000)
    with sl.session(settings=options, downloads=folder) as one:
        yield one.goto(here.url("/"))


def test_download_is_stored_under_a_name_of_ours(here: Site, session: sl.Session, folder: Path) -> None:
    """The site's own name is data; nobody else may read the file, and nothing can run it."""
    download = session.download("//*[@id='file']")
    assert (download.name, download.url, download.size) == ("_.._report.zip", here.url("/file"), 10)
    assert download.path.parent == folder
    assert download.path.read_bytes() == b"PK content"
    assert not download.path.suffix
    assert stat.S_IMODE(download.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert session.downloads == (download,)


@pytest.mark.slow
def test_page_stays_as_it_was_after_a_download(here: Site, session: sl.Session) -> None:
    """Its address and status are not those of the file."""
    session.download("//*[@id='file']")
    page = session.capture()
    assert (page.title, page.url) == ("Start", here.url("/"))
    assert session.tabs == (here.url("/"),)


@pytest.mark.slow
def test_click_waits_for_the_download_that_it_starts(session: sl.Session) -> None:
    """A file that the page made itself is one as well."""
    session.click("//*[@id='blob']")
    assert session.download("//*[@id='file']").size == 10
    assert [one.path.read_bytes() for one in session.downloads] == [b"made by the page", b"PK content"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["huge", "endless"])
def test_download_that_is_too_large_is_stopped(session: sl.Session, folder: Path, kind: str) -> None:
    """At once if the site says its size; nothing of it is left, and the session goes on."""
    with pytest.raises(LimitError, match="download of more than 1 MB and was stopped") as caught:
        session.download(f"//*[@id='{kind}']")
    assert caught.value.limit == "download_bytes"
    wait_until(lambda: not list(folder.iterdir()))
    assert session.downloads == ()
    assert session.click("//*[@id='page']").capture().title == "Second"


@pytest.mark.slow
def test_download_that_takes_too_long_is_stopped(here: Site, folder: Path) -> None:
    """It has a time limit of its own."""
    with sl.session(settings=SessionSettings(download_seconds=1.0), downloads=folder) as hasty:
        with pytest.raises(DeadlineError, match="download_seconds"):
            hasty.goto(here.url("/")).download("//*[@id='slow']")
        wait_until(lambda: not list(folder.iterdir()))


@pytest.mark.slow
def test_download_obeys_robots(here: Site, session: sl.Session) -> None:
    """It is a request like any other that a click causes."""
    with pytest.raises(RefusedError, match=r"/private.*robots\.txt"):
        session.click("//*[@id='private']")
    assert "/private" not in asked(here)


@pytest.mark.slow
def test_download_needs_a_folder(here: Site, folder: Path) -> None:
    """Without one nothing is stored, and the error says what to do."""
    with sl.session() as plain:
        with pytest.raises(UsageError, match="name a folder"):
            plain.goto(here.url("/")).download("//*[@id='file']")
        for offer in ("file", "blob"):
            with pytest.raises(RefusedError, match=r"a download, which was refused; name a folder .*downloads="):
                plain.click(f"//*[@id='{offer}']")
        assert plain.capture().title == "Start"
        assert plain.downloads == ()
    folder.write_text("a file")
    with pytest.raises(OutputError, match="cannot be used"):
        sl.session(downloads=folder).goto(here.url("/"))


@pytest.mark.slow
def test_download_says_when_none_began(here: Site, folder: Path) -> None:
    """After the time that a page has to load."""
    session = sl.session(limits=Limits(load_seconds=3), downloads=folder)
    with session as one, pytest.raises(ActionError, match="started no download"):
        one.goto(here.url("/")).download("//*[@id='idle']")
