"""What is kept of a run for those who check it: verdicts, issues with their places, fill rates and outlier scores."""

from typing import Any

import orjson

from sightline.checks import Issue, Outliers, PageRecords
from sightline.data import Column, Records, Verdict, join_records, worst_verdict
from sightline.documents import MOST_BYTES, decoded_document
from sightline.files import make_folder, read_bytes, write_bytes
from sightline.jobs import CheckedRun, record_outliers
from sightline.server._caches import Cache
from sightline.server._found import names_not_found
from sightline.server._problems import ProblemError
from sightline.server._shapes import RowsView, box_shape, encodable
from sightline.server._studio import Studio
from sightline.store import StoredRun, check_name

__all__ = ["RunDesk"]

CACHED = 8  # runs whose rows stay in memory
MOST_SCORES = 3_000  # outlier scores of a run; the highest, since those are what people look for
MOST_LOOKED_AT = 40  # pages whose values are compared by their looks; each takes about a tenth of a second
MOST_ISSUES = 1_000


class RunDesk:
    """The runs of a project, with what their checks found."""

    def __init__(self, studio: Studio) -> None:
        self._store = studio.store
        self._views: Cache[str, RowsView] = Cache(CACHED)

    def keep(self, name: str, run: CheckedRun, ids: dict[str, str]) -> str:
        """Keep a checked run; `ids` are those of the pages, by their sources. Returns the run's id."""
        records = join_records([read.records for read in run.records]) if run.records else Records([])
        reasons = tuple(str(issue) for issue in run.report.issues[:MOST_ISSUES])
        stored = StoredRun(name, run.report.verdict, "", len(run.sources), reasons, tuple(ids.values()))
        run_id = self._store.keep_run(stored).stem
        self._store.keep_rows(run_id, records.columns)
        details = _details(run, ids, records)
        path = self._store.folder / "runs" / f"{run_id}.check"
        make_folder(path.parent)
        write_bytes(path, orjson.dumps(details))
        if run.report.verdict == "ok" and run.records:
            self._store.keep_profile(name, run.profile)
        return run_id

    def runs(self) -> list[tuple[str, StoredRun, int]]:
        """All runs with their ids and numbers of rows, the newest first."""
        return [(run.id, run, self._count(run.id)) for run in reversed(self._store.runs())]

    def run(self, run_id: str) -> tuple[StoredRun, dict[str, Any]]:
        """A run, and what its checks found; of a run that was not checked, only its verdict and reasons."""
        found = next((run for run in self._store.runs() if run.id == _checked_id(run_id)), None)
        if found is None:
            raise ProblemError("not-found", "There is no such run in the project.")
        return found, self._details(run_id) or _bare(found)

    def view(self, run_id: str) -> RowsView:
        """The rows of a run."""
        return self._views.get(run_id, lambda: RowsView(self.columns(run_id), page=ANYWHERE))

    def columns(self, run_id: str) -> tuple[Column, ...]:
        """The rows of a run as columns."""
        self.run(run_id)
        return self._store.rows(run_id) or ()

    def _details(self, run_id: str) -> dict[str, Any] | None:
        path = self._store.folder / "runs" / f"{_checked_id(run_id)}.check"
        if not path.exists():
            return None
        found = decoded_document(read_bytes(path, "run it again", MOST_BYTES))
        return found if isinstance(found, dict) else None

    def _count(self, run_id: str) -> int:
        details = self._details(run_id)
        if details:
            return int(details["rows"])
        columns = self._store.rows(run_id)
        return len(columns[0].cells) if columns else 0


# The rows of a run are of many pages, so every cell names its own; no page has this id.
ANYWHERE = "-"


def _checked_id(run_id: str) -> str:
    with names_not_found():
        return check_name(run_id, "a run")


def _bare(run: StoredRun) -> dict[str, Any]:
    issues: list[dict[str, Any]] = [
        {
            "check": "run",
            "severity": "notice" if run.verdict == "ok" else run.verdict,
            "field": None,
            "source": None,
            "page": None,
            "reason": reason,
            "boxes": [],
        }
        for reason in run.reasons
    ]
    return {"pages": [], "issues": issues, "fill": [], "outliers": None, "rows": 0}


# ---------------------------------------------------------------------- what is kept


def _details(run: CheckedRun, ids: dict[str, str], records: Records) -> dict[str, Any]:
    issues = [_issue(issue, ids) for issue in run.report.issues[:MOST_ISSUES]]
    read = {one.source: one for one in run.records}
    return {
        "pages": [_page(source, read.get(source), run, ids) for source, _ in run.sources],
        "issues": issues,
        "fill": [
            {"field": column.name, "filled": sum(cell is not None for cell in column.cells), "of": len(column.cells)}
            for column in records.columns
        ],
        "outliers": _outliers(record_outliers(run.records[:MOST_LOOKED_AT])),
        "rows": len(records),
    }


def _page(source: str, read: PageRecords | None, run: CheckedRun, ids: dict[str, str]) -> dict[str, Any]:
    about = run.about(source)
    verdicts: list[Verdict] = [about.verdict, read.verdict if read else "failed"]
    return {
        "id": ids.get(source),
        "source": encodable(source),
        "title": encodable(read.page.title if read and read.page else ""),
        "verdict": worst_verdict(verdicts),
        "records": len(read.records) if read else 0,
        "issues": len(about.issues),
    }


def _issue(issue: Issue, ids: dict[str, str]) -> dict[str, Any]:
    page = issue.evidence[0].page if issue.evidence else ids.get(issue.source or "")
    here = [origin for origin in issue.evidence if origin.page == page]
    return {
        "check": issue.check,
        "severity": issue.severity,
        "field": issue.field,
        "source": encodable(issue.source) if issue.source else None,
        "page": page,
        "reason": encodable(issue.reason),
        "boxes": [box for origin in here if (box := box_shape(origin.box))],
    }


def _outliers(found: Outliers | None) -> dict[str, Any] | None:
    if found is None or not len(found):
        return None
    rows = sorted(found.rows, key=lambda row: -row.score)[:MOST_SCORES]
    return {
        "method": found.method,
        "cut": found.cut,
        "share": round(found.share, 4),
        "scores": [
            {
                "page": row.page,
                "box": box_shape(row.origin.box),
                "text": encodable(row.text[:200]),
                "score": round(row.score, 4),
                "removed": row.removed,
                "why": list(row.why),
            }
            for row in rows
        ],
    }
