"""The settings of loading: their defaults and what they refuse."""

import pytest

from sightline import __version__
from sightline.errors import UsageError
from sightline.net._document import CrawlPolicy, Limits, megabytes
from sightline.settings import describe


def test_limits_have_the_documented_defaults() -> None:
    """The defaults are the ones that the documentation promises."""
    limits = Limits()
    assert (limits.document_bytes, limits.decoded_bytes) == (50_000_000, 200_000_000)
    assert (limits.nodes, limits.depth) == (500_000, 10_000)
    assert (limits.load_seconds, limits.settle_seconds, limits.page_seconds) == (30, 5, 60)
    assert (limits.redirects, limits.subresources) == (20, 1_000)


def test_manners_are_good_by_default() -> None:
    """Robots.txt is obeyed, one second lies between requests, and the name is our own."""
    policy = CrawlPolicy()
    assert (policy.robots, policy.delay, policy.public_only) == (True, 1.0, False)
    assert policy.user_agent == f"Sightline/{__version__}"


@pytest.mark.parametrize("wrong", [{"document_bytes": 0}, {"redirects": -1}, {"load_seconds": 0}])
def test_limits_refuse_values_out_of_bounds(wrong: dict[str, int]) -> None:
    """A limit that makes no sense is a usage error that names it."""
    with pytest.raises(UsageError, match=next(iter(wrong))):
        Limits(**wrong)


def test_limits_all_have_help() -> None:
    """Every setting says what it means, for flags and forms."""
    assert all(declared.metadata["help"] for kind in (Limits, CrawlPolicy) for declared in describe(kind))


def test_megabytes_are_readable() -> None:
    """A limit in a message is written as people write it."""
    assert [megabytes(n) for n in (50_000_000, 1_500_000, 999)] == ["50 MB", "1.5 MB", "999 bytes"]
