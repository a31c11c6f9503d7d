"""Tests of `sightline batch`: exit statuses, and one JSON document however it ends."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from sightline.cli._batch import _line
from sightline.scale import LedgerCounts

from .._wait import BOUND, wait_until
from ..scale._corpus import Gate, Output, true_prices, write_pages, write_plugin
from ._command import COMMAND, environment, started
from ._inside import sightline

WORKERS = ("--workers", "1")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of good pages."""
    return write_pages(tmp_path_factory.mktemp("batch") / "pages", 12)


def test_a_batch_says_what_became_of_every_document(pages: Path, tmp_path: Path) -> None:
    """As text with the sum by status, and as files beside the rows; nothing on standard error."""
    ended = sightline("batch", "tables", pages, tmp_path / "out", *WORKERS)
    assert ended.status == 0
    assert "12 documents: 12 ok, 0 suspicious, 0 failed, 0 quarantined; none lost, none doubled." in ended.output
    assert "All files were read." in " ".join(ended.output.split())
    assert {path.name for path in (tmp_path / "out").glob("summary.*")} == {
        "summary.txt",
        "summary.json",
        "summary.html",
    }


def test_json_has_counts_and_the_summary(pages: Path, tmp_path: Path) -> None:
    """One document; the second time nothing is done, and it is the same."""
    for _ in range(2):
        ended = sightline("batch", "tables", pages, tmp_path / "out", *WORKERS, "--json")
        (result,) = ended.results
        assert (result["kind"], result["verdict"], result["error"]) == ("batch", "ok", None)
        assert result["batch"]["complete"] is True
        assert (result["batch"]["counts"]["ok"], result["batch"]["counts"]["attempts"]) == (12, 1)
        assert result["batch"]["summary"]["audited"]["is_complete"] is True


def test_a_document_that_is_not_ok_is_in_the_exit_status(pages: Path, tmp_path: Path) -> None:
    """Status 3, with the cause in the text."""
    (tmp_path / "empty.html").write_text("")
    ended = sightline("batch", "tables", pages, tmp_path / "empty.html", tmp_path / "out", *WORKERS)
    assert ended.status == 3
    assert "failed (UnreadableError): is empty" in ended.output


@pytest.mark.slow
def test_a_sample_comes_first_and_waits_for_a_yes(pages: Path, tmp_path: Path) -> None:
    """Without a terminal it only says what the whole would take; with --yes it goes on."""
    told = sightline("batch", "tables", pages, tmp_path / "out", *WORKERS, "--sample", "5", "--price", "0.1")
    assert told.status == 0
    assert "A sample of 5 of 12 documents" in told.output
    assert "--yes" in told.errors
    assert not list((tmp_path / "out" / "records").glob("part-*"))
    ended = sightline("batch", "tables", pages, tmp_path / "out", *WORKERS, "--sample", "5", "--yes")
    assert ended.status == 0
    assert "12 documents: 12 ok" in ended.output


def test_arguments_that_are_missing_are_asked_for(tmp_path: Path) -> None:
    """What, on what, and where to."""
    ended = sightline("batch", "tables", tmp_path)
    assert ended.status != 0
    assert "sightline batch WRAPPER INPUT… OUTPUT" in ended.errors


@pytest.mark.slow
def test_a_sample_and_the_whole_are_one_json_document(tmp_path: Path) -> None:
    """With `--yes`, both are results of it."""
    write_pages(tmp_path / "pages", 4)
    done = started(
        "batch", "tables", "pages", "out", "--sample", "2", "--yes", "--json", "--workers", 1, folder=tmp_path
    )
    assert [result["kind"] for result in done.results] == ["sample", "batch"]
    assert done.results[1]["batch"]["counts"]["ok"] == 4
    assert done.status == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "status", "kind"),
    [
        (("tables", "missing.warc", "out"), 1, "UnreachableError"),
        (("tables", "pages", "other.warc.gz"), 2, "UsageError"),
    ],
)
def test_an_error_is_one_json_document(tmp_path: Path, words: tuple[str, ...], status: int, kind: str) -> None:
    """Its type and its sentence, which is also said on standard error; the exit status stays what it is without."""
    write_pages(tmp_path / "pages", 1)
    done = started("batch", *words, "--json", folder=tmp_path)
    (result,) = done.results
    assert (done.status, result["error"]["type"], result["verdict"]) == (status, kind, "failed")
    assert done.errors.startswith("sightline: ")


@pytest.mark.slow
def test_ctrl_c_gives_everything_back_and_the_same_command_goes_on(tmp_path: Path) -> None:
    """Status 130, one JSON document that says it is not complete, no child left, no shard held."""
    gate = Gate(tmp_path)
    write_pages(tmp_path / "pages", 8, {5: "wait"})
    more = {**write_plugin(tmp_path / "plugin"), "GATE": str(gate.path)}
    words = ["batch", "poisoned", "pages", "out", "--workers", "1", "--json"]
    process = subprocess.Popen(
        [*COMMAND, *words], cwd=tmp_path, env=environment(**more), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        wait_until(gate.process)
        child = Path(f"/proc/{gate.process()}")
        os.kill(process.pid, signal.SIGINT)
        told, errors = process.communicate(timeout=BOUND)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert json.loads(told) == {"results": [], "complete": False}
    assert b"The same command goes on" in errors
    assert not child.exists()
    gate.open()
    done = started(*words, folder=tmp_path, **more)
    assert done.status == 0
    assert done.results[0]["batch"]["complete"]
    assert Output(tmp_path / "out").prices() == true_prices(range(8))


def test_what_earlier_runs_have_read_says_nothing_about_the_speed() -> None:
    """Of 1,000 documents that are done, 200 were read in the last 10 seconds: the other 1,000 take 50."""
    counts = LedgerCounts(**dict.fromkeys(LedgerCounts._fields, 0))._replace(
        documents=2_000, done_documents=1_000, ok=1_000, listed=True, stopped=""
    )
    assert _line(counts, 10.0, before=800) == "1,000 of 2,000 · 20 a second · 50.0 s left"
    assert _line(counts, 10.0, before=1_000) == "1,000 of 2,000"
