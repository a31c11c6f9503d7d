"""The classes of the microformats of before 2010, and what microformats2 calls them.

After https://microformats.org/wiki/microformats2-parsing#algorithm and its rules for backward compatibility, with the
times and reviews that search engines added to recipes.
"""

from collections.abc import Mapping
from typing import TypeAlias

Property: TypeAlias = tuple[str, str]
"""How the value is read (`p`, `u`, `dt`, `e`), and the name of the property."""

CLASSIC_ROOTS: Mapping[str, str] = {
    "adr": "h-adr",
    "geo": "h-geo",
    "hentry": "h-entry",
    "hfeed": "h-feed",
    "hproduct": "h-product",
    "hrecipe": "h-recipe",
    "hresume": "h-resume",
    "hreview": "h-review",
    "hreview-aggregate": "h-review-aggregate",
    "vcard": "h-card",
    "vevent": "h-event",
}
ADDRESS = "p-locality p-region p-extended-address p-post-office-box p-street-address p-postal-code p-country-name"
REVIEW = "p-rating p-worst p-best dtreviewed=dt-reviewed reviewer=p-author u-url p-description summary=p-name fn=p-item"
TABLES: Mapping[str, str] = {
    "h-adr": ADDRESS,
    "h-geo": "p-latitude p-longitude",
    "h-entry": "p-category entry-title=p-name dt-published entry-content=e-content entry-summary=p-summary p-author"
    " p-geo dt-updated",
    "h-feed": "p-category site-description=p-summary site-title=p-name",
    "h-product": "p-category p-price p-description u-url u-photo p-brand p-identifier p-review p-rating fn=p-name",
    "h-recipe": "p-nutrition p-yield p-author dt-duration u-photo e-instructions p-summary p-ingredient p-category"
    " p-review dt-published fn=p-name preptime=dt-prep-time prepTime=dt-prep-time cooktime=dt-cook-time"
    " cookTime=dt-cook-time totaltime=dt-duration totalTime=dt-duration",
    "h-resume": "p-experience p-summary p-affiliation p-contact p-skill p-education",
    "h-review": f"{REVIEW} p-item",
    "h-review-aggregate": f"{REVIEW} p-item p-count p-votes p-average",
    "h-card": "p-tel p-honorific-suffix p-family-name u-photo u-logo u-uid p-category p-adr p-nickname p-label p-note"
    " p-latitude u-email dt-bday p-additional-name organization-unit=p-organization-unit p-given-name p-org"
    " p-honorific-prefix p-geo fn=p-name u-url p-longitude organization-name=p-organization-name title=p-job-title"
    f" p-role {ADDRESS}",
    "h-event": "p-attendee p-description dt-duration dtend=dt-end dtstart=dt-start p-organizer p-category u-url"
    " summary=p-name p-contact p-location",
}


def property_of(written: str) -> Property:
    """How the value of a property is read, and its name.

    >>> property_of("dt-prep-time")
    ('dt', 'prep-time')
    """
    prefix, _, name = written.partition("-")
    return prefix, name


def _table(written: str) -> dict[str, Property]:
    pairs = (entry.rpartition("=") for entry in written.split())
    return {name or property_of(entry)[1]: property_of(entry) for name, _, entry in pairs}


CLASSIC_PROPERTIES: Mapping[str, Mapping[str, Property]] = {root: _table(written) for root, written in TABLES.items()}
