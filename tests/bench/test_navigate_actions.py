"""The figures of actions and of long sessions: what is compared with what, and when a bound is missed."""

import pytest
from bench.navigate.actions import ActionCosts, Cost, action_figures, action_remark
from bench.navigate.long_session import LongSession, long_session_figures


def test_ratio_is_the_median_over_rounds() -> None:
    """One round that something else disturbed decides nothing."""
    costs = ActionCosts((Cost(6, 4), Cost(6, 4), Cost(60, 4)), (Cost(10, 5), Cost(8, 5), Cost(10, 5)))
    wall, processor = action_figures(costs)
    assert (wall.value, wall.kept) == (0.75, True)
    assert (processor.value, processor.kept) == (0.8, True)
    assert not action_figures(ActionCosts((Cost(9, 4),), (Cost(10, 5),)))[0].kept


def test_no_ratio_without_the_peer() -> None:
    """Then the gate says that the figure is gone, and the remark says why."""
    alone = ActionCosts((Cost(6, 4),), ())
    assert action_figures(alone) == ()
    assert "Playwright is missing" in action_remark(alone)


def test_growth_is_measured_after_the_warm_up() -> None:
    """The last hundred steps beside the third."""
    own, both, left = long_session_figures(LongSession((50, 70, 80, 84), (100, 120, 120, 156), 1))
    assert own.value == pytest.approx(0.05)
    assert both.value == pytest.approx(0.2)
    assert [one.kept for one in (own, both, left)] == [True, False, False]
