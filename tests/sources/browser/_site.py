"""A local site for the browser, and ways to look at the processes that a browser consists of."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from sightline import Page
from sightline.net import CrawlPolicy, Limits
from sightline.sources import BrowserSettings, Loader

from ..._server import Handler, Request, Site, redirect, reply, serve_from_thread

__all__ = [
    "Handler",
    "Request",
    "Site",
    "asked",
    "html",
    "node_of",
    "processes",
    "redirect",
    "rendered",
    "reply",
    "shared_loader",
    "site",
    "texts",
]


@contextmanager
def site(routes: Mapping[str, Handler]) -> Iterator[Site]:
    """Serve these routes from a thread of their own while the block runs."""
    with serve_from_thread(routes) as one:
        yield one


def asked(here: Site) -> list[str]:
    """The paths asked for, without the icon that a full browser wants of every site."""
    return [path for path in here.paths() if path != "/favicon.ico"]


def html(body: str, status: int = 200, headers: Mapping[str, str] | None = None) -> bytes:
    """An answer with a page in UTF-8."""
    content = f"<!doctype html>{body}".encode()
    return reply(content, status, {"Content-Type": "text/html; charset=utf-8", **(headers or {})})


@lru_cache
def shared_loader(
    settings: BrowserSettings | None = None, limits: Limits | None = None, policy: CrawlPolicy | None = None
) -> Loader:
    """One loader, and with it one browser, for all tests with equal settings."""
    return Loader(browser=settings, limits=limits, policy=policy)


def rendered(markup: str | bytes) -> Page:
    """The page of this markup, rendered by the browser that all tests share."""
    content = markup if isinstance(markup, bytes) else f"<!doctype html><meta charset=utf-8>{markup}".encode()
    return shared_loader().load(content)


def node_of(page: Page, identity: str) -> int:
    """The number of the element with this `id`."""
    return int((page.attribute("id") == page.string_id(identity)).nonzero()[0][0])


def texts(page: Page) -> list[str]:
    """The visible texts of a page, in order."""
    return [
        page.strings[page.text[node]].strip() for node in (page.is_text & ~page.is_blank & page.visible).nonzero()[0]
    ]


def processes(mark: str | Path) -> list[int]:
    """The living processes whose command line has this mark."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state = (folder / "stat").read_bytes().rpartition(b")")[2].split()[0]
            if str(mark).encode() in (folder / "cmdline").read_bytes() and state != b"Z":
                found.append(int(folder.name))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]
