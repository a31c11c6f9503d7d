"""Why a node is matched, or not: every condition of every rule, and whether it holds there."""

from collections.abc import Sequence

from sightline.extract.wrappers._found import Judged
from sightline.extract.wrappers.patterns._conditions import mask_of
from sightline.extract.wrappers.patterns._in_words import condition_in_words, rule_in_words
from sightline.extract.wrappers.patterns._pattern import Pattern, SearchSpan, found_by, items_of, search_span_in
from sightline.extract.wrappers.patterns._view import View

__all__ = ["judge_node"]


def judge_node(view: View, patterns: Sequence[Pattern], node: int) -> list[Judged]:
    """What every rule says about a node."""
    whole = SearchSpan(0, len(view.page))
    found = []
    for pattern in patterns:
        if pattern.dropped:
            continue
        found += _all_rules(view, pattern, pattern.name, node, [whole])
    return found


def _all_rules(view: View, pattern: Pattern, name: str, node: int, spans: Sequence[SearchSpan]) -> list[Judged]:
    """What the rules of a pattern, and of its fields, say about a node."""
    found = _rules(view, pattern, name, node, spans)
    items = [item for span in spans for item in items_of(view, pattern, span)[0]] if pattern.fields else []
    around = [item for item in items if item.start <= node < item.stop]
    for field in pattern.fields:
        found += _all_rules(view, field, f"{name}.{field.name}", node, [search_span_in(field, item) for item in around])
    return found


def _rules(view: View, pattern: Pattern, name: str, node: int, spans: Sequence[SearchSpan]) -> list[Judged]:
    same = set(view.nodes_of(int(view.first[node]), int(view.last[node]))) | {node}
    matched = {int(match) for span in spans for match in found_by(view, pattern, span)[0]}
    judgements = []
    for rule in pattern.rules:
        best = max(same, key=lambda other: sum(bool(mask_of(view, test)[other]) for test in rule.conditions))
        holds = [condition for condition in rule.conditions if mask_of(view, condition)[best]]
        fails = [condition_in_words(condition) for condition in rule.conditions if condition not in holds]
        if not fails and not matched & same:
            fails = ["in a record"] if not spans else [f"{rule.pick} of its matches"]
        words = rule_in_words(rule, many=pattern.many)
        judgements.append(
            Judged(name, words, bool(matched & same), tuple(map(condition_in_words, holds)), tuple(fails))
        )
    return judgements
