"""Who watches a script being played: a progress line, a trace, the Studio."""

from dataclasses import dataclass
from typing import Protocol

from sightline.navigate.play._browsing import Browsing
from sightline.navigate.script import Step

__all__ = ["Moment", "Watcher"]


@dataclass(frozen=True)
class Moment:
    """A step that is about to be done: its number, such as 3.2 for the second step in the third, and the step.

    `done` counts the steps before it, `record` is the first value of the record that a loop is at.
    """

    place: str
    step: Step
    done: int
    record: str = ""


class Watcher(Protocol):
    """Is told of every step, before and after."""

    def before(self, moment: Moment, browsing: Browsing) -> None:
        """A step is about to be done."""

    def after(self, moment: Moment, problem: str, how: str) -> None:
        """It was done, or there was a problem; `how` is the way in which its target was found."""
