"""Addresses of a crawl: one spelling for each, its key, and its shape."""

import re
from hashlib import blake2b
from pathlib import PurePosixPath
from urllib.parse import unquote, urljoin, urlsplit

from sightline.errors import RefusedError
from sightline.net import admit

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


# Which site an address belongs to.
#
# A site is what one person or company runs: the registrable domain, not the host. The Public Suffix List that says
# where names are registered has some 10,000 entries and changes every week; instead of it there are two rules, which
# are right for nearly all addresses, and whose mistakes join or split sites but lose none:
#
# * a name is registered below the last label, or below two where the last is a country's (two letters) and the one
#   before it is one of the labels under which countries register names (`co.uk`, `com.au`, `ac.at`);
# * on hosts that give every customer a name of their own (`github.io`, `blogspot.com`), each is a site of its own.

# The labels below which at least five country registries take names; those of one registry alone are not here.
_SECOND_LEVEL = frozenset(
    (
        *("ac", "asn", "co", "com", "edu", "gob", "gouv", "gov", "go", "gv", "id", "info", "ltd", "ne", "net", "nom"),
        *("or", "org", "plc", "res", "sch"),
    )
)
# The largest of those whose customers get a name of their own.
_HOSTERS = frozenset(
    (
        *("azurewebsites.net", "blogspot.com", "cloudfront.net", "fandom.com", "firebaseapp.com", "github.io"),
        *("gitlab.io", "herokuapp.com", "jimdofree.com", "livejournal.com", "myshopify.com", "netlify.app"),
        *("pages.dev", "readthedocs.io", "tumblr.com", "typepad.com", "vercel.app", "web.app", "weebly.com"),
        *("wixsite.com", "wordpress.com"),
    )
)
_NUMERIC = re.compile(r"[\d.]+|.*:.*")
_DEFAULT_PORTS = (None, 80, 443)


def site_of(url: str, folder: str = "") -> str:
    """The site of an address; of a saved page without an address, the folder below `folder` that it is in.

    >>> site_of("https://www.shop.example/cameras"), site_of("https://news.bbc.co.uk/"), site_of("http://ana.github.io")
    ('shop.example', 'bbc.co.uk', 'ana.github.io')
    >>> site_of("http://127.0.0.1:8080/x"), site_of("file:///saved/cameras/5d.html", "/saved")
    ('127.0.0.1:8080', 'cameras')
    """
    try:
        return web_site(url) or _folder_of(unquote(urlsplit(url).path), folder)
    except ValueError:
        return url


def web_site(url: str) -> str:
    """The site of an address on the web; nothing for others. A ValueError says that it isn't an address at all.

    >>> web_site("https://www.shop.example/cameras"), web_site("file:///saved/cameras/5d.html")
    ('shop.example', '')
    """
    parts = urlsplit(url)
    host, port = (parts.hostname or "").rstrip("."), parts.port
    beside = f":{port}" if port not in _DEFAULT_PORTS else ""
    return f"{_registrable(host)}{beside}" if host else ""


def site_part(url: str) -> tuple[str, int]:
    """Which part of a site an address is in: the first step of its path, and how deep it is.

    >>> site_part("https://shop.example/cameras/eos-5d"), site_part("https://shop.example/about")
    (('cameras', 2), ('', 1))
    """
    try:
        steps = urlsplit(url).path.strip("/").split("/")
    except ValueError:
        return "", 0
    return (steps[0] if len(steps) > 1 else "", len(steps))


def _registrable(host: str) -> str:
    if _NUMERIC.fullmatch(host):
        return host
    labels = host.split(".")
    if ".".join(labels[-2:]) in _HOSTERS or (len(labels[-1]) == 2 and labels[-2:-1] and labels[-2] in _SECOND_LEVEL):
        return ".".join(labels[-3:]).removeprefix("www.") if len(labels) > 2 else host
    return ".".join(labels[-2:])


def _folder_of(path: str, folder: str) -> str:
    """The first folder below another; the name of that one itself for the files that are directly in it."""
    place, base = PurePosixPath(path), PurePosixPath(folder or "/")
    inner = place.relative_to(base).parts if place.is_relative_to(base) else place.parts[-2:]
    return inner[0] if len(inner) > 1 else base.name or "files"
