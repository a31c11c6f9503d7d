"""What a long manifest costs the driver: its memory with ten million documents, and the time to resume a finished job.

The memory is that of listing ten million documents and waiting for workers, who never come. What the audit at the end
takes is measured on finished jobs, which are smaller: one of them ten times the other, to see whether it grows.

`python -m bench.scale.manifest --documents 1000000 --finished 10000`
"""

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import pyarrow as pa
from pyarrow import parquet

from bench.frame import Figure, tell
from bench.scale.corpus import write_list
from bench.scale.speed import DONE

DOCUMENTS, FINISHED = 10_000_000, 100_000
SMALLER = 10  # times, the job that the audit of a large one is compared with
MOST_MB, MOST_SECONDS = 500, 1.0
# An engine whose workers never come, and which is idle once everything is listed: what is left is the driver itself.
LISTING = """
import json, resource, sys, time
from pathlib import Path
from sightline.scale import Batch, batch_spec
from sightline.scale.ledger import open_ledger

class NobodyComes:
    def start(self, station, workers):
        self.ledger = open_ledger(station.ledger, station.job)
    def check(self):
        pass
    def idle(self):
        return self.ledger.counts().listed
    def stop(self):
        self.ledger.close()

began = time.perf_counter()
with Batch(batch_spec("content"), [sys.argv[1]], Path(sys.argv[2]), engine=NobodyComes) as batch:
    run = batch.run()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"documents": run.counts.documents, "mb": peak, "seconds": time.perf_counter() - began}))
"""
RESUMING = """
import json, resource, sys, time
from sightline.scale import batch
began = time.perf_counter()
run = batch("tables", sys.argv[1], sys.argv[2], verify=sys.argv[3:] == ["verify"])
seconds = time.perf_counter() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": seconds, "mb": peak, "complete": run.complete, "attempts": run.counts.attempts,
                  "shards": run.counts.shards, "documents": run.counts.documents}))
"""


def manifest_figures(documents: int = DOCUMENTS, finished: int = FINISHED) -> list[Figure]:
    """The peak of the driver's memory, the seconds of a resume, and what an audit takes."""
    few, many = _finished(finished // SMALLER), _finished(finished)
    return [*_listing_figures(documents), *_resume_figures(many), *_audit_figures(few, many)]


def _listing_figures(documents: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        found = _run(LISTING, str(write_list(Path(folder, "addresses.txt"), documents)), str(Path(folder, "out")))
        ledger = Path(folder, "out", "ledger.sqlite").stat().st_size / 1e6
    assert found["documents"] == documents, found
    name = f"driver, {documents:,} documents in the manifest"
    return [
        Figure.of(name, found["mb"], MOST_MB, "lower", "MB at the peak"),
        Figure.of(f"{name}: listing", found["seconds"], None, "lower", "s"),
        Figure.of(f"{name}: ledger", ledger, None, "lower", "MB on disk"),
    ]


@dataclass(frozen=True)
class Finished:
    """A finished job, resumed and audited."""

    documents: int
    first: float  # seconds of the command that did the work
    again: float  # and of the same command once more
    resumed: dict[str, float]
    audited: dict[str, float]
    redone: int


def _finished(documents: int) -> Finished:
    with tempfile.TemporaryDirectory() as folder:
        pages, output = str(_write_small(Path(folder, "pages.parquet"), documents)), str(Path(folder, "out"))
        command = [sys.executable, "-m", "sightline", "batch", "tables", pages, output]
        first = _command(command)
        before = _times(Path(output))
        resumed = _run(RESUMING, pages, output)
        again = _command(command)
        audited = _run(RESUMING, pages, output, "verify")
        redone = sum(before.get(path) != at for path, at in _times(Path(output)).items())
    for found in (resumed, audited):
        assert found["complete"] and found["documents"] == documents, found
        assert found["attempts"] == found["shards"], found
    return Finished(documents, first, again, resumed, audited, redone)


def _resume_figures(found: Finished) -> list[Figure]:
    name = f"resume of a finished job of {found.documents:,} documents"
    seconds = found.resumed["seconds"]
    return [
        Figure(name, seconds, None, seconds * FINISHED / found.documents, MOST_SECONDS, "lower", f"s a {FINISHED:,}"),
        Figure.of(f"{name}: the whole command", found.again, None, "lower", "s", peer=found.first),
        Figure.of(f"{name}: part files written anew", found.redone, 0, "lower"),
    ]


def _audit_figures(few: Finished, many: Finished) -> list[Figure]:
    """What an audit takes, beside that of a job of a tenth: it should not grow with the documents."""
    peak, seconds = many.audited["mb"], many.audited["seconds"]
    name = f"audit of {many.documents:,} documents"
    return [
        Figure.of(name, seconds, None, "lower", f"s, beside {few.documents:,}", peer=few.audited["seconds"]),
        Figure.of(f"{name}: driver", peak, MOST_MB, "lower", "MB at the peak", peer=few.audited["mb"]),
    ]


def _write_small(path: Path, count: int) -> Path:
    """Small pages in a column: only their number matters here."""
    pages = [f"<table><tr><th>Name<th>Price<tr><td>Camera {n}<td>{n}<tr><td>Lens {n}<td>{n}" for n in range(count)]
    parquet.write_table(pa.table({"html": pages}), path, row_group_size=10_000)
    return path


def _times(output: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in output.glob("*/part-*")}


def _command(command: list[str]) -> float:
    began = perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in DONE:
        raise SystemExit(f"bench: a batch failed: {done.stderr}")
    return perf_counter() - began


def _run(script: str, *arguments: str) -> dict[str, float]:
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"bench: {done.stderr}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--finished", type=int, default=FINISHED)
    given = parser.parse_args()
    tell(manifest_figures(given.documents, given.finished))
