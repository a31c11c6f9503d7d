"""What a crawl may lose against breadth-first while it learns."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from sightline.crawler.rank._baseline import Baseline, BaselineSettings

SETTINGS = BaselineSettings()


def go(baseline: Baseline, of_breadth: Callable[[int], bool], of_own: Callable[[int], bool], pages: int) -> list[int]:
    """Visit pages as a crawl would whose own way has nothing of breadth-first's; the targets found after each page."""
    found, passed, own = [0], 0, 0
    for _ in range(pages):
        if baseline.is_covered(0.0):
            is_target = of_own(own)
            baseline.visited(9, own, by_breadth=False, found=is_target)
            own += 1
        else:
            is_target = of_breadth(passed)
            baseline.visited(1, passed, by_breadth=True, found=is_target)
            passed += 1
        found.append(found[-1] + is_target)
    return found


def test_where_breadth_first_finds_all_nearly_nothing_is_lost() -> None:
    """With nothing to find elsewhere, a crawl finds all but the allowance and the share of what breadth-first does."""
    found = go(Baseline(SETTINGS), lambda _: True, lambda _: False, 400)
    for pages in range(50, 401):
        assert found[pages] >= (1 - SETTINGS.share) * pages - SETTINGS.allowance - 1


def test_where_breadth_first_finds_nothing_it_costs_little() -> None:
    """Once the own way finds something, breadth-first is hardly asked."""
    found = go(Baseline(SETTINGS), lambda _: False, lambda page: page >= 10, 200)
    assert found[-1] >= 170


def test_where_neither_finds_anything_both_are_tried() -> None:
    """A share of the pages goes to each, so that whichever comes to targets is noticed."""
    for late in (20, 40):
        breadth = go(Baseline(SETTINGS), lambda page, late=late: page >= late, lambda _: False, 300)
        assert breadth[-1] >= 150
        own = go(Baseline(SETTINGS), lambda _: False, lambda page, late=late: page >= late, 300)
        assert own[-1] >= 150


def test_pages_that_were_visited_before_breadth_first_came_to_them_count_for_it() -> None:
    """Breadth-first passes them, so it is not taken to be far behind."""
    baseline = Baseline(SETTINGS)
    for order in range(10):
        baseline.visited(1, order, by_breadth=False, found=order == 0)
    before = baseline.rate
    baseline.visited(1, 10, by_breadth=True, found=0.0)
    assert (baseline.state().passed, baseline.state().hits) == (11, 1)
    assert not baseline.state().ahead
    assert baseline.rate < before


@given(st.lists(st.booleans(), min_size=60, max_size=250), st.lists(st.booleans(), min_size=60, max_size=250))
def test_never_further_behind_than_what_is_not_yet_known(breadth: list[bool], own: list[bool]) -> None:
    """By what breadth-first was seen to find, the loss is bounded, whatever lies where."""
    baseline = Baseline(SETTINGS)
    passed = taken = found = 0
    for _ in range(min(len(breadth), len(own))):
        if baseline.is_covered(0.0):
            found += own[taken]
            baseline.visited(9, taken, by_breadth=False, found=own[taken])
            taken += 1
        else:
            found += breadth[passed]
            baseline.visited(1, passed, by_breadth=True, found=breadth[passed])
            passed += 1
        assert found >= (1 - SETTINGS.share) * sum(breadth[:passed]) - SETTINGS.allowance - 1
