"""What the examples of a lesson mean together: one value or a list, values of their own or the fields of records."""

from collections.abc import Sequence
from dataclasses import replace

from sightline.errors import UsageError
from sightline.extract.wrappers._gathered import Gathered
from sightline.extract.wrappers._given import ShownRecords
from sightline.extract.wrappers._in_regions import InRegions
from sightline.extract.wrappers._lone import is_lone
from sightline.extract.wrappers._parallel_lists import (
    ITEMS,
    LEAST_TOGETHER,
    first_records,
    in_step,
    shares_items,
    single_field_records,
)
from sightline.extract.wrappers.patterns import (
    LearnedPattern,
    Pattern,
    RecordShown,
    SearchSpan,
    TeachSettings,
    View,
    found_by,
    items_of,
    learn_field,
    learn_set,
    search_span_in,
)

__all__ = ["Meant"]

LEAST_BESIDE = 3  # items of a list beside a single example; with fewer, it may as well be one of a few different things


class Meant:
    """The patterns that the examples of a lesson mean, each learned when first asked for."""

    def __init__(self, gathered: Gathered, settings: TeachSettings) -> None:
        self._gathered = gathered
        self._settings = settings
        self._regions = InRegions(gathered, settings)
        self._learned: dict[str, LearnedPattern] = {}
        self._free_patterns: dict[str, tuple[tuple[int, ...], LearnedPattern]] = {}
        self._listed: frozenset[str] | None = None
        self._listing: LearnedPattern | None = None
        self._is_listing: bool | None = None

    def forget(self) -> None:
        """Discard what was learned: after another example it may no longer hold."""
        self._learned.clear()
        self._listed = None
        self._is_listing = None

    # ------------------------------------------------------------------ all names together

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns of all names; fields that repeat together become the fields of records."""
        names = self._gathered.names
        if not names:
            raise UsageError("There is no example yet; give one with want().")
        learned, _ = self.by_name()
        if listing := self._listing_with(names[0]):
            return (listing.pattern,)
        lists = [
            name
            for name, pattern in learned.items()
            if pattern.many and not pattern.fields and self._gathered.is_given_singly(name)
        ]
        if not lists:
            return tuple(learned.values())
        if len(learned) == 1:
            return (single_field_records(learned[lists[0]]),)
        together = self._records_from_lists(lists)
        if not together:
            return tuple(learned.values())
        inside = [pattern.name for pattern in together.fields]
        rest = [pattern for name, pattern in learned.items() if name not in inside]
        return (*rest, together)

    def by_name(self) -> tuple[dict[str, Pattern], list[str]]:
        """The pattern of each name, and what is wrong with fields of pages shown as a whole that have no rule.

        Patterns are marked that take one of many where nobody has said that only one is meant.
        """
        found: dict[str, Pattern] = {}
        unlearned = []
        for name in self._gathered.names:
            try:
                pattern = self.hypothesis(name).pattern
            except UsageError as problem:
                if self._gathered.is_given_singly(name):
                    raise
                unlearned.append(str(problem))
            else:
                found[name] = pattern
        if unlearned and not found:
            raise UsageError(unlearned[0])
        marked = {
            name: replace(pattern, lone=True) if self._is_lone(name, pattern) else pattern
            for name, pattern in found.items()
        }
        return marked, unlearned

    def _is_lone(self, name: str, pattern: Pattern) -> bool:
        one_value = not pattern.many and not pattern.fields and pattern.take == "text"
        if not one_value or pattern.pages > 1 or not self._gathered.is_given_singly(name):
            return False
        number = self._gathered.of(name)[0].page
        return is_lone(self._gathered.views[number], self._regions.listings(number), pattern)

    def _records_from_lists(self, names: Sequence[str]) -> Pattern | None:
        """The records made of lists that run through a page in step, if any do."""
        shown, in_all = [], set(names)
        for view in self._gathered.views:
            nodes = {name: self.nodes(name, view) for name in names}
            leading = max(names, key=lambda name: len(nodes[name]))
            steps = [name for name in names if in_step(nodes[leading], nodes[name])]
            if len(steps) < LEAST_TOGETHER or len(nodes[leading]) < LEAST_TOGETHER:
                continue
            in_all &= set(steps)
            shown.append(RecordShown(view, tuple(first_records(view, {name: nodes[name] for name in steps}, leading))))
        in_all_order = [name for name in names if name in in_all]
        if not shown or len(in_all_order) < LEAST_TOGETHER:
            return None
        kept = [
            replace(
                on_page,
                records=tuple(
                    {name: texts for name, texts in record.items() if name in in_all} for record in on_page.records
                ),
            )
            for on_page in shown
        ]
        try:
            pattern = learn_set(ITEMS, kept, most=self._settings.conditions).pattern
        except UsageError:  # lists in step are not records then, and stay lists
            return None
        return pattern

    # ------------------------------------------------------------------ one name

    def hypothesis(self, name: str) -> LearnedPattern:
        """What was learned about a field or a set; a dot separates a set from its fields."""
        if name not in self._learned:
            self._learned[name] = self._learn(name)
        return self._learned[name]

    def nodes(self, name: str, view: View) -> list[int]:
        """The nodes of a page that the current hypothesis matches."""
        spans = [SearchSpan(0, len(view.page))]
        if listing := self._listing_with(name):
            field = self.hypothesis(name).pattern
            spans = [search_span_in(field, item) for item in items_of(view, listing.pattern, spans[0])[0]]
            return [node for span in spans for node in found_by(view, field, span)[0].tolist()]
        path = name.split(".")
        for depth in range(1, len(path)):
            holder, field = (self.hypothesis(".".join(path[:end])).pattern for end in (depth, depth + 1))
            spans = [search_span_in(field, item) for span in spans for item in items_of(view, holder, span)[0]]
        pattern = self.hypothesis(name).pattern
        return [node for span in spans for node in found_by(view, pattern, span)[0].tolist()]

    def _learn(self, name: str) -> LearnedPattern:
        holder, _, inner = name.rpartition(".")
        if holder:
            fields = {learned.pattern.name: learned for learned in self.hypothesis(holder).fields}
            if inner not in fields:
                raise UsageError(f"There is no example of “{name}” yet; give one.")
            return fields[inner]
        gathered, most = self._gathered, self._settings.conditions
        records = [given for given in gathered.given if isinstance(given, ShownRecords) and given.name == name]
        if records:
            shown = [RecordShown(gathered.views[given.page], given.records) for given in records]
            return self._regions.records_shown(name, records) or learn_set(name, shown, most=most)
        if listing := self._listing_with(name):
            return next(learned for learned in listing.fields if learned.pattern.name == name)
        if name not in gathered.names:
            raise UsageError(f"There is no example of “{name}” yet; give one with want().")
        taught = gathered.taught(name)
        if not gathered.is_single(name):
            several = list(map(self._regions.with_siblings, taught))
            return learn_field(name, several, gathered.values, most=most)
        free, many = self._free(name), name in self._lists
        if free.pattern.many == many:
            return free
        alone = [self._regions.with_siblings(replace(on_page, complete=not many)) for on_page in taught]
        return learn_field(name, alone, gathered.values, many=many, most=most)

    def _listing_with(self, name: str) -> LearnedPattern | None:
        """The records that the examples of a field, with those of all others, are in: a region that repeats."""
        if self._is_listing is None:
            self._listing = self._regions.records_given()
            self._is_listing = self._listing is not None
        return self._listing if self._is_listing and name in self._gathered.names else None

    # ------------------------------------------------------------------ one value, or a list

    @property
    def _lists(self) -> frozenset[str]:
        """The fields whose single examples stand for lists: several that belong together, or the only one.

        A page about one thing has lists as well. So if only one field seems to be a list, beside others that are not,
        its example stands for itself.
        """
        if self._listed is None:
            single = [name for name in self._gathered.names if "." not in name and self._gathered.is_single(name)]
            free = {name: self._free(name) for name in single}
            lists = [name for name, learned in free.items() if learned.pattern.many or self._is_item(name, learned)]
            beside = [name for name in single if any(_goes_with(free[name], free[other]) for other in lists)]
            together = frozenset((*lists, *beside))
            self._listed = together if len(together) > 1 or len(single) == 1 else frozenset()
        return self._listed

    def _is_item(self, name: str, learned: LearnedPattern) -> bool:
        """Whether a field's example is a whole item of a list, told from the others by nothing but its position."""
        pages = [taught for taught in learned.taught if taught.wanted]
        if len(pages) != 1 or pages[0].rejected or len(self._regions.siblings(pages[0])) < LEAST_BESIDE:
            return False
        return self._is_lone(name, learned.pattern)

    def _free(self, name: str) -> LearnedPattern:
        """What a field's examples mean without regard to other fields; cached until it gets another example."""
        examples = tuple(id(given) for given in self._gathered.given if given.name == name)
        cached = self._free_patterns.get(name)
        if cached is None or cached[0] != examples:
            gathered = self._gathered
            learned = learn_field(name, gathered.taught(name), gathered.values, most=self._settings.conditions)
            cached = self._free_patterns[name] = (examples, learned)
        return cached[1]


def _goes_with(learned: LearnedPattern, other: LearnedPattern) -> bool:
    """Whether the example of a field is in an item of a list."""
    return any(
        shares_items(taught.view, example.nodes[0], found_by(taught.view, other.pattern, taught.span)[0].tolist())
        for taught in learned.taught
        for example in taught.wanted
    )
