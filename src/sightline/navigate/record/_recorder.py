"""The recorder: a script that grows while a person works in a session.

It knows no window: whoever shows the session's browser, a visible window or the Studio, starts and stops it.
"""

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from sightline.data import Verdict
from sightline.navigate.play import Browsing, Moment, Played, Playing, StepOutcome
from sightline.navigate.record._learn import Act, Understanding
from sightline.navigate.record._steps import RecordedStep, Recording, steps_of
from sightline.navigate.script import ClickStep, Script
from sightline.page import Page
from sightline.sources import Listening, Session, UserEvent

__all__ = ["DoubtfulStep", "Recorder", "Rehearsal", "rehearse"]

OnChange = Callable[[Recording], None]
OnRest = Callable[[Page], None]
WAIT_SECONDS = 0.2  # between two looks for an interrupt, which a wait without end would not notice everywhere


class Recorder:
    """Records what a person does in a session, from `start` to `stop`, or until the last tab is closed.

    The `file` always has a complete script: all steps so far. `on_change` is told whenever steps are added or changed,
    from a thread of the recorder's own; `on_rest` gets every page that has come to rest.
    """

    def __init__(
        self,
        session: Session,
        file: str | os.PathLike[str] | None = None,
        *,
        on_change: OnChange | None = None,
        on_rest: OnRest | None = None,
    ) -> None:
        self._session = session
        self._on_rest = on_rest
        self._paused = False
        self._left_at = ""
        self._turn = threading.RLock()
        self._file = Path(file).absolute() if file else None
        self._on_change = on_change
        self.listening: Listening | None = None
        self._thread: threading.Thread | None = None
        # Up to Python 3.12, a `join` that is interrupted takes a thread that still runs for one that has ended.
        self._ended = threading.Event()
        self._understanding = Understanding()
        self._acts: list[Act] = []
        self._problem: BaseException | None = None
        self.recording: Recording = Recording()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def listen(self) -> Self:
        """Record from where the session is."""
        self.listening = self._session.listen()
        self._ended.clear()
        self._thread = threading.Thread(target=self._hear, args=(self.listening,), daemon=True, name="recorder")
        self._thread.start()
        return self

    def start(self, url: str) -> Self:
        """Open an address and record from there."""
        self.listen()
        self._session.goto(url)
        self.rest()
        return self

    def rest(self) -> None:
        """Wait until the page is at rest, and everything so far is recorded."""
        if self.listening:
            self.listening.rest()
            self.listening.drained()

    @property
    def is_paused(self) -> bool:
        """Whether what the person does is left out."""
        return self._paused

    def pause(self, address: str) -> None:
        """Leave out what the person does from here; `address` is where they are."""
        self.rest()
        with self._turn:
            self._paused, self._left_at = True, address

    def resume(self, address: str, tab: int = 0, tabs: int = 1) -> None:
        """Record again; if they are somewhere else by now, that address becomes a step."""
        self.rest()
        with self._turn:
            self._paused = False
            if address and address != self._left_at:
                self._take(UserEvent(kind="opened", url=address, tab=tab, tabs=tabs))

    def wait(self) -> None:
        """Wait until the last tab is closed, or somebody stops the recorder."""
        while self._thread and not self._ended.is_set():
            self._ended.wait(WAIT_SECONDS)

    def stop(self) -> None:
        """Record no further."""
        listening, self.listening = self.listening, None
        if listening:
            listening.close()
        if self._thread:
            self._ended.wait()
            self._thread.join()
        if self._problem:
            raise self._problem

    @property
    def steps(self) -> tuple[RecordedStep, ...]:
        """The steps so far, each with its doubts."""
        return self.recording.steps

    @property
    def script(self) -> Script:
        """The script so far."""
        host = next((urlsplit(act.event.url).hostname for act in self._acts if act.event.url), "")
        return Script(
            steps=tuple(one.step for one in self.recording.steps),
            about=f"Recorded on {host}." if host else "",
            variables=self.recording.variables,
            secrets=self.recording.secrets,
            file=str(self._file) if self._file else "script",
        )

    def _hear(self, listening: Listening) -> None:
        try:
            for event in listening:
                self._take(event)
        except BaseException as problem:  # noqa: BLE001 - raised again by `stop`, in the thread that waits for it
            self._problem = problem
        finally:
            self._ended.set()

    def _take(self, event: UserEvent) -> None:
        if event.kind == "rest" and event.page is not None and self._on_rest:
            self._on_rest(event.page)
        with self._turn:
            act = self._understanding.of(event)
            if self._paused:
                return
            self._acts.append(act)
            recording = steps_of(self._acts)
            if recording == self.recording:
                return
            self.recording = recording
        if self._file and recording.steps:
            self.script.save(self._file)
        if self._on_change:
            self._on_change(recording)


# The rehearsal of a recorded script: played once in a fresh session, to say which steps are doubtful.


@dataclass(frozen=True)
class DoubtfulStep:
    """A step that may not do the same tomorrow, by its number, and why."""

    number: int
    step: str
    doubts: tuple[str, ...]


@dataclass(frozen=True)
class Rehearsal:
    """What came of playing a recorded script once: how it went, and its doubtful steps."""

    played: Played
    doubtful: tuple[DoubtfulStep, ...]

    @property
    def verdict(self) -> Verdict:
        """`ok` if every step was done, and none is doubtful."""
        return "suspicious" if self.played.verdict == "ok" and self.doubtful else self.played.verdict


@dataclass
class _Observer:
    """Notes how each step found its target, and whether clicks changed anything."""

    ways: dict[int, str] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)
    idle: set[int] = field(default_factory=set)
    _clicked: tuple[int, Page] | None = None

    def before(self, moment: Moment, browsing: Browsing) -> None:
        clicked, self._clicked = self._clicked, None
        if clicked and browsing.page.id == clicked[1].id:
            self.idle.add(clicked[0])
        if isinstance(moment.step, ClickStep):
            self._clicked = int(moment.place), browsing.page

    def after(self, moment: Moment, outcome: StepOutcome) -> None:
        self.ways[int(moment.place)] = outcome.how
        if outcome.problem:
            self.problems[int(moment.place)] = outcome.problem


def rehearse(script: Script, session: Session, recorded: Sequence[RecordedStep] = ()) -> Rehearsal:
    """Play a recorded script; `recorded` are its steps with the doubts that the recorder had."""
    observer = _Observer()
    played = Playing(script, session, watchers=[observer]).run()
    found = []
    for number, step in enumerate(script.steps, 1):
        doubts = list(recorded[number - 1].doubts) if recorded else []
        if number in observer.problems:
            doubts.append(observer.problems[number])
        elif observer.ways.get(number, "").startswith("memory"):
            doubts.append(f"it was found by {observer.ways[number]}")
        elif number in observer.idle:
            doubts.append("the click changed nothing on the page")
        if doubts:
            found.append(DoubtfulStep(number, str(step), tuple(doubts)))
    return Rehearsal(played, tuple(found))
