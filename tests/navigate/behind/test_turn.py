"""How to ask for the next page is found by comparing requests, wherever they tell pages apart."""

import json
from typing import Any

import pytest

from sightline.navigate.behind import Turn
from sightline.navigate.behind._turn import turn_after, turn_between
from sightline.page import PageAnswer, PageRequest

SITE = "https://a.example"
TEN = [{"id": 100 + number} for number in range(10)]


def answer(url: str, data: Any, **more: Any) -> PageAnswer:
    """An answer to a request of the site."""
    posted = {"method": "POST", "body": json.dumps(more["posted"])} if "posted" in more else {}
    return PageAnswer(PageRequest(SITE + url, **posted), data, next=more.get("next", ""))


def asked(turn: Turn | None, one: PageAnswer) -> PageRequest:
    """The request that follows."""
    assert turn is not None
    request = turn.following(one)
    assert request is not None
    return request


@pytest.mark.parametrize(
    ("first", "second", "third"),
    [
        ("/api?page=1", "/api?page=2", "/api?page=3"),
        ("/api", "/api?page=2", "/api?page=3"),
        ("/api?page=0&_=99", "/api?page=1&_=172", "/api?page=2&_=172"),
        ("/api?start=0&n=10", "/api?start=10&n=10", "/api?start=20&n=10"),
        ("/api?from=0&to=10", "/api?from=10&to=20", "/api?from=20&to=30"),
        ("/list/1/a", "/list/2/a", "/list/3/a"),
        ('/api?v={"at":{"page":1}}', '/api?v={"at":{"page":2}}', "/api?v=%7B%22at%22%3A%7B%22page%22%3A3%7D%7D"),
    ],
)
def test_numbers_grow_as_they_have_grown(first: str, second: str, third: str) -> None:
    """Pages and offsets, in the query, in the path, in JSON in the query; what only tells requests apart stays."""
    turn = turn_between(answer(first, {"items": TEN}), PageRequest(SITE + second), ("items",), 10)
    assert asked(turn, answer(second, {"items": TEN})).url == SITE + third


def test_what_changes_otherwise_is_no_turn() -> None:
    """Another place, two things at once of which one is no number, and numbers that jump."""
    one = answer("/api?page=1", {"items": TEN})
    for other in ("/other/api?page=2", "/api?page=2&sort=name", "/api?page=7", "/api?page=1"):
        assert turn_between(one, PageRequest(SITE + other), ("items",), 10) is None


def test_a_cursor_is_what_the_answer_before_has_given() -> None:
    """Beside the records, or the number of the last of them; it ends where there is none, or no more."""
    data = {"items": TEN, "page": {"end": "k9", "hasMore": True}}
    turn = turn_between(answer("/api", data), PageRequest(SITE + "/api?after=k9"), ("items",), 10)
    on = {"items": TEN, "page": {"end": "z3", "hasMore": True}}
    assert asked(turn, answer("/api?after=k9", on)).url == SITE + "/api?after=z3"
    assert turn is not None
    assert turn.following(answer("/api?after=k9", {"page": {"end": "z3", "hasMore": False}})) is None
    assert turn.following(answer("/api?after=k9", {"page": {"end": None, "hasMore": True}})) is None
    turn = turn_between(answer("/api", {"items": TEN}), PageRequest(SITE + "/api?since=109"), ("items",), 10)
    assert asked(turn, answer("/api?since=109", {"items": [{"id": 117}]})).url == SITE + "/api?since=117"


def test_variables_that_are_posted() -> None:
    """As GraphQL has them, also where the first is null."""
    posted = {"query": "query Q { a }", "variables": {"first": 10, "after": None}}
    data = {"data": {"list": {"edges": TEN, "pageInfo": {"endCursor": "c1", "startCursor": "c0", "hasNextPage": True}}}}
    one = answer("/graphql", data, posted=posted)
    for turn in (
        turn_after(one, ("data", "list", "edges"), 10),
        turn_between(
            one,
            answer("/graphql", {}, posted=posted | {"variables": {"first": 10, "after": "c1"}}).request,
            ("data", "list", "edges"),
            10,
        ),
    ):
        request = asked(turn, one)
        assert (request.method, json.loads(request.body)["variables"]) == ("POST", {"first": 10, "after": "c1"})


def test_addresses_in_the_answer_and_in_its_headers() -> None:
    """Known from one request alone."""
    one = answer("/api/", {"next": "/api/?view=x", "results": TEN})
    assert asked(turn_after(one, ("results",), 10), one).url == SITE + "/api/?view=x"
    one = answer("/api/", TEN, next=SITE + "/api/?m=2")
    assert asked(turn_after(one, (), 10), one).url == SITE + "/api/?m=2"
    assert turn_after(answer("/api/", {"next": "/elsewhere/entirely", "results": TEN}), ("results",), 10) is None


def test_names_of_parameters_tell_something_of_one_request() -> None:
    """A page or an offset, if the size agrees with what came."""
    one = answer("/api?limit=10&offset=20", {"items": TEN})
    assert asked(turn_after(one, ("items",), 10), one).url == SITE + "/api?limit=10&offset=30"
    assert turn_after(answer("/api?limit=25&offset=0", {"items": TEN}), ("items",), 10) is None
    assert turn_after(answer("/api?q=lens", {"items": TEN}), ("items",), 10) is None


def test_tokens_go_to_no_other_origin() -> None:
    """An answer may name an address anywhere."""
    request = PageRequest(SITE + "/api", headers=(("x-token", "secret"),))
    one = PageAnswer(request, {"next": "https://evil.example/api", "items": TEN})
    turn = Turn("next", path=("next",))
    assert asked(turn, one).headers == ()
    one = PageAnswer(request, {"next": "/api?p=2", "items": TEN})
    assert asked(turn, one).headers == request.headers
