"""Live browsers: a few at a time, each with the script that it writes; they end when nobody has looked for a while."""

import threading
import time
from urllib.parse import urlsplit

from sightline.errors import UsageError
from sightline.navigate.script import Script, step_of
from sightline.server._live_recording import LiveRecording, opened_addresses, with_scheme
from sightline.server._practice import PracticeSite
from sightline.server._problems import ProblemError
from sightline.server._script_desk import ScriptDesk
from sightline.server._studio import Studio

__all__ = ["RecordingDesk"]

MOST_LIVE = 3  # browsers at a time: each takes some 300 MB
LOOK_SECONDS = 5.0  # between two looks for those that nobody watches


class RecordingDesk:
    """The live browsers of a Studio."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._live: dict[str, LiveRecording] = {}
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._watcher: threading.Thread | None = None
        self.practice = PracticeSite()

    def begin(self, url: str | None, script: str | None, *, practice: bool = False) -> LiveRecording:
        """Open a live browser on an address, for a new script or for one that there is."""
        scripts = self._studio.part(ScriptDesk)
        address = self.practice.open() if practice else url
        if script is not None:
            opened = scripts.open(script)
            address = address or next(opened_addresses(opened.script.steps), "")
        if not address:
            raise UsageError("Say which address to open.")
        address = with_scheme(address)
        if not self._studio.has_browser:
            raise ProblemError("usage", "Recording needs a browser; `sightline doctor --install` installs one.")
        with self._lock:
            if self._over.is_set():
                raise ProblemError("busy", "The Studio is shutting down; start it again first.")
            if len(self._live) >= MOST_LIVE:
                names = ", ".join(one.name for one in self._live.values())
                raise ProblemError("busy", f"{MOST_LIVE} live browsers are open ({names}); end one of them first.")
            name = script or _create(scripts, address, "camera shop" if practice else "")
            shop = self.practice if practice or self.is_practice(address) else None
            recording = LiveRecording(self._studio, name, is_new=script is None, practice=shop)
            self._live[recording.id] = recording
            if self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, name="recordings", daemon=True)
                self._watcher.start()
        recording.do(lambda: recording.begin(address), f"Opening {address}")
        return recording

    def is_practice(self, address: str) -> bool:
        """Whether an address is one of the practice shop's."""
        origin = self.practice.origin
        return bool(origin) and address.startswith(f"{origin}/")

    def find(self, recording_id: str) -> LiveRecording:
        """A live browser by its id."""
        with self._lock:
            found = self._live.get(recording_id)
        if found is None:
            raise ProblemError("gone", "This recording has ended; what it recorded is in its script.")
        return found

    def list(self) -> list[LiveRecording]:
        """Those that are open."""
        with self._lock:
            return list(self._live.values())

    def of_script(self, name: str) -> LiveRecording | None:
        """The live browser that works on a script, if there is one."""
        return next((one for one in self.list() if one.name == name), None)

    def end(self, recording: LiveRecording, why: str = "") -> None:
        """Close a live browser; one that somebody else has closed meanwhile stays closed."""
        with self._lock:
            self._live.pop(recording.id, None)
        recording.close(why)

    def close(self) -> None:
        """Close all of them."""
        self._over.set()
        for one in self.list():
            self.end(one, "The Studio has ended.")
        self.practice.close()

    def _watch(self) -> None:
        """End those that nobody has looked at, or used, for too long."""
        idle = self._studio.settings.idle_seconds
        while not self._over.wait(min(LOOK_SECONDS, idle)):
            for one in self.list():
                unused = time.monotonic() - one.used
                if unused > (idle if not one.is_watched else 6 * idle):
                    self.end(one, "Nobody used this browser for a while, so it was closed; the script is kept.")


def _create(scripts: ScriptDesk, address: str, wanted: str) -> str:
    """A new script, named after its site; its first step is what the recording will say anyway."""
    host = _host(address)
    name = scripts.documents.free_name(wanted or host or "script")
    text = Script(steps=(step_of({"open": address}),), about=f"Recorded on {host}.").dumps()
    scripts.create(name, text)
    return name


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError as problem:  # half of an IPv6 address, for one
        raise UsageError(f"{address[:200]} is not an address; check how it is written.") from problem
