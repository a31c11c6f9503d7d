"""What can be set about matching."""

from dataclasses import dataclass

from sightline.settings import Settings, setting

__all__ = ["MatchSettings"]


@dataclass(frozen=True, kw_only=True)
class MatchSettings(Settings):
    """When two records count as the same. The thresholds were chosen by `python -m bench.flow.fit_match`."""

    assignment: str = setting(
        "one-to-one",
        help="whether a record of the catalogue takes one record, or many, as with the offers of several shops",
        choices=("one-to-one", "many-to-one"),
    )
    matched: float = setting(
        0.35, help="the least chance of a match; higher is surer, and leaves more to review", minimum=0, maximum=1
    )
    review: float = setting(0.02, help="the least chance of a pair that a person is asked about", minimum=0, maximum=1)
    review_share: float = setting(
        0.15,
        help="how many pairs to ask about at most, as a share of the records; twenty are always asked about",
        minimum=0,
        maximum=1,
    )
