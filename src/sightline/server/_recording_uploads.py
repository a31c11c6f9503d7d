"""Files that somebody uploaded for the page of a live browser: kept in the project, where its script finds them."""

import itertools
import threading
from pathlib import Path

from sightline.errors import UsageError
from sightline.files import make_folder, write_bytes
from sightline.navigate.record import RecordedStep, Recording
from sightline.navigate.script import UploadStep
from sightline.store import check_name

__all__ = ["RecordingUploads"]

FOLDER = "uploads"


class RecordingUploads:
    """The uploads of one recording, by their names; the page gets no other file of this machine."""

    def __init__(self, project: Path) -> None:
        self._folder = project / FOLDER
        self._known: dict[str, Path] = {}
        self._lock = threading.Lock()  # two files of one name may come at once

    def keep(self, name: str, content: bytes) -> str:
        """Keep a file; the name that it got, which is another one if there is a file of that name."""
        first = Path(check_name(name, "a file"))
        further = (Path(f"{first.stem} {number}{first.suffix}") for number in itertools.count(2))
        make_folder(self._folder)
        with self._lock:
            tried = (self._folder / one for one in itertools.chain((first,), further))
            path = write_bytes(next(one for one in tried if not one.exists()), content)
            self._known[path.name] = path.absolute()
        return path.name

    def path(self, name: str) -> str:
        """Where a file is that was uploaded here."""
        if name not in self._known:
            raise UsageError(f"The file {name!r:.60} was not uploaded; choose it again.")
        return str(self._known[name])

    def named_in(self, recording: Recording) -> Recording:
        """A recording that names the files where they are kept."""
        return Recording(tuple(map(self._named, recording.steps)), recording.secrets, recording.variables)

    def _named(self, one: RecordedStep) -> RecordedStep:
        step = one.step
        if not isinstance(step, UploadStep) or not all(name in self._known for name in step.files):
            return one
        files = tuple(f"{FOLDER}/{name}" for name in step.files)
        # The last doubt is that nobody knows where the files are.
        return RecordedStep(UploadStep(target=step.target, files=files), one.doubts[:-1])
