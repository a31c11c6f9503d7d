"""Boxes: plain functions that carry missing ones through."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sightline.geometry import NO_BOX, area, around, as_box, contains, intersection, is_box, union, union_of

coordinates = st.floats(-1000, 1000, width=32)


@st.composite
def boxes(draw: st.DrawFn) -> np.ndarray:
    """Some boxes with their corners in order, some of them missing."""
    corners = draw(hnp.arrays(np.float32, st.tuples(st.integers(1, 20), st.just(4)), elements=coordinates))
    ordered = np.concatenate(
        [np.minimum(corners[:, :2], corners[:, 2:]), np.maximum(corners[:, :2], corners[:, 2:])], 1
    )
    ordered[draw(hnp.arrays(bool, len(ordered)))] = NO_BOX
    return ordered


@given(boxes())
def test_union_contains_every_box(rows: np.ndarray) -> None:
    """The union holds each present box, and is missing only when all are."""
    whole = union(rows)
    if whole is None:
        assert not is_box(rows).any()
    else:
        assert contains(np.float32(whole), rows[is_box(rows)]).all()


@given(boxes())
def test_union_of_plain_boxes_is_the_same(rows: np.ndarray) -> None:
    """A few plain boxes, some of them missing, have the union of their array."""
    assert union_of([as_box(row) for row in rows]) == union(rows)


def test_union_of_nothing_is_missing() -> None:
    """No boxes, or only missing ones, have no union."""
    assert union_of([]) is None
    assert union_of([None, None]) is None
    assert union_of(iter([(0, 0, 1, 1)])) == (0, 0, 1, 1)


@given(boxes())
def test_box_around_plain_boxes_is_the_same(rows: np.ndarray) -> None:
    """Boxes none of which is missing have the box around them that their array has; whole numbers stay whole."""
    present = rows[is_box(rows)]
    if len(present):
        assert around(present.tolist()) == union(rows)
    assert [type(side) for side in around([(0, 1, 2, 3), (4, 5, 6, 7)])] == [int] * 4


@given(boxes(), boxes())
def test_intersection_lies_in_both(rows: np.ndarray, others: np.ndarray) -> None:
    """Where two boxes have something in common, it is inside both."""
    count = min(len(rows), len(others))
    common = intersection(rows[:count], others[:count])
    real = is_box(common) & (common[:, 2] >= common[:, 0]) & (common[:, 3] >= common[:, 1])
    assert contains(rows[:count][real], common[real]).all()
    assert contains(others[:count][real], common[real]).all()


def test_area_of_a_missing_box_is_missing() -> None:
    """A missing box has no area, rather than none at all."""
    assert np.isnan(area(np.float32(NO_BOX)))
    assert as_box(NO_BOX) is None


def test_contains_grants_slack() -> None:
    """A box that sticks out by less than the slack still counts as inside."""
    outer, inner = np.float32([0, 0, 10, 10]), np.float32([-1, 0, 10, 11])
    assert not contains(outer, inner)
    assert contains(outer, inner, slack=1)
