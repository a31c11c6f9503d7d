"""A site that is busy is waited for, and one that asks for a log-in ends the collection; what was there is kept."""

import asyncio
from collections.abc import Callable
from itertools import islice, repeat

import pytest

import sightline as sl
from sightline.errors import SourceError, UnreachableError, UsageError
from sightline.jobs import Progress
from sightline.navigate import Collection, _patience
from sightline.navigate._patience import patiently
from sightline.net import CrawlPolicy
from sightline.sources import SiteAnswer

from ..._server import Handler, Request, redirect, reply, serve_from_thread
from .._site import served
from .test_collect import HEAD, SIZE, cards, next_link

POLITE = CrawlPolicy(delay=0)
LAST = 3
Refusal = Callable[[int], bytes | None]
"""What the third page answers, by how often it was asked before; None if it is there."""


def shop(refusal: Refusal) -> Handler:
    """A list of three pages, of which the last may refuse."""
    asked: list[str] = []

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        page = int(request.query.get("page", "1"))
        answer = refusal(len(asked)) if page == LAST else None
        if page == LAST:
            asked.append(request.target)
        body = f"{HEAD}{cards(SIZE * (page - 1) + 1, SIZE * page)}{next_link(page, LAST)}"
        if request.path == "/login":
            answer = reply(f"{HEAD}{WALL}".encode())
        writer.write(answer or reply(body.encode()))
        await writer.drain()

    return handle


WALL = "<h1>Mitglieder</h1><form><p>Kennwort <input type=password></p><button>Weiter</button></form>"
STATIC = pytest.mark.parametrize("static", [True, False], ids=["static", "browser"])


def collected(refusal: Refusal, *, static: bool, told: list[Progress] | None = None) -> tuple[Collection, list[str]]:
    """What is collected, and what the site was asked for."""
    with serve_from_thread({"/robots.txt": reply(status=404)}, otherwise=shop(refusal)) as site:
        listen = told.append if told is not None else None
        found = sl.collect(site.url("/list"), static=static, policy=POLITE, on_progress=listen)
        return found, [path for path in site.paths() if "page=3" in path]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "static"),
    [
        (reply(b"Slow down", 429), True),
        (reply(b"", 503), True),
        (reply(b"Later", 503, {"Retry-After": "1"}), True),
        (reply(b"Later", 503, {"Retry-After": "1"}), False),  # what comes after an answer is the same for both
    ],
    ids=["429", "503-empty", "503-retry-after", "503-retry-after-browser"],
)
def test_a_busy_site_is_asked_again(answer: bytes, static: bool) -> None:
    """As late as it wishes, or else after a second and then two; the waiting is told, and nothing is missing."""
    told: list[Progress] = []
    found, asked = collected(lambda before: answer if before < 2 else None, static=static, told=told)
    assert (len(found.records), found.verdict, found.doubts) == (LAST * SIZE, "ok", ())
    assert len(asked) == 3
    pauses = [one.what for one in told if "busy" in one.what]
    second = 1 if b"Retry-After" in answer else 2
    assert pauses == [f"The site is busy, waiting {pause} s" for pause in (1, second)]


@pytest.mark.slow
@STATIC
@pytest.mark.parametrize("answer", [reply(b"Oops", status) for status in (500, 502, 504)], ids=["500", "502", "504"])
def test_a_site_in_trouble_is_asked_again(answer: bytes, static: bool) -> None:
    """One error of a server, or a connection that breaks, costs no record; how often that was is counted."""
    found, asked = collected(lambda before: answer if before < 1 else None, static=static)
    assert (len(found.records), found.verdict, found.doubts) == (LAST * SIZE, "ok", ())
    assert (len(asked), found.retries) == (2, 1)


def test_a_connection_that_breaks_is_made_again() -> None:
    """What was promised did not come: the same page is asked for once more."""
    cut = b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n"
    found, asked = collected(lambda before: cut if before < 1 else None, static=True)
    assert (len(found.records), found.verdict, found.retries) == (LAST * SIZE, "ok", 1)
    assert len(asked) == 2


def test_a_site_that_stays_in_trouble_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """After some tries; the error is the server's own, and what was collected is kept."""
    monkeypatch.setattr(_patience, "FIRST_PAUSE", 0.01)
    found, asked = collected(lambda _: reply(b"Oops", 500), static=True)
    assert (len(found.records), found.stop.kind, found.verdict) == (2 * SIZE, "failed", "suspicious")
    assert "answered with status 500; try later." in found.stop.why
    assert (len(asked), found.retries) == (_patience.MOST_TROUBLE + 1, _patience.MOST_TROUBLE)


@pytest.mark.slow
@STATIC
def test_a_site_that_stays_busy_ends_the_collection(static: bool) -> None:
    """One that wants more patience than there is ends it at once, with the reason; what was collected is kept."""
    answer = reply(b"Tomorrow", 429, {"Retry-After": "86400"})
    found, asked = collected(lambda _: answer, static=static)
    assert (len(found.records), found.stop.kind, found.verdict) == (2 * SIZE, "failed", "suspicious")
    assert "is still busy (status 429) and asks to come back in 86,400 s; try again later." in found.stop.why
    assert len(asked) == 1


@pytest.mark.slow
@STATIC
@pytest.mark.parametrize("answer", [redirect("/login"), reply(f"{HEAD}{WALL}".encode()), reply(b"Members only", 401)])
def test_a_log_in_wall_ends_the_collection(answer: bytes, static: bool) -> None:
    """Whatever its language; it is said, and what was collected before is kept."""
    found, _ = collected(lambda _: answer, static=static)
    assert (len(found.records), found.stop.kind, found.verdict) == (2 * SIZE, "failed", "suspicious")
    assert any(word in found.stop.why for word in ("log-in", "user and password"))


def test_a_field_for_a_password_on_every_page_is_no_wall() -> None:
    """Many sites have one in their head; an empty last page is the end all the same."""
    head = f"{HEAD}<form><input type=password></form>"

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        page = int(request.query.get("page", "1"))
        body = f"{cards(1, SIZE)}{next_link(1, 2)}" if page == 1 else "<p>There is nothing more.</p>"
        writer.write(reply(f"{head}{body}".encode()))
        await writer.drain()

    with serve_from_thread({"/robots.txt": reply(status=404)}, otherwise=handle) as site:
        found = sl.collect(site.url("/list"), static=True, policy=POLITE)
    assert (len(found.records), found.stop.kind, found.verdict) == (SIZE, "end", "ok")


def test_patience_has_an_end() -> None:
    """Pauses double; when the next one would be too long, the error says for how long the site was busy."""
    tried: list[int] = []

    def attempt() -> sl.Page:
        tried.append(1)
        raise UnreachableError("https://example.org", "answered with status 503; check the address.")

    with pytest.raises(SourceError, match=r"is still busy after 1 s \(status 503\); try again later"):
        patiently(repeat(attempt), lambda: SiteAnswer(503), most=2.5)
    assert len(tried) == 2
    with pytest.raises(UnreachableError, match="check the address"):
        patiently(islice(repeat(attempt), 1), lambda: SiteAnswer(404))


def test_a_form_to_log_in_is_no_list() -> None:
    """Its fields repeat like records, but nobody wants to collect them."""
    fields = "".join(f"<p><label>{name} <input name={name}></label></p>" for name in ("User", "Company", "Town"))
    form = (
        f"<h1>Account</h1><form>{fields}<p><label>Password <input type=password></label></p><button>Go</button></form>"
    )
    with served(lambda _: form) as site, pytest.raises(UsageError, match="shows no list"):
        sl.collect(site("/account"), static=True, policy=CrawlPolicy(delay=0))
