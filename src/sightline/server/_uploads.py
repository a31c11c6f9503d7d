"""Uploads: files come as a stream to the disk, and are opened by a job.

The name of a file is what people see and never what a path is made of.
"""

import itertools
import shutil
import tempfile
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from fastapi import APIRouter, Request, Response
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool

from sightline.errors import UsageError
from sightline.files import make_folder, write_bytes
from sightline.navigate.record import RecordedStep, Recording
from sightline.navigate.script import UploadStep
from sightline.net import Document, media_type_of, megabytes
from sightline.project import check_name
from sightline.server._jobs import accepted
from sightline.server._pages import open_several
from sightline.server._problems import ProblemError
from sightline.server._shapes import JobResponse
from sightline.server._studio import StudioDep, StudioSettings

__all__ = ["RecordingUploads", "router"]

router = APIRouter(tags=["pages"])

LONGEST_NAME = 200  # characters of a file's name that are kept
UPLOADING = ".uploads"
MOST_HEADER = 16_384  # bytes of the headers of one part

_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {"files": {"type": "array", "items": {"type": "string", "format": "binary"}}},
                }
            }
        },
    }
}


@router.post("/uploads", status_code=202, response_model=JobResponse, openapi_extra=_FORM)
async def upload_files(request: Request, studio: StudioDep) -> Response:
    """Open uploaded files: HTML, PDF, MHTML, WARC or `.page`. One that cannot be read does not stop the others."""
    folder = await run_in_threadpool(_new_folder, studio.folder)
    try:
        kind, options = parse_options_header(request.headers.get("content-type"))
        if kind != b"multipart/form-data" or not options.get(b"boundary"):
            raise ProblemError("bad-request", "Files are uploaded as a form, multipart/form-data.")
        form = _Form(folder, options[b"boundary"], studio.settings)
        await _receive(form, request.stream())
        files = form.files
        if not files:
            raise ProblemError("bad-request", "The form has no files; name them `files`.")
    except BaseException:
        await run_in_threadpool(shutil.rmtree, folder, ignore_errors=True)
        raise
    title = files[0].name if len(files) == 1 else f"{len(files)} files"

    documents = map(_document, files)  # one by one, since all of them may be more than the memory holds
    work = open_several(studio, documents, len(files), finish=lambda: shutil.rmtree(folder, ignore_errors=True))
    return accepted(studio.board.start("upload", title, work))


def _new_folder(project: Path) -> Path:
    """A folder for one upload, in the project, where there is room for large files."""
    parent = project / UPLOADING
    parent.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(dir=parent))


def _document(file: "UploadedFile") -> Document:
    return Document(source=file.name, url="", content=file.path.read_bytes(), media_type=media_type_of(file.name))


@dataclass(frozen=True)
class UploadedFile:
    """A file as it came: the name that it had, and where it is now."""

    name: str
    path: Path


async def _receive(form: "_Form", stream: AsyncIterator[bytes]) -> None:
    try:
        async for chunk in stream:
            if chunk:
                await run_in_threadpool(form.feed, chunk)
        form.finish()
    except FormParserError as problem:
        raise ProblemError("bad-request", "The form of the upload is damaged; send it again.") from problem
    finally:
        form.close()


class _Form:
    """Takes a form apart while it comes, each file into a file of its own."""

    def __init__(self, folder: Path, boundary: bytes, settings: StudioSettings) -> None:
        self.files: list[UploadedFile] = []
        self._folder = folder
        self._settings = settings
        self._headers: dict[bytes, bytes] = {}
        self._field, self._text, self._size, self._total = b"", b"", 0, 0
        self._stream: IO[bytes] | None = None
        self._ended = False
        callbacks: Any = {
            "on_part_begin": self._begin,
            "on_header_field": self._header_field,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_finished,
            "on_part_data": self._data,
            "on_part_end": self._end,
            "on_end": self._last,
        }
        self._parser = MultipartParser(boundary, callbacks)

    def feed(self, chunk: bytes) -> None:
        self._total += len(chunk)
        most = self._settings.request_bytes
        if self._total > most:
            raise ProblemError("too-large", f"An upload has at most {megabytes(most)}; upload the files in parts.")
        self._parser.write(chunk)

    def finish(self) -> None:
        self._parser.finalize()
        if not self._ended:
            raise ProblemError("bad-request", "The upload ends too early; send it again.")

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()

    # ------------------------------------------------------------------ called by the parser

    def _begin(self) -> None:
        self._headers, self._field, self._text, self._size = {}, b"", b"", 0

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]
        self._check_header()

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._text += data[start:end]
        self._check_header()

    def _check_header(self) -> None:
        if len(self._field) + len(self._text) > MOST_HEADER:
            raise ProblemError("bad-request", "The form of the upload is damaged; send it again.")

    def _header_end(self) -> None:
        self._headers[self._field.lower()] = self._text
        self._field, self._text = b"", b""

    def _headers_finished(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        if b"filename" not in options:
            return  # a field of the form that isn't a file
        if len(self.files) >= self._settings.upload_files:
            most = self._settings.upload_files
            raise ProblemError("too-large", f"An upload has at most {most} files; upload the rest afterwards.")
        path = self._folder / f"{len(self.files):06}"
        self.files.append(UploadedFile(_shown_name(options[b"filename"]), path))
        self._stream = path.open("wb")

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._stream is None:
            return
        self._size += end - start
        most = self._settings.upload_bytes
        if self._size > most:
            name = self.files[-1].name
            raise ProblemError("too-large", f"{name} is larger than {megabytes(most)}, the most that can be uploaded.")
        self._stream.write(data[start:end])

    def _end(self) -> None:
        self.close()
        self._stream = None

    def _last(self) -> None:
        self._ended = True


def _shown_name(name: bytes) -> str:
    r"""The name of a file as people see it: without folders and without characters that cannot be printed.

    >>> _shown_name(b"C:\\pages\\a\x00.html"), _shown_name(b"../../etc/passwd")
    ('a.html', 'passwd')
    """
    text = name.decode("utf-8", "replace").replace("\\", "/").rpartition("/")[2]
    return "".join(letter for letter in text if letter.isprintable())[:LONGEST_NAME].strip() or "file"


# Files that somebody uploaded for the page of a live browser: kept in the project, where its script finds them.

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
