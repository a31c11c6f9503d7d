"""The browser's answer to columns: what must hold for every page, and answers that are not what they should be."""

import asyncio

import numpy as np
import pytest

from sightline.errors import BrowserError
from sightline.sources import STYLES
from sightline.sources.browser._snapshot import decode, has_shadows

from ._site import node_of, rendered

PAGE = """<style>p::before { content: 'x' } li::marker { content: '- ' }</style><p id=a>one<!-- comment --><b>two</b>
<ul><li>three</ul><svg width=10 height=10><linearGradient id=g /></svg><template><p>never</template>
<iframe srcdoc='<p>four'></iframe><iframe srcdoc='<p>five<iframe srcdoc="<p>six"></iframe>'></iframe><p>seven"""


def test_snapshot_makes_a_tree_in_document_order() -> None:
    """Parents come before their children, every subtree is a range, and only elements and texts are nodes."""
    page = rendered(PAGE)
    numbers = np.arange(len(page))
    assert page.parent[0] == -1
    assert (page.parent[1:] < numbers[1:]).all()
    assert (page.parent[1:] >= 0).all()
    assert (page.end > numbers).all()
    inside = page.end[page.parent[1:]]
    assert (page.end[1:] <= inside).all()
    tags = {page.strings[tag] for tag in page.tag}
    assert not [tag for tag in tags if tag.startswith(("#comment", "::", "#document"))]


def test_snapshot_names_tags_as_they_are_written() -> None:
    """HTML's tags are in lower case; those of SVG keep their letters."""
    page = rendered(PAGE)
    assert page.strings[page.tag[node_of(page, "a")]] == "p"
    assert page.strings[page.tag[node_of(page, "g")]] == "linearGradient"


def test_snapshot_puts_every_frame_in_its_place() -> None:
    """Several frames and frames within them keep their order among the texts around them."""
    page = rendered(PAGE)
    texts = [
        page.strings[page.text[node]].strip() for node in np.flatnonzero(page.is_text & page.visible & ~page.is_blank)
    ]
    assert texts == ["one", "two", "three", "four", "five", "six", "seven"]


def test_snapshot_gives_each_style_once() -> None:
    """Equal styles are one row, nodes without layout have an empty one."""
    page = rendered("<p hidden id=none>x" + "<p>x" * 50)
    assert page.style_names == STYLES
    assert page.styles.shape == (len(np.unique(page.styles, axis=0)), len(STYLES))
    assert (page.style[node_of(page, "none")] == -1).all()


@pytest.mark.parametrize("answer", [b'{"id":1,"error":{"message":"Internal error"}}'])
def test_snapshot_reports_the_browsers_error(answer: bytes) -> None:
    """A capture that failed is an error that names the page."""
    with pytest.raises(BrowserError, match=r"here.*Internal error"):
        decode(answer, source="here")


def test_snapshot_knows_pages_with_shadow_trees() -> None:
    """Only pages that have a shadow tree are asked where it begins."""
    without, empty = b'{"result":{}}', b'"shadowRootType":{"index":[],"value":[]}'
    assert not has_shadows(without)
    assert not has_shadows(empty)
    assert has_shadows(empty + b'"shadowRootType":{"index":[3],"value":[1]}')


@pytest.mark.slow
def test_snapshot_of_a_page_twice_is_the_same() -> None:
    """Two captures of one page have one id, so nothing in them depends on when or where."""
    assert rendered(PAGE).id == rendered(PAGE).id
    assert asyncio.run(asyncio.to_thread(rendered, PAGE)).id == rendered(PAGE).id
