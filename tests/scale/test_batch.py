"""Tests of whole batches: real processes, killed for real, and counted by name in the end."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sightline.errors import JobCancelled, UnreachableError, UsageError
from sightline.jobs import Cancel, extractors
from sightline.scale import BatchSettings, batch
from sightline.scale.ledger import open_ledger

from .._wait import wait_until
from ._corpus import Gate, Output, true_prices, write_pages, write_plugin

SCRIPT = """
import json, sys
from sightline.scale import BatchSettings, batch
from sightline.errors import SightlineError
extractor, pages, folder, settings = sys.argv[1:]
try:
    run = batch(extractor, pages, folder, settings=BatchSettings(**json.loads(settings)))
except SightlineError as error:
    sys.exit(str(error))
print(json.dumps({**run.counts._asdict(), "complete": run.complete, "verdict": run.verdict}))
"""
SMALL = '{"workers": 2, "shard": 10, "document_seconds": 60}'


@pytest.fixture
def plugin(tmp_path: Path) -> dict[str, str]:
    """The environment in which the poisoned extractor is installed, with a gate."""
    return {**os.environ, **write_plugin(tmp_path / "plugin"), "GATE": str(tmp_path / "gate")}


@pytest.fixture
def drivers() -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Processes that are ended with the test, with all that they have started."""
    running: list[subprocess.Popen[bytes]] = []
    yield running
    for process in running:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def begun(extractor: str, pages: Path, folder: Path, settings: str = SMALL) -> list[str]:
    """The command line of a driver."""
    return [sys.executable, "-c", SCRIPT, extractor, str(pages), str(folder), settings]


def done(command: list[str], environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """A driver that runs to its end."""
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def done_shards(folder: Path) -> int:
    """How many shards the ledger calls done."""
    with open_ledger(str(folder / "ledger.sqlite"), "batch") as ledger:
        return ledger.counts().done_shards


@pytest.mark.slow
def test_every_document_has_one_outcome_and_its_own_rows(tmp_path: Path) -> None:
    """Several shards, two workers: the rows are those of the pages, and nothing is left in the work folder."""
    pages = write_pages(tmp_path / "pages", 25)
    run = batch("tables", pages, tmp_path / "out", settings=BatchSettings(workers=2, shard=10))
    assert run.complete
    assert run.verdict == "ok"
    assert (run.counts.shards, run.counts.documents, run.counts.ok, run.counts.rows) == (3, 25, 25, 75)
    assert Output(run.folder).prices() == true_prices(range(25))
    assert [path.name for path in (run.folder / "_work").iterdir()] == ["driver.lock"]


@pytest.mark.slow
def test_a_finished_batch_does_nothing_again(tmp_path: Path) -> None:
    """No process is started, no file written anew."""
    pages = write_pages(tmp_path / "pages", 12)
    first = batch("tables", pages, tmp_path / "out", settings=BatchSettings(workers=1, shard=10))
    before = {path: path.stat().st_mtime_ns for path in first.folder.glob("*/part-*")}
    again = batch("tables", pages, tmp_path / "out", settings=BatchSettings(workers=1, shard=10))
    assert again.complete
    assert again.counts.attempts == first.counts.attempts
    assert {path: path.stat().st_mtime_ns for path in first.folder.glob("*/part-*")} == before


@pytest.mark.slow
def test_documents_that_kill_are_set_aside_with_their_cause(tmp_path: Path, plugin: dict[str, str]) -> None:
    """A crash, an endless loop, a memory hog and a mistake cost nothing but themselves, and each is explained."""
    poison = {3: "crash", 7: "hang", 14: "memory", 16: "mistake", 17: "half a character"}
    pages = write_pages(tmp_path / "pages", 20, poison)
    settings = '{"workers": 2, "shard": 10, "document_seconds": 10, "worker_memory": 900000000}'
    ended = done(begun("poisoned", pages, tmp_path / "out", settings), plugin)
    assert '"complete": true' in ended.stdout, ended.stderr
    output = Output(tmp_path / "out")
    assert output.prices() == true_prices([number for number in range(20) if number not in poison])
    causes = {Path(str(row["id"])).stem: row["cause"] for row in output.documents() if row["status"] != "ok"}
    mistakes = {"0016": "bug:KeyError", "0017": "bug:ValueError"}
    assert causes == {"0003": "crash:SIGSEGV", "0007": "hang", "0014": "memory", **mistakes}
    assert all(row["reasons"] for row in output.documents() if row["status"] != "ok")
    assert output.statuses()["0016.html"] == "failed"
    assert output.statuses()["0003.html"] == "quarantined"


@pytest.mark.slow
def test_a_killed_worker_loses_nothing_and_blames_nobody_for_good(
    tmp_path: Path, plugin: dict[str, str], drivers: list["subprocess.Popen[bytes]"]
) -> None:
    """The page that was on the table when somebody killed the process, three times, is read in the end."""
    gate = Gate(tmp_path)
    pages = write_pages(tmp_path / "pages", 30, {12: "wait"})
    driver = subprocess.Popen(begun("poisoned", pages, tmp_path / "out"), env=plugin)
    drivers.append(driver)
    for _ in range(3):
        wait_until(gate.process)
        killed = gate.process()
        gate.close()
        os.kill(killed, signal.SIGKILL)
    wait_until(gate.process)
    gate.open()
    assert driver.wait() == 0
    output = Output(tmp_path / "out")
    assert set(output.statuses().values()) == {"ok"}
    assert output.prices() == true_prices(range(30))


@pytest.mark.slow
def test_after_a_killed_driver_the_same_command_goes_on(
    tmp_path: Path, plugin: dict[str, str], drivers: list["subprocess.Popen[bytes]"]
) -> None:
    """Its workers end with it; what was done stays done, and the page on the table is read."""
    gate = Gate(tmp_path)
    pages = write_pages(tmp_path / "pages", 30, {25: "wait"})
    command = begun("poisoned", pages, tmp_path / "out")
    driver = subprocess.Popen(command, env=plugin)
    drivers.append(driver)
    wait_until(gate.process)
    worker = Path(f"/proc/{gate.process()}")
    wait_until(lambda: done_shards(tmp_path / "out") == 2)
    driver.kill()
    driver.wait()
    wait_until(lambda: not worker.exists())
    gate.open()
    ended = done(command, plugin)
    assert '"complete": true' in ended.stdout, ended.stderr
    assert '"attempts": 4' in ended.stdout
    assert Output(tmp_path / "out").prices() == true_prices(range(30))


@pytest.mark.slow
def test_a_worker_that_was_given_up_cannot_commit(
    tmp_path: Path, plugin: dict[str, str], drivers: list["subprocess.Popen[bytes]"]
) -> None:
    """A driver that stood still while another took its shard over comes back too late: nothing is doubled."""
    gate = Gate(tmp_path)
    pages = write_pages(tmp_path / "pages", 5, {2: "wait"})
    settings = '{"workers": 1, "shard": 10, "lease_seconds": 1}'
    command = begun("poisoned", pages, tmp_path / "out", settings)
    first = subprocess.Popen(command, env=plugin, stdout=subprocess.PIPE)
    drivers.append(first)
    wait_until(gate.process)
    first.send_signal(signal.SIGSTOP)
    (tmp_path / "out" / "_work" / "driver.lock").unlink()  # which a driver on another machine would not see either
    second = subprocess.Popen(command, env=plugin, stdout=subprocess.PIPE)
    drivers.append(second)
    held = gate.process()
    wait_until(lambda: gate.process() not in (0, held))
    gate.open()
    told = second.communicate()[0]
    assert b'"complete": true' in told
    files = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*/part-*")}
    first.send_signal(signal.SIGCONT)
    assert b'"done_shards": 1' in first.communicate()[0]
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*/part-*")} == files
    assert Output(tmp_path / "out").prices() == true_prices(range(5))


@pytest.mark.slow
def test_a_cancelled_batch_gives_its_shards_back(
    tmp_path: Path, plugin: dict[str, str], monkeypatch: "pytest.MonkeyPatch"
) -> None:
    """Whoever asks it to stop is obeyed within a document, and the next run goes on."""
    gate = Gate(tmp_path)
    pages = write_pages(tmp_path / "pages", 15, {12: "wait"})
    for name, value in plugin.items():
        monkeypatch.setenv(name, value)
    monkeypatch.syspath_prepend(str(tmp_path / "plugin"))
    # What is installed is looked up once, and other tests of this process must not see this plugin.
    monkeypatch.setattr("sightline.jobs._extractors.extractors", extractors.__wrapped__)
    cancel = Cancel()
    watcher = threading.Thread(target=lambda: (wait_until(gate.process), cancel.cancel()))
    watcher.start()
    with pytest.raises(JobCancelled):
        batch("poisoned", pages, tmp_path / "out", settings=BatchSettings(workers=1, shard=5), cancel=cancel)
    watcher.join()
    gate.open()
    run = batch("poisoned", pages, tmp_path / "out", settings=BatchSettings(workers=1, shard=5))
    assert run.complete
    assert Output(run.folder).prices() == true_prices(range(15))


@pytest.mark.slow
def test_two_batches_do_not_share_a_folder(tmp_path: Path) -> None:
    """Another extractor goes elsewhere; so does what is not a batch's folder."""
    pages = write_pages(tmp_path / "pages", 3)
    batch("tables", pages, tmp_path / "out", settings=BatchSettings(workers=1))
    with pytest.raises(UsageError, match="begun with another wrapper, extractor or settings"):
        batch("lists", pages, tmp_path / "out", settings=BatchSettings(workers=1))
    other = write_pages(tmp_path / "other", 1)
    with pytest.raises(UsageError, match="holds files that are not of a batch"):
        batch("tables", pages, other, settings=BatchSettings(workers=1))
    assert [path.name for path in other.iterdir()] == ["0000.html"]


@pytest.mark.slow
def test_an_input_that_changed_is_not_mixed_with_what_it_was(tmp_path: Path) -> None:
    """Pages that come later belong to another batch."""
    pages = write_pages(tmp_path / "pages", 3)
    batch("tables", pages, tmp_path / "out", settings=BatchSettings(workers=1))
    (pages / "new.html").write_text("<p>later</p>")
    with pytest.raises(UsageError, match="has changed since this batch was begun"):
        batch("tables", pages, tmp_path / "out", settings=BatchSettings(workers=1))


@pytest.mark.slow
def test_inputs_that_are_added_are_in_the_manifest_and_nothing_is_left_behind(tmp_path: Path) -> None:
    """Each document once, in files that the manifest names; what killed workers left goes with the end."""
    folders = [write_pages(tmp_path / name, 4) for name in ("a", "b")]
    settings, out = BatchSettings(workers=1), tmp_path / "a:b"
    assert batch("tables", folders[0], out, settings=settings).complete
    strays = ("_work/shard.000001.journal", "records/.part-shard.1.tmp", f"_work/{socket.gethostname()}_1_w1_x.lock")
    for stray in strays:
        (out / stray).touch()
    run = batch("tables", folders, out, settings=settings)
    assert run.complete
    assert run.counts.documents == len(Output(out).documents()) == 8
    written = {f"{path.parent.name}/{path.name}" for path in out.glob("*/part-*")}
    assert {file["name"] for file in json.loads((out / "manifest.json").read_text())["files"]} == written
    assert [path.name for path in (out / "_work").iterdir()] == ["driver.lock"]
    assert not (out / strays[1]).exists()


def test_the_output_is_not_written_into_an_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An output within an input, or an input in the place of the output, is refused before anything is written."""
    pages = write_pages(tmp_path / "pages", 2)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="lies within the input"):
        batch("tables", pages, pages / "out")
    with pytest.raises(UsageError, match="lies within the input"):
        batch("tables", "pages/**/*.html", pages / "out")
    for name in ("https://shop.example/", "s3://pages/", "more/*.html", "b.warc.gz", "@list"):
        with pytest.raises(UsageError, match="name the folder last"):
            batch("tables", pages, name)
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]
    assert len(list(pages.iterdir())) == 2


@pytest.mark.slow
def test_a_batch_that_cannot_begin_lets_its_folder_go(tmp_path: Path) -> None:
    """The error may be kept by whoever caught it; the folder can be used all the same."""
    pages = write_pages(tmp_path / "pages", 2)
    with pytest.raises(UnreachableError) as kept:
        batch("tables", tmp_path / "missing", tmp_path / "out", settings=BatchSettings(workers=1))
    assert batch("tables", pages, tmp_path / "out", settings=BatchSettings(workers=1)).complete
    assert kept.value.source.endswith("missing")


@pytest.mark.slow
def test_what_names_nothing_does_not_stop_the_rest(tmp_path: Path) -> None:
    """The pages that are there are read; the batch is not called complete, and says what is missing."""
    pages = write_pages(tmp_path / "pages", 3)
    run = batch("tables", [pages, tmp_path / "missing.warc"], tmp_path / "out", settings=BatchSettings(workers=1))
    assert not run.complete
    assert run.verdict == "suspicious"
    assert "missing.warc" in str(run.problems[0])
    assert Output(run.folder).prices() == true_prices(range(3))


@pytest.mark.slow
def test_a_damaged_file_is_found_and_made_anew(tmp_path: Path) -> None:
    """A look at a finished batch says what it did not read; `verify` names the file with a flipped bit and mends it."""
    pages = write_pages(tmp_path / "pages", 12)
    run = batch("tables", pages, tmp_path / "out", settings=BatchSettings(workers=1, shard=5))
    part = sorted((run.folder / "records").glob("part-*"))[1]
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)
    looked = batch("tables", pages, tmp_path / "out", settings=BatchSettings(workers=1, shard=5))
    assert "--verify reads them all" in str(looked.summary.audited)
    again = batch("tables", pages, tmp_path / "out", settings=BatchSettings(workers=1, shard=5), verify=True)
    assert again.complete
    assert again.summary.audited is not None
    assert again.summary.audited.mended == 1
    assert "All files were read. 1 file was damaged or missing; what it held was made anew." in " ".join(
        again.summary.to_text().split()
    )
    assert f"records/{part.name} has as many bytes as were written, but others." in again.summary.to_text()
    assert again.counts.attempts == run.counts.attempts + 1
    assert Output(run.folder).prices() == true_prices(range(12))


@pytest.mark.slow
def test_rendered_pages_are_read_by_a_browser_in_the_worker(tmp_path: Path) -> None:
    """A table that a script writes is there."""
    folder = tmp_path / "pages"
    folder.mkdir()
    rows = "".join(f"<tr><td>Camera {row}<td>{row}0<td>1990</tr>" for row in range(4))
    script = f"document.body.innerHTML = '<table><tr><th>Name<th>Price<th>Year</tr>{rows}</table>'"
    (folder / "page.html").write_text(f"<!DOCTYPE html><title>x</title><body><script>{script}</script>")
    run = batch("tables", folder, tmp_path / "out", render=True, settings=BatchSettings(workers=1))
    assert run.complete
    assert Output(run.folder).prices() == {"page.html": ["00", "10", "20", "30"]}


@pytest.mark.slow
def test_workers_that_are_killed_while_they_start_do_not_end_a_batch(
    tmp_path: Path, plugin: dict[str, str], drivers: list["subprocess.Popen[bytes]"]
) -> None:
    """Five in a row, before they have read anything: the sixth does the work."""
    pages = write_pages(tmp_path / "pages", 4)
    driver = subprocess.Popen(begun("poisoned", pages, tmp_path / "out", '{"workers": 1}'), env=plugin)
    drivers.append(driver)
    killed: list[int] = []

    def kill_a_new_one() -> bool:
        children = Path(f"/proc/{driver.pid}/task").glob("*/children")
        new = [int(child) for one in children for child in one.read_text().split() if int(child) not in killed]
        for child in new:
            os.kill(child, signal.SIGKILL)
        killed.extend(new)
        return len(killed) >= 5

    wait_until(kill_a_new_one)
    assert driver.wait() == 0
    assert Output(tmp_path / "out").prices() == true_prices(range(4))
