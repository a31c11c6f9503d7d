"""The runs over served lists are judged rightly: what is wrong with one is seen."""

import pytest
from bench.frame import Options
from bench.navigate import served
from bench.navigate.served import collect_all, run_figures

pytestmark = pytest.mark.slow


def test_a_list_that_is_collected_whole_is_right() -> None:
    """In every size; all figures keep their bounds."""
    runs = collect_all(Options(limit=1))
    assert [run.pages for run in runs] == [12, 3, 1]
    assert all(run.is_right for run in runs), runs
    assert all(figure.kept for figure in run_figures(runs) if figure.name.startswith("kinds"))


def test_a_list_that_is_cut_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that reads too little counts as endless, as not whole, and as stopped for a wrong reason."""
    monkeypatch.setattr(served, "MOST_PAGES", 2)
    long, _, single = collect_all(Options(limit=1))
    assert (long.whole, long.endless, long.stop_right, long.verdict_right) == (False, True, False, True)
    assert single.is_right
    lost = [
        figure.name for figure in run_figures([long, single]) if not figure.kept and figure.name.startswith("kinds")
    ]
    assert len(lost) == 3
