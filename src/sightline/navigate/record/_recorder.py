"""The recorder: a script that grows while a person works in a session.

It knows no window: whoever shows the session's browser, a visible window or the Studio, starts and stops it.
"""

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from sightline.data import Verdict
from sightline.navigate.play import Browsing, Moment, Played, Playing, StepOutcome
from sightline.navigate.record._learn import Act, Understanding
from sightline.navigate.script import (
    VARIABLE,
    BackStep,
    CheckStep,
    ClickStep,
    DialogStep,
    DownloadStep,
    DragStep,
    FillStep,
    HoverStep,
    OpenStep,
    PressStep,
    ReloadStep,
    Script,
    ScrollStep,
    SecretName,
    SecretPlace,
    SelectStep,
    Step,
    TabStep,
    UncheckStep,
    UploadStep,
)
from sightline.navigate.targets import Target
from sightline.page import Page
from sightline.sources import Listening, Session, UserEvent

# -- the steps of a script from the acts of a person ----------------------------------------------------------------

GROWN = 1.02  # times as high a page must be after a scroll that loaded something; toolbars come and go
CHOSEN = ("checkbox", "radio", "file")  # inputs whose clicks are told by what they change
PICKED = ("range", "color", "date", "time", "month", "week", "datetime-local", "number")
EDITING = ("Backspace", "Delete", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "Insert")
SCROLLING = ("Space", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown")
SECRETS = {"password": "password", "code": "one_time_code", "card": "card"}


@dataclass(frozen=True)
class RecordedStep:
    """A step, and why it may not do the same again."""

    step: Step
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recording:
    """The steps so far, with the secrets and variables that they use."""

    steps: tuple[RecordedStep, ...] = ()
    secrets: dict[str, SecretPlace] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)


def steps_of(acts: Sequence[Act]) -> Recording:
    """The steps that do what a person did."""
    writer = _Writer()
    for act in acts:
        writer.write(act)
    steps = tuple(RecordedStep(one.step, tuple(one.doubts)) for one in writer.made)
    return Recording(steps, writer.secrets, writer.variables)


@dataclass
class _Made:
    """A step, what it was made from, and whether the page has come to rest since."""

    step: Step
    act: Act
    doubts: list[str] = field(default_factory=list)

    @property
    def about(self) -> str:
        return self.act.about


class _Writer:
    """Writes steps one act after the other."""

    def __init__(self) -> None:
        self.made: list[_Made] = []
        self.secrets: dict[str, SecretPlace] = {}
        self.variables: dict[str, str] = {}
        self._secret_of: dict[str, str] = {}
        self._tab: int | None = None  # where it began
        self._answer: tuple[bool, str | None] = (True, None)
        self._scroll: Act | None = None

    def write(self, act: Act) -> None:
        handler = _HANDLERS.get(act.kind)
        if handler:
            handler(self, act)

    # ------------------------------------------------------------------ the browser

    def _rest(self, act: Act) -> None:
        """A scroll counts if the page has grown since it began."""
        scroll = self._scroll
        if scroll and scroll.height and act.height > GROWN * scroll.height:
            self._scroll = None
            self._drop_last(ScrollStep)
            self._add(ScrollStep(to=scroll.event.top), scroll)

    def _opened(self, act: Act) -> None:
        self._switch(act)
        self._add(OpenStep(address=act.event.url), act)

    def _forward(self, act: Act) -> None:
        self._switch(act)
        self._add(OpenStep(address=act.event.url), act, "going forward is recorded as the address that it led to")

    def _back(self, act: Act) -> None:
        self._switch(act)
        before = self._last_step
        times = act.event.times + (before.times if isinstance(before, BackStep) else 0)
        self._drop_last(BackStep)
        self._add(BackStep(times=times), act)

    def _reload(self, act: Act) -> None:
        self._switch(act)
        self._add(ReloadStep(), act)

    def _closed(self, act: Act) -> None:
        """The player goes on in the newest tab, as the browser does."""
        if self._tab is None or act.event.tab == self._tab or self._tab >= act.event.tabs:
            self._tab = max(0, act.event.tabs - 1)

    def _dialog(self, act: Act) -> None:
        event = act.event
        if event.type == "beforeunload":
            return
        typed = event.value if event.type == "prompt" and event.accepted and event.value != event.text else None
        answer = (event.accepted, typed)
        if answer == self._answer or (event.type == "alert" and self._answer[1] is None):
            return
        self._answer = answer
        step = DialogStep(answer="accept" if event.accepted else "dismiss", text=self._text(typed) if typed else None)
        if len(self.made) > 1 and self.made[-2].act.kind == "dialog":
            self.made[-1].doubts.append("it opens several dialogs that were answered differently; only the last counts")
            self.made.pop(-2)
        self.made.insert(max(0, len(self.made) - 1), _Made(step, act))

    def _download(self, act: Act) -> None:
        if self.made and isinstance(self.made[-1].step, ClickStep):
            self.made[-1].step = DownloadStep(target=self.made[-1].step.target)
        elif self.made and not isinstance(self.made[-1].step, DownloadStep):
            self.made[-1].doubts.append(f"it started the download of {act.event.message}, which no click did")

    # ------------------------------------------------------------------ elements

    def _click(self, act: Act) -> None:
        event = act.event
        if event.tag in ("select", "option", "optgroup") or event.type in (*CHOSEN, "range"):
            return
        if event.label_of and event.label_type in CHOSEN:
            return
        if not event.count and not self._was_pressed(act):
            return  # the browser's own click, on the button of a form that was sent with Enter
        self._switch(act)
        if act.opener and self._last_step != HoverStep(target=act.opener.target):
            self._add(HoverStep(target=act.opener.target), act, act.opener.doubt)
        if act.was_on is not None and act.target:
            kind = UncheckStep if act.was_on else CheckStep
            self._add(kind(target=act.target.target), act, act.target.doubt)
        else:
            self._about(act, lambda target: ClickStep(target=target))

    def _was_pressed(self, act: Act) -> bool:
        """Whether a key on the same element made this click; then the click says it better."""
        if not self.made or not isinstance(self.made[-1].step, PressStep) or self.made[-1].about != act.about:
            return False
        self.made.pop()
        return True

    def _check(self, act: Act) -> None:
        self._switch(act)
        if act.event.checked:
            self._about(act, lambda target: CheckStep(target=target))
        else:
            self._about(act, lambda target: UncheckStep(target=target))

    def _input(self, act: Act) -> None:
        self._switch(act)
        self._forget(act, ClickStep, PressStep, FillStep)
        text = SecretName(self._secret(act)) if act.event.secret else self._text(act.event.value.rstrip("\n"))
        self._about(act, lambda target: FillStep(target=target, text=text))

    def _choice(self, act: Act) -> None:
        self._switch(act)
        self._forget(act, PressStep, SelectStep)
        options = tuple(self._text(one) for one in act.event.options)
        if options:
            self._about(act, lambda target: SelectStep(target=target, options=options))

    def _files(self, act: Act) -> None:
        self._switch(act)
        self._drop_last(ClickStep)  # it opened the window in which files are chosen
        files = tuple(self._text(one) for one in act.event.files)
        if files:
            self._about(act, lambda target: UploadStep(target=target, files=files))
            names = ", ".join(files)
            self.made[-1].doubts.append(f"a page does not say where a file was; put {names} beside the script")

    def _key(self, act: Act) -> None:
        if self._is_noise(act):
            return
        self._switch(act)
        focused = bool(self.made) and self.made[-1].about == act.about
        doubt = "" if focused or act.event.tag == "body" else "the key goes to whatever has the focus by then"
        self._add(PressStep(key=act.event.key), act, "" if act.event.key == "Escape" else doubt)

    def _is_noise(self, act: Act) -> bool:
        """Keys that edit a text, change an input (which says so itself), scroll, or only move the focus."""
        event = act.event
        if event.key == "Tab" or event.tag == "select" or event.type in CHOSEN or event.type == "range":
            return True
        if act.target and act.target.role == "textbox":
            lines = event.tag != "input" and event.key in ("Enter", "ArrowUp", "ArrowDown")
            picked = event.type in PICKED and event.key in ("ArrowUp", "ArrowDown")
            return event.key in EDITING or lines or picked
        return event.tag in ("body", "html") and event.key in SCROLLING

    def _scroll_to(self, act: Act) -> None:
        if act.event.whole and not act.event.first and isinstance(self._last_step, ScrollStep):
            self.made[-1].step = ScrollStep(to=act.event.top)
        elif act.event.whole and (act.event.first or self._scroll):
            height = self._scroll.height if self._scroll and not act.event.first else act.height
            self._scroll = replace(act, height=height)

    def _drag(self, act: Act) -> None:
        self._switch(act)
        by, onto = act.event.by, act.onto
        slider = act.target is not None and act.target.role == "slider"
        if onto is not None and not slider and (by is None or not onto.doubt):
            self._about(act, lambda target: DragStep(target=target, onto=onto.target))
            self.made[-1].doubts += [onto.doubt] if onto.doubt else []
        elif by is not None:
            self._about(act, lambda target: DragStep(target=target, by=by))

    # ------------------------------------------------------------------ helpers

    @property
    def _last_step(self) -> Step | None:
        return self.made[-1].step if self.made else None

    def _add(self, step: Step, act: Act, doubt: str = "") -> None:
        self.made.append(_Made(step, act, [doubt] if doubt else []))

    def _about(self, act: Act, make: Callable[[Target], Step]) -> None:
        if act.target:
            self._add(make(act.target.target), act, act.target.doubt)

    def _drop_last(self, kind: type[Step]) -> None:
        if isinstance(self._last_step, kind):
            self.made.pop()

    def _forget(self, act: Act, *kinds: type[Step]) -> None:
        """Drop the last steps on the same element that this act makes superfluous."""
        while self.made and isinstance(self.made[-1].step, kinds) and self.made[-1].about == act.about:
            self.made.pop()

    def _switch(self, act: Act) -> None:
        """Say in which tab it goes on, if that is another one."""
        event = act.event
        before, self._tab = self._tab, event.tab
        if before in (None, event.tab):
            return
        which = "newest" if event.tab == event.tabs - 1 else "first" if event.tab == 0 else str(event.tab + 1)
        self._add(TabStep(which=which), act)

    def _secret(self, act: Act) -> str:
        """The name of the secret of an input; another input has another one."""
        if act.about not in self._secret_of:
            plain = SECRETS.get(act.event.secret, act.event.secret)
            taken = set(self.secrets)
            name = next(one for one in (plain, *(f"{plain}_{n}" for n in range(2, 99))) if one not in taken)
            self._secret_of[act.about] = name
            self.secrets[name] = SecretPlace(environment=name.upper())
        return self._secret_of[act.about]

    def _text(self, text: str) -> str:
        """A text as a script has it; braces in it would be a variable, so such a text is one."""
        if not VARIABLE.search(text):
            return text
        known = next((name for name, value in self.variables.items() if value == text), None)
        name = known or f"text_{len(self.variables) + 1}"
        self.variables[name] = text
        return f"{{{name}}}"


_HANDLERS: dict[str, Callable[[_Writer, Act], None]] = {
    "rest": _Writer._rest,
    "opened": _Writer._opened,
    "back": _Writer._back,
    "forward": _Writer._forward,
    "reload": _Writer._reload,
    "closed": _Writer._closed,
    "dialog": _Writer._dialog,
    "download": _Writer._download,
    "click": _Writer._click,
    "check": _Writer._check,
    "input": _Writer._input,
    "choice": _Writer._choice,
    "files": _Writer._files,
    "key": _Writer._key,
    "scroll": _Writer._scroll_to,
    "drag": _Writer._drag,
}


# -- the recorder: a script that grows while a person works in a session --------------------------------------------

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
