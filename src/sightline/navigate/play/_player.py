"""Plays a script in a session, step by step. Nothing is clicked unless it is certain what it is."""

from collections.abc import Callable, Sequence
from time import sleep
from typing import TypeAlias

from sightline.errors import CrashError, SightlineError
from sightline.navigate.play._acting import ACTIONS
from sightline.navigate.play._blocks import BLOCKS
from sightline.navigate.play._browsing import TargetError
from sightline.navigate.play._looking import LOOKS
from sightline.navigate.play._page_records import ListMissing
from sightline.navigate.play._played import Played
from sightline.navigate.play._run import Run, StepError, StopAsked
from sightline.navigate.play._watch import Moment, StepOutcome, Watcher
from sightline.navigate.script import (
    DialogStep,
    LogInStep,
    OpenStep,
    SetStep,
    Step,
    TabStep,
)

__all__ = ["Mend", "Player"]

PLAIN = {**ACTIONS, **LOOKS}
ELSE = "else."  # in the numbers of steps that are done otherwise: 3.else.1

Mend: TypeAlias = Callable[[Moment, str], Step | None]
"""Asked about a step that could not be done, and why: gives the step to do instead, or None to stop there."""


class Player:
    """Plays one script once."""

    def __init__(
        self, run: Run, watchers: Sequence[Watcher] = (), *, slow: float = 0.0, mend: Mend | None = None
    ) -> None:
        self._run = run
        self._watchers = watchers
        self._slow = slow
        self._mend = mend
        self._mended: dict[str, Step] = {}  # by their places, since a loop comes to them again

    def play(self, start: int = 1) -> Played:
        """Play from a step on, by its number in the script; what was extracted is kept, however it ends."""
        try:
            self._begin(start)
            self._steps(self._run.script.steps[start - 1 :], "", start)
        except StopAsked as told:
            return self._run.played("stop", str(told))
        except SightlineError as problem:
            return self._run.played("failed", problem.message)
        return self._run.played("end")

    def so_far(self) -> Played:
        """What was extracted until somebody interrupted it."""
        return self._run.played("interrupted", "it was interrupted")

    def _begin(self, start: int) -> None:
        """Get ready for a later step: the last address before it is opened, and settings are made."""
        before = self._run.script.steps[: start - 1]
        opened = [step for step in before if isinstance(step, OpenStep)][-1:]
        for number, step in enumerate(before, 1):
            if isinstance(step, LogInStep | DialogStep) or step in opened or _is_plain(step):
                self._step(step, str(number))

    def _steps(self, steps: Sequence[Step], prefix: str, first: int = 1) -> None:
        for number, step in enumerate(steps, first):
            self._step(step, f"{prefix}{number}")

    def _step(self, step: Step, place: str) -> None:
        step = self._mended.get(place, step)
        while (other := self._attempt(step, place)) is not None:
            step = self._mended[place] = other
            self._run.browsing.changed()

    def _attempt(self, step: Step, place: str) -> Step | None:
        """Do a step; one that cannot be done may be mended: then this is what to do instead."""
        run = self._run
        around = run.scope.current
        moment = Moment(place, step, run.done, around.label if around else "")
        if self._slow and run.done:
            sleep(self._slow)
        for watcher in self._watchers:
            watcher.before(moment, run.browsing)
        run.how, run.box, run.note, problem = "", None, "", "it was interrupted"
        failed: SightlineError | None = None
        try:
            self._do(step, place)
            problem = ""
        except StopAsked:
            problem = ""
            raise
        except SightlineError as error:
            problem = run.secrets.blacken(error.message)
            failed = error
        finally:
            run.done += not problem
            outcome = StepOutcome(problem, run.how, run.box, run.secrets.blacken(run.note))
            for watcher in self._watchers:
                watcher.after(moment, outcome)
        if failed is None:
            return None
        # What went wrong in an inner step was asked about there.
        other = self._mend(moment, problem) if self._mend and not isinstance(failed, StepError) else None
        if other is None:
            raise self._placed(failed, step, place) from failed
        return other

    def _placed(self, error: SightlineError, step: Step, place: str) -> SightlineError:
        """An error that says at which step it happened; inner steps have said so already."""
        if isinstance(error, StepError):
            return error
        blacken = self._run.secrets.blacken
        where = f"{self._run.script.file}, line {step.line}, step {place} ({blacken(str(step))})"
        hint = ""
        if self._run.new_tab and isinstance(error, TargetError | ListMissing):
            hint = f" Step {self._run.new_tab} opened a new tab; go on there with `tab: newest`."
        return StepError(f"{where}: {blacken(error.message)}{hint}", cause=error)

    def _do(self, step: Step, place: str) -> None:
        """Do a step; one whose tab crashes is done once more, in a fresh one."""
        run, block = self._run, BLOCKS.get(type(step))
        if block:
            otherwise = getattr(step, "otherwise", ())
            block(run, step, lambda steps: self._steps(steps, f"{place}.{ELSE if steps is otherwise else ''}"))
            return
        tabs = len(run.session.tabs)
        try:
            PLAIN[type(step)](run, step)
            run.new_tab = place if len(run.session.tabs) > tabs else "" if isinstance(step, TabStep) else run.new_tab
        except CrashError:
            run.session.renew()
            run.browsing.changed()
            run.doubts.append(f"the tab crashed at step {place} ({step}), which was then done in a fresh one")
            PLAIN[type(step)](run, step)


def _is_plain(step: Step) -> bool:
    """Whether a step gives texts to variables, and needs no page for that."""
    return isinstance(step, SetStep) and all(reading.text is not None for reading in step.values.values())
