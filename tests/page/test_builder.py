"""Pages built node by node: the tree, the boxes, the styles and the words are what was said."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sightline.page import Builder, Page, dumps, loads

TREES = st.recursive(
    st.tuples(st.integers(0, 90), st.integers(0, 90), st.integers(1, 50), st.integers(1, 50)),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=25,
)


def _build(builder: Builder, tree: object) -> None:
    """An element for each list, a text of one word for each box."""
    if isinstance(tree, tuple):
        x, y, wide, tall = tree
        builder.text("word", [(0, 4, (x, y, x + wide, y + tall))])
        return
    builder.open("div")
    for child in tree:  # type: ignore[attr-defined]
        _build(builder, child)
    builder.close()


def _leaves(tree: object) -> list[tuple[int, int, int, int]]:
    return [tree] if isinstance(tree, tuple) else [leaf for child in tree for leaf in _leaves(child)]  # type: ignore[attr-defined]


def _page(tree: object) -> Page:
    builder = Builder()
    builder.open("html")
    _build(builder, tree)
    builder.close()
    return builder.page(kind="pdf")


@given(TREES)
def test_boxes_are_around_all_that_is_inside(tree: object) -> None:
    """An element without a box of its own has that around its words; without any it has none."""
    page, leaves = _page(tree), _leaves(tree)
    if not leaves:
        assert np.isnan(page.box).all()
        return
    x0, y0, x1, y1 = np.array([(x, y, x + wide, y + tall) for x, y, wide, tall in leaves]).T
    assert page.box[0].tolist() == [x0.min(), y0.min(), x1.max(), y1.max()]
    for node in range(1, len(page)):
        above = page.box[page.parent[node]]
        if not np.isnan(page.box[node]).any():
            assert (above[:2] <= page.box[node, :2]).all()
            assert (above[2:] >= page.box[node, 2:]).all()


@given(TREES)
def test_tree_is_a_tree(tree: object) -> None:
    """Nodes are in document order, their subtrees ranges, and every word has its text; files keep all of it."""
    page = _page(tree)
    assert (page.parent[1:] < np.arange(1, len(page))).all()
    assert (page.end > np.arange(len(page))).all()
    assert all(page.end[node] <= page.end[page.parent[node]] for node in range(1, len(page)))
    assert len(page.words) == len(_leaves(tree)) == int(page.is_text.sum())
    assert loads(dumps(page)).id == page.id


def test_box_that_is_given_stays_unless_something_juts_out() -> None:
    """A sheet has its own size, whatever stands on it; what reaches beyond makes it larger."""
    for right, expected in ((50, 100), (120, 120)):
        builder = Builder()
        builder.open("section", box=(0, 0, 100, 200))
        builder.text("x", [(0, 1, (10, 10, right, 20))])
        builder.close()
        assert builder.page(kind="pdf").box[0].tolist() == [0, 0, expected, 200]


def test_style_is_that_of_the_element_around_unless_said() -> None:
    """Looks are inherited, and equal ones are kept once."""
    builder = Builder(("color", "font-weight"))
    builder.open("p", style=("red", "400"))
    builder.text("plain")
    builder.open("b", style=("red", "700"))
    builder.text("bold")
    builder.close()
    builder.text("plain again", style=("red", "400"))
    builder.close()
    page = builder.page(kind="pdf")
    weights = [page.strings[value] for value in page.style_column("font-weight").tolist()]
    assert weights == ["400", "400", "700", "700", "400"]
    assert len(page.styles) == 2


def test_attributes_are_those_of_their_element() -> None:
    """Elements with and without attributes do not get those of each other."""
    builder = Builder()
    builder.open("a", {"href": "/x", "class": "big"})
    builder.open("i")
    builder.close()
    builder.open("a", {"href": "/y"})
    builder.close()
    builder.close()
    page = builder.page(kind="pdf")
    assert [dict(page.node(n).attributes) for n in range(3)] == [{"href": "/x", "class": "big"}, {}, {"href": "/y"}]


def test_words_know_their_characters() -> None:
    """Each word is the part of its text that was said."""
    builder = Builder()
    builder.open("p")
    builder.text("two words", [(0, 3, (0, 0, 9, 9)), (4, 9, (12, 0, 30, 9))])
    builder.close()
    page = builder.page(kind="pdf")
    spans = zip(page.words.start.tolist(), page.words.end.tolist(), strict=True)
    assert ["two words"[start:end] for start, end in spans] == ["two", "words"]
    assert page.box[1].tolist() == [0, 0, 30, 9]
