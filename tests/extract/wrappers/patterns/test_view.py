"""What a view keeps between examples: as much as helps, and never without bound."""

import pytest

from sightline.extract.wrappers.patterns import Condition, View, _conditions, _propose, conditions_on, mask_of
from sightline.testing import list_page

VALUES = frozenset[str]()


def test_masks_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever moves the pointer over a whole page asks for the conditions of every node."""
    monkeypatch.setattr(_conditions, "MOST_MASK_BYTES", 0)
    monkeypatch.setattr(_conditions, "LEAST_MASKS", 5)
    view = View(list_page(["one", "two", "three"]))
    first = mask_of(view, Condition("self", "tag", "li")).tolist()
    for number in range(20):
        mask_of(view, Condition("self", "class", f"c{number}"))
        assert len(view.masks) <= 5
    assert mask_of(view, Condition("self", "tag", "li")).tolist() == first


def test_proposed_conditions_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the same when they are asked for again."""
    monkeypatch.setattr(_propose, "MOST_PROPOSED", 3)
    view = View(list_page(["one", "two", "three", "four"]))
    nodes = view.candidates.tolist()
    first = list(conditions_on(view, nodes[0], 0, VALUES))
    for node in nodes:
        list(conditions_on(view, node, 0, VALUES))
        assert len(view.proposed) <= 3
    assert list(conditions_on(view, nodes[0], 0, VALUES)) == first


def test_a_text_of_another_field_is_no_label_whatever_was_asked_before() -> None:
    """What is kept does not depend on the values; what is handed out does."""
    view = View(list_page(["Price:", "5", "Weight:", "7"]))
    node = int(view.leaves[1])
    labelled = [condition for condition, _ in conditions_on(view, node, 0, VALUES) if condition.test == "after"]
    assert [condition.value for condition in labelled] == ["price"]
    again = [condition for condition, _ in conditions_on(view, node, 0, frozenset(["price"]))]
    assert not any(condition.test == "after" for condition in again)
