"""Flows that run on time while the Studio is open."""

from pathlib import Path
from typing import Any

from sightline.flow.schedule import schedule_history
from sightline.flow.schedule._store import ScheduleStore

from .._wait import wait_until
from ._running import Running, running

TEXT = "flow: 1\nsteps:\n  a:\n    read: a.csv\n"


def _scheduled(studio: Running, state: dict[str, Any], text: str) -> dict[str, Any]:
    edit = {"action": "schedule", "text": text}
    found: dict[str, Any] = studio.post("/flows/timed/edits", edit, headers={"If-Match": state["version"]})
    return found


def test_a_flow_runs_when_it_is_due(tmp_path: Path) -> None:
    """From when its schedule is written until it is taken away, as a job that everybody sees."""
    (tmp_path / "a.csv").write_text("x\n1\n")
    with running(tmp_path) as studio:
        assert studio.get("/about")["schedule"] == "No flow has a schedule."
        state = studio.post("/flows", {"name": "timed", "text": TEXT}, 201)
        state = _scheduled(studio, state, "every second UTC")
        wait_until(lambda: (studio.get("/flows")[0]["last"] or {}).get("verdict") == "ok")
        assert studio.get("/about")["schedule"] == "timed is run on time while the Studio is open."
        assert studio.get("/flows")[0]["due"]
        assert any(job["kind"] == "flow" and job["title"] == "timed" for job in studio.get("/jobs")["jobs"])
        _scheduled(studio, state, "")
        wait_until(lambda: studio.get("/about")["schedule"] == "No flow has a schedule.")
    entries = schedule_history(tmp_path, "timed")
    assert entries
    assert {entry.outcome for entry in entries} <= {"done", "skipped", "covered"}
    assert entries[0].note == "ok"


def test_a_schedule_that_runs_elsewhere_is_left_to_that(tmp_path: Path) -> None:
    """`sightline schedule` on the same folder holds the lock; the Studio says so and runs nothing itself."""
    (tmp_path / "a.csv").write_text("x\n1\n")
    with ScheduleStore(tmp_path).locked(), running(tmp_path) as studio:
        state = studio.post("/flows", {"name": "timed", "text": TEXT}, 201)
        _scheduled(studio, state, "every second UTC")
        wait_until(lambda: "A schedule already runs" in studio.get("/about")["schedule"])
        assert studio.get("/flows")[0]["last"] is None
