"""What was learned from the steps of a lesson: patterns with the names that fields have now, and what they read."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from sightline.errors import UsageError
from sightline.extract.wrappers._found import Checked, Found, Training
from sightline.extract.wrappers._gathered import Gathered, GivenExample, ShownRecords, examples_by_name
from sightline.extract.wrappers._hypotheses import Meant
from sightline.extract.wrappers._listings import rows_of
from sightline.extract.wrappers._wrapper import Wrapper
from sightline.extract.wrappers.patterns import (
    LearnedPattern,
    Pattern,
    PatternReading,
    Patterns,
    RecordExample,
    RecordShown,
    SearchSpan,
    TakenValue,
    TeachSettings,
    View,
    items_of,
    key_of,
    learn_set,
    named_patterns,
    pattern_paths,
    profile_of,
    read_patterns,
    search_span_in,
    to_watch,
)


class LearnedLesson:
    """What one state of a lesson has taught; everything is worked out when first asked for, and then kept."""

    def __init__(self, gathered: Gathered, settings: TeachSettings) -> None:
        self._gathered = gathered
        self._settings = settings
        self.meanings = Meanings(gathered, settings)
        self._readings: dict[View, PatternReading] = {}
        self._found: dict[View, Found] = {}

    # ------------------------------------------------------------------ patterns

    @cached_property
    def strict(self) -> tuple[tuple[Pattern, ...], dict[str, str]]:
        """The patterns of all fields, and the first example of each that it does not take.

        A field that no rule was found for is an error.
        """
        return self._marked(self.meanings.patterns())

    @cached_property
    def _tolerant(self) -> tuple[tuple[Pattern, ...], dict[str, str]]:
        if not self._gathered.names:
            return (), {}
        return self.meanings.learnable()

    @property
    def plain(self) -> tuple[Pattern, ...]:
        """The patterns that can be learned, with the first names of fields."""
        return self._tolerant[0]

    @property
    def problems(self) -> dict[str, str]:
        """What is wrong with the fields that no rule was found for, by their first names."""
        return self._tolerant[1]

    @cached_property
    def by_name(self) -> dict[str, Pattern]:
        """The patterns of the fields, each as it was learned before they were put together, by their first names."""
        return self.meanings.by_name()

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """The patterns that can be learned, with the names that fields have now; those that cannot have no rules."""
        learned = self.strict[0] if not self.problems and self.plain else self._marked(self.plain)[0]
        unlearned = tuple(self._unlearned(learned))
        if unlearned:  # whose fields are missing in what was read so far
            self._readings.clear()
        return (*learned, *unlearned)

    def _unlearned(self, learned: Sequence[Pattern]) -> Iterator[Pattern]:
        """Fields that were shown and that no rule finds: no page is ok without them, until they are dropped."""
        if all(pattern.fields for pattern in learned):  # records alone, which have all that was shown of them
            return
        known = {name.rpartition(".")[2] for name, _ in pattern_paths(learned)}
        for name in self._gathered.shown:
            title = self._gathered.titles.get(name, name)
            if title not in known:
                yield Pattern(title, (), optional=True, unlearned=True)

    def _marked(self, patterns: Sequence[Pattern]) -> tuple[tuple[Pattern, ...], dict[str, str]]:
        """Patterns with their names of now, those marked that lack an example, and the first that each lacks."""
        pages = {given.page for given in self._gathered.given}
        readings = {number: read_patterns(self._gathered.views[number], patterns) for number in pages}
        lost = untaken(self._gathered.given, patterns, readings)
        more = overtaken(self._gathered.given, patterns, readings)
        watched = {
            name
            for number, reading in readings.items()
            for name in to_watch(self._gathered.views[number], patterns, reading)
        }
        marked = tuple(
            self._titled(replace(mark_loose(mark_partial(pattern, lost), more), watched=pattern.name in watched))
            for pattern in patterns
        )
        if not self._gathered.titles:
            for number, reading in readings.items():
                self._readings[self._gathered.views[number]] = reading
        return marked, {self._titled_path(name, patterns): text for name, text in lost.items()}

    def _titled(self, pattern: Pattern, holder: str = "") -> Pattern:
        """A pattern, and those of its fields, with the names that they have now."""
        titles = self._gathered.titles
        if not titles:
            return pattern
        name = self._key(pattern.name, holder)
        fields = tuple(
            self._titled(field, name if not holder else f"{holder}.{pattern.name}") for field in pattern.fields
        )
        return replace(pattern, name=titles.get(name, pattern.name), fields=fields)

    def _key(self, name: str, holder: str) -> str:
        """What a field is known by: its own name, or with its sets if these were shown with everything in them."""
        return f"{holder}.{name}" if holder.partition(".")[0] in self._gathered.names else name

    def _titled_path(self, path: str, patterns: Sequence[Pattern]) -> str:
        titled = [self._titled(pattern) for pattern in patterns]
        before, after = ([name for name, _ in pattern_paths(several)] for several in (patterns, titled))
        return dict(zip(before, after, strict=True))[path]

    @cached_property
    def shrunk(self) -> tuple[int, int] | None:
        """How many values of a field the first examples alone take, and all examples together, if these are fewer."""
        first = self._gathered.of_first_examples()
        if first is None or not self.plain or self.problems:
            return None
        before = LearnedLesson(first, self._settings)
        if not before.plain or before.problems:
            return None
        taken = [
            max(Counter(value.name for view in self._gathered.used for value in reading(view)).values(), default=0)
            for reading in (before._values, self._values)
        ]
        return (taken[0], taken[1]) if taken[1] < taken[0] else None

    def _values(self, view: View) -> Sequence[TakenValue]:
        return self.reading(view).taken

    # ------------------------------------------------------------------ pages

    def reading(self, view: View) -> PatternReading:
        """What the patterns read on a page."""
        patterns = self.patterns
        if view not in self._readings:
            self._readings[view] = read_patterns(view, patterns)
        return self._readings[view]

    def found(self, view: View) -> Found | None:
        """What the draft finds on a page, with the verdict."""
        made = self.draft
        if made is None:
            return None
        if view not in self._found:
            self._found[view] = _judged(made, view, self.reading(view))
        return self._found[view]

    # ------------------------------------------------------------------ wrappers

    @cached_property
    def wrapper(self) -> Wrapper:
        """The wrapper of all fields, with what the own data of the pages gives of them."""
        self.strict  # noqa: B018 - a field without a rule is an error here
        made = self.draft
        if made is None:
            raise UsageError("There is no example yet; give one with want().")
        used = self._gathered.used
        return made.with_data_of([view.page for view in used], [self._found[view] for view in used])

    @cached_property
    def draft(self) -> Wrapper | None:
        """The wrapper of the fields that can be learned, checked on all pages with examples."""
        patterns, used = self.patterns, self._gathered.used
        if not patterns:
            return None
        languages = [view.page.language for view in used if view.page.language]
        language = max(languages, key=languages.count, default=None)
        profile = profile_of(patterns, [(view, self.reading(view)) for view in used], language)
        rendered = any(view.page.kind == "rendered" for view in used)
        made = Wrapper(Patterns(patterns, profile), rendered=rendered, language=language)
        found = [_judged(made, view, self.reading(view)) for view in used]
        self._found.update(zip(used, found, strict=True))
        names = [view.page.url or view.page.title for view in used]
        checked = tuple(
            Checked(name, reading.verdict, round(reading.found, 4), round(reading.known, 4))
            for name, reading in zip(names, found, strict=True)
        )
        training = Training(len(used), len(used), sum(reading.verdict == "ok" for reading in found))
        return replace(made, training=training, checked=checked)


def _judged(wrapper: Wrapper, view: View, reading: PatternReading) -> Found:
    assert isinstance(wrapper.rules, Patterns)
    return wrapper.rules.judged(view, reading, wrapper.language)


def title_of(first: str, titles: Mapping[str, str]) -> str:
    """The name that a field has now, with those of the sets that it is in."""
    parts = first.split(".")
    return ".".join(titles.get(".".join(parts[: place + 1]), part) for place, part in enumerate(parts))


# Examples that the rules learned from them do not take, as where they are in two lists of different make.


def untaken(
    given: Sequence[GivenExample | ShownRecords], patterns: Sequence[Pattern], readings: Mapping[int, PatternReading]
) -> dict[str, str]:
    """The fields, with the names of their sets, that lack an example on its page, and the first such example.

    `readings` are what the patterns read on the pages, by their numbers.
    """
    found: dict[str, str] = {}
    fields = [name for name, pattern in named_patterns(patterns) if not pattern.fields]
    keys = {number: _keys(reading) for number, reading in readings.items()}
    for one in given:
        for name, text in _texts(one):
            names = [field for field in fields if f".{field}".endswith(f".{name}")]
            if names and not any(_are_said(keys[one.page].get(field, []), key_of(text)) for field in names):
                found.setdefault(names[0], text)
    return found


def overtaken(
    given: Sequence[GivenExample | ShownRecords], patterns: Sequence[Pattern], readings: Mapping[int, PatternReading]
) -> dict[str, str]:
    """The fields of a page shown as a whole that take a text which was not shown, and the first such text."""
    shown: dict[tuple[str, int], str] = {}
    for one in given:
        if isinstance(one, GivenExample) and one.complete and one.wanted and one.located:
            place = one.name, one.page
            shown[place] = shown.get(place, "") + "\x1f" + key_of(one.located.text)
    several = {pattern.name for pattern in patterns if pattern.many and not pattern.fields}
    found: dict[str, str] = {}
    for (name, page), texts in shown.items():
        for value in readings[page].taken if name in several else ():
            # What was shown may be made of several texts, or be a part of one.
            if value.name == name and not any(_overlap(key_of(value.text), text) for text in texts.split("\x1f")):
                found.setdefault(name, value.text)
    return found


def _overlap(key: str, shown: str) -> bool:
    return bool(shown) and (key in shown or shown in key)


def _keys(reading: PatternReading) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for value in reading.taken:
        found.setdefault(value.name, []).append(key_of(value.text))
    return found


def _are_said(keys: Sequence[str], wanted: str) -> bool:
    """Whether an example is one of the values, or some of them together: those that are joined by commas."""
    for start, key in enumerate(keys):
        stop = start + 1
        while wanted.startswith(key) and key != wanted and stop < len(keys):
            key += keys[stop]
            stop += 1
        if key == wanted:
            return True
    return False


def _texts(given: GivenExample | ShownRecords) -> Iterator[tuple[str, str]]:
    if isinstance(given, ShownRecords):
        for record in given.records:
            yield from _texts_in(record, given.name)
    elif given.wanted and given.located:
        yield given.name, given.located.text


def _texts_in(record: RecordExample, holder: str) -> Iterator[tuple[str, str]]:
    for name, values in record.items():
        for value in values:
            if isinstance(value, str):
                yield f"{holder}.{name}", value
            else:
                yield from _texts_in(value, f"{holder}.{name}")


def mark_loose(pattern: Pattern, names: Mapping[str, str]) -> Pattern:
    """A pattern, marked if its name is among these."""
    return replace(pattern, loose=True) if pattern.name in names else pattern


def mark_partial(pattern: Pattern, names: Mapping[str, str], holder: str = "") -> Pattern:
    """A pattern, and those of its fields, marked where a name is among these."""
    name = f"{holder}{pattern.name}"
    fields = tuple(mark_partial(field, names, f"{name}.") for field in pattern.fields)
    return replace(pattern, fields=fields, partial=name in names)


# What all examples of a lesson mean: those of each group of fields by themselves, and those of the others together.

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

    def asked(self, name: str) -> LearnedPattern:
        """What questions about a field are about: of a single example that stands for a list, what it says alone."""
        return self._part(name).asked(name)

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
