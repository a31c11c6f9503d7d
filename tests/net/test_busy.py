"""How long a busy site asks to wait."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from sightline.net import asked_pause


def test_a_date_counts_from_now() -> None:
    """A site may say when instead of how long."""
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    pause = asked_pause([("Retry-After", later)])
    assert pause is not None and 3_500 < pause <= 3_600


@pytest.mark.parametrize("said", ["", "soon", "-5", "1.5", "2024-13-45", "٣ days", "Wed, 99 Oct 2015 07:28:00 GMT"])
def test_what_does_not_count_is_as_if_nothing_was_said(said: str) -> None:
    """Servers write what they like."""
    assert asked_pause([("Retry-After", said)]) is None
    assert asked_pause([("Content-Type", "text/html")]) is None
