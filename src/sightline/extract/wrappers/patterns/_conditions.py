"""Basic conditions: a way from a node to a witness, and a test that holds there.

A condition is tested for all nodes of a page at once, and only once per page.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sightline.arrays import BoolArray
from sightline.errors import UsageError
from sightline.extract.wrappers.patterns._expression import LONGEST
from sightline.extract.wrappers.patterns._sums import in_sums
from sightline.extract.wrappers.patterns._view import View, key_of
from sightline.page import TEXT

WAYS = ("self", "parent", "inside", "holds")
"""Ways to the witness: the node itself, its parent, any element around it, any element in it."""

MARKS = ("tag", "class", "id", "attribute", "has", "starts", "place", "last")
"""Tests of the witness: its tag, a token of its class, its id, an attribute's value (name=value), that it has an
attribute, how an attribute begins (name=prefix), its position among siblings with its tag, and that it is the last."""

RELATIONS = ("after", "beside", "following", "under", "column")
"""Tests of the labels around a node: the text just before it, the text that its row begins with, the text before the
block that it is in, the heading above it, and the heading of its column."""

HOLDS_COLUMN = ("holds", "column")
"""The one relation that is also asked of what is in a node: a row has a cell below this heading."""

SAYS = ("kind", "text", "begins", "said", "sum")
"""Tests of the node's own text: its kind, the whole text, how it begins, what the page's own data calls it, and whether
it is in a row of sums."""

VISUAL = ("look", "larger", "right of", "below", "in row of", "in column of")
"""Tests that need a rendered page."""

# What a page keeps of conditions that were tested. A dozen examples need some 300 on a page of 5,000 nodes, but whoever
# moves the pointer over a page asks for those of every node.
MOST_MASK_BYTES = 32_000_000
LEAST_MASKS = 500

TESTS = (*MARKS, *RELATIONS, *SAYS, *VISUAL)


@dataclass(frozen=True, slots=True)
class Condition:
    """One basic condition of a pattern.

    >>> str(Condition("self", "class", "price"))
    'self class price'
    """

    way: str
    test: str
    value: str = ""
    negated: bool = False

    def __post_init__(self) -> None:
        """Reject what cannot be tested."""
        if self.way not in WAYS:
            raise UsageError(f"A condition has one of the ways {', '.join(WAYS)}, not {self.way!r}.")
        if self.test not in TESTS:
            raise UsageError(f"There is no test {self.test!r} for a condition; the tests are {', '.join(TESTS)}.")
        if self.test not in MARKS and self.way != "self" and (self.way, self.test) != HOLDS_COLUMN:
            raise UsageError(f"The test {self.test!r} is about the node itself; its way is 'self', not {self.way!r}.")
        if self.test == "place" and not (self.value.isascii() and self.value.isdigit() and int(self.value) > 0):
            raise UsageError(f"A place among siblings must be a number from 1, not {self.value!r}.")

    def __str__(self) -> str:
        return f"{'not ' * self.negated}{self.way} {self.test} {self.value}".strip()

    @property
    def is_visual(self) -> bool:
        """Whether it can only be tested on a rendered page."""
        return self.test in VISUAL


def mask_of(view: View, condition: Condition) -> BoolArray:
    """For which nodes of a page a condition holds."""
    found = view.masks.get(condition)
    if found is None:
        found = _by_way(view, condition)
        if condition.negated:
            found = ~found
        if len(view.masks) >= max(LEAST_MASKS, MOST_MASK_BYTES // max(1, len(view.page))):
            view.masks.clear()
        view.masks[condition] = found
    return found


def _by_way(view: View, condition: Condition) -> BoolArray:
    marked = _by_test(view, condition)
    if condition.way == "parent":
        found: BoolArray = marked[view.page.parent] & (view.page.parent >= 0)
        return found
    if condition.way == "inside":
        return view.inside(marked)
    return view.holding(marked) if condition.way == "holds" else marked


def _by_test(view: View, condition: Condition) -> BoolArray:
    return _TESTS[condition.test](view, condition.value)


def _tag(view: View, value: str) -> BoolArray:
    """Elements by tag; a bare text may also be an element with nothing but that text."""
    if value == TEXT:
        bare = np.zeros(len(view.page), dtype=bool)
        bare[view.page.parent[view.leaves]] = True
        found: BoolArray = view.page.is_text | (bare & (view.last - view.first == 1))
        return found
    marked: BoolArray = view.page.tag == view.page.string_id(value)
    return marked


def _attribute(view: View, value: str) -> BoolArray:
    name, _, wanted = value.partition("=")
    number = view.page.string_id(wanted)
    marked: BoolArray = (view.attribute(name) == number) & (number >= 0)
    return marked


def _id(view: View, value: str) -> BoolArray:
    return _attribute(view, f"id={value}")


def _has(view: View, value: str) -> BoolArray:
    marked = np.zeros(len(view.page), dtype=bool)
    attributes = view.page.attributes
    rows = np.flatnonzero(attributes.name == view.page.string_id(value))
    marked[np.searchsorted(attributes.start, rows, side="right") - 1] = True
    return marked


def _starts(view: View, value: str) -> BoolArray:
    name, _, prefix = value.partition("=")
    column = view.attribute(name)
    strings = view.page.strings
    fitting = [number for number in np.unique(column).tolist() if number >= 0 and strings[number].startswith(prefix)]
    return np.isin(column, fitting)


def _place(view: View, value: str) -> BoolArray:
    marked: BoolArray = view.page.position == int(value)
    return marked


def _last(view: View, _: str) -> BoolArray:
    page = view.page
    order = np.lexsort((np.arange(len(page)), page.tag, page.parent))
    closing = np.ones(len(page), dtype=bool)
    closing[:-1] = (np.diff(page.parent[order]) != 0) | (np.diff(page.tag[order]) != 0)
    marked = np.zeros(len(page), dtype=bool)
    marked[order] = closing
    return marked


def _after(view: View, value: str) -> BoolArray:
    marked: BoolArray = view.before == view.label_id(value)
    return marked


def _beside(view: View, value: str) -> BoolArray:
    """Below the lowest element that begins with the label, except the label itself."""
    leaves = view.leaves_saying(value)
    openers = view.opener[leaves]
    marked = np.zeros(len(view.page), dtype=bool)
    marked[openers[openers >= 0]] = True
    found = view.inside(marked)
    is_label = np.isin(view.first, leaves)
    return found & ~is_label


def _following(view: View, value: str) -> BoolArray:
    """The block right after the label, and everything in it."""
    leaves = view.leaves_saying(value)
    blocks = view.follower[leaves]
    marked = np.zeros(len(view.page), dtype=bool)
    marked[blocks[blocks >= 0]] = True
    return marked | view.inside(marked)


def _under(view: View, value: str) -> BoolArray:
    marked: BoolArray = view.heading == view.label_id(value)
    return marked


def _column(view: View, value: str) -> BoolArray:
    cells: BoolArray = view.column_head == view.label_id(value)
    return cells | view.inside(cells)


def _kind(view: View, value: str) -> BoolArray:
    """Values are short, and so nearly always one text; of the others, only nodes with few texts are considered."""
    nodes = np.flatnonzero(view.may_be_value & (view.last - view.first <= 4))
    sizes = view.sizes(nodes)
    nodes = nodes[sizes <= LONGEST]
    marked = np.zeros(len(view.page), dtype=bool)
    marked[nodes] = [value in found for found in map(view.kinds, view.all_texts(nodes))]
    return marked


def _text(view: View, value: str) -> BoolArray:
    return view.nodes_saying([value])


def _begins(view: View, value: str) -> BoolArray:
    wanted = key_of(value)
    marked = np.zeros(len(view.page), dtype=bool)
    starts = [number for number, text in enumerate(view.texts) if key_of(text).startswith(wanted)]
    marked[np.isin(view.first, starts) & view.may_be_value] = True
    return marked


def _published(view: View, value: str) -> BoolArray:
    return view.nodes_saying(view.published.get(value, ()))


def _sum(view: View, _: str) -> BoolArray:
    return in_sums(view)


def _look(view: View, value: str) -> BoolArray:
    marked: BoolArray = view.look == view.look_ids.get(value, -1)
    return marked


def _larger(view: View, _: str) -> BoolArray:
    return view.larger


def _right_of(view: View, value: str) -> BoolArray:
    return view.beginning_with(map(view.right_of, view.leaves_saying(value).tolist()))


def _below(view: View, value: str) -> BoolArray:
    return view.beginning_with(map(view.below, view.leaves_saying(value).tolist()))


def _in_row_of(view: View, value: str) -> BoolArray:
    return view.beginning_with(other for leaf in view.leaves_saying(value).tolist() for other in view.in_row(leaf))


def _in_column_of(view: View, value: str) -> BoolArray:
    return view.beginning_with(other for leaf in view.leaves_saying(value).tolist() for other in view.in_column(leaf))


_TESTS: dict[str, Callable[[View, str], BoolArray]] = {
    "tag": _tag,
    "class": View.with_class,
    "id": _id,
    "attribute": _attribute,
    "has": _has,
    "starts": _starts,
    "place": _place,
    "last": _last,
    "after": _after,
    "beside": _beside,
    "following": _following,
    "under": _under,
    "column": _column,
    "kind": _kind,
    "text": _text,
    "begins": _begins,
    "said": _published,
    "sum": _sum,
    "look": _look,
    "larger": _larger,
    "right of": _right_of,
    "below": _below,
    "in row of": _in_row_of,
    "in column of": _in_column_of,
}
