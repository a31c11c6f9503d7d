"""Who watches a script being played: a progress line, a trace, the Studio."""

from dataclasses import dataclass
from typing import Protocol

from sightline.geometry import Box
from sightline.navigate.play._browsing import Browsing
from sightline.navigate.script import Step

__all__ = ["Moment", "StepOutcome", "Watcher"]


@dataclass(frozen=True)
class Moment:
    """A step that is about to be done: its number, such as 3.2 for the second step in the third, and the step.

    `done` counts the steps before it, `record` is the first value of the record that a loop is at.
    """

    place: str
    step: Step
    done: int
    record: str = ""


@dataclass(frozen=True)
class StepOutcome:
    """What came of a step: a problem, if there was one; the way in which its target was found, and where it was.

    `note` says what a step did in particular: the address that it opened, the text that it typed, the values it set.
    """

    problem: str = ""
    how: str = ""
    box: Box | None = None
    note: str = ""


class Watcher(Protocol):
    """Is told of every step, before and after."""

    def before(self, moment: Moment, browsing: Browsing) -> None:
        """A step is about to be done."""

    def after(self, moment: Moment, outcome: StepOutcome) -> None:
        """It was done, or there was a problem."""
