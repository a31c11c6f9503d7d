"""When an action of a session is over: at once if its effects are; late ones are never missed by what follows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import sightline as sl
from sightline.errors import ActionError, RefusedError

from .._server import Site
from .browser._site import asked, html, reply, site, texts

# Each button changes the page at once, so its click is over at once, and does something else a moment later.
START = html("""<title>Start</title><p id=told>nothing</p><script>
const later = work => { told.textContent = 'now'; setTimeout(work, 60) };
const show = id => { const one = document.createElement('button'); one.id = id; one.textContent = id;
  one.onclick = () => told.textContent = 'pressed ' + id; document.body.append(one) };
</script>
<button id=text onclick="later(() => told.textContent = 'later')">text</button>
<button id=more onclick="later(() => show('late'))">more</button>
<button id=leave onclick="later(() => location = '/second')">leave</button>
<button id=private onclick="later(() => location = '/private')">private</button>
<button id=alert onclick="later(() => alert('late'))">alert</button>
<button id=window onclick="later(() => window.open('/second'))">window</button>
<a id=made download="made.txt" href="data:text/plain,made" hidden>made</a>
<button id=file onclick="later(() => made.click())">file</button>
<input id=search oninput="setTimeout(() => show('found-' + value), 60)">
<button id=count onclick="told.textContent = (window.clicks = (window.clicks ?? 0) + 1)">count</button>
<input id=stubborn type=checkbox onclick="told.textContent = (window.clicks = (window.clicks ?? 0) + 1); return false">
<script>const moving = document.createElement('i'); document.body.append(moving);
const move = () => { moving.style.width = Math.random() + 'px'; requestAnimationFrame(move) };</script>
<button id=animate onclick="move(); told.textContent = 'moving'">animate</button>""")


@pytest.fixture(scope="module")
def here() -> Iterator[Site]:
    """A page whose buttons have late effects."""
    routes = {
        "/": START,
        "/second": html("<title>Second</title>"),
        "/private": html("<title>Private</title>"),
        "/robots.txt": reply(b"User-agent: *\nDisallow: /private"),
    }
    with site(routes) as one:
        yield one


@pytest.fixture
def session(here: Site) -> Iterator[sl.Session]:
    """A session on that page."""
    with sl.session() as one:
        yield one.goto(here.url("/"))


@pytest.mark.slow
def test_page_is_read_only_at_rest(session: sl.Session) -> None:
    """A capture has what came a moment after the click, and so has everything else that reads the page."""
    assert texts(session.click("//*[@id='text']").capture())[0] == "later"
    found = session.reload().click("//*[@id='text']").element("//*[@id='told']")
    assert found and found.text == "later"
    assert len(session.reload().click("//*[@id='more']").located(css="#late")) == 1


def test_next_action_waits_for_an_element_that_comes_late(session: sl.Session) -> None:
    """Suggestions appear a moment after the typing; what never comes is still an error."""
    session.fill("//*[@id='search']", "x").click("//*[@id='found-x']")
    assert texts(session.capture())[0] == "pressed found-x"
    with pytest.raises(ActionError, match="is not on the page"):
        session.fill("//*[@id='search']", "y").click("//*[@id='found-z']")


def test_late_effects_belong_to_what_follows(here: Site, session: sl.Session) -> None:
    """Pages, dialogs and tabs that come late are there when they are asked for."""
    session.click("//*[@id='alert']")
    assert [one.message for one in session.dialogs] == ["late"]
    session.click("//*[@id='window']")
    assert session.tabs == (here.url("/"), here.url("/second"))
    assert session.click("//*[@id='leave']").capture().title == "Second"


@pytest.mark.slow
def test_late_page_that_is_refused_is_an_error_of_what_follows(here: Site, session: sl.Session) -> None:
    """Never passed over in silence, also when nothing but the end follows."""
    session.click("//*[@id='private']")
    with pytest.raises(RefusedError, match=r"/private.*robots\.txt"):
        session.capture()
    assert session.capture().title == "Start"
    other = sl.session()
    other.goto(here.url("/")).click("//*[@id='private']")
    with pytest.raises(RefusedError, match=r"/private.*robots\.txt"):
        other.close()
    assert "/private" not in asked(here)


@pytest.mark.slow
def test_late_download_is_stored_before_the_session_ends(here: Site, tmp_path: Path) -> None:
    """As any other."""
    with sl.session(downloads=tmp_path) as session:
        session.goto(here.url("/")).click("//*[@id='file']")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"made"]


@pytest.mark.slow
def test_nothing_is_done_twice(session: sl.Session) -> None:
    """Only what could not be begun is tried again after a wait."""
    session.click("//*[@id='count']")
    with pytest.raises(ActionError, match="is still off"):
        session.check("//*[@id='stubborn']")
    assert texts(session.capture())[0] == "2"


@pytest.mark.slow
def test_page_that_always_moves_comes_to_rest(session: sl.Session) -> None:
    """An animation is no effect to wait for."""
    assert texts(session.click("//*[@id='animate']").capture())[0] == "moving"
    session.click("//*[@id='count']").click("//*[@id='count']")
    assert texts(session.capture())[0] == "2"
