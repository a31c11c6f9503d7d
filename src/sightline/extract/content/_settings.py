"""What of the reading of main texts can be chosen."""

from dataclasses import dataclass

from sightline.settings import Settings, setting

__all__ = ["ContentSettings"]


@dataclass(frozen=True, kw_only=True)
class ContentSettings(Settings):
    """How much is taken for the main text, and what of it."""

    recall: float = setting(
        1.0,
        help="how much a missing word weighs against a wrong one; above 1 more is kept, below 1 less",
        minimum=0.1,
        maximum=10.0,
    )
    hidden: bool = setting(default=True, help="whether text that is there but hidden, as in folded parts, may be taken")
    repeated: bool = setting(default=False, help="whether a long piece that is said again is kept again")
