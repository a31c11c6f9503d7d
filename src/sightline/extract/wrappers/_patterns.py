"""Rules taught by examples: patterns that people can read, and the profile of what they took."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from sightline.data import Basic, Disjunction, Option, Profile, Record, Records, Schema, SetOf, TupleOf
from sightline.errors import UsageError
from sightline.extract.wrappers._explain import Explained
from sightline.extract.wrappers._found import Found
from sightline.extract.wrappers._outline import outline_lines
from sightline.extract.wrappers.patterns import (
    Judged,
    Pattern,
    Reading,
    View,
    judged,
    located_node,
    located_text,
    named_patterns,
    pattern_from_json,
    pattern_in_words,
    pattern_to_json,
    read_patterns,
    rule_in_words,
    verified,
)
from sightline.page import Page

__all__ = ["BY_EXAMPLES", "Patterns"]

BY_EXAMPLES = "by examples"


@dataclass(frozen=True, eq=False)
class Patterns:
    """The patterns of a wrapper, and the profile of what they took where they were taught.

    >>> from sightline.testing import list_page
    >>> from sightline.extract.wrappers import Lesson
    >>> lesson = Lesson(list_page(["Canon", "Nikon", "Pentax", "Leica"])).want("name", "Canon")
    >>> lesson.wrapper.rules.fields
    ['items', 'items.name']
    """

    patterns: tuple[Pattern, ...]
    profile: Profile

    # ------------------------------------------------------------------ reading pages

    def read(self, page: Page, language: str | None, *, traced: bool = False) -> Found:  # noqa: ARG002 - always told
        """What is on a page, and whether it is like what was there when the patterns were taught."""
        view = View(page)
        reading = read_patterns(view, self.patterns)
        check = verified(view, self.patterns, reading, self.profile)
        records = Records.trusted(self._records(reading), self._schema_of(reading), page.language or language)
        return Found(records, check.verdict, check.built, check.filled, check.filled, check.problems, 0)

    def _records(self, reading: Reading) -> tuple[Record, ...]:
        if self.each:
            found = reading.fields[self.each[0]]
            return found if isinstance(found, tuple) else ()
        return (Record(reading.fields),)

    def explain(self, page: Page) -> list[Explained]:
        """Every text of a page: which field it was read as and by which rule, or that none takes it."""
        view = View(page)
        reading = read_patterns(view, self.patterns)
        names = dict(named_patterns(self.patterns))
        owner: dict[int, tuple[str, str]] = {}
        for own in reading.taken:
            why = f"it is {rule_in_words(names[own.name].rules[own.rule], many=names[own.name].many)}"
            for leaf in range(int(view.first[own.node]), int(view.last[own.node])):
                owner[leaf] = own.name, why
        return [_explained(view, leaf, owner.get(leaf)) for leaf in range(len(view.leaves))]

    def judge(self, page: Page, example: str | int) -> list[Judged]:
        """What every rule says of a node, or of the first one with a text: which conditions hold, and which do not."""
        view = View(page)
        is_text = isinstance(example, str)
        located = located_text(view, str(example), 0, len(page)) if is_text else located_node(view, int(example))
        return judged(view, self.patterns, located.nodes[-1])

    # ------------------------------------------------------------------ the schema

    @cached_property
    def each(self) -> tuple[str, ...]:
        """The set whose items are the records; nothing where a page is one record."""
        shown = [own for own in self.patterns if not own.dropped]
        return (shown[0].name,) if len(shown) == 1 and shown[0].fields else ()

    @property
    def schema(self) -> Schema:
        """What a page holds."""
        return self._schema

    @cached_property
    def _schema(self) -> TupleOf:
        return self._made(lambda name, pattern: SetOf(self._basic(name)) if pattern.many else self._basic(name))

    def _schema_of(self, reading: Reading) -> TupleOf:
        """The schema of what was read: a field that has several values for once may have them."""
        places = [(own.name, own.record) for own in reading.taken]
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
        fields: list[tuple[str, Schema]] = []
        for pattern in self.patterns:
            if pattern.dropped:
                continue
            if not pattern.fields:
                fields.append((pattern.name, _maybe(node(pattern.name, pattern), optional=pattern.optional)))
                continue
            inside = tuple(
                (own.name, _maybe(node(f"{pattern.name}.{own.name}", own), optional=own.optional))
                for own in pattern.fields
                if not own.dropped
            )
            if self.each:
                return TupleOf(inside)
            fields.append((pattern.name, SetOf(TupleOf(inside))))
        return TupleOf(tuple(fields))

    def _basic(self, name: str) -> Basic:
        known = self.profile.of(name)
        return Basic(known.type) if known else Basic()

    @property
    def fields(self) -> list[str]:
        """The names of all fields and sets, those in a set with its name before them."""
        found = []
        for pattern in self.patterns:
            if not pattern.dropped:
                found.append(pattern.name)
                found += [f"{pattern.name}.{own.name}" for own in pattern.fields if not own.dropped]
        return found

    @property
    def beside(self) -> list[str]:
        """Nothing: what was taught is in the records."""
        return []

    def outline(self) -> str:
        """The schema as an indented outline, with an example for each field."""
        examples = {own.name: own.examples[0] for own in self.profile.fields if own.examples}
        return "\n".join(outline_lines(self._schema, f"{self.each[0]}." if self.each else "", examples))

    def words(self) -> str:
        """The patterns in words, the fields of records below them."""
        return "\n".join(_words(self.patterns, ""))

    # ------------------------------------------------------------------ mending

    def rename(self, old: str, new: str) -> "Patterns":
        """The patterns with a field or set called otherwise; a field in a set is named `set.field`."""
        _check_name(new)
        holder, _, _ = old.rpartition(".")
        whole = f"{holder}.{new}" if holder else new
        if whole in self._all_names():
            raise UsageError(f"There is a field {whole!r} already; drop it, or choose another name.")
        patterns = self._changed(old, lambda own: replace(own, name=new))
        profile = replace(
            self.profile, fields=tuple(replace(own, name=_again(own.name, old, whole)) for own in self.profile.fields)
        )
        records = tuple(
            (_again(name, old, whole), _renamed(record, name, old, new)) for name, record in self.profile.records
        )
        return Patterns(patterns, replace(profile, records=records))

    def drop(self, name: str) -> "Patterns":
        """The patterns without a field, or without a whole set; `restore` brings it back."""
        return replace(self, patterns=self._changed(name, lambda own: replace(own, dropped=True)))

    def restore(self, name: str) -> "Patterns":
        """The patterns with a field that was dropped."""
        return replace(self, patterns=self._changed(name, lambda own: replace(own, dropped=False)))

    def merge(self, *names: str, into: str | None = None) -> "Patterns":
        """The patterns in which several fields are one: of their rules the first that finds something counts."""
        if len(names) < 2:
            raise UsageError("Merging takes at least two fields.")
        found = {own.name: own for own in self.patterns if not own.fields}
        unknown = [name for name in names if name not in found]
        if unknown:
            raise self._unknown(unknown[0])
        first = found[names[0]]
        rules = tuple(rule for name in names for rule in found[name].rules)
        optional = all(found[name].optional for name in names)
        many = any(found[name].many for name in names)
        one = replace(first, rules=rules, needs_all=True, optional=optional, many=many)
        kept = tuple(one if own is first else own for own in self.patterns if own is first or own.name not in names)
        fields = tuple(own for own in self.profile.fields if own.name == names[0] or own.name not in names)
        merged = Patterns(kept, replace(self.profile, fields=fields))
        return merged.rename(names[0], into) if into and into != names[0] else merged

    def split(self, name: str) -> "Patterns":
        """The patterns with a field for each rule of one that was merged."""
        own = next((one for one in self.patterns if one.name == name), None)
        if own is None:
            raise self._unknown(name)
        if len(own.rules) < 2:
            raise UsageError(f"The field {name!r} has one rule only, so there is nothing to split.")
        parts = [
            replace(
                own, name=name if number == 1 else f"{name} {number}", rules=(rule,), needs_all=False, optional=True
            )
            for number, rule in enumerate(own.rules, start=1)
        ]
        patterns = tuple(part for one in self.patterns for part in (parts if one is own else [one]))
        return replace(self, patterns=patterns)

    def records_of(self, name: str | None) -> "Patterns":
        """The patterns whose records are the items of this set: everything else is dropped."""
        sets = [own.name for own in self.patterns if own.fields]
        if name is None:
            return replace(self, patterns=tuple(replace(own, dropped=False) for own in self.patterns))
        if name not in sets:
            raise UsageError(f"There is no set {name!r} on these pages; the sets are {', '.join(sets) or 'none'}.")
        return replace(self, patterns=tuple(replace(own, dropped=own.name != name) for own in self.patterns))

    def _changed(self, name: str, change: Callable[[Pattern], Pattern]) -> tuple[Pattern, ...]:
        if name not in self._all_names():
            raise self._unknown(name)
        holder, _, inner = name.rpartition(".")
        if not holder:
            return tuple(change(own) if own.name == name else own for own in self.patterns)
        return tuple(
            replace(own, fields=tuple(change(one) if one.name == inner else one for one in own.fields))
            if own.name == holder
            else own
            for own in self.patterns
        )

    def _all_names(self) -> list[str]:
        return [name for own in self.patterns for name in (own.name, *(f"{own.name}.{one.name}" for one in own.fields))]

    def _unknown(self, name: str) -> UsageError:
        return UsageError(f"There is no field {name!r}; the fields are {', '.join(self.fields)}.")

    # ------------------------------------------------------------------ keeping

    def to_json(self) -> dict[str, Any]:
        """Their part of the file of a wrapper; docs/teaching.md has the form."""
        return {
            "learned": BY_EXAMPLES,
            "schema": self.schema.to_json(),
            "patterns": [pattern_to_json(own) for own in self.patterns],
            "profile": self.profile.to_json(),
        }

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> "Patterns":
        """The way back from `to_json`."""
        patterns = tuple(pattern_from_json(own) for own in document["patterns"])
        if not patterns:
            raise ValueError("it has no pattern")
        names = [own.name for own in patterns]
        double = next((name for name in names if names.count(name) > 1), None)
        if double:
            raise ValueError(f"it has two patterns named {double!r}")
        return cls(patterns, Profile.from_json(document.get("profile", {})))


def _explained(view: View, leaf: int, owner: tuple[str, str] | None) -> Explained:
    node = int(view.leaves[leaf])
    box = view.page.box[node].tolist()
    where = None if np.isnan(box[0]) else (box[0], box[1], box[2], box[3])
    role, name, why = ("field", *owner) if owner else ("other", None, "no pattern takes it")
    return Explained(view.texts[leaf], view.page.xpath(node), where, role, name, why)


def _words(patterns: Sequence[Pattern], indent: str) -> Iterator[str]:
    for pattern in patterns:
        if pattern.dropped:
            continue
        once = "  (seen on one page only)" if pattern.pages == 1 and not indent else ""
        yield f"{indent}{pattern_in_words(pattern)}{once}"
        yield from _words(pattern.fields, indent + "  ")


def _maybe(node: Schema, *, optional: bool) -> Schema:
    return Option(node) if optional else node


def _check_name(name: str) -> None:
    if not name or "." in name:
        raise UsageError(f"A field is not called {name!r}; give it a name without dots.")


def _again(name: str, old: str, new: str) -> str:
    if name == old:
        return new
    return new + name[len(old) :] if name.startswith(f"{old}.") else name


def _renamed(record: dict[str, tuple[str, ...]], holder: str, old: str, new: str) -> dict[str, tuple[str, ...]]:
    return {new if f"{holder}.{name}" == old else name: texts for name, texts in record.items()}
