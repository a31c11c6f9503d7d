"""What bytes are, decided as browsers do, and refused where they cannot be a page."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import UnreadableError
from sightline.net._document import (
    PAGE_MAGIC,
    Document,
    DocumentKind,
    media_type_and_charset,
    media_type_of,
    readable_kind,
    sniff,
)

MHTML = b"From: <Saved by Blink>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary=x\r\n\r\n--x"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"<!DOCTYPE html><p>x", DocumentKind.HTML),
        (b"  \n<HTML lang=en>", DocumentKind.HTML),
        (b"\xef\xbb\xbf<p>x", DocumentKind.HTML),
        (b"<!-- saved --><div>", DocumentKind.HTML),
        ("<html>ä".encode("utf-16"), DocumentKind.HTML),
        ("<p>price 5</p>".encode("utf-16-le"), DocumentKind.HTML),
        (b"<?xml version='1.0'?><html/>", DocumentKind.HTML),
        *((f"<{tag}>x".encode(), DocumentKind.HTML) for tag in ("h2", "dl", "noscript", "select", "UL class=a", "pre")),
        *((f"<{tag}".encode(), DocumentKind.HTML) for tag in ("td/", "center", "my-app open>", "/div>", "!doctype x>")),
        *(
            (text.encode(), DocumentKind.TEXT)
            for text in ("<ann@a.example> wrote", "<T> f(x)", "<dan> hello", "<3", "<")
        ),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", DocumentKind.PDF),
        (PAGE_MAGIC + b"\x00\x01", DocumentKind.PAGE),
        (b"WARC/1.0\r\nWARC-Type: response", DocumentKind.WARC),
        (b"\x1f\x8b\x08\x00", DocumentKind.GZIP),
        (MHTML, DocumentKind.MHTML),
        (b"just words, 1 < 2", DocumentKind.TEXT),
        (b"Price: 5 EUR\nName: x", DocumentKind.TEXT),
        *(
            (mark + b"\x00\x00\x00\x00", DocumentKind.PICTURE)
            for mark in (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"II*\x00", b"MM\x00*", b"RIFF....WEBP")
        ),
        (b"GIF89a....", DocumentKind.BINARY),
        (b"RIFF....WAVE", DocumentKind.BINARY),
        (b"\x00\x01\x02\x03 something", DocumentKind.BINARY),
        (b"PK\x03\x04....", DocumentKind.BINARY),
        (b"", DocumentKind.EMPTY),
    ],
)
def test_sniff_tells_kinds_by_their_marks(content: bytes, kind: DocumentKind) -> None:
    """Bytes without a media type are known by their marks."""
    assert sniff(content) is kind


@pytest.mark.parametrize(
    ("content", "media_type", "kind"),
    [
        (b"no tag at all", "text/html", DocumentKind.HTML),
        (b"<p>a\0b</p>" * 20, "text/html", DocumentKind.HTML),
        (b"   ", "text/html", DocumentKind.HTML),
        (b"<html>shown as text", "text/plain", DocumentKind.TEXT),
        (b"junk before %PDF-1.4", "application/pdf", DocumentKind.PDF),
        (b"%PDF-1.4", "text/html", DocumentKind.PDF),
        (b"\x89PNG\r\n\x1a\n", "text/html", DocumentKind.PICTURE),
        (b"GIF89a", "text/html", DocumentKind.BINARY),
        (bytes(range(256)) * 8, "text/html", DocumentKind.BINARY),
    ],
)
def test_sniff_asks_the_media_type_where_bytes_do_not_tell(content: bytes, media_type: str, kind: DocumentKind) -> None:
    """The media type decides between HTML and text, but does not make a page of an image."""
    assert sniff(content, media_type) is kind


@given(st.binary(max_size=2000), st.sampled_from(["", "text/html", "text/plain", "application/pdf", "nonsense"]))
def test_sniff_takes_any_bytes(content: bytes, media_type: str) -> None:
    """Sniffing gives a kind for every input."""
    assert isinstance(sniff(content, media_type), DocumentKind)


@pytest.mark.parametrize(("content", "word"), [(b"", "empty"), (b"GIF89a...", "GIF"), (b"\0\1\2\3", "binary")])
def test_readable_kind_refuses_empty_and_foreign_files(content: bytes, word: str) -> None:
    """The error names the file and what it is, in one sentence."""
    with pytest.raises(UnreadableError, match=word) as caught:
        readable_kind(Document("shop/odd.html", "", content, "text/html"))
    assert caught.value.source == "shop/odd.html"
    assert str(caught.value).count(". ") == 0


def test_document_carries_notes_and_headers() -> None:
    """A note makes a new document, and headers are found in any case."""
    document = Document("s", "http://x/", b"x", headers=(("Content-Type", "text/html"),))
    noted = document.with_note("cut")
    assert (document.notes, noted.notes) == ((), ("cut",))
    assert noted.header("content-TYPE") == "text/html"
    assert noted.header("x") is None
    assert pickle.loads(pickle.dumps(noted)) == noted


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("text/html", ("text/html", None)),
        ('TEXT/HTML; charset="UTF-8"; x=y', ("text/html", "UTF-8")),
        ("text/html;charset=", ("text/html", "")),
        ("nonsense", ("", None)),
        ("", ("", None)),
        (None, ("", None)),
    ],
)
def test_media_type_and_charset_reads_headers(header: str | None, expected: tuple[str, str | None]) -> None:
    """Type and charset come out of headers as servers write them."""
    assert media_type_and_charset(header) == expected


def test_media_type_of_goes_by_the_suffix() -> None:
    """A file's suffix stands for a media type; dot files and unknown suffixes for none."""
    assert [media_type_of(name) for name in ("a.HTML", "b.xhtml", ".html", "c", "d.bin")] == [
        "text/html",
        "application/xhtml+xml",
        "",
        "",
        "",
    ]


def test_text_that_is_called_a_pdf_is_told() -> None:
    """A text file named .pdf says what it is and what to do; a real page under that name is still read."""
    text = Document(source="x.pdf", url="", content=b"just some text", media_type="application/pdf")
    with pytest.raises(UnreadableError, match=r"called a PDF but is plain text; .*\.txt"):
        readable_kind(text)
    page = Document(source="x.pdf", url="", content=b"<!doctype html><p>x", media_type="application/pdf")
    assert readable_kind(page) is DocumentKind.HTML
