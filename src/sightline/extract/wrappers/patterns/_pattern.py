"""Patterns: what is extracted from a page or a record, by which rules, and how these find it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from sightline.arrays import LongArray
from sightline.extract.wrappers._found import Judged
from sightline.extract.wrappers.patterns._conditions import Condition, mask_of
from sightline.extract.wrappers.patterns._split import parts_of
from sightline.extract.wrappers.patterns._view import HEADINGS, View
from sightline.page import TEXT

PICKS = ("all", "first", "last")
_JOINT = re.compile(r"[,;&]|and|und|et|,\s*and")  # what joins two values of one field


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions that must all hold, and which of the matching nodes is picked: all, the first or the last."""

    conditions: tuple[Condition, ...]
    pick: str = "all"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A field, or the records of a page with the fields in them.

    Of several `rules` the first that finds something counts; `needs_all` says that they are for different cases,
    rather than fallbacks. `take` is "text" or the name of an attribute, `cut` a regular expression whose first group
    is the value, `split` the marks and words between several values in one text; `joined` also takes values joined to
    the first by a comma. If it is `lined`, every value that was shown is one block, and of a node with several blocks
    each is a value.

    A pattern with `fields` gives records; a field that is `whole` may be the record's own node. If `flat` is set, a
    record extends from its node up to the next one's.
    An `unsure` pattern was found again after the pages changed, and nobody has confirmed it. A `lone`
    one takes a single value where a list on the page has several like it, and nobody has said that this is meant. A
    `partial` one does not take all of its examples, and a `loose` one takes more than all that was shown of a page.
    An `unlearned` one was shown, and has no rules because none finds it. `watched` records had look-alikes that are
    none on a page of their lesson, so they are looked for on every page.
    `pages` is the number of pages with examples.
    """

    name: str
    rules: tuple[Rule, ...]
    many: bool = False
    optional: bool = False
    take: str = "text"
    cut: str | None = None
    split: tuple[str, ...] = ()
    joined: bool = False
    lined: bool = False
    whole: bool = False
    fields: "tuple[Pattern, ...]" = field(default=())
    flat: bool = False
    dropped: bool = False
    unsure: bool = False
    lone: bool = False
    partial: bool = False
    loose: bool = False
    unlearned: bool = False
    watched: bool = False
    needs_all: bool = False
    pages: int = 0


@dataclass(frozen=True, slots=True)
class SearchSpan:
    """Where a pattern looks: the nodes of a page from a start up to a stop."""

    start: int
    stop: int


def matches_of(view: View, rule: Rule, span: SearchSpan, candidates: LongArray) -> LongArray:
    """The nodes of a span for which all conditions of a rule hold."""
    nodes = candidates[np.searchsorted(candidates, span.start) : np.searchsorted(candidates, span.stop)]
    for condition in rule.conditions:
        nodes = nodes[mask_of(view, condition)[nodes]]
        if not len(nodes):
            return nodes
    if rule.pick == "first":
        return nodes[:1]
    return nodes[-1:] if rule.pick == "last" else nodes


def found_by(view: View, pattern: Pattern, span: SearchSpan) -> tuple[LongArray, int]:
    """The nodes that a pattern finds in a span, each text once, and the number of the rule that found them."""
    candidates = view.candidates if pattern.take == "text" else view.with_attribute(pattern.take)
    for number, rule in enumerate(pattern.rules):
        nodes = matches_of(view, rule, span, candidates)
        if len(nodes):
            if pattern.take != "text":
                return (nodes if pattern.many else nodes[:1]), number
            if pattern.fields or (pattern.many and not pattern.split):
                nodes = _outermost(view, nodes)
            else:
                nodes = _with_joined(view, nodes) if pattern.joined else nodes[:1]
            if not pattern.lined or pattern.fields or (not pattern.many and _is_one_text(view, nodes)):
                return nodes, number
            return _in_lines(view, nodes, many=pattern.many), number
    return candidates[:0], -1


def _is_one_text(view: View, nodes: LongArray) -> bool:
    """Whether a single value needs no further look: asked for every field of every record, and mostly so."""
    return len(nodes) > 1 or bool(view.last[nodes[0]] - view.first[nodes[0]] <= 1)


def _in_lines(view: View, nodes: LongArray, *, many: bool) -> LongArray:
    """The nodes, with the parts of those that consist of several."""
    long = np.flatnonzero(view.last[nodes] - view.first[nodes] > 1)
    if not len(long):
        return nodes
    inside = view.blocks_before[view.page.end[nodes[long]]] - view.blocks_before[nodes[long] + 1]
    long = long[inside > 0].tolist()  # a quick look, since most values are a line with words marked in it
    parts = {place: parts_of(view, int(nodes[place]), short=not many) for place in long}
    if not any(parts.values()):
        return nodes
    return np.array([part for place, node in enumerate(nodes.tolist()) for part in parts.get(place) or (node,)])


def _outermost(view: View, nodes: LongArray) -> LongArray:
    """The nodes that are not inside another of them."""
    ends = np.maximum.accumulate(view.page.end[nodes])
    outer: LongArray = nodes[np.concatenate([[True], nodes[1:] >= ends[:-1]])]
    return outer


def _with_joined(view: View, nodes: LongArray) -> LongArray:
    """The first node, and those joined to it by commas: one value where it was taught may be several elsewhere."""
    first = int(nodes[0])
    inner = nodes[(nodes > first) & (nodes < view.page.end[first])]
    links = inner[view.page.tag[inner] == view.page.string_id("a")] if len(inner) else inner
    for start in (int(links[0]) if len(links) else first, first):
        joined = _joined_by_comma(view, start)
        if len(joined) > 1 and (start == first or view.last[joined[-1]] == view.last[first]):
            return np.array(joined)
    return nodes[:1]


def _joined_by_comma(view: View, node: int) -> list[int]:
    """A node and those beside it that are separated from it by commas."""
    page = view.page
    top = node
    while _says_the_same(view, int(page.parent[top]), top):
        top = int(page.parent[top])
    found, joined = [node], False
    following, end = int(page.end[top]), int(page.end[page.parent[top]])
    while following < end:
        if page.is_text[following]:
            text = page.strings[int(page.text[following])].strip()
            joined = bool(_JOINT.fullmatch(text)) or (joined and not text)
            if text and not joined:
                break
        elif joined and view.alike(following, top) and view.may_be_value[following]:
            found.append(following)
            joined = False
        else:
            break
        following = int(page.end[following])
    return found


def _says_the_same(view: View, parent: int, node: int) -> bool:
    return parent >= 0 and bool(view.first[parent] == view.first[node] and view.last[parent] == view.last[node])


def items_of(view: View, pattern: Pattern, span: SearchSpan) -> tuple[list[SearchSpan], int]:
    """The spans of the records that a pattern finds in a span."""
    nodes, number = found_by(view, pattern, span)
    return spans_of(view, nodes.tolist(), flat=pattern.flat, stop=span.stop), number


def search_span_in(pattern: Pattern, item: SearchSpan) -> SearchSpan:
    """Where a field looks in a record: in all of it, or behind the record's own node."""
    return item if pattern.whole else SearchSpan(item.start + 1, item.stop)


def spans_of(view: View, nodes: list[int], *, flat: bool, stop: int) -> list[SearchSpan]:
    """The spans that begin at some nodes: each the node itself, or up to the next one beside it."""
    end, parent = view.page.end, view.page.parent
    if not flat:
        return [SearchSpan(node, int(end[node])) for node in nodes]
    behind = [*nodes[1:], stop][: len(nodes)]
    limit = [min(int(end[parent[node]]), stop) for node in nodes]
    return [
        SearchSpan(node, min(following, last)) if following > node else SearchSpan(node, last)
        for node, following, last in zip(nodes, behind, limit, strict=True)
    ]


# -- patterns in words: printed for people, who check rules by them -------------------------------------------------

_SELF = {
    "class": "of class “{}”",
    "id": "with the id “{}”",
    "has": "with an attribute {}",
    "place": "that is the {} of its kind there",
    "last": "that is the last of its kind there",
    "after": "right after “{}”",
    "beside": "in the block that begins with “{}”",
    "following": "in the block after “{}”",
    "under": "under the heading “{}”",
    "column": "in the column “{}”",
    "text": "that says “{}”",
    "begins": "that begins with “{}”",
    "said": "that the page's own data calls {}",
    "sum": "in a row of sums",
    "look": "that looks like {}",
    "larger": "that is larger or bolder than what is beside it",
    "right of": "to the right of “{}”",
    "below": "below “{}”",
    "in row of": "on the same line as “{}”",
    "in column of": "in the column below “{}”",
}
_KINDS = {
    "money": "money",
    "date": "a date",
    "number": "a number",
    "phone": "a phone number",
    "email": "an e-mail address",
}
_WAYS = {"parent": "directly in {}", "inside": "inside {}", "holds": "that holds {}"}
_PICKS = {"all": "every", "first": "the first", "last": "the last"}


def condition_in_words(condition: Condition) -> str:
    """One condition in words.

    >>> condition_in_words(Condition("inside", "class", "product"))
    'inside an element of class “product”'
    """
    words = _positive_in_words(condition)
    return f"not {words}" if condition.negated else words


def _positive_in_words(condition: Condition) -> str:
    if condition.test == "tag" and condition.way == "self":
        return f"that is {_tag(condition.value)}"
    if condition.way != "self":
        return _WAYS[condition.way].format(_element(condition))
    return _of_node(condition)


def _of_node(condition: Condition) -> str:
    value = condition.value
    if condition.test == "kind":
        return f"that is {_KINDS.get(value, value)}"
    if condition.test in ("attribute", "starts"):
        name, _, wanted = value.partition("=")
        return f"with {name} “{wanted}”" if condition.test == "attribute" else f"whose {name} begins with “{wanted}”"
    return _SELF[condition.test].format(_ordinal(value) if condition.test == "place" else value)


def _element(condition: Condition) -> str:
    if condition.test == "tag":
        return _tag(condition.value)
    if condition.test == "place":
        return f"an element that is the {_ordinal(condition.value)} of its kind"
    return f"an element {_of_node(Condition('self', condition.test, condition.value))}"


def _tag(tag: str) -> str:
    if tag == TEXT:
        return "a bare text"
    spoken = tag.startswith(tuple("aeio")) or tag in HEADINGS  # an h1 is an "aitch one"
    return f"{'an' if spoken else 'a'} `{tag}`"


def _ordinal(number: str) -> str:
    ending = "th" if number[-2:] in ("11", "12", "13") else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1:], "th")
    return f"{number}{ending}"


def rule_in_words(rule: Rule, *, many: bool) -> str:
    """A rule in words.

    >>> price = Rule((Condition("self", "tag", "b"), Condition("self", "after", "price")))
    >>> rule_in_words(price, many=False)
    'the `b` right after “price”'
    """
    if not rule.conditions:
        return "the whole of it"
    is_tag = ("self", "tag", False)
    tag = next((test.value for test in rule.conditions if (test.way, test.test, test.negated) == is_tag), "")
    noun = {"": "element", TEXT: "text"}.get(tag, f"`{tag}`")
    rest = [test for test in rule.conditions if (test.way, test.test, test.value) != ("self", "tag", tag)]
    which = _PICKS[rule.pick] if many or rule.pick != "all" else "the"
    return " ".join([which, noun, *_listed(rest)])


def _listed(conditions: Sequence[Condition]) -> list[str]:
    words = [condition_in_words(condition) for condition in conditions]
    return [", ".join(words[:-1]) + " and " + words[-1]] if len(words) > 1 else words


def pattern_in_words(pattern: Pattern) -> str:
    r"""A pattern in words, with its alternatives.

    >>> print(pattern_in_words(Pattern("price", (Rule((Condition("self", "class", "price"),)),), cut=r"(\d+)")))
    price: the element of class “price”, of which (\d+) is taken
    """
    if not pattern.rules:
        return f"{pattern.name}: no rule finds it"
    rules = [rule_in_words(rule, many=pattern.many) for rule in pattern.rules]
    alternatives = (" or " if pattern.needs_all else "; failing that, ").join(rules)
    parts = [alternatives]
    if pattern.take != "text":
        parts.append(f"of which the attribute {pattern.take} is taken")
    if pattern.cut:
        parts.append(f"of which {pattern.cut} is taken")
    if pattern.split:
        parts.append(f"separated by {' or '.join(f'“{mark}”' for mark in pattern.split)}")
    if pattern.joined:
        parts.append("and what a comma joins to it")
    if pattern.flat:
        parts.append("each up to the next")
    if pattern.optional:
        parts.append("if there is one")
    return f"{pattern.name}: {', '.join(parts)}"


def lines_in_words(patterns: Sequence[Pattern], indent: str = "") -> Iterator[str]:
    """A line for each pattern, followed by the fields of its records; patterns seen on one page only are marked."""
    for pattern in patterns:
        if not pattern.dropped:
            once = "  (seen on one page only)" if pattern.pages == 1 and not indent else ""
            yield f"{indent}{pattern_in_words(pattern)}{once}"
            yield from lines_in_words(pattern.fields, indent + "  ")


# Why a node is matched, or not: every condition of every rule, and whether it holds there.


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
    for part in pattern.fields:
        found += _all_rules(view, part, f"{name}.{part.name}", node, [search_span_in(part, item) for item in around])
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
