"""What came of a script."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from sightline.data import Records, Verdict
from sightline.geometry import Box
from sightline.navigate.play._browsing import Browsing
from sightline.navigate.script import Step
from sightline.sources import Download

__all__ = ["Ended", "Moment", "Played", "StepOutcome", "Watcher"]

Ended: TypeAlias = Literal["end", "stop", "failed", "interrupted"]
"""Whether all steps were done, a step said to stop, one could not be done, or somebody interrupted it."""


@dataclass(frozen=True)
class Played:
    """What a script extracted, by the names of its outputs; how it ended and why; and what may be wrong.

    `steps` counts those that were done, `downloads` are the files that were stored.
    `doubts` says what else a reader of the data has to know.
    """

    outputs: Mapping[str, Records]
    ended: Ended
    why: str = ""
    doubts: tuple[str, ...] = ()
    steps: int = 0
    downloads: tuple[Download, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """Whether everything was done, and without doubts."""
        if self.ended in ("failed", "interrupted"):
            kept = self.downloads or any(len(one) for one in self.outputs.values())
            return "suspicious" if kept else "failed"
        return "suspicious" if self.doubts else "ok"

    @property
    def records(self) -> Records:
        """The records, if all are in one output; the first output otherwise."""
        return next(iter(self.outputs.values()), Records(()))


# Who watches a script being played: a progress line, a trace, the Studio.


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
