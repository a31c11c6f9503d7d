"""A session as a person sees it from elsewhere: pictures, the mouse, sizes, dialogs and refused pages."""

import base64
import io
import threading
import time
from collections.abc import Iterator

import pytest
from PIL import Image

import sightline as sl
from sightline.sources import KeyStroke, MouseMotion, TypedText, Viewing, WheelTurn, WindowPicture
from sightline.sources._loop import RUNTIME

from .._server import Site, reply, serve_from_thread
from .._wait import wait_until

BOARD = """<!doctype html><title>Board</title><style>body { margin: 0; height: 3000px } div { position: absolute;
width: 100px; height: 100px } #card { left: 50px; top: 50px; background: teal } #done { left: 400px; top: 50px;
background: gold }</style><div id=card draggable=true ondragstart="event.dataTransfer.setData('text/plain', 'x')">Card
</div><div id=done ondragover="event.preventDefault()" ondrop="event.preventDefault(); document.title = 'dropped'">Done
</div><input id=name style="position: absolute; left: 50px; top: 300px" oninput="document.title = value">
<button style="position: absolute; left: 50px; top: 400px" onclick="document.title = confirm('Sure?')">Ask</button>"""


class Seen:
    """What a viewer was shown."""

    def __init__(self) -> None:
        self.pictures: list[WindowPicture] = []
        self.changed = threading.Event()

    def size(self) -> tuple[int, int]:
        """The size of the newest picture."""
        return Image.open(io.BytesIO(self.pictures[-1].jpeg)).size if self.pictures else (0, 0)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A page with a board."""
    with serve_from_thread({"/": reply(BOARD.encode())}) as served:
        yield served


@pytest.fixture
def shown(site: Site) -> Iterator[tuple[sl.Session, Viewing, Seen]]:
    """A session that is looked at."""
    seen = Seen()
    with sl.session() as session:
        session.goto(site.url("/"))
        with session.view(seen.pictures.append, seen.changed.set, (800, 600)) as viewing:
            wait_until(lambda: seen.pictures and viewing.facts.tabs and viewing.facts.tabs[0].title)
            yield session, viewing, seen


def press(viewing: Viewing, x: float, y: float) -> None:
    """Click."""
    viewing.put(MouseMotion("move", x, y))
    viewing.put(MouseMotion("down", x, y, "left", 1))
    viewing.put(MouseMotion("up", x, y, "left"))


def test_pictures_have_the_size_of_the_window_and_say_how_far_it_is_scrolled(
    shown: tuple[sl.Session, Viewing, Seen],
) -> None:
    """Another size gives other pictures; the wheel moves the page."""
    _, viewing, seen = shown
    wait_until(lambda: seen.size() == (800, 600))
    viewing.put(WheelTurn(400, 300, 0, 500))
    wait_until(lambda: seen.pictures[-1].scroll[1] > 400)
    viewing.resize(400, 700)
    wait_until(lambda: seen.size() == (400, 700))


def test_a_picture_that_comes_behind_a_newer_one_is_not_shown(shown: tuple[sl.Session, Viewing, Seen]) -> None:
    """The browser encodes several at once; the older one would stay on the screen of a page that does not move."""
    _, viewing, seen = shown
    window = viewing._window
    now = time.time() + 1_000  # newer than all that the page gives

    async def come(data: bytes, taken: float) -> None:
        told = {"sessionId": 1, "data": base64.b64encode(data).decode(), "metadata": {"timestamp": taken}}
        window._hear(window._here(), "Page.screencastFrame", told)

    for data, taken in ((b"first", now), (b"late", now - 0.1), (b"next", now + 0.1)):
        RUNTIME.run(come(data, taken))
    assert [picture.jpeg for picture in seen.pictures if len(picture.jpeg) < 10] == [b"first", b"next"]


def test_hands_drag_type_and_answer(shown: tuple[sl.Session, Viewing, Seen]) -> None:
    """What pages drop on each other is dropped; keys and composed texts arrive; a dialog waits for its answer."""
    session, viewing, _ = shown

    def says(text: str) -> bool:
        return session.capture().title == text

    viewing.put(MouseMotion("move", 100, 100))
    viewing.put(MouseMotion("down", 100, 100, "left", 1))
    for x in range(110, 460, 10):
        viewing.put(MouseMotion("move", x, 100, "none", 1))
    found = viewing.pointed(450, 100)
    assert found is not None
    assert found.tag == "div"
    for x in (440, 445, 450):
        viewing.put(MouseMotion("move", x, 100, "none", 1))
    viewing.put(MouseMotion("up", 450, 100, "left"))
    wait_until(lambda: says("dropped"))
    press(viewing, 60, 310)
    viewing.put(KeyStroke(down=True, key="a", code="KeyA"))
    viewing.put(KeyStroke(down=False, key="a", code="KeyA"))
    viewing.put(TypedText("é水"))
    wait_until(lambda: says("aé水"))
    press(viewing, 60, 410)
    wait_until(lambda: viewing.facts.dialog)
    assert viewing.facts.dialog is not None
    assert viewing.facts.dialog.message == "Sure?"
    viewing.answer_dialog(accept=False)
    wait_until(lambda: says("false"))


def test_a_page_that_is_refused_is_told() -> None:
    """A click on a link to a page that robots.txt forbids changes nothing, and says why."""
    link = reply(b"<title>Here</title><a href=/no style='position: absolute; left: 0; top: 0; font-size: 40px'>Go</a>")
    robots = reply(b"User-agent: *\nDisallow: /no\n", headers={"Content-Type": "text/plain"})
    with serve_from_thread({"/": link, "/no": reply(b"<title>No</title>"), "/robots.txt": robots}) as other:
        seen = Seen()
        with sl.session() as session:
            session.goto(other.url("/"))
            with session.view(seen.pictures.append, seen.changed.set) as viewing:
                wait_until(lambda: viewing.facts.tabs and viewing.facts.tabs[0].title == "Here")
                press(viewing, 20, 20)
                wait_until(lambda: "robots.txt" in viewing.facts.refused)
                assert session.capture().title == "Here"
