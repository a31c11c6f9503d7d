"""Parts of pages are pages."""

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.errors import UsageError
from sightline.page import Page, ends

from ._build import el, everything, list_page, page, pages


def assert_sound(made: Page) -> None:
    """A page whose columns agree with each other."""
    count = len(made)
    assert len(made.end) == len(made.tag) == len(made.text) == len(made.box) == len(made.style_of) == count
    assert len(made.edge) == count and len(made.attributes.start) == count + 1
    assert (made.parent < np.arange(count)).all() and (made.parent[1:] >= 0).all()
    assert (made.end == ends(made.parent)).all()
    assert not count or made.parent[0] == -1
    assert ((made.words.node >= 0) & (made.words.node < count)).all()
    assert made.attributes.start[-1] == len(made.attributes.name) == len(made.attributes.value)


def assert_part(part: Page, whole: Page) -> None:
    """A part whose nodes are those of the whole, and know it."""
    assert_sound(part)
    assert part.whole_id == whole.whole_id
    for number, origin in enumerate(part.numbers.tolist()):
        here, there = part.node(number), whole.node(int(np.flatnonzero(whole.numbers == origin)[0]))
        assert (here.tag, here.raw_text, here.attributes, here.box, here.style) == (
            there.tag,
            there.raw_text,
            there.attributes,
            there.box,
            there.style,
        )
        assert here.xpath == there.xpath


@given(pages(max_nodes=20), st.data())
@settings(max_examples=40)
def test_subtree_is_a_part(made: Page, data: st.DataObject) -> None:
    """A subtree has exactly the nodes of its range, and their words."""
    root = data.draw(st.integers(0, len(made) - 1))
    part = made.subtree(root)
    assert_part(part, made)
    assert part.numbers.tolist() == list(range(root, made.end[root]))
    inside = (made.words.node >= root) & (made.words.node < made.end[root])
    assert part.words.box.tolist() == made.words.box[inside].tolist()


@given(pages(max_nodes=20), st.data())
@settings(max_examples=40)
def test_without_leaves_out_whole_subtrees(made: Page, data: st.DataObject) -> None:
    """What is left out takes along what is below it, and nothing else."""
    numbers = data.draw(st.lists(st.integers(0, len(made) - 1), max_size=4))
    part = made.without(numbers)
    gone = {below for number in numbers for below in range(number, made.end[number])}
    assert_part(part, made)
    assert part.numbers.tolist() == [number for number in range(len(made)) if number not in gone]


@given(pages(max_nodes=20), st.data())
@settings(max_examples=40)
def test_region_is_a_part(made: Page, data: st.DataObject) -> None:
    """A region holds the words whose middle is in it, and the elements around them."""
    side = st.integers(-200, 4000)
    box = tuple(sorted([data.draw(side), data.draw(side)]) + sorted([data.draw(side), data.draw(side)]))
    x0, x1, y0, y1 = box
    part = made.region((x0, y0, x1, y1))
    assert_part(part, made)
    middle = (made.words.box[:, :2] + made.words.box[:, 2:]) / 2
    inside = ((middle >= (x0, y0)) & (middle <= (x1, y1))).all(axis=1)
    assert part.words.box.tolist() == made.words.box[inside].tolist()


@given(pages(max_nodes=20), st.data())
@settings(max_examples=40)
def test_parts_are_closed_under_composition(made: Page, data: st.DataObject) -> None:
    """A part of a part is a part of the whole, with the whole's numbers and paths."""
    first = made.subtree(data.draw(st.integers(0, len(made) - 1)))
    second = first.without(
        data.draw(st.lists(st.integers(1, max(1, len(first) - 1)), max_size=2)) if len(first) > 1 else []
    )
    third = second.region((-1e6, -1e6, 1e6, 1e6))
    for part in (first, second, third):
        assert_part(part, made)
    again = second.subtree(data.draw(st.integers(0, len(second) - 1)))
    assert_part(again, made)


def test_region_keeps_leaves_without_words() -> None:
    """An image in the box is kept, with the elements around it; a word outside of it is not."""
    image = el("img", box=(0, 0, 50, 50))
    made = page(
        el("html", el("p", image, el("b", "far", box=(500, 500, 600, 520))), el("p", "farther", box=(0, 900, 9, 920)))
    )
    part = made.region((0, 0, 100, 100))
    assert [node.tag for node in part.nodes] == ["html", "p", "img"]


def test_region_with_nothing_in_it_is_an_empty_page() -> None:
    """Nothing found is no failure."""
    part = list_page().region((5000, 5000, 6000, 6000))
    assert len(part) == 0 and part.bounds is None and part.text_of is not None
    assert len(part.region((0, 0, 1, 1))) == 0


def test_whole_page_as_part_has_all_nodes() -> None:
    """Leaving out nothing leaves everything."""
    made = list_page()
    part = made.without([])
    same = everything(made) | {"part": None}
    assert everything(part) | {"part": None} == same
    assert part.whole_id == made.id


@pytest.mark.parametrize("number", [-1, 9, 10_000])
def test_parts_refuse_nodes_that_are_not_there(number: int) -> None:
    """A number that is no node's is an error that says which are."""
    made = list_page()
    with pytest.raises(UsageError, match="numbered 0 to 8"):
        made.subtree(number)
    with pytest.raises(UsageError, match="numbered 0 to 8"):
        made.without([0, number])


def test_parts_share_nothing_that_could_change() -> None:
    """The arrays of a part are read-only too."""
    part = list_page().subtree(2)
    for one in fields(part):
        value = getattr(part, one.name)
        assert not isinstance(value, np.ndarray) or not value.flags.writeable
