"""The Ray engine: supervisors in the actors of a Ray cluster, kept at work by a host process.

The ledger is the source of truth here as everywhere: Ray only keeps workers running. So whatever of Ray dies is started
again, and what it was doing is done by the next worker that claims it.
"""

import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from sightline.errors import MissingExtra, UnreachableError, UsageError
from sightline.extras import is_installed
from sightline.project import remove_abandoned
from sightline.scale._spec import WorkerConfig
from sightline.scale.engines._ray_wire import RayOrder, RayReport, send, take_report

_CODE = "from sightline.scale.engines._ray_host import main; main()"
_CLIENT = "ray://"
# Of twenty starts on a machine with fifteen times more to do than cores, two failed.
TRIES = 5
FIRST_PAUSE = 1.0  # seconds before it is started again, doubled each time
# A cluster that has worked so long was started well, and got on: outcomes are in journals, so however often it dies
# after that, the batch comes to its end. Twenty kills of raylets ended three batches while this was 10.
SETTLED_SECONDS = 1.0
START_SECONDS = 180.0  # 8 on an idle machine
SILENCE_SECONDS = 90.0  # reports come every second; Ray itself gives a head up after 60
STOP_SECONDS = 30.0
_TAIL = 4_000  # bytes of what the host printed last
_MOST_WORDS = 160  # letters; the advice that Ray adds is for its own drivers
_LOG_HEAD = re.compile(r"^\[.*?\] \S+:\d+: ")


class RayEngine:
    """Workers on Ray: on a cluster that it starts on this machine, or on the one at `address` (`auto` or `host:port`).

    The command has to run on a machine of that cluster, with the cluster's token in `RAY_AUTH_TOKEN`,
    `RAY_AUTH_TOKEN_PATH` or `~/.ray/auth_token`.

    >>> RayEngine("ray://head:10001")
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: Ray clients (ray://head:10001) cannot run a batch; run the command on a machine of...
    """

    def __init__(self, address: str | None = None) -> None:
        if address and address.startswith(_CLIENT):
            raise UsageError(
                f"Ray clients ({address}) cannot run a batch; run the command on a machine of the cluster, for "
                "example by `ray job submit`, with the address auto."
            )
        if not is_installed("ray"):
            raise MissingExtra("ray", "The engine ray")
        self._address = address or ""
        self._host: _Host | None = None
        self._tries = 0
        self._not_before = 0.0
        self._finished = False

    def start(self, station: WorkerConfig, workers: int) -> None:
        """Begin; the cluster comes up while `check` is called."""
        self._order = RayOrder(station, workers, self._address)
        self._host = _Host(self._order)

    def check(self) -> None:
        """Start the host again if it, or its cluster, has died; raise what cannot be mended by that."""
        if self._finished:
            return
        if self._host is None:
            if time.monotonic() >= self._not_before:
                self._host = _Host(self._order)
        elif self._host.report.error:
            raise pickle.loads(self._host.report.error)  # of our own process
        elif not self._host.well:
            self._lose(self._host)

    def idle(self) -> bool:
        """Whether all workers have returned."""
        self._finished = self._finished or (self._host is not None and self._host.report.finished)
        return self._finished

    def stop(self) -> None:
        """End all workers, the host, and the cluster if it is ours."""
        if self._host:
            self._host.close()
            self._host = None

    def _lose(self, host: "_Host") -> None:
        words = host.last_words()
        self._tries = 1 if host.worked > SETTLED_SECONDS else self._tries + 1
        host.close()
        self._host = None
        if self._tries >= TRIES:
            raise UnreachableError(self._address or "Ray", _hopeless(self._address, words))
        self._not_before = time.monotonic() + FIRST_PAUSE * 2 ** (self._tries - 1)


def _hopeless(address: str, words: str) -> str:
    told = f" ({words})" if words else ""
    if address:
        return (
            f"there is no Ray cluster that can be used, after {TRIES} tries{told}; check the address and the token, "
            "then give the same command again: it goes on where it was."
        )
    return (
        f"the cluster did not start or died {TRIES} times in a row{told}; give the same command again, or use "
        "--engine local: it goes on where it was."
    )


class _Host:
    """The host process, and what it reported last."""

    def __init__(self, order: RayOrder) -> None:
        self._folder = None if order.address else ray_folder()
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-c", _CODE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._words,
            start_new_session=True,  # Ctrl-C is for the driver, which then stops the host
        )
        self._down, self._up = cast("BinaryIO", self._process.stdin), cast("BinaryIO", self._process.stdout)
        self.report = RayReport()
        self._began = self._heard = time.monotonic()
        self._first_work = 0.0
        with suppress(OSError):  # it is dead already, which `well` notices
            send(self._down, msgspec.structs.replace(order, folder=str(self._folder or "")))
        self._listener = threading.Thread(target=self._listen, name="Ray host", daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        while (report := take_report(self._up)) is not None:
            self._heard = time.monotonic()
            if report.working and not self._first_work:
                self._first_work = self._heard
            self.report = report

    @property
    def well(self) -> bool:
        """Whether it runs and reports."""
        if self._process.poll() is not None:
            self._listener.join()
            return self.report.finished or bool(self.report.error)
        silence = SILENCE_SECONDS if self._heard > self._began else START_SECONDS
        return time.monotonic() - self._heard < silence

    @property
    def worked(self) -> float:
        """The seconds since its first worker began; 0 if none has."""
        return time.monotonic() - self._first_work if self._first_work else 0.0

    def last_words(self) -> str:
        """The last line that it printed."""
        self._words.seek(0, 2)
        self._words.seek(max(0, self._words.tell() - _TAIL))
        lines = self._words.read().decode("utf-8", "replace").strip().splitlines()
        return textwrap.shorten(_LOG_HEAD.sub("", lines[-1]), _MOST_WORDS, placeholder=" …") if lines else ""

    def close(self) -> None:
        """Hang up, wait until it has ended its workers, and kill it if that takes too long."""
        with suppress(OSError):
            self._down.close()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)  # what Ray has started, if it could not end that itself
        self._listener.join(STOP_SECONDS)
        self._up.close()
        self._words.close()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


# The folder of our own Ray cluster: its sockets, its logs and its token.

_PREFIX = "sl-ray-"
# Ray's sockets add 68 characters to the folder, and the name of a socket may have 107 (103 on macOS).
_LONGEST = 34
_SHORT = "/tmp"  # mkdtemp makes a folder in it that only this user can read
_ABANDONED_SECONDS = 60.0  # since it was made; its host takes the lock within a second


def ray_folder() -> Path:
    """A new folder with a short name, for this user alone."""
    parent = tempfile.gettempdir()
    if len(parent) + len(_PREFIX) + 8 > _LONGEST:
        parent = _SHORT
    _remove_abandoned(Path(parent))
    return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))


def _remove_abandoned(parent: Path) -> None:
    """Remove what was left when a driver and its host were both killed: folders of this user that nobody has locked."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            found = folder.lstat()
            if found.st_uid == os.getuid() and time.time() - found.st_mtime > _ABANDONED_SECONDS:
                remove_abandoned(folder)
