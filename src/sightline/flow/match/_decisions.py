"""Decisions of people about pairs: kept in a file, used again, and learned from.

A decision is about two texts, not about two numbers: it holds when the tables are sorted anew, and is asked for again
when a record changed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from sightline.errors import ConflictError, OutputError, UnreadableError
from sightline.project import Journal, read_journal

__all__ = ["Decision", "Decisions"]


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """That two records are the same, or not, with the evidence of the time.

    Without evidence it holds, but nothing is learned from it. What was answered by one stroke has one `stroke`, and is
    taken back by one.
    """

    left: str
    right: str
    same: bool
    evidence: tuple[float, ...] = ()
    stroke: str = ""


@dataclass(frozen=True)
class Decisions:
    """The decisions of a file, one JSON object per line; the last word on a pair counts.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = Decisions(Path(folder) / "decisions.jsonl")
    ...     kept.add(Decision("EOS 5D", "Canon EOS 5D", same=True))
    ...     kept.same("EOS 5D", "Canon EOS 5D"), kept.same("EOS 5D", "EOS 6D")
    (True, None)
    """

    path: Path

    def __iter__(self) -> Iterator[Decision]:
        return iter(self._latest().values())

    def same(self, left: str, right: str) -> bool | None:
        """What was decided about a pair, if anything."""
        found = self._latest().get((left, right))
        return found.same if found else None

    def add(self, *decisions: Decision) -> None:
        """Write some down at once, so that nothing is lost when a review is broken off."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with Journal(self.path) as journal:
                journal.add(*decisions)
        except OSError as problem:
            raise OutputError(
                f"The decision was not kept, since {self.path} cannot be written ({problem.strerror}); "
                "name another file with --decisions."
            ) from problem

    def take_back(self) -> Decision | None:
        """Forget the last decision; what it was, or None if there is none."""
        if not self.path.exists():
            return None
        with Journal(self.path) as journal:
            kept = self.all()
            if not kept:
                return None
            journal.replace(kept[:-1])
            return kept[-1]

    def take_back_all(self, last: Sequence[Decision]) -> None:
        """Forget the last decisions, if they are the last; somebody else may have added others meanwhile."""
        with Journal(self.path) as journal:
            kept = self.all()
            if not last or kept[-len(last) :] != list(last):
                raise ConflictError(str(self.path), "somebody else has decided meanwhile; load the review again.", "")
            journal.replace(kept[: -len(last)])

    def all(self) -> list[Decision]:
        """Every decision in the order in which they were made, also those that a later one about the pair replaced."""
        try:
            return read_journal(self.path).entries(Decision, "a decision")
        except OSError as problem:
            raise UnreadableError(str(self.path), f"cannot be read ({problem.strerror}); check its name.") from problem

    def _latest(self) -> dict[tuple[str, str], Decision]:
        return {(one.left, one.right): one for one in self.all()}
