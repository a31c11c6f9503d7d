"""The steps of basic top-k: what it promises is that each can be drawn where it happened on the page."""

from sightline.extract.published import basic_top, trace_basic_top
from sightline.geometry import Box
from sightline.testing import list_page

STARS = ["Sirius", "Rigel", "Vega"]


def _inside(inner: Box, outer: Box) -> bool:
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def test_every_class_grows_to_items_that_hold_its_nodes() -> None:
    """Growing up never loses a node."""
    trace = trace_basic_top(list_page(STARS), k=3)
    assert trace.classes
    for one in trace.classes:
        assert len(one.nodes) == len(one.items) == 3
        assert all(_inside(node, item) for node, item in zip(one.nodes, one.items, strict=True))


def test_one_class_is_chosen_and_it_is_what_is_found() -> None:
    """The last step shows exactly what is returned."""
    trace = trace_basic_top(list_page(STARS), k=3)
    chosen = [one for one in trace.classes if one.chosen]
    assert len(chosen) == 1
    assert trace.found == basic_top(list_page(STARS), k=3)
    assert trace.found is not None
    assert tuple(item.text.origin.box for item in trace.found if item.text.origin) == chosen[0].items
    assert trace.steps()[-1].boxes == chosen[0].items


def test_without_a_promise_there_is_nothing_to_look_for() -> None:
    """No number in the title, no list."""
    trace = trace_basic_top(list_page(STARS))
    assert trace.found is None
    assert trace.classes == ()
    assert [len(step.rows) for step in trace.steps()] == [0, 0, 0, 0]
