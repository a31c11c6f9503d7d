"""Main texts keep the structure of their page: what its tags say is what Markdown says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Content
from sightline.extract.content import content_of_nodes, find_content, without_outliers
from sightline.extract.content._markup import _counted_starts, _starts
from sightline.page import Page
from sightline.sources.html._parse import parse

from ._pages import PARAGRAPHS, article

BASE = "<base href=https://x.org/d/e>"


def whole(markup: str) -> Content:
    """All of a page as its main text."""
    page = parse(markup)
    return content_of_nodes(page, np.flatnonzero(page.is_text & ~page.is_blank))


def markdown(markup: str, **wanted: bool) -> str:
    """All of a page as Markdown."""
    return whole(markup).to_markdown(**wanted)


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<p>a <b>b <i>c</i></b><strong>d</strong>", "a **b *c*d**"),
        ("<h2>One <strong>two</strong></h2><p>three", "## One two\n\nthree"),
        ("<p>call <code>f(*x)</code>, not <kbd>``</kbd>", "call `f(*x)`, not ``` `` ```"),
        ("<p>one<br>two<br><br>three", "one\\\ntwo\n\nthree"),
        ("<blockquote><p>a</p><blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
        (
            "<dl><dt>bee</dt><dd>an insect</dd><dd>a letter</dd><dt>ant</dt></dl>",
            "**bee**\n\n- an insect\n- a letter\n\n**ant**",
        ),
        ("<details><summary>More</summary>text</details>", "More\n\ntext"),
    ],
)
def test_marks_of_a_page_are_kept(markup: str, written: str) -> None:
    """Bold, italic, code, headings, breaks, quotations and definitions."""
    assert markdown(markup) == written


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
        ("<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7. b\n8. c"),
        ("<ol start=x><li value=-2>a</ol>", "0. a"),
        ("<ul><li>a<ol><li>b<ul><li>c</ul></ol><li>d</ul>", "- a\n  1. b\n     - c\n- d"),
        ("<ul><li>a<ul><li>b</ul>c</ul>", "- a\n  - b\n\n  c"),
        ("<ul><li>a</li><ul><li>b</ul></ul>", "- a\n  - b"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
        ("<div><li>a<li>b</div>", "- a\n- b"),
        ("<ul><li><p>a<p>b<pre>c</pre></ul>", "- a\n\n  b\n\n  ```\n  c\n  ```"),
        ("<ul><li><h3>a</h3>b</ul>", "- ### a\n\n  b"),
    ],
)
def test_lists_of_a_page_are_kept(markup: str, written: str) -> None:
    """Numbers are those that browsers show, and lists are inside each other as they are on the page."""
    assert markdown(markup) == written


@pytest.mark.parametrize(
    ("markup", "rows"),
    [
        ("<tr><th>a<th>b<tr><td>c<td>d", ["a | b", "--- | ---", "c | d"]),
        ("<tr><td><b>a</b><td><b>b</b><tr><td>c<td>d", ["a | b", "--- | ---", "c | d"]),
        ("<thead><tr><td>a<td>b</thead><tr><td>c<td>d", ["a | b", "--- | ---", "c | d"]),
        ("<tr><th>a<td>b<tr><th>c<td>d", [" | ", "--- | ---", "a | b", "c | d"]),
        ("<tr><th>a<th>b<tr><td rowspan=2>c<td>d<tr><td>e", ["a | b", "--- | ---", "c | d", " | e"]),
        ("<tr><th colspan=9>a<tr><td>c<td>d", ["a | ", "--- | ---", "c | d"]),
        ("<tr><th>a<th>b<tr><td><td>d", ["a | b", "--- | ---", " | d"]),
        ("<tr><th>a<th>b<tr><td>c<ul><li>1<li>2</ul><td>d", ["a | b", "--- | ---", "c<br>1<br>2 | d"]),
        ("<tr><th>a<th>b<tr><td><pre>x\n\n  y</pre><td>d|", ["a | b", "--- | ---", "`x`<br>`y` | d\\|"]),
    ],
)
def test_tables_of_a_page_are_kept(markup: str, rows: list[str]) -> None:
    """Every cell is in its row and column, also behind cells that span several; tags or bold text tell headings."""
    assert markdown(f"<table>{markup}</table>") == "\n".join(f"| {row} |" for row in rows)


@pytest.mark.parametrize(
    ("markup", "lines"),
    [
        ("<tr><td>menu<td>text", ["menu", "text"]),
        ("<tr><td>one<tr><td>two", ["one", "two"]),
        (f"<tr><td>menu<td>{'<p>text' * 9}<tr><td>y<td>z", ["menu", *["text"] * 9, "y", "z"]),
        (
            "<tr><td><table><tr><th>a<th>b<tr><td>c<td>d</table><td>x<tr><td>y<td>z",
            ["| a | b |", "| --- | --- |", "| c | d |", "x", "y", "z"],
        ),
    ],
)
def test_tables_for_layout_are_no_tables(markup: str, lines: list[str]) -> None:
    """A single row or column, tables around tables and cells that are pages of text are written as they are read."""
    assert [line for line in markdown(f"<table>{markup}</table>").split("\n") if line] == lines


def test_caption_stands_above_its_table() -> None:
    """A caption is a paragraph."""
    assert markdown("<table><caption>Bees</caption><tr><th>a<th>b<tr><td>c<td>d</table>").startswith(
        "Bees\n\n| a | b |\n"
    )


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ("<pre class='x language-python'>a</pre>", "python"),
        ("<pre><code class='lang-C++'>a</code></pre>", "c++"),
        ("<div class='highlight-rust notranslate'><div class=highlight><pre>a</pre></div></div>", "rust"),
        ("<div class='highlight highlight-source-shell'><pre>a</pre></div>", "shell"),
        ("<pre class='brush: js; toolbar: false'>a</pre>", "js"),
        ("<div class=highlight-default><pre>a</pre></div>", ""),
        ("<pre>a</pre>", ""),
    ],
)
def test_code_names_its_language(markup: str, language: str) -> None:
    """The language is read from the classes that highlighters use."""
    assert markdown(markup) == f"```{language}\na\n```"


@pytest.mark.parametrize(
    "markup",
    [
        "<pre>  if x:\n      y\n\n  z\n</pre>",
        "<pre><span>  if x:</span>\n<b>      y</b>\n\n  z</pre>",
        "<pre>  if x:<br>      y<br><br>  z</pre>",
        "<pre><div>  if x:</div><div>      y\n</div><div>\n</div><div>  z</div></pre>",
    ],
)
def test_code_keeps_its_blanks(markup: str) -> None:
    """Indentation and empty lines are those of the page, however its lines are made."""
    assert markdown(markup) == "```\n  if x:\n      y\n\n  z\n```"


@pytest.mark.parametrize(
    ("head", "href", "address"),
    [
        (BASE, "f g", "https://x.org/d/f%20g"),
        ("<link rel=canonical href=https://y.org/a/b>", "../c", "https://y.org/c"),
        ("<meta property=og:url content=https://y.org/a/b>", "#c", "https://y.org/a/b#c"),
        ("", "c.html", "c.html"),
        ("", "mailto:a@x.org", "mailto:a@x.org"),
    ],
)
def test_links_lead_where_they_led(head: str, href: str, address: str) -> None:
    """Addresses are in full if the page says where it comes from; the folder that it was saved in is no address."""
    assert markdown(f"{head}<p>see <a href='{href}'>it</a>!") == f"see [it]({address})!"


@pytest.mark.parametrize("href", ["javascript:void(0)", "", "//["])
def test_links_that_lead_nowhere_are_text(href: str) -> None:
    """What cannot be followed is no link."""
    assert markdown(f"{BASE}<p>see <a href='{href}'>it</a>!") == "see it!"


def test_images_of_the_text_are_written_if_wanted() -> None:
    """Those between and inside of parts are; icons, pixels, copies and images that are still to be loaded are not."""
    page = (
        f"{BASE}<p>See <img src=a.png alt='A  bee'> it. <img src=i.png width=16 height=16></p><img src=b.png><p>So."
        "<img src=data:image/gif;base64,x data-src=c.png alt=C><img src=b.png><img src=data:image/gif;base64,x>"
    )
    assert markdown(page) == "See it.\n\nSo."
    assert markdown(page, images=True) == (
        "See ![A bee](https://x.org/d/a.png) it.\n\n![](https://x.org/d/b.png)\n\nSo.\n\n![C](https://x.org/d/c.png)"
    )


def test_images_around_the_text_are_left_out() -> None:
    """The pictures of other articles are not those of this one."""
    text = "".join(f"<p>{one}" for one in PARAGRAPHS)
    others = "<aside><a href=/o><img src=o.png>Others</a></aside>"
    page = parse(f"<article><h1>Bees</h1><figure><img src=a.png></figure>{text}</article>{others}")
    nodes = [node for node in np.flatnonzero(page.is_text).tolist() if "Others" not in page.node(node).raw_text]
    assert [image.address for image in content_of_nodes(page, nodes).images] == ["a.png"]


def test_marks_are_found_beside_raised_letters() -> None:
    """What a text writes differently from its nodes does not move the marks."""
    text = "".join(f"<p>{one}" for one in PARAGRAPHS)
    page = parse(
        f"<article><h1>Water</h1>{text}<p>Of all that is <b>wet</b>, H<sub>2</sub>O is <em>the wettest</em> of all."
    )
    assert find_content(page).to_markdown().endswith("Of all that is **wet**, H₂O is *the wettest* of all.")


def test_markdown_is_that_of_the_text_and_nothing_else() -> None:
    """All parts are in it, in order; the page's title, byline and address are above it if wanted."""
    found = find_content(article())
    assert [line for line in found.to_markdown().split("\n") if line in PARAGRAPHS] == list(PARAGRAPHS)
    assert found.to_markdown(front_matter=True).startswith('---\ntitle: "')


def test_parts_left_out_for_their_looks_are_not_in_markdown() -> None:
    """A text without its outliers is written from the parts that are left."""
    page: Page = article()
    kept = without_outliers(page, find_content(page))
    assert all(part.markup is not None for part in kept)
    assert PARAGRAPHS[0] in kept.to_markdown()


def test_deep_nesting_is_cut_and_long_tables_are_read() -> None:
    """A hostile page ends in a text, not in an error."""
    assert markdown("<ul><li>" * 500 + "deep").endswith("deep")
    assert "deep" in markdown("<blockquote>" * 500 + "deep")
    assert markdown(f"<table><tr>{'<td colspan=1000 rowspan=1000>x' * 50}</table>").count("x") == 50


@given(st.lists(st.text("ab \n\u00ad⁸é", min_size=1)))
def test_places_of_nodes_are_found(strings: list[str]) -> None:
    """Where texts of nodes begin in their joined text is found by comparing or by counting; both agree."""
    strings = [string for string in strings if string.replace("\u00ad", "").strip()]
    text = " ".join("".join(strings).replace("\u00ad", "").split())
    counted = _counted_starts(strings, text) if strings else []
    assert [text[place] for place in counted] == [string.replace("\u00ad", "").strip()[0] for string in strings]
    assert _starts(strings, text) in ([], counted)
