"""Saved pages for the browser: what is found, and what must not be."""

from pathlib import Path

import pytest

from sightline.net._document import Document
from sightline.sources.browser._library import LARGEST_PART, Library


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of saved pages, beside things that are none of their business."""
    inner = tmp_path / "pages"
    inner.mkdir()
    (inner / "a b.css").write_text("p {}")
    (inner / "frame.html").write_bytes(b"<meta charset=latin1>\xe9")
    (tmp_path / "shared.css").write_text("b {}")
    (tmp_path / "data.txt").write_text("secret")
    (tmp_path / "page.html").write_text("secret")
    return inner


def _library(folder: Path) -> Library:
    document = Document(source="x.html", url=(folder / "x.html").as_uri(), content=b"", folder=folder)
    return Library.of(document, "<p>é")


def _url(folder: Path, relative: str) -> str:
    return f"http://saved.invalid{Path(folder).as_uri().removeprefix('file://')}/{relative}"


def test_library_gives_the_page_itself(folder: Path) -> None:
    """The page comes in UTF-8, with its charset said, under an address of http."""
    library = _library(folder)
    assert library.address == _url(folder, "x.html")
    answer = library.find(library.address + "#part", "Document")
    assert answer
    assert (answer.body, answer.media_type) == ("<p>é".encode(), "text/html; charset=utf-8")


def test_library_gives_what_lies_in_the_folder(folder: Path) -> None:
    """Files beside the page are found by quoted name, with any query, with their type; frames are decoded."""
    library = _library(folder)
    style = library.find(_url(folder, "a%20b.css?version=3"), "Stylesheet")
    assert style
    assert (style.body, style.media_type) == (b"p {}", "text/css")
    frame = library.find(_url(folder, "frame.html"), "Document")
    assert frame
    assert frame.body.endswith("é".encode())
    assert library.find(_url(folder, "none.css"), "Stylesheet") is None


@pytest.mark.parametrize(
    ("path", "resource", "given"),
    [
        ("../shared.css", "Stylesheet", True),
        ("../shared.css", "Fetch", False),
        ("../data.txt", "Stylesheet", False),
        ("../data.txt", "Image", False),
        ("../page.html", "Document", False),
        ("../../../../../../../../etc/passwd", "Image", False),
        ("%2e%2e/data.txt", "XHR", False),
        ("..%2fdata.txt", "XHR", False),
        ("x%00.css", "Stylesheet", False),
        (".", "Document", False),
    ],
)
def test_library_gives_only_drawing_things_from_outside(folder: Path, path: str, resource: str, given: bool) -> None:
    """Outside the folder, style sheets, images and fonts are given as such and nothing else in any way."""
    assert (_library(folder).find(_url(folder, path), resource) is not None) == given


@pytest.mark.parametrize(
    ("name", "resource", "media_type"),
    [
        ("style.css", "Stylesheet", "text/css"),
        ("style.css", "Image", None),
        ("style.css@v=3", "Stylesheet", "text/css"),
        ("picture.png", "Image", "image/png"),
        ("picture", "Image", "application/octet-stream"),
        ("font.woff2", "Font", "font/woff2"),
        ("app.js", "Script", "text/javascript"),
        ("app.js.download", "Script", "text/javascript"),
        ("app.js@v=3", "Script", "text/javascript"),
        ("passwords", "Script", None),
        ("data.json", "Script", None),
        ("data.csv", "Document", None),
        ("frame.html", "Document", "text/html; charset=utf-8"),
        ("frame.html", "Image", None),
        ("drawing.svg", "Document", "image/svg+xml"),
        (".secret.css", "Stylesheet", None),
        (".git/logo.png", "Image", None),
        *((name, way, None) for name in ("app.js", "data.json", "frame.html") for way in ("Fetch", "XHR", "Other")),
        *(("style.css", way, None) for way in ("Media", "TextTrack", "EventSource", "Prefetch", "Ping", "")),
    ],
)
def test_library_gives_each_file_as_what_it_is(
    tmp_path: Path, name: str, resource: str, media_type: str | None
) -> None:
    """Files of the folder serve to draw the page; whatever a script could read is not given, nor what is hidden."""
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("x")
    answer = _library(tmp_path).find(_url(tmp_path, name), resource)
    assert (answer and answer.media_type) == media_type
    assert answer is None or answer.sandboxed == (resource == "Document")


def test_library_does_not_believe_the_address_of_a_record(folder: Path) -> None:
    """A page of an archive may claim to be a file of this machine; it gets nothing that lies there."""
    document = Document(source="x.warc#1", url=(folder / "x.html").as_uri(), content=b"")
    library = Library.of(document, "<p>x")
    assert library.folder is None
    assert library.find(_url(folder, "a%20b.css"), "Stylesheet") is None


def test_library_follows_no_link_out_of_the_folder(folder: Path) -> None:
    """A link inside the folder counts as what it leads to."""
    (folder / "link.txt").symlink_to(folder.parent / "data.txt")
    assert _library(folder).find(_url(folder, "link.txt"), "Fetch") is None


def test_library_leaves_out_what_is_too_large(folder: Path) -> None:
    """A part larger than any page may be is not read."""
    with (folder / "large.css").open("wb") as file:
        file.truncate(LARGEST_PART + 1)
    assert _library(folder).find(_url(folder, "large.css"), "Stylesheet") is None


def test_library_gives_the_parts_of_an_archive() -> None:
    """A page from an archive stands at its own address and finds what was saved with it, and no file."""
    part = Document(source="x", url="https://example.org/a.css", content=b"p {}", media_type="text/css")
    document = Document(source="x", url="https://example.org/", content=b"")
    library = Library.of(document, "<p>x", {part.url: part})
    assert library.address == "https://example.org/"
    found = library.find("https://example.org/a.css", "Stylesheet")
    assert found
    assert found.body == b"p {}"
    assert library.find("http://saved.invalid/etc/passwd", "Image") is None


def test_library_keeps_names_that_are_no_text(tmp_path: Path) -> None:
    """A file name is bytes, whatever they mean."""
    folder = Path(str(tmp_path) + "/f\udce9")
    folder.mkdir()
    (folder / "a.css").write_text("p {}")
    library = _library(folder)
    assert library.find(library.address.replace("x.html", "a.css"), "Stylesheet")
