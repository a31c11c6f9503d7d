"""A session keeps the JSON that its pages fetch: it is bounded, gaps are told, and no secret is shown."""

import gzip
import json
from typing import Any

import pytest

import sightline as sl
from sightline.net import CrawlPolicy
from sightline.page import PageAnswers
from sightline.redaction import redacted
from sightline.sources import AnswerSettings

from .._server import Handler, reply, serve_from_thread

POLITE = CrawlPolicy(delay=0)
JSON = {"Content-Type": "application/json"}


def answers_of(script: str, routes: dict[str, Handler], **limits: Any) -> PageAnswers:
    """What is kept of a page whose script runs and then writes `done`."""
    page = reply(
        f"<!doctype html><p id=p>wait</p><script>(async()=>{{{script};p.textContent='done'}})()</script>".encode()
    )
    with serve_from_thread({"/": page, **routes}, bodies=True) as site, sl.session(policy=POLITE) as session:
        session.keep_answers(AnswerSettings(**limits))
        assert "done" in session.goto(site.url("/")).capture().text_of(0)
        return session.take_answers()


def test_answers_come_with_all_it_takes_to_ask_again() -> None:
    """Method, address, what was posted, and the headers that a script set."""
    script = (
        "await fetch('/a?page=1',{headers:{'X-Shop':'7'}});"
        "await fetch('/b',{method:'POST',headers:{'content-type':'application/json'},body:'{\"after\":null}'});"
        "await new Promise(r=>{const x=new XMLHttpRequest();x.open('GET','/c');x.onload=r;x.send()})"
    )
    link = {"Link": '</a?page=0>; rel="prev", </a?page=2>; title="on"; rel=next'}
    found = answers_of(
        script,
        {"/a?page=1": reply(b'{"a": 1}', headers=JSON | link), "/b": reply(b"[2]", headers=JSON), "/c": reply(b"{}")},
    )
    first, second, third = found
    assert (first.data, second.data, third.data) == ({"a": 1}, [2], {})
    assert dict(first.request.headers) == {"x-shop": "7"}
    assert first.next.endswith("/a?page=2")
    assert (second.request.method, second.request.body) == ("POST", '{"after":null}')
    assert found.gaps == ()


def test_nothing_is_kept_unless_somebody_wants_it() -> None:
    """It has to be asked for, and what was taken is not given twice."""
    page = reply(b"<!doctype html><p>x<script>fetch('/a').then(r=>r.json()).then(()=>{document.title='done'})</script>")
    with (
        serve_from_thread({"/": page, "/a": reply(b"[1]", headers=JSON)}) as site,
        sl.session(policy=POLITE) as session,
    ):
        session.goto(site.url("/")).capture()
        assert len(session.take_answers()) == 0
        session.keep_answers(AnswerSettings())
        session.goto(site.url("/")).capture()
        assert [one.data for one in session.take_answers()] == [[1]]
        assert len(session.take_answers()) == 0
        session.keep_answers(None)
        session.goto(site.url("/")).capture()
        assert len(session.take_answers()) == 0


def test_what_is_no_json_is_left_out() -> None:
    """Whatever its type says: HTML that calls itself JSON, JSON that calls itself text, guards against scripts."""
    routes = {
        "/html": reply(b"<html>sorry</html>", headers=JSON),
        "/text": reply(b'{"kept": "text"}', headers={"Content-Type": "text/plain"}),
        "/guarded": reply(b")]}',\n[1]", headers=JSON),
        "/packed": reply(gzip.compress(b"[2]"), headers=JSON | {"Content-Encoding": "gzip"}),
        "/broken": reply(b'{"a": [1, 2', headers=JSON),
        "/number": reply(b"7", headers=JSON),
        "/deep": reply(b"[" * 100_000 + b"]" * 100_000, headers=JSON),
        "/picture": reply(b"[3]", headers={"Content-Type": "image/png"}),
        "/missing": reply(b"[4]", 404, JSON),
    }
    asked = ";".join(f"await fetch('{path}')" for path in routes)
    found = answers_of(asked, routes)
    assert [one.data for one in found] == [{"kept": "text"}, [1], [2]]


def test_reached_limits_are_told() -> None:
    """The number of answers, the bytes of one, and the bytes of all."""
    routes: dict[str, Handler] = {
        f"/{number}": reply(json.dumps(["x" * size]).encode(), headers=JSON)
        for number, size in enumerate((10, 90_000, 10, 10, 10))
    }
    asked = ";".join(f"await fetch('{path}')" for path in routes)
    found = answers_of(asked, routes, number=3, answer_bytes=50_000)
    assert len(found) == 3
    assert [gap.partition("; ")[2] for gap in found.gaps] == [
        "raise `answer_bytes` of AnswerSettings to keep it.",
        "raise `number` of AnswerSettings.",
    ]
    found = answers_of(asked, routes, all_bytes=30)
    assert len(found) == 2
    assert "raise `all_bytes`" in found.gaps[0]


def test_hundreds_of_answers_are_cut() -> None:
    """A page that never stops asking costs no more than the limit allows."""
    script = "await Promise.all([...Array(300).keys()].map(n=>fetch('/many?'+n)))"
    routes = {f"/many?{number}": reply(b"[0]", headers=JSON) for number in range(300)}
    found = answers_of(script, routes, number=50)
    assert len(found) == 50
    assert len(found.gaps) == 1


def test_numbers_of_items_are_no_secrets() -> None:
    """What is remembered in a cookie or asked for by name is not struck out of results."""
    script = "document.cookie='viewed=AB-120034';await fetch('/a?author=Hemingway1899&sku=AB-120034')"
    (found,) = answers_of(script, {"/a?author=Hemingway1899&sku=AB-120034": reply(b"[1]", headers=JSON)})
    assert redacted(found.request.url) == found.request.url


@pytest.mark.parametrize("place", ["header", "cookie", "query"])
def test_secrets_stay_in_memory(place: str) -> None:
    """Who asks again has them; whatever is shown or written does not."""
    secret = f"tk-5f83a1c09e77{place}"
    script = {
        "header": f"await fetch('/a',{{headers:{{'Authorization':'Bearer {secret}'}}}})",
        "cookie": f"document.cookie='sid={secret}';await fetch('/a')",
        "query": f"await fetch('/a?api_key={secret}')",
    }[place]
    answer = reply(b"[1]", headers=JSON)
    (found,) = answers_of(script, {"/a": answer, f"/a?api_key={secret}": answer})
    kept = f"{found.request.url} {found.request.headers}"
    assert secret in kept
    assert secret not in redacted(kept)
    assert secret not in json.dumps(found.request.to_dict()) + repr(found)
