"""What came of a script."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sightline.data import Records, Verdict
from sightline.sources import Download

__all__ = ["Ended", "Played"]

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
