"""The profile of the values that patterns extracted from the pages they were taught on, to check later pages."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from sightline.checks import ValuePlaces, place_profile, text_profile
from sightline.data import FieldProfile, Profile
from sightline.extract.wrappers.patterns._apply import PatternReading, TakenValue
from sightline.extract.wrappers.patterns._conditions import Condition, mask_of
from sightline.extract.wrappers.patterns._pattern import Pattern
from sightline.extract.wrappers.patterns._propose import conditions_on, is_labelling
from sightline.extract.wrappers.patterns._similar_markup import left_beside
from sightline.extract.wrappers.patterns._view import View, label_key

__all__ = ["marks_on", "named_patterns", "profile_of"]

MOST_LABELS = 6
SHORT = 25  # characters of a text that may be a label even if it does not look like one
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
