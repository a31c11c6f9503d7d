"""Packages of others add extractors, sources, targets and checks; they are installed as any package is."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ._wait import BOUND

PLUGIN = """
from pathlib import Path

from sightline.checks import Issue, RecordCheck
from sightline.data import Extraction, Records
from sightline.errors import UnreachableError
from sightline.flow.deliver import Delivered, TargetKind
from sightline.jobs import Extractor
from sightline.net import Document
from sightline.sources import SourceOpener

ROWS = "<tr><td>Arden<td>10<tr><td>Lumora<td>20<tr><td>Corvus<td>30"
HTML = f"<title>Mail</title><table><tr><th>name<th>price{ROWS}</table>"


def opened(address):
    if "nobody" in address:
        raise UnreachableError(address, "has no such mail.")
    return Document(address, address, HTML.encode(), "text/html", "utf-8")


def checked(run, profile):
    for page in run:
        if any("Arden" in value.text for record in page.records for _, value in record.items()):
            yield Issue("arden", "suspicious", "Arden was seen.", source=page.name)


def delivered(load, batches):
    path = Path(load.target.place)
    if path.exists() and load.id in path.read_text().splitlines():
        return Delivered(was_done=True)
    rows = sum(batch.num_rows for batch in batches)
    with path.open("a") as file:
        file.write(f"{load.id}\\n{rows} rows {load.mode}\\n")
    return Delivered(rows, inserted=rows)


MAIL = SourceOpener("mail", "mails of a mailbox", opened)
ARDEN = RecordCheck("arden", "whether Arden was seen", checked)
QUEUE = TargetKind("queue", "queue:FILE", "a queue", ("append",), way=delivered)
NOTHING = Extractor("nothing", "records", "no records", lambda page, **_: Extraction((Records([]),)))
"""

ENTRIES = """\
[sightline.sources]
mail = others:MAIL
[sightline.checks]
arden = others:ARDEN
[sightline.targets]
queue = others:QUEUE
[sightline.extractors]
nothing = others:NOTHING
"""

Program = Callable[..., "subprocess.CompletedProcess[str]"]


def _installed(folder: Path, entries: str) -> dict[str, str]:
    facts = folder / "others-1.dist-info"
    facts.mkdir(parents=True)
    (folder / "others.py").write_text(PLUGIN)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1\n")
    (facts / "entry_points.txt").write_text(entries)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))}


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The command line where the plugin is installed."""
    environment = _installed(tmp_path / "installed", ENTRIES)

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "sightline", *words]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=BOUND
        )

    return run


def test_a_source_of_a_plugin_is_opened_like_any_other(program: Program) -> None:
    """By its scheme; what it can't open is an error in its place."""
    done = program("tables", "mail://inbox/7", "mail://nobody", "--static", "--json")
    found, missing = json.loads(done.stdout)["results"]
    assert [table["rows"][1] for table in found["tables"]] == [["Arden", "10"]]
    assert "has no such mail" in missing["error"]["message"]


def test_an_unknown_scheme_is_still_refused(program: Program) -> None:
    """As if there was no plugin."""
    done = program("tables", "gopher://inbox/7", "--static", "--json")
    assert json.loads(done.stdout)["results"][0]["error"]


FLOW = """\
flow: 1
steps:
  offers:
    extract: mail://inbox/7
    take: tables
    static: true
  kept:
    deliver: offers
    to: queue:QUEUE
"""


def test_a_check_and_a_target_of_a_plugin_work_in_flows(program: Program, tmp_path: Path) -> None:
    """The check makes the run suspicious; the target gets the rows of each run once."""
    (tmp_path / "x.flow.yaml").write_text(FLOW.replace("QUEUE", str(tmp_path / "queue")))
    done = program("run", "x.flow.yaml", "--json")
    run = json.loads(done.stdout)["run"]
    assert (done.returncode, run["verdict"]) == (3, "suspicious"), done.stderr
    assert any("Arden was seen" in reason for reason in run["steps"]["offers"]["reasons"])
    assert (tmp_path / "queue").read_text().splitlines()[1:] == ["3 rows append"]


def test_a_mode_that_a_target_does_not_take_is_refused(program: Program, tmp_path: Path) -> None:
    """Its own modes are known, as those of every target."""
    flow = FLOW.replace("to: queue:QUEUE", "to: queue:here\n    mode: replace")
    (tmp_path / "x.flow.yaml").write_text(flow)
    done = program("run", "x.flow.yaml")
    assert done.returncode == 2
    assert "The mode 'replace' is not for a queue" in done.stderr


def test_an_entry_point_of_another_kind_is_refused(tmp_path: Path) -> None:
    """One sentence names the package that has to be fixed or uninstalled."""
    environment = _installed(tmp_path, "[sightline.checks]\narden = others:MAIL\n")
    code = "from sightline.jobs import record_checks; record_checks()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, timeout=BOUND
    )
    assert "The plugin arden (others:MAIL) names" in done.stderr
    assert "not a sightline.checks.records.RecordCheck" in done.stderr
