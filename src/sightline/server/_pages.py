"""Pages: opening them by address, listing and deleting them, their pictures and where things are on them."""

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias
from urllib.parse import quote

import numpy as np
from fastapi import APIRouter, Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from sightline.errors import BlockedError, SightlineError, UsageError
from sightline.geometry import is_box
from sightline.navigate import find_paging
from sightline.net import Document, admit
from sightline.page import Page
from sightline.server._job_registry import JobHandle
from sightline.server._jobs import accepted
from sightline.server._problems import ProblemError, problem_of
from sightline.server._shapes import JobResponse, JsonResponse, PageResponse, encodable, page_shape
from sightline.server._studio import Studio, StudioDep

__all__ = ["attachment", "check_address", "file_name", "open_several", "router"]

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
