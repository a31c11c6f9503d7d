"""The machine of a template: its states, its layers, and the moves between them."""

from collections import Counter

from sightline.extract.wrappers import Machine, induce, machine_of
from sightline.testing import shop_pages

from ..._templates import opened


def _machine(*bodies: str) -> Machine:
    return machine_of(induce(opened(*bodies)).rules.templates[0])


def test_every_move_is_between_states_and_every_state_is_reached() -> None:
    """From the start, in its own layer or from the state that it is in."""
    machine = machine_of(induce(shop_pages(6)).rules.templates[0])
    names = [state.id for state in machine.states]
    assert len(set(names)) == len(names)
    assert {end for move in machine.moves for end in (move.start, move.stop)} <= set(names)
    reached, queue = {names[0]}, [names[0]]
    while queue:
        own = queue.pop()
        for move in machine.moves:
            if move.start == own and move.stop not in reached:
                reached.add(move.stop)
                queue.append(move.stop)
    assert reached == set(names)
    kinds = Counter(state.kind for state in machine.states)
    assert kinds["start"] == kinds["end"] == 1
    assert kinds["field"] == 3
    assert all((state.parent is None) == (state.level == 0) for state in machine.states)


def test_what_is_optional_can_be_passed_over() -> None:
    """With the share of the pages that it was on."""
    body = "<h1>Camera {0}</h1>{1}<p class=p>Price <b>{0}00 €</b></p><footer>The end</footer>"
    bodies = [body.format(n, f"<p class=n>New: {n} left of {n * 7}</p>" if n % 2 else "") for n in range(1, 9)]
    machine = _machine(*bodies)
    by_id = {state.id: state for state in machine.states}
    optional = [state for state in machine.states if 0 < state.seen < 8 and state.kind == "field"]
    assert optional
    shares = [move.share for move in machine.moves if move.stop == optional[0].id and move.start != optional[0].id]
    assert shares
    assert all(share is not None and 0 < share < 1 for share in shares)
    assert all(by_id[move.stop].id != by_id[move.start].id or move.words == "again" for move in machine.moves)


def test_a_set_is_read_again_and_again() -> None:
    """Its items' fields are states inside it."""
    rows = ["".join(f"<li><b>Item {p}{n}</b><i>{n}{p} €</i></li>" for n in range(3 + p % 2)) for p in range(4)]
    machine = _machine(*(f"<h1>List {p}</h1><ul>{items}</ul>" for p, items in enumerate(rows)))
    (own,) = [state for state in machine.states if state.kind == "set"]
    assert any(move.start == move.stop == own.id and move.share is None for move in machine.moves)
    assert len([state for state in machine.states if state.kind == "field" and state.level > own.level]) == 2
