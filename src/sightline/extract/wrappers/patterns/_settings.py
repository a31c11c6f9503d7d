"""Settings for teaching."""

from dataclasses import dataclass

from sightline.settings import Settings, setting

__all__ = ["TeachSettings"]


@dataclass(frozen=True, kw_only=True)
class TeachSettings(Settings):
    """How patterns are learned from examples."""

    conditions: int = setting(
        3, help="most conditions in a rule; few are more general and easier to read", minimum=1, maximum=3
    )
