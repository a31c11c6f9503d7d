"""What is kept on disk: the project folder, versioned documents, journals, locks, and files that appear whole."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.project._documents import (
        ANY,
        Documents,
        EditStep,
        Steps,
        StoredDocument,
        check_name,
        check_version,
        version_of,
    )
    from sightline.project._journal import Journal, JournalContent, read_journal
    from sightline.project._known_projects import (
        KnownProject,
        ProjectKeys,
        known_projects,
        project_keys,
        remember_project,
    )
    from sightline.project._locks import Lock, is_held, marked_lock, remove_abandoned, take
    from sightline.project._project import History, PageInfo, Project, StoredRun, is_page_id, page_info
    from sightline.project._replacing import Part, explained, part_of, replacing

__all__ = [
    "ANY",
    "Documents",
    "EditStep",
    "History",
    "Journal",
    "JournalContent",
    "KnownProject",
    "Lock",
    "PageInfo",
    "Part",
    "Project",
    "ProjectKeys",
    "Steps",
    "StoredDocument",
    "StoredRun",
    "check_name",
    "check_version",
    "explained",
    "is_held",
    "is_page_id",
    "known_projects",
    "marked_lock",
    "page_info",
    "part_of",
    "project_keys",
    "read_journal",
    "remember_project",
    "remove_abandoned",
    "replacing",
    "take",
    "version_of",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_documents": "ANY Documents StoredDocument check_name check_version version_of EditStep Steps",
        "_journal": "Journal JournalContent read_journal",
        "_known_projects": "KnownProject ProjectKeys known_projects project_keys remember_project",
        "_locks": "Lock is_held marked_lock remove_abandoned take",
        "_project": "Project StoredRun is_page_id History PageInfo page_info",
        "_replacing": "Part explained part_of replacing",
    },
)
