"""Inputs that a batch knows already are looked at again; what another driver adds meanwhile is left to it."""

from pathlib import Path

import pytest

from sightline.errors import UsageError
from sightline.scale.inputs import InputSettings, KnownInputs, find_inputs

from .._corpus import write_pages


def test_an_input_that_is_still_to_be_read_may_not_change(tmp_path: Path) -> None:
    """Although nobody names it this time."""
    pages = write_pages(tmp_path / "pages", 2)
    (found,) = find_inputs([str(pages)], InputSettings())
    assert not isinstance(found, Exception)
    KnownInputs([found], str(tmp_path)).compare_rest([found.name])
    next(pages.glob("*.html")).write_text("another page")
    with pytest.raises(UsageError, match="has changed since this batch was begun"):
        KnownInputs([found], str(tmp_path)).compare_rest([found.name])


def test_an_input_that_another_driver_adds_in_this_moment_is_left_to_it(tmp_path: Path) -> None:
    """Two drivers that begin a batch together: the one that comes second knew of nothing when it looked."""
    KnownInputs([], str(tmp_path)).compare_rest(["pages"])
