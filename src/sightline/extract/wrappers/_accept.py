"""Accepting a part of a repair: some fields get their new rules, the others keep those that they had."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sightline.data import Profile, Value
from sightline.errors import UsageError
from sightline.extract.wrappers._found import WrapperRules
from sightline.extract.wrappers._repair import Change
from sightline.extract.wrappers._trained import Trained, TrainedRules
from sightline.extract.wrappers.patterns import Pattern, Patterns, pattern_in_words
from sightline.extract.wrappers.templates import Templates

__all__ = ["accepted", "detailed"]


def accepted(old: Trained, new: Trained, details: Sequence[Change], names: Sequence[str]) -> Trained:
    """The wrapper with the proposed rules of the named fields, and the old ones of all others."""
    known = {change.name for change in details}
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise UsageError(f"The proposal has no field {unknown!r}; its fields are {', '.join(sorted(known))}.")
    # A field that was kept, or is missing, has no new rule that could be accepted.
    wanted = {change.name for change in details if change.status not in ("kept", "missing")} & set(names)
    if not wanted:
        return old
    if isinstance(old.rules, Patterns) and isinstance(new.rules, Patterns):
        return _accepted_patterns(old, old.rules, new, new.rules, wanted)
    if isinstance(old.rules, Templates) and isinstance(new.rules, Templates):
        return _accepted_templates(old, old.rules, new, new.rules, wanted)
    raise UsageError("Rules of two kinds cannot be put together; use the proposed wrapper as a whole.")


# ---------------------------------------------------------------- taught wrappers


def _accepted_patterns(old: Trained, before: Patterns, new: Trained, after: Patterns, wanted: set[str]) -> Trained:
    proposed = {pattern.name: pattern for pattern in after.patterns}
    patterns = tuple(_chosen(pattern, proposed[pattern.name], wanted) for pattern in before.patterns)
    taken = {name for name, chosen, former in _pairs(patterns, before.patterns) if chosen is not former}
    profile = _chosen_profile(before.profile, after.profile, taken)
    return replace(old, rules=Patterns(patterns, profile), rendered=old.rendered or new.rendered)


def _chosen(before: Pattern, after: Pattern, wanted: set[str]) -> Pattern:
    """A pattern as it was, or as it is proposed; of a set, with those of its fields that are wanted."""
    inside = {name.partition(".")[2] for name in wanted if name.startswith(f"{before.name}.")}
    if not inside:
        return after if before.name in wanted else before
    proposed = {field.name: field for field in after.fields}
    fields = tuple(proposed[field.name] if field.name in inside else field for field in before.fields)
    return replace(after, fields=fields)


def _pairs(
    patterns: Sequence[Pattern], others: Sequence[Pattern], scope: str = ""
) -> Iterator[tuple[str, Pattern, Pattern]]:
    """The patterns of single fields beside those of the same name, with their full names."""
    for pattern, other in zip(patterns, others, strict=True):
        if pattern.fields:
            yield from _pairs(pattern.fields, other.fields, f"{scope}{pattern.name}.")
        else:
            yield f"{scope}{pattern.name}", pattern, other


def _chosen_profile(before: Profile, after: Profile, taken: set[str]) -> Profile:
    """The profile of the pages as they are now, with what is remembered of the fields that stay as they were."""
    former = {field.name: field for field in before.fields}
    fields = tuple(field if field.name in taken else former.get(field.name, field) for field in after.fields)
    return replace(after, fields=fields, records=after.records or before.records)


# ---------------------------------------------------------------- wrappers learned from pages alone


def _accepted_templates(old: Trained, before: Templates, new: Trained, after: Templates, wanted: set[str]) -> Trained:
    """The new templates with the wanted fields only; the old ones stay, and read pages that are still like them."""
    unwanted = [name for name in new.fields if name not in wanted and not _holds(name, wanted)]
    for name in unwanted:
        if name in new.fields:  # a set that was dropped took its fields with it
            new = new.drop(name)
    assert isinstance(new.rules, Templates)
    if not unwanted:
        return new
    rules = Templates((*new.rules.templates, *before.templates), (*new.rules.each, *before.each), after.profile)
    return replace(old, rules=rules, rendered=old.rendered or new.rendered)


def _holds(name: str, wanted: set[str]) -> bool:
    """Whether a field is in a wanted set, or is a set with a wanted field."""
    return any(one.startswith(f"{name}.") or name.startswith(f"{one}.") for one in wanted)


# ---------------------------------------------------------------- field by field


def detailed(
    change: Change, before: TrainedRules, proposed: TrainedRules, evidence: Mapping[str, Sequence[Value]]
) -> Iterator[Change]:
    """A change, and those of the fields in it if it is that of a set."""
    yield change
    old, new = _pattern(before.rules, change.name), _pattern(proposed.rules, change.name)
    if old is None or new is None or not old.fields:
        return
    new_fields = {field.name: field for field in new.fields}
    for field in old.fields:
        after, name = new_fields.get(field.name), f"{change.name}.{field.name}"
        known = before.profile.of(name)
        same = after is None or after.rules == field.rules
        yield replace(
            change,
            name=name,
            status=change.status if change.status in ("kept", "missing") or not same else "kept",
            before=pattern_in_words(field),
            after=pattern_in_words(after) if after else "",
            old=known.examples[: len(change.old) or 3] if known else (),
            new=tuple(value.text for value in evidence.get(name, ())[:3]),
            why="its rule is still the same" if same and change.status != "kept" else change.why,
        )


def _pattern(rules: WrapperRules, name: str) -> Pattern | None:
    patterns = rules.patterns if isinstance(rules, Patterns) else ()
    return next((pattern for pattern in patterns if pattern.name == name), None)
