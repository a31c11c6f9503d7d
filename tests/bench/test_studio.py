"""The benchmark of the Studio: what a kill leaves, and what many clients are told, with few of both."""

from bench.studio.kills import kill_and_look
from bench.studio.load import measure_load


def test_every_acknowledged_save_survives_a_kill() -> None:
    """Two kills while four people edit; `python -m bench studio` does fifty."""
    found = kill_and_look(2, seed=5)
    assert found.kills == 2
    assert found.acknowledged > 0
    assert (found.lost, found.damaged) == (0, 0)


def test_no_client_is_told_that_the_server_failed() -> None:
    """Twenty of them for two seconds; some may be told that somebody else was faster."""
    found = measure_load(clients=20, seconds=2.0)
    assert found.failed == 0
    assert set(found.statuses) <= {200, 412}
    assert sum(map(len, found.busy.values())) >= 20
