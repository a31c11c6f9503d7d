"""A document: bytes and their metadata, before anything is parsed.

What the bytes are is decided as browsers decide it (the MIME Sniffing standard), with two differences that help
with saved files: the marks of PDF, pictures, `.page`, WARC and MHTML count whatever the name or the server says, and
bytes that cannot be a document (a video, a program) are refused under any name.
"""

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property, lru_cache
from pathlib import Path

from sightline._version import __version__
from sightline.errors import UnreachableError, UnreadableError, UsageError
from sightline.net._access import SiteAccess, access_cookies, access_headers, access_proxy, access_state, origins_of
from sightline.settings import Settings, setting

PAGE_MAGIC = b"\x93SLPAGE"
"""The first bytes of a saved `.page` file."""


class DocumentKind(StrEnum):
    """What the bytes of a document are."""

    HTML = "html"
    PDF = "pdf"
    PICTURE = "picture"
    PAGE = "page"
    WARC = "warc"
    MHTML = "mhtml"
    GZIP = "gzip"
    TEXT = "text"
    BINARY = "binary"
    EMPTY = "empty"


@dataclass(frozen=True)
class Document:
    """The bytes of one document and where they came from.

    `source` is what the user named; a record of an archive is named `FILE#NUMBER`, counting response records from 1.
    `charset` is what the transport said (an HTTP header), not what the bytes say of themselves.
    `folder` is where the file lies, for a document that is one: only such a document may use what lies beside it.
    `notes` are sentences on what is missing from `content`, to show with the result.
    """

    source: str
    url: str
    content: bytes
    media_type: str = ""
    charset: str | None = None
    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    folder: Path | None = None

    @cached_property
    def kind(self) -> DocumentKind:
        """What the bytes are, by their signature or else by the media type."""
        return sniff(self.content, self.media_type)

    def with_note(self, note: str) -> "Document":
        """Return the same document with one more note."""
        return replace(self, notes=(*self.notes, note))

    def header(self, name: str) -> str | None:
        """Return the first header of this name, in any case, or None."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/xml", "application/xml"})
_PAGE_TYPE = "application/x-sightline-page"
_PDF_TYPE = "application/pdf"
_SUFFIX_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".xht": "application/xhtml+xml",
    ".xml": "application/xml",
    ".txt": "text/plain",
    ".pdf": _PDF_TYPE,
    ".mhtml": "multipart/related",
    ".mht": "multipart/related",
    ".warc": "application/warc",
    ".page": _PAGE_TYPE,
}

_SNIFFED_BYTES = 1445  # the resource header of the MIME Sniffing standard
_MAIL_HEAD_BYTES = 4096  # Chromium writes a head of some 400 bytes and the page's address
_PDF_SEARCH_BYTES = 1024  # readers accept %PDF- after some junk, as the PDF 1.7 annex H says

# The elements of HTML, those that are out of date included. Browsers look for 17 of them only, but they know from the
# server what they get; bytes and standard input come without a word on what they are.
_ELEMENTS = frozenset(
    (
        *("a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base", "basefont"),
        *("bdi", "bdo", "bgsound", "big", "blink", "blockquote", "body", "br", "button", "canvas", "caption"),
        *("center", "cite", "code", "col", "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog"),
        *("dir", "div", "dl", "dt", "em", "embed", "fencedframe", "fieldset", "figcaption", "figure", "font"),
        *("footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr"),
        *("html", "i", "iframe", "image", "img", "input", "ins", "isindex", "kbd", "keygen", "label", "legend", "li"),
        *("link", "listing", "main", "map", "mark", "marquee", "math", "menu", "menuitem", "meta", "meter", "nav"),
        *("nobr", "noembed", "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "p", "param"),
        *("picture", "plaintext", "pre", "progress", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "script"),
        *("search", "section", "select", "selectedcontent", "slot", "small", "source", "span", "strike", "strong"),
        *("style", "sub", "summary", "sup", "svg", "table", "tbody", "td", "template", "textarea", "tfoot", "th"),
        *("thead", "time", "title", "tr", "track", "tt", "u", "ul", "var", "video", "wbr", "xmp"),
    )
)
_TAG = re.compile(rb"\s*</?([a-z][a-z0-9]*(-[^\s/>]*)?)(?:[\s/>]|\Z)", re.IGNORECASE)
_MARKUP = re.compile(rb"\s*<(?:!doctype[\s>]|!--|\?xml[\s?])", re.IGNORECASE)
_MAIL_START = re.compile(rb"\s*[A-Za-z][A-Za-z0-9-]*:[ \t]")
_MAIL_MARK = re.compile(rb"^content-type:\s*multipart/(?:related|mixed|alternative)", re.IGNORECASE | re.MULTILINE)
_MAIL_VERSION = re.compile(rb"^mime-version:", re.IGNORECASE | re.MULTILINE)
_BINARY_BYTES = bytes([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])

# Of the bytes of compressed or random data a tenth are such control bytes; the 2,188 pages of the benchmarks begin
# without any, but pages with a stray NUL exist and must stay readable.
_BINARY_SHARE = 0.05

_FOREIGN = (
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive or an Office file"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\xfd7zXZ\x00", "an XZ archive"),
    (b"(\xb5/\xfd", "a Zstandard archive"),
    (b"BZh9", "a bzip2 archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\x00", "a program"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"filedesc://", "an ARC archive, the forerunner of WARC"),
    (b"OggS\x00", "an Ogg file"),
    (b"\x1aE\xdf\xa3", "a video"),
)
_PICTURE_MARKS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*")  # PNG, JPEG, TIFF of both kinds
_FOREIGN_MARKS = tuple(mark for mark, _ in _FOREIGN)


def sniff(content: bytes, media_type: str = "") -> DocumentKind:
    """Tell what these bytes are; `media_type` decides only where the bytes do not.

    >>> sniff(b"<!doctype html><p>x"), sniff(b"%PDF-1.7"), sniff(b"plain words"), sniff(b"")
    (<DocumentKind.HTML: 'html'>, <DocumentKind.PDF: 'pdf'>, <DocumentKind.TEXT: 'text'>, <DocumentKind.EMPTY: 'empty'>)
    """
    if not content:
        return DocumentKind.EMPTY
    marked = _marked_kind(content, media_type)
    if marked:
        return marked
    head = _as_ascii(content[:_SNIFFED_BYTES])
    if media_type != "text/plain" and _is_html(head):
        return DocumentKind.HTML
    binary = _binary_share(head)
    if media_type in _HTML_TYPES:
        return DocumentKind.BINARY if binary > _BINARY_SHARE else DocumentKind.HTML
    return DocumentKind.BINARY if binary else DocumentKind.TEXT


def _is_html(head: bytes) -> bool:
    """Whether bytes begin with a tag of HTML, an element that somebody defined (`<my-app>`), or what stands before."""
    tag = _TAG.match(head)
    return bool(_MARKUP.match(head) or (tag and (tag[2] or tag[1].lower().decode() in _ELEMENTS)))


def readable_kind(document: Document) -> DocumentKind:
    """Return the kind of a document that can become pages; an empty or foreign one is an UnreadableError."""
    kind = document.kind
    if kind is DocumentKind.EMPTY:
        raise UnreadableError(document.source, "is empty, so there is nothing to read.")
    if document.media_type == _PAGE_TYPE and kind is not DocumentKind.PAGE:
        raise UnreadableError(
            document.source, "is named .page but is not a page file; create one with `sightline save`."
        )
    if document.media_type == _PDF_TYPE and kind is DocumentKind.TEXT:
        raise UnreadableError(
            document.source, "is called a PDF but is plain text; save it under a name that ends in .txt to read it."
        )
    if kind is DocumentKind.BINARY:
        what = _foreign_name(document.content) or "binary data"
        raise UnreadableError(document.source, f"is {what}, not a page; give HTML, MHTML, WARC or a .page file.")
    return kind


def media_type_of(name: str) -> str:
    """Return the media type that a file's suffix stands for, or nothing.

    >>> media_type_of("a/Page.HTM"), media_type_of("crawl.warc.gz")
    ('text/html', '')
    """
    stem, dot, suffix = name.rpartition(".")
    return _SUFFIX_TYPES.get(f"{dot}{suffix}".lower(), "") if stem else ""


@lru_cache(maxsize=256)  # a site says the same of nearly all its pages
def media_type_and_charset(header: str | None) -> tuple[str, str | None]:
    """Read a Content-Type header: the type in lower case and its charset, if any.

    >>> media_type_and_charset('Text/HTML; Charset="utf-8"')
    ('text/html', 'utf-8')
    """
    if not header:
        return "", None
    from email.message import Message  # slow to import, and not needed for files

    message = Message()
    message["Content-Type"] = " ".join(header.split())
    charset = message.get_param("charset")
    media_type = header.partition(";")[0].strip().lower()
    return media_type if media_type.count("/") == 1 else "", charset if isinstance(charset, str) else None


def _marked_kind(content: bytes, media_type: str) -> DocumentKind | None:
    if content.startswith(PAGE_MAGIC):
        return DocumentKind.PAGE
    if content.startswith(b"\x1f\x8b\x08"):
        return DocumentKind.GZIP
    if content.startswith(b"WARC/"):
        return DocumentKind.WARC
    if content.startswith(_PICTURE_MARKS) or (content[:4] == b"RIFF" and content[8:12] == b"WEBP"):
        return DocumentKind.PICTURE
    if _foreign_name(content):
        return DocumentKind.BINARY
    if _is_pdf(content, media_type):
        return DocumentKind.PDF
    return DocumentKind.MHTML if _is_mhtml(content[:_MAIL_HEAD_BYTES]) else None


def _is_pdf(content: bytes, media_type: str) -> bool:
    if media_type == _PDF_TYPE:
        return b"%PDF-" in content[:_PDF_SEARCH_BYTES]
    return content[:64].lstrip(b" \t\r\n\f\xef\xbb\xbf\x00").startswith(b"%PDF-")


def _is_mhtml(head: bytes) -> bool:
    if not _MAIL_START.match(head):
        return False
    return bool(_MAIL_MARK.search(head) or (_MAIL_VERSION.search(head) and b"text/html" in head.lower()))


def _foreign_name(content: bytes) -> str | None:
    if content[:4] == b"RIFF" and content[8:12] in (b"AVI ", b"WAVE"):
        return "a video or a sound"
    if content[4:8] == b"ftyp":
        return "a video or an image"
    if not content.startswith(_FOREIGN_MARKS):
        return None
    return next(name for mark, name in _FOREIGN if content.startswith(mark))


def _as_ascii(head: bytes) -> bytes:
    """Return the head as ASCII-compatible bytes: UTF-16, with or without its mark, is turned into UTF-8."""
    if head.startswith(b"\xef\xbb\xbf"):
        return head[3:]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head.decode("utf-16", "ignore").encode("utf-8", "ignore")
    for codec, nul in (("utf-16-le", slice(1, None, 2)), ("utf-16-be", slice(0, None, 2))):
        if len(head) >= 4 and not head[nul].strip(b"\x00") and head.count(0) <= (len(head) + 1) // 2:
            return head.decode(codec, "ignore").encode("utf-8", "ignore")
    return head


def _binary_share(head: bytes) -> float:
    return 1 - len(head.translate(None, _BINARY_BYTES)) / len(head) if head else 0.0


# -- limits and policy: the settings of everything that loads documents ---------------------------------------------

PRODUCT = "Sightline"
"""Our name in robots.txt files."""

_MB = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Limits(Settings):
    """What a document or page may cost; reaching a limit gives an error or a note, never silence."""

    document_bytes: int = setting(50 * _MB, help="maximum bytes of a document as transferred", minimum=1)
    decoded_bytes: int = setting(200 * _MB, help="maximum bytes of a document after decompression", minimum=1)
    nodes: int = setting(500_000, help="maximum number of nodes on a page", minimum=1)
    depth: int = setting(10_000, help="maximum nesting depth of a page", minimum=1)
    load_seconds: float = setting(30.0, help="maximum seconds for a page to load", minimum=0.01)
    settle_seconds: float = setting(5.0, help="maximum seconds for a loaded page to settle", minimum=0)
    page_seconds: float = setting(60.0, help="maximum seconds for a page in total", minimum=0.01)
    redirects: int = setting(20, help="maximum number of redirects to follow", minimum=0)
    pdf_sheets: int = setting(5_000, help="maximum number of sheets to read from a PDF", minimum=1)
    pdf_memory: int = setting(2_000 * _MB, help="maximum bytes of memory for the PDF reader", minimum=50 * _MB)
    sheet_seconds: float = setting(20.0, help="maximum seconds for one sheet of a PDF", minimum=0.01)
    subresources: int = setting(
        1_000, help="maximum number of images, scripts and other parts that a page may load", minimum=0
    )


@dataclass(frozen=True, kw_only=True)
class CrawlPolicy(Settings):
    """How to treat the sites visited, and which of them to visit at all."""

    robots: bool = setting(default=True, help="whether robots.txt is obeyed")
    ignore_robots_for: tuple[str, ...] = setting((), help="hosts whose robots.txt is ignored")
    delay: float = setting(1.0, help="seconds between two requests to the same host", minimum=0)
    public_only: bool = setting(
        default=False, help="whether to refuse private, loopback and link-local addresses, as a server must"
    )
    user_agent: str = setting(f"{PRODUCT}/{__version__}", help="the user agent sent to sites")
    header: tuple[str, ...] = setting(
        (), help="headers sent to the sites that were named and to no other, each as NAME: VALUE", secret=True
    )
    cookie: tuple[str, ...] = setting(
        (), help="cookies sent to the sites that were named and to no other, each as NAME=VALUE", secret=True
    )
    state: str = setting("", help="the file of a recorded log-in, whose cookies and storage are used")
    proxy: str = setting("", help="the proxy that all requests go through, as http://HOST:PORT", secret=True)
    named: tuple[str, ...] = ()
    """The origins that headers and cookies are sent to; without any, those of the sources that are opened."""

    def __post_init__(self) -> None:
        """Check what is sent to sites as well; no error repeats it."""
        super().__post_init__()
        if self.public_only and self.proxy:
            raise UsageError(
                "proxy of CrawlPolicy cannot be used with public_only: a proxy looks addresses up itself, so nobody "
                "can check that they are public; leave one of them out."
            )
        self.access(set())

    @property
    def is_secret(self) -> bool:
        """Whether there is anything that must not be kept in a file."""
        return bool(self.header or self.cookie or self.proxy)

    def access(self, named: set[str]) -> SiteAccess:
        """What is sent to whom; `named` are further origins, and may grow."""
        named.update(self.named)
        return SiteAccess(
            headers=access_headers(self.header),
            cookies=access_cookies(self.cookie),
            state=access_state(self.state),
            proxy=access_proxy(self.proxy),
            named=named,
        )

    def bound_to(self, addresses: Iterable[str]) -> "CrawlPolicy":
        """The same policy, with headers and cookies for the origins of these addresses only, whatever is opened."""
        return replace(self, named=tuple(dict.fromkeys((*self.named, *origins_of(addresses)))))


def megabytes(count: int) -> str:
    """A number of bytes in readable form.

    >>> megabytes(50_000_000), megabytes(1_500)
    ('50 MB', '1,500 bytes')
    """
    return f"{count / _MB:,g} MB" if count >= _MB else f"{count:,} bytes"


# What a busy site, or one in trouble, asks for: to come back later; and how long to wait before that.

BUSY = frozenset({429, 503})
"""The statuses by which a site says that it has too much to do, and that the same request may succeed later."""

AGAIN = BUSY | {500, 502, 504}
"""Those after which the same request may succeed later: the site is busy, or in trouble that often passes."""

LONGEST_BACKOFF = 60.0
JITTER = 0.25  # of a pause, at most, so that many who were turned away together do not come back together


def status_problem(source: str, status: int) -> UnreachableError:
    """The error for an answer that is none; one that may be another later says so."""
    passing = status in AGAIN
    return UnreachableError(
        source, f"answered with status {status}; {'try later' if passing else 'check the address'}.", passing=passing
    )


def backoff(failures: int, first: float = 1.0) -> float:
    """The seconds to wait after so many failures in a row: twice as long each time.

    >>> [backoff(failures) for failures in (1, 2, 3, 20)]
    [1.0, 2.0, 4.0, 60.0]
    """
    return min(LONGEST_BACKOFF, first * 2.0 ** min(failures - 1, 30))


def jittered(seconds: float) -> float:
    """A pause that is somewhat longer, at random, and never shorter: a site may have asked for it."""
    return seconds * random.uniform(1.0, 1.0 + JITTER)


def asked_pause(headers: Iterable[tuple[str, str]]) -> float | None:
    """The seconds that an answer asks to wait (`Retry-After`); None if it does not say, or not in a form that counts.

    >>> asked_pause([("Retry-After", "120")])
    120.0
    >>> asked_pause([("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")])  # which is over
    0.0
    >>> asked_pause([("Retry-After", "soon")])
    """
    said = next((value.strip() for name, value in headers if name.lower() == "retry-after"), "")
    if said.isdecimal():
        return float(said)
    from email.utils import parsedate_to_datetime  # slow to import, rarely needed

    try:
        when = parsedate_to_datetime(said)
    except ValueError:
        return None
    return max(0.0, (when.replace(tzinfo=when.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
