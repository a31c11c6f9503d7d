"""What can be left out of structure recognition."""

import pytest

from sightline.errors import UsageError
from sightline.extract.structure import RULES, StructureSettings


def test_rules_can_be_left_out_by_name() -> None:
    """Every rule that is told of can be named, and all at once."""
    assert StructureSettings(without=tuple(RULES)).without == tuple(RULES)


def test_rule_that_there_is_not_is_refused() -> None:
    """A name that is no rule is an error that names it, not silence."""
    with pytest.raises(UsageError, match="tagz"):
        StructureSettings(without=("tagz",))
