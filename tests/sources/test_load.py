"""From sources to pages: kinds of input, with and without a browser."""

import gzip
from pathlib import Path

import pytest

import sightline as sl
from sightline import Limits
from sightline.errors import LimitError, UnreachableError, UnreadableError, UsageError
from sightline.sources import Loader

from .browser._site import html, reply, shared_loader, site, texts

MHTML = b"""From: <Saved by Blink>\r
Snapshot-Content-Location: https://example.org/x\r
MIME-Version: 1.0\r
Content-Type: multipart/related; type="text/html"; boundary="b"\r
\r
--b\r
Content-Type: text/html\r
Content-Location: https://example.org/x\r
\r
<!doctype html><link rel=stylesheet href=a.css><p>saved\r
--b\r
Content-Type: text/css\r
Content-Location: https://example.org/a.css\r
\r
p { width: 88px }\r
--b--\r
"""


def _warc(*bodies: bytes) -> bytes:
    records = []
    for number, body in enumerate(bodies):
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        head = (
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
            f"WARC-Record-ID: <urn:uuid:{number}>\r\n"
            f"WARC-Target-URI: https://example.org/{number}\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(answer)}\r\n\r\n"
        )
        records.append(head.encode() + answer + b"\r\n\r\n")
    return b"".join(records)


@pytest.fixture(params=[True, False], ids=["static", "rendered"])
def loader(request: pytest.FixtureRequest) -> Loader:
    """A loader of each kind."""
    return Loader(static=True) if request.param else shared_loader()


def test_loader_reads_every_kind_of_file(loader: Loader, tmp_path: Path) -> None:
    """HTML, text, MHTML, a WARC, gzip and a saved page become pages, by what they are and not by their names."""
    files = {
        "a.html": b"<!doctype html><p>saved",
        "b.txt": b"saved",
        "c.mhtml": MHTML,
        "d.warc": _warc(b"<!doctype html><p>saved"),
        "e.html.gz": gzip.compress(b"<!doctype html><p>saved"),
        "f": b"<!doctype html><p>saved",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    sl.save(sl.open(b"<p>saved", static=True), tmp_path / "g.page")
    found = list(loader.load_all([str(path) for path in sorted(tmp_path.iterdir())]))
    assert [one.error for one in found] == [None] * 7
    assert [texts(one.page) for one in found if one.page] == [["saved"]] * 7


def test_loader_renders_archives_with_their_parts(tmp_path: Path) -> None:
    """A page from an archive has its own address, and its style sheet from there too."""
    (tmp_path / "x.mhtml").write_bytes(MHTML)
    page = shared_loader().load(tmp_path / "x.mhtml")
    box = page.box[page.with_tag("p")[0]]
    assert (page.url, box[2] - box[0]) == ("https://example.org/x", 88)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\n123", "PNG"),
        (bytes(range(256)) * 10, "binary"),
        (b"%PDF-1.7", "PDF"),
    ],
)
def test_loader_refuses_what_is_no_page(loader: Loader, tmp_path: Path, content: bytes, problem: str) -> None:
    """Empty and foreign files are errors that name the file and what it is."""
    (tmp_path / "x.html").write_bytes(content)
    with pytest.raises(UnreadableError, match=f"x.html.*{problem}"):
        loader.load(tmp_path / "x.html")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<!doctype html><meta charset=utf-8>caf\xc3\xa9", "café"),
        (b"<!doctype html><meta charset=windows-1252>caf\xe9", "café"),
        (b"<!doctype html><meta charset=utf-16>caf\xc3\xa9", "café"),
        ("<!doctype html><p>café".encode("utf-16"), "café"),
        (b"<!doctype html><meta charset=utf-7><p>caf+AOk-", "caf+AOk-"),
        (b"<!doctype html><p>a\0b", "ab"),
    ],
)
def test_loader_reads_texts_as_browsers_do(loader: Loader, content: bytes, words: str) -> None:
    """Declared, lying and missing charsets, byte order marks and NULs give one text with and without a browser."""
    assert [text.replace("\ufffd", "") for text in texts(loader.load(content))] == [words]


def test_loader_refuses_an_archive_of_several_pages(loader: Loader, tmp_path: Path) -> None:
    """One page of many cannot be chosen for the user; all of them can be had."""
    (tmp_path / "x.warc").write_bytes(_warc(b"<p>one", b"<p>two", b"<p>three"))
    with pytest.raises(UsageError, match="open_all"):
        loader.load(tmp_path / "x.warc")
    found = list(loader.load_all([str(tmp_path / "x.warc")]))
    assert [texts(one.page) for one in found if one.page] == [["one"], ["two"], ["three"]]


def test_loader_refuses_a_source_that_is_not_there(loader: Loader) -> None:
    """A missing file and an unknown scheme are errors that name them."""
    with pytest.raises(UnreachableError, match="nowhere"):
        loader.load("nowhere.html")
    with pytest.raises(sl.errors.RefusedError, match="ftp"):
        loader.load("ftp://example.org/x")


def test_loader_limits_the_size_of_a_file(tmp_path: Path) -> None:
    """A file beyond the limit is refused before it is read."""
    with (tmp_path / "x.html").open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(LimitError, match="document_bytes"):
        Loader().load(tmp_path / "x.html")


def test_loader_takes_a_hundred_megabytes_of_tags() -> None:
    """A hundred megabytes of `<div>` end at a limit, with and without a browser."""
    content = b"<!doctype html>" + b"<div>" * 20_000_000
    for static in (True, False):
        with pytest.raises(LimitError, match="nodes"):
            Loader(static=static, limits=Limits(document_bytes=200_000_000)).load(content)


def test_loader_without_a_browser_checks_answers() -> None:
    """Errors and walls are told without a browser as with one."""
    with (
        site(
            {"/": html("<p>x"), "/gone": html("x", 410), "/json": reply(b"\x00", headers={"Content-Type": "image/x"})}
        ) as here,
        Loader(static=True) as loader,
    ):
        assert texts(loader.load(here.url())) == ["x"]
        with pytest.raises(UnreachableError, match="410"):
            loader.load(here.url("/gone"))
        with pytest.raises(UnreadableError):
            loader.load(here.url("/json"))


def test_open_shares_a_browser_between_calls() -> None:
    """Pages opened one by one with equal settings come from one browser."""
    first, second = (sl.open(f"<!doctype html><p>{n}".encode()) for n in range(2))
    assert (texts(first), texts(second)) == (["0"], ["1"])
    assert first.id != second.id
    assert sl.open(b"<!doctype html><p>0").id == first.id
