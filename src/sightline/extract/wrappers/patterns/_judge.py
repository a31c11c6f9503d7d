"""Why a node is taken, or not: every condition of every rule, and whether it holds there."""

from collections.abc import Sequence

from sightline.extract.wrappers._found import Judged
from sightline.extract.wrappers.patterns._conditions import mask_of
from sightline.extract.wrappers.patterns._in_words import condition_in_words, rule_in_words
from sightline.extract.wrappers.patterns._pattern import Pattern, SearchSpan, found_by, inside, items_of
from sightline.extract.wrappers.patterns._view import View

__all__ = ["judged"]


def judged(view: View, patterns: Sequence[Pattern], node: int) -> list[Judged]:
    """What every rule says of a node."""
    whole = SearchSpan(0, len(view.page))
    found = []
    for pattern in patterns:
        if pattern.dropped:
            continue
        found += _all_rules(view, pattern, pattern.name, node, [whole])
    return found


def _all_rules(view: View, pattern: Pattern, name: str, node: int, spans: Sequence[SearchSpan]) -> list[Judged]:
    """What the rules of a pattern, and of those in it, say of a node."""
    found = _rules(view, pattern, name, node, spans)
    items = [item for span in spans for item in items_of(view, pattern, span)[0]] if pattern.fields else []
    around = [item for item in items if item.start <= node < item.stop]
    for own in pattern.fields:
        found += _all_rules(view, own, f"{name}.{own.name}", node, [inside(own, item) for item in around])
    return found


def _rules(view: View, pattern: Pattern, name: str, node: int, spans: Sequence[SearchSpan]) -> list[Judged]:
    same = set(view.nodes_of(int(view.first[node]), int(view.last[node]))) | {node}
    taken = {int(own) for span in spans for own in found_by(view, pattern, span)[0]}
    judgements = []
    for rule in pattern.rules:
        best = max(same, key=lambda own: sum(bool(mask_of(view, one)[own]) for one in rule.conditions))
        holds = [own for own in rule.conditions if mask_of(view, own)[best]]
        fails = [condition_in_words(own) for own in rule.conditions if own not in holds]
        if not fails and not taken & same:
            fails = ["in a record"] if not spans else [f"{rule.pick} of its matches"]
        told = rule_in_words(rule, many=pattern.many)
        judgements.append(Judged(name, told, bool(taken & same), tuple(map(condition_in_words, holds)), tuple(fails)))
    return judgements
