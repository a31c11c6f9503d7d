"""Libraries that must not log."""

import logging

import pytest

from sightline.flow._addresses import quiet


def test_quiet_ends_with_its_last_block(caplog: pytest.LogCaptureFixture) -> None:
    """Blocks may overlap, as those of threads do: none of them lets the others' addresses out."""
    caplog.set_level(logging.DEBUG)
    library = logging.getLogger("driver.pool")
    first, second = quiet("driver"), quiet("driver")
    with first:
        second.__enter__()
        library.info("one")
    library.info("two")
    second.__exit__(None, None, None)
    library.info("three")
    assert [record.message for record in caplog.records] == ["three"]
