"""Figures: groups of drawings that stand close together."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sightline.sources.pdf._blocks import figures

from ._bare import sheet
from ._write import put

BOXES = st.lists(
    st.tuples(st.integers(0, 500), st.integers(0, 500), st.integers(1, 120), st.integers(1, 120)),
    min_size=0,
    max_size=30,
).map(lambda every: np.array([[x, y, x + w, y + h] for x, y, w, h in every], dtype=np.float32).reshape(-1, 4))


def _curve(x: float, y: float, size: float) -> bytes:
    return b"%g %g m %g %g %g %g %g %g c S\n" % (x, y, x, y + size, x + size, y + size, x + size, y)


def test_curves_close_together_are_one_figure() -> None:
    """A chart is an `svg` element with the box around all of its curves."""
    page = sheet(put("Figure 1. Sales", 72, 300), *(_curve(100 + 30 * n, 400, 60) for n in range(4)))
    (node,) = page.with_tag("svg").tolist()
    x0, y0, x1, y1 = page.box[node].tolist()
    assert 130 < x0 < 136
    assert 330 < x1 < 336
    assert y0 < (792 - 400) * 4 / 3 <= y1 + 1


def test_few_or_small_drawings_are_none() -> None:
    """A frame with round corners, and a logo of a few points, are no figures."""
    assert not len(sheet(put("x", 72, 300), _curve(100, 400, 200), _curve(100, 400, 200)).with_tag("svg"))
    assert not len(sheet(put("x", 72, 300), *(_curve(100 + n, 400, 8) for n in range(6))).with_tag("svg"))


def test_figures_far_apart_are_several() -> None:
    """Two charts on one sheet are two."""
    curves = [_curve(100 + 20 * n, y, 50) for n in range(4) for y in (200, 600)]
    assert len(sheet(put("x", 72, 450), *curves).with_tag("svg")) == 2


@given(BOXES)
def test_figures_do_not_touch_and_lie_around_drawings(boxes: np.ndarray) -> None:
    """No two figures are near each other; each is large, and begins and ends where a drawing does."""
    found = figures(boxes)
    for one in found:
        inside = boxes[(boxes[:, :2] >= one[:2]).all(axis=1) & (boxes[:, 2:] <= one[2:]).all(axis=1)]
        assert len(inside) >= 3
        assert [*inside[:, :2].min(axis=0), *inside[:, 2:].max(axis=0)] == one.tolist()
        assert (one[2:] - one[:2] >= 30).all()
    for place, one in enumerate(found):
        for other in found[place + 1 :]:
            assert (one[:2] > other[2:]).any() or (other[:2] > one[2:]).any()


@given(BOXES)
def test_figures_do_not_depend_on_the_order_of_drawing(boxes: np.ndarray) -> None:
    """The same drawings in another order make the same figures."""
    again = figures(boxes[::-1])
    assert sorted(map(tuple, figures(boxes).tolist())) == sorted(map(tuple, again.tolist()))
