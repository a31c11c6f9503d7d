"""Which conditions hold for an example: everything that could be the reason why it was chosen, with its cost.

The cost of a condition says how likely it is to fail on another page. Marks that name what they mark (itemprop, a
descriptive class, a label, the page's own data) are cheap; positions among siblings are expensive. docs/teaching.md
describes how the costs were found.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from sightline.extract.wrappers.patterns._conditions import Condition
from sightline.extract.wrappers.patterns._view import HEADINGS, View, label_key

HEIGHT = 8  # elements around a node that are considered, from the inside
NAMING = frozenset(("itemprop", "property", "rel", "name", "role", "data-testid", "data-field", "data-type", "headers"))
PASSED_OVER = frozenset(
    (
        "class",
        "id",
        "style",
        "href",
        "src",
        "srcset",
        "alt",
        "title",
        "width",
        "height",
        "onclick",
        "target",
        "lang",
        "dir",
    )
)
MOST_ATTRIBUTES = 4
MOST_PROPOSED = 3_000  # nodes whose conditions a view keeps, about 5 kB each; a dozen examples ask for some 150
TELLING_TAGS = frozenset((*HEADINGS, "time", "address", "dt", "dd", "th", "figcaption", "caption", "article", "main"))
SHORT = 25  # characters of a text that may be a label even if it does not look like one
LABEL_TAGS = frozenset(("th", "dt", "label", "b", "strong"))
_VALUE = re.compile(r"[\w:.#-][\w:. #-]{0,39}")  # longer ones, and those with other characters, are data
_WORD = re.compile(r"[^\W\d_]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])")
_NUMBER = re.compile(r"\d")
# A label in the text of its value, as in “Invoice date: 19 April 2014”; what has more words is a sentence. It is looked
# for on sheets alone: web pages nearly always have elements that part a label from its value, or classes.
_OWN_LABEL = re.compile(r"[^\W\d_][^\s:：]*(?: [^\s:：]+){0,4}[ ]?[:：](?=\s*\S)")

COSTS = {
    ("self", "tag"): 0.3,
    ("parent", "tag"): 0.5,
    ("inside", "tag"): 0.7,
    ("holds", "tag"): 0.8,
    ("self", "class"): 0.4,
    ("parent", "class"): 0.55,
    ("inside", "class"): 0.7,
    ("holds", "class"): 0.9,
    ("self", "id"): 0.4,
    ("parent", "id"): 0.5,
    ("inside", "id"): 0.6,
    ("self", "attribute"): 0.7,
    ("parent", "attribute"): 0.9,
    ("inside", "attribute"): 1.0,
    ("self", "has"): 0.9,
    ("self", "starts"): 1.2,
    ("self", "place"): 1.2,
    ("parent", "place"): 1.3,
    ("self", "last"): 1.4,
    ("self", "after"): 0.35,
    ("self", "beside"): 0.4,
    ("self", "following"): 0.4,
    ("self", "under"): 0.7,
    ("self", "column"): 0.4,
    ("self", "kind"): 0.6,
    ("self", "text"): 4.0,
    ("self", "begins"): 0.45,
    ("self", "said"): 0.5,
    ("self", "look"): 0.9,
    ("self", "larger"): 0.9,
    ("self", "right of"): 0.6,
    ("self", "below"): 0.7,
    ("self", "in row of"): 1.0,
    ("self", "in column of"): 1.0,
}
BY_LABEL = frozenset(("after", "beside", "following", "under", "right of", "below", "in row of", "in column of"))
COLUMN = 0.6  # the position of a cell among its siblings is its column
CELLS = ("td", "th")
NUMBERED = 1.5  # an id or class with a number in it may be specific to this page
UNLABELLED = 1.5  # a text that does not look like a label may be another value
IN_TITLE = 1.5
NEGATED = 0.8
CALLING = frozenset(
    ("class", "id", "attribute", "has", "after", "beside", "following", "under", "column", "said", "begins")
)
SHORTEST_ROOT = 4  # letters that two words of one root share at least
NAMED = -0.4
TELLING = -0.25


def cost_of(condition: Condition) -> float:
    """The cost of a condition by itself; `conditions_on` adds what is known about the page."""
    cost = COSTS.get((condition.way, condition.test), 1.5)
    if condition.test in ("class", "id") and _NUMBER.search(condition.value):
        cost += NUMBERED
    if condition.test == "attribute" and condition.value.partition("=")[0] in NAMING:
        cost += NAMED
    if condition.test == "tag" and condition.value in TELLING_TAGS:
        cost += TELLING
    return cost


def is_called(condition: Condition, name: str) -> bool:
    """Whether what a condition asks for has the name of the field: `commit_date` and the label "Committer".

    >>> is_called(Condition("self", "after", "committer"), "commit_date")
    True
    """
    if condition.test not in CALLING:
        return False
    wanted, named = _words(name), _words(condition.value)
    return any(word == other or _share_root(word, other) for word in wanted for other in named)


@lru_cache(maxsize=10_000)  # the words of classes and labels, which are asked for with every example
def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _share_root(first: str, second: str) -> bool:
    short, long = sorted((first, second), key=len)
    return len(short) >= SHORTEST_ROOT and long.startswith(short)


def conditions_on(view: View, node: int, start: int, values: frozenset[str]) -> Iterator[tuple[Condition, float]]:
    """What holds for a node of a context that begins at `start`; texts of other values are not labels."""
    found = view.proposed.get((node, start))
    if found is None:
        if len(view.proposed) >= MOST_PROPOSED:
            view.proposed.clear()
        found = view.proposed[node, start] = list(_conditions_on(view, node, start))
    for condition, cost in found:
        if condition.test not in BY_LABEL or condition.value not in values:
            yield condition, cost


def _conditions_on(view: View, node: int, start: int) -> Iterator[tuple[Condition, float]]:
    """What holds for a node, whatever the values are: asked for again with every example, so it is kept."""
    yield from _marks(view, "self", node)
    parent = int(view.page.parent[node])
    around: list[int] = []
    while parent > start and len(around) < HEIGHT:
        around.append(parent)
        parent = int(view.page.parent[parent])
    for element in around[:1]:
        yield from _marks(view, "parent", element)
    for element in around:
        yield from _marks(view, "inside", element)
    yield from _contents(view, node)
    yield from _labels(view, node, start, around)
    yield from _published(view, node)
    if view.page.style_names:
        yield from _looks(view, node)


def _marks(view: View, way: str, element: int) -> Iterator[tuple[Condition, float]]:
    page = view.page
    tag = page.strings[int(page.tag[element])]
    yield _with_cost(way, "tag", tag)
    if way != "inside":
        condition, cost = _with_cost(way, "place", str(int(page.position[element])))
        yield condition, COLUMN if way == "self" and tag in CELLS else cost
    attributes = page.node(element).attributes
    for token in attributes.get("class", "").split():
        yield _with_cost(way, "class", token)
    if attributes.get("id"):
        yield _with_cost(way, "id", attributes["id"])
    others = [name for name in attributes if name not in PASSED_OVER]
    for name in sorted(others, key=lambda attribute: attribute not in NAMING)[:MOST_ATTRIBUTES]:
        if _VALUE.fullmatch(attributes[name]):
            yield _with_cost(way, "attribute", f"{name}={attributes[name]}")
        if way == "self":
            yield _with_cost(way, "has", name)


def _contents(view: View, node: int) -> Iterator[tuple[Condition, float]]:
    page = view.page
    for number in np.unique(page.tag[node + 1 : page.end[node]]).tolist():
        if page.strings[number] != "#text":
            yield _with_cost("holds", "tag", page.strings[number])


def _labels(view: View, node: int, start: int, around: list[int]) -> Iterator[tuple[Condition, float]]:
    begin = int(view.first[start])
    first = int(view.first[node])
    if first > begin:
        yield from _labelled(view, "after", first - 1, node)
    for element in (node, *around):
        before = int(view.first[element]) - 1
        if before >= begin and view.follower[before] == element:
            yield from _labelled(view, "following", before, node)
        opening = int(view.first[element])
        if opening < first and view.opener[opening] == element:
            yield from _labelled(view, "beside", opening, node)
    names = view.label_names
    heading = names.get(int(view.heading[node]), "")
    if heading and view.heading_node[node] >= start:
        condition, cost = _with_cost("self", "under", heading)
        yield condition, cost + _page_specific_cost(view, heading)
    for element in (node, *around):
        head = names.get(int(view.column_head[element]), "")
        if head:
            yield _with_cost("self", "column", head)
    for kind in view.kinds(view.text(node)):
        yield _with_cost("self", "kind", kind)
    if view.page.kind == "pdf" and first < len(view.texts) and (label := _OWN_LABEL.match(view.texts[first])):
        condition, cost = _with_cost("self", "begins", label[0])
        yield condition, cost + _page_specific_cost(view, label[0].casefold())


def _labelled(view: View, test: str, leaf: int, node: int | None) -> Iterator[tuple[Condition, float]]:
    text = view.texts[leaf]
    label = label_key(text)
    if not view.labels[leaf] or not label or not any(map(str.isalpha, label)):
        return
    condition, cost = _with_cost("self", test, label)
    likely = is_labelling(view, leaf, heads=test != "after") and (node is None or _in_one_row(view, leaf, node))
    yield condition, cost + (0 if likely else UNLABELLED) + _page_specific_cost(view, label)


def _in_one_row(view: View, leaf: int, node: int) -> bool:
    """Whether a text and a node are in one row, if they are in a table: a heading above is not a label."""
    page = view.page
    rows = page.with_tag("tr")
    row = int(np.searchsorted(rows, view.leaves[leaf], side="right")) - 1
    if row < 0 or view.leaves[leaf] >= page.end[rows[row]]:
        return True
    return bool(rows[row] <= node < page.end[rows[row]])


def is_labelling(view: View, leaf: int, *, heads: bool) -> bool:
    """Whether a text looks like a label: it ends with a colon, or is in an element for labels.

    `heads`: headings count as well. They name everything below them, not just the first text there.
    """
    page = view.page
    tag = page.strings[int(page.tag[page.parent[view.leaves[leaf]]])]
    return view.texts[leaf].endswith((":", "：")) or tag in LABEL_TAGS or (heads and tag in HEADINGS)


def _page_specific_cost(view: View, label: str) -> float:
    """What a text costs as a label because it may be specific to this page: it has a number, or is in the title."""
    return NUMBERED * bool(_NUMBER.search(label)) + IN_TITLE * (label in view.page.title.casefold())


def _published(view: View, node: int) -> Iterator[tuple[Condition, float]]:
    from sightline.extract.wrappers.patterns._view import key_of

    key = key_of(view.text(node))
    for name, texts in view.published.items():
        if any(key_of(text) == key for text in texts):
            yield _with_cost("self", "said", name)


def _looks(view: View, node: int) -> Iterator[tuple[Condition, float]]:
    """What is visible of a node: its look, and the texts beside, above, and at the head of its line and column."""
    look = view.look_of(node)
    if look:
        yield _with_cost("self", "look", look)
    if view.larger[node]:
        yield _with_cost("self", "larger", "")
    first = int(view.first[node])
    left, above = view.left_of(first), view.above(first)
    if left >= 0 and view.right_of(left) == first:
        yield from _labelled(view, "right of", left, None)
    if above >= 0 and view.below(above) == first:
        yield from _labelled(view, "below", above, None)
    row, column = view.head_of_row(first), view.head_of_column(first)
    if row not in (-1, left):
        yield from _labelled(view, "in row of", row, None)
    if column not in (-1, above):
        yield from _labelled(view, "in column of", column, None)


def _with_cost(way: str, test: str, value: str) -> tuple[Condition, float]:
    condition = Condition(way, test, value)
    return condition, cost_of(condition)
