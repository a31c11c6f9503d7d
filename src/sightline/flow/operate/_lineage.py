"""Sends the events of OpenLineage to a file or a web address; whatever fails there never fails a run."""

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import orjson

from sightline.errors import OutputError, UsageError
from sightline.files import writing
from sightline.flow._addresses import quiet, scheme_of
from sightline.flow.operate._lineage_events import EventType, lineage_event
from sightline.flow.run import RunWatcher, WatchedRun
from sightline.net import PRODUCT, is_loopback
from sightline.redaction import remember, remember_passwords

SECONDS = 10.0  # a run waits no longer for whoever collects its lineage
FILE_SCHEME = "file"
ENDPOINT = "/api/v1/lineage"
"""Where collectors take events, if the address names no path."""
KEY = "OPENLINEAGE_API_KEY"
"""The environment variable with the key of a collector, as other programs that send such events name it."""


class LineageSender(RunWatcher, ABC):
    """Sends an event when a run begins and one when it has ended; subclasses say where to."""

    @classmethod
    def to(cls, place: str) -> "LineageSender":
        """What sends events to a file or an address."""
        scheme = scheme_of(place)
        if scheme in ("http", "https"):
            return LineageService(place)
        if scheme and scheme != FILE_SCHEME:
            raise UsageError(
                f"Lineage can't be sent to {scheme}:; name a file, or an address such as http://host:5000."
            )
        path = Path(place.removeprefix(f"{FILE_SCHEME}://") if scheme else place)
        if not path.absolute().parent.is_dir():
            raise UsageError(f"There is no folder {path.parent} for the lineage; make it, or choose another place.")
        return LineageFile(path)

    def begun(self, run: WatchedRun) -> Sequence[str]:
        """The run begins; one that was taken up goes on, under the id that it had."""
        self.send(lineage_event(run, "RUNNING" if run.state.steps else "START"))
        return ()

    def ended(self, run: WatchedRun) -> Sequence[str]:
        """The run is over."""
        kind: EventType = "FAIL" if run.state.verdict == "failed" else "COMPLETE"
        self.send(lineage_event(run, kind))
        return ()

    def stopped(self, run: WatchedRun) -> None:
        """The run was interrupted."""
        try:
            self.send(lineage_event(run, "ABORT"))
        except OutputError:
            return  # there is nobody left to tell

    @abstractmethod
    def send(self, event: dict[str, Any]) -> None:
        """Send one event; an OutputError says why it could not be sent."""


class LineageFile(LineageSender):
    """Appends events to a file, one line each."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def send(self, event: dict[str, Any]) -> None:
        """Append one line at once, so that several processes may write to the same file."""
        with writing(self._path):
            handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
            try:
                os.write(handle, orjson.dumps(event) + b"\n")
            finally:
                os.close(handle)


class LineageService(LineageSender):
    """Posts events to a collector, such as Marquez."""

    def __init__(self, address: str) -> None:
        remember_passwords(address)
        parts = urlsplit(address)
        if not parts.hostname:
            raise UsageError("The address for the lineage is malformed; write it as `http://host:5000`.")
        self._address = address if parts.path.strip("/") else f"{address.rstrip('/')}{ENDPOINT}"
        self._shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        key = os.environ.get(KEY)
        self._headers = {"Authorization": f"Bearer {remember(key)}"} if key else {}
        self._trusts_proxies = not is_loopback(parts.hostname)

    def send(self, event: dict[str, Any]) -> None:
        """Post one event, once; a run does not wait for a collector that is down."""
        headers = {"User-Agent": PRODUCT, "Content-Type": "application/json", **self._headers}
        try:
            with quiet("httpx2", "httpcore2"):  # they would log the whole address
                answer = httpx2.post(
                    self._address,
                    content=orjson.dumps(event),
                    headers=headers,
                    timeout=SECONDS,
                    trust_env=self._trusts_proxies,
                )
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as problem:
            said = str(problem).splitlines()[0].rstrip(".") if str(problem) else type(problem).__name__
            raise self._failed(event, f"could not be reached ({said:.200})") from problem
        if not answer.is_success:
            raise self._failed(event, f"answered {answer.status_code}")

    def _failed(self, event: dict[str, Any], reason: str) -> OutputError:
        kind = event["eventType"]
        return OutputError(
            f"The lineage event {kind} was not sent: {self._shown} {reason}; the run went on without it."
        )
