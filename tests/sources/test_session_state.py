"""The file of a session: the next one has its cookies and storage, and nobody else can read it."""

import asyncio
import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

import sightline as sl
from sightline.errors import UsageError
from sightline.sources._loop import RUNTIME

from .._server import Request, Site
from .._wait import wait_until
from .browser._site import asked, html, site, texts

PAGE = """<title>Kept</title><p>{cookies}</p><p id=stored></p>
<button id=in onclick="localStorage.user = 'Anna'">in</button><button id=out onclick="localStorage.clear()">out</button>
<script>stored.textContent = localStorage.user ?? 'nobody'</script>"""


async def page(request: Request, writer: asyncio.StreamWriter) -> None:
    """Shows its cookies, and sets one that ends with the browser and one that lasts."""
    cookies = ", ".join(sorted(request.headers.get("cookie", "none").split("; ")))
    content = html(
        PAGE.format(cookies=cookies), headers={"Set-Cookie": "brief=1\r\nSet-Cookie: lasting=2; Max-Age=9999"}
    )
    writer.write(content)


@pytest.fixture
def here() -> Iterator[Site]:
    """A site that remembers."""
    with site({"/": page}) as one:
        yield one


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file that does not exist yet."""
    return tmp_path / "shop.session.json"


@pytest.mark.slow
def test_next_session_starts_where_this_one_ended(here: Site, file: Path) -> None:
    """With cookies of both kinds and what the page stored; the site is not asked for that."""
    with sl.session(state=file) as first:
        assert texts(first.goto(here.url("/")).capture())[:2] == ["none", "nobody"]
        first.click("//*[@id='in']")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert asked(here) == ["/"]
    with sl.session(state=file) as second:
        assert asked(here) == ["/"]
        assert texts(second.goto(here.url("/")).capture())[:2] == ["brief=1, lasting=2", "Anna"]
        with pytest.raises(UsageError, match="no page to go back to"):
            second.back()


@pytest.mark.slow
def test_what_a_page_forgets_stays_forgotten(here: Site, file: Path) -> None:
    """Logging out is kept as well, and a session that goes elsewhere keeps what it does not touch."""
    with sl.session(state=file) as session:
        session.goto(here.url("/")).click("//*[@id='in']")
    with sl.session(state=file) as session:
        assert session.tabs == ("",)
    with sl.session(state=file) as session:
        assert texts(session.goto(here.url("/")).capture())[1] == "Anna"
        session.click("//*[@id='out']")
    with sl.session(state=file) as session:
        assert texts(session.goto(here.url("/")).capture())[1] == "nobody"


def test_session_without_a_file_leaves_nothing(here: Site, tmp_path: Path) -> None:
    """Keeping is a choice."""
    with sl.session() as session:
        session.goto(here.url("/"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_file_of_others_becomes_private(here: Site, file: Path) -> None:
    """Also if it could be read by all before."""
    with sl.session(state=file) as session:
        session.goto(here.url("/"))
    file.chmod(0o644)
    with sl.session(state=file) as session:
        session.goto(here.url("/"))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_crashed_tab_leaves_the_file_as_it_was(here: Site, file: Path) -> None:
    """Half of a state would be worse than the one before."""
    with sl.session(state=file) as session:
        session.goto(here.url("/"))
    before = file.read_bytes()
    with sl.session(state=file) as session:
        session.goto(here.url("/"))
        tab = session._opened().tabs.current.tab
        RUNTIME.loop.call_soon_threadsafe(lambda: tab.connection.send("Page.crash", session=tab.session))
        wait_until(lambda: not session.tabs)
    assert file.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"format": "sightline-session", "version": 2, "cookies": [], "storage": {}}',
        json.dumps({"format": "sightline-session", "version": 1, "cookies": [3], "storage": {}}).encode(),
        json.dumps({"format": "sightline-session", "version": 1, "cookies": [], "storage": {"file:": {}}}).encode(),
        json.dumps({"format": "sightline-session", "version": 1, "cookies": [{"name": 3}], "storage": {}}).encode(),
    ],
)
def test_file_that_is_none_of_ours_is_refused(here: Site, file: Path, content: bytes) -> None:
    """And left as it is."""
    file.write_bytes(content)
    with pytest.raises(UsageError, match="give the file of another session"):
        sl.session(state=file).goto(here.url("/"))
    assert file.read_bytes() == content
