"""One browser for the tests of a module; each test has a session of its own settings only where it needs one."""

from collections.abc import Iterator

import pytest

import sightline as sl

POLITE = sl.Manners(delay=0)


@pytest.fixture(scope="module")
def session() -> Iterator[sl.Session]:
    """A session that the tests of a module share."""
    with sl.session(manners=POLITE) as opened:
        yield opened
