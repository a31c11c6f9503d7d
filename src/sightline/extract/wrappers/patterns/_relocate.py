"""Find values again on redesigned pages: by what they were, what was around them, and how they looked.

Every node that could be a value gets a score for every field; nothing is taken unless it clearly wins, and nothing is
taken twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sightline.checks import is_far, number_of
from sightline.data import FieldProfile, infer
from sightline.extract.wrappers.patterns._conditions import Condition, mask_of
from sightline.extract.wrappers.patterns._pattern import Pattern, SearchSpan, found_by
from sightline.extract.wrappers.patterns._propose import cost_of, is_called, is_labelling
from sightline.extract.wrappers.patterns._view import View, key_of, label_key

__all__ = ["SHORTEST", "Relocated", "RelocationCandidate", "relocate_field"]

REMEMBERED = 4.0  # the text is one that the field had
LABELLED = 1.2  # a label of the field is beside or above it
CALLED = 0.8  # a class, id or attribute has the name of the field
RULED = 1.0  # the old rules still match it
EVIDENCE = 2.5  # everything that held for the old values holds for it
WRONG_SIZE = -1.5  # for each factor of SPREAD by which a text is longer or shorter than any before, but at most
MOST_WRONG = -6.0
WRONG_KIND = -6.0
OTHER_LABEL = -6.0  # the label beside it is another one: a shipping fee is not a price
LOOK = 0.5
SHORTEST = 3  # characters of a text that is remembered for itself; "5" is the value of many things
LEAST = 1.4  # of a score; found on the redesigns of the benchmark, where right values have 1.6 or more
MARGIN = 0.35  # to the next best with a different text
SURE = 3.5  # of a score from which on a value needs no confirmation
SPREAD = 3  # times longer or shorter than ever before is another kind of text
PROSE = 120  # characters of values that are running text
WEIGHTLESS = frozenset(("place", "last", "text"))
RIVALS = 20  # nodes that are compared with the best


class RelocationCandidate(NamedTuple):
    """Nodes that may be the values of a field, and their score."""

    nodes: tuple[int, ...]
    score: float
    remembered: int


@dataclass(frozen=True, slots=True)
class Relocated:
    """What was found of a field on a page, how certain it is, and why."""

    nodes: tuple[int, ...]
    confidence: float
    why: str
    remembered: int = 0


def relocate_field(
    view: View,
    pattern: Pattern,
    profile: FieldProfile,
    span: SearchSpan,
    taken: frozenset[int] = frozenset(),
    *,
    memory: float = 1.0,
) -> Relocated | None:
    """The values of a field in a span of a page; None if nothing clearly is one.

    `memory` is how much a remembered text counts: little if nothing else on the page is remembered.
    """
    scores, reasons = _scores(view, pattern, profile, span, memory)
    if taken:
        scores[np.isin(view.first, view.first[list(taken)]) & ~_remembered(view, profile)] = -np.inf
    groups = list(_groups(view, profile, scores) if pattern.many else _single(scores))
    groups.sort(key=lambda group: -group.score)
    if not groups or groups[0].score < LEAST:
        return None
    best = groups[0]
    rival = next((group for group in groups[1:] if not _are_equivalent(view, group, best)), None)
    margin = best.score - rival.score if rival else best.score
    if margin < MARGIN and not best.remembered:
        return None
    confidence = min(1.0, best.score / SURE) * min(1.0, 0.5 + margin)
    why = ", ".join(name for name, mask in reasons.items() if mask[best.nodes[0]]) or "its place"
    return Relocated(best.nodes, round(float(confidence), 2), why, best.remembered)


# ---------------------------------------------------------------- scores


def _scores(
    view: View, pattern: Pattern, profile: FieldProfile, span: SearchSpan, memory: float
) -> tuple[npt.NDArray[np.float64], dict[str, npt.NDArray[np.bool_]]]:
    page = view.page
    scores = np.full(len(page), -np.inf)
    nodes = view.candidates
    nodes = nodes[np.searchsorted(nodes, span.start) : np.searchsorted(nodes, span.stop)]
    scores[nodes] = 0.0
    reasons = {
        "its text is known": _remembered(view, profile),
        "its label is the same": _labelled(view, profile),
        "its name is the same": _named_like(view, profile.name.rpartition(".")[2]),
        "an old rule matches it": _matched_by_rules(view, pattern, span),
    }
    for weight, mask in zip((REMEMBERED * memory, LABELLED, CALLED, RULED), reasons.values(), strict=True):
        scores[mask] += weight
    agreement, total = np.zeros(len(page)), 0.0
    for way, test, value in profile.evidence:
        if test in WEIGHTLESS:
            continue
        condition = Condition(way, test, value)
        weight = 1 / (0.5 + max(cost_of(condition), 0))
        total += weight
        agreement += weight * mask_of(view, condition)
    if total:
        scores += EVIDENCE * agreement / total
    if profile.looks and page.style_names:
        looks = view.look  # first, since computing this column numbers the looks
        scores[np.isin(looks, [view.look_ids.get(look, -1) for look in profile.looks])] += LOOK
    scores[nodes] += _size_scores(view.sizes(nodes), profile)
    doubtful = nodes if memory < 1 else nodes[~reasons["its text is known"][nodes]]
    scores[_labelled_otherwise(view, profile, doubtful)] += OTHER_LABEL
    if profile.type.kind != "text":
        texts = view.all_texts(nodes)
        scores[nodes[[not _is_kind(text, profile) for text in texts]]] += WRONG_KIND
    return scores, reasons


def _size_scores(sizes: npt.NDArray[np.int64], profile: FieldProfile) -> npt.NDArray[np.float64]:
    longer = np.log((sizes + 1) / (profile.longest + 4)) / np.log(SPREAD)
    shorter = np.log((profile.shortest + 1) / (sizes + 4)) / np.log(SPREAD)
    steps = np.floor(np.maximum(np.maximum(longer, shorter), 0))
    return np.asarray(np.maximum(WRONG_SIZE * steps, MOST_WRONG))


def _is_kind(text: str, profile: FieldProfile) -> bool:
    if len(text) > profile.longest * SPREAD + SPREAD:
        return False
    value = profile.type.parse(text)
    if value is None:
        return infer([text], profile.type.language).kind == profile.type.kind
    return not is_far(number_of(value), profile)


def _remembered(view: View, profile: FieldProfile) -> npt.NDArray[np.bool_]:
    """The nodes with a text that the field had before."""
    return view.nodes_saying(text for text in profile.examples if len(key_of(text)) >= SHORTEST)


def _labelled(view: View, profile: FieldProfile) -> npt.NDArray[np.bool_]:
    found = np.zeros(len(view.page), dtype=bool)
    for label in profile.labels:
        number = view.label_id(label)
        if number > 0:
            found |= (view.before == number) | (view.heading == number)
            found |= mask_of(view, Condition("self", "following", label))
    return found


def _labelled_otherwise(view: View, profile: FieldProfile, nodes: npt.NDArray[np.int64]) -> list[int]:
    """The nodes right after something that looks like a label, but is not the field's and does not share its name."""
    labels, name = set(profile.labels), profile.name.rpartition(".")[2]
    found: dict[int, bool] = {}
    for leaf in np.unique(view.first[nodes]).tolist():
        if leaf > 0 and view.labels[leaf - 1] and is_labelling(view, leaf - 1, heads=False):
            label = label_key(view.texts[leaf - 1])
            found[leaf] = label not in labels and not is_called(Condition("self", "after", label), name)
    return [node for node, leaf in zip(nodes.tolist(), view.first[nodes].tolist(), strict=True) if found.get(leaf)]


def _named_like(view: View, name: str) -> npt.NDArray[np.bool_]:
    """What has the name of the field, in its own attributes or those of the element around it."""
    page = view.page
    named = np.zeros(len(page), dtype=bool)
    for attribute in ("class", "id", "itemprop", "rel", "property", "data-testid"):
        column = view.attribute(attribute)
        fitting = [
            number
            for number in np.unique(column).tolist()
            if number >= 0 and is_called(Condition("self", "class", page.strings[number]), name)
        ]
        named |= np.isin(column, fitting)
    return named | named[page.parent]


def _matched_by_rules(view: View, pattern: Pattern, span: SearchSpan) -> npt.NDArray[np.bool_]:
    found = np.zeros(len(view.page), dtype=bool)
    found[found_by(view, pattern, span)[0]] = True
    return found


# ---------------------------------------------------------------- candidates


def _single(scores: npt.NDArray[np.float64]) -> Iterator[RelocationCandidate]:
    best = np.argsort(-scores, kind="stable")[:RIVALS]
    for node in best.tolist():
        if np.isfinite(scores[node]):
            yield RelocationCandidate((node,), float(scores[node]), int(scores[node] >= REMEMBERED))


def _groups(view: View, profile: FieldProfile, scores: npt.NDArray[np.float64]) -> Iterator[RelocationCandidate]:
    """Siblings with one tag, and nodes with one path: what lists are made of."""
    page = view.page
    nodes = np.flatnonzero(np.isfinite(scores))
    remembered = _remembered(view, profile)
    keys = [
        page.parent[nodes].astype(np.int64) * (len(page.strings) + 1) + page.tag[nodes],
        -1 - page.path[nodes].astype(np.int64),
    ]
    for key in keys:
        order = np.argsort(key, kind="stable")
        bounds = np.flatnonzero(np.concatenate([[True], np.diff(key[order]) != 0]))
        for group in np.split(nodes[order], bounds[1:]) if len(nodes) else ():
            yield _rate_group(view, profile, scores, remembered, group)


def _rate_group(
    view: View,
    profile: FieldProfile,
    scores: npt.NDArray[np.float64],
    remembered: npt.NDArray[np.bool_],
    group: npt.NDArray[np.int64],
) -> RelocationCandidate:
    again = int(remembered[group].sum())
    score = float(scores[group].mean())
    if again:
        share = again / max(1, min(len(profile.examples), profile.most))
        score += 2 * min(1.0, share)
    if profile.longest > PROSE:
        share = float(view.sizes(group).sum()) / max(1.0, float(view.sizes(np.array([0]))[0]))
        score += 3 * share
    if not again and profile.least > 1 and len(group) == 1:
        score -= 1.0
    return RelocationCandidate(tuple(group.tolist()), score, again)


def _are_near(view: View, node: int, other: int) -> bool:
    """Whether two nodes have the same grandparent."""
    parent = view.page.parent
    return bool(parent[parent[node]] == parent[parent[other]])


def _are_equivalent(view: View, candidate: RelocationCandidate, best: RelocationCandidate) -> bool:
    """Whether two candidates have the same text, one contains the other, or both belong to one list."""
    if view.page.path[candidate.nodes[0]] == view.page.path[best.nodes[0]] and _are_near(
        view, candidate.nodes[0], best.nodes[0]
    ):
        return True
    first = {int(view.first[node]) for node in candidate.nodes}
    other = {int(view.first[node]) for node in best.nodes}
    if first & other:
        return True
    texts = {key_of(view.text(node)) for node in candidate.nodes[:5]}
    return bool(texts & {key_of(view.text(node)) for node in best.nodes[:5]})
