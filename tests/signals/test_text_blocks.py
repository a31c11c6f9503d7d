"""Pages as text blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.geometry import as_box, union
from sightline.page import below, ends
from sightline.signals._text_blocks import text_blocks, within
from sightline.sources.html._parse import parse
from sightline.testing import element, page_of

from ..extract.content._pages import BLOCK, LINE, PARAGRAPHS, article

PIECES = (
    "<p>one",
    "<p>",
    "<div>",
    "</div>",
    "two",
    " ",
    "<b>three</b>",
    "<br>",
    "<li>four",
    "<span hidden>five</span>",
)


def _texts(markup: str) -> list[str]:
    return text_blocks(parse(markup)).texts


@pytest.mark.parametrize(
    ("markup", "texts"),
    [
        ("<p>one <b>two</b>  three</p><p>four", ["one two three", "four"]),
        ("<div>one<p>two</p>three</div>", ["one", "two", "three"]),
        ("<p>one<br>two", ["one", "two"]),
        ("<b>one</b> <b>two</b>", ["one two"]),
        ("<p>one</p> \n <p> </p>", ["one"]),
        (
            "<style>p {}</style><script>one</script><select><option>two</select><textarea>three</textarea><p>four",
            ["four"],
        ),
    ],
)
def test_blocks_end_where_elements_part_lines(markup: str, texts: list[str]) -> None:
    """A block is what stands between two borders, in one line; blanks part words, and code is no text."""
    assert _texts(markup) == texts


def test_blocks_follow_the_style_where_there_is_one() -> None:
    """A `div` that is shown in line parts nothing, and a `span` shown as a block does."""
    inline = [element("div", own, box=(0, 0, 50, 20), style=LINE) for own in ("one ", "two ")]
    block = element("span", "three", box=(0, 20, 50, 40), style=BLOCK)
    page = page_of(element("html", element("body", *inline, block, box=(0, 0, 99, 99), style=BLOCK)))
    assert text_blocks(page).texts == ["one two", "three"]


def test_blocks_keep_hidden_text_apart() -> None:
    """What is seen and what is not never share a block, and each knows which it is."""
    blocks = text_blocks(parse("<p>one <b hidden>two</b> three"))
    assert blocks.texts == ["one", "two", "three"]
    assert blocks.visible.tolist() == [True, False, True]


def test_blocks_read_noscript_only_as_elements() -> None:
    """Where scripts run it is markup in one text and nobody's; without scripts it is part of the page."""
    markup = "<p>one<noscript><p>two<p>three</noscript>"
    assert _texts(markup) == ["one"]
    assert text_blocks(parse(markup, scripting=False)).texts == ["one", "two", "three"]


def test_blocks_know_their_place() -> None:
    """Nodes, owner and box of a block are those of its text; what is not laid out has no box."""
    blocks = text_blocks(article(hidden=("Nobody sees this line.",)))
    row, unseen = blocks.texts.index(PARAGRAPHS[0]), blocks.texts.index("Nobody sees this line.")
    own = blocks.nodes[blocks.first[row] : blocks.first[row + 1]]
    assert blocks.page.strings[blocks.page.tag[blocks.owner[row]]] == "p"
    assert blocks.box(row) == as_box(union(blocks.page.box[own]) or ()) == as_box(blocks.page.box[own[0]])
    assert blocks.box(unseen) is None


def test_blocks_of_an_inline_root_belong_to_it() -> None:
    """A part of a page whose root is no block is its own owner."""
    page = parse("<p><span>one <b>two</b></span>")
    part = page.subtree(int(page.with_tag("span")[0]))
    assert text_blocks(part).owner.tolist() == [0]


def test_blocks_of_nothing_are_none() -> None:
    """A page without text has no blocks."""
    blocks = text_blocks(parse("<p> <img src=x>"))
    assert (len(blocks), blocks.texts, blocks.boxes.shape) == (0, [], (0, 4))


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_blocks_hold_every_text_once(pieces: list[str]) -> None:
    """Whatever the markup, no ink is lost or doubled, blocks are in order, and none is blank."""
    page = parse("".join(pieces))
    blocks = text_blocks(page)
    inked = np.flatnonzero(page.is_text & ~page.is_blank)
    assert blocks.nodes[~page.is_blank[blocks.nodes]].tolist() == inked.tolist()
    assert (np.diff(blocks.first) > 0).all()
    assert all(text and text == " ".join(text.split()) for text in blocks.texts)


@given(st.lists(st.integers(0, 8), max_size=20), st.sets(st.integers(0, 20)), st.sets(st.integers(0, 20)))
def test_within_is_below_at_some_places(parents: list[int], marked: set[int], places: set[int]) -> None:
    """The short way for a few places agrees with marking the whole tree."""
    parent = [-1]
    for up in parents:  # a tree in document order: each node hangs on the last one or one of its ancestors
        node = len(parent) - 1
        for _ in range(up):
            node = max(parent[node], 0)
        parent.append(node)
    end = ends(np.array(parent, dtype=np.int32))
    elements = np.array(sorted(number for number in marked if number < len(parent)), dtype=np.int64)
    wanted = np.array(sorted(number for number in places if number < len(parent)), dtype=np.int64)
    every = np.zeros(len(parent), dtype=bool)
    every[elements] = True
    assert within(wanted, elements, end).tolist() == below(every, end)[wanted].tolist()
