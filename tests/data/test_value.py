"""Values and origins."""

import pickle

import pytest

from sightline.data import Origin, Value
from sightline.errors import UsageError


def test_value_is_hashable_and_equal_by_content() -> None:
    """Two values of the same content are one in a set."""
    origin = Origin("p", (1, 2), (0.0, 0.0, 1.0, 1.0))
    assert len({Value("a", None, origin), Value("a", None, Origin("p", (1, 2), (0.0, 0.0, 1.0, 1.0)))}) == 1


def test_value_cannot_be_changed() -> None:
    """A value is frozen and has no room for other attributes."""
    with pytest.raises(AttributeError):
        Value("a").text = "b"  # type: ignore[misc]
    assert not hasattr(Value("a"), "__dict__")


def test_value_survives_pickling() -> None:
    """Workers in other processes get the same value."""
    value = Value("5", 5, Origin("p", (3,)), 0.5)
    assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan")])
def test_value_refuses_a_confidence_outside_zero_to_one(confidence: float) -> None:
    """A confidence is a share."""
    with pytest.raises(UsageError, match="between 0 and 1"):
        Value("a", confidence=confidence)


def test_value_shows_its_text() -> None:
    """A value prints as the text that was seen."""
    assert str(Value("1.234 €", 1234)) == "1.234 €"
