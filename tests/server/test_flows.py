"""Flows over a real server: opened, edited line by line, undone, and refused where two people meet."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ._running import Running, new_client, running

TEXT = """\
# Two lists of cameras
flow: 1
about: Cameras   # for Anna

steps:
  # from the north
  north:
    read: north.csv

  south:
    read: [south.csv]   # and the south

  offers:
    union: [north, south]
    columns:
      name: {north: title, south: product}

  cheap:
    sql: |
      SELECT offers.name FROM offers

  kept:
    deliver: cheap
    to: "out.duckdb#t"
"""


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server of an empty project."""
    with running(tmp_path_factory.mktemp("project")) as found:
        yield found


@pytest.fixture
def flow(studio: Running, request: pytest.FixtureRequest) -> dict[str, Any]:
    """A flow of its own for each test."""
    made: dict[str, Any] = studio.post("/flows", {"name": request.node.name[5:60], "text": TEXT}, 201)
    return made


def _edit(studio: Running, state: dict[str, Any], status: int = 200, **step: Any) -> dict[str, Any]:
    headers = {"If-Match": f'"{state["version"]}"'}
    step = {{"giver": "from", "taker": "to"}.get(key, key): value for key, value in step.items()}
    found: dict[str, Any] = studio.post(f"/flows/{state['name']}/edits", step, status, headers=headers)
    return found


def _changed(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that went, and those that came."""
    old, new = before.splitlines(), after.splitlines()
    return [line for line in old if line not in new], [line for line in new if line not in old]


def _node(state: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(step for step in state["steps"] if step["name"] == name)
    return found


def test_a_flow_is_opened_with_its_steps(studio: Running, flow: dict[str, Any]) -> None:
    """Each with its keys as they are written, its inputs by their ports, and its line."""
    state = studio.get(f"/flows/{flow['name']}")
    assert state["text"] == TEXT
    assert state["readable"]
    assert state["problems"] == []
    assert state["about"] == "Cameras"
    both = _node(state, "offers")
    assert both["word"] == "union"
    assert both["group"] == "combine"
    assert both["values"]["columns"] == {"name": {"north": "title", "south": "product"}}
    assert both["inputs"] == [{"port": "union", "step": "north"}, {"port": "union", "step": "south"}]
    assert _node(state, "cheap")["inputs"] == [{"port": "sql", "step": "offers"}]
    assert TEXT.splitlines()[both["line"] - 1] == "  offers:"
    listed = next(one for one in studio.get("/flows") if one["name"] == flow["name"])
    assert (listed["steps"], listed["problems"], listed["last"], listed["running"]) == (5, 0, None, None)


def test_one_edit_changes_only_its_lines(studio: Running, flow: dict[str, Any]) -> None:
    """Comments, quotes and blank lines stay, and undo brings back every byte."""
    state = _edit(studio, flow, action="set", step="south", key="read", value=["south.csv", "more.csv"])
    assert _changed(TEXT, state["text"]) == (
        ["    read: [south.csv]   # and the south"],
        ["    read: [south.csv, more.csv]   # and the south"],
    )
    state = _edit(studio, state, action="set", step="kept", key="mode", value="append")
    assert state["text"].endswith('    to: "out.duckdb#t"\n    mode: append\n')
    state = _edit(studio, state, action="set", step="kept", key="mode", value=None)
    assert state["history"]["at"] == 3
    for _ in range(3):
        state = _edit(studio, state, action="undo")
    assert state["text"] == TEXT
    assert state["version"] == flow["version"]
    state = _edit(studio, state, action="redo")
    assert "more.csv" in state["text"]
    answer = studio.client.get(f"/api/flows/{flow['name']}/download")
    assert answer.content.decode() == state["text"]


def test_a_renamed_step_is_renamed_wherever_its_rows_are_taken(studio: Running, flow: dict[str, Any]) -> None:
    """In lists, in the columns of unions, and in SQL."""
    state = _edit(studio, flow, action="rename", step="north", name="nord")
    assert _changed(TEXT, state["text"]) == (
        ["  north:", "    union: [north, south]", "      name: {north: title, south: product}"],
        ["  nord:", "    union: [nord, south]", "      name: {nord: title, south: product}"],
    )
    state = _edit(studio, state, action="rename", step="offers", name="all_offers")
    assert "      SELECT all_offers.name FROM all_offers\n" in state["text"]
    assert state["problems"] == []
    assert state["notes"] == []
    told = _edit(studio, state, 422, action="rename", step="nord", name="SOUTH")
    assert "already" in told["detail"]
    for name in ("../x", "a b", "1st", ""):
        assert "cannot be the name" in _edit(studio, state, 422, action="rename", step="nord", name=name)["detail"]


def test_what_cannot_run_yet_is_saved_with_its_problems(studio: Running, flow: dict[str, Any]) -> None:
    """Each of them is on its step and key."""
    state = _edit(studio, flow, action="add", word="deliver", values={"deliver": "nowhere"}, after="south")
    assert state["added"] == "deliver"
    assert [step["name"] for step in state["steps"]] == ["north", "south", "deliver", "offers", "cheap", "kept"]
    found = {(one["key"], one["message"]) for one in _node(state, "deliver")["problems"]}
    assert ("to", "the step `deliver` needs the key `to`.") in found
    assert any(key == "deliver" and "which no step makes" in told for key, told in found)
    state = _edit(studio, state, action="set", step="cheap", key="sql", value="SELEC name FROM offers")
    (problem,) = _node(state, "cheap")["problems"]
    assert problem["key"] == "sql"
    assert "cannot be read" in problem["message"]
    assert _node(state, "cheap")["inputs"] == [{"port": "sql", "step": "offers"}]


def test_steps_are_connected_and_a_circle_is_refused(studio: Running, flow: dict[str, Any]) -> None:
    """One input replaces another where there is one, and joins the others where there are many."""
    state = _edit(studio, flow, action="connect", giver="offers", taker="kept")
    assert "    deliver: offers\n" in state["text"]
    state = _edit(studio, state, action="add", word="read", values={"read": "west.csv"})
    state = _edit(studio, state, action="connect", giver="west", taker="offers")
    assert "    union: [north, south, west]\n" in state["text"]
    told = _edit(studio, state, 422, action="connect", giver="kept", taker="offers")["detail"]
    assert (
        told
        == "`offers` cannot take the rows of `kept`: they would go round in a circle, `offers` → `kept` → `offers`."
    )
    assert "from outside" in _edit(studio, state, 422, action="connect", giver="offers", taker="west")["detail"]
    state = _edit(studio, state, action="disconnect", giver="north", taker="offers", port="union")
    assert _node(state, "offers")["values"] == {"union": ["south", "west"], "columns": {"name": {"south": "product"}}}
    assert studio.get(f"/flows/{flow['name']}")["version"] == state["version"]


def test_a_removed_step_leaves_those_that_took_its_rows_with_a_problem(studio: Running, flow: dict[str, Any]) -> None:
    """And nothing else is touched."""
    state = _edit(studio, flow, action="remove", steps=["cheap", "north"])
    assert [step["name"] for step in state["steps"]] == ["south", "offers", "kept"]
    assert "# from the north" not in state["text"]
    assert "# and the south" in state["text"]
    assert _node(state, "offers")["values"] == {"union": ["south"], "columns": {"name": {"south": "product"}}}
    assert [one["key"] for one in _node(state, "kept")["problems"]] == ["deliver"]
    assert _edit(studio, state, action="undo")["text"] == TEXT


def test_two_people_cannot_overwrite_each_other(studio: Running, flow: dict[str, Any]) -> None:
    """The second is told the version that there is now, and nothing of either is lost."""
    first = _edit(studio, flow, action="set", step="north", key="read", value="anna.csv")
    problem = _edit(studio, flow, 412, action="set", step="south", key="read", value="ben.csv")
    assert problem["code"] == "conflict"
    assert problem["version"] == first["version"]
    second = _edit(studio, first, action="set", step="south", key="read", value="ben.csv")
    assert "anna.csv" in second["text"]
    assert "ben.csv" in second["text"]


def test_text_that_is_no_yaml_keeps_the_picture(studio: Running, flow: dict[str, Any]) -> None:
    """The problem has its line, the steps are those of before, and only the text can be edited."""
    state = _edit(studio, flow, action="text", text=TEXT + "  oops\n")
    assert not state["readable"]
    assert state["text"] == TEXT + "  oops\n"
    assert [step["name"] for step in state["steps"]] == ["north", "south", "offers", "cheap", "kept"]
    assert state["problems"][0]["line"]
    told = _edit(studio, state, 422, action="set", step="north", key="read", value="x")["detail"]
    assert "cannot be read" in told
    state = _edit(studio, state, action="text", text=TEXT)
    assert state["readable"]
    assert state["version"] == flow["version"]


def test_the_picture_is_that_of_the_last_text_that_was_yaml_also_from_another_editor(
    studio: Running, flow: dict[str, Any]
) -> None:
    """Whether that text is new, an earlier one again, or was never saved here."""
    path = studio.studio.folder / f"{flow['name']}.flow.yaml"

    def drawn(broken: str) -> list[str]:
        state = _edit(studio, studio.get(f"/flows/{flow['name']}"), action="text", text=broken)
        assert not state["readable"]
        return [step["name"] for step in state["steps"]]

    other = TEXT.replace("north", "west")
    _edit(studio, flow, action="text", text=other)
    path.write_text(TEXT)
    assert drawn(f"{TEXT}  oops\n")[0] == "north"
    path.write_text(TEXT.replace("north", "east"))
    assert drawn(f"{TEXT}  oops again\n")[0] == "east"
    path.write_text(TEXT.replace("north", "inland"))
    studio.get(f"/flows/{flow['name']}")
    path.write_text(f"{TEXT}  oops\n")
    assert studio.get(f"/flows/{flow['name']}")["steps"][0]["name"] == "inland"


def test_the_head_of_a_flow_is_edited(studio: Running, flow: dict[str, Any]) -> None:
    """What it is about, when it runs, its variables and secrets, each at its place in the file."""
    state = _edit(studio, flow, action="about", text="Cameras: all")
    state = _edit(studio, state, action="schedule", text="every weekday at 6:30 Europe/Vienna")
    assert len(state["schedule"]["next"]) == 3
    state = _edit(studio, state, action="variables", values={"shop": "https://shop.example"})
    state = _edit(studio, state, action="secrets", values={"db": {"environment": "DB"}})
    keys = [line.split(":")[0] for line in state["text"].splitlines() if line and line[0].isalpha()]
    assert keys == ["flow", "about", "variables", "secrets", "schedule", "steps"]
    assert 'about: "Cameras: all"   # for Anna' in state["text"]
    assert state["variables"] == {"shop": "https://shop.example"}
    assert state["secrets"] == {"db": {"environment": "DB"}}
    state = _edit(studio, state, action="schedule", text="")
    assert "schedule" not in state["text"]


def test_how_a_flow_runs_and_whom_it_tells_is_edited(studio: Running, flow: dict[str, Any]) -> None:
    """In the forms that the file has; a value that is none is a problem at its key, and other keys are refused."""
    team, place = {"secret": "team"}, "mailto://anna@shop.example"
    state = _edit(studio, flow, action="secrets", values={"team": {"environment": "TEAM"}})
    assert set(state["settings"].values()) == {None}
    state = _edit(studio, state, action="setting", key="on_failure", value=[team, place])
    state = _edit(studio, state, action="setting", key="resume_within", value="30 minutes")
    state = _edit(studio, state, action="setting", key="on_success", value=team)
    told = {"resume_within": "30 minutes", "on_failure": [team, place], "on_suspicious": None, "on_success": team}
    assert state["settings"] == told
    keys = [line.split(":")[0] for line in state["text"].splitlines() if line and line[0].isalpha()]
    assert keys == ["flow", "about", "secrets", "resume_within", "on_failure", "on_success", "steps"]
    state = _edit(studio, state, action="setting", key="resume_within", value="soon")
    (problem,) = [one for one in state["problems"] if one["key"] == "resume_within"]
    assert "isn't a length of time; write one such as `30 minutes`" in problem["message"]
    state = _edit(studio, state, action="setting", key="resume_within", value=None)
    assert (state["settings"]["resume_within"], state["problems"]) == (None, [])
    assert "no setting 'steps'" in _edit(studio, state, 422, action="setting", key="steps", value={})["detail"]
    assert "needs 'key'" in _edit(studio, state, 422, action="setting", value="x")["detail"]


def test_a_text_without_keys_has_no_head_and_no_steps(studio: Running, flow: dict[str, Any]) -> None:
    """Nothing can be written into a text that is only a word, or a list."""
    for text in ("word", "- one\n- two\n"):
        state = _edit(studio, studio.get(f"/flows/{flow['name']}"), action="text", text=text)
        assert "no keys" in _edit(studio, state, 422, action="about", text="Cameras")["detail"]
        assert "no keys" in _edit(studio, state, 422, action="schedule", text="")["detail"]
        assert "no keys" in _edit(studio, state, 422, action="add", word="read", values={"read": "x.csv"})["detail"]
    for text in ("flow: 1\nsteps: word\n", "flow: 1\nsteps: [read, sql]\n"):
        state = _edit(studio, studio.get(f"/flows/{flow['name']}"), action="text", text=text)
        told = _edit(studio, state, 422, action="add", word="read", values={"read": "x.csv"})["detail"]
        assert "have no names" in told


def test_a_flow_changed_with_another_editor_is_taken_up(studio: Running, flow: dict[str, Any]) -> None:
    """As a step of its history, which can be undone."""
    path = studio.studio.folder / f"{flow['name']}.flow.yaml"
    path.write_text(TEXT.replace("north.csv", "other.csv"))
    state = studio.get(f"/flows/{flow['name']}")
    assert state["history"] == {"steps": ["changed with another editor"], "at": 1}
    os.utime(path, (1_700_000_000, 1_700_000_000))
    saved = {one["words"]: one["saved"] for one in studio.get(f"/flows/{flow['name']}/versions")}
    assert saved["changed with another editor"] == "2023-11-14T22:13:20.000+00:00"
    state = _edit(studio, state, action="set", step="kept", key="mode", value="append")
    for _ in range(2):
        state = _edit(studio, state, action="undo")
    assert path.read_text() == TEXT


def test_bytes_stay_as_they_are(studio: Running) -> None:
    """A byte order mark, Windows' line ends, odd indents and a missing last line end."""
    path = studio.studio.folder / "odd.flow.yaml"
    odd = b"\xef\xbb\xbfflow: 1\r\nsteps:\r\n     a:  # odd\r\n        read: 'x.csv'\r\n     b:\r\n        read: y.csv"
    path.write_bytes(odd)
    state = studio.get("/flows/odd")
    assert studio.client.get("/api/flows/odd/download").content == odd
    state = _edit(studio, state, action="set", step="a", key="read", value="it's.csv")
    assert path.read_bytes() == odd.replace(b"'x.csv'", b"'it''s.csv'")
    state = _edit(studio, state, action="add", name="c", word="read", values={"read": "z.csv"})
    assert path.read_bytes() == odd.replace(b"'x.csv'", b"'it''s.csv'") + b"\r\n     c:\r\n        read: z.csv"
    _edit(studio, _edit(studio, state, action="undo"), action="undo")
    assert path.read_bytes() == odd


@pytest.mark.slow
def test_hostile_names_and_texts_are_refused(studio: Running, flow: dict[str, Any]) -> None:
    """Neither leaves the folder, nor fills the memory."""
    for name in ("../x", "..", "a/b", ".hidden", "x\x00y", "n" * 300):
        assert studio.post("/flows", {"name": name}, 422)["code"] == "usage"
    assert studio.get("/flows/..%2f..%2fetc", 404)["code"] == "not-found"
    assert studio.get(f"/flows/{flow['name']}x", 404)["code"] == "not-found"
    assert _edit(studio, flow, 422, action="text", text="x" * 200_001)["code"] == "usage"
    laughs = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10))
    state = _edit(studio, flow, action="text", text=laughs)
    assert not state["readable"]
    assert "aliases" in state["problems"][0]["message"]
    state = _edit(studio, state, action="text", text="[" * 50_000)
    assert "nested too deeply" in state["problems"][0]["message"]
    assert not (studio.studio.folder.parent / "x.flow.yaml").exists()


def test_the_palette_has_a_form_for_every_key(studio: Running) -> None:
    """And for the kinds of what is normalised."""
    kinds = {kind["word"]: kind for kind in studio.get("/flow-kinds")}
    assert len(kinds) == 18
    for kind in kinds.values():
        for key in kind["keys"]:
            assert key["about"], (kind["word"], key["key"])
            assert key["form"]["kind"]
    assert kinds["match"]["ports"] == [
        {"key": "match", "many": False, "label": "Rows"},
        {"key": "to", "many": False, "label": "Catalogue"},
    ]
    columns = next(key for key in kinds["normalise"]["keys"] if key["key"] == "columns")
    money = next(kind for kind in columns["form"]["kinds"] if kind["word"] == "money")
    assert {"money", "to", "rates", "date"} <= {key["key"] for key in money["keys"]}
    for word in ("read", "query", "extract", "about", "collect", "play"):
        keys = {key["key"]: (key["label"], key["form"]) for key in kinds[word]["keys"]}
        assert keys["optional"] == ("Optional", {"kind": "flag"})
        assert keys["keep_last"] == ("Keep last rows for", {"kind": "duration"})
        assert keys["on_new_column"] == ("A new column", {"kind": "choice", "options": ["keep", "ignore", "stop"]})


def test_a_schedule_is_previewed(studio: Running) -> None:
    """With its next times, or with what is not understood."""
    found = studio.post("/schedule/preview", {"text": "every day at 6:00 UTC"})
    assert len(found["next"]) == 3
    assert found["problem"] is None
    assert studio.post("/schedule/preview", {"text": "now and then"})["problem"]


def test_a_new_flow_begins_empty(studio: Running) -> None:
    """The first step is written below `steps`."""
    state = studio.post("/flows", {}, 201)
    assert state["steps"] == []
    state = _edit(studio, state, action="add", word="read", values={"read": "a.csv"})
    assert state["text"] == "flow: 1\nsteps:\n  a:\n    read: a.csv\n"
    assert state["problems"] == []
    assert studio.client.delete(f"/api/flows/{state['name']}").status_code == 204
    assert studio.get(f"/flows/{state['name']}", 404)["code"] == "not-found"
    assert Path(studio.studio.folder / "flows" / state["name"] / "versions").is_dir()


def test_every_version_is_kept_and_compared(studio: Running, flow: dict[str, Any]) -> None:
    """Step by step and line by line; an older one is brought back as an edit like any other."""
    name = flow["name"]
    state = _edit(studio, flow, action="set", step="north", key="read", value="new.csv")
    state = _edit(studio, state, action="rename", step="kept", name="loaded")
    state = _edit(studio, state, action="remove", steps=["cheap"])
    versions = studio.get(f"/flows/{name}/versions")
    assert [one["words"] for one in versions] == [
        *("removed cheap", "renamed kept → loaded", "north: read new.csv", "made")
    ]
    assert [one["current"] for one in versions] == [True, False, False, False]
    old = studio.get(f"/flows/{name}/versions/{flow['version']}")
    assert old["text"] == TEXT
    found = studio.get(f"/flows/{name}/versions/{flow['version']}/diff/{state['version']}")
    assert {step["name"]: step["change"] for step in found["steps"]} == {
        "north": "changed",
        "south": "same",
        "offers": "same",
        "loaded": "renamed",
        "cheap": "removed",
    }
    north = next(step for step in found["steps"] if step["name"] == "north")
    assert north["keys"] == [{"key": "read", "before": "north.csv", "after": "new.csv"}]
    assert north["before"]["values"] == {"read": "north.csv"}
    lines = [line for line in found["lines"] if line["kind"] != "added"]
    assert [line["text"] for line in lines] == TEXT.splitlines()
    assert [line["before"] for line in lines] == list(range(1, len(lines) + 1))
    state = _edit(studio, state, action="restore", version=flow["version"])
    assert state["text"] == TEXT
    assert _edit(studio, state, action="undo")["text"] != TEXT
    assert studio.get(f"/flows/{name}/versions/{'0' * 16}", 404)["code"] == "not-found"
    assert studio.get(f"/flows/{name}/versions/..%2f..%2fx", 404)["code"] == "not-found"


def test_a_file_that_is_no_text_does_not_hide_the_others(studio: Running, flow: dict[str, Any]) -> None:
    """It is listed with what is wrong with it."""
    path = studio.studio.folder / "binary.flow.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    listed = {one["name"]: one for one in studio.get("/flows")}
    assert "UTF-8" in listed["binary"]["problem"]
    assert listed[flow["name"]]["problem"] is None
    assert "UTF-8" in studio.get("/flows/binary", 422)["detail"]
    path.unlink()


def test_nothing_is_lost_between_many_who_edit_at_once(studio: Running, flow: dict[str, Any]) -> None:
    """Whoever is refused looks again and repeats the edit; in the end all of them are there."""

    def add(number: int) -> None:
        with new_client(base_url=studio.url, headers=studio.client.headers) as client:
            while True:
                version = client.get(f"/api/flows/{flow['name']}").json()["version"]
                edit = {"action": "add", "name": f"more_{number}", "word": "read", "values": {"read": f"{number}.csv"}}
                headers = {"If-Match": version}
                answer = client.post(f"/api/flows/{flow['name']}/edits", json=edit, headers=headers)
                if answer.status_code == 200:
                    return
                assert answer.json()["code"] == "conflict"

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(8)))
    state = studio.get(f"/flows/{flow['name']}")
    assert {f"more_{number}" for number in range(8)} <= {step["name"] for step in state["steps"]}
    assert state["history"]["at"] == 8
    for _ in range(8):
        state = _edit(studio, state, action="undo")
    assert state["text"] == TEXT
