"""Every kind of file that is read back, with changed bytes: a sample of what `bench.hostile.files` tries."""

import pytest
from bench.hostile.files import KINDS, mutate_files

TRIED = 32  # of each of the sixteen kinds


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_change_breaks_anything(kind: str) -> None:
    """Each is read, or refused in one sentence; some are refused."""
    broken: list[str] = []
    counts = mutate_files(kind, TRIED, broken.append)
    assert broken == []
    assert counts.loaded + counts.refused == counts.mutations == TRIED
    assert counts.refused > 0


def test_enough_is_tried() -> None:
    """Five hundred changes in all."""
    assert TRIED * len(KINDS) >= 500
