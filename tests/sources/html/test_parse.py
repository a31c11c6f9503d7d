"""HTML to pages without a browser."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from sightline.errors import LimitError
from sightline.net._document import Limits
from sightline.page import Page, dumps, ends, loads
from sightline.sources.html._guard import MOST_ATTRIBUTES, MOST_OPTIONS, Flattener, fewer_attributes
from sightline.sources.html._parse import parse

pytestmark = pytest.mark.usefixtures("either_way")

DEEP = "nests deeper than 10,000 levels"
# Each of these takes the bare parser up to minutes, and us at most a second and a half; the rest is for busy machines.

Row = tuple[int, str, str | None, tuple[tuple[str, str], ...]]


def plain(html: str) -> list[Row]:
    """The tree of a text, asked of the parser node by node: parent, tag, text, attributes."""
    root = LexborHTMLParser(html, scripting=True).root
    numbers: dict[int, int] = {}
    rows: list[Row] = []
    for node in root.traverse(include_text=True) if root else ():
        if not node.is_text_node and not node.is_element_node:
            continue
        above = numbers.get(node.parent.mem_id, -1) if node.parent else -1
        numbers[node.mem_id] = len(rows)
        if node.is_text_node:
            rows.append((above, "#text", node.text_content, ()))
        else:
            pairs = tuple((name, value or "") for name, value in node.attributes.items())
            rows.append((above, node.tag or "", None, pairs))
    return rows


def rows_of(page: Page) -> list[Row]:
    """The tree of a page in the same form."""
    strings = (*page.strings, None)
    return [
        (
            int(page.parent[number]),
            page.strings[page.tag[number]],
            strings[page.text[number]],
            tuple(page.node(number).attributes.items()),
        )
        for number in range(len(page))
    ]


def assert_sound(page: Page) -> None:
    """A page whose columns agree with each other."""
    assert len(set(page.strings)) == len(page.strings)
    assert (page.parent < np.arange(len(page))).all() and (page.end == ends(page.parent)).all()
    assert ((page.text >= 0) == (page.tag == page.string_id("#text"))).all()
    assert loads(dumps(page)).id == page.id


PIECES = [
    *(
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<a href=x>",
        "</a>",
        "<div class='a b'>",
        "</div>",
        "<table>",
        "</table>",
    ),
    *("<tr>", "<td>", "</td>", "<ul>", "<li>", "<br>", "<img src=1>", "<select>", "<option selected>", "<template>"),
    *("</template>", "<svg>", "</svg>", "<clipPath>", "<clippath>", "<foreignObject>", "<title>", "</title>", "<math>"),
    *("<script>", "</script>", "<style>", "</style>", "<noscript>", "<textarea>", "</textarea>", "<!-- c -->", "<!--"),
    *("-->", "<!doctype html>", "<?php x ?>", "<![CDATA[x]]>", "<x-y z>", "<o:p>", "<form>", "<button>", "<frameset>"),
    *(
        "text",
        " ",
        "\n",
        "&amp;",
        "&nbsp;",
        "&lt;b&gt;",
        "\0",
        "\u00a0",
        "é",
        "日本",
        "\U0001f600",
        "<",
        ">",
        '"',
        "'",
        "&",
    ),
    *("<p a\"b=1 c<d=2 e'f x/y=3 =4>", "<P ID=Q Id=R>", "<image>", "<plaintext>", "<body class=x>", "<html lang=de>"),
]


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@settings(max_examples=150)
@example("<svg><clipPath/></svg><clippath><lineargradient><svg><lineargradient>")
@example("<template><p>in<template>deep</template></template>out")
@example("<table>a<b>c<tr>d<td>e")
@example("<p>one<!-- c -->two<?php x ?>three")
def test_parse_gives_the_tree_that_the_parser_has(html: str) -> None:
    """Tags, parents, texts and attributes are the parser's, node by node, whatever soup the tags are."""
    page = parse(html)
    assert rows_of(page) == plain(html)
    assert_sound(page)


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=60))
def test_id_is_that_of_the_columns(text: str) -> None:
    """What the source leaves for the id changes nothing of it: not even lone surrogates and letters beyond 16 bits."""
    made = parse(f"<title>𝄞 é</title><p class=a>{text}<p id=a>𝄞</p>{text}")
    assert made.id == replace(made, url="").id  # which has only its columns


@pytest.mark.slow
@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=60))
@settings(max_examples=150)
@example("")
@example("a\ud800b<p title='\udfff'>\ud83d\ude00")
@example("a\0b<p \0=\0>\0")
def test_parse_takes_any_text(html: str) -> None:
    """Any text is a page, with at least the elements that every document has."""
    page = parse(html)
    assert page.kind == "static" and len(page) >= 3 and page.notes == ()
    assert_sound(page)


def test_parse_of_nothing_is_an_empty_document() -> None:
    """An empty text has the three elements that a browser makes of it."""
    page = parse("")
    assert [node.tag for node in page.nodes] == ["html", "head", "body"] and page.text_of(0) == ""


def test_parse_keeps_the_facts() -> None:
    """Title, address and notes of whoever had the text before."""
    page = parse("<title> a\n title </title><p>x", url="https://example.org/", notes=["cut"])
    assert (page.title, page.url, page.notes) == ("a title", "https://example.org/", ("cut",))
    assert not len(page.words) and np.isnan(page.box).all()


def test_parse_leaves_out_comments_templates_and_doctypes() -> None:
    """What is not part of the document's tree is not on the page; a comment still parts two texts."""
    page = parse("<!doctype html><!--a--><p>one<!--b-->two<template><i>x</i></template></p>")
    assert [node.raw_text for node in page.nodes if node.raw_text] == ["one", "two"]
    assert "i" not in [node.tag for node in page.nodes] and page.with_tag("template").size == 1


def test_parse_takes_scripting_for_granted() -> None:
    """As in a browser with scripts, the content of `<noscript>` is text."""
    page = parse("<noscript><p>no</p></noscript><script>a<b && c</script>")
    assert [node.raw_text for node in page.nodes if node.raw_text] == ["<p>no</p>", "a<b && c"]


def test_parse_spells_svg_names_with_their_capitals() -> None:
    """In SVG `clipPath` has a capital, in HTML it has none; one page may have both."""
    page = parse("<svg><clipPath></clipPath><foreignObject><p>x</p></foreignObject></svg><clippath></clippath>")
    assert [node.tag for node in page.nodes][3:] == ["svg", "clipPath", "foreignObject", "p", "#text", "clippath"]


def test_parse_takes_attributes_as_they_are() -> None:
    """Names may hold what nobody expects; a missing value is an empty one; the first of two counts."""
    page = parse("<p a\"b=1 c<d=2 empty UPPER=3 upper=4 x='&amp;\"&nbsp;'>")
    attributes = page.node(int(page.with_tag("p")[0])).attributes
    assert attributes == {'a"b': "1", "c<d": "2", "empty": "", "upper": "3", "x": '&"\u00a0'}


# ---------------------------------------------------------------------- limits


def test_parse_cuts_pages_of_too_many_nodes_and_says_so() -> None:
    """The first nodes are read, and a note tells how many there were."""
    page = parse("<p>x" * 50, limits=Limits(nodes=20))
    assert len(page) == 20
    assert page.notes == page.gaps == ("The page has 103 nodes; only 20 were read; raise `nodes` to read all.",)
    assert_sound(page)


def test_parse_refuses_far_too_many_tags() -> None:
    """What could never fit is not parsed at all."""
    with pytest.raises(LimitError, match="raise the limit `nodes`") as problem:
        parse("<p>" * 1000, url="https://example.org/", limits=Limits(nodes=20))
    assert problem.value.limit == "nodes" and problem.value.source == "https://example.org/"


def test_parse_flattens_what_is_too_deep_and_says_so() -> None:
    """Deeper nodes stand below the last ancestor that is allowed to have children; no text is lost."""
    html = "".join(f"<div id=d{level}>t{level}" for level in range(20))
    page = parse(html, limits=Limits(depth=5))
    assert page.depth.max() == 5 and "nests deeper than 5 levels" in page.notes[0] and len(page.notes) == 1
    texts = [node.raw_text for node in page.nodes if node.raw_text]
    assert texts == [f"t{level}" for level in range(20)]
    assert len(page.with_tag("div")) == 20
    assert_sound(page)


HOSTILE = {
    "divs, closed": ("<div>" * 25_000 + "x" + "</div>" * 25_000, DEEP),
    "divs, open": ("<div>" * 50_000 + "x", DEEP),
    "divs with wrong ends": ("<div></x>" * 30_000, DEEP),
    "divs with ends in comments": ("<div><!--</div>-->" * 30_000, DEEP),
    "divs with ends in scripts": ("<div><script></div></script>" * 20_000, DEEP),
    "divs with ends in attributes": ('<div title="</div>">' * 30_000, DEEP),
    "divs behind an apostrophe": ("<div '>" + "<div>" * 30_000 + "'>", DEEP),
    "divs in a title of SVG": ("<svg><title>" + "<div>" * 30_000, DEEP),
    "divs after empty comments": ("<!--><div>" * 30_000, DEEP),
    "divs closed in themselves, out of SVG": ("<svg>" + "<div/>" * 30_000, DEEP),
    "shapes closed in themselves, out of SVG": ("<svg><p>" + "<g/>" * 30_000, DEEP),
    "shapes closed in themselves, in an island": ("<svg><foreignObject>" + "<g/>" * 30_000, DEEP),
    "lists in lists": ("<ul><li>" * 20_000, DEEP),
    "bold without end": ("<b>" * 50_000, DEEP),
    "links without end": ("<a>" * 50_000, DEEP),
    "misnested": ("<b><div></b>" * 20_000, DEEP),
    "attributes": (
        "<p " + " ".join(f"a{n}=1" for n in range(300_000)) + ">x",
        f"more than {MOST_ATTRIBUTES:,} attributes",
    ),
    "attributes with a > in them": (
        "<p " + " ".join(f"a{n}='>'" for n in range(200_000)),
        f"more than {MOST_ATTRIBUTES:,} attr",
    ),
    "options": ("<select>" + "<option>x" * 40_000, f"more than {MOST_OPTIONS:,} options"),
    "cells": ("<table><tr>" + "<td>x" * 300_000, "only 500,000 were read"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_parse_ends_with_hostile_pages_and_notes_the_cut(name: str) -> None:
    """What would keep the parser busy for good is cut before, and a note says so."""
    html, note = HOSTILE[name]
    page = parse(html)
    assert note in " ".join(page.notes) and page.depth.max() <= 10_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["divs, closed", "attributes", "options", "lists in lists"])
def test_parse_loses_no_text_when_it_simplifies(name: str) -> None:
    """Tags and attributes may be left out, what they hold is not."""
    html = HOSTILE[name][0]
    page = parse(html)
    assert sum(len(page.strings[text]) for text in page.text[page.text >= 0]) == html.split(">", 1)[1].count("x")


LARGE = [
    "<ul><li>one<li>two</ul>",
    "<table><tr><td>a<td>b</table>",
    "<div><p>para</div>",
    "<dl><dt>a<dd>b</dl>",
    "<select><option>a<option>b</select>",
    "<b><p>x</b>",
    "<script>if (a < b) document.write('<div>')</script>",
    "<!-- <div> -->",
    "<svg><g><path/></g></svg>",
    "<p>it's <a href='x>y'>quoted</a>",
]


@pytest.mark.slow
@pytest.mark.parametrize("piece", LARGE)
def test_parse_leaves_large_ordinary_pages_alone(piece: str) -> None:
    """A page may be long, and leave its end tags out, without being taken for deep."""
    html = piece * (60_000 // piece.count("<"))
    page = parse(html)
    assert page.notes == ()
    assert len(page) == len(plain(html))


def test_parse_leaves_long_attributes_and_scripts_alone() -> None:
    """A picture in an attribute, or a long script, is no tag with too many attributes."""
    html = f'<img src="data:{"A" * 100_000}"><script>{"x < y; " * 20_000}</script><p title="{"word " * 30_000}">end'
    page = parse(html)
    assert page.notes == () and rows_of(page) == plain(html)


PIECES = (
    *(
        "<table><tr><td>x</td></tr></table>",
        "<tr><td>x<td>y",
        "<p>one<p>two",
        "<div>",
        "</div>",
        "<b><i>",
        "</b>",
        "</td>",
    ),
    *("<option>x", "<select>", "</select>", "<svg><g/><title>t</title></svg>", "<svg>", "<script>'</div>'</script>"),
    *(
        "<textarea><p>",
        "</textarea>",
        "<!-- <div> -->",
        "<BR>",
        "<DIV>",
        "<a title='</div>'>",
        '<a title=">',
        "<",
        "text",
    ),
)


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), max_size=40), st.integers(1, 4), st.sampled_from((3, 8, 40)))
@settings(max_examples=200)
def test_what_was_met_before_is_treated_as_at_first(pieces: list[str], times: int, limit: int) -> None:
    """The guard leaves out the same tags whether it remembers what tags did before or not."""
    text = "".join(pieces) * times
    remembering, forgetful = Flattener(limit), Flattener(limit)
    forgetful._place = lambda: None  # type: ignore[method-assign]
    assert remembering.read(text) == forgetful.read(text)
    assert remembering.too_deep == forgetful.too_deep


def test_short_tags_before_and_behind_a_long_one_do_not_hide_it() -> None:
    """Passing many short tags in one go finds the same long tag as looking at each of them."""
    short = '<p class="a > b">x</p><br>1 < 2' * 30_000
    names = " ".join(f"a{number}" for number in range(MOST_ATTRIBUTES + 5))
    kept = fewer_attributes(f"{short}<div {names}>{short}")
    assert kept == f"{short}<div {names[: names.index(f' a{MOST_ATTRIBUTES}')]}>{short}"
