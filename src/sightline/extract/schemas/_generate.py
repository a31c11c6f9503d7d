"""Step 6, the schema: basic values, options, sets, tuples and disjunctions, from a template with names."""

from collections.abc import Iterator

from sightline.data import Basic, Disjunction, Option, Schema, SetOf, TupleOf, infer
from sightline.extract.schemas._labels import is_unnamed
from sightline.extract.schemas._template import (
    Inner,
    Leaf,
    Reference,
    Slot,
    Template,
    TemplateBody,
    TemplateRow,
    leaves_in,
    references_in,
    takes_open_rows,
)
from sightline.signals import label_of

__all__ = ["fields_of", "main_set", "schema_of", "set_types"]

SAMPLE = 100  # texts that decide how a field is read
TITLE = "title"
MAIN_SHARE = 0.6  # of the texts of a list page are in its list; the pages of the benchmark have 0.77 or more
LEAST_FIELDS = 2  # of a record; a page is not about a list of single values
LEAST_ITEMS = 2  # on a page, on average
LONG = 80  # characters; headings and counts beside a list are shorter
MOST_BESIDE = 10  # texts on a list page that are not in its list; pages about one thing have 25 or more


def set_types(template: Template, language: str | None) -> None:
    """Decide how the texts of each field are read."""
    for leaf in leaves_in(template.root):
        if leaf.is_field and not leaf.prose:
            leaf.type = infer(leaf.texts[:SAMPLE], language)
        for part in leaf.within:
            if part.joints:
                part.type = infer(part.texts[:SAMPLE], language)


def schema_of(template: Template, each: Slot | None = None, *, unseen: bool = False) -> TupleOf:
    """The schema of a page, or of the records of its main set, with the main fields first.

    `unseen` includes rows with labels that no page has had.
    """
    inner = each.inner if each else template.root
    aside = {leaf.name for leaf in leaves_in(inner) if leaf.aside}
    image = each.image if each else template.image
    found = [*fields_of(inner, unseen=unseen).items(), *_reference(image)]
    if each:  # records in a row have their columns as the page has them
        return TupleOf(tuple(sorted(found, key=lambda one: (one[0] in aside, one[0] != TITLE))))
    return TupleOf(tuple(sorted(found, key=lambda one: _rank(*one, aside=one[0] in aside))))


def _rank(name: str, node: Schema, *, aside: bool) -> int:
    """Where a field stands in its record: the title, what has a name, what has none, records, what was set aside."""
    plain = node.children[0] if isinstance(node, Option) else node
    if aside:
        return 4
    if isinstance(plain, SetOf) and isinstance(plain.item, TupleOf):
        return 3
    return 0 if name == TITLE else 2 if is_unnamed(name) else 1


def _reference(reference: Reference | None) -> Iterator[tuple[str, Schema]]:
    if reference is not None and reference.is_field:
        yield reference.name, Option(Basic(reference.type))


def fields_of(inner: Inner | None, *, unseen: bool = False) -> dict[str, Schema]:
    """The named parts of a record, addresses last; alternatives with one name form a disjunction."""
    found: dict[str, list[Schema]] = {}
    texts: list[tuple[str, Schema]] = []
    _add_fields(inner, texts, optional=False, unseen=unseen)
    links = [one for reference in references_in(inner) for one in _reference(reference)]
    for name, node in [*texts, *links]:
        alternatives = found.setdefault(name, [])
        if node not in alternatives:
            alternatives.append(node)
    return {name: _join_alternatives(nodes) for name, nodes in found.items()}


def _join_alternatives(nodes: list[Schema]) -> Schema:
    if len(nodes) == 1:
        return nodes[0]
    plain = list(dict.fromkeys(node.children[0] if isinstance(node, Option) else node for node in nodes))
    joined = plain[0] if len(plain) == 1 else Disjunction(tuple(plain))
    return Option(joined) if all(isinstance(node, Option) for node in nodes) else joined


def _add_fields(inner: Inner | None, found: list[tuple[str, Schema]], *, optional: bool, unseen: bool) -> None:
    if isinstance(inner, Leaf):
        if inner.fixed is not None and not inner.within:  # as most are
            return
        if inner.is_field:
            found.append((inner.name, _maybe(Basic(inner.type), optional=optional)))
        for part in inner.within:
            if part.is_field:
                value = Basic(part.type)
                found.append((part.name, _maybe(value if part.joints else SetOf(value), optional=optional)))
        return
    for taker in inner.takers if inner else ():
        if not taker.present and not unseen:
            continue
        missing = optional or taker.present < _total(inner)
        if isinstance(taker, TemplateRow) or not taker.is_set:
            _add_fields(taker.inner, found, optional=missing, unseen=unseen)
        elif item := fields_of(taker.inner, unseen=unseen) | dict(_reference(taker.image)):
            found.append((taker.name, _maybe(SetOf(_item(item, taker)), optional=missing)))


def _item(fields: dict[str, Schema], slot: Slot) -> Schema:
    """The item of a set: a value, if its records have one field with the name of the set."""
    only = next(iter(fields.values()))
    if slot.is_of_values:
        while isinstance(only, Option | SetOf):
            only = only.children[0]
        return only
    return TupleOf(tuple(fields.items()))


def _maybe(node: Schema, *, optional: bool) -> Schema:
    return Option(node) if optional else node


def _total(inner: Inner | None) -> int:
    return inner.total if isinstance(inner, TemplateBody) else 0


def main_set(template: Template, pages: int) -> Slot | None:
    """The set that a list page is about: it holds most of the texts, and nothing significant is beside it."""
    sets = [(sum(len(leaf.texts) for leaf in _data(slot.inner)), slot) for slot in _sets(template.root)]
    inside, slot = max(sets, key=lambda candidate: candidate[0], default=(0, None))
    if slot is None or len(fields_of(slot.inner)) < LEAST_FIELDS:
        return None
    within = {id(leaf) for leaf in leaves_in(slot.inner)}
    beside = [leaf for leaf in _data(template.root) if id(leaf) not in within]
    around = sum(len(leaf.texts) for leaf in beside)
    items = max(len(leaf.texts) for leaf in _data(slot.inner))
    if inside < MAIN_SHARE * (inside + around) or around > MOST_BESIDE * pages or items < LEAST_ITEMS * pages:
        return None
    return None if any(map(_has_weight, beside)) else slot


def _has_weight(leaf: Leaf) -> bool:
    """Whether a field beside a list is about the one thing that a page is about: a price, a date, a text, a label."""
    texts = leaf.texts[:SAMPLE]
    return (
        leaf.prose
        or leaf.type.kind in ("money", "date", "measure")
        or any(len(text) > LONG for text in texts)
        or bool(label_of(texts))
    )


def _data(inner: Inner | None) -> Iterator[Leaf]:
    """The fields below that occurred on the pages; a slot for rows with unknown labels only borrows from other rows."""
    if isinstance(inner, Leaf):
        if inner.is_field or any(part.joints for part in inner.within):
            yield inner
    elif inner is not None:
        for taker in inner.takers:
            if not takes_open_rows(taker, inner):
                yield from _data(taker.inner)


def _sets(inner: Inner | None) -> Iterator[Slot]:
    """The sets of a page that are not in another set."""
    if isinstance(inner, TemplateBody):
        for taker in inner.takers:
            if takes_open_rows(taker, inner):
                continue
            if isinstance(taker, Slot) and taker.take in ("set", "group"):
                yield taker
            else:
                yield from _sets(taker.inner)
