"""Whether what was read on a page is like what was read when the wrapper was made."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sightline.checks import is_far, number_of
from sightline.data import FieldProfile, Profile, Verdict, infer
from sightline.extract.wrappers._found import Problem
from sightline.extract.wrappers.patterns._apply import PatternReading, TakenValue
from sightline.extract.wrappers.patterns._pattern import Pattern
from sightline.extract.wrappers.patterns._pattern_profile import named_patterns
from sightline.extract.wrappers.patterns._view import View

__all__ = ["Verified", "doubts_about", "verified"]

ALWAYS = 1.0  # fill of a field that no record was without
LEAST_MARKS = 0.7  # of the classes, ids and paths around the values
# Of few pages nobody knows which fields others lack: where a page is built like them, a missing field may be optional.
ENOUGH = 8
SAME_BUILD = 0.9
MOST_MISSING = 0.5  # of the fields
LONGER = 6  # times as long as the longest value, and
SLACK = 120  # characters more, from which on a text is likely to hold more than the value
FEWER = 4  # times fewer, or more, values or records than ever,
MANY = 4  # where there were at least so many
MOST_PROBLEMS = 20


class Verified(NamedTuple):
    """The verdict on a page, and what it hangs on."""

    verdict: Verdict
    built: float
    filled: float
    problems: tuple[Problem, ...]


def verified(view: View, patterns: Sequence[Pattern], reading: PatternReading, profile: Profile) -> Verified:
    """The verdict on what was read on a page."""
    built = _built(view, profile)
    names = dict(named_patterns(patterns))
    required = [
        own for own in profile.fields if own.fill >= ALWAYS and own.name in names and not names[own.name].dropped
    ]
    missing = [own for own in required if not reading.of(own.name)]
    known = profile.pages >= ENOUGH or built < SAME_BUILD or len(missing) > MOST_MISSING * len(required)
    problems = [Problem("", f"the field “{own.name}” is missing") for own in missing] if known else []
    problems += [
        Problem("", f"the field “{name}” was not found again after a change of the pages")
        for name, own in names.items()
        if own.unsure and not own.dropped and not reading.of(name)
    ]
    if built < LEAST_MARKS:
        problems.append(
            Problem("", f"only {built:.0%} of the marks around the values are on this page: it is built otherwise")
        )
    for own in profile.fields:
        pattern = names.get(own.name)
        if pattern and not pattern.dropped:
            problems += doubts_about(view, pattern, own, reading.of(own.name))
    if _is_far(reading.records, profile.least, profile.most):
        problems.append(Problem("", f"{reading.records} records, where pages had {profile.least} to {profile.most}"))
    filled = 1 - len(missing) / len(required) if required else 1.0
    nothing = not reading.taken or (required and len(missing) == len(required))
    verdict: Verdict = "failed" if nothing else "suspicious" if problems else "ok"
    return Verified(verdict, built, filled, tuple(problems[:MOST_PROBLEMS]))


def _is_far(count: int, least: int, most: int) -> bool:
    """Whether there are far fewer or more than ever; of few nobody knows."""
    return most >= MANY and (count > FEWER * most or count * FEWER < least)


def _built(view: View, profile: Profile) -> float:
    if not profile.marks:
        return 1.0
    return sum(_has_mark(view, mark) for mark in profile.marks) / len(profile.marks)


def _has_mark(view: View, mark: str) -> bool:
    if mark.startswith("."):
        return view.has_class(mark[1:])
    if mark.startswith("#"):
        number = view.page.string_id(mark[1:])
        return number >= 0 and bool((view.attribute("id") == number).any())
    return mark in view.paths


def doubts_about(view: View, pattern: Pattern, profile: FieldProfile, taken: Sequence[TakenValue]) -> Iterator[Problem]:
    """What is unlike the values that the field had."""
    if not taken:
        return
    first = taken[0]

    def problem(what: str, one: TakenValue = first) -> Problem:
        return Problem(view.page.xpath(one.node), f"“{profile.name}”: {what}")

    if pattern.unsure:
        yield problem("it was found again after a change of the pages, and is not confirmed yet")
    if first.rule > 0 and not pattern.needs_all:
        yield problem("the first rule found nothing; another one did")
    if "." not in profile.name and _is_far(len(taken), profile.least, profile.most):
        yield problem(f"{len(taken)} values, where it had {profile.least} to {profile.most}")
    for one in taken:
        if len(one.text) > LONGER * profile.longest + SLACK:
            yield problem(f"“{one.text:.40}…” is much longer than any value so far", one)
            break
    if profile.type.kind != "text":
        yield from _unlike(profile, taken, problem)


def _unlike(profile, taken, problem) -> Iterator[Problem]:  # type: ignore[no-untyped-def]
    for one in taken:
        value = profile.type.parse(one.text)
        if value is None and infer([one.text], profile.type.language).kind != profile.type.kind:
            yield problem(f"“{one.text:.40}” is no {profile.type}", one)
            return
        if is_far(number_of(value), profile):
            yield problem(f"“{one.text:.40}” is far from the range of {profile.low:g} to {profile.high:g}", one)
            return
