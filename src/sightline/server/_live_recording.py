"""A live browser with the script that it writes: recorded, looked at, replayed and repaired."""

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from queue import SimpleQueue
from typing import Any

from sightline.data import Records
from sightline.errors import SightlineError, UsageError
from sightline.geometry import Box
from sightline.navigate.play import Browsing, placed_steps, read_records, target_boxes
from sightline.navigate.record import RecordedStep, Recorder, Recording, learn
from sightline.navigate.script import (
    ClickStep,
    ExtractStep,
    OpenStep,
    Step,
    plain_step,
    step_at,
    step_of,
)
from sightline.navigate.targets import NamedElements
from sightline.net import CrawlPolicy
from sightline.page import Page
from sightline.project import PageInfo
from sightline.server._examples import PracticeSite
from sightline.server._open_scripts import OpenScripts, script_shape
from sightline.server._pages import RecordingUploads
from sightline.server._problems import ProblemError, internal_problem, problem_of
from sightline.server._replay import Replay, asks_for_password
from sightline.server._shapes import RowsView, box_shape
from sightline.server._studio import Studio
from sightline.sources import BrowserSettings, LiveEvent, LiveFacts, Session, Viewing, WindowPicture

# Whoever looks at a live browser: what is new for them, and never more than the newest.


class LiveViewer:
    """Whoever looks at a recording: the newest picture, and what was told since."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._picture: tuple[int, WindowPicture] | None = None
        self._told: dict[str, dict[str, Any]] = {}
        self._numbers = 0
        self.replaced = False
        self.ended = ""

    def show(self, picture: WindowPicture) -> None:
        """A new picture, in place of one that was not taken yet."""
        with self._lock:
            self._numbers += 1
            self._picture = self._numbers, picture
        self._wake()

    def tell(self, message: dict[str, Any]) -> None:
        """Tell something; the newest of each kind counts."""
        with self._lock:
            self._told.pop(message["kind"], None)
            self._told[message["kind"]] = message
        self._wake()

    def leave(self, *, replaced: bool = False, ended: str = "") -> None:
        """Tell that there is nothing more to see."""
        self.replaced, self.ended = replaced, ended
        self._wake()

    def taken(self, *, picture: bool) -> tuple[list[dict[str, Any]], tuple[int, WindowPicture] | None]:
        """What is new; the picture only if it is wanted now."""
        with self._lock:
            told, self._told = list(self._told.values()), {}
            shown = self._picture if picture else None
            if picture:
                self._picture = None
        return told, shown


SIZE = (1280, 800)  # of the window: as wide as pages are captured
STILL_SECONDS = 0.4  # without an event of the person, before targets are looked for: pictures come first
DOWNLOADS = "downloads"
ASKS = "This page asks for a password. Log in here: the script will name the password, and never have it."
ENDED = "The recording has ended."
WEB = ("http://", "https://")


class LiveRecording:
    """One live browser and its script. Its commands are done one after the other, in a thread of its own."""

    def __init__(self, studio: Studio, name: str, *, is_new: bool, practice: PracticeSite | None = None) -> None:
        self.id = secrets.token_hex(8)
        self._is_new = is_new
        self.name = name
        self._studio = studio
        self._practice = practice
        self._scripts = studio.part(OpenScripts)
        self._viewer: LiveViewer | None = None
        self._lock = threading.RLock()
        self._commands: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._session: Session | None = None
        self._viewing: Viewing | None = None
        self._recorder: Recorder | None = None
        self._recorded = Recording()
        self._page: Page | None = None  # the last one at rest
        self._asks = False  # for a password
        self._driven = True
        self._size = SIZE
        self._picture: WindowPicture | None = None
        self._boxes: dict[str, Box] = {}
        self._stale = threading.Event()
        self.uploads = RecordingUploads(studio.folder)
        self._closed = False
        self.replay: Replay | None = None
        self.problem = ""
        self.busy = "Starting the browser"
        self.used = time.monotonic()
        for work, title in ((self._work, "recording"), (self._keep_boxes, "boxes")):
            threading.Thread(target=work, name=title, daemon=True).start()

    # ------------------------------------------------------------------ looking

    def attach(self, viewer: LiveViewer) -> None:
        """Show it to somebody; whoever looked before is told that it is shown elsewhere."""
        with self._lock:
            if self._closed:  # meanwhile
                viewer.leave(ended=ENDED)
                return
            before, self._viewer = self._viewer, viewer
            self.used = time.monotonic()
        if before:
            before.leave(replaced=True)
        if self._picture:
            viewer.show(self._picture)
        self._tell_script()
        self._changed()
        self._tell_boxes()

    def detach(self, viewer: LiveViewer) -> None:
        """Nobody looks any more; it stays for a while."""
        with self._lock:
            self.used = time.monotonic()
            if self._viewer is viewer:
                self._viewer = None

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks."""
        return self._viewer is not None

    def to_json(self) -> dict[str, Any]:
        """The recording as its viewer is told; never what somebody typed."""
        facts = self._viewing.facts if self._viewing else LiveFacts()
        recorder = self._recorder
        mode = "starting" if recorder is None and self.replay is None else "paused"
        if recorder is not None and not recorder.is_paused:
            mode = "recording"
        if self.replay is not None and self.replay.state != "ended":
            mode = "replaying"
        here = facts.tabs[facts.tab] if facts.tabs else None
        return {
            "kind": "state",
            "id": self.id,
            "script": self.name,
            "mode": mode,
            "busy": self.busy,
            "problem": self.problem or facts.refused or facts.gone if not self.busy else "",
            "notice": ASKS if mode == "recording" and self._asks else "",
            "url": here.url if here else "",
            "title": here.title if here else "",
            "tabs": [asdict(tab) for tab in facts.tabs],
            "tab": facts.tab,
            "can_back": facts.can_back,
            "can_forward": facts.can_forward,
            "loading": facts.loading,
            "dialog": asdict(facts.dialog) if facts.dialog else None,
            "chooser": asdict(facts.chooser) if facts.chooser else None,
            "choice": {"box": box_shape(facts.choice.box), "options": list(facts.choice.options)}
            if facts.choice
            else None,
            "downloads": list(facts.downloads),
            "width": self._size[0],
            "height": self._size[1],
            "replay": self.replay.to_json() if self.replay else None,
        }

    def _changed(self) -> None:
        if (viewer := self._viewer) is not None:
            viewer.tell(self.to_json())

    def _shown(self, picture: WindowPicture) -> None:
        self._picture = picture
        if (viewer := self._viewer) is not None:
            viewer.show(picture)

    def _tell_script(self) -> None:
        if (viewer := self._viewer) is None:
            return
        try:
            opened = self._scripts.open(self.name)
        except ProblemError as problem:  # somebody has deleted it
            self.problem = problem.document["detail"]
        else:
            viewer.tell({"kind": "script", "script": script_shape(opened)})

    def _tell_boxes(self) -> None:
        if (viewer := self._viewer) is not None:
            viewer.tell({"kind": "boxes", "boxes": {place: box_shape(box) for place, box in self._boxes.items()}})

    # ------------------------------------------------------------------ what a person does

    def put(self, event: LiveEvent) -> None:
        """An event of the mouse or the keys."""
        self.used = time.monotonic()
        if self._viewing is not None and (self.replay is None or self.replay.state != "running"):
            self._viewing.put(event)

    def do(self, command: Callable[[], None], busy: str = "") -> None:
        """Do something after what was asked for before; what goes wrong is told."""
        self.used = time.monotonic()

        def work() -> None:
            self.busy, self.problem = busy, ""
            if busy:
                self._changed()
            try:
                command()
            except ProblemError as problem:
                self.problem = problem.document["detail"]
            except SightlineError as problem:
                self.problem = problem_of(problem)["detail"]
            except Exception as problem:  # noqa: BLE001 - the border of a recording: whatever breaks is told to its viewer
                self.problem = internal_problem(problem)["detail"]
            finally:
                self.busy = ""
                self._changed()

        self._commands.put(work)

    def begin(self, url: str) -> None:
        """Start the browser and open an address; a new script is recorded from there, another when somebody says so."""
        self._check(url)
        self._open_session()
        recorder = self._new_recorder()
        if self._is_new:
            known = tuple(RecordedStep(step) for step in self._scripts.open(self.name).script.steps)
            self._recorded = Recording(known)
            recorder.start(url)
        else:
            recorder.listen()
            recorder.pause("")  # what is recorded at the end of a script that was not played begins with an address
            self._live_session().goto(url)

    def goto(self, url: str) -> None:
        """Open an address that somebody typed."""
        address = with_scheme(url)
        self._check(address)
        if self._recorder:
            self._recorder.rest()
        self._live_session().goto(address)

    def go(self, steps: int) -> None:
        """Back, forward, or the same page again."""
        if self._recorder:
            self._recorder.rest()
        self._live_view().go(steps)

    def switch(self, number: int) -> None:
        """Go to another tab."""
        if self._recorder:
            self._recorder.rest()
        self._live_session().tab(number)

    def answer_dialog(self, *, accept: bool, text: str | None) -> None:
        """Answer the dialog of the page; at once, since the page waits for it."""
        self._live_view().answer_dialog(accept=accept, text=text)

    def choose(self, option: str | None) -> None:
        """Choose an option of the box that was opened."""
        self._live_view().choose(option)

    def give_files(self, names: list[str]) -> None:
        """Give the page files that were uploaded for it, and no others."""
        self._live_view().give_files(tuple(map(self.uploads.path, names)))

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, also for the next replay."""
        self._size = (width, height)
        self._live_view().resize(width, height)

    def pause(self) -> None:
        """Leave out what the person does from here."""
        if self._recorder:
            self._recorder.pause(self._address())

    def resume(self) -> None:
        """Record again, from where the person is."""
        if self._recorder is None:
            raise UsageError("There is nothing to record in yet; open an address first.")
        facts = self._live_view().facts
        self._recorder.resume(self._address(), facts.tab, max(1, len(facts.tabs)))

    def rest(self) -> None:
        """Wait until everything so far is recorded."""
        if self._recorder:
            self._recorder.rest()

    # ------------------------------------------------------------------ pointing and previews

    def probe(self, x: float, y: float) -> None:
        """Tell what is at a point, before it is clicked."""
        found = self._live_view().pointed(x, y)
        if (viewer := self._viewer) is not None:
            viewer.tell({"kind": "under", "box": box_shape(found.box) if found else None})

    def point(self, x: float, y: float) -> dict[str, Any]:
        """How a script would name what is at a point of the window."""
        found = self._live_view().pointed(x, y)
        if found is None:
            raise UsageError("There is nothing to point at there.")
        page = self._live_session().capture(log_in=True)
        learned = learn(NamedElements(page), found.xpath)
        plain = plain_step(ClickStep(target=learned.target))["click"]
        return {
            "target": plain,
            "words": str(learned.target),
            "role": learned.role,
            "doubt": learned.doubt,
            "box": box_shape(found.box),
        }

    def preview(self, source: Any) -> dict[str, Any]:
        """The rows that a step would extract from the page as it is now."""
        step = step_of({"extract": source})
        assert isinstance(step, ExtractStep)
        page = self._live_session().capture(log_in=True)
        found = read_records(page, step.source, self._browsing(page).wrapper)
        return {"rows": RowsView(found.records.columns).window(0, 100), "doubt": found.doubt}

    def keep_page(self) -> PageInfo:
        """Keep the page as it is now in the project, with its picture, to teach a wrapper on it."""
        page = self._live_session().capture(log_in=True, picture=True)
        return self._studio.keep(page, page.url)

    def data(self, output: str, offset: int, limit: int) -> dict[str, Any]:
        """What the replay has extracted so far."""
        outputs = self.replay.outputs if self.replay else {}
        chosen = outputs.get(output) if output else next(iter(outputs.values()), None)
        records = chosen if chosen is not None else Records(())
        return {
            "outputs": {name: len(found) for name, found in outputs.items()},
            "rows": RowsView(records.columns).window(offset, limit),
        }

    # ------------------------------------------------------------------ replaying

    def play(self, given: Mapping[str, str], *, until: str = "", stepwise: bool = False) -> None:
        """Play the script in a fresh browser, before the person's eyes."""
        opened = self._scripts.open(self.name)
        if opened.problem or not opened.script.steps:
            raise UsageError(opened.problem or "The script has no steps yet; record some first.")
        lacking = [name for name, place in opened.script.secrets.items() if not place.is_known and not given.get(name)]
        if lacking:
            raise UsageError(f"The script needs {', '.join(lacking)}; type it before you replay.")
        for address in opened_addresses(opened.script.steps):
            self._check(address)
        self._end_session()
        self._open_session()
        self._live_view().drive(driven=False)
        script = opened.script

        def current_step(place: str) -> Step | None:
            try:
                return step_at(self._scripts.open(self.name).script.steps, place)
            except SightlineError:  # it was removed meanwhile; what is played goes on without it
                return None

        self.replay = Replay(
            script,
            self._live_session(),
            self._replay_changed,
            secrets=given,
            until=until,
            stepwise=stepwise,
            current_step=current_step,
        )
        self._driven = False
        self.replay.thread.start()

    def _replay_changed(self) -> None:
        replay, view = self.replay, self._viewing
        if replay is None or view is None:
            return
        driven = replay.state != "running"
        if driven != self._driven:
            self._driven = driven
            view.drive(driven=driven)
        if replay.page is not None:
            self._page = replay.page
            self._stale.set()
        if replay.state == "ended" and not self._closed:
            self._commands.put(self._after_replay)
        self._changed()

    def _after_replay(self) -> None:
        """Let the person go on from where the script has come to."""
        if self._recorder is None and self._session is not None and self.replay is not None:
            recorder = self._new_recorder()
            recorder.listen()
            recorder.pause(self._address())
            self._changed()

    # ------------------------------------------------------------------ how it works

    def _check(self, url: str) -> None:
        """The practice shop is on this machine, where nothing else may be opened."""
        if self._practice is not None and not url.startswith(f"{self._practice.origin}/"):
            raise UsageError("This is the practice shop; begin a new recording to open another address.")

    def _open_session(self) -> None:
        public = not self._studio.settings.allow_private and self._practice is None
        session = Session(
            browser=BrowserSettings(width=self._size[0], height=self._size[1]),
            # A person sets the pace of their own clicks.
            policy=CrawlPolicy(public_only=public, delay=0),
            downloads=self._studio.folder / DOWNLOADS,
        )
        self._session = session
        self._viewing = session.view(self._shown, self._changed, self._size)

    def _end_session(self) -> None:
        replay, self.replay = self.replay, None
        if replay is not None:
            replay.stop()
            replay.thread.join()
        recorder, self._recorder = self._recorder, None
        viewing, self._viewing = self._viewing, None
        session, self._session = self._session, None
        self._page, self._boxes, self._recorded = None, {}, Recording()
        if recorder is not None:
            recorder.stop()
        if viewing is not None:
            viewing.close()
        if session is not None:
            session.close()

    def _new_recorder(self) -> Recorder:
        self._recorded = Recording()
        self._recorder = Recorder(self._live_session(), on_change=self._take, on_rest=self._rested)
        return self._recorder

    def _take(self, recording: Recording) -> None:
        """Write down what was recorded."""
        found = self.uploads.named_in(recording)
        try:
            self._scripts.take(self.name, self._recorded, found)
        except (SightlineError, ProblemError) as problem:  # a text that somebody broke, or a script that is gone
            document = problem_of(problem) if isinstance(problem, SightlineError) else problem.document
            self.problem = document["detail"]
            self._changed()
            return
        self._recorded = found
        self._tell_script()
        self._stale.set()

    def _rested(self, page: Page) -> None:
        self._page, self._asks = page, asks_for_password(page)
        self._stale.set()
        self._changed()

    def _keep_boxes(self) -> None:
        """Find the targets of the steps on the page whenever one of them has changed."""
        while True:
            self._stale.wait()
            while (left := self.used + STILL_SECONDS - time.monotonic()) > 0 and not self._closed:
                time.sleep(left)
            self._stale.clear()
            if self._closed:
                return
            page, session = self._page, self._session
            if page is None or session is None:
                continue
            try:
                steps = self._scripts.open(self.name).script.steps
                self._boxes = target_boxes(self._browsing(page), steps)
            except (SightlineError, ProblemError):  # the session or the script has just gone
                continue
            self._tell_boxes()

    def script_changed(self) -> None:
        """Somebody has edited the script."""
        self._stale.set()

    def _browsing(self, page: Page) -> Browsing:
        browsing = Browsing(self._live_session(), self._studio.folder, lambda: (0, 0))
        browsing.seen(page)
        return browsing

    def _address(self) -> str:
        facts = self._live_view().facts
        return facts.tabs[facts.tab].url if facts.tabs else ""

    def _live_session(self) -> Session:
        if self._session is None:
            raise UsageError("The browser is not open; begin the recording again.")
        return self._session

    def _live_view(self) -> Viewing:
        if self._viewing is None:
            raise UsageError("The browser is not open; begin the recording again.")
        return self._viewing

    def _work(self) -> None:
        while (command := self._commands.get()) is not None:
            command()
        self._end_session()

    def close(self, why: str = "") -> None:
        """End it; the script stays."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            viewer, self._viewer = self._viewer, None
        if viewer:
            viewer.leave(ended=why or ENDED)
        if (replay := self.replay) is not None:
            replay.stop()
        self._stale.set()
        self._commands.put(None)


def with_scheme(address: str) -> str:
    """An address as somebody typed it, with what browsers put before it.

    >>> with_scheme("shop.example/cameras")
    'https://shop.example/cameras'
    """
    return address if address.startswith(WEB) else f"https://{address}"


def opened_addresses(steps: tuple[Step, ...]) -> Iterator[str]:
    """The addresses that steps open, also those in blocks."""
    return (step.address for _, step in placed_steps(steps) if isinstance(step, OpenStep))
