"""JSON-LD, with the mistakes that pages make in it."""

from typing import Any

import pytest
from tests.page.own_data._pages import json_ld, said


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"name": "Bees"}', {"name": "Bees"}),
        ('\ufeff <!-- {"name": "Bees"} -->', {"name": "Bees"}),
        ('//<![CDATA[\n{"name": "Bees"}\n//]]>', {"name": "Bees"}),
        ('/* <![CDATA[ */ {"name": "Bees"} /* ]]> */', {"name": "Bees"}),
        ('{"name": "Bees", /* which? */ "url": "http://x/", // end\n}', {"name": "Bees", "url": "http://x/"}),
        ('{"name": "Two\nlines"};', {"name": "Two\nlines"}),
        ("{&quot;name&quot;: &quot;Bees&quot;}", {"name": "Bees"}),
        ('{"name": "Tom &amp; Jerry &#8211; &lt;b&gt;"}', {"name": "Tom & Jerry – <b>"}),
        ('{"name": "Bees"}{"name": "Wasps"}', [{"name": "Bees"}, {"name": "Wasps"}]),
        ('{"name": "\\ud83d\\udc1d \\ud83d\n"}', {"name": "🐝 \ufffd\n"}),
        (
            '{"price": NaN, "a": 1e999, "b": 123456789012345678901}',
            {"price": None, "a": None, "b": 1.2345678901234568e20},
        ),
    ],
)
def test_blocks_are_read_as_they_are_meant(text: str, data: Any) -> None:
    """Comments, borders of CDATA, entities, commas and line ends where none belong."""
    own = said(json_ld(text))
    assert [document.data for document in own.documents] == [data]
    assert not own.gaps


@pytest.mark.parametrize("text", ["", "null", "3", '"text"', "nothing", "{}"[:0]])
def test_blocks_that_say_nothing(text: str) -> None:
    """They are no documents."""
    assert not said(json_ld(text)).documents


def test_a_broken_block_is_read_up_to_the_break() -> None:
    """And it is told, while the other blocks are read."""
    own = said(json_ld('{"name": "Bees", "author": {"name": "Ada', {"name": "Wasps"}))
    assert [document.data for document in own.documents] == [{"name": "Bees", "author": {}}, {"name": "Wasps"}]
    assert own.gaps == ("JSON-LD is broken; what stands before the break was read.",)


def test_what_is_too_deep_is_cut_off() -> None:
    """A thousand brackets are no reason to fail, nor is a hundred thousand."""
    for depth in (1_000, 100_000):
        own = said(json_ld('{"a": ' + "[" * depth + "]" * depth + "}"))
        assert own.gaps == ("JSON-LD is cut off 64 levels deep.",)
        assert list(own.values()) == [] and own.to_dict()


def test_types_may_be_written_in_any_way() -> None:
    """Scripts of other types are not JSON-LD."""
    html = """<script type=" Application/LD+JSON; charset=utf-8">{"name": "Bees"}</script><script>{"a": "b"}</script>"""
    assert [document.data for document in said(html).documents if document.syntax == "json-ld"] == [{"name": "Bees"}]
