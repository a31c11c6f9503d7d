"""The state that applications leave in their pages."""

import json
from typing import Any

import pytest
from tests.page.own_data._pages import page_from, said


def _states(html: str) -> dict[str, Any]:
    return {document.name: document.data for document in said(html).documents if document.syntax == "state"}


@pytest.mark.parametrize(
    ("script", "states"),
    [
        (
            '<script id=__NEXT_DATA__ type=application/json>{"props": {"id": 7}}</script>',
            {"__NEXT_DATA__": {"props": {"id": 7}}},
        ),
        ("<script type=text/json>{&quot;a&quot;: 1}</script>", {"script": {"a": 1}}),
        ("<script id=x type='application/json; charset=utf-8'>%7B%22a%22%3A1%7D</script>", {"x": {"a": 1}}),
        ('<script type="text/x-magento-init">{"a": 1}</script>', {"script": {"a": 1}}),
        ("<script>window.__INITIAL_STATE__ = {a: 1};</script>", {"window.__INITIAL_STATE__": {"a": 1}}),
        (
            '<script>window["my-state"]={"a":[1,undefined,{"b":"x"}]}</script>',
            {'window["my-state"]': {"a": [1, None, {"b": "x"}]}},
        ),
        (
            "<script>var product = {\n 'id': 'a', // one\n price: 9.5,\n};</script>",
            {"product": {"id": "a", "price": 9.5}},
        ),
        (r"""<script>window.__S__ = JSON.parse("{\"a\":\"\\u00e9\"}");</script>""", {"window.__S__": {"a": "é"}}),
        ("<script>let data = JSON.parse(decodeURIComponent('%7B%22a%22%3A1%7D'))</script>", {"data": {"a": 1}}),
        ("<script>var data = JSON.parse(atob('eyJhIjoxfQ=='))</script>", {"data": {"a": 1}}),
        ("<script>dataLayer.push({'event': 'view'}); list.push({a: 1})</script>", {"dataLayer": {"event": "view"}}),
        (
            '<script>window.__NUXT__=(function(a,b){return {x:a,y:[b,{z:a}]}}("A",2));</script>',
            {"window.__NUXT__": {"x": "A", "y": [2, {"z": "A"}]}},
        ),
        ("<script type=module>const config = {a: 'b'}</script>", {"config": {"a": "b"}}),
        ("<script type=text/x-template>var config = {a: 'b'}</script>", {}),
        (
            "<script>var t = {a: 1}, config = {run: function () {}}, e={}; if (abc == [1]) this.abc = {a: 2}</script>",
            {},
        ),
        ("<script>var config = {a: run(), b: go(), c: 1}</script>", {}),
    ],
)
def test_scripts(script: str, states: dict[str, Any]) -> None:
    """Scripts of JSON, and what programs assign; what is a program itself is no state."""
    assert _states(script) == states


def test_states_that_follow_each_other() -> None:
    """Each is found, in one script or several, and knows its script."""
    page = page_from(
        "<script>var one1 = {a: 1}; var two2 = {b: '}'};\nwindow.three=[{c: 1}]</script><script>four4={d: 1}</script>"
    )
    found = [document for document in page.own_data.documents if document.syntax == "state"]
    assert [document.name for document in found] == ["one1", "two2", "window.three", "four4"]
    assert len({document.node for document in found}) == 2


def test_rows_of_react() -> None:
    """The chunks of the newer Next.js are put together, and texts put where they are referred to."""
    stream = '1:I["x.js",[]]\n2:T7,A\nlong…\n0:["$","div",null,{"product":{"name":"Bees","text":"$2","other":"$9"}}]\n'
    stream = stream.replace("2:T7,A\nlong…\n", "2:T9,A\nlong…")
    halves = [stream[:30], stream[30:]]
    html = "".join(f"<script>self.__next_f.push({json.dumps([1, half])})</script>" for half in halves)
    html = "<script>(self.__next_f=self.__next_f||[]).push([0])</script>" + html
    assert _states(html) == {
        "__next_f": {"0": ["$", "div", None, {"product": {"name": "Bees", "text": "A\nlong…", "other": "$9"}}]}
    }


def test_flat_data_of_nuxt() -> None:
    """Places are replaced by what stands there."""
    flat = [
        ["ShallowReactive", 1],
        {"data": 2, "on": 8, "not": -1},
        [3, 3, 5],
        {"name": 4},
        "Bees",
        ["Set", 4, 6],
        ["Date", "2020"],
        7,
        True,
    ]
    html = f'<script type="application/json" id="__NUXT_DATA__">{json.dumps(flat)}</script>'
    assert _states(html) == {
        "__NUXT_DATA__": {"data": [{"name": "Bees"}, {"name": "Bees"}, ["Bees", "2020"]], "on": True, "not": None}
    }


@pytest.mark.parametrize(
    "flat", [[], [0], [[0]], [{"a": 0}], ["x"], [["Ref", 0]], [["Map", 1, 2], 5], [1.5, None], [["null", "a", 1], 2]]
)
def test_odd_flat_data(flat: list[Any]) -> None:
    """Circles and missing places end."""
    said(f'<script type="application/json" id="__NUXT_DATA__">{json.dumps(flat)}</script>').to_dict()


def test_flat_data_does_not_multiply() -> None:
    """Thirty levels of pairs would be a thousand million values."""
    flat = [*([place + 1, place + 1] for place in range(30)), "end"]
    own = said(f'<script type="application/json" id="__NUXT_DATA__">{json.dumps(flat)}</script>')
    assert own.gaps == ("The state __NUXT_DATA__ was read up to 100,000 values.",)
    assert sum(1 for _ in own.values()) < 100_000


def test_attributes() -> None:
    """JSON in attributes, each value once; other attributes are not data."""
    html = """<div data-product='{"sku": "B-1"}'><b data-product='{"sku": "B-1"}' :item='[{"a": 1}]' style='{"a": 111}'
        data-x='{"a": broken}' data-y='{a} or {b} or' onclick='{"a": 111}' data-z='[1,2,3,4,5,6,7]'>"""
    assert _states(html) == {"data-product": {"sku": "B-1"}, ":item": [{"a": 1}]}


def test_programs_that_compute_are_told() -> None:
    """What is not read is a gap where a state is known to be."""
    nuxt = said("<script>window.__NUXT__=(function(a){a.b=1;return {x:a}}({}))</script>")
    assert nuxt.gaps == ("The state window.__NUXT__ was left out: it is computed by a program.",)
    remix = said("<script>window.__remixContext.streamController.enqueue('[1]')</script>")
    assert remix.gaps == ("The state __remixContext was left out: it is streamed in a format of its own.",)


HOSTILE = {
    "assignments within assignments": "abc={a:",
    "assignments within JSON": 'abc={"a":',
    "arrays": "abc=[[",
    "texts": 'abc=["x',
    "escapes": 'abc={"\\"',
    "pushes": "dataLayer.push({",
    "functions": "abc=(function(a){return {a:",
    "parses": "abc=JSON.parse('",
    "names": "a.b.c.d.",
    "brackets in names": "a['b']['c']",
    "chunks": "self.__next_f.push([1,",
    "undefined": 'abc=[undefined,{"a":undefined},',
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_scripts_take_no_longer(piece: str) -> None:
    """The time that a script may take is bounded, whatever it repeats."""
    own = said(f"<script>{piece * (300_000 // len(piece))}</script>")
    own.to_dict()
