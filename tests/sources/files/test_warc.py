"""WARC files, sound and damaged: every response record becomes a document or an error."""

import gzip
import hashlib
import io
import zlib
from base64 import b32encode

import pytest

from sightline.errors import LimitError, SourceError, UnreadableError
from sightline.net._document import Document, Limits
from sightline.sources.files._warc import read_warc


def http(body: bytes, status: int = 200, **headers: str) -> bytes:
    """Write an HTTP answer as archives store it."""
    lines = {"Content-Type": "text/html; charset=utf-8"} | {k.replace("_", "-"): v for k, v in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} X\r\n{head}\r\n".encode() + body


def record(block: bytes, kind: str = "response", **headers: str) -> bytes:
    """One record; headers given by keyword replace or extend its own."""
    lines = {"WARC-Type": kind, "WARC-Target-URI": "http://site.example/", "Content-Length": str(len(block))}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"WARC/1.0\r\n{head}\r\n".encode() + block + b"\r\n\r\n"


def pages(count: int) -> list[bytes]:
    """So many sound records."""
    return [record(http(f"<p>page {n}".encode())) for n in range(count)]


def read(content: bytes, limits: Limits | None = None) -> list[Document | SourceError]:
    """All results of a file with these bytes."""
    return list(read_warc(io.BytesIO(content), "crawl.warc", limits))


def texts(results: list[Document | SourceError]) -> list[str]:
    """Give the content of documents, and the names of errors' classes."""
    return [r.content.decode() if isinstance(r, Document) else type(r).__name__ for r in results]


def test_read_warc_gives_one_document_a_response() -> None:
    """Only responses count, with their number, address, status, type and headers."""
    content = b"".join(
        [
            record(b"software: x\r\n", "warcinfo"),
            record(b"GET / HTTP/1.1\r\n\r\n", "request"),
            record(http(b"<p>one", X_A="b")),
            record(http(b"gone", 404), WARC_Target_URI="<http://site.example/b>"),
            record(b"", "revisit"),
        ]
    )
    first, second = read(content)
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    assert (first.source, first.url, first.status) == ("crawl.warc#1", "http://site.example/", 200)
    assert (first.content, first.media_type, first.charset) == (b"<p>one", "text/html", "utf-8")
    assert first.header("x-a") == "b"
    assert (second.source, second.url, second.status) == ("crawl.warc#2", "http://site.example/b", 404)


@pytest.mark.parametrize(
    "pack", [b"".join, lambda r: b"".join(map(gzip.compress, r)), lambda r: gzip.compress(b"".join(r))]
)
def test_read_warc_reads_plain_and_compressed(pack: object) -> None:
    """Plain, one gzip member a record, and one member for all are the same file."""
    assert callable(pack)
    assert texts(read(pack(pages(20)))) == [f"<p>page {n}" for n in range(20)]


def test_read_warc_passes_over_parts_of_pages() -> None:
    """Images, styles and scripts are no pages and no errors."""
    parts = [record(http(b"x", Content_Type=kind)) for kind in ("image/png", "text/css", "application/javascript")]
    assert texts(read(b"".join([*parts, *pages(1)]))) == ["<p>page 0"]


def test_read_warc_undoes_chunks_and_codings() -> None:
    """Bodies stored as they were sent come out as they were meant; false claims are left alone."""
    chunked = b"3\r\n<p>\r\n4;x=y\r\nword\r\n0\r\n\r\n"
    content = b"".join(
        [
            record(http(chunked, Transfer_Encoding="chunked")),
            record(http(b"<p>plain", Transfer_Encoding="chunked")),
            record(http(gzip.compress(b"<p>zipped"), Content_Encoding="gzip")),
            record(http(b"<p>unzipped", Content_Encoding="gzip")),
        ]
    )
    assert texts(read(content)) == ["<p>word", "<p>plain", "<p>zipped", "<p>unzipped"]


def test_read_warc_counts_a_cut_off_end() -> None:
    """The record that the file ends in is an error, the others are read."""
    zipped = b"".join(map(gzip.compress, pages(20)))
    plain = b"".join(pages(20))
    for content in (zipped[:-30], zipped[:-90], zipped[:-150], plain[:-30], plain[:-100]):
        results = read(content)
        assert len(results) == 20
        assert texts(results)[18:] == ["<p>page 18", "UnreadableError"]


def test_read_warc_goes_on_after_a_hole() -> None:
    """Zeros in the middle of a compressed file cost the records they hit and no other."""
    members = list(map(gzip.compress, pages(20)))
    hole = b"".join([*members[:7], members[7][:60] + bytes(40) + members[7][100:], *members[8:]])
    assert texts(read(hole)) == [f"<p>page {n}" if n != 7 else "UnreadableError" for n in range(20)]
    wide = b"".join([*members[:7], members[7][:60] + bytes(len(members[7]) - 60), bytes(len(members[8])), *members[9:]])
    assert texts(read(wide)) == [
        *(f"<p>page {n}" for n in range(7)),
        "UnreadableError",
        *(f"<p>page {n}" for n in range(9, 20)),
    ]


@pytest.mark.parametrize("length", ["999999999", "-5", "nonsense", ""])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_read_warc_notices_wrong_lengths(length: str, pack: object) -> None:
    """A record with a wrong length is an error, and the one after it is found again."""
    assert callable(pack)
    first, last = pages(2)
    wrong = record(http(b"<p>wrong"), Content_Length=length)
    assert texts(read(b"".join(map(pack, [first, wrong, last])))) == ["<p>page 0", "UnreadableError", "<p>page 1"]


def test_read_warc_checks_digests() -> None:
    """A block that does not match its digest is damaged; a payload that does not gets a note."""
    block = http(b"<p>x")
    right = "sha1:" + b32encode(hashlib.sha1(block).digest()).decode()
    payload = "sha256:" + hashlib.sha256(b"<p>x").hexdigest()
    content = b"".join(
        [
            record(block, WARC_Block_Digest=right, WARC_Payload_Digest=payload),
            record(block, WARC_Block_Digest="sha1:" + "A" * 32),
            record(block, WARC_Payload_Digest="sha1:" + "A" * 32),
            record(block, WARC_Block_Digest="crc32:0"),
        ]
    )
    results = read(content)
    assert texts(results) == ["<p>x", "UnreadableError", "<p>x", "<p>x"]
    assert [bool(r.notes) for r in results if isinstance(r, Document)] == [False, True, False]


def test_read_warc_notes_truncated_records() -> None:
    """What the archive itself cut off is said in the result."""
    (result,) = read(record(http(b"<p>half"), WARC_Truncated="length"))
    assert isinstance(result, Document)
    assert "length" in result.notes[0]


def test_read_warc_limits_the_size_of_records() -> None:
    """A record or a body beyond the limit is an error of its own, and the next one is read."""
    limits = Limits(decoded_bytes=100_000)
    large = record(http(b"x" * 200_000))
    bomb = record(http(zlib.compress(b"x" * 5_000_000), Content_Encoding="deflate"))
    for pack in (bytes, gzip.compress):
        results = read(b"".join(map(pack, [large, bomb, *pages(1)])), limits)
        assert texts(results) == ["LimitError", "LimitError", "<p>page 0"]
        assert [r.limit for r in results if isinstance(r, LimitError)] == ["decoded_bytes"] * 2


def test_read_warc_says_when_there_is_no_page() -> None:
    """A file without response records is one error and not silence."""
    for content in (b"", record(b"x", "warcinfo"), b"WARC/1.0\r\nnonsense"):
        results = read(content)
        assert results
        assert all(isinstance(result, UnreadableError) for result in results)


def test_read_warc_ends_on_any_damage() -> None:
    """Cutting or flipping any byte of a small file never hangs, crashes or invents pages."""
    content = b"".join(map(gzip.compress, pages(3)))
    for position in range(0, len(content), 3):
        flipped = content[:position] + bytes([content[position] ^ 0xFF]) + content[position + 1 :]
        for damaged in (flipped, content[:position]):
            results = read(damaged)
            assert 1 <= len(results) <= 4
            assert set(texts(results)) <= {"<p>page 0", "<p>page 1", "<p>page 2", "UnreadableError"}
