"""Which site an address belongs to.

A site is what one person or company runs: the registrable domain, not the host. The Public Suffix List that says where
names are registered has some 10,000 entries and changes every week; instead of it there are two rules, which are right
for nearly all addresses, and whose mistakes join or split sites but lose none:

* a name is registered below the last label, or below two where the last is a country's (two letters) and the one before
  it is one of the labels under which countries register names (`co.uk`, `com.au`, `ac.at`);
* on hosts that give every customer a name of their own (`github.io`, `blogspot.com`), each is a site of its own.
"""

import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

__all__ = ["site_of", "site_part", "web_site"]

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
    """The site of an address on the web; nothing for others. A ValueError says that it is no address at all.

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
