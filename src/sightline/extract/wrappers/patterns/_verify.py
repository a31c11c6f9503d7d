"""Whether what was read on a page resembles what was read when the wrapper was made."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sightline.checks import ValuePlaces, is_far, number_of, place_profile, text_profile
from sightline.data import FieldProfile, Profile, Verdict, infer
from sightline.extract.wrappers._found import Problem
from sightline.extract.wrappers.patterns._apply import PatternReading, TakenValue
from sightline.extract.wrappers.patterns._conditions import Condition, mask_of
from sightline.extract.wrappers.patterns._pattern import Pattern
from sightline.extract.wrappers.patterns._propose import SHORT, conditions_on, is_labelling
from sightline.extract.wrappers.patterns._records import left_beside, left_out
from sightline.extract.wrappers.patterns._stranger import Acquainted, strangers_among
from sightline.extract.wrappers.patterns._view import View, label_key

ALWAYS = 1.0  # fill of a field that no record was without
LEAST_MARKS = 0.7  # of the classes, ids and paths around the values
# From few pages nobody can tell which fields others lack: on a page built like them, a missing field may be optional.
ENOUGH = 8
SAME_BUILD = 0.9
MOST_MISSING = 0.5  # of the fields
LONGER = 6  # times as long as the longest value, plus
SLACK = 120  # characters, from which on a text probably holds more than the value
FEWER = 4  # times fewer, or more, values or records than ever before,
MANY = 4  # if there were at least so many
MOST_PROBLEMS = 20
MARKS = {
    "unsure": "it was found again after the pages changed, and is not confirmed yet",
    "lone": "one of several that look alike; give another example if all are meant, or one on another page",
    "loose": "it takes more than what was shown of its page; reject what is wrong, or show another page",
    "partial": "it does not take all of its examples; if they are in lists that differ, teach each by itself",
}


class Verified(NamedTuple):
    """The verdict on a page, and what it is based on."""

    verdict: Verdict
    built: float
    filled: float
    problems: tuple[Problem, ...]


def verify_reading(
    view: View,
    patterns: Sequence[Pattern],
    reading: PatternReading,
    profile: Profile,
    known: Mapping[str, Acquainted] | None = None,
) -> Verified:
    """The verdict on what was read on a page.

    Where nothing else is wrong, strangers among the values are looked for by what is `known` of their fields.
    """
    built = share_of_marks(view, profile)
    names = dict(named_patterns(patterns))
    required = [
        field
        for field in profile.fields
        if field.fill >= ALWAYS and field.name in names and not names[field.name].dropped
    ]
    missing = [field for field in required if not reading.of(field.name)]
    certain = profile.pages >= ENOUGH or built < SAME_BUILD or len(missing) > MOST_MISSING * len(required)
    problems = [Problem("", f"the field “{field.name}” is missing") for field in missing] if certain else []
    problems += [
        Problem("", f"the field “{name}” was not found again after the pages changed")
        for name, pattern in names.items()
        if pattern.unsure and not pattern.dropped and not reading.of(name)
    ]
    problems += [
        Problem("", f"no rule finds the field “{name}”; teach it again with other examples, or drop it")
        for name, pattern in names.items()
        if not pattern.rules and not pattern.dropped
    ]
    if built < LEAST_MARKS:
        problems.append(
            Problem("", f"only {built:.0%} of the marks around the values are on this page: it is built differently")
        )
    for field in profile.fields:
        pattern = names.get(field.name)
        if pattern and not pattern.dropped:
            problems += doubts_about(view, pattern, field, reading.of(field.name))
    if _is_far(reading.records, profile.least, profile.most):
        problems.append(Problem("", f"{reading.records} records, but pages had {profile.least} to {profile.most}"))
    problems += left_out(view, patterns, reading)
    problems += _more_of_the_same(view, names, reading, profile)
    if known and not problems:
        problems += strangers_among(view, names, reading, known)
    filled = 1 - len(missing) / len(required) if required else 1.0
    nothing = not reading.taken or (required and len(missing) == len(required))
    verdict: Verdict = "failed" if nothing else "suspicious" if problems else "ok"
    return Verified(verdict, built, filled, tuple(problems[:MOST_PROBLEMS]))


def _more_of_the_same(
    view: View, names: Mapping[str, Pattern], reading: PatternReading, profile: Profile
) -> Iterator[Problem]:
    """A problem for each field beside whose values there are more of their make, although there never were."""
    read = {value.name for value in reading.taken}
    watched = [field for field in profile.fields if field.left == 0 and field.name in names and field.name in read]
    if not watched:
        return
    left = left_beside(view, reading, {field.name for field in watched})
    for field in watched:
        more = left.get(field.name, [])
        if more and not names[field.name].dropped:
            what = f"“{field.name}”: {len(more)} more of the same make beside what is taken, and there were none before"
            yield Problem(view.page.xpath(more[0]), f"{what}; “{view.text(more[0]):.40}” is one")


def _is_far(count: int, least: int, most: int) -> bool:
    """Whether there are far fewer or more than ever before; small numbers tell nothing."""
    return most >= MANY and (count > FEWER * most or count * FEWER < least)


def share_of_marks(view: View, profile: Profile) -> float:
    """The share of the marks around the values that are on a page: how much it is built like those before."""
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
    """How the values differ from those that the field had."""
    if not taken:
        return
    first = taken[0]

    def problem(what: str, value: TakenValue = first) -> Problem:
        return Problem(view.page.xpath(value.node), f"“{profile.name}”: {what}")

    for mark, what in MARKS.items():
        if getattr(pattern, mark):
            yield problem(what)
    if first.rule > 0 and not pattern.needs_all:
        yield problem("the first rule found nothing; another one did")
    if "." not in profile.name and _is_far(len(taken), profile.least, profile.most):
        yield problem(f"{len(taken)} values, but it had {profile.least} to {profile.most}")
    if apart := _next_part(view, pattern, taken):
        yield problem("several values in one block, where it had one", apart)
    if long := next((value for value in taken if len(value.text) > LONGER * profile.longest + SLACK), None):
        yield problem(f"“{long.text:.40}…” is much longer than any value so far", long)
    if profile.type.kind != "text":
        yield from _values_unlike(profile, taken, problem)


def _next_part(view: View, pattern: Pattern, taken: Sequence[TakenValue]) -> TakenValue | None:
    """The first value that is the next part of a block where one was taught: there is not even a comma between them."""
    if not pattern.lined or pattern.many:
        return None
    for before, value in pairwise(taken):
        if before.record == value.record and view.last[before.node] == view.first[value.node]:
            return value
    return None


def _values_unlike(profile, taken, problem) -> Iterator[Problem]:  # type: ignore[no-untyped-def]
    for taken_value in taken:
        value = profile.type.parse(taken_value.text)
        if value is None and infer([taken_value.text], profile.type.language).kind != profile.type.kind:
            yield problem(f"“{taken_value.text:.40}” is not of the type {profile.type}", taken_value)
            return
        if is_far(number_of(value), profile):
            yield problem(
                f"“{taken_value.text:.40}” is far from the range of {profile.low:g} to {profile.high:g}", taken_value
            )
            return


# -- the profile of the values that patterns extracted from the pages they were taught on ---------------------------

MOST_LABELS = 6
MOST_EVIDENCE = 24
MOST_MARKS = 60
MOST_RECORDS = 12
SAMPLE = 3  # values of a page that evidence is taken from
HEIGHT = 6  # elements around a value that are considered


def named_patterns(patterns: Sequence[Pattern], scope: str = "") -> Iterator[tuple[str, Pattern]]:
    """All patterns of single fields; those in records are prefixed with the names of their sets."""
    for pattern in patterns:
        if pattern.fields:
            yield from named_patterns(pattern.fields, f"{scope}{pattern.name}.")
        else:
            yield f"{scope}{pattern.name}", pattern


def profile_of(
    patterns: Sequence[Pattern], readings: Sequence[tuple[View, PatternReading]], language: str | None
) -> Profile:
    """The profile of what patterns have read on some pages."""
    places = [ValuePlaces(view.page) for view, _ in readings]
    beside = [left_beside(view, reading) for view, reading in readings]
    fields = tuple(
        replace(
            _field(name, pattern, readings, places, language),
            left=max((len(of_page[name]) for of_page in beside if name in of_page), default=None),
        )
        for name, pattern in named_patterns(patterns)
    )
    counts = [reading.records for _, reading in readings]
    marks = [
        set(marks_on(view, [value.node for value in reading.taken])) for view, reading in readings if reading.taken
    ]
    shared = sorted(set.intersection(*marks)) if marks else []
    return Profile(
        len(readings),
        min(counts, default=0),
        max(counts, default=0),
        fields,
        tuple(shared[:MOST_MARKS]),
        tuple(record for _, reading in readings for record in _sample_records(reading))[:MOST_RECORDS],
    )


def _sample_records(reading: PatternReading) -> Iterator[tuple[str, dict[str, tuple[str, ...]]]]:
    """Some records as they were: the texts of their fields; values outside records form one record without a name."""
    found: dict[tuple[str, int], dict[str, list[str]]] = {}
    for value in reading.taken:
        holder, _, name = value.name.rpartition(".")
        found.setdefault((holder, value.record), {}).setdefault(name, []).append(value.text)
    for (holder, _), record in list(found.items())[:MOST_RECORDS]:
        yield holder, {name: tuple(texts) for name, texts in record.items()}


def _field(
    name: str,
    pattern: Pattern,
    readings: Sequence[tuple[View, PatternReading]],
    places: Sequence[ValuePlaces],
    language: str | None,
) -> FieldProfile:
    values = [(view, reading.of(name)) for view, reading in readings]
    texts = [value.text for _, found in values for value in found]
    holders = [max(1, reading.records) if "." in name else 1 for _, reading in readings]
    filled = [len({value.record for value in found}) for _, found in values]
    counts = [
        count for _, found in values for count in np.bincount([value.record for value in found]).tolist() if count
    ]
    standing = [
        (around, value.node, value.text) for around, (_, found) in zip(places, values, strict=True) for value in found
    ]
    return FieldProfile(
        name,
        fill=round(sum(filled) / max(1, sum(holders)), 4),
        least=min(counts, default=0),
        most=max(counts, default=0),
        labels=_labels(values, frozenset(map(label_key, texts))),
        looks=tuple(
            dict.fromkeys(
                filter(None, (view.look_of(value.node) for view, found in values for value in found[:SAMPLE]))
            )
        ),
        evidence=_evidence(values, texts) if pattern.take == "text" else (),
        **text_profile(texts, language),
        **place_profile(standing),
    )


def _labels(by_page: Sequence[tuple[View, list[TakenValue]]], values: frozenset[str]) -> tuple[str, ...]:
    """The labels just before the values, and the headings above them, except the page's title and other values."""
    found: list[str] = []
    for view, taken in by_page:
        names = view.label_names
        title = view.page.title.casefold()
        for value in taken[:SAMPLE]:
            before, heading = int(view.first[value.node]) - 1, int(view.heading_node[value.node])
            if before >= 0 and (is_labelling(view, before, heads=False) or _is_short(view.texts[before])):
                found.append(names.get(int(view.labels[before]), ""))
            above = names.get(int(view.heading[value.node]), "") if heading >= 0 else ""
            found += [above] if above not in title and not _is_first(view, heading) else []
    return tuple(label for label in dict.fromkeys(found) if label and label not in values)[:MOST_LABELS]


def _is_short(text: str) -> bool:
    return len(text) <= SHORT and not any(map(str.isdigit, text))


def _is_first(view: View, heading: int) -> bool:
    return heading >= 0 and view.page.strings[int(view.page.tag[heading])] == "h1"


def _evidence(
    by_page: Sequence[tuple[View, list[TakenValue]]], texts: Sequence[str]
) -> tuple[tuple[str, str, str], ...]:
    """The conditions that hold for all values, the cheapest first."""
    values = frozenset(map(label_key, texts))
    costs: dict[Condition, float] = {}
    for view, taken in by_page:
        for value in taken[:SAMPLE]:
            for condition, cost in conditions_on(view, value.node, 0, values):
                costs[condition] = min(cost, costs.get(condition, np.inf))
    places = [(view, np.array([value.node for value in taken], dtype=np.int64)) for view, taken in by_page]
    chosen = [
        condition
        for condition in sorted(costs, key=lambda candidate: costs[candidate])
        if all(mask_of(view, condition)[nodes].all() for view, nodes in places)
    ]
    return tuple((condition.way, condition.test, condition.value) for condition in chosen[:MOST_EVIDENCE])


def marks_on(view: View, nodes: Iterable[int]) -> Iterator[str]:
    """The classes and ids around some nodes, and their tag paths: how a page is built around its values."""
    page = view.page
    around: set[int] = set()
    for node in nodes:
        yield page.path_names[int(page.path[node])]
        above = int(page.parent[node])
        for _ in range(HEIGHT):
            if above < 0 or above in around:
                break
            around.add(above)
            above = int(page.parent[above])
    for element in sorted(around):
        attributes = page.node(element).attributes
        yield from (f".{token}" for token in attributes.get("class", "").split())
        if attributes.get("id"):
            yield f"#{attributes['id']}"
