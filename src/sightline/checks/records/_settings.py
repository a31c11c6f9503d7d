"""What can be set about the checks of records, and the checks that can be left out one by one."""

from dataclasses import dataclass

from sightline.settings import Settings, check_rules, setting

__all__ = ["CHECKS", "CheckSettings"]

CHECKS: dict[str, str] = {
    "reading": "what the wrapper itself said of the pages",
    "walls": "block pages, captchas, log-in walls and rate limits",
    "coverage": "the records that the page announces, or has, against those extracted",
    "count": "the number of records of a page against that of good pages",
    "fill": "the share of the records that have a field",
    "types": "values that are not of the field's type, or of another currency",
    "ranges": "numbers and lengths far from those of good pages",
    "fees": "an amount that is the same everywhere, or is called a fee, where there were prices",
    "shift": "values that look like those of another field",
    "rows": "values that stand nearer to the next record than to their own",
    "advertisements": "records that are unlike the others of their page",
    "duplicates": "the same record again, on a page or for another address",
    "looks": "values that look unlike the others of their field (a notice)",
    "drift": "what changed since the last good run",
}
"""The checks by their names, which are those of the issues."""

# All found on the sites of the benchmark (`python -m bench.outliers.faults`): the clean runs of its 54 sites stay ok,
# and the planted faults are seen. Run it again after a change.

# Twenty values that all differ from three known ones have a chance of 0.00056, and that is not enough: people teach on
# pages that have everything, and with 0.001 a clean run of twenty others is told to lack a field. None of the planted
# faults is missed for it.
CHANCE = 0.0005
LEAST_COVERAGE = 0.9  # by judgement: lists have a heading or an advertisement among twenty records
MOST_DUPLICATES = 0.2  # by judgement; no clean list of the sites repeats any
MOST_SUSPICIOUS = 0.8  # wrappers are unsure of up to 9 of 14 pages of clean runs that they read right
FAR = 20.0  # as wrappers have had it for their own pages: clean numbers of other pages stay within


@dataclass(frozen=True, kw_only=True)
class CheckSettings(Settings):
    """How strictly records are checked."""

    chance: float = setting(
        CHANCE,
        help="how unlikely a difference must be by chance before it is told; less is more patient",
        minimum=0,
        maximum=0.5,
    )
    least_coverage: float = setting(
        LEAST_COVERAGE, help="the share of the announced records that must be extracted", minimum=0, maximum=1
    )
    most_duplicates: float = setting(
        MOST_DUPLICATES, help="the share of a page's records that may repeat another", minimum=0, maximum=1
    )
    most_suspicious: float = setting(
        MOST_SUSPICIOUS, help="the share of the pages that the wrapper may be unsure of", minimum=0, maximum=1
    )
    far: float = setting(FAR, help="how many times beyond the range of good pages a single number may lie", minimum=1)
    without: tuple[str, ...] = setting((), help="checks to leave out, by name")

    def __post_init__(self) -> None:
        """Refuse checks that do not exist."""
        super().__post_init__()
        check_rules(self.without, CHECKS)
