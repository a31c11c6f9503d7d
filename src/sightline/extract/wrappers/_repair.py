"""Repair after a redesign: propose a new wrapper, field by field. Nothing is replaced silently."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as entry
from itertools import count
from typing import Generic, Literal, TypeAlias

from sightline.data import FieldProfile, Profile, Value, named_values
from sightline.errors import UsageError
from sightline.extract.wrappers._found import Checked, Training
from sightline.extract.wrappers._induce import learn
from sightline.extract.wrappers._trained import Trained, TrainedRules
from sightline.extract.wrappers.patterns import (
    Patterns,
    Relearned,
    View,
    acquainted,
    key_of,
    label_key,
    lines_in_words,
    mark_unsure,
    profile_of,
    read_patterns,
    relearn,
    without_strangers,
)
from sightline.extract.wrappers.templates import Templates
from sightline.page import Page

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
class Repaired(Generic[Trained]):
    """A wrapper made for the pages as they are now, what became of each field, and what it says and reads of them."""

    wrapper: Trained
    changes: tuple[Change, ...]
    confidence: float
    checked: tuple[Checked, ...] = ()
    evidence: Mapping[str, tuple[Value, ...]] = entry(default_factory=dict)


def repaired(wrapper: Trained, pages: Sequence[Page]) -> Repaired[Trained]:
    """What a wrapper must become to read these pages."""
    for page in pages:
        if not isinstance(page, Page):
            raise UsageError(f"A wrapper is repaired on pages, not on {page!r:.60}; open them first with open().")
    if not pages:
        raise UsageError("Repair needs the pages as they are now; give at least one.")
    if all(wrapper.read(page, heal=False).verdict == "ok" for page in pages):
        return _unchanged(wrapper)
    rules = wrapper.rules
    if isinstance(rules, Patterns):
        found = _repair_patterns(wrapper, rules, pages)
    elif isinstance(rules, Templates):
        found = _repair_templates(wrapper, rules, pages)
    else:
        raise UsageError("Rules of this kind cannot be repaired; teach the wrapper again.")
    return replace(found, evidence=_evidence(found.wrapper, pages))


def _evidence(wrapper: TrainedRules, pages: Sequence[Page]) -> dict[str, tuple[Value, ...]]:
    """The first values of each field on the pages: a few of every page, so that each has some to look at."""
    found: dict[str, list[Value]] = {}
    for page in pages:
        for name, values in _record_values(wrapper, [page]).items():
            found.setdefault(name, []).extend(values[:SHOWN])
    return {name: tuple(values) for name, values in found.items()}


def _record_values(wrapper: TrainedRules, pages: Sequence[Page]) -> dict[str, list[Value]]:
    """The values of each field of a wrapper on some pages, by full name."""
    each = next(iter(wrapper.rules.each), "")
    found: dict[str, list[Value]] = defaultdict(list)
    for page in pages:
        for record in wrapper.read(page).records:
            for name, value in named_values(record, each):
                found[name].append(value)
    return dict(found)


def _unchanged(wrapper: Trained) -> Repaired[Trained]:
    why = "the wrapper still reads all pages correctly"
    changes = tuple(Change(name, "kept", 1.0, "", "", (), (), why) for name in wrapper.fields)
    return Repaired(wrapper, changes, 1.0)


# ---------------------------------------------------------------- taught wrappers


def _repair_patterns(wrapper: Trained, rules: Patterns, pages: Sequence[Page]) -> Repaired[Trained]:
    views = [View(page) for page in pages]
    found = relearn([pattern for pattern in rules.patterns if not pattern.dropped], rules.profile, views)
    by_name = {relearned.name: relearned for relearned in found}
    patterns = tuple(
        (by_name[pattern.name].new or mark_unsure(pattern)) if pattern.name in by_name else pattern
        for pattern in rules.patterns
    )
    # Where a rule stays, a page that lacks the field must not teach that what it finds instead is a value.
    kept = {relearned.name for relearned in found if relearned.new is relearned.old}
    known = acquainted([field for field in rules.profile.fields if field.name.partition(".")[0] in kept])
    readings = [(view, without_strangers(view, read_patterns(view, patterns), known)) for view in views]
    fresh = profile_of(patterns, readings, wrapper.language)
    missing = {relearned.name for relearned in found if relearned.new is None}
    profile = _merge_profiles(rules.profile, fresh, missing=missing)
    made = replace(wrapper, rules=Patterns(patterns, profile), rendered=any(page.kind == "rendered" for page in pages))
    made = made.with_agreeing_data(pages)
    changes = tuple(_change(relearned, rules.profile, fresh) for relearned in found)
    checked = checks_on(made, pages)
    return Repaired(with_checks(made, checked), changes, _least_sure(changes), checked)


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


def checks_on(wrapper: TrainedRules, pages: Sequence[Page]) -> tuple[Checked, ...]:
    """What a wrapper says of some pages."""
    found = [wrapper.read(page, heal=False) for page in pages]
    return tuple(
        Checked(page.url or page.title, reading.verdict, round(reading.found, 4), round(reading.known, 4))
        for page, reading in zip(pages, found, strict=True)
    )


def with_checks(wrapper: Trained, checked: tuple[Checked, ...]) -> Trained:
    """The wrapper with what it says of the pages that it was repaired on."""
    training = Training(len(checked), len(checked), sum(check.verdict == "ok" for check in checked))
    return replace(wrapper, training=training, checked=checked)


# ---------------------------------------------------------------- wrappers learned from pages alone


def _repair_templates(wrapper: Trained, rules: Templates, pages: Sequence[Page]) -> Repaired[Trained]:
    """The templates learned again from the pages, with the old names of the fields.

    A template that still reads most pages stays: it was learned from more pages than these.
    """
    refused = sum(wrapper.read(page, heal=False).verdict == "failed" for page in pages)
    if refused < MOST_REFUSED * len(pages):
        why = f"the template is still recognised on {len(pages) - refused} of {len(pages)} pages"
        kept = tuple(Change(name, "kept", KEPT, "", "", (), (), why) for name in wrapper.fields)
        made = wrapper.with_agreeing_data(pages)
        return Repaired(made, kept, KEPT, checks_on(made, pages))
    made, _ = learn(type(wrapper), pages)
    found = _record_values(made.all_fields(), pages)
    texts = {name: [value.text for value in values] for name, values in found.items()}
    wanted = replace(rules.profile, fields=tuple(field for field in rules.profile.fields if field.name in rules.fields))
    names = _match_fields(wanted, made, texts)
    changes = [_template_change(field, names.get(field.name), texts) for field in wanted.fields]
    for now, _, _ in names.values():  # what was wanted before is wanted still, wherever it stands now
        made = made if now in made.fields else made.restore(now)
    renamed = _with_old_names(made, {now: name for name, (now, _, _) in names.items()})
    return Repaired(renamed, tuple(changes), _least_sure(changes), checks_on(renamed, pages))


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


def _with_old_names(wrapper: Trained, names: Mapping[str, str]) -> Trained:
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


def _match_fields(
    old: Profile, made: TrainedRules, texts: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, float, str]]:
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
