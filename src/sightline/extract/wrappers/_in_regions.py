"""Examples in the repeated regions of a lesson's pages: the records, or the other items of a list, that they mean."""

from collections.abc import Sequence
from dataclasses import replace

from sightline.errors import UsageError
from sightline.extract.wrappers._gathered import Gathered
from sightline.extract.wrappers._given import ShownRecords, examples_by_name, locate_record, nodes_of
from sightline.extract.wrappers._listings import Listing, items_beside, listings_of, rows_of, shown_in_listing
from sightline.extract.wrappers._parallel_lists import LEAST_TOGETHER
from sightline.extract.wrappers.patterns import (
    LearnedPattern,
    RegionShown,
    Taught,
    TeachSettings,
    is_whole_item,
    item_at,
    learn_region,
)

__all__ = ["InRegions"]


class InRegions:
    """The repeated regions of a lesson's pages, each found once, and what examples in them mean."""

    def __init__(self, gathered: Gathered, settings: TeachSettings) -> None:
        self._gathered = gathered
        self._settings = settings

    def listings(self, number: int) -> list[Listing]:
        """The repeated regions of a page of the lesson."""
        view, known = self._gathered.views[number], self._gathered.listings
        if view not in known:
            known[view] = listings_of(view)
        return known[view]

    # ------------------------------------------------------------------ records

    def records_given(self, name: str) -> LearnedPattern | None:
        """The records of the region that all examples are in, if there are several fields."""
        given = self._gathered.examples
        wanted = [one for one in given if one.wanted]
        if len(given) < len(self._gathered.given) or any(one.complete for one in given):
            return None
        if len({one.name for one in wanted}) < LEAST_TOGETHER:
            return None
        shown = []
        for number in sorted({one.page for one in wanted}):
            examples, rejected = (examples_by_name(given, number, wanted=kind) for kind in (True, False))
            found = shown_in_listing(self._gathered.views[number], self.listings(number), rows_of(examples))
            if found is None:
                return None
            refused = {field: frozenset(nodes_of(several)) for field, several in rejected.items()}
            if any(
                refused.get(field, frozenset()).issuperset(located.nodes)
                for field, several in examples.items()
                for located in several
            ):
                return None  # wanted and rejected: the field itself says so when it is learned alone
            shown.append(replace(found, rejected=refused))
        return self._learned(name, shown)

    def records_shown(self, name: str, given: Sequence[ShownRecords]) -> LearnedPattern | None:
        """The records of a set, if those that were shown are in a region that repeats."""
        shown = []
        for on_page in given:
            view = self._gathered.views[on_page.page]
            records = [values for record in on_page.records if (values := locate_record(view, record))]
            if len(records) < max(len(on_page.records), LEAST_TOGETHER):
                return None
            found = shown_in_listing(view, self.listings(on_page.page), records, from_start=True)
            if found is None:
                return None
            shown.append(found)
        return self._learned(name, shown)

    def _learned(self, name: str, shown: Sequence[RegionShown]) -> LearnedPattern | None:
        if not shown or len({on_page.flat for on_page in shown}) > 1:
            return None
        try:
            return learn_region(name, shown, most=self._settings.conditions)
        except UsageError:  # no rule tells its records from the rest, so the examples mean something else
            return None

    # ------------------------------------------------------------------ items

    def with_siblings(self, taught: Taught) -> Taught:
        """Examples that are whole items of a list, with all its other items: a field with many values."""
        if taught.complete or taught.rejected:
            return taught
        others = self.siblings(taught)
        return replace(taught, wanted=(*taught.wanted, *(item_at(taught.view, node) for node in others)))

    def siblings(self, taught: Taught) -> list[int]:
        """The other items of the list whose whole items the examples are; none if there is no such list.

        Nor if another field has one of them: then the items are different things.
        """
        view = taught.view
        if not taught.wanted or not all(is_whole_item(view, located.nodes[0]) for located in taught.wanted):
            return []
        number = self._gathered.views.index(view)
        found = items_beside(view, self.listings(number), taught.wanted)
        examples = examples_by_name(self._gathered.examples, number, wanted=True)
        taken = [node for several in examples.values() for node in nodes_of(several)]
        return [] if any(start <= node < view.page.end[start] for start in found for node in taken) else found
