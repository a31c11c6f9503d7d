"""MHTML: the page and its parts."""

import pytest

from sightline.errors import UnreadableError
from sightline.net._document import Document, DocumentKind
from sightline.sources.files._read import read_mhtml

CHROMIUM = b"""From: <Saved by Blink>
Snapshot-Content-Location: https://shop.example/cameras?page=1
Subject: Cameras
MIME-Version: 1.0
Content-Type: multipart/related;
\ttype="text/html";
\tboundary="----MultipartBoundary--x----"

------MultipartBoundary--x----
Content-Type: text/html
Content-ID: <frame-1@mhtml.blink>
Content-Transfer-Encoding: quoted-printable
Content-Location: https://shop.example/cameras?page=1

<!DOCTYPE html><html><head><meta http-equiv=3D"Content-Type" content=3D"text/html; charset=3DUTF-8"></head>=
<body><p>Caf=C3=A9<img src=3D"https://shop.example/a.png"><iframe src=3D"cid:frame-2@mhtml.blink"></iframe></body>
------MultipartBoundary--x----
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: https://shop.example/a.png

iVBORw0KGgo=
------MultipartBoundary--x----
Content-Type: text/html
Content-ID: <frame-2@mhtml.blink>
Content-Transfer-Encoding: quoted-printable
Content-Location: https://ads.example/frame

<p>frame
------MultipartBoundary--x------
""".replace(b"\n", b"\r\n")

WORD = b"""MIME-Version: 1.0
Content-Type: multipart/related; boundary="x"; start="<main@word>"

--x
Content-Location: file:///C:/odd/part.htm
Content-Transfer-Encoding: 8bit
Content-Type: text/html; charset="windows-1252"

<p>other
--x
Content-ID: <main@word>
Content-Transfer-Encoding: 8bit
Content-Type: text/html; charset="windows-1252"

<p>Gr\xf6\xdfe
--x--
"""


def test_read_mhtml_takes_a_saved_page_apart() -> None:
    """The main document is decoded, with its address, and the parts are found by URL and by cid."""
    source = Document("cameras.mhtml", "file:///cameras.mhtml", CHROMIUM)
    assert source.kind is DocumentKind.MHTML
    saved = read_mhtml(source)
    page = saved.document
    assert (page.source, page.url) == ("cameras.mhtml", "https://shop.example/cameras?page=1")
    assert (page.kind, "Café".encode() in page.content) == (DocumentKind.HTML, True)
    assert saved.resources["https://shop.example/a.png"].content == b"\x89PNG\r\n\x1a\n"
    assert saved.resources["https://shop.example/a.png"].media_type == "image/png"
    assert saved.resources["cid:frame-2@mhtml.blink"].content.startswith(b"<p>frame")
    assert saved.resources["https://ads.example/frame"] == saved.resources["cid:frame-2@mhtml.blink"]


def test_read_mhtml_starts_where_the_file_says() -> None:
    """The part named as the start is the page, with its charset, and raw bytes stay as they are."""
    page = read_mhtml(Document("word.mht", "file:///word.mht", WORD)).document
    assert page.content.strip() == b"<p>Gr\xf6\xdfe"
    assert (page.charset, page.url) == ("windows-1252", "cid:main@word")


def test_read_mhtml_reads_a_single_part() -> None:
    """A file that is nothing but one HTML part is read, too."""
    content = b"MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Location: http://a.example/\n\n<p>x"
    page = read_mhtml(Document("one.mht", "", content)).document
    assert (page.content, page.url) == (b"<p>x", "http://a.example/")


@pytest.mark.parametrize(
    "content",
    [
        b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: image/png\n\nx\n--x--",
        b"MIME-Version: 1.0\nContent-Type: multipart/related\n\nno boundary",
        b"\xff\xfe\x00 garbage",
        b"",
    ],
)
def test_read_mhtml_refuses_files_without_a_page(content: bytes) -> None:
    """Without an HTML part there is one clear error."""
    with pytest.raises(UnreadableError, match=r"broken\.mhtml"):
        read_mhtml(Document("broken.mhtml", "", content))


@pytest.mark.parametrize("cut", range(0, len(CHROMIUM), 37))
def test_read_mhtml_survives_being_cut(cut: int) -> None:
    """A file cut anywhere gives the page so far or the one error."""
    try:
        saved = read_mhtml(Document("cut.mhtml", "file:///cut.mhtml", CHROMIUM[:cut]))
    except UnreadableError:
        return
    assert saved.document.url
