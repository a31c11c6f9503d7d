"""What can be left out of structure recognition."""

import pytest

from sightline.errors import UsageError
from sightline.extract.structure import RULES, StructureSettings


def test_rules_can_be_left_out_by_name() -> None:
    """Every rule can be left out by its name, and all at once."""
    assert StructureSettings(without=tuple(RULES)).without == tuple(RULES)


def test_unknown_rule_is_rejected() -> None:
    """A name that is not in `RULES` is an error that names it."""
    with pytest.raises(UsageError, match="tagz"):
        StructureSettings(without=("tagz",))
