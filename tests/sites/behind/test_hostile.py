"""Answers unlike those that browsers get: the road is left with a clear word; rows are the browser's, or doubted."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import sightline as sl
from sightline.navigate import Collection
from sightline.net import CrawlPolicy

from ..._server import Request, redirect, reply, serve_from_thread
from .apps import BY_NAME, TOKEN, App, Shelf, answer_json, more_button, served

POLITE = CrawlPolicy(delay=0)
JSON = {"Content-Type": "application/json"}
SIZE = 8
EVIL_FROM = 4  # the page from which on programs are answered otherwise
LARGE = 51_000_000  # bytes, a little more than a document may have
DEEP = 900


@dataclass(frozen=True)
class Asked:
    """A page of records that a program asks for, and how this shop answers."""

    shelf: Shelf
    request: Request
    number: int
    answer: Callable[[list[dict[str, Any]]], bytes]

    def of(self, number: int) -> list[dict[str, Any]]:
        """The items of some page."""
        return self.shelf.on(number)


def deep(item: dict[str, Any]) -> dict[str, Any]:
    """An item whose name is at the bottom of a pit."""
    name: Any = item["name"]
    for _ in range(DEEP):
        name = [name]
    return {**item, "name": name}


EVILS: dict[str, Callable[[Asked], bytes]] = {
    "html": lambda _: reply(b"<!doctype html><h1>Please sign in</h1>"),
    "html that says it is json": lambda _: reply(b"<h1>Sign in</h1>", headers=JSON),
    "another object": lambda _: answer_json({"error": {"code": 7}}),
    "cut off": lambda one: reply(one.answer(one.of(one.number)).partition(b"\r\n\r\n")[2][:700], headers=JSON),
    "bottomless": lambda _: reply(b"[" * 200_000, headers=JSON),
    "deep within": lambda one: one.answer([deep(item) for item in one.of(one.number)]),
    "too many": lambda one: one.answer(one.shelf.items * 400),
    "fewer": lambda one: one.answer(one.of(one.number)[:5]),
    "more": lambda one: one.answer([*one.of(one.number), *one.of(one.number + 1)]),
    "none": lambda one: one.answer([]),
    "gone": lambda _: reply(b"{}", 404, JSON),
    "the first again": lambda one: one.answer(one.of(1)),
    "the page before": lambda one: one.answer(one.of(one.number - 1)),
    "without prices": lambda one: one.answer([{**item, "price": None} for item in one.of(one.number)]),
    "refused": lambda _: reply(b"{}", 403, JSON),
    "broken": lambda _: reply(b"oops", 500),
    "large": lambda _: reply(b'{"items": [' + b" " * LARGE + b"]}", headers=JSON),
    "round and round": lambda one: redirect(one.request.target),
}


def is_program(request: Request) -> bool:
    """Whether no browser asks, which says of each request what it is for."""
    return "sec-fetch-mode" not in request.headers


# ---------------------------------------------------------------------- three shops


def counted(shelf: Shelf, request: Request) -> Asked | None:
    """The page has a pager, “Page 2 of 5”."""
    if request.path != "/api/items":
        return None
    number = int(request.query.get("page", "1"))
    return Asked(shelf, request, number, lambda items: answer_json({"items": items, "pages": shelf.pages}))


def uncounted(shelf: Shelf, request: Request) -> Asked | None:
    """A button asks for more until there is none; nothing is counted anywhere."""
    if request.path != "/api/more":
        return None
    return Asked(shelf, request, int(request.query["offset"]) // SIZE + 1, lambda items: answer_json({"found": items}))


def uncounted_page(shelf: Shelf, request: Request) -> bytes | None:  # noqa: ARG001 - as all answers
    """The page of that button."""
    ask = (
        "let at=0;async function ask(){const get=async a=>(await (await fetch('/api/more?offset='+a)).json()).found;"
        "const found=await get(at);at+=8;more=at<40;return found}"
    )
    return more_button(ask) if request.path == "/list" else None


def totalled(shelf: Shelf, request: Request) -> Asked | None:
    """A button as well, and each answer has the total."""
    if request.path != "/api/search":
        return None
    number = int(request.query["offset"]) // SIZE + 1
    found = {"total": len(shelf.items)}
    return Asked(shelf, request, number, lambda items: answer_json({"hits": {**found, "found": items}}))


SHOPS = {
    "counted": (counted, BY_NAME["rest-pages"].answer),
    "uncounted": (uncounted, uncounted_page),
    "totalled": (totalled, BY_NAME["rest-offset"].answer),
}


def shop(name: str, evil: Callable[[Asked], bytes] | None = None) -> App:
    """A shop that answers programs by `evil` from some page on."""
    ask, pages = SHOPS[name]

    def answer(shelf: Shelf, request: Request) -> bytes | None:
        asked = ask(shelf, request)
        if asked is None:
            return pages(shelf, request)
        if evil is not None and is_program(request) and asked.number >= EVIL_FROM:
            return evil(asked)
        return asked.answer(asked.of(asked.number))

    return App(name, answer)


def collected(start: str, **choices: Any) -> Collection:
    """What is collected."""
    return sl.collect(start, policy=POLITE, **choices)


def rows(found: Collection) -> list[tuple[str, str]]:
    """The titles and prices that were collected."""
    return [(str(record["title"]), str(record["price"])) for record in found.records.to_dicts()]


QUICK = {"html", "deep within", "fewer", "more", "none", "gone", "large"}  # of the shop that counts nothing
MATRIX = [
    pytest.param(name, evil, marks=() if name == "uncounted" and evil in QUICK else pytest.mark.slow)
    for name in SHOPS
    for evil in EVILS
]


@pytest.mark.parametrize(("name", "evil"), MATRIX)
def test_rows_are_those_of_the_browser_or_doubted(name: str, evil: str) -> None:
    """Whatever programs are answered from the fourth page on; and it is told why the road was left."""
    with served(shop(name, EVILS[evil])) as open_shop:
        found = collected(open_shop.start)
    assert rows(found) == open_shop.records or found.verdict == "suspicious"
    assert "in the browser: " in found.road or found.stop.kind == "failed"
    if found.verdict == "suspicious":
        assert rows(found) == open_shop.records[: len(found.records)]


def test_an_end_that_nobody_tells_is_looked_at_in_the_browser() -> None:
    """The last page is full, and behind it is nothing: the answers alone do not tell that from a refusal."""
    with served(shop("uncounted")) as open_shop:
        found = collected(open_shop.start)
        assert rows(found) == open_shop.records
    assert found.verdict == "ok"
    assert "nothing says that the list ends with" in found.road


def test_a_page_that_is_not_full_is_an_end() -> None:
    """As is a total that was reached: these roads are gone."""
    for name in ("counted", "totalled"):
        with served(shop(name)) as open_shop:
            found = collected(open_shop.start)
            assert rows(found) == open_shop.records
        assert "without the browser" in found.road


# ---------------------------------------------------------------------- lists without an end


def endless(item: Callable[[Shelf, int], list[dict[str, Any]]]) -> App:
    """A shop whose cursor always leads on."""

    def answer(shelf: Shelf, request: Request) -> bytes | None:
        if request.path == "/api/on":
            number = int(request.query.get("cursor", "c1")[1:])
            return answer_json({"data": item(shelf, number), "next_cursor": f"c{number + 1}"})
        ask = (
            "let cursor=null;async function ask(){const d=await (await fetch('/api/on'+(cursor?'?cursor='+cursor:'')))"
            ".json();cursor=more=d.next_cursor;return d.data}"
        )
        return more_button(ask) if request.path == "/list" else None

    return App("endless", answer)


def test_a_list_without_an_end_stops_at_its_budget() -> None:
    """New records for ever: no more pages are asked for than wanted."""
    with served(endless(lambda shelf, number: shelf.on(number)), pages=100) as open_shop:
        found = collected(open_shop.start, pages=7)
        assert rows(found) == open_shop.records[: 7 * SIZE]
    assert found.stop.kind == "budget"
    assert len(open_shop.by_program) <= 7 + 1  # the first page once more, to compare


def test_the_same_page_again_and_again_ends() -> None:
    """From the fourth page on every cursor leads to the same records, in the browser as well."""
    with served(endless(lambda shelf, number: shelf.on(min(number, 4))), pages=9) as open_shop:
        found = collected(open_shop.start)
        assert rows(found) == open_shop.records[: 4 * SIZE]
    assert found.stop.kind in ("end", "repeated")
    assert "nothing says that the list ends with" in found.road


# ---------------------------------------------------------------------- where an answer leads


def led_away(target: Callable[[Request], str], robots: bytes = b"") -> App:
    """A shop with a token, whose later pages lead programs elsewhere."""

    def answer(shelf: Shelf, request: Request) -> bytes | None:
        if request.path == "/robots.txt" and robots:
            return reply(robots, headers={"Content-Type": "text/plain"})
        if request.path in ("/secure/items", "/closed/items"):
            if is_program(request) and int(request.query["p"]) >= EVIL_FROM and request.path == "/secure/items":
                return redirect(target(request))
            return BY_NAME["token"].answer(
                shelf, Request("GET", request.target.replace("closed", "secure"), request.headers)
            )
        return BY_NAME["token"].answer(shelf, request)

    return App("led-away", answer)


def test_a_token_does_not_follow_to_another_host() -> None:
    """The other host is asked, if at all, without the header; what it says is not taken for the shop's."""
    with serve_from_thread({}, otherwise=answer_json({"list": [], "last": True})) as foreign:
        app = led_away(lambda request: foreign.url(request.target))
        with served(app) as open_shop:
            found = collected(open_shop.start)
            assert rows(found) == open_shop.records
    assert all(TOKEN not in str(one.headers) for one in foreign.requests)
    assert "in the browser: " in found.road


def test_an_answer_that_leads_to_a_closed_address_is_not_followed() -> None:
    """What robots.txt forbids is not asked for by a detour either."""
    app = led_away(lambda request: request.target.replace("secure", "closed"), b"User-agent: *\nDisallow: /closed/\n")
    with served(app) as open_shop:
        found = collected(open_shop.start)
        assert rows(found) == open_shop.records or found.verdict == "suspicious"
    assert not any(target.startswith("/closed/") for target in open_shop.by_program)
    assert TOKEN not in found.road + str(found.stop) + str(found.doubts)


def test_a_part_that_robots_txt_closes_is_left_out() -> None:
    """The first pages are open, and those behind them are not: they are not asked for."""

    def answer(shelf: Shelf, request: Request) -> bytes | None:
        if request.path == "/robots.txt":
            return reply(b"User-agent: *\nDisallow: /api/items?page=4\n", headers={"Content-Type": "text/plain"})
        return BY_NAME["rest-pages"].answer(shelf, request)

    with served(App("closing", answer)) as open_shop:
        found = collected(open_shop.start)
        assert rows(found) == open_shop.records or found.verdict == "suspicious"
    assert not any("page=4" in target for target in open_shop.by_program)
    assert "robots.txt" in found.road + found.stop.why


def test_secrets_in_addresses_are_not_told() -> None:
    """The next address has a key in it: it is asked for, and told nowhere."""

    def answer(shelf: Shelf, request: Request) -> bytes | None:
        if request.path == "/api/lenses/":
            number = int(request.query.get("page", "1"))
            more = f"/api/lenses/?page={number + 1}&api_key={TOKEN}" if number < shelf.pages else None
            return answer_json({"count": len(shelf.items), "next": more, "results": shelf.on(number)})
        return BY_NAME["next-address"].answer(shelf, request)

    with served(App("keyed", answer)) as open_shop:
        found = collected(open_shop.start)
        assert rows(found) == open_shop.records
        assert any(TOKEN in target for target in open_shop.by_program)
    told = found.road + str(found.stop) + str(found.doubts) + str([one.address for one in found.pages])
    assert TOKEN not in told
    assert "without the browser" in found.road
