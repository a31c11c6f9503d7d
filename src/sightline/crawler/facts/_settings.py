"""What can be set about facts."""

from dataclasses import dataclass

from sightline.settings import Settings, setting

__all__ = ["FactSettings"]


@dataclass(frozen=True, kw_only=True)
class FactSettings(Settings):
    """How statements of many pages become facts."""

    weighing: str = setting(
        "sources",
        help="how sites are weighed: `sources` by how often they are right elsewhere, `majority` all alike",
        choices=("sources", "majority"),
    )
    merging: str = setting(
        "evidence",
        help="which names are one: `evidence` also those spelled alike whose values agree, `spelling` only equal ones",
        choices=("evidence", "spelling"),
    )
    places: int = setting(3, help="how many pages to name for each value and site", minimum=1)
