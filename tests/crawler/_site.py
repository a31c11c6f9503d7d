"""A site on the loopback interface whose pages are made from their addresses, for crawls."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sightline.crawler import Crawler, CrawlSettings, CrawlStatus

from .._server import NOT_FOUND, Handler, Request, Site, reply, serve_from_thread

__all__ = ["crawl", "html", "links", "serving", "tree"]


def links(*targets: str, title: str = "A page", more: str = "") -> bytes:
    """A page that leads to some others."""
    items = "".join(f'<li><a href="{target}">{target}</a></li>' for target in targets)
    return html(f"<ul>{items}</ul>{more}", title=title)


def html(body: str, *, title: str = "A page", head: str = "") -> bytes:
    """A whole page."""
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>".encode()


def tree(depth: int, width: int) -> dict[str, bytes]:
    """The pages of a site in which every page leads to some below it, and back to the front."""
    pages: dict[str, bytes] = {}

    def add(path: str, left: int) -> None:
        below = [f"{path.rstrip('/')}/{number}" for number in range(width)] if left else []
        pages[path] = links("/", *below, title=f"Page {path}")
        for child in below:
            add(child, left - 1)

    add("/", depth)
    return pages


@contextmanager
def serving(
    pages: Mapping[str, bytes | Handler] | Callable[[str], bytes | None], headers: Mapping[str, str] | None = None
) -> Iterator[Site]:
    """Serve pages by their path and query; whole answers (which begin with HTTP) and handlers as they are."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        found = pages(request.target) if callable(pages) else pages.get(request.target)
        if callable(found):
            await found(request, writer)
            return
        whole = NOT_FOUND if found is None else found if found.startswith(b"HTTP/") else reply(found, headers=headers)
        writer.write(whole)
        await writer.drain()

    with serve_from_thread({}, otherwise=answer) as site:
        yield site


def crawl(
    folder: Path, *first: str, again: bool = False, goal: Any = None, like: Any = (), **settings: Any
) -> CrawlStatus:
    """Crawl without a browser, and without sitemaps unless they are asked for."""
    how = CrawlSettings(**{"render": "never", "sitemaps": False, "retry_seconds": 0.01, **settings})
    return Crawler(folder, first=first, like=like, goal=goal, settings=how, again=again).run()
