"""A script that is played before somebody's eyes: they may stop at a step, go on, and mend what cannot be done."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from sightline.data import Records
from sightline.errors import JobCancelled, SightlineError
from sightline.geometry import Box
from sightline.navigate.play import Browsing, Moment, Played, Playing, StepOutcome, Watcher
from sightline.navigate.script import CheckStep, FillStep, Script, SecretName, Step
from sightline.page import Page
from sightline.server._problems import without_folders
from sightline.server._shapes import box_shape
from sightline.signals import LOGIN, wall_on
from sightline.sources import Session

ReplayState: TypeAlias = Literal["running", "waiting", "failed", "ended"]
ASKS = "The page now asks for a password: the site has logged out, or never let this script in."


def asks_for_password(page: Page) -> bool:
    """Whether a page shows nothing but a log-in."""
    wall = wall_on(page)
    return wall is not None and wall.kind == LOGIN


@dataclass(frozen=True)
class _Outcome:
    """What came of a step."""

    state: str
    why: str = ""


class Replay(Watcher):
    """Plays a script in a thread of its own; `on_change` is called after everything that happens."""

    def __init__(  # noqa: PLR0913 - one for each choice
        self,
        script: Script,
        session: Session,
        on_change: Callable[[], None],
        *,
        secrets: Mapping[str, str],
        until: str = "",
        stepwise: bool = False,
        current_step: Callable[[str], Step | None],
    ) -> None:
        self._session = session
        self._on_change = on_change
        self._current_step = current_step
        self._turn = threading.Condition()
        self._until = until
        self._stepwise = stepwise
        self._halted = False
        self._stopped = False
        self._decision: str | None = None
        self._resting: Page | None = None
        self._logs_in = False  # a password was typed, and not sent yet
        self.state: ReplayState = "running"
        self.place = ""
        self.why = ""
        self.logged_out = False
        self.box: Box | None = None
        self.outcomes: dict[str, _Outcome] = {}
        self.played: Played | None = None
        self.playing = Playing(script, session, watchers=[self], secrets=secrets, mend=self._ask)
        self.thread = threading.Thread(target=self._run, name="replay", daemon=True)

    # ------------------------------------------------------------------ what a person says

    def go_on(self, *, one: bool = False) -> None:
        """Go on: with what was mended, or from where it waits; `one` step only, or to the end."""
        with self._turn:
            self._halted, self._stepwise, self._until = False, one, ""
            self._decision = "again"
            self._turn.notify_all()

    def go_to(self, place: str) -> None:
        """Go on up to a step, and wait there."""
        with self._turn:
            self._halted, self._stepwise, self._until = False, False, place
            self._decision = "again"
            self._turn.notify_all()

    def halt(self) -> None:
        """Wait before the next step."""
        with self._turn:
            self._halted = True

    def stop(self) -> None:
        """End it."""
        with self._turn:
            self._stopped = True
            self._decision = "stop"
            self._turn.notify_all()

    @property
    def page(self) -> Page | None:
        """The page that it waits at."""
        return self._resting

    @property
    def outputs(self) -> Mapping[str, Records]:
        """What was extracted so far."""
        return self.played.outputs if self.played else {}

    def to_json(self) -> dict[str, Any]:
        """The replay as its viewer is told."""
        return {
            "state": self.state,
            "place": self.place,
            "why": self.why,
            "logged_out": self.logged_out,
            "box": box_shape(self.box),
            "outcomes": {place: {"state": one.state, "why": one.why} for place, one in self.outcomes.items()},
            "outputs": {name: len(records) for name, records in self.outputs.items()},
            "verdict": self.played.verdict if self.played and self.state == "ended" else None,
            "doubts": list(self.played.doubts) if self.played and self.state == "ended" else [],
        }

    # ------------------------------------------------------------------ called by the player

    def before(self, moment: Moment, browsing: Browsing) -> None:
        """A step is about to be done: wait here, if somebody wants to look."""
        self.place, self.box = moment.place, None
        with self._turn:
            waits = self._halted or self._stepwise or self._until == moment.place
        self.outcomes = {place: one for place, one in self.outcomes.items() if not _is_again(place, moment.place)}
        if waits and moment.done:
            self._wait("waiting", "", browsing.page)
        if self._stopped:
            raise JobCancelled(moment.done)
        self._tell("running")

    def after(self, moment: Moment, outcome: StepOutcome) -> None:
        """A step was done, or could not be."""
        self.box = outcome.box
        self.outcomes[moment.place] = _Outcome("failed" if outcome.problem else "done", outcome.problem)
        if not outcome.problem:
            self._logs_in = isinstance(moment.step, FillStep | CheckStep) and (
                self._logs_in or isinstance(getattr(moment.step, "text", None), SecretName)
            )
        self.played = self.playing.so_far()
        self._on_change()

    def _ask(self, moment: Moment, problem: str) -> Step | None:
        """Wait until somebody has mended a step, or gives up."""
        page = self._page_now()
        # A script that is just logging in meets such a page on purpose.
        logs_in = self._logs_in or isinstance(getattr(moment.step, "text", None), SecretName)
        self.logged_out = page is not None and asks_for_password(page) and not logs_in
        decision = self._wait("failed", f"{ASKS} {problem}" if self.logged_out else problem, page)
        self.logged_out = False
        if decision != "again" or self._stopped:
            return None
        return self._current_step(moment.place) or moment.step

    def _page_now(self) -> Page | None:
        try:
            return self._session.capture(log_in=True)
        except SightlineError:  # a page that cannot be looked at is not one that asks for a password
            return None

    # ------------------------------------------------------------------ how it runs

    def _wait(self, state: ReplayState, why: str, page: Page | None) -> str:
        self._resting, self.why = page, why
        with self._turn:
            self._decision = None
        self._tell(state)
        with self._turn:
            while self._decision is None and not self._stopped:
                self._turn.wait()
            decision = self._decision or "stop"
        self._resting, self.why = None, ""
        return decision

    def _tell(self, state: ReplayState) -> None:
        self.state = state
        self._on_change()

    def _run(self) -> None:
        try:
            self.played = self.playing.run()
            self.why = "" if self.played.ended == "end" else self.played.why
        except SightlineError as problem:
            self.why = without_folders(problem.message)
        self._tell("ended")


def _is_again(place: str, other: str) -> bool:
    """Whether a place is another one or in it, so that what came of it belongs to an earlier turn of a loop."""
    return place == other or place.startswith(f"{other}.")
