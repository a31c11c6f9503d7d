"""What can be set about teaching."""

from dataclasses import dataclass

from sightline.settings import Settings, setting

__all__ = ["TeachSettings"]


@dataclass(frozen=True, kw_only=True)
class TeachSettings(Settings):
    """How patterns are learned from examples."""

    conditions: int = setting(
        3, help="conditions that a rule may have at most; few are general and easy to read", minimum=1, maximum=3
    )
