"""The streams that the test for drift is measured with are what they claim to be."""

from itertools import islice
from random import Random

import pytest
from bench.scale.drift import Redesign, bursts, coins, delay, false_alarms, noticed, replayed


def test_bursts_have_their_share_and_their_length() -> None:
    """Both, so that false alarms are those of a stream as bursty as it is called."""
    pages = list(islice(bursts(0.1, 4.0, Random(1)), 100_000))
    starts = sum(one and not before for before, one in zip([False, *pages], pages, strict=False))
    assert sum(pages) / len(pages) == pytest.approx(0.1, abs=0.01)
    assert sum(pages) / starts == pytest.approx(4.0, abs=0.2)


def test_replayed_pages_have_the_share_of_their_site() -> None:
    """However few there are."""
    pages = list(islice(replayed((True, False, False), Random(1)), 30_000))
    assert sum(pages) / len(pages) == pytest.approx(1 / 3, abs=0.02)


def test_a_change_is_counted_from_its_first_page() -> None:
    """The delay is that of the change; a stream that never changes has none, and raises no alarm."""
    late = delay(coins(0.02, Random(1)), coins(1.0, Random(2)))
    assert late is not None
    assert 10 <= late <= 50
    assert delay(coins(0.02, Random(1)), coins(0.02, Random(2))) is None
    assert false_alarms(islice(coins(0.02, Random(3)), 20_000)) == 0
    assert false_alarms(islice(coins(1.0, Random(3)), 200)) > 0


def test_a_redesign_changes_verdicts_or_does_not() -> None:
    """One that the wrapper survives has nothing to be noticed."""
    broken = Redesign("site", "site 1>2", "taught", (False,), (True,))
    assert broken.changes
    assert noticed(broken) is not None
    assert not Redesign("site", "site 2>3", "taught", (False,), (False,)).changes
