"""Templates as plain JSON that people can read and edit, and back."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from sightline.data import ColumnType
from sightline.errors import UsageError
from sightline.extract.schemas import (
    TEXT_SYMBOL,
    Alphabet,
    Inner,
    Leaf,
    Reference,
    Slot,
    Taker,
    Template,
    TemplateBody,
    TemplateRow,
    Within,
    deciding_features,
    leaves_in,
)

WIDTH = 110  # characters of a line
DEEPEST_INDENT = 40  # spaces; pages nest deeper than that, and nobody counts them
# Nested bodies. Templates are learned to a depth of 100; deeper ones would exhaust the stack when a page is read.
DEEPEST = 120


def pretty(value: Any, depth: int = 0) -> str:
    """JSON with whatever fits on one line, and the rest indented: short enough to read.

    >>> print(pretty({"a": [1, 2], "b": "x" * 120})[:40])
    {
     "a": [1, 2],
     "b": "xxxxxxxxxxxxxxxxx
    """
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inner, outer = " " * min(depth + 1, DEEPEST_INDENT), " " * min(depth, DEEPEST_INDENT)
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + pretty(item, depth + 1) for item in value) + f"\n{outer}]"
    parts = (
        f"{inner}{json.dumps(name, ensure_ascii=False)}: {pretty(item, depth + 1)}" for name, item in value.items()
    )
    return "{\n" + ",\n".join(parts) + f"\n{outer}}}"


def template_to_json(template: Template) -> dict[str, Any]:
    """A template with elements and texts by name, so that nothing but the file is needed to read it."""
    picture = {"picture": _reference_to_json(template.image)} if template.image else {}
    return {**picture, "page": _Writer(template.alphabet).body(template.root)}


def template_from_json(document: Mapping[str, Any]) -> Template:
    """The inverse of `template_to_json`, for a document that has been checked against its form."""
    body = document["page"]
    alphabet = Alphabet(frozenset(_tokens(body)))
    return Template(alphabet, _Reader(alphabet).body(body), _reference_from_json(document.get("picture")))


def _field_to_json(leaf: Leaf) -> dict[str, Any]:
    flags = {"prose": leaf.prose, "dropped": leaf.dropped, "aside": leaf.aside}
    document: dict[str, Any] = {"field": leaf.name, "type": leaf.type.to_json(), "examples": leaf.texts}
    document |= {"begins": leaf.lead} if leaf.lead else {}
    return document | {name: True for name, is_set in flags.items() if is_set}


def _reference_to_json(reference: Reference) -> dict[str, Any]:
    elements = {"elements": list(reference.elements)} if reference.elements else {}
    return _field_to_json(reference) | elements


def _within_to_json(part: Within) -> dict[str, Any]:
    wording = {"between": list(part.joints), "number": part.place} if part.joints else {}
    return _field_to_json(part) | wording


def _within_from_json(document: Mapping[str, Any]) -> Within:
    joints, place = tuple(document.get("between", ())), document.get("number", 0)
    if joints and place >= len(joints) - 1:
        raise UsageError(f"the field {document['field']!r:.60} is number {place} of {len(joints) - 1} values")
    return Within(
        list(document.get("examples", ())),
        name=document["field"],
        type=ColumnType.from_json(document.get("type", {})),
        dropped=document.get("dropped", False),
        aside=document.get("aside", False),
        joints=joints,
        place=place,
    )


def _reference_from_json(document: Mapping[str, Any] | None) -> Reference | None:
    if document is None:
        return None
    return Reference(
        list(document.get("examples", ())),
        name=document["field"],
        type=ColumnType.from_json(document.get("type", {})),
        dropped=document.get("dropped", False),
        aside=document.get("aside", False),
        elements=tuple(document.get("elements", ())),
    )


def _tokens(document: Mapping[str, Any], depth: int = 1) -> Iterator[tuple[str, str]]:
    """Every class token, id and itemprop that a body names, with its tag."""
    if depth > DEEPEST:
        raise UsageError(f"its template is nested more than {DEEPEST} deep")
    for key in ("rows begin", "rows go on", "variants"):
        yield from _words(document.get(key) or ())
    for slot in document["slots"]:
        for key in ("elements", "holds", "begins", "goes on"):
            yield from _words(slot.get(key) or ())
    for part in (*document["slots"], *document.get("rows", {}).values()):
        if "slots" in part["inside"]:
            yield from _tokens(part["inside"], depth + 1)


def _words(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        tag, *words = name.split() or [""]
        if not tag:
            raise UsageError(f"{name!r:.60} is not the name of an element, such as “li .product”")
        yield from ((tag, word) for word in words)


class _Writer:
    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.names = alphabet.names
        self.texts = ["", *alphabet.texts]

    def body(self, body: TemplateBody) -> dict[str, Any]:
        document: dict[str, Any] = {"seen": body.total}
        if body.headed:
            document["headed"] = True
        variants = {self.names[symbol]: self.names[other] for symbol, other in body.alias.items() if symbol != other}
        if variants:
            document["variants"] = variants
        if body.constants:
            document["constants"] = self._texts(body.constants)
        document["slots"] = [self.slot(slot, body) for slot in body.slots]
        if body.rows:
            document["rows begin"] = self._elements(body.row_symbols)
            document["rows open"] = body.open_rows
            document["rows go on"] = None if body.row_members is None else self._elements(body.row_members)
            document["rows"] = {
                row.label: {"seen": row.present, "at": round(row.place, 2), "inside": self.inner(row.inner)}
                for row in body.rows.values()
            }
        return document

    def slot(self, slot: Slot, body: TemplateBody) -> dict[str, Any]:
        document: dict[str, Any] = {
            "takes": slot.take,
            "seen": slot.present,
            "at": round(slot.place, 2),
            "elements": {self.names[symbol]: count for symbol, count in slot.symbols.items()},
        }
        if slot.name:
            document["name"] = slot.name
        if slot.contents:
            document["says"] = {self.texts[text]: count for text, count in slot.contents.most_common(MOST_TEXTS)}
        if slot.words:
            document["begins with"] = dict(slot.words.most_common(MOST_WORDS))
        if slot.take == "one":
            document["kind"] = max(slot.kinds, key=slot.kinds.__getitem__, default=0)
            document["single"] = slot.single
        if slot.take == "one" and deciding_features(body, self.alphabet) == "makes":
            core = self._elements(symbol for symbol, count in slot.makes.items() if 2 * count >= slot.present)
            document |= {"holds": core} if core else {}
        if slot.landmarks:
            document |= {"begins": self._elements(slot.landmarks), "goes on": self._elements(slot.members)}
        if slot in body.bags.values():
            document["anywhere"] = True
        if slot.image:
            document["picture"] = _reference_to_json(slot.image)
        return document | {"inside": self.inner(slot.inner)}

    def inner(self, inner: Inner | None) -> dict[str, Any]:
        if isinstance(inner, TemplateBody):
            return self.body(inner)
        assert inner is not None
        document = {"text": inner.fixed} if inner.fixed is not None else _field_to_json(inner)
        document |= {"leads to": _reference_to_json(inner.link)} if inner.link else {}
        return document | ({"within": list(map(_within_to_json, inner.within))} if inner.within else {})

    def _elements(self, symbols: Any) -> list[str]:
        return sorted(self.names[symbol] for symbol in symbols)

    def _texts(self, numbers: Any) -> list[str]:
        return sorted(self.texts[number] for number in numbers)


HEADED = 2  # slots of a headed body: the heading, and what follows it
MOST_TEXTS = 20  # shared texts kept for a slot; a label is one, a value with few forms has several
MOST_WORDS = 20  # first words kept for a slot; the rest are names and numbers of single pages


class _Reader:
    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet

    def body(self, document: Mapping[str, Any]) -> TemplateBody:
        if document.get("headed") and len(document["slots"]) != HEADED:
            raise UsageError("a headed body has a slot for its heading and one for the rest")
        body = TemplateBody(document["seen"], headed=document.get("headed", False))
        body.slots = [self.slot(slot, body) for slot in document["slots"]]
        body.constants = frozenset(map(self.alphabet.share, document.get("constants", ())))
        body.row_symbols = self._symbols(document.get("rows begin", ()))
        body.open_rows = document.get("rows open", False)
        members = document.get("rows go on")
        body.row_members = None if members is None else self._symbols(members)
        body.rows = {
            self.alphabet.share(label): TemplateRow(label, row["seen"], self.inner(row["inside"]), row.get("at", 0.0))
            for label, row in document.get("rows", {}).items()
        }
        symbols = {symbol for slot in body.slots for symbol in (*slot.symbols, *slot.landmarks, *slot.members)}
        symbols |= body.row_symbols | (body.row_members or frozenset())
        body.alias = {symbol: symbol for symbol in symbols}
        for name, other in document.get("variants", {}).items():
            body.alias[self.alphabet.named(name)] = self.alphabet.named(other)
        body.forget()
        return body

    def slot(self, document: Mapping[str, Any], body: TemplateBody) -> Slot:
        elements = {self.alphabet.named(name): count for name, count in document["elements"].items()}
        slot = Slot(
            document["takes"],
            symbols=Counter(elements),
            contents=Counter({self.alphabet.share(text): count for text, count in document.get("says", {}).items()}),
            words=Counter(document.get("begins with", {})),
            kinds=Counter({document.get("kind", 0): document["seen"]}),
            makes=Counter(dict.fromkeys(self._symbols(document.get("holds", ())), document["seen"])),
            single=document.get("single", False),
            present=document["seen"],
            landmarks=self._symbols(document.get("begins", ())),
            members=self._symbols(document.get("goes on", ())),
            name=document.get("name", ""),
            place=document.get("at", 0.0),
            inner=self.inner(document["inside"]),
            image=_reference_from_json(document.get("picture")),
        )
        if document.get("anywhere"):
            body.bags |= dict.fromkeys(slot.symbols, slot)
        return slot

    def inner(self, document: Mapping[str, Any]) -> Inner:
        if "slots" in document:
            if "seen" not in document:
                raise UsageError("a body inside a slot does not tell how often it was seen")
            return self.body(document)
        if "text" in document:
            self.alphabet.share(document["text"])
            link = _reference_from_json(document.get("leads to"))
            return Leaf([document["text"]], fixed=document["text"], link=link)
        if "field" not in document:
            raise UsageError("inside a slot or a row there must be slots, a text or a field")
        kind = ColumnType.from_json(document.get("type", {}))
        return Leaf(
            list(document.get("examples", ())),
            prose=document.get("prose", False),
            name=document["field"],
            type=kind,
            dropped=document.get("dropped", False),
            lead=document.get("begins", ""),
            aside=document.get("aside", False),
            link=_reference_from_json(document.get("leads to")),
            within=list(map(_within_from_json, document.get("within", ()))),
        )

    def _symbols(self, names: Any) -> frozenset[int]:
        return frozenset(map(self.alphabet.named, names))


# -- A template as the finite-state machine that it is --------------------------------------------------------------
# The machine has layers: what a state has read is read by the states inside it, down to texts and fields.

StateKind: TypeAlias = Literal["start", "end", "text", "field", "set", "row", "group"]
LONGEST_LABEL = 60
MOST_WORDS_SHOWN = 3  # of an element that are in a label
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
            moves.append(MachineMove(before, state, round(share * likely, 3), _label_words(before, entry, share)))
            if share < 1:
                skipped.append((before, likely * (1 - share)))
        drawing.moves += moves
        open_ends = [*((before, likely) for before, likely in skipped if likely >= 0.005), (state, share)]
    return [(state, round(share, 3)) for state, share in open_ends]


def _label_words(before: str, entry: str, share: float) -> str:
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
    return " ".join(words[:MOST_WORDS_SHOWN])


def _short(label: str) -> str:
    text = " ".join(label.split())
    return text if len(text) <= LONGEST_LABEL else text[: LONGEST_LABEL - 1] + "…"
