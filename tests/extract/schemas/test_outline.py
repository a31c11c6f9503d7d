"""A page as its texts and the elements around them: ranges that nest, and shapes that tell trees apart."""

from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.schemas import Alphabet, Outline, outline_of
from sightline.extract.schemas._outline import outlines_of
from sightline.signals import TextKind
from sightline.testing import Element, element, page_of

from .._templates import opened

pytestmark = pytest.mark.usefixtures("either_way")

Tree: TypeAlias = "str | tuple[str, list[Tree]]"
SHARED = "Price"
TEXTS = st.sampled_from([SHARED, "one", "two"])
TREES: st.SearchStrategy[Tree] = st.recursive(
    TEXTS, lambda inner: st.tuples(st.sampled_from(["p", "div", "b"]), st.lists(inner, max_size=3)), max_leaves=8
)


def _built(tree: Tree) -> Element | str:
    return tree if isinstance(tree, str) else element(tree[0], *map(_built, tree[1]))


def _alphabet() -> Alphabet:
    alphabet = Alphabet(frozenset())
    alphabet.share(SHARED)
    return alphabet


def _outlined(*trees: Tree, alphabet: Alphabet | None = None) -> Outline:
    return outline_of(page_of(element("body", *map(_built, trees)), kind="static"), alphabet or _alphabet())


def _texts_in(tree: Tree) -> list[str]:
    return [tree] if isinstance(tree, str) else [text for inner in tree[1] for text in _texts_in(inner)]


def _make(tree: Tree) -> object:
    """What a shape stands for: tags, and the shared text that each part begins with; parts without text are none."""
    begins = _texts_in(tree)[0] == SHARED
    if isinstance(tree, str):
        return begins
    return tree[0], begins, [_make(inner) for inner in tree[1] if _texts_in(inner)]


@given(st.lists(TREES, min_size=1, max_size=4))
def test_ranges_of_leaves_nest(trees: list[Tree]) -> None:
    """The leaves of a node are those of its children, one after the other, and a text is one leaf."""
    outline = _outlined(*trees)
    assert outline.texts == [text for tree in trees for text in _texts_in(tree)]
    for number in range(len(outline)):
        kids = outline.kids(number)
        if number in outline.leaf:
            assert not kids
            assert outline.size(number) == 1
            continue
        edges = [outline.first[number], *(outline.last[kid] for kid in kids)]
        assert [outline.first[kid] for kid in kids] == edges[:-1]
        assert outline.last[number] == edges[-1]
        assert all(number < kid < outline.end[number] for kid in kids)
        assert outline.content[number] == (outline.texts[outline.first[number]] == SHARED)
    assert [outline.first[leaf] for leaf in outline.leaf] == list(range(len(outline.texts)))


@given(st.lists(TREES, min_size=1, max_size=4))
def test_every_kept_node_holds_text(trees: list[Tree]) -> None:
    """Nodes come in the order of the page, children before what follows, and empty elements are left out."""
    outline = _outlined(*trees)
    assert bool(len(outline)) == any(map(_texts_in, trees))
    assert np.all(np.diff(outline.node) > 0)
    assert all(outline.size(number) > 0 for number in range(len(outline)))
    assert sorted(kid for number in range(len(outline)) for kid in outline.kids(number)) == list(range(1, len(outline)))


@given(TREES, TREES)
def test_shapes_tell_trees_apart(one: Tree, other: Tree) -> None:
    """Two elements have one shape exactly where they are made alike, all the way down, with the same shared texts."""
    if not _texts_in(one) or not _texts_in(other):
        return
    outline = _outlined(one, other)
    first, second = outline.kids(0)
    assert (outline.shape[first] == outline.shape[second]) == (_make(one) == _make(other))


@given(TREES, TREES)
def test_shapes_hold_on_other_pages(one: Tree, other: Tree) -> None:
    """The shape of an element says nothing about where it stands, before what, and on which page."""
    if not _texts_in(one):
        return
    alphabet = _alphabet()
    alone, behind = _outlined(one, alphabet=alphabet), _outlined(("p", ["words"]), one, other, alphabet=alphabet)
    assert alone.shape[alone.kids(0)[0]] == behind.shape[behind.kids(0)[1]]


def test_shapes_tell_depth_apart() -> None:
    """A text beside an element and a text in it are not one shape."""
    outline = _outlined(("div", [("b", ["one"]), "two"]), ("div", [("b", ["one", "two"])]))
    first, second = outline.kids(0)
    assert outline.shape[first] != outline.shape[second]


def test_texts_of_two_pages_are_shared() -> None:
    """A text counts as shared when two pages have it, and not when one page has it twice."""
    one, two = outlines_of(opened("<p>Home</p><p>mine</p><p>mine</p>", "<p>Home</p><p>yours</p>"))
    assert [bool(number) for number in one.shared] == [True, False, False]
    assert one.shared[0] == two.shared[0]


def test_blanks_are_collapsed() -> None:
    """A text is what people see of it."""
    (outline,) = outlines_of(opened("<p>  Canon\n\t EOS&nbsp;5D </p>"))
    assert outline.texts == ["Canon EOS 5D"]


def test_kinds_are_told_when_asked_for() -> None:
    """A leaf knows what kind of text it is."""
    (outline,) = outlines_of(opened("<p>12</p><p>May 12</p><p>word</p>"))
    assert [outline.kinds[leaf] for leaf in range(3)] == [TextKind.NUMBER, TextKind.DIGITS, TextKind.WORDS]


def test_a_page_without_text_has_no_outline() -> None:
    """There is nothing in it, and nothing fails."""
    outline = outline_of(opened("")[0], Alphabet(frozenset()))
    assert (len(outline), outline.texts, outline.leaf, outline.shape) == (0, [], [], [])
