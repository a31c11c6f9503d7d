"""The settings of record checks, and the names of checks that can be left out."""

from dataclasses import dataclass

from sightline.settings import Settings, check_rules, setting

CHECKS: dict[str, str] = {
    "reading": "what the wrapper itself reported about the pages",
    "walls": "block pages, captchas, log-in walls and rate limits",
    "cuts": "pages of which something is missing, such as rows beyond a limit",
    "coverage": "the records that the page announces or contains, compared with those extracted",
    "count": "the number of records per page, compared with good pages",
    "fill": "the share of records that have a field",
    "types": "values of another type or currency than the field",
    "ranges": "numbers and lengths far from those of good pages",
    "fees": "amounts that are the same everywhere, or labelled as a fee, instead of prices",
    "shift": "values that look like those of another field",
    "rows": "values that are nearer to the next record than to their own",
    "advertisements": "records that are unlike the others on their page",
    "duplicates": "the same record again, on a page or under another address",
    "looks": "values that look unlike the others of their field (a notice)",
    "drift": "what changed since the last good run",
}
"""The checks by name, as in `Issue.check`."""

# All found on the sites of the benchmark (`python -m bench.outliers.faults`): the clean runs of its 54 sites stay ok,
# and the planted faults are detected. Run it again after a change.

# Twenty values that all differ from three known ones have a chance of 0.00056, and that must not be enough: people
# teach on pages that have everything, and with 0.001 a clean run of twenty others is reported to lack a field. No
# planted fault is missed because of it.
CHANCE = 0.0005
LEAST_COVERAGE = 0.9  # by judgement: a list may have a heading or an advertisement among twenty records
MOST_DUPLICATES = 0.2  # by judgement; no clean list of the sites repeats any record
# None: a page that is suspicious when it is extracted is so when it is checked. Wrappers are unsure of up to 10 of 22
# pages that they read correctly, so whoever knows a site may allow some.
MOST_SUSPICIOUS = 0.0
FAR = 20.0  # as wrappers use for their own pages: clean numbers of other pages stay within


@dataclass(frozen=True, kw_only=True)
class CheckSettings(Settings):
    """How strict the checks on records are."""

    chance: float = setting(
        CHANCE,
        help="how unlikely a difference must be by chance to be reported; lower values report less",
        minimum=0,
        maximum=0.5,
    )
    least_coverage: float = setting(
        LEAST_COVERAGE, help="the share of the announced records that must be extracted", minimum=0, maximum=1
    )
    most_duplicates: float = setting(
        MOST_DUPLICATES, help="the share of a page's records that may repeat another record", minimum=0, maximum=1
    )
    most_suspicious: float = setting(
        MOST_SUSPICIOUS, help="the share of the pages that the wrapper may be unsure of", minimum=0, maximum=1
    )
    far: float = setting(FAR, help="how many times beyond the range of good pages a single number may lie", minimum=1)
    without: tuple[str, ...] = setting((), help="checks to leave out, by name")

    def __post_init__(self) -> None:
        """Reject unknown checks."""
        super().__post_init__()
        check_rules(self.without, CHECKS)
