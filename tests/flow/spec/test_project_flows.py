"""The flows of a project folder: what a crash, a damaged file or another editor leave, and what a draft can run."""

from pathlib import Path

import pytest

from sightline.errors import ConflictError, UsageError
from sightline.flow.spec import FlowDraft, ProjectFlows, set_key
from sightline.flow.spec._flow import renamed_in_sql
from sightline.flow.spec._project import MOST_SAVES
from sightline.project import Project

TEXT = "flow: 1\nsteps:\n  a:\n    read: a.csv  # ours\n"


@pytest.fixture
def flows(tmp_path: Path) -> ProjectFlows:
    """A project with one flow."""
    found = ProjectFlows(Project(tmp_path))
    found.create("prices", TEXT)
    return found


def _read(flows: ProjectFlows, file: str) -> None:
    flows.edit("prices", "*", lambda draft: set_key(draft, "a", "read", file))


def test_a_crash_between_history_and_flow_leaves_both_in_order(flows: ProjectFlows) -> None:
    """The history knows both versions, so that it is where the file is."""
    _read(flows, "b.csv")
    flows.path("prices").write_text(TEXT)  # as if the second had never been written
    stored = flows.load("prices")
    assert stored.text == TEXT
    assert (stored.history.steps.words, stored.history.steps.at) == (["a: read b.csv"], 0)
    flows.move("prices", stored.version, "redo")
    assert "b.csv" in flows.load("prices").text


def test_a_damaged_history_begins_anew(flows: ProjectFlows, tmp_path: Path) -> None:
    """The flow itself is what counts."""
    _read(flows, "b.csv")
    (tmp_path / "flows" / "prices" / "edits.json").write_bytes(b"{no json")
    stored = flows.load("prices")
    assert "b.csv" in stored.text
    assert stored.history.steps.words == []
    _read(flows, "c.csv")
    flows.move("prices", "*", "undo")
    assert flows.load("prices").text == stored.text


def test_old_versions_are_forgotten_in_time(
    flows: ProjectFlows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their number is bounded, and what can be undone is always there."""
    monkeypatch.setattr("sightline.flow.spec._project.MOST_SAVES", 6)
    for number in range(12):
        _read(flows, f"{number}.csv")
    kept = list((tmp_path / "flows" / "prices" / "versions").iterdir())
    assert 3 <= len(kept) <= 8 < MOST_SAVES
    for _ in range(3):
        flows.move("prices", "*", "undo")
    assert "8.csv" in flows.load("prices").text
    with pytest.raises(UsageError, match="nothing to undo"):
        flows.move("prices", "*", "undo")


def test_a_deleted_flow_leaves_its_versions(flows: ProjectFlows) -> None:
    """Another one of its name goes on with them; one that is there is never replaced."""
    first = flows.load("prices").version
    with pytest.raises(ConflictError, match="already"):
        flows.create("prices", TEXT)
    flows.delete("prices", first)
    flows.create("prices", "flow: 1\n")
    assert flows.text_of("prices", first) == TEXT


def test_the_sound_part_of_a_draft_leaves_out_what_a_problem_reaches() -> None:
    """A step with a problem, and all that take its rows."""
    draft = FlowDraft.loads(
        "flow: 1\nsteps:\n  a:\n    read: a.csv\n  b:\n    sql: SELEC\n  c:\n    deliver: b\n    to: x\n"
        "  d:\n    sql: SELECT * FROM a\n  e:\n    deliver: e\n    to: x\n"
    )
    assert list(draft.sound_part().steps) == ["a", "d"]
    assert draft.sound_part().order == ("a", "d")


@pytest.mark.parametrize(
    ("sql", "renamed"),
    [
        ("SELECT * FROM north", "SELECT * FROM nord"),
        ('SELECT "north".x, n.y FROM North n, "north"', "SELECT nord.x, n.y FROM nord n, nord"),
        ("SELECT 'north' AS x FROM north -- north", "SELECT 'north' AS x FROM nord -- north"),
        ("SELECT é, 'ü' FROM north WHERE north.z > 1", "SELECT é, 'ü' FROM nord WHERE nord.z > 1"),
        ("SELECT north.* EXCLUDE (a) FROM north", "SELECT nord.* EXCLUDE (a) FROM nord"),
        ("SELECT north FROM north", None),
        ("SELECT x AS north FROM north", None),
        ("WITH north AS (SELECT 1) SELECT * FROM north", None),
        ("SELECT * FROM south AS north", None),
        ("SELEC", None),
    ],
)
def test_sql_is_renamed_only_if_it_means_the_same(sql: str, renamed: str | None) -> None:
    """Texts, comments, columns and aliases of that name are not the table."""
    assert renamed_in_sql(sql, "north", "nord") == renamed
