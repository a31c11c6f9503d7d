"""What the examples of a lesson mean together: one value or a list, values of their own or the fields of records."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from sightline.errors import UsageError
from sightline.extract.wrappers._gathered import Gathered, ShownRecords, examples_by_name, locate_record, nodes_of
from sightline.extract.wrappers._listings import (
    ITEMS,
    LEAST_TOGETHER,
    Listing,
    first_records,
    in_step,
    items_beside,
    listings_of,
    region_of,
    rows_of,
    shares_items,
    shown_in_listing,
    single_field_records,
)
from sightline.extract.wrappers._one_of_many import LIKELY, POSSIBLE, has_own_label, lists_around
from sightline.extract.wrappers._sheet_rows import rows_of_sheets
from sightline.extract.wrappers.patterns import (
    RELATIONS,
    Condition,
    LearnedPattern,
    Pattern,
    RecordShown,
    RegionShown,
    Rule,
    SearchSpan,
    Taught,
    TeachSettings,
    View,
    found_by,
    is_whole_item,
    item_at,
    items_of,
    label_key,
    learn_field,
    learn_region,
    learn_set,
    search_span_in,
)

MANY_PLACES = 10  # of one text on a page, from which on the text hardly tells which one is meant
LEAST_BESIDE = 3  # items of a list beside a single example; with fewer, it may as well be one of a few different things


class Meant:
    """The patterns that the examples of a lesson mean, each learned when first asked for.

    Records that the examples imply are named `records`.
    """

    def __init__(self, gathered: Gathered, settings: TeachSettings, records: str = ITEMS) -> None:
        self._gathered = gathered
        self._settings = settings
        self._records = records
        self._regions = InRegions(gathered, settings)
        self._learned: dict[str, LearnedPattern] = {}
        self._free_patterns: dict[str, LearnedPattern] = {}
        self._listed: frozenset[str] | None = None
        self._listing: LearnedPattern | None = None
        self._is_listing: bool | None = None

    @property
    def names(self) -> list[str]:
        """The fields and sets that have examples."""
        return self._gathered.names

    # ------------------------------------------------------------------ all names together

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns of all names; fields that repeat together become the fields of records."""
        names = self._gathered.names
        if not names:
            raise UsageError("There is no example yet; give one with want().")
        learned, _ = self.by_name()
        return self.together(learned)

    def together(self, learned: Mapping[str, Pattern]) -> tuple[Pattern, ...]:
        """These patterns; those that repeat together become the fields of records."""
        if not learned:
            return ()
        if listing := self._listing_with(next(iter(learned))):
            return (listing.pattern,)
        lists = [
            name
            for name, pattern in learned.items()
            if pattern.many and not (pattern.fields or pattern.split) and self._gathered.is_given_singly(name)
        ]
        if not lists:
            return tuple(learned.values())
        if len(learned) == 1:
            return (self._with_rules(single_field_records(learned[lists[0]], self._records)),)
        together = self._records_from_lists(lists)
        if not together:
            return tuple(learned.values())
        inside = [pattern.name for pattern in together.fields]
        rest = [pattern for name, pattern in learned.items() if name not in inside]
        return (*rest, together)

    def by_name(self) -> tuple[dict[str, Pattern], list[str]]:
        """The pattern of each name, and what is wrong with fields of pages shown as a whole that have no rule."""
        found, unlearned = self.learnable()
        singly = next((problem for name, problem in unlearned.items() if self._gathered.is_given_singly(name)), None)
        if singly is not None or (unlearned and not found):
            raise singly or next(iter(unlearned.values()))
        return found, [str(problem) for problem in unlearned.values()]

    def learnable(self) -> tuple[dict[str, Pattern], dict[str, UsageError]]:
        """The pattern of each name that has one, and what is wrong with the others.

        Patterns are marked that take one of many where nobody has said that only one is meant.
        """
        found: dict[str, Pattern] = {}
        unlearned: dict[str, UsageError] = {}
        for name in self._gathered.names:
            try:
                pattern = self.hypothesis(name).pattern
            except UsageError as problem:
                unlearned[name] = problem
            else:
                found[name] = replace(pattern, lone=True) if self._is_lone(name, pattern) else pattern
        return found, unlearned

    def _is_lone(self, name: str, pattern: Pattern) -> bool:
        one_value = not pattern.many and not pattern.fields and pattern.take == "text"
        if not one_value or pattern.pages > 1 or not self._gathered.is_given_singly(name) or self._listing_with(name):
            return False
        if self._gathered.names == [name] and (self._regions.list_of_one(POSSIBLE) or only_counts(pattern.rules[0])):
            return True
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
            pattern = learn_set(self._records, kept, most=self._settings.conditions).pattern
        except UsageError:  # lists in step are not records then, and stay lists
            return None
        return self._with_rules(pattern)

    # ------------------------------------------------------------------ one name

    def hypothesis(self, name: str) -> LearnedPattern:
        """What was learned about a field or a set; a dot separates a set from its fields."""
        if name not in self._learned:
            self._learned[name] = self._edited(name) or self._learn(name)
        return self._learned[name]

    def asked(self, name: str) -> LearnedPattern:
        """What is not certain about a field: where a single example stands for a list, that it may be more or less."""
        learned = self.hypothesis(name)
        if self._gathered.names == [name] and self._listing_with(name) and self._regions.list_of_one(LIKELY):
            return self._free_or_none(name) or learned
        return learned

    def _edited(self, name: str) -> LearnedPattern | None:
        """A field with the rules that people wrote for it; what else it is like stays as it was learned, if it was."""
        rules = self._gathered.rules.get(name)
        if rules is None:
            return None
        try:
            learned = self._learn(name)
        except UsageError:  # no rule was found for the examples: the one written by hand is all there is
            learned = LearnedPattern(Pattern(name, rules))
        return replace(learned, pattern=replace(learned.pattern, rules=rules), hypotheses=[])

    def _with_rules(self, pattern: Pattern) -> Pattern:
        """A pattern of records with the rules that people wrote for it and for its fields, which may then be empty."""
        written = self._gathered.rules
        shown = pattern.name in self._gathered.names
        fields = tuple(
            replace(field, rules=rules, optional=True)
            if (rules := written.get(f"{pattern.name}.{field.name}" if shown else field.name))
            else field
            for field in pattern.fields
        )
        rules = written.get(pattern.name) or rows_of_sheets(self._gathered, pattern.rules, fields)
        return replace(pattern, fields=fields, rules=rules)

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
            learned = self._regions.records_shown(name, records) or learn_set(name, shown, most=most)
            return replace(learned, pattern=self._with_rules(learned.pattern))
        fields = (
            {learned.pattern.name: learned for learned in listing.fields}
            if (listing := self._listing_with(name))
            else {}
        )
        if name in fields:
            return fields[name]
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
            listing = self._regions.records_given(self._records)
            self._is_listing = listing is not None
            if listing:
                pattern = self._with_rules(listing.pattern)
                inside = zip(listing.fields, pattern.fields, strict=True)
                fields = tuple(replace(learned, pattern=field) for learned, field in inside)
                self._listing = replace(listing, pattern=pattern, fields=fields)
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
            free = {name: learned for name in single if (learned := self._free_or_none(name))}
            lists = [name for name, learned in free.items() if learned.pattern.many or self._is_item(name, learned)]
            beside = [name for name in free if any(_goes_with(free[name], free[other]) for other in lists)]
            together = frozenset((*lists, *beside))
            self._listed = together if len(together) > 1 or len(single) == 1 else frozenset()
        return self._listed

    def _is_item(self, name: str, learned: LearnedPattern) -> bool:
        """Whether a field's example is a whole item of a list, told from the others by nothing but its position."""
        pages = [taught for taught in learned.taught if taught.wanted]
        if len(pages) != 1 or pages[0].rejected or len(self._regions.siblings(pages[0])) < LEAST_BESIDE:
            return False
        return self._is_lone(name, learned.pattern)

    def _free_or_none(self, name: str) -> LearnedPattern | None:
        try:
            return self._free(name)
        except UsageError:  # which says what is wrong when this field itself is asked for
            return None

    def _free(self, name: str) -> LearnedPattern:
        """What a field's examples mean without regard to other fields."""
        if name not in self._free_patterns:
            gathered, most = self._gathered, self._settings.conditions
            self._free_patterns[name] = learn_field(name, gathered.taught(name), gathered.values, most=most)
        return self._free_patterns[name]


def _goes_with(learned: LearnedPattern, other: LearnedPattern) -> bool:
    """Whether the example of a field is in an item of a list."""
    return any(
        shares_items(taught.view, example.nodes[0], found_by(taught.view, other.pattern, taught.span)[0].tolist())
        for taught in learned.taught
        for example in taught.wanted
    )


# Whether a single example is one of many: a field that takes one value where a list has several like it.

LEAST_ALIKE = 4  # records with such a value; of fewer, each may be something else
RECURRING = 0.5  # of the records
LABELLED = 2  # texts of a record that is a label and its value
ABOVE = ("after", "following", "below")  # tests of a label that only the first item of a list below it has
MOSTLY = 0.5  # of the other records have another one of them before them


def is_lone(view: View, listings: Sequence[Listing], pattern: Pattern) -> bool:
    """Whether a field's value is in a record of a list, others have the like, and its rule only counts.

    A rule that says what the value is, by a class, a label or a heading that the others lack, does not count. That it
    is below the heading of the whole list says only that it is the first.
    """
    found = found_by(view, pattern, SearchSpan(0, len(view.page)))[0]
    if len(found) != 1:
        return False
    return any(_is_one_of(view, listing, int(found[0]), pattern.rules[0]) for listing in listings if listing.is_list)


def _is_one_of(view: View, listing: Listing, node: int, rule: Rule) -> bool:
    number = int(listing.numbers([node])[0])
    if number < 0 or _is_labelled(view, listing, number, node):
        return False
    first = int(listing.start[0])
    alike = np.flatnonzero(view.page.path[first : int(listing.stop[-1])] == view.page.path[node]) + first
    records = len(set(listing.numbers(alike).tolist()) - {-1})
    if records < max(LEAST_ALIKE, RECURRING * len(listing.start)):
        return False
    own, others = _labels(view, listing, number)
    relations = {label_key(condition.value) for condition in rule.conditions if condition.test in RELATIONS}
    if relations & (own - others):
        return False
    if rule.pick != "all" or relations & (others - own) or any(map(_counts, rule.conditions)):
        return True
    above = {label_key(condition.value) for condition in rule.conditions if condition.test in ABOVE}
    return bool(above - own - others) and _follow_each_other(view, listing)


def _follow_each_other(view: View, listing: Listing) -> bool:
    """Whether the text before most records is in another one, so that they have no labels between them."""
    before = view.leaves[np.maximum(view.first[listing.start[1:]] - 1, 0)]
    return bool(np.mean(listing.numbers(before) >= 0) > MOSTLY)


def _is_labelled(view: View, listing: Listing, number: int, node: int) -> bool:
    """Whether a value follows a label in records that are just that, such as the rows of a data sheet."""
    begin, end = np.searchsorted(view.leaves, listing.start), np.searchsorted(view.leaves, listing.stop)
    return bool(np.median(end - begin) <= LABELLED and view.first[node] > view.first[listing.start[number]])


def _labels(view: View, listing: Listing, number: int) -> tuple[set[str], set[str]]:
    """The texts of a record as labels, and those of the others."""
    texts = [
        {label_key(text) for text in view.texts[int(view.first[start]) : int(view.last[stop - 1])]}
        for start, stop in zip(listing.start.tolist(), listing.stop.tolist(), strict=True)
    ]
    return texts[number], set().union(*texts[:number], *texts[number + 1 :])


def only_counts(rule: Rule) -> bool:
    """Whether a rule says of several that are alike which one it takes, by its position."""
    return rule.pick != "all" or any(condition.test in ("place", "last") for condition in rule.conditions)


def _counts(condition: Condition) -> bool:
    """Whether a condition tells one record from others by its position or its number."""
    numbered = condition.test in ("id", "attribute") and any(map(str.isdigit, condition.value))
    return numbered or condition.test in ("place", "last", "text")


# Examples in the repeated regions of a lesson's pages: the records, or the other items of a list, that they mean.


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
            meant = self.list_of_one(LIKELY)
            return self._learned(name, [meant]) if meant else None
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

    def list_of_one(self, least: float) -> RegionShown | None:
        """The list that the only example of a lesson stands for, if that is so likely."""
        given = self._gathered.examples
        if len(given) != 1 or not given[0].wanted or given[0].complete or len(self._gathered.given) > 1:
            return None
        number, located = given[0].page, given[0].located
        if located is None or located.part or located.take != "text":
            return None
        view = self._gathered.views[number]
        if located.places >= MANY_PLACES and least >= LIKELY:
            return None  # one text all over the page is hardly a list of things
        if has_own_label(view, located, given[0].name):
            return None
        best = max(lists_around(view, self.listings(number), located), key=lambda around: around.chance, default=None)
        if best is None or best.chance < least:
            return None
        return region_of(view, best.listing, {best.number: {given[0].name: (located,)}})

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
