"""Undo and redo as data: a list of steps, and how many of them count."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sightline.documents import check_document
from sightline.errors import UsageError

__all__ = ["EditStep", "Steps"]

EditStep: TypeAlias = dict[str, Any]
"""One change as plain values; its `words` say what it does: "renamed price → Price"."""


@dataclass(frozen=True)
class Steps:
    """Steps in order, of which the first `at` count; the others were undone and can be redone.

    A new step takes the place of what was undone.

    >>> steps = Steps().then({"action": "drop", "words": "dropped price"}).undone()
    >>> steps.done, steps.redone().done
    ((), ({'action': 'drop', 'words': 'dropped price'},))
    >>> steps.undone()
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: There is nothing to undo.
    """

    steps: tuple[EditStep, ...] = ()
    at: int = 0

    @property
    def done(self) -> tuple[EditStep, ...]:
        """The steps that count."""
        return self.steps[: self.at]

    @property
    def words(self) -> list[str]:
        """What each step does, also those that were undone."""
        return [str(step.get("words", "")) for step in self.steps]

    def then(self, step: EditStep) -> "Steps":
        """One step more, in place of all that were undone."""
        return Steps((*self.done, step), self.at + 1)

    def undone(self) -> "Steps":
        """The same without the last step that counts."""
        if not self.at:
            raise UsageError("There is nothing to undo.")
        return Steps(self.steps, self.at - 1)

    def redone(self) -> "Steps":
        """The same with the last step that was undone."""
        if self.at >= len(self.steps):
            raise UsageError("There is nothing to redo.")
        return Steps(self.steps, self.at + 1)

    def to_json(self) -> dict[str, Any]:
        """The steps as plain values."""
        return {"steps": list(self.steps), "at": self.at}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Steps":
        """The steps of a document; an error says what is wrong with it."""
        check_document(document, _Written)
        steps = tuple(document.get("steps", ()))
        return cls(steps, min(max(document.get("at", len(steps)), 0), len(steps)))


@dataclass
class _Written:
    """The form of steps in a document."""

    steps: list[dict[str, Any]] = field(default_factory=list)
    at: int = 0
