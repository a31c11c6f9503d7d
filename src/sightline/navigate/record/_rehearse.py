"""The rehearsal of a recorded script: played once in a fresh session, to say which steps are doubtful."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sightline.data import Verdict
from sightline.navigate.play import Browsing, Moment, Played, Playing, StepOutcome
from sightline.navigate.record._steps import RecordedStep
from sightline.navigate.script import ClickStep, Script
from sightline.page import Page
from sightline.sources import Session

__all__ = ["DoubtfulStep", "Rehearsal", "rehearse"]


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
