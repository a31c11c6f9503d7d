"""Addresses of a crawl: one spelling for each, its key, and its shape."""

import re
from hashlib import blake2b
from urllib.parse import unquote, urljoin

from sightline.errors import RefusedError
from sightline.net import admit

__all__ = ["Addresses", "address_key", "host_of", "is_no_page", "parts_of", "shape_of", "without_parameter"]

# Nearly all links are clean already, and looking is ten times as fast as parsing.
_CLEAN = re.compile(r"https?://[a-z0-9][a-z0-9.-]*+(?::(?!80/|443/)\d{2,5})?/[A-Za-z0-9\-._~!$&'()*+,;=:@/]*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9\-._~]")
_DOTS = re.compile(r"/\.{1,2}(?:/|$)")
# What only says from where a reader came, or who is reading: never part of what a page shows.
_TRACKING = re.compile(r"(?:utm_\w+|gclid|fbclid|msclkid|dclid|yclid|mc_[ce]id|_ga|_gl|igshid)", re.IGNORECASE)
_SESSION = re.compile(r"(?:jsessionid|phpsessid|aspsessionid\w*|cfid|cftoken|sessionid|session_id)", re.IGNORECASE)
_PATH_SESSION = re.compile(r";(?:jsessionid|sid|phpsessid)=[^/;]*", re.IGNORECASE)
_SUFFIX = re.compile(r"\.([A-Za-z0-9]{1,5})$")
_NO_PAGES = frozenset(
    (
        *("jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "ico", "bmp", "tif", "tiff", "css", "js", "mjs", "map"),
        *("woff", "woff2", "ttf", "otf", "eot", "mp3", "mp4", "m4a", "m4v", "webm", "ogg", "ogv", "wav", "avi", "mov"),
        *("zip", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "tar", "iso", "dmg", "exe", "msi", "deb", "rpm", "jar"),
        *("apk", "bin", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "epub", "ics", "swf", "torrent"),
    )
)
# Links that need no more than to be put behind the folder of their page: names and steps upwards.
_STEPS = re.compile(r"(?:\.\./)*+[A-Za-z0-9_~][A-Za-z0-9_.~-]*+(?:/[A-Za-z0-9_~][A-Za-z0-9_.~-]*+)*+/?")
_UNUSUAL = re.compile(r"//|;|/\.{1,2}(?:/|$)")  # what joining would change in the address of a page
_UP = "../"
_NUMBER = re.compile(r"\d+")
_PATH_STARTS = ("/", ".", "_", "~")
_KNOWN = 50_000  # joined links that are remembered; a site's menu is the same on every page

# A part that is a number, a date or a long mixture of letters and digits names one thing among many.
_MIXED = re.compile(r"(?=[^/]*\d)[0-9A-Za-z_-]{16,}")


def address_key(url: str) -> int:
    """The number by which an address is known: two of a million share theirs with a chance of 1 in 30,000,000.

    >>> address_key("https://example.org/") == address_key("https://example.org/")
    True
    """
    return int.from_bytes(blake2b(url.encode(), digest_size=8).digest(), "big", signed=True)


def host_of(url: str) -> str:
    """Host and port of a clean address.

    >>> host_of("https://example.org:8080/a?b")
    'example.org:8080'
    """
    return url.partition("://")[2].partition("/")[0]


def parts_of(url: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """An address up to its query, and the query's parameters.

    >>> parts_of("https://example.org/a?b=1&c")
    ('https://example.org/a', (('b', '1'), ('c', '')))
    """
    path, _, query = url.partition("?")
    pairs = (part.partition("=") for part in query.split("&") if part)
    return path, tuple((name, value) for name, _, value in pairs)


def without_parameter(url: str, name: str) -> str:
    """The address without a parameter of its query.

    >>> without_parameter("https://example.org/a?b=1&sid=7f", "sid")
    'https://example.org/a?b=1'
    """
    path, parameters = parts_of(url)
    kept = "&".join(f"{key}={value}" if value else key for key, value in parameters if key != name)
    return f"{path}?{kept}" if kept else path


def shape_of(url: str) -> str:
    """What the addresses of alike pages have in common: numbers and codes are left out, and what parameters say.

    >>> shape_of("https://example.org/news/2024/05/17?page=3")
    'example.org/news/#/#/#?page'
    """
    path, parameters = parts_of(url)
    steps = [
        _NUMBER.sub("#", _MIXED.sub("#", unquote(step)) if len(step) > 15 else step)
        for step in path.partition("://")[2].split("/")[1:]
    ]
    names = "&".join(sorted({name for name, _ in parameters}))
    return f"{host_of(url)}/{'/'.join(steps)}{'?' * bool(names)}{names}"


def is_no_page(url: str) -> bool:
    """Whether the name says that this is a picture, a program, an archive or the like."""
    suffix = _SUFFIX.search(url.partition("?")[0])
    return bool(suffix) and suffix[1].lower() in _NO_PAGES  # type: ignore[index]


class Addresses:
    """Joins links and spells them in one way.

    >>> Addresses().joined("https://example.org/a/b", "../C%7e?utm_source=x&id=5#top")
    'https://example.org/C~?id=5'
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str | None] = {}
        self._base = self._folder = ""
        self._is_plain = False

    def joined(self, base: str, link: str) -> str | None:
        """Where a link of a page leads, or None if not to a web page."""
        whole = link.partition("#")[0]
        link = link if whole[-1:].isspace() else whole  # parsers disagree on what blanks before a fragment are
        is_path = (link[:1].isalnum() or link[:1] in _PATH_STARTS) and link[:2] != "//"
        if self._base != base:  # the links of a page come one after the other
            self._base, self._folder = base, base.partition("?")[0].rpartition("/")[0]
            self._is_plain = bool(_CLEAN.fullmatch(base)) and not _UNUSUAL.search(base, 8)
        key = (self._folder if is_path else base, link)
        if key in self._known:
            return self._known[key]
        if len(self._known) >= _KNOWN:
            self._known.clear()
        is_plain = self._is_plain and _STEPS.fullmatch(link)
        found = self._known[key] = _below(self._folder, link) if is_plain else clean_address(base, link)
        return found


def _below(folder: str, link: str) -> str:
    """Where a link of plain steps leads from a folder; nothing is above the first one.

    >>> _below("https://example.org/a/b", "../c/"), _below("https://example.org", "../c")
    ('https://example.org/a/c/', 'https://example.org/c')
    """
    while link.startswith(_UP):
        link = link[len(_UP) :]
        if folder.count("/") > 2:
            folder = folder.rpartition("/")[0]
    return f"{folder}/{link}"


def clean_address(base: str, link: str) -> str | None:
    """The one spelling of where a link leads: without fragment, tracking and session names; None if nowhere."""
    try:
        whole = urljoin(base, link.strip().partition("#")[0])
    except ValueError:
        return None
    if _CLEAN.fullmatch(whole) and not _DOTS.search(whole):
        return _PATH_SESSION.sub("", whole) if ";" in whole else whole
    if whole[:4].lower() != "http":
        return None
    try:
        url = admit(whole).url
    except RefusedError:
        return None
    return _without_noise(_ESCAPE.sub(_unescaped, url))


def _unescaped(escape: re.Match[str]) -> str:
    """An escape in one spelling: none where none is needed, else in capitals."""
    letter = chr(int(escape[1], 16))
    return letter if _UNRESERVED.fullmatch(letter) else escape[0].upper()


def _without_noise(url: str) -> str:
    path, question, query = url.partition("?")
    path = _PATH_SESSION.sub("", path)
    if not question:
        return path
    parts = [part for part in query.split("&") if part and not _is_noise(part.partition("=")[0])]
    return f"{path}?{'&'.join(parts)}" if parts else path


def _is_noise(name: str) -> bool:
    return bool(_TRACKING.fullmatch(name) or _SESSION.fullmatch(name))
