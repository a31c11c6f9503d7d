"""The search for rules: what is found takes the examples, on any page."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import sightline as sl
from sightline.errors import UsageError
from sightline.extract.wrappers import Lesson
from sightline.extract.wrappers.patterns import View
from sightline.extract.wrappers.patterns._search import Aim, Context, WantedValue, search
from sightline.testing import list_page

from .._small_pages import BODIES, TRIED, document


def _view(body: str) -> View:
    return View(sl.open(document(body).encode(), static=True))


def _chosen(view: View, number: int) -> int:
    assume(len(view.candidates))
    return int(view.candidates[number % len(view.candidates)])


@pytest.mark.slow
@TRIED
@given(BODIES, st.integers(0, 40))
def test_an_example_is_always_taken(body: str, number: int) -> None:
    """Whichever node is pointed at, the pattern finds its text there; nothing is doubted but that it is meant alone."""
    view = _view(body)
    node = _chosen(view, number)
    lesson = Lesson(view.page).want("field", node)
    assert view.text(node) in [match.text for match in lesson.matches("field")], lesson.wrapper.words()
    assert all("one of several that look alike" in doubt.what for doubt in lesson.wrapper.read(view.page).problems)


@pytest.mark.slow
@TRIED
@given(BODIES, st.integers(0, 40), st.integers(0, 40))
def test_a_counterexample_is_never_taken(body: str, wanted: int, rejected: int) -> None:
    """Whatever is learned leaves it out, or the lesson says that there is no such rule."""
    view = _view(body)
    first, second = _chosen(view, wanted), _chosen(view, rejected)
    assume(view.first[first] != view.first[second] or view.last[first] != view.last[second])
    lesson = Lesson(view.page).want("field", first).reject("field", second)
    try:
        matches = [match.node for match in lesson.matches("field")]
    except UsageError:
        return
    same = set(view.nodes_of(int(view.first[second]), int(view.last[second])))
    assert not same & set(matches)
    assert view.text(first) in [view.text(node) for node in matches]


@pytest.mark.slow
@TRIED
@given(BODIES, BODIES, st.integers(0, 40))
def test_any_wrapper_can_be_kept_explained_and_repaired(body: str, other: str, number: int) -> None:
    """On any other page it reads something or nothing, but never breaks."""
    view, another = _view(body), _view(other).page
    node = _chosen(view, number)
    wrapper = Lesson(view.page).want("field", node).wrapper
    again = sl.Wrapper.loads(wrapper.dumps())
    assert again.dumps() == wrapper.dumps()
    assert len(again.explain(another)) == len(View(another).leaves)
    assert any(own.taken for own in again.judge(view.page, node))
    proposal = again.repair([another])
    assert json.loads(json.dumps(proposal.to_json()))
    assert bool(proposal.diff())


@pytest.mark.parametrize("most", [1, 2, 3])
def test_rules_have_few_conditions(most: int) -> None:
    """No more than are asked for, the cheapest first."""
    view = _view('<div class="a">one<b class="price">12 €</b></div><b class="b">13 €</b>')
    (node,) = [own for own in view.candidates.tolist() if view.text(own) == "12 €"]
    found = search(Aim("price", single=True, most=most), [Context(view, 0, len(view.page), (WantedValue((node,)),))])
    assert found
    assert max(len(own.conditions) for own in found) == most
    costs = [own.cost for own in found if own.covered.all()]
    assert costs == sorted(costs)


def test_nothing_is_found_for_nothing() -> None:
    """Without an example there is no rule."""
    view = _view("<b>one</b>")
    assert search(Aim("price"), [Context(view, 0, len(view.page))]) == []
    assert search(Aim("price"), []) == []


def test_a_search_is_the_same_twice() -> None:
    """The same examples make the same rules, in the same order."""
    made = []
    for _ in range(2):
        view = _view('<div class="a">one<b class="price">12 €</b></div><b class="b">13 €</b>')
        (node,) = [own for own in view.candidates.tolist() if view.text(own) == "12 €"]
        found = search(Aim("price", single=True), [Context(view, 0, len(view.page), (WantedValue((node,)),))])
        made.append([(own.conditions, own.pick, own.cost) for own in found])
    assert made[0] == made[1]


def test_a_value_that_no_node_can_be_is_matched_by_no_rule() -> None:
    """The others are matched as if it were not there; nothing is an error."""
    view = View(list_page(["one", "two", "three"]))
    nodes = view.candidates.tolist()
    wanted = (WantedValue((nodes[1],)), WantedValue((0,)))  # the page itself is never a value
    best = search(Aim("name"), [Context(view, 0, len(view.page), wanted)])[0]
    assert best.covered.tolist() == [True, False]
