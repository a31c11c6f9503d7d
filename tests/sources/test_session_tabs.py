"""Tabs that pages of a session open: they keep the same rules, and the session can go on in them."""

from collections.abc import Iterator

import pytest

import sightline as sl
from sightline.errors import LimitError, RefusedError, UsageError
from sightline.sources import SessionSettings

from .._server import Site
from .browser._site import asked, html, reply, site, texts

START = html("""<title>Start</title><p id=told>nothing</p>
<a id=blank target=_blank href=/second>second</a>
<button id=open onclick="window.opened = window.open('/popup')">open</button>
<button id=empty onclick="window.open('').document.write('<title>Written</title><p>by hand')">empty</button>
<button id=private onclick="window.open('/private')">private</button>
<button id=many onclick="for (let i = 0; i < 9; i++) window.open('/second')">many</button>""")
POPUP = html("""<title>Popup</title>
<button id=tell onclick="opener.told.textContent = 'told by the popup'">tell</button>
<button id=alert onclick="alert('from the popup')">alert</button>
<button id=close onclick="opener.told.textContent = 'popup is done'; window.close()">close</button>
<a target=_blank href=/second>another</a>""")


@pytest.fixture(scope="module")
def here() -> Iterator[Site]:
    """A site whose pages open others."""
    routes = {
        "/": START,
        "/second": html("<title>Second</title><p>You are there."),
        "/popup": POPUP,
        "/private": html("<title>Private</title>"),
        "/robots.txt": reply(b"User-agent: *\nDisallow: /private"),
    }
    with site(routes) as one:
        yield one


@pytest.fixture
def session(here: Site) -> Iterator[sl.Session]:
    """A session on the first page, in a new browser: tabs stay open."""
    with sl.session(settings=SessionSettings(tabs=4)) as one:
        yield one.goto(here.url("/"))


@pytest.mark.slow
@pytest.mark.parametrize(("way", "title"), [("blank", "Second"), ("open", "Popup")])
def test_new_tab_is_loaded_when_the_click_is_over(here: Site, session: sl.Session, way: str, title: str) -> None:
    """The session stays where it is until it is told to go on in the other one."""
    session.click(f"//*[@id='{way}']")
    assert session.tabs == (here.url("/"), here.url(f"/{title.lower()}"))
    assert session.capture().title == "Start"
    assert session.tab(1).capture().title == title
    assert session.tab(0).capture().title == "Start"


@pytest.mark.slow
def test_new_tab_can_be_acted_on(session: sl.Session) -> None:
    """With real input, dialogs and tabs of its own; it knows the page that opened it."""
    session.click("//*[@id='open']").tab(-1).click("//*[@id='tell']").click("//*[@id='alert']")
    assert [one.message for one in session.dialogs] == ["from the popup"]
    session.click("//a")
    assert len(session.tabs) == 3
    assert texts(session.tab(0).capture())[0] == "told by the popup"
    assert session.tab(2).capture().title == "Second"


def test_new_tab_may_be_written_by_its_opener(session: sl.Session) -> None:
    """Then it has no address of its own, and nothing is waited for."""
    page = session.click("//*[@id='empty']").tab(-1).capture()
    assert (page.title, texts(page)) == ("Written", ["by hand"])


def test_tab_that_closes_itself_leads_back(session: sl.Session) -> None:
    """The session goes on in the newest tab that is left."""
    session.click("//*[@id='open']").tab(-1).click("//*[@id='close']")
    assert len(session.tabs) == 1
    assert texts(session.capture())[0] == "popup is done"


def test_new_tab_obeys_robots(here: Site, session: sl.Session) -> None:
    """The request is never sent, and the click that caused it has the error."""
    with pytest.raises(RefusedError, match=r"/private.*robots\.txt"):
        session.click("//*[@id='private']")
    assert "/private" not in asked(here)


def test_tabs_have_a_limit(session: sl.Session) -> None:
    """The rest is closed, with an error that names the limit."""
    with pytest.raises(LimitError, match="opened more than 4 tabs") as caught:
        session.click("//*[@id='many']")
    assert caught.value.limit == "tabs"
    assert len(session.tabs) == 4


@pytest.mark.parametrize("number", [1, -2])
def test_tab_must_exist(session: sl.Session, number: int) -> None:
    """The message says how many there are."""
    with pytest.raises(UsageError, match=f"no tab {number}; the session has one tab"):
        session.tab(number)
