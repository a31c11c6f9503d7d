"""A project folder: pages by their id, runs with their verdicts, what good runs looked like, versioned documents."""

from sightline.store._history import History
from sightline.store._page_info import PageInfo, page_info
from sightline.store._projects import KnownProject, ProjectKeys, known_projects, project_keys, remember_project
from sightline.store._steps import EditStep, Steps
from sightline.store._store import Store, StoredRun, is_page_id
from sightline.store._versions import ANY, Documents, StoredDocument, check_name, check_version, version_of

__all__ = [
    "ANY",
    "Documents",
    "EditStep",
    "History",
    "KnownProject",
    "PageInfo",
    "ProjectKeys",
    "Steps",
    "Store",
    "StoredDocument",
    "StoredRun",
    "check_name",
    "check_version",
    "is_page_id",
    "known_projects",
    "page_info",
    "project_keys",
    "remember_project",
    "version_of",
]
