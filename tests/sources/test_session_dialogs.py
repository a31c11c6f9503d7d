"""Dialogs of a page in a session: answered as asked for, recorded, and stopped when they never end."""

from collections.abc import Iterator

import pytest

import sightline as sl
from sightline.errors import LimitError
from sightline.sources import SessionSettings

from .._server import Site
from .browser._site import html, site, texts

ASKS = html("""<title>Asks</title><p id=told>nothing</p>
<button id=alert onclick="alert('Mind the gap'); told.textContent = 'told'">alert</button>
<button id=confirm onclick="told.textContent = confirm('Delete everything?')">confirm</button>
<button id=prompt onclick="told.textContent = prompt('Your name?', 'Nobody')">prompt</button>
<button id=loop onclick="while (true) alert('again')">loop</button>
<button id=timer onclick="setInterval(() => alert('again'), 1)">timer</button>
<button id=five onclick="for (let i = 0; i < 5; i++) alert(i); told.textContent = 'five'">five</button>""")
HOLDS = html("""<title>Holds</title><a href=/asks>leave</a><input>
<script>addEventListener('beforeunload', event => event.preventDefault())</script>""")
LOOPS = html("<title>Loops</title><script>while (true) alert('forever')</script>")


@pytest.fixture(scope="module")
def here() -> Iterator[Site]:
    """A small site."""
    with site({"/asks": ASKS, "/holds": HOLDS, "/loops": LOOPS}) as one:
        yield one


@pytest.fixture
def session() -> Iterator[sl.Session]:
    """A session with few dialogs allowed."""
    with sl.session(settings=SessionSettings(dialogs=4)) as one:
        yield one


def test_dialogs_are_accepted_and_recorded(here: Site, session: sl.Session) -> None:
    """A prompt gets what it suggests."""
    session.goto(here.url("/asks")).click("//*[@id='alert']").click("//*[@id='confirm']")
    assert texts(session.capture())[0] == "true"
    assert texts(session.click("//*[@id='prompt']").capture())[0] == "Nobody"
    assert [(one.kind, one.message, one.accepted, one.text) for one in session.dialogs] == [
        ("alert", "Mind the gap", True, None),
        ("confirm", "Delete everything?", True, None),
        ("prompt", "Your name?", True, "Nobody"),
    ]


def test_dialogs_are_answered_as_the_session_says(here: Site, session: sl.Session) -> None:
    """From then on, until it says something else."""
    session.goto(here.url("/asks")).dialog(accept=False).click("//*[@id='confirm']")
    assert texts(session.capture())[0] == "false"
    assert texts(session.dialog(text="Anna").click("//*[@id='prompt']").capture())[0] == "Anna"
    assert [one.accepted for one in session.dialogs] == [False, True]


@pytest.mark.slow
@pytest.mark.parametrize("button", ["loop", "timer", "five"])
def test_dialogs_without_end_are_stopped(here: Site, session: sl.Session, button: str) -> None:
    """With an error that names the limit; the session can go on, and scripts run on its next page."""
    with pytest.raises(LimitError, match="more than 4 dialogs") as caught:
        session.goto(here.url("/asks")).click(f"//*[@id='{button}']")
    assert caught.value.limit == "dialogs"
    assert len(session.dialogs) == 4
    session.goto(here.url("/asks")).click("//*[@id='alert']")
    assert texts(session.capture())[0] == "told"


@pytest.mark.slow
def test_dialogs_without_end_are_stopped_while_a_page_loads(here: Site, session: sl.Session) -> None:
    """As well."""
    with pytest.raises(LimitError, match="more than 4 dialogs"):
        session.goto(here.url("/loops"))
    assert session.goto(here.url("/asks")).capture().title == "Asks"


@pytest.mark.slow
def test_page_cannot_hold_on_to_itself(here: Site, session: sl.Session) -> None:
    """The question whether to leave is answered with yes, whatever holds for others."""
    session.goto(here.url("/holds")).dialog(accept=False).fill("//input", "typed")
    assert session.click("//a").capture().title == "Asks"
    assert [one.kind for one in session.dialogs] == ["beforeunload"]
