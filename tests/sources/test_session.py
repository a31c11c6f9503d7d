"""A browser tab that stays open: it goes to pages, acts on them with real input, and brings them home."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sightline as sl
from sightline.errors import BrowserError, CrashError, RefusedError, UnreachableError, UsageError
from sightline.sources._loop import RUNTIME
from sightline.sources.browser._tab import Dialogs

from .._server import Request, Site
from .._wait import wait_until
from .browser._site import html, reply, site, texts

FORM = html("""<title>Search</title><form action=/found><input name=q value=old><button>Go</button></form>
<a href=/second>to the second page</a>""")
SECOND = html("<title>Second</title><p>You are there.")
BUTTONS = html("""<title>Buttons</title><p id=told>nothing</p>
<button id=plain onclick="told.textContent = event.isTrusted ? 'trusted' : 'made up'">Press</button>
<button id=hidden style="visibility: hidden">Hidden</button>
<button id=alert onclick="alert('now')">Alert</button>
<button id=off disabled>Off</button>
<div style="position: relative"><button id=below>Below</button>
<div id=cover style="position: absolute; inset: 0; background: white">Cookies?</div></div>
<div style="height: 3000px"></div><button id=far onclick="told.textContent = 'far'">Far</button>""")

RENEWED = html("""<title>Renewed</title><p id=told></p><button onclick="alert('again')">again</button>
<a target=_blank href=/second>second</a><script>
history.replaceState(null, '', '/renewed?here'); localStorage.kept = localStorage.kept ?? 'kept';
told.textContent = document.cookie + ' ' + localStorage.kept</script>""")


class Crashing(Dialogs):
    """Does something to the tab when a dialog opens, in the middle of an action."""

    def __init__(self, crash: Callable[[], object]) -> None:
        super().__init__(most=1)
        self._crash = crash

    def reply(self, params: dict[str, Any]) -> dict[str, Any]:
        """Crash first."""
        self._crash()
        return super().reply(params)


def crash(session: sl.Session) -> None:
    """Have the browser crash the session's tab, and wait until the session knows."""
    tab, count = session._opened().tabs.current.tab, len(session.tabs)
    RUNTIME.loop.call_soon_threadsafe(lambda: tab.connection.send("Page.crash", session=tab.session))
    wait_until(lambda: tab.worn and len(session.tabs) == count - 1)


async def found(request: Request, writer: asyncio.StreamWriter) -> None:
    """Answers with what was asked for, and with the cookie that came along."""
    query = request.target.partition("?")[2]
    writer.write(html(f"<title>Found</title><p>{query}</p>"))
    writer.close()


async def cookies(request: Request, writer: asyncio.StreamWriter) -> None:
    """Tells which cookie came along, and sets one."""
    told = request.headers.get("cookie", "none")
    writer.write(html(f"<p>{told}</p>", headers={"Set-Cookie": "visit=1"}))
    writer.close()


@pytest.fixture(scope="module")
def here() -> Iterator[Site]:
    """A small site."""
    routes = {
        "/": FORM,
        "/second": SECOND,
        "/buttons": BUTTONS,
        "/renewed": RENEWED,
        "/renewed?here": RENEWED,
        "/cookies": cookies,
        "/broken": html("<p>Gone", 404),
        "/robots.txt": reply(b"User-agent: *\nDisallow: /private"),
    }
    with site(routes | {f"/found?q={query}": found for query in ("new+words", "old")}) as one:
        yield one


@pytest.fixture(scope="module")
def session() -> Iterator[sl.Session]:
    """One session for all tests of this module."""
    with sl.session() as one:
        yield one


@pytest.mark.slow
def test_session_fills_a_form_and_goes_where_it_leads(here: Site, session: sl.Session) -> None:
    """The old text is replaced, Enter sends the form, and the next capture is the page behind it."""
    session.goto(here.url("/")).fill("//input", "new words").press("Enter")
    page = session.capture()
    assert (page.title, texts(page)) == ("Found", ["q=new+words"])
    assert page.url == here.url("/found?q=new+words")


def test_session_follows_a_link(here: Site, session: sl.Session) -> None:
    """A click on a link of a page without scripts waits for the next page."""
    assert session.goto(here.url("/")).click("//a").capture().title == "Second"


def test_clicks_are_those_of_a_hand(here: Site, session: sl.Session) -> None:
    """The page sees a trusted event; what is far below is scrolled to first."""
    session.goto(here.url("/buttons")).click("//*[@id='plain']")
    assert texts(session.capture())[0] == "trusted"
    assert texts(session.click("//*[@id='far']").capture())[0] == "far"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("xpath", "problem"),
    [
        ("//*[@id='below']", "is covered by <div#cover>"),
        ("//*[@id='hidden']", "cannot be seen"),
        ("//*[@id='off']", "is disabled"),
        ("//*[@id='nowhere']", "is not on the page"),
        ("][", "is not an XPath"),
    ],
)
def test_what_nobody_could_click_is_not_clicked(here: Site, session: sl.Session, xpath: str, problem: str) -> None:
    """The error says what is in the way, and the session goes on."""
    session.goto(here.url("/buttons"))
    with pytest.raises(BrowserError, match=problem):
        session.click(xpath)
    assert texts(session.capture())[0] == "nothing"


def test_session_keeps_cookies_until_it_is_closed(here: Site, session: sl.Session) -> None:
    """The second visit brings the cookie of the first along; a new session knows nothing of it."""
    session.goto(here.url("/cookies"))
    assert texts(session.goto(here.url("/cookies")).capture()) == ["visit=1"]
    with sl.session() as other:
        assert texts(other.goto(here.url("/cookies")).capture()) == ["none"]


def test_session_obeys_the_policy(here: Site, session: sl.Session) -> None:
    """robots.txt, schemes and statuses are judged as for any page."""
    with pytest.raises(RefusedError, match=r"robots\.txt"):
        session.goto(here.url("/private"))
    with pytest.raises(RefusedError):
        session.goto("file:///etc/passwd")
    with pytest.raises(UnreachableError, match="404"):
        session.goto(here.url("/broken"))


def test_session_scrolls(here: Site, session: sl.Session) -> None:
    """The page can see where the window is; a capture has the whole page either way."""
    page = session.goto(here.url("/buttons")).scroll(1000).capture()
    assert "Far" in page.text_of()


@pytest.mark.slow
def test_session_needs_a_page_to_act_on() -> None:
    """Before the first goto there is nothing to click on or to capture; an unknown key is refused."""
    with sl.session() as fresh:
        with pytest.raises(UsageError, match="no page yet"):
            fresh.capture()
        with pytest.raises(UsageError, match="no page yet"):
            fresh.click("//a")


def test_session_refuses_a_key_that_does_not_exist(here: Site, session: sl.Session) -> None:
    """The message lists those that there are."""
    with pytest.raises(UsageError, match="There is no key 'Return'; give one character, or one of Enter"):
        session.goto(here.url("/")).press("Return")


def test_session_works_inside_a_running_event_loop(here: Site) -> None:
    """As in a notebook: the calls are plain, although a loop is running around them."""

    async def run() -> str:
        with sl.session() as inside:
            return inside.goto(here.url("/second")).capture().title

    assert asyncio.run(run()) == "Second"


def test_session_says_that_its_tab_crashed(here: Site) -> None:
    """Every later call has the same answer at once, and closing works."""
    with sl.session() as doomed:
        crash(doomed.goto(here.url("/")))
        for act in (doomed.capture, lambda: doomed.click("//a"), lambda: doomed.element("//a")):
            with pytest.raises(CrashError, match=r"the tab crashed.*renew\(\)"):
                act()


def test_session_says_that_its_tab_crashes_during_an_action(here: Site) -> None:
    """Whoever plays a script can tell a crash from an element that is missing."""
    with sl.session() as doomed:
        tab = doomed.goto(here.url("/buttons"))._opened().tabs.current.tab
        doomed.dialogs  # noqa: B018 - the session is open from here
        tab.dialogs = Crashing(lambda: tab.connection.send("Page.crash", session=tab.session))  # type: ignore[assignment]
        with pytest.raises(CrashError, match="the tab crashed"):
            doomed.click("//*[@id='alert']")


@pytest.mark.slow
def test_renew_opens_the_page_again_in_a_fresh_tab(here: Site) -> None:
    """At the address that scripts gave it, with cookies, storage, dialogs and new tabs as before, again and again."""
    with sl.session() as doomed:
        doomed.goto(here.url("/cookies")).goto(here.url("/renewed"))
        for _ in range(2):
            crash(doomed)
            assert doomed.renew().tabs == (here.url("/renewed?here"),)
            doomed.click("//*[@id='told' and .='visit=1 kept']").click("//button")
        assert [one.message for one in doomed.dialogs] == ["again", "again"]
        doomed.click("//a").tab(-1)
        crash(doomed)
        assert doomed.renew().capture().title == "Second"
        assert doomed.tabs == (here.url("/renewed?here"), here.url("/second"))


@pytest.mark.slow
def test_renew_keeps_the_state_for_the_next_session(here: Site, tmp_path: Path) -> None:
    """The file is written from the tab that took the place of the one that crashed."""
    file = tmp_path / "state.json"
    with sl.session(state=file) as doomed:
        crash(doomed.goto(here.url("/cookies")))
        doomed.renew()
    with sl.session(state=file) as other:
        assert texts(other.goto(here.url("/cookies")).capture()) == ["visit=1"]


def test_renew_needs_a_browser(here: Site) -> None:
    """Cookies of a browser that is gone are gone with it."""
    with sl.session() as doomed:
        connection = doomed.goto(here.url("/"))._opened().tabs.current.tab.connection
        RUNTIME.loop.call_soon_threadsafe(lambda: connection.send("Browser.close"))
        wait_until(connection.lost.is_set)
        with pytest.raises(CrashError, match="open a new session"):
            doomed.renew()
