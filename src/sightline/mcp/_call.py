"""One call of a tool while it is worked on: how far it is, and whether anybody still waits for it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from sightline.jobs import Cancel, Progress

__all__ = ["Tell", "ToolCall"]

Tell: TypeAlias = Callable[[Progress], None]
"""What hears of progress; it is called in the thread that works."""


def _nobody(_: Progress) -> None:
    """Discard progress."""


@dataclass(frozen=True)
class ToolCall:
    """A call under way. `cancel` is requested when the client cancels it, goes away, or waits in vain."""

    cancel: Cancel = field(default_factory=Cancel)
    tell: Tell = _nobody

    def at(self, what: str, done: int = 0, total: int | None = None) -> None:
        """Tell how far it is; raises `JobCancelled` if nobody waits for it any more."""
        self.cancel.check(done)
        self.tell(Progress(what, done=done, total=total))
