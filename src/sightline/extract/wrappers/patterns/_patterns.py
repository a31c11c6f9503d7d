"""Rules taught by examples: patterns that people can read, and the profile of the values they extracted."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from sightline.data import Basic, Disjunction, Option, Profile, Record, Records, Schema, SetOf, TupleOf
from sightline.errors import UsageError
from sightline.extract.wrappers._found import Explained, Found, Judged, outline_lines, renamed_profile
from sightline.extract.wrappers.patterns._apply import PatternReading, read_patterns
from sightline.extract.wrappers.patterns._codec import check_distinct, pattern_from_json, pattern_to_json
from sightline.extract.wrappers.patterns._conditions import Condition
from sightline.extract.wrappers.patterns._pattern import Pattern, judge_node, lines_in_words, rule_in_words
from sightline.extract.wrappers.patterns._relearn import heal as healed_patterns
from sightline.extract.wrappers.patterns._split import locate_node, locate_text
from sightline.extract.wrappers.patterns._stranger import Acquainted, acquainted
from sightline.extract.wrappers.patterns._verify import LEAST_MARKS, named_patterns, verify_reading
from sightline.extract.wrappers.patterns._view import View
from sightline.page import Page

BY_EXAMPLES = "by examples"
# Of the fields of a page on which no rule finds anything; with fewer, or only one, it may be any other page.
LEAST_HEALED, SEVERAL = 0.6, 2


@dataclass(frozen=True, eq=False)
class Patterns:
    """The patterns of a wrapper, and the profile of the values they extracted where they were taught.

    >>> from sightline.testing import list_page
    >>> from sightline.extract.wrappers import Lesson
    >>> lesson = Lesson(list_page(["Canon", "Nikon", "Pentax", "Leica"])).want("name", "Canon")
    >>> lesson.wrapper.rules.fields
    ['items', 'items.name']
    """

    patterns: tuple[Pattern, ...]
    profile: Profile

    # ------------------------------------------------------------------ reading pages

    @cached_property
    def _acquainted(self) -> Mapping[str, Acquainted]:
        return acquainted(self.profile.fields)

    def read(
        self,
        page: Page,
        language: str | None,
        *,
        traced: bool = False,  # noqa: ARG002 - always traced
        heal: bool = True,
    ) -> Found:
        """Read a page, and check whether it resembles those that the patterns were taught on.

        On a page that is built differently, fields that the rules no longer find are looked for as repair does it;
        what is found that way is delivered as suspicious.
        """
        view = View(page)
        reading = read_patterns(view, self.patterns)
        found = self.judged(view, reading, language)
        if not heal or found.given_up or found.found >= LEAST_MARKS:
            return found
        return self._healed(view, reading, found, language) or found

    def _healed(self, view: View, reading: PatternReading, found: Found, language: str | None) -> Found | None:
        """The reading with what could be found again; None if that is nothing, or too little of another page."""
        missing = [
            pattern.name
            for pattern in self.patterns
            if not pattern.dropped and not pattern.optional and not reading.fields.get(pattern.name)
        ]
        if not missing:
            return None
        patterns = healed_patterns(self.patterns, self.profile, (view, reading), missing)
        again = [new for new, old in zip(patterns, self.patterns, strict=True) if new is not old]
        if len(again) < (max(SEVERAL, LEAST_HEALED * len(missing)) if found.verdict == "failed" else 1):
            return None
        return Patterns(patterns, self.profile).judged(view, read_patterns(view, patterns), language)

    def judged(self, view: View, reading: PatternReading, language: str | None) -> Found:
        """What these patterns have read on a page, with the verdict on it."""
        page = view.page
        if reading.slow:
            nothing = Records.trusted((), self._schema, page.language or language)
            return Found(nothing, "failed", 0.0, 0.0, 0.0, (reading.slow,), 0, given_up=True)
        check = verify_reading(view, self.patterns, reading, self.profile, self._acquainted)
        records = Records.trusted(self._records(reading), self._schema_of(reading), page.language or language)
        return Found(records, check.verdict, check.built, check.filled, check.filled, check.problems, 0)

    def _records(self, reading: PatternReading) -> tuple[Record, ...]:
        if self.each[0]:
            found = reading.fields[self.each[0]]
            return found if isinstance(found, tuple) else ()
        return (Record(reading.fields),)

    def explain(self, page: Page) -> list[Explained]:
        """Every text of a page: the field it was read as and by which rule, or that no pattern matches it."""
        view = View(page)
        reading = read_patterns(view, self.patterns)
        names = dict(named_patterns(self.patterns))
        owner: dict[int, tuple[str, str]] = {}
        for value in reading.taken:
            why = f"it is {rule_in_words(names[value.name].rules[value.rule], many=names[value.name].many)}"
            for leaf in range(int(view.first[value.node]), int(view.last[value.node])):
                owner[leaf] = value.name, why
        return [_explained(view, leaf, owner.get(leaf)) for leaf in range(len(view.leaves))]

    def judge(self, page: Page, example: str | int) -> list[Judged]:
        """What every rule says about a node, or about a text: at a place that matches, else at the first."""
        view = View(page)
        is_text = isinstance(example, str)
        located = locate_text(view, str(example), 0, len(page)) if is_text else locate_node(view, int(example))
        judgements = [judge_node(view, self.patterns, node) for node in _places(view, located.nodes)]
        return next((places for places in judgements if any(judge_node.taken for judge_node in places)), judgements[0])

    # ------------------------------------------------------------------ the schema

    @cached_property
    def each(self) -> tuple[str, ...]:
        """The set whose items are the records; an empty name if a page is one record."""
        shown = [pattern for pattern in self.patterns if not pattern.dropped]
        return (shown[0].name if len(shown) == 1 and shown[0].fields else "",)

    @property
    def schema(self) -> Schema:
        """What a page holds."""
        return self._schema

    @cached_property
    def _schema(self) -> TupleOf:
        return self._made(lambda name, pattern: SetOf(self._basic(name)) if pattern.many else self._basic(name))

    def _schema_of(self, reading: PatternReading) -> TupleOf:
        """The schema of what was read: a field that has several values on this page may have them."""
        places = [(value.name, value.record) for value in reading.taken]
        several = {name for name, record in places if places.count((name, record)) > 1} if places else set()
        several -= {name for name, pattern in named_patterns(self.patterns) if pattern.many}
        if not several:
            return self._schema

        def node(name: str, pattern: Pattern) -> Schema:
            basic = self._basic(name)
            if pattern.many:
                return SetOf(basic)
            return Disjunction((basic, SetOf(basic))) if name in several else basic

        return self._made(node)

    def _made(self, node: Callable[[str, Pattern], Schema]) -> TupleOf:
        whole = _tuple_of(self.patterns, "", node)
        if not self.each[0]:
            return whole
        records = whole.fields[0][1]
        assert isinstance(records, SetOf)
        assert isinstance(records.item, TupleOf)
        return records.item

    def _basic(self, name: str) -> Basic:
        field = self.profile.of(name)
        return Basic(field.type) if field else Basic()

    @property
    def fields(self) -> list[str]:
        """The names of all fields and sets; those in a set are prefixed with its name."""
        return [name for name, pattern in pattern_paths(self.patterns) if not pattern.dropped]

    @property
    def beside(self) -> list[str]:
        """Nothing: everything taught is in the records."""
        return []

    def outline(self) -> str:
        """The schema as an indented outline, with an example for each field."""
        examples = {field.name: field.examples[0] for field in self.profile.fields if field.examples}
        return "\n".join(outline_lines(self._schema, f"{self.each[0]}." if self.each[0] else "", examples))

    def words(self) -> str:
        """The patterns in words, each followed by the fields of its records."""
        return "\n".join(lines_in_words(self.patterns))

    # ------------------------------------------------------------------ editing

    def rename(self, old: str, new: str) -> "Patterns":
        """The patterns with a field or set renamed; a field in a set is addressed as `set.field`."""
        _check_name(new)
        holder, _, _ = old.rpartition(".")
        whole = f"{holder}.{new}" if holder else new
        if whole == old and old in self._all_names():
            return self
        if whole in self._all_names():
            raise UsageError(f"There is already a field {whole!r}; drop it, or choose another name.")
        patterns = self._changed(old, lambda pattern: replace(pattern, name=new))
        return Patterns(patterns, renamed_profile(self.profile, old, whole))

    def drop(self, name: str) -> "Patterns":
        """The patterns without a field, or without a whole set; `restore` brings it back."""
        return replace(self, patterns=self._changed(name, lambda pattern: replace(pattern, dropped=True)))

    def restore(self, name: str) -> "Patterns":
        """The patterns with a dropped field restored."""
        return replace(self, patterns=self._changed(name, lambda pattern: replace(pattern, dropped=False)))

    @property
    def aside(self) -> list[str]:
        """None: what is taught is what is wanted."""
        return []

    def all_fields(self) -> "Patterns":
        """The same patterns."""
        return self

    def merge(self, *names: str, into: str | None = None) -> "Patterns":
        """The patterns with several fields merged into one: of their rules the first that finds something counts."""
        if len(set(names)) < 2:
            raise UsageError("Merging needs at least two different fields; name all those that are one.")
        found = {pattern.name: pattern for pattern in self.patterns if not pattern.fields}
        unknown = [name for name in names if name not in found]
        if unknown:
            raise self._unknown(unknown[0])
        first = found[names[0]]
        rules = tuple(rule for name in names for rule in found[name].rules)
        optional = all(found[name].optional for name in names)
        many = any(found[name].many for name in names)
        together = replace(first, rules=rules, needs_all=True, optional=optional, many=many)
        kept = tuple(
            together if pattern is first else pattern
            for pattern in self.patterns
            if pattern is first or pattern.name not in names
        )
        fields = tuple(field for field in self.profile.fields if field.name == names[0] or field.name not in names)
        merged = Patterns(kept, replace(self.profile, fields=fields))
        return merged.rename(names[0], into) if into and into != names[0] else merged

    def split(self, name: str) -> "Patterns":
        """The patterns with a field for each rule of a merged one."""
        merged = next((pattern for pattern in self.patterns if pattern.name == name), None)
        if merged is None:
            raise self._unknown(name)
        if len(merged.rules) < 2:
            raise UsageError(f"The field {name!r} has only one rule; there is nothing to split.")
        parts = [
            replace(
                merged, name=name if number == 1 else f"{name} {number}", rules=(rule,), needs_all=False, optional=True
            )
            for number, rule in enumerate(merged.rules, start=1)
        ]
        patterns = tuple(part for pattern in self.patterns for part in (parts if pattern is merged else [pattern]))
        return replace(self, patterns=patterns)

    def records_of(self, name: str | None) -> "Patterns":
        """The patterns with the items of this set as records; everything else is dropped."""
        sets = [pattern.name for pattern in self.patterns if pattern.fields]
        if name is None:
            return replace(self, patterns=tuple(replace(pattern, dropped=False) for pattern in self.patterns))
        if name not in sets:
            raise UsageError(f"There is no set {name!r} on these pages; the sets are {', '.join(sets) or 'none'}.")
        return replace(
            self, patterns=tuple(replace(pattern, dropped=pattern.name != name) for pattern in self.patterns)
        )

    def _changed(self, name: str, change: Callable[[Pattern], Pattern]) -> tuple[Pattern, ...]:
        if name not in self._all_names():
            raise self._unknown(name)
        return _changed(self.patterns, name.split("."), change)

    def _all_names(self) -> list[str]:
        return [name for name, _ in pattern_paths(self.patterns)]

    def _unknown(self, name: str) -> UsageError:
        return UsageError(f"There is no field {name!r}; the fields are {', '.join(self.fields)}.")

    # ------------------------------------------------------------------ saving

    def to_json(self) -> dict[str, Any]:
        """Their part of a wrapper file; docs/teaching.md describes the format."""
        return {
            "learned": BY_EXAMPLES,
            "schema": self.schema.to_json(),
            "patterns": [pattern_to_json(pattern) for pattern in self.patterns],
            "profile": self.profile.to_json(),
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "Patterns":
        """The inverse of `to_json`, for a document that has been checked against its form."""
        patterns = tuple(pattern_from_json(pattern) for pattern in document["patterns"])
        check_distinct(patterns)
        profile = Profile.from_json(document.get("profile", {}))
        for field in profile.fields:
            for way, test, value in field.evidence:
                Condition(way, test, value)  # which repair makes of it; what cannot be one is an error
        return cls(patterns, profile)


def pattern_paths(patterns: Sequence[Pattern], scope: str = "") -> Iterator[tuple[str, Pattern]]:
    """All patterns with their full names, each before its fields."""
    for pattern in patterns:
        yield f"{scope}{pattern.name}", pattern
        yield from pattern_paths(pattern.fields, f"{scope}{pattern.name}.")


def _changed(
    patterns: Sequence[Pattern], path: Sequence[str], change: Callable[[Pattern], Pattern]
) -> tuple[Pattern, ...]:
    """The patterns with the one at a path changed."""
    first, *rest = path
    return tuple(
        pattern
        if pattern.name != first
        else replace(pattern, fields=_changed(pattern.fields, rest, change))
        if rest
        else change(pattern)
        for pattern in patterns
    )


def _tuple_of(patterns: Sequence[Pattern], scope: str, node: Callable[[str, Pattern], Schema]) -> TupleOf:
    """The schema of the fields of a page or a record."""
    fields: list[tuple[str, Schema]] = []
    for pattern in patterns:
        if pattern.dropped:
            continue
        name = f"{scope}{pattern.name}"
        if pattern.fields:
            fields.append((pattern.name, SetOf(_tuple_of(pattern.fields, f"{name}.", node))))
        else:
            fields.append((pattern.name, _maybe(node(name, pattern), optional=pattern.optional)))
    return TupleOf(tuple(fields))


def _places(view: View, nodes: Sequence[int]) -> list[int]:
    """One node for each place of a text."""
    return list({int(view.first[node]): node for node in reversed(nodes)}.values())[::-1]


def _explained(view: View, leaf: int, owner: tuple[str, str] | None) -> Explained:
    node = int(view.leaves[leaf])
    box = view.page.box[node].tolist()
    where = None if np.isnan(box[0]) else (box[0], box[1], box[2], box[3])
    role, name, why = ("field", *owner) if owner else ("other", None, "no pattern matches it")
    return Explained(view.texts[leaf], view.page.xpath(node), where, role, name, why)


def _maybe(node: Schema, *, optional: bool) -> Schema:
    return Option(node) if optional else node


def _check_name(name: str) -> None:
    if not name.strip() or "." in name:
        raise UsageError(f"A field cannot be named {name!r}; give it a name without dots.")
