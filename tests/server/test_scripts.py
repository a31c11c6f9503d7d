"""Scripts over a real server: edited step by step, undone, and refused in words where they make no sense."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ._running import Running, running

TEXT = "navigation: 1\nsteps:\n  - open: https://shop.example/\n  - click: {button: Search}\n"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server."""
    with running(tmp_path_factory.mktemp("scripts")) as found:
        yield found


@pytest.fixture
def name(studio: Running) -> Iterator[str]:
    """A script with two steps."""
    studio.post("/scripts", {"name": "shop", "text": TEXT}, 201)
    yield "shop"
    studio.client.delete("/api/scripts/shop")


def _edit(studio: Running, name: str, status: int = 200, **change: Any) -> Any:
    return studio.post(f"/scripts/{name}/edits", change, status, headers={"If-Match": "*"})


@pytest.mark.slow
def test_an_edit_is_undone_and_redone(studio: Running, name: str) -> None:
    """Also by another server, which reads what was changed from the project."""
    made = _edit(studio, name, action="insert", place="end", step={"extract": "lists"})
    assert [step["word"] for step in made["steps"]] == ["open", "click", "extract"]
    assert _edit(studio, name, action="undo")["text"] == TEXT
    assert _edit(studio, name, action="redo")["text"] == made["text"]
    assert _edit(studio, name, 422, action="redo")["detail"] == "There is nothing to redo."


@pytest.mark.parametrize(
    "kept", ["{", "[]", "{}", '{"history": 5, "doubts": []}', '{"history": {"steps": [{}], "at": 1}, "doubts": [5]}']
)
def test_a_damaged_history_costs_only_the_undo(studio: Running, name: str, kept: str) -> None:
    """The script itself is what counts."""
    (studio.studio.folder / "scripts").mkdir(exist_ok=True)
    (studio.studio.folder / "scripts" / "shop.nav.history.json").write_text(kept)
    assert studio.get(f"/scripts/{name}")["history"] == {"steps": [], "at": 0}
    assert _edit(studio, name, action="remove", place="2")["history"]["at"] == 1


def test_a_file_that_is_no_utf8_is_not_rewritten_by_an_edit_of_a_step(studio: Running, name: str) -> None:
    """What cannot be read would be lost; the whole text can be replaced."""
    path = studio.studio.folder / "shop.nav.yaml"
    latin = TEXT.replace("Search", "Größe").encode("latin-1")
    path.write_bytes(latin)
    assert "UTF-8" in studio.get(f"/scripts/{name}")["problems"][0]
    assert "UTF-8" in _edit(studio, name, 422, action="remove", place="2")["detail"]
    assert path.read_bytes() == latin
    assert _edit(studio, name, action="text", text=TEXT)["problems"] == []


def test_a_secret_without_a_name_is_refused(studio: Running, name: str) -> None:
    """Braces with nothing in them are no text and no secret."""
    step = {"fill": {"textbox": "Name"}, "with": {}}
    assert "what is typed is missing" in _edit(studio, name, 422, action="insert", place="end", step=step)["detail"]


@pytest.mark.parametrize("value", [10**30, 10**400, "\ud800", ["\ud800"], {"\ud800": 1}, [[[[]]]], 1e308, "\x00"])
def test_hostile_values_leave_a_script_that_can_be_read(studio: Running, name: str, value: Any) -> None:
    """They are refused in words, or are a text like any other."""
    content = json.dumps({"action": "change", "place": "2", "key": "click", "value": value})
    headers = {"If-Match": "*", "Content-Type": "application/json"}
    answer = studio.client.post(f"/api/scripts/{name}/edits", content=content, headers=headers)
    assert answer.status_code in (200, 422), answer.text
    assert studio.get(f"/scripts/{name}")["problems"] == []
