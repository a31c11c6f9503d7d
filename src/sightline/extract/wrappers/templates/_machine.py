"""A template as the finite-state machine that it is: states that read the children of an element, and moves.

The machine has layers: what a state has read is read by the states inside it, down to texts and fields.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sightline.extract.schemas import (
    TEXT_SYMBOL,
    Inner,
    Leaf,
    Slot,
    Taker,
    Template,
    TemplateBody,
    TemplateRow,
    leaves_in,
)

__all__ = ["Machine", "MachineMove", "MachineState", "machine_of"]

StateKind: TypeAlias = Literal["start", "end", "text", "field", "set", "row", "group"]
LONGEST_LABEL = 60
MOST_WORDS = 3  # of an element that are in a label
MOST_STATES = 1_000  # of a drawing; nobody sees more, and no browser draws them in time


@dataclass(frozen=True)
class MachineState:
    """A state: what it is and reads, how often that was there when the template was learned, and what it is in."""

    id: str
    label: str
    kind: StateKind
    level: int = 0
    seen: int = 0
    parent: str | None = None


@dataclass(frozen=True)
class MachineMove:
    """A move from one state to another.

    `share` is how often it was taken, as far as that is known: each optional state is assumed to be there
    independently of the others.
    """

    start: str
    stop: str
    share: float | None
    words: str


@dataclass(frozen=True)
class Machine:
    """The states and moves of a template; `cut` if it has more than can be drawn."""

    states: tuple[MachineState, ...]
    moves: tuple[MachineMove, ...]
    cut: bool = False


@dataclass
class _Drawing:
    template: Template
    states: list[MachineState] = field(default_factory=list)
    moves: list[MachineMove] = field(default_factory=list)
    cut: bool = False

    def add(self, label: str, kind: StateKind, level: int, seen: int, parent: str | None) -> str:
        name = f"s{len(self.states)}"
        self.states.append(MachineState(name, _short(label), kind, level, seen, parent))
        return name


def machine_of(template: Template) -> Machine:
    """The machine of a template.

    >>> from sightline.testing import shop_pages
    >>> from sightline.extract.wrappers import induce
    >>> machine = machine_of(induce(shop_pages(4)).rules.templates[0])
    >>> [state.label for state in machine.states if state.kind == "field"]
    ['title', 'Price', 'Weight']
    """
    drawing = _Drawing(template)
    start = drawing.add("page", "start", 0, template.root.total, None)
    last = _body(drawing, template.root, start, None, 0)
    end = drawing.add("end", "end", 0, template.root.total, None)
    drawing.moves += [MachineMove(state, end, share, "ends") for state, share in last]
    return Machine(tuple(drawing.states), tuple(drawing.moves), drawing.cut)


def _body(
    drawing: _Drawing, body: TemplateBody, entry: str, parent: str | None, level: int
) -> list[tuple[str, float | None]]:
    """Draw the states of a body; returns those after which it may end, with their shares."""
    open_ends: list[tuple[str, float]] = [(entry, 1.0)]
    for taker in body.takers:
        if len(drawing.states) >= MOST_STATES:
            drawing.cut = True
            break
        if not _is_drawn(taker):
            continue
        state = _state(drawing, taker, parent, level)
        if isinstance(taker, TemplateRow):  # rows are read by their label, in any order
            drawing.moves.append(MachineMove(entry, state, None, f"at “{_short(taker.label)}”, in any order"))
            continue
        share = min(1.0, taker.present / body.total) if body.total else 1.0
        if taker.take in ("set", "group"):
            drawing.moves.append(MachineMove(state, state, None, "again"))
        moves, skipped = [], []
        for before, likely in open_ends:
            moves.append(MachineMove(before, state, round(share * likely, 3), _words(before, entry, share)))
            if share < 1:
                skipped.append((before, likely * (1 - share)))
        drawing.moves += moves
        open_ends = [*((before, likely) for before, likely in skipped if likely >= 0.005), (state, share)]
    return [(state, round(share, 3)) for state, share in open_ends]


def _words(before: str, entry: str, share: float) -> str:
    how = "always" if share >= 1 else f"in {share:.0%}"
    return f"{'begins with it' if before == entry else 'then'}, {how}"


def _is_drawn(taker: Taker) -> bool:
    """Whether a state has read anything that people see."""
    return taker.present > 0 and any(leaf.fixed is None or leaf.fixed.strip() for leaf in leaves_in(taker.inner))


def _state(drawing: _Drawing, taker: Taker, parent: str | None, level: int) -> str:
    """Draw a state and what is inside it; elements with nothing but one other in them are not drawn by themselves."""
    inner, seen = _inside(taker), taker.present
    if isinstance(inner, Leaf):
        kind: StateKind = "field" if inner.fixed is None else "text"
        return drawing.add(inner.name if kind == "field" else inner.fixed or "", kind, level, seen, parent)
    fields = [leaf for leaf in leaves_in(inner) if leaf.fixed is None]
    if not fields:
        texts = " ".join(leaf.fixed or "" for leaf in leaves_in(inner))
        return drawing.add(texts, "text", level, seen, parent)
    label, kind = _named(drawing, taker)
    state = drawing.add(label, kind, level, seen, parent)
    if isinstance(inner, TemplateBody):
        _body(drawing, inner, state, state, level + 1)
    return state


def _inside(taker: Taker) -> Inner | None:
    """What is in a state, through elements that hold one other thing that is always there."""
    inner = taker.inner
    while isinstance(inner, TemplateBody):
        drawn = [own for own in inner.takers if _is_drawn(own)]
        if len(drawn) != 1 or not isinstance(drawn[0], Slot) or drawn[0].take != "one" or inner.rows:
            break
        if drawn[0].present < inner.total:
            break
        inner = drawn[0].inner
    return inner


def _named(drawing: _Drawing, taker: Taker) -> tuple[str, StateKind]:
    if isinstance(taker, TemplateRow):
        return taker.label, "row"
    if taker.take in ("set", "group"):
        return taker.name or _element(drawing, taker), "set"
    return _element(drawing, taker), "group"


def _element(drawing: _Drawing, slot: Slot) -> str:
    """The element that a slot reads, with some of its classes."""
    symbols = [symbol for symbol, _ in slot.symbols.most_common() if symbol != TEXT_SYMBOL]
    words = drawing.template.alphabet.names[symbols[0]].split() if symbols else ["text"]
    return " ".join(words[:MOST_WORDS])


def _short(label: str) -> str:
    text = " ".join(label.split())
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"
