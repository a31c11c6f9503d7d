"""The file of a session's cookies and storage, and which of its cookies a request to a site carries."""

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import orjson

from sightline.errors import UsageError
from sightline.files import read_bytes, write_bytes
from sightline.redaction import remember

if TYPE_CHECKING:
    from sightline.net._addresses import Location  # its parser of addresses is slow to import

__all__ = ["LoginState"]

FORMAT = "sightline-session"
VERSION = 1
MOST_BYTES = 100_000_000  # an origin may store five megabytes
OWNER_ONLY = 0o600
# What looks like a token; a language or a choice of colours is no secret, and would be struck out of every result.
_TOKEN = re.compile(r"(?=\S*[0-9])\S{8,4096}|\S{20,4096}")

# What the browser tells of a cookie and takes back.
COOKIE = ("name", "value", "domain", "path", "secure", "httpOnly", "sameSite", "priority", "partitionKey")

Storage: TypeAlias = dict[str, dict[str, str]]


@dataclass
class LoginState:
    """Cookies, and the local storage of origins."""

    cookies: list[dict[str, Any]]
    storage: Storage

    @classmethod
    def read(cls, path: Path, advice: str) -> "LoginState":
        """The content of a file; a UsageError with advice if it is none of a session. Its tokens are kept secret."""
        content = read_bytes(path, advice, MOST_BYTES)
        try:
            found = orjson.loads(content)
        except orjson.JSONDecodeError as problem:
            raise UsageError(f"{path}: not the file of a session; {advice}.") from problem
        if not _is_state(found):
            raise UsageError(f"{path}: not the file of a session, or of a later version; {advice}.")
        state = cls(found["cookies"], found["storage"])
        state._keep_secret()
        return state

    def write(self, path: Path) -> None:
        """Write the file, for its owner only."""
        storage = {origin: items for origin, items in self.storage.items() if items}
        content = {"format": FORMAT, "version": VERSION, "cookies": self.cookies, "storage": storage}
        write_bytes(path, orjson.dumps(content, option=orjson.OPT_INDENT_2), mode=OWNER_ONLY)

    def cookies_for(self, location: "Location") -> dict[str, str]:
        """The cookies that a browser would send to an address, by the rules of each: host, path, https and age."""
        sent = [one for one in self.cookies if _is_for(one, location)]
        sent.sort(key=lambda one: len(one.get("path", "/")))  # of two with one name, the closer to the address counts
        return {one["name"]: one["value"] for one in sent}

    def _keep_secret(self) -> None:
        values = [one["value"] for one in self.cookies]
        values += [value for items in self.storage.values() for value in items.values()]
        for value in values:
            if _TOKEN.fullmatch(value):
                remember(value)


def _is_for(cookie: dict[str, Any], location: "Location") -> bool:
    domain, path = cookie["domain"].lower(), cookie.get("path") or "/"
    is_host = location.host == domain.lstrip(".") or (domain.startswith(".") and location.host.endswith(domain))
    here = location.path.partition("?")[0]
    is_path = here == path or here.startswith(path if path.endswith("/") else f"{path}/")
    is_safe = location.scheme == "https" or not cookie.get("secure")
    is_fresh = cookie.get("expires") is None or cookie["expires"] > time.time()
    return is_host and is_path and is_safe and is_fresh and not cookie.get("partitionKey")


def _is_state(found: Any) -> bool:
    """Whether a file has all that is read from it."""
    if not isinstance(found, dict) or (found.get("format"), found.get("version")) != (FORMAT, VERSION):
        return False
    cookies, storage = found.get("cookies"), found.get("storage")
    return (
        isinstance(cookies, list)
        and all(map(_is_cookie, cookies))
        and isinstance(storage, dict)
        and all(_is_web(origin) and isinstance(items, dict) for origin, items in storage.items())
        and all(isinstance(value, str) for items in storage.values() for value in items.values())
    )


def _is_cookie(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and set(found) <= {*COOKIE, "expires"}
        and all(isinstance(found.get(name), str) for name in ("name", "value", "domain"))
        and isinstance(found.get("path", "/"), str)
        and isinstance(found.get("expires", 0), int | float)
    )


def _is_web(origin: str) -> bool:
    return origin.startswith(("http://", "https://"))
