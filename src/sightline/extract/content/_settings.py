"""Settings for reading main texts."""

from dataclasses import dataclass

from sightline.settings import Settings, setting

__all__ = ["BALANCE", "PRECISION", "RECALL", "ContentSettings"]

BALANCE, PRECISION, RECALL = "balance", "precision", "recall"


@dataclass(frozen=True, kw_only=True)
class ContentSettings(Settings):
    """How much counts as main text, and what part of it is returned."""

    favor: str = setting(
        BALANCE,
        help="what matters most: precision keeps only what is surely main text, recall all that may be",
        choices=(BALANCE, PRECISION, RECALL),
    )
    recall: float = setting(
        1.0,
        help="weight of a missing word against a wrong one; above 1 keeps more, below 1 less",
        minimum=0.1,
        maximum=10.0,
    )
    hidden: bool = setting(default=True, help="whether hidden text, such as folded parts, may be kept")
    repeated: bool = setting(default=False, help="whether to keep a long passage again when it is repeated")
