"""Repair after a redesign: a proposal for a new wrapper, told field by field. Nothing is replaced silently."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Literal, TypeAlias

from sightline.data import FieldProfile, Profile
from sightline.errors import UsageError
from sightline.extract.wrappers._field_profiles import record_texts
from sightline.extract.wrappers._found import Checked, Training
from sightline.extract.wrappers._induce import induce
from sightline.extract.wrappers._wrapper import Wrapper
from sightline.extract.wrappers.patterns import (
    Patterns,
    Relearned,
    View,
    key_of,
    label_key,
    lines_in_words,
    profile_of,
    read_patterns,
    relearn,
    unsure,
)
from sightline.extract.wrappers.templates import Templates
from sightline.page import Page

__all__ = ["Change", "Proposal", "repaired"]

Status: TypeAlias = Literal["kept", "found again", "unsure", "missing"]
SHOWN = 3  # values of a field that a change tells
SURE = 0.75  # of the confidence in a field, below which it wants confirming
MOST_REFUSED = 0.5  # of the pages that an induced wrapper refuses, from which on it is induced anew
KEPT = 0.8  # the confidence in one that still recognises most pages
LEAST_ALIKE = 0.3  # of the values of an induced field that are remembered, or it has another name


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a field: its rule before and after, some values before and after, how sure, and why."""

    name: str
    status: Status
    confidence: float
    before: str
    after: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    why: str


@dataclass(frozen=True, eq=False)
class Proposal:
    """A wrapper for the pages as they are now, to be looked at before it is taken.

    `confidence` is that of the least sure field that was found. What could not be found again is missing, and the
    proposed wrapper says so on every page.
    """

    wrapper: Wrapper
    changes: tuple[Change, ...]
    confidence: float

    @property
    def missing(self) -> list[str]:
        """The fields that could not be found again."""
        return [own.name for own in self.changes if own.status == "missing"]

    @property
    def is_needed(self) -> bool:
        """Whether anything has to change at all."""
        return any(own.status != "kept" for own in self.changes)

    def diff(self) -> str:
        """What changes, field by field, for people."""
        lines = []
        for own in self.changes:
            lines.append(f"{own.name}: {own.status} ({own.confidence:.0%}; {own.why})")
            if own.status != "kept":
                lines += [f"  - {line}" for line in own.before.splitlines()]
                lines += [f"  + {line}" for line in own.after.splitlines()]
                lines += [f"  before: {' · '.join(own.old)}"] if own.old else []
                lines += [f"  now:    {' · '.join(own.new)}"] if own.new else []
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The proposal as plain values."""
        return {
            "confidence": self.confidence,
            "changes": [
                {
                    "field": own.name,
                    "status": own.status,
                    "confidence": own.confidence,
                    "before": own.before,
                    "after": own.after,
                    "old": list(own.old),
                    "new": list(own.new),
                    "why": own.why,
                }
                for own in self.changes
            ],
            "wrapper": self.wrapper.to_json(),
        }


def repaired(wrapper: Wrapper, pages: Sequence[Page]) -> Proposal:
    """What a wrapper has to become to read these pages."""
    for page in pages:
        if not isinstance(page, Page):
            raise UsageError(f"A wrapper is repaired on pages, not on {page!r:.60}; open them first, with open().")
    if not pages:
        raise UsageError("A wrapper is repaired on pages as they are now; give at least one.")
    if all(wrapper.read(page).verdict == "ok" for page in pages):
        return _as_it_was(wrapper)
    rules = wrapper.rules
    if isinstance(rules, Patterns):
        return _repaired_patterns(wrapper, rules, pages)
    if isinstance(rules, Templates):
        return _repaired_templates(wrapper, rules, pages)
    raise UsageError("There is no way to repair rules of this kind; teach the wrapper anew.")


def _as_it_was(wrapper: Wrapper) -> Proposal:
    why = "the wrapper reads all pages as it should"
    changes = tuple(Change(name, "kept", 1.0, "", "", (), (), why) for name in wrapper.fields)
    return Proposal(wrapper, changes, 1.0)


# ---------------------------------------------------------------- taught wrappers


def _repaired_patterns(wrapper: Wrapper, rules: Patterns, pages: Sequence[Page]) -> Proposal:
    views = [View(page) for page in pages]
    found = relearn([own for own in rules.patterns if not own.dropped], rules.profile, views)
    by_name = {own.name: own for own in found}
    patterns = tuple((by_name[own.name].new or unsure(own)) if own.name in by_name else own for own in rules.patterns)
    readings = [(view, read_patterns(view, patterns)) for view in views]
    fresh = profile_of(patterns, readings, wrapper.language)
    profile = _joined(rules.profile, fresh, missing={own.name for own in found if own.new is None})
    made = replace(wrapper, rules=Patterns(patterns, profile), rendered=any(page.kind == "rendered" for page in pages))
    changes = tuple(_change(own, rules.profile, fresh) for own in found)
    sure = [own.confidence for own in changes if own.status != "missing"]
    return Proposal(_checked(made, pages), changes, min(sure, default=0.0))


def _joined(old: Profile, new: Profile, missing: set[str]) -> Profile:
    """The profile of the pages as they are now; of what is missing, and of texts, the old one is remembered as well."""
    known = {own.name: own for own in old.fields}
    fields = []
    for own in new.fields:
        before = known.get(own.name)
        if before and (own.name.partition(".")[0] in missing or own.name in missing):
            fields.append(before)
        elif before:
            examples = tuple(dict.fromkeys((*own.examples, *before.examples)))[
                : max(len(own.examples), len(before.examples))
            ]
            fields.append(replace(own, examples=examples, longest=max(own.longest, before.longest)))
        else:
            fields.append(own)
    return replace(new, fields=tuple(fields), records=new.records or old.records)


def _change(own: Relearned, old: Profile, new: Profile) -> Change:
    status: Status = "missing"
    if own.new is own.old:
        status = "kept"
    elif own.new is not None:
        status = "found again" if own.confidence >= SURE else "unsure"
    return Change(
        own.name,
        status,
        own.confidence,
        "\n".join(lines_in_words([own.old])),
        "\n".join(lines_in_words([own.new])) if own.new else "",
        _values(old, own.name),
        _values(new, own.name) if own.new else (),
        own.why,
    )


def _values(profile: Profile, name: str) -> tuple[str, ...]:
    own = profile.of(name)
    if own:
        return own.examples[:SHOWN]
    return tuple(
        " | ".join(texts[0] for texts in record.values() if texts)
        for holder, record in profile.records
        if holder == name
    )[:SHOWN]


def _checked(wrapper: Wrapper, pages: Sequence[Page]) -> Wrapper:
    found = [wrapper.read(page) for page in pages]
    checked = tuple(
        Checked(page.url or page.title, own.verdict, round(own.found, 4), round(own.known, 4))
        for page, own in zip(pages, found, strict=True)
    )
    training = Training(len(pages), len(pages), sum(own.verdict == "ok" for own in found))
    return replace(wrapper, training=training, checked=checked)


# ---------------------------------------------------------------- wrappers learned from pages alone


def _repaired_templates(wrapper: Wrapper, rules: Templates, pages: Sequence[Page]) -> Proposal:
    """The templates learned anew from the pages, with the fields called as they were.

    A template that most pages are still read by stays: it knows more pages than these.
    """
    refused = sum(wrapper.read(page).verdict == "failed" for page in pages)
    if refused < MOST_REFUSED * len(pages):
        known = f"the template is still recognised on {len(pages) - refused} of {len(pages)} pages"
        return Proposal(
            wrapper, tuple(Change(name, "kept", KEPT, "", "", (), (), known) for name in wrapper.fields), KEPT
        )
    made = induce(pages)
    texts = record_texts(made, pages)
    wanted = replace(rules.profile, fields=tuple(own for own in rules.profile.fields if own.name in rules.fields))
    names = _matched(wanted, made, texts)
    changes = [_template_change(own, names.get(own.name), texts) for own in wanted.fields]
    sure = [own.confidence for own in changes if own.status != "missing"]
    renamed = _renamed(made, {now: name for name, (now, _, _) in names.items()})
    return Proposal(renamed, tuple(changes), min(sure, default=0.0))


def _template_change(
    own: FieldProfile, found: tuple[str, float, str] | None, texts: Mapping[str, Sequence[str]]
) -> Change:
    if found is None:
        return Change(
            own.name, "missing", 0.0, own.name, "", own.examples[:SHOWN], (), "no field of the pages is like it"
        )
    now, alike, why = found
    status: Status = "found again" if alike >= SURE else "unsure"
    values = tuple(texts.get(now, ()))[:SHOWN]
    return Change(own.name, status, round(alike, 2), own.name, now, own.examples[:SHOWN], values, why)


def _renamed(wrapper: Wrapper, names: Mapping[str, str]) -> Wrapper:
    """A wrapper with its fields called as they were, each in its set; who has such a name and is another gives way."""
    wanted = {
        now: old.rpartition(".")[2] for now, old in names.items() if now.rpartition(".")[2] != old.rpartition(".")[2]
    }
    for now, name in wanted.items():
        scope, dot, _ = now.rpartition(".")
        rival = f"{scope}{dot}{name}"
        if rival in wrapper.fields:
            free = next(
                f"{name} {number}" for number in count(2) if f"{scope}{dot}{name} {number}" not in wrapper.fields
            )
            wrapper = wrapper.rename(rival, free)
            now = f"{scope}{dot}{free}" if now == rival else now
        wrapper = wrapper.rename(now, name)
    return wrapper


def _matched(old: Profile, made: Wrapper, texts: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, float, str]]:
    """For each field of old the new field that is most like it: by what it says, by its name, by its type."""
    rated = [
        (*_alike(own, new, made.profile.of(new), texts.get(new, ())), own.name, new)
        for own in old.fields
        for new in texts
    ]
    found: dict[str, tuple[str, float, str]] = {}
    for alike, why, name, new in sorted(rated, key=lambda one: -one[0]):
        if alike < LEAST_ALIKE:
            break
        if name not in found and new not in [own[0] for own in found.values()]:
            found[name] = (new, alike, why)
    return found


def _alike(own: FieldProfile, name: str, profile: FieldProfile | None, texts: Sequence[str]) -> tuple[float, str]:
    if profile and own.type.kind != profile.type.kind and "text" not in (own.type.kind, profile.type.kind):
        return 0.0, ""
    remembered = set(map(key_of, own.examples))
    again = Counter(key_of(text) in remembered for text in texts)
    share = again[True] / max(1, min(len(remembered), len(texts)))
    same_name = label_key(own.name.rpartition(".")[2]) == label_key(name.rpartition(".")[2])
    if share >= LEAST_ALIKE:
        return min(1.0, 0.5 + share / 2 + 0.2 * same_name), "its values are remembered"
    return (0.8, "its name is the same") if same_name else (share, "")
