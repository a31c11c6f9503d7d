"""Recordings: a live browser over a real WebSocket, its script, its replay, and what never leaves it."""

import base64
import json
import logging
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from sightline.server._live_recording import LiveViewer
from sightline.server._recordings import Recordings

from .._wait import BOUND, wait_until
from ..sites.journeys.journeys import JOURNEYS, JourneySite, serve_journeys
from ._running import Running, running

BY_NAME = {journey.name: journey for journey in JOURNEYS}
SECRET = "wide open sesame"
IDLE = 5.0  # seconds until nobody is thought to look; a busy machine needs some to begin


@pytest.fixture(scope="module")
def site() -> Iterator[JourneySite]:
    """The pages of the journeys."""
    with serve_journeys(JOURNEYS) as served:
        yield served


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that may open addresses of this machine."""
    with running(tmp_path_factory.mktemp("recordings"), allow_private=True) as found:
        yield found


class Watcher:
    """A client of the live view that keeps all it was sent."""

    def __init__(self, connection: ClientConnection) -> None:
        self.socket = connection
        self.latest: dict[str, Any] = {}
        self.sent: list[bytes] = []
        self.pictures = 0
        self.unseen = 0

    def send(self, kind: str, **more: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps({"kind": kind, **more}))

    def until(self, holds: Callable[[], Any]) -> None:
        """Take what comes until something holds."""
        end = time.monotonic() + BOUND
        while not holds():
            assert time.monotonic() < end, self.latest.get("state")
            self.take()

    def take(self, *, seen: bool = True) -> None:
        """Take one message, if one comes soon."""
        try:
            message = self.socket.recv(timeout=0.1)
        except TimeoutError:
            return
        if isinstance(message, bytes):
            self.pictures += 1
            number, _, _ = struct.unpack("<Iff", message[:12])
            assert message[12:14] == b"\xff\xd8", "a picture is a JPEG"
            if seen:
                self.send("seen", number=number)
            return
        self.sent.append(message.encode())
        document = json.loads(message)
        self.latest[document["kind"]] = document

    @property
    def state(self) -> dict[str, Any]:
        """The state that was told last."""
        found: dict[str, Any] = self.latest.get("state", {})
        return found

    @property
    def words(self) -> list[str]:
        """The steps in words that were told last."""
        return [step["words"] for step in self.latest.get("script", {}).get("script", {}).get("steps", ())]

    def click(self, x: float, y: float) -> None:
        """Click at a point of the window."""
        self.send("mouse", type="move", x=x, y=y)
        self.send("mouse", type="down", x=x, y=y, button="left", buttons=1)
        self.send("mouse", type="up", x=x, y=y, button="left")

    def type(self, text: str) -> None:
        """Press the keys of a text."""
        for letter in text:
            self.send("key", down=True, key=letter)
            self.send("key", down=False, key=letter)


def live_url(studio: Running, recording: str) -> str:
    """The address of a live view."""
    return f"ws://127.0.0.1:{studio.port}/api/recordings/{recording}/live"


@contextmanager
def watching(studio: Running, recording: str) -> Iterator[Watcher]:
    """Look at a recording while the block runs."""
    headers = {"Authorization": f"Bearer {studio.access.token}"}
    with connect(live_url(studio, recording), additional_headers=headers, max_size=None, proxy=None) as connection:
        yield Watcher(connection)


@contextmanager
def recorded(studio: Running, url: str, **more: Any) -> Iterator[Watcher]:
    """A recording that is open and watched while the block runs."""
    begun = studio.post("/recordings", {"url": url, **more}, 201)
    with watching(studio, begun["id"]) as watcher:
        watcher.until(lambda: watcher.state.get("mode") in ("recording", "paused") and not watcher.state["busy"])
        try:
            yield watcher
        finally:
            studio.client.delete(f"/api/recordings/{begun['id']}")


def place(studio: Running, watcher: Watcher, key: str) -> tuple[float, float]:
    """The middle of an element of the live page; the page is at rest then."""
    live = studio.studio.part(Recordings).find(watcher.state["id"])
    live.rest()
    assert live._session is not None
    found = live._session.element(f"//*[@data-k='{key}']")
    assert found is not None, key
    x0, y0, x1, y1 = found.box
    return (x0 + x1) / 2, (y0 + y1) / 2


def script(studio: Running, watcher: Watcher) -> Any:
    """The script of a recording."""
    return studio.get(f"/scripts/{quote(watcher.state['script'])}")


def edit(studio: Running, name: str, status: int = 200, **change: Any) -> Any:
    """Edit a script as it is now."""
    version = studio.get(f"/scripts/{quote(name)}")["version"]
    return studio.post(f"/scripts/{quote(name)}/edits", change, status, headers={"If-Match": f'"{version}"'})


@pytest.mark.slow
def test_a_password_is_typed_recorded_and_replayed_and_is_nowhere(
    studio: Running, site: JourneySite, caplog: pytest.LogCaptureFixture
) -> None:
    """The site gets it twice; neither script, answers, messages, log nor files have it."""
    caplog.set_level(logging.DEBUG)
    site.forget()
    with recorded(studio, site.url(BY_NAME["log-in"])) as watcher:
        assert "asks for a password" in watcher.state["notice"]
        watcher.click(*place(studio, watcher, "user"))
        watcher.type("anna")
        watcher.until(lambda: "Type “anna” into textbox “User name”" in watcher.words)
        watcher.click(*place(studio, watcher, "password"))
        watcher.type(SECRET[:8])
        watcher.send("text", text=SECRET[8:])
        watcher.until(lambda: "Type the secret “password” into textbox “Password”" in watcher.words)
        watcher.click(*place(studio, watcher, "enter"))
        watcher.until(lambda: site.effects)
        watcher.until(lambda: "Click button “Sign in”" in watcher.words)
        first = list(site.effects)
        assert SECRET in first[0]
        site.forget()
        watcher.send("play")
        watcher.until(lambda: "needs password" in watcher.state["problem"])
        watcher.send("play", secrets={"password": SECRET})
        watcher.until(lambda: (watcher.state["replay"] or {}).get("state") == "ended")
        assert site.effects == first
        assert watcher.state["replay"]["verdict"] == "ok"
        document = script(studio, watcher)
        assert document["secrets"] == {"password": {"environment": "PASSWORD", "keyring": "", "known": False}}
        assert watcher.pictures > 1
        answers = json.dumps([document, studio.get("/recordings"), studio.get("/jobs"), studio.get("/scripts")])
    written = b"".join(path.read_bytes() for path in studio.studio.folder.rglob("*") if path.is_file())
    # The client of this test logs what it sends; the server must not.
    logged = "".join(one.getMessage() for one in caplog.records if not one.name.startswith("websockets.client"))
    for where in (answers.encode(), b"".join(watcher.sent), logged.encode(), written):
        for form in (SECRET.encode(), quote(SECRET).encode(), base64.b64encode(SECRET.encode())):
            assert form not in where


@pytest.mark.slow
def test_options_dialogs_and_tabs_are_answered_by_the_person(studio: Running, site: JourneySite) -> None:
    """A box of options comes as a list, a dialog as a text, and a new tab is gone to; all of it is recorded."""
    with recorded(studio, site.url(BY_NAME["select"])) as watcher:
        watcher.click(*place(studio, watcher, "by"))
        watcher.until(lambda: watcher.state["choice"])
        assert [one["label"] for one in watcher.state["choice"]["options"]][-1] == "Newest"
        watcher.send("choose", option="Newest")
        watcher.until(lambda: "Choose “Newest” in combobox “Sort by”" in watcher.words)
        watcher.send("goto", url=site.url(BY_NAME["prompt"]))
        watcher.until(lambda: "prompt" in watcher.state["url"] and not watcher.state["busy"])
        watcher.click(*place(studio, watcher, "act"))
        watcher.until(lambda: watcher.state["dialog"])
        assert watcher.state["dialog"] == {"kind": "prompt", "message": "New name?", "suggested": "Drafts"}
        watcher.send("dialog", accept=True, text="Autumn")
        watcher.until(lambda: any("Autumn" in one for one in site.effects))
        watcher.until(lambda: not watcher.state["dialog"] and any("Autumn" in words for words in watcher.words))
        watcher.send("goto", url=site.url(BY_NAME["new-tab"]))
        watcher.until(lambda: "new-tab" in watcher.state["url"] and not watcher.state["busy"])
        watcher.click(*place(studio, watcher, "sizes"))
        watcher.until(lambda: len(watcher.state["tabs"]) == 2 and watcher.state["tab"] == 1)
        watcher.click(*place(studio, watcher, "metric"))
        watcher.until(lambda: "Go on in the newest tab" in watcher.words)


@pytest.mark.slow
def test_pause_leaves_out_what_is_done_meanwhile(studio: Running, site: JourneySite) -> None:
    """What is clicked while it is paused is not in the script, and where the person went then is one step."""
    with recorded(studio, site.url(BY_NAME["back"])) as watcher:
        watcher.send("pause")
        watcher.until(lambda: watcher.state["mode"] == "paused")
        watcher.click(*place(studio, watcher, "moon"))
        watcher.until(lambda: watcher.state["url"].endswith("/moon"))
        watcher.send("resume")
        watcher.until(lambda: watcher.state["mode"] == "recording" and len(watcher.words) == 2)
        assert watcher.words[1] == f"Open {watcher.state['url']}"
        watcher.click(*place(studio, watcher, "like-moon"))
        watcher.until(lambda: watcher.words[-1] == "Click button “Like”")
        watcher.send("go", steps=-1)
        watcher.until(lambda: watcher.words[-1] == "Go back")


@pytest.mark.slow
def test_steps_are_edited_while_it_is_recorded(studio: Running, site: JourneySite) -> None:
    """Edits and the recording go into one script; undo takes back the last of either."""
    with recorded(studio, site.url(BY_NAME["pager"])) as watcher:
        name = watcher.state["script"]
        made = edit(studio, name, action="insert", place="end", step={"extract": "lists"})
        assert [step["words"] for step in made["steps"]][1:] == ["Extract the list"]
        watcher.click(*place(studio, watcher, "next"))
        watcher.until(lambda: len(watcher.words) == 3 and watcher.words[2].startswith("Click"))
        wrapped = edit(studio, name, action="wrap", places=["2"], step={"next pages": 3})
        assert [step["place"] for step in wrapped["steps"][1]["steps"]] == ["2.1"]
        assert wrapped["history"]["steps"][-1] == "put 1 step into “next pages”"
        changed = edit(studio, name, action="change", place="2", key="next pages", value=5)
        assert changed["steps"][1]["keys"]["next pages"] == 5
        assert edit(studio, name, action="undo")["steps"][1]["keys"]["next pages"] == 3
        assert edit(studio, name, action="redo")["version"] == changed["version"]
        refused = edit(studio, name, 422, action="remove", place="2.1")
        assert "needs at least one step inside" in refused["detail"]
        stale = {"If-Match": '"0000000000000000"'}
        studio.post(f"/scripts/{quote(name)}/edits", {"action": "undo"}, 412, headers=stale)
        preview = studio.post(f"/recordings/{watcher.state['id']}/preview", {"source": "lists"})
        assert preview["rows"]["total"] > 3


@pytest.mark.slow
def test_a_step_that_fails_is_mended_by_pointing(studio: Running, site: JourneySite) -> None:
    """The replay waits at the step with the reason; what is pointed at becomes its target, and the replay goes on."""
    text = (
        f"navigation: 1\nsteps:\n  - open: {site.url(BY_NAME['search'])}\n"
        "  - fill: {textbox: Look for things}\n    with: lens\n  - press: Enter\n"
    )
    studio.post("/scripts", {"name": "broken", "text": text}, 201)
    begun = studio.post("/recordings", {"script": "broken"}, 201)
    with watching(studio, begun["id"]) as watcher:
        watcher.until(lambda: watcher.state.get("mode") == "paused" and not watcher.state["busy"])
        site.forget()
        watcher.send("play", until="2")
        watcher.until(lambda: (watcher.state["replay"] or {}).get("state") == "waiting")
        assert watcher.state["replay"]["place"] == "2"
        watcher.send("continue")
        watcher.until(lambda: watcher.state["replay"]["state"] == "failed")
        assert "“Look for things” is not on the page" in watcher.state["replay"]["why"]
        x, y = place(studio, watcher, "q")
        pointed = studio.post(f"/recordings/{begun['id']}/point", {"x": x, "y": y})
        assert pointed["words"] == "textbox “Search products”"
        edit(studio, "broken", action="target", place="2", value=pointed["target"])
        watcher.send("continue")
        watcher.until(lambda: watcher.state["replay"]["state"] == "ended")
        assert watcher.state["replay"]["outcomes"]["2"]["state"] == "done"
        assert site.effects == ['search [["in", "All departments"], ["q", "lens"]]']
        watcher.until(lambda: watcher.state["mode"] == "paused")
    studio.client.delete(f"/api/recordings/{begun['id']}")


@pytest.mark.slow
def test_a_site_that_logged_out_is_said_at_the_step(studio: Running, site: JourneySite) -> None:
    """A step that meets a log-in where something else was says so; the person logs in, and it goes on."""
    text = f"navigation: 1\nsteps:\n  - open: {site.url(BY_NAME['log-in'])}\n  - click: {{button: Show my orders}}\n"
    studio.post("/scripts", {"name": "out", "text": text}, 201)
    begun = studio.post("/recordings", {"script": "out"}, 201)
    with watching(studio, begun["id"]) as watcher:
        watcher.until(lambda: watcher.state.get("mode") == "paused" and not watcher.state["busy"])
        watcher.send("play")
        watcher.until(lambda: (watcher.state["replay"] or {}).get("state") == "failed")
        assert watcher.state["replay"]["logged_out"]
        assert watcher.state["replay"]["why"].startswith("The page now asks for a password")
        watcher.send("stop")
        watcher.until(lambda: watcher.state["replay"]["state"] == "ended")
    studio.client.delete(f"/api/recordings/{begun['id']}")


@pytest.mark.slow
def test_files_are_given_only_if_they_were_uploaded(studio: Running, site: JourneySite) -> None:
    """A page that asks for a file gets the uploaded one, and the script finds it in the project."""
    with recorded(studio, site.url(BY_NAME["upload"])) as watcher:
        watcher.click(*place(studio, watcher, "file"))
        watcher.until(lambda: watcher.state["chooser"])
        watcher.send("files", names=["../../etc/passwd"])
        watcher.until(lambda: "was not uploaded" in watcher.state["problem"])
        begun = watcher.state["id"]
        answer = studio.client.post(f"/api/recordings/{begun}/files?name=receipt.txt", content=b"one lens")
        assert answer.json() == {"name": "receipt.txt"}
        assert studio.client.post(f"/api/recordings/{begun}/files?name=..%2Fx", content=b"x").status_code == 422
        watcher.send("files", names=["receipt.txt"])
        watcher.until(
            lambda: "Give “uploads/receipt.txt” to button “Receipt”" in watcher.words or len(watcher.words) > 1
        )
        assert "uploads/receipt.txt" in watcher.words[-1]
        assert (studio.studio.folder / "uploads/receipt.txt").read_bytes() == b"one lens"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": "Bearer {token}", "Origin": "https://evil.example"}, 403),
        ({"Cookie": "{cookie}", "Origin": "https://evil.example"}, 403),
        ({"Cookie": "{cookie}"}, 403),
    ],
)
def test_the_live_view_is_behind_the_guard(studio: Running, headers: dict[str, str], status: int) -> None:
    """Without the key, from another site, or under another name, there is no connection."""
    access = studio.access
    given = {
        name: value.format(token=access.token, cookie=f"{access.cookie}={access.session}")
        for name, value in headers.items()
    }
    with pytest.raises(InvalidStatus) as refused, connect(live_url(studio, "x"), additional_headers=given, proxy=None):
        pass
    assert refused.value.response.status_code == status


def test_the_live_view_has_no_other_name(studio: Running) -> None:
    """A name that somebody else owns may lead here by their DNS; under it there is no connection."""
    headers = {"Authorization": f"Bearer {studio.access.token}"}
    there = live_url(studio, "x").replace("127.0.0.1", "evil.example")
    with (
        socket.create_connection(("127.0.0.1", studio.port)) as sock,
        pytest.raises(InvalidStatus) as refused,
        connect(there, sock=sock, additional_headers=headers, proxy=None),
    ):
        pass
    assert refused.value.response.status_code == 403


def test_the_studios_own_page_may_connect(studio: Running) -> None:
    """With its cookie and its origin it comes through; a recording that has ended says so."""
    access = studio.access
    headers = {"Cookie": f"{access.cookie}={access.session}"}
    with connect(live_url(studio, "0" * 16), additional_headers=headers, origin=studio.url, proxy=None) as found:  # type: ignore[arg-type]
        with pytest.raises(ConnectionClosed) as closed:
            found.recv(timeout=BOUND)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4002
        assert "has ended" in closed.value.rcvd.reason


def test_nonsense_is_told_and_the_connection_stays(studio: Running, site: JourneySite) -> None:
    """What makes no sense is not repeated, and costs nothing."""
    with recorded(studio, site.url(BY_NAME["search"])) as watcher:
        for nonsense in ("{", '{"kind": "mouse", "type": "jump", "x": 1, "y": 2}', '{"kind": "dance"}', "[]"):
            watcher.socket.send(nonsense)
        watcher.until(lambda: watcher.latest.get("told"))
        for worse in (b"\x00", "[" * 100_000, json.dumps({"kind": "key", "down": True, "key": "a", "number": 10**30})):
            del watcher.latest["told"]
            watcher.socket.send(worse)
            watcher.until(lambda: watcher.latest.get("told"))
        watcher.send("goto", url=site.url(BY_NAME["back"]))
        watcher.until(lambda: "/back/" in watcher.state["url"])


@pytest.mark.slow
def test_a_viewer_who_draws_nothing_gets_no_queue_of_pictures(studio: Running, site: JourneySite) -> None:
    """Pictures that are not seen are not followed by others, however long it goes on."""
    with recorded(studio, site.url(BY_NAME["infinite-list"])) as watcher:
        watcher.until(lambda: watcher.pictures)
        before = watcher.pictures
        for turn in range(12):
            watcher.send("wheel", x=600, y=400, by_x=0, by_y=60 if turn % 2 else -30)
            watcher.take(seen=False)
        for _ in range(10):
            watcher.take(seen=False)
        assert watcher.pictures - before <= 3


def test_another_tab_takes_over(studio: Running, site: JourneySite) -> None:
    """A recording is seen by one viewer; the first is told that it is shown elsewhere."""
    with recorded(studio, site.url(BY_NAME["search"])) as watcher, watching(studio, watcher.state["id"]) as other:
        other.until(lambda: other.state.get("mode") == "recording")
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                watcher.socket.recv(timeout=BOUND)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4001


def test_a_script_that_is_deleted_meanwhile_is_said_to_whoever_looks(studio: Running, site: JourneySite) -> None:
    """The live browser stays, and can still be looked at."""
    with recorded(studio, site.url(BY_NAME["search"])) as watcher:
        studio.client.delete(f"/api/scripts/{quote(watcher.state['script'])}")
        with watching(studio, watcher.state["id"]) as other:
            other.until(lambda: "There is no such script" in other.state.get("problem", ""))


def test_a_recording_that_ends_while_somebody_connects_says_so(studio: Running, site: JourneySite) -> None:
    """Else they would look at nothing for ever; and ending it twice does no harm."""
    recordings = studio.studio.part(Recordings)
    begun = studio.post("/recordings", {"url": site.url(BY_NAME["search"])}, 201)
    live = recordings.find(begun["id"])
    recordings.end(live)
    recordings.end(live)
    viewer = LiveViewer(lambda: None)
    live.attach(viewer)
    assert viewer.ended == "The recording has ended."


def test_what_is_no_address_is_refused(studio: Running) -> None:
    """In words, and nothing is made of it."""
    before = studio.get("/scripts")
    assert "is not an address" in studio.post("/recordings", {"url": "http://["}, 422)["detail"]
    assert studio.get("/scripts") == before


@pytest.mark.slow
def test_private_addresses_are_refused_in_words(tmp_path: Path, site: JourneySite) -> None:
    """A server for others opens no address of its own network, neither typed nor clicked; the practice shop is open."""
    with running(tmp_path / "public", idle_seconds=IDLE) as studio:
        begun = studio.post("/recordings", {"url": site.url(BY_NAME["search"])}, 201)
        with watching(studio, begun["id"]) as watcher:
            watcher.until(lambda: watcher.state.get("problem") and not watcher.state["busy"])
            assert "not on the public internet" in watcher.state["problem"]
        studio.client.delete(f"/api/recordings/{begun['id']}")
        shop = studio.post("/recordings", {"practice": True}, 201)
        with watching(studio, shop["id"]) as watcher:
            watcher.until(lambda: watcher.state.get("mode") == "recording" and not watcher.state["busy"])
            watcher.send("goto", url=site.url(BY_NAME["search"]))
            watcher.until(lambda: "practice shop" in watcher.state["problem"])
            watcher.send("pause")
            watcher.until(lambda: watcher.state["mode"] == "paused" and not watcher.state["problem"])
            step = {"if missing": {"text": "Sold out"}, "then": [{"open": site.url(BY_NAME["search"])}]}
            edit(studio, watcher.state["script"], action="insert", place="end", step=step)
            watcher.send("play")
            watcher.until(lambda: "practice shop" in watcher.state["problem"])
        wait_until(lambda: not studio.get("/recordings"))  # nobody looks any more
        assert studio.get("/scripts")


@pytest.mark.slow
def test_only_a_few_live_browsers_are_open_and_all_end_with_the_server(tmp_path: Path) -> None:
    """One too many is refused with what to do; when the server ends, so do their browsers."""
    with running(tmp_path / "few") as studio:
        for _ in range(3):
            studio.post("/recordings", {"practice": True}, 201)
        refused = studio.post("/recordings", {"practice": True}, 503)
        assert "end one of them first" in refused["detail"]
        recordings = studio.studio.part(Recordings)
        open_ones = recordings.list()
        wait_until(lambda: all(one._session is not None for one in open_ones))
    wait_until(lambda: all(one._session is None for one in open_ones))
