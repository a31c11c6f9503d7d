"""Asking to stop."""

import pytest

from sightline.errors import JobCancelled
from sightline.jobs import Cancel


def test_callbacks_are_called_once_however_often_somebody_asks() -> None:
    """Also a callback that comes too late is called, since what it would stop must not go on."""
    cancel, called = Cancel(), []
    cancel.when_requested(lambda: called.append("early"))
    cancel.cancel()
    cancel.cancel()
    cancel.when_requested(lambda: called.append("late"))
    assert called == ["early", "late"]


def test_check_raises_only_after_somebody_asked() -> None:
    """The error says how much was done."""
    cancel = Cancel()
    cancel.check(3)
    cancel.cancel()
    with pytest.raises(JobCancelled, match="after 3 sources"):
        cancel.check(3)
