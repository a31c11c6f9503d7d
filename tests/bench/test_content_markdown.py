"""The comparison of Markdown: what a page has, and what a reader of Markdown finds."""

import numpy as np
from bench.content.markdown import KINDS, elements_in, elements_of

from sightline.extract.content import content_of_nodes
from sightline.sources.html._parse import parse

PAGE = """<h1>Bees</h1><p>See <a href=x>the way</a> and <a>nothing</a>.<ul><li>one<ul><li>two</ul></ul>
<table><tr><th>a<th>b<tr><td>c<td>d</table><pre>x = <a href=y>1</a></pre><nav><h2>Menu</h2><a href=z>Home</a></nav>"""


def test_page_has_what_its_tags_say_around_the_text() -> None:
    """Only what is kept counts: no menu, no link that leads nowhere, no link in code."""
    page = parse(PAGE)
    menu = range(int(page.with_tag("nav")[0]), len(page))
    nodes = [node for node in np.flatnonzero(page.is_text & ~page.is_blank).tolist() if node not in menu]
    wanted = elements_of(page, nodes)
    assert {kind: list(wanted[kind]) for kind in KINDS} == {
        "tables": ["2x2 abcd"],
        "items": ["one", "two"],
        "code": ["x1"],
        "links": ["theway"],
        "headings": ["bees"],
    }
    assert elements_in(content_of_nodes(page, nodes).to_markdown()) == wanted


def test_wrong_markdown_is_found_out() -> None:
    """A table with other rows, an item that became text and code without a fence are not the same."""
    found = elements_in("# Bees\n\none two\n\n| a |\n| --- |\n| b |\n| c d |\n\nx = 1")
    assert {kind: list(found[kind]) for kind in KINDS} == {
        "tables": ["3x1 abcd"],
        "items": [],
        "code": [],
        "links": [],
        "headings": ["bees"],
    }
