"""Step 6, names: what each field is called by its label, the page's own attributes, or what it holds.

A neutral name (`text 1`) is better than a wrong one, so every name needs evidence that holds for most of a field's
texts. The label inside a text counts most; it is then cut off the values (see `_labels`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sightline.extract.schemas._evidence import (
    CLIMB,
    HEADINGS,
    SAMPLE,
    FixedText,
    Witness,
    are_peers,
    can_be,
    common_steps,
    counted,
    has_word,
    is_byline,
    is_named_elsewhere,
    page_title,
    tags_around,
    usual_name,
)
from sightline.extract.schemas._labels import Lead, Wording, is_label, lead_of, values_in, without_joining, wording_of
from sightline.extract.schemas._template import (
    Inner,
    Leaf,
    Slot,
    Taker,
    Template,
    TemplateBody,
    TemplateRow,
    Within,
    leaves_in,
    takes_open_rows,
)
from sightline.signals import class_name, fits_name, has_label, kind_name, label_of, set_name

BESIDE = 2  # elements between a value and a text beside it that is not marked as a label
LABELS = frozenset(["th", "dt", "b", "strong", "label", "em", "h2", "h3", "h4", "h5", "h6", "legend", "caption"])
TOP_LABELS = HEADINGS | {"th", "dt"}  # a text in one of these is itself a heading
NEAR = 3  # elements between a label and the one that contains both it and its value
UNMARKED_WORDS = 4  # of a label that nothing marks as one, not even a colon
FEWEST_HEADS = 3  # cells of a heading row that nothing marks as one; two constant cells are a label and its value
MOST_NAMED = 4  # fields that one label names; a row with more is part of the page's layout
# Fields in an element that its class names, or the label beside it: one, or a value and its unit. The class or the
# heading of a larger one is about all of it, and says nothing about its first text.
MOST_TOLD = 2
TITLE, DATE = "title", "date"
TELLING_KINDS = frozenset([DATE, "price", "url", "email", "phone"])  # a number may be anything
OWN_LABELS = 0.6  # of a field's texts have labels, and not one and the same: then the label before them is of them all
MOST_UNHEADED = 1  # cells more in a row than there are headings; if there are more, headings span several columns
BUTTONS, MANY = 2, 6  # different texts among more than so many: links that say what to do
VARIED = 0.6  # of the titles in a set differ; a link that says the same everywhere is a button
WHOLE = "whole text"  # the name of a text whose values are fields of their own
UNNAMED = "text"  # always with a number: a record with "text" and "type" would look like a value with its origin
CONTROLS = frozenset(["a", "button", "option", "select", "nav"])  # they lead somewhere, and label nothing


@dataclass
class _Scope:
    """The names of one record, and the label last read in it."""

    used: set[str] = field(default_factory=set)
    label: FixedText | None = None
    between: FixedText | None = None  # the last fixed text between the label of a row and what is being named
    before: tuple[int, ...] = ()  # where the field before that label is
    header: dict[str, str] = field(default_factory=dict)
    of_page: bool = False
    kinds: dict[str, str] = field(default_factory=dict)  # what the first field with a name holds
    said: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what the first field with a property's name holds
    no_labels: set[str] = field(default_factory=set)  # labels of rows that turned out to be headings

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
    """Where a part of the template is: the elements around it in its record, by name, number and fields inside."""

    names: tuple[str, ...] = ()
    path: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    label: str = ""
    in_row: bool = False  # the label is that of a row
    share: float = 1.0  # of the records that have it

    def inside(self, name: str, number: int, count: int) -> "_Place":
        """A place one element further down, with so many fields in it."""
        told = name if count <= MOST_TOLD else _without_classes(name)
        return self._replace(names=(*self.names, told), path=(*self.path, number), counts=(*self.counts, count))

    def in_row_of(self, label: str) -> "_Place":
        """The same place in a row with a label, which names the first of its fields."""
        return self._replace(label=label, in_row=True) if label else self


def name_fields(template: Template, witness: Witness) -> None:
    """Give every field and every set of the template a name, in place."""
    _Namer(template, witness, page_title(template, witness)).walk(template.root, _Place(), _Scope(of_page=True))
    for leaf in leaves_in(template.root):  # the items of a set of texts have no paragraphs of their own
        leaf.within = [part for part in leaf.within if part.name]


@dataclass(frozen=True)
class _Namer:
    template: Template
    witness: Witness
    title: Leaf | None

    def walk(self, inner: Inner | None, place: _Place, scope: _Scope) -> None:
        """Name what is inside."""
        if isinstance(inner, Leaf):
            self._leaf(inner, place, scope)
        elif inner is not None:
            for number, taker in enumerate(inner.takers):
                if isinstance(taker, Slot) and takes_open_rows(taker, inner):
                    _name_open_rows(taker, scope)
                else:
                    share = place.share * min(1.0, taker.present / max(1, inner.total))
                    self._taker(taker, place._replace(share=share), number, scope)

    def _taker(self, taker: Taker, place: _Place, number: int, scope: _Scope) -> None:
        if isinstance(taker, TemplateRow):
            count = _fields_in(taker)
            label = taker.label if count <= MOST_NAMED and not self._begins_with_link(taker.inner) else ""
            scope.between = None
            self.walk(taker.inner, place.inside("", number, count).in_row_of(label), scope)
            return
        name = usual_name(taker, self.template)
        inside = place.inside(name, number, _fields_in(taker) if taker.take != "set" else 1)
        if name.partition(" ")[0] == "table":  # headings are those of their own table
            outside, scope.header = scope.header, {}
            self._slot(taker, inside, scope, name)
            scope.header = outside
        else:
            self._slot(taker, inside, scope, name)

    def _slot(self, slot: Slot, inside: _Place, scope: _Scope, name: str) -> None:
        if slot.take not in ("one", "rest"):
            self._set(slot, inside, scope)
            return
        if name.partition(" ")[0] == "tr" and (cells := _cells(slot)) and _covers(scope.header, cells):
            self._row(cells, inside, scope)
            return
        self.walk(slot.inner, inside, scope)
        heads = self._headings(slot, name)
        if heads:
            scope.header, scope.label = heads, None

    def _row(self, cells: list[Slot], inside: _Place, scope: _Scope) -> None:
        """A row below the headings of its table; if its first cell is fixed, that is what the row is about."""
        first = next(leaves_in(cells[0].inner), None)
        about = _clean(first.fixed) if first is not None and first.fixed is not None else ""
        for number, cell in enumerate(cells):
            head = scope.header.get(_column(cell, self.template), "")
            label = " ".join(filter(None, (about, head))) if number else head
            self._taker(cell, inside._replace(label=label, in_row=False), number, scope)

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
        marked = all(usual_name(cell, self.template).partition(" ")[0] == "th" for cell in inner.slots)
        enough = 2 if marked else FEWEST_HEADS
        return found if enough <= len(found) == len(texts) and all(map(_clean, found.values())) else {}

    def _set(self, slot: Slot, place: _Place, scope: _Scope) -> None:
        fields = [leaf for leaf in leaves_in(slot.inner) if leaf.is_field]
        if not fields:
            return
        if len(fields) == 1 and (fields[0].prose or not wording_of(fields[0].texts)):
            _name_all(slot, scope.unique(self._name(fields[0], place, scope)))
            scope.label = None
            return
        label = place.label or self._label(place, (), scope)
        slot.name = scope.unique(_clean(label) or next(_attribute_names(place.names, set_name), "") or "items")
        scope.label = None
        inside = _Scope()
        cells = _cells(slot)
        if _covers(scope.header, cells):
            for number, cell in enumerate(cells):
                self._taker(cell, _Place(label=scope.header.get(_column(cell, self.template), "")), number, inside)
            return
        around = place.names[-1:] if slot.take == "set" else ()
        if len(fields) > MOST_TOLD:
            around = tuple(map(_without_classes, around))
        self.walk(slot.inner, _Place(around), inside)

    def _leaf(self, leaf: Leaf, place: _Place, scope: _Scope) -> None:
        if leaf.fixed is not None:
            tags = tags_around(place.names)
            label = FixedText(leaf.fixed, place.names, place.path, LABELS & tags, place.share)
            if place.in_row and leaf.fixed != place.label and has_word(leaf.fixed):
                scope.between = label
            in_block = place.in_row and label.has_colon and scope.label is not None and scope.label.has_colon
            beside = _is_beside(scope.label, label)
            scope.label = None if CONTROLS & tags else label._replace(in_row=beside, in_block=in_block)
        elif leaf.is_field:
            # On a page about one thing, a text with labels in it is one value: "City: 16 Highway: 22".
            wording = None if leaf.prose or scope.of_page else wording_of(leaf.texts)
            if wording:
                _name_values(leaf, wording, scope)
            else:
                leaf.name = scope.unique(self._name(leaf, place, scope))
                for part in leaf.within:  # the paragraphs of free text, for those who want them one by one
                    part.name, part.dropped, part.aside = scope.unique(f"{leaf.name} parts"), True, True
            scope.label, scope.before = None, place.path

    def _name(self, leaf: Leaf, place: _Place, scope: _Scope) -> str:
        lead = lead_of(leaf.texts) if not leaf.prose else Lead()
        name = next(filter(None, self._candidates(leaf, lead, place, scope)), UNNAMED)
        self._cut(leaf, lead)
        return name

    def _candidates(self, leaf: Leaf, lead: Lead, place: _Place, scope: _Scope) -> Iterator[str]:
        """The names that something speaks for, the best first."""
        texts = [lead.cut(text) for text in leaf.texts[:SAMPLE]]
        tags = tags_around(place.names)
        may_be_title = not scope.of_page and len(set(texts)) >= max(2, VARIED * len(texts))
        yield self._said(leaf, texts, scope)
        yield _itemprop(place.names)
        yield TITLE if leaf is self.title else ""
        yield _clean(lead.name)
        yield counted(texts)
        if leaf.prose or not is_named_elsewhere(texts):
            yield self._told(self._row_label(place, texts, scope), texts, scope)
            yield self._told(self._label(place, texts, scope), texts, scope)
            fitting = (name for name in _attribute_names(place.names) if self._fits(name, texts, tags, scope))
            yield self._told_by_class(next(fitting, ""), texts, scope)
        yield TITLE if may_be_title and TITLE not in scope.used and HEADINGS & tags else ""
        yield kind_name(texts)
        yield TITLE if may_be_title and "a" in tags and not scope.used else ""

    def _said(self, leaf: Leaf, texts: Sequence[str], scope: _Scope) -> str:
        """What the pages' own data calls these texts; a second field only if it says the same or there may be many."""
        said, is_title = self.witness.said, leaf is self.title
        name = said.name(leaf.texts[:SAMPLE], is_title=is_title) or said.name(texts, is_title=is_title)
        same = scope.said.setdefault(name, tuple(texts)) == tuple(texts)
        return name if same or name in said.many else ""

    @staticmethod
    def _told(label: str, texts: Sequence[str], scope: _Scope) -> str:
        """The name that a label gives; a second field that it gives one to has to hold the same kind of thing."""
        if sum(has_label(text) for text in texts) > OWN_LABELS * len(texts) and not label_of(texts):
            return ""
        name, kind = _clean(label), kind_name(texts)
        if kind == DATE:
            name = without_joining(name.split())
        return name if name and scope.kinds.setdefault(name, kind) == kind else ""

    def _fits(self, name: str, texts: Sequence[str], tags: frozenset[str], scope: _Scope) -> bool:
        """Whether a class may name these texts; a page has one title, and it is chosen by then."""
        if "a" in tags and len(set(texts)) <= BUTTONS and len(texts) > MANY:  # "Read reviews" is not a review
            return False
        if not fits_name(name, texts) or not can_be(name, texts):
            return False
        return not (name == TITLE and scope.of_page and self.title is not None)

    @staticmethod
    def _told_by_class(name: str, texts: Sequence[str], scope: _Scope) -> str:
        """The name that a class gives; if its first field holds something else, only with what this one holds."""
        kind = kind_name(texts)
        if not name or scope.kinds.setdefault(f".{name}", kind) == kind:
            return name
        return f"{name} {kind}" if kind in TELLING_KINDS else ""

    @staticmethod
    def _cut(leaf: Leaf, lead: Lead) -> None:
        """Cut the label off the texts of a field, here and whenever a page is read."""
        leaf.lead = lead.text
        leaf.texts = [lead.cut(text) for text in leaf.texts] if lead.text else leaf.texts

    @staticmethod
    def _row_label(place: _Place, texts: Sequence[str], scope: _Scope) -> str:
        """The label of the row or the heading of the column, unless it is about something else in it."""
        label = place.label
        if not place.in_row or not label:
            return label
        said = scope.label
        if said is not None and said.text == label and are_peers(said, place.names, place.path, texts):
            scope.no_labels.add(label)
        apart = scope.between is not None and scope.between.path[:-1] != place.path[:-1]
        if label in scope.no_labels or apart or (is_byline(texts) and not label.endswith(":")):
            return ""
        heading = TOP_LABELS & tags_around(place.names)
        return "" if heading and not label.endswith(":") else label

    @staticmethod
    def _label(place: _Place, texts: Sequence[str], scope: _Scope) -> str:
        """The fixed text just before, if it is near enough to be a label."""
        label = scope.label
        if label is None or label.in_block:
            return ""
        if not label.has_colon and (label.in_row or is_byline(texts) or label.marks & tags_around(place.names)):
            return ""  # one of several headings, one after the other
        if not label.is_marked and common_steps(label.path, scope.before) > common_steps(label.path, place.path):
            return ""  # it follows the value that it is about
        common = sum(1 for step, other in zip(label.path, place.path, strict=False) if step == other)
        away = max(len(label.path), len(place.path)) - common
        if place.counts[common : common + 1] > (MOST_TOLD,) or are_peers(label, place.names, place.path, texts):
            return ""
        if label.is_marked:
            return label.text if away <= NEAR else ""
        return label.text if away <= BESIDE and len(label.text.split()) <= UNMARKED_WORDS else ""


def _name_values(leaf: Leaf, wording: Wording, scope: _Scope) -> None:
    """Make fields of the values in a text that has several; the whole text is set aside."""
    joints = [joint.split() for joint in wording.joints]
    rows = [values for text in leaf.texts if (values := values_in(text.split(), joints))]
    for place, (name, column) in enumerate(zip(wording.names, zip(*rows, strict=True), strict=True)):
        called = scope.unique(_clean(name) or kind_name(column) or UNNAMED)
        leaf.within.append(Within(list(column), name=called, joints=wording.joints, place=place))
    leaf.name, leaf.dropped, leaf.aside = scope.unique(WHOLE), True, True


def _is_beside(before: FixedText | None, label: FixedText) -> bool:
    """Whether a fixed text follows another of its kind in the same row, with no value between them."""
    if before is None or before.tag != label.tag or len(before.path) != len(label.path):
        return False
    return before.path[:-2] == label.path[:-2]


def _covers(header: dict[str, str], cells: Sequence[Slot]) -> bool:
    """Whether a row has about as many cells as there are headings; otherwise they span columns, and not one each."""
    return bool(header and cells) and len(cells) <= len(header) + MOST_UNHEADED


def _fields_in(taker: Taker) -> int:
    return sum(leaf.is_field for leaf in leaves_in(taker.inner))


def _without_classes(name: str) -> str:
    """The name of an element without its classes and its id."""
    return " ".join(word for word in name.split() if word[0] not in ".#")


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
    name = " ".join(label.replace(".", " ").split()).strip(" :：*•·|-–—?,;")
    name = name.rstrip(" (") if name.count("(") > name.count(")") else name
    if name[:1] in ("(", "[") and name[-1:] in (")", "]"):
        name = name[1:-1]
    return name if is_label(name) else ""


def _itemprop(names: Sequence[str]) -> str:
    return next((word[1:] for name in reversed(names) for word in name.split()[1:] if word.startswith("@")), "")


def _attribute_names(names: Sequence[str], read: Callable[[str], str] = class_name) -> Iterator[str]:
    """The names in the classes and ids of the elements around, the nearest first."""
    for name in reversed(names[-CLIMB:]):
        for word in sorted(name.split()[1:], key=lambda token: token.startswith("#")):
            found = read(word[1:])
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
