"""From pages to templates with names and types: all steps of the induction in order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sightline.data import Basic, Disjunction, Option, Schema, SetOf, TupleOf, infer
from sightline.extract.schemas._evidence import witness_of
from sightline.extract.schemas._learn import learn
from sightline.extract.schemas._names import name_fields
from sightline.extract.schemas._outline import TEXT_SYMBOL, LearningStep, Outline, outlines_of
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
from sightline.page import Page
from sightline.settings import Settings, check_rules, setting
from sightline.signals import label_of

EXAMPLES = 3  # texts kept for a field


@dataclass(frozen=True, eq=False)
class Induced:
    """A template with names, the set that its pages are about (if they are lists), and the decisions made."""

    template: Template
    each: Slot | None
    steps: list[LearningStep] = field(default_factory=list)


def same_template(pages: Sequence[Page]) -> list[list[int]]:
    """Which pages share a template, the largest group first; pages without text are in none."""
    outlines = outlines_of(pages)
    written = [number for number, outline in enumerate(outlines) if len(outline)]
    clusters = clusters_of([outlines[number] for number in written])
    return [[written[number] for number in cluster] for cluster in clusters]


def induce_template(pages: Sequence[Page], without: frozenset[str] = frozenset(), *, trace: bool = False) -> Induced:
    """The template of pages that share one."""
    steps: list[LearningStep] = []
    template = learn(outlines_of(pages), without, steps if trace else None)
    languages = [page.language for page in pages if page.language]
    name_fields(template, witness_of(pages))
    set_types(template, max(languages, key=languages.count, default=None))
    each = main_set(template, len(pages))
    for leaf in leaves_in(template.root):
        for part in (leaf, *leaf.within):
            part.texts = list(dict.fromkeys(part.texts))[:EXAMPLES]
    return Induced(template, each, steps)


# Tell pages of several templates apart before anything is learned, by the paths to their texts.

# Jaccard index of the paths. Over the sites of the benchmark the nearest page of the same template is at 0.48 or
# more, that of another template of the same site at 0.25 or less.
SAME_TEMPLATE = 0.3
COMPARED = 5  # pages of a cluster; enough, and the work grows with the pages and not with their pairs


def clusters_of(outlines: Sequence[Outline]) -> list[list[int]]:
    """Which pages share a template, as lists of their numbers, the largest first.

    >>> from sightline.extract.schemas._outline import outlines_of
    >>> from sightline.testing import element, list_page, page_of
    >>> table = page_of(element("table", element("tr", element("td", "x"))), kind="static")
    >>> clusters_of(outlines_of([list_page(["a"]), table, list_page(["b"])]))
    [[0, 2], [1]]
    """
    paths = [_paths(outline) for outline in outlines]
    clusters: list[list[int]] = []
    for number, page_paths in enumerate(paths):
        near = [
            cluster
            for cluster in clusters
            if max(likeness(page_paths, paths[other]) for other in cluster[:COMPARED]) >= SAME_TEMPLATE
        ]
        joined = sorted([number, *(page for cluster in near for page in cluster)])
        clusters = [cluster for cluster in clusters if cluster not in near] + [joined]
    return sorted(clusters, key=lambda cluster: (-len(cluster), cluster[0]))


def likeness(first: frozenset[int], other: frozenset[int]) -> float:
    """The share of paths that two pages have in common."""
    return len(first & other) / max(1, len(first | other))


def _paths(outline: Outline) -> frozenset[int]:
    """The symbol paths that lead to the texts of a page."""
    path = [0] * len(outline)
    found = set()
    for node, symbol in enumerate(outline.symbol):
        if symbol == TEXT_SYMBOL:
            found.add(path[node])
        else:
            here = hash((path[node], outline.alphabet.names[symbol]))
            for kid in outline.kids(node):
                path[kid] = here
    return frozenset(found)


# Step 6, the schema: basic values, options, sets, tuples and disjunctions, from a template with names.

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
    """The schema of a page, or of the records of its main set: the title first, the rest as it stands on the page.

    `unseen` includes rows with labels that no page has had.
    """
    inner = each.inner if each else template.root
    aside = {leaf.name for leaf in leaves_in(inner) if leaf.aside}
    image = each.image if each else template.image
    found = [*fields_of(inner, unseen=unseen).items(), *_reference(image)]
    return TupleOf(tuple(sorted(found, key=lambda one: (one[0] in aside, one[0] != TITLE))))


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


# Settings for inducing a schema, and the rules that can be switched off one by one.

INDUCE_RULES: dict[str, str] = {
    "rows": "rows and headings whose labels occur on several pages are fields, in any order",
    "groups": "records may consist of several neighbours, such as a term and its explanation",
    "places": "siblings with the same kind of text in the same place on every page are fields, not a set",
    "variants": "siblings with different classes but a similar structure are items of one set",
    "prose": "free text is one value, whatever its markup",
    "constants": "a text that occurs once among the items of a set on every page is not an item",
    "decorative": "inline markup around a text that comes and goes does not make it another field",
    "make": "elements are also told apart by what they contain",
    "rivals": "labels that occur side by side never share a slot",
    "unchanged": "a text with a label, a date or an amount is data even if it never changed",
    "beside labels": "a text alone beside a label, or in a table cell, is data even if it never changed",
}


@dataclass(frozen=True, kw_only=True)
class InduceSettings(Settings):
    """How a schema and its wrapper are induced."""

    learn_from: int | None = setting(
        None,
        help="learn from at most so many pages: two at first, then those that fail; all pages by default",
        minimum=2,
    )
    all_fields: bool = setting(
        default=False,
        help="also keep as fields: menus, related items, repetitions and texts that hardly differ",
    )
    without: tuple[str, ...] = setting((), help="names of rules to switch off, to see what each is worth", hidden=True)

    def __post_init__(self) -> None:
        """Reject rules that do not exist."""
        super().__post_init__()
        check_rules(self.without, INDUCE_RULES)
