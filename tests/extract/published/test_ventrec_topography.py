"""The grid of lines, and neighbours in four directions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.published._ventrec import ADJACENT, Direction, Relation, Topography, relations
from sightline.geometry import Box

OWN: Box = (100, 100, 200, 200)
LENGTHS = st.integers(10, 60)


def relation(other: Box, direction: Direction) -> Relation:
    """How one box lies to ours."""
    return Relation(relations(OWN, np.array([other], dtype=np.float32), direction)[0])


def turned(box: Box, direction: Direction) -> Box:
    """A box to the right of ours, turned around the centre of ours so that it lies in a direction."""
    x0, y0, x1, y1 = box
    return {
        Direction.RIGHT: (x0, y0, x1, y1),
        Direction.DOWN: (y0, x0, y1, x1),
        Direction.LEFT: (300 - x1, y0, 300 - x0, y1),
        Direction.UP: (y0, 300 - x1, y1, 300 - x0),
    }[direction]


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ((200, 100, 250, 200), Relation.TWIN),
        ((203, 98, 250, 202), Relation.TWIN),
        ((200, 120, 250, 180), Relation.SMALLER),
        ((200, 100, 250, 150), Relation.SMALLER),
        ((200, 50, 250, 250), Relation.BIGGER),
        ((200, 100, 250, 250), Relation.BIGGER),
        ((200, 150, 250, 250), Relation.STEP),
        ((200, 50, 250, 150), Relation.STEP),
        ((204, 100, 250, 200), Relation.NONE),
        ((200, 200, 250, 300), Relation.NONE),
        ((200, 197, 250, 300), Relation.NONE),
        ((50, 100, 100, 200), Relation.NONE),
    ],
)
def test_relation_follows_from_the_projections(other: Box, expected: Relation, direction: Direction) -> None:
    """Each relation means the same in all four directions; what is too far or only touches a corner is none."""
    assert relation(turned(other, direction), direction) == expected


def test_lines_are_distinct_and_ascending() -> None:
    """The double grid holds every line once, starts and ends apart."""
    topography = Topography.of(np.array([[50, 0, 90, 20], [0, 0, 50, 20], [0, 20, 90, 40]], dtype=np.float32))
    assert [topography.lines(edge).tolist() for edge in range(4)] == [[0, 50], [0, 20], [50, 90], [20, 40]]


def test_topography_of_nothing_has_no_neighbours() -> None:
    """A page without boxes is no error."""
    topography = Topography.of(np.zeros((0, 4), dtype=np.float32))
    assert len(topography.neighbours(OWN, Direction.RIGHT).numbers) == 0


@given(st.lists(st.tuples(*[st.integers(0, 120)] * 2, LENGTHS, LENGTHS), min_size=1, max_size=30), st.data())
def test_look_up_finds_what_comparing_with_every_box_finds(
    places: list[tuple[int, int, int, int]], data: st.DataObject
) -> None:
    """The index changes how fast neighbours are found, not which."""
    box = np.array([(x, y, x + width, y + height) for x, y, width, height in places], dtype=np.float32)
    own = box[data.draw(st.integers(0, len(box) - 1))].tolist()
    direction = data.draw(st.sampled_from(Direction))
    found = Topography.of(box).neighbours(own, direction)
    every = relations(own, box, direction)
    assert sorted(found.numbers.tolist()) == np.flatnonzero(every).tolist()
    assert every[found.numbers].tolist() == found.relations.tolist()


@given(st.tuples(*[st.integers(0, 120)] * 2, LENGTHS, LENGTHS), st.tuples(*[st.integers(0, 120)] * 2, LENGTHS, LENGTHS))
def test_relation_is_reversed_from_the_other_side(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    """Who is smaller to us has us as a bigger neighbour; twin, step and none are mutual."""
    boxes = np.array([(x, y, x + width, y + height) for x, y, width, height in (one, other)], dtype=np.float32)
    there = relations(tuple(boxes[0].tolist()), boxes[1:], Direction.RIGHT)[0]
    back = relations(tuple(boxes[1].tolist()), boxes[:1], Direction.LEFT)[0]
    swapped = {Relation.SMALLER: Relation.BIGGER, Relation.BIGGER: Relation.SMALLER}
    assert back == swapped.get(Relation(there), there)


def test_distance_of_adjacency_is_that_of_the_paper() -> None:
    """Three pixels, as published: a change is another method."""
    assert ADJACENT == 3
