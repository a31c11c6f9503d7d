"""What is kept on disk: journals, locks, files that appear whole, and documents with versions."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.project._journal import Journal, JournalContent, read_journal
    from sightline.project._locks import Lock, is_held, marked_lock, remove_abandoned, take
    from sightline.project._replacing import Part, explained, part_of, replacing

__all__ = [
    "Journal",
    "JournalContent",
    "Lock",
    "Part",
    "explained",
    "is_held",
    "marked_lock",
    "part_of",
    "read_journal",
    "remove_abandoned",
    "replacing",
    "take",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_journal": "Journal JournalContent read_journal",
        "_locks": "Lock is_held marked_lock remove_abandoned take",
        "_replacing": "Part explained part_of replacing",
    },
)
