"""Blocks: what stands somewhere, as a tree; lines of text and what cannot be seen are none."""

import numpy as np

import sightline as sl
from sightline.page import Page
from sightline.signals import LayoutBlocks, layout_blocks
from sightline.testing import Element, element, grid_page, page_of

BLOCK = {"display": "block", "visibility": "visible"}
INLINE = {"display": "inline", "visibility": "visible"}


def _box(*parts: Element | str, box: tuple[float, float, float, float], tag: str = "div") -> Element:
    return element(tag, *parts, box=box, style=BLOCK)


def _page(*parts: Element | str) -> Page:
    return page_of(_box(*parts, box=(0, 0, 800, 600), tag="html"))


def _tags(page: Page, blocks: LayoutBlocks) -> list[str]:
    return [page.node(node).tag for node in blocks.node.tolist()]


def test_inline_elements_are_part_of_their_line() -> None:
    """Emphasis and links are how a text looks, not blocks; what they hold is their block's own."""
    words = element("b", "bold words", box=(0, 0, 80, 16), style=INLINE)
    page = _page(_box("Some", words, box=(0, 0, 400, 20), tag="p"))
    blocks = layout_blocks(page)
    assert _tags(page, blocks) == ["html", "p"]
    assert (blocks.own_ink.tolist(), blocks.ink.tolist()) == ([0, 3], [3, 3])


def test_parents_skip_what_is_no_block() -> None:
    """A block in an inline element is a child of the block around that; nothing of the tree is lost."""
    inner = _box("x", box=(0, 0, 50, 20))
    page = _page(element("span", inner, box=(0, 0, 50, 20), style=INLINE), _box("y", box=(0, 20, 50, 40)))
    blocks = layout_blocks(page)
    assert blocks.parent.tolist() == [-1, 0, 0]
    order, start = blocks.children
    assert order[start[0] : start[1]].tolist() == [1, 2]


def test_empty_boxes_count_when_somebody_could_see_them() -> None:
    """An empty cell is a block; a rule of one pixel is not; a row without height whose cells hang out of it is."""
    cells = [_box("a", box=(0, 40, 50, 60)), _box(box=(50, 40, 100, 60))]
    page = _page(_box(box=(0, 0, 400, 1), tag="hr"), _box(*cells, box=(0, 40, 400, 40), tag="section"))
    blocks = layout_blocks(page)
    assert _tags(page, blocks) == ["html", "section", "div", "div"]
    assert blocks.ink.tolist() == [1, 1, 1, 0]


def test_pictures_and_controls_are_ink() -> None:
    """A picture or something to fill in can be seen, though it has no words."""
    page = _page(_box(_box(box=(0, 0, 90, 60), tag="img"), box=(0, 0, 100, 80)))
    assert layout_blocks(page).ink.tolist() == [1, 1, 1]


def test_how_children_lie() -> None:
    """Side by side, one below the other, or neither; a shared border does not count as overlap."""
    blocks = layout_blocks(grid_page([["a", "b"], ["c", "d"]]))
    table = int(np.flatnonzero(blocks.count == 2)[0])
    assert (blocks.spread.stacked[table], blocks.spread.beside[table]) == (True, False)
    assert (blocks.spread.stacked[table + 1], blocks.spread.beside[table + 1]) == (False, True)
    both = layout_blocks(_page(_box("a", box=(0, 0, 60, 60)), _box("b", box=(30, 30, 90, 90))))
    assert (both.spread.stacked[0], both.spread.beside[0]) == (False, False)
    near = layout_blocks(_page(_box("a", box=(0, 0, 60, 20)), _box("b", box=(59, 0, 90, 20))))
    assert near.spread.beside[0]


def test_the_only_child_is_what_fills_a_block() -> None:
    """A block that holds one block and no word of its own has it as its only one."""
    page = _page(_box(_box("x", box=(0, 0, 50, 20)), box=(0, 0, 60, 20)), _box("y", box=(0, 30, 50, 50)))
    assert layout_blocks(page).only.tolist() == [-1, 2, -1, -1]


def test_a_page_without_layout_has_no_blocks() -> None:
    """Nothing stands anywhere on a page that was never drawn, nor on an empty one."""
    assert len(layout_blocks(sl.open(b"<table><tr><td>a<td>b</table>", static=True))) == 0
    assert len(layout_blocks(page_of(element("html")))) == 0


def test_captions_are_known_by_their_layout() -> None:
    """Whatever is laid out as a caption is one."""
    page = _page(element("div", "Name", box=(0, 0, 90, 20), style=BLOCK | {"display": "table-caption"}))
    assert layout_blocks(page).caption.tolist() == [False, True]
    assert not layout_blocks(grid_page([["a", "b"]])).caption.any()


def test_hidden_blocks_are_left_out() -> None:
    """What is hidden, or was given no box, is no block."""
    hidden = element("div", "x", box=(0, 0, 50, 20), style=BLOCK | {"visibility": "hidden"})
    page = _page(hidden, element("div", "y", style=BLOCK), _box("z", box=(0, 20, 50, 40)))
    assert len(layout_blocks(page)) == 2
