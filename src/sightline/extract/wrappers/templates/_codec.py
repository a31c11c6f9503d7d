"""Templates as plain JSON that people can read and edit, and back."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sightline.data import ColumnType
from sightline.errors import UsageError
from sightline.extract.schemas import (
    Alphabet,
    Inner,
    Leaf,
    Reference,
    Slot,
    Template,
    TemplateBody,
    TemplateRow,
    Within,
    deciding_features,
)

__all__ = ["pretty", "template_from_json", "template_to_json"]

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
