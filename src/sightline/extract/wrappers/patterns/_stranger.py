"""Whether a value belongs to its field, or is a stranger there: its label, element or text suggest something else.

Where a field is missing on a page, a rule may take what stands in its place: the next label, or a neighbour's value.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import mul

import numpy as np

from sightline.arrays import FloatArray
from sightline.checks import element_signature
from sightline.data import FieldProfile
from sightline.extract.wrappers._found import Problem
from sightline.extract.wrappers.patterns._apply import PatternReading
from sightline.extract.wrappers.patterns._pattern import Pattern
from sightline.extract.wrappers.patterns._propose import SHORT, is_labelling
from sightline.extract.wrappers.patterns._stranger_weights import STRANGER_WEIGHTS
from sightline.extract.wrappers.patterns._view import View, label_key

# All others that were tried are worth nothing on sites left out: the labels and the length of values, and where in the
# page their element is.
CLUES = (
    "another label",
    "no label",
    "is a label",
    "words of another field",
    "another element",
    "digits are new",
    "digits are missing",
    "a colon inside",
    "no letters or digits",
)
BIAS = "of every value"  # the weight of being a value at all
# Chosen by folds over sites, as the weights are (`bench/teach/fit_strangers.py`): of the pages without an error, one
# in a thousand is doubted because of it; at 0.5 ten, for half a point less of wrong values on pages that lack a field.
LIKELY = 0.6
MOST_VALUES = 3  # of a field that are looked at
MOST_CLUES = 3  # that are told
FEW_LABELS = 2  # a field with more has them by chance: the texts before it
BEGINNING = 200  # characters of a value that are looked at
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Acquainted:
    """What is known of the values of a field, and of those of the fields beside it."""

    labels: frozenset[str]
    words: frozenset[str]
    other_words: tuple[frozenset[str], ...]
    elements: frozenset[str]
    with_digits: float
    with_colon: bool


def acquainted(fields: Sequence[FieldProfile]) -> dict[str, Acquainted]:
    """The same of all fields, by their names."""
    examples = {field.name: [text[:BEGINNING] for text in field.examples] for field in fields}
    labels = {
        field.name: frozenset(field.labels) if len(field.labels) <= FEW_LABELS else frozenset() for field in fields
    }
    words = {field.name: frozenset().union(*map(words_of, examples[field.name])) for field in fields}
    return {
        field.name: Acquainted(
            labels[field.name],
            words[field.name],
            tuple(some for name, some in words.items() if name != field.name),
            frozenset(place.rpartition(">")[2] for place in field.places),
            sum(any(map(str.isdigit, text)) for text in examples[field.name]) / max(1, len(field.examples)),
            any(":" in text for text in examples[field.name]),
        )
        for field in fields
    }


def words_of(text: str) -> frozenset[str]:
    """The words of a text, without its numbers."""
    return frozenset(map(str.casefold, _WORD.findall(text)))


def clues_of(view: View, known: Acquainted, node: int, text: str) -> FloatArray:
    """What speaks against a value, in the order of CLUES."""
    return np.array([*label_clues(view, known, node), *text_clues(view, known, node, text)], dtype=np.float64)


def label_clues(view: View, known: Acquainted, node: int) -> tuple[float, float]:
    """Whether something else than a label of the field is before a value: another label, or none."""
    first = int(view.first[node])
    if not known.labels or _is_labelled(view, known, node, first):
        return 0.0, 0.0
    is_label = first > 0 and (is_labelling(view, first - 1, heads=False) or len(view.texts[first - 1]) <= SHORT)
    return float(is_label), float(not is_label)


def _is_labelled(view: View, known: Acquainted, node: int, first: int) -> bool:
    """Whether a label of the field is before a value or above it."""
    if first > 0 and label_key(view.texts[first - 1]) in known.labels:
        return True
    heading = int(view.heading_node[node])
    return heading >= 0 and label_key(view.text(heading)) in known.labels


def text_clues(view: View, known: Acquainted, node: int, text: str) -> tuple[float, ...]:
    """What a value says, at its beginning, and what it stands in."""
    text = text[:BEGINNING]
    first, words = int(view.first[node]), words_of(text)
    around = int(view.page.parent[node]) if view.page.is_text[node] else node
    element = element_signature(view.page, int(view.page.tag[around]), int(view.attribute("class")[around]))
    has_digits = any(map(str.isdigit, text))
    foreign = max((len(words & some) for some in known.other_words), default=0) - len(words & known.words)
    return (
        float(int(view.last[node]) > first and is_labelling(view, first, heads=False)),
        max(0, foreign) / max(1, len(words)),
        float(bool(known.elements) and element not in known.elements),
        (1 - known.with_digits) * has_digits,
        known.with_digits * (not has_digits),
        float(":" in text and not known.with_colon),
        float(not any(map(str.isalnum, text))),
    )


_WEIGHTS = tuple(STRANGER_WEIGHTS[name] for name in CLUES)
_ABOUT_LABELS = 2  # of the clues, the first ones
_LEAST_SCORE = math.log(LIKELY / (1 - LIKELY)) - STRANGER_WEIGHTS[BIAS]


def strangers_among(
    view: View, names: Mapping[str, Pattern], reading: PatternReading, known: Mapping[str, Acquainted]
) -> Sequence[Problem]:
    """A problem for each field of pages with a value that probably doesn't belong to it.

    The values of records are compared with each other by the checks; what is known of them here says less.
    """
    found = []
    for name, pattern in names.items():
        if pattern.dropped or pattern.fields or "." in name or name not in known:
            continue
        for value in reading.of(name)[:MOST_VALUES]:
            if told := _told_against(view, known[name], value.node, value.text):
                what = f"“{name}”: “{value.text:.40}” may be something else ({told})"
                found.append(Problem(view.page.xpath(value.node), what))
                break
    return found


def _told_against(view: View, known: Acquainted, node: int, text: str) -> str:
    """The strongest clues against a value; empty if it is probably one of the field's."""
    clues = text_clues(view, known, node, text)
    score = sum(map(mul, clues, _WEIGHTS[_ABOUT_LABELS:]))
    if score + max(_WEIGHTS[:_ABOUT_LABELS]) < _LEAST_SCORE:  # labels take longer, and would change nothing
        return ""
    against = list(map(mul, (*label_clues(view, known, node), *clues), _WEIGHTS))
    if sum(against) < _LEAST_SCORE:
        return ""
    strongest = sorted(zip(against, CLUES, strict=True), reverse=True)[:MOST_CLUES]
    return ", ".join(name for weight, name in strongest if weight > 0)


def without_strangers(view: View, reading: PatternReading, known: Mapping[str, Acquainted]) -> PatternReading:
    """What was read, without values that probably don't belong to their fields, where something is known of these."""
    taken = [
        value
        for value in reading.taken
        if value.name not in known
        or "." in value.name
        or not _told_against(view, known[value.name], value.node, value.text)
    ]
    return replace(reading, taken=taken)
