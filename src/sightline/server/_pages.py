"""Pages: opening them by address, listing and deleting them, their pictures and where things are on them."""

import itertools
import re
import shutil
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias
from urllib.parse import quote

import numpy as np
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool
from typing_extensions import TypedDict

from sightline.errors import BlockedError, SightlineError, UsageError
from sightline.files import make_folder, write_bytes
from sightline.geometry import is_box
from sightline.navigate import find_paging
from sightline.navigate.record import RecordedStep, Recording
from sightline.navigate.script import UploadStep
from sightline.net import Document, admit, media_type_of, megabytes
from sightline.page import Page
from sightline.project import check_name
from sightline.server._job_registry import JobHandle
from sightline.server._jobs import accepted
from sightline.server._problems import ProblemError, problem_of
from sightline.server._shapes import JobResponse, JsonResponse, PageResponse, encodable, page_shape
from sightline.server._studio import Studio, StudioDep, StudioSettings

router = APIRouter(tags=["pages"])

LONGEST_SOURCE = 8_192  # characters; the longest address that is opened
# What people type for an address: a host with a dot in it, and perhaps a port and a path.
_BARE = re.compile(r"(?:[\w-]+\.)+[^\W\d_]{2,}(?::\d+)?(?:[/?#].*)?", re.IGNORECASE)
PICTURES = ("img", "svg", "video", "canvas", "picture")
LINE_TAGS = (
    *("address", "article", "aside", "blockquote", "body", "caption", "dd", "div", "dl", "dt", "figcaption", "figure"),
    *("footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "html", "li", "main", "nav", "ol", "p", "pre"),
    *("section", "table", "tr", "ul"),
)
"""What a line of text is in, on a page that is shown without its layout."""
MOST_TEXTS = 50_000  # of a page that is shown as text
FOREVER = "private, max-age=31536000, immutable"


class OpenRequest(BaseModel):
    """An address to open; `static` uses the HTML alone, without a browser."""

    source: str = Field(max_length=LONGEST_SOURCE)
    static: bool = False


class PagesResponse(TypedDict):
    """All pages."""

    pages: list[PageResponse]


class GeometryResponse(TypedDict):
    """What people can point at; `parents` are places in `nodes` or -1, and `boxes` has four numbers for each node."""

    nodes: list[int]
    parents: list[int]
    boxes: list[float]
    tags: list[str]
    tag: list[int]
    texts: list[str | None]


class TextsResponse(TypedDict):
    """The texts of a page in their order, with the line that each is on."""

    nodes: list[int]
    texts: list[str]
    lines: list[int]
    parents: list[int]
    blocks: list[int]


class PagingResponse(TypedDict):
    """Where a page of a list leads."""

    next: str | None
    pages: list[str]
    way: str | None
    total: int | None
    records: int | None
    strip: list[int]
    evidence: list[str]


@router.get("/pages", response_model=PagesResponse)
def list_pages(studio: StudioDep) -> Response:
    """All pages of the project, the last opened first."""
    return JsonResponse({"pages": [page_shape(info) for info in studio.infos()]})


@router.post("/pages", status_code=202, response_model=JobResponse)
def open_page(wanted: OpenRequest, studio: StudioDep) -> Response:
    """Open an address; the result of the job has its page. Only http and https, as the safety rules say."""
    address = check_address(wanted.source)
    return accepted(studio.board.start("open", address, open_one(studio, address, static=wanted.static)))


def check_address(source: str) -> str:
    """The address that is meant; an error says what is wrong with it.

    >>> check_address(" example.org/cameras ")
    'https://example.org/cameras'
    """
    text = source.strip()
    if not text:
        raise UsageError("Give the address of a page, such as https://example.org/cameras.")
    if _BARE.fullmatch(text):
        text = f"https://{text}"
    admit(text, source=text)
    return text


@router.get("/pages/{page_id}", response_model=PageResponse)
def show_page(page_id: str, studio: StudioDep) -> Response:
    """What is known of a page."""
    return JsonResponse(page_shape(studio.info(page_id)))


@router.delete("/pages/{page_id}", status_code=204)
def delete_page(page_id: str, studio: StudioDep) -> Response:
    """Delete a page, and what was changed in its results; lessons and wrappers that were made with it stay."""
    studio.delete(page_id)
    return Response(status_code=204)


@router.get("/pages/{page_id}/pictures/{index}", response_class=Response)
def show_picture(page_id: str, index: int, studio: StudioDep) -> Response:
    """A part of the picture of a page, as PNG."""
    return Response(studio.picture(page_id, index), media_type="image/png", headers={"Cache-Control": FOREVER})


@router.get("/pages/{page_id}/download", response_class=Response)
def download_page(page_id: str, studio: StudioDep) -> Response:
    """The page as a `.page` file, which every command opens."""
    info = studio.info(page_id)
    headers = attachment(f"{file_name(info.title or info.source)}.page")
    return Response(studio.store.page_content(page_id), media_type="application/x-sightline-page", headers=headers)


@router.get("/pages/{page_id}/geometry", response_model=GeometryResponse)
def show_geometry(page_id: str, studio: StudioDep) -> Response:
    """Everything visible that holds text or is a picture: numbers, boxes, tags and texts, in document order."""
    return JsonResponse(geometry_of(studio.page(page_id)), headers={"Cache-Control": FOREVER})


@router.get("/pages/{page_id}/texts", response_model=TextsResponse)
def show_texts(page_id: str, studio: StudioDep) -> Response:
    """What a page says, text by text, with the line that each is on: for pages without a picture."""
    return JsonResponse(texts_of(studio.page(page_id)), headers={"Cache-Control": FOREVER})


@router.get("/pages/{page_id}/paging", response_model=PagingResponse)
def show_paging(page_id: str, studio: StudioDep) -> Response:
    """Where a page of a list leads."""
    return JsonResponse(find_paging(studio.page(page_id)).to_json())


def geometry_of(page: Page) -> dict[str, Any]:
    """The nodes that people can point at: visible texts and pictures, and the elements around them."""
    shown = page.visible & is_box(page.box)
    ink = shown & ((page.is_text & ~page.is_blank) | page.mask(*PICTURES))
    below = np.concatenate([[0], np.cumsum(ink)])
    holds = below[page.end] - below[:-1] > 0
    nodes = np.flatnonzero(shown & holds)
    place = np.full(len(page) + 1, -1, dtype=np.int64)  # the last one is for the root, whose parent is -1
    place[nodes] = np.arange(len(nodes))
    parents = page.parent[nodes].astype(np.int64)
    while True:  # up to the next node that is shown; frames without a box are seldom nested deep
        hidden = (parents >= 0) & (place[parents] < 0)
        if not hidden.any():
            break
        parents[hidden] = page.parent[parents[hidden]]
    used, tag = np.unique(page.tag[nodes], return_inverse=True)
    texts = page.text[nodes].tolist()
    return {
        "nodes": nodes,
        "parents": np.where(parents >= 0, place[parents], -1),
        "boxes": np.round(page.box[nodes].astype(np.float64), 1).ravel(),
        "tags": [page.strings[number] for number in used.tolist()],
        "tag": tag.ravel(),
        "texts": [encodable(page.strings[number]) if number >= 0 else None for number in texts],
    }


def texts_of(page: Page) -> dict[str, Any]:
    """The texts of a page in their order; those in the same block are on the same line."""
    nodes = np.flatnonzero(page.visible & page.is_text & ~page.is_blank)[:MOST_TEXTS]
    is_block = page.mask(*LINE_TAGS)
    blocks = page.parent[nodes].astype(np.int64)
    while (inner := (blocks >= 0) & ~is_block[blocks]).any():  # up to the next block, however deep a text is in it
        blocks[inner] = page.parent[blocks[inner]]
    lines = np.concatenate([[0], np.cumsum(blocks[1:] != blocks[:-1])])[: len(nodes)]
    texts = [encodable(page.strings[number]) for number in page.text[nodes].tolist()]
    around = {"parents": page.parent[nodes], "blocks": blocks}  # what was taken may be the element that holds a text
    return {"nodes": nodes, "texts": texts, "lines": lines, **around}


def file_name(text: str) -> str:
    """A text as the name of a file, without suffix: short, and with nothing in it that could lead elsewhere.

    >>> file_name("Cameras / 2026: “the best”"), file_name("../..")
    ('Cameras 2026 the best', 'page')
    """
    plain = " ".join(re.sub(r"[^\w.-]+", " ", text).split())[:80].strip(" .-")
    return plain or "page"


def attachment(name: str) -> dict[str, str]:
    """The headers of a file that a browser keeps instead of showing it; `name` may have any letters."""
    plain = name.encode("ascii", "ignore").decode().replace('"', "") or "file"
    return {
        "Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}",
        "Cache-Control": "no-store",
    }


# The jobs that open pages: addresses, uploads, examples and what was named at the start.

Opening: TypeAlias = Callable[[JobHandle], dict[str, Any]]


def open_one(studio: Studio, source: str, *, static: bool = False) -> Opening:
    """Opens one address; if that fails, so does the job. A wall is kept, and the problem says which page it is."""

    def work(job: JobHandle) -> dict[str, Any]:
        pages = []
        for loaded, info in studio.opened(job, [source], 1, static=static):
            if loaded.error is not None:
                wall = {"page": info.id} if info and isinstance(loaded.error, BlockedError) else {}
                raise _Failed(loaded.error, wall)
            if info is not None:
                pages.append(page_shape(info))
                job.found({"page": pages[-1]})
        return {"pages": pages}

    return work


def open_several(
    studio: Studio,
    sources: Iterable[str | Document],
    total: int | None,
    *,
    static: bool = False,
    trusted: bool = False,
    finish: Callable[[], None] | None = None,
) -> Opening:
    """Opens several sources; what is wrong with some of them is told in the end, and stops no other.

    `finish` is called when all is over, however it ended.
    """
    listed = list(sources)
    order = {_name(source): place for place, source in enumerate(listed)}

    def work(job: JobHandle) -> dict[str, Any]:
        kept: list[tuple[str, dict[str, Any]]] = []
        problems = []
        try:
            for loaded, info in studio.opened(job, listed, total, static=static, trusted=trusted):
                if info is not None:
                    kept.append((loaded.source, page_shape(info)))
                    job.found({"page": kept[-1][1]})
                if loaded.error is not None:
                    problems.append({"file": loaded.source, "detail": _sentence(loaded.error, loaded.source)})
        finally:
            if finish is not None:
                finish()
        if problems and not kept:
            raise ProblemError("unreadable", problems[0]["detail"], reason="unreadable", problems=problems)
        # They come as they are ready, and are told in the order in which they were given, whatever the machine does.
        pages = [page for _, page in sorted(kept, key=lambda one: order.get(one[0], len(order)))]
        return {"pages": pages, "problems": problems}

    return work


def _name(source: str | Document) -> str:
    return source if isinstance(source, str) else source.source


def _sentence(error: SightlineError, source: str) -> str:
    """What is wrong, without the name of the file, which is beside it."""
    told = error.message.removeprefix(f"{source}: ")
    return told[:1].upper() + told[1:]


class _Failed(ProblemError):
    """A source that did not become a page."""

    def __init__(self, error: SightlineError, extra: dict[str, Any]) -> None:
        found = problem_of(error)
        super().__init__(found["code"], found["detail"])
        self.document = found | extra


# -- uploads: files come as a stream to the disk, and are opened by a job -------------------------------------------
# The name of a file is what people see and never what a path is made of.

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
