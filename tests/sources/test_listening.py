"""Listening to a person: only what a person did, with the page before it, in frames and shadow roots, and no secret."""

from collections.abc import Iterator

import pytest

import sightline as sl
from sightline.sources import Listening, UserEvent
from sightline.sources.browser import _open_tabs, _process

from .._server import Site
from .browser._site import html, site

INNER = html("<title>Inner</title><button id=press>Press</button><input id=name>")
HOST = """<my-box></my-box><script>customElements.define('my-box', class extends HTMLElement { constructor() { super();
this.attachShadow({ mode: 'open' }).innerHTML = '<div><button id=deep>deep</button></div>' } })</script>"""


def outer(port: int) -> bytes:
    """A page with inputs, a shadow root, and frames of its own and of another site."""
    return html(f"""<title>Outer</title><h1>Outer</h1><input id=user><input id=password type=password>
<input id=code autocomplete=one-time-code><button id=go onclick="this.remove()">Go</button>
<button id=self onclick="document.getElementById('user').click()">Self</button>
<button id=show onclick="document.getElementById('password').type = 'text'">Show</button>{HOST}
<iframe id=same src=/inner></iframe><iframe id=other src=http://localhost:{port}/inner></iframe>
<a id=tab href=/inner target=_blank>Tab</a>
<button id=timer onclick="setTimeout(() => location = '/inner')">Leave</button>""")


@pytest.fixture(scope="module")
def here() -> Iterator[Site]:
    """A small site."""
    with site({"/inner": INNER}) as other, site({"/": outer(other.port), "/inner": INNER}) as one:
        yield one


@pytest.fixture(scope="module")
def session() -> Iterator[sl.Session]:
    """One session for most tests."""
    with sl.session() as one:
        yield one


def events_of(listening: Listening) -> list[UserEvent]:
    """What was told until the page was at rest."""
    listening.rest()
    listening.close()
    return [event for event in listening if event.kind not in ("rest", "over", "scroll")]


@pytest.mark.slow
def test_events_have_the_page_before_them(here: Site, session: sl.Session) -> None:
    """A button that removes itself is still on the page of its click."""
    listening = session.listen()
    session.goto(here.url("/"))
    listening.rest()
    session.click("//*[@id='go']")
    opened, click = events_of(listening)
    assert (opened.kind, opened.url) == ("opened", here.url("/"))
    assert click.kind == "click"
    assert click.page is not None
    node = click.page.find(click.xpath)
    assert node is not None
    assert click.page.node(node).attributes["id"] == "go"


def test_only_a_person_is_heard(here: Site, session: sl.Session) -> None:
    """What scripts of the page click is their own affair."""
    session.goto(here.url("/"))
    listening = session.listen()
    session.click("//*[@id='self']")
    assert [(event.kind, event.identity) for event in events_of(listening)] == [("click", "self")]


def test_secrets_never_leave_the_page(here: Site, session: sl.Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even in the messages of our own script: not a password, not one that is shown, not a code."""
    messages: list[str] = []
    see = _open_tabs.FrameWorlds.see

    def spied(self: object, method: str, params: dict[str, object], session: str = "") -> None:
        messages.append(str(params))
        see(self, method, params, session)  # type: ignore[arg-type]

    monkeypatch.setattr(_open_tabs.FrameWorlds, "see", spied)
    session.goto(here.url("/"))
    listening = session.listen()
    session.fill("//*[@id='user']", "anna-in-the-open")
    session.fill("//*[@id='password']", "sesame").press("x").click("//*[@id='show']")
    session.fill("//*[@id='password']", "sesame-shown").fill("//*[@id='code']", "sesame-code")
    events = events_of(listening)
    typed = [(event.identity, event.secret, event.value) for event in events if event.kind == "input"]
    assert set(typed) == {("user", "", "anna-in-the-open"), ("password", "password", ""), ("code", "code", "")}
    assert any("anna-in-the-open" in message for message in messages)
    assert not any("sesame" in message for message in messages)


@pytest.fixture(params=["one process", "a process for each site"])
def any_session(request: pytest.FixtureRequest) -> Iterator[sl.Session]:
    """A session in a browser that keeps frames of other sites in the page's process, or does not."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param != "one process":
            patch.setattr(_process, "FLAGS", (*_process.FLAGS, "--site-per-process"))
        with sl.session() as one:
            yield one


@pytest.mark.slow
def test_paths_lead_into_frames_and_shadow_roots(here: Site, any_session: sl.Session) -> None:
    """As the paths of captured pages do, so that whatever was clicked can be clicked again."""
    listening = any_session.listen()
    any_session.goto(here.url("/"))
    for path in ("//my-box >> //button", "//*[@id='same'] >> //button", "//*[@id='other'] >> //button"):
        any_session.click(path)
    clicks = [event for event in events_of(listening) if event.kind == "click"]
    assert [event.xpath for event in clicks] == [
        "/html[1]/body[1]/my-box[1] >> /div[1]/button[1]",
        "/html[1]/body[1]/iframe[1] >> /html[1]/body[1]/button[1]",
        "/html[1]/body[1]/iframe[2] >> /html[1]/body[1]/button[1]",
    ]
    for event in clicks:
        assert any_session.element(event.xpath)


@pytest.mark.slow
def test_history_is_a_persons_and_moves_of_the_page_are_not(here: Site, session: sl.Session) -> None:
    """Back and reload are told as such; where a click led is not something that a person typed."""
    session.goto(here.url("/"))
    listening = session.listen()
    session.click("//*[@id='timer']")
    listening.rest()
    session.back()
    listening.rest()
    session.reload()
    assert [event.kind for event in events_of(listening)] == ["click", "arrived", "back", "reload"]


def test_new_tabs_are_heard(here: Site, session: sl.Session) -> None:
    """And what is done in them has their number."""
    session.goto(here.url("/"))
    listening = session.listen()
    session.click("//*[@id='tab']")
    listening.rest()
    session.tab(-1).click("//*[@id='press']")
    events = events_of(listening)
    number = len(session.tabs) - 1
    session.tab(0)
    assert ("tab", number) in [(event.kind, event.tab) for event in events]
    assert [event.tab for event in events if event.kind == "click"] == [0, number]


def test_listening_again_hears_once(here: Site, session: sl.Session) -> None:
    """A second listener is not told twice, and a closed one is told nothing."""
    session.goto(here.url("/"))
    first = session.listen()
    first.close()
    second = session.listen()
    session.click("//*[@id='go']")
    assert [event.kind for event in events_of(second)] == ["click"]
    assert not [event for event in first if event.kind == "click"]
