"""The journal of a shard: an entry before each document and its outcome after it, in a file that survives the process.

Whoever takes the shard over goes on after the last outcome; a document that was begun and has no outcome was on the
table when the process died. Entries are written at once, so that they outlive the process; they are not synced, since
after a power cut a lost outcome is only made again. For the same reason a journal ends where it is damaged.
"""

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from sightline.project import Journal, read_journal

__all__ = ["JournalState", "ShardJournal", "journal_path", "journals_of", "read_journals", "remove_journals"]

SUFFIX = ".journal"


class _ShardEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """That a document was begun, by its number in the shard, or its outcome."""

    document: int
    outcome: bytes | None = None


def journal_path(folder: Path, shard: str, fence: int) -> Path:
    """The journal of one attempt at a shard."""
    return folder / f"{shard}.{fence:06d}{SUFFIX}"


def journals_of(folder: Path, shard: str) -> list[Path]:
    """The journals of all attempts at a shard, the first one first."""
    return sorted(folder.glob(f"{shard}.*{SUFFIX}"))


def remove_journals(folder: Path) -> None:
    """Remove the journals of all shards."""
    for path in folder.glob(f"*{SUFFIX}"):
        path.unlink(missing_ok=True)


class ShardJournal(Journal):
    """A journal to be written, after the whole entries that are there."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, sync=False)

    def begin(self, number: int) -> None:
        """Note which document comes now."""
        self.add(_ShardEntry(number))

    def outcome(self, number: int, packed: bytes) -> None:
        """Note what became of it."""
        self.add(_ShardEntry(number, packed))


@dataclass
class JournalState:
    """What journals say: the outcomes by number, and the document that was begun last and has none."""

    outcomes: dict[int, bytes] = field(default_factory=dict)
    on_the_table: int | None = None


def read_journals(paths: list[Path]) -> JournalState:
    """What all attempts at a shard have done; what stood on the table in earlier attempts was dealt with then."""
    state = JournalState()
    for path in filter(Path.exists, paths):
        state.on_the_table = None
        for entry in _entries(path):
            state.on_the_table = entry.document if entry.outcome is None else None
            if entry.outcome is not None:
                state.outcomes[entry.document] = entry.outcome
    return state


def _entries(path: Path) -> list[_ShardEntry]:
    found = []
    for line in read_journal(path).lines:
        try:
            found.append(msgspec.json.decode(line, type=_ShardEntry))
        except (msgspec.DecodeError, UnicodeDecodeError):
            break
    return found
