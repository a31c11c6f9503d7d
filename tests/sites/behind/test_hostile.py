"""Answers that are not what the browser gets: the road is left with a clear word, and the rows are the browser's or doubted."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import sightline as sl
from sightline.navigate import Collection
from sightline.net import CrawlPolicy

from ..._server import Request, redirect, reply, serve_from_thread
from .apps import BY_NAME, TOKEN, App, Shelf, answer_json, served

POLITE = CrawlPolicy(delay=0)
JSON = {"Content-Type": "application/json"}
EVIL_FROM = 4  # the page from which on programs are answered otherwise
Evil = Callable[[Shelf, Request, int], bytes]


def number_of(request: Request) -> int:
    """Which page of a list of numbered pages is asked for."""
    return int(request.query.get("page", "1"))


def is_program(request: Request) -> bool:
    """Whether no browser asks, which says of each request what it is for."""
    return "sec-fetch-mode" not in request.headers


def turned(evil: Evil, start: int = EVIL_FROM, app: App = BY_NAME["rest-pages"]) -> App:
    """A shop of numbered pages that answers programs otherwise from some page on."""

    def answer(shelf: Shelf, request: Request) -> bytes | None:
        number = number_of(request)
        if request.path == "/api/items" and is_program(request) and number >= start:
            return evil(shelf, request, number)
        return app.answer(shelf, request)

    return App("evil", answer)


def items(found: list[dict[str, Any]], number: int, pages: int) -> bytes:
    """An answer as this shop gives it."""
    return answer_json({"items": found, "page": number, "pages": pages})


EVILS: dict[str, Evil] = {
    "html": lambda shelf, request, number: reply(b"<!doctype html><h1>Please sign in</h1>"),
    "html that says it is json": lambda shelf, request, number: reply(b"<h1>Sign in</h1>", headers=JSON),
    "another object": lambda shelf, request, number: answer_json({"error": {"code": 7}}),
    "null": lambda shelf, request, number: answer_json({"items": None}),
    "cut off": lambda shelf, request, number: reply(items(shelf.on(number), number, 5).partition(b"\r\n\r\n")[2][:700], headers=JSON),
    "bottomless": lambda shelf, request, number: reply(b"[" * 200_000, headers=JSON),
    "deep within": lambda shelf, request, number: answer_json({"items": [deep(one) for one in shelf.on(number)]}),
    "too many": lambda shelf, request, number: items(shelf.items * 400, number, 5),
    "fewer": lambda shelf, request, number: items(shelf.on(number)[:5], number, 5),
    "more": lambda shelf, request, number: items([*shelf.on(number), *shelf.on(number + 1)], number, 5),
    "none": lambda shelf, request, number: items([], number, 5),
    "gone": lambda shelf, request, number: reply(b"{}", 404, JSON),
    "the first again": lambda shelf, request, number: items(shelf.on(1), number, 5),
    "the page before": lambda shelf, request, number: items(shelf.on(number - 1), number, 5),
    "other prices": lambda shelf, request, number: items([{**one, "price": None} for one in shelf.on(number)], number, 5),
    "refused": lambda shelf, request, number: reply(b"{}", 403, JSON),
    "broken": lambda shelf, request, number: reply(b"oops", 500),
    "large": lambda shelf, request, number: reply(b'{"items": [' + b" " * 51_000_000 + b"]}", headers=JSON),
    "round and round": lambda shelf, request, number: redirect(request.target),
}


def deep(item: dict[str, Any]) -> dict[str, Any]:
    """An item whose name is at the bottom of a pit."""
    name: Any = item["name"]
    for _ in range(900):
        name = [name]
    return {**item, "name": name}


def collected(start: str, **choices: Any) -> Collection:
    """What is collected."""
    return sl.collect(start, policy=POLITE, **choices)


def rows(found: Collection) -> list[tuple[str, str]]:
    """The titles and prices that were collected."""
    return [(str(record["title"]), str(record["price"])) for record in found.records.to_dicts()]


@pytest.mark.parametrize("name", EVILS)
def test_rows_are_those_of_the_browser_or_doubted(name: str) -> None:
    """Whatever programs are answered from the fourth page on."""
    with served(turned(EVILS[name])) as shop:
        found = collected(shop.start)
        print(name, found.verdict, found.stop, len(found.records), found.doubts, found.road)
        assert rows(found) == shop.records or found.verdict != "ok"
