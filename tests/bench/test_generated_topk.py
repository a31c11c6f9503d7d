"""The made-up pages with promised lists, and the ranking that is ranked_first to such pages."""

import numpy as np
import pytest
from bench.fitting import Ranking, ranked_first
from bench.lists.generated_topk import LAYOUTS, generated


@pytest.mark.parametrize("draw", [0, 1])
def test_every_page_has_the_items_that_its_title_promises(draw: int) -> None:
    """All names are on the page, and they are as many as the title says."""
    pages = generated(draw, 1)
    assert [page.layout for page in pages] == [layout.__name__.replace("_", " ") for layout in LAYOUTS[draw]]
    for page in pages:
        assert len(page.items) == int(page.title.split()[1])
        assert all(name.split()[0] in page.html for name, _ in page.items)


def test_the_draws_have_no_layout_in_common() -> None:
    """What was made by looking at one is measured on the other."""
    assert not set(LAYOUTS[0]) & set(LAYOUTS[1])


def test_pages_are_the_same_every_time() -> None:
    """Figures can be compared."""
    assert generated(0, 1) == generated(0, 1)


def test_weights_bring_what_is_right_to_the_front() -> None:
    """The measure that tells right from wrong gets its sign, the other hardly counts."""
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [0.2, 0.0], [0.1, 1.0]])
    noise = [rows, rows[:, [0, 1]] * [1, -1]]
    weights = ranked_first([Ranking(one, np.array([True, False, False, False])) for one in noise], 0.01)
    assert weights[0] > 1 > abs(weights[1])
