"""From what the user typed to single sources and documents."""

import gzip
import io
from pathlib import Path

import pytest

from sightline.errors import LimitError, RefusedError, SourceError, UnreachableError, UnreadableError
from sightline.net._document import PAGE_MAGIC, Document, DocumentKind, Limits
from sightline.sources.files._read import documents, expand

WARC = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\nContent-Length: 23\r\n\r\n"
    b"HTTP/1.1 200 OK\r\n\r\n<p>x\r\n\r\n"
)
ODD_NAMES = [
    "a\nb.html",
    "-dash.html",
    "ünï 中文.html",
    "[x].html",
    "a*b.html",
    "http:.html",
    "x" * 250 + ".html",
    "#1.html",
]


def _gzip(content: bytes) -> bytes:
    """Packed without the time, so that the names of tests are the same in every process."""
    return gzip.compress(content, mtime=0)


def shown(*sources: str, stdin: bytes = b"") -> list[object]:
    """Show what becomes of sources; errors by their class."""
    return [type(item) if isinstance(item, SourceError) else item for item in expand(sources, io.BytesIO(stdin))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with pages in it, which is also the current one."""
    for name in ("b.html", "a.HTM", "notes.txt", "sub/c.warc.gz", "sub/deeper/d.page", "sub/e.jpg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_expand_keeps_urls_and_files(folder: Path) -> None:
    """URLs, also ones that will be refused, and files of any suffix stay as they were named."""
    sources = ["https://a.example/*?x=[1]", "file:///etc/passwd", "notes.txt", str(folder / "b.html")]
    assert shown(*sources) == sources


@pytest.mark.usefixtures("folder")
def test_expand_walks_folders_in_order() -> None:
    """A folder gives its pages, sorted, from all its folders."""
    assert shown(".") == ["a.HTM", "b.html", "sub/c.warc.gz", "sub/deeper/d.page"]
    assert shown("sub/") == ["sub/c.warc.gz", "sub/deeper/d.page"]


def test_expand_reads_lists_of_sources(folder: Path) -> None:
    """A file behind an @ names sources, one per line; what it does not name, or a list that is missing, is an error."""
    (folder / "urls.txt").write_text("\ufeffhttps://a.example/\n\n*.html\nmissing.html\r\n@urls.txt\n")
    assert shown("@urls.txt", "b.html") == ["https://a.example/", "b.html", UnreachableError, "b.html"]
    assert shown("@nowhere.txt") == [UnreachableError]


def test_expand_matches_globs(folder: Path) -> None:
    """Globs give files of any suffix, sorted, also through folders."""
    assert shown("*.html", "**/*.jpg", str(folder / "?.HTM")) == ["b.html", "sub/e.jpg", str(folder / "a.HTM")]


@pytest.mark.usefixtures("folder")
def test_expand_reports_what_names_nothing() -> None:
    """Each source that names nothing is an error in its place, and the others are still given."""
    assert shown("missing.html", "empty", "*.pdf", "", "a\0b", "x" * 5_000, "b.html") == [UnreachableError] * 6 + [
        "b.html"
    ]


@pytest.mark.parametrize(
    "source", ["b.html", "/etc/passwd", ".", "*", "-x", "", "file:///etc/passwd", "http:/b.html", " http://a.example/"]
)
@pytest.mark.usefixtures("folder")
def test_expand_in_server_use_looks_at_no_path(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only web addresses are sources; a path is refused in the same words whether or not it exists."""
    monkeypatch.setattr("os.path.lexists", None)
    monkeypatch.setattr("os.walk", None)
    errors = list(expand([source, f"{source}-that-is-missing"], addresses_only=True))
    assert [type(error) for error in errors] == [RefusedError] * 2
    problems = {error.problem for error in errors if isinstance(error, RefusedError)}
    assert len(problems) == 1
    assert "public_only" in problems.pop()


def test_expand_in_server_use_keeps_addresses_and_what_is_piped() -> None:
    """Web addresses are sources, also in a list on standard input, and so is a document that comes that way."""
    address = "HTTPS://a.example/x"
    assert list(expand([address], addresses_only=True)) == [address]
    names = io.BytesIO(f"{address}\n/etc/passwd\n".encode())
    listed = list(expand(["-"], names, addresses_only=True))
    assert listed[0] == address
    assert isinstance(listed[1], RefusedError)
    piped = list(expand(["-"], io.BytesIO(b"<p>x"), addresses_only=True))
    assert isinstance(piped[0], Document)


@pytest.mark.usefixtures("folder")
def test_expand_hints_at_web_addresses() -> None:
    """A host without a scheme is answered with how to write it."""
    (error,) = expand(["shop.example/cameras"])
    assert "https://shop.example/cameras" in str(error)


def test_expand_does_not_follow_links_in_circles(folder: Path) -> None:
    """A link to the folder itself does not end in endless paths."""
    (folder / "sub" / "loop").symlink_to(folder)
    assert len(shown(".")) == 4


@pytest.mark.parametrize("name", ODD_NAMES)
def test_expand_takes_odd_names(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files with odd names are found by name and by folder, and read under that very name."""
    (tmp_path / name).write_bytes(b"<p>odd")
    monkeypatch.chdir(tmp_path)
    assert shown(name) == [name]
    assert shown(str(tmp_path)) == [str(tmp_path / name)]
    (document,) = documents(name)
    assert isinstance(document, Document)
    assert (document.source, document.content) == (name, b"<p>odd")


def test_expand_keeps_distinct_names_distinct(tmp_path: Path) -> None:
    """Names that differ in composition or case only are different sources."""
    names = ["é.html", "é.html", "A.html", "a.html"]
    for name in names:
        (tmp_path / name).write_bytes(b"x")
    assert len(set(shown(str(tmp_path)))) == len(list(tmp_path.iterdir()))


@pytest.mark.usefixtures("folder")
def test_expand_reads_a_list_from_standard_input() -> None:
    """One source a line, blank lines apart, each expanded like an argument."""
    stdin = b"\xef\xbb\xbfhttp://a.example/\r\n\n  \nsub\nmissing\nb.html"
    expected = ["http://a.example/", "sub/c.warc.gz", "sub/deeper/d.page", UnreachableError, "b.html"]
    assert shown("-", stdin=stdin) == expected


@pytest.mark.parametrize(
    "content",
    [
        b"<p>x",
        b"\xef\xbb\xbf <!doctype html>",
        b"%PDF-1.7\nx",
        WARC,
        _gzip(b"<p>x"),
        PAGE_MAGIC + b"\n1",
        b"From: <Saved by Blink>\r\nMIME-Version: 1.0\r\n",
        "<p>".encode("utf-16"),
    ],
)
def test_expand_takes_a_document_from_standard_input(content: bytes) -> None:
    """Standard input that begins like a document is the document."""
    (document,) = expand(["-"], io.BytesIO(content))
    assert isinstance(document, Document)
    assert (document.source, document.content) == ("-", content)


def test_expand_limits_standard_input() -> None:
    """A document on standard input has the same limit as any other, and nothing at all is an error."""
    (error,) = expand(["-"], io.BytesIO(b"<p>" + b"x" * 100), Limits(document_bytes=50))
    assert isinstance(error, LimitError)
    assert shown("-") == [UnreachableError]


# -- documents of a source -----------------------------------------------------------------------------------------


def one(source: str | Path | bytes, limits: Limits | None = None) -> Document | SourceError:
    """Give the only result of a source."""
    (result,) = documents(source, limits)
    return result


def test_documents_reads_files_by_their_bytes(tmp_path: Path) -> None:
    """What a file is depends on its bytes; the suffix helps where they do not tell."""
    for name, content, kind in (
        ("a.html", b"no tag", DocumentKind.HTML),
        ("b.bin", b"<html>", DocumentKind.HTML),
        ("c.html", b"%PDF-1.4", DocumentKind.PDF),
        ("d.page", PAGE_MAGIC, DocumentKind.PAGE),
        ("e.html.gz", _gzip(b"no tag"), DocumentKind.HTML),
        ("f.txt", b"words", DocumentKind.TEXT),
    ):
        (tmp_path / name).write_bytes(content)
        document = one(tmp_path / name)
        assert isinstance(document, Document), document
        assert document.kind is kind
        assert document.url == (tmp_path / name).as_uri()


def test_documents_reads_warcs_by_record(tmp_path: Path) -> None:
    """A WARC gives its records, plain or compressed, from a path, from bytes and from a document."""
    for name, content in (
        ("a.warc", WARC * 3),
        ("b.warc.gz", _gzip(WARC) * 3),
        ("c.bin", _gzip(WARC * 3)),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        for source in (str(path), content, Document("-", "", content)):
            results = list(documents(source))
            assert [r.content for r in results if isinstance(r, Document)] == [b"<p>x"] * 3
        assert [r.source for r in documents(path)] == [f"{path}#{n}" for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("name", "content", "kind", "word"),
    [
        ("missing.html", None, UnreachableError, "no such file"),
        (".", None, UnreachableError, "folder"),
        ("a\0b", None, UnreachableError, "opened"),
        ("empty.html", b"", UnreadableError, "empty"),
        ("empty.gz", _gzip(b""), UnreadableError, "empty"),
        ("image.html", b"GIF89a", UnreadableError, "GIF"),
        ("cut.html.gz", _gzip(b"<p>x" * 50)[:-9], UnreadableError, "cut short"),
        ("bad.html.gz", _gzip(b"<p>x")[:-8] + bytes(8), UnreadableError, "damaged"),
        ("large.html", b"x" * 2_000, LimitError, "document_bytes"),
        ("bomb.html.gz", _gzip(b"x" * 20_000), LimitError, "decoded_bytes"),
        ("nested.gz", _gzip(_gzip(b"x" * 20_000)), LimitError, "decoded_bytes"),
    ],
)
def test_documents_gives_errors_in_their_place(
    tmp_path: Path, name: str, content: bytes | None, kind: type[SourceError], word: str
) -> None:
    """Whatever is wrong with a file is an error that names it, not an exception."""
    path = f"{tmp_path}/{name}"
    if content is not None:
        Path(path).write_bytes(content)
    error = one(path, Limits(document_bytes=1_000, decoded_bytes=10_000))
    assert type(error) is kind
    assert error.source == path
    assert word in str(error)
