"""Projects: which were opened before, and going on with another one in the same server."""

import threading
from pathlib import Path

import pytest

from sightline.project import known_projects, project_keys, remember_project

from ._running import running


@pytest.fixture(autouse=True)
def _own_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has a list of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_the_last_opened_project_comes_first(tmp_path: Path) -> None:
    """Those that were deleted are left out; a spoilt list is an empty one."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "project.json").write_text("{}")
        remember_project(tmp_path / name)
    remember_project(tmp_path / "gone")
    assert [one.name for one in known_projects()] == ["two", "one"]
    remember_project(tmp_path / "one")
    assert [one.name for one in known_projects()] == ["one", "two"]
    (tmp_path / "state" / "sightline" / "projects.json").write_text('[{"folder": 1}, 5]')
    assert known_projects() == []
    (tmp_path / "state" / "sightline" / "projects.json").write_text("{")
    assert known_projects() == []


def test_a_project_has_the_same_keys_at_each_start(tmp_path: Path) -> None:
    """Each project has its own; only the user can read them; a spoilt file gives new ones."""
    keys = project_keys(tmp_path / "one")
    assert project_keys(tmp_path / "one") == keys
    assert project_keys(tmp_path / "two").token != keys.token
    path = tmp_path / "state" / "sightline" / "keys.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert keys.token not in repr(keys)
    path.write_text('{"a": 5}')
    assert project_keys(tmp_path / "one") != keys
    path.write_text(f'{{"{tmp_path / "one"}": {{"token": "", "session": ""}}}}')
    assert project_keys(tmp_path / "one").token


def test_another_project_is_opened_and_the_first_again(tmp_path: Path) -> None:
    """A new folder beside this one is a new project; nothing of the old one shows in it."""
    with running(tmp_path / "first") as studio:
        remember_project(tmp_path / "first")
        job = studio.finished(studio.post("/examples/camera-shop", status=202))
        assert job["state"] == "done"
        opened = studio.post("/projects/open", {"folder": str(tmp_path / "second")})
        assert (opened["name"], opened["current"]) == ("second", True)
        assert studio.get("/about")["project"]["name"] == "second"
        assert studio.get("/pages")["pages"] == []
        assert [(one["name"], one["current"]) for one in studio.get("/home")["projects"]] == [
            ("second", True),
            ("first", False),
        ]
        studio.post("/projects/open", {"folder": str(tmp_path / "first")})
        assert len(studio.get("/pages")["pages"]) == 1


def test_nothing_is_left_while_work_goes_on(tmp_path: Path) -> None:
    """It would end with the project."""
    with running(tmp_path / "first") as studio:
        end = threading.Event()
        job = studio.studio.board.start("run", "prices", lambda _: end.wait(60))
        problem = studio.post("/projects/open", {"folder": str(tmp_path / "second")}, 422)
        assert problem["detail"].startswith("prices is still going on here")
        end.set()
        studio.finished({"id": job.id})
        begun = studio.post("/recordings", {"practice": True}, 201)
        problem = studio.post("/projects/open", {"folder": str(tmp_path / "second")}, 422)
        assert problem["detail"].startswith("Recording camera shop is still going on here")
        studio.client.delete(f"/api/recordings/{begun['id']}")
        studio.post("/projects/open", {"folder": str(tmp_path / "second")})


@pytest.mark.slow
@pytest.mark.parametrize(
    "folder", ["/etc", "{tmp}/other/deep", "{tmp}/first/pages", "{tmp}/full", "{tmp}/\x01odd", "~nobody\x01", "a\x00b"]
)
def test_not_every_folder_can_be_opened_from_a_browser(tmp_path: Path, folder: str) -> None:
    """Only projects that were opened before, and new folders beside them."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "diary.txt").write_text("dear diary")
    with running(tmp_path / "first") as studio:
        problem = studio.post("/projects/open", {"folder": folder.format(tmp=tmp_path)}, 422)
        assert problem["code"] == "usage"
        assert studio.get("/about")["project"]["name"] == "first"
