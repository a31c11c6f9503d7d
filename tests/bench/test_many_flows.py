"""The benchmark of many flows: a few of them run once each, and it notices one that did not."""

from pathlib import Path

import pytest
from bench.flow.many_flows import _is_wrong, many_flow_figures


@pytest.mark.slow
def test_a_few_flows_run_once_each() -> None:
    """All are done; what the start of three processes costs is too much for so few."""
    figures = {figure.name.partition(": ")[2]: figure for figure in many_flow_figures(flows=6)}
    assert figures["not run exactly once"].value == 0
    assert figures["cost of one"].value > 0
    assert all(figure.kept for name, figure in figures.items() if name != "cost of one")


def test_a_flow_that_never_ran_is_wrong(tmp_path: Path) -> None:
    """There is no entry in its history, and no file."""
    assert _is_wrong(tmp_path, "flow0001")
