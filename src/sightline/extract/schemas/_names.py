"""Step 6, names: what each field is called by its label, the page's own attributes, or what it holds."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sightline.extract.schemas._template import (
    Inner,
    Leaf,
    Slot,
    Taker,
    Template,
    TemplateBody,
    TemplateRow,
    leaves_in,
    takes_open_rows,
)
from sightline.extract.schemas._witness import Witness
from sightline.signals import class_name, kind_name, label_of

__all__ = ["name_fields"]

LONGEST_LABEL = 40  # characters
MOST_WORDS = 6  # of a label
BESIDE = 2  # elements between a value and a text beside it that is not marked as a label
LABELS = frozenset(["th", "dt", "b", "strong", "label", "em", "h2", "h3", "h4", "h5", "h6", "legend", "caption"])
NEAR = 3  # elements between a label and the one that contains both it and its value
MOST_NAMED = 4  # fields that one label names; a row with more is part of the page's layout
CLIMB = 3  # elements around a text whose class or id may name it
SAMPLE = 30  # texts that tell what a field holds
UNNAMED = "text"  # always with a number: a record with "text" and "type" would look like a value with its origin
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])


class _Label(NamedTuple):
    """A fixed text, the elements around it, and whether they mark it as a label."""

    text: str
    path: tuple[int, ...]
    marked: bool


@dataclass
class _Scope:
    """The names of one record, and the label last read in it."""

    used: set[str] = field(default_factory=set)
    label: _Label | None = None
    header: dict[str, str] = field(default_factory=dict)

    def unique(self, name: str) -> str:
        """The name, with a number if the record already has it."""
        count = 1
        fresh = name if name != UNNAMED else f"{name} 1"
        while fresh in self.used:
            count += 1
            fresh = f"{name} {count}"
        self.used.add(fresh)
        return fresh


class _Place(NamedTuple):
    """Where a part of the template is: the elements around it in its record, by name and number."""

    names: tuple[str, ...] = ()
    path: tuple[int, ...] = ()
    label: str = ""

    def inside(self, name: str, number: int, label: str = "") -> "_Place":
        """A place one element further down; a label names the first thing in it."""
        return _Place((*self.names, name), (*self.path, number), label or self.label)


def name_fields(template: Template, witness: Witness) -> None:
    """Give every field and every set of the template a name, in place."""
    _Namer(template, witness).walk(template.root, _Place(), _Scope())


@dataclass(frozen=True)
class _Namer:
    template: Template
    witness: Witness

    def walk(self, inner: Inner | None, place: _Place, scope: _Scope) -> None:
        """Name what is inside."""
        if isinstance(inner, Leaf):
            self._leaf(inner, place, scope)
        elif inner is not None:
            for number, taker in enumerate(inner.takers):
                if isinstance(taker, Slot) and takes_open_rows(taker, inner):
                    _name_open_rows(taker, scope)
                else:
                    self._taker(taker, place, number, scope)

    def _taker(self, taker: Taker, place: _Place, number: int, scope: _Scope) -> None:
        if isinstance(taker, TemplateRow):
            few = sum(leaf.is_field for leaf in leaves_in(taker.inner)) <= MOST_NAMED
            label = taker.label if few and not self._begins_with_link(taker.inner) else ""
            self.walk(taker.inner, place.inside("", number, label), scope)
            return
        name = self.template.alphabet.names[max(taker.symbols, key=taker.symbols.__getitem__)] if taker.symbols else ""
        inside = place.inside(name, number)
        if taker.take in ("one", "rest"):
            if scope.header and name.partition(" ")[0] == "tr" and (cells := _cells(taker)):
                for place_in_row, cell in enumerate(cells):
                    head = scope.header.get(_column(cell, self.template), "")
                    self._taker(cell, inside._replace(label=head), place_in_row, scope)
                return
            self.walk(taker.inner, inside, scope)
            heads = self._headings(taker, name)
            if heads:
                scope.header, scope.label = heads, None
        else:
            self._set(taker, inside, scope)

    def _begins_with_link(self, inner: Inner | None) -> bool:
        """Whether the first text inside is a link: links lead somewhere, and label nothing."""
        while isinstance(inner, TemplateBody) and inner.takers:
            taker = inner.takers[0]
            if isinstance(taker, Slot) and any(self.template.alphabet.tag(symbol) == "a" for symbol in taker.symbols):
                return True
            inner = taker.inner
        return False

    def _headings(self, slot: Slot, name: str) -> dict[str, str]:
        """The headings of a table by the place of their cell, if this is its heading row."""
        tag = name.partition(" ")[0]
        inner = slot.inner
        if tag == "thead" and isinstance(inner, TemplateBody) and len(inner.slots) == 1 and not inner.rows:
            return self._headings(inner.slots[0], "tr")
        if tag != "tr" or not isinstance(inner, TemplateBody) or not isinstance(slot, Slot):
            return {}
        texts = [(_column(cell, self.template), next(leaves_in(cell.inner)).fixed) for cell in inner.slots]
        found = {column: text for column, text in texts if column and text is not None}
        return found if len(found) > 1 and len(found) == len(texts) else {}

    def _set(self, slot: Slot, place: _Place, scope: _Scope) -> None:
        fields = [leaf for leaf in leaves_in(slot.inner) if leaf.is_field]
        if not fields:
            return
        if len(fields) == 1:
            _name_all(slot, scope.unique(self._name(fields[0], place, scope)))
            scope.label = None
            return
        label = place.label or self._label(place, scope)
        slot.name = scope.unique(_clean(label) or next(_attribute_names(place.names), "") or "items")
        scope.label = None
        inside = _Scope()
        cells = _cells(slot)
        if scope.header and cells:
            for number, cell in enumerate(cells):
                self._taker(cell, _Place(label=scope.header.get(_column(cell, self.template), "")), number, inside)
            return
        self.walk(slot.inner, _Place(place.names[-1:] if slot.take == "set" else ()), inside)

    def _leaf(self, leaf: Leaf, place: _Place, scope: _Scope) -> None:
        if leaf.fixed is not None:
            tags = _tags(place.names)
            marked = leaf.fixed.endswith(":") or not LABELS.isdisjoint(tags)
            scope.label = None if "a" in tags else _Label(leaf.fixed, place.path, marked)
        elif leaf.is_field:
            leaf.name = scope.unique(self._name(leaf, place, scope))
            scope.label = None

    def _name(self, leaf: Leaf, place: _Place, scope: _Scope) -> str:
        texts = leaf.texts[:SAMPLE]
        tags = _tags(place.names)
        candidates = (
            self.witness.name(texts),
            _itemprop(place.names),
            "title" if "h1" in tags else "",
            _clean(place.label),
            _clean(self._label(place, scope)),
            _clean(label_of(texts)),
            "title" if self.witness.is_title(texts) else "",
            next(_attribute_names(place.names), ""),
            "title" if HEADINGS.intersection(tags) else "",
            kind_name(texts),
            "title" if "a" in tags and not scope.used else "",
        )
        return next(filter(None, candidates), UNNAMED)

    def _label(self, place: _Place, scope: _Scope) -> str:
        """The fixed text just before, if it is near enough to be a label."""
        if scope.label is None:
            return ""
        text, path, marked = scope.label
        common = sum(1 for step, other in zip(path, place.path, strict=False) if step == other)
        away = max(len(path), len(place.path)) - common
        return text if away <= (NEAR if marked else BESIDE) or text.endswith(":") else ""


def _tags(names: Sequence[str]) -> frozenset[str]:
    return frozenset(name.partition(" ")[0] for name in names[-CLIMB:])


def _name_all(slot: Slot, name: str) -> None:
    """Give a set of single values, and all sets in it, one name."""
    slot.name = name
    for inner in _takers_in(slot.inner):
        if isinstance(inner, Slot) and inner.take in ("set", "group"):
            inner.name = name
    for leaf in leaves_in(slot.inner):
        leaf.name = name


def _name_open_rows(slot: Slot, scope: _Scope) -> None:
    """Name rows with unknown labels: their labels, and their values."""
    fields = [leaf for leaf in leaves_in(slot.inner) if leaf.is_field]
    if len(fields) == 1:
        _name_all(slot, scope.unique("more"))
    elif fields:
        slot.name = scope.unique("more")
        inside = _Scope()
        fields[0].name = inside.unique("label")
        for leaf in fields[1:]:
            leaf.name = inside.unique("value")
        _name_sets(slot.inner, inside)


def _name_sets(inner: Inner | None, scope: _Scope) -> None:
    for taker in _takers_in(inner):
        if (
            isinstance(taker, Slot)
            and taker.take in ("set", "group")
            and any(leaf.is_field for leaf in leaves_in(taker.inner))
        ):
            _name_all(taker, scope.unique("values"))


def _takers_in(inner: Inner | None) -> Iterator[Taker]:
    if isinstance(inner, TemplateBody):
        for taker in inner.takers:
            yield taker
            yield from _takers_in(taker.inner)


def _clean(label: str) -> str:
    """A label as a name: without its colon; nothing if it is a sentence and not a label."""
    name = " ".join(label.replace(".", " ").split()).strip(" :*•·|-–—?,;")
    name = name.rstrip(" (") if name.count("(") > name.count(")") else name
    if name[:1] in ("(", "[") and name[-1:] in (")", "]"):
        name = name[1:-1]
    if len(name) > LONGEST_LABEL or len(name.split()) > MOST_WORDS or not any(map(str.isalpha, name)):
        return ""
    return name


def _itemprop(names: Sequence[str]) -> str:
    return next((word[1:] for name in reversed(names) for word in name.split()[1:] if word.startswith("@")), "")


def _attribute_names(names: Sequence[str]) -> Iterator[str]:
    """The names in the classes and ids of the elements around, the nearest first."""
    for name in reversed(names[-CLIMB:]):
        for word in sorted(name.split()[1:], key=lambda token: token.startswith("#")):
            found = class_name(word[1:])
            if found:
                yield found


def _column(cell: Slot, template: Template) -> str:
    """The place of a cell in its row, as a word of its name."""
    names = [template.alphabet.names[symbol] for symbol in cell.symbols]
    words = [word for name in names for word in name.split()[1:] if word.startswith(":")]
    return Counter(words).most_common(1)[0][0] if words else ""


def _cells(slot: Slot) -> list[Slot]:
    """The slots of a set's records, if there are no rows among them."""
    return slot.inner.slots if isinstance(slot.inner, TemplateBody) and not slot.inner.rows else []
