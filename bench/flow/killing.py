"""Runs of flows in processes that are killed; forked from one that has imported all, so that many can be tried."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from time import sleep

FORKING = """
import json, os, sys, traceback
from datetime import datetime
import duckdb, psycopg, pyarrow as pa, pyarrow.compute, pyarrow.csv, pyarrow.dataset
from sightline.flow.run import run_flow
from sightline.flow.spec import Flow
from sightline.flow.deliver import deliver
from sightline.flow.deliver import _deliver, _duckdb, _postgres
from sightline.flow.normalise import normalise_batches, _stream
pa.record_batch({"id": [1]})  # imports pandas, if it is there, which takes longer than most steps

def told(event):
    print("event", event.kind, event.step, flush=True)
    sys.stdin.readline()  # goes on when it may

for line in sys.stdin:
    if not line.strip():
        continue  # an answer that nobody waited for
    file, store, more = json.loads(line)
    more = {name: datetime.fromisoformat(at) for name, at in more.items()}
    child = os.fork()
    if not child:
        print("began", os.getpid(), flush=True)
        try:
            found = run_flow(Flow.load(file), store=store, on_event=told, **more)
            print("found", found.verdict, *found.state.reasons, flush=True)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    os.waitpid(child, 0)
    print("ended", flush=True)
"""


class KillableRuns:
    """Runs a flow, each time in a process of its own; used as a context manager."""

    def __init__(self, file: Path, store: Path) -> None:
        self._given = (str(file), str(store))

    def __enter__(self) -> "KillableRuns":
        self._process = subprocess.Popen(
            [sys.executable, "-c", FORKING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def run(self, kill_at: int | None = None, pause: float = 0.0, **at: datetime) -> tuple[int, str]:
        """Run until the end, or until so many events were told and a pause is over, in which it goes on.

        `at` are the times that the run is told of, such as `now`. Returns how many events there were, and what was
        found.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        times = {name: when.isoformat() for name, when in at.items()}
        self._say(json.dumps([*self._given, times]) + "\n")
        events, child, found = 0, 0, ""
        for line in self._process.stdout:
            word, _, rest = line.strip().partition(" ")
            if word == "began":
                child = int(rest)
            elif word == "found":
                found = rest
            elif word == "event":
                events += 1
                if events == kill_at and pause:
                    self._say("\n" * 1000)  # it need not wait for an answer any more
                    sleep(pause)
                if events == kill_at:
                    with suppress(ProcessLookupError):  # it was done before the pause was over
                        os.kill(child, signal.SIGKILL)
                elif kill_at is None or events < kill_at:
                    self._say("\n")
            elif word == "ended":
                break
        return events, found

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line)
        self._process.stdin.flush()
