"""What is kept on disk: the project folder, versioned documents, journals, locks, and files that appear whole."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.project._documents import ANY, Documents, StoredDocument, check_name, check_version, version_of
    from sightline.project._history import History
    from sightline.project._journal import Journal, JournalContent, read_journal
    from sightline.project._known_projects import (
        KnownProject,
        ProjectKeys,
        known_projects,
        project_keys,
        remember_project,
    )
    from sightline.project._locks import Lock, is_held, marked_lock, remove_abandoned, take
    from sightline.project._page_info import PageInfo, page_info
    from sightline.project._project import Project, StoredRun, is_page_id
    from sightline.project._replacing import Part, explained, part_of, replacing
    from sightline.project._steps import EditStep, Steps

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
        "_documents": "ANY Documents StoredDocument check_name check_version version_of",
        "_history": "History",
        "_journal": "Journal JournalContent read_journal",
        "_known_projects": "KnownProject ProjectKeys known_projects project_keys remember_project",
        "_locks": "Lock is_held marked_lock remove_abandoned take",
        "_page_info": "PageInfo page_info",
        "_project": "Project StoredRun is_page_id",
        "_replacing": "Part explained part_of replacing",
        "_steps": "EditStep Steps",
    },
)
