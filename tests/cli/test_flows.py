"""The commands about flows: run, plan, history, review, schedule."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from sightline.project import Project

from ._inside import sightline

SHOP = """\
id,name,price
1,LUMORA Z7 body only,"2.849,00 €"
2,Corvus M-12 10x42 binoculars,"369,00 €"
3,Garden hose,"19,00 €"
"""
CATALOGUE = "id,name,price\nP-001,Lumora Z-7 mirrorless camera body,2899.00\nP-008,Corvus M12 binoculars 10x42,379.00\n"
FLOW = """\
flow: 1
variables:
  shop: shop.csv
steps:
  shop:
    read: "{shop}"
  catalogue:
    read: catalogue.csv
  euro:
    normalise: shop
    columns:
      - money: price
        to: EUR
  known:
    match: euro
    to: catalogue
  good:
    check: known
    rules:
      not too cheap: price > 100
  kept:
    deliver: good
    to: prices.duckdb#offers
    key: id
    columns: [id, name, price, match]
"""


class Program:
    """The program, run in a folder with a flow."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in (("shop.csv", SHOP), ("catalogue.csv", CATALOGUE), ("prices.flow.yaml", FLOW)):
            (folder / name).write_text(text)

    def __call__(self, *words: str, status: int = 0, typed: str = "") -> str:
        """Run a command; what it printed, after its status was checked."""
        found = sightline(*words, stdin=typed.encode())
        assert found.status == status, found.errors + found.output
        return found.output + found.errors


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """A folder with a flow, a shop and a catalogue."""
    monkeypatch.chdir(tmp_path)
    return Program(tmp_path)


def test_a_run_shows_each_step_and_the_verdict(program: Program) -> None:
    """One row is held back, so the data is suspicious, and the exit status says so."""
    shown = program("run", "prices.flow.yaml", status=3)
    assert "✓ shop" in shown
    assert "3 rows" in shown
    assert "1 rows held back: not so: not too cheap" in shown
    assert "✓ kept             2 rows · 2 inserted" in shown
    assert "verdict: suspicious · run " in shown
    with duckdb.connect(str(program.folder / "prices.duckdb"), read_only=True) as connection:
        assert connection.execute("SELECT id, match FROM offers ORDER BY id").fetchall() == [
            ("1", "P-001"),
            ("2", "P-008"),
        ]


def test_a_run_as_json_is_one_document(program: Program) -> None:
    """With what became of each step, and without the text of the flow."""
    run = json.loads(program("run", "prices.flow.yaml", "--json", status=3))["run"]
    assert run["verdict"] == "suspicious"
    assert run["steps"]["good"]["held"] == 1
    assert "text" not in run


def test_a_failed_run_says_what_to_do(program: Program) -> None:
    """And goes on where it was when the flow is run again."""
    (program.folder / "catalogue.csv").rename(program.folder / "away.csv")
    shown = program("run", "prices.flow.yaml", status=1)
    assert "✗ catalogue" in shown
    assert "not run: known, good, kept" in shown
    assert "run the flow again soon, or with --resume" in shown
    (program.folder / "away.csv").rename(program.folder / "catalogue.csv")
    shown = program("run", "prices.flow.yaml", status=3)
    assert "and went on where it was" in shown
    assert program("history", "prices.flow.yaml").count("suspicious") == 1


def test_variables_are_set_on_the_command_line(program: Program) -> None:
    """A file of another name, for instance; without a value it is wrong."""
    (program.folder / "shop.csv").rename(program.folder / "other.csv")
    program("run", "prices.flow.yaml", "--set", "shop=other.csv", status=3)
    assert "NAME=TEXT" in program("run", "prices.flow.yaml", "--set", "shop", status=2)


def test_a_mistake_in_the_flow_is_one_line(program: Program) -> None:
    """With the file and the line."""
    flow = program.folder / "prices.flow.yaml"
    flow.write_text(FLOW.replace("match: euro", "match: euros"))
    shown = program("run", "prices.flow.yaml", status=2)
    assert (
        "prices.flow.yaml, line 15: `known` takes the rows of `euros`, which no step makes; did you mean `euro`?"
        in shown
    )


@pytest.mark.slow
def test_a_plan_has_no_side_effects(program: Program) -> None:
    """Columns, types and rows of every step; nothing is delivered, and no store is made."""
    shown = program("plan", "prices.flow.yaml")
    assert "would upsert 4 columns to" in shown
    assert "2849.00" in shown
    assert sorted(path.name for path in program.folder.iterdir()) == ["catalogue.csv", "prices.flow.yaml", "shop.csv"]
    assert program("run", "prices.flow.yaml", "--plan") == shown


def test_a_plan_matches_with_the_whole_catalogue(program: Program) -> None:
    """However long it is: a record whose partner is beyond the sample is not called new."""
    rows = "".join(f"Q-{number},Garden gnome {number},{number}.00\n" for number in range(10, 1010))
    head, *products = CATALOGUE.splitlines(keepends=True)
    (program.folder / "catalogue.csv").write_text(head + rows + "".join(products))
    assert "different records: 2 matched" in program("plan", "prices.flow.yaml")


def test_a_plan_says_what_is_known_only_after_a_run(program: Program) -> None:
    """Steps that need pages are not called failed; whatever can be shown is, with whole names of columns."""
    flow = program.folder / "prices.flow.yaml"
    flow.write_text(FLOW.replace('read: "{shop}"', 'collect: "{shop}"'))
    long = "the_price_without_any_tax"
    (program.folder / "catalogue.csv").write_text(CATALOGUE.replace("price", long).replace("body", "body " * 30))
    shown = program("plan", "prices.flow.yaml", status=1)
    assert "it needs `shop`, which is known after the first run." in shown
    assert "failed" not in shown
    assert long in shown


def test_a_plan_writes_the_mapping_that_it_proposes(program: Program) -> None:
    """Into the file, whose comments stay; without --write it only shows it."""
    flow = program.folder / "union.flow.yaml"
    (program.folder / "north.csv").write_text("title,price\nLumora Z-7,5 €\nCorvus M-12,7 €\n")
    (program.folder / "south.csv").write_text("product,price\nLumora Z-7,6 €\nCorvus M-12,8 €\n")
    sources = "  north:\n    read: north.csv  # the first\n  south:\n    read: south.csv\n"
    text = f"flow: 1\nsteps:\n{sources}  both:\n    union: [north, south]\n"
    flow.write_text(text)
    assert "title: {north: title, south: product}" in program("plan", "union.flow.yaml")
    assert flow.read_text() == text
    program("plan", "union.flow.yaml", "--write")
    written = flow.read_text()
    assert written.startswith(text)
    assert written.endswith(
        "    columns:\n      title: {north: title, south: product}\n      price: {north: price, south: price}\n"
    )
    assert "✓ both             4 rows" in program("run", "union.flow.yaml")


@pytest.mark.slow
def test_history_tells_what_changed(program: Program) -> None:
    """Row by row, by the key of the delivery."""
    program("run", "prices.flow.yaml", status=3)
    first = json.loads(program("history", "prices.flow.yaml", "--json"))["runs"][0]["id"]
    shop = program.folder / "shop.csv"
    shop.write_text(SHOP.replace("369,00", "349,00") + '4,Heliox telephone,"199,00 €"\n')
    program("run", "prices.flow.yaml", status=3)
    shown = program("history", "prices.flow.yaml", "last", "--since", first)
    assert "1 new, 0 gone, 1 changed, 1 the same" in shown
    assert "369.00 → 349.00" in shown
    changes = json.loads(program("history", "prices.flow.yaml", "--since", first, "--json"))["changes"]
    assert changes["counts"]["changed"] == 1
    assert changes["new"][0]["id"] == "4"


def test_history_shows_and_writes_rows(program: Program) -> None:
    """Those of a step, and those that were held back."""
    program("run", "prices.flow.yaml", status=3)
    assert "not so: not too cheap" in program("history", "prices.flow.yaml", "last", "--held")
    program("history", "prices.flow.yaml", "last", "--step", "euro", "-o", "euro.csv")
    assert (program.folder / "euro.csv").read_text().splitlines()[1].startswith("1,LUMORA Z7 body only,2849.00")
    assert "good" in program("history", "prices.flow.yaml", "last")
    assert "There is no run 'x'" in program("history", "prices.flow.yaml", "x", status=2)


def test_history_without_runs_says_so(program: Program) -> None:
    """And what to do."""
    assert "has no runs in the store" in program("history", "prices.flow.yaml", status=2)


@pytest.mark.slow
def test_answers_of_a_review_are_used_by_the_next_run(program: Program) -> None:
    """A doubtful pair that a person called the same is matched."""
    flow = program.folder / "prices.flow.yaml"
    flow.write_text(FLOW.replace("to: catalogue\n", "to: catalogue\n    matched: 0.9\n    review: 0.001\n"))
    program("run", "prices.flow.yaml", status=3)
    before = json.loads(program("history", "prices.flow.yaml", "last", "--json"))["run"]["steps"]["known"]["counts"]
    assert before == {"matched": 1, "review": 1, "new": 1}
    shown = program("review", "prices.flow.yaml", typed="y\nq\n")
    assert "1 decision kept in" in shown
    program("run", "prices.flow.yaml", status=3)
    after = json.loads(program("history", "prices.flow.yaml", "last", "--json"))["run"]["steps"]["known"]["counts"]
    assert after["matched"] == 2


def test_the_schema_in_the_docs_is_that_of_the_program(program: Program) -> None:
    """So that editors check what the program checks."""
    schema = json.loads(program("run", "--schema"))
    assert json.loads((Path(__file__).parents[2] / "docs" / "flow.schema.json").read_text()) == schema


@pytest.mark.slow
def test_a_schedule_runs_a_flow_and_stops_when_asked(program: Program) -> None:
    """The first run is done when the signal comes; its id is that of its due time."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sightline", "schedule", "prices.flow.yaml", "--at", "every second UTC"],
        cwd=program.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    process.communicate()
    assert "suspicious, 2 rows delivered" in line
    runs = json.loads(program("history", "prices.flow.yaml", "--json"))["runs"]
    assert runs[0]["id"].endswith("-due")
    assert "done suspicious, 2 rows delivered" in program(
        "schedule", "prices.flow.yaml", "--at", "every second UTC", "--list"
    )


def test_a_flow_that_does_not_say_when_it_runs_is_named(program: Program) -> None:
    """With what to write."""
    assert "add `schedule: every weekday at 6:30`" in program("schedule", "prices.flow.yaml", status=2)


@pytest.mark.slow
def test_a_flow_in_a_project_keeps_its_runs_there(program: Program) -> None:
    """So that the Studio shows what the command line ran; elsewhere they are in `store`."""
    program("run", "prices.flow.yaml", status=3)
    assert (program.folder / "store" / "flows" / "prices").is_dir()
    Project(program.folder).prepare()
    program("run", "prices.flow.yaml", status=3)
    assert len(list((program.folder / "flows" / "prices" / "runs").iterdir())) == 1


def test_a_plan_writes_only_its_lines(program: Program) -> None:
    """Line ends of Windows and a byte order mark stay."""
    text = "flow: 1\nsteps:\n  a:\n    read: a.csv   # ours\n  b:\n    read: b.csv\n  both:\n    union: [a,b]\n"
    content = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    (program.folder / "a.csv").write_text("name,price\nA,1\n")
    (program.folder / "b.csv").write_text("names,price\nB,2\n")
    (program.folder / "two.flow.yaml").write_bytes(content)
    program("plan", "two.flow.yaml", "--write")
    written = (program.folder / "two.flow.yaml").read_bytes()
    assert written.startswith(content + b"    columns:\r\n")
    assert written.count(b"\n") == written.count(b"\r\n")
