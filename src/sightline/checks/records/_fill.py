"""How many records have a field, against how many had it on good pages."""

from collections import Counter
from collections.abc import Iterator

from sightline.checks._report import Issue
from sightline.checks.records._chance import chance_fewer
from sightline.checks.records._run import RecordRun, matched, telling
from sightline.checks.records._settings import CheckSettings
from sightline.data import FieldProfile, Profile

__all__ = ["check_fill", "check_hollow", "known_holders"]

# Records of one page have or lack a field together: where a page has several, only what nearly all have is counted.
NEARLY_ALWAYS = 0.95
# Of the fields that all good pages had. Clean pages of sites that were learned from three pages have half and more.
LEAST_OF_ALWAYS = 0.5
FEWEST_ALWAYS = 2  # fields; of a single one a half says nothing
MOST_TOLD = 5  # pages that are named one by one
LEAST_DROP = 0.3  # of all records; a smaller loss is seen on clean runs of sites that were learned from three pages


def check_fill(run: RecordRun, profile: Profile, settings: CheckSettings, *, check: str = "fill") -> Iterator[Issue]:
    """Tell fields that far fewer records have than had them on good pages."""
    for column, own in telling(run, profile):
        if not column.holders or not own.fill - column.fill >= LEAST_DROP:
            continue
        if own.fill < NEARLY_ALWAYS and column.holders > len(run.taken):
            continue
        known = known_holders(own, profile)
        if chance_fewer(column.filled, column.holders, round(min(1.0, own.fill) * known), known) < settings.chance:
            reason = f"{column.filled} of {column.holders} records have it, where {own.fill:.0%} had it."
            yield Issue(check, "suspicious", reason, field=column.name)


def check_hollow(run: RecordRun, profile: Profile) -> Iterator[Issue]:
    """Tell pages that are one record each and have hardly anything of what all good pages had.

    Such a page is another page: a wall in words that nobody knows yet, a page that is gone, the front page.
    """
    if any(len(own.records) > 1 for own in run.taken):
        return
    always = [column for column, own in matched(run, profile) if own.fill >= NEARLY_ALWAYS and not column.scope]
    filled = Counter(page for column in always for page in {cell.page for cell in column.cells})
    few = [number for number in range(len(run.taken)) if filled[number] < LEAST_OF_ALWAYS * len(always)]
    if len(always) < FEWEST_ALWAYS:
        return
    for number in few[:MOST_TOLD]:
        reason = f"it has {filled[number]} of the {len(always)} fields that all good pages had: it is another page."
        yield Issue("fill", "suspicious", reason, source=run.taken[number].called)


def known_holders(own: FieldProfile, profile: Profile) -> int:
    """How many records the profile of a field was made of, as far as it tells."""
    each = max(1.0, (own.least + own.most) / 2)
    seen = max(own.count, len(own.examples)) / each
    return max(1, round(seen / min(1.0, own.fill)) if own.fill > 0 else profile.pages)
