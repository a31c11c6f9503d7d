"""What all examples of a lesson mean: those of each group of fields by themselves, and those of the others together."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from sightline.errors import UsageError
from sightline.extract.wrappers._gathered import Gathered
from sightline.extract.wrappers._given import examples_by_name
from sightline.extract.wrappers._hypotheses import Meant
from sightline.extract.wrappers._listings import rows_of
from sightline.extract.wrappers.patterns import (
    LearnedPattern,
    Pattern,
    RecordExample,
    RecordShown,
    SearchSpan,
    TeachSettings,
    View,
    items_of,
    learn_set,
    read_patterns,
    search_span_in,
)

__all__ = ["Meanings"]

SHOWN = 5  # records that the rules of a group are learned from


class Meanings:
    """The patterns that the examples of a lesson mean, group by group.

    Without groups this is what the examples mean together. A group is learned by itself, as records; a group in a group
    gives nested records.
    """

    def __init__(self, gathered: Gathered, settings: TeachSettings) -> None:
        self._gathered = gathered
        self._settings = settings
        self._fields = _filled_groups(gathered)
        grouped = {name for names in self._fields.values() for name in names}
        # Without a name is what was shown of a page as a whole, beyond its fields.
        rest = ["", *(name for name in gathered.names if name not in grouped)]
        self._rest = Meant(gathered.of_fields(rest), settings, gathered.records_name)
        self._groups = {into: Meant(gathered.of_fields(names), settings, into) for into, names in self._fields.items()}
        self._sets: dict[str, Pattern] = {}

    # ------------------------------------------------------------------ all fields

    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns of all names, as `Meant.patterns` gives them, and those of the groups."""
        if not self._groups:
            return self._rest.patterns()
        alone = self._rest.patterns() if self._rest.names else ()
        return (*alone, *(self._set(into) for into in self._outer))

    def learnable(self) -> tuple[tuple[Pattern, ...], dict[str, str]]:
        """The patterns of what can be learned, and by name what is wrong with the rest."""
        found, unlearned = self._rest.learnable()
        patterns, problems = list(self._rest.together(found)), {name: str(why) for name, why in unlearned.items()}
        for into in self._outer:
            try:
                patterns.append(self._set(into))
            except UsageError as problem:
                problems[into] = str(problem)
        return tuple(patterns), problems

    def by_name(self) -> dict[str, Pattern]:
        """The patterns of fields, each as it was learned before they were put together, and of the groups."""
        alone = self._rest.by_name()[0] if self._rest.names else {}
        return alone | {into: self._set(into) for into in self._outer}

    def unlearned(self) -> list[str]:
        """What is wrong with fields of pages shown as a whole that have no rule."""
        return self._rest.by_name()[1] if self._rest.names else []

    @property
    def _outer(self) -> list[str]:
        """The groups that are in no other."""
        return [into for into in self._groups if not any(into in names for names in self._fields.values())]

    # ------------------------------------------------------------------ one field

    def hypothesis(self, name: str) -> LearnedPattern:
        """What was learned about a field or a set; a dot separates a set from its fields."""
        return self._part(name).hypothesis(name)

    def nodes(self, name: str, view: View) -> list[int]:
        """The nodes of a page that the current hypothesis about a field matches."""
        return self._part(name).nodes(name, view)

    def _part(self, name: str) -> Meant:
        first = name.partition(".")[0]
        inside = [self._groups[into] for into, names in self._fields.items() if first in names]
        return inside[0] if inside and first not in self._groups else self._rest

    # ------------------------------------------------------------------ groups

    def _set(self, into: str) -> Pattern:
        """The records of a group."""
        if into not in self._sets:
            nested = [name for name in self._fields[into] if name in self._groups]
            pattern = self._nested(into, nested) if nested else self._flat(into)
            rules = self._gathered.rules.get(into)
            self._sets[into] = replace(pattern, rules=rules) if rules else pattern
        return self._sets[into]

    def _flat(self, into: str) -> Pattern:
        """The records of a group without others in it: as its examples mean them, or as their rows show them."""
        found = self._groups[into].patterns()
        if len(found) == 1 and found[0].fields:
            return found[0]
        shown = []
        for number, view in enumerate(self._gathered.views):
            examples = [given for given in self._gathered.examples if given.name in self._fields[into]]
            rows = rows_of(examples_by_name(examples, number, wanted=True))
            records = [{name: tuple(one.text for one in values) for name, values in row.items()} for row in rows]
            shown += [RecordShown(view, tuple(records), from_start=False)] if records else []
        return self._learned(into, shown)

    def _nested(self, into: str, nested: Sequence[str]) -> Pattern:
        """The records of a group with others in it, learned from the first of them as they are on the pages."""
        own = [name for name in self._fields[into] if name not in self._groups]
        if not own:
            raise UsageError(f"“{into}” needs a field of its own beside the records in it; give an example of one.")
        shown = []
        for view in self._gathered.used:
            nodes = {name: self.nodes(name, view) for name in own}
            leading = max(own, key=lambda name: len(nodes[name]))
            edges = [*nodes[leading], len(view.page)]
            records = []
            for start, stop in list(pairwise(edges))[:SHOWN]:
                record: dict[str, tuple[str | RecordExample, ...]] = {
                    name: tuple(view.text(node) for node in nodes[name] if start <= node < stop)[:1] for name in own
                }
                for inner in nested:
                    record[inner] = tuple(_records_in(view, self._set(inner), start, stop))
                records.append({name: values for name, values in record.items() if values})
            shown += [RecordShown(view, tuple(records))] if records else []
        return self._learned(into, shown)

    def _learned(self, into: str, shown: Sequence[RecordShown]) -> Pattern:
        try:
            return learn_set(into, shown, most=self._settings.conditions).pattern
        except UsageError as problem:
            fields = ", ".join(self._fields[into])
            raise UsageError(f"No records of {fields} were found: {problem}") from problem


def _filled_groups(gathered: Gathered) -> dict[str, tuple[str, ...]]:
    """The groups, with those of their fields that have examples; the examples of others went with their page."""
    groups = dict(gathered.groups)
    before: dict[str, tuple[str, ...]] = {}
    while groups != before:
        before = groups
        known = {*gathered.names, *groups}
        left = {into: tuple(name for name in names if name in known) for into, names in groups.items()}
        groups = {into: names for into, names in left.items() if names}
    return groups


def _records_in(view: View, pattern: Pattern, start: int, stop: int) -> list[RecordExample]:
    """The records of a set between two nodes, as the texts of their fields."""
    found: list[RecordExample] = []
    for item in items_of(view, pattern, SearchSpan(0, len(view.page)))[0]:
        if not start <= item.start < stop:
            continue
        readings = {field.name: read_patterns(view, [field], search_span_in(field, item)) for field in pattern.fields}
        texts = {name: tuple(value.text for value in reading.taken) for name, reading in readings.items()}
        record = {name: values for name, values in texts.items() if values}
        found += [record] if record else []
    return found
