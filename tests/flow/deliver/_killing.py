"""Processes that deliver and are killed; forked from one that has imported everything, so that many can be tried."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

FORKING = """
import json, os, sys, traceback
import duckdb, psycopg, pyarrow as pa, pyarrow.compute, pyarrow.csv, sqlalchemy
from sightline.flow.deliver import deliver
from sightline.flow.deliver import _duckdb, _moves, _parquet, _postgres, _sqlalchemy
pa.record_batch({"id": [1]})  # imports pandas, if it is there, which takes longer than a load
for line in sys.stdin:
    code, names = json.loads(line)
    child = os.fork()
    if not child:
        print("began", os.getpid(), flush=True)
        try:
            exec(code, {"deliver": deliver, "pa": pa, "duckdb": _duckdb, "postgres": _postgres, **names})
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    status = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT).si_status
    print("ended", status, flush=True)
    sys.stdin.readline()  # it may be killed until then, so its number must not become another's
    os.waitpid(child, 0)
"""


class Killable:
    """Runs pieces of code, each in a process of its own; used as a context manager."""

    def __enter__(self) -> "Killable":
        self._process = subprocess.Popen(
            [sys.executable, "-c", FORKING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._child = 0
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def says(self, code: str, **names: object) -> Iterator[str]:
        """What the code prints, line by line; then the status of its process, such as `ended 9`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([code, names]) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith("began "):
                self._child = int(line.split()[1])
                continue
            yield line.strip()
            if line.startswith("ended "):
                self._process.stdin.write("\n")
                self._process.stdin.flush()
                return

    def kill(self) -> None:
        """Kill the code that runs, or has just ended."""
        os.kill(self._child, signal.SIGKILL)
