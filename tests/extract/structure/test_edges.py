"""From drawn rectangles to straight edges."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._layout import edges_of

from ._made import sheet


def test_thin_rectangle_is_the_line_in_its_middle() -> None:
    """Lines are drawn as thin rectangles; the edge is their middle."""
    found = edges_of(sheet(rules=[(10, 100, 200, 102), (50, 20, 52, 90)]))
    assert found.across.tolist() == [[101, 10, 200]]
    assert found.down.tolist() == [[51, 20, 90]]
    assert found.upright == [[51, 20, 90]]


def test_fill_has_four_edges() -> None:
    """The sides of a filled rectangle are edges, as in tables with coloured cells."""
    found = edges_of(sheet(rules=[(10, 100, 200, 130)]))
    assert found.across.tolist() == [[100, 10, 200], [130, 10, 200]]
    assert found.down.tolist() == [[10, 100, 130], [200, 100, 130]]


def test_side_between_fills_of_one_colour_cannot_be_seen() -> None:
    """Two fills of one colour that touch look like one; of two colours they do not."""
    rules = [(10, 100, 200, 130), (10, 130, 200, 160)]
    assert edges_of(sheet(rules=rules, colours=[1, 1])).across[:, 0].tolist() == [100, 160]
    assert edges_of(sheet(rules=rules, colours=[1, 2])).across[:, 0].tolist() == [100, 130, 160]


@pytest.mark.parametrize(("lightness", "count"), [(0, 1), (247, 1), (248, 0), (255, 0)])
def test_lines_as_light_as_paper_are_none(lightness: float, count: int) -> None:
    """A line that cannot be seen on white parts nothing."""
    found = edges_of(sheet(rules=[(10, 100, 200, 101)], lightness=[lightness]))
    assert len(found.across) == count


def test_colour_that_is_not_understood_can_be_seen() -> None:
    """A colour that is no RGB has no lightness; the line counts."""
    assert len(edges_of(sheet(rules=[(10, 100, 200, 101)], lightness=[float("nan")])).across) == 1


def test_background_is_no_edge() -> None:
    """A rectangle as large as the sheet has no sides."""
    found = edges_of(sheet(rules=[(5, 5, 795, 995)]))
    assert not len(found.across)
    assert not len(found.down)


def test_pieces_of_a_line_are_one() -> None:
    """Dashes with small gaps are one edge; a wide gap parts two."""
    dashes = [(x, 100, x + 10, 101) for x in range(0, 100, 13)]
    assert edges_of(sheet(rules=dashes)).across[:, 1:].tolist() == [[0, 101]]
    apart = edges_of(sheet(rules=[(0, 100, 50, 101), (60, 100, 99, 101)]))
    assert apart.across[:, 1:].tolist() == [[0, 50], [60, 99]]


def test_ticks_are_no_edges() -> None:
    """What is shorter than a letter is high parts nothing."""
    assert not len(edges_of(sheet(rules=[(10, 100, 18, 101)])).across)
    assert len(edges_of(sheet(rules=[(10, 100, 20, 101)])).across) == 1


BOXES = st.tuples(st.integers(0, 600), st.integers(0, 600), st.integers(1, 150), st.integers(1, 150))


@given(st.lists(BOXES, max_size=12), st.randoms(use_true_random=False))
def test_order_of_drawing_does_not_matter(boxes: list[tuple[int, int, int, int]], random: Random) -> None:
    """The edges are the same in whatever order a program draws its rectangles."""
    rules = [(x, y, x + wide, y + tall) for x, y, wide, tall in boxes]
    other = list(rules)
    random.shuffle(other)
    one, two = edges_of(sheet(rules=rules)), edges_of(sheet(rules=other))
    assert sorted(one.across[:, 1:].tolist()) == sorted(two.across[:, 1:].tolist())
    assert sorted(one.down[:, 1:].tolist()) == sorted(two.down[:, 1:].tolist())
