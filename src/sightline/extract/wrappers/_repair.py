"""Repair after a redesign: propose a new wrapper, field by field. Nothing is replaced silently."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as entry
from itertools import count
from typing import Any, Literal, TypeAlias

from sightline.data import FieldProfile, Profile, Value, Verdict, verdict_of_pages
from sightline.errors import UsageError
from sightline.extract.wrappers._field_profiles import record_texts, record_values
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
    mark_unsure,
    profile_of,
    read_patterns,
    relearn,
)
from sightline.extract.wrappers.templates import Templates
from sightline.page import Page

__all__ = ["Change", "Proposal", "propose_repair"]

Status: TypeAlias = Literal["kept", "found again", "unsure", "missing"]
DOUBTFUL = ("unsure", "missing")
SHOWN = 3  # values of a field that a change shows
SURE = 0.75  # of the confidence in a field, below which it needs confirming
MOST_REFUSED = 0.5  # of the pages that an induced wrapper rejects, from which on it is induced again
KEPT = 0.8  # the confidence in a wrapper that still recognises most pages
LEAST_ALIKE = 0.3  # of an induced field's values that must be remembered, unless it has the same name


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a field: its rule and some values before and after, how certain it is, and why."""

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
    """A wrapper for the pages as they are now, to be reviewed before it is used.

    `confidence` is that of the least certain field; one that could not be found again makes it 0, and the proposed
    wrapper reports it on every page. `checked` is what the proposed wrapper says of the pages. `evidence` has some
    values that it reads there, by the full name of their field, and `old` is the wrapper as it was.
    """

    wrapper: Wrapper
    changes: tuple[Change, ...]
    confidence: float
    checked: tuple[Checked, ...] = ()
    old: Wrapper | None = None
    evidence: Mapping[str, tuple[Value, ...]] = entry(default_factory=dict)

    def accept(self, *names: str, pages: Sequence[Page] = ()) -> Wrapper:
        """The wrapper in which the named fields have the proposed rules, and all others those that they had.

        Naming a set takes the new rule for its records with all fields in it; naming fields of the set
        (`items.price`) takes the new rule for the records, and new rules for these fields only. The wrapper is checked
        on `pages`, if there are any.
        """
        from sightline.extract.wrappers._accept import accepted

        made = accepted(self, names)
        return _with_checks(made, _checks(made, pages)) if pages and made is not self.old else made

    @property
    def details(self) -> tuple[Change, ...]:
        """The changes with those of the fields in sets, each after its set."""
        from sightline.extract.wrappers._accept import detailed

        return tuple(detail for change in self.changes for detail in detailed(self, change))

    @property
    def verdict(self) -> Verdict:
        """`ok` only if every field is sure, and the proposed wrapper would say so of every page."""
        doubtful = any(change.status in DOUBTFUL for change in self.changes)
        return "suspicious" if doubtful or verdict_of_pages([own.verdict for own in self.checked]) != "ok" else "ok"

    @property
    def missing(self) -> list[str]:
        """The fields that could not be found again."""
        return [change.name for change in self.changes if change.status == "missing"]

    @property
    def is_needed(self) -> bool:
        """Whether anything has to change at all."""
        return any(change.status != "kept" for change in self.changes)

    def diff(self) -> str:
        """What changes, field by field, as text."""
        lines = []
        for change in self.changes:
            lines.append(f"{change.name}: {change.status} ({change.confidence:.0%}; {change.why})")
            if change.status != "kept":
                lines += [f"  - {line}" for line in change.before.splitlines()]
                lines += [f"  + {line}" for line in change.after.splitlines()]
                lines += [f"  before: {' · '.join(change.old)}"] if change.old else []
                lines += [f"  now:    {' · '.join(change.new)}"] if change.new else []
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The proposal as plain values."""
        return {
            "confidence": self.confidence,
            "changes": [
                {
                    "field": change.name,
                    "status": change.status,
                    "confidence": change.confidence,
                    "before": change.before,
                    "after": change.after,
                    "old": list(change.old),
                    "new": list(change.new),
                    "why": change.why,
                }
                for change in self.changes
            ],
            "wrapper": self.wrapper.to_json(),
        }


def propose_repair(wrapper: Wrapper, pages: Sequence[Page]) -> Proposal:
    """Propose what a wrapper must become to read these pages."""
    for page in pages:
        if not isinstance(page, Page):
            raise UsageError(f"A wrapper is repaired on pages, not on {page!r:.60}; open them first with open().")
    if not pages:
        raise UsageError("Repair needs the pages as they are now; give at least one.")
    if all(wrapper.read(page, heal=False).verdict == "ok" for page in pages):
        return _unchanged(wrapper)
    rules = wrapper.rules
    if isinstance(rules, Patterns):
        proposal = _repair_patterns(wrapper, rules, pages)
    elif isinstance(rules, Templates):
        proposal = _repair_templates(wrapper, rules, pages)
    else:
        raise UsageError("Rules of this kind cannot be repaired; teach the wrapper again.")
    return replace(proposal, old=wrapper, evidence=_evidence(proposal.wrapper, pages))


def _evidence(wrapper: Wrapper, pages: Sequence[Page]) -> dict[str, tuple[Value, ...]]:
    """The first values of each field on the pages: a few of every page, so that each has some to look at."""
    found: dict[str, list[Value]] = {}
    for page in pages:
        here = record_values(wrapper, [page])
        for name, values in here.items():
            found.setdefault(name, []).extend(values[:SHOWN])
    return {name: tuple(values) for name, values in found.items()}


def _unchanged(wrapper: Wrapper) -> Proposal:
    why = "the wrapper still reads all pages correctly"
    changes = tuple(Change(name, "kept", 1.0, "", "", (), (), why) for name in wrapper.fields)
    return Proposal(wrapper, changes, 1.0, old=wrapper)


# ---------------------------------------------------------------- taught wrappers


def _repair_patterns(wrapper: Wrapper, rules: Patterns, pages: Sequence[Page]) -> Proposal:
    views = [View(page) for page in pages]
    found = relearn([pattern for pattern in rules.patterns if not pattern.dropped], rules.profile, views)
    by_name = {relearned.name: relearned for relearned in found}
    patterns = tuple(
        (by_name[pattern.name].new or mark_unsure(pattern)) if pattern.name in by_name else pattern
        for pattern in rules.patterns
    )
    readings = [(view, read_patterns(view, patterns)) for view in views]
    fresh = profile_of(patterns, readings, wrapper.language)
    missing = {relearned.name for relearned in found if relearned.new is None}
    profile = _merge_profiles(rules.profile, fresh, missing=missing)
    made = replace(wrapper, rules=Patterns(patterns, profile), rendered=any(page.kind == "rendered" for page in pages))
    changes = tuple(_change(relearned, rules.profile, fresh) for relearned in found)
    checked = _checks(made, pages)
    return Proposal(_with_checks(made, checked), changes, _least_sure(changes), checked)


def _least_sure(changes: Sequence[Change]) -> float:
    return min((change.confidence for change in changes), default=0.0)


def _merge_profiles(old: Profile, new: Profile, missing: set[str]) -> Profile:
    """The profile of the pages as they are now, plus the old profiles of missing fields, and old example texts."""
    by_name = {field.name: field for field in old.fields}
    fields = []
    for field in new.fields:
        before = by_name.get(field.name)
        if before and (field.name.partition(".")[0] in missing or field.name in missing):
            fields.append(before)
        elif before:
            examples = tuple(dict.fromkeys((*field.examples, *before.examples)))[
                : max(len(field.examples), len(before.examples))
            ]
            longest = max(field.longest, before.longest)
            fields.append(replace(field, examples=examples, longest=longest, left=before.left))
        else:
            fields.append(field)
    return replace(new, fields=tuple(fields), records=new.records or old.records)


def _change(relearned: Relearned, old: Profile, new: Profile) -> Change:
    status: Status = "missing"
    if relearned.new is relearned.old:
        status = "kept"
    elif relearned.new is not None:
        status = "found again" if relearned.confidence >= SURE else "unsure"
    return Change(
        relearned.name,
        status,
        relearned.confidence,
        "\n".join(lines_in_words([relearned.old])),
        "\n".join(lines_in_words([relearned.new])) if relearned.new else "",
        _values(old, relearned.name),
        _values(new, relearned.name) if relearned.new else (),
        relearned.why,
    )


def _values(profile: Profile, name: str) -> tuple[str, ...]:
    field = profile.of(name)
    if field:
        return field.examples[:SHOWN]
    return tuple(
        " | ".join(texts[0] for texts in record.values() if texts)
        for holder, record in profile.records
        if holder == name
    )[:SHOWN]


def _checks(wrapper: Wrapper, pages: Sequence[Page]) -> tuple[Checked, ...]:
    found = [wrapper.read(page, heal=False) for page in pages]
    return tuple(
        Checked(page.url or page.title, reading.verdict, round(reading.found, 4), round(reading.known, 4))
        for page, reading in zip(pages, found, strict=True)
    )


def _with_checks(wrapper: Wrapper, checked: tuple[Checked, ...]) -> Wrapper:
    training = Training(len(checked), len(checked), sum(check.verdict == "ok" for check in checked))
    return replace(wrapper, training=training, checked=checked)


# ---------------------------------------------------------------- wrappers learned from pages alone


def _repair_templates(wrapper: Wrapper, rules: Templates, pages: Sequence[Page]) -> Proposal:
    """The templates learned again from the pages, with the old names of the fields.

    A template that still reads most pages stays: it was learned from more pages than these.
    """
    refused = sum(wrapper.read(page, heal=False).verdict == "failed" for page in pages)
    if refused < MOST_REFUSED * len(pages):
        why = f"the template is still recognised on {len(pages) - refused} of {len(pages)} pages"
        kept = tuple(Change(name, "kept", KEPT, "", "", (), (), why) for name in wrapper.fields)
        return Proposal(wrapper, kept, KEPT, _checks(wrapper, pages))
    made = induce(pages)
    texts = record_texts(made.all_fields(), pages)
    wanted = replace(rules.profile, fields=tuple(field for field in rules.profile.fields if field.name in rules.fields))
    names = _match_fields(wanted, made, texts)
    changes = [_template_change(field, names.get(field.name), texts) for field in wanted.fields]
    for now, _, _ in names.values():  # what was wanted before is wanted still, wherever it stands now
        made = made if now in made.fields else made.restore(now)
    renamed = _with_old_names(made, {now: name for name, (now, _, _) in names.items()})
    return Proposal(renamed, tuple(changes), _least_sure(changes), _checks(renamed, pages))


def _template_change(
    field: FieldProfile, found: tuple[str, float, str] | None, texts: Mapping[str, Sequence[str]]
) -> Change:
    if found is None:
        return Change(
            field.name, "missing", 0.0, field.name, "", field.examples[:SHOWN], (), "no field of the pages is like it"
        )
    now, alike, why = found
    status: Status = "found again" if alike >= SURE else "unsure"
    values = tuple(texts.get(now, ()))[:SHOWN]
    return Change(field.name, status, round(alike, 2), field.name, now, field.examples[:SHOWN], values, why)


def _with_old_names(wrapper: Wrapper, names: Mapping[str, str]) -> Wrapper:
    """A wrapper with the old names of its fields, each in its set; another field with such a name is renamed."""
    wanted = {
        now: old.rpartition(".")[2] for now, old in names.items() if now.rpartition(".")[2] != old.rpartition(".")[2]
    }
    for now, name in wanted.items():
        scope, dot, _ = now.rpartition(".")
        rival = f"{scope}{dot}{name}"
        known = set(wrapper.all_fields().fields)
        if rival in known:
            free = next(f"{name} {number}" for number in count(2) if f"{scope}{dot}{name} {number}" not in known)
            wrapper = wrapper.rename(rival, free)
            now = f"{scope}{dot}{free}" if now == rival else now
        wrapper = wrapper.rename(now, name)
    return wrapper


def _match_fields(old: Profile, made: Wrapper, texts: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, float, str]]:
    """For each old field the new field most like it: by its values, its name and its type."""
    rated = [
        (*_likeness(field, new, made.profile.of(new), texts.get(new, ())), field.name, new)
        for field in old.fields
        for new in texts
    ]
    found: dict[str, tuple[str, float, str]] = {}
    for alike, why, name, new in sorted(rated, key=lambda match: -match[0]):
        if alike < LEAST_ALIKE:
            break
        if name not in found and new not in [match[0] for match in found.values()]:
            found[name] = (new, alike, why)
    return found


def _likeness(field: FieldProfile, name: str, profile: FieldProfile | None, texts: Sequence[str]) -> tuple[float, str]:
    if profile and field.type.kind != profile.type.kind and "text" not in (field.type.kind, profile.type.kind):
        return 0.0, ""
    remembered = set(map(key_of, field.examples))
    again = Counter(key_of(text) in remembered for text in texts)
    share = again[True] / max(1, min(len(remembered), len(texts)))
    same_name = label_key(field.name.rpartition(".")[2]) == label_key(name.rpartition(".")[2])
    if share >= LEAST_ALIKE:
        return min(1.0, 0.5 + share / 2 + 0.2 * same_name), "its values are known from before"
    return (0.8, "its name is the same") if same_name else (share, "")
