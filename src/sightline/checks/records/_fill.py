"""How many records have a field, compared with good pages."""

from collections import Counter
from collections.abc import Iterator

from sightline.checks._report import Issue
from sightline.checks.records._chance import chance_fewer
from sightline.checks.records._run import RecordRun, comparable_columns, matched_columns
from sightline.checks.records._settings import CheckSettings
from sightline.data import FieldProfile, Profile

__all__ = ["check_fill", "check_hollow", "known_holders"]

# Records of one page have or lack a field together: if pages have several records, only fields that nearly all have
# are counted.
NEARLY_ALWAYS = 0.95
# Of the fields that all good pages had. Clean pages of sites learned from three pages have half or more.
LEAST_OF_ALWAYS = 0.5
FEWEST_ALWAYS = 2  # fields; half of a single one says nothing
MOST_NAMED = 5  # pages named individually
LEAST_DROP = 0.3  # of all records; smaller losses occur on clean runs of sites learned from three pages


def check_fill(run: RecordRun, profile: Profile, settings: CheckSettings, *, check: str = "fill") -> Iterator[Issue]:
    """Report fields that far fewer records have than on good pages."""
    for column, field in comparable_columns(run, profile):
        if not column.holders or not field.fill - column.fill >= LEAST_DROP:
            continue
        if field.fill < NEARLY_ALWAYS and column.holders > len(run.pages):
            continue
        known = known_holders(field, profile)
        if chance_fewer(column.filled, column.holders, round(min(1.0, field.fill) * known), known) < settings.chance:
            reason = f"{column.filled} of {column.holders} records have it; {field.fill:.0%} used to."
            yield Issue(check, "suspicious", reason, field=column.name)


def check_hollow(run: RecordRun, profile: Profile) -> Iterator[Issue]:
    """Report pages of a single record that have hardly any of the fields all good pages had.

    Such a page is a different page: a wall in unfamiliar words, a removed page, the front page.
    """
    if any(len(page_records.records) > 1 for page_records in run.pages):
        return
    always = [
        column for column, field in matched_columns(run, profile) if field.fill >= NEARLY_ALWAYS and not column.scope
    ]
    filled = Counter(page for column in always for page in {cell.page for cell in column.cells})
    few = [number for number in range(len(run.pages)) if filled[number] < LEAST_OF_ALWAYS * len(always)]
    if len(always) < FEWEST_ALWAYS:
        return
    for number in few[:MOST_NAMED]:
        reason = f"it has {filled[number]} of the {len(always)} fields that all good pages had: it is a different page."
        yield Issue("fill", "suspicious", reason, source=run.pages[number].name)


def known_holders(field: FieldProfile, profile: Profile) -> int:
    """How many records the profile of a field was made from, as far as it says."""
    each = max(1.0, (field.least + field.most) / 2)
    values = max(field.count, len(field.examples)) / each
    return max(1, round(values / min(1.0, field.fill)) if field.fill > 0 else profile.pages)
