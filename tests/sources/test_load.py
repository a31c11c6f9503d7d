"""From sources to pages: kinds of input, with and without a browser."""

import gzip
import os
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sightline as sl
from sightline.errors import LimitError, RefusedError, UnreachableError, UnreadableError, UsageError
from sightline.net import CrawlPolicy, Limits
from sightline.sources import Loader

from .browser._site import html, redirect, reply, shared_loader, site, texts

QUICK = CrawlPolicy(robots=False, delay=0)
# Addresses on this machine, where nobody has to be asked and nothing listens on ports that no program may use.
ADDRESSES = st.builds(
    "{}://{}:{}/{}".format,
    st.sampled_from(["http", "https", "HTTP"]),
    st.sampled_from(["127.0.0.1", "[::1]", "[", "127.1", "0x7f.1", "%31", "a b", "-"]),
    st.text("0123456789-+_ e.\u0661", max_size=12) | st.integers(-70_000, 8),
    st.text(max_size=20),
)

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


@pytest.mark.slow
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
        (b"GIF89a", "GIF"),
        (b"\x89PNG\r\n\x1a\n123", "damaged picture"),
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


def test_loader_fetches_documents_that_are_no_pages() -> None:
    """As they were sent, of any status, through the request policy: robots.txt holds for them, too."""
    answers = {
        "/robots.txt": reply(b"User-agent: *\nDisallow: /private", headers={"Content-Type": "text/plain"}),
        "/data": reply(b'{"a": 1}', 404, {"Content-Type": "application/json; charset=utf-8"}),
    }
    with site(answers) as served, Loader(static=True) as loader:
        found = loader.fetch(served.url("/data"), source="the data")
        assert (found.content, found.status, found.media_type) == (b'{"a": 1}', 404, "application/json")
        assert (found.source, found.url) == ("the data", served.url("/data"))
        assert loader.received == 8
        with pytest.raises(RefusedError, match=r"the secret: the robots\.txt"):
            loader.fetch(served.url("/private"), source="the secret")


def test_open_shares_a_browser_between_calls() -> None:
    """Pages opened one by one with equal settings come from one browser."""
    first, second = (sl.open(f"<!doctype html><p>{n}".encode()) for n in range(2))
    assert (texts(first), texts(second)) == (["0"], ["1"])
    assert first.id != second.id
    assert sl.open(b"<!doctype html><p>0").id == first.id


def _public(*, static: bool) -> Loader:
    return Loader(static=static, policy=CrawlPolicy(public_only=True, robots=False, delay=0))


@pytest.mark.slow
@pytest.mark.parametrize("static", [True, False])
def test_loader_in_server_use_opens_addresses_and_bytes_only(tmp_path: Path, static: bool) -> None:
    """A path, a folder and a glob are refused, whether they exist or not; bytes that were sent are read."""
    (tmp_path / "page.html").write_text("<!doctype html><p>secret")
    sources = [str(tmp_path / "page.html"), str(tmp_path), str(tmp_path / "*.html"), "/etc/passwd", "/missing"]
    with _public(static=static) as loader:
        results = list(loader.load_all(sources))
        assert [type(result.error) for result in results] == [RefusedError] * len(sources)
        assert loader.count(sources) == len(sources)
        assert texts(loader.load(b"<!doctype html><p>sent")) == ["sent"]


def test_loader_gives_a_record_nothing_of_the_disk(tmp_path: Path) -> None:
    """A record that claims to be a file of this machine does not see what lies beside that file."""
    (tmp_path / "a.css").write_text("p { width: 88px }")
    record = _warc(b"<!doctype html><link rel=stylesheet href=a.css><p>saved")
    page = shared_loader().load(record.replace(b"https://example.org/0", f"{tmp_path.as_uri()}/x.html".encode()))
    assert texts(page) == ["saved"]
    assert page.box[page.with_tag("p")[0]][2] > 100


def test_loader_refuses_a_pipe(loader: Loader, tmp_path: Path) -> None:
    """A pipe that nobody writes into, or a device that never ends, is an error at once."""
    os.mkfifo(tmp_path / "page.html")
    for path in (tmp_path / "page.html", "/dev/zero"):
        with pytest.raises(UnreadableError, match="standard input"):
            loader.load(path)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.text(max_size=12).filter(lambda name: "/" not in name and ".." not in name) | ADDRESSES,
        min_size=1,
        max_size=3,
    )
)
@example(["*"])
def test_loader_survives_any_source(sources: list[str]) -> None:
    """Whatever is named, each source gives its error and the last one its page; "/" would name all files there are."""
    with TemporaryDirectory() as empty, chdir(empty):  # "*" names every file of the folder that the tests run in
        *others, last = Loader(static=True, policy=QUICK).load_all([*sources, b"<p>last"])
    assert all(result.error for result in others)
    assert last.page
    assert texts(last.page) == ["last"]


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(st.text("http:/.?#[]@-1 %\\\u00e9\uff11", max_size=20) | ADDRESSES.map(lambda url: url.replace("\n", "")))
def test_loader_survives_any_redirect(target: str) -> None:
    """Wherever a site leads, the result is a page or an error of ours."""
    location = target.encode("utf-8", "ignore").decode("latin-1").replace("\r", "").replace("\n", "")
    with site({"/": redirect(location)}) as here:
        result = next(Loader(static=True, policy=QUICK).load_all([here.url()]))
    assert result.error
