"""Examples to try: a few pages that come with the product, opened as if they had been uploaded."""

import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, Literal
from urllib.parse import unquote, urlsplit

from fastapi import APIRouter, Response
from typing_extensions import TypedDict

from sightline.errors import UsageError
from sightline.files import make_folder, write_bytes
from sightline.net import Document, media_type_of
from sightline.server._flows import StudioFlows
from sightline.server._job_registry import JobHandle, JobWork
from sightline.server._jobs import accepted
from sightline.server._pages import open_several
from sightline.server._problems import ProblemError
from sightline.server._shapes import JobResponse, JsonResponse
from sightline.server._studio import Studio, StudioDep

# Examples of whole flows: their files are put beside the flows of the project, and nothing there is overwritten.

WRAPPERS = "wrappers"


@dataclass(frozen=True)
class FlowExample:
    """An example: its name, which is also that of its folder and of its flow, and the files that the flow reads."""

    name: str
    title: str
    about: str
    scripts: tuple[str, ...]
    wrappers: tuple[str, ...]
    data: tuple[str, ...]


FLOW_EXAMPLES = (
    FlowExample(
        "prices",
        "Where do our prices stand?",
        "Three competitors are read, matched to a catalogue of 1,000 products, checked and delivered. Two of them are "
        "shops that `python examples/prices/shops.py` opens on this machine.",
        scripts=("south.nav.yaml",),
        wrappers=("north.wrapper.json", "north-product.wrapper.json", "south.wrapper.json"),
        data=("catalogue.csv", "rates.csv", "vat.csv", "pricelist.pdf", "pricelist-2.pdf"),
    ),
)


def place_flow_example(studio: Studio, example: FlowExample, folder: Path) -> str:
    """Put an example into the project and return the name of its flow; other files of the same names are an error."""
    texts = {name: _with_folder((folder / name).read_text("utf-8"), example) for name in example.scripts}
    content = {name: text.encode() for name, text in texts.items()}
    content |= {name: (folder / name).read_bytes() for name in example.data}
    content |= {f"{WRAPPERS}/{name}": (folder / name).read_bytes() for name in example.wrappers}
    taken = [name for name, one in content.items() if _is_other(studio.folder / name, one)]
    if taken:
        raise UsageError(f"The project has {taken[0]} already, and it is another file; rename it first.")
    kept = studio.part(StudioFlows)
    flow = _with_folder((folder / f"{example.name}.flow.yaml").read_text("utf-8"), example)
    for name, one in content.items():
        path = studio.folder / name
        if not path.exists():
            make_folder(path.parent)
            write_bytes(path, one)
    name = kept.kept.documents.free_name(example.name)
    kept.create(name, flow)
    return name


def _with_folder(text: str, example: FlowExample) -> str:
    """A text that names wrappers where the Studio keeps them."""
    for name in example.wrappers:
        text = text.replace(f" {name}", f" {WRAPPERS}/{name}")
    return text


def _is_other(path: Path, content: bytes) -> bool:
    return path.exists() and path.read_bytes() != content


router = APIRouter(tags=["examples"])


@dataclass(frozen=True)
class StudioExample:
    """An example: what it is called, what it shows, and its files in the folder of examples."""

    name: str
    title: str
    about: str
    kind: str
    files: tuple[str, ...]


EXAMPLES = (
    StudioExample(
        "camera-shop",
        "A camera shop",
        "A list of products with prices, and a page of each: find the list, or teach what you want.",
        "page",
        ("cameras.html",),
    ),
    StudioExample(
        "observatory",
        "An observatory's report",
        "Tables with grouped headings, totals and notes among other things.",
        "page",
        ("observatory.html",),
    ),
    StudioExample(
        "quotation",
        "A quotation in a PDF",
        "Items over several sheets: the same tools, on paper.",
        "pdf",
        ("instruments.pdf",),
    ),
    StudioExample(
        "telescopes",
        "7 telescopes worth a detour",
        "The title promises seven items; they are found by that promise.",
        "page",
        ("telescopes.html",),
    ),
    StudioExample(
        "comet",
        "An article about a comet",
        "The main text without menus, advertisements and footers.",
        "page",
        ("comet.html",),
    ),
    StudioExample(
        "lamp",
        "A lamp in a shop",
        "One product with its fields; what it says for machines is not what it shows.",
        "page",
        ("lamp.html",),
    ),
    StudioExample(
        "emissions",
        "Power stations and their emissions",
        "Numbers with units, several years side by side.",
        "page",
        ("emissions.html",),
    ),
    StudioExample(
        "camera-pages",
        "Five pages of one template",
        "The product pages of a shop: a wrapper for all of them is learned from the pages alone.",
        "pages",
        (
            "cameras/arden-r5-mark-ii.html",
            "cameras/arden-r50.html",
            "cameras/fennel-x100.html",
            "cameras/kestrel-z8.html",
            "cameras/lumora-s9.html",
        ),
    ),
    StudioExample(
        "redesign",
        "The camera shop, before and after",
        "The same shop in two designs: a wrapper learned on one is repaired for the other.",
        "pages",
        ("cameras.html", "redesigned/cameras.html"),
    ),
)


def example_folder() -> Path:
    """Where the examples are: in the package, as links to those of the repository."""
    return Path(__file__).parent / "examples"


class ExampleInfoResponse(TypedDict):
    """An example that can be opened."""

    name: str
    title: str
    about: str
    kind: Literal["page", "pdf", "pages", "lab", "flow"]
    pages: int


@router.get("/examples", response_model=list[ExampleInfoResponse])
def list_examples(kind: Literal["flow"] | None = None) -> Response:
    """The examples that are installed: pages, or with `kind=flow` whole flows."""
    folder = example_folder()
    if kind == "flow":
        flows = [one for one in FLOW_EXAMPLES if (folder / one.name).is_dir()]
        return JsonResponse(
            [{"name": one.name, "title": one.title, "about": one.about, "kind": "flow", "pages": 0} for one in flows]
        )
    found = [one for one in EXAMPLES if all((folder / file).is_file() for file in one.files)]
    return JsonResponse(
        [
            {"name": one.name, "title": one.title, "about": one.about, "kind": one.kind, "pages": len(one.files)}
            for one in found
        ]
    )


@router.post("/examples/{name}", status_code=202, response_model=JobResponse)
def open_example(name: str, studio: StudioDep) -> Response:
    """Open an example; the result of the job has its pages, or the name of its flow."""
    flow = next((one for one in FLOW_EXAMPLES if one.name == name), None)
    if flow is not None:
        return accepted(studio.board.start("example", flow.title, _place_flow(studio, flow)))
    example = next((one for one in EXAMPLES if one.name == name), None)
    if example is None:
        raise ProblemError(
            "not-found", f"There is no such example; there are {', '.join(one.name for one in EXAMPLES)}."
        )
    documents = [_document(file) for file in example.files]
    return accepted(studio.board.start("example", example.title, open_several(studio, documents, len(documents))))


def _place_flow(studio: Studio, example: FlowExample) -> JobWork:
    def work(_: JobHandle) -> dict[str, Any]:
        return {"pages": [], "flow": place_flow_example(studio, example, example_folder() / example.name)}

    return work


def _document(file: str) -> Document:
    path = example_folder() / file
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise ProblemError("not-found", f"The example {file} is not installed.") from problem
    return Document(source=file, url="", content=content, media_type=media_type_of(file))


# A small shop to practise on, served on this machine from the installed examples: no internet is needed.

START = "/cameras"
PAGES = {
    "/": "cameras.html",
    START: "cameras.html",
}


class _Shop(BaseHTTPRequestHandler):
    """Answers with the pages of the example, and with nothing else."""

    server_version = "practice"
    sys_version = ""
    known: ClassVar[dict[str, str]] = PAGES

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path).rstrip("/") or "/"
        content = _page(path)
        self.send_response(200 if content is not None else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        body = content or b"<!doctype html><title>Not here</title><h1>This page is a sketch.</h1><a href=/>Cameras</a>"
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: ARG002 - nobody reads that log
        return


def _page(path: str) -> bytes | None:
    folder = example_folder()
    if path in PAGES:
        return (folder / PAGES[path]).read_bytes()
    name = path.removeprefix(f"{START}/")
    known = {one.stem: one for one in (folder / "cameras").glob("*.html")}
    return known[name].read_bytes() if path.startswith(f"{START}/") and name in known else None


class PracticeSite:
    """The shop, served from when it is first asked for until it is closed."""

    def __init__(self) -> None:
        self._server: ThreadingHTTPServer | None = None
        self._lock = threading.Lock()

    @property
    def origin(self) -> str:
        """Where it is; nothing before somebody asked for it."""
        return f"http://127.0.0.1:{self._server.server_port}" if self._server else ""

    def open(self) -> str:
        """The address of its first page."""
        with self._lock:
            if self._server is None:
                self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Shop)
                threading.Thread(target=self._server.serve_forever, name="practice", daemon=True).start()
        return f"{self.origin}{START}"

    def close(self) -> None:
        """Serve it no longer."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()
